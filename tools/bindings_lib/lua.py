"""Lua, for LuaJIT: declarations for its foreign-function interface, constants, and handles that the garbage collector frees."""
from .common import *

PATH = "lua/terrane_c.lua"
HEAD = f"""-- {ABOUT}
--
--   local terrane = require("terrane_c").load()            -- or load("path/of/libterrane_c.so")
--   local island = terrane.new("generator", {{width = 256, height = 256, seed = 7}})
--   local world = terrane.world_generate(island, nil, nil)  -- nil on failure; freed with the last reference, or by terrane.world_free(world)
--
-- `terrane.NAME` is terrane_NAME of C. `terrane.new(STRUCT, fields)` sets the field `size`. The constants are those of C without TERRANE_:
-- terrane.FOUND. `terrane.list(ELEMENT, call)` reads a list: terrane.list("cell", function(out, n) return terrane.path_cells(path, out, n) end).
local ffi = require("ffi")
local terrane = {{}}

"""
TAIL = """
-- The structs that begin with `size`.
local sized = {{ {sized} }}

-- The function that frees each returned handle.
local frees = {{
{frees}}}

function terrane.new(struct, fields)
    local made = ffi.new("terrane_" .. struct, fields or {{}})
    if sized[struct] then made.size = ffi.sizeof(made) end
    return made
end

-- Returns an array of the elements and their number. `element` is a struct, or a type of C such as "uint32_t".
function terrane.list(element, call)
    local kind = pcall(ffi.typeof, "terrane_" .. element) and "terrane_" .. element or element
    local count = tonumber(call(nil, 0))
    local out = ffi.new(kind .. "[?]", count)
    return out, math.min(count, tonumber(call(out, count)))
end

function terrane.load(path)
    local library = ffi.load(path or "terrane_c")
    for name, free in pairs(frees) do
        local create, release = library["terrane_" .. name], library["terrane_" .. free]
        terrane[name] = function(...)
            local handle = create(...)
            if handle ~= nil then return ffi.gc(handle, release) end
        end
        terrane[free] = function(handle)
            if handle ~= nil then release(ffi.gc(handle, nil)) end
        end
    end
    return setmetatable(terrane, {{__index = function(_, name) return library["terrane_" .. name] end}})
end

return terrane
"""


def generate(description):
    text = HEAD + "ffi.cdef [[\n"
    text += "".join(f"typedef {enum['type']} {enum['name']};\n" for enum in description["enums"])
    text += "".join(f"typedef struct {handle['name']} {handle['name']};\n" for handle in description["handles"])
    callbacks = names_of(description, "callbacks")
    late = [struct for struct in description["structs"] if any(field["type"] in callbacks for field in struct["fields"])]
    text += "".join(struct_text(struct) for struct in description["structs"] if struct not in late)
    text += "".join(f"{comment(callback['doc'], '')}typedef {declared(callback)};\n" for callback in description["callbacks"])
    text += "".join(struct_text(struct) for struct in late)
    for group, functions in grouped(description, "functions"):
        text += f"\n/* --- {group['name']} --- */\n\n" + "".join(function_text(function) for function in functions)
    text += "]]\n\n" + "".join(constant_text(constant) for constant in description["constants"])
    for enum in description["enums"]:
        text += f"\n-- {enum['name']}\n" + "".join(constant_text(value) for value in enum["values"])
    sized = ", ".join(f"{short(struct['name'])} = true" for struct in description["structs"] if struct["grows"])
    frees = "".join(f'    {short(f["name"])} = "{short(f["returns"]["free"])}",\n' for f in description["functions"] if "free" in f["returns"])
    return text + TAIL.format(sized=sized, frees=frees)


def constant_text(constant):
    return f"terrane.{constant['name'].removeprefix('TERRANE_')} = {constant['value']}{'ULL' if constant.get('type') == 'uint64_t' else ''}" + (f" -- {constant['doc']}" if constant["doc"] else "").replace("\n", " ") + "\n"


def comment(words, indent):
    return (wrap(words, f"{indent}// ")) if words else ""


def declared(item):
    """A C declaration of a value or a function pointer."""
    if "parameters" in item:
        return f"{item['returns']['type']} (*{item['name']})({parameters_of(item)})"
    return f"{item['type']} {item['name']}" + (f"[{item['array']}]" if "array" in item else "")


def parameters_of(item):
    return ", ".join(declared(p) for p in item["parameters"]) or "void"


def struct_text(struct):
    fields = "".join(f"{comment(field_doc(field), '    ')}    {declared(field)};\n" for field in struct["fields"])
    return f"{comment(struct['doc'], '')}typedef struct {struct['name']} {{\n{fields}}} {struct['name']};\n"


def function_text(function):
    return f"{comment(function_doc(function), '')}{function['returns']['type']} {function['name']}({parameters_of(function)});\n"
