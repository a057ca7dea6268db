#!/usr/bin/env python3
"""Checks that the JSON of every verb conforms to docs/json.schema.json, and that the schema refuses documents that do not.

Usage: json_schema.py TERRANE SCHEMA            runs every verb, and checks the reports in docs/data
       json_schema.py --reports SCHEMA FILE...  checks reports of benches; tests/guard passes those of all benches

Exit: 0 success; 1 a check failed; 77 skipped, because Python has no module jsonschema.
"""
import copy
import json
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: Python has no module jsonschema; 'tools/setup test' installs it (python3-jsonschema)")
    sys.exit(77)

ROOM = "type octile\nheight 8\nwidth 12\nmap\n" + "......@.....\n" * 3 + "............\n" + "......@.....\n" * 4
CLOSED = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n..@..\n"
LEVEL = "v 0 0 0\nv 30 0 0\nv 30 0 30\nv 0 0 30\nf 1 3 2\nf 1 4 3\n"
FILES = {
    "room.map": ROOM,
    "burnt.map": ROOM.replace("............", "....@.......", 1),
    "closed.map": CLOSED,
    "room.map.scen": "version 1\n0\troom.map\t12\t8\t0\t3\t11\t3\t11.0\n0\troom.map\t12\t8\t0\t0\t11\t3\t12.24264068\n",
    "wrong.scen": "version 1\n0\tclosed.map\t5\t3\t0\t0\t4\t0\t0\n",
    "level.obj": LEVEL,
    "blocked.areas": "volume blocked -1 4 12 -1 18 -1 18 31 12 31\n",
}

