"""docs/bindings.md: the names of each function in the languages, and what interface.json contains."""
from .common import *

PATH = "docs/bindings.md"
HEAD = """# Names in all languages

<!-- Written by tools/bindings from capi/interface.json; do not edit. -->

`capi/interface.json` describes the [C interface](c.md) for programs that generate bindings: constants, enums, handles, structs with their layouts, functions, and what C cannot express, such as units and lifetimes.
`tools/bindings` writes it from `capi/terrane_c.h`, and from it the bindings of four languages, which `make check` compiles and runs:

| language | file | use |
|---|---|---|
| TypeScript | `studio/src/engine/terrane_c.ts` | layouts and signatures for WebAssembly; the [studio](studio.md) uses it |
| C# | `csharp/TerraneC.cs` | P/Invoke, for .NET, Mono and Unity; handles free themselves |
| Lua | `lua/terrane_c.lua` | LuaJIT; handles free themselves |
| Rust | `rust/src/terrane_c.rs` | `extern "C"`, Rust 1.63 or newer; handles are raw pointers |

All four have every function, struct, enum and constant of C. [C++](../include/terrane) and [Python](python.md) have interfaces of their own. The tables below name the counterpart of each C function there, where there is one.

## The description

| key | meaning |
|---|---|
| `abi`, `stable` | the version of the interface. If it is stable, `tools/bindings` refuses changes that break compiled programs |
| `type` | the type in C; `callback` for a function pointer, with `returns` and `parameters` |
| `array` | the length of an array |
| `bytes`, `offset` | the layout of a struct; where data models differ, an object with the values for `64` bits, `32` bits, and `i386` (32-bit x86 outside Windows) |
| `grows` | the struct begins with `size`, and later versions may append fields |
| `direction` | whether the function reads through a pointer (`in`), writes (`out`), or both (`in/out`). Structs that begin with `size` need it set in either case |
| `count`, `capacity` | the parameter with the number of elements that a list has, or has room for |
| `length` | the number of elements of an array, from other parameters |
| `nullable` | NULL is accepted, or may be returned. A list may be NULL if it is empty; for `out` and `capacity`, see [the C interface](c.md) |
| `ownership` | `caller`: free the returned handle with the function in `free`. `taken`: the function frees it |
| `lifetime` | how long a returned string, or memory that you pass, must stay valid. Without it, memory is used during the call only |
| `failure` | what a failed call returns: a `code` other than `TERRANE_OK`, `NULL` or a number |
| `unit`, `enum` | the unit of a number, or the enum of its values; `units` lists them |
| `cpp`, `python` | the counterpart in C++ and Python |

"""


def generate(description):
    text = HEAD + "| unit | meaning |\n|---|---|\n" + "".join(f"| {unit} | {meaning} |\n" for unit, meaning in description["units"].items())
    for group, functions in grouped(description, "functions"):
        text += f"\n## {group['name'].split(':')[0]}\n\n| C, TypeScript, C#, Rust | Lua | C++ | Python |\n|---|---|---|---|\n"
        text += "".join(row(function) for function in functions)
    return text


def row(function):
    name = function["name"]
    return f"| `{name}` | `{short(name)}` | {code(function['cpp'])} | {code(function['python'])} |\n"


def code(name):
    return f"`{name}`" if name else "-"
