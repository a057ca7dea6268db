// What is in a Preparation: for World, which takes it over.
#pragma once
#include <memory>

#include "terrane/method/method_interface.h"
#include "terrane/world/world.h"

namespace terrane {

struct Preparation::Impl : detail::InMemory {
    Impl(const WorldSnapshot& world, const CostTable& costs, const PrepareOptions& options);
    bool run(uint64_t budget);

    GridSnapshot grid;
    std::unique_ptr<PreparationJob> job;             // until it is done
    Result<SharedPrepared> made = SharedPrepared();  // then
};

}  // namespace terrane
