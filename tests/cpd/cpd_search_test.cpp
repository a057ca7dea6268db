#include "terrane/cpd/cpd_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "changed_world.h"
#include "cpd/cpd_query.h"
#include "cpd/perturbation.h"

namespace terrane {
namespace {

using test::Change;
using test::ChangedOracle;

constexpr Weight kBounds[] = {{1, 1}, {11, 10}, {3, 2}};

struct Answer {
    Status status = Status::kUnreachable;
    std::vector<Cell> cells;
    uint64_t cost = 0, lower_bound = 0, expansions = 0, lookups = 0;
};

Answer answer_of(CpdSearch& search) {
    Answer answer{search.status(), {}, 0, 0, search.expansions(), search.lookups()};
    if (answer.status != Status::kFound) return answer;
    search.path(answer.cells);
    answer.cost = search.cost();
    answer.lower_bound = search.lower_bound();
    return answer;
}

Answer solve(CpdSearch& search, const PathDatabase& database, const Perturbation& perturbation, Cell start, Cell goal,
             const CpdSearchOptions& options) {
    search.begin(database, perturbation, start, goal, options);
    search.run();
    return answer_of(search);
}

// Returns what is wrong with an answer; empty if nothing.
std::string complaint(const Answer& answer, const ChangedOracle& oracle, uint64_t optimum, Cell start, Cell goal, Weight bound) {
    if (answer.status != Status::kFound) return optimum == ChangedOracle::kNone ? "" : std::string("status ") + to_string(answer.status);
    if (optimum == ChangedOracle::kNone) return "found where there is no path";
    if (answer.cost < optimum) return "cheaper than the optimum";
    if (answer.cost * bound.denominator > optimum * bound.numerator) return "beyond the bound";
    if (answer.lower_bound > optimum) return "lower bound above the optimum";
    if (answer.cost * bound.denominator > answer.lower_bound * bound.numerator) return "lower bound does not prove the bound";
    if (answer.cells.empty() || !(answer.cells.front() == start) || !(answer.cells.back() == goal)) return "wrong ends";
    uint64_t sum = 0;
    std::set<size_t> seen;
    for (size_t i = 0; i < answer.cells.size(); ++i) {
        if (!seen.insert(oracle.index(answer.cells[i])).second) return "a cell twice";
        if (i == 0) continue;
        const uint64_t step = oracle.step(answer.cells[i - 1], answer.cells[i]);
        if (step == ChangedOracle::kNone) return "an illegal step";
        sum += step;
    }
    return sum == answer.cost ? "" : "steps do not sum up to the cost";
}

// Checks every variant and bound on random changes of one kind.
void check_changes(Change kind, uint64_t seed) {
    Rng rng(seed);
    CpdSearch search;
    uint32_t found = 0, queries = 0;
    for (int32_t round = 0; round < 40; ++round) {
        TerrainGrid grid = test::changeable_world(rng, 30, rng.chance(1, 2));
        const auto movement = static_cast<Movement>(round % 3);
        const PathDatabase database = test::database_of(grid, movement);
        const GridSnapshot base = grid.snapshot();
        for (int32_t edit = 0; edit < 2; ++edit) {
            test::change(rng, grid, kind);
            const Perturbation perturbation(database, grid.snapshot());
            const bool strict = rng.chance(1, 2);
            const ChangedOracle oracle(base, {grid.snapshot(), database.ground().costs(), movement}, strict);
            for (int32_t query = 0; query < 5; ++query) {
                const Cell start = test::random_cell(rng, base), goal = test::random_cell(rng, base);
                const bool blocked = oracle.cost[oracle.index(start)] == 0 || oracle.cost[oracle.index(goal)] == 0;
                if (blocked) continue;
                const uint64_t optimum = oracle.distances(start)[oracle.index(goal)];
                for (const CpdVariant variant : test::kAllVariants) {
                    for (const Weight bound : kBounds) {
                        const Answer answer = solve(search, database, perturbation, start, goal, {variant, bound, strict});
                        ASSERT_EQ(complaint(answer, oracle, optimum, start, goal, bound), "")
                            << "round " << round << " edit " << edit << " query " << query << " variant " << static_cast<int>(variant)
                            << " bound " << bound.value() << " strict " << strict;
                        found += answer.status == Status::kFound ? 1 : 0;
                        ++queries;
                    }
                }
            }
        }
    }
    EXPECT_GT(found, queries / 2);
    EXPECT_GT(queries, 1000u);
}

TEST(CpdSearch, IsWithinItsBoundWhereCellsWereBlocked) { check_changes(Change::kHard, 1); }
TEST(CpdSearch, IsWithinItsBoundWhereCellsGotCostlier) { check_changes(Change::kSoft, 2); }
TEST(CpdSearch, IsWithinItsBoundWhereObstaclesWereRemoved) { check_changes(Change::kRemoval, 3); }
TEST(CpdSearch, IsWithinItsBoundWhereCellsGotCheaper) { check_changes(Change::kCheaper, 4); }
TEST(CpdSearch, IsWithinItsBoundAfterMixedChanges) { check_changes(Change::kMixed, 5); }

// A drawn map, before and after a change.
struct Changed {
    test::Scene base;
    PathDatabase database;
    Perturbation perturbation;

