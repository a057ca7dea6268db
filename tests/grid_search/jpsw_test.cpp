// Jump point search in weighted grids: the optimum, against an independent oracle and A*, under edits and in slices; what it refuses.
#include <gtest/gtest.h>

#include "grid_search/find_by_method.h"
#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane::test {
namespace {

TEST(Jpsw, TakesTheLongerCheaperPath) {
    const Scene s = scene(R"(S999999G
                             1......1
                             11111111
                             11111111)");
    World world(TerrainGrid(8, 4, s.grid.snapshot().cells(), digit_catalogue()));
    Planner planner(world);
    const Path path = planner.find(s.start, s.goal, s.profile, by("jpsw"));
    EXPECT_EQ(path.cost, (2 * kDiagonal + 5 * kStraight) * 200);
    EXPECT_EQ(path.cells, (std::vector<Cell>{{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 0}}));
}

TEST(Jpsw, FindsTheOptimumOnRandomWeightedWorldsUnderEditsAndInSlices) {
    Rng rng(71);
    uint64_t found = 0;
    for (int i = 0; i < 120; ++i) {
        RandomWorld random = random_world(rng, 110);
        World world(std::move(random.grid));
        Planner planner(world);
        for (int query = 0; query < 8; ++query) {
            const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
            Path astar, jpsw;
            planner.find(start, goal, random.costs, by("astar"), astar);
            planner.find(start, goal, random.costs, by("jpsw"), jpsw);
            ASSERT_EQ(jpsw.status, astar.status);
            ASSERT_EQ(jpsw.cost, astar.cost) << "world " << i << ", query " << query;
            ASSERT_EQ(hash_of(find_in_slices(planner, start, goal, random.costs, "jpsw", 1 + rng.below(5))), hash_of(jpsw));
            if (jpsw) {
                ASSERT_EQ(jpsw.cells.front(), start);
                ASSERT_EQ(jpsw.cells.back(), goal);
                ASSERT_EQ(path_cost({world.grid(), random.costs, Movement::kEightNoCornerCutting}, jpsw.cells), jpsw.cost);
                ++found;
            }
            world.fill({random_cell(rng, world.grid()), {rng.between(1, 20), rng.between(1, 20)}}, static_cast<Terrain>(rng.below(6)));
        }
    }
    EXPECT_GT(found, 200u);
}

TEST(Jpsw, HasTheDistancesOfTheOracle) {
    Rng rng(72);
    for (int i = 0; i < 60; ++i) {
        RandomWorld random = random_world(rng, 40);
        const oracle::Map map = to_oracle(random.grid.snapshot(), random.costs);
        World world(std::move(random.grid));
        Planner planner(world);
        const Cell start = random_cell(rng, world.grid());
        const std::vector<double> best = oracle::distances(map, start.x, start.y, oracle::Rule::kStrict);
        for (int query = 0; query < 20; ++query) {
            const Cell goal = random_cell(rng, world.grid());
            Path path;
            planner.find(start, goal, random.costs, by("jpsw"), path);
            const double expected = best[static_cast<size_t>(goal.y * map.width + goal.x)];
            ASSERT_EQ(static_cast<bool>(path), expected != oracle::kFar && map.at(start.x, start.y) >= 0);
            if (!path) continue;
            ASSERT_NEAR(to_real(path.cost), expected, 1e-3 * expected + 1e-9);
        }
    }
}

TEST(Jpsw, ExpandsFewNodesOnLargePatches) {
    TerrainGrid grid(500, 500, Terrain{5});
    grid.fill({{200, 0}, {100, 400}}, Terrain{6});
    World world(std::move(grid));
    Planner planner(world);
    const auto costs = Profile::preset("person")->compile(world.grid().catalogue()).value();
    Path astar, jpsw;
    planner.find({3, 4}, {490, 333}, costs, by("astar"), astar);
    planner.find({3, 4}, {490, 333}, costs, by("jpsw"), jpsw);
    EXPECT_EQ(jpsw.cost, astar.cost);
    EXPECT_LT(jpsw.expansions * 20, astar.expansions);
}

TEST(Jpsw, RefusesOtherMovementRules) {
    World world(TerrainGrid(8, 8, Terrain{5}));
    Planner planner(world);
    FindOptions options = by("jpsw");
    for (const Movement movement : {Movement::kFour, Movement::kEightCutCorners}) {
        options.movement = movement;
        EXPECT_EQ(planner.find({1, 1}, {6, 5}, Profile("walker"), options).status, Status::kUnsupportedMovement);
    }
}

TEST(Jpsw, GoldenHash) {
    World world(generate_island({.width = 128, .height = 128}).value());
    Planner planner(world);
    const auto costs = Profile::preset("person")->compile(world.grid().catalogue()).value();
    Rng rng(73);
    uint64_t hash = 0;
    for (int i = 0; i < 40; ++i) {
        Path path;
        const Cell start = random_cell(rng, world.grid());
        planner.find(start, random_cell(rng, world.grid()), costs, by("jpsw"), path);
        hash = hash_of(path, hash);
    }
    EXPECT_EQ(hash, 10395748030215317633u);
}

}  // namespace
}  // namespace terrane::test
