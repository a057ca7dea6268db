// The method dta:N: Dynamic Terrain Abstraction.
#include <algorithm>
#include <optional>

#include "dta/dta_query.h"
#include "method/parsing.h"
#include "method/query_adapter.h"
#include "terrane/dta/edge_costs.h"
#include "terrane/dta/region_heuristics.h"

namespace terrane {

namespace detail {
extern const MethodFactory kDtaMethod;
}

namespace {

// Tables prepared for a profile, in addition to the world's regions; at most one is set.
struct DtaTables {
    bool exact = false;      // exact edge costs instead of estimates
    uint32_t landmarks = 0;  // heuristics of the region search: number of landmarks, number of FastMap dimensions, or a path table
    uint32_t fastmap = 0;
    bool paths = false;
    friend bool operator==(const DtaTables&, const DtaTables&) = default;
};

class DtaMethod final : public GridMethod {
public:
    DtaMethod(const MethodFactory& factory, std::string_view name, uint32_t side, const DtaTables& with, const DtaQueryOptions& options)
        : GridMethod(factory, name), sector_side(side), tables(with), query(options) {}

    std::optional<uint32_t> sector() const override { return sector_side; }
    bool prepares() const override { return tables != DtaTables{}; }
    std::unique_ptr<PreparationJob> prepare(const Method& self, const PreparationInput& input) const override;

    const uint32_t sector_side;
    const DtaTables tables;
    const DtaQueryOptions query;  // without tables
};

const DtaMethod& as_dta(const GridMethod& method) { return static_cast<const DtaMethod&>(method); }

const TerrainRegions* find_regions(std::span<const TerrainRegions> all, uint32_t sector) {
    const auto found = std::ranges::find(all, sector, &TerrainRegions::sector);
    return found == all.end() ? nullptr : &*found;
}

struct PreparedDta final : PreparedData {
    static const PreparedKind kKind;

    PreparedDta(const Method& method, const Ground& ground, size_t most_bytes)
        : PreparedData(kKind, method, ground), max_bytes(most_bytes) {}

    bool serves(const GridMethod& asked, const Ground& ground) const override {
        if (&asked.factory() != &detail::kDtaMethod || !this->ground().same_agent(ground)) return false;
        const DtaMethod &own = as_dta(method().implementation()), &other = as_dta(asked);
        return own.sector_side == other.sector_side && own.tables == other.tables;
    }
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override;
    size_t bytes() const override { return (heuristic ? heuristic->bytes() : 0) + (edge_costs ? edge_costs->bytes() : 0); }

    const size_t max_bytes;  // of PrepareOptions; kept to rebuild a path table after edits
    std::optional<RegionHeuristic> heuristic;
    std::optional<ExactEdgeCosts> edge_costs;
};
const PreparedKind PreparedDta::kKind;

Result<SharedPrepared> build(const Method& method, const Ground& ground, const TerrainRegions& regions, uint32_t threads,
                             size_t max_bytes) {
    auto data = make_scoped_shared<PreparedDta>(method, ground, max_bytes);
    const DtaTables& tables = as_dta(method.implementation()).tables;
    if (tables.exact) data->edge_costs = ExactEdgeCosts::build(regions, ground, threads);
    if (tables.landmarks > 0) data->heuristic = RegionHeuristic::landmarks(regions, ground, {tables.landmarks, threads});
    if (tables.fastmap > 0) data->heuristic = RegionHeuristic::fastmap(regions, ground, {tables.fastmap});
    if (tables.paths) {
        PathTableOptions options;
        options.threads = threads;
        if (max_bytes != 0) options.max_bytes = max_bytes;
        auto table = RegionHeuristic::path_table(regions, ground, options);
        if (!table) return table.error();
        data->heuristic = std::move(*table);
    }
    return SharedPrepared(data);
}

std::unique_ptr<PreparationJob> DtaMethod::prepare(const Method& self, const PreparationInput& input) const {
    const TerrainRegions* found = find_regions(input.regions, sector_side);
    auto regions = found == nullptr ? std::optional<TerrainRegions>() : *found;
    return one_step_job(
        [self, ground = input.ground, regions, threads = input.threads, max_bytes = input.max_bytes]() -> Result<SharedPrepared> {
            if (regions) return build(self, ground, *regions, threads, max_bytes);
            return Error{
                ErrorCode::kUnsupported, {}, 0, self.name() + " needs a world with sectors of that size; add it to WorldOptions::sectors"};
        },
        input.max_bytes);
}

// Repairs landmarks and edge costs. Rebuilds FastMap and path tables, and edge costs after several edits at once.
std::unique_ptr<PreparationJob> PreparedDta::update(const UpdateInput& input) const {
    const TerrainRegions* regions = find_regions(input.regions, as_dta(method().implementation()).sector_side);
    return one_step_job([this, edit = input.edit, ground = input.ground, after = *regions]() -> Result<SharedPrepared> {
        auto next = make_scoped_shared<PreparedDta>(method(), ground, max_bytes);
        if (heuristic) next->heuristic = heuristic->updated(after);
        if (edge_costs) next->edge_costs = edge_costs->updated(after, edit);
        if (next->heuristic || next->edge_costs) return SharedPrepared(next);
        return build(method(), ground, after, 1, max_bytes);
    });
}

class DtaMethodQuery final : public detail::QueryAdapter<DtaQuery> {
public:
    using QueryAdapter::QueryAdapter;

