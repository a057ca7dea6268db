"""Stages the pages of docs/ for Sphinx: the same Markdown, with links to files outside docs/ redirected to pages of the site.

A link to a header leads to its page of the API reference, a link to their folder to the list of headers, a link to any other source file to a
page that shows it, and a link to README.md to the front page. docs/index.md defines the navigation: one heading per part, with a list of links.
"""
import os
import pathlib
import re
import shutil

import api

LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
RENAMED = {"search.md": "kernel.md"}  # Sphinx itself writes search.html
LANGUAGES = {".cpp": "cpp", ".h": "cpp", ".c": "c", ".py": "python", ".txt": "cmake", ".json": "json"}


class Site:
    def __init__(self, root, pages):
        self.root, self.pages, self.sources = root, pages, {}
        index = (root / "docs/index.md").read_text()
        self.titles = {page: title.split(":")[0] for title, page in re.findall(r"^- \[([^\]]*)\]\((\w+\.md)\)", index, re.MULTILINE)}

    def redirected(self, page, target):
        """Returns the target on the site of a link of `page` (a path below the root); None for a folder."""
        path, mark, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return target
        file = pathlib.PurePath(os.path.normpath(page.parent / path))
        if file.parts[0] == "docs" and file.suffix not in LANGUAGES:
            to = str(file.relative_to("docs"))
            return RENAMED.get(to, to) + mark + anchor
        if file.suffix == ".h" and (file.parts[0] == "include" or str(file) == "capi/terrane_c.h"):
            return f"api/{file.stem}.md"
        if file.name in ("CONTRIBUTING.md", "CHANGELOG.md"):
            return file.name.lower() + mark + anchor
        if file.name == "README.md":
            return "index.md"
        if str(file) == "include/terrane":
            return "api/index.md"
        if (self.root / file).is_dir():
            return None
        self.sources[file] = f"source/{file}.md"
        return self.sources[file]

    def stage(self, page, to):
        def redirect(match):
            text, target = match.group(1), self.redirected(page, match.group(2))
            if target and not re.match(r"[a-z]+:|#", target):  # from the root of the site to the folder of the page
                target = "../" * to.count("/") + target
            name = text[1:-2].removeprefix("docs/")
            if name in self.titles:  # on a code host, links show file names; on the site, titles
                text = f"[{self.titles[name]}]("
            return text[1:-2] if target is None else text + target + match.group(3)

        parts = re.split(r"(^```.*?^```$)", (self.root / page).read_text(), flags=re.MULTILINE | re.DOTALL)
        text = "".join(part if i % 2 else LINK.sub(redirect, part) for i, part in enumerate(parts))
        (self.pages / to).write_text(text)

    def show_sources(self):
        for file, page in sorted(self.sources.items()):
            (self.pages / page).parent.mkdir(parents=True, exist_ok=True)
            language = LANGUAGES.get(file.suffix, "sh" if file.parts[0] == "tools" else "text")
            text = (self.root / file).read_text()
            (self.pages / page).write_text(f"---\norphan: true\n---\n\n# {file}\n\n````{language}\n{text}````\n")


def navigation(index):
    """Returns the toctrees of the front page: (caption, [(title, page)])."""
    parts = []
    for line in index.split("\n"):
        if line.startswith("## "):
            parts.append((line[3:], []))
        for title, page in re.findall(r"^- \[([^\]]*)\]\(([^)#]+\.md)\)", line):
            parts[-1][1].append((title, page.removesuffix(".md")))
    return [part for part in parts if part[1]]


def make_pages(root, work, pages):
    site = Site(root, pages)
    shutil.copytree(root / "docs/pictures", pages / "pictures")
    for picture in root.glob("docs/*.png"):
        shutil.copy(picture, pages)
    (pages / "_static").mkdir()
    shutil.copy(root / "docs/site/terrane.css", pages / "_static")
    shutil.copy(root / "docs/site/conf.py", pages)
    (pages / "notes").mkdir()
    for page in sorted(root.glob("docs/**/*.md")):
        to = str(page.relative_to(root / "docs"))
        site.stage(page.relative_to(root), RENAMED.get(to, to))
    for page in ("CONTRIBUTING.md", "CHANGELOG.md"):
        site.stage(pathlib.PurePath(page), page.lower())
    site.show_sources()
    headers, names = api.make_reference(root, work, pages)
    index = (pages / "index.md").read_text()
    for caption, entries in navigation(index):
        index += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(f"{title} <{page}>" for title, page in entries) + "\n```\n"
    (pages / "index.md").write_text(index)
    return headers, names


if __name__ == "__main__":
    root = pathlib.Path(__file__).resolve().parents[2]
    work = root / "build/docs"
    shutil.rmtree(work / "pages", ignore_errors=True)
    shutil.rmtree(work / "doxygen", ignore_errors=True)
    (work / "pages").mkdir(parents=True)
    headers, names = make_pages(root, work / "doxygen", work / "pages")
    print(f"docs: {headers} headers with {names} names")
