"""Tests of path databases, subdivisions, crowds, meshes and drawings."""

import numpy
import pytest

import terrane


def test_path_databases_are_built_saved_opened_and_walked(tmp_path, rooms):
    reported = []
    database = terrane.PathDatabase.build(rooms, "walker", threads=2, progress=reported.append)
    assert reported[-1] == 1 and reported == sorted(reported) and database.nodes == rooms.count("ground") and database.encoding == "walk"
    database.save(tmp_path / "rooms.pathdb")
    terrane.PathDatabase.build(rooms, "walker", threads=1).save(tmp_path / "again.pathdb")
    assert (tmp_path / "rooms.pathdb").read_bytes() == (tmp_path / "again.pathdb").read_bytes()
    opened = terrane.PathDatabase.open(tmp_path / "rooms.pathdb", rooms, "walker", check_all=True)

    start, goal = (2, 2), (60, 61)
    planner = terrane.Planner(rooms)
    best = planner.find(start, goal, "walker", "astar")
    cell, cells = start, [start]
    while cell != goal:
        dx, dy = opened.first_move(cell, goal)
        cell = (cell[0] + dx, cell[1] + dy)
        cells.append(cell)
    assert rooms.path_cost(cells, "walker") == best.cost
    assert opened.first_move(start, start) is None

    rooms.prepare("walker", "cpd", database=opened)
    assert planner.find(start, goal, "walker", "cpd").cost == best.cost
    x, y = best.cells[len(best) // 2]
    rooms.fill((x - 1, y - 1, 3, 3), "wall")  # the map has changed since
    for method in ("cpd", "cpd/nosp", "cpd/focal", "cpd/branching"):
        path = planner.find(start, goal, "walker", method, bound=1.05)
        least = planner.find(start, goal, "walker", "astar").cost
        assert least <= path.cost <= 1.05 * least and rooms.path_cost(path, "walker") == path.cost
    with pytest.raises(terrane.FileError, match="another map"):
        terrane.PathDatabase.open(tmp_path / "rooms.pathdb", rooms, "walker")
    few = terrane.PathDatabase.build(rooms, "walker", targets=[(2, 2)], encoding="small")
    assert few.targets == 1


def test_subdivisions_bend_paths_by_snells_law(tmp_path):
    subdivision = terrane.Subdivision.voronoi(sites=24, seed=7)
    path = subdivision.find((20, 20), (580, 580))
    assert path and path.points.base is path and path.gap < 1e-5
    assert subdivision.cost_of(path) == pytest.approx(path.cost, rel=1e-12)
    for c in subdivision.crossings(path):
        if c["normal"] != (0, 0):
            assert c["cost_from"] * numpy.sin(c["angle_from"]) == pytest.approx(c["cost_to"] * numpy.sin(c["angle_to"]), abs=1e-6)
    for method in ("grid:8", "quadtree:8", "framed:8", "bprep:32", "brep", "brep+newton"):
        other = subdivision.find((20, 20), (580, 580), method, trace=True)
        assert other.cost >= path.lower_bound and other.method == method and len(other.expanded) > 0
    subdivision.save(tmp_path / "subdivision.json")
    assert terrane.Subdivision.load(tmp_path / "subdivision.json").find((20, 20), (580, 580)).cost == path.cost
    for number in range(len(subdivision)):
        subdivision.set_cost(number, None)
    assert numpy.isinf(subdivision.costs).all() and subdivision.find((20, 20), (580, 580)).status == "blocked start"
    squares = terrane.Subdivision([(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)], [[0, 1, 4, 5], [1, 2, 3, 4]], [1, 2])
    assert squares.find((0, 0.5), (2, 0.5)).cost == pytest.approx(3) and squares.locate((1.5, 0.5)) == 1 and squares.locate((9, 9)) is None
    sites = terrane.Subdivision.from_sites([(1, 1), (3, 1)], [1, None], (0, 0), (4, 2))
    assert sites.costs.tolist() == [1, numpy.inf] and sites.bounds == (0, 0, 4, 2)
    island = terrane.Subdivision.from_world(terrane.generate("island", size=64, seed=7), "deer", tolerance=1)
    assert len(island) > 10


@pytest.mark.parametrize("method", ["replan", "whca:8", "cpra:8", "pibt", "lacam", "swarm", "replan+flow"])
def test_crowds_never_collide(method, rooms):
    crowd = terrane.Crowd(rooms, ["walker", {"ground": 2, "otherwise": None}], method)
    crowd.spawn(24, seed=5)
    first = crowd.positions
    frames = crowd.run(400)
    assert frames.shape[1:] == (24, 2) and (frames[0] == first).all() and (frames[-1] == crowd.positions).all()
    steps = numpy.abs(numpy.diff(frames, axis=0)).max(axis=2)
    assert steps.max() == 1 and all(len(numpy.unique(frame, axis=0)) == 24 for frame in frames)
    metrics = crowd.metrics
    assert metrics["faults"] == 0 and metrics["at_goal"] >= 20 and metrics["ticks"] == len(frames) - 1 == crowd.ticks
    if method in ("pibt", "lacam"):
        assert (crowd.positions == crowd.goals).all() and crowd.all_arrived
    assert (crowd.flow is not None) == ("flow" in method)
    again = terrane.Crowd(rooms, ["walker", {"ground": 2, "otherwise": None}], method)
    again.spawn(24, seed=5)
    assert (again.run(400) == frames).all()


def test_budgets_limit_the_expansions_of_a_tick(rooms):
    def first_tick(budget):
        crowd = terrane.Crowd(rooms, "walker", "swarm", budget=budget)
        crowd.spawn(60, seed=5)
        crowd.tick()
        return crowd.metrics["expansions"]

    assert 0 < first_tick(100) == first_tick(100) <= 100 < first_tick(0)
    with pytest.raises(terrane.BadValue, match="'pibt' has no budget"):
        terrane.Crowd(rooms, "walker", "pibt", budget=30)


def test_goals_can_be_changed_and_agents_removed(rooms):
    free = numpy.argwhere(rooms.cells == 0)[:, ::-1]
    crowd = terrane.Crowd(rooms, "walker", lifelong=True)
    agents = crowd.add_many(free[:10], free[-10:])
    assert agents.tolist() == list(range(10))
    crowd.tick(3)
    assert crowd.set_goal(0, free[50]) and crowd.goals[0].tolist() == free[50].tolist()
    assert crowd.remove(1) and not crowd.remove(1) and crowd.positions[1].tolist() == [-1, -1]
    crowd.run(300)
    assert crowd.metrics["arrivals"] > 10


@pytest.mark.skipif(not hasattr(terrane, "Navmesh"), reason="built without Recast and Detour")
def test_navmeshes(tmp_path):
    mesh = terrane.Navmesh.level(rooms=3, storeys=2, seed=2)
    path = mesh.find((5, 0, 5), (25, 5, 25))
    assert path and path.points.shape[1] == 3 and path.cost == pytest.approx(path.length)
    assert mesh.find((5, 0, 5), (25, 5, 25), method="dta").length >= 0.99 * path.length
    mesh.save(tmp_path / "level.navmesh")
    assert terrane.Navmesh.load(tmp_path / "level.navmesh").find((5, 0, 5), (25, 5, 25)).cost == path.cost
    assert mesh.find((500, 0, 5), (25, 5, 25)).status == "outside the map"
    assert mesh.triangles.shape[1:] == (3, 3) and mesh.regions <= mesh.polygons and "ladder" in mesh.areas
    (tmp_path / "floor.obj").write_text("v 0 0 0\nv 20 0 0\nv 20 0 20\nv 0 0 20\nf 1 4 3 2\n")
    assert terrane.Navmesh.from_obj(tmp_path / "floor.obj", cell_size=0.5).find((2, 0, 2), (18, 0, 18))
    with pytest.raises(terrane.BadValue, match="vertex 7"):
        terrane.Navmesh.build([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 1, 7]])
    with pytest.raises(terrane.BadValue, match="no option 'cellsize'"):
        terrane.Navmesh.from_obj(tmp_path / "floor.obj", cellsize=1)


