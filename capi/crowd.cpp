// Crowds in C: creation, agents, ticks, and the state of agents and methods.
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
    terrane_crowd(const terrane_world& in, std::vector<CostTable> types, const CrowdMethodSpec& method, Movement movement)
        : world(in.share()), crowd(in.world, std::move(types), make_crowd_method(method), {.movement = movement}) {}

    std::shared_ptr<const terrane_world> world;
    Crowd crowd;
    std::optional<RandomGoals> goals;  // of lifelong crowds
    std::vector<CellId> before;        // by agent: its cell before the last tick
    std::vector<CellId> now;           // scratch of tick_once(): the next `before`
};

namespace {

Error bad(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }

terrane_cell cell_at(const GridLayout& layout, CellId id) { return cell_to(id == kNoCell ? Cell{-1, -1} : layout.cell(id)); }

Result<std::vector<CostTable>> compile_types(const terrane_world& world, const terrane_profile* const* types, uint32_t count) {
    if (types == nullptr || count == 0 || count > std::numeric_limits<uint16_t>::max()) {
        return bad(ErrorCode::kBadValue, "invalid number of agent types: expected 1 to 65535");
    }
    std::vector<CostTable> compiled;
    compiled.reserve(count);
    for (const terrane_profile* type : std::span(types, count)) {
        if (type == nullptr)
            return bad(ErrorCode::kBadValue, "agent type " + std::to_string(compiled.size()) + " is NULL: expected a profile");
        const auto costs = costs_of(*type, world);
        if (!costs) return costs.error();
        compiled.push_back(*costs);
    }
    return compiled;
}

Result<CrowdMethodSpec> spec_of(const terrane_crowd_options& options) {
    const std::string_view name = text_of(options.method);
    auto spec = find_crowd_method(name.empty() ? CrowdMethodSpec{}.name : name);
    if (!spec) return spec;
    if (options.seed != 0) spec->seed = options.seed;
    spec->budget = options.budget;
    if (const auto known = check_budget(*spec); !known) return known.error();
    return spec;
}

Result<std::unique_ptr<terrane_crowd>> make_crowd(const terrane_world& world, Result<std::vector<CostTable>> types,
                                                  const terrane_crowd_options& options) {
    if (!types) return types.error();
    const auto movement = movement_of(options.movement);
    if (!movement) return movement.error();
    const auto spec = spec_of(options);
    if (!spec) return spec.error();
    if (world.world.snapshot().all_regions().empty())
        return bad(ErrorCode::kUnsupported, "the world has no regions: create it without no_regions");
    auto made = std::make_unique<terrane_crowd>(world, *std::move(types), *spec, *movement);
    if (options.lifelong != 0) made->goals.emplace(made->crowd, spec->seed + 1);  // the seed that the command line uses
    return made;
}

Result<std::vector<CrowdPlace>> draw_places(const terrane_crowd& crowd, uint32_t agents, uint32_t how, uint64_t seed) {
    if (!crowd.crowd.agents().empty()) return bad(ErrorCode::kUnsupported, "the crowd has had agents: spawn into a new crowd");
    if (how > TERRANE_SPAWN_SIDES) return bad(ErrorCode::kBadValue, "invalid `how`: expected 0 (anywhere) or 1 (opposite sides)");
    if (agents > kMaxAgents) return bad(ErrorCode::kTooLarge, "too many agents: a crowd has at most " + std::to_string(kMaxAgents));
    std::vector<CostTable> types;
    types.reserve(crowd.crowd.types().size());
    for (const AgentType& type : crowd.crowd.types()) types.push_back(type.costs);
    const auto draw = how == TERRANE_SPAWN_SIDES ? opposite_sides : random_places;
    return draw(crowd.world->world.snapshot(), types, crowd.crowd.movement(), agents, seed == 0 ? 1 : seed);
}

// The reason why Crowd::add() returned kNoAgent.
const char* add_failure(const Crowd& crowd, Cell at, Cell goal, uint32_t type) {
    if (!crowd.layout().contains(at)) return "the start is outside the map";
    if (!crowd.layout().contains(goal)) return "the goal is outside the map";
    if (crowd.agents().size() >= kMaxAgents) return "the crowd has the maximum number of agents";
    const bool passable = crowd.types()[type].costs.passable(crowd.grid().at(crowd.layout().id(at)));
    return passable ? "another agent is on the start" : "the start is blocked for this agent type";
}

terrane_code refuse_agent(uint32_t agent, terrane_error* error) { return refuse("the crowd has no agent " + std::to_string(agent), error); }

bool is_agent(const Crowd& crowd, uint32_t agent) { return agent < crowd.agents().size() && crowd.agents()[agent].present(); }

// Adds all agents, or none on allocation failure.
void add_all(Crowd& crowd, std::span<const CrowdPlace> places) {
    const auto first = static_cast<AgentId>(crowd.agents().size());
    const auto add = [&] {
        for (const CrowdPlace& place : places) crowd.add(place.start, place.goal, place.type);
    };
    detail::catch_bad_alloc(add, [&] {
        crowd.rollback_to(first);
        detail::throw_bad_alloc();
    });
}

void give_new_goals(terrane_crowd& crowd) {
    for (AgentId id = 0; id < crowd.crowd.agents().size(); ++id) {
        const CrowdAgent& agent = crowd.crowd.agents()[id];
        if (!agent.present() || !agent.at_goal() || !crowd.goals->has_any(agent.type)) continue;
        crowd.crowd.set_goal(id, crowd.goals->next(crowd.crowd, agent.type));
    }
}

void tick_once(terrane_crowd& crowd) {
    crowd.now.clear();
    for (const CrowdAgent& agent : crowd.crowd.agents()) crowd.now.push_back(agent.at);
    crowd.crowd.tick();
    crowd.before.swap(crowd.now);
    if (crowd.goals) give_new_goals(crowd);
}

bool has_method(const terrane_crowd* crowd) { return crowd != nullptr && !crowd->crowd.method_lost(); }

}  // namespace

