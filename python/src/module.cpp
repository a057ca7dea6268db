// The extension module terrane._terrane. The package terrane re-exports all its names.
#include "convert.h"

namespace {

namespace py = pybind11;

// The allocation function that pybind11 calls for an object that was created by __new__ without __init__.
void* refuse_uninitialised(size_t) {
    PyErr_SetString(PyExc_TypeError, "this object was never initialised: call its class, not __new__ alone");
    throw py::error_already_set();
}

// Without this, the methods of such an object would read uninitialised memory.
void refuse_uninitialised_objects(const py::module_& m) {
    for (const auto& [name, value] : m.attr("__dict__").cast<py::dict>()) {
        if (!py::isinstance<py::type>(value)) continue;
        for (py::detail::type_info* type : py::detail::all_type_info(reinterpret_cast<PyTypeObject*>(value.ptr()))) {
            type->operator_new = refuse_uninitialised;
        }
    }
}

}  // namespace

PYBIND11_MODULE(_terrane, m) {
    using namespace terrane::python;
    m.doc() = "The extension module of Terrane; use it through the package terrane.";
    m.attr("__version__") = TERRANE_VERSION;
    py::class_<WorldHandle> world(m, "World");
    py::class_<PathHandle> path(m, "Path");
    bind_sources(m);
    bind_world(m, world);
    bind_planner(m, path);
    bind_questions(m, world);
    bind_path_database(m, world);
    bind_queue(m);
    bind_subdivision(m);
    bind_crowd(m);
#ifdef TERRANE_HAS_NAVMESH
    bind_navmesh(m);
#endif
    refuse_uninitialised_objects(m);
}
