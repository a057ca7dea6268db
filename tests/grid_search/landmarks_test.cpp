// Differential heuristic: an admissible bound before and after any edits; refused for any other map.
#include "terrane/grid_search/landmarks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heuristic_checks.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

DifferentialHeuristic place_landmarks(const RandomWorld& world, uint32_t landmarks, uint32_t threads = 1) {
    return DifferentialHeuristic::build({world.grid.snapshot(), world.costs, world.movement}, {landmarks, threads});
}

uint64_t hash_of_landmarks(const DifferentialHeuristic& h, const Ground& ground) {
    uint64_t hash = h.landmarks().size();
    for (const Cell c : h.landmarks()) hash = mix64(hash ^ (static_cast<uint64_t>(c.x) << 32 | static_cast<uint32_t>(c.y)));
    for (int32_t goal = 0; goal < std::min(ground.grid().width(), ground.grid().height()); goal += 7) {
        const auto bound = h.to<uint64_t>({goal, goal}, ground);
        for (int32_t y = 0; y < ground.grid().height(); ++y) {
            for (int32_t x = 0; x < ground.grid().width(); ++x) hash = mix64(hash ^ (*bound)(ground.grid().layout().id({x, y})));
        }
    }
    return hash;
}

TEST(Octile, IsTheManhattanDistanceWithoutDiagonals) {
    const GridLayout layout(40, 40);
    const OctileHeuristic<GridLayout, uint32_t> h(layout, {7, 30}, 3, rule_of(Movement::kFour));
    EXPECT_EQ(h(layout.id({7, 30})), 0u);
    EXPECT_EQ(h(layout.id({10, 30})), 3 * 2 * kStraight * 3);
    EXPECT_EQ(h(layout.id({10, 10})), (3 + 20) * 2 * kStraight * 3);
    Rng rng(17);
    for (int i = 0; i < 20; ++i) {  // with obstacles and terrain costs, never above the true distance
        RandomWorld world = random_world(rng, 16);
        const GridSnapshot grid = world.grid.snapshot();
        const uint32_t cheapest = grid_bounds(grid, world.costs).cheapest;
        const Cell goal = random_cell(rng, grid);
        for (const Movement movement : {Movement::kFour, Movement::kEightNoCornerCutting, Movement::kEightCutCorners}) {
            const OctileHeuristic<GridLayout, uint64_t> bound(grid.layout(), goal, cheapest, rule_of(movement));
            ASSERT_NO_FATAL_FAILURE(expect_consistent(bound, {grid, world.costs, movement}, goal)) << "world " << i;
        }
    }
}

TEST(Landmarks, KnowObstaclesThatOctileDistanceIgnores) {
    const Scene s = scene(R"(S...#....
                             ....#....
                             ....#....
                             ....#...G
                             .........)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const auto h = DifferentialHeuristic::build({grid, costs, Movement::kEightNoCornerCutting}, {2});
    const Cost truth = distances_from({grid, costs, Movement::kEightNoCornerCutting}, s.goal)[grid.layout().id(s.start)];
    EXPECT_EQ((*h.to<uint32_t>(s.goal, {grid, costs, Movement::kEightNoCornerCutting}))(grid.layout().id(s.start)), truth);
    EXPECT_LT((OctileHeuristic<GridLayout, uint32_t>(grid.layout(), s.goal, 1,
                                                     rule_of(Movement::kEightNoCornerCutting))(grid.layout().id(s.start))),
              truth);
}

