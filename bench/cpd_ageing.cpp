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
#include "bench/stopwatch.h"
#include "terrane/base/rng.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane {

namespace cpd_ageing_bench {
namespace {

constexpr Weight kBound{11, 10};
constexpr int32_t kMinSide = 2, kMaxEditSide = 5;  // of an edit, in cells
constexpr int kPasses = 3;                         // the best time of each problem counts
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

// One type of edits after a given number of them, over all maps.
struct Tally {
    struct Of {
        std::vector<double> ms, expansions, ratios;
        size_t walked = 0;  // answered without any expansion
    };
    Of astar;
    std::array<Of, kMethods.size()> methods;
    std::vector<double> repair_ms;  // each edit since the previous row
    double build_ms = 0;            // 0 unless the database was built for this row
};

// A map under one type of edits; every run makes the same edits. `scene` must outlive it.
class Ager {
public:
    Ager(const AgeingScene& scene, const PathDatabase& database, size_t kind)
        : scene_(scene), kind_(kind), grid_(editable(scene.scene.grid)), perturbation_(database, grid_.snapshot()) {}

    void edit(uint32_t count, std::vector<double>& repair_ms) {
        for (; done_ < count; ++done_) {
            const Terrain terrain = scene_.paint[kind_ == kMixed ? rng_.below(3) : kind_];
            const EditResult edit = grid_.fill(random_rect(grid_.snapshot(), rng_), terrain);
            const Stopwatch watch;
            perturbation_ = perturbation_.updated(edit);
            repair_ms.push_back(watch.ms());
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

template <class Query>
double best_ms(Query&& query) {
    double best = 1e300;
    for (int pass = 0; pass < kPasses; ++pass) {
        const Stopwatch watch;
        query();
        best = std::min(best, watch.ms());
    }
    return best;
}

Error wrong(const CpdScene& scene, const char* method, std::pair<Cell, Cell> problem, const std::string& what) {
    const auto [start, goal] = problem;
    return {ErrorCode::kBadValue, scene.name, 0, fmt::format("{} from {},{} to {},{}: {}", method, start.x, start.y, goal.x, goal.y, what)};
}

// Solves the problems that are still solvable. `was`: the map that the database was built for.
Result<void> measure(const CpdScene& scene, const PathDatabase& database, const Perturbation& perturbation, const GridSnapshot& was,
                     Tally& tally) {
    const GridSnapshot& now = perturbation.now();
    ChangedMap map({was, scene.costs, Movement::kEightNoCornerCutting}, true);
    map.set_now(now);
    GridSearch astar;
    CpdSearch search;
    Path path;
    std::vector<Cell> cells;
    for (const auto& problem : scene.problems) {
        const Cell start = problem.first, goal = problem.second;
        if (!map.passable(start) || !map.passable(goal)) continue;
        const uint64_t optimal = map.find(start, goal, cells);
        if (optimal == kNoPath) continue;
        const auto ask_astar = [&] {
            astar.begin({now, scene.costs, Movement::kEightNoCornerCutting}, start, goal);
            astar.run();
            astar.path(path);
        };
        ask_astar();
        if (path.cost != optimal * scene.costs.divisor) return wrong(scene, "astar", problem, "not optimal");
        tally.astar.ms.push_back(best_ms(ask_astar));
        tally.astar.expansions.push_back(static_cast<double>(path.expansions));
        for (size_t m = 0; m < kMethods.size(); ++m) {
            Tally::Of& of = tally.methods[m];
            const auto ask = [&] {
                search.begin(database, perturbation, start, goal, {kMethods[m].variant, kBound, true});
                search.run();
                search.path(cells);
            };
            ask();
            const std::string fault = cpd_fault(map, search, start, goal, optimal, kBound);
            if (!fault.empty()) return wrong(scene, kMethods[m].name, problem, fault);
            of.expansions.push_back(static_cast<double>(search.expansions()));
            of.ratios.push_back(optimal == 0 ? 1 : static_cast<double>(search.cost()) / static_cast<double>(optimal));
            if (search.expansions() == 0) ++of.walked;
            of.ms.push_back(best_ms(ask));
        }
    }
    return {};
}

using Row = std::array<Tally, kEdits.size() + 1>;  // the last entry: rebuilt after all edits

Result<void> measure_map(const AgeingScene& ageing, std::array<Row, kKinds.size()>& rows, Progress& progress) {
    const CpdScene& scene = ageing.scene;
    const Stopwatch watch;
    const auto database = build_for(scene);
    if (!database) return database.error();
    const double build_ms = watch.ms();
    for (size_t kind = 0; kind < kKinds.size(); ++kind) {
        Ager ager(ageing, *database, kind);
        rows[kind][0].build_ms += build_ms;
        for (size_t i = 0; i < kEdits.size(); ++i) {
            ager.edit(kEdits[i], rows[kind][i].repair_ms);
            if (const auto done = measure(scene, *database, ager.perturbation(), scene.grid, rows[kind][i]); !done) return done.error();
            progress.advance();
        }
        CpdScene edited = scene;
        edited.grid = ager.now();
        const Stopwatch again;
        const auto rebuilt = build_for(edited);
        if (!rebuilt) return rebuilt.error();
        rows[kind].back().build_ms += again.ms();
        const Perturbation none(*rebuilt, edited.grid);
        if (const auto done = measure(edited, *rebuilt, none, edited.grid, rows[kind].back()); !done) return done.error();
        progress.advance();
    }
    return {};
}

// Returns the number of queries after which a build pays off if each query is `gain_ms` faster; 0: never.
double pays_after(double build_ms, size_t maps, double gain_ms) {
    return gain_ms <= 0 ? 0 : build_ms / static_cast<double>(maps) / gain_ms;
}

void report_row(const char* kind, const std::string& edits, const Tally& tally, const Tally* aged, size_t maps, Report& report) {
    for (size_t m = 0; m < kMethods.size(); ++m) {
        const Tally::Of& of = tally.methods[m];
        const double ms = average(of.ms), astar = average(tally.astar.ms);
        std::vector<double> sorted = of.ms;
        ReportRow row{kMethods[m].name,
                      {{"edits", kind}, {"count", edits}},
                      {{"solved", static_cast<double>(of.ms.size())},
                       {"walked", static_cast<double>(of.walked) / static_cast<double>(std::max<size_t>(1, of.ms.size()))},
                       {"expansions", average(of.expansions)},
                       {"expansions_astar", average(tally.astar.expansions)},
                       {"ms_mean", ms},
                       {"ms_p50", quantile(sorted, 0.5)},
                       {"ms_astar", astar},
                       {"speedup", ms == 0 ? 0 : astar / ms},
                       {"ratio_mean", average(of.ratios)}}};
        if (!tally.repair_ms.empty()) row.metrics.emplace_back("repair_ms", average(tally.repair_ms));
        if (tally.build_ms > 0) {
            row.metrics.emplace_back("build_ms", tally.build_ms / static_cast<double>(maps));
            const double before = aged == nullptr ? astar : average(aged->methods[m].ms);
            row.metrics.emplace_back("pays_after", pays_after(tally.build_ms, maps, before - ms));
        }
        report.rows.push_back(std::move(row));
    }
}

}  // namespace
}  // namespace cpd_ageing_bench

Result<Report> bench_cpd_ageing(const BenchOptions& options) {
    using namespace cpd_ageing_bench;
    const auto scenes = cpd_scenes(options, options.quick ? CpdScale{1, 10, 4000, 40} : CpdScale{1, 30, 16000, 128});
    if (!scenes) return scenes.error();
    std::array<Row, kKinds.size()> rows;
    Progress progress("cpd-ageing", scenes->size() * kKinds.size() * (kEdits.size() + 1));
    for (const CpdScene& scene : *scenes) {
        if (const auto done = measure_map(with_paint(scene), rows, progress); !done) return done.error();
    }
    Report report{"cpd-ageing", {}, {}};
    for (size_t kind = 0; kind < kKinds.size(); ++kind) {
        for (size_t i = 0; i < kEdits.size(); ++i)
            report_row(kKinds[kind], fmt::format("{}", kEdits[i]), rows[kind][i], nullptr, scenes->size(), report);
        report_row(kKinds[kind], fmt::format("{}, rebuilt", kEdits.back()), rows[kind].back(), &rows[kind][kEdits.size() - 1],
                   scenes->size(), report);
    }
    report.notes.push_back("Maps: " + cpd_scene_names(*scenes) + ". count: edits of each map.");
    report.notes.push_back(
        "walked: share of the queries answered from the database alone, without an expansion. repair_ms: update after one edit. "
        "pays_after: queries until a build has paid off, against A* without a database; in the last row, of a rebuild against the aged "
        "database (0: never).");
    return report;
}

}  // namespace terrane
