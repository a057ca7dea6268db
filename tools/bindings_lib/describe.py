"""Makes capi/interface.json: the header, what its conventions determine, and the annotations of the previous interface.json.

An annotation that conventions do not determine becomes "?", for a person to fill in. An annotation is kept as long as its item has the same
name and type.
"""
import json
import os
import re

from . import layout
from .header import Refused

UNKNOWN = "?"
ABOUT = ("The C interface, for generators of bindings; docs/bindings.md explains the keys. Written by tools/bindings from capi/terrane_c.h. "
         "Written by hand, and kept: stable, units, names of enums without one, unit, enum, nullable, lifetime, length, failure, cpp, python.")

# Units by name and, where it matters, type.
UNITS = {
    "capacity": "elements", "count": "elements", "seed": "seed", "version": "version", "checksum": "hash", "bytes": "bytes",
    "max_bytes": "bytes", "expansions": "expansions", "max_expansions": "expansions", "tick": "ticks", "ticks": "ticks", "terrain": "terrain",
    "hundredths": "hundredths", "threads": "threads", "sector": "cells", "i": "index", "bound": "ratio", "letter": "character",
    "cells": "cells", "agent": "agent", "agents": "number", "region": "region", "regions": "number", "edges": "number", "points": "number",
    "on": "flag", "alignment": "bytes", ("double", "cost"): "length cost",
    ("int32_t", "x"): "cells", ("int32_t", "y"): "cells", ("int32_t", "width"): "cells", ("int32_t", "height"): "cells",
    ("double", "x"): "length", ("double", "y"): "length", ("double", "width"): "length", ("double", "height"): "length",
    ("uint64_t", "cost"): "cost",
}
NUMBERS = set(layout.SCALAR_BYTES) | {"size_t"}


def base(type_name):
    """The type without const and pointers."""
    return re.sub(r"const|\*| ", "", type_name)


