// Paths and planners.
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "query.h"
#include "base/parallel.h"
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
        refuse("nearest needs a world that keeps regions: make it with sectors=(16,)", ErrorCode::kUnsupported);
    }
    if (!bound.is_none()) {
        query.options.bound = number_of(bound, "bound");
        if (!(query.options.bound >= 1 && query.options.bound <= 100)) refuse("bound is from 1 to 100; got " + shown(bound));
        if (query.options.method && !proves_bounds(query.options.method)) {
            refuse("bound is for overlay and cpd methods; '" + query.options.method.name() + "' proves what it proves",
                   ErrorCode::kUnsupported);
        }
    }
    return query;
}

namespace {

struct PlannerHandle {
    explicit PlannerHandle(WorldHandle& in) : world(in), planner(in.world) {}

    WorldHandle& world;
    Planner planner;
    std::vector<Planner> helpers;  // of a batch's other threads
    bool begun = false;  // a query in slices
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
        const bool over = self.planner.run(kSlice) != Status::kBudgetSpent || self.planner.expansions() >= query.options.max_expansions;
        if (over) answer(self.planner, out);
        return over;
    });
    return out;
}

// One query of a batch. False where the batch was told to stop.
bool find_one(Planner& planner, Cell from, Cell to, const Query& query, const std::atomic<bool>& stop, PathHandle& out) {
    planner.begin(from, to, query.costs, query.options);
    while (planner.run(kSlice) == Status::kBudgetSpent && planner.expansions() < query.options.max_expansions) {
        if (stop) return false;
    }
    answer(planner, out);
    return true;
}

// Looks for Ctrl-C on the caller's thread, now and then.
class StopWatch {
public:
    explicit StopWatch(std::atomic<bool>& stop) : stop_(stop), next_(Clock::now() + kEvery) {}
    void look() {
        if (std::this_thread::get_id() != caller_ || stop_ || Clock::now() < next_) return;
        const py::gil_scoped_acquire acquired;
        if (PyErr_CheckSignals() != 0) {
            error_ = std::make_unique<py::error_already_set>();
            stop_ = true;
        }
        next_ = Clock::now() + kEvery;
    }
    // With the GIL.
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

// One each, or one for all of the others.
void match(std::vector<Cell>& a, std::vector<Cell>& b) {
    if (a.size() == 1) a.resize(b.size(), a[0]);
    if (b.size() == 1) b.resize(a.size(), b[0]);
    if (a.size() != b.size()) {
        refuse(plural(a.size(), "start") + ", but " + plural(b.size(), "goal") + ": give as many of each, or one for all");
    }
}

// (x, y), or an array of those.
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
    match(from, to);
    Query query = query_of(self.world, profile, method, movement, max_expansions, nearest, bound, fallback);
    const uint32_t at_once = threads_of(threads);
    self.begun = false;

    std::vector<PathHandle> paths(from.size());
    std::atomic<bool> stop = false;
    StopWatch ctrl_c(stop);
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
    PyErr_SetString(PyExc_RuntimeError, "no query was begun: call begin() first; find() needs none of this");
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
    std::snprintf(numbers, sizeof numbers, ", length %.2f, at most %.3f times optimal>", to_real(p.path.cost), p.path.bound);
    return text + ": " + plural(p.path.cells.size(), "cell") + numbers;
}

