// Contract of every method that searches cells. Methods added to the registry are tested here.
#include <gtest/gtest.h>

#include "support/scene.h"
#include "terrane/method/method_interface.h"

namespace terrane::test {
namespace {

TEST(CellMethods, FindALegalPathIfAndOnlyIfThereIsOneAndTheSameInSlices) {
    Rng rng(77);
    GridSearch search;
    for (int i = 0; i < 200; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        const Path astar = solve_in_slices(search, world, start, goal, "astar");
        for (const MethodFactory* factory : methods()) {
            const MethodInfo& info = factory->info;
            if (!factory->capabilities.searches_cells) continue;
            SCOPED_TRACE(testing::Message() << "world " << i << " " << info.example);
            const Path path = solve_in_slices(search, world, start, goal, info.example);
            ASSERT_EQ(path.status, astar.status);
            ASSERT_EQ(hash_of(path), hash_of(solve_in_slices(search, world, start, goal, info.example, 1 + rng.below(50))));
            if (!path) continue;
            ASSERT_EQ(path.cells.front(), start);
            ASSERT_EQ(path.cells.back(), goal);
            ASSERT_EQ(path.cost, path_cost({grid, world.costs, world.movement}, path.cells));  // infinite for an illegal path
            ASSERT_GE(path.cost, astar.cost);
            ASSERT_LE(to_real(path.cost), to_real(astar.cost) * path.bound * (1 + 1e-9));
        }
    }
}

TEST(CellMethods, FromACellToItselfIsOneCell) {
    Rng rng(78);
    GridSearch search;
    const RandomWorld world = random_world(rng);
    Cell start = random_cell(rng, world.grid.snapshot());
    while (!world.costs.passable(world.grid.snapshot().at(start))) start = random_cell(rng, world.grid.snapshot());
    for (const MethodFactory* factory : methods()) {
        if (!factory->capabilities.searches_cells) continue;
        EXPECT_EQ(solve_in_slices(search, world, start, start, factory->info.example).cells.size(), 1u) << factory->info.name;
    }
}

}  // namespace
}  // namespace terrane::test
