// Queries by the name of a method.
#pragma once
#include "terrane/world/planner.h"

namespace terrane::test {

inline FindOptions by(const char* method) {
    FindOptions options;
    options.method = find_method(method).value();
    return options;
}

inline Path find_in_slices(Planner& planner, Cell start, Cell goal, const CostTable& costs, const char* method, uint64_t budget) {
    planner.begin(start, goal, costs, by(method));
    while (planner.run(budget) == Status::kBudgetSpent) {
    }
    Path path;
    planner.path(path);
    return path;
}

}  // namespace terrane::test
