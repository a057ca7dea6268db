#include "terrane/crowd/pibt.h"

#include <gtest/gtest.h>

#include <vector>

#include "crowd/drawn_crowd.h"

namespace terrane {
namespace {

test::CrowdRun run(test::DrawnCrowd& drawn, const PibtOptions& options = {}, Tick max_ticks = 200, Movement movement = Movement::kFour) {
    Crowd crowd = drawn.crowd(make_pibt(options), movement);
    return test::run_crowd(crowd, max_ticks);
}

TEST(Pibt, OneAgentTakesTheShortestPath) {
    test::DrawnCrowd drawn(R"(a.#A
                              ..#.
                              ....)");
    const test::CrowdRun done = run(drawn);
    EXPECT_TRUE(done.arrived);
    EXPECT_EQ(to_real(done.cost), 7.0);
}

TEST(Pibt, AFullRingTurns) {
    test::DrawnCrowd drawn(R"(abc
                              h#d
                              gfe)");
    Crowd crowd(drawn.world(), {drawn.costs()}, make_pibt(), {.movement = Movement::kFour});
    for (char c = 'a'; c <= 'h'; ++c) crowd.add(drawn.start(c), drawn.start(c == 'h' ? 'a' : static_cast<char>(c + 1)));
    EXPECT_FALSE(crowd.tick().has_value());
    EXPECT_TRUE(crowd.all_arrived());
}

TEST(Pibt, SwapsInACorridorWhereThereIsANiche) {
    test::DrawnCrowd drawn(R"(B.ab..A
                              ###.###)");
    const test::CrowdRun done = run(drawn);
    EXPECT_TRUE(done.arrived);
    EXPECT_EQ(done.faults, 0u);
}

TEST(Pibt, WithoutANicheNobodyArrivesAndNobodyCollides) {
    test::DrawnCrowd drawn("B.ab.A");
    const test::CrowdRun done = run(drawn);
    EXPECT_FALSE(done.arrived);
    EXPECT_EQ(done.faults, 0u);
}

TEST(Pibt, ACrowdGoesThroughADoor) {
    test::DrawnCrowd drawn(R"(abc.#.ABC
                              def...DEF
                              gh..#..GH)");
    EXPECT_TRUE(run(drawn).arrived);
    test::DrawnCrowd again(R"(abc.#.ABC
                              def...DEF
                              gh..#..GH)");
    EXPECT_TRUE(run(again, {}, 200, Movement::kEightNoCornerCutting).arrived);
}

TEST(Pibt, AvoidsExpensiveTerrain) {
    test::DrawnCrowd drawn(R"(a999A
                              .....)");
    const test::CrowdRun done = run(drawn);
    EXPECT_TRUE(done.arrived);
    EXPECT_EQ(to_real(done.cost), 6.0);
}

TEST(Pibt, UnreachableGoalsDoNoHarm) {
    test::DrawnCrowd drawn(R"(a.b#A
                              ...##
                              ..B..)");
    Crowd crowd = drawn.crowd(make_pibt());
    const AgentId next_to_goal = crowd.add({4, 2}, {3, 0});
    EXPECT_EQ(test::run_crowd(crowd, 30).faults, 0u);
    EXPECT_TRUE(crowd.agents()[1].at_goal());
    EXPECT_EQ(crowd.layout().cell(crowd.agents()[next_to_goal].at), (Cell{4, 2}));
}

// Any movement, costs, types, joins, leaves, goals and edits: every proposal is valid.
TEST(Pibt, WhateverHappensEveryStepIsLegal) {
    Rng rng(11);
    for (int round = 0; round < 30; ++round) {
        test::RandomWorld random = test::random_world(rng, 24);
        const Movement movement = random.movement;
        World world(std::move(random.grid), {.sectors = {}});
        CostTable fish = random.costs;
        for (size_t t = 0; t < 4; ++t) fish.cost[t] = fish.cost[t] == 0 ? 3u : 0u;
        const PibtOptions options{.swap = rng.chance(1, 2), .flow = rng.chance(1, 2)};
        Crowd crowd(world, {random.costs, fish}, make_pibt(options), {.movement = movement});
        for (int step = 0; step < 60; ++step) {
            for (uint32_t i = 0; i < 3; ++i) {
                const Cell at = test::random_cell(rng, crowd.grid()), goal = test::random_cell(rng, crowd.grid());
                crowd.add(at, goal, static_cast<uint16_t>(rng.below(2)));
            }
            if (rng.chance(1, 4) && !crowd.agents().empty()) {
                const auto agent = rng.below(static_cast<uint32_t>(crowd.agents().size()));
                crowd.set_goal(agent, test::random_cell(rng, crowd.grid()));
            }
            if (rng.chance(1, 8) && !crowd.agents().empty()) crowd.remove(rng.below(static_cast<uint32_t>(crowd.agents().size())));
            if (rng.chance(1, 8)) {
                const Cell cell = test::random_cell(rng, crowd.grid());
                world.set(cell, static_cast<Terrain>(rng.below(8)));
            }
            const auto fault = crowd.tick();
            ASSERT_FALSE(fault.has_value()) << "round " << round << ", " << to_string(fault->type);
        }
    }
}

TEST(Pibt, GoldenAndTheSameForAnyNumberOfThreads) {
    for (const uint32_t threads : {1u, 2u, 8u}) {
        World world(TerrainGrid(24, 24, Terrain{1}, test::digit_catalogue()), {.sectors = {}});
        Rng rng(5);
        for (int i = 0; i < 80; ++i) world.set(test::random_cell(rng, world.grid()), Terrain{0});
        const CostTable costs = test::digit_profile().compile(world.grid().catalogue()).value();
        Crowd crowd(world, {costs}, make_pibt({.threads = threads}), {.movement = Movement::kFour});
        for (int i = 0; i < 150; ++i) {
            const Cell at = test::random_cell(rng, crowd.grid()), goal = test::random_cell(rng, crowd.grid());
            crowd.add(at, goal);
        }
        uint64_t hash = 0;
        for (int tick = 0; tick < 100; ++tick) {
            EXPECT_FALSE(crowd.tick().has_value());
            for (const CrowdAgent& agent : crowd.agents()) hash = mix64(hash ^ agent.at);
        }
        EXPECT_EQ(hash, 10510793581172064506u) << threads;
    }
}

}  // namespace
}  // namespace terrane
