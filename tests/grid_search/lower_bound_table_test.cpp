// LowerBoundTable: never above the optimum, before and after any edits; A* with it finds the optimum.
#include "terrane/grid_search/lower_bound_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heuristic_checks.h"
#include "support/allocations.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

LowerBoundTable build_table(const RandomWorld& world, uint32_t landmarks, uint32_t threads = 1) {
    return LowerBoundTable::build({world.grid.snapshot(), world.costs, world.movement}, LowerBoundTableOptions{landmarks, threads});
}

Cell random_passable(Rng& rng, const GridSnapshot& grid, const CostTable& costs) {
    Cell c = random_cell(rng, grid);
    for (int i = 0; i < 50 && !costs.passable(grid.at(c)); ++i) c = random_cell(rng, grid);
    return c;
}

// Random pairs in both directions, by lower_bound() and by LowerBoundQuery.
void expect_never_above(Rng& rng, const LowerBoundTable& table, const RandomWorld& world, int goals = 4, int starts = 30) {
    const GridSnapshot grid = world.grid.snapshot();
    ASSERT_TRUE(table.valid_for({grid, world.costs, world.movement}));
    LowerBoundQuery bounds;
    for (int g = 0; g < goals; ++g) {
        const Cell goal = random_passable(rng, grid, world.costs);
        if (!world.costs.passable(grid.at(goal))) continue;
        const std::vector<Cost> truth = distances_from({grid, world.costs, world.movement}, goal);
        bounds.set_goal(table, goal);
        ASSERT_EQ(bounds(grid.layout().id(goal)), 0u);
        for (int s = 0; s < starts; ++s) {
            const Cell start = random_cell(rng, grid);
            const Cost far = truth[grid.layout().id(start)];
            const Cost bound = table.lower_bound(start, goal);
            ASSERT_EQ(table.lower_bound(goal, start), bound);
            if (!world.costs.passable(grid.at(start))) {
                ASSERT_EQ(bound, kInfiniteCost);
                continue;
            }
            if (far == kInfiniteCost) continue;  // any bound is valid
            ASSERT_LE(bound, far * world.costs.divisor) << start.x << "," << start.y << " to " << goal.x << "," << goal.y;
            ASSERT_LE(bounds(grid.layout().id(start)), far) << start.x << "," << start.y << " to " << goal.x << "," << goal.y;
        }
    }
}

uint64_t hash_of_table(const LowerBoundTable& table, const GridSnapshot& grid) {
    uint64_t hash = table.landmarks().size();
    for (const Cell c : table.landmarks()) hash = mix64(hash ^ (static_cast<uint64_t>(c.x) << 32 | static_cast<uint32_t>(c.y)));
    const int32_t step = std::max(std::max(grid.width(), grid.height()) / 12, 1);
    for (int32_t y = 0; y < grid.height(); y += step) {
        for (int32_t x = 0; x < grid.width(); x += step) {
            hash = mix64(hash ^ table.lower_bound({x, y}, {grid.width() - 1 - y % grid.width(), x % grid.height()}));
        }
    }
    return hash;
}

TEST(LowerBoundTable, KnowsObstaclesThatOctileDistanceIgnores) {
    TerrainGrid grid(64, 64, Terrain{1}, digit_catalogue());
    static_cast<void>(grid.fill({{30, 0}, {4, 60}}, Terrain{0}));
    const GridSnapshot now = grid.snapshot();
    const CostTable costs = digit_profile().compile(now.catalogue()).value();
    const auto table = LowerBoundTable::build({now, costs, Movement::kEightNoCornerCutting}, LowerBoundTableOptions{8});
    const Cost truth = distances_from({now, costs, Movement::kEightNoCornerCutting}, {5, 5})[now.layout().id({58, 7})] * costs.divisor;
    EXPECT_LE(table.lower_bound({5, 5}, {58, 7}), truth);
    EXPECT_GE(table.lower_bound({5, 5}, {58, 7}), truth * 95 / 100);
    EXPECT_GT(truth, Cost{110} * kCostPerUnit);
}

