// The method `hpa:N`: parsing, preparation and queries.
#include "hpa/hpa_query.h"
#include "method/parsing.h"
#include "method/query_adapter.h"

namespace terrane {

namespace detail {
extern const MethodFactory kHpaMethod;
}

namespace {

class HpaMethod final : public GridMethod {
public:
    HpaMethod(const MethodFactory& factory, std::string_view name, uint32_t side, bool smoothed)
        : GridMethod(factory, name), sector_side(side), smooth(smoothed) {}

    bool prepares() const override { return true; }
    std::unique_ptr<PreparationJob> prepare(const Method& self, const PreparationInput& input) const override;

    const uint32_t sector_side;
    const bool smooth;
};

const HpaMethod& as_hpa(const GridMethod& method) { return static_cast<const HpaMethod&>(method); }

struct PreparedHpa final : PreparedData {
    static const PreparedKind kKind;
    PreparedHpa(const Method& method, const Ground& ground, EntranceGraph built)
        : PreparedData(kKind, method, ground), graph(std::move(built)) {}

    bool serves(const GridMethod& asked, const Ground& ground) const override {
        return &asked.factory() == &detail::kHpaMethod && as_hpa(asked).sector_side == as_hpa(method().implementation()).sector_side &&
               this->ground().same_agent(ground);
    }
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override {
        return one_step_job([this, edit = input.edit, ground = input.ground]() -> Result<SharedPrepared> {
            return SharedPrepared(make_scoped_shared<const PreparedHpa>(method(), ground, *graph.updated(edit)));
        });
    }
    size_t bytes() const override { return graph.bytes(); }

    const EntranceGraph graph;
};
const PreparedKind PreparedHpa::kKind;

std::unique_ptr<PreparationJob> HpaMethod::prepare(const Method& self, const PreparationInput& input) const {
    return one_step_job(
        [self, ground = input.ground, side = sector_side]() -> Result<SharedPrepared> {
            return SharedPrepared(make_scoped_shared<const PreparedHpa>(self, ground, EntranceGraph::build(ground, {side})));
        },
        input.max_bytes);
}

class HpaMethodQuery final : public detail::QueryAdapter<HpaQuery> {
public:
    Status begin(const QueryInput& input) override {
        remember(input);
        query_.begin(input.prepared->as<PreparedHpa>()->graph, input.start, input.goal, as_hpa(input.method.implementation()).smooth);
        return Status::kBudgetSpent;
    }
};

Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    constexpr MethodOption kOptions[] = {{"smooth"}};
    if (!text.levels.empty()) return text.expected(factory.info);
    const auto sector = detail::parse_sector(text, factory.info, false);
    if (!sector) return sector.error();
    const auto known = text.check_options(kOptions);
    if (!known) return known.error();
    return detail::make_method<HpaMethod>(factory, text.text, *sector, text.has("smooth"));
}

}  // namespace

namespace detail {

constinit const MethodFactory kHpaMethod{
    {"hpa", "hpa:N[+smooth]", "HPA*, sectors of N cells a side: searches the entrance graph, then refines to cells", "N: 4 to 128",
     "hpa:16"},
    {.needs = MethodNeeds::kProfile, .early_cells = true},
    parse,
    make_query<HpaMethodQuery>};

}  // namespace detail

}  // namespace terrane
