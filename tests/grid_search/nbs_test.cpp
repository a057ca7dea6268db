// Near-optimal bidirectional search: drawn cases and its guarantee. oracle_test.cpp tests its optimality, as that of the other methods.
#include <gtest/gtest.h>

#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

TEST(Nbs, PathIsCleanWhereTheHalvesMeetAtAnEnd) {
    for (const char* drawing : {"SG", "S.G", "S..G", "S1999G", "S9991G", "S#\n.G"}) {
        const Scene s = scene(drawing);
        const Path path = solve("nbs", s), truth = solve("astar", s);
        ASSERT_EQ(path.status, Status::kFound) << drawing;
        EXPECT_EQ(path.cost, truth.cost) << drawing;
        EXPECT_EQ(path.cells.front(), s.start) << drawing;
        EXPECT_EQ(path.cells.back(), s.goal) << drawing;
        EXPECT_EQ(path.cells.size(), truth.cells.size()) << drawing;
    }
}

TEST(Nbs, SameStartAndGoalIsOneCell) {
    const Scene s = scene("S..");
    SearchOptions options;
    options.method = find_method("nbs").value();
    const Path path = find_path(s.grid.snapshot(), s.start, s.start, s.profile, options).value();
    EXPECT_EQ(path.cells, std::vector<Cell>{s.start});
    EXPECT_EQ(path.cost, 0u);
}

TEST(Nbs, UnreachableIsKnownWhenOneSideIsExhausted) {
    std::string drawing;
    for (int y = 0; y < 60; ++y)
        drawing += y == 0   ? std::string(57, '.') + "###\n"
                   : y == 1 ? "S" + std::string(56, '.') + "#G#\n"
                   : y == 2 ? std::string(57, '.') + "###\n"
                            : std::string(60, '.') + "\n";
    const Path path = solve("nbs", scene(drawing));
    EXPECT_EQ(path.status, Status::kUnreachable);
    EXPECT_LT(path.expansions, 10u);  // A* would expand 3,500 cells
}

// Necessary expansions are at most twice those of A*, on islands and drawn costs of several ranges.
TEST(Nbs, NecessaryExpansionsAreAtMostTwiceThoseOfAStar) {
    IslandOptions island;
    island.width = island.height = 300;
    const GridSnapshot grid = generate_island(island).value().snapshot();
    Rng rng(3);
    GridSearch search;
    for (int i = 0; i < 40; ++i) {
        Profile profile("drawn");
        const uint32_t range = 20u << rng.below(5);
        for (const TerrainType& type : grid.catalogue().types()) profile.rule(type.name, 100 + 5 * rng.below(range));
        const CostTable costs = profile.compile(grid.catalogue()).value();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        SearchOptions options;
        search.begin({grid, costs, Movement::kEightNoCornerCutting}, start, goal, options);
        search.run();
        const uint64_t astar = search.expansions();
        options.method = find_method("nbs").value();
        search.begin({grid, costs, Movement::kEightNoCornerCutting}, start, goal, options);
        search.run();
        EXPECT_LE(search.necessary_expansions(), 2 * astar + 2) << i;
        EXPECT_LE(search.necessary_expansions(), search.expansions());
    }
}

}  // namespace
}  // namespace terrane::test
