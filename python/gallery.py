#!/usr/bin/env python3
"""Reproduces figures of the papers: python3 python/gallery.py [--out DIR] [--quick] [NAME...]

Requires terrane, numpy and matplotlib. Maps are generated from seeds, so all figures but the times of cpd-ageing are the same on every
machine. `terrane bench NAME --maps DIR` uses the maps of the papers and prints their tables.
"""

import argparse
import pathlib
import sys
import time

import matplotlib

matplotlib.use("Agg")

import numpy
from matplotlib import pyplot

# Import the built package, not the sources beside this file.
sys.path[:] = [folder for folder in sys.path if pathlib.Path(folder or ".").resolve() != pathlib.Path(__file__).resolve().parent]

import terrane

COLOURS = ["#c8432f", "#2f6fb0", "#4a8f3c", "#8a5fb5", "#c98a1b", "#3f9b9b"]


def passable(world, profile):
    """The cells that are passable for a profile, as an array of (x, y)."""
    costs = terrane.Profile(profile).costs(world)
    terrains = [i for i, name in enumerate(world.terrains) if costs[name] is not None]
    return numpy.argwhere(numpy.isin(world.cells, terrains))[:, ::-1]


def problems(world, profile, count, seed=1):
    """Random connected starts and goals, with the cheapest path of each."""
    cells = passable(world, profile)
    generator = numpy.random.default_rng(seed)
    starts, goals = generator.choice(cells, 2 * count), generator.choice(cells, 2 * count)
    best = terrane.Planner(world).find_many(starts, goals, profile, "astar")
    keep = [i for i, path in enumerate(best) if path and len(path) > 1][:count]
    return starts[keep], goals[keep], [best[i] for i in keep]


def by_length(lengths, values, width):
    """The centres of the bins of path lengths, and the mean of the values in each bin."""
    bins = (numpy.asarray(lengths) // width).astype(int)
    centres = numpy.unique(bins)
    return (centres + 0.5) * width, [numpy.mean(numpy.asarray(values)[bins == b]) for b in centres]


def plain(ax, x, y, title):
    ax.set(xlabel=x, ylabel=y, title=title)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(alpha=0.25)


def uniform_rooms(quick):
    """A map as in the papers: rooms with obstacles and terrain of uniform cost."""
    return terrane.generate("rooms", size=128 if quick else 512, seed=4, room=16, doors=85)


# Sturtevant, Sigurdson, Taylor, Gibson 2019: terrain regions in sectors, their graph, and a path through it.
def dta_regions(quick):
    world = terrane.generate("island", size=128, seed=5)
    planner = terrane.Planner(world)
    start, goal = (24, 65), (69, 48)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(13, 6.6))
    terrane.draw.regions(world, 16, ax=terrane.draw.world(world, ax=left))
    for line in range(0, 129, 16):
        left.axhline(line, color="white", linewidth=0.8)
        left.axvline(line, color="white", linewidth=0.8)
    left.set_title(f"sectors of 16x16 cells: {len(world.regions(16)['centres'])} regions of one terrain")
    terrane.draw.world(world, ax=right)
    for method, colour in (("astar", COLOURS[1]), ("dta:16", COLOURS[0]), ("dta:16+smooth", "#ffd63e")):
        found = planner.find(start, goal, "deer", method)
        terrane.draw.path(found, ax=right, colour=colour, label=f"{method}: length {found.length:.1f}, {found.expansions} expansions")
    right.legend(loc="lower left", fontsize=9)
    right.set_title("the same query on cells and on regions")
    return figure


# The same paper: cost and expansions by sector size.
def dta_sectors(quick):
    sizes = [8, 16, 32, 64]
    world = terrane.generate("island", size=192 if quick else 768, seed=3, sectors=sizes)
    starts, goals, best = problems(world, "person", 40 if quick else 200)
    planner = terrane.Planner(world)
    cost, work, first = [], [], []
    for size in sizes:
        paths = planner.find_many(starts, goals, "person", f"dta:{size}")
        cost.append(numpy.mean([p.cost / b.cost for p, b in zip(paths, best)]))
        work.append(sum(p.expansions for p in paths) / sum(b.expansions for b in best))
        first.append(sum(p.expansions_first for p in paths) / sum(b.expansions for b in best))
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2))
    left.plot(sizes, cost, "o-", color=COLOURS[0])
    plain(left, "sector size in cells", "suboptimality ratio", "dta:N")
    right.plot(sizes, work, "o-", color=COLOURS[0], label="the whole path")
    right.plot(sizes, first, "s--", color=COLOURS[1], label="until the first move")
    plain(right, "sector size in cells", "expansions relative to A*", "dta:N")
    right.set_yscale("log")
    right.legend()
    for ax in (left, right):
        ax.set_xscale("log", base=2)
        ax.set_xticks(sizes, sizes)
    return figure


