// What is prepared for a profile, and path databases.
#include "convert.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/cpd/cpd_data.h"
#include "terrane/minimal_memory/minimal_memory_data.h"

namespace terrane::python {

namespace {

PathEncoding encoding_of(const std::string& name) {
    if (name == "fast") return PathEncoding::kFast;
    if (name == "walk") return PathEncoding::kWalk;
    if (name == "small") return PathEncoding::kSmall;
    refuse("encoding is 'fast' (to build), 'walk' (fastest to use) or 'small'; got '" + name + "'", ErrorCode::kUnknownName);
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
    if (!method) method = take(find_method("overlay:2"));
    if (!prepares(method)) {
        refuse("'" + method.name() +
                   "' has nothing to prepare; overlay:K, mm:N, hpa:N, pra:K, cpd, and methods with a heuristic or +exact have. Regions of "
                   "dta: World(sectors=...)",
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
        if (!pathdb_options(options.method))
            refuse("database is for cpd; the method is '" + options.method.name() + "'", ErrorCode::kUnsupported);
        if (!py::isinstance<PathDatabase>(database)) raise_type("database is a terrane.PathDatabase; got " + shown(database));
        const auto data = take(prepared_path_database(database.cast<const PathDatabase&>(), now.ground(costs, options.movement)));
        take(edit_alone(self, [&](World& world) { return world.keep(data); }));
        return;
    }
    std::optional<Preparation> preparation;
    run_slices([&] {
        if (!preparation) preparation.emplace(now, costs, options);
        return preparation->run(kSlice);
    });
    take(edit_alone(self, [&](World& world) { return world.keep(std::move(*preparation)); }));
}

bool forget(WorldHandle& self, const py::object& profile, const py::object& method, const std::string& movement) {
    const CostTable costs = costs_of(profile, self.world.grid().catalogue());
    const Method which = method_to_prepare(method);
    const Movement rule = movement_of(movement);
    return edit_alone(self, [&](World& world) { return world.forget(which, costs, rule); });
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
        PyErr_Format(PyExc_IndexError, "%s (%d, %d) is not on the map of %d x %d cells", what, at.x, at.y, layout.width, layout.height);
        throw py::error_already_set();
    }
    return layout.id(at);
}

}  // namespace

void bind_pathdb(py::module_& m, py::class_<WorldHandle>& world) {
    py::class_<PathDatabase>(m, "PathDatabase", R"(The first move of a cheapest path from every cell to every cell, compressed.

For one map, profile and movement rule. Give it to World.prepare(profile, "cpd", database=...), and queries with a cpd method walk it, also
when the map has changed since: then they search around what changed.

>>> world = terrane.generate("rooms", size=32, seed=3)
>>> database = terrane.PathDatabase.build(world, "walker")
>>> world.prepare("walker", "cpd", database=database)
>>> terrane.Planner(world).find((1, 1), (28, 29), "walker", "cpd").status
'found')")
        .def_static("build", &build_database, py::arg("world"), py::arg("profile"), py::kw_only(), py::arg("movement") = "eight",
                    py::arg("encoding") = "walk", py::arg("targets") = py::none(), py::arg("threads") = 0,
                    py::arg("max_bytes") = py::none(), py::arg("progress") = py::none(),
                    R"(Builds one, by a search from every passable cell: seconds for 10,000 of them.

`targets`, an array of shape (n, 2), restricts where paths may lead to. `progress`, if any, is called now and then with what is done of 1.
The same bytes for any number of threads. Runs without the GIL; Ctrl-C is answered, but not during the estimate that comes first, a sixteenth
of the work.)")
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
            "Opens a file in milliseconds, whatever its size. FileError where it is damaged, or was built for another map, profile or "
            "rule.")
        .def(
            "save", [](const PathDatabase& self, const py::object& path) { take(save_path_database(self, file_of(path))); },
            py::arg("path"), "Writes it to a file; the old one stays until the new one is whole. The map is not in it.")
        .def(
            "first_move",
            [](const PathDatabase& self, const py::object& start, const py::object& goal) -> py::object {
                const Move move = self.first_move(id_of(self, start, "start"), id_of(self, goal, "goal"));
                return move == kNoMove ? py::object(py::none()) : py::object(cell_to(kMoves[move]));
            },
            py::arg("start"), py::arg("goal"), "(dx, dy) of a cheapest path's first step; None where there is none.")
        .def_property_readonly("nodes", &PathDatabase::nodes, "Cells that are passable.")
        .def_property_readonly("targets", &PathDatabase::targets, "Of them, those that paths may lead to.")
        .def_property_readonly("bytes", &PathDatabase::bytes, "What it takes in memory, without the map.")
        .def_property_readonly(
            "encoding", [](const PathDatabase& self) { return name_of(self.encoding()); }, "'fast', 'walk' or 'small'.")
        .def("__repr__", [](const PathDatabase& self) {
            return "<PathDatabase of " + plural(self.nodes(), "cell") + ", " + plural(self.bytes(), "byte") + ">";
        });
    world
        .def("prepare", &prepare, py::arg("profile"), py::arg("method") = py::none(), py::kw_only(), py::arg("movement") = "eight",
             py::arg("threads") = 0, py::arg("max_bytes") = py::none(), py::arg("database") = py::none(),
             R"(Builds the tables that a method needs for a profile: overlay:K (None: overlay:2), mm:N, hpa:N, pra:K, cpd, dta:N+exact, and
methods with a heuristic, such as astar+landmarks:8.

Every edit updates them from then on, until forget(). overlay:2+certificates:32 can prove bounds. `database` is a PathDatabase for cpd, else
one is built. Other threads may edit meanwhile. Runs without the GIL; Ctrl-C is answered for overlays and cpd.

>>> world = terrane.generate("island", size=128, seed=7)
>>> planner = terrane.Planner(world)
>>> planner.find((30, 60), (90, 70), "deer").method
'dta:16+smooth'
>>> world.prepare("deer", "overlay:2+certificates:32")
>>> path = planner.find((30, 60), (90, 70), "deer", bound=1.05)
>>> path.method, path.bound <= 1.05
('overlay:2+certificates:32', True))")
        .def("forget", &forget, py::arg("profile"), py::arg("method") = py::none(), py::kw_only(), py::arg("movement") = "eight",
             "Drops what was prepared. False where nothing was.")
        .def_property_readonly(
            "prepared",
            [](const WorldHandle& self) {
                py::list all;
                const WorldSnapshot now = self.world.snapshot();
                for (const auto& kept : now.all_prepared()) {
                    py::dict one;
                    one["method"] = kept->method().name(), one["movement"] = to_string(kept->ground().movement());
                    one["bytes"] = kept->bytes();
                    if (const auto* data = kept->as<MinimalMemoryData>()) one["encoded"] = data->memory.bytes().encoded();
                    all.append(one);
                }
                return all;
            },
            "What was prepared: a list of dicts of method, movement and bytes; for mm also `encoded`, the bytes of the graph itself.");
}

}  // namespace terrane::python