    Changed(std::string_view before, std::string_view after, Movement movement = Movement::kEightNoCornerCutting)
        : base(test::scene(before)),
          database(test::database_of(base.grid, movement)),
          perturbation(database, test::scene(after).grid.snapshot()) {}

    Answer solve(const CpdSearchOptions& options) const {
        CpdSearch search;
        return terrane::solve(search, database, perturbation, base.start, base.goal, options);
    }
};

TEST(CpdSearch, CutsCornersOfNewObstaclesUnlessStrict) {
    const Changed world(R"(S.
                           .G)",
                        R"(S#
                           .G)");
    for (const CpdVariant variant : test::kAllVariants) {
        EXPECT_EQ(world.solve({variant, {1, 1}, false}).cost, 2u * kDiagonal);
        EXPECT_EQ(world.solve({variant, {1, 1}, true}).cost, 4u * kStraight);
    }
}

TEST(CpdSearch, CutsNoCornersOfOldObstacles) {
    const Changed world(R"(S.#
                           ..G)",
                        R"(S##
                           ..G)");
    for (const CpdVariant variant : test::kAllVariants) EXPECT_EQ(world.solve({variant, {1, 1}, false}).cost, 2u * (kDiagonal + kStraight));
}

TEST(CpdSearch, GoesThroughUnblockedCells) {
    const Changed world(R"(S.#.G
                           ..#..
                           ..#..)",
                        R"(S...G
                           ..#..
                           ..#..)");
    for (const CpdVariant variant : test::kAllVariants) {
        const Answer answer = world.solve({variant, {1, 1}, true});
        ASSERT_EQ(answer.status, Status::kFound);
        EXPECT_EQ(answer.cost, 8u * kStraight);
        EXPECT_EQ(answer.lower_bound, answer.cost);
    }
}

TEST(CpdSearch, StepsOutOfAnUnblockedCell) {
    Changed world(R"(#....
                     .....
                     ....G)",
                  R"(.....
                     .....
                     ....G)");
    ASSERT_EQ(world.base.start, (Cell{0, 0}));  // blocked when the database was built
    for (const CpdVariant variant : test::kAllVariants) EXPECT_EQ(world.solve({variant, {1, 1}, false}).cost, 4u * (kDiagonal + kStraight));
}

// The paper's figures 4 to 9: a wall across an empty map.
const char* const kEmptyMap = R"(
    ..............................
    ..............................
    ..............................
    ..............................
    ..............................
    ..............................
    S............................G
    ..............................
    ..............................
    ..............................
    ..............................
    ..............................
    ..............................)";
const char* const kMapWithWall = R"(
    ..............................
    ..............................
    ..............................
    ..............................
    ......................#.......
    ......................#.......
    S.....................#......G
    ......................#.......
    ......................#.......
    ......................#.......
    ......................#.......
    ......................#.......
    ......................#.......)";

int64_t cells_along_the_wall(const Answer& answer) {
    return std::count_if(answer.cells.begin(), answer.cells.end(), [](Cell c) { return c.x == 21; });
}

