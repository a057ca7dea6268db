#include "grid_search/cell_method.h"

#include <array>
#include <optional>

#include "method/parsing.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane::detail {

namespace {

constexpr auto kOctileOnly = std::span<const MethodOption>();
constexpr MethodOption kTables[] = {{"landmarks", "N"}, {"fastmap", "N"}};
constexpr MethodOption kAStarTables[] = {{"landmarks", "N"}, {"fastmap", "N"}, {"lower_bounds", "N"}};

struct CellData final : PreparedData {
    static const PreparedKind kKind;

    CellData(const Method& method, const Ground& ground) : PreparedData(kKind, method, ground) {}

    const CellHeuristic& heuristic() const { return cell_method(method().implementation())->heuristic; }
    bool serves(const GridMethod& asked, const Ground& ground) const override {
        const CellMethod* cells = cell_method(asked);
        return cells != nullptr && cells->heuristic == heuristic() && this->ground().same_agent(ground);
    }
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override;
    size_t bytes() const override {
        return (landmarks ? landmarks->bytes() : 0) + (fastmap ? fastmap->bytes() : 0) + (lower_bounds ? lower_bounds->bytes() : 0);
    }

    std::optional<DifferentialHeuristic> landmarks;
    std::optional<FastMapHeuristic> fastmap;
    std::optional<LowerBoundTable> lower_bounds;
};
const PreparedKind CellData::kKind;

SharedPrepared build(const Method& method, const Ground& ground, uint32_t threads) {
    auto data = make_scoped_shared<CellData>(method, ground);
    const CellHeuristic& with = data->heuristic();
    if (with.landmarks > 0) data->landmarks = DifferentialHeuristic::build(ground, {with.landmarks, threads});
    if (with.fastmap > 0) data->fastmap = FastMapHeuristic::build(ground, {with.fastmap});
    if (with.lower_bounds > 0) data->lower_bounds = LowerBoundTable::build(ground, {with.lower_bounds, threads});
    return data;
}

// FastMap has no repair for cells that became cheaper, so it is rebuilt then.
std::unique_ptr<PreparationJob> CellData::update(const UpdateInput& input) const {
    return one_step_job([this, edit = input.edit, ground = input.ground]() -> Result<SharedPrepared> {
        auto next = make_scoped_shared<CellData>(method(), ground);
        if (landmarks) next->landmarks = landmarks->updated(edit);
        if (fastmap) next->fastmap = fastmap->updated(edit);
        if (lower_bounds) next->lower_bounds = lower_bounds->updated(edit);
        const bool complete = landmarks.has_value() == next->landmarks.has_value() && fastmap.has_value() == next->fastmap.has_value() &&
                              lower_bounds.has_value() == next->lower_bounds.has_value();
        return complete ? SharedPrepared(next) : build(method(), ground, 1);
    });
}

class CellQuery final : public MethodQuery {
public:
    Status begin(const QueryInput& input) override {
        const CellData* data = input.prepared == nullptr ? nullptr : input.prepared->as<CellData>();
        SearchOptions options{input.method, kUnlimited, input.watcher};
        if (data != nullptr && data->landmarks) options.landmarks = &*data->landmarks;
        if (data != nullptr && data->fastmap) options.fastmap = &*data->fastmap;
        if (data != nullptr && data->lower_bounds) options.lower_bounds = &*data->lower_bounds;
        search_.begin(input.ground, input.start, input.goal, options);
        return search_.status();
    }
    Status run(uint64_t budget) override { return search_.run(budget); }
    uint64_t expansions() const override { return search_.expansions(); }
    void answer(Path& out) const override {
        search_.path(out);
        out.expansions_first = out.expansions;
        cells_first_ = out.cells.size();
    }
    size_t cells_first() const override { return cells_first_; }
    size_t bytes() const override { return search_.bytes(); }

private:
    GridSearch search_;
    mutable size_t cells_first_ = 0;  // set when the path is written, which happens in one piece
};

Result<CellHeuristic> parse_heuristic(const MethodText& text) {
    CellHeuristic out;
    const auto take = [&](const char* option, uint32_t most, const char* what, uint32_t& count) -> Result<void> {
        const MethodText::Part* part = text.option(option);
        if (part == nullptr) return {};
        const auto value = text.count(*part, 1, most, what);
        if (!value) return value.error();
        count = *value;
        return {};
    };
    for (const auto& taken :
         {take("landmarks", kMaxLandmarks, "landmarks", out.landmarks), take("fastmap", kMaxDimensions, "FastMap dimensions", out.fastmap),
          take("lower_bounds", kMaxLowerBoundLandmarks, "landmarks of lower_bounds", out.lower_bounds)}) {
        if (!taken) return taken.error();
    }
    if ((out.landmarks > 0) + (out.fastmap > 0) + (out.lower_bounds > 0) > 1) {
        return text.refuse(ErrorCode::kBadValue, "choose only one heuristic");
    }
    return out;
}

Result<SharedGridMethod> parse_cells(const MethodText& text, const MethodFactory& factory, const CellAlgorithm& algorithm,
                                     bool takes_weight, std::span<const MethodOption> options) {
    if (!text.levels.empty() || text.head.argument.has_value() != takes_weight) return text.expected(factory.info);
    const auto weight = takes_weight ? parse_weight(text, *text.head.argument) : Result<Weight>(Weight{});
    if (!weight) return weight.error();
    const auto known = text.check_options(options);
    if (!known) return known.error();
    const auto heuristic = parse_heuristic(text);
    if (!heuristic) return heuristic.error();
    return make_method<CellMethod>(factory, text.text, algorithm, *weight, *heuristic);
}

template <const CellAlgorithm& kAlgorithm, bool kWeighted, const auto& kOptions>
Result<SharedGridMethod> parse(const MethodText& text, const MethodFactory& factory) {
    return parse_cells(text, factory, kAlgorithm, kWeighted, kOptions);
}

constexpr MethodCapabilities cells(MethodGuarantee guarantee) {
    return {.guarantee = guarantee, .searches_cells = true, .custom_rules = true};
}

}  // namespace

