#include "terrane/weighted_regions/proven_search.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/bp_solver.h"
#include "terrane/base/assert.h"
#include "weighted_regions/interval_map.h"
#include "weighted_regions/interval_pass.h"
#include "weighted_regions/out_of_memory.h"

namespace terrane {

using detail::IntervalMap;
using detail::IntervalPass;
using detail::kUnreachableCost;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Shares of gap / (points of the path):
constexpr double kShare = 0.5;     // intervals with a larger error are halved; 0.1 to 1 take as long
constexpr double kQuantum = 1e-4;  // negligible change of a bound

constexpr double kAlong = 1e-6;       // relative; smaller differences may come from the tolerance of subdivision_path_cost
constexpr double kLeastRounding = 4;  // allowances per point: a smaller gap counts as 0
constexpr double kMostRounding = 32;  // allowances per point: a smaller gap counts as 0 if the last pass made no progress
constexpr double kProgress = 0.8;     // of the previous gap: if more is left, the share is halved

}  // namespace

struct ProvenSearch::State {
    const Subdivision* subdivision = nullptr;
    ProvenSearchOptions options;
    std::array<Point, 2> ends;
    std::array<std::vector<uint32_t>, 2> ends_in;  // passable polygons that contain them

    IntervalMap map;
    IntervalPass pass;
    IntervalPass::Chain chain;
    std::vector<Segment> segments;
    BoundaryPointSolver solver;

    SubdivisionPath path;
    Status status = Status::kUnreachable;
    uint32_t rounds = 0;
    size_t intervals = 0;
    double upper = kUnreachableCost, lower = 0;
    double max_polygon_cost = 0;  // on the incumbent
    double last_gap = kUnreachableCost, share = kShare;

    void begin();
    double limit() const;
    double quantum() const;
    void begin_pass();
    void try_straight_line();
    void improve();
    double solve();
    bool fix_corners();
    void store_points();
    double rounding() const;
    bool is_done() const;
    bool refine();
    Status finish_pass();
    Status run(uint64_t budget);
    Status fail() { return status = detail::out_of_memory(path); }
};

// Paths that cost more cannot close the gap.
double ProvenSearch::State::limit() const {
    return upper < kUnreachableCost ? upper * (1 - options.gap) * (1 + 2 * kEpsilon) : kUnreachableCost;
}

void ProvenSearch::State::begin() {
    path = {};
    if (options.trace != nullptr) *options.trace = {};
    rounds = 0;
    upper = last_gap = kUnreachableCost;
    share = kShare;
    status = subdivision_path_ends(*subdivision, ends[0], ends[1], ends_in[0], ends_in[1]);
    if (status == Status::kFound) {
        const std::vector<double>& costs = subdivision->polygons().costs;
        lower = *std::ranges::min_element(costs) * distance(ends[0], ends[1]) * (1 - 8 * kEpsilon);
        status = Status::kBudgetSpent;
        path.lower_bound = lower;
        try_straight_line();
        map.build(*subdivision, ends);
        begin_pass();
    }
    path.status = status;
}

double ProvenSearch::State::quantum() const {
    const double gap = upper < kUnreachableCost ? (upper - lower) / static_cast<double>(path.points.size()) : lower;
    return kQuantum * gap + map.allowance(lower, 1);
}

void ProvenSearch::State::begin_pass() {
    const uint32_t from = rounds % 2;
    intervals = map.count_live();
    pass.begin(map, {from, ends[from], ends[1 - from], ends_in[from], ends_in[1 - from], limit(), rounds > 0, quantum(), options.trace});
}

// The first incumbent, if both ends are in one polygon.
void ProvenSearch::State::try_straight_line() {
    for (const uint32_t polygon : ends_in[0]) {
        const double cost = subdivision->cost(polygon) * distance(ends[0], ends[1]);
        if (cost >= upper || !std::ranges::binary_search(ends_in[1], polygon)) continue;
        path.cost = upper = cost;
        max_polygon_cost = subdivision->cost(polygon);
        path.points.assign({ends[0], ends[1]});
    }
}

// Updates the incumbent with the best path over the boundary sequence of the pass.
void ProvenSearch::State::improve() {
    if (pass.lower_bound() == kUnreachableCost) return;
    pass.trace_back(chain);
    if (rounds % 2 == 1) {
        std::ranges::reverse(chain.boundaries);
        std::ranges::reverse(chain.places);
        std::ranges::reverse(chain.costs);
    }
    segments.clear();
    for (const uint32_t b : chain.boundaries) segments.push_back(subdivision->segment(subdivision->boundaries()[b]));
    const double cost = solve();
    if (cost >= upper) return;
    upper = cost;
    max_polygon_cost = *std::ranges::max_element(chain.costs);
    store_points();
    if (fix_corners()) {
        const double fixed = solve();
        if (fixed <= upper * (1 + 4 * kEpsilon)) upper = fixed, store_points();
    }
    // A segment between corners may run along a boundary that is cheaper on its other side.
    const double walked = subdivision_path_cost(*subdivision, path.points);
    if (walked < upper * (1 - kAlong)) path.cost = upper = walked;
}