void bind_path(py::class_<PathHandle>& path) {
    path.attr("__doc__") = R"(An answer: how it ended, and the way.

True where it was found: `if path: ...`. Nothing is raised where there is no way; `status` says why:

found, partial      there are cells: to the goal, or with nearest=True to the nearest cell in reach
unreachable         both ends are passable, nothing joins them
blocked start       the profile cannot enter the start's terrain; so for `blocked goal`
outside the map     either end is
not prepared        the method needs World.prepare(), or a size of sectors that the world does not keep
budget spent        max_expansions was not enough

>>> world = terrane.generate("rooms", size=64, seed=3)
>>> path = terrane.Planner(world).find((2, 2), (60, 61), "walker")
>>> bool(path), path.status
(True, 'found')
>>> path.cells[0], path.cells[-1]
(array([2, 2], dtype=int32), array([60, 61], dtype=int32)))";
    path.def_property_readonly(
            "status", [](const PathHandle& p) { return to_string(p.path.status); }, "How the query ended, in a word or two.")
        .def("__bool__", [](const PathHandle& p) { return static_cast<bool>(p.path); })
        .def("__len__", [](const PathHandle& p) { return p.path.cells.size(); })
        .def_property_readonly(
            "cells", [](const py::object& self) { return cells_view(self.cast<PathHandle&>().path.cells, self); },
            "Its cells from start to goal, (x, y) each: an array of shape (n, 2), int32. Not a copy: it is the path's own memory, "
            "read-only.")
        .def(
            "__array__",
            [](const py::object& self, const py::object& dtype) {
                const py::array cells = cells_view(self.cast<PathHandle&>().path.cells, self);
                return dtype.is_none() ? py::object(cells) : cells.attr("astype")(dtype);
            },
            py::arg("dtype") = py::none())
        .def_property_readonly(
            "cost", [](const PathHandle& p) { return p.path.cost; },
            "The sum of its steps, a whole number: the same on every machine. COST_PER_UNIT of it are 1.")
        .def_property_readonly(
            "length", [](const PathHandle& p) { return to_real(p.path.cost); },
            "The cost as people write it: 1.0 is a straight step over terrain of cost 1.")
        .def_property_readonly(
            "bound", [](const PathHandle& p) { return p.path.bound; },
            "Proven: the cost is at most so many times that of the cheapest path.")
        .def_property_readonly(
            "expansions", [](const PathHandle& p) { return p.path.expansions; }, "Cells and regions that the search looked at.")
        .def_property_readonly(
            "expansions_first", [](const PathHandle& p) { return p.path.expansions_first; },
            "Of those, the ones before the first segment could be walked.")
        .def_property_readonly(
            "first_segment", [](const PathHandle& p) { return p.first; }, "How many of its cells that first segment has.")
        .def_property_readonly(
            "version", [](const PathHandle& p) { return p.path.version; }, "Of the world that it was found in.")
        .def_property_readonly(
            "method", [](const PathHandle& p) { return p.method; }, "The name of the method that found it.")
        .def_property_readonly(
            "line", [](const py::object& self) { return points_view(self.cast<PathHandle&>().path.line, self); },
            R"(With a method +refract: a line in the plane, never dearer than the path: an array of shape (n, 2), float64, else empty.

Cell (x, y) is the square from (x, y) to (x + 1, y + 1). Not a copy, read-only.)")
        .def_property_readonly(
            "line_cost", [](const PathHandle& p) { return p.path.line_cost; }, "What the line costs, as World.exact_cost() counts.")
        .def(
            "still_valid", [](const PathHandle& p, const WorldHandle& world) { return p.path.still_valid(world.world); }, py::arg("world"),
            "Whether no tile (32x32 cells) that it crosses has changed since it was found. False: look again.")
        .def("__repr__", &describe);
}

constexpr const char* kFindDoc = R"(A path from `start` to `goal`, (x, y) each, for a profile; on the world as it is now.

profile         a dict such as {"trees": 1, "lava": None, "otherwise": 2}, the name of a preset, or a Profile
method          a name of methods(): 'astar', 'dta:16', 'overlay:2+refract'; None: what was prepared, or else default_method
movement        'eight' (diagonals where both cells beside them are passable), 'cutting', 'four'
max_expansions  then the status is 'budget spent'; None: no limit
nearest         where the goal is out of reach: the way to the nearest cell in reach, with the status 'partial'
bound           for overlay and cpd methods: go on until the path is proven to cost at most so many times the least; with method=None and
                no overlay prepared, weighted A* answers within it (path.method names it)
fallback        where the method is not prepared: default_method answers (path.method names it) instead of the status 'not prepared'

