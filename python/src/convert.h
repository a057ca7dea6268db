// What all parts of the module share: values of Python to ours and back, refusals as exceptions, long calls without the GIL.
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

// A path as Python holds it.
struct PathHandle {
    Path path;
    std::string method;  // that found it
    size_t first = 0;    // of its cells: those of the first segment
};

// A world as Python holds it. Edits take the lock alone, so that any thread may edit; batches of queries share it, so that all of a batch
// are answered for one version. It is only ever waited for without the GIL.
struct WorldHandle {
    explicit WorldHandle(std::unique_ptr<World> made) : owned(std::move(made)), world(*owned) {}
    std::unique_ptr<World> owned;
    World& world;
    mutable std::shared_mutex editing;
};

// A world of a map, its regions built without the GIL.
std::unique_ptr<WorldHandle> make_handle(TerrainGrid grid, const WorldOptions& options);

// The parts of the module, a file each.
void bind_world(py::module_& m, py::class_<WorldHandle>& world);
void bind_sources(py::module_& m);
void bind_questions(py::module_& m, py::class_<WorldHandle>& world);
void bind_planner(py::module_& m, py::class_<PathHandle>& path);
void bind_queue(py::module_& m);
void bind_pathdb(py::module_& m, py::class_<WorldHandle>& world);
void bind_field(py::module_& m);
void bind_crowd(py::module_& m);
void bind_navmesh(py::module_& m);

// Refusals: terrane.FileError for what has a file to blame, terrane.BadValue for the rest (terrane/errors.py).
[[noreturn]] void raise(const Error& error);
[[noreturn]] void refuse(std::string reason, ErrorCode code = ErrorCode::kBadValue);
[[noreturn]] void raise_type(const std::string& message);  // TypeError: not a thing of the kind that is wanted

template <class T>
T take(Result<T>&& result) {
    if (!result) raise(result.error());
    return std::move(result).value();
}

// 'island' of 3 numbers, ...: how a message shows what it was given, cut short.
std::string shown(py::handle value);

// From Python. `what` is the argument's name, for messages.
int64_t whole_of(py::handle value, const char* what, int64_t least, int64_t most);
double number_of(py::handle value, const char* what);
std::string file_of(py::handle path);                            // str, bytes or os.PathLike
Cell cell_of(py::handle value, const char* what);                // (x, y), two whole numbers
std::vector<Cell> cells_of(py::handle value, const char* what);  // an array of shape (n, 2), or what numpy makes one of
Point point_of(py::handle value, const char* what);
std::vector<Point> points_of(py::handle value, const char* what);
Rect rect_of(py::handle value, const char* what);  // (left, top, right, bottom)
Movement movement_of(const std::string& name);
Terrain terrain_of(const Catalogue& catalogue, py::handle value, const char* what);  // a name or a number of the catalogue
Profile profile_of(py::handle value);                                                // a dict, the name of a preset, or a terrane.Profile
CostTable costs_of(py::handle value, const Catalogue& catalogue);
Method method_of(py::handle value);                      // a name; none for None
uint64_t budget_of(py::handle value, const char* what);  // None: unlimited
WorldOptions world_options_of(py::handle sectors, py::handle threads);
uint32_t threads_of(py::handle value);  // 0: as many as the machine has

// To Python. Arrays that share memory with `owner` keep it alive, and cannot be written to.
py::array_t<int32_t> cells_view(std::span<const Cell> cells, py::handle owner);
py::array_t<double> points_view(std::span<const Point> points, py::handle owner);
py::array_t<int32_t> cells_array(std::span<const Cell> cells);  // a copy
py::tuple cell_to(Cell cell);
// An int, or None where there is no way.
py::object cost_to(Cost cost);
std::string plural(uint64_t count, std::string_view noun);  // "1 cell", "3 vertices"

// Methods of one list (methods(), crowd_methods(), open_methods()): for each a dict of name, usage, summary, details, example.
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

// A thing that belongs to one thread at a time: made while the GIL is held, and dropped so.
class Busy {
public:
    Busy(bool& flag, const char* what);
    ~Busy() { flag_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

private:
    bool& flag_;
};

// Ctrl-C, where it was pressed: throws. With the GIL, outside of locks.
void check_signals();

// Calls slice() without the GIL until it returns true; looks for Ctrl-C in between.
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
inline constexpr uint64_t kSlice = 1 << 18;  // expansions: some 20 to 50 ms

// An edit, without the GIL, when no other edit and no batch is under way.
template <class Edit>
auto edit_alone(WorldHandle& handle, Edit&& edit) {
    const py::gil_scoped_release released;
    const std::unique_lock lock(handle.editing);
    return edit(handle.world);
}

}  // namespace terrane::python
