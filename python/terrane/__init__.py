"""Terrane: pathfinding for worlds whose terrain matters and changes.

>>> world = terrane.generate("island", size=256, seed=7)
>>> deer = {"trees": 1, "road": 4, "deep_water": None, "otherwise": 2}
>>> planner = terrane.Planner(world)
>>> path = planner.find((60, 140), (180, 130), deer)
>>> path.status
'found'
>>> world.set(path.cells[10], "lava").cells_changed
1
>>> path.still_valid(world)
False
"""

from . import draw, errors
from .errors import BadValue, Error, FileError

try:
    from ._terrane import *  # noqa: F403
    from ._terrane import __version__
except ModuleNotFoundError as missing:
    raise ImportError("this is the source folder of terrane, without the built module: run `pip install .`, or start Python in another folder") from missing
