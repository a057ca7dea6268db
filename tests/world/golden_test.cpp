// Hashes over path, cost and expansions that must be the same for every compiler, optimisation level and machine. When one
// changes, results have changed: say so in CHANGELOG.md with the tag [results].
#include <gtest/gtest.h>

#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

uint64_t golden(const char* method, Movement movement) {
    Rng rng(99);
    GridSearch search;
    Path path;
    uint64_t h = 0;
    const auto query = [&](const GridSnapshot& grid, const CostTable& costs) {
        SearchOptions options;
        options.method = find_method(method).value();
        const Cell start = random_cell(rng, grid);
        search.begin({grid, costs, movement}, start, random_cell(rng, grid), options);
        search.run();
        search.path(path);
        h = hash_of(path, h);
    };
    for (int i = 0; i < 60; ++i) {
        const RandomWorld world = random_world(rng);
        query(world.grid.snapshot(), world.costs);
    }
    IslandOptions island;
    island.width = island.height = 256;
    const GridSnapshot grid = generate_island(island).value().snapshot();
    for (const Profile& profile : Profile::presets()) {
        for (int i = 0; i < 5; ++i) query(grid, profile.compile(grid.catalogue()).value());
    }
    return h;
}

TEST(PathGolden, AStar) { EXPECT_EQ(golden("astar", Movement::kEightNoCornerCutting), 0x33152029240c3007u); }
TEST(PathGolden, AStarCuttingCorners) { EXPECT_EQ(golden("astar", Movement::kEightCutCorners), 0x2374c7c45153b386u); }
TEST(PathGolden, AStarFourConnected) { EXPECT_EQ(golden("astar", Movement::kFour), 0x3a933ab542d5c97cu); }
TEST(PathGolden, WeightedAStar) { EXPECT_EQ(golden("wastar:1.5", Movement::kEightNoCornerCutting), 0xd308ef51b69aa7c7u); }
TEST(PathGolden, Focal) { EXPECT_EQ(golden("focal:1.5", Movement::kEightNoCornerCutting), 0x520f2ea7a79cff74u); }
TEST(PathGolden, Nbs) { EXPECT_EQ(golden("nbs", Movement::kEightNoCornerCutting), 0x780d6823bcad5f86u); }
TEST(PathGolden, Dijkstra) { EXPECT_EQ(golden("dijkstra", Movement::kEightNoCornerCutting), 0x470a57780edfddf2u); }

}  // namespace
}  // namespace terrane::test
