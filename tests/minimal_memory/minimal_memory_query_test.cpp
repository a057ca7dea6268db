// Queries over minimal memory: complete, legal, the same in slices, and without allocations.
#include "minimal_memory/minimal_memory_query.h"

#include <gtest/gtest.h>

#include "support/allocations.h"
#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

MinimalMemory memory_of(const Ground& ground, const MinimalMemoryOptions& options = {}) {
    return MinimalMemory::build(ground.grid(), PassableSet::of(ground.costs(), ground.movement()), ground.movement(), options);
}

MinimalMemoryQueryOptions random_query_options(Rng& rng) {
    MinimalMemoryQueryOptions options;
    options.trim = rng.chance(1, 2);
    options.smooth = rng.chance(1, 3);
    options.stand_in = rng.chance(1, 2);
    if (rng.chance(1, 4)) options.refinement = {3, 2};
    return options;
}

Path path_of(const MinimalMemoryQuery& query, Status status, const Ground& ground) {
    Path path;
    path.status = status;
    path.expansions = query.expansions();
    if (status != Status::kFound) return path;
    path.cells = query.cells();
    path.cost = path_cost(ground, path.cells);
    return path;
}

// Runs a query to completion and checks that its answer is a legal path.
Path find(MinimalMemoryQuery& query, const MinimalMemory& memory, const Ground& ground, Cell start, Cell goal,
          const MinimalMemoryQueryOptions& options) {
    query.begin(memory, ground, start, goal, options);
    const Path path = path_of(query, query.run(), ground);
    if (path.status != Status::kFound) return path;
    EXPECT_EQ(path.cells.front(), start);
    EXPECT_EQ(path.cells.back(), goal);
    EXPECT_NE(path.cost, kInfiniteCost) << "legal";
    EXPECT_EQ(query.ready(), path.cells.size());
    return path;
}

TEST(MinimalMemoryQuery, FindsAPathIfAndOnlyIfThereIsOne) {
    Rng rng(1);
    MinimalMemoryQuery query;
    int found = 0, none = 0;
    for (int i = 0; i < 300; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const MinimalMemoryOptions how{.sector = 4 + rng.below(20), .edges_once = rng.chance(1, 4), .optimise_centres = rng.chance(1, 8)};
        const MinimalMemory memory = memory_of({grid, world.costs, world.movement}, how);
        const Cell start = random_cell(rng, grid);
        const auto best = oracle::distances(to_oracle(grid, world.costs), start.x, start.y, to_oracle(world.movement));
        for (int k = 0; k < 3; ++k) {
            const Cell goal = random_cell(rng, grid);
            const MinimalMemoryQueryOptions options = random_query_options(rng);
            const Path path = find(query, memory, {memory.grid(), world.costs, world.movement}, start, goal, options);
            const double least = best[static_cast<size_t>(goal.y * grid.width() + goal.x)];
            if (!world.costs.passable(grid.at(start))) {
                ASSERT_EQ(path.status, Status::kBlockedStart);
            } else if (!world.costs.passable(grid.at(goal))) {
                ASSERT_EQ(path.status, Status::kBlockedGoal);
            } else if (least == oracle::kFar) {
                ASSERT_EQ(path.status, Status::kUnreachable) << i;
                ++none;
            } else {
                ASSERT_EQ(path.status, Status::kFound) << i;
                ASSERT_GE(to_real(path.cost), least * (1 - 1e-6));
                ++found;
            }
        }
    }
    EXPECT_GT(found, 300);
    EXPECT_GT(none, 20);
}

