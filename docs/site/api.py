"""Generates the API reference: one Markdown page per public header.

Doxygen lists the declarations, their places and which are public. Declarations and comments are copied from the header: a comment belongs to
the declaration that follows it without a blank line, as the headers are written, and a comment at the end of a line stays there.
"""
import pathlib
import re
import subprocess
import xml.etree.ElementTree as ElementTree

CLASSES = {"class", "struct", "union"}


class Header:
    def __init__(self, path):
        self.path, self.name = path, path.name
        self.c = path.name == "terrane_c.h"
        self.lines = path.read_text().split("\n")
        self.items = []  # top level
        self.free = {i for i in range(len(self.lines)) if self.is_free_comment(i)}

    def code(self, i):
        """A line without its comment."""
        return re.sub(r"\s*(//.*|/\*.*\*/)\s*$", "", self.lines[i])

    def is_comment(self, i):
        if not self.c:
            return re.match(r"\s*//( |$)", self.lines[i]) is not None
        return re.match(r"\s*(/\*| \* | \*$| \*/)", self.lines[i]) is not None

    def is_free_comment(self, i):
        """Whether this is the first line of a separate comment: followed by a blank line, and not the header's own."""
        if self.c or not self.is_comment(i) or (i and self.is_comment(i - 1)):
            return False
        while i < len(self.lines) and self.is_comment(i):
            i += 1
        return i < len(self.lines) and not self.lines[i].strip() and i > 1 and "#pragma once" in self.lines[:i]

    def comment_from(self, i):
        text = []
        while i < len(self.lines) and self.is_comment(i):
            text.append(self.lines[i])
            i += 1
        return self.bare(text)

    def comment_above(self, i):
        """Returns the comment that ends right above line i, and its first line."""
        first = i
        while first and self.is_comment(first - 1):
            first -= 1
        return self.bare(self.lines[first:i]), first

    def bare(self, lines):
        mark = r"^\s*(/\*|\*/|\*)? ?|\s*\*/\s*$" if self.c else r"^\s*// ?"
        return [line for line in (re.sub(mark, "", line) for line in lines) if not line.startswith("--- ")]

    def begin(self, i):
        """Returns the first line of the declaration that contains line i."""
        while i and self.lines[i - 1].strip() and not self.is_comment(i - 1) and not self.lines[i - 1].startswith("#"):
            if self.code(i - 1).rstrip().endswith((";", "{", "}", ":", '"')):
                break
            i -= 1
        return i

    def end(self, first, keep_body):
        """Returns the declaration that begins at a line: its text without a body, and its last line."""
        text, depth, cut, done = [], 0, False, False
        for i in range(first, len(self.lines)):
            code = self.code(i)
            for at, char in enumerate(code):
                if not keep_body and not cut and depth == 0 and (self.begins_body(code, at) or self.begins_initialisers(code, at, text)):
                    if code[:at].strip():
                        text.append(code[:at].rstrip() + ";")
                    else:
                        text[-1] += ";"
                    cut = True
                depth += (char in "([{") - (char in ")]}")
                if depth == 0 and (char == ";" or (char == "}" and not re.match(r"\s*[;,=]", code[at + 1:]) and (cut or at + 1 == len(code)))):
                    done = True
            if done or not cut:
                if not cut:
                    text.append(self.lines[i].rstrip())
                elif len(text) == 1 and i == first and self.lines[i] != code:
                    text[0] += "  " + self.lines[i][len(code):].strip()  # the comment at the end of a line with a short body
            if done:
                return [line for line in text if line.strip() not in ("", ";")], i
        return text, first

    @staticmethod
    def begins_body(code, at):
        return code[at] == "{" and re.search(r"(\)|const|noexcept|override|final|&)\s*(->.*)?\s*$", code[:at]) is not None

    @staticmethod
    def begins_initialisers(code, at, text):
        if code[at] != ":" or code[at - 1:at] == ":" or code[at + 1:at + 2] == ":":
            return False
        before = code[:at].strip()
        return before.endswith(")") or (before == "" and bool(text) and text[-1].rstrip().endswith(")"))


class Item:
    def __init__(self, header, line, kind, name):
        self.kind, self.name, self.header = kind, name, header
        self.first = header.begin(line - 1)
        self.comment, self.top = header.comment_above(self.first)
        self.members = []
        self.others = []  # further names of the same declaration: int x, y;
        keep = kind in ("enum", "variable", "typedef", "define", "concept")
        self.text, self.last = header.end(self.first, keep)
        if kind == "define":
            self.text, self.last = [header.lines[self.first]], self.first


