#include "terrane/grid_search/grid_search.h"

#include <gtest/gtest.h>

#include "support/scene.h"

namespace terrane::test {
namespace {

TEST(AStar, DiagonalNeverCutsACorner) {
    const Scene s = scene(R"(S#
                             .G)");
    EXPECT_EQ(solve("astar", s).cost, kStraight * 200 * 2);
    EXPECT_EQ(solve("astar", s, Movement::kEightCutCorners).cost, kDiagonal * 200);
    EXPECT_EQ(solve("astar", s, Movement::kFour).cost, kStraight * 200 * 2);
}

TEST(AStar, NeverSqueezesBetweenTwoObstacles) {
    const Scene s = scene(R"(S#
                             #G)");
    EXPECT_EQ(solve("astar", s).status, Status::kUnreachable);
    EXPECT_EQ(solve("astar", s, Movement::kFour).status, Status::kUnreachable);
    EXPECT_EQ(solve("astar", s, Movement::kEightCutCorners).status, Status::kFound);
}

TEST(AStar, TakesTheLongerCheaperPath) {
    const Scene s = scene(R"(S999G
                             1...1
                             11111)");
    const Path path = solve("astar", s);
    EXPECT_EQ(path.cost, (2 * kDiagonal + 2 * kStraight) * 200);
    EXPECT_EQ(path.cells, (std::vector<Cell>{{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 0}}));
}

TEST(AStar, HalfOfEachStepIsPaidAtEachTerrain) {
    EXPECT_EQ(solve("astar", scene("S35G")).cost, kStraight * (100 + 300 + 300 + 500 + 500 + 100));
}

TEST(AStar, SameStartAndGoalIsAPathOfOneCell) {
    const Scene s = scene("S..");
    const Path path = find_path(s.grid.snapshot(), {0, 0}, {0, 0}, s.profile).value();
    EXPECT_EQ(path.status, Status::kFound);
    EXPECT_EQ(path.cells, std::vector<Cell>{(Cell{0, 0})});
    EXPECT_EQ(path.cost, 0u);
    EXPECT_EQ(path.expansions, 0u);
}

TEST(AStar, ReportsWhyThereIsNoPath) {
    const Scene s = scene(R"(.#.
                             .#.)");
    const GridSnapshot grid = s.grid.snapshot();
    const auto status = [&](Cell a, Cell b) { return find_path(grid, a, b, s.profile).value().status; };
    EXPECT_EQ(status({0, 0}, {2, 1}), Status::kUnreachable);
    EXPECT_EQ(status({1, 0}, {2, 1}), Status::kBlockedStart);
    EXPECT_EQ(status({0, 0}, {1, 1}), Status::kBlockedGoal);
    EXPECT_EQ(status({1, 1}, {1, 1}), Status::kBlockedStart);
    EXPECT_EQ(status({-1, 0}, {0, 0}), Status::kOutsideMap);
    EXPECT_EQ(status({0, 0}, {0, 2}), Status::kOutsideMap);
    EXPECT_TRUE(find_path(grid, {0, 0}, {2, 1}, s.profile).value().cells.empty());
}

TEST(AStar, EmptyWorldAndOneCell) {
    EXPECT_EQ(find_path(GridSnapshot(), {0, 0}, {0, 0}, Profile()).value().status, Status::kOutsideMap);
    const TerrainGrid one(1, 1, 6);
    EXPECT_EQ(find_path(one.snapshot(), {0, 0}, {0, 0}, Profile()).value().status, Status::kFound);
    EXPECT_EQ(find_path(one.snapshot(), {0, 0}, {0, 0}, Profile().otherwise_blocked()).value().status, Status::kBlockedStart);
}

TEST(AStar, ProfileThatDoesNotFitTheMapIsAnError) {
    const TerrainGrid grid(4, 4, 6);
    EXPECT_EQ(find_path(grid.snapshot(), {0, 0}, {1, 1}, Profile().cost("cheese", 1)).error().code, ErrorCode::kUnknownName);
}

TEST(GridSearch, BudgetIsCountedInExpansions) {
    const TerrainGrid grid(100, 100, 6);
    SearchOptions options;
    options.method = find_method("dijkstra").value();
    options.max_expansions = 10;
    const Path path = find_path(grid.snapshot(), {0, 0}, {99, 99}, Profile(), options).value();
    EXPECT_EQ(path.status, Status::kBudgetSpent);
    EXPECT_EQ(path.expansions, 10u);
    EXPECT_TRUE(path.cells.empty());
}

TEST(GridSearch, BeforeItBeganThereIsNothing) {
    GridSearch search;
    Path path;
    search.path(path);
    EXPECT_EQ(path.status, Status::kOutsideMap);
    EXPECT_EQ(search.run(), Status::kOutsideMap);
    EXPECT_EQ(search.cost_to({0, 0}), kInfiniteCost);
    search.costs({});
}

TEST(GridSearch, WithoutAFloodNoCellHasACost) {
    const TerrainGrid grid(3, 2, 6);
    const CostTable costs = Profile().blocked("lava").compile(grid.snapshot().catalogue()).value();
    GridSearch search;
    search.begin_flood({grid.snapshot(), costs, Movement::kFour}, {3, 0});  // off the map
    std::vector<Cost> out(8, 77);
    search.costs(out);
    EXPECT_EQ(out, (std::vector<Cost>{kInfiniteCost, kInfiniteCost, kInfiniteCost, kInfiniteCost, kInfiniteCost, kInfiniteCost, 77, 77}));
    search.begin_flood({grid.snapshot(), costs, Movement::kFour}, {1, 0});
    ASSERT_EQ(search.run(), Status::kFound);
    search.costs(out);
    const Cost u = kCostPerUnit;
    EXPECT_EQ(out, (std::vector<Cost>{u, 0, u, 2 * u, u, 2 * u, 77, 77}));
}

TEST(GridSearch, HoldsItsSnapshotWhileTheMapIsEdited) {
    TerrainGrid grid(60, 60, 6);
    GridSearch search;
    const CostTable costs = Profile().blocked("lava").compile(grid.snapshot().catalogue()).value();
    search.begin({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {0, 30}, {59, 30});
    EXPECT_EQ(search.run(5), Status::kBudgetSpent);
    ASSERT_TRUE(grid.fill({{30, 0}, {1, 60}}, "lava"));
    EXPECT_EQ(search.run(), Status::kFound);  // the snapshot of the search has no lava
    EXPECT_EQ(find_path(grid.snapshot(), {0, 30}, {59, 30}, Profile().blocked("lava")).value().status, Status::kUnreachable);
}

TEST(GridSearch, FloodFindsTheCostOfEverythingWithinACost) {
    Rng rng(17);
    for (int i = 0; i < 40; ++i) {
        const RandomWorld world = random_world(rng, 50);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start))) continue;
        const auto truth = oracle::distances(to_oracle(grid, world.costs), start.x, start.y, to_oracle(world.movement));
        SearchOptions options;
        const Cost limit = rng.chance(1, 2) ? kInfiniteCost : rng.below(60 * kCostPerUnit);
        GridSearch search;
        search.begin_flood({grid, world.costs, world.movement}, start, limit, options);
        ASSERT_EQ(search.run(), Status::kFound);
        Path path;
        std::vector<Cost> costs(truth.size() - rng.below(2) * truth.size() / 3, 77);  // all cells, or a part of them
        search.costs(costs);
        for (int32_t y = 0; y < grid.height(); ++y) {
            for (int32_t x = 0; x < grid.width(); ++x) {
                const auto cell = static_cast<size_t>(y * grid.width() + x);
                const double want = truth[cell];
                const Cost have = search.cost_to({x, y});
                if (cell < costs.size()) {
                    ASSERT_EQ(costs[cell], have);
                }
                if (have == kInfiniteCost) {
                    ASSERT_TRUE(want == oracle::kFar || want > to_real(limit) * (1 - 1e-6)) << want;
                } else {
                    ASSERT_NEAR(to_real(have), want, want * 1e-6);
                    ASSERT_LE(have, limit);
                }
            }
        }
        const Cell to = random_cell(rng, grid);
        search.path_to(to, path);
        ASSERT_EQ(path.status == Status::kFound, search.cost_to(to) != kInfiniteCost);
        if (path) {
            ASSERT_EQ(path_cost({grid, world.costs, world.movement}, path.cells), search.cost_to(to));
        }
    }
}

TEST(GridSearch, TableHeuristicsGiveTheSameCostAndAreRefusedWhenStale) {
    Rng rng(41);
    GridSearch search;
    for (int i = 0; i < 60; ++i) {
        RandomWorld world = random_world(rng, 50);
        const GridSnapshot grid = world.grid.snapshot();
        const auto landmarks = DifferentialHeuristic::build({grid, world.costs, world.movement}, {3, 1});
        const auto fastmap = FastMapHeuristic::build({grid, world.costs, world.movement}, {3});
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        for (const char* method : {"astar", "nbs", "wastar:2", "focal:1.5"}) {
            SearchOptions options;
            options.method = find_method(method).value();
            Path path[3];
            for (int h = 0; h < 3; ++h) {
                options.landmarks = h == 1 ? &landmarks : nullptr;
                options.fastmap = h == 2 ? &fastmap : nullptr;
                search.begin({grid, world.costs, world.movement}, start, goal, options);
                search.run();
                search.path(path[h]);
                ASSERT_EQ(path[h].status, path[0].status) << method;
                const double bound = guarantee(options.method);
                if (bound == 1) {
                    ASSERT_EQ(path[h].cost, path[0].cost) << method;
                }
            }
        }
        const EditResult edit = world.grid.set({0, 0}, grid.at(Cell{0, 0}) == 0 ? Terrain{1} : Terrain{0});
        SearchOptions stale;
        stale.landmarks = &landmarks;
        search.begin({edit.after, world.costs, world.movement}, start, goal, stale);
        const bool passable = world.costs.passable(edit.after.at(start)) && world.costs.passable(edit.after.at(goal));
        ASSERT_EQ(search.run(), passable ? Status::kStale : search.status());
        ASSERT_NE(search.status(), Status::kFound);
        const auto updated = landmarks.updated(edit);
        ASSERT_TRUE(updated);
        stale.landmarks = &*updated;
        search.begin({edit.after, world.costs, world.movement}, start, goal, stale);
        ASSERT_NE(search.run(), Status::kStale);
    }
}

struct Counter : SearchWatcher {
    uint64_t expansions = 0, improvements = 0;
    Cost last = 0;
    void expanded(Cell, Cost g) override { ++expansions, last = g; }
    void improved(Cell, Cell, Cost) override { ++improvements; }
};

TEST(GridSearch, AWatcherChangesNothing) {
    Rng rng(23);
    for (int i = 0; i < 20; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        SearchOptions options;
        GridSearch search;
        Path plain, watched;
        search.begin({grid, world.costs, world.movement}, start, goal, options);
        search.run();
        search.path(plain);
        Counter counter;
        options.watcher = &counter;
        search.begin({grid, world.costs, world.movement}, start, goal, options);
        search.run();
        search.path(watched);
        EXPECT_EQ(hash_of(plain), hash_of(watched));
        EXPECT_EQ(counter.expansions, plain.expansions);
    }
}

// At the limit between label widths: worlds whose most expensive path just fits 32 bits, and worlds whose path does not.
TEST(GridSearch, CostsAreRightOnBothSidesOf32Bits) {
    for (const uint32_t cost : {7609u, 7610u, 7611u, 7612u, 15220u, 15221u, 65000u}) {
        const TerrainGrid grid(201, 1, 6);                                      // 2 * 1393 * 201 * 7669 is about 2^32
        const Profile profile = Profile().rule("trees", cost).rule("road", 1);  // the road keeps the divisor at 1
        const Path path = find_path(grid.snapshot(), {0, 0}, {200, 0}, profile).value();
        EXPECT_EQ(path.cost, uint64_t{200} * kStraight * 2 * cost);
        EXPECT_EQ(path.cells.size(), 201u);
    }
}

TEST(GridSearch, PathsCostlierThan32BitsHold) {
    TerrainGrid grid(100, 101, 6);  // a snake: 100 cells wide, every other row a wall with one opening
    const Catalogue& c = Catalogue::standard();
    for (int32_t y = 1; y < 101; y += 2) {
        grid.fill({{0, y}, {100, 1}}, *c.find("lava"));
        grid.set({y % 4 == 1 ? 99 : 0, y}, *c.find("trees"));
    }
    const Profile profile = Profile().rule("trees", 65000).rule("road", 1).blocked("lava");
    const Path path = find_path(grid.snapshot(), {0, 0}, {99, 100}, profile).value();
    ASSERT_EQ(path.status, Status::kFound);
    EXPECT_GT(path.cost, uint64_t{1} << 32);
    EXPECT_EQ(path.cost, path_cost({grid.snapshot(), profile.compile(c).value(), Movement::kEightNoCornerCutting}, path.cells));
}

}  // namespace
}  // namespace terrane::test