TEST(Landmarks, AreFarApartAndApportioned) {
    const Scene s = scene(R"(..........#..
                             ..........#..
                             ..........#..
                             ..........###
                             ..........#.#
                             ..........###)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const auto h = DifferentialHeuristic::build({grid, costs, Movement::kEightNoCornerCutting}, {8});
    const auto in_small = [](Cell c) { return c.x > 10; };
    ASSERT_EQ(h.landmarks().size(), 8u);
    EXPECT_EQ(std::count_if(h.landmarks().begin(), h.landmarks().end(), in_small), 0);  // 60 cells against 6 and 1
    EXPECT_EQ(h.landmarks()[0], (Cell{9, 5}));                                          // farthest from the first cell, (0, 0)
    EXPECT_EQ(h.landmarks()[1], (Cell{0, 0}));
    const auto more = DifferentialHeuristic::build({grid, costs, Movement::kEightNoCornerCutting}, {12});
    EXPECT_EQ(std::count_if(more.landmarks().begin(), more.landmarks().end(), in_small), 1);
    const auto all = DifferentialHeuristic::build({grid, costs, Movement::kEightNoCornerCutting}, {256});
    EXPECT_EQ(all.landmarks().size(), 67u);  // at most one per cell
    EXPECT_GE(h.bytes(), 32u * 32 * 8 * 4);
}

TEST(Landmarks, NeverAboveTheTrueDistanceBeforeAndAfterEdits) {
    Rng rng(31);
    for (int i = 0; i < 60; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        RandomWorld world = random_world(rng, i % 10 == 0 ? 45 : 13);
        DifferentialHeuristic h = place_landmarks(world, 1 + rng.below(9));
        const int32_t stride = i % 10 == 0 ? 97 : 3;
        ASSERT_NO_FATAL_FAILURE(expect_admissible(h, {world.grid.snapshot(), world.costs, world.movement}, stride));
        for (int edit = 0; edit < 8; ++edit) {
            const auto next = h.updated(random_edit(rng, world));
            ASSERT_TRUE(next.has_value());
            h = *next;
            ASSERT_NO_FATAL_FAILURE(expect_admissible(h, {world.grid.snapshot(), world.costs, world.movement}, stride)) << "edit " << edit;
        }
    }
}

TEST(Landmarks, AreExactAlongTheirOwnLinesAfterOpenings) {
    Rng rng(5);
    for (int i = 0; i < 40; ++i) {  // cells only get cheaper: as strong as a rebuilt table
        RandomWorld world = random_world(rng, 20);
        const DifferentialHeuristic h = place_landmarks(world, 1);
        if (h.landmarks().empty()) continue;
        const GridSnapshot before = world.grid.snapshot();
        std::vector<CellEdit> edits;
        for (int n = 0; n < 5; ++n) {
            const CellEdit e{random_cell(rng, before), static_cast<Terrain>(rng.below(8))};
            const uint32_t old_cost = world.costs.cost[before.at(e.cell)], cost = world.costs.cost[e.terrain];
            if (cost != 0 && (old_cost == 0 || cost <= old_cost)) edits.push_back(e);
        }
        const auto after = h.updated(world.grid.apply(edits));
        ASSERT_TRUE(after.has_value());
        const GridSnapshot grid = world.grid.snapshot();
        const auto truth = distances_from({grid, world.costs, world.movement}, h.landmarks()[0]);
        const auto bound = after->to<uint64_t>(h.landmarks()[0], {grid, world.costs, world.movement});
        for (CellId id = 0; id < truth.size(); ++id) {
            if (truth[id] == kInfiniteCost) continue;
            ASSERT_EQ((*bound)(id), truth[id]) << "world " << i;
        }
    }
}

TEST(Landmarks, AnOpenedCornerIsSeen) {
    const Scene s = scene(R"(S#.......
                             .........
                             ........G)");
    TerrainGrid grid(9, 3, s.grid.snapshot().cells(), digit_catalogue());
    const CostTable costs = s.profile.compile(grid.snapshot().catalogue()).value();
    const auto h = DifferentialHeuristic::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {3});
    const auto opened = h.updated(grid.set({1, 0}, Terrain{9}));  // expensive to enter, but the diagonal beside it is legal now
    ASSERT_TRUE(opened.has_value());
    const GridSnapshot now = grid.snapshot();
    const auto bound = opened->to<uint32_t>(s.goal, {now, costs, Movement::kEightNoCornerCutting});
    const Cost truth = distances_from({now, costs, Movement::kEightNoCornerCutting}, s.goal)[now.layout().id(s.start)];
    EXPECT_LT(truth, distances_from({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting}, s.goal)[now.layout().id(s.start)]);
    EXPECT_LE((*bound)(now.layout().id(s.start)), truth);
    ASSERT_NO_FATAL_FAILURE(expect_admissible(*opened, {now, costs, Movement::kEightNoCornerCutting}));
}

