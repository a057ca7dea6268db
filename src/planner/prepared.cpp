#include "terrane/prepared.h"

#include "planner/preparation.h"
#include "terrane/assert.h"

namespace terrane {

namespace {

bool same_costs(const CostTable& a, const CostTable& b) { return a.divisor == b.divisor && a.cost == b.cost; }

}  // namespace

bool prepares(const Method& method) { return method.family == Family::kOverlay; }

bool PreparedMethod::serves(const Method& asked, const CostTable& for_costs, Movement by) const {
    const bool same = asked.name.empty() ? method.family == Family::kOverlay : asked.family == method.family && asked.slots == method.slots;
    return same && movement == by && same_costs(costs, for_costs);
}

PreparedMethod PreparedMethod::updated(const EditResult& edit) const {
    PreparedMethod next{method, costs, movement, {}, {}};
    if (overlay) next.overlay = overlay->updated(edit);
    if (certificate) next.certificate = certificate->updated(edit);
    return next;
}

size_t PreparedMethod::bytes() const { return (overlay ? overlay->bytes() : 0) + (certificate ? certificate->bytes() : 0); }

Preparation::Impl::Impl(const GridSnapshot& map, const CostTable& costs, const PrepareOptions& with) : grid(map), options(with) {
    if (options.method.name.empty()) options.method = *find_method("overlay:2");
    TERRANE_ASSERT(prepares(options.method));
    made.method = options.method;
    made.costs = costs;
    made.movement = options.movement;
    builder.emplace(grid, costs, options.movement,
                    OverlayOptions{options.method.slots, options.landmarks, options.threads, options.max_bytes});
}

bool Preparation::Impl::run(uint64_t budget) {
    if (!builder) return true;
    if (!builder->run(budget)) return false;
    if (options.certificates > 0) {
        made.certificate = Certificate::build(grid, made.costs, made.movement, {options.certificates, options.threads});
    }
    made.overlay = builder->take();
    builder.reset();
    return true;
}

Preparation::Preparation(const GridSnapshot& grid, const CostTable& costs, const PrepareOptions& options)
    : impl_(std::make_unique<Impl>(grid, costs, options)) {}
Preparation::~Preparation() = default;
Preparation::Preparation(Preparation&&) noexcept = default;
Preparation& Preparation::operator=(Preparation&&) noexcept = default;

bool Preparation::run(uint64_t budget) { return impl_->run(budget); }
double Preparation::progress() const { return impl_->builder ? impl_->builder->progress() : 1; }

}  // namespace terrane
