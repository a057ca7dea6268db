"""dijkstra_peer.py MAP SCEN COSTS [--wrong N | --lines N]: a contender of `terrane bench NAME --peer NAME=COMMAND` that shares no code with
Terrane. Prints the cost of each problem of SCEN on MAP, with the microseconds and the expansions that it took; -1 where there is no path.

--wrong N: halves the cost of problem N, and --lines N: prints only the first N lines. Both are faults that a bench must find.
"""
import argparse
import csv
import heapq
import math
import sys
import time


def read_map(file, costs):
    with open(file, encoding="utf-8") as lines:
        rows = [line.rstrip("\n") for line in lines]
    return [[costs.get(letter) for letter in row] for row in rows[rows.index("map") + 1:]]  # None: blocked


def read_costs(file):
    with open(file, encoding="utf-8", newline="") as lines:
        return {row["terrain"]: None if row["cost"] == "blocked" else float(row["cost"]) for row in csv.DictReader(lines)}


def read_problems(file):
    with open(file, encoding="utf-8") as lines:
        words = [line.split() for line in lines][1:]
    return [((int(w[4]), int(w[5])), (int(w[6]), int(w[7]))) for w in words if w]


def dijkstra(cells, start, goal):
    """Returns cost and expansions: eight directions without corner cutting; a step costs its length times the mean of both cells' costs."""
    def cost(x, y):
        return cells[y][x] if 0 <= y < len(cells) and 0 <= x < len(cells[y]) else None

    if cost(*start) is None or cost(*goal) is None:
        return -1, 0
    best, queue, expansions = {start: 0.0}, [(0.0, start)], 0
    while queue:
        g, (x, y) = heapq.heappop(queue)
        if g > best[x, y]:
            continue
        expansions += 1
        if (x, y) == goal:
            return g, expansions
        for dx, dy in ((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy):
            to = cost(x + dx, y + dy)
            if to is None or cost(x + dx, y) is None or cost(x, y + dy) is None:
                continue
            there = g + math.hypot(dx, dy) * (cells[y][x] + to) / 2
            if there < best.get((x + dx, y + dy), math.inf):
                best[x + dx, y + dy] = there
                heapq.heappush(queue, (there, (x + dx, y + dy)))
    return -1, expansions


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs=3, metavar="FILE")
    parser.add_argument("--wrong", type=int)
    parser.add_argument("--lines", type=int)
    args = parser.parse_args()
    cells = read_map(args.files[0], read_costs(args.files[2]))
    for i, (start, goal) in enumerate(read_problems(args.files[1])[:args.lines]):
        begin = time.perf_counter()
        cost, expansions = dijkstra(cells, start, goal)
        microseconds = (time.perf_counter() - begin) * 1e6
        print(cost / 2 if i == args.wrong else cost, round(microseconds), expansions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
