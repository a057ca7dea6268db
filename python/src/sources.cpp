// Generators, map files, profiles and scenarios in Python.
#include <cstdio>
#include <limits>
#include <map>

#include "convert.h"
#include "terrane/io/picture.h"
#include "terrane/io/scenario.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::python {

namespace {

// Generators.

// The keyword options of a generator. read() consumes one by name; finish() raises BadValue if any is left.
class Given {
public:
    Given(std::string kind, const py::dict& options) : kind_(std::move(kind)) {
        for (const auto& [key, value] : options) given_[key.cast<std::string>()] = py::reinterpret_borrow<py::object>(value);
    }
    template <class T>
    void read(const char* name, T& into) {
        known_ += (known_.empty() ? "" : ", ") + std::string(name);
        const auto found = given_.find(name);
        if (found == given_.end()) return;
        if constexpr (std::is_same_v<T, bool>) {
            into = PyObject_IsTrue(found->second.ptr()) == 1;
        } else {
            into = static_cast<T>(integer_of(found->second, name, 0, kMost));
        }
        given_.erase(found);
    }
    void finish() const {
        if (!given_.empty()) {
            refuse(
                "generate('" + kind_ + "') has no option '" + given_.begin()->first + "'; it takes size, seed, sectors, threads, " + known_,
                ErrorCode::kUnknownName);
        }
    }

private:
    static constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    std::string kind_, known_;
    std::map<std::string, py::object> given_;
};

template <class Options>
Options common(py::handle size, py::handle seed) {
    Options options;
    if (!seed.is_none()) options.seed = static_cast<uint64_t>(integer_of(seed, "seed", 0, std::numeric_limits<int64_t>::max()));
    if (size.is_none()) return options;
    if (PySequence_Check(size.ptr()) != 0) {
        const Cell sides = cell_of(size, "size (width and height)");
        options.width = sides.x, options.height = sides.y;
    } else {
        options.width = options.height = static_cast<int32_t>(integer_of(size, "size", 1, kMaxSide));
    }
    return options;
}

template <class Options, class Make>
TerrainGrid made(const Options& options, Make make) {
    auto grid = [&] {
        const py::gil_scoped_release released;
        return make(options);
    }();
    return take(std::move(grid));
}

TerrainGrid generate_grid(const std::string& kind, py::handle size, py::handle seed, Given& given) {
    const auto read = [&](auto options, auto... fields) {
        (given.read(fields.first, options.*fields.second), ...);
        given.finish();
        return options;
    };
    using std::pair;
    if (kind == "island") {
        return made(read(common<IslandOptions>(size, seed), pair("polygon", &IslandOptions::polygon), pair("merge", &IslandOptions::merge)),
                    generate_island);
    }
    if (kind == "rooms") {
        return made(read(common<RoomsOptions>(size, seed), pair("room", &RoomsOptions::room), pair("doors", &RoomsOptions::doors),
                         pair("fill_isolated", &RoomsOptions::fill_isolated)),
                    generate_rooms);
    }
    if (kind == "maze") return made(read(common<MazeOptions>(size, seed), pair("corridor", &MazeOptions::corridor)), generate_maze);
    if (kind == "random") {
        return made(read(common<RandomOptions>(size, seed), pair("density", &RandomOptions::density),
                         pair("fill_isolated", &RandomOptions::fill_isolated)),
                    generate_random);
    }
    if (kind == "scatter") {
        return made(read(common<ScatterOptions>(size, seed), pair("terrains", &ScatterOptions::terrains)), generate_scatter);
    }
    if (kind == "voronoi") {
        return made(
            read(common<VoronoiOptions>(size, seed), pair("sites", &VoronoiOptions::sites), pair("terrains", &VoronoiOptions::terrains)),
            generate_voronoi);
    }
    refuse("no generator '" + kind + "'; there are island, rooms, maze, random, scatter, voronoi", ErrorCode::kUnknownName);
}

std::unique_ptr<WorldHandle> generate(const std::string& kind, const py::object& size, const py::object& seed, const py::object& sectors,
                                      const py::object& threads, const py::kwargs& options) {
    const WorldOptions with = world_options_of(sectors, threads);
    Given given(kind, options);
    return make_handle(generate_grid(kind, size, seed, given), with);
}

// Files.

MapOptions map_options_of(const std::string& letters) {
    MapOptions options;
    if (letters == "octile") {
        options.letters = Letters::kOctile;
    } else if (letters == "terrain") {
        options.letters = Letters::kTerrain;
    } else if (letters != "guess") {
        refuse("letters must be 'guess', 'octile' or 'terrain'; got '" + letters + "'", ErrorCode::kUnknownName);
    }
    return options;
}

template <class Read>
std::unique_ptr<WorldHandle> opened(const py::object& sectors, const py::object& threads, const std::string& letters, Read read) {
    const WorldOptions with = world_options_of(sectors, threads);
    const MapOptions map = map_options_of(letters);
    auto world = [&]() -> Result<std::unique_ptr<World>> {
        const py::gil_scoped_release released;
        auto saved = read(map);
        if (!saved) return saved.error();
        return make_world(std::move(*saved), with);
    }();
    return std::make_unique<WorldHandle>(take(std::move(world)));
}

std::unique_ptr<WorldHandle> load(const py::object& path, const py::object& sectors, const py::object& threads,
                                  const std::string& letters) {
    const std::string file = file_of(path);
    return opened(sectors, threads, letters, [&](const MapOptions& map) { return load_saved_world(file, map); });
}

std::unique_ptr<WorldHandle> loads(const py::object& text, const py::object& sectors, const py::object& threads,
                                   const std::string& letters) {
    if (!py::isinstance<py::str>(text) && !py::isinstance<py::bytes>(text))
        raise_type("text must be the text or the bytes of a map; got " + shown(text));
    const auto bytes = text.cast<std::string>();
    return opened(sectors, threads, letters, [&](const MapOptions& map) { return parse_saved_world(bytes, map); });
}

void bind_scenario(py::module_& m) {
    py::class_<Scenario>(m, "Scenario", R"(The problems of a MovingAI .scen file as arrays; see load_scenario().)")
        .def("__len__", [](const Scenario& s) { return s.problems.size(); })
        .def_property_readonly(
            "starts",
            [](const Scenario& s) {
                std::vector<Cell> cells;
                for (const Problem& p : s.problems) cells.push_back(p.start);
                return cells_array(cells);
            },
            "The start of each problem: an array of shape (n, 2).")
        .def_property_readonly(
            "goals",
            [](const Scenario& s) {
                std::vector<Cell> cells;
                for (const Problem& p : s.problems) cells.push_back(p.goal);
                return cells_array(cells);
            },
            "The goal of each problem: an array of shape (n, 2).")
        .def_property_readonly(
            "lengths",
            [](const Scenario& s) {
                py::array_t<double> out(static_cast<py::ssize_t>(s.problems.size()));
                for (size_t i = 0; i < s.problems.size(); ++i) out.mutable_at(i) = s.problems[i].length;
                return out;
            },
            "The published optimal lengths; compare them with World.exact_cost().")
        .def_property_readonly(
            "buckets",
            [](const Scenario& s) {
                py::array_t<int64_t> out(static_cast<py::ssize_t>(s.problems.size()));
                for (size_t i = 0; i < s.problems.size(); ++i) out.mutable_at(i) = s.problems[i].bucket;
                return out;
            },
            "The bucket of each problem.")
        .def_property_readonly(
            "maps",
            [](const Scenario& s) {
                py::list names;
                for (const Problem& p : s.problems) names.append(p.map);
                return names;
            },
            "The map file of each problem, as in the file; its folder is often wrong in published files.")
        .def("__repr__", [](const Scenario& s) { return "<Scenario: " + plural(s.problems.size(), "problem") + ">"; });
    m.def(
        "load_scenario", [](const py::object& path) { return take(load_scenario(file_of(path))); }, py::arg("path"),
        R"(Reads a MovingAI .scen file. Raises FileError with file, line and reason.

    scenario = terrane.load_scenario("arena.map.scen")
    paths = terrane.Planner(world).find_many(scenario.starts, scenario.goals, "walker", "astar"))");
}

void bind_profile(py::module_& m) {
    py::class_<Profile>(m, "Profile", R"(The terrain costs of an agent type.

Every function with a profile argument also accepts a dict or the name of a preset (presets()). A dict has a cost for each terrain by name,
from 0.01 to 650 in hundredths, or None for blocked; `otherwise` is the cost of all other terrains, 1 by default. Use Profile to read a
profile from a file, or to give it a name for messages.

>>> deer = terrane.Profile({"trees": 1, "road": 4, "deep_water": None, "otherwise": 2}, name="deer")
>>> deer.costs(terrane.World(numpy.zeros((4, 4), numpy.uint8)))["deep_water"] is None
True)")
        .def(py::init([](const py::object& rules, const std::string& name) {
                 Profile profile = profile_of(rules);
                 if (!name.empty()) profile.set_name(name);
                 return profile;
             }),
             py::arg("rules"), py::arg("name") = "")
        .def_static(
            "load", [](const py::object& path) { return take(load_profile(file_of(path))); }, py::arg("path"),
            "Reads a profile file: one line per terrain with its name and its cost or `blocked`. Raises FileError.")
        .def_property_readonly("name", &Profile::name, "The name; may be empty.")
        .def(
            "costs",
            [](const Profile& self, const WorldHandle& world) {
                const GridSnapshot grid = world.world.grid();
                const CostTable table = costs_of(py::cast(self), grid.catalogue());
                py::dict costs;
                for (uint32_t t = 0; t < grid.catalogue().size(); ++t) {
                    const Hundredths cost = table.hundredths(static_cast<Terrain>(t));
                    costs[py::str(grid.catalogue()[static_cast<Terrain>(t)].name)] =
                        cost == kBlocked ? py::object(py::none()) : py::object(py::float_(cost / 100.0));
                }
                return costs;
            },
            py::arg("world"), "Returns the cost of each terrain of a world, by name; None for blocked.")
        .def("__repr__", [](const Profile& p) { return p.name().empty() ? "<Profile>" : "<Profile '" + p.name() + "'>"; });
    m.def(
        "presets",
        [] {
            py::list names;
            for (const Profile& preset : Profile::presets()) names.append(preset.name());
            return names;
        },
        R"(Lists the names of the built-in profiles.

>>> terrane.presets()
['person', 'deer', 'outlaw', 'walker'])");
    m.def(
        "creature_colours",
        [] {
            py::list colours;
            for (const auto& [name, colour] : kCreatureColours) {
                char hex[8];
                std::snprintf(hex, sizeof hex, "#%02x%02x%02x", colour.r, colour.g, colour.b);
                colours.append(py::make_tuple(name, hex));
            }
            return colours;
        },
        R"(Lists the colours of creatures and their paths, (name, "#rrggbb"): those of the studio and of all pictures. They are distinct on every
terrain, also for colour-blind viewers. The presets have the first ones.

>>> terrane.creature_colours()[0]
('yellow', '#ffd34d'))");
}

}  // namespace

