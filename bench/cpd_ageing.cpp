// `terrane bench cpd-ageing`: a path database whose map is edited after the build. Rectangles accumulate: obstacles, costlier terrain,
// cheaper terrain (which also removes obstacles), or a random mix. After 0, 1, 2, 4, ... 256 edits the same problems are solved with the
// original database, within 1.10 times the optimum, and by A* in the same run. Finally the database is rebuilt: the rows give the cost of
// the rebuild and the number of queries after which it pays off. Both searches apply the corner rule to the current map.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/cpd_experiment.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "terrane/base/rng.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane {

namespace cpd_ageing_bench {
namespace {

constexpr Weight kBound{11, 10};
constexpr int32_t kMinSide = 2, kMaxEditSide = 5;  // of an edit, in cells
constexpr std::array<uint32_t, 10> kEdits = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};
constexpr std::array<const char*, 4> kKinds = {"walls", "costlier", "cheaper", "mixed"};
constexpr size_t kMixed = 3;
constexpr std::array<CpdMethod, 2> kMethods = {{kCpdMethods.front(), kCpdMethods.back()}};

// A scene with a terrain for every type of edit.
struct AgeingScene {
    CpdScene scene;
    std::array<Terrain, 3> paint;  // by type of edit
};

// Adds mud, at twice the highest cost on the map, and paving, at half the lowest.
AgeingScene with_paint(const CpdScene& scene) {
    Catalogue catalogue = scene.grid.catalogue();
    const Terrain mud = catalogue.add({"mud", 0, {110, 80, 50}}).value(), paving = catalogue.add({"paving", 0, {190, 190, 190}}).value();
    uint32_t min_cost = UINT32_MAX, max_cost = 0;
    for (uint32_t t = 0; t < scene.grid.catalogue().size(); ++t) {
        const uint32_t cost = scene.costs.cost[t];
        if (cost == 0 || scene.grid.count(static_cast<Terrain>(t)) == 0) continue;
        min_cost = std::min(min_cost, cost);
        max_cost = std::max(max_cost, cost);
    }
    AgeingScene out{scene, {scene.wall, mud, paving}};
    for (uint32_t& cost : out.scene.costs.cost) cost *= 2;
    out.scene.costs.cost[mud] = 4 * max_cost;
    out.scene.costs.cost[paving] = min_cost;
    out.scene.grid = TerrainGrid(scene.grid.width(), scene.grid.height(), scene.grid.cells(), std::move(catalogue)).snapshot();
    return out;
}

Rect random_rect(const GridSnapshot& grid, Rng& rng) {
    const int32_t width = rng.between(kMinSide, kMaxEditSide), height = rng.between(kMinSide, kMaxEditSide);
    const int32_t left = rng.between(0, grid.width() - 1), top = rng.between(0, grid.height() - 1);
    return {{left, top}, {width, height}};
}

// A map under one type of edits; every run makes the same edits. `scene` must outlive it.
class Ager {
public:
    Ager(const AgeingScene& scene, const PathDatabase& database, size_t kind)
        : scene_(scene), kind_(kind), grid_(editable(scene.scene.grid)), perturbation_(database, grid_.snapshot()) {}

    void edit(uint32_t count, Samples& repair_ms) {
        for (; done_ < count; ++done_) {
            const Terrain terrain = scene_.paint[kind_ == kMixed ? rng_.below(3) : kind_];
            const EditResult edit = grid_.fill(random_rect(grid_.snapshot(), rng_), terrain);
            timed(repair_ms, [&] { perturbation_ = perturbation_.updated(edit); });
        }
    }

