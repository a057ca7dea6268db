"""Draws maps, paths, regions, subdivisions and crowds with matplotlib.

Every function draws into `ax`, or into a new figure, and returns the axes, so that drawings can be combined:

>>> world = terrane.generate("island", size=128, seed=7)
>>> path = terrane.Planner(world).find((30, 60), (90, 70), "deer")
>>> ax = terrane.draw.world(world)
>>> terrane.draw.path(path, ax=ax) is ax
True

Axes are in cells: cell (x, y) is the square from (x, y) to (x + 1, y + 1), y downwards.
"""

import numpy

_PATH = "terrane-path"  # the gid of the lines that path() draws


def _creature_colour(number):
    from ._terrane import creature_colours

    colours = creature_colours()
    return colours[number % len(colours)][1]


def _axes(ax):
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as missing:
        raise ImportError("terrane.draw needs matplotlib: pip install matplotlib, or Debian's python3-matplotlib") from missing
    return pyplot.subplots(figsize=(7, 7))[1]


def _colour_map(colours):
    from matplotlib.colors import ListedColormap

    return ListedColormap(numpy.asarray(colours) / 255)


def _square(ax, width, height):
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])


def world(world, ax=None, *, alpha=1.0, legend=False):
    """Draws the map, each terrain in its colour. `legend` adds the terrains that occur on it."""
    ax = _axes(ax)
    cells = world.cells
    height, width = cells.shape
    count = len(world.terrains)
    ax.imshow(
        cells, cmap=_colour_map(world.colours), vmin=-0.5, vmax=count - 0.5, extent=(0, width, height, 0), interpolation="nearest", alpha=alpha
    )
    _square(ax, width, height)
    if legend:
        from matplotlib.patches import Patch

        present = numpy.unique(cells)
        ax.legend(
            handles=[Patch(color=world.colours[t] / 255, label=world.terrains[t].replace("_", " ")) for t in present],
            loc="upper left",
            bbox_to_anchor=(1.01, 1),
            frameon=False,
        )
    return ax


def path(path, ax=None, *, colour=None, width=2.0, label=None, polyline=False):
    """Draws a path through the centres of its cells, with a disc at the start and a square at the goal.

    Without a `colour`, the paths of one drawing get the colours of terrane.creature_colours() in turn.
    `polyline` draws the any-angle path of methods with +any_angle instead. Also accepts a SubdivisionPath, or any array of shape (n, 2).
    Draws nothing if there is no path.
    """
    ax = _axes(ax)
    if polyline and hasattr(path, "polyline") and len(path.polyline):
        points = numpy.asarray(path.polyline)
    elif hasattr(path, "points"):
        points = numpy.asarray(path.points)
    else:
        points = numpy.asarray(getattr(path, "cells", path), dtype=float).reshape(-1, 2) + 0.5
    if len(points) == 0:
        return ax
    from matplotlib import patheffects

    if colour is None:
        colour = _creature_colour(sum(line.get_gid() == _PATH for line in ax.lines))
    outline = [patheffects.Stroke(linewidth=width + 1.6, foreground="#181818"), patheffects.Normal()]
    style = {"color": colour, "linewidth": width, "solid_joinstyle": "round", "path_effects": outline}
    ax.plot(points[:, 0], points[:, 1], label=label, gid=_PATH, zorder=3, **style)
    ax.plot(*points[0], "o", color=colour, markersize=2 * width + 3, markeredgecolor="#181818", zorder=4)
    ax.plot(*points[-1], "s", color=colour, markersize=2 * width + 3, markeredgecolor="#181818", zorder=4)
    return ax