TEST(LowerBoundTable, IsExactFromALandmarkToASample) {
    Rng rng(4);
    TerrainGrid grid(40, 40, Terrain{1}, digit_catalogue());
    for (int i = 0; i < 300; ++i) {
        const Cell c = random_cell(rng, grid.snapshot());
        static_cast<void>(grid.set(c, static_cast<Terrain>(1 + rng.below(9))));
    }
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    const Cell landmark{3, 3};  // the sample of its block, since nothing is blocked
    const auto table = LowerBoundTable::build({grid.snapshot(), costs, Movement::kEightCutCorners}, std::vector<Cell>{landmark});
    const auto truth = distances_from({grid.snapshot(), costs, Movement::kEightCutCorners}, landmark);
    for (int32_t y = 3; y < 40; y += 8) {
        for (int32_t x = 3; x < 40; x += 8) {
            EXPECT_EQ(table.lower_bound({x, y}, landmark), truth[grid.snapshot().layout().id({x, y})] * costs.divisor);
        }
    }
}

TEST(LowerBoundTable, NeverAboveTheOptimumBeforeAndAfterEdits) {
    Rng rng(31);
    for (int i = 0; i < 50; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        RandomWorld world = random_world(rng, i % 7 == 0 ? 70 : 34);
        LowerBoundTable table = build_table(world, 1 + rng.below(9));
        ASSERT_NO_FATAL_FAILURE(expect_never_above(rng, table, world));
        for (int edit = 0; edit < 6; ++edit) {
            table = table.updated(random_edit(rng, world)).value();
            ASSERT_NO_FATAL_FAILURE(expect_never_above(rng, table, world)) << "edit " << edit;
        }
    }
}

// Walls with openings: rooms that a landmark reaches and rooms that it does not; openings and corners that open and close.
TEST(LowerBoundTable, NeverAboveTheOptimumWhereObstaclesComeAndGo) {
    Rng rng(77);
    for (int i = 0; i < 36; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        const int32_t side = rng.between(20, 60), room = rng.between(3, 14), thick = rng.between(1, 9);
        RandomWorld world{TerrainGrid(side, side, Terrain{1}, digit_catalogue()), {}, static_cast<Movement>(i % 3)};
        world.costs = digit_profile().compile(world.grid.snapshot().catalogue()).value();
        for (int32_t at = room; at < side; at += room + thick) {
            static_cast<void>(world.grid.fill({{at, 0}, {thick, side}}, Terrain{0}));
            static_cast<void>(world.grid.fill({{0, at}, {side, thick}}, Terrain{0}));
        }
        for (int door = 0; door < 6; ++door) static_cast<void>(world.grid.set(random_cell(rng, world.grid.snapshot()), Terrain{2}));
        LowerBoundTable table = build_table(world, 1 + rng.below(12));
        for (int edit = 0; edit < 10; ++edit) {
            const Cell c = random_cell(rng, world.grid.snapshot());
            const int32_t length = rng.between(1, thick + 6);
            const Rect rect = rng.chance(1, 2) ? Rect{c, {length, 1}} : Rect{c, {1, length}};
            const auto terrain = static_cast<Terrain>(rng.chance(2, 3) ? 1 + rng.below(9) : 0);
            table = table.updated(world.grid.fill(rect, terrain)).value();
            ASSERT_NO_FATAL_FAILURE(expect_never_above(rng, table, world, 3, 25)) << "edit " << edit;
        }
    }
}

TEST(LowerBoundTable, NeverAboveTheOptimumWithManyCheaperAreas) {
    Rng rng(6);
    RandomWorld world{TerrainGrid(190, 150, Terrain{9}, digit_catalogue()), {}, Movement::kEightNoCornerCutting};
    world.costs = digit_profile().compile(world.grid.snapshot().catalogue()).value();
    LowerBoundTable table = build_table(world, 12);
    for (const uint32_t count : {3u, 40u, 60u, 90u, 200u}) {
        std::vector<CellEdit> edits;
        for (uint32_t i = 0; i < count; ++i) {
            const Cell c = random_cell(rng, world.grid.snapshot());
            edits.push_back({c, static_cast<Terrain>(1 + rng.below(9))});
        }
        table = table.updated(world.grid.apply(edits)).value();
        ASSERT_NO_FATAL_FAILURE(expect_never_above(rng, table, world, 3, 60));
    }
    EXPECT_GT(table.cheaper_blocks(), 64u);
    table = table.updated(world.grid.fill({{0, 0}, {190, 150}}, Terrain{3})).value();
    EXPECT_EQ(table.cheaper_blocks(), 24u * 19);
    ASSERT_NO_FATAL_FAILURE(expect_never_above(rng, table, world, 3, 60));
}

