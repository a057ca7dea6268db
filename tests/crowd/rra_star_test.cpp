#include "crowd/cooperative/rra_star.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/scene.h"

namespace terrane {
namespace {

double real_of(uint64_t distance, const CostTable& costs) { return to_real(distance * costs.divisor); }

TEST(RraStar, ExpandsOnlyWhatARequestNeeds) {
    const TerrainGrid grid(200, 200, 0);
    const CostTable costs = Profile("any").compile(Catalogue::standard()).value();
    const RraSpace space({grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    const GridLayout& layout = space.grid().layout();
    RraStar search(space, layout.id({100, 100}), layout.id({150, 100}));
    EXPECT_EQ(search.expansions(), 0u);
    EXPECT_EQ(real_of(search.distance(layout.id({150, 100})), costs), 50);
    const uint64_t straight = search.expansions();
    EXPECT_LE(straight, 52u);
    EXPECT_EQ(real_of(search.distance(layout.id({120, 100})), costs), 20);
    EXPECT_EQ(search.expansions(), straight);  // already settled
    EXPECT_EQ(real_of(search.distance(layout.id({100, 130})), costs), 30);
    EXPECT_GT(search.expansions(), straight);
}

TEST(RraStar, DistancesEqualDijkstras) {
    Rng rng(5);
    for (int round = 0; round < 150; ++round) {
        const auto world = test::random_world(rng, 50);
        const GridSnapshot grid = world.grid.snapshot();
        const RraSpace space({grid, world.costs, world.movement});
        const Cell goal = test::random_cell(rng, grid), from = test::random_cell(rng, grid);
        if (!world.costs.passable(grid.at(goal))) continue;
        const auto truth = oracle::distances(test::to_oracle(grid, world.costs), goal.x, goal.y, test::to_oracle(world.movement));
        RraStar search(space, grid.layout().id(goal), grid.layout().id(from));
        for (int i = 0; i < 30; ++i) {
            const Cell cell = i == 0 ? from : test::random_cell(rng, grid);
            const uint64_t distance = search.distance(grid.layout().id(cell));
            const double best = truth[static_cast<size_t>(cell.y) * static_cast<size_t>(grid.width()) + static_cast<size_t>(cell.x)];
            if (distance == RraStar::kUnreachable) {
                ASSERT_EQ(best, oracle::kFar);
            } else {
                ASSERT_NEAR(real_of(distance, world.costs), best, 1e-5 * (best + 1));
            }
        }
    }
}

// Distances on levels are estimates, but 0 at the goal only, and finite exactly where a path exists.
TEST(RraStar, LevelsAgreeOnReachability) {
    Rng rng(6);
    for (int round = 0; round < 100; ++round) {
        const auto world = test::random_world(rng, 50);
        const GridSnapshot grid = world.grid.snapshot();
        const RraSpace cells({grid, world.costs, world.movement}), nodes({grid, world.costs, world.movement}, 1 + rng.below(3));
        const Cell goal = test::random_cell(rng, grid), from = test::random_cell(rng, grid);
        if (!world.costs.passable(grid.at(goal))) continue;
        RraStar exact(cells, grid.layout().id(goal), grid.layout().id(from));
        RraStar guess(nodes, grid.layout().id(goal), grid.layout().id(from));
        EXPECT_EQ(guess.distance(grid.layout().id(goal)), 0u);
        for (int i = 0; i < 30; ++i) {
            const CellId cell = grid.layout().id(test::random_cell(rng, grid));
            ASSERT_EQ(exact.distance(cell) == RraStar::kUnreachable, guess.distance(cell) == RraStar::kUnreachable);
            ASSERT_EQ(exact.distance(cell) == 0, guess.distance(cell) == 0);
        }
    }
}

TEST(RraStar, ABlockedGoalIsReachedFromItsNeighbours) {
    const test::Scene s = test::scene(R"(.....
                                         ..G..
                                         .....)");
    TerrainGrid grid(5, 3, 1, test::digit_catalogue());
    grid.set(s.goal, Terrain{0});
    const CostTable costs = s.profile.compile(test::digit_catalogue()).value();
    const RraSpace space({grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    const GridLayout& layout = space.grid().layout();
    RraStar search(space, layout.id(s.goal), layout.id({0, 1}));
    EXPECT_LT(search.distance(layout.id({1, 1})), search.distance(layout.id({0, 1})));
    EXPECT_NE(search.distance(layout.id({0, 1})), RraStar::kUnreachable);
}

// Searches that do not depend on the changed cell equal new ones.
TEST(RraStar, SearchesStayValidIfTheyDoNotDependOnTheEdit) {
    Rng rng(8);
    size_t kept = 0;
    for (int round = 0; round < 200; ++round) {
        auto world = test::random_world(rng, 50);
        RraSpace space({world.grid.snapshot(), world.costs, world.movement});
        const GridLayout layout = space.grid().layout();
        const Cell goal = test::random_cell(rng, space.grid()), from = test::random_cell(rng, space.grid());
        RraStar search(space, layout.id(goal), layout.id(from));
        search.distance(layout.id(from));
        const Cell changed = test::random_cell(rng, space.grid());
        const EditResult edit = world.grid.set(changed, static_cast<Terrain>(rng.below(8)));
        if (!space.update(edit) || search.depends_on(layout.id(changed))) continue;
        ++kept;
        RraStar restarted(space, layout.id(goal), layout.id(from));
        for (int i = 0; i < 30; ++i) {
            const CellId cell = layout.id(test::random_cell(rng, space.grid()));
            ASSERT_EQ(search.distance(cell), restarted.distance(cell));
        }
    }
    EXPECT_GT(kept, 20u);
}

// Terrain costs of 650 on a long map need 64 bits.
TEST(RraStar, ExpensiveTerrainDoesNotOverflow) {
    const TerrainGrid grid(2000, 2, 0);
    const CostTable costs = Profile("expensive").otherwise(649.99).compile(Catalogue::standard()).value();
    CostTable fine = costs;
    fine.divisor = 1;
    fine.cost.fill(64999);
    fine.cost[kOutside] = 0;
    const RraSpace space({grid.snapshot(), fine, Movement::kEightNoCornerCutting});
    EXPECT_TRUE(space.wide());
    const GridLayout& layout = space.grid().layout();
    RraStar search(space, layout.id({0, 0}), layout.id({1999, 0}));
    EXPECT_EQ(search.distance(layout.id({1999, 0})), uint64_t{1999} * 2 * kStraight * 64999);
}

}  // namespace
}  // namespace terrane
