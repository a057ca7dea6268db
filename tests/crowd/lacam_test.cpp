#include "terrane/crowd/lacam.h"

#include <gtest/gtest.h>

#include <vector>

#include "crowd/drawn_crowd.h"
#include "crowd/joint_oracle.h"
#include "crowd/pibt/guidance_fields.h"

namespace terrane {
namespace {

// A drawn crowd as an instance for Lacam. Agents are selected by letter.
struct Instance {
    GridSnapshot grid;
    AgentType type;
    std::vector<LacamAgent> agents;

    explicit Instance(test::DrawnCrowd& drawn, std::string_view letters) : grid(drawn.world().grid()), type(drawn.costs()) {
        for (const char c : letters) agents.push_back({grid.layout().id(drawn.start(c)), grid.layout().id(drawn.goal(c))});
    }
};

Lacam begin_lacam(const Instance& instance, Movement movement, const LacamOptions& options = {}) {
    Lacam lacam(instance.grid, {&instance.type, 1}, movement, options);
    lacam.begin(instance.agents);
    return lacam;
}

// Checks the plan tick by tick by the rules of Crowd, and recomputes its cost.
void expect_valid(const Lacam& lacam, const GridSnapshot& grid, std::span<const AgentType> types, Movement movement,
                  std::span<const LacamAgent> agents) {
    Cost cost = 0;
    for (size_t i = 0; i < agents.size(); ++i) {
        ASSERT_EQ(lacam.at(i, 0), agents[i].at);
        ASSERT_EQ(lacam.at(i, lacam.ticks()), agents[i].goal);
        Tick last = lacam.ticks();
        while (last > 0 && lacam.at(i, last - 1) == agents[i].goal) --last;
        for (Tick tick = 0; tick < lacam.ticks(); ++tick) {
            const CellId from = lacam.at(i, tick), to = lacam.at(i, tick + 1);
            const AgentType& type = types[agents[i].type];
            ASSERT_TRUE(Ground(grid, type.costs, movement).can_step(from, to));
            if (tick < last && from == to) cost += type.wait;
            if (from != to) cost += Ground({grid, type.costs, movement}).step_cost(grid.layout().cell(from), grid.layout().cell(to));
            for (size_t k = 0; k < i; ++k) {
                ASSERT_NE(lacam.at(k, tick + 1), to);
                ASSERT_FALSE(moves_conflict(grid.layout(), from, to, lacam.at(k, tick), lacam.at(k, tick + 1)));
            }
        }
    }
    EXPECT_EQ(lacam.cost(), cost);
    EXPECT_LE(lacam.lower_bound(), cost);
}

constexpr LacamOptions kAllPlanners[] = {{.prioritized = true}, {.prioritized = false}, {.prioritized = false, .guidance = false}};

TEST(Lacam, SwapsInACorridorWithANiche) {
    for (const LacamOptions& options : kAllPlanners) {
        test::DrawnCrowd drawn(R"(B.ab..A
                                  ###.###)");
        const Instance instance(drawn, "ab");
        Lacam lacam = begin_lacam(instance, Movement::kFour, options);
        ASSERT_EQ(lacam.run(), Status::kFound);
        expect_valid(lacam, instance.grid, {&instance.type, 1}, Movement::kFour, instance.agents);
    }
}

TEST(Lacam, ReportsThatACorridorWithoutANicheIsInfeasible) {
    for (const LacamOptions& options : kAllPlanners) {
        test::DrawnCrowd drawn("B.ab.A");
        Lacam lacam = begin_lacam(Instance(drawn, "ab"), Movement::kFour, options);
        EXPECT_EQ(lacam.run(), Status::kUnreachable);
        EXPECT_EQ(lacam.run(), Status::kUnreachable);
    }
}

// A corridor of five cells: agent 0 goes right, agent 1 goes left, and the goal of agent 2 is in the middle. A step costs 4, entering the
// goal of another agent 4 more, and a move against the guide path of an earlier agent 1 more.
TEST(Lacam, GuidanceAvoidsGoalsOfOthersAndContraflow) {
    test::DrawnCrowd drawn("ac..A");
    const GridSnapshot grid = drawn.world().grid();
    const AgentType type(drawn.costs());
    const CrowdGround ground(grid, {&type, 1}, Movement::kFour);
    const std::vector<Walker> walkers = {{4, 0}, {0, 0}, {2, 0}, {kNoSpot, kNoField}};
    const std::vector<Spot> start = {0, 4, 1, 3};
    ASSERT_TRUE(GuidanceFields::supports(ground, walkers));
    EXPECT_FALSE(GuidanceFields::supports(CrowdGround(grid, {&type, 1}, Movement::kEightNoCornerCutting), walkers));
    GuidanceFields guidance(ground, walkers, start);
    while (!guidance.done()) guidance.add_next();
    EXPECT_TRUE(guidance.all_reach_goals());
    EXPECT_EQ(guidance.distance(0, 0), 20u);
    EXPECT_EQ(guidance.distance(1, 4), 24u);
    EXPECT_EQ(guidance.distance(2, 1), 5u);
    EXPECT_EQ(guidance.cost_through(2, 2), 4u);
    EXPECT_EQ(guidance.cost_through(0, 2), 16u);
}

// Rooms with doors, a third full: plans with guidance cost at least 5% less, and all plans are valid.
TEST(Lacam, GuidanceLowersTheCostOfCongestedPlans) {
    constexpr int32_t kSide = 23;
    std::vector<Terrain> cells;
    for (int32_t i = 0; i < kSide * kSide; ++i) {
        const int32_t x = i % kSide % 8, y = i / kSide % 8;
        cells.push_back(static_cast<Terrain>((x == 7 && y != 3) || (y == 7 && x != 3) ? 0 : 1));
    }
    const TerrainGrid made(kSide, kSide, cells, test::digit_catalogue());
    const GridSnapshot grid = made.snapshot();
    const AgentType type(test::digit_profile().compile(grid.catalogue()).value());
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
        for (const bool guidance : {false, true}) {
            Lacam lacam(grid, {&type, 1}, Movement::kFour, {.prioritized = false, .guidance = guidance});
            lacam.begin(agents);
            ASSERT_EQ(lacam.run(), Status::kFound);
            expect_valid(lacam, grid, {&type, 1}, Movement::kFour, agents);
            (guidance ? with : without) += lacam.cost();
        }
    }
    EXPECT_LT(with * 20, without * 19);
}

TEST(Lacam, AFullRingTurnsInOneTick) {
    test::DrawnCrowd drawn(R"(ab
                              dc)");
    Instance instance(drawn, "abcd");
    for (size_t i = 0; i < 4; ++i) instance.agents[i].goal = instance.agents[(i + 1) % 4].at;
    Lacam lacam = begin_lacam(instance, Movement::kFour);
    ASSERT_EQ(lacam.run(), Status::kFound);
    EXPECT_EQ(lacam.ticks(), 1u);
    EXPECT_EQ(to_real(lacam.cost()), 4.0);
}

TEST(Lacam, UnreachableAndSharedGoalsAreInfeasibleUnlessLenient) {
    test::DrawnCrowd drawn("ab.#A");
    Instance instance(drawn, "ab");
    EXPECT_EQ(begin_lacam(instance, Movement::kFour).run(), Status::kUnreachable);  // unreachable
    instance.agents[0].goal = instance.agents[1].goal;
    EXPECT_EQ(begin_lacam(instance, Movement::kFour).run(), Status::kUnreachable);  // shared
    Lacam lenient = begin_lacam(instance, Movement::kFour, {.lenient = true});
    EXPECT_EQ(lenient.run(), Status::kFound);
    EXPECT_EQ(lenient.at(1, lenient.ticks()), instance.agents[1].goal);
}

TEST(Lacam, NoAgentsAndAnAgentAtItsGoal) {
    test::DrawnCrowd drawn("a..");
    Instance instance(drawn, "a");
    Lacam lacam = begin_lacam(instance, Movement::kFour);
    EXPECT_EQ(lacam.run(), Status::kFound);
    EXPECT_EQ(lacam.ticks(), 0u);
    EXPECT_EQ(lacam.improve(100), Status::kFound);
    lacam.begin({});
    EXPECT_EQ(lacam.run(), Status::kFound);
    EXPECT_EQ(lacam.cost(), 0u);
}

// Tiny worlds, nearly full: finds a plan if and only if one exists, by a brute-force oracle.
TEST(Lacam, FindsAPlanWhereverThereIsOne) {
    Rng rng(3);
    uint32_t solvable = 0, unsolvable = 0;
    for (int round = 0; round < 80; ++round) {
        const int32_t width = rng.between(2, 4), height = rng.between(1, 3);
        std::vector<Terrain> cells;
        for (int32_t i = 0; i < width * height; ++i) cells.push_back(static_cast<Terrain>(rng.chance(1, 4) ? 0 : 1 + rng.below(2)));
        const TerrainGrid made(width, height, cells, test::digit_catalogue());
        const GridSnapshot grid = made.snapshot();
        const AgentType type(test::digit_profile().compile(grid.catalogue()).value());
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
        const bool expected = test::joint_solvable({grid, type.costs, movement}, from, to);
        Lacam lacam(grid, {&type, 1}, movement, {.prioritized = rng.chance(1, 2), .swap = rng.chance(1, 2), .guidance = round % 2 == 0});
        lacam.begin(agents);
        ASSERT_EQ(lacam.run(), expected ? Status::kFound : Status::kUnreachable) << "round " << round;
        (expected ? solvable : unsolvable) += 1;
        if (!expected) continue;
        expect_valid(lacam, grid, {&type, 1}, movement, agents);
        lacam.improve(2000);
        expect_valid(lacam, grid, {&type, 1}, movement, agents);
    }
    EXPECT_GT(solvable, 15u);
    EXPECT_GT(unsolvable, 15u);
}

struct RandomInstance {
    TerrainGrid grid;
    std::vector<AgentType> types;
    std::vector<LacamAgent> agents;
};

// A map with some obstacles and two agent types; every goal is reachable, and no two are equal.
RandomInstance random_instance(Rng& rng, int32_t side, uint32_t terrains, Movement movement, size_t count) {
    std::vector<Terrain> cells;
    for (int32_t i = 0; i < side * side; ++i) cells.push_back(static_cast<Terrain>(rng.chance(1, 7) ? 0 : 1 + rng.below(terrains)));
    RandomInstance made{TerrainGrid(side, side, cells, test::digit_catalogue()), {}, {}};
    const GridSnapshot grid = made.grid.snapshot();
    const CostTable costs = test::digit_profile().compile(grid.catalogue()).value();
    CostTable other = costs;
    if (terrains > 1) other.cost[terrains] = 0;
    made.types = {AgentType(costs), AgentType(other)};
    std::vector<uint8_t> start(grid.layout().id_limit(), 0), goal(start);
    for (size_t tries = 0; tries < 50 * count && made.agents.size() < count; ++tries) {
        const Cell from = test::random_cell(rng, grid), to = test::random_cell(rng, grid);
        const auto type = static_cast<uint16_t>(rng.below(2));
        const oracle::Map map = test::to_oracle(grid, made.types[type].costs);
        const CellId a = grid.layout().id(from), b = grid.layout().id(to);
        if (start[a] != 0 || goal[b] != 0 || map.at(from.x, from.y) < 0) continue;
        const auto far = oracle::distances(map, from.x, from.y, test::to_oracle(movement));
        if (far[static_cast<size_t>(to.y * side + to.x)] == oracle::kFar) continue;
        start[a] = goal[b] = 1;
        made.agents.push_back({a, b, type});
    }
    return made;
}

TEST(Lacam, PlansOfRandomCrowdsAreValidBeforeAndAfterImprovement) {
    Rng rng(17);
    for (int round = 0; round < 12; ++round) {
        const auto movement = static_cast<Movement>(round % 3);
        const RandomInstance made = random_instance(rng, 14, 1 + static_cast<uint32_t>(round) % 4, movement, 30);
        const GridSnapshot grid = made.grid.snapshot();
        Lacam lacam(grid, made.types, movement, {.prioritized = round % 2 == 0});
        lacam.begin(made.agents);
        const Status status = lacam.run(4'000'000);
        if (status != Status::kFound) continue;  // two types can block each other forever
        expect_valid(lacam, grid, made.types, movement, made.agents);
        const Cost before = lacam.cost();
        lacam.improve(30000);
        EXPECT_LE(lacam.cost(), before);
        expect_valid(lacam, grid, made.types, movement, made.agents);
    }
}

TEST(Lacam, SlicesMakeNoDifferenceNorDoThreadsGolden) {
    Rng rng(23);
    const RandomInstance made = random_instance(rng, 20, 1, Movement::kFour, 120);
    const GridSnapshot grid = made.grid.snapshot();
    struct Golden {
        bool prioritized, guidance;
        uint64_t hash;
    };
    for (const Golden& golden :
         {Golden{true, false, 6458602017362326772u}, {false, true, 18431146161565164795u}, {false, false, 7137671846457802507u}}) {
        for (const uint32_t threads : {1u, 2u, 8u}) {
            const LacamOptions options{.prioritized = golden.prioritized, .guidance = golden.guidance, .threads = threads};
            Lacam lacam(grid, made.types, Movement::kFour, options);
            lacam.begin(made.agents);
            const uint64_t slice = threads == 1 ? kUnlimited : 1000;
            Status status = Status::kBudgetSpent;
            while (status == Status::kBudgetSpent) status = lacam.run(slice);
            ASSERT_EQ(status, Status::kFound);
            EXPECT_EQ(lacam.prioritized(), golden.prioritized);
            lacam.improve(50000);
            uint64_t hash = lacam.cost();
            for (Tick tick = 0; tick <= lacam.ticks(); ++tick) {
                for (size_t i = 0; i < made.agents.size(); ++i) hash = mix64(hash ^ lacam.at(i, tick));
            }
            EXPECT_EQ(hash, golden.hash) << threads;
        }
    }
}

// ---- As a crowd method

TEST(Lacam, MovesACrowdThroughADoorAndNeverCollides) {
    for (const Movement movement : {Movement::kFour, Movement::kEightNoCornerCutting}) {
        test::DrawnCrowd drawn(R"(abcd#....ABCD
                                  efgh.....EFGH
                                  ijkl#....IJKL)");
        Crowd crowd = drawn.crowd(make_lacam({.improve = true}), movement);
        const test::CrowdRun run = test::run_crowd(crowd, 100);
        EXPECT_TRUE(run.arrived);
        EXPECT_EQ(run.faults, 0u);
    }
}

TEST(Lacam, ReplansWhenABridgeBurns) {
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
            ASSERT_FALSE(fault.has_value()) << "round " << round << ", " << to_string(fault->type);
        }
    }
}

}  // namespace
}  // namespace terrane