double ProvenSearch::State::solve() {
    return solver.newton({ends[0], ends[1], segments, chain.costs}, chain.places, {.primed = chain.places.size()}).cost;
}

// Pins consecutive points that coincide to their common vertex, so that they do not disturb the others. Returns false if there are none.
bool ProvenSearch::State::fix_corners() {
    const auto points = solver.points();
    bool any = false;
    for (size_t i = 0; i + 1 < points.size(); ++i) {
        if (distance(points[i], points[i + 1]) > subdivision->tolerance()) continue;
        const Segment &one = segments[i], &next = segments[i + 1];
        const Point corner = distance(one.a, points[i]) < distance(one.b, points[i]) ? one.a : one.b;
        if (distance(corner, points[i]) > subdivision->tolerance() || (corner != next.a && corner != next.b)) continue;
        segments[i] = segments[i + 1] = {corner, corner};
        any = true;
    }
    return any;
}

void ProvenSearch::State::store_points() {
    path.points.assign(1, ends[0]);
    for (const Point p : solver.points()) {
        if (p != path.points.back()) path.points.push_back(p);
    }
    if (path.points.size() == 1 || path.points.back() != ends[1]) path.points.push_back(ends[1]);
    path.cost = upper;
}

Status ProvenSearch::State::run(uint64_t budget) {
    if (status != Status::kBudgetSpent) return status;
    while (status == Status::kBudgetSpent) {
        const uint64_t before = budget;
        const bool done = pass.run(budget);
        path.expansions += before - budget;
        if (!done) break;
        status = finish_pass();
        if (status == Status::kBudgetSpent) begin_pass();
    }
    if (options.trace != nullptr) pass.list_open(options.trace->open);
    return path.status = status;
}

// The rounding error of the lower bound.
double ProvenSearch::State::rounding() const { return static_cast<double>(path.points.size()) * map.allowance(upper, max_polygon_cost); }

bool ProvenSearch::State::is_done() const {
    return lower >= limit() || upper - lower <= kLeastRounding * rounding() || rounds >= options.max_rounds;
}

// Halves intervals for the next round. Returns false if no further progress is possible.
bool ProvenSearch::State::refine() {
    const double gap = upper - lower;
    const bool progress = gap <= kProgress * last_gap;
    if (!progress && gap <= kMostRounding * rounding()) return false;
    share = progress ? kShare : share / 2;
    last_gap = gap;
    return map.split(share * gap / static_cast<double>(path.points.size()), upper) > 0 || map.split(0, upper) > 0;
}

Status ProvenSearch::State::finish_pass() {
    lower = std::max(lower, std::min(pass.lower_bound(), limit()));
    improve();
    ++rounds;
    if (upper == kUnreachableCost) {
        path.lower_bound = 0;
        return Status::kUnreachable;
    }
    lower = std::min(lower, upper);
    path.lower_bound = lower;
    pass.prune(limit());
    // The second pass uses the intervals of the first, from the other end.
    return is_done() || (rounds > 1 && !refine()) ? Status::kFound : Status::kBudgetSpent;
}

ProvenSearch::ProvenSearch() : state_(std::make_unique<State>()) {}
ProvenSearch::~ProvenSearch() = default;
ProvenSearch::ProvenSearch(ProvenSearch&&) noexcept = default;
ProvenSearch& ProvenSearch::operator=(ProvenSearch&&) noexcept = default;

void ProvenSearch::begin(const Subdivision& subdivision, Point from, Point to, const ProvenSearchOptions& options) {
    TERRANE_ASSERT(options.gap >= 0 && options.gap < 1 && options.max_rounds >= 1);
    detail::begin_query(state_, [&](State& s) {
        s.subdivision = &subdivision;
        s.ends = {from, to};
        s.options = options;
        s.begin();
    });
}

Status ProvenSearch::run(uint64_t budget) {
    return detail::catch_bad_alloc([&] { return state_->run(budget); }, [&] { return state_->fail(); });
}
const SubdivisionPath& ProvenSearch::path() const { return state_->path; }
size_t ProvenSearch::intervals() const { return state_->intervals; }
size_t ProvenSearch::bytes() const {
    const State& s = *state_;
    return sizeof(State) + s.map.bytes() + s.pass.bytes() + s.solver.bytes() + s.segments.capacity() * sizeof(Segment) +
           s.chain.boundaries.capacity() * sizeof(uint32_t) + (s.chain.places.capacity() + s.chain.costs.capacity()) * sizeof(double) +
           (s.ends_in[0].capacity() + s.ends_in[1].capacity()) * sizeof(uint32_t) + s.path.points.capacity() * sizeof(Point);
}

}  // namespace terrane
