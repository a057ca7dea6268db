// Exact costs of the edges between regions, for one profile: what the cheapest way between the two representatives costs, by
// search, instead of the estimate that RegionGraph makes.
// Based on: Sturtevant, Sigurdson, Taylor, Gibson 2019 (AIIDE): "computing more accurate edge costs".
//
// The way stays inside the smallest rectangle that contains both sectors, so a cost depends on the cells of at most four sectors, and an
// edit changes costs in the sectors that it touched and in the eight around each of those. (The edit that takes the last wall off
// the map brings the edges at corners into use, and so has all of those searched.) Built by A*, edge by edge. Memory:
// 4 bytes for each edge and way (8 in pages of 64 sectors where one of them does not fit 32 bits).
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

// The costs of a page of sectors (kSectorPage), sector by sector, each in the order of its record's edges.
struct EdgeCostPage {
    std::array<uint32_t, kSectorPage + 1> first{};
    // One of the two.
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

// One version, which never changes; copies share everything, and the next version shares what it can. Any thread may read it.
class TERRANE_EXPERIMENTAL ExactEdgeCosts {
public:
    // Of edges from or to a region that the profile cannot enter, and of edges at corners where they are not used
    // (uses_diagonal_edges). All others have a way.
    static constexpr uint64_t kNoWay = kInfinite<uint64_t>;

    // By at most `threads` threads (0: as many as the machine has); the result is the same for any number.
    static ExactEdgeCosts build(const TerrainRegions& regions, const Ground& ground, uint32_t threads = 1);

    // For the regions after an edit of the map that this was made for. Nothing if `edit` began at another version, or if
    // `after` is not what TerrainRegions::updated() made of it.
    std::optional<ExactEdgeCosts> updated(const TerrainRegions& after, const EditResult& edit, uint32_t threads = 1) const;

    // These regions and no other version of them, and a profile with the same costs.
    bool valid_for(const TerrainRegions& regions, const Ground& ground) const {
        return &regions_.root() == &regions.root() && &ground_.rule() == &ground.rule() && ground_.costs().cost == ground.costs().cost;
    }

    // In the profile's own units, as GridGraph has them. `edge` is an index in the list of all edges of the sector.
    uint64_t cost(uint32_t sector, uint32_t edge) const {
        const detail::EdgeCostPage& page = *pages_[sector >> detail::kSectorPageShift];
        return page.at(page.first[sector & (detail::kSectorPage - 1)] + edge);
    }

    // Edges that were searched for this version; both ways are one.
    uint64_t searches() const { return searches_; }
    // Every byte that this owns, pages shared with other versions included; without the regions'.
    size_t bytes() const;

    // The same numbers for all edges.
    friend bool operator==(const ExactEdgeCosts& a, const ExactEdgeCosts& b);

private:
    class Builder;
    bool uses_diagonals() const;
    ExactEdgeCosts(const TerrainRegions& regions, const Ground& ground) : regions_(regions), ground_(ground) {}

    TerrainRegions regions_;  // held, so that they are known again by their address
    Ground ground_;
    uint64_t searches_ = 0;
    std::vector<std::shared_ptr<const detail::EdgeCostPage>> pages_;  // by sector / kSectorPage
};

}  // namespace terrane
