// Connects the ends of a path to the portals of an overlay: the clusters that contain a cell, and the distances to their portals.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "overlay/cluster_field.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane::detail {

// The clusters that contain a cell: up to four, since clusters share their borders.
struct CellClusters {
    std::array<uint32_t, 4> list{};
    uint32_t count = 0;

    CellClusters(const OverlayData& data, Cell c) {
        const auto along = [](int32_t at, uint32_t clusters, std::array<uint32_t, 2>& out) {
            const uint32_t border = static_cast<uint32_t>(at) / kClusterStep, own = std::min(border, clusters - 1);
            uint32_t n = 0;
            if (at % kClusterStep == 0 && at > 0 && border - 1 != own) out[n++] = border - 1;
            out[n++] = own;
            return n;
        };
        std::array<uint32_t, 2> xs{}, ys{};
        const uint32_t nx = along(c.x, data.clusters_x, xs), ny = along(c.y, data.clusters_y, ys);
        for (uint32_t y = 0; y < ny; ++y) {
            for (uint32_t x = 0; x < nx; ++x) list[count++] = ys[y] * data.clusters_x + xs[x];
        }
    }
};

// The costs of a cluster's cells, read from the map.
class ClusterGround {
public:
    ClusterGround(const GridSnapshot& grid, const CostTable& costs, const Rect& rect)
        : grid_(&grid), costs_(&costs), rect_(rect), tile_(grid.tile_cells(grid.layout().id(rect.corner()) / kTileCells)) {}

    // By column and row from the cluster's north-west corner.
    TERRANE_INLINE uint32_t cost(int32_t x, int32_t y) const {
        static_assert(kClusterStep == kTileSide);  // a cluster without its last row and column is a tile
        return costs_->cost[(x | y) < kTileSide ? tile_[y * kTileSide + x] : grid_->at(Cell{rect_.x + x, rect_.y + y})];
    }

private:
    const GridSnapshot* grid_;
    const CostTable* costs_;
    Rect rect_;
    const Terrain* tile_;
};

// The distance from a cell of a cluster to one of its portals, by following the cluster's first moves (null: the cluster is uniform);
// kNoPath if not connected.
inline uint32_t leg_distance(const OverlayData& data, uint32_t cluster, const FirstMoveTable* first_moves, Cell from, uint32_t portal,
                             PortalId id) {
    const Cell to = data.portal(id);
    if (first_moves == nullptr) return uniform_distance(from, to, data.clusters[cluster]->uniform_cost, data.ground.movement());
    const Rect rect = data.cluster_rect(cluster);
    const ClusterGround ground(data.ground.grid(), data.table_costs, rect);
    const uint8_t* const moves = first_moves->moves_to(portal);
    const int32_t width = rect.width, to_x = to.x - rect.x, to_y = to.y - rect.y;
    int32_t x = from.x - rect.x, y = from.y - rect.y;
    uint32_t sum = 0, own = ground.cost(x, y);
    while (x != to_x || y != to_y) {
        const Move move = FirstMoveTable::move(moves, static_cast<uint32_t>(y * width + x));
        if (move == kNoMove) return kNoPath;
        x += kMoves[move].x;
        y += kMoves[move].y;
        const uint32_t next = ground.cost(x, y);
        sum += (move < 4 ? kFieldStraight : kFieldDiagonal) * (own + next);
        own = next;
    }
    return sum;
}

}  // namespace terrane::detail
