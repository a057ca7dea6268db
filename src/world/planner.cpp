#include "terrane/world/planner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "base/attempt.h"
#include "hpa/hpa_query.h"
#include "minimal_memory/mm_query.h"
#include "pra/pra_query.h"
#include "terrane/any_angle/refraction.h"
#include "terrane/base/assert.h"
#include "world/cpd_query.h"
#include "world/dta_query.h"
#include "world/overlay_query.h"

namespace terrane {

namespace {

Method method_for(const WorldSnapshot& world) {
    if (world.all_regions().empty()) return *find_method("astar");
    const uint32_t sector = world.all_regions()[0].sector();
    return *find_method("dta:" + (sector == kWholeMap ? "map" : std::to_string(sector)) + "+smooth");
}

// Whether all answers of a method are within a bound, or can be made so.
bool honours(const Method& method, double bound) {
    switch (method.family) {
        case Family::kAStar:
        case Family::kNbs:
        case Family::kDijkstra:
        case Family::kOverlay:
        case Family::kCpd: return true;
        case Family::kWeightedAStar:
        case Family::kFocal: return method.weight.value() <= bound;
        default: return false;
    }
}

// Weighted A* with a weight of at most `bound`, as find_method would give it: in hundredths, downwards, from 1 to 100.
Method search_within(double bound) {
    auto hundredths = bound >= 1 ? static_cast<uint32_t>(std::lround(std::min(bound, 100.0) * 100)) : 100;
    if (hundredths > 100 && hundredths / 100.0 > bound) --hundredths;
    if (hundredths == 100) return *find_method("astar");
    const uint32_t divisor = std::gcd(hundredths, 100u);
    Method method;
    method.family = Family::kWeightedAStar;
    method.weight = {hundredths / divisor, 100 / divisor};
    method.name = "wastar:" + std::to_string(hundredths / 100);
    if (hundredths % 100 != 0) method.name += "." + std::to_string(hundredths / 10 % 10);
    if (hundredths % 10 != 0) method.name += std::to_string(hundredths % 10);
    return method;
}

}  // namespace

namespace {

// The scratch of a planner.
struct Queries {
    explicit Queries(size_t cache_bytes) : dta(cache_bytes) {}

    size_t bytes() const {
        return grid_search.bytes() + dta.bytes() + mm.bytes() + hpa.bytes() + pra.bytes() + overlay.bytes() + cpd.bytes() +
               refractor.bytes();
    }

    GridSearch grid_search;
    DtaQuery dta;
    MmQuery mm;
    HpaQuery hpa;
    PraQuery pra;
    OverlayQuery overlay;
    CpdQuery cpd;
    Refractor refractor;
};

}  // namespace

struct Planner::Impl : detail::InMemory {
    Impl(const World& w, const PlannerOptions& options)
        : world(&w),
          snapshot(w.snapshot()),
          default_method(method_for(snapshot)),
          cache_bytes(options.cache_bytes),
          queries(std::in_place, cache_bytes) {}

    const World* world;
    WorldSnapshot snapshot;
    const Method default_method;
    Method within;  // weighted A* for a bound that was asked for where no overlay is prepared
    double within_bound = 0;
    FindOptions completed;  // those of a query that left the method open, or asked for what was not prepared
    Method method;
    Ground ground;
    Cell start, goal;  // the goal as asked for, or the nearest cell to it
    bool partial = false;
    bool begun = false;  // a search, that is: nothing stood against it
    uint64_t max_expansions = kUnlimited;
    Status status = Status::kOutsideMap;
    Path answer;  // when it is found
    size_t cells_first = 0;
    const size_t cache_bytes;
    std::optional<Queries> queries;  // none where memory ran out, until the next query begins

    // Applies `use` to the query at hand of `impl`, which is not one over cells.
    template <class Impl, class Use>
    static auto use_query(Impl& impl, Use&& use) {
        switch (impl.method.family) {
            case Family::kMm: return use(impl.queries->mm);
            case Family::kHpa: return use(impl.queries->hpa);
            case Family::kPra: return use(impl.queries->pra);
            case Family::kOverlay: return use(impl.queries->overlay);
            case Family::kCpd: return use(impl.queries->cpd);
            default: return use(impl.queries->dta);
        }
    }
    template <class Use>
    auto with_query(Use&& use) const {
        return use_query(*this, use);
    }
    template <class Use>
    auto with_query(Use&& use) {
        return use_query(*this, use);
    }
    bool over_cells() const { return searches_cells(method); }

