// How the ends of a way join the portals of an overlay: the windows that hold a cell, and how far their portals are from it.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "overlay/window_field.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane::detail {

// The windows that hold a cell: up to four.
struct Windows {
    std::array<uint32_t, 4> list{};
    uint32_t count = 0;

    Windows(const OverlayRoot& root, Cell c) {
        const auto along = [](int32_t at, uint32_t windows, std::array<uint32_t, 2>& out) {
            const uint32_t line = static_cast<uint32_t>(at) / kWindowStep, own = std::min(line, windows - 1);
            uint32_t n = 0;
            if (at % kWindowStep == 0 && at > 0 && line - 1 != own) out[n++] = line - 1;
            out[n++] = own;
            return n;
        };
        std::array<uint32_t, 2> xs{}, ys{};
        const uint32_t nx = along(c.x, root.windows_x, xs), ny = along(c.y, root.windows_y, ys);
        for (uint32_t y = 0; y < ny; ++y) {
            for (uint32_t x = 0; x < nx; ++x) list[count++] = ys[y] * root.windows_x + xs[x];
        }
    }
};

// What the cells of a window cost, read from the map.
class WindowGround {
public:
    WindowGround(const GridSnapshot& grid, const CostTable& costs, const Rect& rect)
        : grid_(&grid), costs_(&costs), rect_(rect), tile_(grid.tile_cells(grid.layout().id({rect.left, rect.top}) / kTileCells)) {}

    // By columns and rows from the window's corner.
    TERRANE_INLINE uint32_t cost(int32_t x, int32_t y) const {
        static_assert(kWindowStep == kTileSide);  // but for its last row and column, a window is a tile
        return costs_->cost[(x | y) < kTileSide ? tile_[y * kTileSide + x] : grid_->at(Cell{rect_.left + x, rect_.top + y})];
    }

private:
    const GridSnapshot* grid_;
    const CostTable* costs_;
    Rect rect_;
    const Terrain* tile_;
};

// From a cell of a window to one of its portals, by the window's guide (null where all its cells cost the same); kNoWay where none leads
// there. (Eight at a time, a step of each before the next of any: no gain.)
inline uint32_t leg_distance(const OverlayRoot& root, uint32_t window, const WindowGuide* guide, Cell from, uint32_t portal, PortalId id) {
    const Cell to = root.portal(id);
    if (guide == nullptr) return uniform_distance(from, to, root.windows[window]->uniform_cost, root.ground.movement());
    const Rect rect = root.window_rect(window);
    const WindowGround ground(root.ground.grid(), root.small, rect);
    const uint8_t* const moves = guide->moves_to(portal);
    const int32_t width = rect.right - rect.left, to_x = to.x - rect.left, to_y = to.y - rect.top;
    int32_t x = from.x - rect.left, y = from.y - rect.top;
    uint32_t sum = 0, own = ground.cost(x, y);
    while (x != to_x || y != to_y) {
        const Move move = WindowGuide::move(moves, static_cast<uint32_t>(y * width + x));
        if (move == kNoMove) return kNoWay;
        x += kMoves[move].x;
        y += kMoves[move].y;
        const uint32_t next = ground.cost(x, y);
        sum += (move < 4 ? kFieldStraight : kFieldDiagonal) * (own + next);
        own = next;
    }
    return sum;
}

}  // namespace terrane::detail
