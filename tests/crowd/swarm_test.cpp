#include "terrane/crowd/swarm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "crowd/drawn_crowd.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {
namespace {

using test::CrowdRun;
using test::DrawnCrowd;
using test::run_crowd;

CrowdRun run_drawing(const char* drawing, Tick most, Movement movement = Movement::kFour) {
    DrawnCrowd drawn(drawing);
    Crowd crowd = drawn.crowd(make_swarm(), movement);
    return run_crowd(crowd, most);
}

TEST(Swarm, ALoneAgentTakesTheShortestPath) {
    const CrowdRun run = run_drawing("a....A", 10);
    EXPECT_TRUE(run.arrived);
    EXPECT_EQ(run.ticks, 5u);
    EXPECT_EQ(run.cost, 5 * Cost{kCostPerUnit});
}

TEST(Swarm, TerrainCostsDetermineTheRoute) {
    const CrowdRun run = run_drawing(R"(a9A
                                        ...)",
                                     10);
    EXPECT_TRUE(run.arrived);
    EXPECT_EQ(run.ticks, 4u);
}

TEST(Swarm, OppositeAgentsPassEachOther) {
    for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kEightCutCorners, Movement::kFour}) {
        const CrowdRun run = run_drawing(R"(........
                                            aB....bA
                                            ........)",
                                         40, movement);
        EXPECT_TRUE(run.arrived) << to_string(movement);
        EXPECT_LE(run.ticks, 12u) << to_string(movement);
    }
}

TEST(Swarm, CorridorSwapUsesTheNiche) {
    const CrowdRun run = run_drawing(R"(#####.#####
                                        aB.......bA)",
                                     400);
    EXPECT_TRUE(run.arrived);
    EXPECT_EQ(run.faults, 0u);
}

TEST(Swarm, CorridorWithoutNicheHasNoConflicts) {
    const CrowdRun run = run_drawing("aB..bA", 200);
    EXPECT_FALSE(run.arrived);
    EXPECT_EQ(run.faults, 0u);
}

TEST(Swarm, BottleneckLetsAllThrough) {
    const CrowdRun run = run_drawing(R"(abc.#.ABC
                                        def.#.DEF
                                        ghi...GHI
                                        jkl.#.JKL
                                        mno.#.MNO)",
                                     400);
    EXPECT_TRUE(run.arrived);
    EXPECT_EQ(run.faults, 0u);
}

TEST(Swarm, StreamsCross) {
    for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kFour}) {
        const CrowdRun run = run_drawing(R"(....efgh....
                                            ............
                                            a..........A
                                            b..........B
                                            c..........C
                                            d..........D
                                            ............
                                            ....EFGH....)",
                                         100, movement);
        EXPECT_TRUE(run.arrived) << to_string(movement);
        EXPECT_LE(run.ticks, 30u) << to_string(movement);
    }
}

TEST(Swarm, FullRingTurns) {
    DrawnCrowd drawn(R"(abc
                        h#d
                        gfe)");
    Crowd crowd(drawn.world(), {drawn.costs()}, make_swarm(), {.movement = Movement::kFour});
    const std::string ring = "abcdefgh";
    for (size_t i = 0; i < ring.size(); ++i) crowd.add(drawn.start(ring[i]), drawn.start(ring[(i + 1) % ring.size()]));
    const CrowdRun run = run_crowd(crowd, 60);
    EXPECT_TRUE(run.arrived);
    EXPECT_EQ(run.faults, 0u);
}

TEST(Swarm, WaitsForABlockedGoal) {
    DrawnCrowd drawn("a.#A");
    Crowd crowd = drawn.crowd(make_swarm());
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(crowd.tick().has_value());
    EXPECT_FALSE(crowd.all_arrived());
    EXPECT_EQ(crowd.method().work().failures, 1u);
    drawn.world().set({2, 0}, drawn.world().grid().at(Cell{1, 0}));
    EXPECT_TRUE(run_crowd(crowd, 40).arrived);
}

