// Crowds: many agents in one world, tick by tick.
#include <limits>
#include <utility>

#include "handles.h"

using namespace terrane;
using namespace terrane::capi;

struct terrane_crowd {
    terrane_crowd(const World& in, std::vector<CostTable> kinds, const CrowdMethodSpec& method, Movement movement)
        : world(&in), crowd(in, std::move(kinds), make_crowd_method(method), {.movement = movement}) {}

    const World* world;
    Crowd crowd;
    std::optional<RandomGoals> goals;  // where it is life-long
    std::vector<CellId> before;        // by agent: where it was before the last tick
    std::vector<CellId> now;           // scratch: the same, of the tick to come
    terrane_code code = TERRANE_OK;    // of the last call that was to change it: TERRANE_NO_MEMORY, or this
};

namespace {

Error bad(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }

terrane_cell place_of(const GridLayout& layout, CellId id) { return cell_to(id == kNoCell ? Cell{-1, -1} : layout.cell(id)); }

Result<std::vector<CostTable>> compile_kinds(const terrane_world& world, const terrane_profile* const* kinds, uint32_t count) {
    if (kinds == nullptr || count == 0 || count > std::numeric_limits<uint16_t>::max()) {
        return bad(ErrorCode::kBadValue, "a crowd has 1 to 65535 kinds");
    }
    std::vector<CostTable> compiled;
    compiled.reserve(count);
    for (const terrane_profile* kind : std::span(kinds, count)) {
        if (kind == nullptr) return bad(ErrorCode::kBadValue, "kind " + std::to_string(compiled.size()) + " is NULL");
        const auto costs = costs_of(*kind, world);
        if (!costs) return costs.error();
        compiled.push_back(*costs);
    }
    return compiled;
}

Result<CrowdMethodSpec> spec_of(const terrane_crowd_options& options) {
    const std::string_view name = text_of(options.method);
    auto spec = find_crowd_method(name.empty() ? "pibt" : name);
    if (spec && options.seed != 0) spec->seed = options.seed;
    return spec;
}

Result<std::unique_ptr<terrane_crowd>> make_crowd(const terrane_world& world, Result<std::vector<CostTable>> kinds,
                                                  const terrane_crowd_options& options) {
    if (!kinds) return kinds.error();
    const auto movement = movement_of(options.movement);
    if (!movement) return movement.error();
    const auto spec = spec_of(options);
    if (!spec) return spec.error();
    if (world.world.snapshot().all_regions().empty()) return bad(ErrorCode::kUnsupported, "a crowd needs a world that keeps regions");
    auto made = std::make_unique<terrane_crowd>(world.world, *std::move(kinds), *spec, *movement);
    if (options.life_long != 0) made->goals.emplace(made->crowd, spec->seed + 1);  // as the command line does
    return made;
}

Result<std::vector<CrowdPlace>> draw_places(const terrane_crowd& crowd, uint32_t agents, uint32_t how, uint64_t seed) {
    if (!crowd.crowd.agents().empty()) return bad(ErrorCode::kUnsupported, "agents spawn only in a crowd that has had none");
    if (how > TERRANE_SPAWN_SIDES) return bad(ErrorCode::kBadValue, "agents spawn 0 (anywhere) or 1 (on opposite sides)");
    if (agents > kMaxAgents) return bad(ErrorCode::kTooLarge, "a crowd has at most " + std::to_string(kMaxAgents) + " agents");
    std::vector<CostTable> kinds;
    kinds.reserve(crowd.crowd.kinds().size());
    for (const CrowdKind& kind : crowd.crowd.kinds()) kinds.push_back(kind.costs);
    const auto draw = how == TERRANE_SPAWN_SIDES ? opposite_sides : random_places;
    return draw(crowd.world->snapshot(), kinds, crowd.crowd.movement(), agents, seed == 0 ? 1 : seed);
}

// work(), which changes the crowd or throws; or `none`, where memory ran out.
template <class T, class Work>
T change(terrane_crowd& crowd, T none, Work&& work) {
    crowd.code = TERRANE_NO_MEMORY;
    return guarded_or<T>(none, nullptr, [&] {
        const T answer = work();
        crowd.code = TERRANE_OK;
        return answer;
    });
}

// All of them, or none.
void add_all(Crowd& crowd, std::span<const CrowdPlace> places) {
    const auto first = static_cast<AgentId>(crowd.agents().size());
    const auto add = [&] {
        for (const CrowdPlace& place : places) crowd.add(place.start, place.goal, place.kind);
    };
    detail::attempt(add, [&] {
        crowd.take_back(first);
        detail::no_memory();
    });
}

void give_new_goals(terrane_crowd& crowd) {
    for (AgentId agent = 0; agent < crowd.crowd.agents().size(); ++agent) {
        const CrowdAgent& who = crowd.crowd.agents()[agent];
        if (!who.present() || !who.at_goal() || !crowd.goals->has_any(who.kind)) continue;
        crowd.crowd.set_goal(agent, crowd.goals->next(crowd.crowd, who.kind));
    }
}

void tick_once(terrane_crowd& crowd) {
    crowd.now.clear();
    for (const CrowdAgent& who : crowd.crowd.agents()) crowd.now.push_back(who.at);
    crowd.crowd.tick();
    crowd.before.swap(crowd.now);
    if (crowd.goals) give_new_goals(crowd);
}

bool has_method(const terrane_crowd* crowd) { return crowd != nullptr && !crowd->crowd.method_lost(); }

const char* text_of_method(uint32_t i, const char* CrowdMethodInfo::*text) {
    return i < crowd_methods().size() ? crowd_methods()[i].*text : nullptr;
}

}  // namespace

