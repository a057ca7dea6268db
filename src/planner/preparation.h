// What is in a Preparation: for World, which takes it over.
#pragma once
#include <optional>

#include "terrane/prepared.h"

namespace terrane {

struct Preparation::Impl {
    Impl(const GridSnapshot& map, const CostTable& costs, const PrepareOptions& with);
    bool run(uint64_t budget);

    GridSnapshot grid;
    PrepareOptions options;
    std::optional<OverlayBuilder> builder;  // until it is done
    PreparedMethod made;
};

}  // namespace terrane
