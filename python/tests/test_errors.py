"""Every invalid argument raises an exception with a helpful message."""

import math

import numpy
import pytest

import terrane

GRASS = numpy.zeros((8, 8), numpy.uint8)


@pytest.fixture
def world():
    return terrane.World(GRASS, terrains=["grass", "rock"])


@pytest.mark.parametrize(
    "cells, exception, message",
    [
        (GRASS.astype(int), TypeError, r"got int64: use .astype\(numpy.uint8\)"),
        (GRASS.astype(float), TypeError, "uint8"),
        (numpy.zeros(8, numpy.uint8), terrane.BadValue, "two dimensions"),
        (numpy.zeros((2, 2, 2), numpy.uint8), terrane.BadValue, "two dimensions"),
        (numpy.zeros((0, 5), numpy.uint8), terrane.BadValue, "at least one row"),
        (numpy.zeros((5, 0), numpy.uint8), terrane.BadValue, "at least one row"),
        (numpy.zeros((40000, 1), numpy.uint8), terrane.BadValue, "more than 32768"),
        (numpy.full((2, 3), 7, numpy.uint8), terrane.BadValue, r"cells\[0, 0\] is 7, but there are 2 terrains"),
        ("abc", TypeError, "uint8"),
        (None, TypeError, "uint8"),
    ],
)
def test_invalid_cells(cells, exception, message):
    with pytest.raises(exception, match=message):
        terrane.World(cells, terrains=["grass", "rock"])


@pytest.mark.parametrize(
    "terrains, message",
    [([], "at least one"), (["a", "a"], "a"), (["Bad Name"], "Bad Name"), ("martian", "standard"), ([3], "names"), (["x"] * 300, "x"), (7, "list")],
)
def test_invalid_terrains(terrains, message):
    with pytest.raises((terrane.BadValue, TypeError), match=message):
        terrane.World(GRASS, terrains=terrains)


@pytest.mark.parametrize("sectors", [(3,), (200,), (16, 16), ("mp",), 2.5, None])
def test_invalid_sectors(sectors):
    with pytest.raises((terrane.BadValue, TypeError), match="sector"):
        terrane.World(GRASS, terrains=["grass"], sectors=sectors)


@pytest.mark.parametrize(
    "profile, exception, message",
    [
        ({"rock": -1}, terrane.BadValue, "'rock' is -1; costs are from 0.01 to 650"),
        ({"rock": math.nan}, terrane.BadValue, "nan"),
        ({"rock": 0}, terrane.BadValue, "None is blocked"),
        ({"rock": 0.005}, terrane.BadValue, "hundredths"),
        ({"rock": 1000}, terrane.BadValue, "650"),
        ({"rock": "high"}, TypeError, "None for blocked"),
        ({"rock": True}, TypeError, "number"),
        ({"lava": 2}, terrane.BadValue, "no terrain .lava.; it has grass, rock"),
        ({3: 2}, TypeError, "names of terrains"),
        ("dragon", terrane.BadValue, "person, deer"),
        (17, TypeError, "a profile must be a dict"),
        (None, TypeError, "a profile must be a dict"),
    ],
)
def test_invalid_profiles(world, profile, exception, message):
    with pytest.raises(exception, match=message):
        terrane.Planner(world).find((0, 0), (7, 7), profile)


@pytest.mark.parametrize(
    "start, exception, message",
    [
        ("ab", TypeError, r"\(x, y\)"),
        ((1, 2, 3), TypeError, r"\(x, y\)"),
        ((1.5, 2), TypeError, "integer"),
        (None, TypeError, r"\(x, y\)"),
        ((2**40, 0), terrane.BadValue, "start"),
    ],
)
def test_invalid_starts(world, start, exception, message):
    with pytest.raises(exception, match=message):
        terrane.Planner(world).find(start, (7, 7), {})


@pytest.mark.parametrize(
    "options, message",
    [
        ({"method": "dta:1000"}, "dta"),
        ({"method": "astra"}, "astra"),
        ({"movement": "six"}, "'eight', 'cutting' or 'four'"),
        ({"max_expansions": -1}, "max_expansions"),
        ({"bound": 0.5, "method": "overlay:2"}, "from 1 to 100"),
        ({"bound": math.nan}, "from 1 to 100"),
        ({"bound": 1.1, "method": "astar"}, "overlay or cpd"),
    ],
)
def test_invalid_options(world, options, message):
    with pytest.raises(terrane.BadValue, match=message):
        terrane.Planner(world).find((0, 0), (7, 7), {}, **options)


