// What is in a Preparation: for World, which takes it over.
#pragma once
#include <optional>

#include "terrane/cpd/path_database_builder.h"
#include "terrane/world/preparation.h"
#include "terrane/world/prepared.h"

namespace terrane {

struct Preparation::Impl : detail::InMemory {
    Impl(const GridSnapshot& map, const CostTable& costs, const PrepareOptions& with);
    bool run(uint64_t budget);
    void build();  // all that is not sliced
    void plan_database();
    void build_database();

    GridSnapshot grid;
    PrepareOptions options;
    std::optional<OverlayBuilder> builder;        // of overlays, until it is done
    std::optional<PathDatabaseBuilder> database;  // the same of path databases
    std::optional<Error> error;                   // why nothing can be made
    bool out_of_memory = false;                   // the same
    bool done = false;
    PreparedMethod made;
};

}  // namespace terrane
