// The method `pra:K`: parsing, preparation and queries.
#include "method/parsing.h"
#include "method/query_adapter.h"
#include "pra/pra_query.h"

namespace terrane {

namespace detail {
extern const MethodFactory kPraMethod;
}

namespace {

class PraMethod final : public GridMethod {
public:
    PraMethod(const MethodFactory& factory, std::string_view name, uint32_t nodes, CliqueRule merged)
        : GridMethod(factory, name), k(nodes), rule(merged) {}

    bool prepares() const override { return true; }
    std::unique_ptr<PreparationJob> prepare(const Method& self, const PreparationInput& input) const override;

    const uint32_t k;  // nodes of each level to refine at a time
    const CliqueRule rule;
};

const PraMethod& as_pra(const GridMethod& method) { return static_cast<const PraMethod&>(method); }

// Serves all profiles with the same blocked set.
struct PreparedPra final : PreparedData {
    static const PreparedKind kKind;
    PreparedPra(const Method& method, const Ground& ground, Cliques built)
        : PreparedData(kKind, method, ground), cliques(std::move(built)) {}

    bool serves(const GridMethod& asked, const Ground& ground) const override {
        return &asked.factory() == &detail::kPraMethod && as_pra(asked).rule == as_pra(method().implementation()).rule &&
               &this->ground().rule() == &ground.rule() &&
               PassableSet::of(this->ground().costs(), ground.movement()) == PassableSet::of(ground.costs(), ground.movement());
    }
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override {
        return one_step_job([this, edit = input.edit, ground = input.ground]() -> Result<SharedPrepared> {
            return SharedPrepared(make_scoped_shared<const PreparedPra>(method(), ground, *cliques.updated(edit)));
        });
    }
    size_t bytes() const override { return cliques.bytes(); }

    const Cliques cliques;
};
const PreparedKind PreparedPra::kKind;

std::unique_ptr<PreparationJob> PraMethod::prepare(const Method& self, const PreparationInput& input) const {
    return one_step_job(
        [self, ground = input.ground, by = rule]() -> Result<SharedPrepared> {
            const PassableSet set = PassableSet::of(ground.costs(), ground.movement());
            return SharedPrepared(
                make_scoped_shared<const PreparedPra>(self, ground, Cliques::build(ground.grid(), set, ground.movement(), {by})));
        },
        input.max_bytes);
}

class PraMethodQuery final : public detail::QueryAdapter<PraQuery> {
public:
    Status begin(const QueryInput& input) override {
        remember(input);
        query_.begin(input.prepared->as<PreparedPra>()->cliques, input.ground, input.start, input.goal,
                     as_pra(input.method.implementation()).k);
        return Status::kBudgetSpent;
    }
};

Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    constexpr MethodOption kOptions[] = {{"sectors"}};
    if (!text.levels.empty() || !text.head.argument) return text.expected(factory.info);
    const auto k = *text.head.argument == "inf" ? kWholePath : detail::parse_integer<uint32_t>(*text.head.argument, 1, 1000);
    if (!k) {
        return text.refuse(ErrorCode::kBadValue, "K is 1 to 1000 nodes, or inf, not " + detail::quote(*text.head.argument));
    }
    const auto known = text.check_options(kOptions);
    if (!known) return known.error();
    return detail::make_method<PraMethod>(factory, text.text, *k, text.has("sectors") ? CliqueRule::kSectors : CliqueRule::kCliques);
}

}  // namespace

namespace detail {

constinit const MethodFactory kPraMethod{
    {"pra", "pra:K[+sectors]", "PRA*, K nodes at a time: searches a level of a clique abstraction, then refines level by level to cells",
     "K: 1 to 1000, or inf (the whole path at once); sectors: merges squares of 2x2 nodes instead of cliques", "pra:inf"},
    {.needs = MethodNeeds::kBlockedSet, .early_cells = true},
    parse,
    make_query<PraMethodQuery>};

}  // namespace detail

}  // namespace terrane
