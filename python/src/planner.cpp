// Paths and planners in Python.
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/parallel.h"
#include "query.h"
#include "terrane/method/method_interface.h"

namespace terrane::python {

Query query_of(const WorldHandle& world, const py::object& profile, const py::object& method, const std::string& movement,
               const py::object& max_expansions, bool nearest, const py::object& bound, bool fallback) {
    const WorldSnapshot now = world.world.snapshot();
    Query query;
    query.costs = costs_of(profile, now.grid().catalogue());
    query.options.method = method_of(method);
    query.options.movement = movement_of(movement);
    query.options.max_expansions = budget_of(max_expansions, "max_expansions");
    query.options.nearest = nearest;
    query.options.fallback = fallback;
    if (nearest && now.all_regions().empty()) {
        refuse("nearest requires a world with regions: create it with sectors=(16,)", ErrorCode::kUnsupported);
    }
    if (!bound.is_none()) {
        query.options.bound = number_of(bound, "bound");
        if (!(query.options.bound >= 1 && query.options.bound <= 100)) refuse("bound must be from 1 to 100; got " + shown(bound));
        if (query.options.method && !proves_bounds(query.options.method)) {
            refuse("'" + query.options.method.name() + "' cannot prove a bound: use an overlay or cpd method", ErrorCode::kUnsupported);
        }
    }
    return query;
}

namespace {

struct PlannerHandle {
    explicit PlannerHandle(WorldHandle& in) : world(in), planner(in.world) {}

