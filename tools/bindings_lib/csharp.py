"""C# (.NET, Mono, Unity): P/Invoke declarations, structs, enums, and a SafeHandle for each handle."""
from .common import *

PATH = "csharp/TerraneC.cs"
TYPES = {"char": "byte", "uint8_t": "byte", "int8_t": "sbyte", "uint16_t": "ushort", "int16_t": "short", "int32_t": "int", "uint32_t": "uint",
         "uint64_t": "ulong", "int64_t": "long", "size_t": "UIntPtr", "float": "float", "double": "double", "void": "void"}
KEYWORDS = {"out", "in", "ref", "as", "is", "lock", "base", "object", "string", "params", "fixed", "event", "operator", "checked"}
HEAD = f"""// {ABOUT}
//
//   var error = new Terrane.Error();
//   using (World world = TerraneC.terrane_world_generate(new Generator {{ width = 256, height = 256, seed = 7 }}, null, error))
//       if (world.IsInvalid) throw new Exception(error.Message);
//
// Functions have their names in C. A handle that a failed call returns is invalid; a handle made by `new` is NULL. Handles free themselves.
// Structs that begin with `size` are classes, which set it and may be null where C accepts NULL; others, and elements of lists, are structs.
// Lists are arrays; memory that the library keeps after the call is an IntPtr. Strings are UTF-8.
using System;
using System.Runtime.InteropServices;

namespace Terrane {{
"""
HANDLE = """
{doc}public sealed class {name} : SafeHandle {{
    public {name}() : base(IntPtr.Zero, true) {{ }}
    public override bool IsInvalid {{ get {{ return handle == IntPtr.Zero; }} }}
    protected override bool ReleaseHandle() {{
        TerraneC.{free}(handle);
        return true;
    }}
}}
"""
HELPERS = """
    /// The text up to the first 0 byte.
    public static string Text(byte[] bytes) {
        int end = bytes == null ? 0 : Array.IndexOf(bytes, (byte)0);
        return bytes == null ? "" : System.Text.Encoding.UTF8.GetString(bytes, 0, end < 0 ? bytes.Length : end);
    }

    /// The string at an address; null for NULL.
    public static string Text(IntPtr at) {
        if (at == IntPtr.Zero) return null;
        int length = 0;
        while (Marshal.ReadByte(at, length) != 0) ++length;
        byte[] bytes = new byte[length];
        Marshal.Copy(at, bytes, 0, length);
        return System.Text.Encoding.UTF8.GetString(bytes);
    }

    /// The text as `capacity` bytes. Throws instead of truncating: a truncated method name could be a different method.
    public static byte[] Bytes(string text, int capacity) {
        byte[] bytes = new byte[capacity];
        if (System.Text.Encoding.UTF8.GetByteCount(text) >= capacity) throw new ArgumentException("too long: expected at most " + (capacity - 1) + " bytes");
        System.Text.Encoding.UTF8.GetBytes(text, 0, text.Length, bytes, 0);
        return bytes;
    }
"""


