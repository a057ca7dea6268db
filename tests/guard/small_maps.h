// Small maps, queries and edits for the guard, the same on every machine.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/world.h"

namespace terrane::guard {

// "island", "rooms", "maze" or "random".
inline TerrainGrid small_map(std::string_view name) {
    if (name == "rooms") return generate_rooms({.width = 64, .height = 56, .seed = 3, .room = 9}).value();
    if (name == "maze") return generate_maze({.width = 48, .height = 48, .seed = 4, .corridor = 2}).value();
    if (name == "random") return generate_random({.width = 72, .height = 64, .seed = 5, .density = 30}).value();
    return generate_island({.width = 96, .height = 80, .seed = 2, .polygon = 8, .merge = 8}).value();
}

// Passable ends, except for the last query, which may be blocked. Some goals are unreachable.
inline std::vector<std::pair<Cell, Cell>> small_queries(const GridSnapshot& grid, int count) {
    Rng rng(11);
    const auto draw = [&] {
        const int32_t x = rng.between(0, grid.width() - 1);
        return Cell{x, rng.between(0, grid.height() - 1)};
    };
    const auto passable = [&](Cell c) {
        const std::string_view name = grid.catalogue()[grid.at(grid.layout().id(c))].name;
        return name != "wall" && name != "deep_water" && name != "water" && name != "black";
    };
    std::vector<std::pair<Cell, Cell>> out;
    while (out.size() < static_cast<size_t>(count)) {
        const Cell start = draw(), goal = draw();
        if (out.size() + 1 == static_cast<size_t>(count) || (passable(start) && passable(goal))) out.emplace_back(start, goal);
    }
    return out;
}

// Adds an obstacle across the middle with a gap, opens a patch, and changes single cells, so that every repair is exercised.
inline void edit(World& world) {
    const GridSnapshot grid = world.grid();
    const bool octile = grid.catalogue() == Catalogue::octile();
    const char* const obstacle = octile ? "wall" : "deep_water";
    const int32_t x = grid.width() / 2, y = grid.height() / 2;
    static_cast<void>(world.fill({{x, 0}, {2, y - 4}}, obstacle).value());
    static_cast<void>(world.fill({{x, y + 4}, {1, grid.height() - y - 4}}, obstacle).value());
    static_cast<void>(world.fill({{x - 20, y - 3}, {8, 6}}, "ground").value());
    Rng rng(12);
    for (int i = 0; i < 12; ++i) {
        const int32_t cell_x = rng.between(0, grid.width() - 1);
        const Cell cell{cell_x, rng.between(0, grid.height() - 1)};
        static_cast<void>(world.set(cell, i % 2 == 0 ? obstacle : "ground").value());
    }
}

}  // namespace terrane::guard
