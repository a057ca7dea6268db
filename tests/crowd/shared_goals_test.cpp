// Agents with a common goal: their groups, the cache of portal trees, and crowds that use both.
#include "crowd/swarm/shared_goals.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "support/allocations.h"
#include "support/scene.h"
#include "terrane/base/rng.h"
#include "terrane/crowd/swarm.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {
namespace {

using detail::GoalGroups;
using detail::GoalTrees;

// Walkers, which cannot enter water, and swimmers, for which land is expensive.
std::vector<CostTable> two_types(const World& world) {
    const Catalogue catalogue = world.grid().catalogue();
    return {Profile("walker").blocked("lava").blocked("water").cost("trees", 3).otherwise(1).compile(catalogue).value(),
            Profile("swimmer").blocked("lava").cost("water", 1).otherwise(2).compile(catalogue).value()};
}

// Plains with two barriers, a gap in each, and a pond.
TerrainGrid make_plains(int32_t side) {
    TerrainGrid grid(side, side, *Catalogue::standard().find("plains"));
    const auto paint = [&](Rect rect, const char* name) { grid.fill(rect, *Catalogue::standard().find(name)); };
    paint({{side / 3, 0}, {2, side}}, "lava");
    paint({{side / 3, side / 4}, {2, 9}}, "plains");
    paint({{side * 2 / 3, 0}, {2, side}}, "lava");
    paint({{side * 2 / 3, side / 2}, {2, 9}}, "plains");
    paint({{side / 2 - 10, side / 2 - 10}, {20, 20}}, "water");
    paint({{5, side / 2}, {20, side - 5 - side / 2}}, "trees");
    return grid;
}

struct Plains {
    World world;
    std::vector<CostTable> types;

