// Preparation of methods, and path databases, in Python.
#include "convert.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/cpd/prepared_cpd.h"
#include "terrane/minimal_memory/prepared_minimal_memory.h"

namespace terrane::python {

namespace {

PathEncoding encoding_of(const std::string& name) {
    if (name == "fast") return PathEncoding::kFast;
    if (name == "walk") return PathEncoding::kWalk;
    if (name == "small") return PathEncoding::kSmall;
    refuse("encoding must be 'fast' (fastest to build), 'walk' (fastest to query) or 'small'; got '" + name + "'", ErrorCode::kUnknownName);
}

const char* name_of(PathEncoding encoding) {
    switch (encoding) {
        case PathEncoding::kFast: return "fast";
        case PathEncoding::kWalk: return "walk";
        case PathEncoding::kSmall: return "small";
    }
    return "walk";
}

Method method_to_prepare(const py::object& name) {
    Method method = method_of(name);
    if (!method) method = take(find_method("overlay:3"));
    if (!prepares(method)) {
        refuse("'" + method.name() +
                   "' has nothing to prepare; overlay:K, minimal_memory:N, hpa:N, pra:K, cpd, and methods with a heuristic or +exact do. "
                   "For the "
                   "regions of dta, use World(sectors=...)",
               ErrorCode::kUnsupported);
    }
    return method;
}

void prepare(WorldHandle& self, const py::object& profile, const py::object& method, const std::string& movement, const py::object& threads,
             const py::object& max_bytes, const py::object& database) {
    const WorldSnapshot now = self.world.snapshot();
    const CostTable costs = costs_of(profile, now.grid().catalogue());
    PrepareOptions options;
    options.method = method_to_prepare(method);
    options.movement = movement_of(movement);
    options.threads = threads_of(threads);
    options.max_bytes = max_bytes.is_none() ? 0 : budget_of(max_bytes, "max_bytes");
    if (!database.is_none()) {
        if (!cpd_search_options(options.method))
            refuse("database is only for cpd methods; the method is '" + options.method.name() + "'", ErrorCode::kUnsupported);
        if (!py::isinstance<PathDatabase>(database)) raise_type("database must be a terrane.PathDatabase; got " + shown(database));
        const auto data = take(prepared_path_database(database.cast<const PathDatabase&>(), now.ground(costs, options.movement)));
        take(edit_alone(self, [&](World& world) { return world.install(data); }));
        return;
    }
    std::optional<Preparation> preparation;
    run_slices([&] {
        if (!preparation) preparation.emplace(now, costs, options);
        return preparation->run(kSlice);
    });
    take(edit_alone(self, [&](World& world) { return world.install(std::move(*preparation)); }));
}

bool discard(WorldHandle& self, const py::object& profile, const py::object& method, const std::string& movement) {
    const CostTable costs = costs_of(profile, self.world.grid().catalogue());
    const Method which = method.is_none() ? Method() : method_to_prepare(method);  // none: any overlay
    const Movement rule = movement_of(movement);
    return edit_alone(self, [&](World& world) { return world.discard(which, costs, rule); });
}

PathDatabase build_database(const WorldHandle& world, const py::object& profile, const std::string& movement, const std::string& encoding,
                            const py::object& targets, const py::object& threads, const py::object& max_bytes, const py::object& progress) {
    const GridSnapshot grid = world.world.grid();
    const CostTable costs = costs_of(profile, grid.catalogue());
    const Movement rule = movement_of(movement);
    PathDatabaseOptions options;
    options.encoding = encoding_of(encoding);
    options.threads = threads_of(threads);
    if (!targets.is_none()) options.targets = PathTargets::these(cells_of(targets, "targets"));
    if (!max_bytes.is_none()) options.max_bytes = budget_of(max_bytes, "max_bytes");
    auto plan = [&] {
        const py::gil_scoped_release released;
        return PathDatabasePlan::make({grid, costs, rule}, options);
    }();
    PathDatabaseBuilder builder(take(std::move(plan)));
    constexpr uint64_t kRows = 256;
    for (bool done = false; !done;) {
        {
            const py::gil_scoped_release released;
            done = builder.run(kRows);
        }
        check_signals();
        if (!progress.is_none()) progress(builder.progress());
    }
    auto database = [&] {
        const py::gil_scoped_release released;
        return builder.take();
    }();
    return take(std::move(database));
}

CellId id_of(const PathDatabase& database, const py::object& cell, const char* what) {
    const GridLayout& layout = database.grid().layout();
    const Cell at = cell_of(cell, what);
    if (!layout.contains(at)) {
        PyErr_Format(PyExc_IndexError, "%s (%d, %d) is outside the map of %d x %d cells", what, at.x, at.y, layout.width, layout.height);
        throw py::error_already_set();
    }
    return layout.id(at);
}

}  // namespace

void bind_path_database(py::module_& m, py::class_<WorldHandle>& world) {
    py::class_<PathDatabase>(m, "PathDatabase", R"(The first move of a cheapest path from every cell to every cell, compressed.

It is valid for one map, profile and movement rule. Pass it to World.prepare(profile, "cpd", database=...); queries with a cpd method then
follow it. After edits it stays usable: queries search where the map differs.

>>> world = terrane.generate("rooms", size=32, seed=3)
>>> database = terrane.PathDatabase.build(world, "walker")
>>> world.prepare("walker", "cpd", database=database)
>>> terrane.Planner(world).find((1, 1), (28, 29), "walker", "cpd").status
'found')")
        .def_static("build", &build_database, py::arg("world"), py::arg("profile"), py::kw_only(), py::arg("movement") = "eight",
                    py::arg("encoding") = "walk", py::arg("targets") = py::none(), py::arg("threads") = 0,
                    py::arg("max_bytes") = py::none(), py::arg("progress") = py::none(),
                    R"(Builds a database by a search from every passable cell; takes seconds for 10,000 cells.

`targets`, an array of shape (n, 2), restricts the goals. `progress` is called regularly with the finished share, 0 to 1. The number of
threads does not change the result. Releases the GIL; Ctrl-C interrupts it, except during the initial estimate, a sixteenth of the work.)")
        .def_static(
            "open",
            [](const py::object& path, const WorldHandle& in, const py::object& profile, const std::string& movement, bool check_all) {
                const GridSnapshot grid = in.world.grid();
                const CostTable costs = costs_of(profile, grid.catalogue());
                return take(open_path_database(file_of(path), {grid, costs, movement_of(movement)},
                                               check_all ? PathFileCheck::kAll : PathFileCheck::kHeader));
            },
            py::arg("path"), py::arg("world"), py::arg("profile"), py::kw_only(), py::arg("movement") = "eight",
            py::arg("check_all") = false,
            "Opens a file in milliseconds, whatever its size. Raises FileError if it is damaged or was built for another map, profile or "
            "movement rule.")
        .def(
            "save", [](const PathDatabase& self, const py::object& path) { take(save_path_database(self, file_of(path))); },
            py::arg("path"), "Writes the database to a file, without the map. Atomic: an existing file is replaced only by a complete one.")
        .def(
            "first_move",
            [](const PathDatabase& self, const py::object& start, const py::object& goal) -> py::object {
                const Move move = self.first_move(id_of(self, start, "start"), id_of(self, goal, "goal"));
                return move == kNoMove ? py::object(py::none()) : py::object(cell_to(kMoves[move]));
            },
            py::arg("start"), py::arg("goal"),
            "Returns the first step (dx, dy) of a cheapest path; None if there is no path, or start and goal are equal.")
        .def_property_readonly("nodes", &PathDatabase::nodes, "Number of passable cells.")
        .def_property_readonly("targets", &PathDatabase::targets, "Number of cells that may be goals.")
        .def_property_readonly("bytes", &PathDatabase::bytes, "Memory in bytes, without the map.")
        .def_property_readonly(
            "encoding", [](const PathDatabase& self) { return name_of(self.encoding()); }, "The encoding: 'fast', 'walk' or 'small'.")
        .def("__repr__", [](const PathDatabase& self) {
            return "<PathDatabase of " + plural(self.nodes(), "cell") + ", " + plural(self.bytes(), "byte") + ">";
        });
    world
        .def("prepare", &prepare, py::arg("profile"), py::arg("method") = py::none(), py::kw_only(), py::arg("movement") = "eight",
             py::arg("threads") = 0, py::arg("max_bytes") = py::none(), py::arg("database") = py::none(),
             R"(Builds the tables that a method needs for a profile.

`method` is overlay:K (None: overlay:3), minimal_memory:N, hpa:N, pra:K, cpd, dta:N+exact, or a method with a heuristic, such as
astar+landmarks:8. overlay:2+lower_bounds:32 can prove bounds. `database` is a PathDatabase for cpd; None builds one.

Every edit updates the tables, until discard(). Other threads may edit the world meanwhile. Releases the GIL; Ctrl-C interrupts the
preparation of overlays and cpd.

>>> world = terrane.generate("island", size=128, seed=7)
>>> planner = terrane.Planner(world)
>>> planner.find((30, 60), (90, 70), "deer").method
'regions:16'
>>> world.prepare("deer", "overlay:2+lower_bounds:32")
>>> path = planner.find((30, 60), (90, 70), "deer", bound=1.05)
>>> path.method, path.bound <= 1.05
('overlay:2+lower_bounds:32', True))")
        .def("discard", &discard, py::arg("profile"), py::arg("method") = py::none(), py::kw_only(), py::arg("movement") = "eight",
             "Discards prepared tables. Returns False if there are none.")
        .def_property_readonly(
            "prepared",
            [](const WorldHandle& self) {
                py::list all;
                const WorldSnapshot now = self.world.snapshot();
                for (const auto& prepared : now.all_prepared()) {
                    py::dict one;
                    one["method"] = prepared->method().name(), one["movement"] = to_string(prepared->ground().movement());
                    one["bytes"] = prepared->bytes();
                    if (const auto* data = prepared->as<PreparedMinimalMemory>()) one["encoded"] = data->minimal_memory.bytes().encoded();
                    all.append(one);
                }
                return all;
            },
            "The prepared tables: a list of dicts with method, movement and bytes; for minimal_memory also `encoded`, the bytes of the "
            "graph itself.");
}

}  // namespace terrane::python