// Cheaper areas that form a path only together: from block to block, and through blocks without passable cells on the base map.
TEST(LowerBoundTable, ARoadOrATunnelThroughManyBlocksIsSeen) {
    Rng rng(19);
    for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kEightCutCorners, Movement::kFour}) {
        for (const Terrain t : {Terrain{9}, Terrain{0}}) {
            RandomWorld world{TerrainGrid(120, 60, Terrain{2}, digit_catalogue()), {}, movement};
            world.costs = digit_profile().compile(world.grid.snapshot().catalogue()).value();
            static_cast<void>(world.grid.fill({{20, 0}, {81, 57}}, t));
            LowerBoundTable table = build_table(world, 8);
            const Cost before = table.lower_bound({10, 20}, {110, 20});
            table = table.updated(world.grid.fill({{20, 21}, {81, 1}}, Terrain{1})).value();
            EXPECT_EQ(table.cheaper_blocks(), 11u);
            EXPECT_LT(table.lower_bound({10, 20}, {110, 20}), before);
            ASSERT_NO_FATAL_FAILURE(expect_never_above(rng, table, world, 12, 80));
        }
    }
}

TEST(LowerBoundTable, CostlierCellsLeaveTheBoundUnchanged) {
    Rng rng(9);
    TerrainGrid grid(100, 100, Terrain{3}, digit_catalogue());
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    const auto before = LowerBoundTable::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, LowerBoundTableOptions{8});
    const auto after = before.updated(grid.fill({{40, 10}, {20, 80}}, Terrain{9})).value();
    EXPECT_EQ(after.cheaper_blocks(), 0u);
    EXPECT_EQ(after.lower_bound({5, 50}, {95, 55}), before.lower_bound({5, 50}, {95, 55}));
}

TEST(LowerBoundTable, ACheaperAreaFarFromThePathChangesLittle) {
    TerrainGrid grid(200, 200, Terrain{3}, digit_catalogue());
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    auto table = LowerBoundTable::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, LowerBoundTableOptions{16});
    const Cost before = table.lower_bound({10, 20}, {180, 30});
    for (const Cell c : {Cell{30, 180}, Cell{170, 170}}) table = table.updated(grid.set(c, Terrain{1})).value();
    EXPECT_EQ(table.cheaper_blocks(), 2u);
    EXPECT_EQ(table.lower_bound({10, 20}, {180, 30}), before);
    // On the path they do, by the width of the area and its surroundings; two areas do not make everything between them free.
    for (const Cell c : {Cell{20, 21}, Cell{170, 29}}) table = table.updated(grid.set(c, Terrain{1})).value();
    EXPECT_LT(table.lower_bound({10, 20}, {180, 30}), before);
    EXPECT_GT(table.lower_bound({10, 20}, {180, 30}), before * 7 / 10);
}

