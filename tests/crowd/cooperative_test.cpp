#include "terrane/crowd/cooperative.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "crowd/cooperative/rra_star.h"
#include "crowd/drawn_crowd.h"

namespace terrane {
namespace {

using test::DrawnCrowd;
using test::run_crowd;

using Maker = std::function<std::unique_ptr<CrowdMethod>()>;

Maker cooperative(CooperativeAlgorithm algorithm, uint32_t window, uint32_t level = 0, bool flow = false) {
    return
        [=] { return make_cooperative({.algorithm = algorithm, .window = window, .level = level, .flow = flow, .max_expansions = 1000}); };
}
Maker whca(uint32_t window, uint32_t level = 0) { return cooperative(CooperativeAlgorithm::kWhca, window, level); }
Maker ca() { return cooperative(CooperativeAlgorithm::kCa, 1); }
Maker cpra(uint32_t k) { return cooperative(CooperativeAlgorithm::kCpra, k); }

// Every form, by name.
std::map<std::string, Maker> methods() {
    return {{"ca", ca()},
            {"whca:1", whca(1)},
            {"whca:8", whca(8)},
            {"whca:8+flow", cooperative(CooperativeAlgorithm::kWhca, 8, 0, true)},
            {"whca:16,1", whca(16, 1)},
            {"whca:16,2", whca(16, 2)},
            {"cpra:4", cpra(4)},
            {"cpra:16", cpra(16)},
            {"replan", [] { return make_replan({}); }},
            {"replan+flow", [] { return make_replan({.flow = true}); }},
            {"flock", [] { return make_flock({}); }}};
}

// ---- Drawn

TEST(Cooperative, ALoneAgentTakesTheShortestPath) {
    for (const auto& [name, make] : methods()) {
        DrawnCrowd drawn("a.........A");
        Crowd crowd = drawn.crowd(make());
        const auto run = run_crowd(crowd, 50);
        EXPECT_TRUE(run.arrived) << name;
        EXPECT_EQ(run.cost, 10 * kCostPerUnit) << name;
    }
}

TEST(Cooperative, StreamsCrossInTheOpen) {
    for (const auto& [name, make] : methods()) {
        DrawnCrowd drawn(R"(........
                            ..e.f...
                            ........
                            .a....B.
                            .b....A.
                            ........
                            ..F.E...
                            ........)");
        for (const Movement movement : {Movement::kFour, Movement::kEightNoCornerCutting, Movement::kEightCutCorners}) {
            Crowd crowd = drawn.crowd(make(), movement);
            const auto run = run_crowd(crowd, 100);
            EXPECT_EQ(run.faults, 0u) << name;
            EXPECT_TRUE(run.arrived || name == "flock") << name << " " << to_string(movement);
        }
    }
}

// b must leave its goal to let a pass, and return; only cooperative methods do that.
TEST(Cooperative, AnAgentAtItsGoalMakesRoom) {
    constexpr auto kDrawing = R"(####.####
                                 a..b...A.
                                 #########)";
    for (const auto& make : {whca(8), whca(16)}) {
        DrawnCrowd drawn(kDrawing);
        Crowd crowd = drawn.crowd(make());
        EXPECT_TRUE(run_crowd(crowd, 200).arrived);
    }
    DrawnCrowd drawn(kDrawing);
    Crowd stuck = drawn.crowd(make_replan({}));
    EXPECT_FALSE(run_crowd(stuck, 200).arrived);
    EXPECT_EQ(stuck.faults(), 0u);
}

TEST(Cooperative, ASwapInACorridorNeedsItsNiche) {
    constexpr auto kDrawing = R"(####.####
                                 aB.....Ab
                                 #########)";
    DrawnCrowd drawn(kDrawing);
    Crowd crowd = drawn.crowd(whca(16)());
    EXPECT_TRUE(run_crowd(crowd, 200).arrived);
    DrawnCrowd again(kDrawing);
    Crowd whole = again.crowd(ca()());
    EXPECT_FALSE(run_crowd(whole, 200).arrived);  // the first to plan goes straight, and its goal is a dead end
    EXPECT_EQ(whole.faults(), 0u);
}

// No niche: no agent arrives, and none collide.
TEST(Cooperative, ASwapWithoutANicheFailsWithoutConflicts) {
    for (const auto& [name, make] : methods()) {
        DrawnCrowd drawn("aB...Ab");
        Crowd crowd = drawn.crowd(make());
        const auto run = run_crowd(crowd, 100);
        EXPECT_FALSE(run.arrived) << name;
        EXPECT_EQ(run.faults, 0u) << name;
    }
}

TEST(Cooperative, AnUnreachableGoalIsGivenUp) {
    for (const auto& [name, make] : methods()) {
        DrawnCrowd drawn(R"(a..#A
                            b..#.
                            ..B#.)");
        Crowd crowd = drawn.crowd(make());
        for (int i = 0; i < 30; ++i) EXPECT_FALSE(crowd.tick().has_value()) << name;
        EXPECT_TRUE(crowd.agents()[1].at_goal()) << name;
        if (name != "flock") {
            EXPECT_GT(crowd.method().work().failures, 0u) << name;
        }
    }
}

TEST(Cooperative, ABridgeBurnsAndTheyGoAround) {
    for (const auto& [name, make] : methods()) {
        if (name == "flock") continue;
        DrawnCrowd drawn(R"(a...#...A
                            b.......B
                            ....#....
                            ....#....
                            .........)");
        Crowd crowd = drawn.crowd(make());
        for (int i = 0; i < 3; ++i) crowd.tick();
        drawn.world().set({4, 1}, Terrain{0});
        const auto run = run_crowd(crowd, 100);
        EXPECT_TRUE(run.arrived) << name;
        EXPECT_EQ(run.faults, 0u) << name;
    }
}

TEST(Cooperative, ExpensiveTerrainIsAvoided) {
    for (const auto& [name, make] : methods()) {
        if (name == "flock") continue;
        DrawnCrowd drawn(R"(.......
                            a.999.A
                            .......)");
        Crowd crowd = drawn.crowd(make());
        const auto run = run_crowd(crowd, 50);
        EXPECT_TRUE(run.arrived) << name;
        EXPECT_EQ(run.cost, 8 * kCostPerUnit) << name;
    }
}

TEST(Cooperative, AbstractionLevelsTakeLessMemory) {
    const World world(TerrainGrid(128, 128, 0));
    const CostTable costs = Profile("any").compile(Catalogue::standard()).value();
    const auto bytes_of = [&](const Maker& make) {
        Crowd crowd(world, {costs}, make());
        for (int32_t y = 0; y < 128; y += 4) crowd.add({0, y}, {127, 127 - y});
        crowd.tick();
        return crowd.method().bytes();
    };
    EXPECT_LT(bytes_of(whca(8, 2)), bytes_of(whca(8)));
    EXPECT_LT(bytes_of(cpra(8)), bytes_of(whca(8)));
}

// ---- Random

struct Outcome {
    uint64_t faults = 0, hash = 0;
};

// Agents of two types come, leave and change their goals while the map is edited.
Outcome live(const Maker& make, uint64_t seed, int ticks) {
    Rng rng(seed);
    const auto first = test::random_world(rng, 24);
    const auto second = test::random_world(rng, 24);
    WorldOptions options;
    if (rng.chance(1, 2)) options.sectors.clear();
    const GridSnapshot initial = first.grid.snapshot();
    World world(TerrainGrid(initial.width(), initial.height(), initial.cells()), options);
    Crowd crowd(world, {first.costs, second.costs}, make(), {.movement = first.movement});
    const auto cell = [&] { return test::random_cell(rng, initial); };
    const auto add = [&] {
        const Cell at = cell(), goal = cell();
        crowd.add(at, goal, static_cast<uint16_t>(rng.below(2)));
    };
    const uint32_t many = 1 + rng.below(60);
    for (uint32_t i = 0; i < many; ++i) add();
    Outcome outcome;
    for (int tick = 0; tick < ticks; ++tick) {
        outcome.faults += crowd.tick().has_value() ? 1 : 0;
        if (rng.chance(1, 4)) add();
        if (rng.chance(1, 6) && !crowd.agents().empty()) crowd.remove(rng.below(static_cast<uint32_t>(crowd.agents().size())));
        if (rng.chance(1, 2) && !crowd.agents().empty()) {
            const AgentId agent = rng.below(static_cast<uint32_t>(crowd.agents().size()));
            crowd.set_goal(agent, cell());
        }
        if (rng.chance(1, 5)) {
            const Cell at = cell();
            const int32_t side = rng.between(1, 3);
            world.fill({at, {side, side}}, static_cast<Terrain>(rng.below(8)));
        }
    }
    for (const CrowdAgent& agent : crowd.agents()) outcome.hash = mix64(outcome.hash ^ agent.cost ^ uint64_t{agent.at} << 32);
    outcome.hash = mix64(outcome.hash ^ crowd.method().work().expansions);
    return outcome;
}

class EveryMethod : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, NeverProposesAConflict) {
    const Maker make = methods().at(GetParam());
    for (uint64_t seed = 1; seed <= 20; ++seed) ASSERT_EQ(live(make, seed, 60).faults, 0u) << seed;
}

TEST_P(EveryMethod, IsDeterministic) {
    const Maker make = methods().at(GetParam());
    for (uint64_t seed = 100; seed <= 103; ++seed) EXPECT_EQ(live(make, seed, 40).hash, live(make, seed, 40).hash);
}

INSTANTIATE_TEST_SUITE_P(Crowds, EveryMethod,
                         ::testing::Values("ca", "whca:1", "whca:8", "whca:8+flow", "whca:16,1", "whca:16,2", "cpra:4", "cpra:16", "replan",
                                           "replan+flow", "flock"),
                         [](const auto& method) {
                             std::string name = method.param;
                             for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                             return name;
                         });

// Alone on a random world, an agent with a reachable goal arrives.
TEST(Cooperative, ALoneAgentAlwaysArrives) {
    Rng rng(21);
    for (int round = 0; round < 150; ++round) {
        const auto made = test::random_world(rng, 60);
        const GridSnapshot grid = made.grid.snapshot();
        const World world(TerrainGrid(grid.width(), grid.height(), grid.cells()));
        const Cell start = test::random_cell(rng, grid), goal = test::random_cell(rng, grid);
        const RraSpace space({grid, made.costs, made.movement});
        RraStar exact(space, grid.layout().id(goal), grid.layout().id(start));
        if (!made.costs.passable(grid.at(start)) || !made.costs.passable(grid.at(goal))) continue;
        const uint64_t best = exact.distance(grid.layout().id(start));
        if (best == RraStar::kUnreachable) continue;
        for (const auto& [name, make] : methods()) {
            if (name == "flock") continue;
            Crowd crowd(world, {made.costs}, make(), {.movement = made.movement});
            crowd.add(start, goal);
            const auto run = run_crowd(crowd, 3000);
            EXPECT_TRUE(run.arrived) << name << " " << round;
            if (name == "ca" || name == "whca:1" || name == "whca:8" || name == "replan") {
                ASSERT_EQ(run.cost, best * made.costs.divisor) << name << " " << round;
            }
        }
    }
}

TEST(Cooperative, GoldenHash) {
    uint64_t hash = 0;
    for (const auto& [name, make] : methods()) {
        for (uint64_t seed = 200; seed < 204; ++seed) hash = mix64(hash ^ live(make, seed, 50).hash);
    }
    EXPECT_EQ(hash, 3281814724544696638u);
}

}  // namespace
}  // namespace terrane