class Describer:
    def __init__(self, header, before):
        self.header, self.before = header, before
        self.handles = {handle["name"] for handle in header.handles}
        self.structs = {struct["name"]: struct for struct in header.structs}
        self.callbacks = {callback["name"] for callback in header.callbacks}
        self.integers = {name: of for name, of in header.names.items() if of in ("int32_t", "uint32_t")}
        self.frees = {base(f["parameters"][0]["type"]): f["name"] for f in header.functions if f["name"].endswith("_free")}

    def run(self):
        before = self.before
        abi = next(c["value"] for c in self.header.constants if c["name"] == "TERRANE_ABI")
        made = {"about": ABOUT, "abi": abi, "stable": before.get("stable", False) and before.get("abi") == abi, "library": "terrane_c",
                "units": before.get("units", {}), "groups": self.header.groups, "constants": self.header.constants}
        made["enums"] = [self.enum(enum) for enum in self.header.enums]
        made["handles"] = [{**handle, "free": self.frees.get(handle["name"], UNKNOWN)} for handle in self.header.handles]
        made["callbacks"] = [self.callable(c, self.find("callbacks", c)) for c in self.header.callbacks]
        made["structs"] = [self.struct(struct) for struct in self.header.structs]
        made["functions"] = [self.function(function) for function in self.header.functions]
        layout.add_layouts(made["structs"], {**self.integers, **dict.fromkeys(self.callbacks, "callback")})
        return made

    def find(self, kind, item):
        return next((old for old in self.before.get(kind, []) if old["name"] == item["name"]), {})

    # --- Items ---

    def enum(self, enum):
        old = next((e for e in self.before.get("enums", []) if e["values"][0]["name"] == enum["values"][0]["name"]), {})
        common = os.path.commonprefix([value["name"] for value in enum["values"]]).rpartition("_")[0].lower()
        return {**enum, "name": enum["name"] or old.get("name") or (common if "_" in common else UNKNOWN)}

    def struct(self, struct):
        old, grows = self.find("structs", struct), self.grows(struct["name"])
        fields = [self.field(field, old.get("fields", [])) for field in struct["fields"]]
        return {"name": struct["name"], "group": struct["group"], "doc": struct["doc"], "grows": grows, "bytes": 0, "fields": fields}

    def grows(self, name):
        fields = self.structs[name]["fields"]
        return fields[0]["name"] == "size" and fields[0]["type"] == "uint32_t"

    def field(self, field, olds):
        old = next((o for o in olds if (o["name"], o["type"]) == (field["name"], field["type"])), {})
        made = {key: value for key, value in field.items() if key in ("name", "type", "array")}
        if field["type"] == "callback":
            made = self.callable(field, old, "type")
        if "*" in field["type"] or field["type"] == "callback" or field["type"] in self.callbacks:
            self.keep(made, old, nullable=UNKNOWN, lifetime=UNKNOWN)
        self.add_unit(made, old, field["doc"])
        return {**made, "doc": field["doc"]}

    def function(self, function):
        name, old = function["name"], self.find("functions", function)
        made = self.callable(function, old, "group", "doc")
        if not made["doc"] or name.endswith("_free"):
            made["doc"] = self.doc_of(name, function) or made["doc"]
        counterpart = None if name.endswith("_free") else UNKNOWN
        self.keep(made, old, cpp=counterpart, python=counterpart)
        return made

    def doc_of(self, name, function):
        if name.endswith("_free"):
            return "Frees the handle; accepts NULL."
        if name.endswith("_get_info"):
            return f"Fills in {base(function['parameters'][-2]['type'])}."
        return f"Creates a {base(function['returns']['type'])}." if name.endswith("_new") else ""

    def callable(self, item, old, *keys):
        made = {"name": item["name"], **{key: item[key] for key in keys}}
        parameters, olds = item["parameters"], old.get("parameters", [])
        made["returns"] = self.returns(item, old.get("returns", {}))
        made["parameters"] = [self.parameter(item, i, next((o for o in olds if (o["name"], o["type"]) == (p["name"], p["type"])), {}))
                              for i, p in enumerate(parameters)]
        if "doc" in item and "doc" not in made:
            made["doc"] = item["doc"]
        return made

    # --- Values ---

    def keep(self, made, old, **conventions):
        """Takes annotations from the previous description, or else from conventions."""
        for key, convention in conventions.items():
            made[key] = old.get(key, convention)

    def add_unit(self, made, old, doc=""):
        kind, name = made["type"], made["name"]
        if kind in self.integers:
            made.update(unit="enum", enum=kind)
        elif kind == "char" and "array" in made:
            made["unit"] = "text"
        elif kind.rstrip("*").replace("const ", "") in NUMBERS and base(kind) != "char":
            unit = UNITS.get((kind, name)) or UNITS.get(name)
            unit = unit or ("bytes" if name == "size" else "elements" if name.endswith("_count") else "flag" if re.match("1: ", doc) else UNKNOWN)
            enum = "terrane_movement" if name == "movement" else UNKNOWN
            self.keep(made, old, unit="enum" if name == "movement" else unit)
            if made["unit"] == "enum":
                self.keep(made, old, enum=enum)
        elif kind == "char":
            self.keep(made, old, unit="character")

    def returns(self, item, old):
        kind = item["returns"]["type"]
        made, old = {"type": kind}, old if old.get("type") == kind else {}
        lists = [p for p in item["parameters"] if p["name"] == "capacity"]
        fails = any(p["type"] == "terrane_error*" for p in item["parameters"])
        name = item["name"]
        if kind.endswith("*") and base(kind) in self.handles and not kind.startswith("const"):
            made.update(nullable=True, ownership="caller", free=self.frees.get(base(kind), UNKNOWN))
        elif kind.endswith("*"):
            by_index = [p["name"] for p in item["parameters"]] == ["i"]
            self.keep(made, old, nullable=True if by_index else UNKNOWN, lifetime="static" if by_index else UNKNOWN)
        elif kind in self.integers:
            made.update(unit="enum", enum=kind)
        elif kind != "void":
            unit = "elements" if lists or name.endswith("_count") else UNKNOWN
            self.keep(made, old, unit=self.capacity_unit(item) if lists else unit)
        if fails:
            self.keep(made, old, failure="code" if kind == "terrane_code" else "NULL" if kind.endswith("*") else 0 if lists else UNKNOWN)
        return made

    def capacity_unit(self, item):
        return "bytes" if any(p["type"] in ("void*", "char*") for p in item["parameters"]) else "elements"

    def parameter(self, item, i, old):
        given, following = item["parameters"][i], item["parameters"][i + 1:i + 2]
        made = {"name": given["name"], "type": given["type"]}
        if "array" in given:
            made["array"] = given["array"]
        if given["type"] == "callback":
            made.update(self.callable(given, old, "type"))
            self.keep(made, old, nullable=UNKNOWN, lifetime=UNKNOWN)
        elif given["type"] in self.callbacks:
            self.keep(made, old, nullable=UNKNOWN, lifetime=UNKNOWN)
        elif given["type"].endswith("*"):
            self.pointer(item, made, following, old)
        elif "array" in given:
            made.update(direction="in" if given["type"].startswith("const") else "out", nullable=False)
        if given["name"] == "capacity":
            made["unit"] = self.capacity_unit(item)
        else:
            self.add_unit(made, old)
        return made

    def pointer(self, item, made, following, old):
        kind, of = made["type"], base(made["type"])
        counted = following and following[0]["type"] in NUMBERS and re.fullmatch(r"size|count|\w+_count|capacity", following[0]["name"])
        const = kind.startswith("const")
        if kind == "terrane_error*":
            made.update(direction="out", nullable=True)
        elif counted:
            made.update(direction="in" if const else "out", nullable=True)
            made["count" if const else "capacity"] = following[0]["name"]
            if "length" in old:  # several numbers per element, such as three indices per triangle
                made["length"] = old["length"]
        elif of in self.handles:
            made["direction"] = "in"
            self.keep(made, old, nullable=item["name"].endswith("_free"))
            if item["name"].endswith("_free"):
                made["ownership"] = "taken"
        elif kind == "const char*":
            made.update(direction="in", nullable=True, unit="text")
        elif kind == "void*" and made["name"] == "user":
            made.update(direction="in", nullable=True)
        elif of in self.structs:
            made["direction"] = "in" if const else "out"
            self.keep(made, old, nullable=True if const and of.endswith("_options") else False if "_get_" in item["name"] and not const else UNKNOWN)
        else:  # numbers of a length that only a person knows
            self.keep(made, old, direction="in" if const else UNKNOWN, nullable=UNKNOWN, length=UNKNOWN)
        lifetime = old.get("lifetime", UNKNOWN if made.get("length") == UNKNOWN and not const else "call")
        if lifetime != "call":  # without a lifetime, memory is used during the call
            made["lifetime"] = lifetime


