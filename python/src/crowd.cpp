// Crowds: many agents in one world, tick by tick.
#include <limits>

#include "convert.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/crowd/crowd_scene.h"
#include "terrane/crowd/direction_map.h"

namespace terrane::python {

namespace {

struct CrowdHandle {
    CrowdHandle(WorldHandle& in, std::vector<CostTable> kinds, const CrowdMethodSpec& spec, Movement movement)
        : world(in), crowd(in.world, std::move(kinds), make_crowd_method(spec), {.movement = movement}), seed(spec.seed) {}
    WorldHandle& world;
    Crowd crowd;
    uint64_t seed;
    std::optional<RandomGoals> goals;  // where it is life-long
    bool life_long = false;
    bool busy = false;
};

std::unique_ptr<CrowdHandle> make(WorldHandle& world, const py::object& kinds, const std::string& method, const std::string& movement,
                                  const py::object& seed, bool life_long) {
    const WorldSnapshot now = world.world.snapshot();
    if (now.all_regions().empty()) refuse("a crowd needs a world that keeps regions: make it with sectors=(16,)", ErrorCode::kUnsupported);
    std::vector<CostTable> compiled;
    if (py::isinstance<py::list>(kinds) || py::isinstance<py::tuple>(kinds)) {
        for (const py::handle kind : kinds) compiled.push_back(costs_of(kind, now.grid().catalogue()));
    } else {
        compiled.push_back(costs_of(kinds, now.grid().catalogue()));
    }
    if (compiled.empty() || compiled.size() > std::numeric_limits<uint16_t>::max()) refuse("a crowd has 1 to 65535 kinds, a profile each");
    CrowdMethodSpec spec = take(find_crowd_method(method));
    spec.seed = static_cast<uint64_t>(whole_of(seed, "seed", 0, std::numeric_limits<int64_t>::max()));
    auto made = std::make_unique<CrowdHandle>(world, std::move(compiled), spec, movement_of(movement));
    made->life_long = life_long;
    return made;
}

uint16_t kind_of(const CrowdHandle& self, const py::object& kind) {
    return static_cast<uint16_t>(whole_of(kind, "kind", 0, static_cast<int64_t>(self.crowd.kinds().size()) - 1));
}

// Where it cannot stand: why.
AgentId add_agent(CrowdHandle& self, Cell at, Cell goal, uint16_t kind) {
    const AgentId agent = self.crowd.add(at, goal, kind);
    if (agent != kNoAgent) return agent;
    const GridSnapshot& grid = self.crowd.grid();
    const auto where = [](Cell c) { return "(" + std::to_string(c.x) + ", " + std::to_string(c.y) + ")"; };
    if (!grid.layout().contains(at)) refuse(where(at) + " is not on the map");
    if (!grid.layout().contains(goal)) refuse("the goal " + where(goal) + " is not on the map");
    if (!self.crowd.kinds()[kind].costs.passable(grid.at(at))) refuse("its kind cannot stand on " + where(at));
    if (self.crowd.agents().size() >= kMaxAgents)
        refuse("a crowd has at most " + std::to_string(kMaxAgents) + " agents", ErrorCode::kTooLarge);
    refuse(where(at) + " is taken by another agent");
}

py::array_t<uint32_t> add_many(CrowdHandle& self, const py::object& starts, const py::object& goals, const py::object& kind) {
    const Busy busy(self.busy, "crowd");
    const std::vector<Cell> at = cells_of(starts, "starts"), to = cells_of(goals, "goals");
    const uint16_t which = kind_of(self, kind);
    if (at.size() != to.size()) refuse(plural(at.size(), "start") + ", but " + plural(to.size(), "goal") + ": give as many of each");
    py::array_t<uint32_t> ids(static_cast<py::ssize_t>(at.size()));
    for (size_t i = 0; i < at.size(); ++i) ids.mutable_at(i) = add_agent(self, at[i], to[i], which);
    return ids;
}

void spawn(CrowdHandle& self, const py::object& agents, const std::string& where, const py::object& seed) {
    const Busy busy(self.busy, "crowd");
    if (!self.crowd.agents().empty()) refuse("agents spawn only in a crowd that has had none: use add()", ErrorCode::kUnsupported);
    if (where != "anywhere" && where != "sides") refuse("where is 'anywhere' or 'sides'; got '" + where + "'", ErrorCode::kUnknownName);
    const auto count = static_cast<size_t>(whole_of(agents, "agents", 0, kMaxAgents));
    const auto number = static_cast<uint64_t>(whole_of(seed, "seed", 0, std::numeric_limits<int64_t>::max()));
    std::vector<CostTable> kinds;
    for (const CrowdKind& kind : self.crowd.kinds()) kinds.push_back(kind.costs);
    const auto places =
        take((where == "sides" ? opposite_sides : random_places)(self.world.world.snapshot(), kinds, self.crowd.movement(), count, number));
    for (const CrowdPlace& place : places) add_agent(self, place.start, place.goal, place.kind);
}

void give_new_goals(CrowdHandle& self) {
    if (!self.goals) self.goals.emplace(self.crowd, self.seed + 1);  // as the command line does
    for (AgentId agent = 0; agent < self.crowd.agents().size(); ++agent) {
        const CrowdAgent& who = self.crowd.agents()[agent];
        if (!who.present() || !who.at_goal() || !self.goals->has_any(who.kind)) continue;
        self.crowd.set_goal(agent, self.goals->next(self.crowd, who.kind));
    }
}

void tick_once(CrowdHandle& self) {
    self.crowd.tick();
    if (self.life_long) give_new_goals(self);
}

void tick(CrowdHandle& self, const py::object& ticks) {
    const Busy busy(self.busy, "crowd");
    int64_t left = whole_of(ticks, "ticks", 0, std::numeric_limits<uint32_t>::max());
    if (left == 0) return;
    run_slices([&] { return tick_once(self), --left == 0; });
}

Cell place_of(const CrowdHandle& self, CellId id) { return id == kNoCell ? Cell{-1, -1} : self.crowd.layout().cell(id); }

void append_places(const CrowdHandle& self, size_t agents, std::vector<Cell>& to) {
    for (size_t i = 0; i < agents; ++i) to.push_back(place_of(self, self.crowd.agents()[i].at));
}

py::array_t<int32_t> run_crowd(CrowdHandle& self, const py::object& max_ticks) {
    const Busy busy(self.busy, "crowd");
    int64_t left = whole_of(max_ticks, "max_ticks", 0, std::numeric_limits<uint32_t>::max());
    const size_t agents = self.crowd.agents().size();
    std::vector<Cell> places;
    append_places(self, agents, places);
    py::ssize_t frames = 1;
    const auto over = [&] { return left == 0 || (self.crowd.all_arrived() && !self.life_long); };
    if (!over()) {
        run_slices([&] {
            tick_once(self);
            append_places(self, agents, places);
            --left, ++frames;
            return over();
        });
    }
    return py::array_t<int32_t>({frames, static_cast<py::ssize_t>(agents), py::ssize_t{2}},
                                reinterpret_cast<const int32_t*>(places.data()));
}

template <class Read>
py::array_t<int32_t> each_agent(CrowdHandle& self, Read read) {
    const Busy busy(self.busy, "crowd");
    std::vector<Cell> cells;
    for (const CrowdAgent& who : self.crowd.agents()) cells.push_back(place_of(self, read(who)));
    return cells_array(cells);
}

py::dict metrics(CrowdHandle& self) {
    const Busy busy(self.busy, "crowd");
    const Crowd& crowd = self.crowd;
    const CrowdWork work = crowd.method_lost() ? CrowdWork{} : crowd.method().work();
    Cost cost = 0;
    uint64_t flowtime = 0, makespan = 0;
    for (const CrowdAgent& who : crowd.agents()) {
        cost += who.cost;
        flowtime += who.arrived;
        makespan = std::max<uint64_t>(makespan, who.arrived);
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
    if (self.crowd.agents().empty()) refuse("this crowd has no agents yet: add() some");
    return static_cast<AgentId>(whole_of(agent, "agent", 0, static_cast<int64_t>(self.crowd.agents().size()) - 1));
}

}  // namespace

void bind_crowd(py::module_& m) {
    py::class_<CrowdHandle>(m, "Crowd", R"(Many agents in one world, tick by tick; no two are ever on one cell.

Crowd(world, kinds, method="pibt", movement="eight", seed=1, life_long=False)

`kinds` is a profile, or a list of them. `method` is a name of crowd_methods(). With `life_long`, agents that arrive get new goals. In a
tick each agent stays or makes one move; the world may be edited between ticks. A crowd belongs to one thread.

>>> world = terrane.generate("rooms", size=48, seed=3)
>>> crowd = terrane.Crowd(world, "walker", "whca:16")
>>> crowd.spawn(20, seed=5)
>>> positions = crowd.run(500)
>>> positions.shape[1:], crowd.all_arrived
((20, 2), True)
>>> all(len(set(map(tuple, tick))) == 20 for tick in positions)
True)")
        .def(py::init(&make), py::arg("world"), py::arg("kinds"), py::arg("method") = "pibt", py::arg("movement") = "eight",
             py::arg("seed") = 1, py::arg("life_long") = false, py::keep_alive<1, 2>())
        .def(
            "add",
            [](CrowdHandle& self, const py::object& at, const py::object& goal, const py::object& kind) {
                const Busy busy(self.busy, "crowd");
                return add_agent(self, cell_of(at, "at"), cell_of(goal, "goal"), kind_of(self, kind));
            },
            py::arg("at"), py::arg("goal"), py::arg("kind") = 0,
            "Adds an agent and returns its number. BadValue where it cannot stand there, with the reason.")
        .def("add_many", &add_many, py::arg("starts"), py::arg("goals"), py::arg("kind") = 0,
             "Adds an agent for each pair of two arrays of shape (n, 2); returns their numbers.")
        .def("spawn", &spawn, py::arg("agents"), py::arg("where") = "anywhere", py::arg("seed") = 1,
             "Adds so many agents at random places that can be reached from one another: 'anywhere', or on opposite 'sides' of the map.")
        .def(
            "remove",
            [](CrowdHandle& self, const py::object& agent) {
                const Busy busy(self.busy, "crowd");
                return self.crowd.remove(agent_of(self, agent));
            },
            py::arg("agent"), "Takes an agent off the map. False where it had left already.")
        .def(
            "set_goal",
            [](CrowdHandle& self, const py::object& agent, const py::object& goal) {
                const Busy busy(self.busy, "crowd");
                return self.crowd.set_goal(agent_of(self, agent), cell_of(goal, "goal"));
            },
            py::arg("agent"), py::arg("goal"), "Sends an agent elsewhere. False where it has left, or the goal is off the map.")
        .def("tick", &tick, py::arg("ticks") = 1, "Goes on by so many ticks. Runs without the GIL; Ctrl-C is answered between ticks.")
        .def("run", &run_crowd, py::arg("max_ticks") = 1000,
             R"(Goes on until all have arrived, or so many ticks: where everyone was, an array of shape (ticks + 1, agents, 2), int32.

The first frame is how it began. (-1, -1) for agents that have left. Runs without the GIL; Ctrl-C is answered between ticks.)")
        .def_property_readonly(
            "positions", [](CrowdHandle& self) { return each_agent(self, [](const CrowdAgent& who) { return who.at; }); },
            "Where everyone is: an array of shape (agents, 2); (-1, -1) for those who left.")
        .def_property_readonly(
            "goals", [](CrowdHandle& self) { return each_agent(self, [](const CrowdAgent& who) { return who.goal; }); },
            "Where everyone wants to go: an array of shape (agents, 2).")
        .def_property_readonly(
            "kinds",
            [](CrowdHandle& self) {
                py::array_t<uint16_t> out(static_cast<py::ssize_t>(self.crowd.agents().size()));
                for (size_t i = 0; i < self.crowd.agents().size(); ++i) out.mutable_at(i) = self.crowd.agents()[i].kind;
                return out;
            },
            "The number of everyone's kind.")
        .def_property_readonly(
            "ticks", [](const CrowdHandle& self) { return self.crowd.ticks(); }, "So far.")
        .def_property_readonly(
            "all_arrived", [](const CrowdHandle& self) { return self.crowd.all_arrived(); },
            "Whether all who are there are at their goals.")
        .def_property_readonly("metrics", &metrics, R"(What it has taken so far: a dict.

ticks, agents, at_goal, arrivals    arrivals count every goal that was met
cost, length                        of all moves, and of waits on the way
flowtime, makespan                  the sum and the last of the ticks at which agents arrived
expansions, plans, failures, bytes  what the method did, and holds
faults                              proposals of the method that the judge refused: 0)")
        .def_property_readonly(
            "flow", &flow,
            "With a method +flow: which way agents have been going, an array of shape (height, width, 2), float32; else None.")
        .def("__repr__", [](const CrowdHandle& self) {
            return "<Crowd of " + plural(self.crowd.present(), "agent") + ", " + std::to_string(self.crowd.at_goal()) +
                   " at their goals, tick " + std::to_string(self.crowd.ticks()) + ">";
        });
    m.def(
        "crowd_methods", [] { return methods_to(crowd_methods()); },
        "The methods of a Crowd by name: for each a dict of name, usage, summary, details, example.");
}

}  // namespace terrane::python