TEST(CpdSearch, PullsStringsInsteadOfHuggingWalls) {
    const Changed world(kEmptyMap, kMapWithWall);
    const Answer hugging = world.solve({CpdVariant::kNoPull, {3, 2}, false});
    const Answer optimal = world.solve({CpdVariant::kEarly, {1, 1}, false});
    EXPECT_GE(cells_along_the_wall(hugging), 3);
    for (const CpdVariant variant : {CpdVariant::kFocal, CpdVariant::kBranching}) {
        const Answer pulled = world.solve({variant, {3, 2}, false});
        EXPECT_LE(cells_along_the_wall(pulled), 2);
        EXPECT_LT(pulled.cost, hugging.cost);
        EXPECT_EQ(pulled.cost, optimal.cost);
    }
}

TEST(CpdSearch, ExpandsTheStartAndItsSuccessorAtTheWall) {
    const Changed world(kEmptyMap, kMapWithWall);
    EXPECT_EQ(world.solve({CpdVariant::kBranching, {11, 10}, false}).expansions, 2u);
    EXPECT_LT(world.solve({CpdVariant::kNoPull, {11, 10}, false}).expansions, 40u);
    EXPECT_GT(world.solve({CpdVariant::kEarly, {11, 10}, false}).expansions, 40u);
}

TEST(CpdSearch, FollowsTheDatabaseWhereNothingChanged) {
    Rng rng(6);
    CpdSearch search;
    for (int32_t round = 0; round < 10; ++round) {
        const TerrainGrid grid = test::changeable_world(rng, 20, true);
        const PathDatabase database = test::database_of(grid, static_cast<Movement>(round % 3));
        const Perturbation none(database, grid.snapshot());
        const ChangedOracle oracle(grid.snapshot(), {grid.snapshot(), database.ground().costs(), database.ground().movement()}, true);
        for (int32_t query = 0; query < 20; ++query) {
            const Cell start = test::random_cell(rng, grid.snapshot()), goal = test::random_cell(rng, grid.snapshot());
            const uint64_t optimum = oracle.distances(start)[oracle.index(goal)];
            if (optimum == ChangedOracle::kNone) continue;
            for (const CpdVariant variant : test::kAllVariants) {
                const Answer answer = solve(search, database, none, start, goal, {variant, {1, 1}, false});
                ASSERT_EQ(complaint(answer, oracle, optimum, start, goal, {1, 1}), "");
                EXPECT_EQ(answer.expansions, 0u);
            }
        }
    }
}

TEST(CpdSearch, ReportsWhyThereIsNothingToRun) {
    TerrainGrid grid = std::move(test::scene(R"(...#
                                                ....)")
                                     .grid);
    const PathDatabase database = test::database_of(grid, Movement::kEightNoCornerCutting, PathTargets::these({{0, 0}, {1, 0}}));
    grid.set(Cell{1, 0}, Terrain{0});
    grid.set(Cell{3, 0}, Terrain{1});
    const Perturbation perturbation(database, grid.snapshot());
    CpdSearch search;
    EXPECT_EQ(search.begin(database, perturbation, {-1, 0}, {0, 0}), Status::kOutsideMap);
    EXPECT_EQ(search.begin(database, perturbation, {0, 0}, {0, 2}), Status::kOutsideMap);
    EXPECT_EQ(search.begin(database, perturbation, {1, 0}, {0, 0}), Status::kBlockedStart);
    EXPECT_EQ(search.begin(database, perturbation, {0, 0}, {1, 0}), Status::kBlockedGoal);
    EXPECT_EQ(search.begin(database, perturbation, {0, 0}, {2, 0}), Status::kNotPrepared);
    EXPECT_EQ(search.begin(database, perturbation, {0, 0}, {3, 0}), Status::kNotPrepared);  // blocked at the build, and targets restricted
    EXPECT_EQ(search.run(), Status::kNotPrepared);
    EXPECT_EQ(search.lookups(), 0u);
    const Answer same = solve(search, database, perturbation, {2, 1}, {2, 1}, {});  // needs no database
    EXPECT_EQ(same.status, Status::kFound);
    EXPECT_EQ(same.cost, 0u);
    EXPECT_EQ(same.cells, (std::vector<Cell>{{2, 1}}));
    EXPECT_EQ(solve(search, database, perturbation, {3, 0}, {0, 0}, {}).status, Status::kFound);
}

