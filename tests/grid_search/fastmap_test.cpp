// FastMap: an admissible bound before edits and after edits that only make cells costlier; refused after others.
#include "terrane/grid_search/fastmap.h"

#include <gtest/gtest.h>

#include "heuristic_checks.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

FastMapHeuristic embed(const RandomWorld& world, uint32_t dimensions) {
    return FastMapHeuristic::build({world.grid.snapshot(), world.costs, world.movement}, {dimensions});
}

uint64_t hash_of_fastmap(const FastMapHeuristic& h, const Ground& ground) {
    uint64_t hash = 0;
    for (int32_t goal = 0; goal < std::min(ground.grid().width(), ground.grid().height()); goal += 7) {
        const auto bound = h.to<uint64_t>({goal, goal}, ground);
        for (int32_t y = 0; y < ground.grid().height(); ++y) {
            for (int32_t x = 0; x < ground.grid().width(); ++x) hash = mix64(hash ^ (*bound)(ground.grid().layout().id({x, y})));
        }
    }
    return hash;
}

bool any_cheaper(const EditResult& edit, const CostTable& costs) {
    for (int32_t y = edit.bounds.y; y < edit.bounds.bottom(); ++y) {
        for (int32_t x = edit.bounds.x; x < edit.bounds.right(); ++x) {
            const uint32_t before = costs.cost[edit.before.at(Cell{x, y})], after = costs.cost[edit.after.at(Cell{x, y})];
            if (after != 0 && (before == 0 || after < before)) return true;
        }
    }
    return false;
}

TEST(FastMap, NeverAboveTheTrueDistanceBeforeAndAfterEdits) {
    Rng rng(41);
    int kept = 0, refused = 0;
    for (int i = 0; i < 80; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        RandomWorld world = random_world(rng, i % 10 == 0 ? 45 : 13);
        FastMapHeuristic h = embed(world, 1 + rng.below(9));
        const int32_t stride = i % 10 == 0 ? 97 : 3;
        ASSERT_NO_FATAL_FAILURE(expect_admissible(h, {world.grid.snapshot(), world.costs, world.movement}, stride));
        for (int n = 0; n < 8; ++n) {
            const EditResult edit = random_edit(rng, world);
            const auto next = h.updated(edit);
            ASSERT_EQ(next.has_value(), !any_cheaper(edit, world.costs));
            ++(next.has_value() ? kept : refused);
            h = next.has_value() ? *next : embed(world, 1 + rng.below(9));
            ASSERT_NO_FATAL_FAILURE(expect_admissible(h, {world.grid.snapshot(), world.costs, world.movement}, stride)) << "edit " << n;
        }
    }
    EXPECT_GT(kept, 100);
    EXPECT_GT(refused, 100);
}

TEST(FastMap, ACorridorIsALineAndOneDimensionIsExact) {
    const Scene s = scene("S.3.9..2..G");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const auto h = FastMapHeuristic::build({grid, costs, Movement::kEightNoCornerCutting}, {1});
    for (int32_t goal = 0; goal < grid.width(); ++goal) {
        const auto truth = distances_from({grid, costs, Movement::kEightNoCornerCutting}, {goal, 0});
        const auto bound = h.to<uint32_t>({goal, 0}, {grid, costs, Movement::kEightNoCornerCutting});
        for (int32_t x = 0; x < grid.width(); ++x) EXPECT_EQ((*bound)(grid.layout().id({x, 0})), truth[grid.layout().id({x, 0})]);
    }
}