# By verb: (arguments, exit code), run in this order in one folder. Together they write every key of the schema that is not in NOT_WRITTEN.
ENDS = "--from 0,0 --to 11,7 --profile walker"
CASES = {
    "gen": [("island --size 48 --seed 3 -o i.map --png i.png", 0), ("rooms --size 32 --room 8 -o r.map", 0)],
    "import": [("i.map -o i.terrane --png seen.png", 0)],
    "methods": [("", 0)],
    "info": [("i.map", 0), ("room.map --sector 4 --sector map", 0), ("room.map --sector 4 --png info.png", 0)],
    "path": [
        (f"room.map {ENDS}", 0),
        (f"room.map {ENDS} --profile person --method dta:4 --compare --png p.png --svg p.svg", 0),
        (f"room.map {ENDS} --method astar+any_angle --trace t.json", 0),
        (f"room.map {ENDS} --method astar+any_angle --summary", 0),
        (f"room.map {ENDS} --method overlay:2+lower_bounds:2 --bound 1.1", 0),
        ("closed.map --from 0,0 --to 4,0 --profile walker", 1),
        ("closed.map --from 0,0 --to 4,0 --profile walker --nearest", 1),
        ("closed.map --from 2,0 --to 4,0 --profile walker", 1),
    ],
    "why": [
        (f"room.map {ENDS} --through 8,0,2,2 --png why.png", 0),
        (f"room.map {ENDS} --through 6,0,1,1", 0),
        (f"room.map {ENDS} --through 8,0,2,2 --summary", 0),
        ("closed.map --from 0,0 --to 4,0 --profile walker", 1),
        ("closed.map --from 0,0 --to 4,0 --profile walker --summary", 1),
    ],
    "reach": [
        ("room.map --from 0,0 --profile walker --within 5 --png reach.png", 0),
        ("room.map --from 0,0 --profile walker --within 5 --summary", 0),
        ("room.map --from 6,0 --profile walker --within 5", 1),
        ("closed.map --from 0,0 --profile walker --to 1,1 --to 4,0", 0),
        ("closed.map --from 0,0 --profile walker --to 1,1 --summary", 0),
        ("closed.map --from 0,0 --profile walker --to 4,0", 1),
        ("closed.map --from 0,0 --profile walker --nearest-terrain ground", 0),
        ("closed.map --from 0,0 --profile walker --nearest-terrain swamp", 1),
    ],
    "scen": [
        ("room.map.scen --check", 0),
        ("room.map.scen --summary --method dta:4", 0),
        ("room.map.scen wrong.scen --map room.map --method overlay:2", 0),
        ("wrong.scen --map closed.map", 1),
    ],
    "crowd run": [
        ("room.map --agents 3 --profile walker --lower-bound --png c.png --gif c.gif", 0),
        ("room.map --agents 3 --profile walker --ticks 1", 1),
        ("room.map --agents 3 --profile walker --lifelong --ticks 20 --summary", 0),
    ],
    "crowd traffic": [("--seconds 10 --png traffic.png", 0)],
    "world save": [("room.map -o w.terrane --sector 4 --sector 8 --method overlay:2 --profile walker", 0)],
    "world edit": [("w.terrane --set 1,1,swamp --fill 2,2,2,3,swamp", 0)],
    "world check": [("w.terrane", 0)],
    "pathdb build": [
        ("room.map --profile walker -o room.pathdb", 0),
        ("room.map --profile walker -o shards.pathdb --shard 0/2", 0),
    ],
    "pathdb info": [("room.pathdb --verify", 0)],
    "pathdb path": [
        (f"room.map --pathdb room.pathdb {ENDS} --compare --png d.png", 0),
        (f"room.map --pathdb room.pathdb {ENDS} --summary", 0),
        (f"room.map --pathdb room.pathdb {ENDS} --now burnt.map", 0),
        ("room.map --pathdb room.pathdb --from 6,0 --to 11,7 --profile walker", 1),
    ],
    "weighted-regions gen": [("--sites 12 --seed 3 -o f.json --png f.png", 0), ("--map room.map --profile walker -o g.json", 0)],
    "weighted-regions path": [
        ("f.json --from 20,20 --to 580,580 --method brep --method bprep:2 --svg f.svg", 0),
        ("f.json --from 20,20 --to 580,580 --summary", 0),
        ("closed.map --profile walker --from 0.5,0.5 --to 4.5,0.5", 1),
    ],
    "navmesh build": [("level.obj -o level.navmesh --png level.png", 0)],
    "navmesh info": [("level.navmesh --svg level.svg", 0)],
    "navmesh path": [
        ("level.navmesh --from 4,15 --to 26,15 --profile person --png n.png", 0),
        ("level.navmesh --from 4,15 --to 26,15 --summary", 0),
        ("level.obj --areas blocked.areas --from 4,15 --to 26,15", 1),
    ],
    "studio": [("--port 0 --folder page", 0)],
    "demo": [("--out demo", 0)],
    "selftest": [("edits --seconds 0.05", 0)],
    "bench": [("dta-reimpl --quick --tiny", 0)],
}

# Keys that no command above can be made to write: those of a defect of a method, and those of a bench that not every build has.
NOT_WRITTEN = {"fault", "tick", "agent", "other", "failure", "command", "commit", "notes"}

failures = []