    WorldHandle& world;
    Planner planner;
    std::vector<Planner> helpers;  // for the other threads of a batch
    bool begun = false;            // begin() was called
    bool busy = false;
};

void answer(const Planner& planner, PathHandle& out) {
    planner.path(out.path);
    out.method = planner.method().name();
    out.first = planner.first_segment();
}

PathHandle find(PlannerHandle& self, const py::object& start, const py::object& goal, const py::object& profile, const py::object& method,
                const std::string& movement, const py::object& max_expansions, bool nearest, const py::object& bound, bool fallback) {
    const Busy busy(self.busy, "planner");
    const Cell from = cell_of(start, "start"), to = cell_of(goal, "goal");
    Query query = query_of(self.world, profile, method, movement, max_expansions, nearest, bound, fallback);
    self.begun = false;
    bool first = true;
    PathHandle out;
    run_slices([&] {
        if (std::exchange(first, false)) self.planner.begin(from, to, query.costs, query.options);
        const bool finished = self.planner.run(kSlice) != Status::kBudgetSpent || self.planner.expansions() >= query.options.max_expansions;
        if (finished) answer(self.planner, out);
        return finished;
    });
    return out;
}

// Answers one query of a batch. Returns false if the batch was stopped.
bool find_one(Planner& planner, Cell from, Cell to, const Query& query, const std::atomic<bool>& stop, PathHandle& out) {
    planner.begin(from, to, query.costs, query.options);
    while (planner.run(kSlice) == Status::kBudgetSpent && planner.expansions() < query.options.max_expansions) {
        if (stop) return false;
    }
    answer(planner, out);
    return true;
}

// Checks for Ctrl-C on the caller's thread, every 100 ms.
class InterruptWatch {
public:
    explicit InterruptWatch(std::atomic<bool>& stop) : stop_(stop), next_(Clock::now() + kEvery) {}
    void look() {
        if (std::this_thread::get_id() != caller_ || stop_ || Clock::now() < next_) return;
        const py::gil_scoped_acquire acquired;
        if (PyErr_CheckSignals() != 0) {
            error_ = std::make_unique<py::error_already_set>();
            stop_ = true;
        }
        next_ = Clock::now() + kEvery;
    }
    // Requires the GIL.
    void rethrow() {
        if (error_) throw py::error_already_set(*error_);
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr auto kEvery = std::chrono::milliseconds(100);
    std::atomic<bool>& stop_;
    Clock::time_point next_;
    std::thread::id caller_ = std::this_thread::get_id();
    std::unique_ptr<py::error_already_set> error_;
};

// Repeats a single cell to the length of the other list.
void broadcast(std::vector<Cell>& a, std::vector<Cell>& b) {
    if (a.size() == 1) a.resize(b.size(), a[0]);
    if (b.size() == 1) b.resize(a.size(), b[0]);
    if (a.size() != b.size()) {
        refuse(plural(a.size(), "start") + ", but " + plural(b.size(), "goal") + ": expected the same number, or one for all");
    }
}

// One (x, y), or an array of them.
std::vector<Cell> one_or_many(const py::object& value, const char* what) {
    bool one = false;
    if (PySequence_Check(value.ptr()) != 0 && !py::isinstance<py::str>(value) && py::len(value) == 2) {
        const py::object first = value.attr("__getitem__")(0);
        one = PyIndex_Check(first.ptr()) != 0 && !py::isinstance<py::array>(first);
    }
    return one ? std::vector<Cell>{cell_of(value, what)} : cells_of(value, what);
}

py::list find_many(PlannerHandle& self, const py::object& starts, const py::object& goals, const py::object& profile,
                   const py::object& method, const std::string& movement, const py::object& max_expansions, bool nearest,
                   const py::object& bound, bool fallback, const py::object& threads) {
    const Busy busy(self.busy, "planner");
    std::vector<Cell> from = one_or_many(starts, "starts"), to = one_or_many(goals, "goals");
    broadcast(from, to);
    Query query = query_of(self.world, profile, method, movement, max_expansions, nearest, bound, fallback);
    const uint32_t at_once = threads_of(threads);
    self.begun = false;

    std::vector<PathHandle> paths(from.size());
    std::atomic<bool> stop = false;
    InterruptWatch ctrl_c(stop);
    {
        const py::gil_scoped_release released;
        const std::shared_lock lock(self.world.editing);
        const auto tasks = static_cast<uint32_t>(paths.size());
        while (self.helpers.size() + 1 < workers_for(at_once, tasks)) self.helpers.emplace_back(self.world.world);
        parallel_for(at_once, tasks, [&](uint32_t task, uint32_t worker) {
            ctrl_c.look();
            if (stop) return;
            Planner& planner = worker == 0 ? self.planner : self.helpers[worker - 1];
            find_one(planner, from[task], to[task], query, stop, paths[task]);
        });
    }
    ctrl_c.rethrow();
    py::list out(paths.size());
    for (size_t i = 0; i < paths.size(); ++i) out[i] = py::cast(std::move(paths[i]));
    return out;
}

void begin(PlannerHandle& self, const py::object& start, const py::object& goal, const py::object& profile, const py::object& method,
           const std::string& movement, const py::object& max_expansions, bool nearest, const py::object& bound, bool fallback) {
    const Busy busy(self.busy, "planner");
    const Cell from = cell_of(start, "start"), to = cell_of(goal, "goal");
    Query query = query_of(self.world, profile, method, movement, max_expansions, nearest, bound, fallback);
    const py::gil_scoped_release released;
    self.planner.begin(from, to, query.costs, query.options);
    self.begun = true;
}

void check_begun(const PlannerHandle& self) {
    if (self.begun) return;
    PyErr_SetString(PyExc_RuntimeError, "no query to run: call begin() first, or use find()");
    throw py::error_already_set();
}

const char* run(PlannerHandle& self, const py::object& budget) {
    const Busy busy(self.busy, "planner");
    check_begun(self);
    uint64_t left = budget_of(budget, "budget");
    Status status = self.planner.status();
    run_slices([&] {
        const uint64_t before = self.planner.expansions();
        status = self.planner.run(std::min(left, kSlice));
        const uint64_t spent = self.planner.expansions() - before;
        left -= std::min(left, spent);
        return status != Status::kBudgetSpent || left == 0 || spent == 0;
    });
    return to_string(status);
}

std::string describe(const PathHandle& p) {
    std::string text = "<Path " + std::string(to_string(p.path.status));
    if (p.path.cells.empty()) return text + ">";
    char numbers[96];
    std::snprintf(numbers, sizeof numbers, ", length %.2f, at most %.3f times the optimum>", to_real(p.path.cost), p.path.bound);
    return text + ": " + plural(p.path.cells.size(), "cell") + numbers;
}

void bind_path(py::class_<PathHandle>& path) {
    path.attr("__doc__") = R"(The answer to a query: its status and, if one was found, the path.

True if the path was found: `if path: ...`. A query without a path raises nothing; `status` has the reason:

found, partial      a path to the goal, or with nearest=True to the reachable cell nearest to it
unreachable         start and goal are passable, but not connected
blocked start       the start's terrain is blocked for the profile; likewise `blocked goal`
outside the map     start or goal is outside the map
not prepared        the method requires World.prepare(), or a sector size that the world does not have
budget spent        max_expansions was reached

>>> world = terrane.generate("rooms", size=64, seed=3)
>>> path = terrane.Planner(world).find((2, 2), (60, 61), "walker")
>>> bool(path), path.status
(True, 'found')
>>> path.cells[0], path.cells[-1]
(array([2, 2], dtype=int32), array([60, 61], dtype=int32)))";
    path.def_property_readonly(
            "status", [](const PathHandle& p) { return to_string(p.path.status); },
            "The outcome of the query, such as 'found' or 'unreachable'.")
        .def("__bool__", [](const PathHandle& p) { return static_cast<bool>(p.path); })
        .def("__len__", [](const PathHandle& p) { return p.path.cells.size(); })
        .def_property_readonly(
            "cells", [](const py::object& self) { return cells_view(self.cast<PathHandle&>().path.cells, self); },
            "The cells from start to goal, (x, y) each: an array of shape (n, 2), int32. A read-only view of the path's memory.")
        .def(
            "__array__",
            [](const py::object& self, const py::object& dtype) {
                const py::array cells = cells_view(self.cast<PathHandle&>().path.cells, self);
                return dtype.is_none() ? py::object(cells) : cells.attr("astype")(dtype);
            },
            py::arg("dtype") = py::none())
        .def_property_readonly(
            "cost", [](const PathHandle& p) { return p.path.cost; },
            "The sum of the step costs, an integer that is the same on every machine. Divide by COST_PER_UNIT for units of length.")
        .def_property_readonly(
            "length", [](const PathHandle& p) { return to_real(p.path.cost); },
            "The cost in units of length: 1.0 is a straight step over terrain of cost 1.")
        .def_property_readonly(
            "bound", [](const PathHandle& p) { return p.path.bound; }, "Proven suboptimality bound: cost <= bound * optimum.")
        .def_property_readonly(
            "expansions", [](const PathHandle& p) { return p.path.expansions; }, "Number of cells and regions that the search expanded.")
        .def_property_readonly(
            "expansions_first", [](const PathHandle& p) { return p.path.expansions_first; },
            "Of these, until the first segment was ready to walk (time to first move).")
        .def_property_readonly(
            "first_segment", [](const PathHandle& p) { return p.first; }, "Number of cells of that first segment.")
        .def_property_readonly(
            "version", [](const PathHandle& p) { return p.path.version; }, "The version of the world on which the path was found.")
        .def_property_readonly(
            "method", [](const PathHandle& p) { return p.method; }, "The name of the method that answered.")
        .def_property_readonly(
            "polyline", [](const py::object& self) { return points_view(self.cast<PathHandle&>().path.polyline, self); },
            R"(The any-angle path of methods with +any_angle: an array of shape (n, 2), float64; otherwise empty.

Never costs more than the path. Cell (x, y) is the square from (x, y) to (x + 1, y + 1). A read-only view.)")
        .def_property_readonly(
            "polyline_cost", [](const PathHandle& p) { return p.path.polyline_cost; },
            "The cost of the polyline, in the units of World.exact_cost().")
        .def(
            "still_valid", [](const PathHandle& p, const WorldHandle& world) { return p.path.still_valid(world.world); }, py::arg("world"),
            "Whether no 32x32 tile that the path crosses has changed since it was found. If False, check World.path_cost() or search "
            "again.")
        .def("__repr__", &describe);
}

constexpr const char* kFindDoc = R"(Finds a path from `start` to `goal`, (x, y) each, on the current version of the world.

profile         a dict such as {"trees": 1, "lava": None, "otherwise": 2}, the name of a preset, or a Profile
method          a name of methods(): 'astar', 'dta:16', 'overlay:2+any_angle'; None: the prepared method, otherwise default_method
movement        'eight' (a diagonal step requires both orthogonal cells to be passable), 'cutting' (it does not), 'four'
max_expansions  when reached, the status is 'budget spent'; None: no limit
nearest         if the goal is blocked or unreachable, find a path to the nearest reachable cell, with status 'partial'
bound           suboptimality bound, for overlay and cpd methods: search until the path is proven to cost at most bound * optimum; with
                method=None and no overlay prepared, weighted A* answers (path.method names it)
fallback        if the method is not prepared, default_method answers (path.method names it); otherwise the status is 'not prepared'

>>> world = terrane.generate("island", size=128, seed=7)
>>> planner = terrane.Planner(world)
>>> planner.find((30, 60), (90, 70), "person", "astar").bound
1.0
>>> planner.find((30, 60), (500, 70), "person").status
'outside the map'

Releases the GIL; Ctrl-C interrupts it.)";

}  // namespace

