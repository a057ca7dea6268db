// Random worlds, profiles and movement rules against the brute-force oracle.
#include <gtest/gtest.h>

#include <cstring>

#include "support/scene.h"
#include "terrane/io/map_file.h"
#include "terrane/io/scenario.h"

namespace terrane::test {
namespace {

void check_path(const RandomWorld& world, const Path& path, Cell start, Cell goal, double optimal, double weight) {
    ASSERT_EQ(path.cells.front(), start);
    ASSERT_EQ(path.cells.back(), goal);
    ASSERT_EQ(path.cost, path_cost({world.grid.snapshot(), world.costs, world.movement}, path.cells));  // legal, and adds up
    ASSERT_NEAR(exact_cost(world.grid.snapshot(), world.costs, path.cells), to_real(path.cost), optimal * 1e-5 + 1e-9);
    ASSERT_GE(to_real(path.cost), optimal * (1 - 1e-6));
    ASSERT_LE(to_real(path.cost), optimal * weight * (1 + 1e-6));
    ASSERT_LE(path.bound, weight + 1e-9);
}

TEST(Oracle, RandomWorldsProfilesAndRules) {
    Rng rng(2024);
    GridSearch search;
    int found = 0, not_found = 0;
    for (int i = 0; i < 400; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        const auto truth = oracle::distances(to_oracle(grid, world.costs), start.x, start.y, to_oracle(world.movement));
        const double optimal = truth[static_cast<size_t>(goal.y * grid.width() + goal.x)];
        const Path astar = solve_in_slices(search, world, start, goal, "astar"),
                   dijkstra = solve_in_slices(search, world, start, goal, "dijkstra");
        ASSERT_EQ(astar.status == Status::kFound, optimal != oracle::kFar) << "world " << i;
        ASSERT_EQ(astar.cost, dijkstra.cost) << "world " << i;
        ++(astar ? found : not_found);
        for (const char* method : {"astar", "dijkstra", "nbs", "wastar:1.2", "wastar:2", "wastar:5", "focal:1", "focal:1.3", "focal:3"}) {
            SCOPED_TRACE(testing::Message() << "world " << i << " " << method);
            const Path whole = solve_in_slices(search, world, start, goal, method);
            ASSERT_EQ(hash_of(whole),
                      hash_of(solve_in_slices(search, world, start, goal, method, 1 + rng.below(50))));  // sliced is the same
            const char* colon = std::strchr(method, ':');
            const double weight = colon != nullptr ? std::stod(colon + 1) : 1;
            ASSERT_EQ(whole.status, astar.status);
            if (whole) {
                ASSERT_NO_FATAL_FAILURE(check_path(world, whole, start, goal, optimal, weight));
            }
        }
    }
    EXPECT_GT(found, 150);
    EXPECT_GT(not_found, 50);
}

// The project's own scenes: their published lengths, the oracle and A* agree on every problem.
void check_scene(const std::string& name, const Profile& profile) {
    const std::string file = std::string(TERRANE_SOURCE_DIR "/scenes/") + name;
    const GridSnapshot grid = load_map(file).value().snapshot();
    const CostTable costs = profile.compile(grid.catalogue()).value();
    const oracle::Map map = to_oracle(grid, costs);
    const Scenario scenario = load_scenario(file + ".scen").value();
    GridSearch search;
    Path path;
    for (const Problem& p : scenario.problems) {
        const auto truth = oracle::distances(map, p.start.x, p.start.y, oracle::Rule::kStrict);
        const double optimal = truth[static_cast<size_t>(p.goal.y * grid.width() + p.goal.x)];
        search.begin({grid, costs, Movement::kEightNoCornerCutting}, p.start, p.goal);
        search.run();
        search.path(path);
        ASSERT_EQ(path.status == Status::kFound, optimal != oracle::kFar);
        if (!path) continue;
        ASSERT_NEAR(optimal, p.length, 1e-7 * p.length + 1e-8);
        ASSERT_NEAR(exact_cost(grid, costs, path.cells), optimal, 1e-6 * optimal + 1e-9);
    }
    ASSERT_GE(scenario.problems.size(), 100u);
}

TEST(Oracle, OwnScenes) {
    check_scene("rooms.map", *Profile::preset("walker"));
    check_scene("maze.map", *Profile::preset("walker"));
    check_scene("islet.map", load_profile(TERRANE_SOURCE_DIR "/scenes/islet.profile").value());
}

}  // namespace
}  // namespace terrane::test
