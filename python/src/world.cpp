// Worlds in Python: creation from arrays, reading, edits, watched paths, saving.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>

#include "convert.h"

namespace terrane::python {

namespace {

// Catalogues.

// Colours for terrains without one, in turn.
constexpr std::array<Rgb, 12> kColours = {{{222, 216, 200},
                                           {96, 100, 108},
                                           {110, 160, 90},
                                           {70, 120, 190},
                                           {200, 170, 110},
                                           {160, 110, 70},
                                           {150, 190, 150},
                                           {190, 80, 60},
                                           {230, 200, 90},
                                           {130, 90, 150},
                                           {90, 170, 170},
                                           {240, 240, 245}}};

Rgb colour_of(const std::string& name, size_t id) {
    for (const Catalogue* known : {&Catalogue::standard(), &Catalogue::octile()}) {
        if (const auto found = known->find(name)) return (*known)[*found].colour;
    }
    return kColours[id % kColours.size()];
}

Rgb rgb_of(py::handle value) {
    const py::sequence parts = py::reinterpret_borrow<py::sequence>(value);
    if (PySequence_Check(value.ptr()) == 0 || parts.size() != 3)
        raise_type("a colour must be (red, green, blue), 0 to 255; got " + shown(value));
    const auto part = [&](size_t i) { return static_cast<uint8_t>(integer_of(parts[i], "a colour component", 0, 255)); };
    return {part(0), part(1), part(2)};
}

// `A` + id, as in .map files; none beyond `~`.
char letter_of(size_t id) { return id <= '~' - 'A' ? static_cast<char>('A' + static_cast<char>(id)) : '\0'; }

Catalogue catalogue_of(py::handle terrains) {
    if (terrains.is_none()) return Catalogue::standard();
    if (py::isinstance<py::str>(terrains)) {
        const auto name = terrains.cast<std::string>();
        if (name == "standard") return Catalogue::standard();
        if (name == "octile") return Catalogue::octile();
        refuse("terrains must be 'standard', 'octile', or a list of names; got '" + name + "'", ErrorCode::kUnknownName);
    }
    if (PySequence_Check(terrains.ptr()) == 0)
        raise_type("terrains must be a list of names, or of (name, (r, g, b)); got " + shown(terrains));
    Catalogue catalogue;
    for (const py::handle item : terrains) {
        const size_t id = catalogue.size();
        TerrainType type;
        if (py::isinstance<py::str>(item)) {
            type.name = item.cast<std::string>();
            type.colour = colour_of(type.name, id);
        } else if (py::isinstance<py::tuple>(item) && py::len(item) == 2 && py::isinstance<py::str>(item.cast<py::tuple>()[0])) {
            type.name = item.cast<py::tuple>()[0].cast<std::string>();
            type.colour = rgb_of(item.cast<py::tuple>()[1]);
        } else {
            raise_type("terrains must have names, or tuples (name, (r, g, b)); got " + shown(item));
        }
        type.letter = letter_of(id);
        take(catalogue.add(std::move(type)));
    }
    if (catalogue.size() == 0) refuse("terrains is empty: expected at least one");
    return catalogue;
}

// Arrays of cells.

// A two-dimensional array of uint8 or bool in row order: the array itself if it has that layout, otherwise a copy.
py::array_t<uint8_t> bytes_of(py::handle value, const char* what) {
    const py::array array = py::array::ensure(value);
    if (!array) {
        PyErr_Clear();
        raise_type(std::string(what) + " must be an array of uint8; got " + shown(value));
    }
    const char kind = array.dtype().kind();
    if (array.itemsize() != 1 || (kind != 'u' && kind != 'b')) {
        raise_type(std::string(what) + " must be an array of uint8, the terrain id of each cell; got " +
                   py::str(array.dtype()).cast<std::string>() + ": use .astype(numpy.uint8)");
    }
    if (array.ndim() != 2) {
        refuse(std::string(what) + " must have two dimensions, rows and columns; got the shape " +
               py::str(array.attr("shape")).cast<std::string>());
    }
    const py::array plain = kind == 'b' ? py::array(array.attr("view")("uint8")) : array;
    return py::array_t<uint8_t, py::array::c_style>(plain);
}

std::span<const uint8_t> span_of(const py::array_t<uint8_t>& array) { return {array.data(), static_cast<size_t>(array.size())}; }

void check_cells(const py::array_t<uint8_t>& array, const Catalogue& catalogue, bool may_skip) {
    const auto cells = span_of(array);
    const auto width = static_cast<size_t>(array.shape(1));
    for (size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] < catalogue.size() || (may_skip && cells[i] == kOutside)) continue;
        refuse("cells[" + std::to_string(i / width) + ", " + std::to_string(i % width) + "] is " + std::to_string(cells[i]) +
               ", but there are " + plural(catalogue.size(), "terrain") + ", numbered from 0: add terrains, or change the value");
    }
}

