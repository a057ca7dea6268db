// The 4-connected areas of a map by flood fill, as a test oracle.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/grid/terrain.h"

namespace terrane {

struct AreaMap {
    std::vector<uint32_t> area;   // by cell
    std::vector<uint32_t> cells;  // by area

    uint32_t smallest() const {
        uint32_t least = UINT32_MAX;
        for (const uint32_t n : cells) least = n < least ? n : least;
        return least;
    }
};

inline AreaMap find_areas(std::span<const Terrain> cells, int32_t width, int32_t height) {
    constexpr uint32_t kUnseen = UINT32_MAX;
    AreaMap map{std::vector<uint32_t>(cells.size(), kUnseen), {}};
    for (size_t first = 0; first < cells.size(); ++first) {
        if (map.area[first] != kUnseen) continue;
        const auto id = static_cast<uint32_t>(map.cells.size());
        std::vector<size_t> open{first};
        map.area[first] = id;
        map.cells.push_back(0);
        while (!open.empty()) {
            const size_t at = open.back(), columns = static_cast<size_t>(width);
            open.pop_back();
            ++map.cells[id];
            const auto visit = [&](bool inside, size_t next) {
                if (!inside || map.area[next] != kUnseen || cells[next] != cells[first]) return;
                map.area[next] = id;
                open.push_back(next);
            };
            visit(at % columns > 0, at - 1);
            visit(at % columns + 1 < columns, at + 1);
            visit(at >= columns, at - columns);
            visit(at + columns < columns * static_cast<size_t>(height), at + columns);
        }
    }
    return map;
}

}  // namespace terrane
