// The module terrane._terrane: the library for Python. What users see is the package terrane, which takes all names from here.
#include "convert.h"

namespace {

namespace py = pybind11;

// What pybind11 calls for memory where an object was made by __new__ alone, without __init__.
void* refuse_unmade(size_t) {
    PyErr_SetString(PyExc_TypeError, "this object was never initialised: call its class, not __new__ alone");
    throw py::error_already_set();
}

// Without this, a method of such an object would read memory that nothing was written to.
void refuse_unmade_objects(const py::module_& m) {
    for (const auto& [name, value] : m.attr("__dict__").cast<py::dict>()) {
        if (!py::isinstance<py::type>(value)) continue;
        for (py::detail::type_info* type : py::detail::all_type_info(reinterpret_cast<PyTypeObject*>(value.ptr()))) {
            type->operator_new = refuse_unmade;
        }
    }
}

}  // namespace

PYBIND11_MODULE(_terrane, m) {
    using namespace terrane::python;
    m.doc() = "Terrane's library; use it through the package terrane.";
    m.attr("__version__") = TERRANE_VERSION;
    py::class_<WorldHandle> world(m, "World");
    py::class_<PathHandle> path(m, "Path");
    bind_sources(m);
    bind_world(m, world);
    bind_planner(m, path);
    bind_questions(m, world);
    bind_pathdb(m, world);
    bind_queue(m);
    bind_field(m);
    bind_crowd(m);
#ifdef TERRANE_HAS_NAVMESH
    bind_navmesh(m);
#endif
    refuse_unmade_objects(m);
}