    // For queries that leave the method open, or ask for an overlay that is not prepared.
    const Method& fallback(double bound) {
        if (bound == 0 || honours(default_method, bound)) return default_method;
        if (within_bound != bound) within = search_within(bound);
        within_bound = bound;
        return within;
    }

    Status prepare(const FindOptions& options);
    bool joined() const;
    void begin(Cell from, Cell to, const FindOptions& options);
    void begin_cells(const FindOptions& options);
    Status begin_regions(const FindOptions& options);
    Status begin_prepared(const FindOptions& options);
    uint64_t expansions() const {
        if (!begun) return 0;
        return over_cells() ? queries->grid_search.expansions() : with_query([](const auto& query) { return query.expansions(); });
    }
    void take_answer();
    void refract_answer();
    Status run(uint64_t budget);
    Memory* memory() const { return snapshot.grid().root().memory; }
    // What memory ran out in the middle of is of no more use.
    Status fail() {
        queries.reset();
        begun = false;
        return status = Status::kOutOfMemory;
    }
    double proven_bound(Cost cost) const;
};

void Planner::Impl::begin(Cell from, Cell to, const FindOptions& options) {
    method = options.method;
    start = from;
    goal = to;
    max_expansions = options.max_expansions;
    begun = false;
    status = options.bound == 0 || honours(method, options.bound) ? prepare(options) : Status::kUnsupportedBound;
    if (status != Status::kBudgetSpent) return;
    if (over_cells()) {
        begin_cells(options);
    } else {
        status = prepares(method) ? begin_prepared(options) : begin_regions(options);
    }
    begun = status == Status::kBudgetSpent;
}

bool Planner::Impl::joined() const {
    const TerrainRegions& regions = snapshot.all_regions()[0];
    return snapshot.components(ground).joined(regions.region_of(start), regions.region_of(goal));
}

// Checks both ends, and puts the nearest reachable cell in the goal's place where that is wanted. kBudgetSpent: the search may start.
Status Planner::Impl::prepare(const FindOptions& options) {
    partial = false;
    const Status ends = ground.check_ends(start, goal);
    const bool blocked_goal = ends == Status::kBlockedGoal;
    if (ends != Status::kFound && (snapshot.all_regions().empty() || !(blocked_goal && options.nearest))) return ends;
    if (snapshot.all_regions().empty()) return Status::kBudgetSpent;
    if (!blocked_goal && joined()) return Status::kBudgetSpent;
    if (!options.nearest) return Status::kUnreachable;
    goal = *nearest_reachable(snapshot.all_regions()[0], snapshot.components(ground), start, goal);
    partial = true;
    return Status::kBudgetSpent;
}

void Planner::Impl::begin_cells(const FindOptions& options) {
    queries->grid_search.begin(ground, start, goal,
                               {options.method, kUnlimited, options.watcher, options.landmarks, options.embedding, options.certificate});
}

Status Planner::Impl::begin_regions(const FindOptions& options) {
    const TerrainRegions* regions = snapshot.regions(options.method.sector);
    if (regions == nullptr || (options.method.exact && options.edge_costs == nullptr)) return Status::kNotPrepared;
    queries->dta.begin(*regions, ground, start, goal, options);
    return Status::kBudgetSpent;
}

Status Planner::Impl::begin_prepared(const FindOptions& options) {
    const PreparedMethod* prepared = snapshot.prepared(method, ground);
    if (prepared == nullptr) return Status::kNotPrepared;
    switch (method.family) {
        case Family::kMm:
            queries->mm.begin(*prepared->memory, ground, start, goal, {{}, method.trim, method.smooth, method.stand_in});
            break;
        case Family::kHpa: queries->hpa.begin(*prepared->entrances, start, goal, method.smooth); break;
        case Family::kPra:
            queries->pra.begin(*prepared->cliques, ground, start, goal, method.piece == 0 ? kWholePath : method.piece);
            break;
        case Family::kCpd: {
            const Status first = queries->cpd.begin(*prepared, start, goal, method, options.bound);
            return first == Status::kFound ? Status::kBudgetSpent : first;
        }
        default: queries->overlay.begin(*prepared, start, goal, method, options.bound);
    }
    return Status::kBudgetSpent;
}

// Against the octile distance, which nothing can beat.
double Planner::Impl::proven_bound(Cost cost) const {
    const Cost least = ground.octile_bound(start, goal);
    return least == 0 ? 1 : std::max(1.0, static_cast<double>(cost) / static_cast<double>(least));
}

void Planner::Impl::take_answer() {
    if (over_cells()) {
        queries->grid_search.path(answer);
        answer.expansions_first = answer.expansions;
        cells_first = answer.cells.size();
        return;
    }
    answer.line.clear();
    answer.line_cost = 0;
    with_query([&](const auto& query) {
        answer.cells = query.cells();
        answer.expansions_first = query.expansions_first();
        cells_first = query.cells_first();
    });
    const bool over_portals = method.family == Family::kOverlay;
    answer.cost = over_portals ? queries->overlay.cost() : path_cost(ground, answer.cells);
    answer.bound = over_portals                    ? queries->overlay.bound()
                   : method.family == Family::kCpd ? queries->cpd.bound()
                                                   : proven_bound(answer.cost);
}

void Planner::Impl::refract_answer() { answer.line_cost = queries->refractor.refract(ground, answer.cells, answer.line); }

Planner::Planner(const World& world, const PlannerOptions& options) {
    const MemoryScope scope(world.grid().root().memory);
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
    const auto look = [&] {
        const auto costs = profile.compile(impl_->world->grid().catalogue());
        if (costs) {
            find(start, goal, *costs, options, out);
        } else {
            out.status = Status::kBadProfile;
        }
    };
    detail::attempt(look, [&] { out.status = Status::kOutOfMemory; });
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
        const bool any = options.method.name.empty();
        if (any || options.method.family == Family::kOverlay) {
            const PreparedMethod* prepared = s.snapshot.prepared(options.method, s.ground);
            if (any || prepared == nullptr) {
                s.completed = options;
                s.completed.method = prepared == nullptr ? s.fallback(options.bound) : prepared->method;
                s.completed.method.refract = options.method.refract;
                return s.begin(start, goal, s.completed);
            }
        }
        s.begin(start, goal, options);
    };
    detail::attempt(start_query, [&] { s.fail(); });
}

