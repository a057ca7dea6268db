// Planner: the answers of each query, by every method, at once and in slices.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>

#include "support/allocations.h"
#include "support/scene.h"
#include "terrane/dta/edge_costs.h"
#include "terrane/dta/region_heuristics.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane::test {
namespace {

const std::vector<uint32_t> kSectors = {8, 4, 5, 16, 32, 64, 128, kWholeMap};

WorldOptions keeping(std::vector<uint32_t> sectors) {
    WorldOptions options;
    options.sectors = std::move(sectors);
    return options;
}

FindOptions by(std::string_view method, Movement movement = Movement::kEightNoCornerCutting) {
    FindOptions options;
    options.method = find_method(method).value();
    options.movement = movement;
    return options;
}

constexpr std::array kCellMethods = {"astar", "wastar:2", "focal:1.5", "nbs", "dijkstra"};
constexpr std::array kRegionMethods = {
    "dta:4",
    "dta:5",
    "dta:8",
    "dta:16",
    "dta:32",
    "dta:64",
    "dta:128",
    "dta:map",
    "dta:8/wastar:1.5",
    "dta:8/nbs",
    "dta:4/nbs/wastar:1.2",
    "dta:16/astar/wastar:3",
    "dta:map/nbs/wastar:2",
    "dta:4+trim",
    "dta:8+trim",
    "dta:8+smooth",
    "dta:8+trim+smooth",
    "dta:32/nbs/wastar:1.2+trim+smooth",
    "dta:map+trim+smooth",
    "dta:8+bfs",
    "dta:8+cache",
    "dta:4+cache+trim+smooth+bfs",
};
constexpr std::array kExactMethods = {"dta:8+exact", "dta:4/nbs+exact", "dta:8+exact+trim+smooth+cache+bfs"};

// Every method that the world above can run; exact ones are prepared first.
template <class Visit>
void for_each_method(World& world, const CostTable& costs, Movement movement, Visit&& visit) {
    for (const char* method : kCellMethods) visit(method, by(method, movement));
    for (const char* method : kRegionMethods) visit(method, by(method, movement));
    for (const char* method : kExactMethods) {
        const FindOptions options = by(method, movement);
        ASSERT_TRUE(world.prepare(costs, {.method = options.method, .movement = movement}));
        visit(method, options);
    }
}

Path sliced(Planner& planner, Cell start, Cell goal, const CostTable& costs, const FindOptions& options, uint64_t budget) {
    planner.begin(start, goal, costs, options);
    std::vector<Cell> walked;
    while (planner.run(budget) == Status::kBudgetSpent) {
        const auto ready = planner.ready();  // never shrinks or changes
        EXPECT_GE(ready.size(), walked.size());
        EXPECT_TRUE(std::equal(walked.begin(), walked.end(), ready.begin()));
        walked.assign(ready.begin(), ready.end());
    }
    Path path;
    planner.path(path);
    EXPECT_LE(walked.size(), path.cells.size());
    EXPECT_TRUE(std::equal(walked.begin(), walked.end(), path.cells.begin()));
    EXPECT_TRUE(std::equal(path.cells.begin(), path.cells.end(), planner.ready().begin(), planner.ready().end()));
    return path;
}

void check_path(const Ground& ground, const Path& path, Cell start, Cell goal) {
    ASSERT_FALSE(path.cells.empty());
    ASSERT_EQ(path.cells.front(), start);
    ASSERT_EQ(path.cells.back(), goal);
    for (size_t i = 1; i < path.cells.size(); ++i) ASSERT_NE(path.cells[i - 1], path.cells[i]);
    ASSERT_NE(path.cost, kInfiniteCost);
    ASSERT_EQ(path.cost, path_cost(ground, path.cells));
    ASSERT_EQ(path.version, ground.grid().version());
    ASSERT_LE(path.expansions_first, path.expansions);
}

// Against the optimal cost.
void check_cost(const Path& path, double optimal) {
    ASSERT_GE(to_real(path.cost), optimal * (1 - 1e-6));
    ASSERT_GE(path.bound, 1);
    ASSERT_LE(to_real(path.cost), optimal * path.bound * (1 + 1e-6) + 1e-9);
}

// Compares all methods with the oracle.
void check_all_methods(World& world, Planner& planner, const CostTable& costs, Movement movement, Cell start, Cell goal) {
    const GridSnapshot grid = world.grid();
    const auto truth = oracle::distances(to_oracle(grid, costs), start.x, start.y, to_oracle(movement));
    const double optimal = truth[static_cast<size_t>(goal.y * grid.width() + goal.x)];
    for_each_method(world, costs, movement, [&](const char* method, const FindOptions& options) {
        SCOPED_TRACE(method);
        Path path;
        planner.find(start, goal, costs, options, path);
        ASSERT_EQ(path.status == Status::kFound, optimal != oracle::kFar);
        if (!path) {
            ASSERT_TRUE(path.cells.empty());
            ASSERT_EQ(path.expansions, 0u);  // known at once
            return;
        }
        ASSERT_NO_FATAL_FAILURE(check_path({grid, costs, movement}, path, start, goal));
        ASSERT_NO_FATAL_FAILURE(check_cost(path, optimal));
    });
}

// Drawn scenes: worlds that keep the sectors above.
struct DrawnWorld {
    explicit DrawnWorld(std::string_view drawing) : DrawnWorld(scene(drawing)) {}
    explicit DrawnWorld(Scene s)
        : world(std::move(s.grid), keeping(kSectors)),
          costs(s.profile.compile(digit_catalogue()).value()),
          planner(world),
          start(s.start),
          goal(s.goal) {}
    void check_all() {
        for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kEightCutCorners, Movement::kFour}) {
            SCOPED_TRACE(to_string(movement));
            check_all_methods(world, planner, costs, movement, start, goal);
        }
    }
    Path find(const FindOptions& options) {
        Path path;
        planner.find(start, goal, costs, options, path);
        return path;
    }

    World world;
    CostTable costs;
    Planner planner;
    Cell start, goal;
};