TEST(CpdSearch, SearchesAWorldOfOneCell) {
    const TerrainGrid grid(1, 1, Terrain{1}, test::digit_catalogue());
    const PathDatabase database = test::database_of(grid, Movement::kEightNoCornerCutting);
    CpdSearch search;
    EXPECT_EQ(search.begin(database, Perturbation(database, grid.snapshot()), {0, 0}, {0, 0}), Status::kFound);
    EXPECT_EQ(search.lower_bound(), 0u);
}

TEST(CpdSearch, ReportsUnreachableGoals) {
    const Changed world(R"(S...G
                           .....)",
                        R"(S.#.G
                           ..#..)");
    for (const CpdVariant variant : test::kAllVariants) {
        for (const Weight bound : kBounds) EXPECT_EQ(world.solve({variant, bound, false}).status, Status::kUnreachable);
    }
}

// Then shoot nodes and the start are seldom among the targets.
TEST(CpdSearch, IsWithinItsBoundWhereFewTargetsAreCovered) {
    Rng rng(7);
    CpdSearch search;
    for (int32_t round = 0; round < 30; ++round) {
        TerrainGrid grid = test::changeable_world(rng, 30, true);
        const GridSnapshot base = grid.snapshot();
        const Cell goal = test::random_cell(rng, base);
        const PathDatabase database = test::database_of(grid, static_cast<Movement>(round % 3), PathTargets::these({goal}));
        if (!database.covers(base.layout().id(goal))) continue;
        test::change(rng, grid, Change::kMixed);
        const Perturbation perturbation(database, grid.snapshot());
        const ChangedOracle oracle(base, {grid.snapshot(), database.ground().costs(), database.ground().movement()}, false);
        if (oracle.cost[oracle.index(goal)] == 0) continue;
        const std::vector<uint64_t> optimum = oracle.distances(goal);
        for (int32_t query = 0; query < 5; ++query) {
            const Cell start = test::random_cell(rng, base);
            if (oracle.cost[oracle.index(start)] == 0) continue;
            for (const CpdVariant variant : test::kAllVariants) {
                const Answer answer = solve(search, database, perturbation, start, goal, {variant, {11, 10}, false});
                ASSERT_EQ(complaint(answer, oracle, optimum[oracle.index(start)], start, goal, {11, 10}), "");
            }
        }
    }
}

TEST(CpdSearch, IsWithinItsBoundWithMoreEndpointsThanAreListed) {
    TerrainGrid grid(100, 70, Terrain{0}, test::digit_catalogue());
    grid.fill(Rect{{0, 0}, {100, 3}}, Terrain{3});
    grid.fill(Rect{{0, 0}, {3, 70}}, Terrain{2});
    grid.fill(Rect{{97, 0}, {3, 70}}, Terrain{5});
    const GridSnapshot base = grid.snapshot();
    const PathDatabase database = test::database_of(grid, Movement::kEightNoCornerCutting);
    grid.fill(Rect{{3, 3}, {87, 67}}, Terrain{4});
    grid.fill(Rect{{40, 0}, {2, 60}}, Terrain{0});
    grid.fill(Rect{{90, 50}, {7, 1}}, Terrain{1});
    const Perturbation perturbation(database, grid.snapshot());
    ASSERT_TRUE(perturbation.data().cheapened_endpoints.empty() && !perturbation.data().endpoint_groups.empty());
    const ChangedOracle oracle(base, {grid.snapshot(), database.ground().costs(), database.ground().movement()}, false);
    CpdSearch search;
    for (const Cell goal : {Cell{99, 69}, Cell{20, 1}}) {
        for (const Cell start : {Cell{1, 60}, Cell{60, 60}}) {
            const uint64_t optimum = oracle.distances(start)[oracle.index(goal)];
            for (const CpdVariant variant : test::kAllVariants) {
                for (const Weight bound : kBounds) {
                    const Answer answer = solve(search, database, perturbation, start, goal, {variant, bound, false});
                    ASSERT_EQ(complaint(answer, oracle, optimum, start, goal, bound), "") << start.x << "," << start.y;
                }
            }
        }
    }
}

