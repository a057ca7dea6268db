#include "terrane/navmesh/navmesh_planner.h"

#include <algorithm>

#include "base/attempt.h"
#include "navmesh/abstraction/region_components.h"
#include "navmesh/search/corridor.h"
#include "navmesh/search/nearest_polygon.h"
#include "navmesh/search/polygon_search.h"
#include "navmesh/search/region_route.h"

namespace terrane {
namespace {

// How many regions further a segment of dta+portals leads. On the longer half of the queries of `terrane bench navmesh`, those of person
// and of deer, with the weights of query_costs.h: 4 took 1,720 and 3,805 expansions for paths of 0.5% and 1.4% above Detour's; 3, 1,640 and
// 3,425 for 0.6% and 1.7%; 2, 1,544 and 3,114 for 0.7% and 2.2%; 6, 1,833 and 4,436 for 0.5% and 1.2%.
constexpr size_t kSegmentRegions = 4;

// Expansions of regions after which it is asked whether the goal can be reached at all. Short ways never ask: what it takes to know
// grows with the mesh, and is due again after each change.
constexpr uint64_t kAskAfter = 256;

}  // namespace

struct NavmeshPlanner::Impl {
    explicit Impl(const NavmeshAbstraction& a) : regions(&a), view(a.mesh()), locator(a.mesh()) {}

    bool is_current() const { return regions->version() == version && regions->is_current(); }
    uint64_t expansions() const { return given_up + route.expansions() + refined + (refining ? segment.expansions() : 0); }
    Status localise(Vec3 from, Vec3 to);
    void begin(Vec3 from, Vec3 to, const NavmeshFilter& filter, const NavmeshFindOptions& how);
    Status run(uint64_t budget);
    // What memory ran out in the middle of is of no more use: the next query begins with a new one.
    Status fail() {
        first.clear();
        return status = Status::kOutOfMemory;
    }
    Status step(uint64_t budget);
    Status find_route(uint64_t budget);
    void begin_route();
    NavmeshRegionId region_of(PolygonNumber p) const { return regions->tile(view.slot(p)).labels[view.index(p)]; }
    Status explore(uint64_t budget);
    void aim_nearest();
    Status refine(uint64_t budget);
    void aim();
    void finish_segment();
    void finish();
    void give_answer(NavmeshPath& out) const;

    const NavmeshAbstraction* regions;
    MeshView view;
    PolygonLocator locator;
    uint64_t version = 0;
    QueryCosts costs;
    NavmeshFindOptions options;
    Status status = Status::kUnreachable;
    Localised start, goal;
    Vec3 wanted;            // the goal that was asked for
    bool nearest = false;   // what is looked for now is the way to the nearest place
    uint64_t given_up = 0;  // expansions of the search before that

    RegionRoute route;
    RegionComponents components;
    bool asked = false;            // those, or there is nothing to ask
    std::vector<RouteStop> stops;  // none until the route is found

    // The segment at hand: from `at`, in the region of stop `next`, to stop `end`.
    PolygonSearch segment;
    bool refining = false;
    std::vector<NavmeshRegionId> allowed;
    Localised at;
    size_t next = 0, end = 0;
    std::vector<CorridorStep> corridor;
    uint64_t refined = 0;  // expansions of the segments that are done

