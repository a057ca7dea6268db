// The method `minimal_memory:N`: parsing, preparation and queries.
#include "method/parsing.h"
#include "method/query_adapter.h"
#include "minimal_memory/minimal_memory_query.h"
#include "terrane/minimal_memory/prepared_minimal_memory.h"

namespace terrane {

namespace detail {
extern const MethodFactory kMinimalMemoryMethod;
}

namespace {

class MinimalMemoryMethod final : public GridMethod {
public:
    MinimalMemoryMethod(const MethodFactory& factory, const MethodText& text, uint32_t side)
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
                return SharedPrepared(make_scoped_shared<const PreparedMinimalMemory>(
                    self, ground, MinimalMemory::build(ground.grid(), set, ground.movement(), options)));
            },
            input.max_bytes);
    }

    const uint32_t sector_side;
    const bool optimise_centres;
    const MinimalMemoryQueryOptions query;
};

const MinimalMemoryMethod& as_minimal_memory(const GridMethod& method) { return static_cast<const MinimalMemoryMethod&>(method); }

class MinimalMemoryMethodQuery final : public detail::QueryAdapter<MinimalMemoryQuery> {
public:
    Status begin(const QueryInput& input) override {
        remember(input);
        query_.begin(input.prepared->as<PreparedMinimalMemory>()->minimal_memory, input.ground, input.start, input.goal,
                     as_minimal_memory(input.method.implementation()).query);
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
    return detail::make_method<MinimalMemoryMethod>(factory, text, *sector);
}

}  // namespace

const PreparedKind PreparedMinimalMemory::kKind;

bool PreparedMinimalMemory::serves(const GridMethod& asked, const Ground& ground) const {
    if (&asked.factory() != &detail::kMinimalMemoryMethod || &this->ground().rule() != &ground.rule()) return false;
    const MinimalMemoryMethod &own = as_minimal_memory(method().implementation()), &other = as_minimal_memory(asked);
    return own.sector_side == other.sector_side && own.optimise_centres == other.optimise_centres &&
           PassableSet::of(this->ground().costs(), ground.movement()) == PassableSet::of(ground.costs(), ground.movement());
}

std::unique_ptr<PreparationJob> PreparedMinimalMemory::update(const UpdateInput& input) const {
    return one_step_job([this, edit = input.edit, ground = input.ground]() -> Result<SharedPrepared> {
        return SharedPrepared(make_scoped_shared<const PreparedMinimalMemory>(method(), ground, *minimal_memory.updated(edit)));
    });
}

namespace detail {

constinit const MethodFactory kMinimalMemoryMethod{
    {"minimal_memory", "minimal_memory:N[+OPTION...]",
     "minimal-memory abstraction, sectors of N cells a side: searches connected regions, then refines to cells",
     "N: 4 to 128; OPTION: trim (omits the first and last centre), smooth, standin (searches regions from start and goal, not from their "
     "centres), centres (optimised)",
     "minimal_memory:16"},
    {.needs = MethodNeeds::kBlockedSet, .early_cells = true},
    parse,
    make_query<MinimalMemoryMethodQuery>};

}  // namespace detail

}  // namespace terrane