TEST(Landmarks, AreRefusedForAnythingButTheirOwnMapProfileAndRule) {
    Rng rng(3);
    TerrainGrid grid(20, 20, Terrain{1}, digit_catalogue());
    TerrainGrid twin(20, 20, Terrain{1}, digit_catalogue());
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    const auto h = DifferentialHeuristic::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {4});
    const GridSnapshot old = grid.snapshot();
    EXPECT_TRUE(h.valid_for({old, costs, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(h.valid_for({old, costs, Movement::kFour}));
    EXPECT_FALSE(h.valid_for({twin.snapshot(), costs, Movement::kEightNoCornerCutting}));  // the same version number, another map
    CostTable other = costs;
    other.cost[3] += 1;
    EXPECT_FALSE(h.valid_for({old, other, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(h.to<uint32_t>({20, 3}, {old, costs, Movement::kEightNoCornerCutting}).has_value());

    const EditResult nothing = grid.set({3, 3}, Terrain{1});
    EXPECT_TRUE(h.updated(nothing)->valid_for({old, costs, Movement::kEightNoCornerCutting}));
    EXPECT_EQ(h.updated(nothing)->edits(), 0u);
    const EditResult first = grid.set({3, 3}, Terrain{0}), second = grid.set({4, 4}, Terrain{2});
    EXPECT_FALSE(h.valid_for({grid.snapshot(), costs, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(h.to<uint32_t>({3, 4}, {grid.snapshot(), costs, Movement::kEightNoCornerCutting}).has_value());
    EXPECT_FALSE(h.updated(second).has_value());  // skips an edit
    const auto next = h.updated(first)->updated(second);
    ASSERT_TRUE(next.has_value());
    EXPECT_TRUE(next->valid_for({grid.snapshot(), costs, Movement::kEightNoCornerCutting}));
    EXPECT_EQ(next->edits(), 2u);
    EXPECT_TRUE(
        h.to<uint32_t>({3, 4}, {old, costs, Movement::kEightNoCornerCutting}).has_value());  // the old version still serves the old map
}

TEST(Landmarks, AnEditLeavesOlderVersionsAlone) {
    Rng rng(77);
    for (int i = 0; i < 20; ++i) {
        RandomWorld world = random_world(rng, 40);
        const GridSnapshot old = world.grid.snapshot();
        const DifferentialHeuristic h = place_landmarks(world, 4);
        const uint64_t hash = hash_of_landmarks(h, {old, world.costs, world.movement});
        DifferentialHeuristic next = h;
        for (int edit = 0; edit < 5; ++edit) next = next.updated(random_edit(rng, world)).value();
        ASSERT_EQ(hash_of_landmarks(h, {old, world.costs, world.movement}), hash);
    }
}

TEST(Landmarks, SameForAnyNumberOfThreads) {
    Rng rng(12);
    for (int i = 0; i < 12; ++i) {
        const RandomWorld world = random_world(rng, 90);
        const GridSnapshot grid = world.grid.snapshot();
        const uint64_t one = hash_of_landmarks(place_landmarks(world, 9, 1), {grid, world.costs, world.movement});
        for (const uint32_t threads : {2u, 5u, 0u})
            ASSERT_EQ(hash_of_landmarks(place_landmarks(world, 9, threads), {grid, world.costs, world.movement}), one);
    }
}

TEST(Landmarks, AStarFindsTheSameCostWithFewerExpansions) {
    Rng rng(8);
    uint64_t octile_expansions = 0, expansions = 0;
    for (int i = 0; i < 80; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const DifferentialHeuristic h = place_landmarks(world, 6);
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start)) || !world.costs.passable(grid.at(goal))) continue;
        const uint32_t cheapest = grid_bounds(grid, world.costs).cheapest;
        const OctileHeuristic<GridLayout, uint64_t> octile(grid.layout(), goal, cheapest, rule_of(world.movement));
        const auto run = [&](const auto& heuristic) {
            return search_with<uint64_t>(heuristic, {grid, world.costs, world.movement}, start, goal);
        };
        const Answer blind = run(ZeroHeuristic{}), plain = run(octile);
        const Answer guided = run(*h.to<uint64_t>(goal, {grid, world.costs, world.movement}));
        ASSERT_EQ(plain.status, blind.status);
        ASSERT_EQ(guided.status, blind.status);
        ASSERT_EQ(plain.cost, blind.cost);
        ASSERT_EQ(guided.cost, blind.cost);
        if (blind.status != Status::kFound) continue;
        octile_expansions += plain.expansions;
        expansions += guided.expansions;
    }
    EXPECT_LT(expansions * 2, octile_expansions);
}

// 650 per cell, and a corridor so long that its end is more than 2^32 away; edits open a shortcut and close it again.
TEST(Landmarks, DistancesThatDoNotFit32Bits) {
    const Catalogue catalogue = digit_catalogue();
    std::vector<Terrain> cells(64 * 64, Terrain{2});
    for (int32_t y = 1; y < 64; y += 2) {
        for (int32_t x = 0; x < 63; ++x) cells[static_cast<size_t>(y * 64 + (y % 4 == 1 ? x : 63 - x))] = 0;
    }
    TerrainGrid grid(64, 64, cells, catalogue);
    const CostTable costs = Profile().blocked("wall").cost("cost_1", 0.01).cost("cost_2", 650).compile(catalogue).value();
    auto h = DifferentialHeuristic::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {2});
    EXPECT_GE(h.bytes(), 64u * 64 * 2 * 8);
    const GridLayout layout = grid.snapshot().layout();
    const auto truth = distances_from({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {0, 0});
    EXPECT_GT(truth[layout.id({0, 62})], kInfinite<uint32_t>);
    EXPECT_EQ((*h.to<uint64_t>({0, 0}, {grid.snapshot(), costs, Movement::kEightNoCornerCutting}))(layout.id({0, 62})),
              truth[layout.id({0, 62})]);
    EXPECT_EQ((*h.to<uint32_t>({0, 0}, {grid.snapshot(), costs, Movement::kEightNoCornerCutting}))(layout.id({0, 62})),
              kInfinite<uint32_t>);
    for (const Terrain t : {Terrain{1}, Terrain{0}}) {
        h = h.updated(grid.fill({{5, 0}, {1, 64}}, t)).value();
        ASSERT_NO_FATAL_FAILURE(expect_admissible(h, {grid.snapshot(), costs, Movement::kEightNoCornerCutting}, 211));
    }
}

// A 32-bit table to which an edit connects a corridor whose distances exceed 32 bits.
TEST(Landmarks, AnOpeningToMoreThan32BitsStaysAdmissible) {
    const Catalogue catalogue = digit_catalogue();
    std::vector<Terrain> cells(64 * 64, Terrain{1});
    for (int32_t y = 1; y < 64; y += 2) {
        for (int32_t x = 0; x < 63; ++x) cells[static_cast<size_t>(y * 64 + (y % 4 == 1 ? x : 63 - x))] = 0;
    }
    TerrainGrid grid(64, 64, cells, catalogue);
    const CostTable costs = Profile().blocked("wall").cost("cost_1", 0.01).cost("cost_2", 650).blocked("cost_3").compile(catalogue).value();
    static_cast<void>(grid.fill({{0, 2}, {64, 62}}, Terrain{3}));
    auto h = DifferentialHeuristic::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {3});
    EXPECT_LT(h.bytes(), 64u * 64 * 3 * 8);
    std::vector<CellEdit> edits;
    for (int32_t y = 2; y < 64; ++y) {
        for (int32_t x = 0; x < 64; ++x) edits.push_back({{x, y}, cells[static_cast<size_t>(y * 64 + x)] == 0 ? Terrain{0} : Terrain{2}});
    }
    h = h.updated(grid.apply(edits)).value();
    ASSERT_GT(distances_from({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {0, 0})[grid.snapshot().layout().id({0, 62})],
              kInfinite<uint32_t>);
    ASSERT_NO_FATAL_FAILURE(expect_admissible(h, {grid.snapshot(), costs, Movement::kEightNoCornerCutting}, 211));
}

TEST(LandmarksGolden, SameTableEverywhere) {
    Rng rng(2);
    uint64_t hash = 0;
    for (int i = 0; i < 10; ++i) {
        RandomWorld world = random_world(rng);
        DifferentialHeuristic h = place_landmarks(world, 5);
        hash = mix64(hash ^ hash_of_landmarks(h, {world.grid.snapshot(), world.costs, world.movement}));
        h = h.updated(random_edit(rng, world)).value();
        hash = mix64(hash ^ hash_of_landmarks(h, {world.grid.snapshot(), world.costs, world.movement}));
    }
    IslandOptions island;
    island.width = island.height = 200;
    const GridSnapshot grid = generate_island(island).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    hash = mix64(hash ^ hash_of_landmarks(DifferentialHeuristic::build({grid, costs, Movement::kEightNoCornerCutting}, {8, 2}),
                                          {grid, costs, Movement::kEightNoCornerCutting}));
    EXPECT_EQ(hash, 16888550318687902310u);
}

}  // namespace
}  // namespace terrane::test
