// Navigation meshes in Python. Built only if Recast and Detour were found.
#include <cmath>
#include <map>

#include "convert.h"
#include "terrane/mapgen/navmesh_level.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane::python {

namespace {

struct NavmeshHandle {
    explicit NavmeshHandle(Navmesh made) : navmesh(std::move(made)), regions(navmesh.mesh()), planner(regions) {}
    Navmesh navmesh;
    NavmeshAbstraction regions;
    NavmeshPlanner planner;
    bool busy = false;
};

static_assert(sizeof(Vec3) == 3 * sizeof(float));

py::array_t<float> triples(std::span<const Vec3> points) {
    return py::array_t<float>({static_cast<py::ssize_t>(points.size()), py::ssize_t{3}}, reinterpret_cast<const float*>(points.data()));
}

Vec3 vec_of(py::handle value, const char* what) {
    std::vector<double> parts;
    if (PySequence_Check(value.ptr()) != 0 && !py::isinstance<py::str>(value)) {
        for (const py::handle part : value) parts.push_back(number_of(part, what));
    }
    if (parts.size() != 3) raise_type(std::string(what) + " must be (x, y, z), y upwards; got " + shown(value));
    for (const double part : parts) {
        if (!std::isfinite(part)) refuse(std::string(what) + " has a coordinate that is not finite: " + shown(value));
    }
    return {static_cast<float>(parts[0]), static_cast<float>(parts[1]), static_cast<float>(parts[2])};
}

// Converts to an array of shape (n, 3). `kinds` are the accepted numpy dtype kinds.
template <class T>
py::array_t<T> rows_of_three(const py::object& value, const char* what, const char* kinds) {
    const py::array array = py::array::ensure(value);
    if (!array) {
        PyErr_Clear();
        raise_type(std::string(what) + " must be an array of shape (n, 3); got " + shown(value));
    }
    if (array.ndim() != 2 || array.shape(1) != 3 || std::string_view(kinds).find(array.dtype().kind()) == std::string_view::npos) {
        refuse(std::string(what) + " must be an array of shape (n, 3), " + (kinds[0] == 'i' ? "integers" : "numbers") + "; got " +
               py::str(array.dtype()).cast<std::string>() + " of shape " + py::str(array.attr("shape")).cast<std::string>());
    }
    return py::array_t<T, py::array::c_style | py::array::forcecast>(array);
}

NavmeshBuildOptions options_of(const py::kwargs& given) {
    NavmeshBuildOptions options;
    const std::map<std::string, float NavmeshBuildOptions::*> numbers = {
        {"cell_size", &NavmeshBuildOptions::cell_size},       {"cell_height", &NavmeshBuildOptions::cell_height},
        {"tile_size", &NavmeshBuildOptions::tile_size},       {"agent_height", &NavmeshBuildOptions::agent_height},
        {"agent_radius", &NavmeshBuildOptions::agent_radius}, {"agent_climb", &NavmeshBuildOptions::agent_climb},
        {"agent_slope", &NavmeshBuildOptions::agent_slope},   {"edge_length", &NavmeshBuildOptions::edge_length},
        {"edge_error", &NavmeshBuildOptions::edge_error}};
    for (const auto& [key, value] : given) {
        const auto name = key.cast<std::string>();
        if (const auto found = numbers.find(name); found != numbers.end()) {
            options.*found->second = static_cast<float>(number_of(value, name.c_str()));
        } else if (name == "threads") {
            options.threads = threads_of(value);
        } else {
            std::string names;
            for (const auto& [known, field] : numbers) names += known + ", ";
            refuse("no option '" + name + "' of a mesh; there are " + names + "threads", ErrorCode::kUnknownName);
        }
    }
    return options;
}

std::unique_ptr<NavmeshHandle> built(const TriangleMesh& mesh, const NavmeshBuildOptions& options, const NavmeshAreas& areas) {
    auto navmesh = [&] {
        const py::gil_scoped_release released;
        return build_navmesh(mesh, options, areas);
    }();
    return std::make_unique<NavmeshHandle>(take(std::move(navmesh)));
}

std::unique_ptr<NavmeshHandle> build_mesh(const py::object& vertices, const py::object& triangles, const py::object& areas,
                                          const py::kwargs& options) {
    const auto corners = rows_of_three<float>(vertices, "vertices", "fiu");
    const auto faces = rows_of_three<int64_t>(triangles, "triangles", "iu");
    TriangleMesh mesh;
    for (py::ssize_t i = 0; i < corners.shape(0); ++i) mesh.vertices.push_back({corners.at(i, 0), corners.at(i, 1), corners.at(i, 2)});
    for (py::ssize_t i = 0; i < faces.shape(0); ++i) {
        std::array<uint32_t, 3> face{};
        for (size_t k = 0; k < 3; ++k) {
            const int64_t corner = faces.at(i, static_cast<py::ssize_t>(k));
            if (corner < 0 || corner >= corners.shape(0)) {
                refuse("triangle " + std::to_string(i) + " has vertex " + std::to_string(corner) + ", but there are " +
                       plural(mesh.vertices.size(), "vertex") + ", numbered from 0");
            }
            face[k] = static_cast<uint32_t>(corner);
        }
        mesh.triangles.push_back(face);
    }
    const NavmeshAreas standard;
    if (!areas.is_none()) {
        if (PySequence_Check(areas.ptr()) == 0 || py::len(areas) != mesh.triangles.size())
            refuse("areas must have one terrain per triangle, or be None");
        for (const py::handle area : areas) mesh.areas.push_back(terrain_of(standard.catalogue, area, "areas"));
    }
    return built(mesh, options_of(options), standard);
}

std::unique_ptr<NavmeshHandle> level(const py::object& rooms, const py::object& storeys, const py::object& seed,
                                     const py::kwargs& options) {
    LevelOptions with;
    with.rooms = static_cast<int32_t>(integer_of(rooms, "rooms", 2, 16));
    with.storeys = static_cast<int32_t>(integer_of(storeys, "storeys", 1, 8));
    with.seed = static_cast<uint64_t>(integer_of(seed, "seed", 0, std::numeric_limits<int64_t>::max()));
    const GeneratedLevel made = take(generate_level(with));
    return built(made.mesh, options_of(options), made.areas);
}

NavmeshPath find_on_mesh(NavmeshHandle& self, const py::object& start, const py::object& goal, const py::object& profile,
                         const std::string& method, const py::object& max_expansions, bool nearest) {
    const Busy busy(self.busy, "mesh");
    const Vec3 from = vec_of(start, "start"), to = vec_of(goal, "goal");
    NavmeshFilter filter;
    if (!profile.is_none()) filter.costs = costs_of(profile, self.navmesh.areas());
    NavmeshFindOptions options;
    options.method = take(find_navmesh_method(method));
    options.max_expansions = budget_of(max_expansions, "max_expansions");
    options.nearest = nearest;
    NavmeshPath path;
    const py::gil_scoped_release released;
    self.planner.find(from, to, filter, options, path);
    return path;
}

}  // namespace