TEST(LowerBoundTable, DependsOnTheMapAndNotOnTheEdits) {
    Rng rng(12);
    for (int i = 0; i < 20; ++i) {
        RandomWorld world = random_world(rng, 60);
        const GridSnapshot first = world.grid.snapshot();
        const LowerBoundTable built = build_table(world, 6);
        LowerBoundTable table = built;
        for (int edit = 0; edit < 5; ++edit) table = table.updated(random_edit(rng, world)).value();
        const uint64_t hash = hash_of_table(table, world.grid.snapshot());
        const std::vector<Terrain> last = world.grid.snapshot().cells(), start = first.cells();
        const auto all_of = [&](const std::vector<Terrain>& cells) {
            std::vector<CellEdit> edits;
            edits.reserve(cells.size());
            for (size_t c = 0; c < cells.size(); ++c) {
                edits.push_back({{static_cast<int32_t>(c) % first.width(), static_cast<int32_t>(c) / first.width()}, cells[c]});
            }
            return edits;
        };
        table = table.updated(world.grid.apply(all_of(start))).value();
        EXPECT_EQ(table.cheaper_blocks(), 0u);
        EXPECT_EQ(hash_of_table(table, first), hash_of_table(built, first));
        table = table.updated(world.grid.apply(all_of(last))).value();
        EXPECT_EQ(hash_of_table(table, world.grid.snapshot()), hash);
    }
}

TEST(LowerBoundTable, AnOpenedCornerIsSeen) {
    const Scene s = scene(R"(S#.......
                             .........
                             ........G)");
    RandomWorld world{TerrainGrid(9, 3, s.grid.snapshot().cells(), digit_catalogue()), {}, Movement::kEightNoCornerCutting};
    world.costs = s.profile.compile(world.grid.snapshot().catalogue()).value();
    Rng rng(1);
    LowerBoundTable table = build_table(world, 3);
    table = table.updated(world.grid.set({1, 0}, Terrain{9})).value();  // expensive to enter, but the diagonal beside it is legal now
    EXPECT_EQ(table.cheaper_blocks(), 1u);
    ASSERT_NO_FATAL_FAILURE(expect_never_above(rng, table, world, 27, 40));
}

TEST(LowerBoundTable, OddPairs) {
    const Scene s = scene(R"(S..#...G
                             ...#....
                             ...#....)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const auto table = LowerBoundTable::build({grid, costs, Movement::kEightNoCornerCutting}, LowerBoundTableOptions{4});
    EXPECT_EQ(table.lower_bound({1, 1}, {1, 1}), 0u);
    EXPECT_EQ(table.lower_bound({1, 1}, {3, 1}), kInfiniteCost);
    EXPECT_EQ(table.lower_bound({3, 1}, {3, 1}), kInfiniteCost);
    EXPECT_EQ(table.lower_bound({-1, 1}, {2, 1}), kInfiniteCost);
    EXPECT_EQ(table.lower_bound({1, 1}, {1, 3}), kInfiniteCost);
    EXPECT_GE(table.lower_bound({0, 0}, {0, 1}), Cost{kCostPerUnit});
    // In one block, with its sample on the left: it gives no bound for cells on the right, but octile distance does.
    EXPECT_GE(table.lower_bound(s.start, s.goal), Cost{7} * kCostPerUnit);
}

TEST(LowerBoundTable, DisconnectedComponentsAreDetected) {
    TerrainGrid grid(64, 40, Terrain{1}, digit_catalogue());
    static_cast<void>(grid.fill({{32, 0}, {1, 40}}, Terrain{0}));
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    auto table = LowerBoundTable::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, LowerBoundTableOptions{4});
    EXPECT_EQ(table.lower_bound({3, 3}, {60, 30}), kInfiniteCost);
    table = table.updated(grid.set({32, 20}, Terrain{1})).value();
    const GridSnapshot now = grid.snapshot();
    const Cost truth = distances_from({now, costs, Movement::kEightNoCornerCutting}, {3, 3})[now.layout().id({60, 30})] * costs.divisor;
    EXPECT_LE(table.lower_bound({3, 3}, {60, 30}), truth);
    EXPECT_GE(table.lower_bound({3, 3}, {60, 30}), truth * 6 / 10);
    table = table.updated(grid.set({32, 20}, Terrain{0})).value();
    EXPECT_EQ(table.lower_bound({3, 3}, {60, 30}), kInfiniteCost);
}