>>> world = terrane.generate("island", size=128, seed=7)
>>> planner = terrane.Planner(world)
>>> planner.find((30, 60), (90, 70), "person", "astar").bound
1.0
>>> planner.find((30, 60), (500, 70), "person").status
'outside the map'

Runs without the GIL; Ctrl-C is answered.)";

}  // namespace

void bind_planner(py::module_& m, py::class_<PathHandle>& path) {
    bind_path(path);
    m.attr("COST_PER_UNIT") = kCostPerUnit;
    py::class_<PlannerHandle>(m, "Planner", R"(Finds paths in a world, whole or in slices, by any method.

Planner(world)

Keep one for each thread and use it again: it is memory for searches. Another thread that uses it at the same time gets a RuntimeError.

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
             py::arg("bound") = py::none(), py::arg("fallback") = false, py::arg("threads") = 0, R"(Many paths at once: a list of Path, in the order of the questions.

`starts` and `goals` are arrays of shape (n, 2); either may be one (x, y) for all. `threads` of them work, 0 for as many as the machine
has: the answers are the same for any number. All are for one version of the world: edits by other threads wait until it is done. The
rest is as for find().

>>> world = terrane.generate("rooms", size=64, seed=3)
>>> goals = numpy.argwhere(world.cells == 0)[::400, ::-1]
>>> paths = terrane.Planner(world).find_many((2, 2), goals, "walker", threads=2)
>>> len(paths) == len(goals), all(paths)
(True, True)

Runs without the GIL; Ctrl-C is answered.)")
        .def("begin", &begin, py::arg("start"), py::arg("goal"), py::arg("profile"), py::arg("method") = py::none(), py::kw_only(),
             py::arg("movement") = "eight", py::arg("max_expansions") = py::none(), py::arg("nearest") = false,
             py::arg("bound") = py::none(), py::arg("fallback") = false,
             R"(Begins a query to be run in slices; drops the one before. As for find().

>>> world = terrane.generate("island", size=128, seed=7)
>>> planner = terrane.Planner(world)
>>> planner.begin((30, 60), (90, 70), "deer", "dta:16")
>>> while planner.run(100) == "budget spent":
...     walk = planner.ready  # the first cells, which will not change
>>> planner.path() == planner.path(), planner.path().status
(False, 'found'))")
        .def("run", &run, py::arg("budget") = py::none(),
             "Expands at most `budget` more nodes and says how it stands: 'budget spent' means call again. The answer does not depend on "
             "the slices.")
        .def(
            "path",
            [](PlannerHandle& self) {
                const Busy busy(self.busy, "planner");
                check_begun(self);
                PathHandle out;
                answer(self.planner, out);
                return out;
            },
            "The answer of the query that was begun, as far as it is.")
        .def_property_readonly(
            "ready",
            [](PlannerHandle& self) {
                const Busy busy(self.busy, "planner");
                return cells_array(self.begun ? self.planner.ready() : std::span<const Cell>());
            },
            "The first cells of the path, which will not change: an array of shape (n, 2); empty until there are any.")
        .def_property_readonly(
            "expansions",
            [](PlannerHandle& self) {
                const Busy busy(self.busy, "planner");
                return self.planner.expansions();
            },
            "So far, of the query at hand.")
        .def_property_readonly(
            "default_method", [](const PlannerHandle& self) { return self.planner.default_method().name(); },
            "What answers where no method is named and nothing was prepared.")
        .def_property_readonly(
            "bytes",
            [](PlannerHandle& self) {
                const Busy busy(self.busy, "planner");
                size_t bytes = self.planner.bytes();
                for (const Planner& helper : self.helpers) bytes += helper.bytes();
                return bytes;
            },
            "Memory held for reuse.");
    m.def(
        "methods",
        [] {
            return methods_to(methods());
        },
        R"(The methods by name: for each a dict of name, usage, summary, details, example.

>>> [method["name"] for method in terrane.methods()]
['astar', 'wastar', 'focal', 'nbs', 'dijkstra', 'greedy', 'dta', 'mm', 'hpa', 'pra', 'overlay', 'cpd'])");
}

}  // namespace terrane::python
