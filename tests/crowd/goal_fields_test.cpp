#include "crowd/goal_fields.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "support/scene.h"

namespace terrane {
namespace {

CrowdKind kind_of(const test::Scene& scene) { return CrowdKind(scene.profile.compile(scene.grid.snapshot().catalogue()).value()); }

// Every distance of a field, by every way of asking, against an independent search.
void expect_distances(const GridSnapshot& grid, const CrowdKind& kind, Movement movement, Cell goal) {
    const CrowdGround ground(grid, {&kind, 1}, movement);
    const Spot to = ground.spot(grid.layout().id(goal));
    if (to == kNoSpot) return;
    GoalFields fields(ground);
    const FieldRequest request{to, 0};
    const FieldId field = fields.take({&request, 1})[0];
    const std::vector<double> best = oracle::distances(test::to_oracle(grid, kind.costs), goal.x, goal.y, test::to_oracle(movement));
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
            const Spot beside = ground.neighbour(spot, static_cast<Move>(std::countr_zero(moves)));
            const Cost there = fields.distance(field, beside);
            ASSERT_EQ(fields.distance_beside(field, spot, distance, beside), there);
            ASSERT_EQ(fields.nearer(field, spot, beside), there < distance);
        }
    }
}

TEST(GoalFields, ABitForEachSpotTellsEveryDistanceOfUniformGround) {
    const test::Scene scene = test::scene(R"(..#....
                                             .##.##.
                                             ....#..
                                             ###.#.#
                                             ......#)");
    const CrowdKind kind = kind_of(scene);
    const GridSnapshot grid = scene.grid.snapshot();
    for (int32_t x = 0; x < 7; ++x) {
        for (int32_t y = 0; y < 5; ++y) expect_distances(grid, kind, Movement::kFour, {x, y});
    }
}

TEST(GoalFields, DistancesOfRandomWorldsAreThoseOfDijkstra) {
    Rng rng(7);
    for (int round = 0; round < 40; ++round) {
        const test::RandomWorld world = test::random_world(rng, 40);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell goal = test::random_cell(rng, grid);
        expect_distances(grid, CrowdKind(world.costs), world.movement, goal);
    }
}

// Every distance of a field that was made for one spot, asked from there outwards, against the field that was made whole.
void expect_the_same_from(const CrowdGround& ground, Spot goal, Spot from) {
    GoalFields whole(ground), part(ground);
    const FieldRequest anywhere{goal, 0}, there{goal, 0, from};
    const FieldId a = whole.take({&anywhere, 1})[0], b = part.take({&there, 1})[0];
    std::vector<Cost> known(ground.size(), kInfiniteCost);
    known[from] = part.distance(b, from);
    ASSERT_EQ(known[from], whole.distance(a, from));
    std::vector<Spot> queue = {from};
    for (size_t i = 0; i < queue.size(); ++i) {
        for (uint32_t moves = ground.legal(0, queue[i]); moves != 0; moves &= moves - 1) {
            const Spot to = ground.neighbour(queue[i], static_cast<Move>(std::countr_zero(moves)));
            if (known[to] != kInfiniteCost) continue;
            known[to] = part.distance_beside(b, queue[i], known[queue[i]], to);
            ASSERT_EQ(known[to], whole.distance(a, to));
            queue.push_back(to);
        }
    }
}

TEST(GoalFields, AFieldMadeForOneSpotTellsAllDistances) {
    Rng rng(11);
    for (int round = 0; round < 40; ++round) {
        std::string map;
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 50; ++x) map += rng.chance(1, 4) ? '#' : '.';
            map += '\n';
        }
        const test::Scene scene = test::scene(map);
        const CrowdKind kind = kind_of(scene);
        const CrowdGround ground(scene.grid.snapshot(), {&kind, 1}, Movement::kFour);
        const Spot goal = rng.below(ground.size()), from = rng.below(ground.size());
        if (ground.component(0, goal) == ground.component(0, from)) expect_the_same_from(ground, goal, from);
    }
}

TEST(GoalFields, DistancesBeyondWhatAByteHolds) {
    // A corridor of 1,200 cells, there and back again.
    std::string map;
    for (int row = 0; row < 8; ++row) {
        map += std::string(150, '.') + "\n";
        if (row < 7) map += row % 2 == 0 ? std::string(149, '#') + ".\n" : "." + std::string(149, '#') + "\n";
    }
    const test::Scene scene = test::scene(map);
    const CrowdKind kind = kind_of(scene);
    const CrowdGround ground(scene.grid.snapshot(), {&kind, 1}, Movement::kFour);
    expect_distances(scene.grid.snapshot(), kind, Movement::kFour, {0, 0});
    expect_the_same_from(ground, ground.spot(scene.grid.snapshot().layout().id({0, 0})), 700);
}

TEST(GoalFields, TheSameGoalAndKindShareAField) {
    const test::Scene scene = test::scene("......\n......");
    const std::vector<CrowdKind> kinds = {kind_of(scene), kind_of(scene)};
    const CrowdGround ground(scene.grid.snapshot(), kinds, Movement::kFour);
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
    EXPECT_EQ(fields.take({&requests[0], 1})[0], taken[0]);  // numbers are used again
}

TEST(GoalFields, FromBlockedGroundTheWayOff) {
    const test::Scene scene = test::scene("...#G");
    const CrowdKind kind = kind_of(scene);
    const CellId wall = scene.grid.snapshot().layout().id({3, 0});
    const CrowdGround ground(scene.grid.snapshot(), {&kind, 1}, Movement::kFour, {&wall, 1});
    GoalFields fields(ground);
    const std::vector<FieldRequest> requests = {{4, 0}, {3, 0}};
    const std::vector<FieldId> taken = fields.take(requests);
    EXPECT_EQ(ground.size(), 5u);
    EXPECT_EQ(to_real(fields.distance(taken[0], 3)), 1);
    EXPECT_TRUE(fields.nearer(taken[0], 3, 4));
    EXPECT_FALSE(fields.nearer(taken[0], 3, 2));
    EXPECT_EQ(fields.distance(taken[0], 0), kInfiniteCost);
    EXPECT_EQ(fields.distance(taken[1], 0), kInfiniteCost);  // a goal that nobody can stand on
}

TEST(GoalFields, AThirtySecondOfATableAndTheSameForAnyNumberOfThreads) {
    const TerrainGrid grid(256, 256, Terrain{1}, test::digit_catalogue());
    const CrowdKind kind(test::digit_profile().compile(test::digit_catalogue()).value());
    const CrowdGround ground(grid.snapshot(), {&kind, 1}, Movement::kFour);
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