uint32_t terrane_crowd_method_count(void) { return static_cast<uint32_t>(crowd_methods().size()); }
const char* terrane_crowd_method_usage(uint32_t i) { return info_text(crowd_methods(), i, &MethodInfo::usage); }
const char* terrane_crowd_method_summary(uint32_t i) { return info_text(crowd_methods(), i, &MethodInfo::summary); }

terrane_crowd* terrane_crowd_new(const terrane_world* world, const terrane_profile* const* types, uint32_t type_count,
                                 const terrane_crowd_options* options, terrane_error* error) {
    if (world == nullptr) return refuse_null(error), nullptr;
    return guarded_or<terrane_crowd*>(nullptr, error, [&]() -> terrane_crowd* {
        const auto with = options_of(options, "terrane_crowd_options");
        if (!with) return refuse(with.error(), error), nullptr;
        auto crowd = make_crowd(*world, compile_types(*world, types, type_count), *with);
        if (!crowd) return refuse(crowd.error(), error), nullptr;
        return crowd->release();
    });
}

void terrane_crowd_free(terrane_crowd* crowd) { delete crowd; }

int32_t terrane_crowd_add(terrane_crowd* crowd, terrane_cell at, terrane_cell goal, uint32_t type, terrane_error* error) {
    if (crowd == nullptr) return refuse_null(error), -1;
    Crowd& c = crowd->crowd;
    return guarded_or<int32_t>(-1, error, [&]() -> int32_t {
        if (type >= c.types().size()) return refuse("the crowd has no agent type " + std::to_string(type), error), -1;
        const AgentId agent = c.add(cell_of(at), cell_of(goal), static_cast<uint16_t>(type));
        if (agent != kNoAgent) return static_cast<int32_t>(agent);
        return refuse(add_failure(c, cell_of(at), cell_of(goal), type), error), -1;
    });
}