def words_of(lines):
    """Converts a comment to Markdown: paragraphs, and code blocks for indented lines."""
    def plain(text):
        parts = re.split(r"(`[^`]*`)", text)
        return "".join(part if i % 2 else re.sub(r"([\\*_<>\[\]#|~{}$@])", r"\\\1", part) for i, part in enumerate(parts))

    out, inside = [], False
    for line in lines:
        indented = line.startswith("  ") and (inside or not line.lstrip().startswith("- "))
        if indented != inside and (line.strip() or not inside):
            while inside and not out[-1].strip():
                out.pop()
            out += ["", "```text"] if indented else ["```", ""]
            inside = indented
        out.append(line[2:] if inside else plain(line))
    if inside:
        out.append("```")
    return "\n".join(out).strip()


def dedent(lines):
    depth = min(len(line) - len(line.lstrip()) for line in lines)
    return [line[depth:] for line in lines]


def groups_of(items):
    """Groups declarations that follow one another without a comment or a blank line: they share the comment above the first."""
    groups, seen = [], set()
    for item in sorted(items, key=lambda item: item.first):
        if item.first in seen:
            groups[-1][-1].others.append(item.name)
            continue
        seen.add(item.first)
        if groups and not item.comment and groups[-1][-1].last + 1 == item.first and not CLASSES & {item.kind, groups[-1][-1].kind}:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def anchor(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def write_groups(out, header, items, of, index):
    free = dict.fromkeys(sorted(header.free))
    for group in groups_of(items):
        for line in list(free):
            if (of is None or of.first < line < of.last) and line < group[0].first and all(not m.first < line < m.last for m in items):
                if line in header.free:
                    out.append(words_of(header.comment_from(line)))
                    header.free.discard(line)
                del free[line]
        if group[0].kind in CLASSES:
            write_class(out, header, group[0], index)
            continue
        names = [name for item in group for name in [item.name, *item.others]]
        ids = {f"{of.name}::{name}" if of else name: None for name in names}
        index += [(full, header.name, anchor(full)) for full in ids]
        new = [one for one in dict.fromkeys(map(anchor, ids)) if not any(f'id="{one}"' in part for part in out)]
        out.append("".join(f'<a id="{one}"></a>' for one in new))
        text = "\n".join(dedent([line for item in group for line in item.text])).replace("TERRANE_INLINE ", "")
        out.append("```" + ("c" if header.c else "cpp") + "\n" + re.sub(r"TERRANE_API\(([^)]*)\)", r"\1", text) + "\n```")
        if group[0].comment:
            out.append(":::{container} declaration-comment\n" + words_of(group[0].comment) + "\n:::")


def write_class(out, header, item, index):
    index.append((item.name, header.name, anchor(item.name)))
    out.append(f"## {item.name}")
    out.append(words_of(item.comment))
    # A struct with only fields, documented by comments on their lines, is shown unchanged.
    plain = bool(item.members) and all(member.kind == "variable" and not member.comment for member in item.members)
    head = dedent(header.lines[item.first:item.last + 1] if plain else item.text)
    out.append("```" + ("c" if header.c else "cpp") + "\n" + "\n".join(head) + "\n```")
    if plain:
        header.free -= set(range(item.first, item.last))
        index += [(f"{item.name}::{member.name}", header.name, anchor(item.name)) for member in item.members]
        return
    write_groups(out, header, item.members, item, index)


def is_shown(header, line, member):
    if not line or member.get("prot") != "public" or member.get("kind") == "friend":
        return False
    if member.get("kind") == "define":
        return header.c and re.match(r"#define \w+ \d", header.lines[line - 1]) is not None
    return not header.lines[line - 1].startswith("}")  # a struct and its typedef in one declaration


def read_items(xml, headers):
    """Fills the items of each header, with their members."""
    compounds = {}
    for file in sorted(xml.glob("*.xml")):
        if file.name.startswith(("index", "Doxyfile", "dir_")):
            continue
        for compound in ElementTree.parse(file).getroot().findall("compounddef"):
            compounds[compound.get("id")] = compound

    def place(element):
        location = element.find("location")
        return headers.get(pathlib.PurePath(location.get("file")).name), int(location.get("line") or 0)

    classes = {}
    for compound in compounds.values():
        if compound.get("kind") in CLASSES | {"concept"} and compound.get("prot", "public") == "public":
            header, line = place(compound)
            name = compound.findtext("compoundname").removeprefix("terrane::")
            if header and "<" not in name:
                classes[name] = Item(header, line, compound.get("kind"), name)
    for name, item in classes.items():
        if item.kind != "concept":
            item.text, item.last = class_head(item)
        outer = classes.get(name.rpartition("::")[0])
        (outer.members if outer else item.header.items).append(item)
    for compound in compounds.values():
        if compound.get("kind") not in CLASSES | {"namespace", "file"}:
            continue
        if "detail" in compound.findtext("compoundname"):
            continue
        owner = classes.get(compound.findtext("compoundname").removeprefix("terrane::"))
        if compound.get("kind") in CLASSES and owner is None:
            continue
        for member in compound.iter("memberdef"):
            header, line = place(member)
            if header and is_shown(header, line, member):
                item = Item(header, line, member.get("kind"), member.findtext("name"))
                if item.name.startswith("@"):  # an enum without a name is listed by the names of its values
                    item.name, *item.others = [value.findtext("name") for value in member.findall("enumvalue")]
                (owner.members if owner else header.items).append(item)
    return classes


def class_head(item):
    """Returns `class Planner` with its template and base classes, and its last line."""
    header, text, depth = item.header, [], 0
    for i in range(item.first, len(header.lines)):
        code = header.code(i)
        if depth == 0:
            text.append(code.split("{")[0].rstrip() if "{" in code else code)
        depth += code.count("{") - code.count("}")
        if depth == 0 and ("}" in code or ";" in code):
            return [re.sub(r"^(\s*)typedef ", r"\1", line).rstrip(";") + (";" if line is text[-1] else "") for line in text], i
    raise SystemExit(f"api: {header.name}: end of {item.name} not found")


def module_of(header):
    """Returns the folder of a header; the C interface and terrane.h are separate entries."""
    return "capi" if header.c else header.path.parent.name


def modules_from_the_top(root):
    """Returns the modules in the reverse order of src/CMakeLists.txt, which lists them from the bottom up."""
    listed = re.findall(r"^\s*terrane_module\((\w+)", (root / "src/CMakeLists.txt").read_text(), re.MULTILINE)
    return ["terrane", *reversed(listed), "capi"]


def make_reference(root, work, pages):
    """Writes the pages `api/HEADER.md` and `api/index.md` below `pages`; doxygen works in `work`."""
    staged = work / "headers"
    staged.mkdir(parents=True)
    paths = [*sorted(root.glob("include/terrane/**/*.h")), root / "capi/terrane_c.h"]
    if len({path.name for path in paths}) != len(paths):
        raise SystemExit("api: two headers have the same name, and so would their pages: rename one")
    for path in paths:
        (staged / path.name).write_text(path.read_text())
    if subprocess.run(["doxygen", root / "docs/site/Doxyfile"], cwd=work).returncode:
        raise SystemExit("api: doxygen reports warnings:\n" + (work / "doxygen.log").read_text())
    headers = {path.name: Header(path) for path in paths}
    read_items(work / "xml", headers)
    (pages / "api").mkdir(parents=True)
    index, modules = [], {module: [] for module in modules_from_the_top(root)}
    for header in headers.values():
        include = "terrane_c.h" if header.c else header.path.relative_to(root / "include")
        first = 0 if header.c else next((i for i in range(len(header.lines)) if header.is_comment(i)), 0)
        about = header.comment_from(first)
        out = [f"# {header.name}", f"```{'c' if header.c else 'cpp'}\n#include <{include}>\n```", words_of(about)]
        write_groups(out, header, header.items, None, index)
        (pages / "api" / header.name.replace(".h", ".md")).write_text("\n\n".join(part for part in out if part) + "\n")
        modules[module_of(header)].append((header.name, " ".join(about).split(". ")[0].rstrip(".:")))
    write_index(pages / "api/index.md", modules, index)
    return len(headers), len(index)


def write_index(path, modules, index):
    out = ["# API reference", "Every public header, class and function by module, with its comments. `terrane/terrane.h` includes the headers that an application normally needs."]
    titles = {"terrane": "The entry point", "capi": "The C interface"}
    for module, headers in modules.items():
        if not headers:
            continue
        out.append(f"## {titles.get(module, module)}")
        rows = [f"| [{name}]({name.replace('.h', '.md')}) | {words_of([summary])} |" for name, summary in headers]
        out.append("| header | |\n| --- | --- |\n" + "\n".join(rows))
        out.append("```{toctree}\n:hidden:\n\n" + "\n".join(name.replace(".h", "") for name, _ in headers) + "\n```")
    out.append("## By name")
    names = sorted({(full, header, one) for full, header, one in index}, key=lambda entry: (entry[0].lower(), entry))
    once = {}
    for full, header, one in names:
        once.setdefault((full, header), one)
    links = [f'<a href="{header.replace(".h", ".html")}#{one}"><code>{full.replace("<", "&lt;")}</code></a>' for (full, header), one in once.items()]
    out.append('<div class="names">' + "\n".join(links) + "</div>")
    path.write_text("\n\n".join(out) + "\n")
