// Weighted regions in Python: subdivisions into convex polygons with costs, and paths over them.
#include "convert.h"
#include "terrane/weighted_regions/subdivision_file.h"
#include "terrane/weighted_regions/subdivision_from_grid.h"
#include "terrane/weighted_regions/subdivision_method.h"

namespace terrane::python {

namespace {

// Searches share the lock; set_cost() holds it exclusively. Threads wait for it only without the GIL.
struct SubdivisionHandle {
    explicit SubdivisionHandle(Subdivision made) : subdivision(std::move(made)) {}
    Subdivision subdivision;
    mutable std::shared_mutex changing;
};

struct SubdivisionPathHandle {
    SubdivisionPath path;
    std::string method;
    SubdivisionTrace trace;
};

std::unique_ptr<SubdivisionHandle> made(Result<Subdivision>&& subdivision) {
    return std::make_unique<SubdivisionHandle>(take(std::move(subdivision)));
}

double cost_of(py::handle value) {
    if (value.is_none()) return kBlockedCost;
    const double cost = number_of(value, "a polygon's cost");
    if (!(cost > 0)) refuse("the cost of a polygon must be more than 0, or None for blocked; got " + shown(value));
    return cost;
}

std::unique_ptr<SubdivisionHandle> from_polygons(const py::object& vertices, const py::object& polygons, const py::object& costs) {
    PolygonSet set;
    set.vertices = points_of(vertices, "vertices");
    if (PySequence_Check(polygons.ptr()) == 0) raise_type("polygons must be a list of lists of vertex indices; got " + shown(polygons));
    if (PySequence_Check(costs.ptr()) == 0 || py::len(costs) != py::len(polygons)) {
        refuse(plural(py::len(polygons), "polygon") + " need as many costs; got " + shown(costs));
    }
    py::iterator cost = py::iter(costs);
    for (const py::handle polygon : polygons) {
        std::vector<uint32_t> corners;
        for (const py::handle corner : polygon) corners.push_back(static_cast<uint32_t>(integer_of(corner, "a corner", 0, INT32_MAX)));
        set.add(corners, cost_of(*cost));
        ++cost;
    }
    return made(make_subdivision(std::move(set)));
}

std::unique_ptr<SubdivisionHandle> voronoi(const py::object& sites, const py::object& seed, double width, double height,
                                           const py::object& costs, const py::object& blocked) {
    VoronoiSubdivisionOptions options;
    options.sites = static_cast<uint32_t>(integer_of(sites, "sites", 1, kMaxVoronoiSites));
    options.seed = static_cast<uint64_t>(integer_of(seed, "seed", 0, INT64_MAX));
    options.width = width, options.height = height;
    const Cell range = cell_of(costs, "costs (minimum and maximum)");
    if (range.x < 1 || range.y < range.x) refuse("costs must be (minimum, maximum), integers from 1; got " + shown(costs));
    options.min_cost = static_cast<uint32_t>(range.x), options.max_cost = static_cast<uint32_t>(range.y);
    options.blocked = static_cast<uint32_t>(integer_of(blocked, "blocked (in percent)", 0, 100));
    return made(random_voronoi_subdivision(options));
}

std::unique_ptr<SubdivisionHandle> from_sites(const py::object& sites, const py::object& costs, const py::object& low,
                                              const py::object& high) {
    const std::vector<Point> points = points_of(sites, "sites");
    std::vector<double> each;
    if (PySequence_Check(costs.ptr()) == 0) raise_type("costs must have one cost per site; got " + shown(costs));
    for (const py::handle cost : costs) each.push_back(cost_of(cost));
    return made(voronoi_subdivision(points, each, point_of(low, "low"), point_of(high, "high")));
}

std::unique_ptr<SubdivisionHandle> from_world(const WorldHandle& world, const py::object& profile, double tolerance) {
    const GridSnapshot grid = world.world.grid();
    const CostTable costs = costs_of(profile, grid.catalogue());
    auto subdivision = [&] {
        const py::gil_scoped_release released;
        return subdivision_from_grid(grid, costs, {.tolerance = tolerance});
    }();
    return made(std::move(subdivision));
}

SubdivisionPathHandle find_path(const SubdivisionHandle& self, const py::object& start, const py::object& goal, const std::string& method,
                                const py::object& budget, bool trace) {
    const Point from = point_of(start, "start"), to = point_of(goal, "goal");
    const SubdivisionMethod how = take(find_subdivision_method(method));
    if (const auto wrong = check_subdivision_method(self.subdivision, how)) raise(*wrong);
    uint64_t left = budget_of(budget, "budget");
    SubdivisionPlanner planner;
    SubdivisionPathHandle out;
    out.method = how.name;
    // One lock for all slices: costs must not change in between.
    bool begun = false;
    std::shared_lock lock(self.changing, std::defer_lock);
    run_slices([&] {
        if (!std::exchange(begun, true)) {
            lock.lock();
            planner.begin(self.subdivision, from, to, how, trace ? &out.trace : nullptr);
        }
        constexpr uint64_t kNodes = 4096;
        const Status status = planner.run(std::min(left, kNodes));
        left -= std::min(left, kNodes);
        return status != Status::kBudgetSpent || left == 0;
    });
    out.path = planner.path();
    return out;
}

uint32_t polygon_of(const SubdivisionHandle& self, const py::object& number) {
    return static_cast<uint32_t>(integer_of(number, "polygon", 0, static_cast<int64_t>(self.subdivision.size()) - 1));
}

py::array_t<double> polygon(const SubdivisionHandle& self, const py::object& number) {
    std::vector<Point> corners;
    for (const uint32_t corner : self.subdivision.corners(polygon_of(self, number))) corners.push_back(self.subdivision.vertex(corner));
    return py::array_t<double>({static_cast<py::ssize_t>(corners.size()), py::ssize_t{2}}, reinterpret_cast<const double*>(corners.data()));
}

// The points of a SubdivisionPath, or of an array.
std::vector<Point> points_of_path(const py::object& value) {
    return py::isinstance<SubdivisionPathHandle>(value) ? value.cast<const SubdivisionPathHandle&>().path.points
                                                        : points_of(value, "polyline");
}

py::list crossings(const SubdivisionHandle& self, const py::object& polyline) {
    py::list out;
    for (const SubdivisionCrossing& c : subdivision_path_crossings(self.subdivision, points_of_path(polyline))) {
        py::dict one;
        one["at"] = py::make_tuple(c.at.x, c.at.y), one["normal"] = py::make_tuple(c.normal.x, c.normal.y);
        one["cost_from"] = c.cost_from, one["cost_to"] = c.cost_to, one["angle_from"] = c.angle_from, one["angle_to"] = c.angle_to;
        out.append(one);
    }
    return out;
}

void bind_subdivision_path(py::module_& m) {
    py::class_<SubdivisionPathHandle>(m, "SubdivisionPath", "A path over a Subdivision. True if it was found.")
        .def_property_readonly(
            "status", [](const SubdivisionPathHandle& p) { return to_string(p.path.status); }, "The outcome of the search, as Path.status.")
        .def("__bool__", [](const SubdivisionPathHandle& p) { return static_cast<bool>(p.path); })
        .def_property_readonly(
            "points", [](const py::object& self) { return points_view(self.cast<SubdivisionPathHandle&>().path.points, self); },
            "The polyline from start to goal: an array of shape (n, 2), float64. A read-only view.")
        .def_property_readonly(
            "cost", [](const SubdivisionPathHandle& p) { return p.path.cost; }, "The sum of length times cost over all segments.")
        .def_property_readonly(
            "lower_bound", [](const SubdivisionPathHandle& p) { return p.path.lower_bound; }, "Proven lower bound: no path costs less.")
        .def_property_readonly(
            "gap", [](const SubdivisionPathHandle& p) { return p.path.gap(); }, "Upper bound on (cost - optimum) / cost.")
        .def_property_readonly(
            "expansions", [](const SubdivisionPathHandle& p) { return p.path.expansions; }, "Number of nodes that the search expanded.")
        .def_property_readonly(
            "expanded", [](const py::object& self) { return points_view(self.cast<SubdivisionPathHandle&>().trace.expanded, self); },
            "With trace=True: a representative point of each expanded node, in order; otherwise empty.")
        .def_property_readonly(
            "method", [](const SubdivisionPathHandle& p) { return p.method; }, "The name of the method that answered.")
        .def("__repr__", [](const SubdivisionPathHandle& p) {
            char text[128];
            std::snprintf(text, sizeof text, "<SubdivisionPath %s: %zu points, cost %.4f>", to_string(p.path.status), p.path.points.size(),
                          p.path.cost);
            return std::string(text);
        });
}

}  // namespace

void bind_subdivision(py::module_& m) {
    bind_subdivision_path(m);
    const VoronoiSubdivisionOptions defaults;
    py::class_<SubdivisionHandle>(m, "Subdivision",
                                  R"(A subdivision of the plane into convex polygons, each with a cost per unit length, or blocked.

Subdivision(vertices, polygons, costs)

`vertices` is an array of shape (n, 2). `polygons` lists the vertex indices of each polygon, counter-clockwise with y upwards. `costs` are
positive; None is blocked. Raises BadValue, with their numbers, for polygons that overlap, leave a gap or are not convex.

>>> subdivision = terrane.Subdivision.voronoi(sites=24, seed=7)
>>> path = subdivision.find((20, 20), (580, 580))
>>> path.status, path.gap < 1e-5
('found', True)
>>> c = subdivision.crossings(path)[0]
>>> abs(c["cost_from"] * numpy.sin(c["angle_from"]) - c["cost_to"] * numpy.sin(c["angle_to"])) < 1e-6  # Snell's law
True)")
        .def(py::init(&from_polygons), py::arg("vertices"), py::arg("polygons"), py::arg("costs"))
        .def_static("voronoi", &voronoi, py::arg("sites") = defaults.sites, py::arg("seed") = defaults.seed,
                    py::arg("width") = defaults.width, py::arg("height") = defaults.height,
                    py::arg("costs") = py::make_tuple(defaults.min_cost, defaults.max_cost), py::arg("blocked") = defaults.blocked,
                    "Makes the Voronoi cells of random sites, with random integer costs from (minimum, maximum); `blocked` is in percent.")
        .def_static("from_sites", &from_sites, py::arg("sites"), py::arg("costs"), py::arg("low"), py::arg("high"),
                    "Makes the Voronoi cells of sites within the rectangle from low to high, in the order of the sites.")
        .def_static(
            "from_world", &from_world, py::arg("world"), py::arg("profile"), py::arg("tolerance") = 0.0,
            "Makes polygons from the areas of equal cost of a map, with outlines simplified by at most `tolerance` cells. Cell (x, y) "
            "is the square from (x, y) to (x + 1, y + 1).")
        .def_static(
            "load", [](const py::object& path) { return made(load_subdivision(file_of(path))); }, py::arg("path"),
            "Reads JSON or GeoJSON. Raises FileError.")
        .def(
            "save", [](const SubdivisionHandle& self, const py::object& path) { take(save_subdivision(self.subdivision, file_of(path))); },
            py::arg("path"), "Writes JSON. load() restores it exactly.")
        .def("__len__", [](const SubdivisionHandle& self) { return self.subdivision.size(); })
        .def("polygon", &polygon, py::arg("number"), "Returns the corners of a polygon: an array of shape (n, 2).")
        .def_property_readonly(
            "costs",
            [](const SubdivisionHandle& self) {
                py::array_t<double> out(static_cast<py::ssize_t>(self.subdivision.size()));
                double* to = out.mutable_data();
                const py::gil_scoped_release released;
                const std::shared_lock lock(self.changing);
                for (uint32_t p = 0; p < self.subdivision.size(); ++p) to[p] = self.subdivision.cost(p);
                return out;
            },
            "The cost of each polygon; inf if blocked. A copy.")
        .def(
            "set_cost",
            [](SubdivisionHandle& self, const py::object& number, const py::object& cost) {
                const uint32_t which = polygon_of(self, number);
                const double now = cost_of(cost);
                const py::gil_scoped_release released;
                const std::unique_lock lock(self.changing);
                self.subdivision.set_cost(which, now);
            },
            py::arg("number"), py::arg("cost"), "Sets the cost of a polygon; None blocks it. Waits for searches in progress.")
        .def(
            "locate",
            [](const SubdivisionHandle& self, const py::object& point) -> py::object {
                const uint32_t found = self.subdivision.locate(point_of(point, "point"));
                return found == kNoPolygon ? py::object(py::none()) : py::object(py::int_(found));
            },
            py::arg("point"), "Returns the number of the polygon at a point; None outside.")
        .def_property_readonly(
            "bounds",
            [](const SubdivisionHandle& self) {
                const Point low = self.subdivision.low(), high = self.subdivision.high();
                return py::make_tuple(low.x, low.y, high.x - low.x, high.y - low.y);
            },
            "The bounding box: (x, y, width, height).")
        .def("find", &find_path, py::arg("start"), py::arg("goal"), py::arg("method") = SubdivisionMethod{}.name, py::kw_only(),
             py::arg("budget") = py::none(), py::arg("trace") = false,
             R"(Finds a path between two points. `method` is a name of subdivision_methods(); the default proves optimality to 1e-6.

`budget` limits the expansions: when it is spent, the status is 'budget spent', with the incumbent for 'brep+proven'. `trace` records the
expanded nodes. Releases the GIL; Ctrl-C interrupts it.)")
        .def(
            "cost_of",
            [](const SubdivisionHandle& self, const py::object& polyline) {
                return subdivision_path_cost(self.subdivision, points_of_path(polyline));
            },
            py::arg("polyline"),
            "Returns the cost of a SubdivisionPath or an array of points, computed polygon by polygon; inf if it is not legal.")
        .def("crossings", &crossings, py::arg("polyline"),
             "Returns the points where a polyline passes from one cost to another: dicts with at, normal, cost_from, cost_to, angle_from, "
             "angle_to.")
        .def("__repr__",
             [](const SubdivisionHandle& self) { return "<Subdivision of " + plural(self.subdivision.size(), "polygon") + ">"; });
    m.def(
        "subdivision_methods", [] { return methods_to(subdivision_methods()); },
        "Lists the methods of Subdivision.find: dicts with name, usage, summary, details, example.");
}

}  // namespace terrane::python