def check(ok, message):
    if not ok:
        failures.append(message)
        print("FAILED:", message, flush=True)


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)

    def help(self, *verb):
        return self.run(*verb, "--help").stdout

    def verbs(self, prefix=()):
        """The verbs that take arguments, from the help: "gen", "world save", ..."""
        if prefix == ("bench",):  # its subcommands, the benches, share one schema
            return ["bench"]
        section = re.search(r"^Subcommands:\n((?:  .*\n)+)", self.help(*prefix), re.MULTILINE)
        if not section:
            return [" ".join(prefix)]
        names = re.findall(r"^  ([a-z][\w-]*)", section[1], re.MULTILINE)
        return [verb for name in names for verb in self.verbs((*prefix, name))]

    def json(self, verb, arguments):
        """The JSON on standard output, and the exit code. `studio` runs until it is interrupted."""
        command = [*verb.split(), *shlex.split(arguments), "--json", "-"]
        if verb != "studio":
            done = self.run(*command)
            return done.stdout, done.stderr, done.returncode
        with subprocess.Popen([self.path, *command], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as studio:
            lines = []
            for line in studio.stdout:
                lines.append(line)
                if line == "}\n":
                    break
            studio.send_signal(signal.SIGTERM)
            return "".join(lines), studio.stderr.read(), studio.wait(timeout=30)


def keys_of(document):
    """The names of all keys, at every depth."""
    if isinstance(document, dict):
        return set(document) | {key for value in document.values() for key in keys_of(value)}
    if isinstance(document, list):
        return {key for value in document for key in keys_of(value)}
    return set()


def properties_of(schema):
    """The names of all properties that a schema defines."""
    if isinstance(schema, dict):
        own = {name for name, value in schema.get("properties", {}).items() if value is not False} if isinstance(schema.get("properties"), dict) else set()
        return own | {name for value in schema.values() for name in properties_of(value)}
    if isinstance(schema, list):
        return {name for value in schema for name in properties_of(value)}
    return set()


def has_null(document):
    children = document.values() if isinstance(document, dict) else document if isinstance(document, list) else []
    return document is None or any(has_null(child) for child in children)


def lists_in(document):
    """The lengths of all lists of cells, points, agents and answers to problems."""
    if isinstance(document, dict):
        own = {key for key in ("path", "polyline", "agents", "reached", "files") if key in document}
        return own | {key for value in document.values() for key in lists_in(value)}
    if isinstance(document, list):
        return {key for value in document for key in lists_in(value)}
    return set()


def first_keys(document, verb):
    keys = list(document)
    if keys[:2] != ["terrane", "verb"] or document["verb"] != verb:
        return False
    return "map" not in keys or keys[2] == "map"


# Changes that make a valid document invalid: verb, name, function.
def without(*path):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        del document[path[-1]]

    return change


def setting(value, *path):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value

    return change


REFUSED = {
    "path": [
        ("an unknown key", setting(1, "answers", 0, "cost_units")),
        ("a cost of another name", setting(1.5, "answers", 0, "cost")),
        ("a path without a cost", without("answers", 0, "cost_cells")),
        ("a cost without a path", setting("unreachable", "answers", 0, "status")),
        ("a null", setting(None, "answers", 0, "cost_cells")),
        ("an unknown status", setting("lost", "answers", 0, "status")),
        ("a negative time", setting(-1, "answers", 0, "find_ms")),
        ("a text for a number", setting("7", "answers", 0, "expansions")),
        ("a cell of three numbers", setting([1, 2, 3], "from")),
        ("no version", without("terrane")),
        ("a map without a width", without("map", "width")),
        ("the JSON of another verb", setting("why", "verb")),
        ("a misspelt verb", setting("paths", "verb")),
    ],
    "info": [("terrains by name", setting({"ground": 3}, "terrains"))],
    "reach": [("a question of two forms", setting("swamp", "terrain"))],
    "pathdb info": [("a rectangle of three numbers", setting([1, 2, 3], "target_bounds"))],
    "scen": [("a metric that names no unit", setting(1.0, "rows", 0, "metrics", "cost"))],
    "bench": [("a metric that is a text", setting("1", "rows", 0, "metrics", "ratio_mean"))],
    "crowd run": [("an agent without a goal", without("agents", 0, "goal"))],
    "world edit": [("a world that was written nowhere", without("written"))],
    "selftest": [("a failed test without a failure", setting(False, "tests", 0, "held"))],
}


def bench_reports(schema, files):
    """Reports of `terrane bench` conform to the schema, apart from the keys that tools/measure adds."""
    validator = jsonschema.Draft202012Validator({"$ref": "#/$defs/bench", "$defs": schema["$defs"]})
    for file in files:
        document = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        for key in ("maps", "date", "state"):
            document.pop(key, None)
        for error in validator.iter_errors(document):
            check(False, f"{file}: {error.json_path}: {error.message[:300]}")


def without_times(document):
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items() if not key.endswith("_ms") and key != "terrane"}
    return [without_times(value) for value in document] if isinstance(document, list) else document


