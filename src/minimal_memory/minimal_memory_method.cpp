// The method mm:N.
#include "method/parsing.h"
#include "method/query_adapter.h"
#include "minimal_memory/mm_query.h"
#include "terrane/minimal_memory/minimal_memory_data.h"

namespace terrane {

namespace detail {
extern const MethodFactory kMinimalMemoryMethod;
}

namespace {

class MmMethod final : public GridMethod {
public:
    MmMethod(const MethodFactory& factory, const MethodText& text, uint32_t side)
        : GridMethod(factory, text.text),
          sector_side(side),
          optimise_centres(text.has("centres")),
          query{{}, text.has("trim"), text.has("smooth"), text.has("standin")} {}

    bool prepares() const override { return true; }
    std::unique_ptr<PreparationJob> prepare(const Method& self, const PreparationInput& input) const override {
        MinimalMemoryOptions options;
        options.sector = sector_side;
        options.optimise_centres = optimise_centres;
        options.threads = input.threads;
        return one_step_job(
            [self, ground = input.ground, options]() -> Result<SharedPrepared> {
                const PassableSet set = PassableSet::of(ground.costs(), ground.movement());
                return SharedPrepared(
                    share<const MinimalMemoryData>(self, ground, MinimalMemory::build(ground.grid(), set, ground.movement(), options)));
            },
            input.max_bytes);
    }

    const uint32_t sector_side;
    const bool optimise_centres;
    const MmQueryOptions query;
};

const MmMethod& as_mm(const GridMethod& method) { return static_cast<const MmMethod&>(method); }

class MmMethodQuery final : public detail::QueryAdapter<MmQuery> {
public:
    Status begin(const QueryInput& input) override {
        remember(input);
        query_.begin(input.prepared->as<MinimalMemoryData>()->memory, input.ground, input.start, input.goal,
                     as_mm(input.method.implementation()).query);
        return Status::kBudgetSpent;
    }
};

Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    constexpr MethodOption kOptions[] = {{"trim"}, {"smooth"}, {"standin"}, {"centres"}};
    if (!text.levels.empty()) return text.expected(factory.info);
    const auto sector = detail::parse_sector(text, factory.info, false);
    if (!sector) return sector.error();
    const auto known = text.check_options(kOptions);
    if (!known) return known.error();
    return detail::make_method<MmMethod>(factory, text, *sector);
}

}  // namespace

const PreparedKind MinimalMemoryData::kKind;

bool MinimalMemoryData::serves(const GridMethod& asked, const Ground& ground) const {
    if (&asked.factory() != &detail::kMinimalMemoryMethod || &this->ground().rule() != &ground.rule()) return false;
    const MmMethod &own = as_mm(method().implementation()), &other = as_mm(asked);
    return own.sector_side == other.sector_side && own.optimise_centres == other.optimise_centres &&
           PassableSet::of(this->ground().costs(), ground.movement()) == PassableSet::of(ground.costs(), ground.movement());
}

std::unique_ptr<PreparationJob> MinimalMemoryData::update(const UpdateInput& input) const {
    return one_step_job([this, edit = input.edit, ground = input.ground]() -> Result<SharedPrepared> {
        return SharedPrepared(share<const MinimalMemoryData>(method(), ground, *memory.updated(edit)));
    });
}

namespace detail {

constinit const MethodFactory kMinimalMemoryMethod{
    {"mm", "mm:N[+OPTION...]", "minimal-memory abstraction, sectors of N cells a side: connected regions first, then cells",
     "N: 4 to 128; OPTION: trim, smooth, standin (start and goal replace their regions' centres), centres (optimised)", "mm:16"},
    {.needs = MethodNeeds::kBlockedSet, .early_cells = true},
    parse,
    make_query<MmMethodQuery>};

}  // namespace detail

}  // namespace terrane
