// Searches with many goals: nearest of several, nearest of a terrain, costs to many, all cells within a cost.
#include <gtest/gtest.h>

#include "support/scene.h"

namespace terrane::test {
namespace {

struct Asked {
    RandomWorld world;
    GridSnapshot grid;
    Cell start;
    std::vector<double> truth;
    SearchOptions options;

    double cost(Cell c) const { return grid.layout().contains(c) ? truth[static_cast<size_t>(c.y * grid.width() + c.x)] : oracle::kFar; }
};

Asked random_question(Rng& rng) {
    Asked a{random_world(rng, 40), {}, {}, {}, {}};
    a.grid = a.world.grid.snapshot();
    a.start = random_cell(rng, a.grid);
    a.truth = oracle::distances(to_oracle(a.grid, a.world.costs), a.start.x, a.start.y, to_oracle(a.world.movement));
    return a;
}

std::vector<Cell> random_goals(Rng& rng, const GridSnapshot& grid) {
    std::vector<Cell> goals(1 + rng.below(8));
    for (Cell& c : goals) c = {rng.between(-2, grid.width() + 1), rng.between(-2, grid.height() + 1)};
    return goals;
}

TEST(Nearest, OfSeveralCellsIsTheCheapestToReach) {
    Rng rng(31);
    GridSearch search;
    Path path;
    for (int i = 0; i < 200; ++i) {
        const Asked a = random_question(rng);
        const auto goals = random_goals(rng, a.grid);
        double best = oracle::kFar;
        for (const Cell c : goals) best = std::min(best, a.cost(c));
        search.begin_nearest({a.grid, a.world.costs, a.world.movement}, a.start, goals, a.options);
        while (search.run(20) == Status::kBudgetSpent) {
        }
        search.path(path);
        ASSERT_EQ(path.status == Status::kFound, best != oracle::kFar) << to_string(path.status);
        if (!path) continue;
        ASSERT_NEAR(to_real(path.cost), best, best * 1e-6);
        ASSERT_NE(std::find(goals.begin(), goals.end(), path.cells.back()), goals.end());
        ASSERT_EQ(path.cost, path_cost({a.grid, a.world.costs, a.world.movement}, path.cells));
    }
}

TEST(Nearest, CellOfATerrain) {
    Rng rng(32);
    for (int i = 0; i < 200; ++i) {
        const Asked a = random_question(rng);
        const auto terrain = static_cast<Terrain>(rng.below(9));
        double best = oracle::kFar;
        const auto cells = a.grid.cells();
        for (size_t c = 0; c < cells.size(); ++c) best = cells[c] == terrain ? std::min(best, a.truth[c]) : best;
        GridSearch search;
        search.begin_nearest({a.grid, a.world.costs, a.world.movement}, a.start, terrain, a.options);
        search.run();
        Path path;
        search.path(path);
        ASSERT_EQ(path.status == Status::kFound, best != oracle::kFar);
        if (!path) continue;
        ASSERT_NEAR(to_real(path.cost), best, best * 1e-6);
        ASSERT_EQ(a.grid.at(path.cells.back()), terrain);
    }
}

TEST(Nearest, ReportsWhyThereIsNone) {
    const Scene s = scene(R"(..#.
                             ..#.)");
    const GridSnapshot grid = s.grid.snapshot();
    const auto status = [&](std::vector<Cell> goals) { return find_nearest(grid, {0, 0}, goals, s.profile).value().status; };
    EXPECT_EQ(status({}), Status::kOutsideMap);
    EXPECT_EQ(status({{-1, 0}, {9, 9}}), Status::kOutsideMap);
    EXPECT_EQ(status({{2, 0}}), Status::kBlockedGoal);
    EXPECT_EQ(status({{3, 0}}), Status::kUnreachable);
    EXPECT_EQ(status({{3, 0}, {0, 0}}), Status::kFound);
    EXPECT_EQ(find_nearest(grid, {2, 0}, std::vector<Cell>{{0, 0}}, s.profile).value().status, Status::kBlockedStart);
    EXPECT_EQ(find_nearest(grid, {0, 0}, "wall", s.profile).value().status, Status::kBlockedGoal);
    EXPECT_EQ(find_nearest(grid, {0, 0}, "cost_9", s.profile).value().status, Status::kUnreachable);
    EXPECT_EQ(find_nearest(grid, {0, 0}, "cheese", s.profile).error().code, ErrorCode::kUnknownName);
    EXPECT_EQ(find_nearest(grid, {1, 1}, "cost_1", s.profile).value().cells.size(), 1u);
}

TEST(Many, CostsAreThoseOfEachGoalAlone) {
    Rng rng(33);
    GridSearch search;
    Path path;
    for (int i = 0; i < 150; ++i) {
        const Asked a = random_question(rng);
        const auto goals = random_goals(rng, a.grid);
        search.begin_many({a.grid, a.world.costs, a.world.movement}, a.start, goals, a.options);
        while (search.run(15) == Status::kBudgetSpent) {
        }
        if (!a.world.costs.passable(a.grid.at(a.start))) {
            ASSERT_EQ(search.status(), Status::kBlockedStart);
            continue;
        }
        for (const Cell goal : goals) {
            ASSERT_EQ(search.cost_to(goal) == kInfiniteCost, a.cost(goal) == oracle::kFar);
            search.path_to(goal, path);
            if (!path) continue;
            ASSERT_NEAR(to_real(path.cost), a.cost(goal), a.cost(goal) * 1e-6);
            ASSERT_EQ(path.cost, path_cost({a.grid, a.world.costs, a.world.movement}, path.cells));
        }
    }
}

TEST(Many, AGoalThatIsBlockedOrOffTheMapIsNotFound) {
    const Scene s = scene(R"(...#
                             .S.#
                             ####)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    GridSearch search;
    const auto status = [&](const std::vector<Cell>& goals) {
        search.begin_many({grid, costs, Movement::kEightNoCornerCutting}, s.start, goals);
        return search.run();
    };
    const auto status_of = [&](Cell goal) {
        Path path;
        search.path_to(goal, path);
        return path.status;
    };
    EXPECT_EQ(status({{0, 0}, {2, 0}, {0, 0}}), Status::kFound);
    EXPECT_EQ(status({{0, 0}, {9, 9}, {3, 0}, {2, 0}}), Status::kUnreachable);
    EXPECT_EQ(status_of({0, 0}), Status::kFound);
    EXPECT_EQ(status_of({2, 0}), Status::kFound);
    EXPECT_EQ(status_of({9, 9}), Status::kOutsideMap);
    EXPECT_EQ(status_of({3, 0}), Status::kBlockedGoal);
    EXPECT_EQ(status({{9, 9}}), Status::kOutsideMap);
    EXPECT_EQ(status({{3, 0}, {9, 9}}), Status::kBlockedGoal);
}

TEST(GridSearchDeathTest, RefusesMethodsOfAPlanner) {
    const TerrainGrid grid(8, 8, Terrain{6});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    GridSearch search;
    SearchOptions options;
    options.method = find_method("dta:16").value();
    EXPECT_DEATH(search.begin({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {0, 0}, {1, 1}, options),
                 "contract broken: searches_cells");
}

TEST(Many, StopsWhenTheLastIsReached) {
    const TerrainGrid grid(300, 300, 6);
    GridSearch search;
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    const std::vector<Cell> goals{{150, 150}, {153, 150}, {150, 150}};
    search.begin_many({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {151, 151}, goals);
    EXPECT_EQ(search.run(), Status::kFound);
    EXPECT_LT(search.expansions(), 60u);
}

TEST(Within, EverythingNearestFirst) {
    const Scene s = scene(R"(...#.
                             .S.#.
                             ...#.)");
    const auto cells = find_within(s.grid.snapshot(), s.start, kStraight * 200, s.profile).value();
    ASSERT_EQ(cells.size(), 5u);
    EXPECT_EQ(cells[0], (ReachedCell{{1, 1}, 0}));
    EXPECT_EQ(cells[1], (ReachedCell{{1, 0}, kStraight * 200}));
    EXPECT_EQ(find_within(s.grid.snapshot(), s.start, kInfiniteCost, s.profile).value().size(), 9u);
    EXPECT_EQ(find_within(s.grid.snapshot(), {3, 0}, kInfiniteCost, s.profile).value().size(), 0u);
    EXPECT_EQ(find_within(s.grid.snapshot(), {30, 0}, kInfiniteCost, s.profile).value().size(), 0u);
}

TEST(Costs, InTheOrderOfTheGoals) {
    const Scene s = scene("S.3#.");
    const auto costs = find_costs(s.grid.snapshot(), s.start, std::vector<Cell>{{2, 0}, {4, 0}, {0, 0}, {3, 0}, {1, 0}}, s.profile).value();
    EXPECT_EQ(costs, (std::vector<Cost>{kStraight * 600, kInfiniteCost, 0, kInfiniteCost, kStraight * 200}));
}

}  // namespace
}  // namespace terrane::test
