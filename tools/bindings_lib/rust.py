"""Rust: the types and functions of C, unsafe as there."""
from . import layout
from .common import *

PATH = "rust/src/terrane_c.rs"
TYPES = {"char": "c_char", "uint8_t": "u8", "int8_t": "i8", "uint16_t": "u16", "int16_t": "i16", "int32_t": "i32", "uint32_t": "u32",
         "uint64_t": "u64", "int64_t": "i64", "size_t": "usize", "float": "f32", "double": "f64", "void": "c_void"}
KEYWORDS = {"type", "in", "ref", "move", "match", "loop", "box", "final", "where", "use", "mod", "fn", "impl", "self", "struct", "enum", "dyn", "as"}
HEAD = f"""// {ABOUT}
//! The C interface of Terrane. Link `terrane_c`. Handles are raw pointers: free each once with the function of its type.
//! `Default` of a struct that begins with `size` sets it, and zeros the rest.
#![allow(non_camel_case_types)]
use std::os::raw::{{c_char, c_void}};
"""


def generate(description):
    text = HEAD + "\n"
    for constant in description["constants"]:
        text += f"{doc(constant['doc'], '')}pub const {constant['name']}: {TYPES[constant['type']]} = {constant['value']};\n"
    text += "".join(enum_text(enum) for enum in description["enums"])
    text += "".join(handle_text(handle) for handle in description["handles"])
    text += "".join(f"\n{doc(c['doc'], '')}pub type {c['name']} = {pointer_to(c)};\n" for c in description["callbacks"])
    text += "".join(struct_text(struct) for struct in description["structs"])
    text += '\nextern "C" {\n'
    for group, functions in grouped(description, "functions"):
        text += f"    // --- {group['name']} ---\n\n" + "".join(function_text(function) for function in functions) + "\n"
    return text.rstrip("\n") + "\n}\n"


def doc(words, indent):
    return wrap(words, f"{indent}/// ") if words else ""


def escaped(name):
    return f"r#{name}" if name in KEYWORDS else name


def type_of(value):
    kind = value["type"]
    if kind == "callback":
        return pointer_to(value)
    name = base(kind)
    made = TYPES.get(name, name)
    if "array" in value and "offset" not in value:  # a parameter
        return f"*{'const' if kind.startswith('const') else 'mut'} {made}"
    if pointers(kind):
        inner = f"*{'const' if kind.startswith('const') else 'mut'} {made}"
        return inner if pointers(kind) == 1 else f"*{'const' if kind.endswith('const*') else 'mut'} {inner}"
    return f"[{made}; {value['array']}]" if "array" in value else made


def parameters_of(item):
    return ", ".join(f"{escaped(p['name'])}: {type_of(p)}" for p in item["parameters"])


def returned(item):
    return "" if item["returns"]["type"] == "void" else f" -> {type_of(item['returns'])}"


def pointer_to(item):
    return f'Option<unsafe extern "C" fn({parameters_of(item)}){returned(item)}>'


def enum_text(enum):
    name = enum["name"]
    text = f"\n{doc(enum['doc'], '')}pub type {name} = {TYPES[enum['type']]};\n"
    return text + "".join(f"{doc(value['doc'], '')}pub const {value['name']}: {name} = {value['value']};\n" for value in enum["values"])


def handle_text(handle):
    return f"\n{doc((handle['doc'] + ' Free it with `' + handle['free'] + '`.').strip(), '')}#[repr(C)]\npub struct {handle['name']} {{\n    _private: [u8; 0],\n}}\n"


def struct_text(struct):
    name = struct["name"]
    fields = "".join(f"{doc(field_doc(field), '    ')}    pub {escaped(field['name'])}: {type_of(field)},\n" for field in struct["fields"])
    default = "Self { size: std::mem::size_of::<Self>() as u32, ..unsafe { std::mem::zeroed() } }" if struct["grows"] else "unsafe { std::mem::zeroed() }"
    condition = '#[cfg(target_pointer_width = "64")]\n' if isinstance(struct["bytes"], dict) else ""
    size = f"{condition}const _: () = assert!(std::mem::size_of::<{name}>() == {layout.of(struct['bytes'], '64')});\n"
    return (f"\n{doc(struct['doc'], '')}#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {name} {{\n{fields}}}\n"
            f"impl Default for {name} {{\n    fn default() -> Self {{\n        {default}\n    }}\n}}\n{size}")


def function_text(function):
    return f"{doc(function_doc(function), '    ')}    pub fn {function['name']}({parameters_of(function)}){returned(function)};\n"
