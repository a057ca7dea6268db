#include "terrane/world/prepared.h"

#include <algorithm>

#include "base/attempt.h"
#include "terrane/base/assert.h"
#include "world/preparation_impl.h"

namespace terrane {

namespace {

// Of a row of a path database, in the time that one portal takes.
constexpr uint64_t kCellsPerPortal = 5;

}  // namespace

bool prepares(const Method& method) { return method.family > Family::kDta; }

bool PreparedMethod::serves(const Method& asked, const CostTable& for_costs, Movement by) const {
    if (movement != by || (asked.name.empty() ? Family::kOverlay : asked.family) != method.family) return false;
    const auto same_walls = [&] { return PassableSet::of(costs, by) == PassableSet::of(for_costs, by); };
    switch (method.family) {
        case Family::kMm: return asked.sector == method.sector && asked.centres == method.centres && same_walls();
        case Family::kHpa: return asked.sector == method.sector && costs == for_costs;
        case Family::kPra: return asked.sectors == method.sectors && same_walls();
        case Family::kCpd: return costs == for_costs;
        default: return (asked.name.empty() || asked.slots == method.slots) && costs == for_costs;
    }
}

PreparedMethod PreparedMethod::updated(const EditResult& edit) const {
    PreparedMethod next{method, costs, movement, {}, {}, {}, {}, {}, database, {}};
    if (overlay) next.overlay = overlay->updated(edit);
    if (certificate) next.certificate = certificate->updated(edit);
    if (memory) next.memory = memory->updated(edit);
    if (entrances) next.entrances = entrances->updated(edit);
    if (cliques) next.cliques = cliques->updated(edit);
    if (perturbation) next.perturbation = perturbation->updated(edit);
    return next;
}

size_t PreparedMethod::bytes() const {
    const auto of = [](const auto& part) { return part ? part->bytes() : 0; };
    return of(overlay) + of(certificate) + (memory ? memory->bytes().total() : 0) + of(entrances) + of(cliques) + of(database) +
           of(perturbation);
}

Preparation::Impl::Impl(const GridSnapshot& map, const CostTable& costs, const PrepareOptions& with) : grid(map), options(with) {
    if (options.method.name.empty()) options.method = *find_method("overlay:2");
    TERRANE_ASSERT(prepares(options.method));
    TERRANE_ASSERT(options.certificates <= kMaxCertificateLandmarks);
    made.method = options.method;
    made.costs = costs;
    made.movement = options.movement;
    if (options.method.family == Family::kCpd) plan_database();
    if (options.method.family != Family::kOverlay) return;
    builder.emplace(Ground(grid, costs, options.movement),
                    OverlayOptions{options.method.slots, options.landmarks, options.threads, options.max_bytes});
}

void Preparation::Impl::plan_database() {
    if (options.database != nullptr) {
        const PathDatabase& given = *options.database;
        if (given.grid().layout() == grid.layout() && given.ground().movement() == options.movement &&
            given.ground().costs() == made.costs) {
            made.database = given;
        } else {
            error = Error{ErrorCode::kBadValue, {}, 0, "the path database is for another profile, movement rule or size of map"};
        }
        return;
    }
    PathDatabaseOptions with;
    with.encoding = options.encoding;
    with.threads = options.threads;
    if (options.max_bytes != 0) with.max_bytes = options.max_bytes;
    auto plan = PathDatabasePlan::make({grid, made.costs, options.movement}, with);
    if (plan) {
        database.emplace(std::move(*plan));
    } else {
        error = plan.error();
    }
}

void Preparation::Impl::build_database() {
    if (database) {
        auto built = database->take();
        if (!built) {
            error = built.error();
            return;
        }
        made.database = std::move(*built);
    }
    made.perturbation.emplace(*made.database, grid);
}

void Preparation::Impl::build() {
    const Movement movement = options.movement;
    const PassableSet set = PassableSet::of(made.costs, movement);
    switch (options.method.family) {
        case Family::kMm: {
            MinimalMemoryOptions with;
            with.sector = options.method.sector;
            with.optimise_centres = options.method.centres;
            with.threads = options.threads;
            made.memory = MinimalMemory::build(grid, set, movement, with);
            break;
        }
        case Family::kHpa: made.entrances = EntranceGraph::build({grid, made.costs, movement}, {options.method.sector}); break;
        case Family::kPra:
            made.cliques = Cliques::build(grid, set, movement, {options.method.sectors ? CliqueRule::kSectors : CliqueRule::kCliques});
            break;
        case Family::kCpd: build_database(); break;
        default:
            made.overlay = builder->take();
            if (options.certificates > 0) {
                made.certificate = Certificate::build({grid, made.costs, movement}, {options.certificates, options.threads});
            }
    }
}

bool Preparation::Impl::run(uint64_t budget) {
    if (done) return true;
    if (builder && !builder->run(budget)) return false;
    if (database && !database->run(std::max<uint64_t>(1, budget / (1 + grid.layout().cells() / kCellsPerPortal)))) return false;
    if (!error) build();
    builder.reset();
    database.reset();
    return done = true;
}

Preparation::Preparation(const GridSnapshot& grid, const CostTable& costs, const PrepareOptions& options) {
    const MemoryScope scope(grid.root().memory);
    impl_ = std::make_unique<Impl>(grid, costs, options);
}
Preparation::~Preparation() = default;
Preparation::Preparation(Preparation&&) noexcept = default;
Preparation& Preparation::operator=(Preparation&&) noexcept = default;

bool Preparation::run(uint64_t budget) {
    const MemoryScope scope(impl_->grid.root().memory);
    return detail::attempt([&] { return impl_->run(budget); },
                           [&] {
                               impl_->builder.reset();
                               impl_->database.reset();
                               impl_->made = {};
                               return impl_->out_of_memory = impl_->done = true;
                           });
}

double Preparation::progress() const {
    if (impl_->builder) return impl_->builder->progress();
    if (impl_->database) return impl_->database->progress();
    return impl_->done ? 1 : 0;
}

}  // namespace terrane