TEST(PlannerFind, ReportsWhyThereIsNoPath) {
    DrawnWorld drawn(R"(S.#G
                        ..#.)");
    Planner& planner = drawn.planner;
    const auto status = [&](Cell start, Cell goal, const FindOptions& options) {
        Path path;
        planner.find(start, goal, drawn.costs, options, path);
        EXPECT_EQ(planner.status(), path.status);
        EXPECT_EQ(path.cells.empty(), path.status != Status::kFound);
        return path.status;
    };
    for (const char* method : {"astar", "dta:8", "dta:4/nbs+trim+smooth", "dta:map"}) {
        const FindOptions options = by(method);
        EXPECT_EQ(status({0, 0}, {1, 1}, options), Status::kFound);
        EXPECT_EQ(status({0, 0}, {3, 0}, options), Status::kUnreachable);
        EXPECT_EQ(status({2, 0}, {3, 0}, options), Status::kBlockedStart);
        EXPECT_EQ(status({0, 0}, {2, 1}, options), Status::kBlockedGoal);
        EXPECT_EQ(status({2, 0}, {2, 1}, options), Status::kBlockedStart);
        EXPECT_EQ(status({2, 0}, {2, 0}, options), Status::kBlockedStart);
        EXPECT_EQ(status({-1, 0}, {0, 0}, options), Status::kOutsideMap);
        EXPECT_EQ(status({0, 0}, {0, 2}, options), Status::kOutsideMap);
        EXPECT_EQ(status({2, 0}, {4, 0}, options), Status::kOutsideMap);
        FindOptions few = options;
        few.max_expansions = 0;
        EXPECT_EQ(status({0, 0}, {1, 1}, few), Status::kBudgetSpent);
    }
    EXPECT_EQ(status({0, 0}, {1, 1}, by("dta:12")), Status::kNotPrepared);
    EXPECT_EQ(status({0, 0}, {1, 1}, by("dta:8+exact")), Status::kNotPrepared);
    EXPECT_EQ(planner.find({0, 0}, {1, 1}, Profile().cost("custard", 2)).status, Status::kBadProfile);
    EXPECT_EQ(planner.find({0, 0}, {1, 1}, digit_profile(), by("dta:8")).status, Status::kFound);
}

// Tables serve one profile, rule and sector size. Edits keep them up to date.
TEST(PlannerFind, HeuristicsAndExactCostsArePreparedData) {
    DrawnWorld drawn(R"(S...3333
                        ..#.3..G)");
    for (const char* method : {"dta:8+exact", "dta:8+landmarks:4", "dta:8+fastmap:3", "dta:8+paths", "astar+landmarks:4", "astar+fastmap:3",
                               "astar+lower_bounds:4"}) {
        SCOPED_TRACE(method);
        const FindOptions options = by(method);
        EXPECT_EQ(drawn.find(options).status, Status::kNotPrepared);
        ASSERT_TRUE(drawn.world.prepare(drawn.costs, {.method = options.method}));
        EXPECT_EQ(drawn.find(options).status, Status::kFound);
        EXPECT_EQ(drawn.find(by(method, Movement::kFour)).status, Status::kNotPrepared);
    }
    EXPECT_EQ(drawn.find(by("dta:4+exact")).status, Status::kNotPrepared);
    EXPECT_EQ(drawn.find(by("dta:8+landmarks:5")).status, Status::kNotPrepared);
    EXPECT_EQ(drawn.find(by("wastar:2+landmarks:4")).status, Status::kFound);
    const size_t prepared = drawn.world.snapshot().all_prepared().size();
    static_cast<void>(drawn.world.set({1, 1}, Terrain{9}));
    static_cast<void>(drawn.world.set({2, 1}, Terrain{1}));
    EXPECT_EQ(drawn.world.snapshot().all_prepared().size(), prepared);
    const Cost optimal = drawn.find(by("astar")).cost;
    for (const char* method : {"astar+landmarks:4", "astar+fastmap:3", "astar+lower_bounds:4", "nbs+landmarks:4"}) {
        EXPECT_EQ(drawn.find(by(method)).cost, optimal) << method;
    }
    for (const char* method : {"dta:8+exact", "dta:8+landmarks:4", "dta:8+fastmap:3", "dta:8+paths"}) {
        EXPECT_EQ(drawn.find(by(method)).status, Status::kFound) << method;
    }
}

// After edits, tables give what tables of a new world give, or, where a repair leaves a weaker heuristic, a path of the same cost.
TEST(PlannerFind, TablesStayCorrectThroughEdits) {
    Rng rng(53);
    for (int i = 0; i < 10; ++i) {
        RandomWorld drawn = random_world(rng);
        World world(std::move(drawn.grid), keeping({8}));
        Planner planner(world);
        constexpr const char* kTables[] = {"dta:8+exact",       "dta:8+landmarks:4", "dta:8+fastmap:3",     "dta:8+paths",
                                           "astar+landmarks:4", "astar+fastmap:3",   "astar+lower_bounds:4"};
        for (const char* name : kTables)
            ASSERT_TRUE(world.prepare(drawn.costs, {.method = find_method(name).value(), .movement = drawn.movement}));
        for (int edit = 0; edit < 6; ++edit) {
            const Cell c = random_cell(rng, world.grid());
            world.fill({c, {rng.between(1, 6), rng.between(1, 6)}}, static_cast<Terrain>(rng.below(10)));
            const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
            World rebuilt(TerrainGrid(world.grid().width(), world.grid().height(), world.grid().cells(), world.grid().catalogue()),
                          keeping({8}));
            for (const char* name : kTables) {
                SCOPED_TRACE(name);
                ASSERT_TRUE(rebuilt.prepare(drawn.costs, {.method = find_method(name).value(), .movement = drawn.movement}));
                Path kept, fresh;
                planner.find(start, goal, drawn.costs, by(name, drawn.movement), kept);
                Planner(rebuilt).find(start, goal, drawn.costs, by(name, drawn.movement), fresh);
                ASSERT_EQ(kept.status, fresh.status);
                const bool same_cost = guarantee(by(name).method) == 1, same_cells = std::string_view(name) == "dta:8+exact";
                ASSERT_TRUE(!same_cost || kept.cost == fresh.cost);
                ASSERT_TRUE(!same_cells || kept.cells == fresh.cells);
            }
        }
    }
}

TEST(PlannerFind, HeuristicsOfRegionsGiveCorrectAnswers) {
    Rng rng(51);
    for (int i = 0; i < 40; ++i) {
        RandomWorld drawn = random_world(rng);
        World world(std::move(drawn.grid), keeping({8}));
        const WorldSnapshot now = world.snapshot();
        Planner planner(world);
        const Cell start = random_cell(rng, now.grid()), goal = random_cell(rng, now.grid());
        const auto truth = oracle::distances(to_oracle(now.grid(), drawn.costs), start.x, start.y, to_oracle(drawn.movement));
        const double optimal = truth[static_cast<size_t>(goal.y * now.grid().width() + goal.x)];
        for (const char* table : {"+landmarks:8", "+fastmap:8", "+paths"}) {
            for (const char* method : {"dta:8", "dta:8/nbs+trim+smooth", "dta:8/wastar:2"}) {
                SCOPED_TRACE(std::string(method) + table);
                const FindOptions options = by(std::string(method) + table, drawn.movement);
                ASSERT_TRUE(world.prepare(drawn.costs, {.method = options.method, .movement = drawn.movement}));
                Path path;
                planner.find(start, goal, drawn.costs, options, path);
                ASSERT_EQ(path.status == Status::kFound, optimal != oracle::kFar);
                if (!path) continue;
                ASSERT_NO_FATAL_FAILURE(check_path({now.grid(), drawn.costs, drawn.movement}, path, start, goal));
                ASSERT_NO_FATAL_FAILURE(check_cost(path, optimal));
            }
        }
    }
}

TEST(PlannerFind, SameStartAndGoalIsOneCell) {
    DrawnWorld drawn(R"(.....
                        ..S..
                        .....)");
    for_each_method(drawn.world, drawn.costs, Movement::kEightNoCornerCutting, [&](const char* method, const FindOptions& options) {
        SCOPED_TRACE(method);
        Path path;
        drawn.planner.find(drawn.start, drawn.start, drawn.costs, options, path);
        ASSERT_EQ(path.status, Status::kFound);
        ASSERT_EQ(path.cells, std::vector<Cell>{drawn.start});
        ASSERT_EQ(path.cost, 0u);
    });
}

TEST(PlannerFind, TinyWorlds) {
    for (const char* drawing : {"S", "SG", "S\nG", "S.G", "S\n#\nG", "S#\n#G", "S.\n.G", "S#\n.G"}) {
        SCOPED_TRACE(drawing);
        DrawnWorld(drawing).check_all();
    }
    DrawnWorld wall("#");
    EXPECT_EQ(wall.find(by("dta:8")).status, Status::kBlockedStart);
}

TEST(PlannerFind, GoalInTheSameRegionIsOptimal) {
    DrawnWorld drawn(R"(S.......
                        ........
                        ......G.
                        ........)");
    for (const char* method : {"dta:8", "dta:8/nbs", "dta:8+trim", "dta:map"}) {
        SCOPED_TRACE(method);
        EXPECT_EQ(drawn.find(by(method)).cost, drawn.find(by("astar")).cost);
    }
}

// The paper skips the first and the last representative: passing through them would be a detour.
TEST(PlannerFind, NeighbouringRegionsSkipBothRepresentatives) {
    DrawnWorld drawn(R"(................
                        ................
                        ................
                        ................
                        ................
                        ................
                        ................
                        .......SG.......)");
    for (const char* method : {"dta:8", "dta:8/nbs", "dta:8+trim", "dta:8+exact"}) {
        SCOPED_TRACE(method);
        const FindOptions options = by(method);
        ASSERT_TRUE(!prepares(options.method) || drawn.world.prepare(drawn.costs, {.method = options.method}));
        const Path path = drawn.find(options);
        EXPECT_EQ(path.cells, (std::vector<Cell>{drawn.start, drawn.goal}));
    }
}

// Three regions in a row: the path passes the representative of the middle one, at the middle of its mean row.
TEST(PlannerFind, GoesThroughTheRepresentativesInBetween) {
    DrawnWorld drawn(R"(............
                        ............
                        ............
                        S..........G)");
    const Path path = drawn.find(by("dta:4"));
    const Cell middle = drawn.world.snapshot().regions(4)->region(drawn.world.snapshot().regions(4)->region_of({5, 0})).representative();
    EXPECT_NE(std::find(path.cells.begin(), path.cells.end(), middle), path.cells.end());
    EXPECT_EQ(drawn.find(by("dta:4+trim+smooth")).cost, drawn.find(by("astar")).cost);
}

// An abstract path always refines.
TEST(PlannerFind, ThinDiagonalsAndOneCellDoors) {
    for (const char* drawing : {
             R"(S#......
                .#.####.
                .#.#..#.
                .#.#G.#.
                .#.####.
                .#......
                .######.
                ........)",
             R"(S.......#
                .......#.
                ......#..
                .....#...
                ....#....
                ...#.....
                ..#......
                .#.......
                #.......G)",
             R"(S......#.
                ......#..
                .....#...
                ....#....
                ....#....
                ...#.....
                ..#......
                ........G)",
             R"(S#.#.#.#.#.#
                #.#.#.#.#.#.
                .#.#.#.#.#.#
                #.#.#.#.#.#.
                .#.#.#.#.#.#
                #.#.#.#.#.#G)",
             R"(S2#3......
                22#33.....
                ##.##.....
                44#55.....
                44#55....G)",
             R"(S...#....#....#....
                ....#....#....#....
                ....#.........#....
                .........#.........
                ....#....#....#....
                ##.####.######.####
                ....#....#....#....
                ....#....#....#....
                .........#.........
                ....#.........#...G)",
             R"(S#########
                .#......##
                .#.####.##
                .#.#99#.##
                .#.#9G#.##
                .#.#.##.##
                .#.#.##.##
                .#.#....##
                .#.#######
                ...#######)",
             R"(S999999999999999999G
                99999999999999999999
                1111111111111111111.)",
         }) {
        SCOPED_TRACE(drawing);
        DrawnWorld(drawing).check_all();
    }
}