void bind_navmesh(py::module_& m) {
    py::class_<NavmeshPath>(m, "NavmeshPath", "A path over a Navmesh. True if it was found.")
        .def_property_readonly(
            "status", [](const NavmeshPath& p) { return to_string(p.status); }, "The outcome of the query, as Path.status.")
        .def("__bool__", [](const NavmeshPath& p) { return static_cast<bool>(p); })
        .def_property_readonly(
            "points", [](const NavmeshPath& p) { return triples(p.points); },
            "The polyline from start to goal: an array of shape (n, 3), float32.")
        .def_readonly("cost", &NavmeshPath::cost, "The sum of length times the area's cost over all segments.")
        .def_readonly("length", &NavmeshPath::length, "Length in metres.")
        .def_readonly("expansions", &NavmeshPath::expansions, "Number of regions and polygons that the search expanded.")
        .def_readonly("expansions_first", &NavmeshPath::expansions_first, "Of these, until the first segment was ready to walk.")
        .def("__repr__", [](const NavmeshPath& p) {
            char text[128];
            std::snprintf(text, sizeof text, "<NavmeshPath %s: %zu points, length %.2f>", to_string(p.status), p.points.size(), p.length);
            return std::string(text);
        });
    py::class_<NavmeshHandle>(m, "Navmesh",
                              R"(A Detour navigation mesh with its regions. Units are metres; y is up. Query it from one thread at a time.

>>> mesh = terrane.Navmesh.level(rooms=2, storeys=2, seed=1)
>>> path = mesh.find((5, 0, 5), (15, 5, 15))
>>> path.status, path.points.shape[1]
('found', 3))")
        .def_static("build", &build_mesh, py::arg("vertices"), py::arg("triangles"), py::arg("areas") = py::none(),
                    R"(Builds a mesh from triangles: `vertices` of shape (n, 3), `triangles` of shape (m, 3), counter-clockwise from above.

`areas` has a standard terrain for each triangle, by name or id. Keyword options: cell_size, cell_height, tile_size, agent_height,
agent_radius, agent_climb, agent_slope, edge_length, edge_error, threads.

>>> mesh = terrane.Navmesh.build([[0, 0, 0], [20, 0, 0], [20, 0, 20], [0, 0, 20]], [[0, 2, 1], [0, 3, 2]])
>>> round(mesh.find((2, 0, 2), (18, 0, 2)).length)
16)")
        .def_static(
            "from_obj",
            [](const py::object& path, const py::kwargs& options) {
                return built(take(load_obj(file_of(path))), options_of(options), NavmeshAreas{});
            },
            py::arg("path"), "Builds a mesh from a Wavefront OBJ file; options as for build(). Raises FileError.")
        .def_static("level", &level, py::arg("rooms") = 4, py::arg("storeys") = 3, py::arg("seed") = 1,
                    "Generates a building of several storeys by a river from a seed and builds its mesh; options as for build().")
        .def_static(
            "load", [](const py::object& path) { return std::make_unique<NavmeshHandle>(take(load_navmesh(file_of(path)))); },
            py::arg("path"), "Loads a mesh from a file and validates every index. Raises FileError.")
        .def(
            "save", [](const NavmeshHandle& self, const py::object& path) { take(save_navmesh(self.navmesh, file_of(path))); },
            py::arg("path"), "Writes the mesh to a file. Atomic: an existing file is replaced only by a complete one.")
        .def("find", &find_on_mesh, py::arg("start"), py::arg("goal"), py::arg("profile") = py::none(), py::arg("method") = "dta+portals",
             py::kw_only(), py::arg("max_expansions") = py::none(), py::arg("nearest") = false,
             "Finds a path between two points (x, y, z), each moved to the nearest polygon. method: 'dta+portals' or 'dta'. profile None: "
             "every "
             "area costs 1.")
        .def_property_readonly(
            "areas",
            [](const NavmeshHandle& self) {
                py::list names;
                for (const TerrainType& type : self.navmesh.areas().types()) names.append(type.name);
                return py::tuple(names);
            },
            "The names of the areas, by id.")
        .def_property_readonly(
            "triangles",
            [](const NavmeshHandle& self) {
                const TriangleMesh mesh = navmesh_triangles(self.navmesh);
                std::vector<Vec3> corners;
                for (const auto& face : mesh.triangles) {
                    for (const uint32_t corner : face) corners.push_back(mesh.vertices[corner]);
                }
                return triples(corners).attr("reshape")(-1, 3, 3);
            },
            "The polygons as triangles, for drawing: an array of shape (n, 3, 3).")
        .def_property_readonly(
            "polygons", [](const NavmeshHandle& self) { return self.regions.polygon_count(); }, "Number of polygons.")
        .def_property_readonly(
            "regions", [](const NavmeshHandle& self) { return self.regions.region_count(); }, "Number of regions, each of one area.")
        .def("__repr__", [](const NavmeshHandle& self) {
            return "<Navmesh of " + plural(self.regions.polygon_count(), "polygon") + ", " + plural(self.regions.region_count(), "region") +
                   ">";
        });
}

}  // namespace terrane::python
