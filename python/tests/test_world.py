import numpy
import pytest

import terrane


def drawn(*rows):
    """A world from a drawing: '.' grass, '#' rock."""
    return terrane.World(numpy.array([[".#".index(c) for c in row] for row in rows], numpy.uint8), terrains=["grass", "rock"])


def test_cells_round_trip():
    cells = numpy.random.default_rng(1).integers(0, 19, (70, 45)).astype(numpy.uint8)
    world = terrane.World(cells)
    assert world.shape == (70, 45) and (world.width, world.height) == (45, 70)
    assert (world.cells == cells).all()
    assert (numpy.asarray(world) == cells).all()
    assert world.count("lava") == (cells == world.terrains.index("lava")).sum()


def test_the_array_is_not_changed_or_held():
    cells = numpy.zeros((40, 40), numpy.uint8)
    world = terrane.World(cells, terrains=["grass", "rock"])
    cells[:] = 1
    assert world.count("rock") == 0
    copy = world.cells
    copy[:] = 1
    assert world.count("rock") == 0 and world.version == 0


@pytest.mark.parametrize("make", [lambda a: a.T, lambda a: a[::2, ::3], lambda a: numpy.asfortranarray(a), lambda a: a.astype(bool), lambda a: memoryview(a)])
def test_any_array_layout_is_accepted(make):
    cells = make(numpy.random.default_rng(2).integers(0, 2, (33, 50)).astype(numpy.uint8))
    assert (terrane.World(cells, terrains=["a", "b"]).cells == numpy.asarray(cells)).all()


def test_indexing_is_rows_first_and_points_are_x_y():
    world = drawn("....", "..#.", "....")
    assert world[1, 2] == 1 and world.at((2, 1)) == "rock" and world.at((1, 2)) == "grass"
    assert world[-2, -2] == 1
    assert world[0:2, 1:3].tolist() == [[0, 0], [0, 1]]
    assert world[1].tolist() == [0, 0, 1, 0] and world[:, 2].tolist() == [0, 1, 0]
    assert world.at((9, 9)) is None
    with pytest.raises(IndexError, match="rows come first"):
        world[3, 0]


def test_edits_report_their_effects():
    world = drawn("....", "....", "....")
    edit = world.set((3, 1), "rock")
    assert (edit.cells_changed, edit.version, edit.bounds) == (1, 1, (3, 1, 1, 1))
    assert world.set((3, 1), 1).cells_changed == 0 and world.version == 1
    edit = world.fill((2, 0, 7, 2), "rock")
    assert (edit.cells_changed, edit.cells_outside) == (3, 10)
    for empty in ((1, 1, 0, 1), (1, 1, -1, 3), (3, 2, 2, -(2**31))):
        edit = world.fill(empty, "rock")
        assert (edit.cells_changed, edit.cells_outside, edit.bounds) == (0, 0, None)
    world[0:2, 0:2] = numpy.array([[1, 0], [255, 1]], numpy.uint8)  # 255 leaves a cell unchanged
    assert world[0:2, 0:2].tolist() == [[1, 0], [0, 1]]
    world[2, :] = "rock"
    assert world[2].tolist() == [1, 1, 1, 1]
    assert world.apply([(0, 2), (1, 2)], ["grass", 0]).cells_changed == 2
    assert world.apply(numpy.array([[3, 2]]), "grass").cells_changed == 1
    assert world.apply([], "rock").cells_changed == 0


def test_edited_regions_equal_rebuilt_ones(island):
    generator = numpy.random.default_rng(3)
    for _ in range(20):
        x, y = generator.integers(0, 120, 2)
        island.edit(generator.integers(0, 19, (5, 7)).astype(numpy.uint8), at=(x, y))
    rebuilt = terrane.World(island.cells)
    for part in ("cells", "centres", "terrains", "edges"):
        assert (island.regions(16)[part] == rebuilt.regions(16)[part]).all()


def test_files_round_trip(tmp_path, island):
    for name in ("a.map", "a.terrane"):
        island.save(tmp_path / name)
        again = terrane.load(tmp_path / name)
        assert (again.cells == island.cells).all() and again.terrains[:16] == island.terrains[:16]
    assert (terrane.loads(island.to_bytes(), sectors=(8, 16)).cells == island.cells).all()
    island.prepare("deer", "overlay:2")
    again = terrane.loads(island.to_bytes())
    assert terrane.Planner(again).find((12, 20), (35, 26), "deer").method == "overlay:2"
    own = terrane.World(numpy.eye(9, dtype=numpy.uint8), terrains=["moss", ("brick", (200, 80, 60))])
    own.save(tmp_path / "own.map")
    assert terrane.load(tmp_path / "own.map").terrains == ("moss", "brick")
    assert own.colours[1].tolist() == [200, 80, 60]


@pytest.mark.parametrize(
    "kind, options",
    [("island", {"merge": 20}), ("rooms", {"room": 8, "doors": 90}), ("maze", {"corridor": 2}), ("random", {"density": 30, "fill_isolated": False}),
     ("scatter", {"terrains": 4}), ("voronoi", {"sites": 12, "terrains": 5})],
)  # fmt: skip
def test_every_generator(kind, options):
    world = terrane.generate(kind, size=(64, 48), seed=5, **options)
    assert world.shape == (48, 64)
    assert (world.cells == terrane.generate(kind, size=(64, 48), seed=5, **options).cells).all()
    assert (world.cells != terrane.generate(kind, size=(64, 48), seed=6, **options).cells).any()


@pytest.mark.parametrize("kind, side", [("island", 1024), ("rooms", 512), ("maze", 512), ("random", 512), ("scatter", 512), ("voronoi", 512)])
def test_generators_have_the_defaults_of_the_library(kind, side):
    world = terrane.generate(kind)
    assert world.shape == (side, side)
    assert (world.cells == terrane.generate(kind, size=side, seed=1).cells).all()


def test_scenarios(tmp_path):
    file = tmp_path / "two.scen"
    file.write_text("version 1\n0\tx.map\t8\t8\t1\t1\t6\t1\t5\n1\tx.map\t8\t8\t0\t0\t7\t7\t9.89949493\n")
    scenario = terrane.load_scenario(file)
    world = terrane.World(numpy.zeros((8, 8), numpy.uint8), terrains="octile")
    paths = terrane.Planner(world).find_many(scenario.starts, scenario.goals, "walker", "astar")
    lengths = [world.exact_cost(path, "walker") for path in paths]
    assert numpy.allclose(lengths, scenario.lengths, atol=1e-6)
    assert len(scenario) == 2 and scenario.buckets.tolist() == [0, 1] and scenario.maps == ["x.map", "x.map"]
