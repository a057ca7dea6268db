// The arguments of a query, converted from Python; for planners and queues.
#pragma once
#include "convert.h"

namespace terrane::python {

struct Query {
    CostTable costs;
    FindOptions options;
};

Query query_of(const WorldHandle& world, const py::object& profile, const py::object& method, const std::string& movement,
               const py::object& max_expansions, bool nearest, const py::object& bound, bool fallback);

}  // namespace terrane::python
