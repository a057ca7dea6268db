#include "terrane/weighted_regions/proven_search.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/boundary_points.h"
#include "terrane/base/assert.h"
#include "weighted_regions/interval_map.h"
#include "weighted_regions/interval_pass.h"
#include "weighted_regions/query_memory.h"

namespace terrane {

using detail::IntervalMap;
using detail::IntervalPass;
using detail::kOutOfReach;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Intervals are halved whose error is above this share of an even part of the gap: 0.1 to 1 take as long.
constexpr double kShare = 0.5;
constexpr double kAlong = 1e-6;       // less may come from the tolerance that open_path_cost has
constexpr double kQuantum = 1e-4;     // of an even part of the gap
constexpr double kLeastRounding = 4;  // a gap of so many allowances for each point is none
constexpr double kMostRounding = 32;  // and of so many, where a pass gains nothing
constexpr double kProgress = 0.8;     // of the gap that was; where more is left, the share is halved

}  // namespace

struct ProvenSearch::State {
    const Subdivision* field = nullptr;
    ProvenSearchOptions options;
    std::array<Point, 2> ends;
    std::array<std::vector<uint32_t>, 2> ends_in;  // polygons around them

    IntervalMap map;
    IntervalPass pass;
    IntervalPass::Chain chain;
    std::vector<Segment> segments;
    BoundaryPointSolver solver;

    OpenPath path;
    Status status = Status::kUnreachable;
    uint32_t rounds = 0;
    size_t intervals = 0;
    double upper = kOutOfReach, lower = 0;
    double steepest = 0;  // cost of a polygon on the best path
    double last_gap = kOutOfReach, share = kShare;

    void begin();
    double limit() const;
    double quantum() const;
    void begin_pass();
    void go_straight();
    void improve();
    double solve();
    bool fix_corners();
    void keep_points();
    double rounding() const;
    bool is_done() const;
    bool refine();
    Status finish_pass();
    Status run(uint64_t budget);
    Status fail() { return status = detail::out_of_memory(path); }
};

// Paths above it are of no interest.
double ProvenSearch::State::limit() const { return upper < kOutOfReach ? upper * (1 - options.gap) * (1 + 2 * kEpsilon) : kOutOfReach; }

void ProvenSearch::State::begin() {
    path = {};
    if (options.trace != nullptr) *options.trace = {};
    rounds = 0;
    upper = last_gap = kOutOfReach;
    share = kShare;
    status = open_path_ends(*field, ends[0], ends[1], ends_in[0], ends_in[1]);
    if (status == Status::kFound) {
        const std::vector<double>& costs = field->polygons().costs;
        lower = *std::ranges::min_element(costs) * distance(ends[0], ends[1]) * (1 - 8 * kEpsilon);
        status = Status::kBudgetSpent;
        path.lower_bound = lower;
        go_straight();
        map.build(*field, ends);
        begin_pass();
    }
    path.status = status;
}

double ProvenSearch::State::quantum() const {
    const double gap = upper < kOutOfReach ? (upper - lower) / static_cast<double>(path.points.size()) : lower;
    return kQuantum * gap + map.allowance(lower, 1);
}

void ProvenSearch::State::begin_pass() {
    const uint32_t from = rounds % 2;
    intervals = map.count_live();
    pass.begin(map, {from, ends[from], ends[1 - from], ends_in[from], ends_in[1 - from], limit(), rounds > 0, quantum(), options.trace});
}

// Where both ends are in one polygon.
void ProvenSearch::State::go_straight() {
    for (const uint32_t polygon : ends_in[0]) {
        const double cost = field->cost(polygon) * distance(ends[0], ends[1]);
        if (cost >= upper || !std::ranges::binary_search(ends_in[1], polygon)) continue;
        path.cost = upper = cost;
        steepest = field->cost(polygon);
        path.points.assign({ends[0], ends[1]});
    }
}

