#include "terrane/world/preparation.h"

#include "base/catch_bad_alloc.h"
#include "terrane/base/assert.h"
#include "terrane/method/method_interface.h"
#include "world/preparation_impl.h"

namespace terrane {

Preparation::Impl::Impl(const WorldSnapshot& world, const CostTable& costs, const PrepareOptions& options) : grid(world.grid()) {
    const Method method = options.method ? options.method : *find_method("overlay:3");
    TERRANE_ASSERT(prepares(method));
    const Ground ground = world.ground(costs, options.movement);
    job = method.implementation().prepare(method, {ground, world.all_regions(), options.threads, options.max_bytes});
}

bool Preparation::Impl::run(uint64_t budget) {
    if (job == nullptr) return true;
    if (budget == 0 || !job->run(budget)) return false;
    result = job->take();
    job.reset();
    return true;
}

Preparation::Preparation(const WorldSnapshot& world, const CostTable& costs, const PrepareOptions& options) {
    const MemoryScope scope(world.grid().data().memory);
    impl_ = std::make_unique<Impl>(world, costs, options);
}
Preparation::~Preparation() = default;
Preparation::Preparation(Preparation&&) noexcept = default;
Preparation& Preparation::operator=(Preparation&&) noexcept = default;

bool Preparation::run(uint64_t budget) {
    const MemoryScope scope(impl_->grid.data().memory);
    return detail::catch_bad_alloc([&] { return impl_->run(budget); },
                                   [&] {
                                       impl_->job.reset();
                                       impl_->result = Error{ErrorCode::kNoMemory, {}, 0, "preparing failed: out of memory"};
                                       return true;
                                   });
}

double Preparation::progress() const { return impl_->job ? impl_->job->progress() : 1; }

}  // namespace terrane