uint32_t terrane_crowd_method_count(void) { return static_cast<uint32_t>(crowd_methods().size()); }
const char* terrane_crowd_method_usage(uint32_t i) { return text_of_method(i, &CrowdMethodInfo::usage); }
const char* terrane_crowd_method_summary(uint32_t i) { return text_of_method(i, &CrowdMethodInfo::summary); }

terrane_crowd* terrane_crowd_new(const terrane_world* world, const terrane_profile* const* kinds, uint32_t kind_count,
                                 const terrane_crowd_options* options, terrane_error* error) {
    if (world == nullptr) return refuse_null(error), nullptr;
    return guarded_or<terrane_crowd*>(nullptr, error, [&]() -> terrane_crowd* {
        auto crowd = make_crowd(*world, compile_kinds(*world, kinds, kind_count), options_of(options));
        if (!crowd) return refuse(crowd.error(), error), nullptr;
        return crowd->release();
    });
}

void terrane_crowd_free(terrane_crowd* crowd) { delete crowd; }

int32_t terrane_crowd_add(terrane_crowd* crowd, terrane_cell at, terrane_cell goal, uint32_t kind) {
    if (crowd == nullptr || kind >= crowd->crowd.kinds().size()) return -1;
    const auto add = [&] { return crowd->crowd.add(cell_of(at), cell_of(goal), static_cast<uint16_t>(kind)); };
    const AgentId agent = change(*crowd, kNoAgent, add);
    return agent == kNoAgent ? -1 : static_cast<int32_t>(agent);
}

terrane_code terrane_crowd_spawn(terrane_crowd* crowd, uint32_t agents, uint32_t how, uint64_t seed, terrane_error* error) {
    if (crowd == nullptr) return refuse_null(error);
    const auto spawn = [&]() -> terrane_code {
        const auto places = draw_places(*crowd, agents, how, seed);
        if (!places) return refuse(places.error(), error);
        add_all(crowd->crowd, *places);
        return TERRANE_OK;
    };
    const terrane_code code = change<terrane_code>(*crowd, TERRANE_NO_MEMORY, spawn);
    return crowd->code == TERRANE_NO_MEMORY ? refuse_no_memory(error) : code;
}

int32_t terrane_crowd_remove(terrane_crowd* crowd, uint32_t agent) {
    return crowd == nullptr ? 0 : change(*crowd, 0, [&] { return crowd->crowd.remove(agent) ? 1 : 0; });
}

int32_t terrane_crowd_goal(terrane_crowd* crowd, uint32_t agent, terrane_cell goal) {
    return crowd == nullptr ? 0 : change(*crowd, 0, [&] { return crowd->crowd.set_goal(agent, cell_of(goal)) ? 1 : 0; });
}

void terrane_crowd_tick(terrane_crowd* crowd, uint32_t ticks) {
    if (crowd == nullptr) return;
    change(*crowd, false, [&] {
        for (; ticks > 0; --ticks) tick_once(*crowd);
        return true;
    });
}

void terrane_crowd_get_info(const terrane_crowd* crowd, terrane_crowd_info* out) {
    if (crowd == nullptr) return give({}, out);
    const Crowd& c = crowd->crowd;
    const CrowdWork work = c.method_lost() ? CrowdWork{} : c.method().work();
    terrane_crowd_info info{};
    info.ticks = c.ticks();
    info.agents = static_cast<uint32_t>(c.present());
    info.at_goal = static_cast<uint32_t>(c.at_goal());
    info.arrivals = c.arrivals();
    info.faults = c.faults();
    for (const CrowdAgent& who : c.agents()) info.cost += who.cost;
    info.expansions = work.expansions;
    info.plans = work.plans;
    info.failures = work.failures;
    info.bytes = c.method_lost() ? 0 : c.method().bytes();
    info.code = crowd->code;
    give(info, out);
}

size_t terrane_crowd_agents(const terrane_crowd* crowd, terrane_agent* out, size_t capacity) {
    if (crowd == nullptr) return 0;
    const Crowd& c = crowd->crowd;
    ListWriter list(out, capacity);
    for (size_t i = 0; i < c.agents().size(); ++i) {
        const CrowdAgent& who = c.agents()[i];
        const bool stayed = who.present() && i < crowd->before.size() && crowd->before[i] == who.at;
        list.add({place_of(c.layout(), who.at), place_of(c.layout(), who.goal), who.kind, stayed && !who.at_goal() ? 1u : 0u});
    }
    return list.count();
}

size_t terrane_crowd_reservations(const terrane_crowd* crowd, terrane_reservation* out, size_t capacity) {
    const ReservationTable* table = has_method(crowd) ? crowd->crowd.method().reservations() : nullptr;
    if (table == nullptr) return 0;
    return guarded_or<size_t>(0, nullptr, [&] {
        ListWriter list(out, capacity);
        for (const Reservation& r : table->list(crowd->crowd.ticks())) list.add({place_of(crowd->crowd.layout(), r.cell), r.tick, r.agent});
        return list.count();
    });
}

size_t terrane_crowd_arrows(const terrane_crowd* crowd, terrane_arrow* out, size_t capacity) {
    const DirectionMap* map = has_method(crowd) ? crowd->crowd.method().flow() : nullptr;
    if (map == nullptr) return 0;
    const GridLayout& layout = crowd->crowd.layout();
    const auto length = [](int16_t units) { return static_cast<float>(units) / static_cast<float>(kArrowUnit); };
    ListWriter list(out, capacity);
    map->each_arrow(layout, [&](CellId cell, Arrow arrow) { list.add({place_of(layout, cell), length(arrow.x), length(arrow.y)}); });
    return list.count();
}
