// Hierarchical path planner for Detour navigation meshes, over the regions of navmesh_abstraction.h.
// Based on: Sturtevant, Sigurdson, Taylor, Gibson 2019 (AIIDE), section 5.3; Lee, Preparata 1984 and Mononen 2010 (the funnel algorithm).
//
//   NavmeshAbstraction regions(mesh);                                   // once; tile_changed() as the mesh changes
//   NavmeshPlanner planner(regions);                                    // one per thread, reused
//   NavmeshPath path = planner.find({1, 0, 2}, {900, 12, 750}, filter);
//
// A query projects start and goal onto the mesh, searches the region graph, and refines the region route segment by segment with A* over
// the polygons of a few regions at a time. Two methods:
//   dta          the paper's: region nodes are their centres, segments lead from centre to centre, and string pulling (the funnel
//                algorithm) shortens the path through the polygon corridor, regardless of area costs.
//   dta+portals  ours: a region or polygon is entered at the point of its portal that minimises the distance from the previous entry point
//                via the portal to the goal. Where area costs differ, the crossing points are then optimised: the path bends by Snell's
//                law, as the optimal path in its corridor does (bp_solver.h).
// Neither is optimal. Both are complete: the polygons of a region are connected in both directions.
//
// Most unreachable goals are detected after 256 region expansions, from the connected components of the mesh under the filter with all
// connections taken as bidirectional. If only one-way connections make the goal unreachable, the search exhausts all reachable regions. The
// components are computed when a query first needs them after a change, in time linear in regions (0.3 ms for 7,720), and cached for the
// last 8 filters.
//
// There is no node limit and no clock: budgets count expansions of regions and polygons. Distances are three-dimensional, over the polygons
// (not their detail meshes).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "terrane/base/method_text.h"
#include "terrane/base/result.h"
#include "terrane/base/status.h"
#include "terrane/grid/profile.h"
#include "terrane/navmesh/navmesh_abstraction.h"
#include "terrane/search/best_first.h"

class dtQueryFilter;  // NOLINT(readability-identifier-naming): Detour's

namespace terrane {

// Which polygons an agent may enter, and at what cost. Entry i of the table is area i of the mesh (0 to 63), in hundredths per unit of
// length; 0 is blocked. A polygon must have at least one of the include flags and none of the exclude flags. By default every area costs
// 1 and all flags pass.
struct NavmeshFilter {
    CostTable costs = uniform_costs();
    uint16_t include_flags = 0xffff;
    uint16_t exclude_flags = 0;

    bool passes(uint8_t area, uint16_t flags) const {
        return costs.cost[area] != 0 && (flags & include_flags) != 0 && (flags & exclude_flags) == 0;
    }
    // Returns the cost per unit of length; 0: blocked.
    double cost(uint8_t area) const { return static_cast<double>(costs.hundredths(area)) / 100; }

    static CostTable uniform_costs();
};

// Rounds costs to hundredths. Costs below 0.005, above 650 or NaN become blocked: FLT_MAX is the idiom for that in Detour.
NavmeshFilter to_navmesh_filter(const dtQueryFilter& filter);
// Blocked areas get the cost FLT_MAX. Detour cannot block areas by cost: it enters them if there is no other path.
void to_detour_filter(const NavmeshFilter& filter, dtQueryFilter& out);

// A method with its options.
struct NavmeshMethod {
    bool portals = true;  // enter regions and polygons at portal points; false: at the paper's centres

    // The name that find_navmesh_method() parses.
    const char* name() const { return portals ? "dta+portals" : "dta"; }
    friend bool operator==(const NavmeshMethod&, const NavmeshMethod&) = default;
};

// One constant per method, listed in src/navmesh/search/navmesh_method.cpp.
struct NavmeshMethodFactory {
    MethodInfo info;
    Result<NavmeshMethod> (*parse)(const MethodText& text, const NavmeshMethodFactory& factory) = nullptr;
};

// All methods for navigation meshes. Thread-safe.
std::span<const NavmeshMethodFactory* const> navmesh_methods();

// Parses a method name, like find_method() (terrane/world/methods.h) for grids. Unknown names and options fail with a message that lists
// the valid ones.
Result<NavmeshMethod> find_navmesh_method(std::string_view name);

struct NavmeshFindOptions {
    NavmeshMethod method = {};
    Vec3 extents = {2, 4, 2};  // maximum distance of start and goal from the mesh along each axis
    bool crossings = false;    // output a point at every polygon border instead of only at turns
    // If the goal is blocked or unreachable: find a path to the nearest reachable point, with status kPartial.
    bool nearest = false;
    uint64_t max_expansions = kUnlimited;  // kBudgetSpent when reached
};

// Points and corridor are empty unless the status is kFound or kPartial.
struct NavmeshPath {
    Status status = Status::kUnreachable;
    std::vector<Vec3> points;              // from start to goal, projected onto the mesh; a single point if they coincide
    std::vector<NavmeshPolygon> corridor;  // all polygons crossed, in order, with off-mesh connections
    double cost = 0;                       // sum over the corridor of the length inside each polygon times its area cost
    double length = 0;
    uint64_t expansions = 0;
    uint64_t expansions_first = 0;  // expansions until the first segment was available

    explicit operator bool() const { return status == Status::kFound; }
};

// Answers queries, one at a time, and reuses its scratch memory. One thread at a time; use one planner per thread. Memory grows with the
// part of the mesh that queries search and is kept. If an allocation fails, the query ends with kOutOfMemory and the planner stays usable;
// only the constructor throws std::bad_alloc.
class NavmeshPlanner {
public:
    // `regions` must outlive the planner.
    explicit NavmeshPlanner(const NavmeshAbstraction& regions);
    ~NavmeshPlanner();
    NavmeshPlanner(NavmeshPlanner&&) noexcept;
    NavmeshPlanner& operator=(NavmeshPlanner&&) noexcept;

    // Finds a path. Start and goal are projected onto the nearest polygon that passes the filter, within the extents; points above or below
    // a polygon by at most the tile's climb are on it. Fails with:
    //   kBlockedStart, kBlockedGoal  only blocked polygons are within the extents
    //   kOutsideMap                  no polygon is within the extents
    //   kUnreachable                 no path exists
    //   kStale                       the mesh differs from the abstraction: call tile_changed() for the changes. Changed tiles are always
    //                                detected, changed areas and flags only where the search reads the polygons.
    NavmeshPath find(Vec3 start, Vec3 goal, const NavmeshFilter& filter = {}, const NavmeshFindOptions& options = {});
    // Reuses the memory of `out`.
    void find(Vec3 start, Vec3 goal, const NavmeshFilter& filter, const NavmeshFindOptions& options, NavmeshPath& out);

    // Begins a query for run(), and discards the previous one. Copies `filter`.
    void begin(Vec3 start, Vec3 goal, const NavmeshFilter& filter, const NavmeshFindOptions& options = {});

    // Expands at most `budget` more nodes, and at most options.max_expansions in total. kBudgetSpent: call again to continue, unless
    // max_expansions is reached. Any other status is final. Slicing does not change the result. kStale if mesh or abstraction have changed
    // since begin().
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;

    // A path to follow while the search continues: from the start to the end of the first segment, after string pulling. The final path
    // crosses the same polygons but may have other points. Empty until it is available.
    std::span<const Vec3> first_segment() const;

    // Writes the result. Reuses the memory of `out`.
    void path(NavmeshPath& out) const;

    // Returns the memory held for reuse, without Detour's.
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