TEST(Swarm, EnclosedAgentWaitsAndGoesOnceItIsFree) {
    DrawnCrowd drawn("a...A");
    Crowd crowd = drawn.crowd(make_swarm());
    crowd.tick();
    const Terrain wall = *drawn.world().grid().catalogue().find("wall");
    const Terrain open = drawn.world().grid().at(Cell{4, 0});
    drawn.world().fill({{0, 0}, {4, 1}}, wall);  // includes the agent's cell
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(crowd.tick().has_value());
    EXPECT_EQ(crowd.layout().cell(crowd.agents()[0].at), (Cell{1, 0}));
    drawn.world().fill({{0, 0}, {4, 1}}, open);
    EXPECT_TRUE(run_crowd(crowd, 40).arrived);
}

TEST(Swarm, StepsOffACellThatBecameBlocked) {
    DrawnCrowd drawn(R"(..a..A
                        ......)");
    Crowd crowd = drawn.crowd(make_swarm());
    drawn.world().set({2, 0}, *drawn.world().grid().catalogue().find("wall"));
    EXPECT_TRUE(run_crowd(crowd, 20).arrived);
}

TEST(Swarm, GoesAroundABridgeThatBurns) {
    DrawnCrowd drawn(R"(....##....
                        a........A
                        ....##....
                        ..........)");
    Crowd crowd = drawn.crowd(make_swarm());
    for (int i = 0; i < 3; ++i) crowd.tick();
    drawn.world().fill({{4, 1}, {2, 1}}, *drawn.world().grid().catalogue().find("wall"));
    const CrowdRun run = run_crowd(crowd, 30);
    EXPECT_TRUE(run.arrived);
    EXPECT_EQ(run.faults, 0u);
}

TEST(Swarm, BudgetOfOneExpansionStillGetsThere) {
    DrawnCrowd drawn(R"(a.....
                        .####.
                        .....A)");
    Crowd crowd = drawn.crowd(make_swarm({.budget = 1}));
    EXPECT_TRUE(run_crowd(crowd, 200).arrived);
}

TEST(Swarm, AgentsTakeTurnsAtACommonGoal) {
    DrawnCrowd drawn(R"(a....
                        b....
                        c...X
                        d....)");
    Crowd crowd(drawn.world(), {drawn.costs()}, make_swarm(), {});
    for (const char letter : {'a', 'b', 'c', 'd'}) crowd.add(drawn.start(letter), {4, 2});
    for (int i = 0; i < 60; ++i) EXPECT_FALSE(crowd.tick().has_value());
    EXPECT_GE(crowd.arrivals(), 4u);
}

// ---- Random events

CostTable random_costs(Rng& rng) {
    Profile profile;
    for (const TerrainType& type : Catalogue::standard().types()) {
        const double cost = 1 + rng.below(9);
        rng.chance(1, 4) ? profile.blocked(type.name) : profile.cost(type.name, cost);
    }
    return profile.compile(Catalogue::standard()).value();
}

// A random world with overlays, with regions only, or with neither; three agent types.
struct Chaos {
    uint32_t preparation;
    World world;
    std::vector<CostTable> types;
    Movement movement;

    Chaos(Rng& rng, test::RandomWorld random)
        : preparation(rng.below(3)), world(std::move(random.grid), options(preparation)), types{random.costs}, movement(random.movement) {
        while (types.size() < 3) types.push_back(random_costs(rng));
        PrepareOptions prepare;
        prepare.movement = movement;
        for (const CostTable& costs : types) {
            if (preparation == 2) static_cast<void>(world.prepare(costs, prepare).value());
        }
    }
    static WorldOptions options(uint32_t preparation) {
        WorldOptions options;
        if (preparation == 0) options.sectors.clear();
        return options;
    }
};

Cell random_cell(const GridLayout& layout, Rng& rng) {
    const int32_t x = rng.between(0, layout.width - 1);
    const int32_t y = rng.between(0, layout.height - 1);
    return {x, y};
}

void edit_somewhere(World& world, Rng& rng) {
    const GridLayout layout = world.grid().layout();
    const Cell corner = random_cell(layout, rng);
    const int32_t side = rng.between(1, 12);
    const auto terrain = static_cast<Terrain>(rng.below(world.grid().catalogue().size()));
    world.fill({corner, {side, side}}, terrain);
}

