#include "terrane/any_angle/smoothing.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "dta/region_graph.h"
#include "support/scene.h"
#include "terrane/io/map_file.h"
#include "terrane/io/scenario.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::test {
namespace {

struct DrawnPath {
    Scene world;
    CostTable costs;
    std::vector<Cell> cells;
};

DrawnPath drawn_path(std::string_view terrain, std::vector<Cell> cells) {
    Scene world = scene(terrain);
    const CostTable costs = world.profile.compile(world.grid.snapshot().catalogue()).value();
    return {std::move(world), costs, std::move(cells)};
}

Cost smooth(DrawnPath& path, Movement movement = Movement::kEightNoCornerCutting) {
    SmoothingScratch scratch;
    return smooth_path({path.world.grid.snapshot(), path.costs, movement}, path.cells, scratch);
}

// A path of straight steps through the given corners.
std::vector<Cell> through(std::initializer_list<Cell> corners) {
    std::vector<Cell> cells;
    for (const Cell to : corners) {
        if (cells.empty()) cells.push_back(to);
        while (cells.back() != to) {
            const Cell at = cells.back();
            cells.push_back({at.x + (to.x > at.x) - (to.x < at.x), at.y + (to.y > at.y) - (to.y < at.y)});
        }
    }
    return cells;
}

TEST(Smoothing, AZigzagOverUniformTerrainBecomesStraight) {
    DrawnPath path = drawn_path(R"(.........
                                   .........
                                   .........)",
                                through({{0, 1}, {1, 0}, {3, 2}, {5, 0}, {7, 2}, {8, 1}}));
    EXPECT_EQ(smooth(path), 8u * kCostPerUnit);
    EXPECT_EQ(path.cells, through({{0, 1}, {8, 1}}));
}

TEST(Smoothing, TheDetourAroundExpensiveTerrainStays) {
    DrawnPath path = drawn_path(R"(.......
                                   .99999.
                                   .99999.)",
                                through({{0, 2}, {0, 1}, {1, 0}, {5, 0}, {6, 1}, {6, 2}}));
    const std::vector<Cell> before = path.cells;
    smooth(path);
    EXPECT_EQ(path.cells, before);
}

TEST(Smoothing, ThePathThroughExpensiveTerrainMovesToTheRoadBesideIt) {
    DrawnPath path = drawn_path(R"(.........
                                   999999999
                                   999999999
                                   .........)",
                                through({{0, 3}, {1, 2}, {7, 2}, {8, 3}}));
    EXPECT_EQ(smooth(path), 8u * kCostPerUnit);
}

TEST(Smoothing, CornersAreCutOnlyWhereTheRuleAllows) {
    const char* const map = R"(...
                               .#.
                               ...)";
    DrawnPath strict = drawn_path(map, through({{0, 1}, {0, 0}, {1, 0}, {2, 0}, {2, 1}}));
    EXPECT_EQ(smooth(strict), 4u * kCostPerUnit);
    DrawnPath cutting = drawn_path(map, through({{0, 1}, {0, 0}, {1, 0}, {2, 0}, {2, 1}}));
    EXPECT_EQ(smooth(cutting, Movement::kEightCutCorners), 2u * 2 * 100 * kDiagonal);
    EXPECT_EQ(cutting.cells, (std::vector<Cell>{{0, 1}, {1, 0}, {2, 1}}));
    DrawnPath four = drawn_path(R"(...
                                   ...
                                   ...)",
                                through({{0, 1}, {0, 0}, {1, 0}, {2, 0}, {2, 1}}));
    EXPECT_EQ(smooth(four, Movement::kFour), 2u * kCostPerUnit);
}

TEST(Smoothing, ADeadEndIsNotVisited) {
    DrawnPath path = drawn_path(R"(####.###
                                   ####.###
                                   ........)",
                                through({{0, 2}, {4, 2}, {4, 0}, {4, 2}, {7, 2}}));
    EXPECT_EQ(smooth(path), 7u * kCostPerUnit);
    EXPECT_EQ(path.cells, through({{0, 2}, {7, 2}}));
}

TEST(Smoothing, ALoopAroundAnObstacleIsCutWhereThePathComesBackBesideItself) {
    // Down, around the whole obstacle, and up again one column further: wider than any band.
    TerrainGrid grid(100, 100, Terrain{1}, digit_catalogue());
    grid.fill({{20, 10}, {60, 80}}, Terrain{0});
    const CostTable costs = digit_profile().compile(digit_catalogue()).value();
    std::vector<Cell> cells = through({{50, 0}, {50, 9}, {10, 9}, {10, 95}, {90, 95}, {90, 8}, {51, 8}, {51, 1}, {99, 1}});
    SmoothingScratch scratch;
    const Cost cost = smooth_path({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, cells, scratch);
    EXPECT_EQ(cost, Cost{200} * kDiagonal + 48 * kCostPerUnit);
}

TEST(Smoothing, AClosedPathBecomesOneCell) {
    DrawnPath path = drawn_path(R"(...
                                   .#.
                                   ...)",
                                through({{0, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 0}}));
    EXPECT_EQ(smooth(path), 0u);
    EXPECT_EQ(path.cells, (std::vector<Cell>{{0, 0}}));
}

