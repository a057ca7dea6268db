// Shared by all parts of the module: conversion of values, errors as exceptions, long calls without the GIL.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "terrane/terrane.h"

namespace terrane::python {

namespace py = pybind11;

// A path in Python.
struct PathHandle {
    Path path;
    std::string method;  // the method that answered
    size_t first = 0;    // length of the prefix that was ready first
};

// A world in Python. Edits hold the lock exclusively, so that any thread may edit; batches of queries share it, so that a batch sees one
// version. Threads wait for it only without the GIL.
struct WorldHandle {
    explicit WorldHandle(std::unique_ptr<World> made) : owned(std::move(made)), world(*owned) {}
    std::unique_ptr<World> owned;
    World& world;
    mutable std::shared_mutex editing;
};

// Makes a world; builds its regions without the GIL.
std::unique_ptr<WorldHandle> make_handle(TerrainGrid grid, const WorldOptions& options);

// The parts of the module, one file each.
void bind_world(py::module_& m, py::class_<WorldHandle>& world);
void bind_sources(py::module_& m);
void bind_questions(py::module_& m, py::class_<WorldHandle>& world);
void bind_planner(py::module_& m, py::class_<PathHandle>& path);
void bind_queue(py::module_& m);
void bind_path_database(py::module_& m, py::class_<WorldHandle>& world);
void bind_subdivision(py::module_& m);
void bind_crowd(py::module_& m);
void bind_navmesh(py::module_& m);

// Raise terrane.FileError for errors in a file, terrane.BadValue for others (terrane/errors.py).
[[noreturn]] void raise(const Error& error);
[[noreturn]] void refuse(std::string reason, ErrorCode code = ErrorCode::kBadValue);
[[noreturn]] void raise_type(const std::string& message);  // TypeError

template <class T>
T take(Result<T>&& result) {
    if (!result) raise(result.error());
    return std::move(result).value();
}

// repr(value) for messages, truncated.
std::string shown(py::handle value);

// From Python. Wrong types raise TypeError, wrong values BadValue; `what` is the name of the argument for the message.
int64_t integer_of(py::handle value, const char* what, int64_t min, int64_t max);
double number_of(py::handle value, const char* what);
std::string file_of(py::handle path);                            // str, bytes or os.PathLike
Cell cell_of(py::handle value, const char* what);                // (x, y), two integers
std::vector<Cell> cells_of(py::handle value, const char* what);  // an array of shape (n, 2), or anything that numpy converts to one
Point point_of(py::handle value, const char* what);
std::vector<Point> points_of(py::handle value, const char* what);
Rect rect_of(py::handle value, const char* what);  // (x, y, width, height)
Movement movement_of(const std::string& name);
Terrain terrain_of(const Catalogue& catalogue, py::handle value, const char* what);  // a name or id of the catalogue
Profile profile_of(py::handle value);                                                // a dict, the name of a preset, or a terrane.Profile
CostTable costs_of(py::handle value, const Catalogue& catalogue);
Method method_of(py::handle value);                      // a name; None: no method
uint64_t budget_of(py::handle value, const char* what);  // None: unlimited
WorldOptions world_options_of(py::handle sectors, py::handle threads);
uint32_t threads_of(py::handle value);  // 0: all cores

// To Python. Views share the memory of `owner`, keep it alive and are read-only.
py::array_t<int32_t> cells_view(std::span<const Cell> cells, py::handle owner);
py::array_t<double> points_view(std::span<const Point> points, py::handle owner);
py::array_t<int32_t> cells_array(std::span<const Cell> cells);  // a copy
py::tuple cell_to(Cell cell);
// An int; None for kInfiniteCost.
py::object cost_to(Cost cost);
std::string plural(uint64_t count, std::string_view noun);  // "1 cell", "3 vertices"

// A list of methods (methods(), crowd_methods(), subdivision_methods()) as dicts with name, usage, summary, details, example.
template <class Methods>
py::list methods_to(const Methods& methods) {
    py::list all;
    for (const auto* method : methods) {
        const MethodInfo& info = method->info;
        py::dict one;
        one["name"] = info.name, one["usage"] = info.usage, one["summary"] = info.summary;
        one["details"] = info.details, one["example"] = info.example;
        all.append(one);
    }
    return all;
}

// Guards an object that one thread at a time may use: raises RuntimeError if another call is running. Requires the GIL.
class Busy {
public:
    Busy(bool& flag, const char* what);
    ~Busy() { flag_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    bool& flag_;
};

// Throws if Ctrl-C was pressed. Requires the GIL; call it without holding locks.
void check_signals();

// Calls slice() without the GIL until it returns true; checks for Ctrl-C between slices.
template <class Slice>
void run_slices(Slice&& slice) {
    for (;;) {
        {
            const py::gil_scoped_release released;
            if (slice()) return;
        }
        check_signals();
    }
}
inline constexpr uint64_t kSlice = 1 << 18;  // expansions; takes about 20 to 50 ms

// Runs an edit without the GIL, exclusively of other edits and of batches.
template <class Edit>
auto edit_alone(WorldHandle& handle, Edit&& edit) {
    const py::gil_scoped_release released;
    const std::unique_lock lock(handle.editing);
    return edit(handle.world);
}

}  // namespace terrane::python
