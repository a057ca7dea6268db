#include "terrane/crowd/lacam.h"

#include <gtest/gtest.h>

#include <vector>

#include "crowd/drawn_crowd.h"
#include "crowd/joint_oracle.h"
#include "crowd/pibt/lane_fields.h"

namespace terrane {
namespace {

// What is common to the tests: a drawn crowd as the solver takes it. Agents by letter.
struct Instance {
    GridSnapshot grid;
    CrowdKind kind;
    std::vector<LacamAgent> agents;

    explicit Instance(test::DrawnCrowd& drawn, std::string_view letters) : grid(drawn.world().grid()), kind(drawn.costs()) {
        for (const char c : letters) agents.push_back({grid.layout().id(drawn.start(c)), grid.layout().id(drawn.goal(c))});
    }
};

Lacam solver(const Instance& instance, Movement movement, const LacamOptions& options = {}) {
    Lacam lacam(instance.grid, {&instance.kind, 1}, movement, options);
    lacam.begin(instance.agents);
    return lacam;
}

// The plan tick by tick, by the rules of the judge; and its cost, counted anew.
void expect_valid(const Lacam& lacam, const GridSnapshot& grid, std::span<const CrowdKind> kinds, Movement movement,
                  std::span<const LacamAgent> agents) {
    Cost cost = 0;
    for (size_t i = 0; i < agents.size(); ++i) {
        ASSERT_EQ(lacam.at(i, 0), agents[i].at);
        ASSERT_EQ(lacam.at(i, lacam.ticks()), agents[i].goal);
        Tick last = lacam.ticks();
        while (last > 0 && lacam.at(i, last - 1) == agents[i].goal) --last;
        for (Tick tick = 0; tick < lacam.ticks(); ++tick) {
            const CellId from = lacam.at(i, tick), to = lacam.at(i, tick + 1);
            const CrowdKind& kind = kinds[agents[i].kind];
            ASSERT_TRUE(Ground(grid, kind.costs, movement).can_step(from, to));
            if (tick < last && from == to) cost += kind.wait;
            if (from != to) cost += Ground({grid, kind.costs, movement}).step_cost(grid.layout().cell(from), grid.layout().cell(to));
            for (size_t k = 0; k < i; ++k) {
                ASSERT_NE(lacam.at(k, tick + 1), to);
                ASSERT_FALSE(moves_meet(grid.layout(), from, to, lacam.at(k, tick), lacam.at(k, tick + 1)));
            }
        }
    }
    EXPECT_EQ(lacam.cost(), cost);
    EXPECT_LE(lacam.lower_bound(), cost);
}

constexpr LacamOptions kBothWays[] = {{.one_by_one = true}, {.one_by_one = false}, {.one_by_one = false, .lanes = false}};

TEST(Lacam, SwapsInACorridorWithANiche) {
    for (const LacamOptions& options : kBothWays) {
        test::DrawnCrowd drawn(R"(B.ab..A
                                  ###.###)");
        const Instance instance(drawn, "ab");
        Lacam lacam = solver(instance, Movement::kFour, options);
        ASSERT_EQ(lacam.run(), Status::kFound);
        expect_valid(lacam, instance.grid, {&instance.kind, 1}, Movement::kFour, instance.agents);
    }
}

TEST(Lacam, SaysThatADeadEndWithoutANicheCannotBeSwappedIn) {
    for (const LacamOptions& options : kBothWays) {
        test::DrawnCrowd drawn("B.ab.A");
        Lacam lacam = solver(Instance(drawn, "ab"), Movement::kFour, options);
        EXPECT_EQ(lacam.run(), Status::kUnreachable);
        EXPECT_EQ(lacam.run(), Status::kUnreachable);
    }
}

// A corridor of five cells: one goes right, one goes left, and the third lives in the middle. A step is 4; through a home of another 4
// more, against one who chose before 1 more.
TEST(Lacam, LanesLeadAroundHomesAndNotAgainstOthers) {
    test::DrawnCrowd drawn("ac..A");
    const GridSnapshot grid = drawn.world().grid();
    const CrowdKind kind(drawn.costs());
    const CrowdGround ground(grid, {&kind, 1}, Movement::kFour);
    const std::vector<Walker> walkers = {{4, 0}, {0, 0}, {2, 0}, {kNoSpot, kNoField}};
    const std::vector<Spot> start = {0, 4, 1, 3};
    ASSERT_TRUE(LaneFields::fit(ground, walkers));
    EXPECT_FALSE(LaneFields::fit(CrowdGround(grid, {&kind, 1}, Movement::kEight), walkers));
    LaneFields lanes(ground, walkers, start);
    while (!lanes.done()) lanes.add_next();
    EXPECT_TRUE(lanes.all_lead_home());
    EXPECT_EQ(lanes.rest(0, 0), 20u);
    EXPECT_EQ(lanes.rest(1, 4), 24u);
    EXPECT_EQ(lanes.rest(2, 1), 5u);
    EXPECT_EQ(lanes.through(2, 2), 4u);
    EXPECT_EQ(lanes.through(0, 2), 16u);
}

// Rooms with doors, a third full: plans with lanes cost less, and all of them are good.
TEST(Lacam, LanesMakeCrowdedPlansCheaper) {
    constexpr int32_t kSide = 23;
    std::vector<Terrain> cells;
    for (int32_t i = 0; i < kSide * kSide; ++i) {
        const int32_t x = i % kSide % 8, y = i / kSide % 8;
        cells.push_back(static_cast<Terrain>((x == 7 && y != 3) || (y == 7 && x != 3) ? 0 : 1));
    }
    const TerrainGrid made(kSide, kSide, cells, test::digit_catalogue());
    const GridSnapshot grid = made.snapshot();
    const CrowdKind kind(test::digit_profile().compile(grid.catalogue()).value());
    Cost with = 0, without = 0;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        Rng rng(seed);
        std::vector<uint8_t> taken(grid.layout().id_limit(), 0);
        const auto free_cell = [&](uint8_t use) {
            for (;;) {
                const CellId cell = grid.layout().id(test::random_cell(rng, grid));
                if (grid.at(cell) == 0 || (taken[cell] & use) != 0) continue;
                taken[cell] = static_cast<uint8_t>(taken[cell] | use);
                return cell;
            }
        };
        std::vector<LacamAgent> agents;
        for (int i = 0; i < 100; ++i) {
            const CellId at = free_cell(1), goal = free_cell(2);
            agents.push_back({at, goal});
        }
        for (const bool lanes : {false, true}) {
            Lacam lacam(grid, {&kind, 1}, Movement::kFour, {.one_by_one = false, .lanes = lanes});
            lacam.begin(agents);
            ASSERT_EQ(lacam.run(), Status::kFound);
            expect_valid(lacam, grid, {&kind, 1}, Movement::kFour, agents);
            (lanes ? with : without) += lacam.cost();
        }
    }
    EXPECT_LT(with * 20, without * 19);
}

TEST(Lacam, AFullRingTurnsInOneTick) {
    test::DrawnCrowd drawn(R"(ab
                              dc)");
    Instance instance(drawn, "abcd");
    for (size_t i = 0; i < 4; ++i) instance.agents[i].goal = instance.agents[(i + 1) % 4].at;
    Lacam lacam = solver(instance, Movement::kFour);
    ASSERT_EQ(lacam.run(), Status::kFound);
    EXPECT_EQ(lacam.ticks(), 1u);
    EXPECT_EQ(to_real(lacam.cost()), 4.0);
}

TEST(Lacam, GoalsThatCannotBeMet) {
    test::DrawnCrowd drawn("ab.#A");
    Instance instance(drawn, "ab");
    EXPECT_EQ(solver(instance, Movement::kFour).run(), Status::kUnreachable);  // behind a wall
    instance.agents[0].goal = instance.agents[1].goal;
    EXPECT_EQ(solver(instance, Movement::kFour).run(), Status::kUnreachable);  // both at one
    Lacam lenient = solver(instance, Movement::kFour, {.lenient = true});
    EXPECT_EQ(lenient.run(), Status::kFound);
    EXPECT_EQ(lenient.at(1, lenient.ticks()), instance.agents[1].goal);
}

TEST(Lacam, NobodyAndOneWhoIsThereAlready) {
    test::DrawnCrowd drawn("a..");
    Instance instance(drawn, "a");
    Lacam lacam = solver(instance, Movement::kFour);
    EXPECT_EQ(lacam.run(), Status::kFound);
    EXPECT_EQ(lacam.ticks(), 0u);
    EXPECT_EQ(lacam.improve(100), Status::kFound);
    lacam.begin({});
    EXPECT_EQ(lacam.run(), Status::kFound);
    EXPECT_EQ(lacam.cost(), 0u);
}

// Tiny worlds, full to bursting: a plan is found where there is one, and only there.
TEST(Lacam, FindsAPlanWhereverThereIsOne) {
    Rng rng(3);
    uint32_t solvable = 0, unsolvable = 0;
    for (int round = 0; round < 80; ++round) {
        const int32_t width = rng.between(2, 4), height = rng.between(1, 3);
        std::vector<Terrain> cells;
        for (int32_t i = 0; i < width * height; ++i) cells.push_back(static_cast<Terrain>(rng.chance(1, 4) ? 0 : 1 + rng.below(2)));
        const TerrainGrid made(width, height, cells, test::digit_catalogue());
        const GridSnapshot grid = made.snapshot();
        const CrowdKind kind(test::digit_profile().compile(grid.catalogue()).value());
        const auto movement = static_cast<Movement>(rng.below(3));
        std::vector<CellId> open, goals;
        for (int32_t i = 0; i < width * height; ++i) {
            const Cell cell{i % width, i / width};
            if (grid.at(cell) != 0) open.push_back(grid.layout().id(cell));
        }
        goals = open;
        for (size_t i = open.size(); i > 1; --i) std::swap(goals[i - 1], goals[rng.below(static_cast<uint32_t>(i))]);
        for (size_t i = open.size(); i > 1; --i) std::swap(open[i - 1], open[rng.below(static_cast<uint32_t>(i))]);
        const size_t count = std::min<size_t>(open.size(), 1 + rng.below(4));
        std::vector<LacamAgent> agents;
        test::Configuration from, to;
        for (size_t i = 0; i < count; ++i) {
            agents.push_back({open[i], goals[i]});
            from.push_back(open[i]);
            to.push_back(goals[i]);
        }
        const bool expected = test::joint_solvable({grid, kind.costs, movement}, from, to);
        Lacam lacam(grid, {&kind, 1}, movement, {.one_by_one = rng.chance(1, 2), .swap = rng.chance(1, 2), .lanes = round % 2 == 0});
        lacam.begin(agents);
        ASSERT_EQ(lacam.run(), expected ? Status::kFound : Status::kUnreachable) << "round " << round;
        (expected ? solvable : unsolvable) += 1;
        if (!expected) continue;
        expect_valid(lacam, grid, {&kind, 1}, movement, agents);
        lacam.improve(2000);
        expect_valid(lacam, grid, {&kind, 1}, movement, agents);
    }
    EXPECT_GT(solvable, 15u);
    EXPECT_GT(unsolvable, 15u);
}

struct RandomInstance {
    TerrainGrid grid;
    std::vector<CrowdKind> kinds;
    std::vector<LacamAgent> agents;
};

// A map with some walls and two kinds; each agent's goal is in its reach, no two the same.
RandomInstance random_instance(Rng& rng, int32_t side, uint32_t terrains, Movement movement, size_t count) {
    std::vector<Terrain> cells;
    for (int32_t i = 0; i < side * side; ++i) cells.push_back(static_cast<Terrain>(rng.chance(1, 7) ? 0 : 1 + rng.below(terrains)));
    RandomInstance made{TerrainGrid(side, side, cells, test::digit_catalogue()), {}, {}};
    const GridSnapshot grid = made.grid.snapshot();
    const CostTable costs = test::digit_profile().compile(grid.catalogue()).value();
    CostTable other = costs;
    if (terrains > 1) other.cost[terrains] = 0;
    made.kinds = {CrowdKind(costs), CrowdKind(other)};
    std::vector<uint8_t> start(grid.layout().id_limit(), 0), goal(start);
    for (size_t tries = 0; tries < 50 * count && made.agents.size() < count; ++tries) {
        const Cell from = test::random_cell(rng, grid), to = test::random_cell(rng, grid);
        const auto kind = static_cast<uint16_t>(rng.below(2));
        const oracle::Map map = test::to_oracle(grid, made.kinds[kind].costs);
        const CellId a = grid.layout().id(from), b = grid.layout().id(to);
        if (start[a] != 0 || goal[b] != 0 || map.at(from.x, from.y) < 0) continue;
        const auto far = oracle::distances(map, from.x, from.y, test::to_oracle(movement));
        if (far[static_cast<size_t>(to.y * side + to.x)] == oracle::kFar) continue;
        start[a] = goal[b] = 1;
        made.agents.push_back({a, b, kind});
    }
    return made;
}

TEST(Lacam, PlansOfRandomCrowdsAreValidBeforeAndAfterImprovement) {
    Rng rng(17);
    for (int round = 0; round < 12; ++round) {
        const auto movement = static_cast<Movement>(round % 3);
        const RandomInstance made = random_instance(rng, 14, 1 + static_cast<uint32_t>(round) % 4, movement, 30);
        const GridSnapshot grid = made.grid.snapshot();
        Lacam lacam(grid, made.kinds, movement, {.one_by_one = round % 2 == 0});
        lacam.begin(made.agents);
        const Status status = lacam.run(4'000'000);
        if (status != Status::kFound) continue;  // two kinds can be in each other's way for good
        expect_valid(lacam, grid, made.kinds, movement, made.agents);
        const Cost before = lacam.cost();
        lacam.improve(30000);
        EXPECT_LE(lacam.cost(), before);
        expect_valid(lacam, grid, made.kinds, movement, made.agents);
    }
}

TEST(Lacam, SlicesMakeNoDifferenceNorDoThreadsGolden) {
    Rng rng(23);
    const RandomInstance made = random_instance(rng, 20, 1, Movement::kFour, 120);
    const GridSnapshot grid = made.grid.snapshot();
    struct Golden {
        bool one_by_one, lanes;
        uint64_t hash;
    };
    for (const Golden& golden :
         {Golden{true, false, 6458602017362326772u}, {false, true, 18431146161565164795u}, {false, false, 7137671846457802507u}}) {
        for (const uint32_t threads : {1u, 2u, 8u}) {
            const LacamOptions options{.one_by_one = golden.one_by_one, .lanes = golden.lanes, .threads = threads};
            Lacam lacam(grid, made.kinds, Movement::kFour, options);
            lacam.begin(made.agents);
            const uint64_t slice = threads == 1 ? kUnlimited : 1000;
            Status status = Status::kBudgetSpent;
            while (status == Status::kBudgetSpent) status = lacam.run(slice);
            ASSERT_EQ(status, Status::kFound);
            EXPECT_EQ(lacam.one_by_one(), golden.one_by_one);
            lacam.improve(50000);
            uint64_t hash = lacam.cost();
            for (Tick tick = 0; tick <= lacam.ticks(); ++tick) {
                for (size_t i = 0; i < made.agents.size(); ++i) hash = mix64(hash ^ lacam.at(i, tick));
            }
            EXPECT_EQ(hash, golden.hash) << threads;
        }
    }
}

// ---- As a method of a crowd

TEST(Lacam, MovesACrowdThroughADoorAndNeverCollides) {
    for (const Movement movement : {Movement::kFour, Movement::kEight}) {
        test::DrawnCrowd drawn(R"(abcd#....ABCD
                                  efgh.....EFGH
                                  ijkl#....IJKL)");
        Crowd crowd = drawn.crowd(make_lacam({.improve = true}), movement);
        const test::CrowdRun run = test::run_crowd(crowd, 100);
        EXPECT_TRUE(run.arrived);
        EXPECT_EQ(run.faults, 0u);
    }
}

TEST(Lacam, PlansAnewWhenABridgeBurns) {
    test::DrawnCrowd drawn(R"(a.b#....
                              ..........
                              ...#.....
                              ...#.A.B.
                              .........)");
    Crowd crowd = drawn.crowd(make_lacam());
    crowd.tick();
    drawn.world().set({3, 1}, Terrain{0});
    const test::CrowdRun run = test::run_crowd(crowd, 100);
    EXPECT_TRUE(run.arrived);
    EXPECT_EQ(run.faults, 0u);
    EXPECT_EQ(crowd.method().work().plans, 2u);
}

TEST(Lacam, WhateverHappensEveryStepIsLegal) {
    Rng rng(29);
    for (int round = 0; round < 6; ++round) {
        test::RandomWorld random = test::random_world(rng, 14);
        const Movement movement = random.movement;
        World world(std::move(random.grid), {.sectors = {}});
        Crowd crowd(world, {random.costs}, make_lacam({.improve = round % 2 == 0, .budget = 5000}), {.movement = movement});
        for (int step = 0; step < 40; ++step) {
            const Cell at = test::random_cell(rng, crowd.grid()), goal = test::random_cell(rng, crowd.grid());
            if (step < 20) crowd.add(at, goal);
            if (rng.chance(1, 6) && !crowd.agents().empty()) {
                const auto agent = rng.below(static_cast<uint32_t>(crowd.agents().size()));
                crowd.set_goal(agent, goal);
            }
            if (rng.chance(1, 10) && !crowd.agents().empty()) crowd.remove(rng.below(static_cast<uint32_t>(crowd.agents().size())));
            if (rng.chance(1, 10)) world.set(at, static_cast<Terrain>(rng.below(8)));
            const auto fault = crowd.tick();
            ASSERT_FALSE(fault.has_value()) << "round " << round << ", " << to_string(fault->kind);
        }
    }
}

}  // namespace
}  // namespace terrane
