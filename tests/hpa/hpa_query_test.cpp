// HPA* queries: complete, legal, of the cost that the entrance graph predicts, the same in slices, and without allocations.
#include "hpa/hpa_query.h"

#include <gtest/gtest.h>

#include "support/allocations.h"
#include "support/scene.h"
#include "terrane/grid/path.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

constexpr uint32_t kHpaSectors[] = {4, 7, 8, 16};

Path path_of(const HpaQuery& query, Status status, const EntranceGraph& graph) {
    Path path;
    path.status = status;
    path.expansions = query.expansions();
    path.expansions_first = query.expansions_first();
    if (status != Status::kFound) return path;
    path.cells = query.cells();
    path.cost = path_cost(graph.ground(), path.cells);
    return path;
}

Path solve_hpa(HpaQuery& query, const EntranceGraph& graph, Cell start, Cell goal, bool smooth = false) {
    query.begin(graph, start, goal, smooth);
    const Status status = query.run(kUnlimited);
    return path_of(query, status, graph);
}

TEST(HpaQuery, StartIsGoal) {
    const Scene s = scene("..S.....");
    const CostTable costs = s.profile.compile(digit_catalogue()).value();
    const EntranceGraph graph = EntranceGraph::build({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {4});
    HpaQuery query;
    for (const Cell at : {Cell{2, 0}, Cell{3, 0}, Cell{4, 0}}) {  // the last two are transitions
        const Path path = solve_hpa(query, graph, at, at);
        EXPECT_TRUE(path);
        EXPECT_EQ(path.cells, std::vector<Cell>{at});
        EXPECT_EQ(query.ready(), 1u);
    }
}

TEST(HpaQuery, StepsAcrossASectorBorder) {
    const Scene s = scene("...SG...");
    const CostTable costs = s.profile.compile(digit_catalogue()).value();
    const EntranceGraph graph = EntranceGraph::build({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {4});
    HpaQuery query;
    EXPECT_EQ(solve_hpa(query, graph, s.start, s.goal).cells, (std::vector<Cell>{s.start, s.goal}));
}

// The path between two cells of a sector may leave it.
TEST(HpaQuery, LeavesTheSectorOfBothEnds) {
    const Scene s = scene(R"(S#G.
                             .##.
                             .##.
                             .##.
                             ....)");
    const CostTable costs = s.profile.compile(digit_catalogue()).value();
    const EntranceGraph graph = EntranceGraph::build({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {4});
    HpaQuery query;
    const Path path = solve_hpa(query, graph, s.start, s.goal);
    EXPECT_TRUE(path);
    EXPECT_EQ(path.cost, solve("astar", s).cost);
}

// HPA* finds a path if and only if A* does; it is legal and has the cost of the abstract path; smoothing does not make it costlier.
TEST(HpaQuery, IsCompleteAndLegalOnRandomWorlds) {
    Rng rng(41);
    HpaQuery query;
    EntranceSearch search;
    GridSearch astar;
    Path optimal;
    int found = 0, unreachable = 0;
    for (int i = 0; i < 300; ++i) {
        const RandomWorld world = random_world(rng, 60);
        const GridSnapshot grid = world.grid.snapshot();
        const EntranceGraph graph = EntranceGraph::build({grid, world.costs, world.movement}, {kHpaSectors[i % 4]});
        for (int q = 0; q < 8; ++q) {
            const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
            if (!world.costs.passable(grid.at(start)) || !world.costs.passable(grid.at(goal))) continue;
            SearchOptions options;
            astar.begin({grid, world.costs, world.movement}, start, goal, options);
            const Status want = astar.run();
            astar.path(optimal);
            const Path path = solve_hpa(query, graph, start, goal);
            ASSERT_EQ(path.status, want) << i;
            ++(want == Status::kFound ? found : unreachable);
            if (want != Status::kFound) continue;
            search.begin(graph, start, goal);
            search.run();
            ASSERT_EQ(path.cells.front(), start);
            ASSERT_EQ(path.cells.back(), goal);
            ASSERT_EQ(path.cost, search.cost() * world.costs.divisor) << i;
            ASSERT_GE(path.cost, optimal.cost);
            const Path smooth = solve_hpa(query, graph, start, goal, true);
            ASSERT_LE(smooth.cost, path.cost);
            ASSERT_GE(smooth.cost, optimal.cost);
            ASSERT_EQ(smooth.expansions, path.expansions);
        }
    }
    EXPECT_GT(found, 500);
    EXPECT_GT(unreachable, 50);
}

TEST(HpaQuery, IsTheSameInSlicesAndKeepsWhatIsReady) {
    Rng rng(42);
    HpaQuery whole, sliced;
    int early = 0;
    for (int i = 0; i < 100; ++i) {
        const RandomWorld world = random_world(rng, 90);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start)) || !world.costs.passable(grid.at(goal))) continue;
        const EntranceGraph graph = EntranceGraph::build({grid, world.costs, world.movement}, {kHpaSectors[i % 4]});
        const Path want = solve_hpa(whole, graph, start, goal);
        sliced.begin(graph, start, goal);
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
        EXPECT_EQ(hash_of(path_of(sliced, status, graph)), hash_of(want));
        EXPECT_EQ(sliced.expansions_first(), want.expansions_first);
    }
    EXPECT_GT(early, 100);
}

TEST(HpaQuery, AllocatesNothingAfterWarmUp) {
    const TerrainGrid grid = generate_rooms({.width = 200, .height = 200, .seed = 2}).value();
    const GridSnapshot snapshot = grid.snapshot();
    const CostTable costs = Profile::preset("walker")->compile(snapshot.catalogue()).value();
    const EntranceGraph graph = EntranceGraph::build({snapshot, costs, Movement::kEightNoCornerCutting});
    HpaQuery query;
    const auto run_all = [&] {
        Rng rng(43);
        for (int i = 0; i < 60; ++i) {
            const Cell start = random_cell(rng, snapshot), goal = random_cell(rng, snapshot);
            if (!costs.passable(snapshot.at(start)) || !costs.passable(snapshot.at(goal))) continue;
            query.begin(graph, start, goal, i % 2 == 0);
            while (query.run(100) == Status::kBudgetSpent) {
            }
        }
    };
    run_all();
    run_all();  // smoothing buffers may not have reached their final size in the first run
    const uint64_t before = allocations();
    run_all();
    EXPECT_EQ(allocations(), before);
    EXPECT_GT(query.bytes(), 0u);
}

TEST(HpaQueryGolden, SamePathsEverywhere) {
    Rng rng(44);
    HpaQuery query;
    uint64_t h = 0;
    for (int i = 0; i < 60; ++i) {
        const RandomWorld world = random_world(rng, 90);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid);
        const Cell goal = random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start)) || !world.costs.passable(grid.at(goal))) continue;
        const EntranceGraph graph = EntranceGraph::build({grid, world.costs, world.movement}, {kHpaSectors[i % 4]});
        h = hash_of(solve_hpa(query, graph, start, goal, i % 3 == 0), h);
    }
    EXPECT_EQ(h, 0x46cb8c994c455370u);
}

}  // namespace
}  // namespace terrane::test