void bind_planner(py::module_& m, py::class_<PathHandle>& path) {
    bind_path(path);
    m.attr("COST_PER_UNIT") = kCostPerUnit;
    py::class_<PlannerHandle>(m, "Planner", R"(Finds paths in a world, at once or in slices, by any method.

Planner(world)

A planner is the scratch memory of one thread: create one per thread and reuse it. Using it from two threads at once raises RuntimeError.

>>> world = terrane.generate("island", size=128, seed=7)
>>> planner = terrane.Planner(world)
>>> planner.find((30, 60), (90, 70), {"trees": 1, "road": 4, "deep_water": None, "otherwise": 2}).status
'found')")
        .def(py::init<WorldHandle&>(), py::arg("world"), py::keep_alive<1, 2>())
        .def("find", &find, py::arg("start"), py::arg("goal"), py::arg("profile"), py::arg("method") = py::none(), py::kw_only(),
             py::arg("movement") = "eight", py::arg("max_expansions") = py::none(), py::arg("nearest") = false,
             py::arg("bound") = py::none(), py::arg("fallback") = false, kFindDoc)
        .def("find_many", &find_many, py::arg("starts"), py::arg("goals"), py::arg("profile"), py::arg("method") = py::none(),
             py::kw_only(), py::arg("movement") = "eight", py::arg("max_expansions") = py::none(), py::arg("nearest") = false,
             py::arg("bound") = py::none(), py::arg("fallback") = false, py::arg("threads") = 0,
             R"(Finds many paths in parallel. Returns a list of Path, in the order of the arguments.

`starts` and `goals` are arrays of shape (n, 2); either may be a single (x, y) for all queries. `threads` is the number of threads, 0 for
all cores; it does not change the answers. All queries see one version of the world: edits by other threads wait until the batch is
finished. Other arguments as for find().

>>> world = terrane.generate("rooms", size=64, seed=3)
>>> goals = numpy.argwhere(world.cells == 0)[::400, ::-1]
>>> paths = terrane.Planner(world).find_many((2, 2), goals, "walker", threads=2)
>>> len(paths) == len(goals), all(paths)
(True, True)

Releases the GIL; Ctrl-C interrupts it.)")
        .def("begin", &begin, py::arg("start"), py::arg("goal"), py::arg("profile"), py::arg("method") = py::none(), py::kw_only(),
             py::arg("movement") = "eight", py::arg("max_expansions") = py::none(), py::arg("nearest") = false,
             py::arg("bound") = py::none(), py::arg("fallback") = false,
             R"(Begins a query in slices and drops the previous one. Arguments as for find().

>>> world = terrane.generate("island", size=128, seed=7)
>>> planner = terrane.Planner(world)
>>> planner.begin((30, 60), (90, 70), "deer", "dta:16")
>>> while planner.run(100) == "budget spent":
...     walk = planner.ready  # the final prefix of the path
>>> planner.path() == planner.path(), planner.path().status
(False, 'found'))")
        .def("run", &run, py::arg("budget") = py::none(),
             "Expands at most `budget` more nodes, None for no limit. Returns the status: 'budget spent' means call again. The answer does "
             "not depend on the slicing.")
        .def(
            "path",
            [](PlannerHandle& self) {
                const Busy busy(self.busy, "planner");
                check_begun(self);
                PathHandle out;
                answer(self.planner, out);
                return out;
            },
            "Returns the answer of the query in progress, as far as it is known.")
        .def_property_readonly(
            "ready",
            [](PlannerHandle& self) {
                const Busy busy(self.busy, "planner");
                return cells_array(self.begun ? self.planner.ready() : std::span<const Cell>());
            },
            "The final prefix of the path, ready to walk: an array of shape (n, 2); empty until it is known.")
        .def_property_readonly(
            "expansions",
            [](PlannerHandle& self) {
                const Busy busy(self.busy, "planner");
                return self.planner.expansions();
            },
            "Expansions of the current query so far.")
        .def_property_readonly(
            "default_method", [](const PlannerHandle& self) { return self.planner.default_method().name(); },
            "The method that answers if none is named and none is prepared.")
        .def_property_readonly(
            "bytes",
            [](PlannerHandle& self) {
                const Busy busy(self.busy, "planner");
                size_t bytes = self.planner.bytes();
                for (const Planner& helper : self.helpers) bytes += helper.bytes();
                return bytes;
            },
            "Scratch memory held, in bytes.");
    m.def(
        "methods", [] { return methods_to(methods()); },
        R"(Lists the methods on grids: dicts with name, usage, summary, details, example.

>>> [method["name"] for method in terrane.methods()]
['astar', 'canonical', 'wastar', 'focal', 'nbs', 'dijkstra', 'greedy', 'jps', 'jpsw', 'regions', 'dta', 'minimal_memory', 'hpa', 'pra', 'overlay', 'cpd'])");
}

}  // namespace terrane::python