TEST(LowerBoundTable, OfNothingAndOfOneCell) {
    const CostTable none = Profile().compile(GridSnapshot().catalogue()).value();
    const auto empty = LowerBoundTable::build({GridSnapshot(), none, Movement::kEightNoCornerCutting});
    EXPECT_EQ(empty.lower_bound({0, 0}, {0, 0}), kInfiniteCost);
    EXPECT_TRUE(empty.landmarks().empty());
    for (const Terrain t : {Terrain{0}, Terrain{5}}) {
        TerrainGrid grid(1, 1, t, digit_catalogue());
        const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
        const auto one = LowerBoundTable::build({grid.snapshot(), costs, Movement::kFour});
        EXPECT_EQ(one.landmarks().size(), t == 0 ? 0u : 1u);
        EXPECT_EQ(one.lower_bound({0, 0}, {0, 0}), t == 0 ? kInfiniteCost : 0);
        const auto flipped = one.updated(grid.set({0, 0}, t == 0 ? Terrain{5} : Terrain{0})).value();
        EXPECT_EQ(flipped.lower_bound({0, 0}, {0, 0}), t == 0 ? 0 : kInfiniteCost);
    }
}

TEST(LowerBoundTable, TakesTheLandmarksThatItIsGiven) {
    TerrainGrid grid(50, 50, Terrain{1}, digit_catalogue());
    static_cast<void>(grid.set({9, 9}, Terrain{0}));
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    const std::vector<Cell> cells = {{4, 4}, {9, 9}, {-1, 3}, {49, 0}};
    const auto some = LowerBoundTable::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, cells);
    ASSERT_EQ(some.landmarks().size(), 2u);  // not the blocked one, nor the one off the map
    EXPECT_EQ(some.landmarks()[1], (Cell{49, 0}));
    const auto most = LowerBoundTable::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, LowerBoundTableOptions{1000});
    EXPECT_EQ(most.landmarks().size(), kMaxLowerBoundLandmarks);
    EXPECT_LT(most.bytes(), size_t{49} * (64 * 4 + 5) + 5000);
    // On the boundary, and all different.
    auto spread = LowerBoundTable::spread_landmarks({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, 16);
    ASSERT_EQ(spread.size(), 16u);
    for (const Cell c : spread) EXPECT_TRUE(c.x == 0 || c.y == 0 || c.x == 49 || c.y == 49) << c.x << "," << c.y;
    const auto by_rows = [](Cell a, Cell b) { return a.y != b.y ? a.y < b.y : a.x < b.x; };
    std::sort(spread.begin(), spread.end(), by_rows);
    EXPECT_EQ(std::unique(spread.begin(), spread.end()), spread.end());
}