# Sturtevant 2007, and the slides "Abstraction in Pathfinding", 5 to 50: the abstract graph of a map in a few kilobytes.
def minimal_memory_bytes(quick):
    world = uniform_rooms(quick)
    sizes = [4, 8, 16, 32, 64]
    bytes_of = []
    for size in sizes:
        world.prepare("walker", f"minimal_memory:{size}")
        bytes_of.append(world.prepared[-1]["encoded"])
        world.discard("walker", f"minimal_memory:{size}")
    figure, ax = pyplot.subplots(figsize=(6.4, 4.2))
    ax.bar([str(s) for s in sizes], bytes_of, color=COLOURS[1])
    for i, b in enumerate(bytes_of):
        ax.annotate(f"{b:,}", (i, b), ha="center", va="bottom")
    plain(ax, "sector size in cells", "bytes", f"minimal memory: the graph of a map of {world.width} x {world.height} cells")
    return figure


# The same slides: suboptimality by path length.
def minimal_memory_suboptimality(quick):
    world = uniform_rooms(quick)
    starts, goals, best = problems(world, "walker", 120 if quick else 1500)
    lengths = [b.length for b in best]
    planner = terrane.Planner(world)
    figure, ax = pyplot.subplots(figsize=(7.4, 4.6))
    for colour, options in zip(COLOURS, ["8", "16", "32", "16+trim+standin", "16+smooth"]):
        method = f"minimal_memory:{options}"
        world.prepare("walker", method)
        paths = planner.find_many(starts, goals, "walker", method)
        ax.plot(*by_length(lengths, [p.cost / b.cost for p, b in zip(paths, best)], 32), "o-", color=colour, label=method, markersize=4)
    plain(ax, "length of the optimal path", "suboptimality ratio", "minimal memory")
    ax.legend()
    return figure


# Sturtevant, Buro 2005: PRA*(K) refines K nodes of each level at a time.
def pra_ratio(quick):
    world = uniform_rooms(quick)
    starts, goals, best = problems(world, "walker", 100 if quick else 800, seed=2)
    lengths = [b.length for b in best]
    planner = terrane.Planner(world)
    world.prepare("walker", "pra:inf")
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(12, 4.4))
    right.plot(*by_length(lengths, [b.expansions for b in best], 32), "k:", label="astar")
    for colour, method in zip(COLOURS, ["pra:2", "pra:4", "pra:8", "pra:16", "pra:inf"]):
        paths = planner.find_many(starts, goals, "walker", method)
        assert all(paths), method
        left.plot(*by_length(lengths, [p.cost / b.cost for p, b in zip(paths, best)], 32), "o-", color=colour, label=method, markersize=4)
        right.plot(*by_length(lengths, [p.expansions_first for p in paths], 32), "o-", color=colour, label=method, markersize=4)
    plain(left, "length of the optimal path", "suboptimality ratio", "PRA*(K)")
    plain(right, "length of the optimal path", "expansions until the first move", "PRA*(K)")
    right.set_yscale("log")
    left.legend()
    right.legend()
    return figure


