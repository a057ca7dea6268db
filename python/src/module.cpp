// The module terrane._terrane: the library for Python. What users see is the package terrane, which takes all names from here.
#include "convert.h"

PYBIND11_MODULE(_terrane, m) {
    namespace py = pybind11;
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
}