    GridSnapshot now() const { return grid_.snapshot(); }
    const Perturbation& perturbation() const { return perturbation_; }

private:
    const AgeingScene& scene_;
    size_t kind_;
    TerrainGrid grid_;
    Perturbation perturbation_;
    Rng rng_{23};
    uint32_t done_ = 0;
};

// A* on the map of today.
Contender astar_contender(const Ground& ground, std::span<const CpdProblem> problems) {
    const auto open = [ground, problems]() -> Result<Opened> {
        const auto search = std::make_shared<GridSearch>();
        const auto path = std::make_shared<Path>();
        return Opened{make_runner(
            [=](size_t i, Lap&) {
                search->begin(ground, problems[i].start, problems[i].goal);
                search->run();
                search->path(*path);
            },
            [=](size_t i, NamedSamples&) -> Result<Answer> {
                if (path->cost != problems[i].optimal * ground.costs().divisor) return Error{ErrorCode::kBadValue, {}, 0, "not optimal"};
                return Answer{.found = true, .cost = to_real(path->cost), .expansions = static_cast<double>(path->expansions)};
            })};
    };
    return {.method = "astar", .open = open};
}

// Returns the problems that are still solvable.
std::vector<CpdProblem> problems_of(const CpdScene& scene, const Perturbation& perturbation, ChangedMap& map) {
    map.set_now(perturbation.now());
    std::vector<CpdProblem> out;
    std::vector<Cell> cells;
    for (const auto& [start, goal] : scene.problems) {
        if (!map.passable(start) || !map.passable(goal)) continue;
        if (const uint64_t optimal = map.find(start, goal, cells); optimal != kNoPath) out.push_back({start, goal, &perturbation, optimal});
    }
    return out;
}

using Label = nlohmann::ordered_json;

Label label_of(size_t kind, uint32_t edits, bool rebuilt = false) {
    return {{"edits", kKinds[kind]}, {"count", fmt::format("{}{}", edits, rebuilt ? ", rebuilt" : "")}};
}

// `built`: the scene that the database was built for.
Result<void> measure(const CpdScene& built, const PathDatabase& database, const Perturbation& perturbation, const Label& label,
                     Contest& contest) {
    ChangedMap map({built.grid, built.costs, Movement::kEightNoCornerCutting}, true);
    const std::vector<CpdProblem> problems = problems_of(built, perturbation, map);
    std::vector<Contender> contenders{astar_contender({perturbation.now(), built.costs, Movement::kEightNoCornerCutting}, problems)};
    for (const CpdMethod& method : kMethods)
        contenders.push_back(cpd_contender(method, {method.variant, kBound, true}, database, problems, map, false));
    return contest.run(cpd_contest_scene(built.name, label, problems), contenders);
}

Result<void> measure_map(const AgeingScene& ageing, Contest& contest, Progress& progress) {
    const CpdScene& scene = ageing.scene;
    Samples build_ms;
    const auto database = timed(build_ms, [&] { return build_for(scene); });
    if (!database) return database.error();
    const auto row = [&](const CpdMethod& method, const Label& label) -> Measurements& { return contest.results().at(method.name, label); };
    for (size_t kind = 0; kind < kKinds.size(); ++kind) {
        Ager ager(ageing, *database, kind);
        for (const uint32_t edits : kEdits) {
            const Label label = label_of(kind, edits);
            Samples repair_ms;
            ager.edit(edits, repair_ms);
            if (const auto done = measure(scene, *database, ager.perturbation(), label, contest); !done) return done;
            for (const CpdMethod& method : kMethods) {
                row(method, label).repair_ms.add(repair_ms);
                if (edits == 0) row(method, label).build_ms.add(build_ms);
            }
            progress.advance();
        }
        CpdScene edited = scene;
        edited.grid = ager.now();
        Samples again_ms;
        const auto rebuilt = timed(again_ms, [&] { return build_for(edited); });
        if (!rebuilt) return rebuilt.error();
        const Label label = label_of(kind, kEdits.back(), true);
        const Perturbation none(*rebuilt, edited.grid);
        if (const auto done = measure(edited, *rebuilt, none, label, contest); !done) return done;
        for (const CpdMethod& method : kMethods) row(method, label).build_ms.add(again_ms);
        progress.advance();
    }
    return {};
}

// Adds the number of queries after which a build pays off, against queries of `slower`.
void add_payoff(Measurements& row, const Measurements& slower) {
    const double gain_ms = slower.ms.mean() - row.ms.mean();
    row["pays_after"].add(gain_ms > 0 ? row.build_ms.mean() / gain_ms : 0);
}

}  // namespace
}  // namespace cpd_ageing_bench

Result<Report> bench_cpd_ageing(const BenchOptions& options) {
    using namespace cpd_ageing_bench;
    const auto scenes = cpd_scenes(options, options.quick ? CpdScale{1, 10, 4000, 40} : CpdScale{1, 30, 16000, 128});
    if (!scenes) return scenes.error();
    Contest contest({.passes = 3});
    Progress progress("cpd-ageing", scenes->size() * kKinds.size() * (kEdits.size() + 1));
    for (const CpdScene& scene : *scenes) {
        if (const auto done = measure_map(with_paint(scene), contest, progress); !done) return done.error();
    }
    const auto row = [&](const char* method, const Label& label) -> Measurements& { return contest.results().at(method, label); };
    for (size_t kind = 0; kind < kKinds.size(); ++kind) {
        const Label fresh = label_of(kind, 0), aged = label_of(kind, kEdits.back()), rebuilt = label_of(kind, kEdits.back(), true);
        for (const CpdMethod& method : kMethods) {
            add_payoff(row(method.name, fresh), row("astar", fresh));
            add_payoff(row(method.name, rebuilt), row(method.name, aged));
        }
    }
    Report report{"cpd-ageing", contest.rows(), {}};
    report.notes.push_back("Maps: " + cpd_scene_names(*scenes) + ". count: edits of each map.");
    report.notes.push_back(
        "walked: share of the queries answered from the database alone, without an expansion. repair_ms: update after one edit. "
        "pays_after: queries until a build has paid off, against A* without a database; in the last row, of a rebuild against the aged "
        "database (0: never).");
    return report;
}

}  // namespace terrane