    explicit Plains(int32_t side, uint32_t threads = 1, bool prepared = true) : world(make_plains(side)), types(two_types(world)) {
        PrepareOptions options;
        options.threads = threads;
        for (const CostTable& costs : types) {
            if (prepared) static_cast<void>(world.prepare(costs, options).value());
        }
    }
    Crowd crowd(const SwarmOptions& options = {}) { return {world, types, make_swarm(options)}; }
};

// Adds agents in rows of `width` cells, with alternating types.
void add_block(Crowd& crowd, Cell corner, int32_t width, size_t count, Cell goal) {
    size_t added = 0;
    for (int32_t i = 0; added < count; ++i) {
        const Cell at{corner.x + i % width, corner.y + i / width};
        if (crowd.add(at, goal, static_cast<uint16_t>(added % 2)) != kNoAgent) ++added;
    }
}

uint64_t hash_of(const Crowd& crowd, uint64_t hash) {
    for (const CrowdAgent& state : crowd.agents()) hash = mix64(hash ^ state.at);
    return mix64(hash ^ crowd.method().work().expansions);
}

TEST(GoalGroups, HaveOneTypeAndGoalAndQueueOrder) {
    Plains plains(100);
    Crowd crowd = plains.crowd();
    add_block(crowd, {1, 1}, 20, 80, {90, 90});
    add_block(crowd, {1, 10}, 20, 60, {80, 90});
    const AgentId alone = crowd.add({1, 20}, {70, 90});
    std::deque<AgentId> queue;
    for (AgentId agent = static_cast<AgentId>(crowd.agents().size()); agent-- > 0;) queue.push_back(agent);
    GoalGroups groups;
    groups.count(crowd, queue, [](AgentId agent) { return agent != 4; });
    const auto members = groups.group_of(crowd, 0);
    std::vector<AgentId> expected;
    for (AgentId agent = 78;; agent -= 2) {
        if (agent != 4) expected.push_back(agent);
        if (agent == 0) break;
    }
    EXPECT_EQ((std::vector<AgentId>(members.begin(), members.end())), expected);
    EXPECT_EQ(groups.group_of(crowd, 1).size(), 40u);
    EXPECT_EQ(groups.group_of(crowd, 4).size(), 39u);  // was not counted, but has the same goal
    EXPECT_TRUE(groups.group_of(crowd, 80).empty()) << "30 agents of a type are too few";
    EXPECT_TRUE(groups.group_of(crowd, alone).empty());
    groups.count(crowd, {0, 2, 4, 6}, [](AgentId) { return true; });
    EXPECT_TRUE(groups.group_of(crowd, 0).empty());
    for (const size_t asking : {size_t{31}, size_t{32}}) {
        std::deque<AgentId> some;
        for (AgentId agent = 0; some.size() < asking; agent += 2) some.push_back(agent);
        some.push_back(0);  // a duplicate
        groups.count(crowd, some, [](AgentId) { return true; });
        EXPECT_EQ(groups.group_of(crowd, 0).size(), asking < 32 ? 0u : 32u);
    }
}

TEST(GoalGroups, NoAgentsShareWithoutAnOverlay) {
    Plains plains(100, 1, false);
    Crowd crowd = plains.crowd();
    add_block(crowd, {1, 1}, 20, 100, {90, 90});
    std::deque<AgentId> queue;
    for (AgentId agent = 0; agent < 100; ++agent) queue.push_back(agent);
    GoalGroups groups;
    groups.count(crowd, queue, [](AgentId) { return true; });
    EXPECT_TRUE(groups.group_of(crowd, 0).empty());
    GoalTrees trees;
    EXPECT_EQ(trees.get(crowd, 0, crowd.agents()[0].goal), nullptr);
}

TEST(GoalTrees, AreCachedByGoalTypeAndVersion) {
    Plains plains(100);
    Crowd crowd = plains.crowd();
    crowd.add({1, 1}, {90, 90});
    GoalTrees trees;
    const GridLayout layout = crowd.layout();
    PortalTree* const tree = trees.get(crowd, 0, layout.id({90, 90}));
    ASSERT_NE(tree, nullptr);
    EXPECT_EQ(tree->goal(), (Cell{90, 90}));
    EXPECT_NE(trees.get(crowd, 1, layout.id({90, 90})), tree);
    EXPECT_NE(trees.get(crowd, 0, layout.id({90, 91})), tree);
    EXPECT_EQ(trees.get(crowd, 0, layout.id({90, 90})), tree);
    EXPECT_EQ(trees.count(), 3u);
    plains.world.set({50, 3}, "lava").value();
    crowd.tick();
    trees.discard_stale(crowd, tree);
    EXPECT_EQ(trees.count(), 1u);
    PortalTree* const next = trees.get(crowd, 0, layout.id({90, 90}));
    EXPECT_NE(next, tree);
    EXPECT_NE(&next->overlay().data(), &tree->overlay().data());
    trees.discard_stale(crowd, nullptr);
    EXPECT_EQ(trees.count(), 1u);
    for (int i = 0; i < 100; ++i) crowd.tick();
    trees.discard_stale(crowd, nullptr);
    EXPECT_EQ(trees.count(), 0u) << "unused for too long";
}

TEST(GoalTrees, StayWithinTheirMemoryLimit) {
    World world(generate_island({.width = 512, .height = 512, .seed = 3}).value());
    const std::vector<CostTable> types = {Profile::preset("walker")->compile(world.grid().catalogue()).value()};
    static_cast<void>(world.prepare(types[0]).value());
    Crowd crowd(world, types, make_swarm());
    GoalTrees trees;
    Rng rng(4);
    size_t made = 0;
    while (made < 300) {
        const int32_t x = rng.between(0, 511);
        const Cell goal{x, rng.between(0, 511)};
        if (!types[0].passable(world.grid().at(goal))) continue;
        trees.get(crowd, 0, crowd.layout().id(goal))->run();
        ++made;
        ASSERT_LE(trees.bytes(), (size_t{8} << 20) + trees.count() * (size_t{64} << 10));
    }
    EXPECT_GT(trees.count(), 4u);
    EXPECT_LT(trees.count(), made);
}

// ---- Crowds

// All routes in the first tick, before agents block each other.
TEST(SharedGoals, TakeFewerExpansionsThanARoutePerAgent) {
    uint64_t expansions[2];
    for (const bool share : {false, true}) {
        Plains plains(300);
        Crowd crowd = plains.crowd({.budget = 0, .share_goal_searches = share});
        add_block(crowd, {2, 200}, 50, 500, {270, 20});
        ASSERT_FALSE(crowd.tick().has_value());
        EXPECT_EQ(crowd.method().work().plans, 500u);
        expansions[share ? 1 : 0] = crowd.method().work().expansions;
    }
    EXPECT_LT(expansions[1], expansions[0] * 3 / 4);
}

TEST(SharedGoals, FiveHundredOfTwoTypesGatherAroundOneGoal) {
    Plains plains(200);
    Crowd crowd = plains.crowd();
    const Cell goal{180, 20};
    add_block(crowd, {2, 100}, 50, 500, goal);
    for (int i = 0; i < 450; ++i) ASSERT_FALSE(crowd.tick().has_value());
    size_t around = 0;
    for (const CrowdAgent& state : crowd.agents()) {
        const Cell at = crowd.layout().cell(state.at);
        around += at.x >= 134 && std::abs(at.x - goal.x) <= 40 && std::abs(at.y - goal.y) <= 40 ? 1 : 0;
    }
    EXPECT_EQ(around, 500u);
    EXPECT_GE(crowd.arrivals(), 1u);
}

TEST(SharedGoals, ResultsDoNotDependOnTheThreads) {
    std::vector<uint64_t> hashes;
    for (const uint32_t threads : {1u, 1u, 3u}) {
        Plains plains(160, threads);
        Crowd crowd = plains.crowd({.budget = 2000});
        add_block(crowd, {2, 60}, 40, 500, {150, 20});
        uint64_t hash = 0;
        for (int i = 0; i < 150; ++i) {
            if (i == 40) plains.world.fill({{60, 40}, {20, 20}}, "water").value();
            ASSERT_FALSE(crowd.tick().has_value());
            hash = hash_of(crowd, hash);
        }
        hashes.push_back(hash);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

// The gap that all routes use is closed, and another one opened.
TEST(SharedGoals, RoutesFollowEdits) {
    for (const uint64_t budget : {uint64_t{2000}, uint64_t{20000}}) {
        Plains plains(130);
        Crowd crowd = plains.crowd({.budget = budget});
        add_block(crowd, {2, 50}, 20, 80, {70, 20});
        for (int i = 0; i < 12; ++i) ASSERT_FALSE(crowd.tick().has_value());
        plains.world.fill({{43, 0}, {2, 130}}, "lava").value();
        plains.world.fill({{43, 110}, {2, 10}}, "plains").value();
        for (int i = 0; i < 500; ++i) ASSERT_FALSE(crowd.tick().has_value());
        size_t across = 0;
        for (const CrowdAgent& state : crowd.agents()) across += crowd.layout().cell(state.at).x > 44 ? 1 : 0;
        EXPECT_EQ(across, 80u) << "budget " << budget;
    }
}

TEST(SharedGoals, AgentsWaitForAnUnreachableGoal) {
    Plains plains(130);
    plains.world.fill({{60, 10}, {20, 20}}, "lava").value();
    plains.world.set({70, 20}, "plains").value();
    Crowd crowd = plains.crowd();
    add_block(crowd, {2, 50}, 20, 80, {70, 20});
    for (int i = 0; i < 30; ++i) ASSERT_FALSE(crowd.tick().has_value());
    EXPECT_EQ(crowd.method().work().failures, 80u);
    plains.world.fill({{60, 10}, {20, 20}}, "plains").value();
    for (int i = 0; i < 200 && crowd.arrivals() == 0; ++i) ASSERT_FALSE(crowd.tick().has_value());
    EXPECT_GE(crowd.arrivals(), 1u);
}

Cell anywhere(const GridLayout& layout, Rng& rng) {
    const int32_t x = rng.between(0, layout.width - 1);
    return {x, rng.between(0, layout.height - 1)};
}

// Agents get and lose a few common goals while the world is edited.
TEST(SharedGoals, NoMoveIsEverRefused) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed);
        test::RandomWorld random = test::random_world(rng, 110);
        const std::vector<CostTable> types = {random.costs, two_types(World(TerrainGrid(1, 1, Terrain{1})))[1]};
        World world(std::move(random.grid));
        PrepareOptions prepare;
        prepare.movement = random.movement;
        for (const CostTable& costs : types) static_cast<void>(world.prepare(costs, prepare).value());
        Crowd crowd(world, types, make_swarm({.budget = rng.chance(1, 2) ? 40u : 20000u, .stuck_ticks = 4}), {.movement = random.movement});
        std::vector<Cell> goals;
        for (int i = 0; i < 3; ++i) goals.push_back(anywhere(crowd.layout(), rng));
        for (uint32_t i = 0; i < 400; ++i) {
            const Cell at = anywhere(crowd.layout(), rng);
            crowd.add(at, goals[i % 3], static_cast<uint16_t>(rng.below(2)));
        }
        for (int i = 0; i < 60; ++i) {
            if (rng.chance(1, 6)) {
                const Cell c = anywhere(crowd.layout(), rng);
                const int32_t side = rng.between(1, 30);
                world.fill({c, {side, side}}, static_cast<Terrain>(rng.below(8)));
            }
            if (rng.chance(1, 10)) goals[static_cast<size_t>(i) % 3] = anywhere(crowd.layout(), rng);
            const auto some = static_cast<AgentId>(rng.below(10));
            for (AgentId agent = some; agent < crowd.agents().size(); agent += 10) {
                if (rng.chance(1, 4)) crowd.set_goal(agent, goals[agent % 3]);
            }
            if (rng.chance(1, 4)) crowd.remove(static_cast<AgentId>(rng.below(400)));
            const auto fault = crowd.tick();
            ASSERT_FALSE(fault.has_value()) << "seed " << seed << ", tick " << i << ": " << to_string(fault->type);
        }
    }
}