void disturb(Chaos& chaos, Crowd& crowd, Rng& rng) {
    if (rng.chance(1, 8)) edit_somewhere(chaos.world, rng);
    const Cell from = random_cell(crowd.layout(), rng);
    const Cell to = random_cell(crowd.layout(), rng);
    const auto anyone = static_cast<AgentId>(rng.below(static_cast<uint32_t>(crowd.agents().size()) + 1));
    switch (rng.below(6)) {
        case 0: crowd.add(from, to, static_cast<uint16_t>(rng.below(3))); break;
        case 1: crowd.remove(anyone); break;
        case 2:
        case 3: crowd.set_goal(anyone, to); break;
        default: break;
    }
}

TEST(SwarmProperty, NoMoveIsEverRefused) {
    for (uint64_t seed = 0; seed < 40; ++seed) {
        Rng rng(seed);
        Chaos chaos(rng, test::random_world(rng, 70));
        const uint64_t budget = rng.chance(1, 2) ? 50 : 20000;
        Crowd crowd(chaos.world, chaos.types, make_swarm({.budget = budget, .stuck_ticks = 4, .flow = seed % 2 == 0}),
                    {.movement = chaos.movement});
        const auto wanted = static_cast<size_t>(rng.between(1, static_cast<int32_t>(std::min<uint64_t>(150, crowd.layout().cells()))));
        for (size_t i = 0; i < wanted; ++i) {
            const Cell from = random_cell(crowd.layout(), rng);
            const Cell to = random_cell(crowd.layout(), rng);
            crowd.add(from, to, static_cast<uint16_t>(i % 3));
        }
        for (int i = 0; i < 60; ++i) {
            disturb(chaos, crowd, rng);
            const auto fault = crowd.tick();
            ASSERT_FALSE(fault.has_value()) << "seed " << seed << ", tick " << i << ": " << to_string(fault->type);
        }
    }
}

// A crowd on a sixth of a connected world, with a new goal for each agent that arrives, must not freeze.
TEST(SwarmProperty, DenseCrowdsKeepMoving) {
    for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kFour}) {
        World world(generate_rooms({.width = 32, .height = 32, .room = 11}).value());
        const CostTable costs = Profile::preset("walker")->compile(world.grid().catalogue()).value();
        PrepareOptions prepare;
        prepare.movement = movement;
        static_cast<void>(world.prepare(costs, prepare).value());
        Crowd crowd(world, {costs}, make_swarm(), {.movement = movement});
        Rng rng(9);
        while (crowd.present() < 150) {
            const Cell from = random_cell(crowd.layout(), rng);
            const Cell to = random_cell(crowd.layout(), rng);
            if (costs.passable(world.grid().at(to))) crowd.add(from, to);
        }
        uint64_t half = 0;
        for (int i = 0; i < 200; ++i) {
            ASSERT_FALSE(crowd.tick().has_value());
            if (i == 100) half = crowd.arrivals();
            for (AgentId agent = 0; agent < crowd.agents().size(); ++agent) {
                if (crowd.agents()[agent].at_goal()) crowd.set_goal(agent, random_cell(crowd.layout(), rng));
            }
        }
        EXPECT_GT(crowd.arrivals() - half, 50u) << to_string(movement);
    }
}

TEST(SwarmGolden, SamePositionsEverywhere) {
    uint64_t hash = 0;
    for (uint64_t seed = 100; seed < 106; ++seed) {
        Rng rng(seed);
        Chaos chaos(rng, test::random_world(rng, 60));
        Crowd crowd(chaos.world, chaos.types, make_swarm({.stuck_ticks = 4}), {.movement = chaos.movement});
        for (int i = 0; i < 80; ++i) {
            const Cell from = random_cell(crowd.layout(), rng);
            const Cell to = random_cell(crowd.layout(), rng);
            crowd.add(from, to, static_cast<uint16_t>(i % 3));
        }
        for (int i = 0; i < 50; ++i) {
            disturb(chaos, crowd, rng);
            crowd.tick();
            for (const CrowdAgent& agent : crowd.agents()) hash = mix64(hash ^ agent.at);
        }
        hash = mix64(hash ^ crowd.method().work().expansions);
    }
    EXPECT_EQ(hash, 12662015405687408100u);
}

}  // namespace
}  // namespace terrane