// The trimmed part may lie outside the adjacent sectors: the rest of the path must be found nevertheless. Both cut corners.
TEST(PlannerFind, TrimmingNeverLosesThePath) {
    for (const char* drawing : {
             R"(##..S..
                #..#.#.
                .#...##
                .#..###
                #.#..#G
                ...#.#.
                ..#.#.#)",
             R"(##....
                ...#.S
                #.....
                ##..##
                ..##.#
                .#..#G
                .#..#.
                .#.#..
                ......
                #####.)",
         }) {
        SCOPED_TRACE(drawing);
        DrawnWorld(drawing).check_all();
    }
    Rng rng(61);
    for (int i = 0; i < 300; ++i) {
        TerrainGrid grid = generate_random({24, 24, rng.next(), 42, false}).value();
        const World world(std::move(grid), keeping({4}));
        const CostTable costs = Profile::preset("walker")->compile(world.grid().catalogue()).value();
        Planner planner(world);
        for (int query = 0; query < 10; ++query) {
            const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
            Path trimmed, optimal;
            planner.find(start, goal, costs, by("dta:4+trim", Movement::kEightCutCorners), trimmed);
            planner.find(start, goal, costs, by("astar", Movement::kEightCutCorners), optimal);
            ASSERT_EQ(trimmed.status, optimal.status);
        }
    }
}

