"""The examples of the docstrings and of docs/python.md run, and the stubs match the module."""

import ast
import doctest
import inspect
import pathlib
import re

import numpy
import pytest

import terrane
from terrane import _terrane, draw, errors

ROOT = pathlib.Path(__file__).resolve().parents[2]


def public(owner):
    return [name for name in vars(owner) if not name.startswith("_") or name in ("__init__", "__getitem__", "__setitem__", "__array__")]


def members(owner):
    """(qualified name, object) of a module's functions and classes, and of the classes' own members."""
    for name in public(owner):
        value = getattr(owner, name)
        if inspect.ismodule(value):
            continue
        yield name, value
        if inspect.isclass(value):
            for inner in public(value):
                yield f"{name}.{inner}", inspect.getattr_static(value, inner)


def documented():
    yield "terrane", terrane.__doc__
    for module in (_terrane, draw, errors):
        yield module.__name__, module.__doc__
        for name, value in members(module):
            if not isinstance(value, (int, str)):
                yield f"{module.__name__}.{name}", (value.__func__ if isinstance(value, staticmethod) else value).__doc__


EXAMPLES = {name: text for name, text in documented() if text and ">>>" in text}


@pytest.mark.parametrize("name", EXAMPLES)
def test_docstring(name):
    names = {"terrane": terrane, "numpy": numpy}
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], names, name, None, 0)
    failures = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=failures.append)
    assert not failures, "".join(failures)


def test_everything_public_is_documented():
    bare = [name for name, text in documented() if not text and not re.search(r"__\w+__$", name)]
    assert not bare


def page_blocks():
    page = (ROOT / "docs" / "python.md").read_text()
    return re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)


def test_the_code_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    terrane.generate("island", size=512, seed=7).save("island.map")
    names = {}
    blocks = page_blocks()
    assert len(blocks) > 8
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)


# Stubs.


def signature_of(text):
    """Names and defaults of the arguments, parsed from the signature that pybind11 puts in a docstring."""
    arguments = re.match(r"\w+\((.*)\) -> ", text).group(1)
    parsed = ast.parse(f"def f({re.sub(r': [^,=]+(?=[,=)]|$)', '', arguments)}): ...").body[0].args
    return described(parsed)


def described(arguments):
    names = [a.arg for a in arguments.posonlyargs + arguments.args]
    defaults = dict(zip(names[len(names) - len(arguments.defaults) :], map(ast.unparse, arguments.defaults)))
    only = {a.arg: ast.unparse(d) if d is not None else None for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults)}
    return names, defaults, only, arguments.kwarg is not None


def stubbed():
    tree = ast.parse((ROOT / "python" / "terrane" / "_terrane.pyi").read_text())
    found = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found[node.name] = node
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    found[f"{node.name}.{inner.name}"] = inner
    return found


def test_the_stubs_match_the_module():
    here = {name for name, _ in members(_terrane)}
    dunders = {name for name in here if re.search(r"\.__\w+__$", name)}
    stubs = stubbed()
    assert here - set(stubs) - dunders == set()
    # Builds without Recast lack Navmesh; everything else in the stubs must exist.
    missing = {name for name in stubs if name not in here and not re.search(r"__\w+__$", name)}
    assert all(name.startswith("Navmesh") for name in missing) and (not missing or not hasattr(terrane, "Navmesh"))


STUBS = {name: node for name, node in stubbed().items() if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", STUBS)
def test_stub(name):
    node = STUBS[name]
    owner = _terrane
    for part in name.split(".")[:-1]:
        owner = getattr(owner, part, None)
    if owner is None:
        pytest.skip("built without it")
    value = inspect.getattr_static(owner, node.name)
    decorators = {ast.unparse(d) for d in node.decorator_list}
    assert isinstance(value, property) == ("property" in decorators)
    if isinstance(value, property):
        return
    assert isinstance(value, staticmethod) == ("staticmethod" in decorators)
    text = (value.__func__ if isinstance(value, staticmethod) else value).__doc__
    if not text or "->" not in text.split("\n")[0]:
        return  # made by Python itself, such as __init__ of a class without a constructor
    assert signature_of(text.split("\n")[0]) == described(node.args)
