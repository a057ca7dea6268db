// The test `path_databases`: path-database searches on random maps that changed after the database was built. Every variant solves every
// problem at every bound; Dijkstra's algorithm on the changed map gives the optimum.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/changed_map.h"
#include "bench/stopwatch.h"
#include "selftest/selftest.h"
#include "terrane/base/rng.h"
#include "terrane/cpd/path_database_builder.h"

namespace terrane::selftest {

namespace {

constexpr int32_t kMinSide = 6, kMaxMapSide = 56;  // cells
constexpr uint32_t kGoals = 2, kStarts = 2;        // of each changed map
constexpr std::array<Weight, 3> kBounds = {{{1, 1}, {11, 10}, {3, 2}}};
constexpr Terrain kWall = 0;

struct Variant {
    const char* name;
    CpdVariant variant;
};
constexpr std::array<Variant, 5> kVariants = {{{"cpd", CpdVariant::kEarly},
                                               {"cpd:W", CpdVariant::kWeighted},
                                               {"cpd/nosp", CpdVariant::kNoPull},
                                               {"cpd/focal", CpdVariant::kFocal},
                                               {"cpd/branching", CpdVariant::kBranching}}};

enum class Change : uint8_t { kHard, kSoft, kRemoval, kCheaper, kMixed };
constexpr std::array<const char*, 5> kChanges = {"hard", "soft", "removal", "cheaper", "mixed"};

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
Terrain changed(const RandomMap& map, Terrain before, Change change, Rng& rng) {
    const auto drawn = static_cast<Terrain>(rng.below(map.terrains));
    const uint32_t was = map.costs.cost[before], is = map.costs.cost[drawn];
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
GridSnapshot make_change(const RandomMap& map, Change change, Rng& rng) {
    TerrainGrid grid(map.grid.width(), map.grid.height(), map.grid.cells(), map.grid.catalogue());
    std::vector<CellEdit> edits;
    for (uint32_t rects = 1 + rng.below(6); rects > 0; --rects) {
        const int32_t width = rng.between(1, 12), height = rng.between(1, 12);
        const int32_t left = rng.between(0, map.grid.width() - 1), top = rng.between(0, map.grid.height() - 1);
        const bool frayed = rng.chance(1, 3);
        for (int32_t y = top; y < std::min(top + height, map.grid.height()); ++y) {
            for (int32_t x = left; x < std::min(left + width, map.grid.width()); ++x) {
                if ((x == 0 && y == 0) || (frayed && rng.chance(1, 3))) continue;
                edits.push_back({{x, y}, changed(map, map.grid.at(Cell{x, y}), change, rng)});
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
    // Changes the map once by each type of change and corner rule. Stops at the first failure.
    void check(const RandomMap& map) {
        const auto database = build_path_database({map.grid, map.costs, map.movement});
        if (!database) {
            failure_ = database.error().message();
            return;
        }
        Rng rng(mix64(map.seed));
        for (size_t c = 0; c < kChanges.size(); ++c) {
            for (const bool strict : {false, true}) {
                const GridSnapshot now = make_change(map, static_cast<Change>(c), rng);
                solve_on(map, *database, now, strict, rng);
                if (!failure_.empty()) {
                    failure_ += fmt::format(" (map {}: {}x{}, {}, change {}, {} corners)", map.seed, map.grid.width(), map.grid.height(),
                                            to_string(map.movement), kChanges[c], strict ? "strict" : "lenient");
                    return;
                }
                ++changed_maps_;
            }
        }
    }

    uint64_t changed_maps() const { return changed_maps_; }
    const std::string& failure() const { return failure_; }
    std::vector<std::pair<std::string, std::string>> figures() const {
        return {{"problems", fmt::format("{}, {} of them without a path", problems_, unreachable_)},
                {"answers", fmt::format("{}, by {} variants at {} bounds", answers_, kVariants.size(), kBounds.size())},
                {"largest ratio at bound 1.1", fmt::format("{:.4f}", worst_[1])},
                {"largest ratio at bound 1.5", fmt::format("{:.4f}", worst_[2])}};
    }

private:
    void solve_on(const RandomMap& before, const PathDatabase& database, const GridSnapshot& now, bool strict, Rng& rng) {
        ChangedMap map({before.grid, before.costs, before.movement}, strict);
        map.set_now(now);
        const Perturbation perturbation(database, now);
        for (uint32_t i = 0; i < kGoals; ++i) {
            const Cell goal = random_passable(map, now, rng, &database);
            map.flood(goal);  // costs are symmetric
            for (uint32_t j = 0; j < kStarts && failure_.empty(); ++j)
                solve(map, database, perturbation, random_passable(map, now, rng), goal, strict);
        }
    }

    void solve(const ChangedMap& map, const PathDatabase& database, const Perturbation& perturbation, Cell start, Cell goal, bool strict) {
        const uint64_t optimal = map.cost_to(start);
        ++problems_;
        if (optimal == kNoPath) ++unreachable_;
        for (const Variant& variant : kVariants) {
            for (size_t b = 0; b < kBounds.size(); ++b) {
                search_.begin(database, perturbation, start, goal, {variant.variant, kBounds[b], strict});
                search_.run();
                ++answers_;
                const std::string fault = cpd_fault(map, search_, start, goal, optimal, kBounds[b]);
                if (!fault.empty()) {
                    failure_ = fmt::format("{} at bound {} from {},{} to {},{}: {}", variant.name, kBounds[b].value(), start.x, start.y,
                                           goal.x, goal.y, fault);
                    return;
                }
                if (optimal != kNoPath && optimal > 0)
                    worst_[b] = std::max(worst_[b], static_cast<double>(search_.cost()) / static_cast<double>(optimal));
            }
        }
    }

    CpdSearch search_;
    uint64_t changed_maps_ = 0, problems_ = 0, unreachable_ = 0, answers_ = 0;
    std::array<double, kBounds.size()> worst_{1, 1, 1};
    std::string failure_;
};

}  // namespace

Outcome path_databases_hold(const Setting& setting) {
    const Stopwatch clock;
    Checker checker;
    for (uint64_t seed = setting.seed; seed == setting.seed || clock.ms() < setting.seconds * 1000; ++seed) {
        checker.check(make_map(seed));
        if (!checker.failure().empty()) break;
        setting.progress(checker.changed_maps());
    }
    return {checker.changed_maps(), "changed maps", checker.figures(), checker.failure()};
}

}  // namespace terrane::selftest