TEST(PlannerFind, RandomWorldsProfilesAndRules) {
    Rng rng(52);
    for (int i = 0; i < 150; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        RandomWorld drawn = random_world(rng, i % 10 == 0 ? 150 : 45);
        World world(std::move(drawn.grid), keeping(kSectors));
        Planner planner(world);
        const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
        if (!drawn.costs.passable(world.grid().at(start)) || !drawn.costs.passable(world.grid().at(goal))) continue;
        ASSERT_NO_FATAL_FAILURE(check_all_methods(world, planner, drawn.costs, drawn.movement, start, goal));
    }
}

TEST(PlannerFind, MazesRoomsAndScatteredObstacles) {
    Rng rng(53);
    for (int i = 0; i < 12; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        const auto seed = static_cast<uint64_t>(i);
        TerrainGrid grid = i % 3 == 0   ? generate_maze({41, 37, seed, 1}).value()
                           : i % 3 == 1 ? generate_rooms({50, 45, seed, 6, 60, false}).value()
                                        : generate_random({45, 50, seed, 38, false}).value();
        World world(std::move(grid), keeping(kSectors));
        const CostTable costs = Profile::preset("walker")->compile(world.grid().catalogue()).value();
        Planner planner(world);
        for (int query = 0; query < 4;) {
            const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
            if (!costs.passable(world.grid().at(start)) || !costs.passable(world.grid().at(goal))) continue;
            ++query;
            const auto movement = static_cast<Movement>(rng.below(3));
            ASSERT_NO_FATAL_FAILURE(check_all_methods(world, planner, costs, movement, start, goal));
        }
    }
}

