#include "crowd/goal_fields.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "support/scene.h"

namespace terrane {
namespace {

AgentType type_of(const test::Scene& scene) { return AgentType(scene.profile.compile(scene.grid.snapshot().catalogue()).value()); }

// Compares every distance of a field, through every query function, with an independent search.
void expect_distances(const GridSnapshot& grid, const AgentType& type, Movement movement, Cell goal) {
    const CrowdGround ground(grid, {&type, 1}, movement);
    const Spot to = ground.spot(grid.layout().id(goal));
    if (to == kNoSpot) return;
    GoalFields fields(ground);
    const FieldRequest request{to, 0};
    const FieldId field = fields.take({&request, 1})[0];
    const std::vector<double> best = oracle::distances(test::to_oracle(grid, type.costs), goal.x, goal.y, test::to_oracle(movement));
    const auto expected = [&](Spot spot) {
        const Cell cell = grid.layout().cell(ground.cell(spot));
        return best[static_cast<size_t>(cell.y * grid.width() + cell.x)];
    };
    for (Spot spot = 0; spot < ground.size(); ++spot) {
        const Cost distance = fields.distance(field, spot);
        ASSERT_EQ(distance == kInfiniteCost, expected(spot) == oracle::kFar);
        if (distance == kInfiniteCost) continue;
        ASSERT_NEAR(to_real(distance), expected(spot), 1e-5 * (1 + expected(spot)));
        for (uint32_t moves = ground.legal(0, spot); moves != 0; moves &= moves - 1) {
            const Spot neighbour = ground.neighbour(spot, static_cast<Move>(std::countr_zero(moves)));
            const Cost there = fields.distance(field, neighbour);
            ASSERT_EQ(fields.neighbour_distance(field, spot, distance, neighbour), there);
            ASSERT_EQ(fields.nearer(field, spot, neighbour), there < distance);
        }
    }
}

TEST(GoalFields, OneBitPerSpotGivesAllDistancesOnUniformTerrain) {
    const test::Scene scene = test::scene(R"(..#....
                                             .##.##.
                                             ....#..
                                             ###.#.#
                                             ......#)");
    const AgentType type = type_of(scene);
    const GridSnapshot grid = scene.grid.snapshot();
    for (int32_t x = 0; x < 7; ++x) {
        for (int32_t y = 0; y < 5; ++y) expect_distances(grid, type, Movement::kFour, {x, y});
    }
}

TEST(GoalFields, DistancesOfRandomWorldsAreThoseOfDijkstra) {
    Rng rng(7);
    for (int round = 0; round < 40; ++round) {
        const test::RandomWorld world = test::random_world(rng, 40);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell goal = test::random_cell(rng, grid);
        expect_distances(grid, AgentType(world.costs), world.movement, goal);
    }
}

// Compares a field built for one spot, queried from there outwards, with a complete field.
void expect_same_distances(const CrowdGround& ground, Spot goal, Spot from) {
    GoalFields complete(ground), partial(ground);
    const FieldRequest anywhere{goal, 0}, there{goal, 0, from};
    const FieldId a = complete.take({&anywhere, 1})[0], b = partial.take({&there, 1})[0];
    std::vector<Cost> known(ground.size(), kInfiniteCost);
    known[from] = partial.distance(b, from);
    ASSERT_EQ(known[from], complete.distance(a, from));
    std::vector<Spot> queue = {from};
    for (size_t i = 0; i < queue.size(); ++i) {
        for (uint32_t moves = ground.legal(0, queue[i]); moves != 0; moves &= moves - 1) {
            const Spot to = ground.neighbour(queue[i], static_cast<Move>(std::countr_zero(moves)));
            if (known[to] != kInfiniteCost) continue;
            known[to] = partial.neighbour_distance(b, queue[i], known[queue[i]], to);
            ASSERT_EQ(known[to], complete.distance(a, to));
            queue.push_back(to);
        }
    }
}

TEST(GoalFields, AFieldBuiltForOneSpotGivesAllDistances) {
    Rng rng(11);
    for (int round = 0; round < 40; ++round) {
        std::string map;
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 50; ++x) map += rng.chance(1, 4) ? '#' : '.';
            map += '\n';
        }
        const test::Scene scene = test::scene(map);
        const AgentType type = type_of(scene);
        const CrowdGround ground(scene.grid.snapshot(), {&type, 1}, Movement::kFour);
        const Spot goal = rng.below(ground.size()), from = rng.below(ground.size());
        if (ground.component(0, goal) == ground.component(0, from)) expect_same_distances(ground, goal, from);
    }
}

TEST(GoalFields, DistancesBeyondWhatAByteHolds) {
    // A winding corridor of 1,200 cells.
    std::string map;
    for (int row = 0; row < 8; ++row) {
        map += std::string(150, '.') + "\n";
        if (row < 7) map += row % 2 == 0 ? std::string(149, '#') + ".\n" : "." + std::string(149, '#') + "\n";
    }
    const test::Scene scene = test::scene(map);
    const AgentType type = type_of(scene);
    const CrowdGround ground(scene.grid.snapshot(), {&type, 1}, Movement::kFour);
    expect_distances(scene.grid.snapshot(), type, Movement::kFour, {0, 0});
    expect_same_distances(ground, ground.spot(scene.grid.snapshot().layout().id({0, 0})), 700);
}

TEST(GoalFields, EqualGoalsOfOneTypeShareAField) {
    const test::Scene scene = test::scene("......\n......");
    const std::vector<AgentType> types = {type_of(scene), type_of(scene)};
    const CrowdGround ground(scene.grid.snapshot(), types, Movement::kFour);
    GoalFields fields(ground);
    const std::vector<FieldRequest> requests = {{3, 0}, {3, 1}, {3, 0}, {4, 0}};
    const std::vector<FieldId> taken = fields.take(requests);
    EXPECT_EQ(taken[0], taken[2]);
    EXPECT_NE(taken[0], taken[1]);
    EXPECT_EQ(fields.size(), 3u);
    fields.drop(taken[0]);
    EXPECT_EQ(fields.size(), 3u);
    fields.drop(taken[2]);
    EXPECT_EQ(fields.size(), 2u);
    EXPECT_EQ(fields.take({&requests[0], 1})[0], taken[0]);  // ids are reused
}

TEST(GoalFields, FromABlockedCellTheDistanceIncludesTheMoveOffIt) {
    const test::Scene scene = test::scene("...#G");
    const AgentType type = type_of(scene);
    const CellId blocked = scene.grid.snapshot().layout().id({3, 0});
    const CrowdGround ground(scene.grid.snapshot(), {&type, 1}, Movement::kFour, {&blocked, 1});
    GoalFields fields(ground);
    const std::vector<FieldRequest> requests = {{4, 0}, {3, 0}};
    const std::vector<FieldId> taken = fields.take(requests);
    EXPECT_EQ(ground.size(), 5u);
    EXPECT_EQ(to_real(fields.distance(taken[0], 3)), 1);
    EXPECT_TRUE(fields.nearer(taken[0], 3, 4));
    EXPECT_FALSE(fields.nearer(taken[0], 3, 2));
    EXPECT_EQ(fields.distance(taken[0], 0), kInfiniteCost);
    EXPECT_EQ(fields.distance(taken[1], 0), kInfiniteCost);  // an impassable goal
}

TEST(GoalFields, TakeA32ndOfATableAndAreTheSameForAnyNumberOfThreads) {
    const TerrainGrid grid(256, 256, Terrain{1}, test::digit_catalogue());
    const AgentType type(test::digit_profile().compile(test::digit_catalogue()).value());
    const CrowdGround ground(grid.snapshot(), {&type, 1}, Movement::kFour);
    std::vector<FieldRequest> requests;
    requests.reserve(16);
    for (uint32_t i = 0; i < 16; ++i) requests.push_back({i * 4093, 0});
    for (const uint32_t threads : {1u, 2u, 8u}) {
        GoalFields fields(ground);
        const std::vector<FieldId> taken = fields.take(requests, threads);
        EXPECT_LT(fields.bytes(), 16 * (256 * 256 * 4 / 32) + 16 * 1024);
        for (size_t i = 0; i < taken.size(); ++i) {
            const Cell a = grid.snapshot().layout().cell(ground.cell(requests[i].goal));
            EXPECT_EQ(to_real(fields.distance(taken[i], 0)), a.x + a.y);
        }
    }
}

}  // namespace
}  // namespace terrane
