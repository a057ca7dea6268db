// Heuristics for searches of the region graph (region_graph.h) towards one region: octile distance, and three kinds of table that
// know more, each for memory and time spent beforehand (the paper's section 4.2: "better heuristics can be built in G'").
// Based on: Sturtevant, Felner, Barer, Schaeffer, Burch 2009 (differential heuristics); Cohen, Uras, Jahangiri, Arunasalam, Koenig,
// Kumar 2018 (FastMap); Botea, Harabor 2013 (compressed path databases).
//
//   landmarks   d(a, b) >= |d(L, a) - d(L, b)| for a few regions L. Kept through edits.
//   embedding   each region is a point of a few dimensions, the L1 distance of two never more than the way between them
//   path table  the first edge of a shortest way from each region to each other, by runs: the bound is the distance itself
//
// All are admissible and consistent for RegionGraph. The tables bound sums of its estimates, and nothing else: octile distance alone
// is right for exact edge costs too.
//
// For several profiles: a table made for costs that are nowhere above theirs (cheapest_of) serves them all, and is weaker for each
// than its own would be. Why that is right: a profile that is nowhere cheaper, nor passes where the table's does not, has no edge
// that the table's graph lacks (diagonal-only edges among them: it has all the walls) and none that is cheaper there. The profiles' units
// differ by their divisors: a table's distance x becomes floor(x * its divisor / the profile's). If x <= y + w * profile's divisor / its
// divisor along an edge of the whole number w, then floor(x ...) <= floor(y ...) + w, so rounding down leaves the bound consistent.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "terrane/base/attributes.h"
#include "terrane/base/result.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"
#include "terrane/search/graph.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

namespace detail {
struct RegionTables;
class PathTable;
}  // namespace detail

// For each terrain the least that any of these asks for, blocked where all block it; all blocked for no tables.
CostTable cheapest_of(std::span<const CostTable> tables);

// Scratch of one bound at a time: one per thread and direction of search, reused. After warm-up nothing is allocated; 12 bytes for
// each region of the largest path table used with it.
class RegionHeuristicScratch {
public:
    size_t bytes() const;

private:
    friend class detail::PathTable;
    struct Step {
        uint32_t node;
        uint64_t cost;
    };
    std::vector<uint64_t> distance_;  // to the goal, by node of the table; known where `seen_` is `round_`
    std::vector<uint32_t> seen_;
    uint32_t round_ = 0;
    uint32_t goal_ = 0;
    uint32_t first_ = 0, size_ = 0;  // the nodes that the goal can be reached from
    std::vector<Step> walk_;
};

// Where regions are.
struct RegionLayout {
    const detail::RegionRoot* root;
    const Region& region(RegionId id) const { return root->record(id >> root->shift).regions()[id & ((1u << root->shift) - 1)]; }
    int32_t x(RegionId id) const { return region(id).x; }
    int32_t y(RegionId id) const { return region(id).y; }
};

// A lower bound on the cost from any region to one goal, in the profile's own units: octile distance at the price of the cheapest
// terrain on the map, or what a table says, whichever is more. A Heuristic for the kernel. A few words, cheap to copy. From a region that
// the goal cannot be reached from, a table may tell nothing.
class RegionBound {
public:
    // Octile distance alone (without diagonals: Manhattan). `goal` must be a region; `regions` must outlive the bound.
    static RegionBound octile(RegionId goal, const TerrainRegions& regions, const Ground& ground);

    TERRANE_INLINE uint64_t operator()(RegionId id) const {
        const Region& region = layout_.region(id);
        const auto dx = static_cast<uint32_t>(std::abs(region.x - goal_x_)), dy = static_cast<uint32_t>(std::abs(region.y - goal_y_));
        const uint64_t near = straight_ * std::max(dx, dy) + extra_ * std::min(dx, dy);
        return tables_ == nullptr ? near : std::max(near, by_table(id));
    }

private:
    friend class RegionHeuristic;
    RegionBound(const detail::RegionRoot& root, RegionId goal, uint32_t cheapest, const MovementRule& rule);
    uint64_t by_table(RegionId id) const;