TEST(PlannerFind, SlicedIsTheSameAsWhole) {
    Rng rng(54);
    for (int i = 0; i < 40; ++i) {
        RandomWorld drawn = random_world(rng, 60);
        World world(std::move(drawn.grid), keeping(kSectors));
        Planner planner(world);
        const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
        for_each_method(world, drawn.costs, drawn.movement, [&](const char* method, FindOptions options) {
            SCOPED_TRACE(testing::Message() << "world " << i << " " << method);
            options.nearest = i % 2 == 0;
            Path whole;
            planner.find(start, goal, drawn.costs, options, whole);
            for (const uint64_t budget : {1u, 7u, 100u}) {
                const Path path = sliced(planner, start, goal, drawn.costs, options, budget);
                ASSERT_EQ(hash_of(path), hash_of(whole)) << "by " << budget;
                ASSERT_EQ(path.expansions_first, whole.expansions_first);
                ASSERT_EQ(path.bound, whole.bound);
            }
        });
    }
}

TEST(PlannerFind, ASliceExpandsNoMoreThanItsBudget) {
    World world(TerrainGrid(120, 120, Terrain{5}), keeping(kSectors));
    const CostTable costs = Profile().compile(world.grid().catalogue()).value();
    Planner planner(world);
    for_each_method(world, costs, Movement::kEightNoCornerCutting, [&](const char* method, const FindOptions& options) {
        SCOPED_TRACE(method);
        for (const uint64_t budget : {1u, 3u, 50u}) {
            planner.begin({3, 100}, {118, 5}, costs, options);
            uint64_t before = 0;
            while (planner.run(budget) == Status::kBudgetSpent) {
                ASSERT_LE(planner.expansions() - before, budget);
                before = planner.expansions();
            }
            ASSERT_EQ(planner.status(), Status::kFound);
        }
    });
}

TEST(PlannerFind, MaxExpansionsEndAQuery) {
    const World world(TerrainGrid(64, 64, Terrain{5}), keeping({8}));
    const CostTable costs = Profile().compile(world.grid().catalogue()).value();
    Planner planner(world);
    for (const char* method : {"dta:8", "dta:8+trim+smooth", "astar"}) {
        SCOPED_TRACE(method);
        FindOptions options = by(method);
        Path path;
        planner.find({0, 0}, {63, 50}, costs, options, path);
        ASSERT_EQ(path.status, Status::kFound);
        const uint64_t needed = path.expansions;
        options.max_expansions = needed - 1;
        planner.find({0, 0}, {63, 50}, costs, options, path);
        EXPECT_EQ(path.status, Status::kBudgetSpent);
        EXPECT_EQ(path.expansions, needed - 1);
        EXPECT_TRUE(path.cells.empty());
        EXPECT_EQ(planner.run(), Status::kBudgetSpent);  // and stays so
        EXPECT_EQ(planner.expansions(), needed - 1);
        options.max_expansions = needed + 1;  // the goal is known when it would be expanded
        planner.find({0, 0}, {63, 50}, costs, options, path);
        EXPECT_EQ(path.status, Status::kFound);
    }
}

