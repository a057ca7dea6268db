#include "convert.h"

#include <cmath>
#include <limits>

namespace terrane::python {

namespace {

const char* name_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::kCannotOpen: return "cannot_open";
        case ErrorCode::kBadHeader: return "bad_header";
        case ErrorCode::kBadValue: return "bad_value";
        case ErrorCode::kBadLetter: return "bad_letter";
        case ErrorCode::kTruncated: return "truncated";
        case ErrorCode::kTrailing: return "trailing";
        case ErrorCode::kTooLarge: return "too_large";
        case ErrorCode::kUnknownName: return "unknown_name";
        case ErrorCode::kUnsupported: return "unsupported";
        case ErrorCode::kCancelled: return "cancelled";
        case ErrorCode::kNoMemory: return "no_memory";
    }
    return "bad_value";
}

[[noreturn]] void raise_as(const char* exception, const std::string& message, const Error& error) {
    const py::object type = py::module_::import("terrane.errors").attr(exception);
    const py::object made = type(message, name_of(error.code), error.file, error.line);
    PyErr_SetObject(type.ptr(), made.ptr());
    throw py::error_already_set();
}

std::string names_of(const Catalogue& catalogue) {
    std::string names;
    for (const TerrainType& type : catalogue.types()) names += (names.empty() ? "" : ", ") + type.name;
    return names;
}

// The `count` items of a tuple, list or array.
std::vector<py::object> items_of(py::handle value, const char* what, size_t count, const char* shape) {
    std::vector<py::object> items;
    if (PySequence_Check(value.ptr()) != 0 && !py::isinstance<py::str>(value)) {
        for (const py::handle item : value) {
            items.push_back(py::reinterpret_borrow<py::object>(item));
            if (items.size() > count) break;
        }
    }
    if (items.size() != count) raise_type(std::string(what) + " must be " + shape + "; got " + shown(value));
    return items;
}

// Converts to an array of shape (n, 2); n is 0 if the value is empty. `kinds` are the accepted numpy dtype kinds.
py::array pairs_of(py::handle value, const char* what, const char* kinds, const char* shape) {
    py::array array = py::array::ensure(value);
    if (!array) {
        PyErr_Clear();
        raise_type(std::string(what) + " must be " + shape + "; got " + shown(value));
    }
    if (array.size() == 0) return py::array_t<int64_t>(std::vector<py::ssize_t>{0, 2});
    if (array.dtype().kind() == 'b') {
        raise_type(std::string(what) + " must be " + shape +
                   "; got an array of bool: numpy.argwhere(mask)[:, ::-1] lists the cells of a mask");
    }
    if (std::string_view(kinds).find(array.dtype().kind()) == std::string_view::npos) {
        raise_type(std::string(what) + " must be " + shape + "; got " + py::str(array.dtype()).cast<std::string>() + ": use .astype(int)");
    }
    if (array.ndim() != 2 || array.shape(1) != 2) {
        refuse(std::string(what) + " must be " + shape + "; got the shape " + py::str(array.attr("shape")).cast<std::string>());
    }
    return array;
}

template <class T, class From>
auto view_of(std::span<const From> values, py::handle owner) {
    py::array_t<T> view({static_cast<py::ssize_t>(values.size()), py::ssize_t{2}}, reinterpret_cast<const T*>(values.data()), owner);
    view.attr("setflags")(py::arg("write") = false);
    return view;
}

}  // namespace

void raise(const Error& error) {
    if (error.code == ErrorCode::kNoMemory) throw std::bad_alloc();  // MemoryError
    raise_as(error.file.empty() ? "BadValue" : "FileError", error.message(), error);
}
void refuse(std::string reason, ErrorCode code) { raise(Error{code, {}, 0, std::move(reason)}); }

void raise_type(const std::string& message) {
    PyErr_SetString(PyExc_TypeError, message.c_str());
    throw py::error_already_set();
}

std::string shown(py::handle value) {
    auto text = py::repr(value).cast<std::string>();
    constexpr size_t kMost = 60;
    if (text.size() > kMost) text = text.substr(0, kMost) + "...";
    return text;
}

int64_t integer_of(py::handle value, const char* what, int64_t min, int64_t max) {
    const bool maybe = PyIndex_Check(value.ptr()) != 0 && PyBool_Check(value.ptr()) == 0;
    const auto index = py::reinterpret_steal<py::object>(maybe ? PyNumber_Index(value.ptr()) : nullptr);
    if (!index) {
        if (PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
        PyErr_Clear();  // numpy arrays have __index__, which fails
        raise_type(std::string(what) + " must be an integer; got " + shown(value));
    }
    int overflow = 0;
    const int64_t number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    if (overflow != 0 || number < min || number > max) {
        refuse(std::string(what) + " must be from " + std::to_string(min) + " to " + std::to_string(max) + "; got " + shown(value));
    }
    return number;
}

double number_of(py::handle value, const char* what) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        raise_type(std::string(what) + " must be a number; got " + shown(value));
    }
    return number;
}

