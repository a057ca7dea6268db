"""Fixtures for all tests: small worlds, and matplotlib without a display."""

import os

os.environ.setdefault("MPLBACKEND", "Agg")

import pytest  # noqa: E402

import terrane  # noqa: E402


@pytest.fixture(scope="session")
def island_file(tmp_path_factory):
    """A map as a file, for the native program and for Python."""
    file = tmp_path_factory.mktemp("maps") / "island.map"
    terrane.generate("island", size=128, seed=7).save(file)
    return file


@pytest.fixture
def island():
    return terrane.generate("island", size=128, seed=7)


@pytest.fixture
def rooms():
    return terrane.generate("rooms", size=64, seed=3)
