// `terrane bench cpd-agree`: path-database searches on small random maps with every type of change, against Dijkstra's algorithm on the
// current map. Every variant solves every instance at every bound; a single wrong answer fails the bench.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/cpd_experiment.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "bench/stopwatch.h"
#include "terrane/base/rng.h"
#include "terrane/cpd/path_database_builder.h"

namespace terrane {

namespace cpd_agree_bench {
namespace {

constexpr uint32_t kWorlds = 400, kQuickWorlds = 16;
constexpr int32_t kMinSide = 6, kMaxMapSide = 56;  // cells
constexpr uint32_t kGoals = 5, kStarts = 5;        // per type of change and corner rule: 250 instances per world
constexpr std::array<Weight, 3> kBounds = {{{1, 1}, {11, 10}, {3, 2}}};
constexpr Terrain kWall = 0;

enum class Change : uint8_t { kHard, kSoft, kRemoval, kCheaper, kMixed };
constexpr std::array<const char*, 5> kChanges = {"hard", "soft", "removal", "cheaper", "mixed"};

// One variant at one bound.
struct Tally {
    uint64_t answers = 0, failures = 0, expansions = 0;
    double ratio_max = 1, ratio_sum = 0, ms = 0;
    uint64_t found = 0;
};

struct Totals {
    std::array<std::array<Tally, kBounds.size()>, kCpdMethods.size()> tallies;
    std::array<std::array<uint64_t, 2>, kChanges.size()> instances{};  // by change, and by strict corners
    std::array<uint64_t, 3> by_movement{};
    uint64_t unreachable = 0;
    std::string first_failure;
};

struct RandomMap {
    uint64_t seed;
    GridSnapshot grid;
    CostTable costs;
    Movement movement;
    uint32_t terrains;  // number in use, including kWall, which is blocked
};

// Patches of terrain with single cells of others. Costs are all equal, similar, or very different.
RandomMap make_map(uint64_t seed) {
    Rng rng(seed);
    const int32_t width = rng.between(kMinSide, kMaxMapSide), height = rng.between(kMinSide, kMaxMapSide), patch = rng.between(1, 9);
    const uint32_t terrains = 2 + rng.below(5), range = rng.below(3);
    const int32_t patches = width / patch + 1;
    std::vector<Terrain> coarse(static_cast<size_t>(patches) * static_cast<size_t>(height / patch + 1));
    for (Terrain& t : coarse) t = static_cast<Terrain>(rng.below(terrains));
    std::vector<Terrain> cells;
    cells.reserve(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            const Terrain t = coarse[static_cast<size_t>(y / patch) * static_cast<size_t>(patches) + static_cast<size_t>(x / patch)];
            const bool other = rng.chance(1, 8);
            cells.push_back(other || (t == kWall && rng.chance(1, 3)) ? static_cast<Terrain>(1 + rng.below(terrains - 1)) : t);
        }
    }
    cells.front() = 1;  // one cell is always passable
    Profile profile("random");
    for (uint32_t t = 0; t < terrains; ++t) {
        const Hundredths cost = range == 0 ? 100 : range == 1 ? 100 + 20 * rng.below(16) : 1 + rng.below(65000);
        profile.rule(Catalogue::standard()[static_cast<Terrain>(t)].name, t == kWall ? kBlocked : cost);
    }
    const TerrainGrid grid(width, height, cells);
    return {seed, grid.snapshot(), profile.compile(grid.snapshot().catalogue()).value(), static_cast<Movement>(rng.below(3)), terrains};
}

// Returns the new terrain of a cell; `before` if the change does not apply to it.
Terrain changed(const RandomMap& world, Terrain before, Change change, Rng& rng) {
    const auto drawn = static_cast<Terrain>(rng.below(world.terrains));
    const uint32_t was = world.costs.cost[before], is = world.costs.cost[drawn];
    switch (change) {
        case Change::kHard: return kWall;
        case Change::kSoft: return was != 0 && is > was ? drawn : before;
        case Change::kRemoval: return was == 0 && is != 0 ? drawn : before;
        case Change::kCheaper: return is != 0 && is < was ? drawn : before;
        case Change::kMixed: return drawn;
    }
    return before;
}

// Changes up to six rectangles, solid or with gaps.
GridSnapshot make_change(const RandomMap& world, Change change, Rng& rng) {
    TerrainGrid grid = editable(world.grid);
    std::vector<CellEdit> edits;
    for (uint32_t rects = 1 + rng.below(6); rects > 0; --rects) {
        const int32_t width = rng.between(1, 12), height = rng.between(1, 12);
        const int32_t left = rng.between(0, world.grid.width() - 1), top = rng.between(0, world.grid.height() - 1);
        const bool frayed = rng.chance(1, 3);
        for (int32_t y = top; y < std::min(top + height, world.grid.height()); ++y) {
            for (int32_t x = left; x < std::min(left + width, world.grid.width()); ++x) {
                if ((x == 0 && y == 0) || (frayed && rng.chance(1, 3))) continue;
                edits.push_back({{x, y}, changed(world, world.grid.at(Cell{x, y}), change, rng)});
            }
        }
    }
    return grid.apply(edits).after;
}

// With `before`, the cell was passable at build time, too; a database has no paths to other cells.
Cell random_passable(const ChangedMap& map, const GridSnapshot& grid, Rng& rng, const PathDatabase* before = nullptr) {
    for (;;) {
        const int32_t x = rng.between(0, grid.width() - 1);
        const Cell c{x, rng.between(0, grid.height() - 1)};
        if (map.passable(c) && (before == nullptr || before->covers(grid.layout().id(c)))) return c;
    }
}

class Checker {
public:
    Checker(const RandomMap& world, const PathDatabase& database, Totals& totals) : world_(world), database_(database), totals_(totals) {}