void bind_sources(py::module_& m) {
    bind_profile(m);
    bind_scenario(m);
    const py::tuple sixteen = py::make_tuple(16);
    m.def("load", &load, py::arg("path"), py::arg("sectors") = sixteen, py::arg("threads") = 1, py::arg("letters") = "guess",
          R"(Loads a world from a map of any format: MovingAI, Terrane, PNG or Tiled.

The first bytes determine the format; if they do not, the extension does. `letters` is the meaning of the letters of a .map file without
a catalogue: 'octile' (. G O @ T S W), 'terrain' (A + id) or 'guess'. Regions in a .terrane file are used if they match `sectors`; others
are built. Raises FileError with file, line and reason.)");
    m.def("loads", &loads, py::arg("text"), py::arg("sectors") = sixteen, py::arg("threads") = 1, py::arg("letters") = "guess",
          R"(Makes a world from the text or the bytes of a map; see load().

>>> world = terrane.loads("type octile\nheight 2\nwidth 3\nmap\n..@\n@..\n")
>>> world.terrains[world[0, 2]]
'wall')");
    m.def("generate", &generate, py::arg("kind"), py::arg("size") = py::none(), py::arg("seed") = py::none(), py::arg("sectors") = sixteen,
          py::arg("threads") = 1,
          R"(Generates a world. The same seed gives the same cells on every machine.

`size` is the side, or (width, height), in cells; by default 1024 for islands, 512 for the others. The default seed is 1. Generators and
their own options:

island    polygon, merge                  biomes, rivers, roads, in the standard terrains
rooms     room, doors, fill_isolated      square rooms; doors in percent of the walls
maze      corridor                        a perfect maze
random    density, fill_isolated          obstacles in random cells, in percent
scatter   terrains                        an independent random terrain for each cell
voronoi   sites, terrains                 areas of one terrain around random sites

>>> terrane.generate("island", size=(96, 64), seed=7)
<World of 96 x 64 cells, version 0>)");
}

}  // namespace terrane::python
