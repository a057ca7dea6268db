// How the ends of a way join the portals of an overlay: the windows that hold a cell, and how far their portals are from it.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "abstraction/window_field.h"
#include "terrane/portal_overlay.h"

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

// From a cell of a window to its portals from `first` on, by the window's guide (null where all its cells cost the same): kNoWay where
// none leads there. Up to eight at a time, a step of each before the next of any, so that what one waits for is asked for by others, too:
// one after another, the legs of both ends took half as long again.
inline void leg_distances(const OverlayRoot& root, uint32_t window, const WindowGuide* guide, Cell from, uint32_t first,
                          std::span<uint32_t> out) {
    const PortalTable table = root.table(window);
    const auto portal = [&](size_t i) { return root.portal(root.id(table.names()[first + i])); };
    if (guide == nullptr) {
        for (size_t i = 0; i < out.size(); ++i) {
            out[i] = uniform_distance(from, portal(i), root.windows[window]->uniform_cost, root.movement);
        }
        return;
    }
    struct Walk {
        const uint8_t* moves;
        int32_t x, y;
        uint32_t own, sum;
        size_t to;
    };
    std::array<Walk, 8> walks;
    const Rect rect = root.window_rect(window);
    const WindowGround ground(root.grid, root.small, rect);
    const int32_t width = rect.right - rect.left, x = from.x - rect.left, y = from.y - rect.top;
    for (size_t begun = 0; begun < out.size();) {
        size_t count = 0;
        for (; count < walks.size() && begun < out.size(); ++count, ++begun) {
            walks[count] = {guide->moves_to(static_cast<uint32_t>(first + begun)), x, y, ground.cost(x, y), 0, begun};
        }
        while (count > 0) {
            for (size_t i = 0; i < count;) {
                Walk& walk = walks[i];
                const Move move = WindowGuide::move(walk.moves, static_cast<uint32_t>(walk.y * width + walk.x));
                if (move == kNoMove) {
                    out[walk.to] = walk.sum != 0 || portal(walk.to) == from ? walk.sum : kNoWay;
                    walk = walks[--count];
                    continue;
                }
                walk.x += kMoves[move].x;
                walk.y += kMoves[move].y;
                const uint32_t next = ground.cost(walk.x, walk.y);
                walk.sum += (move < 4 ? kFieldStraight : kFieldDiagonal) * (walk.own + next);
                walk.own = next;
                ++i;
            }
        }
    }
}

}  // namespace terrane::detail