# Bono, Gerevini, Harabor, Stuckey 2019; Shi, Harabor, Maheo: speed of a path database after edits that add obstacles.
def cpd_ageing(quick):
    edits = [0, 1, 2, 4, 8, 16, 32] if quick else [0, 1, 2, 4, 8, 16, 32, 64, 128]
    size, count = (48, 60) if quick else (128, 400)
    methods = ["cpd", "cpd/nosp", "cpd/branching"]
    speed = {method: [] for method in methods}
    world = terrane.generate("rooms", size=size, seed=6, room=16, doors=90)
    world.prepare("walker", "cpd")
    planner = terrane.Planner(world)
    generator = numpy.random.default_rng(5)
    done = 0

    def seconds(starts, goals, method):
        best = numpy.inf
        for _ in range(5):  # best of 5; the first is a warm-up
            begun = time.thread_time()  # CPU time of this thread
            paths = planner.find_many(starts, goals, "walker", method, threads=1)
            best = min(best, time.thread_time() - begun)
        return best, paths

    for total in edits:
        for _ in range(total - done):
            x, y = (int(v) for v in generator.integers(0, size - 5, 2))
            w, h = (int(v) for v in generator.integers(1, 6, 2))
            world.fill((x, y, w, h), "wall")
        done = total
        starts, goals, best = problems(world, "walker", count, seed=7)
        alone = seconds(starts, goals, "astar")[0]
        for method in methods:
            took, paths = seconds(starts, goals, method)
            assert all(p.cost <= 1.1 * b.cost * (1 + 1e-9) for p, b in zip(paths, best)), method
            speed[method].append(alone / took)
    figure, ax = pyplot.subplots(figsize=(7.4, 4.6))
    for colour, method in zip(COLOURS, methods):
        ax.plot(edits, speed[method], "o-", color=colour, label=method)
    ax.axhline(1, color="black", linestyle=":", linewidth=1)
    ax.set_yscale("log")
    ax.set_xscale("symlog", base=2, linthresh=1)
    ax.set_xticks(edits, edits)
    plain(ax, "obstacles of up to 5x5 cells added since the build", "speedup over A*", "path database on a changing map, at most 1.1 times the optimum")
    ax.legend()
    return figure


# Goodwin, Menon, Price 2006: weighted regions; paths refract by Snell's law.
def weighted_regions(quick):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(13, 6.6))
    subdivision = terrane.Subdivision.voronoi(sites=24, seed=7)
    terrane.draw.subdivision(subdivision, ax=left)
    start, goal = (20, 20), (580, 580)
    for colour, method in ((COLOURS[1], "grid:8"), (COLOURS[4], "bprep:32"), (COLOURS[0], "brep+proven")):
        found = subdivision.find(start, goal, method)
        terrane.draw.path(found, ax=left, colour=colour, label=f"{method}: cost {found.cost:.1f}, {found.expansions} expansions")
    left.legend(loc="lower right", fontsize=9)
    left.set_title("24 regions, costs 1 to 8")

    # Three slabs: Snell's law in numbers.
    slabs = terrane.Subdivision([(x, y) for x in (0, 2, 4, 6) for y in (0, 4)], [[0, 2, 3, 1], [2, 4, 5, 3], [4, 6, 7, 5]], [1, 3, 1.5])
    found = slabs.find((0.3, 0.4), (5.7, 3.6))
    terrane.draw.path(found, ax=terrane.draw.subdivision(slabs, ax=right))
    for c in slabs.crossings(found):
        x, y = c["at"]
        sines = c["cost_from"] * numpy.sin(c["angle_from"]), c["cost_to"] * numpy.sin(c["angle_to"])
        law = "\n".join(
            f"{c['cost_' + side]:g} sin {numpy.degrees(c['angle_' + side]):.1f}° = {sine:.6f}" for side, sine in zip(("from", "to"), sines)
        )
        beside = (x, y + (0.9 if y < 2 else -0.9))
        right.annotate(law, (x, y), beside, ha="center", va="center", arrowprops={"arrowstyle": "-"}, bbox={"boxstyle": "round", "fc": "white", "ec": "none"})
    right.set_title(f"Snell's law at each boundary; proven gap to the optimum {found.gap:.0e}")
    return figure