TEST(PlannerFind, TheFirstSegmentIsReadyBeforeTheRest) {
    const World world(TerrainGrid(1000, 700, Terrain{5}), keeping({16}));
    const CostTable costs = Profile().compile(world.grid().catalogue()).value();
    Planner planner(world);
    for (const char* method : {"dta:16", "dta:16+trim", "dta:16+trim+smooth", "dta:16/nbs+cache"}) {
        SCOPED_TRACE(method);
        planner.begin({2, 2}, {990, 600}, costs, by(method));
        uint64_t first = 0;
        size_t cells = 0;
        while (planner.run(1) == Status::kBudgetSpent) {
            if (cells == 0) cells = planner.ready().size();
            if (first == 0 && planner.ready().size() > 1) first = planner.expansions();
        }
        Path path;
        planner.path(path);
        EXPECT_EQ(planner.first_segment(), cells);
        EXPECT_LT(cells, path.cells.size() / 2);
        EXPECT_GT(first, 0u);
        EXPECT_LT(first, path.expansions / 2);
        EXPECT_LE(path.expansions_first, first);
        EXPECT_EQ(path.cells.front(), (Cell{2, 2}));
    }
}

TEST(PlannerFind, AMethodInOnePieceHasOneSegment) {
    const World world(TerrainGrid(40, 30, Terrain{5}));
    const CostTable costs = Profile().compile(world.grid().catalogue()).value();
    Planner planner(world);
    EXPECT_EQ(planner.first_segment(), 0u);
    Path path;
    planner.find({2, 2}, {39, 20}, costs, by("astar"), path);
    EXPECT_EQ(planner.first_segment(), path.cells.size());
    planner.find({2, 2}, {40, 20}, costs, by("astar"), path);
    EXPECT_EQ(planner.first_segment(), 0u);
}

TEST(PlannerFind, SmoothingNeverCostsMore) {
    Rng rng(56);
    int better = 0;
    for (int i = 0; i < 120; ++i) {
        RandomWorld drawn = random_world(rng, 90);
        const World world(std::move(drawn.grid), keeping({8}));
        Planner planner(world);
        const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
        for (const std::string method : {"dta:8", "dta:8+trim", "dta:8/nbs/wastar:2"}) {
            Path plain, smooth;
            planner.find(start, goal, drawn.costs, by(method, drawn.movement), plain);
            planner.find(start, goal, drawn.costs, by(method + "+smooth", drawn.movement), smooth);
            ASSERT_EQ(plain.status, smooth.status);
            ASSERT_LE(smooth.cost, plain.cost) << method << " in world " << i;
            better += smooth.cost < plain.cost ? 1 : 0;
        }
    }
    EXPECT_GT(better, 50);
}

// Not even the expansions: a cached refinement counts the expansions that it once took.
TEST(PlannerFind, ACacheChangesNoAnswer) {
    Rng rng(57);
    for (int i = 0; i < 20; ++i) {
        RandomWorld drawn = random_world(rng, 90);
        World world(std::move(drawn.grid), keeping({8}));
        Planner planner(world);
        const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
        for (int again = 0; again < 4; ++again) {
            Path with, without;
            planner.find(start, goal, drawn.costs, by("dta:8+cache", drawn.movement), with);
            planner.find(start, goal, drawn.costs, by("dta:8", drawn.movement), without);
            ASSERT_EQ(hash_of(with), hash_of(without));
            if (again == 1) static_cast<void>(world.set(random_cell(rng, world.grid()), static_cast<Terrain>(rng.below(6))));
        }
    }
}

// The reachable cell closest to the goal by octile distance; ties: the smaller y, then the smaller x.
std::optional<Cell> nearest_by_brute_force(const GridSnapshot& grid, const std::vector<double>& distances, Cell goal) {
    std::optional<Cell> best;
    uint64_t least = 0;
    for (int32_t y = 0; y < grid.height(); ++y) {
        for (int32_t x = 0; x < grid.width(); ++x) {
            if (distances[static_cast<size_t>(y * grid.width() + x)] == oracle::kFar) continue;
            const auto dx = static_cast<uint64_t>(std::abs(x - goal.x)), dy = static_cast<uint64_t>(std::abs(y - goal.y));
            const uint64_t away = kStraight * std::max(dx, dy) + (kDiagonal - kStraight) * std::min(dx, dy);
            if (best && away >= least) continue;
            best = Cell{x, y};
            least = away;
        }
    }
    return best;
}

