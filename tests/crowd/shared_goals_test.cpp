// Agents with one goal: the groups they form, the trees that are kept for them, and crowds that use both.
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

// Walkers, who do not swim, and swimmers, to whom land is dear.
std::vector<CostTable> two_kinds(const World& world) {
    const Catalogue catalogue = world.grid().catalogue();
    return {Profile("walker").blocked("lava").blocked("water").cost("trees", 3).otherwise(1).compile(catalogue).value(),
            Profile("swimmer").blocked("lava").cost("water", 1).otherwise(2).compile(catalogue).value()};
}

// Fields with two walls, a gap in each, and a pond.
TerrainGrid fields(int32_t side) {
    TerrainGrid grid(side, side, *Catalogue::standard().find("plains"));
    const auto paint = [&](Rect rect, const char* name) { grid.fill(rect, *Catalogue::standard().find(name)); };
    paint({side / 3, 0, side / 3 + 2, side}, "lava");
    paint({side / 3, side / 4, side / 3 + 2, side / 4 + 9}, "plains");
    paint({side * 2 / 3, 0, side * 2 / 3 + 2, side}, "lava");
    paint({side * 2 / 3, side / 2, side * 2 / 3 + 2, side / 2 + 9}, "plains");
    paint({side / 2 - 10, side / 2 - 10, side / 2 + 10, side / 2 + 10}, "water");
    paint({5, side / 2, 25, side - 5}, "trees");
    return grid;
}

struct Field {
    World world;
    std::vector<CostTable> kinds;

    explicit Field(int32_t side, uint32_t threads = 1, bool prepared = true) : world(fields(side)), kinds(two_kinds(world)) {
        PrepareOptions options;
        options.threads = threads;
        for (const CostTable& costs : kinds) {
            if (prepared) static_cast<void>(world.prepare(costs, options).value());
        }
    }
    Crowd crowd(const SwarmOptions& options = {}) { return {world, kinds, make_swarm(options)}; }
};

// In rows of a block, kinds in turn.
void add_block(Crowd& crowd, Cell corner, int32_t width, size_t count, Cell goal) {
    size_t added = 0;
    for (int32_t i = 0; added < count; ++i) {
        const Cell at{corner.x + i % width, corner.y + i / width};
        if (crowd.add(at, goal, static_cast<uint16_t>(added % 2)) != kNoAgent) ++added;
    }
}

uint64_t hash_of(const Crowd& crowd, uint64_t hash) {
    for (const CrowdAgent& who : crowd.agents()) hash = mix64(hash ^ who.at);
    return mix64(hash ^ crowd.method().work().expansions);
}

TEST(GoalGroups, AreOfOneKindAndGoalInTheOrderOfTheQueue) {
    Field field(100);
    Crowd crowd = field.crowd();
    add_block(crowd, {1, 1}, 20, 80, {90, 90});
    add_block(crowd, {1, 10}, 20, 60, {80, 90});
    const AgentId alone = crowd.add({1, 20}, {70, 90});
    std::deque<AgentId> queue;
    for (AgentId agent = static_cast<AgentId>(crowd.agents().size()); agent-- > 0;) queue.push_back(agent);
    GoalGroups groups;
    groups.count(crowd, queue, [](AgentId agent) { return agent != 4; });
    const auto members = groups.sharing_with(crowd, 0);
    std::vector<AgentId> expected;
    for (AgentId agent = 78;; agent -= 2) {
        if (agent != 4) expected.push_back(agent);
        if (agent == 0) break;
    }
    EXPECT_EQ((std::vector<AgentId>(members.begin(), members.end())), expected);
    EXPECT_EQ(groups.sharing_with(crowd, 1).size(), 40u);
    EXPECT_EQ(groups.sharing_with(crowd, 4).size(), 39u);  // was not counted, and has the same goal
    EXPECT_TRUE(groups.sharing_with(crowd, 80).empty()) << "thirty of a kind are too few";
    EXPECT_TRUE(groups.sharing_with(crowd, alone).empty());
    groups.count(crowd, {0, 2, 4, 6}, [](AgentId) { return true; });
    EXPECT_TRUE(groups.sharing_with(crowd, 0).empty());
    for (const size_t asking : {size_t{31}, size_t{32}}) {
        std::deque<AgentId> some;
        for (AgentId agent = 0; some.size() < asking; agent += 2) some.push_back(agent);
        some.push_back(0);  // has asked before, too
        groups.count(crowd, some, [](AgentId) { return true; });
        EXPECT_EQ(groups.sharing_with(crowd, 0).size(), asking < 32 ? 0u : 32u);
    }
}

