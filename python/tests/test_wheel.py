"""The wheel of `pip install .`, made from the current build, is complete and self-contained."""

import base64
import csv
import hashlib
import importlib.util
import io
import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    build = os.environ.get("TERRANE_BUILD")
    if not build:
        pytest.skip("TERRANE_BUILD names no build")
    spec = importlib.util.spec_from_file_location("terrane_build", ROOT / "python" / "terrane_build.py")
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    folder = tmp_path_factory.mktemp("wheel")
    return folder / backend.build_wheel(folder, {"build": build})


def test_the_record_matches_the_files(wheel):
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        record = next(name for name in archive.namelist() if name.endswith("RECORD"))
        rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
        assert sorted(row[0] for row in rows) == sorted(archive.namelist())
        for name, digest, size in rows:
            if name != record:
                data = archive.read(name)
                assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert int(size) == len(data)
        assert {"terrane/__init__.py", "terrane/_terrane.pyi", "terrane/draw.py", "terrane/errors.py", "terrane/py.typed"} <= set(archive.namelist())


def test_the_wheel_is_self_contained(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    version = re.search(r"VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text().split("project(")[1]).group(1)
    script = "import terrane; print(terrane.__version__, terrane.Planner(terrane.generate('maze', size=33)).find((1, 1), (31, 31), 'walker').status)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    output = subprocess.run([sys.executable, "-c", script], env=environment, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert output == f"{version} found\n" and wheel.name.startswith(f"terrane-{version}-")


def test_importing_the_sources_explains_how_to_build(tmp_path):
    if list((ROOT / "python" / "terrane").glob("*.so")):
        pytest.skip("built in place")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run([sys.executable, "-c", "import terrane"], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert "pip install ." in done.stderr