    void check(Change change, bool strict, Rng& rng) {
        const GridSnapshot now = make_change(world_, change, rng);
        ChangedMap map({world_.grid, world_.costs, world_.movement}, strict);
        map.set_now(now);
        const Perturbation perturbation(database_, now);
        for (uint32_t i = 0; i < kGoals; ++i) {
            const Cell goal = random_passable(map, now, rng, &database_);
            map.flood(goal);  // costs are symmetric
            for (uint32_t j = 0; j < kStarts; ++j) {
                const Cell start = random_passable(map, now, rng);
                ++totals_.instances[static_cast<size_t>(change)][strict ? 1 : 0];
                ++totals_.by_movement[static_cast<size_t>(world_.movement)];
                if (map.cost_to(start) == kNoPath) ++totals_.unreachable;
                ask_all(map, perturbation, start, goal,
                        fmt::format("{}, {}", kChanges[static_cast<size_t>(change)], strict ? "strict" : "lenient"), strict);
            }
        }
    }

private:
    void ask_all(const ChangedMap& map, const Perturbation& perturbation, Cell start, Cell goal, const std::string& what, bool strict) {
        const uint64_t optimal = map.cost_to(start);
        for (size_t m = 0; m < kCpdMethods.size(); ++m) {
            for (size_t b = 0; b < kBounds.size(); ++b) {
                Tally& tally = totals_.tallies[m][b];
                const Stopwatch watch;
                search_.begin(database_, perturbation, start, goal, {kCpdMethods[m].variant, kBounds[b], strict});
                search_.run();
                tally.ms += watch.ms();
                ++tally.answers;
                tally.expansions += search_.expansions();
                const std::string fault = answer_fault(map, search_, start, goal, optimal, kBounds[b]);
                if (!fault.empty()) {
                    ++tally.failures;
                    if (totals_.first_failure.empty()) {
                        totals_.first_failure =
                            fmt::format("{} at {} from {},{} to {},{} (world {}, {}x{}, {}, {}): {}", kCpdMethods[m].name,
                                        kBounds[b].value(), start.x, start.y, goal.x, goal.y, world_.seed, world_.grid.width(),
                                        world_.grid.height(), to_string(world_.movement), what, fault);
                    }
                } else if (optimal != kNoPath) {
                    const double ratio = optimal == 0 ? 1 : static_cast<double>(search_.cost()) / static_cast<double>(optimal);
                    tally.ratio_max = std::max(tally.ratio_max, ratio);
                    tally.ratio_sum += ratio;
                    ++tally.found;
                }
            }
        }
    }