TEST(SharedGoalsOutOfMemory, TheCrowdGoesOn) {
    if (!test::can_fail_allocations()) GTEST_SKIP() << "failed allocations end this program";
    Plains plains(70);
    const uint64_t count = test::fail_each_allocation([&](test::Failure& failure) {
        Crowd crowd(plains.world, plains.types, make_swarm());
        for (int32_t i = 0; i < 40; ++i) crowd.add({2 + i % 10, 2 + i / 10}, {60, 60});
        for (int i = 0; i < 2; ++i) {
            if (!failure.in([&] { EXPECT_FALSE(crowd.tick()); })) {
                EXPECT_FALSE(crowd.tick());
            }
        }
        EXPECT_EQ(crowd.ticks(), 2u);
        EXPECT_NE(crowd.layout().cell(crowd.agents()[39].at), (Cell{11, 5}));
    });
    EXPECT_GT(count, 20u);
}

TEST(SharedGoalsGolden, SamePositionsEverywhere) {
    Plains plains(160);
    Crowd crowd = plains.crowd({.budget = 3000});
    add_block(crowd, {2, 60}, 40, 300, {150, 20});
    add_block(crowd, {2, 80}, 40, 100, {80, 140});
    uint64_t hash = 0;
    for (int i = 0; i < 100; ++i) {
        if (i == 40) plains.world.fill({{60, 40}, {20, 20}}, "water").value();
        ASSERT_FALSE(crowd.tick().has_value());
        hash = hash_of(crowd, hash);
    }
    EXPECT_EQ(hash, 2036600022514493485u);
}

}  // namespace
}  // namespace terrane
