#include "terrane/navmesh/navmesh_planner.h"

#include <algorithm>

#include "base/catch_bad_alloc.h"
#include "navmesh/abstraction/region_components.h"
#include "navmesh/search/corridor.h"
#include "navmesh/search/nearest_polygon.h"
#include "navmesh/search/polygon_search.h"
#include "navmesh/search/region_route.h"

namespace terrane {
namespace {

// Regions per segment of dta+portals. 2 and 3 find costlier paths, 6 expands 7% to 17% more nodes (docs/notes/navmesh.md).
constexpr size_t kSegmentRegions = 4;

// Region expansions before the connected components are consulted. Short queries never pay for them: their cost is linear in the mesh, and
// due again after each change.
constexpr uint64_t kComponentCheckExpansions = 256;

}  // namespace

struct NavmeshPlanner::Impl {
    explicit Impl(const NavmeshAbstraction& a) : regions(&a), view(a.mesh()), locator(a.mesh()) {}

    bool is_current() const { return regions->version() == version && regions->is_current(); }
    uint64_t expansions() const {
        return abandoned_expansions + route.expansions() + refined_expansions + (refining ? segment.expansions() : 0);
    }
    Status locate_ends(Vec3 from, Vec3 to);
    void begin(Vec3 from, Vec3 to, const NavmeshFilter& filter, const NavmeshFindOptions& find_options);
    Status run(uint64_t budget);
    // After bad_alloc the search state is unspecified; begin() replaces it.
    Status fail() {
        first_points.clear();
        return status = Status::kOutOfMemory;
    }
    Status step(uint64_t budget);
    Status find_route(uint64_t budget);
    void begin_route();
    NavmeshRegionId region_of(PolygonNumber p) const { return regions->tile(view.slot(p)).labels[view.index(p)]; }
    Status run_route(uint64_t budget);
    void retarget_nearest_reachable();
    Status refine(uint64_t budget);
    void begin_segment();
    void finish_segment();
    void finish();
    void write_path(NavmeshPath& out) const;

    const NavmeshAbstraction* regions;
    MeshView view;
    PolygonLocator locator;
    uint64_t version = 0;
    QueryCosts costs;
    NavmeshFindOptions options;
    Status status = Status::kUnreachable;
    PolygonLocation start, goal;
    Vec3 requested_goal;
    bool nearest = false;               // the goal is now the reachable point nearest to the requested one
    uint64_t abandoned_expansions = 0;  // of the search for the requested goal

    RegionRoute route;
    RegionComponents components;
    bool components_checked = false;  // or not needed
    std::vector<RouteStop> stops;     // empty until the route is found

    // The current segment: from `segment_start`, in the region of stop `first_stop`, to stop `last_stop`.
    PolygonSearch segment;
    bool refining = false;
    std::vector<NavmeshRegionId> allowed;
    PolygonLocation segment_start;
    size_t first_stop = 0, last_stop = 0;
    std::vector<CorridorStep> corridor;
    uint64_t refined_expansions = 0;  // of finished segments