uint64_t hash_of(const Answer& answer, uint64_t seed) {
    return test::hash_of(Path{.status = answer.status, .cells = answer.cells, .cost = answer.cost, .expansions = answer.expansions}, seed);
}

// Answers one query on a new random world, in slices.
Answer random_answer(Rng& rng, CpdSearch& search, CpdVariant variant, uint64_t slice) {
    TerrainGrid grid = test::changeable_world(rng, 30, true);
    const PathDatabase database = test::database_of(grid, Movement::kEightNoCornerCutting);
    test::change(rng, grid, Change::kMixed);
    const Cell start = test::random_cell(rng, grid.snapshot()), goal = test::random_cell(rng, grid.snapshot());
    search.begin(database, Perturbation(database, grid.snapshot()), start, goal, {variant, {11, 10}, false});
    while (search.run(slice) == Status::kBudgetSpent) {
    }
    return answer_of(search);
}

TEST(CpdSearch, SlicedIsTheSameAsWhole) {
    CpdSearch search;
    for (uint64_t seed = 0; seed < 6; ++seed) {
        for (const CpdVariant variant : test::kAllVariants) {
            Rng once(seed), again(seed);
            const Answer whole = random_answer(once, search, variant, kUnlimited), sliced = random_answer(again, search, variant, 1);
            EXPECT_EQ(hash_of(whole, 0), hash_of(sliced, 0));
            EXPECT_EQ(whole.lookups, sliced.lookups);
            EXPECT_EQ(whole.lower_bound, sliced.lower_bound);
        }
    }
}

// The weight of a query's bound: within the documented limits, never above the bound, and exact where the limits allow it.
TEST(CpdQuery, WeightsOfBoundsStayWithinTheLimits) {
    Rng rng(9);
    const auto check = [](double bound) {
        const Weight weight = CpdQuery::weight_of(bound);
        ASSERT_LE(weight.numerator, kMaxCpdNumerator) << bound;
        ASSERT_LE(weight.denominator, kMaxCpdDenominator) << bound;
        ASSERT_GE(weight.numerator, weight.denominator) << bound;
        const double highest = std::min(bound, 1000.0);
        ASSERT_LE(weight.value(), highest + 1e-9);
        // Exact to a thousandth, up to the bound at which that needs larger numbers.
        ASSERT_GE(weight.value(), bound <= 10 ? highest - 0.0010001 : highest - 0.2) << bound;
    };
    for (uint32_t thousandths = 1000; thousandths <= 12000; ++thousandths) check(thousandths / 1000.0);
    for (int i = 0; i < 2000; ++i) check(1 + rng.below(999000) / 1000.0 + rng.below(1000) / 1e6);
    for (const double bound : {1000.0, 1e9}) check(bound);
    const Weight tenth = CpdQuery::weight_of(1.1);
    EXPECT_EQ(tenth.numerator, 11u);
    EXPECT_EQ(tenth.denominator, 10u);
    EXPECT_EQ(CpdQuery::weight_of(1.001).value(), 1.001);
}

TEST(CpdSearch, RefusesWeightsBeyondTheLimits) {
    const TerrainGrid grid(2, 1, Terrain{1}, test::digit_catalogue());
    const PathDatabase database = test::database_of(grid, Movement::kFour);
    const Perturbation perturbation(database, grid.snapshot());
    CpdSearch search;
    for (const Weight weight : {Weight{10001, 10000}, Weight{10001, 1}, Weight{1, 2}, Weight{1, 0}}) {
        EXPECT_DEATH(static_cast<void>(search.begin(database, perturbation, {0, 0}, {1, 0}, {CpdVariant::kWeighted, weight})),
                     "contract broken: options.bound");
    }
}

TEST(CpdSearch, Golden) {
    Rng rng(8);
    CpdSearch search;
    uint64_t hash = 0;
    for (int32_t round = 0; round < 10; ++round) {
        for (const CpdVariant variant : test::kAllVariants) hash = hash_of(random_answer(rng, search, variant, kUnlimited), hash);
    }
    EXPECT_EQ(hash, 4008527154815750483u);
}

}  // namespace
}  // namespace terrane
