"""A C program that compiles only if the description is true of terrane_c.h, under the data model of the compiler."""
from . import layout
from .common import ABOUT

HEAD = f"""/* {ABOUT} */
#include <stdint.h>
#include <terrane_c.h>

#if UINTPTR_MAX > 0xffffffffu
#define BY_MODEL(of_64, of_32, of_i386) of_64
#elif defined(__i386__)
#define BY_MODEL(of_64, of_32, of_i386) of_i386
#else
#define BY_MODEL(of_64, of_32, of_i386) of_32
#endif
#define IS(type, field, of) _Generic(&((type*)0)->field, of: 1, default: 0)
#define BYTES_OF(type, field) sizeof(((type*)0)->field)

"""


def number(value):
    return f"BY_MODEL({', '.join(str(layout.of(value, model)) for model in layout.MODELS)})"


def must(condition):
    return f'_Static_assert({condition}, "");\n'


def declared(item, name):
    """A C declaration of a function pointer."""
    parameters = ", ".join(declared(p, "") if p["type"] == "callback" else p["type"] + ("*" if "array" in p else "") for p in item["parameters"]) or "void"
    return f"{item['returns']['type']} (TERRANE_CALL* {name})({parameters})"


def pointer_to(field):
    if field["type"] == "callback":
        return declared(field, "*")
    return f"{field['type']} (*)[{field['array']}]" if "array" in field else f"{field['type']}*"


def generate(description):
    text = HEAD
    for constant in description["constants"]:
        text += must(f"{constant['name']} == {constant['value']}{'' if constant['type'] == 'int32_t' else 'u'}")
    for value in (value for enum in description["enums"] for value in enum["values"]):
        text += must(f"{value['name']} == {value['value']}")
    for struct in description["structs"]:
        name = struct["name"]
        text += "\n" + must(f"sizeof({name}) == {number(struct['bytes'])}")
        for field in struct["fields"]:
            text += must(f"offsetof({name}, {field['name']}) == {number(field['offset'])} && BYTES_OF({name}, {field['name']}) == {number(field['bytes'])}")
            text += must(f"IS({name}, {field['name']}, {pointer_to(field)})")
    text += "\n" + "".join(f"{declared(callback, callback['name'] + '_test')} = 0;\n" for callback in description["callbacks"])
    text += "".join(f"extern {callback['name']}* const {callback['name']}_same;\n{callback['name']}* const {callback['name']}_same = &{callback['name']}_test;\n"
                    for callback in description["callbacks"])
    for function in description["functions"]:
        text += f"{declared(function, 'call_' + function['name'])} = {function['name']};\n"
    return text + "\nint main(void) { return 0; }\n"
