#include "grid_search/cell_method.h"

#include <array>
#include <optional>

#include "method/parsing.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane::detail {

namespace {

constexpr auto kOctileOnly = std::span<const MethodOption>();
constexpr MethodOption kTables[] = {{"landmarks", "N"}, {"embedding", "N"}};
constexpr MethodOption kAStarTables[] = {{"landmarks", "N"}, {"embedding", "N"}, {"certificates", "N"}};

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
        return (landmarks ? landmarks->bytes() : 0) + (embedding ? embedding->bytes() : 0) + (certificate ? certificate->bytes() : 0);
    }

    std::optional<DifferentialHeuristic> landmarks;
    std::optional<EmbeddingHeuristic> embedding;
    std::optional<Certificate> certificate;
};
const PreparedKind CellData::kKind;

SharedPrepared build(const Method& method, const Ground& ground, uint32_t threads) {
    auto data = share<CellData>(method, ground);
    const CellHeuristic& with = data->heuristic();
    if (with.landmarks > 0) data->landmarks = DifferentialHeuristic::build(ground, {with.landmarks, threads});
    if (with.embedding > 0) data->embedding = EmbeddingHeuristic::build(ground, {with.embedding});
    if (with.certificates > 0) data->certificate = Certificate::build(ground, {with.certificates, threads});
    return data;
}

// An embedding has no repair where cells became cheaper: it is rebuilt.
std::unique_ptr<PreparationJob> CellData::update(const UpdateInput& input) const {
    return one_step_job([this, edit = input.edit, ground = input.ground]() -> Result<SharedPrepared> {
        auto next = share<CellData>(method(), ground);
        if (landmarks) next->landmarks = landmarks->updated(edit);
        if (embedding) next->embedding = embedding->updated(edit);
        if (certificate) next->certificate = certificate->updated(edit);
        const bool complete = landmarks.has_value() == next->landmarks.has_value() &&
                              embedding.has_value() == next->embedding.has_value() &&
                              certificate.has_value() == next->certificate.has_value();
        return complete ? SharedPrepared(next) : build(method(), ground, 1);
    });
}

class CellQuery final : public MethodQuery {
public:
    Status begin(const QueryInput& input) override {
        const CellData* data = input.prepared == nullptr ? nullptr : input.prepared->as<CellData>();
        SearchOptions options{input.method, kUnlimited, input.watcher};
        if (data != nullptr && data->landmarks) options.landmarks = &*data->landmarks;
        if (data != nullptr && data->embedding) options.embedding = &*data->embedding;
        if (data != nullptr && data->certificate) options.certificate = &*data->certificate;
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
    mutable size_t cells_first_ = 0;  // one piece: known when the path is written
};

Result<CellHeuristic> parse_heuristic(const MethodText& text) {
    CellHeuristic out;
    const auto take = [&](const char* option, uint32_t most, const char* what, uint32_t& count) -> Result<Done> {
        const MethodText::Part* part = text.option(option);
        if (part == nullptr) return Done{};
        const auto value = text.count(*part, 1, most, what);
        if (!value) return value.error();
        count = *value;
        return Done{};
    };
    for (const auto& taken : {take("landmarks", kMaxLandmarks, "landmarks", out.landmarks),
                              take("embedding", kMaxDimensions, "dimensions of an embedding", out.embedding),
                              take("certificates", kMaxCertificateLandmarks, "certificates", out.certificates)}) {
        if (!taken) return taken.error();
    }
    if ((out.landmarks > 0) + (out.embedding > 0) + (out.certificates > 0) > 1) {
        return text.refuse(ErrorCode::kBadValue, "one heuristic at a time");
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
     "HEURISTIC, prepared for each profile: landmarks:N (1 to 256), embedding:N (1 to 64), certificates:N (1 to 64)", "astar"},
    cells(MethodGuarantee::kOptimal),
    parse<kAStar, false, kAStarTables>,
    make_query<CellQuery>};
constinit const MethodFactory kWeightedAStarMethod{{"wastar", "wastar:W[+HEURISTIC]", "weighted A*: at most W times the optimum",
                                                    "W: 1 to 100; HEURISTIC: landmarks:N, embedding:N", "wastar:1.5"},
                                                   cells(MethodGuarantee::kBounded),
                                                   parse<kWeightedAStar, true, kTables>,
                                                   make_query<CellQuery>};
constinit const MethodFactory kFocalMethod{
    {"focal", "focal:E[+HEURISTIC]", "focal search in an optimistic order: at most E times the optimum",
     "E: 1 to 100; HEURISTIC: landmarks:N, embedding:N", "focal:1.5"},
    cells(MethodGuarantee::kBounded),
    parse<kFocal, true, kTables>,
    make_query<CellQuery>};
constinit const MethodFactory kNbsMethod{
    {"nbs", "nbs[+HEURISTIC]", "near-optimal bidirectional search: optimal, from both ends", "HEURISTIC: landmarks:N, embedding:N", "nbs"},
    cells(MethodGuarantee::kOptimal),
    parse<kNbs, false, kTables>,
    make_query<CellQuery>};
constinit const MethodFactory kDijkstraMethod{
    {"dijkstra", "dijkstra", "Dijkstra's algorithm: optimal, without a heuristic", "", "dijkstra"},
    cells(MethodGuarantee::kOptimal),
    parse<kDijkstra, false, kOctileOnly>,
    make_query<CellQuery>};
constinit const MethodFactory kGreedyMethod{{"greedy", "greedy", "greedy best-first search: few expansions, no bound", "", "greedy"},
                                            cells(MethodGuarantee::kNone),
                                            parse<kGreedy, false, kOctileOnly>,
                                            make_query<CellQuery>};

}  // namespace terrane::detail