# --- Checks ---

def unknowns(item, where=""):
    """Yields where an annotation is missing."""
    if isinstance(item, dict):
        where = f"{where}{'.' if where else ''}{item['name']}" if "name" in item else where
        for key, value in item.items():
            if value == UNKNOWN:
                yield f"{where}: {key}"
            elif isinstance(value, (dict, list)):
                yield from unknowns(value, f"{where} {key}" if key == "returns" else where)
    elif isinstance(item, list):
        for each in item:
            yield from unknowns(each, where)


def check(description):
    """Refuses a description with missing or unknown annotations, and functions without a comment."""
    silent = [function["name"] for function in description["functions"] if not function["doc"]]
    if silent:
        raise Refused(f"capi/terrane_c.h: write a comment for {', '.join(silent)}")
    problems = [f"  {where}" for kind in ("enums", "handles", "callbacks", "structs", "functions") for where in unknowns(description[kind])]
    if problems:
        raise Refused('capi/interface.json: conventions do not determine these; replace each "?" there, then run tools/bindings again:\n' + "\n".join(problems))
    enums = {enum["name"] for enum in description["enums"]}
    for owner, value in values_of(description):
        if value.get("unit", "enum") not in description["units"]:
            raise Refused(f"capi/interface.json: {owner}: no unit '{value['unit']}'; \"units\" there lists them")
        if "enum" in value and value["enum"] not in enums:
            raise Refused(f"capi/interface.json: {owner}: no enum '{value['enum']}'")


def values_of(description):
    """Yields every field, parameter and returned value with the name of its owner."""
    for struct in description["structs"]:
        for field in struct["fields"]:
            yield f"{struct['name']}.{field['name']}", field
    for function in description["functions"] + description["callbacks"]:
        yield function["name"], function["returns"]
        for parameter in function["parameters"]:
            yield f"{function['name']}: {parameter['name']}", parameter


def broken(before, now):
    """Yields the changes that programs compiled for `before` do not survive."""
    old, new = declarations(before), declarations(now)
    for name, (text, bytes_before) in old.items():
        if name not in new:
            yield f"{name} is gone"
        elif new[name][0] != text:
            yield f"{name} was: {text}; is: {new[name][0]}"
    for name, (text, offset) in new.items():
        struct = name.rpartition(".")[0]
        if name not in old and struct in old:
            if old[struct][0] != "grows" or any(layout.of(offset, m) < layout.of(old[struct][1], m) for m in layout.MODELS):
                yield f"{name} is within the bytes that programs use"


def declarations(description):
    """Everything that a compiled program relies on: name -> (text, size of a struct or offset of a field)."""
    found = {item["name"]: (str(item["value"]), 0) for item in description["constants"] if item["name"] != "TERRANE_ABI"}
    for enum in description["enums"]:
        found.update({value["name"]: (str(value["value"]), 0) for value in enum["values"]})
    for struct in description["structs"]:
        found[struct["name"]] = ("grows" if struct["grows"] else f"{struct['bytes']} bytes", struct["bytes"])
        for field in struct["fields"]:
            text = f"{signature(field) if field['type'] == 'callback' else field['type']} at {field['offset']}, {field['bytes']} bytes"
            found[f"{struct['name']}.{field['name']}"] = (text, field["offset"])
    for function in description["functions"] + description["callbacks"]:
        found[function["name"]] = (signature(function), 0)
    return found


def signature(function):
    return f"{function['returns']['type']}({', '.join(p['type'] for p in function['parameters'])})"


# --- Text ---

def dump(value, indent=0, width=150):
    """JSON with each item on one line where it fits."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or len(line) + indent <= width and indent > 0:
        return line
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{pad}{json.dumps(key)}: {dump(each, indent + 2)}" for key, each in value.items()]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(pad + dump(each, indent + 2) for each in value) + "\n" + " " * indent + "]"
