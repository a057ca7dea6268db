// Exact edge costs of the region graph, for one profile: each edge costs what A* finds between the two representatives, instead of the
// estimate of RegionGraph.
// Based on: Sturtevant, Sigurdson, Taylor, Gibson 2019 (AIIDE): "computing more accurate edge costs".
//
// The search stays inside the bounding rectangle of the two sectors, so a cost depends on the cells of at most four sectors. An edit
// changes costs only in the sectors that it touched and in their eight neighbours. (An edit that removes the last obstacle makes all
// diagonal-only edges usable; then all of those are searched.) Memory: 4 bytes per directed edge (8 in pages of 64 sectors where a cost
// exceeds 32 bits).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "terrane/base/attributes.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"
#include "terrane/search/graph.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

namespace detail {

// The costs of a page of sectors (kSectorPage), sector by sector, in the order of each record's edges.
struct EdgeCostPage {
    std::array<uint32_t, kSectorPage + 1> first{};
    // One of the two is used.
    std::vector<uint32_t> narrow;
    std::vector<uint64_t> wide;

    uint64_t at(uint32_t i) const {
        if (!wide.empty()) return wide[i];
        return narrow[i] != kInfinite<uint32_t> ? narrow[i] : kInfinite<uint64_t>;
    }
    size_t bytes() const { return sizeof(EdgeCostPage) + narrow.capacity() * 4 + wide.capacity() * 8; }
    friend bool operator==(const EdgeCostPage&, const EdgeCostPage&) = default;
};

}  // namespace detail

// Immutable and thread-safe. Copies share everything; updated() returns a new version that shares the unchanged pages.
class TERRANE_EXPERIMENTAL ExactEdgeCosts {
public:
    // Cost of an edge from or to a region that the profile cannot enter, and of an unused diagonal-only edge (uses_diagonal_edges). All
    // other edges have a path.
    static constexpr uint64_t kNoPath = kInfinite<uint64_t>;

    // Uses at most `threads` threads (0: one per hardware thread); the result does not depend on it.
    static ExactEdgeCosts build(const TerrainRegions& regions, const Ground& ground, uint32_t threads = 1);

    // The costs for the regions after `edit`. Empty if `edit` starts from another version than the one that this was built for, or if
    // `after` is not the result of TerrainRegions::updated(edit).
    std::optional<ExactEdgeCosts> updated(const TerrainRegions& after, const EditResult& edit, uint32_t threads = 1) const;

    // Whether these are exactly this version of the regions, the same movement rule and the same profile costs.
    bool valid_for(const TerrainRegions& regions, const Ground& ground) const {
        return &regions_.data() == &regions.data() && &ground_.rule() == &ground.rule() && ground_.costs().cost == ground.costs().cost;
    }

    // The cost in the profile's units, as in GridGraph. `edge` is an index in the sector's edge list.
    uint64_t cost(uint32_t sector, uint32_t edge) const {
        const detail::EdgeCostPage& page = *pages_[sector >> detail::kSectorPageShift];
        return page.at(page.first[sector & (detail::kSectorPage - 1)] + edge);
    }

    // Number of undirected edges that were searched for this version.
    uint64_t searches() const { return searches_; }
    // Counts pages shared with other versions in full; without the regions.
    size_t bytes() const;

    // Whether all edges have the same costs.
    friend bool operator==(const ExactEdgeCosts& a, const ExactEdgeCosts& b);

private:
    class Builder;
    bool uses_diagonals() const;
    ExactEdgeCosts(const TerrainRegions& regions, const Ground& ground) : regions_(regions), ground_(ground) {}

    TerrainRegions regions_;  // held, so that the address identifies the version
    Ground ground_;
    uint64_t searches_ = 0;
    std::vector<std::shared_ptr<const detail::EdgeCostPage>> pages_;  // by sector / kSectorPage
};

}  // namespace terrane