def test_nearest_needs_regions():
    with pytest.raises(terrane.BadValue, match="sectors"):
        terrane.Planner(terrane.World(GRASS, terrains=["grass"], sectors=())).find((0, 0), (7, 7), {}, nearest=True)


def test_batches_of_different_lengths(world):
    planner = terrane.Planner(world)
    with pytest.raises(terrane.BadValue, match="2 starts, but 3 goals"):
        planner.find_many([(0, 0), (1, 1)], [(2, 2)] * 3, {})
    with pytest.raises(terrane.BadValue, match=r"shape \(2, 3\)"):
        planner.find_many(numpy.zeros((2, 3), int), (1, 1), {})
    with pytest.raises(TypeError, match=r"astype\(int\)"):
        planner.find_many(numpy.zeros((2, 2)), (1, 1), {})
    assert planner.find_many([], [], {}) == []
    assert planner.find_many(numpy.zeros((0, 2), int), numpy.zeros((0, 2), int), {}) == []


def test_invalid_edits(world):
    for wrong in (lambda: world.set((0, 0), "lava"), lambda: world.fill((0, 0, 1, 1), 2), lambda: world.edit(numpy.full((2, 2), 9, numpy.uint8))):
        with pytest.raises(terrane.BadValue):
            wrong()
    with pytest.raises(IndexError, match="8 x 8"):
        world.set((8, 0), "rock")
    with pytest.raises(TypeError, match="x, y, width, height"):
        world.fill((0, 0), "rock")
    with pytest.raises(terrane.BadValue, match="shape"):
        world[0:2, 0:2] = numpy.zeros((3, 3), numpy.uint8)
    with pytest.raises(terrane.BadValue, match="2 cells, but 1 terrain"):
        world.apply([(0, 0), (1, 1)], ["rock"])
    with pytest.raises(terrane.BadValue, match="far off"):
        world.edit(numpy.ones((2, 2), numpy.uint8), at=(2**31 - 2, 0))
    with pytest.raises(terrane.BadValue, match="rect"):
        world.fill((0, 0, 2**31, 4), "rock")
    assert world.version == 0
    assert world.fill((-(2**30), -(2**30), 2**31 - 1, 2**31 - 1), "grass").cells_outside == (2**31 - 1) ** 2 - 64


def test_masks_and_steps_name_what_to_use_instead(world):
    mask = numpy.zeros((8, 8), bool)
    mask[2, 5] = mask[6, 1] = True
    for wrong in (lambda: world[mask], lambda: world.__setitem__(mask, "rock"), lambda: world[mask[0], 3]):
        with pytest.raises(TypeError, match=r"(?s)got array.*world.cells\[mask\].*world.apply\(numpy.argwhere\(mask\)\[:, ::-1\], terrain\)"):
            wrong()
    with pytest.raises(TypeError, match="integers or slices; got 'a'"):
        world["a"]
    for wrong in (lambda: world[::2], lambda: world.__setitem__((0, slice(None, None, 3)), "rock")):
        with pytest.raises(terrane.BadValue, match=r"cannot have a step: .*world.cells.*world.apply\(cells, terrain\)"):
            wrong()
    with pytest.raises(TypeError, match=r"array of bool: numpy.argwhere\(mask\)"):
        world.apply(mask, "rock")
    with pytest.raises(TypeError, match="must be an integer; got "):
        terrane.generate("maze", size=32, seed=numpy.array([1, 2]))
    assert world.version == 0
    assert world.apply(numpy.argwhere(mask)[:, ::-1], "rock").cells_changed == 2  # as the message says
    assert (world.cells == mask).all()


def test_file_errors_have_file_and_line(tmp_path):
    with pytest.raises(terrane.FileError, match="no.map") as caught:
        terrane.load(tmp_path / "no.map")
    assert caught.value.code == "cannot_open" and isinstance(caught.value, OSError)
    bad = tmp_path / "bad.map"
    bad.write_text("type octile\nheight 2\nwidth 3\nmap\n...\n..\n")
    with pytest.raises(terrane.FileError, match="bad.map:6") as caught:
        terrane.load(bad)
    assert (caught.value.file, caught.value.line) == (str(bad), 6)
    with pytest.raises(terrane.Error, match="line 6"):
        terrane.loads(bad.read_text())
    with pytest.raises(terrane.Error, match="png"):
        terrane.World(GRASS, terrains=["grass"]).save(tmp_path / "map.png")