TEST(FastMap, EachConnectedComponentIsEmbedded) {
    const Scene s = scene(R"(S..4..#.5...
                             .#.##.#.###.
                             .7....#.##..
                             .####.#.##G#
                             ......#.####)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const auto h = FastMapHeuristic::build({grid, costs, Movement::kFour}, {4});
    ASSERT_NO_FATAL_FAILURE(expect_admissible(h, {grid, costs, Movement::kFour}));
    const CellId far = grid.layout().id({7, 4});  // around the bend
    const Cost truth = distances_from({grid, costs, Movement::kFour}, s.goal)[far];
    EXPECT_EQ((*h.to<uint32_t>(s.goal, {grid, costs, Movement::kFour}))(far), truth);
}

TEST(FastMap, IsRefusedForAnythingButItsOwnMapProfileAndRule) {
    TerrainGrid grid(20, 20, Terrain{2}, digit_catalogue());
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    const auto h = FastMapHeuristic::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {3});
    const GridSnapshot old = grid.snapshot();
    CostTable other = costs;
    other.cost[3] += 1;
    EXPECT_TRUE(h.valid_for({old, costs, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(h.valid_for({old, costs, Movement::kEightCutCorners}));
    EXPECT_FALSE(h.valid_for({old, other, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(h.to<uint32_t>({-1, 3}, {old, costs, Movement::kEightNoCornerCutting}).has_value());

    const EditResult wall = grid.set({3, 3}, Terrain{0});
    EXPECT_FALSE(h.to<uint32_t>({3, 4}, {grid.snapshot(), costs, Movement::kEightNoCornerCutting}).has_value());
    const auto next = h.updated(wall);
    ASSERT_TRUE(next.has_value());
    EXPECT_EQ(next->edits(), 1u);
    EXPECT_TRUE(next->to<uint32_t>({3, 4}, {grid.snapshot(), costs, Movement::kEightNoCornerCutting}).has_value());
    EXPECT_FALSE(h.updated(grid.set({4, 4}, Terrain{0})).has_value());      // skips an edit
    EXPECT_FALSE(next->updated(grid.set({3, 3}, Terrain{2})).has_value());  // skips an edit, and opens a wall
    TerrainGrid twin(20, 20, Terrain{2}, digit_catalogue());
    const auto of_twin = FastMapHeuristic::build({twin.snapshot(), costs, Movement::kEightNoCornerCutting}, {3});
    EXPECT_FALSE(of_twin.valid_for({old, costs, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(of_twin.updated(twin.set({4, 4}, Terrain{1})).has_value());  // cheaper
}

TEST(FastMap, AStarFindsTheSameCostWithFewerExpansions) {
    Rng rng(9);
    uint64_t octile_expansions = 0, expansions = 0;
    for (int i = 0; i < 80; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start)) || !world.costs.passable(grid.at(goal))) continue;
        const OctileHeuristic<GridLayout, uint64_t> octile(grid.layout(), goal, grid_bounds(grid, world.costs).cheapest,
                                                           rule_of(world.movement));
        const auto run = [&](const auto& heuristic) {
            return search_with<uint64_t>(heuristic, {grid, world.costs, world.movement}, start, goal);
        };
        const Answer blind = run(ZeroHeuristic{}), plain = run(octile);
        const Answer guided = run(*embed(world, 6).to<uint64_t>(goal, {grid, world.costs, world.movement}));
        ASSERT_EQ(guided.status, blind.status);
        ASSERT_EQ(guided.cost, blind.cost);
        if (blind.status != Status::kFound) continue;
        octile_expansions += plain.expansions;
        expansions += guided.expansions;
    }
    EXPECT_LT(expansions * 2, octile_expansions);
}

// 650 per cell, and a corridor so long that its end is more than 2^32 away.
TEST(FastMap, DistancesThatDoNotFit32Bits) {
    const Catalogue catalogue = digit_catalogue();
    std::vector<Terrain> cells(64 * 64, Terrain{2});
    for (int32_t y = 1; y < 64; y += 2) {
        for (int32_t x = 0; x < 63; ++x) cells[static_cast<size_t>(y * 64 + (y % 4 == 1 ? x : 63 - x))] = 0;
    }
    const TerrainGrid grid(64, 64, cells, catalogue);
    const CostTable costs = Profile().blocked("wall").cost("cost_1", 0.01).cost("cost_2", 650).compile(catalogue).value();
    const auto h = FastMapHeuristic::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {3});
    EXPECT_GE(h.bytes(), 64u * 64 * 3 * 8);
    ASSERT_NO_FATAL_FAILURE(expect_admissible(h, {grid.snapshot(), costs, Movement::kEightNoCornerCutting}, 211));
}

TEST(FastMapGolden, SameTableEverywhere) {
    Rng rng(2);
    uint64_t hash = 0;
    for (int i = 0; i < 10; ++i) {
        const RandomWorld world = random_world(rng);
        hash = mix64(hash ^ hash_of_fastmap(embed(world, 5), {world.grid.snapshot(), world.costs, world.movement}));
    }
    IslandOptions island;
    island.width = island.height = 200;
    const GridSnapshot grid = generate_island(island).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    hash = mix64(hash ^ hash_of_fastmap(FastMapHeuristic::build({grid, costs, Movement::kEightNoCornerCutting}, {8}),
                                        {grid, costs, Movement::kEightNoCornerCutting}));
    EXPECT_EQ(hash, 1464135686377772365u);
}

}  // namespace
}  // namespace terrane::test
