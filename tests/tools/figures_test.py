#!/usr/bin/python3
"""Tests of tools/figures: what it inserts, and each fault that `tools/figures --check` reports."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("figures", str(pathlib.Path(__file__).resolve().parents[2] / "tools/figures"))
figures = importlib.util.module_from_spec(importlib.util.spec_from_loader("figures", LOADER))
LOADER.exec_module(figures)

DATA = {
    "terrane": "1", "verb": "bench", "bench": "search", "command": "terrane bench search", "machine": "one core",
    "maps": "Map1 of weighted", "commit": "abc1234", "date": "2026-01-02", "state": "warm, wall time",
    "rows": [
        {"method": "baseline", "case": {"map": "a.map"}, "metrics": {"expansions": 2000000, "ms_mean": 700.4, "ratio_mean": 1}},
        {"method": "astar", "case": {"map": "a.map", "cache": "warm"}, "metrics": {"expansions": 1234, "ms_mean": 54.23, "ratio_mean": 1, "bytes": 4200000}},
        {"method": "astar", "case": {"map": "a.map", "cache": "cold"}, "metrics": {"expansions": 1234, "ms_mean": 61.0, "ratio_mean": 1}},
        {"method": "whca:16,2", "case": {"frame": "50 units, a step"}, "metrics": {"ms_mean": 1.75}},
        {"method": "dta:16/nbs", "case": {"map": "a.map"}, "metrics": {"expansions": 99.2, "ms_mean": 0.0421, "ratio_mean": 1.0412}},
    ],
    "paper": [{"method": "astar", "case": {"map": "20 maps"}, "metrics": {"ms_mean": 625.9}}],
}
TABLE = """<!-- figures: search
| method | case | expansions | time | above | speedup | bytes |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
each baseline; astar,cache=warm; dta:* | {method} | {cache?} | {expansions} | {ms_mean} | {ratio_mean in above} | {ms_mean@baseline / ms_mean} | {bytes?} |
each paper astar | {method}, {map} | | | {ms_mean in ms} | | | |
-->
<!-- /figures -->
"""


class Figures(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "docs/data").mkdir(parents=True)
        (self.root / "tools").mkdir()
        self.write_data(DATA)

    def tearDown(self):
        self.folder.cleanup()

    def write_data(self, data):
        (self.root / "docs/data/search.json").write_text(json.dumps(data))

    def run_on(self, page, *arguments):
        """Writes the page and returns exit code, messages, and the page afterwards."""
        (self.root / "README.md").write_text(page)
        with contextlib.redirect_stderr(io.StringIO()) as messages, contextlib.redirect_stdout(io.StringIO()):
            code = figures.main(arguments, self.root)
        return code, messages.getvalue(), (self.root / "README.md").read_text()

    def inserted(self, expression):
        code, messages, page = self.run_on(f"It takes <!-- figure: {expression} --><!-- / --> in all.\n")
        self.assertEqual((code, messages), (0, ""))
        return page.split("-->")[1].split("<!--")[0]

    def assert_fault(self, page, *parts):
        """`page` is otherwise as it should be: it uses the data."""
        code, messages, after = self.run_on(page, "--check")
        self.assertEqual(code, 1, messages)
        for part in parts:
            self.assertIn(part, messages)
        self.assertEqual(after, page)
        return messages

    def test_a_table_is_written_from_its_template(self):
        code, messages, page = self.run_on(TABLE)
        self.assertEqual((code, messages), (0, ""))
        self.assertEqual(page, TABLE.replace("-->\n<!-- /", """-->

| method | case | expansions | time | above | speedup | bytes |
| --- | --- | ---: | ---: | ---: | ---: | ---: |
| baseline A\\* | | 2,000,000 | 700 ms | 0 | 1 | |
| `astar` | warm | 1,234 | 54.2 ms | 0 | 12.9 | 4.20 MB |
| `dta:16/nbs` | | 99.2 | 42.1 us | 4.12% | 16,637 | |
| `astar`, 20 maps | | | 626 | | | |

*`terrane bench search`, Map1 of weighted: one core; commit abc1234, 2026-01-02; warm, wall time.*

