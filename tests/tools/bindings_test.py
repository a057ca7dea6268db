#!/usr/bin/python3
"""Tests of tools/bindings: what it reads from a header, what it derives, what it asks for, and which changes break compiled programs."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from bindings_lib import csharp, describe, header, lua, rust, typescript  # noqa: E402

HEADER = """
/* --- Maps --- */

/* For the section. */

#define TERRANE_ABI 2 /* the version */
#define TERRANE_NONE 0xffffffffffffffffu
typedef int32_t terrane_code;
enum {
    TERRANE_OK = 0,
    TERRANE_BAD = 1, /* not good */
};
enum { TERRANE_COLOUR_RED = 0, TERRANE_COLOUR_BLUE = 1 };
/* A map. */
typedef struct terrane_map terrane_map;
typedef struct terrane_error {
    uint32_t size;
    terrane_code code;
} terrane_error;
/* Visits a cell. */
typedef int32_t(TERRANE_CALL* terrane_visit)(void* user, int32_t x);
typedef struct terrane_map_options {
    uint32_t size;
    uint32_t colour;
    double bound; /* at least 1;
                     0: none */
    uint32_t merge; /* 1: merge */
} terrane_map_options;
/* Creates a map. */
TERRANE_API(terrane_map*) terrane_map_new(const terrane_map_options* options, terrane_error* error);
TERRANE_API(void) terrane_map_free(terrane_map* map);
/* Lists the ids. */
TERRANE_API(size_t) terrane_map_ids(const terrane_map* map, uint32_t* out, size_t capacity);
TERRANE_API(size_t) terrane_map_names(const terrane_map* map, uint32_t* out, size_t capacity); /* not the ids */
TERRANE_API(size_t) terrane_map_others(const terrane_map* map, uint32_t* out, size_t capacity);
/* Visits all cells. */
TERRANE_API(terrane_code) terrane_map_each(const terrane_map* map, terrane_visit visit, void* user, terrane_error* error);

"""
ANSWERS = {"unit": "number", "nullable": False, "lifetime": "call", "cpp": None, "python": None}


def parse(text):
    return header.Parser(header.BEGIN + text + header.END).run()


def described(text=HEADER, before=None):
    return describe.Describer(parse(text), before or {}).run()


def answered(item):
    """The description with an answer for each "?"."""
    if isinstance(item, dict):
        return {key: ANSWERS[key] if value == "?" else answered(value) for key, value in item.items()}
    return [answered(each) for each in item] if isinstance(item, list) else item


def named(items, name):
    return next(item for item in items if item["name"] == name)


class Bindings(unittest.TestCase):
    def test_comments_belong_to_their_declarations(self):
        made = described()
        docs = {function["name"]: function["doc"] for function in made["functions"]}
        self.assertEqual(docs["terrane_map_free"], "Frees the handle; accepts NULL.")
        self.assertEqual(docs["terrane_map_names"], "not the ids")
        self.assertEqual(docs["terrane_map_others"], "Lists the ids.")
        self.assertEqual(made["groups"], [{"name": "Maps", "doc": "For the section."}])
        self.assertEqual(made["enums"][0]["values"][1], {"name": "TERRANE_BAD", "value": 1, "doc": "not good"})
        self.assertEqual(named(made["structs"], "terrane_map_options")["fields"][2]["doc"], "at least 1; 0: none")

    def test_conventions(self):
        made = described()
        self.assertEqual([enum["name"] for enum in made["enums"]], ["terrane_code", "terrane_colour"])
        self.assertEqual(made["constants"][1]["type"], "uint64_t")
        new, ids, each = (named(made["functions"], f"terrane_map_{name}") for name in ("new", "ids", "each"))
        self.assertEqual(new["returns"], {"type": "terrane_map*", "nullable": True, "ownership": "caller", "free": "terrane_map_free", "failure": "NULL"})
        self.assertEqual([p["nullable"] for p in new["parameters"]], [True, True])
        self.assertEqual(ids["parameters"][1]["capacity"], "capacity")
        self.assertEqual(each["returns"]["failure"], "code")
        self.assertEqual(named(made["structs"], "terrane_map_options")["fields"][3]["unit"], "flag")

    def test_layouts_of_the_data_models(self):
        options = named(described()["structs"], "terrane_map_options")
        self.assertEqual((options["bytes"], options["fields"][2]["offset"]), ({"64": 24, "32": 24, "i386": 20}, 8))

    def test_missing_annotations_are_refused_and_given_ones_kept(self):
        with self.assertRaisesRegex(header.Refused, r"terrane_map_options.colour: unit\n(.*\n)*.*terrane_map_each.visit: lifetime"):
            describe.check(described())
        before = answered(described())
        before["units"] = dict.fromkeys(("number", "bytes", "ratio", "flag", "elements", "cells", "enum"), "")
        again = described(before=before)
        describe.check(again)
        self.assertEqual(again, before | {"units": again["units"]})
        changed = described(HEADER.replace("uint32_t colour", "int32_t colour"), before)
        self.assertEqual(list(describe.unknowns(changed["structs"])), ["terrane_map_options.colour: unit"])

    def test_unknown_declarations_are_refused(self):
        for wrong, expected in (("union { int a; } x;", "found 'union'"), ("TERRANE_API(long) terrane_x(void);", "known type"), ("#define X 1", "TERRANE_NAME"),
                                ("enum { TERRANE_A };", "expected ="), ("static const int x = 1;", "found 'static'"), ("int x[2];", "found 'int'"), ("// text", "unexpected")):
            with self.assertRaisesRegex(header.Refused, expected):
                parse(HEADER + wrong + "\n")

    def test_changes_that_break_programs(self):
        def broken(old, new):
            self.assertIn(old, HEADER)
            return list(describe.broken(described(), described(HEADER.replace(old, new))))
        end = "/* 1: merge */\n"
        self.assertEqual(broken("TERRANE_BAD = 1,", "TERRANE_BAD = 1, TERRANE_WORSE = 2,"), [])
        self.assertEqual(broken("/* Lists the ids. */", "/* More. */\nTERRANE_API(void) terrane_more(void);\n/* Lists the ids. */"), [])
        self.assertEqual(broken("#define TERRANE_ABI 2", "#define TERRANE_ABI 3"), [])
        self.assertIn("within the bytes", broken(end, end + "    uint32_t in_the_padding;\n")[0])
        self.assertEqual(broken(end, end + "    uint32_t reserved;\n    uint64_t seed;\n")[:1], ["terrane_map_options.reserved is within the bytes that programs use"])
        self.assertIn("TERRANE_BAD was: 1; is: 2", broken("TERRANE_BAD = 1", "TERRANE_BAD = 2"))
        self.assertIn("terrane_map_ids is gone", broken("terrane_map_ids(", "terrane_map_numbers("))
        self.assertIn("terrane_visit was", broken("(void* user, int32_t x)", "(void* user, uint32_t x)")[0])
        self.assertIn("terrane_map_options.bound was", broken("double bound", "float bound")[0])

    def test_every_language_has_every_function(self):
        made = answered(described())
        for language in (csharp, lua, rust, typescript):
            text = language.generate(made)
            for function in made["functions"]:
                self.assertIn(f" {function['name']}(", text)


if __name__ == "__main__":
    unittest.main()