TEST(PlannerFind, NearestGivesAPartialPathToTheClosestReachableCell) {
    Rng rng(58);
    int partial = 0;
    for (int i = 0; i < 150; ++i) {
        RandomWorld drawn = random_world(rng);
        const World world(std::move(drawn.grid), keeping({8, 16}));
        const GridSnapshot grid = world.grid();
        Planner planner(world);
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        const auto truth = oracle::distances(to_oracle(grid, drawn.costs), start.x, start.y, to_oracle(drawn.movement));
        const double optimal = truth[static_cast<size_t>(goal.y * grid.width() + goal.x)];
        for (const char* method : {"dta:16+trim+smooth", "dta:8", "astar"}) {
            SCOPED_TRACE(testing::Message() << "world " << i << " " << method);
            FindOptions options = by(method, drawn.movement);
            options.nearest = true;
            Path path;
            planner.find(start, goal, drawn.costs, options, path);
            if (!drawn.costs.passable(grid.at(start))) {
                ASSERT_EQ(path.status, Status::kBlockedStart);
                continue;
            }
            ASSERT_EQ(path.status, optimal == oracle::kFar ? Status::kPartial : Status::kFound);
            const Cell end = *nearest_by_brute_force(grid, truth, goal);
            ASSERT_NO_FATAL_FAILURE(check_path({grid, drawn.costs, drawn.movement}, path, start, end));
            ASSERT_NO_FATAL_FAILURE(check_cost(path, truth[static_cast<size_t>(end.y * grid.width() + end.x)]));
            partial += path.status == Status::kPartial ? 1 : 0;
        }
    }
    EXPECT_GT(partial, 50);
}

TEST(PlannerFind, NearestIsOfNoUseOffTheMap) {
    DrawnWorld drawn("S.G");
    FindOptions options = by("dta:8");
    options.nearest = true;
    Path path;
    drawn.planner.find({0, 0}, {3, 0}, drawn.costs, options, path);
    EXPECT_EQ(path.status, Status::kOutsideMap);
}