def test_drawings(tmp_path, island):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    to_hex = pytest.importorskip("matplotlib.colors").to_hex
    path = terrane.Planner(island).find((30, 60), (90, 70), "deer", "dta:16+any_angle")
    ax = terrane.draw.world(island, legend=True)
    for again in (
        terrane.draw.regions(island, ax=ax),
        terrane.draw.path(path, ax=ax, label="deer"),
        terrane.draw.path(path, ax=ax, polyline=True),
        terrane.draw.heat(island.expansion_order((30, 60), (90, 70), "deer"), ax=ax),
        terrane.draw.heat(island.lengths_from((30, 60), "deer"), ax=ax),
    ):
        assert again is ax
    colours = [line.get_color() for line in ax.lines if line.get_linestyle() == "-"]
    assert colours == [colour for _, colour in terrane.creature_colours()[:2]]  # each path has its own
    terrane.draw.path(path, ax=ax, colour="#123456")
    assert ax.lines[-1].get_color() == "#123456"
    before = len(ax.lines)
    terrane.draw.path(terrane.Planner(island).find((30, 60), (900, 70), "deer"), ax=ax)
    assert len(ax.lines) == before  # no path, no line
    ax.figure.savefig(tmp_path / "island.png")
    subdivision = terrane.Subdivision.voronoi(sites=12, seed=3, blocked=20)
    terrane.draw.path(subdivision.find((20, 20), (580, 580)), ax=terrane.draw.subdivision(subdivision)).figure.savefig(tmp_path / "subdivision.png")
    crowd = terrane.Crowd(island, "person", "replan+flow")
    crowd.spawn(20)
    frames = crowd.run(40)
    ax = terrane.draw.crowd(crowd, positions=frames[10])
    assert to_hex(ax.collections[-1].get_facecolors()[0]) == terrane.creature_colours()[0][1]
    terrane.draw.flow(crowd, ax=ax).figure.savefig(tmp_path / "crowd.png")
    with pytest.raises(ValueError, match=r"\+flow"):
        terrane.draw.flow(terrane.Crowd(island, "person"))
    assert all((tmp_path / f"{name}.png").stat().st_size > 2000 for name in ("island", "subdivision", "crowd"))
    pyplot.close("all")
