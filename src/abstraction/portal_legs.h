// How the ends of a way join the portals of an overlay: the windows that hold a cell, and how far their portals are from it.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

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

// From a cell of a window to one of its portals, by the window's guide (null where all its cells cost the same).
inline uint32_t leg_distance(const OverlayRoot& root, uint32_t window, const WindowGuide* guide, Cell from, uint32_t portal, PortalId id) {
    const Cell to = root.portal(id);
    if (guide == nullptr) return uniform_distance(from, to, root.windows[window]->uniform_cost, root.movement);
    const Rect rect = root.window_rect(window);
    const GridSnapshot& grid = root.grid;
    const auto cost = [&](Cell c) { return root.small.cost[grid.at(grid.layout().id(c))]; };
    uint32_t sum = 0, own = cost(from);
    while (from != to) {
        const Move move = guide->move(window_cell(rect, from), portal);
        if (move == kNoMove) return kNoWay;
        from = {from.x + kMoves[move].x, from.y + kMoves[move].y};
        const uint32_t next = cost(from);
        sum += (move < 4 ? kFieldStraight : kFieldDiagonal) * (own + next);
        own = next;
    }
    return sum;
}

}  // namespace terrane::detail
