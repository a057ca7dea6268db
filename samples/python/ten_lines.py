"""Getting started in Python: loads a map, finds a path for a profile, edits the world and finds a new path.

    PYTHONPATH=build/release/python python3 samples/python/ten_lines.py scenes/islet.map
"""
import sys

import terrane

world = terrane.load(sys.argv[1] if len(sys.argv) > 1 else "scenes/islet.map")
deer = {"trees": 1, "road": 4, "deep_water": None, "otherwise": 2}
planner = terrane.Planner(world)

path = planner.find((64, 20), (60, 110), deer)
print(f"{path.status}: {len(path)} cells, cost {path.length:.2f}")

x, y = path.cells[len(path) // 2]
world.fill((x - 3, y - 3, 7, 7), "lava")
valid = path.still_valid(world)
around = planner.find((64, 20), (60, 110), deer | {"lava": None})
print(f"after the lava: the old path is {'valid' if valid else 'not valid any more'}; "
      f"the new one has {len(around)} cells, cost {around.length:.2f}")
sys.exit(0 if path and around and not valid and around.length >= path.length else 1)
