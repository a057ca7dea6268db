// The method dta:N.
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

// What is prepared for a profile, besides the world's regions. At most one of them.
struct DtaTables {
    bool exact = false;      // region edges cost what a local search finds, not an estimate
    uint32_t landmarks = 0;  // a heuristic for the search of regions: how many landmarks or dimensions, or all paths
    uint32_t embedding = 0;
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

struct DtaData final : PreparedData {
    static const PreparedKind kKind;

    DtaData(const Method& method, const Ground& ground, size_t most_bytes) : PreparedData(kKind, method, ground), max_bytes(most_bytes) {}

    bool serves(const GridMethod& asked, const Ground& ground) const override {
        if (&asked.factory() != &detail::kDtaMethod || !this->ground().same_agent(ground)) return false;
        const DtaMethod &own = as_dta(method().implementation()), &other = as_dta(asked);
        return own.sector_side == other.sector_side && own.tables == other.tables;
    }
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override;
    size_t bytes() const override { return (heuristic ? heuristic->bytes() : 0) + (edge_costs ? edge_costs->bytes() : 0); }

    const size_t max_bytes;  // PrepareOptions: a path table is rebuilt after edits
    std::optional<RegionHeuristic> heuristic;
    std::optional<ExactEdgeCosts> edge_costs;
};
const PreparedKind DtaData::kKind;

Result<SharedPrepared> build(const Method& method, const Ground& ground, const TerrainRegions& regions, uint32_t threads,
                             size_t max_bytes) {
    auto data = share<DtaData>(method, ground, max_bytes);
    const DtaTables& tables = as_dta(method.implementation()).tables;
    if (tables.exact) data->edge_costs = ExactEdgeCosts::build(regions, ground, threads);
    if (tables.landmarks > 0) data->heuristic = RegionHeuristic::landmarks(regions, ground, {tables.landmarks, threads});
    if (tables.embedding > 0) data->heuristic = RegionHeuristic::embedding(regions, ground, {tables.embedding});
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
            return Error{ErrorCode::kUnsupported, {}, 0, self.name() + " needs a world with sectors of that size (WorldOptions::sectors)"};
        },
        input.max_bytes);
}

// Repairs what has a repair, and rebuilds the rest: embeddings and path tables, and edge costs over several edits at once.
std::unique_ptr<PreparationJob> DtaData::update(const UpdateInput& input) const {
    const TerrainRegions* regions = find_regions(input.regions, as_dta(method().implementation()).sector_side);
    return one_step_job([this, edit = input.edit, ground = input.ground, after = *regions]() -> Result<SharedPrepared> {
        auto next = share<DtaData>(method(), ground, max_bytes);
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
        const DtaData* data = input.prepared == nullptr ? nullptr : input.prepared->as<DtaData>();
        if (data != nullptr && data->heuristic) options.search.heuristic = &*data->heuristic;
        if (data != nullptr && data->edge_costs) options.search.edge_costs = &*data->edge_costs;
        query_.begin(*regions, input.ground, input.start, input.goal, options);
        return Status::kBudgetSpent;
    }
};

// A search of one level: "astar", "wastar:W" or, where `both_ends` is not null, "nbs".
Result<Weight> parse_level(const MethodText& text, const char* level, const MethodText::Part& part, bool* both_ends) {
    if (part.name != "astar" && part.name != "wastar" && (part.name != "nbs" || both_ends == nullptr)) {
        return text.refuse(ErrorCode::kUnknownName, "no " + std::string(level) + " search " + detail::quote(part.text) +
                                                        "; there are: astar, wastar:W" + (both_ends == nullptr ? "" : ", nbs"));
    }
    const bool weighted = part.name == "wastar";
    if (part.argument.has_value() != weighted) {
        return text.refuse(ErrorCode::kBadValue,
                           "expected " + std::string(part.name) + (weighted ? ":W" : "") + ", not " + detail::quote(part.text));
    }
    if (part.name == "nbs") *both_ends = true;
    return weighted ? detail::parse_weight(text, *part.argument) : Result<Weight>(Weight{});
}

Result<DtaTables> parse_tables(const MethodText& text) {
    DtaTables tables{.exact = text.has("exact"), .paths = text.has("paths")};
    if (const MethodText::Part* part = text.option("landmarks")) {
        const auto count = text.count(*part, 1, kMaxRegionLandmarks, "landmarks");
        if (!count) return count.error();
        tables.landmarks = *count;
    }
    if (const MethodText::Part* part = text.option("embedding")) {
        const auto count = text.count(*part, 1, kMaxRegionDimensions, "dimensions of an embedding");
        if (!count) return count.error();
        tables.embedding = *count;
    }
    const int heuristics = (tables.landmarks > 0) + (tables.embedding > 0) + tables.paths;
    if (heuristics > 1) return text.refuse(ErrorCode::kBadValue, "one heuristic at a time");
    if (heuristics > 0 && tables.exact)
        return text.refuse(ErrorCode::kBadValue, "the heuristics bound estimates: leave one out with +exact");
    return tables;
}

Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    constexpr MethodOption kOptions[] = {{"trim"}, {"smooth"},         {"exact"},          {"cache"},
                                         {"bfs"},  {"landmarks", "N"}, {"embedding", "N"}, {"paths"}};
    if (!text.head.argument || text.levels.size() > 2) return text.expected(factory.info);
    const auto sector = detail::parse_sector(text, factory.info, true);
    if (!sector) return sector.error();
    DtaQueryOptions query;
    if (!text.levels.empty()) {
        const auto weight = parse_level(text, "abstract", text.levels[0], &query.search.both_ends);
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
     "dynamic terrain abstraction, sectors of N cells a side: regions first, then cells; near the optimum",
     "N: 4 to 128, or map; SEARCH: astar, wastar:W, nbs; REFINE: astar, wastar:W; OPTION: trim, smooth, cache, bfs; prepared for each "
     "profile: exact, landmarks:N, embedding:N, paths",
     "dta:16"},
    {.needs = MethodNeeds::kSectors, .early_cells = true},
    parse,
    make_dta_query};

}  // namespace detail

}  // namespace terrane
