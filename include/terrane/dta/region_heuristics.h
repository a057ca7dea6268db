// Heuristics for searches of the region graph (region_graph.h) towards one region: octile distance, and three precomputed tables that
// give stronger bounds (the paper's section 4.2: "better heuristics can be built in G'").
// Based on: Sturtevant, Felner, Barer, Schaeffer, Burch 2009 (differential heuristics); Cohen, Uras, Jahangiri, Arunasalam, Koenig,
// Kumar 2018 (FastMap); Botea, Harabor 2013 (compressed path databases).
//
//   landmarks   d(a, b) >= |d(L, a) - d(L, b)| for a few regions L. Repaired after edits.
//   fastmap     embeds each region in a few dimensions; the L1 distance of two points is a lower bound on the cost between the regions
//   path table  the first edge of a shortest path from each region to each other, run-length encoded: the bound is the exact distance
//
// All are admissible and consistent for RegionGraph. The tables bound sums of its edge estimates only; octile distance is also
// admissible for exact edge costs.
//
// One table for several profiles: a table built for costs that are nowhere above theirs (cheapest_of) serves them all, with a weaker
// bound than a table of their own. Proof: a profile that is nowhere cheaper and enters no other terrain has no edge that the table's
// graph lacks (nor a diagonal-only edge: it has at least the same obstacles) and no cheaper edge. The profiles' units differ by their
// divisors: a table distance x becomes floor(x * its divisor / the profile's divisor). If x <= y + w * profile's divisor / its divisor
// along an edge of integer cost w, then floor(x ...) <= floor(y ...) + w, so rounding down keeps the bound consistent.
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

// For each terrain the lowest cost of all tables; blocked if all tables block it, or if there are no tables.
CostTable cheapest_of(std::span<const CostTable> tables);

// Scratch memory of one bound at a time: one per thread and search direction, reused. After warm-up it allocates nothing. 12 bytes per
// region of the largest path table used with it.
class RegionHeuristicScratch {
public:
    size_t bytes() const;

private:
    friend class detail::PathTable;
    struct Step {
        uint32_t node;
        uint64_t cost;
    };
    std::vector<uint64_t> distance_;  // to the goal, by table node; valid where seen_[node] == round_
    std::vector<uint32_t> seen_;
    uint32_t round_ = 0;
    uint32_t goal_ = 0;
    uint32_t first_ = 0, size_ = 0;  // the goal's connected component: a range of nodes
    std::vector<Step> path_;
};

// Coordinates of the regions' representatives.
struct RegionLayout {
    const detail::RegionData* data;
    const Region& region(RegionId id) const { return data->record(id >> data->shift).regions()[id & ((1u << data->shift) - 1)]; }
    int32_t x(RegionId id) const { return region(id).x; }
    int32_t y(RegionId id) const { return region(id).y; }
};

// A lower bound on the cost from any region to one goal, in the profile's cost units: the maximum of octile distance, at the cheapest
// terrain of the map, and the table's bound. A Heuristic for the search kernel. Small and cheap to copy. A table may give no bound for
// a region that is disconnected from the goal.
class RegionBound {
public:
    // Octile distance only (Manhattan distance without diagonals). `goal` must be a region; `regions` must outlive the bound.
    static RegionBound octile(RegionId goal, const TerrainRegions& regions, const Ground& ground);

    TERRANE_INLINE uint64_t operator()(RegionId id) const {
        const Region& region = layout_.region(id);
        const auto dx = static_cast<uint32_t>(std::abs(region.x - goal_x_)), dy = static_cast<uint32_t>(std::abs(region.y - goal_y_));
        const uint64_t near = straight_ * std::max(dx, dy) + extra_ * std::min(dx, dy);
        return tables_ == nullptr ? near : std::max(near, table_bound(id));
    }

private:
    friend class RegionHeuristic;
    RegionBound(const detail::RegionData& data, RegionId goal, uint32_t cheapest, const MovementRule& rule);
    uint64_t table_bound(RegionId id) const;