def regions(world, sector=None, ax=None, *, edges=True, shade=0.16, colour="#1c2b3a"):
    """Draws the terrain regions that dta methods search: shaded areas, their representatives, and the edges between them."""
    ax = _axes(ax)
    found = world.regions(sector)
    height, width = found["cells"].shape
    tint = numpy.zeros((height, width, 4))
    tint[..., 3] = (found["cells"] * 2654435761 % 97) / 96 * shade
    ax.imshow(tint, extent=(0, width, height, 0), interpolation="nearest", zorder=1)
    centres = found["centres"] + 0.5
    if edges:
        from matplotlib.collections import LineCollection

        ax.add_collection(LineCollection(centres[found["edges"]], colors=colour, linewidths=0.5, alpha=0.7, zorder=2))
    ax.plot(centres[:, 0], centres[:, 1], ".", color=colour, markersize=3, zorder=2)
    _square(ax, width, height)
    return ax


def heat(values, ax=None, *, colours="viridis", alpha=0.75):
    """Draws an array of shape (height, width) over a map, such as World.expansion_order or World.lengths_from. Omits integers 0 and floats inf."""
    ax = _axes(ax)
    values = numpy.asarray(values)
    hidden = values == 0 if numpy.issubdtype(values.dtype, numpy.integer) else ~numpy.isfinite(values)
    height, width = values.shape
    shown = numpy.ma.masked_array(values, hidden)
    ax.imshow(shown, cmap=colours, extent=(0, width, height, 0), interpolation="nearest", alpha=alpha, zorder=1)
    _square(ax, width, height)
    return ax


def subdivision(subdivision, ax=None, *, colours="YlGn", numbers=True):
    """Draws a Subdivision: polygons shaded by cost, blocked ones dark. `numbers` writes the costs of up to 64 polygons."""
    ax = _axes(ax)
    from matplotlib.collections import PolyCollection

    costs = subdivision.costs
    blocked = ~numpy.isfinite(costs)
    polygons = [subdivision.polygon(i) for i in range(len(subdivision))]
    shapes = PolyCollection(polygons, array=numpy.ma.masked_array(costs, blocked), cmap=colours, edgecolors="#f4f4ee", linewidths=0.8)
    shapes.cmap.set_bad("#3a3a40")
    ax.add_collection(shapes)
    if numbers and len(polygons) <= 64:
        middle = (costs[~blocked].min() + costs[~blocked].max()) / 2 if not blocked.all() else 0
        for polygon, cost in zip(polygons, costs):
            if numpy.isfinite(cost):
                ax.text(*polygon.mean(axis=0), f"{cost:g}", ha="center", va="center", color="#20242a" if cost <= middle else "#f4f4ee")
    x, y, width, height = subdivision.bounds
    ax.set_xlim(x, x + width)
    ax.set_ylim(y, y + height)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def crowd(crowd, ax=None, *, positions=None):
    """Draws each agent as a disc in the colour of its type, at `positions`, a frame of Crowd.run(), or where it is now."""
    ax = _axes(ax)
    at = numpy.asarray(crowd.positions if positions is None else positions)
    there = at[:, 0] >= 0
    colours = [_creature_colour(type) for type in crowd.types[: len(at)][there]]
    ax.scatter(at[there, 0] + 0.5, at[there, 1] + 0.5, c=colours or None, s=18, edgecolors="#181818", zorder=4)
    return ax


def flow(crowd, ax=None, *, every=1, colour="#20242a"):
    """Draws the direction map that a crowd with a +flow method has learned, as arrows in every `every`-th row and column."""
    ax = _axes(ax)
    arrows = crowd.flow
    if arrows is None:
        raise ValueError("this crowd has no direction map: use a method with +flow, and call tick() first")
    y, x = numpy.nonzero(numpy.hypot(arrows[..., 0], arrows[..., 1]) > 0.05)
    shown = (x % every == 0) & (y % every == 0)
    x, y = x[shown], y[shown]
    turn = numpy.arctan2(arrows[y, x, 1], arrows[y, x, 0])
    ax.quiver(x + 0.5, y + 0.5, arrows[y, x, 0], arrows[y, x, 1], turn, cmap="twilight", clim=(-numpy.pi, numpy.pi), angles="xy", scale_units="xy",
              scale=1 / every, width=0.003)
    return ax