# Jansen, Sturtevant 2008 (slides 107 to 125): direction maps form lanes.
def direction_lanes(quick):
    width, height, agents = (40, 16, 24) if quick else (64, 24, 70)
    figure, axes = pyplot.subplots(2, 1, figsize=(10, 8.4))
    for ax, method in zip(axes, ("replan", "replan+flow")):
        world = terrane.World(numpy.zeros((height, width), numpy.uint8), terrains=["grass"])
        crowd = terrane.Crowd(world, {}, method)
        generator = numpy.random.default_rng(3)
        side = numpy.array([(x, y) for x in range(4) for y in range(height)])
        there = numpy.array([(width - 1 - x, y) for x, y in side])
        half = agents // 2
        crowd.add_many(generator.permutation(side)[:half], generator.permutation(there)[:half])
        crowd.add_many(generator.permutation(there)[half : 2 * half], generator.permutation(side)[half : 2 * half])
        trips, frames = 8, []
        for _ in range(trips):  # back and forth
            frames.append(crowd.run(400))
            columns = width - 1 - crowd.goals[:, 0]
            for there_now in (True, False):  # to distinct random cells of the other side
                agents_here = numpy.flatnonzero((columns < width // 2) == there_now)
                for agent, (x, y) in zip(agents_here, generator.permutation(side if there_now else there)):
                    crowd.set_goal(agent, (int(x), int(y)))
        ticks = sum(len(f) - 1 for f in frames)
        # The directions in which each cell was crossed in the last trips.
        right = numpy.zeros((height, width), int)
        left = numpy.zeros((height, width), int)
        for f in frames[trips // 2 :]:
            moves = numpy.diff(f[..., 0], axis=0)
            for step, count in ((1, right), (-1, left)):
                t, a = numpy.nonzero(moves == step)
                numpy.add.at(count, (f[t, a, 1], f[t, a, 0]), 1)
        used = right + left > 3
        one_way = numpy.mean(numpy.maximum(right, left)[used] / (right + left)[used] > 0.9)
        share = numpy.ma.masked_array((right - left) / numpy.maximum(right + left, 1), right + left == 0)
        ax.imshow(share, cmap="coolwarm", vmin=-1, vmax=1, extent=(0, width, height, 0))
        if crowd.flow is not None:
            terrane.draw.flow(crowd, ax=ax)
        ax.set_title(f"{method}: {100 * one_way:.0f}% of the cells are used in one direction; {ticks / trips:.0f} ticks until all agents have crossed")
        ax.set(xticks=[], yticks=[], xlim=(0, width), ylim=(height, 0), aspect="equal")
    figure.supxlabel("red: to the right, blue: to the left")
    return figure


# docs/planner.md: an any-angle path that refracts where the terrain cost changes.
def any_angle_path(quick):
    world = terrane.generate("island", size=128, seed=7)
    found = terrane.Planner(world).find((30, 60), (90, 70), "person", "astar+any_angle")
    figure, ax = pyplot.subplots(figsize=(7, 7))
    terrane.draw.world(world, ax=ax)
    terrane.draw.path(found, ax=ax, colour=COLOURS[1], label=f"eight directions: {world.exact_cost(found, 'person'):.1f}")
    terrane.draw.path(found, ax=ax, colour="#ffd63e", polyline=True, label=f"+any_angle: {found.polyline_cost:.1f}")
    ax.legend(loc="lower left")
    return figure


FIGURES = {
    "dta-regions": dta_regions,
    "dta-sectors": dta_sectors,
    "minimal-memory-bytes": minimal_memory_bytes,
    "minimal-memory-suboptimality": minimal_memory_suboptimality,
    "pra-ratio": pra_ratio,
    "cpd-ageing": cpd_ageing,
    "weighted-regions": weighted_regions,
    "direction-lanes": direction_lanes,
    "any-angle": any_angle_path,
}


def main():
    parser = argparse.ArgumentParser(description="Reproduces figures of the papers with Terrane.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"figures to draw: {', '.join(FIGURES)} (default: all)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/gallery"), help="write the pictures to this folder (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="use small maps and few problems; takes about a minute")
    args = parser.parse_args()
    unknown = [name for name in args.names if name not in FIGURES]
    if unknown:
        parser.error(f"no figure '{unknown[0]}'; there are {', '.join(FIGURES)}")
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.names or FIGURES:
        figure = FIGURES[name](args.quick)
        figure.tight_layout()
        figure.savefig(args.out / f"{name}.png", dpi=90, bbox_inches="tight")
        pyplot.close(figure)
        print(args.out / f"{name}.png", flush=True)


if __name__ == "__main__":
    main()
