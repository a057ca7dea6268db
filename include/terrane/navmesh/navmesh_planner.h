// Paths over a Detour navigation mesh, through its regions (navmesh_abstraction.h).
//
//   NavmeshAbstraction regions(mesh);                                   // once; tile_changed() as the mesh changes
//   NavmeshPlanner planner(regions);                                    // one per thread, reused
//   NavmeshPath path = planner.find({1, 0, 2}, {900, 12, 750}, filter);
//
// A query localises its ends, searches regions, and refines their route segment by segment: A* over the polygons of a few regions at a
// time. Two methods:
//   dta          the paper's: regions stand for their centres; segments lead from the middle of one to the middle of the next; the corridor
//                of polygons is pulled straight by a funnel, whatever it crosses.
//   dta+portals  ours: regions stand for the point of their border where the way from the last such point towards the goal meets it, or
//                comes as near to it as it can; polygons likewise. A path that crosses areas of several costs is then refracted: it bends
//                at their borders by Snell's law, as the best path in its corridor does (boundary_points.h).
// Neither is optimal. Both find a path wherever there is one: the polygons of a region are joined both ways.
//
// Goals that cannot be reached are known as such after 256 expansions of regions, most of them: by the parts that the mesh falls into for
// the filter, whichever way its connections lead. Only where one-way connections are the reason, everything in reach is searched. The parts
// are found when a query first needs them after a change, in time linear in regions (0.3 ms for 7,720), and kept for the last 8 filters.
//
// There is no limit on nodes, and no clock: budgets count expansions, of regions (or their borders) and of polygons. Distances are in three
// dimensions, over the polygons (not their detail meshes).
// Based on: Sturtevant, Sigurdson, Taylor, Gibson 2019 (AIIDE), 5.3; Lee, Preparata 1984 and Mononen 2010 (the funnel).
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

// Who may go where, at what cost: terrain i of the table is area i of the mesh (0 to 63), in hundredths a unit of length; 0 is blocked. A
// polygon also needs one of the flags included, and none of those excluded. As made: every area costs 1, every flag will do.
struct NavmeshFilter {
    CostTable costs = uniform_costs();
    uint16_t include_flags = 0xffff;
    uint16_t exclude_flags = 0;

    bool passes(uint8_t area, uint16_t flags) const {
        return costs.cost[area] != 0 && (flags & include_flags) != 0 && (flags & exclude_flags) == 0;
    }
    // A unit of length in an area. 0 where it is blocked.
    double cost(uint8_t area) const { return static_cast<double>(costs.hundredths(area)) / 100; }

    static CostTable uniform_costs();
};

// Costs are rounded to hundredths. One below 0.005, above 650, or no number, is blocked: Detour's users write FLT_MAX for that.
NavmeshFilter to_navmesh_filter(const dtQueryFilter& filter);
// Blocked areas cost FLT_MAX: Detour itself knows none, and enters them where there is no other way.
void to_detour_filter(const NavmeshFilter& filter, dtQueryFilter& out);

// A method with its options. A value.
struct NavmeshMethod {
    bool portals = true;  // regions and polygons are entered where the path meets their borders; false: the paper's centres

    // As find_navmesh_method takes it.
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

// What find_method (terrane/world/methods.h) is for cells. Refuses unknown names and options with a message that says what would be right.
Result<NavmeshMethod> find_navmesh_method(std::string_view name);

struct NavmeshFindOptions {
    NavmeshMethod method = {};
    Vec3 extents = {2, 4, 2};  // how far from a polygon start and goal may be, along each axis
    bool crossings = false;    // points wherever the path enters a polygon, instead of where it bends
    // Where the goal is blocked or cannot be reached: the way to the point in reach that is nearest to it, with status kPartial.
    bool nearest = false;
    uint64_t max_expansions = kUnlimited;  // then status is kBudgetSpent
};

// Points and corridor are empty unless the status is kFound, or kPartial where that was asked for.
struct NavmeshPath {
    Status status = Status::kUnreachable;
    std::vector<Vec3> points;              // from start to goal, as localised; one where they are the same
    std::vector<NavmeshPolygon> corridor;  // every polygon that it crosses, off-mesh connections included, in order
    double cost = 0;                       // the sum, over those, of the length inside and the cost of the area
    double length = 0;
    uint64_t expansions = 0;
    uint64_t expansions_first = 0;  // of those, before the first segment could be walked

    explicit operator bool() const { return status == Status::kFound; }
};

// The scratch of one thread, reused from query to query; one query at a time. What it allocates grows with the parts of the mesh
// that a query looks at, and is kept. Where memory runs out, a query ends with kOutOfMemory, and the next begins anew (the constructor
// alone throws std::bad_alloc).
class NavmeshPlanner {
public:
    // `regions` must outlive it.
    explicit NavmeshPlanner(const NavmeshAbstraction& regions);
    ~NavmeshPlanner();
    NavmeshPlanner(NavmeshPlanner&&) noexcept;
    NavmeshPlanner& operator=(NavmeshPlanner&&) noexcept;

    // Each end is moved to the point nearest to it of the polygons that the filter lets pass, within the extents (points over or
    // under a polygon by no more than the tile's climb are on it). Where there is none: kBlockedStart or kBlockedGoal if there are others,
    // kOutsideMap if not. kUnreachable: no path joins the two. kStale: the mesh is not what the abstraction knows; call its tile_changed()
    // for what has changed. That is noticed of tiles anywhere, and of areas and flags where the search for the path reads polygons.
    NavmeshPath find(Vec3 start, Vec3 goal, const NavmeshFilter& filter = {}, const NavmeshFindOptions& options = {});
    // The same, reusing the memory of `out`.
    void find(Vec3 start, Vec3 goal, const NavmeshFilter& filter, const NavmeshFindOptions& options, NavmeshPath& out);

    // In slices. Begins a query, dropping the one before. `filter` is copied.
    void begin(Vec3 start, Vec3 goal, const NavmeshFilter& filter, const NavmeshFindOptions& options = {});

    // Expands at most `budget` more nodes, and no more than options.max_expansions in all. kBudgetSpent: call again to go on (unless the
    // latter is spent). Anything else is final. The result of slicing is the same as that of one run; where mesh or abstraction have
    // changed since begin(), it is kStale.
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;

    // A way to begin with while the rest is searched for: from the start to the end of the first segment, pulled straight. The path that is
    // found in the end leads through the same polygons but need not take the same points. Empty until there is one.
    std::span<const Vec3> first_segment() const;

    // The answer, reusing the memory of `out`.
    void path(NavmeshPath& out) const;

    // Memory held for reuse, without Detour's.
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