TEST(LowerBoundTable, IsRefusedForAnythingButItsOwnMapProfileAndRule) {
    TerrainGrid grid(20, 20, Terrain{1}, digit_catalogue());
    TerrainGrid twin(20, 20, Terrain{1}, digit_catalogue());
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    const auto table = LowerBoundTable::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, LowerBoundTableOptions{4});
    const GridSnapshot old = grid.snapshot();
    EXPECT_TRUE(table.valid_for({old, costs, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(table.valid_for({old, costs, Movement::kFour}));
    EXPECT_FALSE(table.valid_for({twin.snapshot(), costs, Movement::kEightNoCornerCutting}));
    CostTable other = costs;
    other.divisor += 1;
    EXPECT_FALSE(table.valid_for({old, other, Movement::kEightNoCornerCutting}));

    EXPECT_EQ(table.updated(grid.set({3, 3}, Terrain{1}))->edits(), 0u);
    const EditResult first = grid.set({3, 3}, Terrain{0}), second = grid.set({4, 4}, Terrain{2});
    EXPECT_FALSE(table.updated(second).has_value());  // skips an edit
    const auto next = table.updated(first)->updated(second);
    ASSERT_TRUE(next.has_value());
    EXPECT_TRUE(next->valid_for({grid.snapshot(), costs, Movement::kEightNoCornerCutting}));
    EXPECT_EQ(next->edits(), 2u);

    SearchOptions options;
    options.lower_bounds = &table;
    GridSearch search;
    search.begin({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {1, 1}, {9, 9}, options);
    EXPECT_EQ(search.run(), Status::kStale);
    search.begin({old, costs, Movement::kEightNoCornerCutting}, {1, 1}, {9, 9}, options);
    EXPECT_EQ(search.run(), Status::kFound);
}

TEST(LowerBoundTable, AStarFindsTheOptimumWithFewerExpansions) {
    Rng rng(8);
    uint64_t plain_expansions = 0, expansions = 0;
    GridSearch plain, guided;
    Path expected, path;
    for (int i = 0; i < 90; ++i) {
        RandomWorld world = random_world(rng, 90);
        LowerBoundTable table = build_table(world, 8);
        for (int edit = 0; edit < 4; ++edit) {
            if (edit > 0) table = table.updated(random_edit(rng, world)).value();
            const GridSnapshot grid = world.grid.snapshot();
            SearchOptions options;
            const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
            plain.begin({grid, world.costs, world.movement}, start, goal, options);
            options.lower_bounds = &table;
            guided.begin({grid, world.costs, world.movement}, start, goal, options);
            plain.run();
            while (guided.run(7) == Status::kBudgetSpent) {
            }
            plain.path(expected);
            guided.path(path);
            ASSERT_EQ(path.status, expected.status) << "world " << i << " edit " << edit;
            ASSERT_EQ(path.cost, expected.cost) << "world " << i << " edit " << edit;
            if (path.status != Status::kFound) continue;
            plain_expansions += plain.expansions();
            expansions += guided.expansions();
        }
    }
    EXPECT_LT(expansions, plain_expansions);
}

TEST(LowerBoundTable, OtherMethodsSearchWithoutIt) {
    Rng rng(14);
    const RandomWorld world = random_world(rng, 60);
    const GridSnapshot grid = world.grid.snapshot();
    const LowerBoundTable table = build_table(world, 4);
    const Cell start = random_passable(rng, grid, world.costs), goal = random_passable(rng, grid, world.costs);
    for (const char* method : {"dijkstra", "wastar:1.5", "focal:1.5", "nbs"}) {
        SearchOptions options;
        options.method = find_method(method).value();
        GridSearch without, with;
        Path expected, path;
        without.begin({grid, world.costs, world.movement}, start, goal, options);
        options.lower_bounds = &table;
        with.begin({grid, world.costs, world.movement}, start, goal, options);
        EXPECT_EQ(with.run(), without.run());
        without.path(expected);
        with.path(path);
        EXPECT_EQ(terrane::test::hash_of(path), terrane::test::hash_of(expected)) << method;
    }
}

// 650 per cell, and a corridor so long that its end is more than 2^32 away; edits open a shortcut and close it again.
TEST(LowerBoundTable, CostsThatDoNotFit32Bits) {
    Rng rng(5);
    const Catalogue catalogue = digit_catalogue();
    std::vector<Terrain> cells(64 * 64, Terrain{2});
    for (int32_t y = 1; y < 64; y += 2) {
        for (int32_t x = 0; x < 63; ++x) cells[static_cast<size_t>(y * 64 + (y % 4 == 1 ? x : 63 - x))] = 0;
    }
    RandomWorld world{TerrainGrid(64, 64, cells, catalogue), {}, Movement::kEightNoCornerCutting};
    world.costs = Profile().blocked("wall").cost("cost_1", 0.01).cost("cost_2", 650).compile(catalogue).value();
    LowerBoundTable table = build_table(world, 3);
    const GridLayout layout = world.grid.snapshot().layout();
    const Cost truth = distances_from({world.grid.snapshot(), world.costs, Movement::kEightNoCornerCutting}, {0, 0})[layout.id({0, 60})];
    EXPECT_GT(truth, kInfinite<uint32_t>);
    EXPECT_GT(table.lower_bound({0, 4}, {0, 60}), truth * 8 / 10);  // both have samples nearby, unlike the cells of row 62
    ASSERT_NO_FATAL_FAILURE(expect_never_above(rng, table, world, 8, 60));
    for (const Terrain t : {Terrain{1}, Terrain{0}}) {
        table = table.updated(world.grid.fill({{5, 0}, {1, 64}}, t)).value();
        ASSERT_NO_FATAL_FAILURE(expect_never_above(rng, table, world, 8, 60));
        SearchOptions options;
        const Path plain =
            find_path(world.grid.snapshot(), {0, 0}, {3, 62}, Profile().blocked("wall").cost("cost_1", 0.01).cost("cost_2", 650), options)
                .value();
        options.lower_bounds = &table;
        GridSearch search;
        search.begin({world.grid.snapshot(), world.costs, Movement::kEightNoCornerCutting}, {0, 0}, {3, 62}, options);
        EXPECT_EQ(search.run(), plain.status);
        Path path;
        search.path(path);
        EXPECT_EQ(path.cost, plain.cost);
    }
}

TEST(LowerBoundTable, SameForAnyNumberOfThreads) {
    Rng rng(12);
    for (int i = 0; i < 10; ++i) {
        const RandomWorld world = random_world(rng, 90);
        const uint64_t one = hash_of_table(build_table(world, 9, 1), world.grid.snapshot());
        for (const uint32_t threads : {2u, 5u, 0u}) ASSERT_EQ(hash_of_table(build_table(world, 9, threads), world.grid.snapshot()), one);
    }
}

TEST(LowerBoundTable, AllocatesNothingAfterWarmUp) {
    Rng rng(3);
    TerrainGrid grid(150, 150, Terrain{1}, digit_catalogue());
    for (int i = 0; i < 4000; ++i) {
        const Cell c = random_cell(rng, grid.snapshot());
        static_cast<void>(grid.set(c, static_cast<Terrain>(rng.below(10))));
    }
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    auto table = LowerBoundTable::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, LowerBoundTableOptions{8});
    table = table.updated(grid.fill({{60, 60}, {20, 1}}, Terrain{1})).value();
    const GridSnapshot now = grid.snapshot();
    SearchOptions options;
    options.lower_bounds = &table;
    GridSearch search;
    Cost sum = 0;
    const auto run_all = [&] {
        for (int32_t i = 0; i < 150; i += 13) {
            sum += table.lower_bound({i, 0}, {149 - i, 149});
            search.begin({now, costs, Movement::kEightNoCornerCutting}, {i, 0}, {149 - i, 149}, options);
            search.run();
        }
    };
    run_all();
    const uint64_t before = allocations();
    run_all();
    EXPECT_EQ(allocations(), before);
    EXPECT_GT(sum, 0u);
}

TEST(LowerBoundTableGolden, SameBoundsAndExpansionsEverywhere) {
    Rng rng(2);
    uint64_t hash = 0;
    for (int i = 0; i < 10; ++i) {
        RandomWorld world = random_world(rng);
        LowerBoundTable table = build_table(world, 5);
        hash = mix64(hash ^ hash_of_table(table, world.grid.snapshot()));
        for (int edit = 0; edit < 3; ++edit) table = table.updated(random_edit(rng, world)).value();
        hash = mix64(hash ^ hash_of_table(table, world.grid.snapshot()));
    }
    IslandOptions island;
    island.width = island.height = 200;
    const GridSnapshot grid = generate_island(island).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    const auto table = LowerBoundTable::build({grid, costs, Movement::kEightNoCornerCutting}, LowerBoundTableOptions{8, 2});
    hash = mix64(hash ^ hash_of_table(table, grid));
    SearchOptions options;
    options.lower_bounds = &table;
    GridSearch search;
    Path path;
    for (int32_t i = 10; i < 200; i += 30) {
        search.begin({grid, costs, Movement::kEightNoCornerCutting}, {i, 20}, {190 - i, 180}, options);
        search.run();
        search.path(path);
        hash = terrane::test::hash_of(path, hash);
    }
    EXPECT_EQ(hash, 12802610767324914750u);
}

TEST(LowerBoundTableDeathTest, BoundsAreTowardsACellOfTheMap) {
    const TerrainGrid grid(8, 8, Terrain{6});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    const auto table = LowerBoundTable::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, LowerBoundTableOptions{4});
    LowerBoundQuery bounds;
    EXPECT_DEATH(bounds.set_goal(table, {8, 0}), "contract broken: table");
}

}  // namespace
}  // namespace terrane::test