TEST(PlannerFind, WithoutRegionsCellsAreSearchedAndUnreachableTakesAWhile) {
    Scene s = scene(R"(S..#G
                       ...#.)");
    const World world(std::move(s.grid), keeping({}));
    Planner planner(world);
    EXPECT_EQ(planner.default_method().name(), "astar");
    EXPECT_EQ(planner.find(s.start, s.start, s.profile).status, Status::kFound);
    const Path path = planner.find(s.start, s.goal, s.profile);
    EXPECT_EQ(path.status, Status::kUnreachable);
    EXPECT_EQ(path.expansions, 6u);
    EXPECT_EQ(planner.find(s.start, s.goal, s.profile, by("dta:16")).status, Status::kNotPrepared);
}

TEST(PlannerFind, TheDefaultMethodIsTheSameForAnySectors) {
    for (const std::vector<uint32_t>& sectors : {std::vector<uint32_t>{16}, {32, 8}, {kWholeMap}}) {
        const World world(TerrainGrid(90, 40, Terrain{5}), keeping(sectors));
        Planner planner(world);
        EXPECT_EQ(planner.default_method().name(), "regions:16");
        const Path path = planner.find({1, 1}, {80, 22}, Profile());
        EXPECT_EQ(path.status, Status::kFound);
        EXPECT_EQ(path.method, "regions:16");
    }
}

TEST(PlannerFind, OptionsWithoutAMethodTakeTheDefault) {
    const World world(TerrainGrid(64, 64, Terrain{5}), keeping({8}));
    const CostTable costs = Profile().compile(world.grid().catalogue()).value();
    Planner planner(world);
    Path chosen, left_open;
    planner.find({1, 1}, {60, 40}, costs, by("regions:16"), chosen);
    planner.find({1, 1}, {60, 40}, costs, {}, left_open);
    EXPECT_EQ(hash_of(left_open), hash_of(chosen));
    EXPECT_EQ(hash_of(planner.find({1, 1}, {60, 40}, Profile())), hash_of(chosen));
    FindOptions few;
    few.max_expansions = 3;
    EXPECT_EQ(planner.find({1, 1}, {60, 40}, Profile(), few).status, Status::kBudgetSpent);
}

TEST(PlannerFind, AQueryKeepsTheVersionThatItBeganWith) {
    World world(TerrainGrid(64, 64, Terrain{5}), keeping({8}));
    const CostTable costs = Profile().blocked("black").compile(world.grid().catalogue()).value();
    Planner planner(world);
    Path before, during, after;
    planner.find({2, 30}, {60, 30}, costs, by("dta:8"), before);
    planner.begin({2, 30}, {60, 30}, costs, by("dta:8"));
    planner.run(20);
    static_cast<void>(world.fill({{30, 0}, {1, 64}}, "black"));  // an obstacle from edge to edge
    while (planner.run(20) == Status::kBudgetSpent) {
    }
    planner.path(during);
    EXPECT_EQ(hash_of(during), hash_of(before));
    EXPECT_EQ(during.version, 0u);
    EXPECT_EQ(planner.snapshot().version(), 0u);
    EXPECT_FALSE(during.still_valid(world));
    planner.find({2, 30}, {60, 30}, costs, by("dta:8"), after);
    EXPECT_EQ(after.status, Status::kUnreachable);
    EXPECT_EQ(after.version, 1u);
}

TEST(PlannerFind, BeginDropsTheQueryBefore) {
    DrawnWorld drawn(R"(S.......
                        .......G)");
    Planner& planner = drawn.planner;
    planner.begin({7, 0}, {0, 1}, drawn.costs, by("dta:4"));
    planner.run(1);
    planner.begin(drawn.start, drawn.goal, drawn.costs, by("dta:4+trim"));
    EXPECT_EQ(planner.expansions(), 0u);
    EXPECT_TRUE(planner.ready().empty());
    EXPECT_EQ(planner.run(), Status::kFound);
    EXPECT_EQ(planner.run(), Status::kFound);  // final
    EXPECT_EQ(planner.ready().front(), drawn.start);
    Planner moved = std::move(planner);
    EXPECT_EQ(moved.ready().back(), drawn.goal);
    EXPECT_GT(moved.bytes(), 0u);
}

uint64_t golden(const char* method) {
    Rng rng(59);
    uint64_t h = 0;
    const auto ask = [&](const World& world, const CostTable& costs, Movement movement, int queries) {
        Planner planner(world);
        FindOptions options = by(method, movement);
        options.nearest = true;
        Path path;
        for (int i = 0; i < queries; ++i) {
            const Cell start = random_cell(rng, world.grid());
            planner.find(start, random_cell(rng, world.grid()), costs, options, path);
            h = mix64(hash_of(path, h) ^ path.expansions_first);
        }
    };
    for (int i = 0; i < 40; ++i) {
        RandomWorld drawn = random_world(rng);
        World world(std::move(drawn.grid), keeping({8, 16, 32}));
        ask(world, drawn.costs, drawn.movement, 3);
        static_cast<void>(world.fill({{3, 3}, {17, 6}}, Terrain{0}));
        ask(world, drawn.costs, drawn.movement, 3);
    }
    IslandOptions island;
    island.width = island.height = 256;
    const World world(generate_island(island).value(), keeping({8, 16, 32}));
    for (const Profile& profile : Profile::presets()) {
        ask(world, profile.compile(world.grid().catalogue()).value(), Movement::kEightNoCornerCutting, 5);
    }
    return h;
}

TEST(PlannerGolden, Dta8) { EXPECT_EQ(golden("dta:8"), 0xafdd16c7ec2633a9u); }
TEST(PlannerGolden, Dta16) { EXPECT_EQ(golden("dta:16"), 0x74d775172dc5648eu); }
TEST(PlannerGolden, Dta16TrimSmooth) { EXPECT_EQ(golden("dta:16+trim+smooth"), 0x64c29fb502e02c63u); }
TEST(PlannerGolden, Dta32NbsWeighted) { EXPECT_EQ(golden("dta:32/nbs/wastar:1.2"), 0xec4162f2de839c3au); }
// The hash of dta:8: neither a cache nor the search for a region changes results.
TEST(PlannerGolden, Dta8CacheBfs) { EXPECT_EQ(golden("dta:8+cache+bfs"), 0xafdd16c7ec2633a9u); }

TEST(PlannerFind, NoAllocationsAfterWarmUp) {
    Rng rng(60);
    VoronoiOptions fields;
    fields.width = fields.height = 200;
    fields.terrains = 16;
    const World world(generate_voronoi(fields).value(), keeping({16}));
    const CostTable costs = Profile::preset("deer")->compile(world.grid().catalogue()).value();
    std::vector<std::pair<Cell, Cell>> queries;
    for (int i = 0; i < 50; ++i) queries.emplace_back(random_cell(rng, world.grid()), random_cell(rng, world.grid()));
    Planner planner(world);
    Path path;
    for (const char* method : {"dta:16", "dta:16+trim+smooth", "dta:16/nbs/wastar:1.5+trim", "astar", "nbs"}) {
        const FindOptions options = by(method);
        const auto ask_all = [&] {
            for (const auto& [start, goal] : queries) planner.find(start, goal, costs, options, path);
        };
        ask_all();
        const uint64_t before = allocations();
        ask_all();
        EXPECT_EQ(allocations(), before) << method;
    }
}

}  // namespace
}  // namespace terrane::test
