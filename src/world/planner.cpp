#include "terrane/world/planner.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/catch_bad_alloc.h"
#include "terrane/any_angle/refraction.h"
#include "terrane/base/assert.h"
#include "terrane/method/method_interface.h"

namespace terrane {

namespace {

Method default_method_for(const WorldSnapshot& world) { return *find_method(world.all_regions().empty() ? "astar" : "regions:16"); }

// Whether all answers of a method satisfy a bound, or can be made to.
bool honours(const Method& method, double bound) { return bound == 0 || proves_bounds(method) || guarantee(method) <= bound; }

// Weighted A* with the largest weight in hundredths, from 1 to 100, that is at most `bound`.
Method weighted_astar_within(double bound) {
    auto hundredths = bound >= 1 ? static_cast<uint32_t>(std::lround(std::min(bound, 100.0) * 100)) : 100;
    if (hundredths > 100 && hundredths / 100.0 > bound) --hundredths;
    if (hundredths == 100) return *find_method("astar");
    std::string name = "wastar:" + std::to_string(hundredths / 100);
    if (hundredths % 100 != 0) name += "." + std::to_string(hundredths / 10 % 10);
    if (hundredths % 10 != 0) name += std::to_string(hundredths % 10);
    return *find_method(name);
}

// Scratch memory of a planner: one query for all methods with the same MethodFactory::make_query, made on first use.
class QueryPool {
public:
    explicit QueryPool(size_t cache_bytes) : cache_bytes_(cache_bytes) {}

    MethodQuery& get(const Method& method) {
        const auto make = method.implementation().factory().make_query;
        for (const Entry& entry : entries_) {
            if (entry.make == make) return *entry.query;
        }
        entries_.push_back({make, make(cache_bytes_)});
        return *entries_.back().query;
    }
    size_t bytes() const {
        size_t sum = refractor.bytes();
        for (const Entry& entry : entries_) sum += entry.query->bytes();
        return sum;
    }

    Refractor refractor;

private:
    struct Entry {
        std::unique_ptr<MethodQuery> (*make)(size_t);
        std::unique_ptr<MethodQuery> query;
    };
    size_t cache_bytes_;
    Vector<Entry> entries_;
};

// kBudgetSpent if the method supports the agent's costs and movement rule.
Status check_agent(const Method& method, const Ground& ground) {
    const MethodCapabilities& can = method.capabilities();
    if (can.only_eight && ground.movement() != Movement::kEightNoCornerCutting) return Status::kUnsupportedMovement;
    if (!can.one_cost) return Status::kBudgetSpent;
    const GridBounds bounds = ground.bounds();
    return bounds.cheapest == bounds.most_expensive ? Status::kBudgetSpent : Status::kUnsupportedCosts;
}

bool is_unsupported(Status status) { return status == Status::kUnsupportedCosts || status == Status::kUnsupportedMovement; }

}  // namespace

struct Planner::Impl : detail::ScopeAllocated {
    Impl(const World& w, const PlannerOptions& options)
        : world(&w),
          snapshot(w.snapshot()),
          default_method(default_method_for(snapshot)),
          cache_bytes(options.cache_bytes),
          queries(std::in_place, cache_bytes) {}

    const World* world;
    WorldSnapshot snapshot;
    const Method default_method;
    Method bounded_method;  // weighted A* for a requested bound that the default method does not guarantee
    double bounded_method_bound = 0;
    Method method;
    Ground ground;
    Cell start, goal;  // the goal may be replaced by the nearest reachable cell
    bool partial = false;
    MethodQuery* query = nullptr;  // null: no search is running
    uint64_t max_expansions = kUnlimited;
    Status status = Status::kOutsideMap;
    Path answer;  // valid if status is kFound or kPartial
    size_t cells_first = 0;
    const size_t cache_bytes;
    std::optional<QueryPool> queries;  // empty after an allocation failure, until the next query begins