// Copies the array to the map's tiles. Holds the GIL, so that no other thread writes to the array.
TerrainGrid grid_of(const py::array_t<uint8_t>& cells, Catalogue catalogue) {
    if (cells.size() == 0) refuse("cells is empty: expected at least one row and one column");
    if (cells.shape(0) > kMaxSide || cells.shape(1) > kMaxSide) {
        refuse("cells has a side of more than " + std::to_string(kMaxSide) + ": split the map", ErrorCode::kTooLarge);
    }
    check_cells(cells, catalogue, false);
    return {static_cast<int32_t>(cells.shape(1)), static_cast<int32_t>(cells.shape(0)), span_of(cells), std::move(catalogue)};
}

py::array_t<uint8_t> read_cells(const GridSnapshot& grid, const Rect& rect) {
    py::array_t<uint8_t> out({rect.height, rect.width});
    uint8_t* row = out.mutable_data();
    const auto width = static_cast<uint32_t>(rect.width);
    const py::gil_scoped_release released;
    for (int32_t y = rect.y; y < rect.bottom(); ++y, row += width) grid.copy_row({rect.x, y}, width, row);
    return out;
}

// The rectangle of world[y, x], world[10:20, 5:9] or world[y]: rows first, as in numpy. Within the map.
struct Index {
    Rect rect;
    bool one_row = false, one_column = false;
};

// Returns the first index and the number of indices.
std::pair<int32_t, int32_t> read_axis(py::handle key, int32_t size, bool& one) {
    if (py::isinstance<py::slice>(key)) {
        size_t start = 0, stop = 0, step = 0, length = 0;
        if (!key.cast<py::slice>().compute(static_cast<size_t>(size), &start, &stop, &step, &length)) throw py::error_already_set();
        if (step != 1) {
            refuse(
                "slices of a world cannot have a step: read from the array world.cells, and change cells by world.apply(cells, terrain)");
        }
        return {static_cast<int32_t>(start), static_cast<int32_t>(length)};
    }
    if (PyIndex_Check(key.ptr()) == 0 || (py::isinstance<py::array>(key) && key.attr("ndim").cast<int>() > 0)) {
        raise_type("the index of a world must be integers or slices; got " + shown(key) +
                   ". With a mask, an array of bool, read world.cells[mask], and change cells by "
                   "world.apply(numpy.argwhere(mask)[:, ::-1], terrain)");
    }
    one = true;
    const int64_t at = integer_of(key, "an index", -kMaxSide, kMaxSide);
    const auto from_zero = static_cast<int32_t>(at < 0 ? at + size : at);
    if (from_zero < 0 || from_zero >= size) {
        PyErr_Format(PyExc_IndexError, "index %lld is outside the map, which has size %d in that dimension (rows come first: world[y, x])",
                     static_cast<long long>(at), size);
        throw py::error_already_set();
    }
    return {from_zero, 1};
}

Index index_of(const GridSnapshot& grid, const py::object& key) {
    Index index;
    const bool both = py::isinstance<py::tuple>(key);
    if (both && py::len(key) != 2) raise_type("a world has two dimensions: world[y, x]");
    const py::object rows = both ? py::object(key.cast<py::tuple>()[0]) : key;
    const py::object columns = both ? py::object(key.cast<py::tuple>()[1]) : py::object(py::slice(py::none(), py::none(), py::none()));
    std::tie(index.rect.y, index.rect.height) = read_axis(rows, grid.height(), index.one_row);
    std::tie(index.rect.x, index.rect.width) = read_axis(columns, grid.width(), index.one_column);
    return index;
}

