import gc
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import terrane

ENDS = (30, 60), (90, 70)
# Each method of methods() at least once, and the variants that must be prepared.
METHODS = [
    "astar", "canonical", "wastar:1.5", "focal:1.2", "nbs", "dijkstra", "greedy", "jps", "jpsw", "regions:16", "dta:16", "dta:16/nbs", "dta:16+trim+smooth", "dta:16+exact",
    "astar+landmarks:4",
    "minimal_memory:16", "minimal_memory:16+trim+smooth", "hpa:16", "pra:inf", "pra:4", "overlay:2", "overlay:2+optimal", "cpd",
    "cpd/branching", "overlay:2+any_angle",
]  # fmt: skip


def prepare_for(world, profile, method):
    if method.split(":")[0].split("/")[0].split("+")[0] in ("minimal_memory", "hpa", "pra", "overlay", "cpd") or "+exact" in method or "+landmarks" in method:
        world.prepare(profile, method.replace("+any_angle", "").replace("/branching", ""))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_by_name_is_legal_and_within_its_bound(method):
    world = terrane.generate("island", size=48, seed=7)
    start, goal = (12, 20), (35, 26)
    profile = {} if method == "jps" else "person"  # jps requires one cost
    prepare_for(world, profile, method)
    planner = terrane.Planner(world)
    best = planner.find(start, goal, profile, "astar")
    path = planner.find(start, goal, profile, method)
    assert path and path.status == "found" and path.method.startswith(method.split("+")[0])
    assert path.cells.dtype == numpy.int32 and path.cells.shape == (len(path), 2)
    assert tuple(path.cells[0]) == start and tuple(path.cells[-1]) == goal
    assert world.path_cost(path, profile) == path.cost == world.path_cost(path.cells, profile)
    assert best.cost <= path.cost <= path.bound * best.cost * (1 + 1e-12)
    assert path.length == path.cost / terrane.COST_PER_UNIT
    if "any_angle" in method:
        assert len(path.polyline) >= 2 and path.polyline_cost <= world.exact_cost(path, profile) * (1 + 1e-9)


def test_all_methods_are_tested():
    assert {m["name"] for m in terrane.methods()} == {m.split(":")[0].split("/")[0].split("+")[0] for m in METHODS}


@pytest.mark.parametrize("method", ["astar", "wastar:1.5", "nbs", "dta:16", "dta:16+trim+smooth", "minimal_memory:16", "hpa:16", "pra:inf", "overlay:2"])
def test_the_native_program_gives_the_same_answer(method, island_file):
    program = os.environ.get("TERRANE_PROGRAM", "")
    if not program:
        pytest.skip("TERRANE_PROGRAM names no program")
    arguments = ["path", island_file, "--from", "30,60", "--to", "90,70", "--profile", "person", "--method", method, "--json", "-"]
    native = json.loads(subprocess.run([program, *arguments], check=True, capture_output=True).stdout)["answers"][0]
    world = terrane.load(island_file)
    prepare_for(world, "person", method)
    path = terrane.Planner(world).find(*ENDS, "person", method)
    assert (native["cost_cells"], native["bound"], native["expansions"]) == (path.length, path.bound, path.expansions)
    assert native["path"] == path.cells.tolist()


def test_cells_are_the_paths_own_memory(island):
    path = terrane.Planner(island).find(*ENDS, "person")
    cells = path.cells
    assert cells.base is path and not cells.flags.writeable and not cells.flags.owndata
    assert cells.__array_interface__["data"] == path.cells.__array_interface__["data"]
    expected = cells.tolist()
    del path
    gc.collect()
    assert cells.tolist() == expected  # the array keeps the path alive


def test_a_planner_keeps_its_world_alive():
    planner = terrane.Planner(terrane.generate("rooms", size=64, seed=3))
    gc.collect()
    assert planner.find((2, 2), (60, 61), "walker")


def test_a_missing_path_is_not_an_exception(rooms):
    planner = terrane.Planner(rooms)
    for start, goal, status in [((2, 2), (200, 2), "outside the map"), ((0, 0), (2, 2), "blocked start"), ((2, 2), (0, 0), "blocked goal")]:
        path = planner.find(start, goal, "walker")
        assert not path and path.status == status and path.cells.shape == (0, 2)
    assert planner.find((2, 2), (60, 61), "walker", "dta:32").status == "not prepared"
    assert planner.find((2, 2), (60, 61), "walker", "astar", max_expansions=10).status == "budget spent"
    near = planner.find((2, 2), (0, 0), "walker", nearest=True)
    assert near.status == "partial" and len(near) > 0 and not near


