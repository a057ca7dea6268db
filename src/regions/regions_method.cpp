// The method regions:N, the planner's default: a search over the portals of terrain regions.
#include "method/parsing.h"
#include "method/query_adapter.h"
#include "regions/regions_query.h"

namespace terrane {

namespace detail {
extern const MethodFactory kRegionsMethod;
}

namespace {

class RegionsMethod final : public GridMethod {
public:
    RegionsMethod(const MethodFactory& factory, std::string_view name, uint32_t side) : GridMethod(factory, name), sector_side(side) {}

    std::optional<uint32_t> sector() const override { return sector_side; }
    bool derives() const override { return true; }
    SharedPrepared derive(const Method& self, const Ground& ground) const override;

    const uint32_t sector_side;
};

const RegionsMethod& as_regions(const GridMethod& method) { return static_cast<const RegionsMethod&>(method); }

// The portals of a map under one movement rule, for all profiles. Empty at first; queries fill it.
struct DerivedPortals final : PreparedData {
    static const PreparedKind kKind;

    DerivedPortals(const Method& method, const Ground& ground)
        : PreparedData(kKind, method, ground), portals(ground.grid(), as_regions(method.implementation()).sector_side, ground.movement()) {}
    DerivedPortals(const DerivedPortals& before, const UpdateInput& input)
        : PreparedData(kKind, before.method(), input.ground), portals(before.portals, input.edit) {}

    bool serves(const GridMethod& asked, const Ground& ground) const override {
        return &asked.factory() == &detail::kRegionsMethod && as_regions(asked).sector_side == portals.side() &&
               ground.movement() == portals.movement();
    }
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override {
        return one_step_job([this, edit = input.edit, ground = input.ground]() -> Result<SharedPrepared> {
            return SharedPrepared(make_scoped_shared<DerivedPortals>(*this, UpdateInput{edit, ground, {}}));
        });
    }
    size_t bytes() const override { return portals.bytes(); }

    const detail::RegionPortals portals;
};
const PreparedKind DerivedPortals::kKind;

SharedPrepared RegionsMethod::derive(const Method& self, const Ground& ground) const {
    return make_scoped_shared<DerivedPortals>(self, ground);
}

class RegionsMethodQuery final : public detail::QueryAdapter<RegionsQuery> {
public:
    Status begin(const QueryInput& input) override {
        const DerivedPortals* data = input.prepared == nullptr ? nullptr : input.prepared->as<DerivedPortals>();
        if (data == nullptr) return Status::kNotPrepared;
        remember(input);
        query_.begin(data->portals, input.ground, input.start, input.goal);
        return Status::kBudgetSpent;
    }
    void answer(Path& out) const override {
        QueryAdapter::answer(out);
        if (query_.optimal()) out.bound = 1;
    }
};

Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    const auto known = text.check_options({});
    if (!known) return known.error();
    if (!text.levels.empty()) return text.expected(factory.info);
    const auto sector = detail::parse_sector(text, factory.info, false);
    if (!sector) return sector.error();
    if (*sector > detail::kLargestPortalSector) {
        return text.refuse(ErrorCode::kBadValue,
                           "sectors of this method have at most " + std::to_string(detail::kLargestPortalSector) + " cells per side");
    }
    return detail::make_method<RegionsMethod>(factory, text.text, *sector);
}

}  // namespace

namespace detail {

constinit const MethodFactory kRegionsMethod{
    {"regions", "regions:N", "the default: searches the portals between terrain regions in sectors of N cells a side; near-optimal",
     "N: 4 to 32", "regions:16"},
    {.needs = MethodNeeds::kSectors, .early_cells = true},
    parse,
    make_query<RegionsMethodQuery>};

}  // namespace detail

}  // namespace terrane
