#include "crowd/cooperative/reverse_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/scene.h"

namespace terrane {
namespace {

double real_of(uint64_t distance, const CostTable& costs) { return to_real(distance * costs.divisor); }

TEST(ReverseSearch, AsksForNoMoreThanItMust) {
    const TerrainGrid grid(200, 200, 0);
    const CostTable costs = Profile("any").compile(Catalogue::standard()).value();
    const ReverseSpace space({grid.snapshot(), costs, Movement::kEight});
    const GridLayout& layout = space.grid().layout();
    ReverseSearch search(space, layout.id({100, 100}), layout.id({150, 100}));
    EXPECT_EQ(search.expansions(), 0u);
    EXPECT_EQ(real_of(search.distance(layout.id({150, 100})), costs), 50);
    const uint64_t straight = search.expansions();
    EXPECT_LE(straight, 52u);
    EXPECT_EQ(real_of(search.distance(layout.id({120, 100})), costs), 20);
    EXPECT_EQ(search.expansions(), straight);  // known already
    EXPECT_EQ(real_of(search.distance(layout.id({100, 130})), costs), 30);
    EXPECT_GT(search.expansions(), straight);
}

TEST(ReverseSearch, DistancesAreDijkstras) {
    Rng rng(5);
    for (int round = 0; round < 150; ++round) {
        const auto world = test::random_world(rng, 50);
        const GridSnapshot grid = world.grid.snapshot();
        const ReverseSpace space({grid, world.costs, world.movement});
        const Cell goal = test::random_cell(rng, grid), from = test::random_cell(rng, grid);
        if (!world.costs.passable(grid.at(goal))) continue;
        const auto truth = oracle::distances(test::to_oracle(grid, world.costs), goal.x, goal.y, test::to_oracle(world.movement));
        ReverseSearch search(space, grid.layout().id(goal), grid.layout().id(from));
        for (int i = 0; i < 30; ++i) {
            const Cell cell = i == 0 ? from : test::random_cell(rng, grid);
            const uint64_t distance = search.distance(grid.layout().id(cell));
            const double best = truth[static_cast<size_t>(cell.y) * static_cast<size_t>(grid.width()) + static_cast<size_t>(cell.x)];
            if (distance == ReverseSearch::kFar) {
                ASSERT_EQ(best, oracle::kFar);
            } else {
                ASSERT_NEAR(real_of(distance, world.costs), best, 1e-5 * (best + 1));
            }
        }
    }
}

// On levels: a guess, but 0 at the goal alone, and there where there is a way.
TEST(ReverseSearch, LevelsKnowWhatCanBeReached) {
    Rng rng(6);
    for (int round = 0; round < 100; ++round) {
        const auto world = test::random_world(rng, 50);
        const GridSnapshot grid = world.grid.snapshot();
        const ReverseSpace cells({grid, world.costs, world.movement}), nodes({grid, world.costs, world.movement}, 1 + rng.below(3));
        const Cell goal = test::random_cell(rng, grid), from = test::random_cell(rng, grid);
        if (!world.costs.passable(grid.at(goal))) continue;
        ReverseSearch exact(cells, grid.layout().id(goal), grid.layout().id(from));
        ReverseSearch guess(nodes, grid.layout().id(goal), grid.layout().id(from));
        EXPECT_EQ(guess.distance(grid.layout().id(goal)), 0u);
        for (int i = 0; i < 30; ++i) {
            const CellId cell = grid.layout().id(test::random_cell(rng, grid));
            ASSERT_EQ(exact.distance(cell) == ReverseSearch::kFar, guess.distance(cell) == ReverseSearch::kFar);
            ASSERT_EQ(exact.distance(cell) == 0, guess.distance(cell) == 0);
        }
    }
}

TEST(ReverseSearch, ABlockedGoalIsReachedFromBesideIt) {
    const test::Scene s = test::scene(R"(.....
                                         ..G..
                                         .....)");
    TerrainGrid grid(5, 3, 1, test::digit_catalogue());
    grid.set(s.goal, Terrain{0});
    const CostTable costs = s.profile.compile(test::digit_catalogue()).value();
    const ReverseSpace space({grid.snapshot(), costs, Movement::kEight});
    const GridLayout& layout = space.grid().layout();
    ReverseSearch search(space, layout.id(s.goal), layout.id({0, 1}));
    EXPECT_LT(search.distance(layout.id({1, 1})), search.distance(layout.id({0, 1})));
    EXPECT_NE(search.distance(layout.id({0, 1})), ReverseSearch::kFar);
}

// What an edit did not touch stays right; what it did says so.
TEST(ReverseSearch, EditsFarAwayLeaveItAsItIs) {
    Rng rng(8);
    size_t kept = 0;
    for (int round = 0; round < 200; ++round) {
        auto world = test::random_world(rng, 50);
        ReverseSpace space({world.grid.snapshot(), world.costs, world.movement});
        const GridLayout layout = space.grid().layout();
        const Cell goal = test::random_cell(rng, space.grid()), from = test::random_cell(rng, space.grid());
        ReverseSearch search(space, layout.id(goal), layout.id(from));
        search.distance(layout.id(from));
        const Cell changed = test::random_cell(rng, space.grid());
        const EditResult edit = world.grid.set(changed, static_cast<Terrain>(rng.below(8)));
        if (!space.update(edit) || search.touched(layout.id(changed))) continue;
        ++kept;
        ReverseSearch anew(space, layout.id(goal), layout.id(from));
        for (int i = 0; i < 30; ++i) {
            const CellId cell = layout.id(test::random_cell(rng, space.grid()));
            ASSERT_EQ(search.distance(cell), anew.distance(cell));
        }
    }
    EXPECT_GT(kept, 20u);
}

// Costs of 650 on a long map need 64 bits.
TEST(ReverseSearch, DearTerrainDoesNotOverflow) {
    const TerrainGrid grid(2000, 2, 0);
    const CostTable costs = Profile("dear").otherwise(649.99).compile(Catalogue::standard()).value();
    CostTable fine = costs;
    fine.divisor = 1;
    fine.cost.fill(64999);
    fine.cost[kOutside] = 0;
    const ReverseSpace space({grid.snapshot(), fine, Movement::kEight});
    EXPECT_TRUE(space.wide());
    const GridLayout& layout = space.grid().layout();
    ReverseSearch search(space, layout.id({0, 0}), layout.id({1999, 0}));
    EXPECT_EQ(search.distance(layout.id({1999, 0})), uint64_t{1999} * 2 * kStraight * 64999);
}

}  // namespace
}  // namespace terrane