<!-- /"""))
        code, messages, again = self.run_on(page, "--check")
        self.assertEqual((code, messages, again), (0, "", page))

    def test_an_address_in_a_table_names_what_differs(self):
        table = "<!-- figures: search\n| cache | here | elsewhere |\n| --- | --- | --- |\neach astar | {cache} | {ms_mean@astar} | {ms_mean@,cache=warm} |\n-->\n<!-- /figures -->\n"
        page = self.run_on(table)[2]
        self.assertIn("| warm | 54.2 ms | 54.2 ms |\n| cold | 61.0 ms | 54.2 ms |\n", page)

    def test_values_in_sentences(self):
        for expression, text in {
            "ms_mean@search!astar,cache=warm": "54.2 ms",
            "ms_mean@search!astar,cache=warm in us": "54,230",
            "ms_mean@search!astar,cache=warm in ms .0": "54",
            "ms_mean@search!baseline / ms_mean@search!astar,cache=cold in .1": "11.5",
            "max of ms_mean@search!astar": "61.0 ms",
            "mean of ratio_mean@search!* in above": "1.03%",
            "expansions@search!dta:16/nbs in .0": "99",
            "ms_mean@search!whca:16,2,frame=50 units, a step": "1.75 ms",
            "bytes@search!astar,cache=warm in MB": "4.20",
            "max of ms_mean@search!*,cache=": "700 ms",
            "ms_mean@search!paper astar,map=20 maps in .1": "625.9",
        }.items():
            self.assertEqual(self.inserted(expression), text, expression)

    def test_a_page_that_disagrees_with_its_data(self):
        _, _, page = self.run_on("Text.\n\n" + TABLE)
        self.assert_fault(page.replace("54.2 ms", "52.1 ms"), "README.md:13: ", "52.1 ms", "54.2 ms")
        self.assert_fault("A\nb <!-- figure: ms_mean@search!dta:* in us -->40<!-- / --> us.\n", "README.md:2: the page has '40', the data '42.1'")

    def test_a_source_line_that_disagrees(self):
        _, _, page = self.run_on(TABLE)
        self.write_data({**DATA, "machine": "another"})
        self.assert_fault(page, "one core", "another")

    def test_what_does_not_exist(self):
        self.assert_fault("A <!-- figure: ms_mean@other!astar -->5<!-- / -->.\n", "README.md:1: no file docs/data/other.json")
        self.assert_fault("A <!-- figure: ms_mean@search!nbs -->5<!-- / -->.\n", "README.md:1: docs/data/search.json has no row 'search!nbs'")
        self.assert_fault("A <!-- figure: ms_p99@search!baseline -->5<!-- / -->.\n", "README.md:1: ", "no metric 'ms_p99'")
        self.assert_fault("A <!-- figure: ms_mean@search!astar -->5<!-- / -->.\n", "README.md:1: ", "2 rows 'search!astar'")
        self.assert_fault("A <!-- figure: ms_mean@search!baseline in hours -->5<!-- / -->.\n", "unknown format 'hours'")
        self.assert_fault("\n" + TABLE.replace("dta:*", "pra:*"), "README.md:2: docs/data/search.json has no row 'pra:*'")

    def test_comments_that_markdown_would_misread(self):
        self.assert_fault("A\n<!-- figure: expansions@search!baseline -->2,000,000<!-- / --> cells.\n", "README.md:2: a line begins with a figure")
        self.assert_fault(TABLE.replace("<!-- /figures -->", ""), "README.md:1: '<!-- figures:' does not belong")
        self.assert_fault("A <!-- figure: expansions@search!baseline -->2,000,000.\n", "README.md:1: '<!-- figure:' does not belong")

    def test_figures_typed_by_hand(self):
        used = "\nUsed: <!-- figure: expansions@search!baseline -->2,000,000<!-- / -->.\n"
        for text in ("54.2 ms", "0.06 us a query", "1.5 MB", "14 times faster", "12x", "0.7%", "1,234 expansions", "34,230 queries per second", "a few microseconds"):
            self.assert_fault(f"It needs {text}.\n{used}", "README.md:1: ", "typed by hand")
        for text in ("16x16 cells", "version 1.2", "`54.2 ms`", "[a](b#4-ms)", "0.7% <!-- not measured: a limit -->", "**10,000** agents", "issue 30s7"):
            code, messages, _ = self.run_on(f"It has {text}.\n{used}", "--check")
            self.assertEqual((code, messages), (0, ""), text)

    def test_tables_typed_by_hand(self):
        used = "\nUsed: <!-- figure: expansions@search!baseline -->2,000,000<!-- / -->.\n"
        table = "| map | ms |\n| --- | ---: |\n| a | 5.1 |\n| b | 6 |\n"
        messages = self.assert_fault("A\n\n" + table + used, "README.md:5: a table of measurements is typed by hand: column 'ms'")
        self.assertEqual(messages.count("typed by hand"), 1)
        self.assert_fault("| map | query |\n| --- | ---: |\n| a | 5.1 ms |\n" + used, "README.md:3: a table of measurements is typed by hand: '5.1 ms'")
        code, messages, _ = self.run_on("A\n\n<!-- not measured: limits -->\n" + table + used, "--check")
        self.assertEqual((code, messages), (0, ""))

    def test_exceptions_are_listed_with_a_reason_and_used(self):
        page = "Frames of 16 ms.\n\nUsed: <!-- figure: expansions@search!baseline -->2,000,000<!-- / -->.\n"
        exceptions = self.root / "tools/figures.txt"
        exceptions.write_text("# a comment\nREADME.md: Frames of \\d+ ms -> a frame at 60 a second\n")
        self.assertEqual(self.run_on(page, "--check")[:2], (0, ""))
        exceptions.write_text("docs/other.md: Frames of \\d+ ms -> a frame at 60 a second\n")
        self.assert_fault(page, "README.md:1: '16 ms' is typed by hand", "matches nothing: docs/other.md")

    def test_data_without_its_source_or_without_a_page(self):
        for key in ("command", "machine", "commit"):
            self.write_data({name: value for name, value in DATA.items() if name != key})
            self.assert_fault("A <!-- figure: expansions@search!baseline -->2,000,000<!-- / -->.\n", f"docs/data/search.json: has no {key}")
        self.write_data({**DATA, "command": "terrane bench search --quick"})
        self.assert_fault("A <!-- figure: expansions@search!baseline -->2,000,000<!-- / -->.\n", "is a smoke test")
        self.write_data(DATA)
        self.assert_fault("Nothing.\n", "docs/data/search.json: no page uses it")


if __name__ == "__main__":
    unittest.main()