    const RandomMap& world_;
    const PathDatabase& database_;
    Totals& totals_;
    CpdSearch search_;
};

void add_rows(const Totals& totals, Report& report) {
    for (size_t m = 0; m < kCpdMethods.size(); ++m) {
        for (size_t b = 0; b < kBounds.size(); ++b) {
            const Tally& t = totals.tallies[m][b];
            const auto answers = static_cast<double>(std::max<uint64_t>(1, t.answers));
            report.rows.push_back({kCpdMethods[m].variant == CpdVariant::kWeighted ? "cpd:W" : kCpdMethods[m].name,
                                   {{"bound", kBounds[b].value()}},
                                   {{"instances", static_cast<double>(t.answers)},
                                    {"failures", static_cast<double>(t.failures)},
                                    {"ratio_max", t.ratio_max},
                                    {"ratio_mean", t.ratio_sum / static_cast<double>(std::max<uint64_t>(1, t.found))},
                                    {"expansions", static_cast<double>(t.expansions) / answers},
                                    {"ms_mean", t.ms / answers}}});
        }
    }
    for (size_t c = 0; c < kChanges.size(); ++c) {
        for (const bool strict : {false, true}) {
            report.rows.push_back({"all of them",
                                   {{"change", kChanges[c]}, {"corners", strict ? "strict" : "lenient"}},
                                   {{"instances", static_cast<double>(totals.instances[c][strict ? 1 : 0])}}});
        }
    }
    for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kEightCutCorners, Movement::kFour}) {
        report.rows.push_back({"all of them",
                               {{"movement", to_string(movement)}},
                               {{"instances", static_cast<double>(totals.by_movement[static_cast<size_t>(movement)])}}});
    }
}

}  // namespace
}  // namespace cpd_agree_bench

Result<Report> bench_cpd_agree(const BenchOptions& options) {
    using namespace cpd_agree_bench;
    if (!options.maps.empty())
        return Error{ErrorCode::kUnsupported, options.maps, 0, "--maps is not supported: this bench generates its maps"};
    const uint32_t worlds = options.quick ? kQuickWorlds : kWorlds;
    Progress progress("cpd-agree", worlds);
    Totals totals;
    for (uint64_t seed = 1; seed <= worlds; ++seed) {
        const RandomMap world = make_map(seed);
        const auto database = build_path_database({world.grid, world.costs, world.movement});
        if (!database) return database.error();
        Checker checker(world, *database, totals);
        Rng rng(mix64(seed));
        for (size_t c = 0; c < kChanges.size(); ++c) {
            for (const bool strict : {false, true}) checker.check(static_cast<Change>(c), strict, rng);
        }
        progress.advance();
    }
    uint64_t failures = 0;
    for (const auto& of_method : totals.tallies) {
        for (const Tally& t : of_method) failures += t.failures;
    }
    if (failures > 0)
        return Error{ErrorCode::kBadValue, "cpd-agree", 0, fmt::format("{} wrong answers; the first: {}", failures, totals.first_failure)};
    Report report{"cpd-agree", {}, {}};
    add_rows(totals, report);
    report.notes.push_back(
        fmt::format("{} random worlds, 2 to 6 terrains, {} to {} cells a side. {} instances have no path; every variant reported that.",
                    worlds, kMinSide, kMaxMapSide, totals.unreachable));
    return report;
}

}  // namespace terrane