std::string file_of(py::handle path) {
    PyObject* bytes = nullptr;
    if (PyUnicode_FSConverter(path.ptr(), static_cast<void*>(&bytes)) == 0) throw py::error_already_set();
    return py::reinterpret_steal<py::bytes>(bytes);
}

Cell cell_of(py::handle value, const char* what) {
    constexpr int64_t kFar = std::numeric_limits<int32_t>::max();
    const auto items = items_of(value, what, 2, "(x, y), two integers");
    return {static_cast<int32_t>(integer_of(items[0], what, -kFar, kFar)), static_cast<int32_t>(integer_of(items[1], what, -kFar, kFar))};
}

std::vector<Cell> cells_of(py::handle value, const char* what) {
    constexpr int64_t kFar = std::numeric_limits<int32_t>::max();
    const py::array_t<int64_t, py::array::forcecast> pairs(pairs_of(value, what, "iu", "an array of (x, y), integers"));
    const auto at = pairs.unchecked<2>();
    std::vector<Cell> cells(static_cast<size_t>(at.shape(0)));
    for (py::ssize_t i = 0; i < at.shape(0); ++i) {
        const auto inside = [&](int64_t v) { return static_cast<int32_t>(std::clamp(v, -kFar, kFar)); };
        cells[static_cast<size_t>(i)] = {inside(at(i, 0)), inside(at(i, 1))};
    }
    return cells;
}

Point point_of(py::handle value, const char* what) {
    const auto items = items_of(value, what, 2, "(x, y), two numbers");
    const Point point{number_of(items[0], what), number_of(items[1], what)};
    if (!is_finite(point)) refuse(std::string(what) + " has a coordinate that is not finite: " + shown(value));
    return point;
}

std::vector<Point> points_of(py::handle value, const char* what) {
    const py::array_t<double, py::array::forcecast> pairs(pairs_of(value, what, "iuf", "an array of (x, y), numbers"));
    const auto at = pairs.unchecked<2>();
    std::vector<Point> points(static_cast<size_t>(at.shape(0)));
    for (py::ssize_t i = 0; i < at.shape(0); ++i) points[static_cast<size_t>(i)] = {at(i, 0), at(i, 1)};
    return points;
}

Rect rect_of(py::handle value, const char* what) {
    const auto items = items_of(value, what, 4, "(x, y, width, height), four integers");
    const auto side = [&](size_t i) { return static_cast<int32_t>(integer_of(items[i], what, INT32_MIN, INT32_MAX)); };
    return {{side(0), side(1)}, {side(2), side(3)}};
}

Movement movement_of(const std::string& name) {
    for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kEightCutCorners, Movement::kFour}) {
        if (name == to_string(movement)) return movement;
    }
    refuse("movement must be 'eight', 'cutting' or 'four'; got '" + name + "'", ErrorCode::kUnknownName);
}

Terrain terrain_of(const Catalogue& catalogue, py::handle value, const char* what) {
    if (py::isinstance<py::str>(value)) {
        const auto name = value.cast<std::string>();
        if (const auto found = catalogue.find(name)) return *found;
        refuse("this map has no terrain '" + name + "'; it has " + names_of(catalogue), ErrorCode::kUnknownName);
    }
    if (PyIndex_Check(value.ptr()) == 0) raise_type(std::string(what) + " must be the name or id of a terrain; got " + shown(value));
    return static_cast<Terrain>(integer_of(value, what, 0, int64_t{catalogue.size()} - 1));
}

namespace {

// The cost of a terrain in a profile's dict; nullopt: blocked.
std::optional<double> rule_of(const std::string& terrain, py::handle value) {
    if (value.is_none() || (py::isinstance<py::str>(value) && value.cast<std::string>() == "blocked")) return std::nullopt;
    if (PyBool_Check(value.ptr()) != 0 || py::isinstance<py::str>(value)) {
        raise_type("the cost of '" + terrain + "' must be a number, or None for blocked; got " + shown(value));
    }
    const double cost = number_of(value, ("the cost of '" + terrain + "'").c_str());
    if (std::isinf(cost) && cost > 0) return std::nullopt;
    const double hundredths = std::round(cost * 100);
    if (!(hundredths >= kMinTerrainCost && hundredths <= kMaxTerrainCost && std::fabs(cost * 100 - hundredths) < 1e-6)) {
        refuse("the cost of '" + terrain + "' is " + shown(value) + "; costs are from 0.01 to 650 in hundredths, None is blocked");
    }
    return cost;
}

Profile profile_of_dict(const py::dict& rules) {
    Profile profile;
    for (const auto& [key, value] : rules) {
        if (!py::isinstance<py::str>(key)) raise_type("the keys of a profile must be names of terrains, or 'otherwise'; got " + shown(key));
        const auto terrain = key.cast<std::string>();
        const std::optional<double> cost = rule_of(terrain, value);
        if (terrain == "otherwise") {
            cost ? profile.otherwise(*cost) : profile.otherwise_blocked();
        } else {
            cost ? profile.cost(terrain, *cost) : profile.blocked(terrain);
        }
    }
    return profile;
}

}  // namespace

