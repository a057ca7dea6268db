"""TypeScript for WebAssembly, which has 32 bits: struct layouts, enums, signatures of the exported functions."""
from . import layout
from .common import *

PATH = "studio/src/engine/terrane_c.ts"
TYPES = {"char": "u8", "uint8_t": "u8", "int32_t": "i32", "uint32_t": "u32", "uint64_t": "u64", "float": "f32", "double": "f64", "size_t": "u32"}
HEAD = f"""// {ABOUT}
// Structs are laid out as in memory of 32 bits. A struct in a struct is flattened: at_x, at_y. Structs are passed by their addresses, also
// where C passes them by value.

export type Pointer = number; // an address in the module's memory; 0 is NULL
"""


def generate(description):
    text = HEAD + "\n"
    text += "".join(f"{comment(c['doc'], '')}export const {c['name']} = {c['value']}{'n' if c['type'] == 'uint64_t' else ''};\n" for c in description["constants"])
    text += "".join(enum_text(enum) for enum in description["enums"])
    structs = {struct["name"]: struct for struct in description["structs"]}
    text += "".join(struct_text(struct, structs, integers_of(description)) for struct in description["structs"])
    text += "\nexport interface Functions {\n"
    for group, functions in grouped(description, "functions"):
        text += f"    // --- {group['name']} ---\n\n"
        text += "".join(function_text(function) for function in functions)
    return text.rstrip("\n") + "\n}\n"


def comment(doc, indent):
    if not doc:
        return ""
    if "\n" not in doc and len(doc) + len(indent) + 7 <= WIDTH:
        return f"{indent}/** {doc} */\n"
    return f"{indent}/**\n{wrap(doc, indent + ' * ')}{indent} */\n"


def enum_text(enum):
    name = pascal(enum["name"])
    values = "".join(f"{comment(value['doc'], '    ')}    {key}: {value['value']},\n" for key, value in zip(value_names(enum), enum["values"]))
    return f"\n{comment(enum['doc'], '')}export const {name} = {{\n{values}}} as const;\nexport type {name} = (typeof {name})[keyof typeof {name}];\n"


def struct_text(struct, structs, integers):
    fields = "".join(f"{comment(field_doc(field), '        ')}        {name}: {{ at: {at}, type: {kind} }},\n"
                     for name, at, kind, field in flattened(struct, structs, integers))
    return (f"\n{comment(struct['doc'], '')}export const {camel(struct['name'])} = {{\n    bytes: {layout.of(struct['bytes'], '32')},\n"
            f"    fields: {{\n{fields}    }},\n}} as const;\n")


def flattened(struct, structs, integers):
    """Yields name, offset, type and description of each field."""
    for field in struct["fields"]:
        at, of = layout.of(field["offset"], "32"), integers.get(field["type"], field["type"])
        if of in structs:
            for name, inner, kind, _ in flattened(structs[of], structs, integers):
                yield f"{field['name']}_{name}", at + inner, kind, field
        elif of == "char" and "array" in field:
            yield field["name"], at, f"{{ chars: {field['array']} }}", field
        elif "array" in field:
            yield field["name"], at, f"{{ of: '{TYPES[of]}', count: {field['array']} }}", field
        else:
            yield field["name"], at, f"'{TYPES.get(of, 'u32')}'", field


def function_text(function):
    parameters = ", ".join(f"{p['name']}: {type_of(p)}" for p in function["parameters"])
    return f"{comment(function_doc(function), '    ')}    {function['name']}({parameters}): {type_of(function['returns'])};\n"


def type_of(value):
    kind = value["type"]
    if kind == "void" or kind in ("uint64_t", "int64_t"):
        return "void" if kind == "void" else "bigint"
    return "number" if kind in TYPES and "array" not in value or value.get("enum") == kind else "Pointer"