    RegionLayout layout_;
    int32_t goal_x_ = 0, goal_y_ = 0;
    uint64_t straight_ = 0;                         // per step along the longer side
    uint64_t extra_ = 0;                            // more for each step along the shorter
    const detail::RegionTables* tables_ = nullptr;  // null: octile distance alone
    const uint64_t* goal_row_ = nullptr;            // of landmarks and embeddings
    RegionHeuristicScratch* scratch_ = nullptr;     // of path tables
    uint64_t times_ = 1, per_ = 1;                  // from the table's units to the profile's
};

enum class RegionHeuristicKind : uint8_t { kLandmarks, kEmbedding, kPathTable };

// "landmarks", "embedding", "path table".
const char* to_string(RegionHeuristicKind kind);

struct RegionLandmarkOptions {
    uint32_t landmarks = 8;  // 1..kMaxRegionLandmarks
    uint32_t threads = 1;    // 0: as many as the machine has; the result is the same for any number
};
inline constexpr uint32_t kMaxRegionLandmarks = 256;

struct RegionEmbeddingOptions {
    uint32_t dimensions = 8;  // 1..kMaxRegionDimensions
};
inline constexpr uint32_t kMaxRegionDimensions = 32;

struct PathTableOptions {
    size_t max_bytes = size_t{256} << 20;
    uint32_t threads = 1;  // 0: as many as the machine has; the bytes are the same for any number
};

// A table of one of the three kinds. Immutable: copying it copies a pointer, and any thread may use any copy. Holds the version of
// the regions that it is for.
class TERRANE_EXPERIMENTAL RegionHeuristic {
public:
    // Landmarks are shared out among the parts of the graph that are not joined: each goes to the part with the most regions for each
    // landmark it would then have (d'Hondt's rule), so that small parts may have none, and octile distance alone. In a part, the
    // first is the region farthest from its first, each other one the farthest from those before it. Fewer than asked for
    // only where there are fewer regions to be entered. 8 bytes for each region and landmark, and about 60 a sector.
    static RegionHeuristic landmarks(const TerrainRegions& regions, const Ground& ground, const RegionLandmarkOptions& options = {});

    // The 16 largest parts are embedded, each on its own; others have octile distance alone. Memory as landmarks.
    static RegionHeuristic embedding(const TerrainRegions& regions, const Ground& ground, const RegionEmbeddingOptions& options = {});

    // Takes a search of the whole graph for each region: time grows with the square of their number. Refused (kTooLarge, with what it
    // would take) where more than max_bytes are needed, by an estimate from a few rows or in truth.
    static Result<RegionHeuristic> path_table(const TerrainRegions& regions, const Ground& ground, const PathTableOptions& options = {});

    // For a later version of the same regions, any number of edits on; nothing for another size of map or sector. Which sectors
    // changed is seen from the records that the two versions share.
    //   landmarks   Regions of changed sectors take their numbers from their neighbours; then numbers are lowered until none differ by
    //               more than an edge, which is all that makes the bound right. It may be weaker than a new one, never wrong.
    //               Time and new memory grow with the sectors where a number changed.
    //   others      nothing, unless no region or edge changed: no local repair is known
    std::optional<RegionHeuristic> updated(const TerrainRegions& after) const;

    // Whether it may be used for this very version, rule, and profile: that which it was made for, or one that is nowhere cheaper
    // and passes nowhere else.
    bool valid_for(const TerrainRegions& regions, const Ground& ground) const;

    // A Heuristic for searches towards `goal`; nothing unless it is valid_for() the rest, nor for kNoRegion. This, or a copy, must outlive
    // it; it ends when another is made with the same scratch.
    std::optional<RegionBound> bound_to(RegionId goal, const TerrainRegions& regions, const Ground& ground,
                                        RegionHeuristicScratch& scratch) const;

    RegionHeuristicKind kind() const;
    std::span<const Cell> landmark_cells() const;  // where they were put; none for the other kinds
    uint64_t edits() const;                        // versions taken in since it was built
    // Of the table, blocks shared with other versions included; without the regions'.
    size_t bytes() const;

private:
    explicit RegionHeuristic(std::shared_ptr<const detail::RegionTables> tables) : tables_(std::move(tables)) {}
    std::shared_ptr<const detail::RegionTables> tables_;
};

}  // namespace terrane
