// Questions about a path: shares, areas, obstacles.
#include "terrane/world/explain.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "support/scene.h"

namespace terrane::test {
namespace {

CostTable costs_of(const Scene& s) { return s.profile.compile(s.grid.snapshot().catalogue()).value(); }

Cost sum_of(const std::vector<TerrainShare>& shares) {
    Cost sum = 0;
    for (const TerrainShare& s : shares) sum += s.cost;
    return sum;
}

TEST(PathShares, HalfOfEachStepBelongsToEachCell) {
    const Scene s = scene("S55G");
    const std::vector<Cell> cells = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
    const auto shares = path_shares(s.grid.snapshot(), costs_of(s), cells);
    ASSERT_EQ(shares.size(), 2u);
    EXPECT_EQ(shares[0], (TerrainShare{5, 2, Cost{kStraight} * 500 * 4}));
    EXPECT_EQ(shares[1], (TerrainShare{1, 2, Cost{kStraight} * 100 * 2}));
}

TEST(PathShares, DiagonalsCostMore) {
    const Scene s = scene(R"(S1
                             13)");
    const auto shares = path_shares(s.grid.snapshot(), costs_of(s), std::vector<Cell>{{0, 0}, {1, 1}});
    ASSERT_EQ(shares.size(), 2u);
    EXPECT_EQ(shares[0].cost, Cost{kDiagonal} * 300);
    EXPECT_EQ(shares[1].cost, Cost{kDiagonal} * 100);
}

TEST(PathShares, OneCellCostsNothing) {
    const Scene s = scene("S3");
    EXPECT_EQ(path_shares(s.grid.snapshot(), costs_of(s), std::vector<Cell>{{1, 0}}), (std::vector<TerrainShare>{{3, 1, 0}}));
}

TEST(PathShares, NoneForNoPath) {
    const Scene s = scene("S3#1");
    const auto shares = [&](std::vector<Cell> cells) { return path_shares(s.grid.snapshot(), costs_of(s), cells); };
    EXPECT_TRUE(shares({}).empty());
    EXPECT_TRUE(shares({{1, 0}, {2, 0}}).empty());
    EXPECT_TRUE(shares({{1, 0}, {3, 0}}).empty());
    EXPECT_TRUE(shares({{-1, 0}}).empty());
    EXPECT_TRUE(shares({{0, 0}, {2'000'000'000, 0}}).empty());
}

TEST(PathShares, SumIsThePathsCost) {
    Rng rng(1101);
    GridSearch search;
    Path path;
    int found = 0;
    for (int i = 0; i < 200; ++i) {
        const RandomWorld w = random_world(rng);
        const GridSnapshot grid = w.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        SearchOptions options;
        search.begin({grid, w.costs, w.movement}, start, goal, options);
        search.run();
        search.path(path);
        const auto shares = path_shares(grid, w.costs, path.cells);
        ASSERT_EQ(sum_of(shares), path.cost);
        size_t cells = 0;
        for (const TerrainShare& s : shares) cells += s.cells;
        ASSERT_EQ(cells, path.cells.size());
        ASSERT_TRUE(std::ranges::is_sorted(shares, std::ranges::greater{}, &TerrainShare::cost));
        found += path ? 1 : 0;
    }
    EXPECT_GT(found, 50);
}

Path through(const Scene& s, const Rect& area, Movement movement = Movement::kEightNoCornerCutting) {
    return find_through({s.grid.snapshot(), costs_of(s), movement}, s.start, s.goal, area);
}

TEST(FindThrough, GoesThereAndOn) {
    const Scene s = scene(R"(S..G
                             #99#)");
    const Path path = through(s, {{1, 1}, {2, 1}}, Movement::kFour);
    ASSERT_EQ(path.status, Status::kFound);
    EXPECT_EQ(path.cost, Cost{kStraight} * (200 + 1000 + 1000 + 200 + 200));
    EXPECT_EQ(path.cells, (std::vector<Cell>{{0, 0}, {1, 0}, {1, 1}, {1, 0}, {2, 0}, {3, 0}}));  // there, and back by the same cells
    EXPECT_EQ(path.bound, 1);
}

TEST(FindThrough, AnAreaOnThePathChangesNothing) {
    const Scene s = scene("S..G");
    EXPECT_EQ(through(s, {{2, 0}, {1, 1}}).cost, solve("astar", s).cost);
    EXPECT_EQ(through(s, {{0, 0}, {1, 1}}).cost, solve("astar", s).cost);
    EXPECT_EQ(through(s, {{-1'000'000'000, -5}, {2'000'000'000, 14}}).cost, solve("astar", s).cost);
}

TEST(FindThrough, SameStartAndGoal) {
    const Scene s = scene("..S...");
    const Path there = find_through({s.grid.snapshot(), costs_of(s), Movement::kEightNoCornerCutting}, s.start, s.start, {{4, 0}, {2, 1}});
    EXPECT_EQ(there.cells, (std::vector<Cell>{{2, 0}, {3, 0}, {4, 0}, {3, 0}, {2, 0}}));
    const Path here = find_through({s.grid.snapshot(), costs_of(s), Movement::kEightNoCornerCutting}, s.start, s.start, {{0, 0}, {6, 1}});
    EXPECT_EQ(here.cells, (std::vector<Cell>{{2, 0}}));
    EXPECT_EQ(here.cost, 0u);
}

TEST(FindThrough, ReportsWhyNot) {
    const Scene s = scene("S.G#.");
    const CostTable costs = costs_of(s);
    const GridSnapshot grid = s.grid.snapshot();
    const auto status = [&](Cell start, Cell goal, Rect area) {
        const Path path = find_through({grid, costs, Movement::kEightNoCornerCutting}, start, goal, area);
        EXPECT_TRUE(path.cells.empty());
        EXPECT_EQ(path.cost, 0u);
        return path.status;
    };
    const Rect all{{0, 0}, {5, 1}};
    EXPECT_EQ(status({0, 0}, {2, 0}, {{3, 0}, {1, 1}}), Status::kUnreachable);  // blocked
    EXPECT_EQ(status({0, 0}, {2, 0}, {{4, 0}, {1, 1}}), Status::kUnreachable);  // behind it
    EXPECT_EQ(status({0, 0}, {2, 0}, {{7, 7}, {2, 2}}), Status::kUnreachable);  // off the map
    EXPECT_EQ(status({0, 0}, {2, 0}, {{1, 0}, {0, 1}}), Status::kUnreachable);  // empty
    EXPECT_EQ(status({0, 0}, {4, 0}, all), Status::kUnreachable);
    EXPECT_EQ(status({3, 0}, {2, 0}, all), Status::kBlockedStart);
    EXPECT_EQ(status({0, 0}, {3, 0}, all), Status::kBlockedGoal);
    EXPECT_EQ(status({0, 1}, {2, 0}, all), Status::kOutsideMap);
    EXPECT_EQ(find_through({{}, costs, Movement::kEightNoCornerCutting}, {0, 0}, {0, 0}, all).status, Status::kOutsideMap);
}

Rect random_area(Rng& rng, const GridSnapshot& grid) {
    const int32_t left = rng.between(-3, grid.width()), top = rng.between(-3, grid.height());
    const int32_t width = rng.between(0, 8), height = rng.between(0, 8);
    return {{left, top}, {width, height}};
}

double cheapest_through(const RandomWorld& w, Cell start, Cell goal, const Rect& area) {
    const GridSnapshot grid = w.grid.snapshot();
    const oracle::Map map = to_oracle(grid, w.costs);
    const auto there = oracle::distances(map, start.x, start.y, to_oracle(w.movement));
    const auto back = oracle::distances(map, goal.x, goal.y, to_oracle(w.movement));
    double best = oracle::kFar;
    for (size_t i = 0; i < there.size(); ++i) {
        const auto at = static_cast<int32_t>(i);
        if (area.contains({at % grid.width(), at / grid.width()})) best = std::min(best, there[i] + back[i]);
    }
    return best;
}

TEST(FindThrough, IsTheCheapestOfAllThatEnter) {
    Rng rng(1102);
    int found = 0;
    for (int i = 0; i < 300; ++i) {
        const RandomWorld w = random_world(rng, 40);
        const GridSnapshot grid = w.grid.snapshot();
        const Cell start = random_cell(rng, grid);
        const Cell goal = random_cell(rng, grid);
        const Rect area = random_area(rng, grid);
        const Path path = find_through({grid, w.costs, w.movement}, start, goal, area);
        const double best = cheapest_through(w, start, goal, area);
        ASSERT_EQ(path.status == Status::kFound, best != oracle::kFar) << to_string(path.status);
        if (!path) continue;
        ++found;
        ASSERT_NEAR(to_real(path.cost), best, best * 1e-6);
        ASSERT_EQ(path.cost, path_cost({grid, w.costs, w.movement}, path.cells));
        ASSERT_EQ(path.cells.front(), start);
        ASSERT_EQ(path.cells.back(), goal);
        ASSERT_TRUE(std::ranges::any_of(path.cells, [&](Cell c) { return area.contains(c); }));
    }
    EXPECT_GT(found, 50);
}

Obstacle obstacle(const Scene& s, Movement movement = Movement::kEightNoCornerCutting) {
    return find_obstacle({s.grid.snapshot(), costs_of(s), movement}, s.start, s.goal);
}

TEST(FindObstacle, TakesTheThinnestObstacle) {
    const Obstacle found = obstacle(scene(R"(S.##.
                                             ..##G
                                             ..#..)"));
    EXPECT_EQ(found.status, Status::kUnreachable);
    EXPECT_EQ(found.reached, 6u);
    EXPECT_EQ(found.blocked, 1u);
    EXPECT_EQ(found.first, (Cell{2, 2}));
    EXPECT_EQ(found.terrain, 0);
    EXPECT_EQ(found.path.status, Status::kPartial);
    EXPECT_EQ(found.path.cells.front(), (Cell{0, 0}));
    EXPECT_EQ(found.path.cells.back(), (Cell{4, 1}));
    EXPECT_EQ(found.path.cost, 0u);
}

TEST(FindObstacle, ACornerBlocksUnlessItMayBeCut) {
    const Scene s = scene(R"(S#
                             #G)");
    EXPECT_EQ(obstacle(s).blocked, 1u);
    EXPECT_EQ(obstacle(s, Movement::kFour).blocked, 1u);
    EXPECT_EQ(obstacle(s, Movement::kEightCutCorners).status, Status::kFound);
}

TEST(FindObstacle, WithoutObstaclesItIsTheCheapestPath) {
    const Scene s = scene(R"(S99G
                             ...#)");
    const Obstacle found = obstacle(s);
    EXPECT_EQ(found.status, Status::kFound);
    EXPECT_EQ(found.reached, 7u);
    EXPECT_EQ(found.blocked, 0u);
    EXPECT_EQ(found.terrain, kOutside);
    EXPECT_EQ(found.path.status, Status::kFound);
    EXPECT_EQ(found.path.cost, solve("astar", s).cost);
}

TEST(FindObstacle, BlockedEndsCount) {
    const Scene s = scene("S.#.#");
    const CostTable costs = costs_of(s);
    const GridSnapshot grid = s.grid.snapshot();
    const Obstacle goal = find_obstacle({grid, costs, Movement::kEightNoCornerCutting}, {0, 0}, {4, 0});
    EXPECT_EQ(goal.status, Status::kBlockedGoal);
    EXPECT_EQ(goal.blocked, 2u);
    EXPECT_EQ(goal.reached, 2u);
    const Obstacle start = find_obstacle({grid, costs, Movement::kEightNoCornerCutting}, {2, 0}, {3, 0});
    EXPECT_EQ(start.status, Status::kBlockedStart);
    EXPECT_EQ(start.blocked, 1u);
    EXPECT_EQ(start.reached, 0u);
    EXPECT_EQ(start.first, (Cell{2, 0}));
    const Obstacle both = find_obstacle({grid, costs, Movement::kEightNoCornerCutting}, {4, 0}, {4, 0});
    EXPECT_EQ(both.status, Status::kBlockedStart);
    EXPECT_EQ(both.blocked, 1u);
    EXPECT_EQ(both.path.cells.size(), 1u);
}

TEST(FindObstacle, SameStartAndGoalAndOutside) {
    const Scene s = scene("S");
    const CostTable costs = costs_of(s);
    const Obstacle here = find_obstacle({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {0, 0}, {0, 0});
    EXPECT_EQ(here.status, Status::kFound);
    EXPECT_EQ(here.reached, 1u);
    EXPECT_EQ(here.path.cells.size(), 1u);
    for (const Cell outside : {Cell{1, 0}, Cell{-1, 0}, Cell{0, 2'000'000'000}}) {
        const Obstacle off = find_obstacle({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {0, 0}, outside);
        EXPECT_EQ(off.status, Status::kOutsideMap);
        EXPECT_EQ(off.path.status, Status::kOutsideMap);
        EXPECT_TRUE(off.path.cells.empty());
    }
    EXPECT_EQ(find_obstacle({{}, costs, Movement::kEightNoCornerCutting}, {0, 0}, {0, 0}).status, Status::kOutsideMap);
}

bool connected(const oracle::Map& map, Cell start, Cell goal, Movement movement) {
    const auto far = oracle::distances(map, start.x, start.y, to_oracle(movement));
    return far[static_cast<size_t>(goal.y * map.width + goal.x)] != oracle::kFar;
}

// By brute force over all sets of blocked cells.
uint32_t fewest_to_open(const oracle::Map& map, Cell start, Cell goal, Movement movement) {
    std::vector<size_t> blocked;
    for (size_t i = 0; i < map.cost.size(); ++i) {
        if (map.cost[i] < 0) blocked.push_back(i);
    }
    auto best = static_cast<uint32_t>(blocked.size());
    for (uint32_t set = 0; set < 1u << blocked.size(); ++set) {
        if (static_cast<uint32_t>(std::popcount(set)) >= best) continue;
        oracle::Map opened = map;
        for (size_t i = 0; i < blocked.size(); ++i) {
            if ((set >> i & 1) != 0) opened.cost[blocked[i]] = 1;
        }
        if (connected(opened, start, goal, movement)) best = static_cast<uint32_t>(std::popcount(set));
    }
    return best;
}

// At most eleven blocked cells.
TerrainGrid tiny_grid(Rng& rng) {
    const int32_t width = rng.between(1, 5), height = rng.between(1, 4);
    std::vector<Terrain> cells(static_cast<size_t>(width * height), 1);
    for (uint32_t i = rng.below(12); i > 0; --i) cells[rng.below(static_cast<uint32_t>(cells.size()))] = 0;
    return {width, height, cells, digit_catalogue()};
}

TEST(FindObstacle, NoSmallerBlockedSetWouldDo) {
    Rng rng(1103);
    std::array<int, 12> seen{};
    const CostTable costs = digit_profile().compile(digit_catalogue()).value();
    for (int i = 0; i < 1000; ++i) {
        const TerrainGrid world = tiny_grid(rng);
        const GridSnapshot grid = world.snapshot();
        const auto movement = static_cast<Movement>(rng.below(3));
        const Cell start = random_cell(rng, grid);
        const Cell goal = random_cell(rng, grid);
        const oracle::Map map = to_oracle(grid, costs);
        const Obstacle found = find_obstacle({grid, costs, movement}, start, goal);
        ASSERT_EQ(found.blocked, fewest_to_open(map, start, goal, movement)) << i;
        ASSERT_EQ(found.status == Status::kFound, connected(map, start, goal, movement));
        ++seen[found.blocked];
    }
    EXPECT_GT(seen[0], 50);
    EXPECT_GT(seen[1], 50);
    EXPECT_GT(seen[2], 20);
    EXPECT_GT(seen[3], 5);
}

// Whether the path is legal once its blocked cells are passable.
bool legal_once_open(const RandomWorld& w, const std::vector<Cell>& path) {
    std::vector<Terrain> cells = w.grid.snapshot().cells();
    const int32_t width = w.grid.width();
    CostTable costs = w.costs;
    costs.cost[18] = 1;  // a terrain that random worlds do not have
    for (const Cell c : path) {
        Terrain& t = cells[static_cast<size_t>(c.y * width + c.x)];
        if (!w.costs.passable(t)) t = 18;
    }
    const TerrainGrid opened(width, w.grid.height(), cells);
    return path_cost({opened.snapshot(), costs, w.movement}, path) != kInfiniteCost;
}

TEST(FindObstacle, ThePathIsLegalExceptForItsBlockedCells) {
    Rng rng(1104);
    int walled = 0;
    for (int i = 0; i < 200; ++i) {
        const RandomWorld w = random_world(rng, 50);
        const GridSnapshot grid = w.grid.snapshot();
        const Cell start = random_cell(rng, grid);
        const Cell goal = random_cell(rng, grid);
        const Obstacle found = find_obstacle({grid, w.costs, w.movement}, start, goal);
        ASSERT_EQ(found.path.cells.front(), start);
        ASSERT_EQ(found.path.cells.back(), goal);
        ASSERT_TRUE(legal_once_open(w, found.path.cells));
        const auto blocked = [&](Cell c) { return !w.costs.passable(grid.at(c)); };
        ASSERT_EQ(std::ranges::count_if(found.path.cells, blocked), found.blocked);
        const auto far = oracle::distances(to_oracle(grid, w.costs), start.x, start.y, to_oracle(w.movement));
        ASSERT_EQ(static_cast<uint64_t>(std::ranges::count_if(far, [](double d) { return d != oracle::kFar; })), found.reached);
        if (found.blocked == 0) continue;
        ++walled;
        ASSERT_EQ(found.first, *std::ranges::find_if(found.path.cells, blocked));
        ASSERT_EQ(found.terrain, grid.at(found.first));
    }
    EXPECT_GT(walled, 50);
}

TEST(Explain, GoldenAnswers) {
    Rng rng(1105);
    uint64_t hash = 0;
    for (int i = 0; i < 100; ++i) {
        const RandomWorld w = random_world(rng, 60);
        const GridSnapshot grid = w.grid.snapshot();
        const Cell start = random_cell(rng, grid);
        const Cell goal = random_cell(rng, grid);
        const Path path = find_through({grid, w.costs, w.movement}, start, goal, random_area(rng, grid));
        hash = hash_of(path, hash);
        for (const TerrainShare& s : path_shares(grid, w.costs, path.cells)) hash = mix64(mix64(hash ^ s.cost) ^ s.cells);
        const Obstacle found = find_obstacle({grid, w.costs, w.movement}, start, goal);
        hash = mix64(hash_of(found.path, hash) ^ found.blocked);
    }
    EXPECT_EQ(hash, 15575894179819623414u);
}

}  // namespace
}  // namespace terrane::test