    CorridorPath path;
    std::vector<uint64_t> scratch;
    std::vector<Vec3> first_points;
    uint64_t expansions_first = 0;
};

void NavmeshPlanner::Impl::begin(Vec3 from, Vec3 to, const NavmeshFilter& filter, const NavmeshFindOptions& find_options) {
    version = regions->version();
    options = find_options;
    costs = query_costs(filter, *regions);
    stops.clear();
    corridor.clear();
    first_points.clear();
    refining = false;
    first_stop = last_stop = 0;
    refined_expansions = expansions_first = abandoned_expansions = 0;
    requested_goal = to;
    nearest = false;
    route.clear();
    status = is_current() ? locate_ends(from, to) : Status::kStale;
    if (status == Status::kBudgetSpent) begin_route();
}

Status NavmeshPlanner::Impl::locate_ends(Vec3 from, Vec3 to) {
    start = locator.locate(*regions, view, costs, from, options.extents);
    goal = locator.locate(*regions, view, costs, to, options.extents);
    if ((!start && !start.blocked) || (!goal && !goal.blocked)) return Status::kOutsideMap;
    if (!start) return Status::kBlockedStart;
    return goal || options.nearest ? Status::kBudgetSpent : Status::kBlockedGoal;
}

void NavmeshPlanner::Impl::begin_route() {
    components_checked = !goal || nearest || options.nearest;  // a partial path needs the set of reachable regions
    const MeshPoint point = goal ? goal.point : to_mesh_point(requested_goal);
    route.begin(*regions, costs, options.method, region_of(start.polygon), start.point, goal ? region_of(goal.polygon) : kNoNavmeshRegion,
                point);
}

// Called after the search for the goal has visited all reachable regions.
void NavmeshPlanner::Impl::retarget_nearest_reachable() {
    std::vector<NavmeshRegionId> reached;
    route.reached(reached);
    goal = locator.locate_among(reached, *regions, view, requested_goal);
    abandoned_expansions = route.expansions();
    nearest = true;
    begin_route();
}

Status NavmeshPlanner::Impl::run(uint64_t budget) {
    const uint64_t before = expansions(), limit = std::min(budget, options.max_expansions - std::min(before, options.max_expansions));
    // A step may finish a phase without spending its budget; then the next phase begins.
    while (status == Status::kBudgetSpent) {
        status = step(limit - (expansions() - before));
        if (expansions() - before == limit) break;
    }
    return status;
}

Status NavmeshPlanner::Impl::step(uint64_t budget) { return stops.empty() ? find_route(budget) : refine(budget); }

// Runs the route search, and checks the connected components once after kComponentCheckExpansions.
Status NavmeshPlanner::Impl::run_route(uint64_t budget) {
    if (components_checked) return route.run(budget);
    const uint64_t before = route.expansions();
    const Status found = route.run(std::min(budget, kComponentCheckExpansions - before));
    if (found != Status::kBudgetSpent || route.expansions() < kComponentCheckExpansions) return found;
    components_checked = true;
    return components.may_reach(*regions, costs, region_of(start.polygon), region_of(goal.polygon)) ? found : Status::kUnreachable;
}

Status NavmeshPlanner::Impl::find_route(uint64_t budget) {
    const Status found = run_route(budget);
    if (found == Status::kUnreachable && options.nearest && !nearest) {
        retarget_nearest_reachable();
        return Status::kBudgetSpent;
    }
    if (found != Status::kFound) return found;
    route.stops(stops);
    corridor.assign(1, {start.polygon, 0});
    segment_start = start;
    return Status::kBudgetSpent;
}

void NavmeshPlanner::Impl::begin_segment() {
    const size_t last = stops.size() - 1, span = options.method.portals ? kSegmentRegions : 1;
    last_stop = std::min(first_stop + span, last);
    allowed.clear();
    for (size_t i = first_stop; i <= last_stop; ++i) allowed.push_back(stops[i].region);
    PolygonTask task;
    task.regions = allowed;
    task.from = segment_start.polygon;
    task.start = segment_start.point;
    task.method = options.method;
    if (last_stop == last) {
        task.to = goal.polygon;
        task.goal = goal.point;
    } else if (!options.method.portals) {
        task.to = view.number(regions->polygon_of(stops[last_stop].region));
        task.goal = view.centre(task.to);
    } else {
        task.goal_region = stops[last_stop].region;
        task.goal = stops[last_stop].point;
    }
    segment.begin(*regions, view, costs, task);
    refining = true;
}

Status NavmeshPlanner::Impl::refine(uint64_t budget) {
    if (!refining) begin_segment();
    const Status found = segment.run(budget);
    if (found != Status::kFound) return found;
    finish_segment();
    if (last_stop + 1 < stops.size()) {
        first_stop = last_stop;
        return Status::kBudgetSpent;
    }
    finish();
    return nearest ? Status::kPartial : Status::kFound;
}

void NavmeshPlanner::Impl::finish_segment() {
    segment.append_to(corridor);
    segment_start = {corridor.back().polygon, segment.end(), false};
    refined_expansions += segment.expansions();
    refining = false;
    if (!first_points.empty()) return;
    expansions_first = expansions();
    path.pull_straight(view, costs, corridor, start.point, segment_start.point);
    path.points(options.crossings, first_points);
}

void NavmeshPlanner::Impl::finish() {
    cut_loops(corridor, scratch);
    path.pull_straight(view, costs, corridor, start.point, goal.point);
    if (options.method.portals) path.optimise_crossing_points();
}

void NavmeshPlanner::Impl::write_path(NavmeshPath& out) const {
    path.points(options.crossings, out.points);
    out.corridor.reserve(corridor.size());
    for (const CorridorStep& crossed : corridor) {
        const uint32_t slot = view.slot(crossed.polygon);
        out.corridor.push_back(regions->mesh().encodePolyId(regions->tile(slot).salt, slot, view.index(crossed.polygon)));
    }
    out.cost = path.measure().cost;
    out.length = path.measure().length;
}

NavmeshPlanner::NavmeshPlanner(const NavmeshAbstraction& regions) : impl_(std::make_unique<Impl>(regions)) {}
NavmeshPlanner::~NavmeshPlanner() = default;
NavmeshPlanner::NavmeshPlanner(NavmeshPlanner&&) noexcept = default;
NavmeshPlanner& NavmeshPlanner::operator=(NavmeshPlanner&&) noexcept = default;

void NavmeshPlanner::begin(Vec3 start, Vec3 goal, const NavmeshFilter& filter, const NavmeshFindOptions& options) {
    const auto begin_query = [&] {
        if (impl_->status == Status::kOutOfMemory) impl_ = std::make_unique<Impl>(*impl_->regions);
        impl_->begin(start, goal, filter, options);
    };
    detail::catch_bad_alloc(begin_query, [&] { impl_->fail(); });
}

Status NavmeshPlanner::run(uint64_t budget) {
    Impl& m = *impl_;
    if (m.status == Status::kBudgetSpent && !m.is_current()) m.status = Status::kStale;
    return detail::catch_bad_alloc([&] { return m.run(budget); }, [&] { return m.fail(); });
}

Status NavmeshPlanner::status() const { return impl_->status; }
uint64_t NavmeshPlanner::expansions() const { return impl_->expansions(); }
std::span<const Vec3> NavmeshPlanner::first_segment() const { return impl_->first_points; }

void NavmeshPlanner::path(NavmeshPath& out) const {
    const Impl& m = *impl_;
    const auto reset_path = [&](Status status) {
        out.status = status;
        out.points.clear();
        out.corridor.clear();
        out.cost = out.length = 0;
    };
    reset_path(m.status);
    out.expansions = m.expansions();
    out.expansions_first = m.expansions_first;
    if (m.status == Status::kFound || m.status == Status::kPartial) {
        detail::catch_bad_alloc([&] { m.write_path(out); }, [&] { reset_path(Status::kOutOfMemory); });
    }
}

void NavmeshPlanner::find(Vec3 start, Vec3 goal, const NavmeshFilter& filter, const NavmeshFindOptions& options, NavmeshPath& out) {
    begin(start, goal, filter, options);
    run();
    path(out);
}

NavmeshPath NavmeshPlanner::find(Vec3 start, Vec3 goal, const NavmeshFilter& filter, const NavmeshFindOptions& options) {
    NavmeshPath out;
    find(start, goal, filter, options, out);
    return out;
}

size_t NavmeshPlanner::bytes() const {
    const Impl& m = *impl_;
    return sizeof(Impl) + m.route.bytes() + m.components.bytes() + m.segment.bytes() + m.path.bytes() +
           m.corridor.capacity() * sizeof(CorridorStep) + m.stops.capacity() * sizeof(RouteStop) + m.scratch.capacity() * sizeof(uint64_t) +
           m.first_points.capacity() * sizeof(Vec3) + m.allowed.capacity() * sizeof(NavmeshRegionId);
}

}  // namespace terrane