def test_slices_give_the_same_answer(island):
    planner = terrane.Planner(island)
    for method in ("astar", "dta:16", "dta:16+trim+smooth"):
        whole = planner.find(*ENDS, "deer", method)
        planner.begin(*ENDS, "deer", method)
        seen, slices = 0, 0
        while planner.run(50) == "budget spent":
            ready = planner.ready
            assert len(ready) >= seen and ready.tolist() == whole.cells[: len(ready)].tolist()
            seen, slices = len(ready), slices + 1
        path = planner.path()
        assert (path.cost, path.expansions, path.cells.tolist()) == (whole.cost, whole.expansions, whole.cells.tolist())
        assert slices > 2 and path.expansions_first <= path.expansions and 0 < path.first_segment <= len(path)
    fresh = terrane.Planner(island)
    with pytest.raises(RuntimeError, match="begin"):
        fresh.run(10)
    assert len(fresh.ready) == 0


def questions(world, profile, count, seed):
    costs = terrane.Profile(profile).costs(world)
    free = numpy.argwhere(numpy.isin(world.cells, [i for i, name in enumerate(world.terrains) if costs[name] is not None]))[:, ::-1]
    generator = numpy.random.default_rng(seed)
    return generator.choice(free, count), generator.choice(free, count)


def test_batches_are_the_same_for_any_number_of_threads(island):
    starts, goals = questions(island, "person", 60, 1)
    planner = terrane.Planner(island)
    alone = [planner.find(s, g, "person", "dta:16") for s, g in zip(starts, goals)]
    for threads in (1, 2, 5, 0):
        paths = planner.find_many(starts, goals, "person", "dta:16", threads=threads)
        for one, other in zip(alone, paths):
            assert (one.status, one.cost, one.expansions) == (other.status, other.cost, other.expansions)
            assert (one.cells == other.cells).all()
    assert [p.status for p in planner.find_many(starts[:5], goals[0], "person", "dta:16+exact")] == ["not prepared"] * 5
    assert all(p.method == "regions:16" for p in planner.find_many(starts[:5], goals[0], "person", "dta:16+exact", fallback=True))
    island.prepare("person", "dta:16+exact")
    exact = planner.find_many(starts[:5], goals[0], "person", "dta:16+exact")
    assert [p.cost for p in exact] == [planner.find(s, goals[0], "person", "dta:16+exact").cost for s in starts[:5]]


def test_batches_run_without_the_gil():
    world = terrane.generate("island", size=512, seed=7)
    starts, goals = questions(world, "person", 40, 2)
    ticks = []
    stop = threading.Event()

    def count():
        while not stop.is_set():
            ticks.append(1)
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    before = len(ticks)
    terrane.Planner(world).find_many(starts, goals, "person", "dijkstra", threads=1)
    during = len(ticks) - before
    stop.set()
    counter.join()
    assert during > 10  # with the GIL held there would be none, or one


def test_threads_plan_while_others_edit(island):
    """Six threads search, two edit, one runs batches; every answer is legal on its version of the world, or has no path."""
    starts, goals = questions(island, "person", 200, 3)
    versions = {0: island.cells}
    lock = threading.Lock()
    answers, failures = [], []
    stop = threading.Event()

    def guarded(work):
        def run():
            try:
                work()
            except BaseException as error:  # noqa: BLE001
                failures.append(error)

        return run

    def plan(offset):
        planner = terrane.Planner(island)
        for i in range(offset, 200, 6):
            answers.append(planner.find(starts[i], goals[i], "person", "dta:16+smooth"))

    def ask_batches():
        planner = terrane.Planner(island)
        for i in range(0, 60, 20):
            paths = planner.find_many(starts[i : i + 20], goals[i : i + 20], "person", threads=2)
            assert len({p.version for p in paths if p}) <= 1  # one version for all of a batch
            answers.extend(paths)

    def edit(seed):
        generator = numpy.random.default_rng(seed)
        while not stop.is_set():
            x, y = (int(v) for v in generator.integers(0, 120, 2))
            with lock:  # so that each version can be recorded
                version = island.fill((x, y, 6, 6), int(generator.integers(2, 16))).version
                versions[version] = island.cells
            time.sleep(0.001)

    editors = [threading.Thread(target=guarded(lambda seed=seed: edit(seed))) for seed in (1, 2)]
    planners = [threading.Thread(target=guarded(lambda offset=offset: plan(offset))) for offset in range(6)] + [threading.Thread(target=guarded(ask_batches))]
    for thread in editors + planners:
        thread.start()
    for thread in planners:
        thread.join()
    stop.set()
    for thread in editors:
        thread.join()
    assert not failures and len(answers) == 260 and island.version > 3
    found = [path for path in answers if path]
    assert len(found) > 100
    for path in found[::7]:
        then = terrane.World(versions[path.version], sectors=())
        assert then.path_cost(path, "person") == path.cost


def test_a_planner_in_two_threads_is_refused():
    world = terrane.generate("island", size=512, seed=7)
    starts, goals = questions(world, "person", 40, 2)
    planner = terrane.Planner(world)
    batch = threading.Thread(target=lambda: planner.find_many(starts, goals, "person", "dijkstra", threads=1))
    batch.start()
    refused = 0
    while batch.is_alive():
        try:
            planner.find((0, 0), (0, 0), "person")
        except RuntimeError as error:
            assert "another thread" in str(error)
            refused += 1
        time.sleep(0.001)
    batch.join()
    assert refused > 0


