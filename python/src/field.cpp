// Open terrain: convex polygons with costs, and paths that bend where the cost changes.
#include "convert.h"
#include "terrane/weighted_regions/field_grid.h"
#include "terrane/weighted_regions/open_method.h"
#include "terrane/weighted_regions/subdivision_file.h"

namespace terrane::python {

namespace {

// Searches share it, a change of costs has it alone; waited for without the GIL.
struct FieldHandle {
    explicit FieldHandle(Subdivision made) : field(std::move(made)) {}
    Subdivision field;
    mutable std::shared_mutex changing;
};

struct OpenPathHandle {
    OpenPath path;
    std::string method;
    OpenTrace trace;
};

std::unique_ptr<FieldHandle> made(Result<Subdivision>&& field) { return std::make_unique<FieldHandle>(take(std::move(field))); }

double cost_of(py::handle value) {
    if (value.is_none()) return kBlockedCost;
    const double cost = number_of(value, "a polygon's cost");
    if (!(cost > 0)) refuse("a polygon costs more than 0, or None where it is blocked; got " + shown(value));
    return cost;
}

std::unique_ptr<FieldHandle> from_polygons(const py::object& vertices, const py::object& polygons, const py::object& costs) {
    PolygonSet set;
    set.vertices = points_of(vertices, "vertices");
    if (PySequence_Check(polygons.ptr()) == 0) raise_type("polygons is a list of lists of vertices' numbers; got " + shown(polygons));
    if (PySequence_Check(costs.ptr()) == 0 || py::len(costs) != py::len(polygons)) {
        refuse(plural(py::len(polygons), "polygon") + " need as many costs; got " + shown(costs));
    }
    py::iterator cost = py::iter(costs);
    for (const py::handle polygon : polygons) {
        std::vector<uint32_t> corners;
        for (const py::handle corner : polygon) corners.push_back(static_cast<uint32_t>(whole_of(corner, "a corner", 0, INT32_MAX)));
        set.add(corners, cost_of(*cost));
        ++cost;
    }
    return made(make_subdivision(std::move(set)));
}

std::unique_ptr<FieldHandle> voronoi(const py::object& sites, const py::object& seed, double width, double height, const py::object& costs,
                                     const py::object& blocked) {
    VoronoiFieldOptions options;
    options.sites = static_cast<uint32_t>(whole_of(sites, "sites", 1, kMaxVoronoiSites));
    options.seed = static_cast<uint64_t>(whole_of(seed, "seed", 0, INT64_MAX));
    options.width = width, options.height = height;
    const Cell range = cell_of(costs, "costs (the least and the most)");
    if (range.x < 1 || range.y < range.x) refuse("costs is (least, most), whole numbers from 1 on; got " + shown(costs));
    options.min_cost = static_cast<uint32_t>(range.x), options.max_cost = static_cast<uint32_t>(range.y);
    options.blocked = static_cast<uint32_t>(whole_of(blocked, "blocked (in percent)", 0, 100));
    return made(random_voronoi_subdivision(options));
}

std::unique_ptr<FieldHandle> from_sites(const py::object& sites, const py::object& costs, const py::object& low, const py::object& high) {
    const std::vector<Point> points = points_of(sites, "sites");
    std::vector<double> each;
    if (PySequence_Check(costs.ptr()) == 0) raise_type("costs has one for each site; got " + shown(costs));
    for (const py::handle cost : costs) each.push_back(cost_of(cost));
    return made(voronoi_subdivision(points, each, point_of(low, "low"), point_of(high, "high")));
}

std::unique_ptr<FieldHandle> from_world(const WorldHandle& world, const py::object& profile, double tolerance) {
    const GridSnapshot grid = world.world.grid();
    const CostTable costs = costs_of(profile, grid.catalogue());
    auto field = [&] {
        const py::gil_scoped_release released;
        return subdivision_from_grid(grid, costs, {.tolerance = tolerance});
    }();
    return made(std::move(field));
}

OpenPathHandle find_in_plane(const FieldHandle& self, const py::object& start, const py::object& goal, const std::string& method,
                             const py::object& budget, bool trace) {
    const Point from = point_of(start, "start"), to = point_of(goal, "goal");
    const OpenMethod how = take(find_open_method(method));
    if (const auto wrong = check_open_method(self.field, how)) raise(*wrong);
    uint64_t left = budget_of(budget, "budget");
    OpenPlanner planner;
    OpenPathHandle out;
    out.method = how.name;
    // One lock for all slices: costs may not change in between.
    bool begun = false;
    std::shared_lock lock(self.changing, std::defer_lock);
    run_slices([&] {
        if (!std::exchange(begun, true)) {
            lock.lock();
            planner.begin(self.field, from, to, how, trace ? &out.trace : nullptr);
        }
        constexpr uint64_t kNodes = 4096;
        const Status status = planner.run(std::min(left, kNodes));
        left -= std::min(left, kNodes);
        return status != Status::kBudgetSpent || left == 0;
    });
    out.path = planner.path();
    return out;
}

uint32_t polygon_of(const FieldHandle& self, const py::object& number) {
    return static_cast<uint32_t>(whole_of(number, "polygon", 0, static_cast<int64_t>(self.field.size()) - 1));
}

py::array_t<double> polygon(const FieldHandle& self, const py::object& number) {
    std::vector<Point> corners;
    for (const uint32_t corner : self.field.corners(polygon_of(self, number))) corners.push_back(self.field.vertex(corner));
    return py::array_t<double>({static_cast<py::ssize_t>(corners.size()), py::ssize_t{2}}, reinterpret_cast<const double*>(corners.data()));
}

// A path, or points.
std::vector<Point> line_of(const py::object& value) {
    return py::isinstance<OpenPathHandle>(value) ? value.cast<const OpenPathHandle&>().path.points : points_of(value, "line");
}

py::list crossings(const FieldHandle& self, const py::object& line) {
    py::list out;
    for (const OpenCrossing& c : open_path_crossings(self.field, line_of(line))) {
        py::dict one;
        one["at"] = py::make_tuple(c.at.x, c.at.y), one["normal"] = py::make_tuple(c.normal.x, c.normal.y);
        one["cost_from"] = c.cost_from, one["cost_to"] = c.cost_to, one["angle_from"] = c.angle_from, one["angle_to"] = c.angle_to;
        out.append(one);
    }
    return out;
}

void bind_open_path(py::module_& m) {
    py::class_<OpenPathHandle>(m, "OpenPath", "A path over a Field; true where it was found.")
        .def_property_readonly(
            "status", [](const OpenPathHandle& p) { return to_string(p.path.status); }, "How the search ended, as Path.status.")
        .def("__bool__", [](const OpenPathHandle& p) { return static_cast<bool>(p.path); })
        .def_property_readonly(
            "points", [](const py::object& self) { return points_view(self.cast<OpenPathHandle&>().path.points, self); },
            "From start to goal, straight in between: an array of shape (n, 2), float64. Not a copy, read-only.")
        .def_property_readonly(
            "cost", [](const OpenPathHandle& p) { return p.path.cost; }, "The sum of length times cost.")
        .def_property_readonly(
            "lower_bound", [](const OpenPathHandle& p) { return p.path.lower_bound; }, "Proven: no path costs less.")
        .def_property_readonly(
            "gap", [](const OpenPathHandle& p) { return p.path.gap(); },
            "How far above the least it may be at most, as a share of its cost.")
        .def_property_readonly(
            "expansions", [](const OpenPathHandle& p) { return p.path.expansions; }, "Nodes that the search looked at.")
        .def_property_readonly(
            "expanded", [](const py::object& self) { return points_view(self.cast<OpenPathHandle&>().trace.expanded, self); },
            "With trace=True: the points that stand for those nodes, in order; else empty.")
        .def_property_readonly(
            "method", [](const OpenPathHandle& p) { return p.method; }, "The name of the method that found it.")
        .def("__repr__", [](const OpenPathHandle& p) {
            char text[128];
            std::snprintf(text, sizeof text, "<OpenPath %s: %zu points, cost %.4f>", to_string(p.path.status), p.path.points.size(),
                          p.path.cost);
            return std::string(text);
        });
}

}  // namespace

void bind_field(py::module_& m) {
    bind_open_path(m);
    py::class_<FieldHandle>(m, "Field", R"(A part of the plane in convex polygons, each with a cost for a unit of the way, or blocked.

Field(vertices, polygons, costs)

`vertices` is an array of shape (n, 2); `polygons` has the vertices' numbers of each, counter-clockwise with y upwards; `costs` are positive,
None is blocked. Polygons that overlap, leave a gap or are not convex are refused with their numbers.

>>> field = terrane.Field.voronoi(sites=24, seed=7)
>>> path = field.find((20, 20), (580, 580))
>>> path.status, path.gap < 1e-5
('found', True)
>>> c = field.crossings(path)[0]
>>> abs(c["cost_from"] * numpy.sin(c["angle_from"]) - c["cost_to"] * numpy.sin(c["angle_to"])) < 1e-6  # Snell's law
True)")
        .def(py::init(&from_polygons), py::arg("vertices"), py::arg("polygons"), py::arg("costs"))
        .def_static("voronoi", &voronoi, py::arg("sites") = 24, py::arg("seed") = 1, py::arg("width") = 600.0, py::arg("height") = 600.0,
                    py::arg("costs") = py::make_tuple(1, 8), py::arg("blocked") = 0,
                    "The cells of random sites, with costs drawn from the least to the most; `blocked` percent of them are.")
        .def_static("from_sites", &from_sites, py::arg("sites"), py::arg("costs"), py::arg("low"), py::arg("high"),
                    "The Voronoi cells of sites within the rectangle from low to high, in the order of the sites.")
        .def_static("from_world", &from_world, py::arg("world"), py::arg("profile"), py::arg("tolerance") = 0.0,
                    "A map as a creature sees it: regions of one cost, outlines simplified by at most `tolerance` cells. Cell (x, y) is "
                    "the square from (x, y).")
        .def_static(
            "load", [](const py::object& path) { return made(load_subdivision(file_of(path))); }, py::arg("path"),
            "From JSON or GeoJSON. Raises FileError.")
        .def(
            "save", [](const FieldHandle& self, const py::object& path) { take(save_subdivision(self.field, file_of(path))); },
            py::arg("path"), "Writes JSON; what is read again is the same to the last bit.")
        .def("__len__", [](const FieldHandle& self) { return self.field.size(); })
        .def("polygon", &polygon, py::arg("number"), "The corners of a polygon: an array of shape (n, 2).")
        .def_property_readonly(
            "costs",
            [](const FieldHandle& self) {
                py::array_t<double> out(static_cast<py::ssize_t>(self.field.size()));
                double* to = out.mutable_data();
                const py::gil_scoped_release released;
                const std::shared_lock lock(self.changing);
                for (uint32_t p = 0; p < self.field.size(); ++p) to[p] = self.field.cost(p);
                return out;
            },
            "The cost of each polygon; inf where it is blocked. A copy.")
        .def(
            "set_cost",
            [](FieldHandle& self, const py::object& number, const py::object& cost) {
                const uint32_t which = polygon_of(self, number);
                const double now = cost_of(cost);
                const py::gil_scoped_release released;
                const std::unique_lock lock(self.changing);
                self.field.set_cost(which, now);
            },
            py::arg("number"), py::arg("cost"), "Changes the cost of a polygon; None blocks it. Waits for searches that are under way.")
        .def(
            "locate",
            [](const FieldHandle& self, const py::object& point) -> py::object {
                const uint32_t found = self.field.locate(point_of(point, "point"));
                return found == kNoPolygon ? py::object(py::none()) : py::object(py::int_(found));
            },
            py::arg("point"), "The number of the polygon at a point; None outside.")
        .def_property_readonly(
            "bounds",
            [](const FieldHandle& self) {
                const Point low = self.field.low(), high = self.field.high();
                return py::make_tuple(low.x, low.y, high.x, high.y);
            },
            "(left, bottom, right, top) of the box around everything.")
        .def("find", &find_in_plane, py::arg("start"), py::arg("goal"), py::arg("method") = "brep+proven", py::kw_only(),
             py::arg("budget") = py::none(), py::arg("trace") = false,
             R"(A path between two points, by a name of field_methods(). Without another, the cheapest there is, to 1e-6, proven.

`budget` counts expansions: then the status is 'budget spent', with the best path so far for 'brep+proven'. `trace` keeps what was expanded.
Runs without the GIL; Ctrl-C is answered.)")
        .def(
            "cost_of", [](const FieldHandle& self, const py::object& line) { return open_path_cost(self.field, line_of(line)); },
            py::arg("line"), "What a line through points costs, worked out polygon by polygon; inf where it cannot be walked.")
        .def("crossings", &crossings, py::arg("line"),
             "Where a line passes from ground of one cost to another: a list of dicts of at, normal, cost_from, cost_to, angle_from, "
             "angle_to.")
        .def("__repr__", [](const FieldHandle& self) { return "<Field of " + plural(self.field.size(), "polygon") + ">"; });
    m.def(
        "field_methods", [] { return methods_to(open_methods()); },
        "The methods of Field.find by name: for each a dict of name, usage, summary, details, example.");
}

}  // namespace terrane::python