    RegionLayout layout_;
    int32_t goal_x_ = 0, goal_y_ = 0;
    uint64_t straight_ = 0;                                 // per step along the longer side
    uint64_t extra_ = 0;                                    // added per step along the shorter side
    const detail::RegionTables* tables_ = nullptr;          // null: octile distance only
    const uint64_t* goal_row_ = nullptr;                    // landmarks and FastMap
    RegionHeuristicScratch* scratch_ = nullptr;             // path tables
    uint64_t scale_numerator_ = 1, scale_denominator_ = 1;  // from the table's units to the profile's
};

enum class RegionHeuristicKind : uint8_t { kLandmarks, kFastMap, kPathTable };

// Returns "landmarks", "fastmap" or "path table".
const char* to_string(RegionHeuristicKind kind);

struct RegionLandmarkOptions {
    uint32_t landmarks = 8;  // 1..kMaxRegionLandmarks
    uint32_t threads = 1;    // 0: one per hardware thread; the result does not depend on it
};
inline constexpr uint32_t kMaxRegionLandmarks = 256;

struct RegionFastMapOptions {
    uint32_t dimensions = 8;  // 1..kMaxRegionDimensions
};
inline constexpr uint32_t kMaxRegionDimensions = 32;

struct PathTableOptions {
    size_t max_bytes = size_t{256} << 20;
    uint32_t threads = 1;  // 0: one per hardware thread; the table does not depend on it
};

// A table of one of the three kinds. Immutable and thread-safe; copies share the table. Holds the version of the regions that it is
// valid for.
class TERRANE_EXPERIMENTAL RegionHeuristic {
public:
    // Differential heuristic. Apportions the landmarks to the connected components of the graph by region count (d'Hondt's rule); small
    // components may get none and use octile distance only. In a component, the first landmark is the region farthest from the first
    // region, and each further landmark is the region farthest from all previous ones. There are fewer landmarks than requested only
    // if there are fewer passable regions. Memory: 8 bytes per region and landmark, and about 60 per sector.
    static RegionHeuristic landmarks(const TerrainRegions& regions, const Ground& ground, const RegionLandmarkOptions& options = {});

    // FastMap. Embeds the 16 largest connected components, each on its own; the others use octile distance only. Memory as landmarks.
    static RegionHeuristic fastmap(const TerrainRegions& regions, const Ground& ground, const RegionFastMapOptions& options = {});

    // Path table. Runs a search of the whole graph per region, so the time is quadratic in the number of regions. Fails with kTooLarge
    // and the required size if it needs more than max_bytes, by an estimate from a few rows or during the build.
    static Result<RegionHeuristic> path_table(const TerrainRegions& regions, const Ground& ground, const PathTableOptions& options = {});

    // The heuristic for a later version of the same regions, any number of edits later; empty for another size of map or sector. Finds
    // the changed sectors by comparing which records the two versions share.
    //   landmarks   regions of changed sectors take new potentials from their neighbours; then potentials are lowered until they are
    //               feasible on every edge. The bound stays admissible, but may be weaker than a rebuilt one. Time and new memory
    //               grow with the number of sectors in which a potential changed.
    //   others      empty, unless no region or edge changed: there is no local repair
    std::optional<RegionHeuristic> updated(const TerrainRegions& after) const;

    // Whether it is valid for exactly this version of the regions, this movement rule and this profile. The profile must be the one of
    // the build, or one that is nowhere cheaper and enters no other terrain.
    bool valid_for(const TerrainRegions& regions, const Ground& ground) const;

    // A Heuristic for searches towards `goal`. Empty unless valid_for(regions, ground), and for kNoRegion. This heuristic, or a copy,
    // must outlive the bound. The next call with the same scratch invalidates the bound.
    std::optional<RegionBound> bound_to(RegionId goal, const TerrainRegions& regions, const Ground& ground,
                                        RegionHeuristicScratch& scratch) const;

    RegionHeuristicKind kind() const;
    std::span<const Cell> landmark_cells() const;  // representatives of the landmark regions; empty for the other kinds
    uint64_t edits() const;                        // versions applied since the build
    // Size of the table; counts blocks shared with other versions in full; without the regions.
    size_t bytes() const;

private:
    explicit RegionHeuristic(std::shared_ptr<const detail::RegionTables> tables) : tables_(std::move(tables)) {}
    std::shared_ptr<const detail::RegionTables> tables_;
};

}  // namespace terrane
