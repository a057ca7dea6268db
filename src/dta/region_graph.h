// The regions of a map under a profile and a movement rule, as a Graph for the search kernel.
//
// An edge costs what the way between the two representatives would, half of it at each region's terrain cost: the paper's
// estimate, made when it is asked for. Same units as GridGraph.
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

// Whether a search may use edges between regions that touch at corners only. A diagonal step needs both cells beside it (kEight),
// or is not there at all (kFour); then such an edge leads somewhere only if nothing on the map is a wall to the profile. Nothing
// is lost where it is not used: a legal diagonal step has an orthogonal way around, through regions that are joined orthogonally.
bool uses_diagonal_edges(const Ground& ground);

// `regions` must outlive the graph. 64 bits hold every label: representatives joined in a row are no farther apart than
// their regions are large, so no path is longer than twice the cells of the map.
class RegionGraph {
public:
    using Node = RegionId;
    using Value = uint64_t;
    using Via = RegionId;  // the region that it was reached from

    // With `exact`, edges cost what it says instead; it must be valid for the rest, and outlive the graph.
    RegionGraph(const TerrainRegions& regions, const Ground& ground, const ExactEdgeCosts* exact = nullptr)
        : root_(&regions.root()),
          exact_(exact),
          cost_(ground.costs().cost),
          extra_(ground.rule().per_shorter),
          diagonals_(uses_diagonal_edges(ground)) {
        for (uint32_t side = 0; side < 9; ++side) step_[side] = (side / 3) * root_->sectors_x + side % 3 - root_->sectors_x - 1;
    }

    template <class Label, class Emit>
    void expand(RegionId node, const Label& label, Emit&& emit) const {
        const uint32_t sector = node >> root_->shift;
        const uint32_t number = node & ((1u << root_->shift) - 1);
        const detail::SectorRecord& record = root_->record(sector);
        const Region& here = record.regions()[number];
        uint32_t next = here.first_edge;
        for (const RegionEdge edge : record.edges_of(number)) {
            const uint32_t index = next++;
            const uint32_t there = sector + step_[edge.side()];
            const RegionId id = there << root_->shift | edge.number();
            if (id == label.via || (edge.diagonal_only() && !diagonals_)) continue;
            const Region& to = root_->record(there).regions()[edge.number()];
            if (cost_[to.terrain] == 0) continue;
            const uint64_t cost = exact_ == nullptr ? estimate(here, to) : exact_->cost(sector, index);
            if (cost != ExactEdgeCosts::kNoWay) emit(id, label.g + cost, node);
        }
    }

    RegionId origin(RegionId, RegionId via) const { return via; }

    // What an edge between two regions is taken to cost.
    uint64_t estimate(const Region& a, const Region& b) const {
        const auto dx = static_cast<uint32_t>(std::abs(a.x - b.x)), dy = static_cast<uint32_t>(std::abs(a.y - b.y));
        const uint64_t length = uint64_t{kStraight} * std::max(dx, dy) + uint64_t{extra_} * std::min(dx, dy);
        return length * (cost_[a.terrain] + cost_[b.terrain]);
    }

private:
    const detail::RegionRoot* root_;
    const ExactEdgeCosts* exact_;
    std::array<uint32_t, 256> cost_;
    std::array<uint32_t, 9> step_;  // to the sector on a side
    uint32_t extra_;                // for each step along the shorter side
    bool diagonals_;
};

}  // namespace terrane