class Generator:
    def __init__(self, description):
        self.description = description
        self.handles = names_of(description, "handles")
        self.structs = {struct["name"]: struct for struct in description["structs"]}
        self.callbacks = names_of(description, "callbacks")
        self.enums = names_of(description, "enums")
        lists = (p for function in description["functions"] for p in function["parameters"] if "count" in p or "capacity" in p or "length" in p)
        self.elements = {base(p["type"]) for p in lists}

    def run(self):
        text = HEAD
        for enum in self.description["enums"]:
            text += self.enum(enum)
        for handle in self.description["handles"]:
            text += HANDLE.format(doc=doc(handle["doc"], ""), name=pascal(handle["name"]), free=handle["free"])
        for callback in self.description["callbacks"]:
            text += "\n" + self.delegate(callback, pascal(callback["name"]))
        for function in self.description["functions"]:
            for p in function["parameters"]:
                if p["type"] == "callback":
                    text += "\n" + self.delegate(p, pascal(function["name"]) + pascal(p["name"]))
        for struct in self.description["structs"]:
            text += self.struct(struct)
        text += f'\npublic static class TerraneC {{\n    public const string Library = "{self.description["library"]}";\n\n'
        for constant in self.description["constants"]:
            text += f"{doc(constant['doc'], '    ')}    public const {TYPES[constant['type']]} {constant['name']} = {constant['value']};\n"
        text += HELPERS
        for group, functions in grouped(self.description, "functions"):
            text += f"\n    // --- {group['name']} ---\n" + "".join(self.function(function) for function in functions)
        return text + "}\n}\n"

    def enum(self, enum):
        values = "".join(f"{doc(value['doc'], '    ')}    {pascal(key.lower())} = {value['value']},\n" for key, value in zip(value_names(enum), enum["values"]))
        return f"\n{doc(enum['doc'], '')}public enum {pascal(enum['name'])} : {TYPES[enum['type']]} {{\n{values}}}\n"

    # --- Structs ---

    def is_class(self, name):
        return self.structs[name]["grows"] and name not in self.elements

    def struct(self, struct):
        name, fields, texts = pascal(struct["name"]), "", ""
        for field in struct["fields"]:
            fields += doc(field_doc(field), "    ")
            kind, array = self.value(field, name), field.get("array")
            if array:
                fields += f"    [MarshalAs(UnmanagedType.ByValArray, SizeConst = {array})]\n    public {kind}[] {escaped(field['name'])}{f' = new {kind}[{array}]' if self.is_class(struct['name']) else ''};\n"
            else:
                size = " = (uint)Marshal.SizeOf(typeof(" + name + "))" if field["name"] == "size" and self.is_class(struct["name"]) else ""
                fields += f"    public {kind} {escaped(field['name'])}{size};\n"
            if field["type"] == "char" and array:
                texts += f"    public string {pascal(field['name'])} {{ get {{ return TerraneC.Text({field['name']}); }} set {{ {field['name']} = TerraneC.Bytes(value, {array}); }} }}\n"
        delegates = "".join(self.delegate(f, f"{name}{pascal(f['name'])}") for f in struct["fields"] if f["type"] == "callback")
        if struct["grows"] and not self.is_class(struct["name"]):
            texts += f"    public static {name} Create() {{ return new {name} {{ size = (uint)Marshal.SizeOf(typeof({name})) }}; }}\n"
        kind = "sealed class" if self.is_class(struct["name"]) else "struct"
        return f"\n{delegates}{doc(struct['doc'], '')}[StructLayout(LayoutKind.Sequential)]\npublic {kind} {name} {{\n{fields}{texts}}}\n"

    def value(self, value, owner=""):
        """The type of a field, of a number or of an element."""
        kind = value["type"]
        if kind == "callback":
            return f"{owner}{pascal(value['name'])}"
        if is_pointer(kind):
            return "IntPtr"
        if value.get("enum"):
            enum = next(e for e in self.description["enums"] if e["name"] == value["enum"])
            if TYPES[enum["type"]] == TYPES.get(kind, "int") or kind in self.enums:
                return pascal(value["enum"])
        return pascal(kind) if kind in self.structs or kind in self.callbacks or kind in self.enums else TYPES[kind]

    # --- Functions ---

    def delegate(self, callback, name):
        return (f"[UnmanagedFunctionPointer(CallingConvention.Cdecl)]\n"
                f"public delegate {self.raw(callback['returns'])} {name}({', '.join(self.raw(p) + ' ' + escaped(p['name']) for p in callback['parameters'])});\n")

    def raw(self, value):
        return "IntPtr" if is_pointer(value["type"]) else self.value(value)

    def function(self, function):
        name, returns = function["name"], function["returns"]
        parameters = ", ".join(self.parameter(p, name) for p in function["parameters"])
        head = "\n" + doc(function_doc(function), "    ")
        if returns["type"] == "const char*":
            arguments = ", ".join(escaped(p["name"]) for p in function["parameters"])
            return (f'    [DllImport(Library, CallingConvention = CallingConvention.Cdecl, EntryPoint = "{name}")]\n    static extern IntPtr {name}_pointer({parameters});'
                    f"{head}    public static string {name}({parameters}) {{ return Text({name}_pointer({arguments})); }}\n").replace("    [Dll", "\n    [Dll", 1)
        kind = pascal(base(returns["type"])) if "free" in returns else self.raw(returns)
        return f"{head}    [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]\n    public static extern {kind} {name}({parameters});\n"

    def parameter(self, p, function):
        kind, of, name = p["type"], base(p["type"]), escaped(p["name"])
        if is_pointer(kind) and ("lifetime" in p or name == "user"):
            return f"IntPtr {name}"
        if kind == "const char*" and "count" not in p:
            return f"[MarshalAs(UnmanagedType.LPUTF8Str)] string {name}"
        if of in self.handles:
            return f"IntPtr[] {name}" if pointers(kind) == 2 else f"{'IntPtr' if function.endswith('_free') else pascal(of)} {name}"
        if is_pointer(kind) or "array" in p:
            return self.pointer(p, kind, of, name)
        return f"{self.value(p) if kind != 'callback' else pascal(function) + pascal(p['name'])} {name}"

    def pointer(self, p, kind, of, name):
        direction = "[In]" if kind.startswith("const") else "[In, Out]"
        if of in self.structs and not any(key in p for key in ("count", "capacity", "length", "array")):
            if self.is_class(of):
                return f"{direction} {pascal(of)} {name}"
            return f"ref {pascal(of)} {name}"
        element = "byte" if of in ("void", "char") else pascal(of) if of in self.structs else TYPES[of]
        return f"{direction} {element}[] {name}"


def doc(words, indent):
    """XML documentation."""
    words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if not words:
        return ""
    if "\n" not in words and len(words) + len(indent) + 23 <= WIDTH:
        return f"{indent}/// <summary>{words}</summary>\n"
    return f"{indent}/// <summary>\n{wrap(words, f'{indent}/// ')}{indent}/// </summary>\n"


def escaped(name):
    return f"@{name}" if name in KEYWORDS else name


def generate(description):
    return Generator(description).run()