def check_example(program, validator, page):
    """The example of docs/json.md is what its command prints, except for the version and the times."""
    command, example = re.search(r"\$ terrane ([^\n]*?) --json -([^\n]*)\n```\n\n```json\n(.*?)\n```", page, re.DOTALL).group(1, 3)
    verb, arguments = command.split(" ", 1)
    check(validator.is_valid(json.loads(example)), "the example of json.md does not conform to the schema")
    written = json.loads(program.json(verb, arguments + " --summary")[0])
    check(without_times(json.loads(example)) == without_times(written), f"json.md has another output than: {json.dumps(without_times(written))}")


def main(program_path, schema_path):
    schema = json.loads(pathlib.Path(schema_path).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        pathlib.Path(folder, "page").mkdir()
        pathlib.Path(folder, "page", "index.html").write_text("<html></html>", encoding="utf-8")
        shutil.copy(pathlib.Path(schema_path).parent.parent / "scenes" / "rooms.map", folder)
        program = Program(str(pathlib.Path(program_path).resolve()), folder)

        verbs = program.verbs()
        check(len(verbs) > 15, f"the help lists {len(verbs)} verbs only: {verbs}")
        optional = [verb for verb in CASES if verb.startswith("navmesh") or verb == "studio"]  # depend on what was found at build time
        check(set(verbs) >= set(CASES) - set(optional), f"cases for verbs that the program does not have: {set(CASES) - set(verbs)}")
        for verb in verbs:
            check(verb in CASES, f"'{verb}' has no case here and no definition in the schema")
            check("--json" in program.help(*verb.split(), *["search"] * (verb == "bench")), f"'{verb}' has no --json")

        named = {definition["$ref"].rsplit("/", 1)[1].replace("%20", " ") for definition in schema["oneOf"]}
        check(named == set(CASES), f"verbs of the schema and of this test differ: {named ^ set(CASES)}")

        documents, seen = {}, set()
        for verb in (verb for verb in CASES if verb in verbs):
            by_verb = validator.evolve(schema={"$schema": schema["$schema"], "$ref": f"#/$defs/{verb.replace(' ', '%20')}", "$defs": schema["$defs"]})
            for arguments, expected in CASES[verb]:
                command = f"terrane {verb} {arguments}"
                out, err, code = program.json(verb, arguments)
                check(code == expected, f"{command}: exit {code} instead of {expected}: {err}")
                try:
                    document = json.loads(out)
                except ValueError as error:
                    check(False, f"{command}: standard output is not JSON: {error}: {out[:200]}{err}")
                    continue
                documents.setdefault(verb, document)
                seen |= keys_of(document)
                for error in by_verb.iter_errors(document):
                    check(False, f"{command}: {error.json_path}: {error.message[:300]}")
                check(validator.is_valid(document), f"{command}: matches no verb, or several")
                check(first_keys(document, verb), f"{command}: starts with {list(document)[:3]}")
                check(not has_null(document), f"{command}: has a null")
                if "--summary" in arguments:
                    check(not lists_in(document), f"{command}: has {lists_in(document)}")

        if set(verbs) == set(CASES):
            unseen = properties_of(schema) - seen - NOT_WRITTEN
            check(not unseen, f"keys of the schema that no command wrote: {sorted(unseen)}")

        data = sorted(pathlib.Path(schema_path).with_name("data").glob("*.json"))
        check(data, "docs/data has no reports")
        bench_reports(schema, data)
        check_example(program, validator, pathlib.Path(schema_path).with_name("json.md").read_text(encoding="utf-8"))

        refused = 0
        for verb, changes in REFUSED.items():
            for name, change in changes:
                document = copy.deepcopy(documents[verb])
                change(document)
                check(not validator.is_valid(document), f"{verb}: {name} is accepted")
                refused += 1
    print(f"{sum(map(len, CASES.values()))} commands of {len(verbs)} verbs; {refused} wrong documents; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1] == "--reports":
        bench_reports(json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")), sys.argv[3:])
        sys.exit(1 if failures else 0)
    sys.exit(main(sys.argv[1], sys.argv[2]))
