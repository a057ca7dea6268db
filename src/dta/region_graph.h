// The region graph under a profile and a movement rule, as a Graph for the search kernel.
//
// The cost of an edge is the paper's estimate, computed on demand: octile (or Manhattan) distance of the representatives, half at each
// region's terrain cost. Same units as GridGraph.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "terrane/dta/edge_costs.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/search/graph.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

// Whether a search may use edges between regions that touch only at corners (diagonal-only edges). A diagonal step needs both cells
// beside it (kEightNoCornerCutting) or does not exist (kFour). Then such an edge is usable only if the profile has no obstacles on the
// map. Skipping it loses no connection: a legal diagonal step has an orthogonal detour through orthogonally adjacent regions.
bool uses_diagonal_edges(const Ground& ground);

// `regions` must outlive the graph. 64 bits hold every label: adjacent representatives are no farther apart than their regions are
// large, so no path is longer than twice the cells of the map.
class RegionGraph {
public:
    using Node = RegionId;
    using Value = uint64_t;
    using Via = RegionId;  // the parent region

    // `exact` replaces the estimates; it must be valid for `regions` and `ground`, and outlive the graph.
    RegionGraph(const TerrainRegions& regions, const Ground& ground, const ExactEdgeCosts* exact = nullptr)
        : data_(&regions.data()),
          exact_(exact),
          cost_(ground.costs().cost),
          extra_(ground.rule().per_shorter),
          diagonals_(uses_diagonal_edges(ground)) {
        for (uint32_t side = 0; side < 9; ++side) step_[side] = (side / 3) * data_->sectors_x + side % 3 - data_->sectors_x - 1;
    }

    template <class Label, class Emit>
    void expand(RegionId node, const Label& label, Emit&& emit) const {
        const uint32_t sector = node >> data_->shift;
        const uint32_t number = node & ((1u << data_->shift) - 1);
        const detail::SectorRecord& record = data_->record(sector);
        const Region& here = record.regions()[number];
        uint32_t next = here.first_edge;
        for (const RegionEdge edge : record.edges_of(number)) {
            const uint32_t index = next++;
            const uint32_t there = sector + step_[edge.side()];
            const RegionId id = there << data_->shift | edge.number();
            if (id == label.via || (edge.diagonal_only() && !diagonals_)) continue;
            const Region& to = data_->record(there).regions()[edge.number()];
            if (cost_[to.terrain] == 0) continue;
            const uint64_t cost = exact_ == nullptr ? estimate(here, to) : exact_->cost(sector, index);
            if (cost != ExactEdgeCosts::kNoPath) emit(id, label.g + cost, node);
        }
    }

    RegionId origin(RegionId, RegionId via) const { return via; }

    // Estimated cost of an edge between two regions.
    uint64_t estimate(const Region& a, const Region& b) const {
        const auto dx = static_cast<uint32_t>(std::abs(a.x - b.x)), dy = static_cast<uint32_t>(std::abs(a.y - b.y));
        const uint64_t length = uint64_t{kStraight} * std::max(dx, dy) + uint64_t{extra_} * std::min(dx, dy);
        return length * (cost_[a.terrain] + cost_[b.terrain]);
    }

private:
    const detail::RegionData* data_;
    const ExactEdgeCosts* exact_;
    std::array<uint32_t, 256> cost_;
    std::array<uint32_t, 9> step_;  // offset to the sector on each side
    uint32_t extra_;                // added per step along the shorter side
    bool diagonals_;
};

}  // namespace terrane