@pytest.mark.parametrize(
    "call", ["planner.find_many(s, g, 'walker', 'dijkstra', threads=2)", "terrane.PathDatabase.build(world, 'walker', threads=1)"]
)
def test_ctrl_c_is_answered(call):
    script = (
        "import numpy, terrane\n"
        "world = terrane.generate('rooms', size=160, seed=7)\n"
        "planner = terrane.Planner(world)\n"
        "s = numpy.random.default_rng(1).choice(numpy.argwhere(world.cells == 0)[:, ::-1], 20000); g = s[::-1].copy()\n"
        "print('go', flush=True)\n"
        f"try:\n    while True: {call}\nexcept KeyboardInterrupt:\n    print('stopped', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "go\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "stopped\n"
    finally:
        process.kill()


def test_edits_invalidate_paths_and_watches_report_them(island):
    planner = terrane.Planner(island)
    path = planner.find(*ENDS, "person")
    watch = island.watch(path)
    assert path.still_valid(island)
    far = [(0, 0), (127, 127)]
    assert island.apply(far, "lava").broken == []
    edit = island.set(path.cells[len(path) // 2], "lava")
    assert edit.broken == [watch] and not path.still_valid(island)
    assert island.path_cost(path, "person") is None
    assert planner.find(*ENDS, "person").version == island.version
    assert island.unwatch(watch) and not island.unwatch(watch)


def test_prepared_data_is_updated_by_edits(island):
    planner = terrane.Planner(island)
    island.prepare("person", "overlay:2+lower_bounds:32")
    assert [p["method"] for p in island.prepared] == ["overlay:2+lower_bounds:32"]
    for edit in range(5):
        island.fill((40 + 3 * edit, 50, 4, 20), "swamp")
        path = planner.find(*ENDS, "person", bound=1.1)
        best = planner.find(*ENDS, "person", "astar")
        assert path.method == "overlay:2+lower_bounds:32" and best.cost <= path.cost <= path.bound * best.cost and path.bound <= 1.1
    assert island.discard("person") and not island.discard("person") and island.prepared == []
    assert planner.find(*ENDS, "person").method == "regions:16"


def test_queues_answer_the_most_urgent_first(island):
    queue = terrane.RequestQueue(island)
    starts, goals = questions(island, "person", 10, 4)
    requests = [queue.add(s, g, "person", priority=i) for i, (s, g) in enumerate(zip(starts, goals))]
    assert queue.waiting == 10
    order = []
    while queue.waiting:
        assert queue.run(200) <= 200
        order += [i for i, request in enumerate(requests) if queue.done(request) and i not in order]
    assert order == sorted(order, reverse=True) or len(set(order)) == 10
    planner = terrane.Planner(island)
    for start, goal, request in zip(starts, goals, requests):
        assert queue.take(request).cost == planner.find(start, goal, "person").cost
        assert queue.take(request) is None
    again = queue.add((0, 0), (1, 1), "person")
    assert queue.cancel(again) and not queue.cancel(again)


def test_questions(island):
    planner = terrane.Planner(island)
    best = planner.find(*ENDS, "person", "astar")
    lengths = island.lengths_from(ENDS[0], "person")
    assert lengths[ENDS[1][1], ENDS[1][0]] == best.length
    near = island.lengths_from(ENDS[0], "person", max_length=20)
    assert numpy.isinf(near).any() and (near[numpy.isfinite(near)] <= 20).all() and (near[numpy.isfinite(near)] == lengths[numpy.isfinite(near)]).all()
    shares = island.path_shares(best, "person")
    assert sum(share["cost"] for share in shares.values()) == best.cost
    area = (60, 20, 10, 10)
    through = island.find_through(*ENDS, area, "person")
    assert through.cost >= best.cost and any(60 <= x < 70 and 20 <= y < 30 for x, y in through.cells.tolist())
    road = island.find_nearest(ENDS[0], "road", "person")
    assert island.at(road.cells[-1]) == "road" and road.length == lengths[island.cells == island.terrains.index("road")].min()
    nearest = island.find_nearest(ENDS[0], [ENDS[1], tuple(road.cells[-1])], "person")
    assert nearest.cost == min(best.cost, road.cost)
    order = island.expansion_order(*ENDS, "person")
    assert (order > 0).sum() <= best.expansions and order.max() >= (order > 0).sum()
    obstacle = island.find_obstacle(*ENDS, "person")
    assert obstacle["status"] == "found" and obstacle["path"].cost == best.cost and obstacle["first"] is None


def test_memory_does_not_grow_from_query_to_query(island):
    planner = terrane.Planner(island)
    statm = pathlib.Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("no /proc")

    def resident():
        return int(statm.read_text().split()[1])

    for _ in range(300):
        planner.find(*ENDS, "person").cells
    before = resident()
    for _ in range(3000):
        planner.find(*ENDS, "person").cells
    assert resident() - before < 500  # pages: 2 MB