    Status begin(const QueryInput& input) override {
        const DtaMethod& method = as_dta(input.method.implementation());
        const TerrainRegions* regions = find_regions(input.regions, method.sector_side);
        if (regions == nullptr) return Status::kNotPrepared;
        remember(input);
        DtaQueryOptions options = method.query;
        const PreparedDta* data = input.prepared == nullptr ? nullptr : input.prepared->as<PreparedDta>();
        if (data != nullptr && data->heuristic) options.search.heuristic = &*data->heuristic;
        if (data != nullptr && data->edge_costs) options.search.edge_costs = &*data->edge_costs;
        query_.begin(*regions, input.ground, input.start, input.goal, options);
        return Status::kBudgetSpent;
    }
};

// Parses the search of one level: "astar", "wastar:W" or, if `bidirectional` is not null, "nbs".
Result<Weight> parse_level(const MethodText& text, const char* level, const MethodText::Part& part, bool* bidirectional) {
    if (part.name != "astar" && part.name != "wastar" && (part.name != "nbs" || bidirectional == nullptr)) {
        return text.refuse(ErrorCode::kUnknownName, "no " + std::string(level) + " search " + detail::quote(part.text) +
                                                        "; expected one of: astar, wastar:W" + (bidirectional == nullptr ? "" : ", nbs"));
    }
    const bool weighted = part.name == "wastar";
    if (part.argument.has_value() != weighted) {
        return text.refuse(ErrorCode::kBadValue,
                           "expected " + std::string(part.name) + (weighted ? ":W" : "") + ", not " + detail::quote(part.text));
    }
    if (part.name == "nbs") *bidirectional = true;
    return weighted ? detail::parse_weight(text, *part.argument) : Result<Weight>(Weight{});
}

Result<DtaTables> parse_tables(const MethodText& text) {
    DtaTables tables{.exact = text.has("exact"), .paths = text.has("paths")};
    if (const MethodText::Part* part = text.option("landmarks")) {
        const auto count = text.count(*part, 1, kMaxRegionLandmarks, "landmarks");
        if (!count) return count.error();
        tables.landmarks = *count;
    }
    if (const MethodText::Part* part = text.option("fastmap")) {
        const auto count = text.count(*part, 1, kMaxRegionDimensions, "FastMap dimensions");
        if (!count) return count.error();
        tables.fastmap = *count;
    }
    const int heuristics = (tables.landmarks > 0) + (tables.fastmap > 0) + tables.paths;
    if (heuristics > 1) return text.refuse(ErrorCode::kBadValue, "choose only one heuristic");
    if (heuristics > 0 && tables.exact)
        return text.refuse(ErrorCode::kBadValue, "heuristics bound estimated edge costs; remove +exact or the heuristic");
    return tables;
}

Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    constexpr MethodOption kOptions[] = {{"trim"}, {"smooth"},         {"exact"},        {"cache"},
                                         {"bfs"},  {"landmarks", "N"}, {"fastmap", "N"}, {"paths"}};
    if (!text.head.argument || text.levels.size() > 2) return text.expected(factory.info);
    const auto sector = detail::parse_sector(text, factory.info, true);
    if (!sector) return sector.error();
    DtaQueryOptions query;
    if (!text.levels.empty()) {
        const auto weight = parse_level(text, "abstract", text.levels[0], &query.search.bidirectional);
        if (!weight) return weight.error();
        query.search.weight = *weight;
    }
    if (text.levels.size() > 1) {
        const auto weight = parse_level(text, "refinement", text.levels[1], nullptr);
        if (!weight) return weight.error();
        query.refinement = *weight;
    }
    const auto known = text.check_options(kOptions);
    if (!known) return known.error();
    query.trim = text.has("trim");
    query.smooth = text.has("smooth");
    query.cache = text.has("cache");
    query.bfs = text.has("bfs");
    const auto tables = parse_tables(text);
    if (!tables) return tables.error();
    return detail::make_method<DtaMethod>(factory, text.text, *sector, *tables, query);
}

std::unique_ptr<MethodQuery> make_dta_query(size_t cache_bytes) { return std::make_unique<DtaMethodQuery>(cache_bytes); }

}  // namespace

namespace detail {

constinit const MethodFactory kDtaMethod{
    {"dta", "dta:N[/SEARCH[/REFINE]][+OPTION...]",
     "dynamic terrain abstraction with sectors of N cells a side: searches regions, then refines to cells; near-optimal",
     "N: 4 to 128, or map; SEARCH: astar, wastar:W, nbs; REFINE: astar, wastar:W; OPTION: trim, smooth, cache, bfs; prepared for each "
     "profile: exact, landmarks:N, fastmap:N, paths",
     "dta:16"},
    {.needs = MethodNeeds::kSectors, .early_cells = true},
    parse,
    make_dta_query};

}  // namespace detail

}  // namespace terrane