Profile profile_of(py::handle value) {
    if (py::isinstance<Profile>(value)) return value.cast<Profile>();
    if (py::isinstance<py::dict>(value)) return profile_of_dict(py::reinterpret_borrow<py::dict>(value));
    if (!py::isinstance<py::str>(value)) {
        raise_type(
            "a profile must be a dict such as {'trees': 1, 'water': None, 'otherwise': 2}, a preset's name, or a terrane.Profile; got " +
            shown(value));
    }
    const auto name = value.cast<std::string>();
    if (const Profile* preset = Profile::preset(name)) return *preset;
    std::string names;
    for (const Profile& preset : Profile::presets()) names += (names.empty() ? "" : ", ") + preset.name();
    refuse("no preset '" + name + "'; there are " + names + ". To read a profile file, use terrane.Profile.load", ErrorCode::kUnknownName);
}

CostTable costs_of(py::handle value, const Catalogue& catalogue) {
    auto costs = profile_of(value).compile(catalogue);
    if (!costs && costs.error().code == ErrorCode::kUnknownName) {
        Error error = costs.error();
        error.reason += "; it has " + names_of(catalogue);
        raise(error);
    }
    return take(std::move(costs));
}

Method method_of(py::handle value) {
    if (value.is_none()) return {};
    if (!py::isinstance<py::str>(value))
        raise_type("method must be a name such as 'astar' or 'dta:16+smooth', or None; got " + shown(value));
    return take(find_method(value.cast<std::string>()));
}

uint64_t budget_of(py::handle value, const char* what) {
    if (value.is_none()) return kUnlimited;
    return static_cast<uint64_t>(integer_of(value, what, 0, std::numeric_limits<int64_t>::max()));
}

uint32_t threads_of(py::handle value) { return static_cast<uint32_t>(integer_of(value, "threads", 0, 1024)); }

WorldOptions world_options_of(py::handle sectors, py::handle threads) {
    WorldOptions options;
    options.sectors.clear();
    options.threads = threads_of(threads);
    if (PyIndex_Check(sectors.ptr()) == 0 && PySequence_Check(sectors.ptr()) == 0) {
        raise_type("sectors must be the sector sizes to keep regions for, such as (16,) or (16, 32); got " + shown(sectors));
    }
    const py::object list =
        PyIndex_Check(sectors.ptr()) != 0 ? py::object(py::make_tuple(sectors)) : py::reinterpret_borrow<py::object>(sectors);
    for (const py::handle item : list) {
        const bool map = py::isinstance<py::str>(item) && item.cast<std::string>() == "map";
        const auto side = map ? kWholeMap : static_cast<uint32_t>(integer_of(item, "a sector size (unless 'map')", kMinSector, kMaxSector));
        if (std::ranges::find(options.sectors, side) != options.sectors.end()) refuse("sectors has " + shown(item) + " twice");
        options.sectors.push_back(side);
    }
    return options;
}

py::array_t<int32_t> cells_view(std::span<const Cell> cells, py::handle owner) { return view_of<int32_t>(cells, owner); }
py::array_t<double> points_view(std::span<const Point> points, py::handle owner) { return view_of<double>(points, owner); }

py::array_t<int32_t> cells_array(std::span<const Cell> cells) {
    return py::array_t<int32_t>({static_cast<py::ssize_t>(cells.size()), py::ssize_t{2}}, reinterpret_cast<const int32_t*>(cells.data()));
}

py::tuple cell_to(Cell cell) { return py::make_tuple(cell.x, cell.y); }
py::object cost_to(Cost cost) { return cost == kInfiniteCost ? py::object(py::none()) : py::object(py::int_(cost)); }
std::string plural(uint64_t count, std::string_view noun) {
    std::string word(noun);
    if (count != 1 && word.ends_with("ex")) {
        word.replace(word.size() - 2, 2, "ices");  // vertex
    } else if (count != 1) {
        word += 's';
    }
    return std::to_string(count) + " " + word;
}

Busy::Busy(bool& flag, const char* what) : flag_(flag) {
    if (flag) {
        PyErr_Format(PyExc_RuntimeError, "this %s is in use by another thread: use one per thread", what);
        throw py::error_already_set();
    }
    flag = true;
}

void check_signals() {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace terrane::python
