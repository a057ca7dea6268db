// Crowds in Python: many agents in one world, moved tick by tick.
#include <limits>

#include "convert.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/crowd/crowd_scene.h"
#include "terrane/crowd/direction_map.h"

namespace terrane::python {

namespace {

struct CrowdHandle {
    CrowdHandle(WorldHandle& in, std::vector<CostTable> types, const CrowdMethodSpec& spec, Movement movement)
        : world(in), crowd(in.world, std::move(types), make_crowd_method(spec), {.movement = movement}), seed(spec.seed) {}
    WorldHandle& world;
    Crowd crowd;
    uint64_t seed;
    std::optional<RandomGoals> goals;  // of lifelong crowds
    bool lifelong = false;
    bool busy = false;
};

std::unique_ptr<CrowdHandle> make(WorldHandle& world, const py::object& types, const std::string& method, const std::string& movement,
                                  const py::object& seed, bool lifelong, const py::object& budget) {
    const WorldSnapshot now = world.world.snapshot();
    if (now.all_regions().empty()) refuse("a crowd requires a world with regions: create it with sectors=(16,)", ErrorCode::kUnsupported);
    std::vector<CostTable> compiled;
    if (py::isinstance<py::list>(types) || py::isinstance<py::tuple>(types)) {
        for (const py::handle type : types) compiled.push_back(costs_of(type, now.grid().catalogue()));
    } else {
        compiled.push_back(costs_of(types, now.grid().catalogue()));
    }
    if (compiled.empty() || compiled.size() > std::numeric_limits<uint16_t>::max()) refuse("types must have 1 to 65535 profiles");
    CrowdMethodSpec spec = take(find_crowd_method(method));
    spec.seed = static_cast<uint64_t>(integer_of(seed, "seed", 0, std::numeric_limits<int64_t>::max()));
    spec.budget = static_cast<uint64_t>(integer_of(budget, "budget", 0, std::numeric_limits<int64_t>::max()));
    take(check_budget(spec));
    auto made = std::make_unique<CrowdHandle>(world, std::move(compiled), spec, movement_of(movement));
    made->lifelong = lifelong;
    return made;
}

uint16_t type_of(const CrowdHandle& self, const py::object& type) {
    return static_cast<uint16_t>(integer_of(type, "type", 0, static_cast<int64_t>(self.crowd.types().size()) - 1));
}

// Raises BadValue with the reason if the agent cannot be added.
AgentId add_agent(CrowdHandle& self, Cell at, Cell goal, uint16_t type) {
    const AgentId agent = self.crowd.add(at, goal, type);
    if (agent != kNoAgent) return agent;
    const GridSnapshot& grid = self.crowd.grid();
    const auto where = [](Cell c) { return "(" + std::to_string(c.x) + ", " + std::to_string(c.y) + ")"; };
    if (!grid.layout().contains(at)) refuse(where(at) + " is outside the map");
    if (!grid.layout().contains(goal)) refuse("the goal " + where(goal) + " is outside the map");
    if (!self.crowd.types()[type].costs.passable(grid.at(at))) refuse(where(at) + " is blocked for this agent type");
    if (self.crowd.agents().size() >= kMaxAgents)
        refuse("a crowd has at most " + std::to_string(kMaxAgents) + " agents", ErrorCode::kTooLarge);
    refuse(where(at) + " is occupied by another agent");
}

py::array_t<uint32_t> add_many(CrowdHandle& self, const py::object& starts, const py::object& goals, const py::object& type) {
    const Busy busy(self.busy, "crowd");
    const std::vector<Cell> at = cells_of(starts, "starts"), to = cells_of(goals, "goals");
    const uint16_t which = type_of(self, type);
    if (at.size() != to.size()) refuse(plural(at.size(), "start") + ", but " + plural(to.size(), "goal") + ": expected the same number");
    py::array_t<uint32_t> ids(static_cast<py::ssize_t>(at.size()));
    for (size_t i = 0; i < at.size(); ++i) ids.mutable_at(i) = add_agent(self, at[i], to[i], which);
    return ids;
}

void spawn(CrowdHandle& self, const py::object& agents, const std::string& where, const py::object& seed) {
    const Busy busy(self.busy, "crowd");
    if (!self.crowd.agents().empty()) refuse("spawn() requires a crowd that never had agents: use add()", ErrorCode::kUnsupported);
    if (where != "anywhere" && where != "sides")
        refuse("where must be 'anywhere' or 'sides'; got '" + where + "'", ErrorCode::kUnknownName);
    const auto count = static_cast<size_t>(integer_of(agents, "agents", 0, kMaxAgents));
    const auto number = static_cast<uint64_t>(integer_of(seed, "seed", 0, std::numeric_limits<int64_t>::max()));
    std::vector<CostTable> types;
    for (const AgentType& type : self.crowd.types()) types.push_back(type.costs);
    const auto places =
        take((where == "sides" ? opposite_sides : random_places)(self.world.world.snapshot(), types, self.crowd.movement(), count, number));
    for (const CrowdPlace& place : places) add_agent(self, place.start, place.goal, place.type);
}

void give_new_goals(CrowdHandle& self) {
    if (!self.goals) self.goals.emplace(self.crowd, self.seed + 1);  // the seed that the command line uses
    for (AgentId id = 0; id < self.crowd.agents().size(); ++id) {
        const CrowdAgent& agent = self.crowd.agents()[id];
        if (!agent.present() || !agent.at_goal() || !self.goals->has_any(agent.type)) continue;
        self.crowd.set_goal(id, self.goals->next(self.crowd, agent.type));
    }
}

void tick_once(CrowdHandle& self) {
    self.crowd.tick();
    if (self.lifelong) give_new_goals(self);
}

void tick(CrowdHandle& self, const py::object& ticks) {
    const Busy busy(self.busy, "crowd");
    int64_t left = integer_of(ticks, "ticks", 0, std::numeric_limits<uint32_t>::max());
    if (left == 0) return;
    run_slices([&] { return tick_once(self), --left == 0; });
}

Cell cell_at(const CrowdHandle& self, CellId id) { return id == kNoCell ? Cell{-1, -1} : self.crowd.layout().cell(id); }

void append_places(const CrowdHandle& self, size_t agents, std::vector<Cell>& to) {
    for (size_t i = 0; i < agents; ++i) to.push_back(cell_at(self, self.crowd.agents()[i].at));
}

py::array_t<int32_t> run_crowd(CrowdHandle& self, const py::object& max_ticks) {
    const Busy busy(self.busy, "crowd");
    int64_t left = integer_of(max_ticks, "max_ticks", 0, std::numeric_limits<uint32_t>::max());
    const size_t agents = self.crowd.agents().size();
    std::vector<Cell> places;
    append_places(self, agents, places);
    py::ssize_t frames = 1;
    const auto finished = [&] { return left == 0 || (self.crowd.all_arrived() && !self.lifelong); };
    if (!finished()) {
        run_slices([&] {
            tick_once(self);
            append_places(self, agents, places);
            --left, ++frames;
            return finished();
        });
    }
    return py::array_t<int32_t>({frames, static_cast<py::ssize_t>(agents), py::ssize_t{2}},
                                reinterpret_cast<const int32_t*>(places.data()));
}

template <class Read>
py::array_t<int32_t> each_agent(CrowdHandle& self, Read read) {
    const Busy busy(self.busy, "crowd");
    std::vector<Cell> cells;
    for (const CrowdAgent& agent : self.crowd.agents()) cells.push_back(cell_at(self, read(agent)));
    return cells_array(cells);
}

py::dict metrics(CrowdHandle& self) {
    const Busy busy(self.busy, "crowd");
    const Crowd& crowd = self.crowd;
    const CrowdWork work = crowd.method_lost() ? CrowdWork{} : crowd.method().work();
    Cost cost = 0;
    uint64_t flowtime = 0, makespan = 0;
    for (const CrowdAgent& agent : crowd.agents()) {
        cost += agent.cost;
        flowtime += agent.arrived;
        makespan = std::max<uint64_t>(makespan, agent.arrived);
    }
    py::dict out;
    out["ticks"] = crowd.ticks(), out["agents"] = crowd.present(), out["at_goal"] = crowd.at_goal();
    out["arrivals"] = crowd.arrivals(), out["faults"] = crowd.faults();
    out["cost"] = cost, out["length"] = to_real(cost), out["flowtime"] = flowtime, out["makespan"] = makespan;
    out["expansions"] = work.expansions, out["plans"] = work.plans, out["failures"] = work.failures,
    out["bytes"] = crowd.method_lost() ? 0 : crowd.method().bytes();
    return out;
}

py::object flow(CrowdHandle& self) {
    const Busy busy(self.busy, "crowd");
    const DirectionMap* map = self.crowd.method_lost() ? nullptr : self.crowd.method().flow();
    if (map == nullptr) return py::none();
    const GridLayout& layout = self.crowd.layout();
    py::array_t<float> out({py::ssize_t{layout.height}, py::ssize_t{layout.width}, py::ssize_t{2}});
    std::fill_n(out.mutable_data(), out.size(), 0.0f);
    auto at = out.mutable_unchecked<3>();
    map->each_arrow(layout, [&](CellId id, Arrow arrow) {
        const Cell c = layout.cell(id);
        at(c.y, c.x, 0) = static_cast<float>(arrow.x) / kArrowUnit, at(c.y, c.x, 1) = static_cast<float>(arrow.y) / kArrowUnit;
    });
    return out;
}

AgentId agent_of(const CrowdHandle& self, const py::object& agent) {
    if (self.crowd.agents().empty()) refuse("this crowd has no agents: call add() or spawn() first");
    return static_cast<AgentId>(integer_of(agent, "agent", 0, static_cast<int64_t>(self.crowd.agents().size()) - 1));
}

}  // namespace

void bind_crowd(py::module_& m) {
    py::class_<CrowdHandle>(m, "Crowd", R"(Many agents in one world, moved tick by tick. No two agents ever share a cell.

Crowd(world, types, method="pibt", movement="eight", seed=1, lifelong=False, budget=0)

`types` is the profile of all agents, or a list of profiles, one per agent type. `method` is a name of crowd_methods(). With `lifelong`,
agents that arrive get new random goals. `budget` limits the expansions of each tick (swarm) or of the whole plan (lacam); 0 is the method's
default. In a tick each agent stays or makes one move. The world may be edited between ticks. Use a crowd
from one thread at a time.

>>> world = terrane.generate("rooms", size=48, seed=3)
>>> crowd = terrane.Crowd(world, "walker", "whca:16")
>>> crowd.spawn(20, seed=5)
>>> positions = crowd.run(500)
>>> positions.shape[1:], crowd.all_arrived
((20, 2), True)
>>> all(len(set(map(tuple, tick))) == 20 for tick in positions)
True)")
        .def(py::init(&make), py::arg("world"), py::arg("types"), py::arg("method") = CrowdMethodSpec{}.name, py::arg("movement") = "eight",
             py::arg("seed") = CrowdMethodSpec{}.seed, py::arg("lifelong") = false, py::arg("budget") = 0, py::keep_alive<1, 2>())
        .def(
            "add",
            [](CrowdHandle& self, const py::object& at, const py::object& goal, const py::object& type) {
                const Busy busy(self.busy, "crowd");
                return add_agent(self, cell_of(at, "at"), cell_of(goal, "goal"), type_of(self, type));
            },
            py::arg("at"), py::arg("goal"), py::arg("type") = 0,
            "Adds an agent of a type (an index into `types`) and returns its id. Raises BadValue with the reason if it cannot be added.")
        .def("add_many", &add_many, py::arg("starts"), py::arg("goals"), py::arg("type") = 0,
             "Adds an agent for each pair of starts and goals, arrays of shape (n, 2). Returns their ids.")
        .def(
            "spawn", &spawn, py::arg("agents"), py::arg("where") = "anywhere", py::arg("seed") = 1,
            "Adds agents at random cells of the largest connected component: 'anywhere', or with goals on the opposite one of two 'sides'.")
        .def(
            "remove",
            [](CrowdHandle& self, const py::object& agent) {
                const Busy busy(self.busy, "crowd");
                return self.crowd.remove(agent_of(self, agent));
            },
            py::arg("agent"), "Removes an agent. Returns False if it was already removed.")
        .def(
            "set_goal",
            [](CrowdHandle& self, const py::object& agent, const py::object& goal) {
                const Busy busy(self.busy, "crowd");
                return self.crowd.set_goal(agent_of(self, agent), cell_of(goal, "goal"));
            },
            py::arg("agent"), py::arg("goal"),
            "Sets the goal of an agent. Returns False if the agent was removed or the goal is off the map.")
        .def("tick", &tick, py::arg("ticks") = 1,
             "Advances the crowd by `ticks` ticks. Releases the GIL; Ctrl-C interrupts it between ticks.")
        .def("run", &run_crowd, py::arg("max_ticks") = 1000,
             R"(Runs until all agents have arrived or max_ticks have passed. Returns all positions.

The result is an array of shape (ticks + 1, agents, 2), int32. The first row is the initial state; removed agents are at (-1, -1).
Releases the GIL; Ctrl-C interrupts it between ticks.)")
        .def_property_readonly(
            "positions", [](CrowdHandle& self) { return each_agent(self, [](const CrowdAgent& agent) { return agent.at; }); },
            "The cell of each agent: an array of shape (agents, 2); (-1, -1) for removed agents.")
        .def_property_readonly(
            "goals", [](CrowdHandle& self) { return each_agent(self, [](const CrowdAgent& agent) { return agent.goal; }); },
            "The goal of each agent: an array of shape (agents, 2).")
        .def_property_readonly(
            "types",
            [](CrowdHandle& self) {
                py::array_t<uint16_t> out(static_cast<py::ssize_t>(self.crowd.agents().size()));
                for (size_t i = 0; i < self.crowd.agents().size(); ++i) out.mutable_at(i) = self.crowd.agents()[i].type;
                return out;
            },
            "The type of each agent, an index into the profiles of the crowd.")
        .def_property_readonly(
            "ticks", [](const CrowdHandle& self) { return self.crowd.ticks(); }, "Number of ticks so far.")
        .def_property_readonly(
            "all_arrived", [](const CrowdHandle& self) { return self.crowd.all_arrived(); }, "Whether all agents are at their goals.")
        .def_property_readonly("metrics", &metrics, R"(Counters and costs so far: a dict.

ticks, agents, at_goal, arrivals    arrivals counts every goal that was reached
cost, length                        sum of costs of all moves and of waits before the goal
flowtime, makespan                  the sum and the maximum of the agents' arrival ticks
expansions, plans, failures, bytes  of the method: expansions, searches, searches without a result, memory
faults                              proposals of the method that the move validator refused: 0)")
        .def_property_readonly(
            "flow", &flow,
            "The learned direction map of methods with +flow: an array of shape (height, width, 2), float32; otherwise None.")
        .def("__repr__", [](const CrowdHandle& self) {
            return "<Crowd of " + plural(self.crowd.present(), "agent") + ", " + std::to_string(self.crowd.at_goal()) +
                   " at their goals, tick " + std::to_string(self.crowd.ticks()) + ">";
        });
    m.def(
        "crowd_methods", [] { return methods_to(crowd_methods()); },
        "Lists the methods for crowds: dicts with name, usage, summary, details, example.");
}

}  // namespace terrane::python
