// The method of hub_method.cpp through World and Planner, as any other method.
#include <gtest/gtest.h>

#include "support/scene.h"
#include "terrane/method/method_interface.h"
#include "terrane/world/planner.h"
#include "terrane/world/request_queue.h"

namespace terrane::test {
namespace {

FindOptions by_hub(Movement movement) {
    FindOptions options;
    options.method = find_method("hub").value();
    options.movement = movement;
    return options;
}

TEST(HubMethod, IsInTheListAndRefusesWhatItDoesNotKnow) {
    EXPECT_STREQ(methods().back()->info.name, "hub");
    EXPECT_EQ(find_method("hub:2").error().reason, "method 'hub:2': expected hub");
    EXPECT_EQ(find_method("hub+fast").error().reason, "method 'hub+fast': no option 'fast'; expected one of: any_angle");
    EXPECT_TRUE(prepares(find_method("hub+any_angle").value()));
}

// Prepared, used whole and in slices, updated by edits, discarded.
TEST(HubMethod, FindsAPathIfAndOnlyIfThereIsOne) {
    Rng rng(91);
    int found = 0;
    for (int i = 0; i < 40; ++i) {
        RandomWorld random = random_world(rng);
        World world(std::move(random.grid));
        Planner planner(world);
        const FindOptions options = by_hub(random.movement);
        Path path, sliced, best;
        planner.find({0, 0}, {0, 0}, random.costs, options, path);
        EXPECT_NE(path.status, Status::kFound);
        ASSERT_TRUE(world.prepare(random.costs, {.method = options.method, .movement = random.movement}));
        for (int q = 0; q < 6; ++q) {
            const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
            planner.find(start, goal, random.costs, options, path);
            FindOptions astar = options;
            astar.method = find_method("astar").value();
            planner.find(start, goal, random.costs, astar, best);
            ASSERT_EQ(path.status, best.status);
            planner.begin(start, goal, random.costs, options);
            while (planner.run(3) == Status::kBudgetSpent) {
            }
            planner.path(sliced);
            ASSERT_EQ(sliced.cells, path.cells);
            ASSERT_EQ(sliced.expansions, path.expansions);
            if (path) {
                ++found;
                ASSERT_EQ(path.method, "hub");
                ASSERT_EQ(path.cells.front(), start);
                ASSERT_EQ(path.cells.back(), goal);
                ASSERT_EQ(path.cost, path_cost({world.grid(), random.costs, random.movement}, path.cells));
                ASSERT_GE(path.cost, best.cost);
                ASSERT_LE(static_cast<double>(best.cost) * 0.999, static_cast<double>(path.cost) * path.bound);
            }
            const Cell c = random_cell(rng, world.grid());
            world.fill({c, {3, 2}}, static_cast<Terrain>(rng.below(10)));
        }
        EXPECT_GT(world.snapshot().all_prepared()[0]->bytes(), 0u);
        EXPECT_TRUE(world.discard(options.method, random.costs, random.movement));
        EXPECT_FALSE(world.discard(options.method, random.costs, random.movement));
    }
    EXPECT_GT(found, 50);
}

TEST(HubMethod, ServesRequestQueuesAndAnyAnglePaths) {
    World world(TerrainGrid(40, 30, Terrain{5}));
    const CostTable costs = Profile().compile(world.grid().catalogue()).value();
    FindOptions options;
    options.method = find_method("hub+any_angle").value();
    ASSERT_TRUE(world.prepare(costs, {.method = options.method}));
    RequestQueue queue(world);
    const RequestId id = queue.add({3, 4}, {37, 22}, costs, options);
    while (queue.waiting() > 0) queue.run(5);
    Path path;
    ASSERT_TRUE(queue.take(id, path));
    EXPECT_EQ(path.status, Status::kFound);
    EXPECT_EQ(path.method, "hub+any_angle");
    EXPECT_GE(path.polyline.size(), 2u);
}

}  // namespace
}  // namespace terrane::test
