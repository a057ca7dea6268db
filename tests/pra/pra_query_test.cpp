// PRA* queries: complete and legal for every k, the same in slices, and without allocations.
#include "pra/pra_query.h"

#include <gtest/gtest.h>

#include "pra/cliques_of.h"
#include "support/allocations.h"
#include "support/scene.h"
#include "terrane/grid/path.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

constexpr uint32_t kDepths[] = {1, 2, 3, 4, 16, kWholePath};

Path path_of(const PraQuery& query, Status status, const Cliques& cliques, const CostTable& costs) {
    Path path;
    path.status = status;
    path.expansions = query.expansions();
    path.expansions_first = query.expansions_first();
    if (status != Status::kFound) return path;
    path.cells = query.cells();
    path.cost = path_cost({cliques.grid(), costs, cliques.movement()}, path.cells);
    return path;
}

Path solve_pra(PraQuery& query, const Cliques& cliques, const CostTable& costs, Cell start, Cell goal, uint32_t k) {
    query.begin(cliques, {cliques.grid(), costs, cliques.movement()}, start, goal, k);
    const Status status = query.run(kUnlimited);
    return path_of(query, status, cliques, costs);
}

TEST(PraQuery, StartIsGoal) {
    const Scene s = scene("..S..");
    const CostTable costs = s.profile.compile(digit_catalogue()).value();
    const Cliques cliques = cliques_of({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    PraQuery query;
    const Path path = solve_pra(query, cliques, costs, s.start, s.start, 4);
    EXPECT_TRUE(path);
    EXPECT_EQ(path.cells, std::vector<Cell>{s.start});
    EXPECT_EQ(path.expansions, 0u);
    EXPECT_EQ(query.ready(), 1u);
}

TEST(PraQuery, AnUnreachableGoalIsKnownWithoutASearch) {
    const Scene s = scene(R"(S..#...
                             ...#..G
                             ...#...)");
    const CostTable costs = s.profile.compile(digit_catalogue()).value();
    const Cliques cliques = cliques_of({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    PraQuery query;
    const Path path = solve_pra(query, cliques, costs, s.start, s.goal, kWholePath);
    EXPECT_EQ(path.status, Status::kUnreachable);
    EXPECT_EQ(path.expansions, 0u);
    EXPECT_EQ(query.ready(), 0u);
}

TEST(PraQuery, GoesAroundAnObstacle) {
    const Scene s = scene(R"(S......#........
                             .......#........
                             .......#........
                             .......#........
                             .......#........
                             .......#.......G
                             ................
                             .......#........)");
    const CostTable costs = s.profile.compile(digit_catalogue()).value();
    const Cliques cliques = cliques_of({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    PraQuery query;
    for (const uint32_t k : kDepths) {
        const Path path = solve_pra(query, cliques, costs, s.start, s.goal, k);
        EXPECT_TRUE(path) << k;
        EXPECT_NE(path.cost, kInfiniteCost) << k;
        EXPECT_LE(to_real(path.cost), 1.5 * to_real(solve("astar", s).cost)) << k;
    }
}

// PRA* finds a path if and only if A* does; it is legal and never cheaper than the optimum.
TEST(PraQuery, IsCompleteAndLegalOnRandomWorlds) {
    Rng rng(31);
    PraQuery query;
    GridSearch astar;
    Path optimal;
    int found = 0, unreachable = 0;
    for (int i = 0; i < 300; ++i) {
        const RandomWorld world = random_world(rng, 90);
        const GridSnapshot grid = world.grid.snapshot();
        const CliqueRule rule = i % 2 == 0 ? CliqueRule::kCliques : CliqueRule::kSectors;
        const Cliques cliques = cliques_of({grid, world.costs, world.movement}, rule);
        for (int q = 0; q < 6; ++q) {
            const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
            if (!world.costs.passable(grid.at(start)) || !world.costs.passable(grid.at(goal))) continue;
            SearchOptions options;
            astar.begin({grid, world.costs, world.movement}, start, goal, options);
            const Status want = astar.run();
            astar.path(optimal);
            for (const uint32_t k : kDepths) {
                const Path path = solve_pra(query, cliques, world.costs, start, goal, k);
                ASSERT_EQ(path.status, want) << i << " k " << k;
                if (want != Status::kFound) continue;
                ASSERT_EQ(path.cells.front(), start);
                ASSERT_EQ(path.cells.back(), goal);
                ASSERT_NE(path.cost, kInfiniteCost) << i << " k " << k;
                ASSERT_GE(path.cost, optimal.cost);
                ASSERT_LE(path.expansions_first, path.expansions);
            }
            ++(want == Status::kFound ? found : unreachable);
        }
    }
    EXPECT_GT(found, 300);
    EXPECT_GT(unreachable, 50);
}

// Paths are long and wind back past themselves.
TEST(PraQuery, AlwaysArrivesInMazes) {
    PraQuery query;
    for (const int32_t corridor : {1, 2, 5}) {
        const TerrainGrid grid = generate_maze({.width = 120, .height = 90, .seed = 5, .corridor = corridor}).value();
        const GridSnapshot snapshot = grid.snapshot();
        const CostTable costs = Profile::preset("walker")->compile(snapshot.catalogue()).value();
        for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kEightCutCorners, Movement::kFour}) {
            const Cliques cliques = cliques_of({snapshot, costs, movement});
            Rng rng(32);
            for (int q = 0; q < 20; ++q) {
                const Cell start = random_cell(rng, snapshot), goal = random_cell(rng, snapshot);
                if (!costs.passable(snapshot.at(start)) || !costs.passable(snapshot.at(goal))) continue;
                for (const uint32_t k : kDepths) {
                    const Path path = solve_pra(query, cliques, costs, start, goal, k);
                    ASSERT_TRUE(path) << q << " k " << k;
                    ASSERT_NE(path.cost, kInfiniteCost);
                }
            }
        }
    }
}

// The first cells are ready after a part of the work and do not change.
TEST(PraQuery, IsTheSameInSlicesAndKeepsWhatIsReady) {
    Rng rng(33);
    PraQuery whole, sliced;
    int early = 0;
    for (int i = 0; i < 100; ++i) {
        const RandomWorld world = random_world(rng, 90);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start)) || !world.costs.passable(grid.at(goal))) continue;
        const Cliques cliques = cliques_of({grid, world.costs, world.movement});
        const uint32_t k = kDepths[i % 6];
        const Path want = solve_pra(whole, cliques, world.costs, start, goal, k);
        sliced.begin(cliques, {cliques.grid(), world.costs, cliques.movement()}, start, goal, k);
        std::vector<Cell> ready;
        Status status = Status::kBudgetSpent;
        while (status == Status::kBudgetSpent) {
            const uint64_t before = sliced.expansions();
            status = sliced.run(5);
            ASSERT_LE(sliced.expansions(), before + 5);
            ASSERT_GE(sliced.ready(), ready.size());
            ASSERT_TRUE(std::equal(ready.begin(), ready.end(), sliced.cells().begin()));
            ready.assign(sliced.cells().begin(), sliced.cells().begin() + static_cast<std::ptrdiff_t>(sliced.ready()));
            early += status == Status::kBudgetSpent && !ready.empty() ? 1 : 0;
        }
        EXPECT_EQ(hash_of(path_of(sliced, status, cliques, world.costs)), hash_of(want));
        EXPECT_EQ(sliced.expansions_first(), want.expansions_first);
    }
    EXPECT_GT(early, 100);
}

// The time to the first move of a long path is short, and the shorter, the less is refined.
TEST(PraQuery, RefinesOnlyTheFirstNodes) {
    const TerrainGrid grid(512, 512, *Catalogue::octile().find("ground"), Catalogue::octile());
    const GridSnapshot snapshot = grid.snapshot();
    const CostTable costs = Profile::preset("walker")->compile(snapshot.catalogue()).value();
    const Cliques cliques = cliques_of({snapshot, costs, Movement::kEightNoCornerCutting});
    PraQuery query;
    const Path few = solve_pra(query, cliques, costs, {3, 5}, {500, 420}, 2);
    const Path more = solve_pra(query, cliques, costs, {3, 5}, {500, 420}, 16);
    const Path all = solve_pra(query, cliques, costs, {3, 5}, {500, 420}, kWholePath);
    EXPECT_LT(few.expansions_first, more.expansions_first);
    EXPECT_LT(more.expansions_first, all.expansions_first);
    EXPECT_EQ(all.expansions_first, all.expansions);
    EXPECT_LT(few.expansions_first, 100u);
}

TEST(PraQuery, AllocatesNothingAfterWarmUp) {
    const TerrainGrid grid = generate_rooms({.width = 200, .height = 200, .seed = 2}).value();
    const GridSnapshot snapshot = grid.snapshot();
    const CostTable costs = Profile::preset("walker")->compile(snapshot.catalogue()).value();
    const Cliques cliques = cliques_of({snapshot, costs, Movement::kEightNoCornerCutting});
    PraQuery query;
    const auto run_all = [&] {
        Rng rng(34);
        for (int i = 0; i < 60; ++i) {
            const Cell start = random_cell(rng, snapshot), goal = random_cell(rng, snapshot);
            if (!costs.passable(snapshot.at(start)) || !costs.passable(snapshot.at(goal))) continue;
            query.begin(cliques, {cliques.grid(), costs, cliques.movement()}, start, goal, kDepths[i % 6]);
            while (query.run(100) == Status::kBudgetSpent) {
            }
        }
    };
    run_all();
    const uint64_t before = allocations();
    run_all();
    EXPECT_EQ(allocations(), before);
    EXPECT_GT(query.bytes(), 0u);
}

TEST(PraQueryGolden, SamePathsEverywhere) {
    Rng rng(35);
    PraQuery query;
    uint64_t h = 0;
    for (int i = 0; i < 60; ++i) {
        const RandomWorld world = random_world(rng, 90);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid);
        const Cell goal = random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start)) || !world.costs.passable(grid.at(goal))) continue;
        const Cliques cliques = cliques_of({grid, world.costs, world.movement}, i % 2 == 0 ? CliqueRule::kCliques : CliqueRule::kSectors);
        for (const uint32_t k : kDepths) h = hash_of(solve_pra(query, cliques, world.costs, start, goal, k), h);
    }
    EXPECT_EQ(h, 0x57818a3ffb20a41au);
}

}  // namespace
}  // namespace terrane::test
