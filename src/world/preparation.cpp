#include "terrane/world/preparation.h"

#include "base/attempt.h"
#include "terrane/base/assert.h"
#include "terrane/method/method_interface.h"
#include "world/preparation_impl.h"

namespace terrane {

Preparation::Impl::Impl(const WorldSnapshot& world, const CostTable& costs, const PrepareOptions& options) : grid(world.grid()) {
    const Method method = options.method ? options.method : *find_method("overlay:2");
    TERRANE_ASSERT(prepares(method));
    const Ground ground = world.ground(costs, options.movement);
    job = method.implementation().prepare(method, {ground, world.all_regions(), options.threads, options.max_bytes});
}

bool Preparation::Impl::run(uint64_t budget) {
    if (job == nullptr) return true;
    if (!job->run(budget)) return false;
    made = job->take();
    job.reset();
    return true;
}

Preparation::Preparation(const WorldSnapshot& world, const CostTable& costs, const PrepareOptions& options) {
    const MemoryScope scope(world.grid().root().memory);
    impl_ = std::make_unique<Impl>(world, costs, options);
}
Preparation::~Preparation() = default;
Preparation::Preparation(Preparation&&) noexcept = default;
Preparation& Preparation::operator=(Preparation&&) noexcept = default;

bool Preparation::run(uint64_t budget) {
    const MemoryScope scope(impl_->grid.root().memory);
    return detail::attempt([&] { return impl_->run(budget); },
                           [&] {
                               impl_->job.reset();
                               impl_->made = Error{ErrorCode::kNoMemory, {}, 0, "preparing ran out of memory"};
                               return true;
                           });
}

double Preparation::progress() const { return impl_->job ? impl_->job->progress() : 1; }

}  // namespace terrane