TEST(GoalGroups, WithoutAnOverlayNobodyShares) {
    Field field(100, 1, false);
    Crowd crowd = field.crowd();
    add_block(crowd, {1, 1}, 20, 100, {90, 90});
    std::deque<AgentId> queue;
    for (AgentId agent = 0; agent < 100; ++agent) queue.push_back(agent);
    GoalGroups groups;
    groups.count(crowd, queue, [](AgentId) { return true; });
    EXPECT_TRUE(groups.sharing_with(crowd, 0).empty());
    GoalTrees trees;
    EXPECT_EQ(trees.get(crowd, 0, crowd.agents()[0].goal), nullptr);
}

TEST(GoalTrees, AreKeptForTheirGoalKindAndVersion) {
    Field field(100);
    Crowd crowd = field.crowd();
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
    field.world.set({50, 3}, "lava").value();
    crowd.tick();
    trees.drop_old(crowd, tree);
    EXPECT_EQ(trees.count(), 1u);
    PortalTree* const next = trees.get(crowd, 0, layout.id({90, 90}));
    EXPECT_NE(next, tree);
    EXPECT_NE(&next->overlay().root(), &tree->overlay().root());
    trees.drop_old(crowd, nullptr);
    EXPECT_EQ(trees.count(), 1u);
    for (int i = 0; i < 100; ++i) crowd.tick();
    trees.drop_old(crowd, nullptr);
    EXPECT_EQ(trees.count(), 0u) << "nobody has asked for long";
}

TEST(GoalTrees, TakeNoMoreThanTheirShareOfMemory) {
    World world(generate_island({.width = 512, .height = 512, .seed = 3}).value());
    const std::vector<CostTable> kinds = {Profile::preset("walker")->compile(world.grid().catalogue()).value()};
    static_cast<void>(world.prepare(kinds[0]).value());
    Crowd crowd(world, kinds, make_swarm());
    GoalTrees trees;
    Rng rng(4);
    size_t made = 0;
    while (made < 300) {
        const int32_t x = rng.between(0, 511);
        const Cell goal{x, rng.between(0, 511)};
        if (!kinds[0].passable(world.grid().at(goal))) continue;
        trees.get(crowd, 0, crowd.layout().id(goal))->run();
        ++made;
        ASSERT_LE(trees.bytes(), (size_t{8} << 20) + trees.count() * (size_t{64} << 10));
    }
    EXPECT_GT(trees.count(), 4u);
    EXPECT_LT(trees.count(), made);
}

// ---- Crowds

// All in the first tick: before anyone is in another's way.
TEST(SharedGoals, TakesLessWorkThanARouteForEach) {
    uint64_t expansions[2];
    for (const bool share : {false, true}) {
        Field field(300);
        Crowd crowd = field.crowd({.budget = 0, .share = share});
        add_block(crowd, {2, 200}, 50, 500, {270, 20});
        ASSERT_FALSE(crowd.tick().has_value());
        EXPECT_EQ(crowd.method().work().plans, 500u);
        expansions[share ? 1 : 0] = crowd.method().work().expansions;
    }
    EXPECT_LT(expansions[1], expansions[0] * 3 / 4);
}

TEST(SharedGoals, FiveHundredOfTwoKindsGatherAroundOneGoal) {
    Field field(200);
    Crowd crowd = field.crowd();
    const Cell goal{180, 20};
    add_block(crowd, {2, 100}, 50, 500, goal);
    for (int i = 0; i < 450; ++i) ASSERT_FALSE(crowd.tick().has_value());
    size_t around = 0;
    for (const CrowdAgent& who : crowd.agents()) {
        const Cell at = crowd.layout().cell(who.at);
        around += at.x >= 134 && std::abs(at.x - goal.x) <= 40 && std::abs(at.y - goal.y) <= 40 ? 1 : 0;
    }
    EXPECT_EQ(around, 500u);
    EXPECT_GE(crowd.arrivals(), 1u);
}