py::object get_item(const WorldHandle& self, const py::object& key) {
    const GridSnapshot grid = self.world.grid();
    const Index index = index_of(grid, key);
    if (index.one_row && index.one_column) return py::int_(grid.at(index.rect.corner()));
    py::array cells = read_cells(grid, index.rect);
    if (index.one_row) return cells[py::int_(0)];
    if (index.one_column) return cells.attr("reshape")(-1);
    return cells;
}

// Edits.

// Applies an array of cells with its upper left corner at `at`; kOutside leaves a cell unchanged.
WorldEdit edit_array(WorldHandle& self, const py::object& value, Cell at) {
    if (std::max(std::abs(at.x), std::abs(at.y)) > kMaxSide) refuse("at is far off the map: no cell of the array is on it");
    const py::array_t<uint8_t> cells = bytes_of(value, "cells");
    check_cells(cells, self.world.grid().catalogue(), true);
    std::vector<CellEdit> edits;
    edits.reserve(static_cast<size_t>(cells.size()));
    const auto terrain = cells.unchecked<2>();
    for (int32_t y = 0; y < cells.shape(0); ++y) {
        for (int32_t x = 0; x < cells.shape(1); ++x) {
            if (terrain(y, x) != kOutside) edits.push_back({{at.x + x, at.y + y}, terrain(y, x)});
        }
    }
    return edit_alone(self, [&](World& world) { return world.apply(edits); });
}

WorldEdit fill(WorldHandle& self, const Rect& rect, py::handle terrain) {
    const Terrain id = terrain_of(self.world.grid().catalogue(), terrain, "terrain");
    return edit_alone(self, [&](World& world) { return world.fill(rect, id); });
}

WorldEdit set_cell(WorldHandle& self, const py::object& cell, const py::object& terrain) {
    const Cell at = cell_of(cell, "cell");
    const GridSnapshot grid = self.world.grid();
    if (!grid.layout().contains(at)) {
        PyErr_Format(PyExc_IndexError, "(%d, %d) is outside the map of %d x %d cells", at.x, at.y, grid.width(), grid.height());
        throw py::error_already_set();
    }
    return fill(self, {at, {1, 1}}, terrain);
}

// world[10:20, 5:9] = "lava", or = an array of that shape.
void set_item(WorldHandle& self, const py::object& key, const py::object& value) {
    const Index index = index_of(self.world.grid(), key);
    const bool one = py::isinstance<py::str>(value) || PyIndex_Check(value.ptr()) != 0;
    if (one && !py::isinstance<py::array>(value)) {
        fill(self, index.rect, value);
        return;
    }
    const py::array_t<uint8_t> cells = bytes_of(value, "cells");
    if (cells.shape(0) != index.rect.height || cells.shape(1) != index.rect.width) {
        refuse("the array has the shape " + py::str(value.attr("shape")).cast<std::string>() + ", the slice (" +
               std::to_string(index.rect.height) + ", " + std::to_string(index.rect.width) + ")");
    }
    edit_array(self, value, index.rect.corner());
}

WorldEdit apply(WorldHandle& self, const py::object& cells, const py::object& terrains) {
    const std::vector<Cell> where = cells_of(cells, "cells");
    const GridSnapshot grid = self.world.grid();
    std::vector<CellEdit> edits;
    edits.reserve(where.size());
    if (py::isinstance<py::str>(terrains) || (PyIndex_Check(terrains.ptr()) != 0 && !py::isinstance<py::array>(terrains))) {
        const Terrain one = terrain_of(grid.catalogue(), terrains, "terrains");
        for (const Cell c : where) edits.push_back({c, one});
    } else {
        if (PySequence_Check(terrains.ptr()) == 0) raise_type("terrains must be one terrain, or one per cell; got " + shown(terrains));
        if (py::len(terrains) != where.size()) {
            refuse(plural(where.size(), "cell") + ", but " + plural(py::len(terrains), "terrain") +
                   ": expected one per cell, or one for all");
        }
        for (const py::handle item : terrains) edits.push_back({where[edits.size()], terrain_of(grid.catalogue(), item, "terrains")});
    }
    return edit_alone(self, [&](World& world) { return world.apply(edits); });
}

