// Queries without a planner, in Python: costs of paths and their explanation, distances, regions.
#include <algorithm>
#include <limits>
#include <memory>
#include <span>

#include "convert.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane::python {

namespace {

// The cells of a Path, or of an array.
std::vector<Cell> path_cells_of(const py::object& value) {
    return py::isinstance<PathHandle>(value) ? value.cast<const PathHandle&>().path.cells : cells_of(value, "path");
}

Ground ground_of(const WorldHandle& world, const py::object& profile, const std::string& movement) {
    const GridSnapshot grid = world.world.grid();
    return {grid, costs_of(profile, grid.catalogue()), movement_of(movement)};
}

Cost cost_limit(const py::object& value) {
    if (value.is_none()) return kInfiniteCost;
    const double units = number_of(value, "max_length");
    if (!(units >= 0)) refuse("max_length must be 0 or more; got " + shown(value));
    return units > 1e13 ? kInfiniteCost : static_cast<Cost>(units * kCostPerUnit);
}

size_t cell_index(const GridLayout& layout, Cell c) {
    return static_cast<size_t>(c.y) * static_cast<size_t>(layout.width) + static_cast<size_t>(c.x);
}

py::array_t<double> lengths_from(const WorldHandle& self, const py::object& start, const py::object& profile, const py::object& max_length,
                                 const std::string& movement) {
    const Ground ground = ground_of(self, profile, movement);
    const Cell from = cell_of(start, "start");
    const Cost limit = cost_limit(max_length);
    const GridLayout& layout = ground.grid().layout();
    py::array_t<double> out({py::ssize_t{layout.height}, py::ssize_t{layout.width}});
    const std::span<double> lengths(out.mutable_data(), static_cast<size_t>(out.size()));
    constexpr double kUnreached = std::numeric_limits<double>::infinity();
    GridSearch search;
    bool begun = false;
    run_slices([&] {
        if (!std::exchange(begun, true)) search.begin_flood(ground, from, limit);
        if (search.run(kSlice) == Status::kBudgetSpent) return false;
        const auto costs = std::make_unique_for_overwrite<Cost[]>(lengths.size());
        search.costs({costs.get(), lengths.size()});  // all infinite if the start is blocked or off the map
        std::transform(costs.get(), costs.get() + lengths.size(), lengths.begin(),
                       [](Cost cost) { return cost == kInfiniteCost ? kUnreached : to_real(cost); });
        return true;
    });
    return out;
}

PathHandle find_nearest(const WorldHandle& self, const py::object& start, const py::object& goals, const py::object& profile,
                        const std::string& movement) {
    const Ground ground = ground_of(self, profile, movement);
    const Cell from = cell_of(start, "start");
    const bool named = py::isinstance<py::str>(goals);
    const Terrain terrain = named ? terrain_of(ground.grid().catalogue(), goals, "goals") : kOutside;
    const std::vector<Cell> cells = named ? std::vector<Cell>() : cells_of(goals, "goals");
    if (!named && cells.empty()) refuse("goals is empty: expected at least one cell, or the name of a terrain");
    GridSearch search;
    PathHandle out;
    out.method = "dijkstra";
    bool begun = false;
    run_slices([&] {
        if (!std::exchange(begun, true)) {
            if (named) {
                search.begin_nearest(ground, from, terrain);
            } else {
                search.begin_nearest(ground, from, cells);
            }
        }
        if (search.run(kSlice) == Status::kBudgetSpent) return false;
        search.path(out.path);
        return true;
    });
    out.first = out.path.cells.size();
    return out;
}

// Records the order in which cells are first expanded, from 1.
struct OrderWatcher : SearchWatcher {
    OrderWatcher(const GridLayout& l, uint32_t* to) : layout(l), order(to) {}
    void expanded(Cell c, Cost) override {
        uint32_t& first = order[cell_index(layout, c)];
        ++count;
        if (first == 0) first = count;
    }
    GridLayout layout;
    uint32_t* order;
    uint32_t count = 0;
};

py::array_t<uint32_t> expansion_order(const WorldHandle& self, const py::object& start, const py::object& goal, const py::object& profile,
                                      const std::string& method, const std::string& movement) {
    const Ground ground = ground_of(self, profile, movement);
    const Cell from = cell_of(start, "start"), to = cell_of(goal, "goal");
    const GridLayout& layout = ground.grid().layout();
    SearchOptions options{.method = take(find_method(method))};
    if (!searches_cells(options.method)) {
        refuse("'" + method + "' does not search cells from start to goal: use astar, wastar:W, focal:E, nbs or dijkstra",
               ErrorCode::kUnsupported);
    }
    py::array_t<uint32_t> out({py::ssize_t{layout.height}, py::ssize_t{layout.width}});
    std::fill_n(out.mutable_data(), out.size(), 0u);
    OrderWatcher watcher(layout, out.mutable_data());
    options.watcher = &watcher;
    GridSearch search;
    bool begun = false;
    run_slices([&] {
        if (!std::exchange(begun, true)) search.begin(ground, from, to, options);
        return search.run(kSlice) != Status::kBudgetSpent;
    });
    return out;
}

py::dict shares(const WorldHandle& self, const py::object& path, const py::object& profile) {
    const Ground ground = ground_of(self, profile, "eight");
    py::dict out;
    for (const TerrainShare& share : path_shares(ground.grid(), ground.costs(), path_cells_of(path))) {
        py::dict one;
        one["cells"] = share.cells, one["cost"] = share.cost, one["length"] = to_real(share.cost);
        out[py::str(ground.grid().catalogue()[share.terrain].name)] = one;
    }
    return out;
}

PathHandle through(const WorldHandle& self, const py::object& start, const py::object& goal, const py::object& area,
                   const py::object& profile, const std::string& movement) {
    const Ground ground = ground_of(self, profile, movement);
    const Cell from = cell_of(start, "start"), to = cell_of(goal, "goal");
    const Rect rect = rect_of(area, "area");
    PathHandle out;
    out.method = "dijkstra";
    const py::gil_scoped_release released;
    out.path = terrane::find_through(ground, from, to, rect);
    out.first = out.path.cells.size();
    return out;
}

py::dict obstacle(const WorldHandle& self, const py::object& start, const py::object& goal, const py::object& profile,
                  const std::string& movement) {
    const Ground ground = ground_of(self, profile, movement);
    const Cell from = cell_of(start, "start"), to = cell_of(goal, "goal");
    Obstacle found = [&] {
        const py::gil_scoped_release released;
        return terrane::find_obstacle(ground, from, to);
    }();
    py::dict out;
    out["status"] = to_string(found.status);
    out["reached"] = found.reached;
    out["blocked"] = found.blocked;
    const bool any = found.terrain != kOutside;
    out["first"] = any ? py::object(cell_to(found.first)) : py::object(py::none());
    out["terrain"] = any ? py::object(py::str(ground.grid().catalogue()[found.terrain].name)) : py::object(py::none());
    PathHandle path{std::move(found.path), "dijkstra"};
    path.first = path.path.cells.size();
    out["path"] = py::cast(std::move(path));
    return out;
}

// Regions as arrays, numbered from 0, sector by sector.
py::dict regions(const WorldHandle& self, const py::object& sector) {
    const WorldSnapshot now = self.world.snapshot();
    const bool map = py::isinstance<py::str>(sector) && sector.cast<std::string>() == "map";
    if (sector.is_none() && now.all_regions().empty())
        refuse("this world has no regions: create it with sectors=(16,)", ErrorCode::kUnsupported);
    const TerrainRegions* chosen =
        sector.is_none() ? now.all_regions().data()
                         : now.regions(map ? kWholeMap : static_cast<uint32_t>(integer_of(sector, "sector", kMinSector, kMaxSector)));
    if (chosen == nullptr)
        refuse("this world has no regions of sector size " + shown(sector) + ": create it with sectors=(" + shown(sector) + ",)");
    const TerrainRegions& all = *chosen;
    std::vector<uint32_t> first{0};
    for (uint32_t s = 0; s < all.sectors(); ++s) first.push_back(first.back() + all.regions_in(s));
    const auto number = [&](RegionId id) { return first[all.sector_of(id)] + all.number_of(id); };

    const auto count = static_cast<py::ssize_t>(first.back());
    py::array_t<int32_t> centres({count, py::ssize_t{2}}), cells({py::ssize_t{all.grid().height()}, py::ssize_t{all.grid().width()}});
    py::array_t<uint8_t> terrains(count);
    std::vector<int32_t> edges;
    for (uint32_t s = 0; s < all.sectors(); ++s) {
        for (uint32_t r = 0; r < all.regions_in(s); ++r) {
            const RegionId id = all.id(s, r);
            const Region& region = all.region(id);
            const auto i = static_cast<py::ssize_t>(number(id));
            centres.mutable_at(i, 0) = region.x, centres.mutable_at(i, 1) = region.y;
            terrains.mutable_at(i) = region.terrain;
            all.for_each_edge(id, [&](RegionId to, bool) {
                if (number(id) < number(to))
                    edges.insert(edges.end(), {static_cast<int32_t>(number(id)), static_cast<int32_t>(number(to))});
            });
        }
    }
    auto label = cells.mutable_unchecked<2>();
    for (int32_t y = 0; y < all.grid().height(); ++y) {
        for (int32_t x = 0; x < all.grid().width(); ++x) label(y, x) = static_cast<int32_t>(number(all.region_of({x, y})));
    }
    py::dict out;
    out["cells"] = cells, out["centres"] = centres, out["terrains"] = terrains;
    out["edges"] = py::array_t<int32_t>({static_cast<py::ssize_t>(edges.size() / 2), py::ssize_t{2}}, edges.data());
    out["bytes"] = all.bytes();
    return out;
}

}  // namespace