const CellMethod* cell_method(const GridMethod& method) {
    return method.factory().make_query == &make_query<CellQuery> ? static_cast<const CellMethod*>(&method) : nullptr;
}

double CellMethod::guarantee() const {
    return factory().capabilities.guarantee == MethodGuarantee::kNone ? GridMethod::guarantee() : weight.value();
}

std::unique_ptr<PreparationJob> CellMethod::prepare(const Method& self, const PreparationInput& input) const {
    return one_step_job(
        [self, ground = input.ground, threads = input.threads]() -> Result<SharedPrepared> { return build(self, ground, threads); },
        input.max_bytes);
}

constinit const MethodFactory kAStarMethod{
    {"astar", "astar[+HEURISTIC]", "A* with the octile heuristic or a better one: optimal",
     "HEURISTIC, prepared for each profile: landmarks:N (1 to 256), fastmap:N (1 to 64 dimensions), lower_bounds:N (1 to 64 landmarks)",
     "astar"},
    cells(MethodGuarantee::kOptimal),
    parse<kAStar, false, kAStarTables>,
    make_query<CellQuery>};
constinit const MethodFactory kCanonicalMethod{
    {"canonical", "canonical", "A* with canonical ordering: optimal, faster than astar, other paths of the same cost", "", "canonical"},
    cells(MethodGuarantee::kOptimal),
    parse<kCanonicalAStar, false, kOctileOnly>,
    make_query<CellQuery>};
constinit const MethodFactory kWeightedAStarMethod{{"wastar", "wastar:W[+HEURISTIC]", "weighted A*: at most W times the optimum",
                                                    "W: 1 to 100; HEURISTIC: landmarks:N, fastmap:N", "wastar:1.5"},
                                                   cells(MethodGuarantee::kBounded),
                                                   parse<kWeightedAStar, true, kTables>,
                                                   make_query<CellQuery>};
constinit const MethodFactory kFocalMethod{
    {"focal", "focal:E[+HEURISTIC]", "focal search with an optimistic priority: at most E times the optimum",
     "E: 1 to 100; HEURISTIC: landmarks:N, fastmap:N", "focal:1.5"},
    cells(MethodGuarantee::kBounded),
    parse<kFocal, true, kTables>,
    make_query<CellQuery>};
constinit const MethodFactory kNbsMethod{
    {"nbs", "nbs[+HEURISTIC]", "near-optimal bidirectional search (NBS): optimal", "HEURISTIC: landmarks:N, fastmap:N", "nbs"},
    cells(MethodGuarantee::kOptimal),
    parse<kNbs, false, kTables>,
    make_query<CellQuery>};
constinit const MethodFactory kDijkstraMethod{
    {"dijkstra", "dijkstra", "Dijkstra's algorithm: optimal, without a heuristic", "", "dijkstra"},
    cells(MethodGuarantee::kOptimal),
    parse<kDijkstra, false, kOctileOnly>,
    make_query<CellQuery>};
constinit const MethodFactory kGreedyMethod{{"greedy", "greedy", "greedy best-first search: few expansions, no guarantee", "", "greedy"},
                                            cells(MethodGuarantee::kNone),
                                            parse<kGreedy, false, kOctileOnly>,
                                            make_query<CellQuery>};

}  // namespace terrane::detail