py::tuple rect_to(const Rect& r) { return py::make_tuple(r.x, r.y, r.width, r.height); }

void bind_edit(py::module_& m) {
    py::class_<WorldEdit>(m, "Edit", "The effects of an edit. An edit that changes no cell makes no new version.")
        .def_property_readonly(
            "cells_changed", [](const WorldEdit& e) { return e.grid.cells_changed; }, "Number of cells with a new terrain.")
        .def_property_readonly(
            "cells_outside", [](const WorldEdit& e) { return e.grid.cells_outside; },
            "Number of cells outside the map, which were ignored.")
        .def_property_readonly(
            "version", [](const WorldEdit& e) { return e.grid.after.version(); }, "The version of the map after the edit.")
        .def_property_readonly(
            "bounds",
            [](const WorldEdit& e) { return e.grid.cells_changed == 0 ? py::object(py::none()) : py::object(rect_to(e.grid.bounds)); },
            "The bounding box of the changed cells, (x, y, width, height); None if no cell changed.")
        .def_property_readonly(
            "sectors_repaired",
            [](const WorldEdit& e) {
                size_t sectors = 0;
                for (const RepairReport& repair : e.repairs) sectors += repair.sectors.size();
                return sectors;
            },
            "Number of sectors with changed regions or edges, summed over all sector sizes.")
        .def_property_readonly(
            "broken",
            [](const WorldEdit& e) {
                py::list ids;
                for (const WatchId id : e.broken) ids.append(id);
                return ids;
            },
            "Ids of the watched paths that the edit touched (World.watch), ascending.")
        .def("__repr__", [](const WorldEdit& e) {
            return "<Edit: " + plural(e.grid.cells_changed, "cell") + " changed, version " + std::to_string(e.grid.after.version()) + ">";
        });
}

void save(const WorldHandle& self, const py::object& path) {
    const std::string file = file_of(path);
    const WorldSnapshot now = self.world.snapshot();
    auto saved = [&] {
        const py::gil_scoped_release released;
        return file.ends_with(".terrane") ? save_world(file, now) : save_map(file, now.grid());
    }();
    take(std::move(saved));
}

py::tuple terrain_names(const Catalogue& catalogue) {
    py::tuple names(catalogue.size());
    for (size_t t = 0; t < names.size(); ++t) names[t] = catalogue[static_cast<Terrain>(t)].name;
    return names;
}

constexpr const char* kWorldDoc = R"(A map, its terrain regions and its prepared data.

World(cells, terrains=None, sectors=(16,), threads=1)

`cells` is an array of uint8 (or bool) with the terrain id of each cell, cells[y, x]. It is copied once, into the world's tiles of 32x32
cells; an array that is not contiguous is copied twice. `terrains` names the ids from 0: a list of names, or of (name, (r, g, b)); 'octile';
or None for the standard terrains (terrains()). `sectors` are the sector sizes to keep regions for, which dta:N requires; () for none.

Cells are (x, y) with (0, 0) in the upper left corner; world[y, x] indexes rows first, as the array does.

>>> ground = numpy.zeros((40, 60), numpy.uint8)
>>> ground[10:30, 30] = 1
>>> world = terrane.World(ground, terrains=["grass", "wall"])
>>> world
<World of 60 x 40 cells, version 0>
>>> path = terrane.Planner(world).find((5, 20), (55, 20), {"wall": None})
>>> path.status
'found'

Thread-safe: any thread may edit a world while others search it. A query sees the version on which it began.)";

}  // namespace

std::unique_ptr<WorldHandle> make_handle(TerrainGrid grid, const WorldOptions& options) {
    const py::gil_scoped_release released;
    return std::make_unique<WorldHandle>(std::make_unique<World>(std::move(grid), options));
}

