"""The PEP 517 backend of pyproject.toml: builds the module with CMake and packs it into a wheel. Requires CMake, Ninja and pybind11."""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The flags of the preset `release`, so that both share a compiler cache; contract checks stay on.
FLAGS = "-O2 -g1 -DNDEBUG"


def _version():
    return re.search(r"project\(terrane VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _metadata():
    readme = (ROOT / "docs" / "python.md").read_text()
    return (
        f"Metadata-Version: 2.1\nName: terrane\nVersion: {_version()}\nSummary: Pathfinding for worlds whose terrain matters and changes\n"
        "License: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy<2\nProvides-Extra: draw\nRequires-Dist: matplotlib; extra == 'draw'\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def _build(ready):
    """Builds the module and returns the folder of the package. Uses the configured build folder `ready`, if given."""
    build = ROOT / (ready or f"build/wheel-{_tag()}")
    configure = ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", f"-DCMAKE_CXX_FLAGS_RELWITHDEBINFO={FLAGS}"]
    configure += [f"-DTERRANE_{part}=OFF" for part in ("TESTS", "CLI", "CAPI", "SAMPLES", "INSTALL")]
    configure += ["-DTERRANE_PYTHON=ON", "-DBUILD_SHARED_LIBS=OFF", f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_MODULE_LINKER_FLAGS=-s"]
    configure += shlex.split(os.environ.get("CMAKE_ARGS", ""))
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
    try:
        if not ready:
            subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", build, "--target", "terrane_python", "--parallel", jobs], check=True)
    except FileNotFoundError as missing:
        raise SystemExit(f"terrane: {missing.filename} was not found; install cmake and ninja-build, and a C++20 compiler") from None
    except subprocess.CalledProcessError:
        raise SystemExit("terrane: the build failed; it needs a C++20 compiler, Python's headers (python3-dev) and pybind11 (pybind11-dev)") from None
    return build / "python" / "terrane"


class _Wheel:
    """A wheel archive with its RECORD. Reproducible: the same files give the same bytes."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, mode=0o644):
        entry = zipfile.ZipInfo(name)  # dated 1980, so that the bytes are reproducible
        entry.external_attr = mode << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def finish(self, info):
        self.zip.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "\n".join([*self.record, f"{info}/RECORD,,"]) + "\n")
        self.zip.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = _build((config_settings or {}).get("build"))
    name = f"terrane-{_version()}-{_tag()}.whl"
    info = f"terrane-{_version()}.dist-info"
    wheel = _Wheel(pathlib.Path(wheel_directory) / name)
    for file in sorted(package.iterdir()):
        if file.suffix in (".py", ".pyi", ".so", ".typed"):
            wheel.add(f"terrane/{file.name}", file.read_bytes(), 0o755 if file.suffix == ".so" else 0o644)
    wheel.add(f"{info}/METADATA", _metadata().encode())
    wheel.add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: terrane\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode())
    wheel.finish(info)
    return name


def get_requires_for_build_wheel(config_settings=None):
    return []