    CorridorPath path;
    std::vector<uint64_t> scratch;
    std::vector<Vec3> first;
    uint64_t expansions_first = 0;
};

void NavmeshPlanner::Impl::begin(Vec3 from, Vec3 to, const NavmeshFilter& filter, const NavmeshFindOptions& how) {
    version = regions->version();
    options = how;
    costs = query_costs(filter, *regions);
    stops.clear();
    corridor.clear();
    first.clear();
    refining = false;
    next = end = 0;
    refined = expansions_first = given_up = 0;
    wanted = to;
    nearest = false;
    route.clear();
    status = is_current() ? localise(from, to) : Status::kStale;
    if (status == Status::kBudgetSpent) begin_route();
}

Status NavmeshPlanner::Impl::localise(Vec3 from, Vec3 to) {
    start = locator.locate(*regions, view, costs, from, options.extents);
    goal = locator.locate(*regions, view, costs, to, options.extents);
    if ((!start && !start.blocked) || (!goal && !goal.blocked)) return Status::kOutsideMap;
    if (!start) return Status::kBlockedStart;
    return goal || options.nearest ? Status::kBudgetSpent : Status::kBlockedGoal;
}

void NavmeshPlanner::Impl::begin_route() {
    asked = !goal || nearest || options.nearest;  // a partial path needs to know what is in reach
    const MeshPoint spot = goal ? goal.spot : to_mesh_point(wanted);
    route.begin(*regions, costs, options.method, region_of(start.polygon), start.spot, goal ? region_of(goal.polygon) : kNoNavmeshRegion,
                spot);
}

// The search for the goal has come to all regions that can be reached.
void NavmeshPlanner::Impl::aim_nearest() {
    std::vector<NavmeshRegionId> reached;
    route.reached(reached);
    goal = locator.locate_among(reached, *regions, view, wanted);
    given_up = route.expansions();
    nearest = true;
    begin_route();
}

Status NavmeshPlanner::Impl::run(uint64_t budget) {
    const uint64_t before = expansions(), limit = std::min(budget, options.max_expansions - std::min(before, options.max_expansions));
    // A step may end a phase without spending all: then the next begins.
    while (status == Status::kBudgetSpent) {
        status = step(limit - (expansions() - before));
        if (expansions() - before == limit) break;
    }
    return status;
}

Status NavmeshPlanner::Impl::step(uint64_t budget) { return stops.empty() ? find_route(budget) : refine(budget); }

// One stretch of the search for a route: until it is time to ask, or to the end.
Status NavmeshPlanner::Impl::explore(uint64_t budget) {
    if (asked) return route.run(budget);
    const uint64_t before = route.expansions();
    const Status found = route.run(std::min(budget, kAskAfter - before));
    if (found != Status::kBudgetSpent || route.expansions() < kAskAfter) return found;
    asked = true;
    return components.may_reach(*regions, costs, region_of(start.polygon), region_of(goal.polygon)) ? found : Status::kUnreachable;
}

Status NavmeshPlanner::Impl::find_route(uint64_t budget) {
    const Status found = explore(budget);
    if (found == Status::kUnreachable && options.nearest && !nearest) {
        aim_nearest();
        return Status::kBudgetSpent;
    }
    if (found != Status::kFound) return found;
    route.stops(stops);
    corridor.assign(1, {start.polygon, 0});
    at = start;
    return Status::kBudgetSpent;
}

// The segment from `at` on.
void NavmeshPlanner::Impl::aim() {
    const size_t last = stops.size() - 1, reach = options.method.portals ? kSegmentRegions : 1;
    end = std::min(next + reach, last);
    allowed.clear();
    for (size_t i = next; i <= end; ++i) allowed.push_back(stops[i].region);
    PolygonTask task;
    task.regions = allowed;
    task.from = at.polygon;
    task.start = at.spot;
    task.method = options.method;
    if (end == last) {
        task.to = goal.polygon;
        task.goal = goal.spot;
    } else if (!options.method.portals) {
        task.to = view.number(regions->polygon_of(stops[end].region));
        task.goal = view.centre(task.to);
    } else {
        task.into = stops[end].region;
        task.goal = stops[end].place;
    }
    segment.begin(*regions, view, costs, task);
    refining = true;
}

Status NavmeshPlanner::Impl::refine(uint64_t budget) {
    if (!refining) aim();
    const Status found = segment.run(budget);
    if (found != Status::kFound) return found;
    finish_segment();
    if (end + 1 < stops.size()) {
        next = end;
        return Status::kBudgetSpent;
    }
    finish();
    return nearest ? Status::kPartial : Status::kFound;
}

void NavmeshPlanner::Impl::finish_segment() {
    segment.append_to(corridor);
    at = {corridor.back().polygon, segment.end(), false};
    refined += segment.expansions();
    refining = false;
    if (!first.empty()) return;
    expansions_first = expansions();
    path.pull_straight(view, costs, corridor, start.spot, at.spot);
    path.points(options.crossings, first);
}

void NavmeshPlanner::Impl::finish() {
    cut_loops(corridor, scratch);
    path.pull_straight(view, costs, corridor, start.spot, goal.spot);
    if (options.method.portals) path.refract();
}

void NavmeshPlanner::Impl::give_answer(NavmeshPath& out) const {
    path.points(options.crossings, out.points);
    out.corridor.reserve(corridor.size());
    for (const CorridorStep& walked : corridor) {
        const uint32_t slot = view.slot(walked.polygon);
        out.corridor.push_back(regions->mesh().encodePolyId(regions->tile(slot).salt, slot, view.index(walked.polygon)));
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
    detail::attempt(begin_query, [&] { impl_->fail(); });
}

Status NavmeshPlanner::run(uint64_t budget) {
    Impl& m = *impl_;
    if (m.status == Status::kBudgetSpent && !m.is_current()) m.status = Status::kStale;
    return detail::attempt([&] { return m.run(budget); }, [&] { return m.fail(); });
}

Status NavmeshPlanner::status() const { return impl_->status; }
uint64_t NavmeshPlanner::expansions() const { return impl_->expansions(); }
std::span<const Vec3> NavmeshPlanner::first_segment() const { return impl_->first; }

void NavmeshPlanner::path(NavmeshPath& out) const {
    const Impl& m = *impl_;
    const auto give_nothing = [&](Status status) {
        out.status = status;
        out.points.clear();
        out.corridor.clear();
        out.cost = out.length = 0;
    };
    give_nothing(m.status);
    out.expansions = m.expansions();
    out.expansions_first = m.expansions_first;
    if (m.status == Status::kFound || m.status == Status::kPartial) {
        detail::attempt([&] { m.give_answer(out); }, [&] { give_nothing(Status::kOutOfMemory); });
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
           m.first.capacity() * sizeof(Vec3) + m.allowed.capacity() * sizeof(NavmeshRegionId);
}

}  // namespace terrane