TEST(Smoothing, ShortPathsAreLeftAsTheyAre) {
    for (const std::vector<Cell>& cells : {std::vector<Cell>{}, std::vector<Cell>{{1, 1}}, std::vector<Cell>{{0, 0}, {1, 1}}}) {
        DrawnPath path = drawn_path(R"(...
                                       ...)",
                                    cells);
        EXPECT_EQ(smooth(path), path_cost({path.world.grid.snapshot(), path.costs, Movement::kEightNoCornerCutting}, cells));
        EXPECT_EQ(path.cells, cells);
    }
}

// Longer than one band, and along every edge of the map.
TEST(Smoothing, LongPathsAlongTheEdges) {
    for (const bool turned : {false, true}) {
        const auto at = [=](int32_t along, int32_t across) { return turned ? Cell{across, along} : Cell{along, across}; };
        const TerrainGrid grid(turned ? 3 : 5000, turned ? 5000 : 3, Terrain{1}, digit_catalogue());
        const CostTable costs = digit_profile().compile(digit_catalogue()).value();
        std::vector<Cell> cells;
        cells.reserve(5000);
        for (int32_t u = 0; u < 5000; ++u) cells.push_back(at(u, std::abs(u % 4 - 2)));
        SmoothingScratch scratch;
        const Cost cost = smooth_path({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, cells, scratch);
        EXPECT_EQ(cost, Cost{4998} * kCostPerUnit + 200 * kDiagonal) << "turned " << turned;
        EXPECT_EQ(cost, path_cost({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, cells));
    }
}

// A path through random cells; empty if they are not connected.
std::vector<Cell> wandering_path(Rng& rng, GridSearch& search, const RandomWorld& world) {
    const GridSnapshot grid = world.grid.snapshot();
    SearchOptions options;
    std::vector<Cell> cells;
    Path path;
    for (uint32_t legs = 1 + rng.below(6); legs > 0; --legs) {
        const Cell from = cells.empty() ? random_cell(rng, grid) : cells.back();
        search.begin({grid, world.costs, world.movement}, from, random_cell(rng, grid), options);
        search.run();
        search.path(path);
        if (path) cells.insert(cells.end(), path.cells.begin() + (cells.empty() ? 0 : 1), path.cells.end());
    }
    return cells;
}

// Checks that the path visits no cell twice and skips no step that would make it cheaper.
void expect_no_loops(const RandomWorld& world, const std::vector<Cell>& cells) {
    const GridSnapshot grid = world.grid.snapshot();
    std::vector<Cost> g{0};
    g.reserve(cells.size());
    for (size_t i = 1; i < cells.size(); ++i)
        g.push_back(g.back() + Ground({grid, world.costs, world.movement}).step_cost(cells[i - 1], cells[i]));
    for (size_t i = 0; i < cells.size(); ++i) {
        for (size_t j = i + 1; j < cells.size(); ++j) {
            ASSERT_NE(cells[i], cells[j]);
            const Cost step = Ground({grid, world.costs, world.movement}).step_cost(cells[i], cells[j]);
            if (step != kInfiniteCost) {
                ASSERT_LE(g[j] - g[i], step);
            }
        }
    }
}

TEST(Smoothing, RandomWorldsProfilesAndRules) {
    Rng rng(77);
    GridSearch search;
    SmoothingScratch scratch;
    int smoothed = 0, improved = 0, optimal = 0;
    for (int i = 0; i < 1500; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        const RandomWorld world = random_world(rng, i % 10 == 0 ? 150 : 40);
        const GridSnapshot grid = world.grid.snapshot();
        std::vector<Cell> cells = wandering_path(rng, search, world);
        if (cells.empty()) continue;
        const Cell start = cells.front(), goal = cells.back();
        const Cost before = path_cost({grid, world.costs, world.movement}, cells);
        const Cost after = smooth_path({grid, world.costs, world.movement}, cells, scratch);
        ASSERT_EQ(after, path_cost({grid, world.costs, world.movement}, cells));
        ASSERT_LE(after, before);
        ASSERT_EQ(cells.front(), start);
        ASSERT_EQ(cells.back(), goal);
        ASSERT_NO_FATAL_FAILURE(expect_no_loops(world, cells));
        std::vector<Cell> again = cells;
        ASSERT_LE(smooth_path({grid, world.costs, world.movement}, again, scratch), after);
        SearchOptions options;
        search.begin({grid, world.costs, world.movement}, start, goal, options);
        search.run();
        Path best;
        search.path(best);
        ASSERT_GE(after, best.cost);
        ++smoothed;
        improved += after < before ? 1 : 0;
        optimal += after == best.cost ? 1 : 0;
    }
    EXPECT_GT(smoothed, 700);
    EXPECT_GT(improved, smoothed / 3);
    EXPECT_GT(optimal, smoothed / 2);
}

// A path as an abstraction refines it: through the representatives of regions, except the first and the last.
std::vector<Cell> path_through_regions(const TerrainRegions& regions, const CostTable& costs, Cell start, Cell goal, GridSearch& search) {
    const RegionId from = regions.region_of(start), to = regions.region_of(goal);
    PagedLabels<RegionId, uint64_t, RegionId> labels;
    HeapQueue<RegionId, uint64_t> queue;
    labels.reset(regions.id_limit());
    BestFirst abstract(RegionGraph(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}), ZeroHeuristic{},
                       OneGoal<RegionId>{to}, labels, queue);
    abstract.start(from, 0, kNoRegion);
    std::vector<Cell> stops, cells{start};
    if (abstract.run() != Status::kFound) return {};
    abstract.walk_back(
        to, [=](RegionId r) { return r == from; }, [&](RegionId r) { stops.push_back(regions.region(r).representative()); });
    stops.front() = goal;
    if (stops.size() > 1) stops.pop_back();
    Path path;
    for (; !stops.empty(); stops.pop_back()) {
        search.begin({regions.grid(), costs, Movement::kEightNoCornerCutting}, cells.back(), stops.back());
        search.run();
        search.path(path);
        cells.insert(cells.end(), path.cells.begin() + 1, path.cells.end());
    }
    return cells;
}

// The share of those paths' suboptimality that remains after smoothing.
template <class NextQuery>
double share_left(const GridSnapshot& grid, const CostTable& costs, uint32_t sector, int queries, NextQuery&& next) {
    const TerrainRegions regions = TerrainRegions::build(grid, {sector});
    GridSearch search;
    SmoothingScratch scratch;
    Path best;
    double before = 0, after = 0;
    for (int i = 0; i < queries; ++i) {
        const auto [start, goal] = next(i);
        search.begin({grid, costs, Movement::kEightNoCornerCutting}, start, goal);
        if (search.run() != Status::kFound) continue;
        search.path(best);
        std::vector<Cell> cells = path_through_regions(regions, costs, start, goal, search);
        before += to_real(path_cost({grid, costs, Movement::kEightNoCornerCutting}, cells) - best.cost);
        after += to_real(smooth_path({grid, costs, Movement::kEightNoCornerCutting}, cells, scratch) - best.cost);
    }
    EXPECT_GT(before, 0);
    return after / before;
}

TEST(Smoothing, RemovesMostSuboptimalityOfRegionPathsOnAnIsland) {
    IslandOptions options;
    options.width = options.height = 512;
    const GridSnapshot grid = generate_island(options).value().snapshot();
    const CostTable costs = Profile::preset("person")->compile(grid.catalogue()).value();
    Rng rng(3);
    const auto query = [&](int) {
        const Cell start = random_cell(rng, grid);
        return std::pair(start, random_cell(rng, grid));
    };
    EXPECT_LT(share_left(grid, costs, 16, 30, query), 0.3);
}

TEST(Smoothing, RemovesMostSuboptimalityOfRegionPathsOnABenchmarkMap) {
    const std::string folder = TERRANE_DATA "/weighted/";
    std::error_code ignored;
    if (!std::filesystem::exists(folder + "Map1.map", ignored))
        GTEST_SKIP() << "no weighted maps in " << TERRANE_DATA << " (set TERRANE_DATA)";
    const GridSnapshot grid = load_map(folder + "Map1.map", {Letters::kTerrain}).value().snapshot();
    const CostTable costs = load_profile(folder + "scen-costs.csv").value().compile(grid.catalogue()).value();
    const Scenario scenario = load_scenario(folder + "Map1.map.scen").value();
    const auto query = [&](int i) {
        const Problem& p = scenario.problems[static_cast<size_t>(i)];
        return std::pair(p.start, p.goal);
    };
    EXPECT_LT(share_left(grid, costs, 16, 8, query), 0.2);
}

TEST(Smoothing, ScratchStopsGrowing) {
    Rng rng(5);
    GridSearch search;
    SmoothingScratch scratch;
    const RandomWorld world = random_world(rng, 200);
    std::vector<std::vector<Cell>> paths;
    paths.reserve(20);
    for (int i = 0; i < 20; ++i) paths.push_back(wandering_path(rng, search, world));
    std::vector<Cell> cells;
    const auto smooth_all = [&] {
        for (const std::vector<Cell>& path : paths) {
            cells.assign(path.begin(), path.end());
            smooth_path({world.grid.snapshot(), world.costs, world.movement}, cells, scratch);
        }
        return scratch.bytes();
    };
    const size_t bytes = smooth_all();
    EXPECT_EQ(smooth_all(), bytes);
}

// When this changes, results have changed: say so in CHANGELOG.md with the tag [results].
TEST(SmoothingGolden, RandomWorlds) {
    Rng rng(41);
    GridSearch search;
    SmoothingScratch scratch;
    uint64_t h = 0;
    for (int i = 0; i < 200; ++i) {
        const RandomWorld world = random_world(rng);
        Path path;
        path.cells = wandering_path(rng, search, world);
        path.cost = smooth_path({world.grid.snapshot(), world.costs, world.movement}, path.cells, scratch);
        h = hash_of(path, h);
    }
    EXPECT_EQ(h, 0xa1a14301ae3d56eau);
}

}  // namespace
}  // namespace terrane::test