terrane_code terrane_crowd_spawn(terrane_crowd* crowd, uint32_t agents, uint32_t how, uint64_t seed, terrane_error* error) {
    if (crowd == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        const auto places = draw_places(*crowd, agents, how, seed);
        if (!places) return refuse(places.error(), error);
        add_all(crowd->crowd, *places);
        return TERRANE_OK;
    });
}

terrane_code terrane_crowd_remove(terrane_crowd* crowd, uint32_t agent, terrane_error* error) {
    if (crowd == nullptr) return refuse_null(error);
    return guarded(error, [&] { return crowd->crowd.remove(agent) ? terrane_code{TERRANE_OK} : refuse_agent(agent, error); });
}

terrane_code terrane_crowd_goal(terrane_crowd* crowd, uint32_t agent, terrane_cell goal, terrane_error* error) {
    if (crowd == nullptr) return refuse_null(error);
    return guarded(error, [&] {
        if (!is_agent(crowd->crowd, agent)) return refuse_agent(agent, error);
        return crowd->crowd.set_goal(agent, cell_of(goal)) ? terrane_code{TERRANE_OK} : refuse("the goal is outside the map", error);
    });
}

terrane_code terrane_crowd_tick(terrane_crowd* crowd, uint32_t ticks, terrane_error* error) {
    if (crowd == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        for (; ticks > 0; --ticks) tick_once(*crowd);
        return TERRANE_OK;
    });
}

terrane_code terrane_crowd_get_info(const terrane_crowd* crowd, terrane_crowd_info* out, terrane_error* error) {
    if (crowd == nullptr) return answer_null(out, error);
    const Crowd& c = crowd->crowd;
    const CrowdWork work = c.method_lost() ? CrowdWork{} : c.method().work();
    terrane_crowd_info info{};
    info.ticks = c.ticks();
    info.agents = static_cast<uint32_t>(c.present());
    info.at_goal = static_cast<uint32_t>(c.at_goal());
    info.arrivals = c.arrivals();
    info.faults = c.faults();
    for (const CrowdAgent& agent : c.agents()) info.cost += agent.cost;
    info.expansions = work.expansions;
    info.plans = work.plans;
    info.failures = work.failures;
    info.bytes = c.method_lost() ? 0 : c.method().bytes();
    return answer(info, out, "terrane_crowd_info", error);
}

size_t terrane_crowd_agents(const terrane_crowd* crowd, terrane_agent* out, size_t capacity) {
    if (crowd == nullptr) return 0;
    const Crowd& c = crowd->crowd;
    ListWriter list(out, capacity);
    for (size_t i = 0; i < c.agents().size(); ++i) {
        const CrowdAgent& agent = c.agents()[i];
        const bool stayed = agent.present() && i < crowd->before.size() && crowd->before[i] == agent.at;
        list.add({cell_at(c.layout(), agent.at), cell_at(c.layout(), agent.goal), agent.type, stayed && !agent.at_goal() ? 1u : 0u});
    }
    return list.count();
}

size_t terrane_crowd_reservations(const terrane_crowd* crowd, terrane_reservation* out, size_t capacity) {
    const ReservationTable* table = has_method(crowd) ? crowd->crowd.method().reservations() : nullptr;
    if (table == nullptr) return 0;
    return guarded_or<size_t>(0, nullptr, [&] {
        ListWriter list(out, capacity);
        for (const Reservation& r : table->list(crowd->crowd.ticks())) list.add({cell_at(crowd->crowd.layout(), r.cell), r.tick, r.agent});
        return list.count();
    });
}

size_t terrane_crowd_arrows(const terrane_crowd* crowd, terrane_arrow* out, size_t capacity) {
    const DirectionMap* map = has_method(crowd) ? crowd->crowd.method().flow() : nullptr;
    if (map == nullptr) return 0;
    const GridLayout& layout = crowd->crowd.layout();
    const auto length = [](int16_t units) { return static_cast<float>(units) / static_cast<float>(kArrowUnit); };
    ListWriter list(out, capacity);
    map->each_arrow(layout, [&](CellId cell, Arrow arrow) { list.add({cell_at(layout, cell), length(arrow.x), length(arrow.y)}); });
    return list.count();
}