    // Replaces a method that was not named or not prepared.
    const Method& fallback(double bound) {
        if (honours(default_method, bound)) return default_method;
        if (bounded_method_bound != bound) bounded_method = weighted_astar_within(bound);
        bounded_method_bound = bound;
        return bounded_method;
    }

    void begin(Cell from, Cell to, const FindOptions& options);
    Status begin_query(Cell from, Cell to, const FindOptions& options, const PreparedData* prepared);
    Status resolve_ends(const FindOptions& options);
    bool ends_connected() const;
    uint64_t expansions() const { return query == nullptr ? 0 : query->expansions(); }
    void take_answer();
    Status run(uint64_t budget);
    Memory* memory() const { return snapshot.grid().data().memory; }
    // After bad_alloc the state of a query is unspecified: discards all queries.
    Status fail_out_of_memory() {
        query = nullptr;
        queries.reset();
        return status = Status::kOutOfMemory;
    }
};

void Planner::Impl::begin(Cell from, Cell to, const FindOptions& options) {
    method = options.method;
    const PreparedData* prepared = !method || prepares(method) ? snapshot.prepared(method, ground) : nullptr;
    if (!method) {
        method = prepared == nullptr ? fallback(options.bound) : prepared->method();
        method.any_angle = options.method.any_angle;
    }
    status = begin_query(from, to, options, prepared);
    if ((status == Status::kNotPrepared || is_unsupported(status)) && options.fallback) {
        method = fallback(options.bound);
        method.any_angle = options.method.any_angle;
        status = begin_query(from, to, options, nullptr);
    }
}

// Returns kBudgetSpent if `query` may run, kNotPrepared if the method needs data that the world lacks.
Status Planner::Impl::begin_query(Cell from, Cell to, const FindOptions& options, const PreparedData* prepared) {
    start = from;
    goal = to;
    max_expansions = options.max_expansions;
    query = nullptr;
    if (!honours(method, options.bound)) return Status::kUnsupportedBound;
    if (const Status agent = check_agent(method, ground); agent != Status::kBudgetSpent) return agent;
    const Status ends = resolve_ends(options);
    if (ends != Status::kBudgetSpent) return ends;
    if (prepares(method) && prepared == nullptr) return Status::kNotPrepared;
    if (prepared == nullptr) prepared = snapshot.derived(method, ground);
    MethodQuery& next = queries->get(method);
    const Status first = next.begin({method, ground, start, goal, snapshot.all_regions(), prepared, options.bound, options.watcher});
    if (first == Status::kBudgetSpent) query = &next;
    return first;
}

bool Planner::Impl::ends_connected() const {
    const TerrainRegions& regions = snapshot.all_regions()[0];
    return snapshot.components(ground).connected(regions.region_of(start), regions.region_of(goal));
}

// Validates the ends; with options.nearest, replaces a blocked or unreachable goal by the nearest reachable cell. kBudgetSpent: the
// search may start.
Status Planner::Impl::resolve_ends(const FindOptions& options) {
    partial = false;
    const Status ends = ground.check_ends(start, goal);
    const bool blocked_goal = ends == Status::kBlockedGoal;
    if (ends != Status::kFound && (snapshot.all_regions().empty() || !(blocked_goal && options.nearest))) return ends;
    if (snapshot.all_regions().empty()) return Status::kBudgetSpent;
    if (!blocked_goal && ends_connected()) return Status::kBudgetSpent;
    if (!options.nearest) return Status::kUnreachable;
    goal = *nearest_reachable(snapshot.all_regions()[0], snapshot.components(ground), start, goal);
    partial = true;
    return Status::kBudgetSpent;
}

void Planner::Impl::take_answer() {
    answer.polyline.clear();
    answer.polyline_cost = 0;
    query->answer(answer);
    cells_first = query->cells_first();
    if (method.any_angle) answer.polyline_cost = queries->refractor.refract(ground, answer.cells, answer.polyline);
}

Planner::Planner(const World& world, const PlannerOptions& options) {
    const MemoryScope scope(world.grid().data().memory);
    impl_ = std::make_unique<Impl>(world, options);
}
Planner::~Planner() = default;
Planner::Planner(Planner&&) noexcept = default;
Planner& Planner::operator=(Planner&&) noexcept = default;

const Method& Planner::default_method() const { return impl_->default_method; }
const Method& Planner::method() const { return impl_->method; }

Path Planner::find(Cell start, Cell goal, const Profile& profile) { return find(start, goal, profile, {}); }

Path Planner::find(Cell start, Cell goal, const Profile& profile, const FindOptions& options) {
    Path out;
    const auto compile_and_find = [&] {
        const auto costs = profile.compile(impl_->world->grid().catalogue());
        if (costs) {
            find(start, goal, *costs, options, out);
        } else {
            out.status = Status::kBadProfile;
        }
    };
    detail::catch_bad_alloc(compile_and_find, [&] { out.status = Status::kOutOfMemory; });
    return out;
}

void Planner::find(Cell start, Cell goal, const CostTable& costs, const FindOptions& options, Path& out) {
    begin(start, goal, costs, options);
    while (run() == Status::kBudgetSpent && expansions() < options.max_expansions) {
    }
    path(out);
}

void Planner::begin(Cell start, Cell goal, const CostTable& costs, const FindOptions& options) {
    TERRANE_ASSERT(options.bound == 0 || (options.bound >= 1 && std::isfinite(options.bound)));
    Impl& s = *impl_;
    s.snapshot = s.world->snapshot();
    const MemoryScope scope(s.memory());
    const auto start_query = [&] {
        if (!s.queries) s.queries.emplace(s.cache_bytes);
        s.ground = s.snapshot.ground(costs, options.movement);
        s.begin(start, goal, options);
    };
    detail::catch_bad_alloc(start_query, [&] { s.fail_out_of_memory(); });
}

Status Planner::Impl::run(uint64_t budget) {
    status = query->run(std::min(budget, max_expansions - std::min(max_expansions, expansions())));
    if (status == Status::kBudgetSpent && expansions() >= max_expansions) status = query->finish_early();
    if (status != Status::kFound) return status;
    take_answer();
    if (partial) status = Status::kPartial;
    return status;
}

Status Planner::run(uint64_t budget) {
    Impl& s = *impl_;
    if (s.status != Status::kBudgetSpent) return s.status;
    const MemoryScope scope(s.memory());
    return detail::catch_bad_alloc([&] { return s.run(budget); }, [&] { return s.fail_out_of_memory(); });
}

std::span<const Cell> Planner::ready() const {
    const Impl& s = *impl_;
    if (s.status == Status::kFound || s.status == Status::kPartial) return s.answer.cells;
    return s.query == nullptr ? std::span<const Cell>() : s.query->ready();
}

size_t Planner::first_segment() const {
    const Status status = impl_->status;
    return status == Status::kFound || status == Status::kPartial ? impl_->cells_first : 0;
}

void Planner::path(Path& out) const {
    const Impl& s = *impl_;
    const auto clear_answer = [&] {
        out.cells.clear();
        out.polyline.clear();
        out.polyline_cost = 0;
        out.cost = 0;
        out.bound = 1;
        out.expansions_first = 0;
    };
    out.status = s.status;
    if (s.status == Status::kFound || s.status == Status::kPartial) {
        const auto copy_answer = [&] {
            out = s.answer;
            out.status = s.status;
        };
        detail::catch_bad_alloc(copy_answer, [&] {
            clear_answer();
            out.status = Status::kOutOfMemory;
        });
    } else {
        clear_answer();
    }
    out.expansions = s.expansions();
    out.version = s.snapshot.version();
    detail::catch_bad_alloc([&] { out.method = s.method.name(); }, [&] { out.method.clear(); });
}

Status Planner::status() const { return impl_->status; }
uint64_t Planner::expansions() const { return impl_->expansions(); }
const WorldSnapshot& Planner::snapshot() const { return impl_->snapshot; }
size_t Planner::bytes() const { return sizeof(Impl) + (impl_->queries ? impl_->queries->bytes() : 0); }

}  // namespace terrane