void bind_questions(py::module_&, py::class_<WorldHandle>& world) {
    world
        .def(
            "path_cost",
            [](const WorldHandle& self, const py::object& path, const py::object& profile, const std::string& movement) {
                const Ground ground = ground_of(self, profile, movement);
                return cost_to(terrane::path_cost(ground, path_cells_of(path)));
            },
            py::arg("path"), py::arg("profile"), py::arg("movement") = "eight",
            R"(Returns the cost of a Path or an array of cells on the current version of the world; None if it is not legal.

The cost is an integer, as Path.cost.

>>> world = terrane.World(numpy.zeros((4, 4), numpy.uint8), terrains=["grass", "rock"])
>>> world.path_cost([(0, 0), (1, 1), (2, 1)], {"rock": None}) / terrane.COST_PER_UNIT
2.414213197969543)")
        .def(
            "exact_cost",
            [](const WorldHandle& self, const py::object& path, const py::object& profile) -> py::object {
                const Ground ground = ground_of(self, profile, "cutting");
                const std::vector<Cell> cells = path_cells_of(path);
                if (terrane::path_cost(ground, cells) == kInfiniteCost) return py::none();
                return py::float_(terrane::exact_cost(ground.grid(), ground.costs(), cells));
            },
            py::arg("path"), py::arg("profile"),
            "The same with sqrt(2) in double precision, in units of length, as in published benchmarks. None if the path is not legal.")
        .def("lengths_from", &lengths_from, py::arg("start"), py::arg("profile"), py::arg("max_length") = py::none(),
             py::arg("movement") = "eight",
             R"(Returns the length of a cheapest path to every cell: an array of shape (height, width), float64.

inf: unreachable within max_length. All inf if the start is blocked or off the map. Releases the GIL; Ctrl-C interrupts it.

>>> world = terrane.World(numpy.zeros((3, 5), numpy.uint8), terrains=["grass"])
>>> world.lengths_from((0, 0), {})[0]
array([0., 1., 2., 3., 4.]))")
        .def("find_nearest", &find_nearest, py::arg("start"), py::arg("goals"), py::arg("profile"), py::arg("movement") = "eight",
             R"(Finds the cheapest path to the nearest of several cells, an array of shape (n, 2), or of the cells of a terrain, by name.

>>> world = terrane.generate("island", size=96, seed=7)
>>> path = world.find_nearest((48, 48), "road", "deer")
>>> world.at(path.cells[-1])
'road')")
        .def("find_through", &through, py::arg("start"), py::arg("goal"), py::arg("area"), py::arg("profile"),
             py::arg("movement") = "eight",
             "Finds the cheapest path with a cell in an area, (x, y, width, height), to explain why a path avoids it.")
        .def("find_obstacle", &obstacle, py::arg("start"), py::arg("goal"), py::arg("profile"), py::arg("movement") = "eight",
             R"(Explains why there is no path: a dict.

status    of a plain query
reached   number of cells reachable from the start
blocked   the fewest cells that must become passable for a path to exist
first     the first of them on `path`, and `terrain` its terrain; None if there are none
path      a Path: the cheapest one, or one that is legal once those cells are passable

>>> world = terrane.loads("type octile\nheight 1\nwidth 5\nmap\n..@..\n")
>>> world.find_obstacle((0, 0), (4, 0), "walker")["first"]
(2, 0))")
        .def("path_shares", &shares, py::arg("path"), py::arg("profile"),
             "Returns the cost of a path by terrain: a dict by name of dicts with cells, cost and length, the most expensive first. The "
             "costs "
             "add up to the path's cost.")
        .def("expansion_order", &expansion_order, py::arg("start"), py::arg("goal"), py::arg("profile"), py::arg("method") = "astar",
             py::arg("movement") = "eight",
             R"(Returns the order in which a search expands cells: an array of shape (height, width), uint32; 1 is the first, 0 never.

Only for methods that search cells.

>>> world = terrane.World(numpy.zeros((9, 9), numpy.uint8), terrains=["grass"])
>>> int((world.expansion_order((0, 4), (8, 4), {}) > 0).sum())  # the goal is not expanded
8)")
        .def("regions", &regions, py::arg("sector") = py::none(),
             R"(Returns the terrain regions of a sector size, which dta methods search: a dict of arrays. None: the first size.

cells     (height, width): the region of each cell
centres   (n, 2): the representative of each region, (x, y)
terrains  (n,): the terrain of each region
edges     (m, 2): pairs of adjacent regions
bytes     memory in bytes

>>> regions = terrane.generate("island", size=96, seed=7).regions()
>>> regions["cells"].max() + 1 == len(regions["centres"])
True)");
}

}  // namespace terrane::python
