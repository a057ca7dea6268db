// Implementation of Preparation, shared with World::install().
#pragma once
#include <memory>

#include "terrane/method/method_interface.h"
#include "terrane/world/world.h"

namespace terrane {

struct Preparation::Impl : detail::ScopeAllocated {
    Impl(const WorldSnapshot& world, const CostTable& costs, const PrepareOptions& options);
    bool run(uint64_t budget);

    GridSnapshot grid;
    std::unique_ptr<PreparationJob> job;               // until it is finished
    Result<SharedPrepared> result = SharedPrepared();  // after that
};

}  // namespace terrane