def test_generators_name_their_options():
    with pytest.raises(terrane.BadValue, match="no option 'room'; it takes size, seed, sectors, threads, corridor"):
        terrane.generate("maze", size=32, room=3)
    with pytest.raises(terrane.BadValue, match="island, rooms"):
        terrane.generate("moon")
    with pytest.raises(terrane.Error):
        terrane.generate("island", size=3)


def test_invalid_preparations(rooms):
    with pytest.raises(terrane.BadValue, match="nothing to prepare"):
        rooms.prepare("walker", "astar")
    database = terrane.PathDatabase.build(rooms, "walker")
    with pytest.raises(terrane.BadValue, match="another profile"):
        rooms.prepare({"ground": 2, "otherwise": None}, "cpd", database=database)
    with pytest.raises(terrane.BadValue, match="map size"):
        terrane.generate("rooms", size=32).prepare("walker", "cpd", database=database)
    with pytest.raises(terrane.BadValue, match="for cpd"):
        rooms.prepare("walker", "minimal_memory:16", database=database)


def test_crowds_report_why_an_agent_cannot_be_added(rooms):
    crowd = terrane.Crowd(rooms, "walker")
    free = numpy.argwhere(rooms.cells == 0)[:, ::-1]
    crowd.add(free[0], free[1])
    for at, goal, message in [(free[0], free[1], "occupied"), ((0, 0), free[1], "blocked"), ((99, 0), free[1], "outside the map"), (free[2], (0, 99), "goal")]:
        with pytest.raises(terrane.BadValue, match=message):
            crowd.add(at, goal)
    with pytest.raises(terrane.BadValue, match="whca"):
        terrane.Crowd(rooms, "walker", "whca:x")
    with pytest.raises(terrane.BadValue, match="sectors"):
        terrane.Crowd(terrane.World(GRASS, terrains=["grass"], sectors=()), {})


def test_subdivisions_report_what_is_wrong():
    with pytest.raises(terrane.BadValue):
        terrane.Subdivision([(0, 0), (1, 0), (0, 1)], [[0, 2, 1]], [1])  # clockwise
    with pytest.raises(terrane.BadValue, match="more than 0"):
        terrane.Subdivision([(0, 0), (1, 0), (0, 1)], [[0, 1, 2]], [-1])
    with pytest.raises(terrane.BadValue, match="as many costs"):
        terrane.Subdivision([(0, 0), (1, 0), (0, 1)], [[0, 1, 2]], [])
    subdivision = terrane.Subdivision.voronoi()
    with pytest.raises(terrane.BadValue, match="finite"):
        subdivision.find((0, math.nan), (1, 1))
    with pytest.raises(terrane.BadValue, match="brep"):
        subdivision.find((0, 0), (1, 1), "snell")
    assert subdivision.find((-5, -5), (10, 10)).status == "outside the map"


CLASSES = sorted((c for c in vars(terrane._terrane).values() if isinstance(c, type)), key=lambda c: c.__name__)


@pytest.mark.parametrize("owner", CLASSES, ids=lambda c: c.__name__)
def test_an_object_that_was_never_initialised_raises(owner):
    uninitialised = owner.__new__(owner)
    properties = [name for name, value in vars(owner).items() if isinstance(value, property)]
    for name in properties:
        with pytest.raises(TypeError, match="never initialised"):
            getattr(uninitialised, name)
    if "__repr__" in vars(owner):
        with pytest.raises(TypeError, match="never initialised"):
            repr(uninitialised)


def test_all_classes_are_tested():
    assert {"World", "Planner", "Edit", "PathDatabase", "Path", "Crowd", "Subdivision"} <= {c.__name__ for c in CLASSES}


def test_empty_batches_return_empty_lists(world):
    planner = terrane.Planner(world)
    for starts, goals in [([], []), ([], (3, 3)), ((3, 3), []), ([], [(3, 3)]), (numpy.zeros((0, 2), int), [])]:
        assert planner.find_many(starts, goals, {"rock": None}) == []
    with pytest.raises(terrane.BadValue, match="0 starts, but 2 goals"):
        planner.find_many([], [(1, 1), (2, 2)], {"rock": None})


def test_an_empty_list_of_goals_is_refused(world):
    with pytest.raises(terrane.BadValue, match="goals is empty"):
        world.find_nearest((1, 1), [], {"rock": None})


@pytest.mark.skipif(not hasattr(terrane, "Navmesh"), reason="built without navigation meshes")
def test_the_plural_of_vertex():
    vertices = numpy.array([[0, 0, 0], [9, 0, 0], [0, 0, 9]], float)
    with pytest.raises(terrane.BadValue, match="3 vertices"):
        terrane.Navmesh.build(vertices, numpy.array([[0, 1, 7]]))
