// Crowds: many agents in one world, tick by tick.
#include <limits>
#include <utility>

#include "handles.h"
#include "terrane/crowd/crowd.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/crowd/crowd_scene.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/crowd/reservations.h"

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
    terrane_code code = TERRANE_OK;    // of the last call that was to change it
    const char* reason = "";           // why that was refused
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
    crowd.reason = "out of memory";
    return guarded_or<T>(none, nullptr, [&] {
        const T answer = work();
        crowd.code = TERRANE_OK;
        crowd.reason = "";
        return answer;
    });
}

// The answer of a call that was refused, and why.
int32_t refuse_change(terrane_crowd& crowd, const char* reason, int32_t answer) {
    crowd.code = TERRANE_BAD_VALUE;
    crowd.reason = reason;
    return answer;
}

// Why an agent cannot be added there, after Crowd::add() refused.
const char* why_not_added(const Crowd& crowd, Cell at, Cell goal, uint32_t kind) {
    if (!crowd.layout().contains(at)) return "the start is outside the map";
    if (!crowd.layout().contains(goal)) return "the goal is outside the map";
    if (crowd.agents().size() >= kMaxAgents) return "the crowd has as many agents as it can";
    const bool passable = crowd.kinds()[kind].costs.passable(crowd.grid().at(crowd.layout().id(at)));
    return passable ? "another agent is on the start" : "the start is blocked for this kind";
}

bool is_agent(const Crowd& crowd, uint32_t agent) { return agent < crowd.agents().size() && crowd.agents()[agent].present(); }

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

}  // namespace

uint32_t terrane_crowd_method_count(void) { return static_cast<uint32_t>(crowd_methods().size()); }
const char* terrane_crowd_method_usage(uint32_t i) { return info_text(crowd_methods(), i, &MethodInfo::usage); }
const char* terrane_crowd_method_summary(uint32_t i) { return info_text(crowd_methods(), i, &MethodInfo::summary); }

terrane_crowd* terrane_crowd_new(const terrane_world* world, const terrane_profile* const* kinds, uint32_t kind_count,
                                 const terrane_crowd_options* options, terrane_error* error) {
    if (world == nullptr) return refuse_null(error), nullptr;
    return guarded_or<terrane_crowd*>(nullptr, error, [&]() -> terrane_crowd* {
        const auto with = options_of(options, "terrane_crowd_options");
        if (!with) return refuse(with.error(), error), nullptr;
        auto crowd = make_crowd(*world, compile_kinds(*world, kinds, kind_count), *with);
        if (!crowd) return refuse(crowd.error(), error), nullptr;
        return crowd->release();
    });
}

void terrane_crowd_free(terrane_crowd* crowd) { delete crowd; }

int32_t terrane_crowd_add(terrane_crowd* crowd, terrane_cell at, terrane_cell goal, uint32_t kind) {
    if (crowd == nullptr) return -1;
    if (kind >= crowd->crowd.kinds().size()) return refuse_change(*crowd, "the crowd has no kind of that number", -1);
    const auto add = [&] { return crowd->crowd.add(cell_of(at), cell_of(goal), static_cast<uint16_t>(kind)); };
    const AgentId agent = change(*crowd, kNoAgent, add);
    if (agent != kNoAgent) return static_cast<int32_t>(agent);
    if (crowd->code == TERRANE_NO_MEMORY) return -1;
    return refuse_change(*crowd, why_not_added(crowd->crowd, cell_of(at), cell_of(goal), kind), -1);
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
    if (crowd->code == TERRANE_NO_MEMORY) return refuse_no_memory(error);
    if (code != TERRANE_OK) {
        crowd->code = code;
        crowd->reason = "agents were not spawned: the error of that call has the reason";
    }
    return code;
}

int32_t terrane_crowd_remove(terrane_crowd* crowd, uint32_t agent) {
    if (crowd == nullptr) return 0;
    if (!is_agent(crowd->crowd, agent)) return refuse_change(*crowd, "there is no agent of that number", 0);
    return change(*crowd, 0, [&] { return crowd->crowd.remove(agent) ? 1 : 0; });
}

int32_t terrane_crowd_goal(terrane_crowd* crowd, uint32_t agent, terrane_cell goal) {
    if (crowd == nullptr) return 0;
    if (!is_agent(crowd->crowd, agent)) return refuse_change(*crowd, "there is no agent of that number", 0);
    if (!crowd->crowd.layout().contains(cell_of(goal))) return refuse_change(*crowd, "the goal is outside the map", 0);
    return change(*crowd, 0, [&] { return crowd->crowd.set_goal(agent, cell_of(goal)) ? 1 : 0; });
}

void terrane_crowd_tick(terrane_crowd* crowd, uint32_t ticks) {
    if (crowd == nullptr) return;
    change(*crowd, false, [&] {
        for (; ticks > 0; --ticks) tick_once(*crowd);
        return true;
    });
}

terrane_code terrane_crowd_last_error(const terrane_crowd* crowd, terrane_error* error) {
    if (crowd == nullptr) return refuse_null(error);
    terrane_error told{};
    told.code = crowd->code;
    std::string_view(crowd->reason).copy(told.message, sizeof told.message - 1);
    static_cast<void>(give(told, error, told));
    return crowd->code;
}

terrane_code terrane_crowd_get_info(const terrane_crowd* crowd, terrane_crowd_info* out) {
    if (crowd == nullptr) return give({}, out), TERRANE_BAD_VALUE;
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
    return give(info, out);
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