Status Planner::Impl::run(uint64_t budget) {
    const uint64_t most = std::min(budget, max_expansions - std::min(max_expansions, expansions()));
    status = over_cells() ? queries->grid_search.run(most) : with_query([&](auto& query) { return query.run(most); });
    if (method.family == Family::kOverlay && expansions() >= max_expansions) status = queries->overlay.settle();
    if (status != Status::kFound) return status;
    take_answer();
    if (method.refract) refract_answer();
    if (partial) status = Status::kPartial;
    return status;
}

Status Planner::run(uint64_t budget) {
    Impl& s = *impl_;
    if (s.status != Status::kBudgetSpent) return s.status;
    const MemoryScope scope(s.memory());
    return detail::attempt([&] { return s.run(budget); }, [&] { return s.fail(); });
}

std::span<const Cell> Planner::ready() const {
    const Impl& s = *impl_;
    if (s.status == Status::kFound || s.status == Status::kPartial) return s.answer.cells;
    if (!s.begun || s.over_cells()) return {};
    return s.with_query([](const auto& query) { return std::span<const Cell>(query.cells()).first(query.ready()); });
}

size_t Planner::first_segment() const {
    const Status status = impl_->status;
    return status == Status::kFound || status == Status::kPartial ? impl_->cells_first : 0;
}

void Planner::path(Path& out) const {
    const Impl& s = *impl_;
    const auto give_nothing = [&] {
        out.cells.clear();
        out.line.clear();
        out.line_cost = 0;
        out.cost = 0;
        out.bound = 1;
        out.expansions_first = 0;
    };
    out.status = s.status;
    if (s.status == Status::kFound || s.status == Status::kPartial) {
        const auto give_answer = [&] {
            out = s.answer;
            out.status = s.status;
        };
        detail::attempt(give_answer, [&] {
            give_nothing();
            out.status = Status::kOutOfMemory;
        });
    } else {
        give_nothing();
    }
    out.expansions = s.expansions();
    out.version = s.snapshot.version();
}

Status Planner::status() const { return impl_->status; }
uint64_t Planner::expansions() const { return impl_->expansions(); }
const WorldSnapshot& Planner::snapshot() const { return impl_->snapshot; }
size_t Planner::bytes() const { return sizeof(Impl) + (impl_->queries ? impl_->queries->bytes() : 0); }

}  // namespace terrane
