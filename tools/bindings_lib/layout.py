"""Sizes and offsets of C structs under the three data models that exist: of 64 bits; of 32 bits (WebAssembly, ARM, Windows); and of i386
(32-bit x86 outside Windows), which aligns 8-byte numbers to 4 bytes in structs."""
SCALAR_BYTES = {"char": 1, "uint8_t": 1, "int8_t": 1, "uint16_t": 2, "int16_t": 2, "int32_t": 4, "uint32_t": 4, "float": 4,
                "int64_t": 8, "uint64_t": 8, "double": 8}
MODELS = {"64": (8, 8), "32": (4, 8), "i386": (4, 4)}  # bytes of a pointer, greatest alignment


def extent(type_name, model, structs, aliases):
    """Bytes and alignment of a type. `aliases` are types with the layout of another: terrane_status -> int32_t."""
    pointer, greatest = MODELS[model]
    type_name = aliases.get(type_name, type_name)
    if type_name.endswith("*") or type_name in ("size_t", "callback"):
        return pointer, pointer
    if type_name in structs:
        size, align, _ = layout(structs[type_name], model, structs, aliases)
        return size, align
    size = SCALAR_BYTES[type_name]
    return size, min(size, greatest)


def layout(struct, model, structs, aliases):
    """Size, alignment, and each field's offset and size."""
    end, greatest, places = 0, 1, []
    for field in struct["fields"]:
        size, align = extent(field["type"], model, structs, aliases)
        size *= field.get("array", 1)
        offset = -(-end // align) * align
        places.append((offset, size))
        end, greatest = offset + size, max(greatest, align)
    return -(-end // greatest) * greatest, greatest, places


def of(number, model):
    """A number of the description that may differ between data models."""
    return number[model] if isinstance(number, dict) else number


def merged(numbers):
    """{"64": N, "32": M, "i386": M}, or N if all are equal."""
    return numbers["64"] if len(set(numbers.values())) == 1 else numbers


def add_layouts(structs, aliases):
    by_name = {struct["name"]: struct for struct in structs}
    for struct in structs:
        found = {model: layout(struct, model, by_name, aliases) for model in MODELS}
        struct["bytes"] = merged({model: size for model, (size, _, _) in found.items()})
        for i, field in enumerate(struct["fields"]):
            field["offset"] = merged({model: places[i][0] for model, (_, _, places) in found.items()})
            field["bytes"] = merged({model: places[i][1] for model, (_, _, places) in found.items()})