TEST(MinimalMemoryQuery, InMazesAndRandomObstaclesToo) {
    const TerrainGrid maze = generate_maze({.width = 121, .height = 90, .seed = 2}).value();
    const TerrainGrid random = generate_random({.width = 130, .height = 121, .seed = 5, .density = 40, .fill_isolated = false}).value();
    const CostTable costs = Profile::preset("walker")->compile(maze.snapshot().catalogue()).value();
    Rng rng(2);
    MinimalMemoryQuery query;
    int found = 0;
    for (const TerrainGrid* map : {&maze, &random}) {
        const GridSnapshot grid = map->snapshot();
        for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kEightCutCorners, Movement::kFour}) {
            for (const uint32_t sector : {8u, 16u, 50u}) {
                const MinimalMemory memory =
                    memory_of({grid, costs, movement}, {.sector = sector, .record_bits = sector == 16 ? 16u : 32u});
                for (int k = 0; k < 12; ++k) {
                    const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
                    const Path path = find(query, memory, {memory.grid(), costs, movement}, start, goal, random_query_options(rng));
                    SearchOptions options;
                    const Path optimal = find_path(grid, start, goal, *Profile::preset("walker"), options, movement).value();
                    ASSERT_EQ(path.status, optimal.status);
                    ASSERT_GE(path.cost, optimal.cost);
                    found += path ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(found, 30);
}

TEST(MinimalMemoryQuery, InSlicesIsTheSameAndReadyCellsAreFinal) {
    Rng rng(3);
    MinimalMemoryQuery whole, sliced;
    int slices = 0;
    for (int i = 0; i < 80; ++i) {
        const RandomWorld world = random_world(rng, 120);
        const GridSnapshot grid = world.grid.snapshot();
        const MinimalMemory memory = memory_of({grid, world.costs, world.movement}, {.sector = 8});
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        const MinimalMemoryQueryOptions options = random_query_options(rng);
        const Path path = find(whole, memory, {memory.grid(), world.costs, world.movement}, start, goal, options);
        const uint64_t slice = 1 + rng.below(20);
        sliced.begin(memory, {memory.grid(), world.costs, world.movement}, start, goal, options);
        std::vector<Cell> ready;
        uint64_t before = 0;
        Status status = Status::kBudgetSpent;
        while ((status = sliced.run(slice)) == Status::kBudgetSpent) {
            ASSERT_LE(sliced.expansions() - before, slice);
            before = sliced.expansions();
            ASSERT_LE(ready.size(), sliced.ready());
            ASSERT_TRUE(std::equal(ready.begin(), ready.end(), sliced.cells().begin()));
            ready.assign(sliced.cells().begin(), sliced.cells().begin() + static_cast<std::ptrdiff_t>(sliced.ready()));
            ++slices;
        }
        ASSERT_EQ(status, path.status);
        ASSERT_EQ(sliced.expansions(), path.expansions);
        if (!path) continue;
        ASSERT_EQ(sliced.cells(), path.cells);
        ASSERT_TRUE(std::equal(ready.begin(), ready.end(), path.cells.begin()));
        ASSERT_EQ(sliced.expansions_first(), whole.expansions_first());
    }
    EXPECT_GT(slices, 300);
}

TEST(MinimalMemoryQuery, AnswersDoNotDependOnTheEncoding) {
    Rng rng(4);
    MinimalMemoryQuery query;
    for (int i = 0; i < 60; ++i) {
        const RandomWorld world = random_world(rng, 100);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        const MinimalMemoryQueryOptions options = random_query_options(rng);
        uint64_t first = 0;
        for (uint32_t variant = 0; variant < 16; ++variant) {
            const MinimalMemory memory = memory_of({grid, world.costs, world.movement}, {.sector = 8,
                                                                                         .record_bits = (variant & 1) != 0 ? 16u : 32u,
                                                                                         .skip_defaults = (variant & 2) != 0,
                                                                                         .edges_once = (variant & 4) != 0,
                                                                                         .labels = (variant & 8) != 0});
            const uint64_t hash = hash_of(find(query, memory, {memory.grid(), world.costs, world.movement}, start, goal, options));
            if (variant == 0) first = hash;
            ASSERT_EQ(hash, first) << variant;
        }
    }
}

TEST(MinimalMemoryQuery, ReportsWhyThereIsNoPath) {
    const Scene s = scene(R"(....#...
                             ....#...
                             ....#..#
                             ########)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const MinimalMemory memory = memory_of({grid, costs, Movement::kEightNoCornerCutting}, {.sector = 4});
    MinimalMemoryQuery query;
    const auto status = [&](Cell start, Cell goal, Movement movement = Movement::kEightNoCornerCutting) {
        query.begin(memory, {memory.grid(), costs, movement}, start, goal);
        const Status ended = query.run();
        EXPECT_EQ(query.cells().empty(), ended != Status::kFound && ended != Status::kUnreachable);
        return ended;
    };
    EXPECT_EQ(status({0, 0}, {3, 2}), Status::kFound);
    EXPECT_EQ(status({0, 0}, {7, 0}), Status::kUnreachable);
    EXPECT_EQ(status({4, 0}, {0, 0}), Status::kBlockedStart);
    EXPECT_EQ(status({0, 0}, {4, 0}), Status::kBlockedGoal);
    EXPECT_EQ(status({0, 0}, {8, 0}), Status::kOutsideMap);
    EXPECT_EQ(status({0, -1}, {0, 0}), Status::kOutsideMap);
    EXPECT_EQ(status({0, 0}, {3, 2}, Movement::kEightCutCorners), Status::kStale);
    EXPECT_EQ(query.expansions(), 0u);
}

TEST(MinimalMemoryQuery, FromACellToItselfIsOneCell) {
    const TerrainGrid grid(40, 40, Terrain{3});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    const MinimalMemory memory = memory_of({grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    MinimalMemoryQuery query;
    for (const bool trim : {false, true}) {
        const Path path = find(query, memory, {memory.grid(), costs, Movement::kEightNoCornerCutting}, {5, 30}, {5, 30}, {.trim = trim});
        EXPECT_EQ(path.cells, (std::vector<Cell>{{5, 30}}));
        EXPECT_EQ(path.cost, 0u);
    }
}

// The slides' simplest form passes through both centres; with trim, through neither.
TEST(MinimalMemoryQuery, GoesByTheCentresUnlessTrimmed) {
    const TerrainGrid grid(48, 16, Terrain{3});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    const MinimalMemory memory = memory_of({grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    MinimalMemoryQuery query;
    const auto passes = [&](Cell c) { return std::ranges::find(query.cells(), c) != query.cells().end(); };
    find(query, memory, {memory.grid(), costs, Movement::kEightNoCornerCutting}, {12, 0}, {35, 0}, {});
    EXPECT_TRUE(passes({7, 7}) && passes({23, 7}) && passes({39, 7}));
    EXPECT_EQ(query.route().size(), 3u);
    find(query, memory, {memory.grid(), costs, Movement::kEightNoCornerCutting}, {12, 0}, {35, 0}, {.trim = true});
    EXPECT_FALSE(passes({7, 7}) || passes({39, 7}));
    const Path inside = find(query, memory, {memory.grid(), costs, Movement::kEightNoCornerCutting}, {0, 0}, {15, 0}, {});
    EXPECT_EQ(inside.cells.size(), 16u) << "one region: straight";
}

TEST(MinimalMemoryQuery, AStepRefinesOneEdge) {
    const TerrainGrid grid(48, 16, Terrain{3});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    const MinimalMemory memory = memory_of({grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    MinimalMemoryQuery query;
    query.begin(memory, {memory.grid(), costs, Movement::kEightNoCornerCutting}, {12, 0}, {35, 0});
    for (const Cell end : {Cell{7, 7}, Cell{23, 7}, Cell{39, 7}, Cell{35, 0}}) {
        EXPECT_EQ(query.step(1), Status::kBudgetSpent) << "steps respect the budget";
        const bool last = query.cells().size() > 32;
        EXPECT_EQ(query.step(), last ? Status::kFound : Status::kBudgetSpent);
        EXPECT_EQ(query.cells().back(), end);
        EXPECT_EQ(query.ready(), query.cells().size());
    }
    const std::vector<Cell> stepped = query.cells();
    query.begin(memory, {memory.grid(), costs, Movement::kEightNoCornerCutting}, {12, 0}, {35, 0});
    EXPECT_EQ(query.run(), Status::kFound);
    EXPECT_EQ(query.cells(), stepped);
}

// Two routes around an obstacle: by the centres, the left one is shorter; from start and goal, the right one is.
TEST(MinimalMemoryQuery, StartAndGoalStandInForTheirCentres) {
    std::vector<Terrain> cells(48 * 48, Terrain{3});
    for (int32_t y = 16; y < 32; ++y) {
        for (int32_t x = 1; x < 47; ++x) cells[static_cast<size_t>(y * 48 + x)] = 0;
    }
    const TerrainGrid grid(48, 48, cells);
    const CostTable costs = Profile().blocked(grid.snapshot().catalogue()[0].name).compile(grid.snapshot().catalogue()).value();
    const MinimalMemory memory = memory_of({grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    MinimalMemoryQuery query;
    const Path without =
        find(query, memory, {memory.grid(), costs, Movement::kEightNoCornerCutting}, {30, 0}, {30, 47}, {.trim = true, .stand_in = false});
    const Path with =
        find(query, memory, {memory.grid(), costs, Movement::kEightNoCornerCutting}, {30, 0}, {30, 47}, {.trim = true, .stand_in = true});
    EXPECT_LT(with.cost, without.cost);
}

TEST(MinimalMemoryQuery, RefinementHonoursTerrain) {
    const Scene s = scene(R"(S99999991
                             199999991
                             1999999G1
                             111111111)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const MinimalMemory memory = memory_of({grid, costs, Movement::kFour}, {.sector = 16});
    MinimalMemoryQuery query;
    const Path path = find(query, memory, {memory.grid(), costs, Movement::kFour}, s.start, s.goal, {});
    EXPECT_EQ(path.cost, solve("astar", s, Movement::kFour).cost) << "one region: optimal";
    EXPECT_GT(path.cells.size(), 10u);
}

TEST(MinimalMemoryQuery, AllocatesNothingAfterWarmUp) {
    const TerrainGrid grid = generate_random({.width = 200, .height = 200, .seed = 1, .density = 25}).value();
    const GridSnapshot now = grid.snapshot();
    const CostTable costs = Profile::preset("walker")->compile(now.catalogue()).value();
    const MinimalMemory memory = memory_of({now, costs, Movement::kEightNoCornerCutting}, {.edges_once = true});
    MinimalMemoryQuery query;
    Rng rng(5);
    std::vector<std::pair<Cell, Cell>> problems;
    for (int i = 0; i < 60; ++i) {
        const Cell start = random_cell(rng, now);
        problems.emplace_back(start, random_cell(rng, now));
    }
    const auto run_all = [&] {
        for (const auto& [start, goal] : problems) {
            for (uint32_t variant = 0; variant < 8; ++variant) {
                query.begin(memory, {memory.grid(), costs, Movement::kEightNoCornerCutting}, start, goal,
                            {.trim = (variant & 1) != 0, .smooth = (variant & 2) != 0, .stand_in = (variant & 4) != 0});
                while (query.run(50) == Status::kBudgetSpent) {
                }
            }
        }
    };
    run_all();
    const uint64_t before = allocations();
    run_all();
    EXPECT_EQ(allocations(), before);
    EXPECT_GT(query.bytes(), 0u);
}

TEST(MinimalMemoryQuery, Golden) {
    Rng rng(6);
    MinimalMemoryQuery query;
    uint64_t hash = 0;
    for (int i = 0; i < 60; ++i) {
        const RandomWorld world = random_world(rng, 100);
        const GridSnapshot grid = world.grid.snapshot();
        const MinimalMemory memory =
            memory_of({grid, world.costs, world.movement}, {.sector = 4 + rng.below(16), .optimise_centres = i % 8 == 0});
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        hash = hash_of(find(query, memory, {memory.grid(), world.costs, world.movement}, start, goal, random_query_options(rng)), hash);
    }
    EXPECT_EQ(hash, 4417100650108543834u);
}

}  // namespace
}  // namespace terrane::test