void bind_world(py::module_& m, py::class_<WorldHandle>& world) {
    bind_edit(m);
    world.attr("__doc__") = kWorldDoc;
    world
        .def(py::init([](const py::object& cells, const py::object& terrains, const py::object& sectors, const py::object& threads) {
                 const WorldOptions with = world_options_of(sectors, threads);
                 return make_handle(grid_of(bytes_of(cells, "cells"), catalogue_of(terrains)), with);
             }),
             py::arg("cells"), py::arg("terrains") = py::none(), py::arg("sectors") = py::make_tuple(16), py::arg("threads") = 1)
        .def_property_readonly(
            "width", [](const WorldHandle& w) { return w.world.grid().width(); }, "Width in cells.")
        .def_property_readonly(
            "height", [](const WorldHandle& w) { return w.world.grid().height(); }, "Height in cells.")
        .def_property_readonly(
            "shape", [](const WorldHandle& w) { return py::make_tuple(w.world.grid().height(), w.world.grid().width()); },
            "(height, width), as in numpy.")
        .def_property_readonly(
            "version", [](const WorldHandle& w) { return w.world.grid().version(); },
            "0 for a new world; increases by one with every edit that changes a cell.")
        .def_property_readonly(
            "terrains", [](const WorldHandle& w) { return terrain_names(w.world.grid().catalogue()); }, "The names of the terrains, by id.")
        .def_property_readonly(
            "colours",
            [](const WorldHandle& w) {
                const GridSnapshot grid = w.world.grid();
                py::array_t<uint8_t> out({static_cast<py::ssize_t>(grid.catalogue().size()), py::ssize_t{3}});
                uint8_t* to = out.mutable_data();
                for (const TerrainType& type : grid.catalogue().types())
                    *to++ = type.colour.r, *to++ = type.colour.g, *to++ = type.colour.b;
                return out;
            },
            "The colour of each terrain, (red, green, blue): an array of shape (n, 3), uint8.")
        .def_property_readonly(
            "sectors",
            [](const WorldHandle& w) {
                py::list sizes;
                for (const TerrainRegions& r : w.world.snapshot().all_regions()) {
                    sizes.append(r.sector() == kWholeMap ? py::object(py::str("map")) : py::object(py::int_(r.sector())));
                }
                return py::tuple(sizes);
            },
            "The sector sizes for which the world keeps regions.")
        .def_property_readonly(
            "cells",
            [](const WorldHandle& w) {
                const GridSnapshot grid = w.world.grid();
                return read_cells(grid, grid.layout().rect());
            },
            R"(The terrain id of every cell: a new array of shape (height, width), uint8.

A copy, because the map is stored in tiles: writing to it does not change the world.

>>> world = terrane.generate("rooms", size=64, seed=3)
>>> world.cells.shape, world.cells.dtype
((64, 64), dtype('uint8')))")
        .def(
            "__array__",
            [](const WorldHandle& w, const py::object& dtype) {
                const GridSnapshot grid = w.world.grid();
                const py::array cells = read_cells(grid, grid.layout().rect());
                return dtype.is_none() ? py::object(cells) : cells.attr("astype")(dtype);
            },
            py::arg("dtype") = py::none())
        .def_property_readonly(
            "bytes", [](const WorldHandle& w) { return w.world.bytes(); },
            "Memory of the current version in bytes: terrain, regions, prepared data.")
        .def("__getitem__", &get_item, py::arg("key"))
        .def("__setitem__", &set_item, py::arg("key"), py::arg("value"))
        .def(
            "at",
            [](const WorldHandle& w, const py::object& cell) -> py::object {
                const GridSnapshot grid = w.world.grid();
                const Terrain t = grid.at(cell_of(cell, "cell"));
                return t == kOutside ? py::object(py::none()) : py::object(py::str(grid.catalogue()[t].name));
            },
            py::arg("cell"), R"(Returns the name of the terrain at (x, y); None off the map.

>>> terrane.generate("maze", size=33, seed=1).at((0, 0))
'wall')")
        .def(
            "count",
            [](const WorldHandle& w, const py::object& terrain) {
                const GridSnapshot grid = w.world.grid();
                return grid.count(terrain_of(grid.catalogue(), terrain, "terrain"));
            },
            py::arg("terrain"), "Returns the number of cells with a terrain. Takes constant time.")
        .def("set", &set_cell, py::arg("cell"), py::arg("terrain"),
             R"(Sets the terrain of one cell, (x, y), by name or id. Returns the effects of the edit.

Updates the map, its regions and its prepared data. Raises IndexError off the map.

>>> world = terrane.World(numpy.zeros((8, 8), numpy.uint8), terrains=["grass", "lava"])
>>> world.set((3, 4), "lava")
<Edit: 1 cell changed, version 1>
>>> world[4, 3]
1)")
        .def(
            "fill",
            [](WorldHandle& w, const py::object& rect, const py::object& terrain) { return fill(w, rect_of(rect, "rect"), terrain); },
            py::arg("rect"), py::arg("terrain"),
            "Sets the terrain of a rectangle, (x, y, width, height). Cells off the map are counted and ignored.")
        .def(
            "edit", [](WorldHandle& w, const py::object& cells, const py::object& at) { return edit_array(w, cells, cell_of(at, "at")); },
            py::arg("cells"), py::arg("at") = py::make_tuple(0, 0),
            R"(Sets cells to those of an array, whose [0, 0] is placed at `at`, (x, y).

255 leaves a cell unchanged. Cells off the map are counted and ignored. This is one edit: each sector is repaired once.

>>> world = terrane.World(numpy.zeros((8, 8), numpy.uint8), terrains=["grass", "rock"])
>>> brush = numpy.array([[255, 1, 255], [1, 1, 1], [255, 1, 255]], numpy.uint8)
>>> world.edit(brush, at=(6, 2)).cells_changed
4
>>> world.edit(brush, at=(6, 2)).cells_outside
1)")
        .def("apply", &apply, py::arg("cells"), py::arg("terrains"),
             "Sets the terrain of cells, an array of shape (n, 2), to one terrain or to one terrain per cell, in one edit.")
        .def("save", &save, py::arg("path"),
             "Writes a .terrane file (map and regions) or a .map file (map only). Atomic: an existing file is replaced only by a complete "
             "one.")
        .def(
            "to_bytes",
            [](const WorldHandle& w) {
                const WorldSnapshot now = w.world.snapshot();
                return py::bytes(take(format_world(now)));
            },
            R"(Returns the bytes of a .terrane file; loads() reads them.

>>> world = terrane.generate("voronoi", size=48, seed=2, sites=9)
>>> bool((terrane.loads(world.to_bytes()).cells == world.cells).all())
True)")
        .def(
            "watch",
            [](WorldHandle& w, const PathHandle& path) { return edit_alone(w, [&](World& edited) { return edited.watch(path.path); }); },
            py::arg("path"), R"(Watches a path: later edits that touch it have its watch id in Edit.broken. Returns the id.

>>> world = terrane.World(numpy.zeros((20, 20), numpy.uint8), terrains=["grass", "rock"])
>>> path = terrane.Planner(world).find((1, 1), (18, 1), {"rock": None})
>>> watch = world.watch(path)
>>> world.set((9, 1), "rock").broken == [watch]
True)")
        .def(
            "unwatch", [](WorldHandle& w, uint64_t id) { return edit_alone(w, [&](World& edited) { return edited.unwatch(id); }); },
            py::arg("watch"), "Ends a watch. Returns False if there is no such watch.")
        .def("__repr__", [](const WorldHandle& w) {
            const GridSnapshot grid = w.world.grid();
            return "<World of " + std::to_string(grid.width()) + " x " + std::to_string(grid.height()) + " cells, version " +
                   std::to_string(grid.version()) + ">";
        });
    m.def(
        "terrains", [](const std::string& name) { return terrain_names(catalogue_of(py::str(name))); }, py::arg("catalogue") = "standard",
        R"(Lists the names of the terrains of a catalogue, 'standard' or 'octile', by id.

>>> terrane.terrains("octile")
('ground', 'grass', 'wall', 'void', 'trees', 'swamp', 'water'))");
}

}  // namespace terrane::python
