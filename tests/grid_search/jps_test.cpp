// Jump point search: paths of A*'s cost, on random maps under edits and in slices; what it refuses.
#include <gtest/gtest.h>

#include "grid_search/find_by_method.h"
#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane::test {
namespace {

// Obstacles in random rectangles and single cells.
TerrainGrid random_obstacles(Rng& rng) {
    const int32_t width = rng.between(1, 150), height = rng.between(1, 150);
    TerrainGrid grid(width, height, Terrain{5});
    const uint32_t obstacles = rng.below(static_cast<uint32_t>(width * height / 3 + 1)), side = 1 + rng.below(9);
    for (uint32_t i = 0; i < obstacles / (side * side / 4 + 1); ++i) {
        grid.fill(
            {{rng.between(0, width - 1), rng.between(0, height - 1)}, {rng.between(1, static_cast<int32_t>(side)), 1 + rng.between(0, 1)}},
            Terrain{0});
    }
    return grid;
}

TEST(Jps, HasTheCostOfAStarUnderEditsAndInSlices) {
    Rng rng(52);
    uint64_t found = 0;
    for (int i = 0; i < 150; ++i) {
        World world(random_obstacles(rng));
        Planner planner(world);
        const auto walker = Profile("walker").blocked("black").compile(world.grid().catalogue()).value();
        const auto swimmer = Profile("swimmer").blocked("ground").cost("black", 7).compile(world.grid().catalogue()).value();
        for (int query = 0; query < 12; ++query) {
            const CostTable& costs = rng.below(4) == 0 ? swimmer : walker;
            const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
            Path astar, jps;
            planner.find(start, goal, costs, by("astar"), astar);
            planner.find(start, goal, costs, by("jps"), jps);
            ASSERT_EQ(jps.status, astar.status);
            ASSERT_EQ(jps.cost, astar.cost) << "world " << i << ", query " << query;
            if (jps) {
                ASSERT_EQ(jps.cells.front(), start);
                ASSERT_EQ(jps.cells.back(), goal);
                ASSERT_EQ(path_cost({world.grid(), costs, Movement::kEightNoCornerCutting}, jps.cells), jps.cost);
                ASSERT_EQ(jps.bound, 1);
                ++found;
            }
            const Path sliced = find_in_slices(planner, start, goal, costs, "jps", 1 + rng.below(5));
            ASSERT_EQ(hash_of(sliced), hash_of(jps));
            world.fill({random_cell(rng, world.grid()), {rng.between(1, 20), rng.between(1, 20)}},
                       Terrain{rng.below(2) == 0 ? Terrain{0} : Terrain{5}});
        }
    }
    EXPECT_GT(found, 300u);
}

TEST(Jps, ExpandsFewNodesInTheOpen) {
    World world(TerrainGrid(500, 500, Terrain{5}));
    Planner planner(world);
    const auto costs = Profile("walker").compile(world.grid().catalogue()).value();
    Path path;
    planner.find({3, 4}, {490, 333}, costs, by("jps"), path);
    EXPECT_TRUE(path);
    EXPECT_LE(path.expansions, 2u);  // one diagonal, one straight line
    EXPECT_EQ(path.cells.size(), 488u);
}

TEST(Jps, RefusesCostsThatDifferAndOtherMovementRulesOrFallsBack) {
    World world(generate_island({.width = 64, .height = 64}).value());
    Planner planner(world);
    const Profile person = *Profile::preset("person"), walker("walker");
    FindOptions options = by("jps");
    EXPECT_EQ(planner.find({5, 5}, {50, 50}, person, options).status, Status::kUnsupportedCosts);
    EXPECT_TRUE(planner.find({5, 5}, {50, 50}, walker, options));
    options.movement = Movement::kFour;
    EXPECT_EQ(planner.find({5, 5}, {50, 50}, walker, options).status, Status::kUnsupportedMovement);
    options.fallback = true;
    const Path path = planner.find({5, 5}, {50, 50}, walker, options);
    EXPECT_TRUE(path);
    EXPECT_EQ(path.method, planner.default_method().name());
}

TEST(Jps, OnlyTerrainsOnTheMapMatter) {
    World world(TerrainGrid(20, 20, Terrain{5}));
    Planner planner(world);
    EXPECT_TRUE(planner.find({1, 1}, {15, 9}, *Profile::preset("person"), by("jps")));
    world.set({3, 3}, Terrain{6});  // trees
    EXPECT_EQ(planner.find({1, 1}, {15, 9}, *Profile::preset("person"), by("jps")).status, Status::kUnsupportedCosts);
}

}  // namespace
}  // namespace terrane::test