// The best path by the boundaries of the pass's own.
void ProvenSearch::State::improve() {
    if (pass.reached() == kOutOfReach) return;
    pass.trace_back(chain);
    if (rounds % 2 == 1) {
        std::ranges::reverse(chain.boundaries);
        std::ranges::reverse(chain.places);
        std::ranges::reverse(chain.costs);
    }
    segments.clear();
    for (const uint32_t b : chain.boundaries) segments.push_back(field->segment(field->boundaries()[b]));
    const double cost = solve();
    if (cost >= upper) return;
    upper = cost;
    steepest = *std::ranges::max_element(chain.costs);
    keep_points();
    if (fix_corners()) {
        const double fixed = solve();
        if (fixed <= upper * (1 + 4 * kEpsilon)) upper = fixed, keep_points();
    }
    // A way from corner to corner may run along a boundary that is cheaper on its other side.
    const double walked = open_path_cost(*field, path.points);
    if (walked < upper * (1 - kAlong)) path.cost = upper = walked;
}

double ProvenSearch::State::solve() {
    return solver.newton({ends[0], ends[1], segments, chain.costs}, chain.places, {.primed = chain.places.size()}).cost;
}

// Points on one another are at a vertex: held there exactly, they do not blur the others. False where there are none.
bool ProvenSearch::State::fix_corners() {
    const auto points = solver.points();
    bool any = false;
    for (size_t i = 0; i + 1 < points.size(); ++i) {
        if (distance(points[i], points[i + 1]) > field->tolerance()) continue;
        const Segment &one = segments[i], &next = segments[i + 1];
        const Point corner = distance(one.a, points[i]) < distance(one.b, points[i]) ? one.a : one.b;
        if (distance(corner, points[i]) > field->tolerance() || (corner != next.a && corner != next.b)) continue;
        segments[i] = segments[i + 1] = {corner, corner};
        any = true;
    }
    return any;
}

void ProvenSearch::State::keep_points() {
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

// What the bound may owe to rounding.
double ProvenSearch::State::rounding() const { return static_cast<double>(path.points.size()) * map.allowance(upper, steepest); }

bool ProvenSearch::State::is_done() const {
    return lower >= limit() || upper - lower <= kLeastRounding * rounding() || rounds >= options.max_rounds;
}

// False where there is nothing to be gained.
bool ProvenSearch::State::refine() {
    const double gap = upper - lower;
    const bool progress = gap <= kProgress * last_gap;
    if (!progress && gap <= kMostRounding * rounding()) return false;
    share = progress ? kShare : share / 2;
    last_gap = gap;
    return map.split(share * gap / static_cast<double>(path.points.size()), upper) > 0 || map.split(0, upper) > 0;
}

Status ProvenSearch::State::finish_pass() {
    lower = std::max(lower, std::min(pass.reached(), limit()));
    improve();
    ++rounds;
    if (upper == kOutOfReach) {
        path.lower_bound = 0;
        return Status::kUnreachable;
    }
    lower = std::min(lower, upper);
    path.lower_bound = lower;
    pass.prune(limit());
    // The second pass is over the intervals of the first, from the other end.
    return is_done() || (rounds > 1 && !refine()) ? Status::kFound : Status::kBudgetSpent;
}

ProvenSearch::ProvenSearch() : state_(std::make_unique<State>()) {}
ProvenSearch::~ProvenSearch() = default;
ProvenSearch::ProvenSearch(ProvenSearch&&) noexcept = default;
ProvenSearch& ProvenSearch::operator=(ProvenSearch&&) noexcept = default;

void ProvenSearch::begin(const Subdivision& field, Point from, Point to, const ProvenSearchOptions& options) {
    TERRANE_ASSERT(options.gap >= 0 && options.gap < 1 && options.max_rounds >= 1);
    detail::begin_query(state_, [&](State& s) {
        s.field = &field;
        s.ends = {from, to};
        s.options = options;
        s.begin();
    });
}

Status ProvenSearch::run(uint64_t budget) {
    return detail::attempt([&] { return state_->run(budget); }, [&] { return state_->fail(); });
}
const OpenPath& ProvenSearch::path() const { return state_->path; }
size_t ProvenSearch::intervals() const { return state_->intervals; }
size_t ProvenSearch::bytes() const {
    const State& s = *state_;
    return sizeof(State) + s.map.bytes() + s.pass.bytes() + s.solver.bytes() + s.segments.capacity() * sizeof(Segment) +
           s.chain.boundaries.capacity() * sizeof(uint32_t) + (s.chain.places.capacity() + s.chain.costs.capacity()) * sizeof(double) +
           (s.ends_in[0].capacity() + s.ends_in[1].capacity()) * sizeof(uint32_t) + s.path.points.capacity() * sizeof(Point);
}

}  // namespace terrane