TEST(SharedGoals, AnyNumberOfThreadsAndTheSameAgain) {
    std::vector<uint64_t> hashes;
    for (const uint32_t threads : {1u, 1u, 3u}) {
        Field field(160, threads);
        Crowd crowd = field.crowd({.budget = 2000});
        add_block(crowd, {2, 60}, 40, 500, {150, 20});
        uint64_t hash = 0;
        for (int i = 0; i < 150; ++i) {
            if (i == 40) field.world.fill({60, 40, 80, 60}, "water").value();
            ASSERT_FALSE(crowd.tick().has_value());
            hash = hash_of(crowd, hash);
        }
        hashes.push_back(hash);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

// The gap that all go through is closed, and another opened.
TEST(SharedGoals, RoutesFollowEdits) {
    for (const uint64_t budget : {uint64_t{2000}, uint64_t{20000}}) {
        Field field(130);
        Crowd crowd = field.crowd({.budget = budget});
        add_block(crowd, {2, 50}, 20, 80, {70, 20});
        for (int i = 0; i < 12; ++i) ASSERT_FALSE(crowd.tick().has_value());
        field.world.fill({43, 0, 45, 130}, "lava").value();
        field.world.fill({43, 110, 45, 120}, "plains").value();
        for (int i = 0; i < 500; ++i) ASSERT_FALSE(crowd.tick().has_value());
        size_t across = 0;
        for (const CrowdAgent& who : crowd.agents()) across += crowd.layout().cell(who.at).x > 44 ? 1 : 0;
        EXPECT_EQ(across, 80u) << "budget " << budget;
    }
}

TEST(SharedGoals, GoalThatIsCutOffIsWaitedFor) {
    Field field(130);
    field.world.fill({60, 10, 80, 30}, "lava").value();
    field.world.set({70, 20}, "plains").value();
    Crowd crowd = field.crowd();
    add_block(crowd, {2, 50}, 20, 80, {70, 20});
    for (int i = 0; i < 30; ++i) ASSERT_FALSE(crowd.tick().has_value());
    EXPECT_EQ(crowd.method().work().failures, 80u);
    field.world.fill({60, 10, 80, 30}, "plains").value();
    for (int i = 0; i < 200 && crowd.arrivals() == 0; ++i) ASSERT_FALSE(crowd.tick().has_value());
    EXPECT_GE(crowd.arrivals(), 1u);
}

Cell anywhere(const GridLayout& layout, Rng& rng) {
    const int32_t x = rng.between(0, layout.width - 1);
    return {x, rng.between(0, layout.height - 1)};
}

// Few goals, that agents are given and taken from while the world is edited under them.
TEST(SharedGoals, NothingIsRefusedWhateverHappens) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed);
        test::RandomWorld random = test::random_world(rng, 110);
        const std::vector<CostTable> kinds = {random.costs, two_kinds(World(TerrainGrid(1, 1, Terrain{1})))[1]};
        World world(std::move(random.grid));
        PrepareOptions prepare;
        prepare.movement = random.movement;
        for (const CostTable& costs : kinds) static_cast<void>(world.prepare(costs, prepare).value());
        Crowd crowd(world, kinds, make_swarm({.budget = rng.chance(1, 2) ? 40u : 20000u, .stuck_ticks = 4}), {.movement = random.movement});
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
                world.fill({c.x, c.y, c.x + side, c.y + side}, static_cast<Terrain>(rng.below(8)));
            }
            if (rng.chance(1, 10)) goals[static_cast<size_t>(i) % 3] = anywhere(crowd.layout(), rng);
            const auto some = static_cast<AgentId>(rng.below(10));
            for (AgentId agent = some; agent < crowd.agents().size(); agent += 10) {
                if (rng.chance(1, 4)) crowd.set_goal(agent, goals[agent % 3]);
            }
            if (rng.chance(1, 4)) crowd.remove(static_cast<AgentId>(rng.below(400)));
            const auto fault = crowd.tick();
            ASSERT_FALSE(fault.has_value()) << "seed " << seed << ", tick " << i << ": " << to_string(fault->kind);
        }
    }
}

TEST(SharedGoalsOutOfMemory, TheCrowdGoesOn) {
    if (!test::can_fail_allocations()) GTEST_SKIP() << "memory that cannot be had ends this program";
    Field field(70);
    const uint64_t count = test::fail_each_allocation([&](test::Failure& failure) {
        Crowd crowd(field.world, field.kinds, make_swarm());
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
    Field field(160);
    Crowd crowd = field.crowd({.budget = 3000});
    add_block(crowd, {2, 60}, 40, 300, {150, 20});
    add_block(crowd, {2, 80}, 40, 100, {80, 140});
    uint64_t hash = 0;
    for (int i = 0; i < 100; ++i) {
        if (i == 40) field.world.fill({60, 40, 80, 60}, "water").value();
        ASSERT_FALSE(crowd.tick().has_value());
        hash = hash_of(crowd, hash);
    }
    EXPECT_EQ(hash, 8194022812963988568u);
}

}  // namespace
}  // namespace terrane
