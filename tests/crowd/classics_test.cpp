// Classic drawn instances of multi-agent pathfinding, for every method. Moves must never conflict. Which methods solve which instance is
// recorded, so that a change is noticed.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "crowd/drawn_crowd.h"
#include "terrane/crowd/crowd_method.h"

namespace terrane {
namespace {

constexpr const char* kMethods[] = {"replan", "flock", "ca", "whca:8", "whca:8,1", "cpra:4", "pibt", "lacam", "lacam+improve", "swarm"};

constexpr const char* kAllButFlock = "replan ca whca:8 whca:8,1 cpra:4 pibt lacam lacam+improve swarm";

struct Swap {
    char agent;
    Cell goal;
};

// Names the methods with which all agents arrive within `ticks`.
std::string solvers(std::string_view drawing, Movement movement, Tick ticks, const std::vector<Swap>& goals = {}) {
    std::string names;
    for (const char* name : kMethods) {
        test::DrawnCrowd drawn(drawing);
        Crowd crowd = drawn.crowd(make_crowd_method(find_crowd_method(name).value()), movement);
        for (const auto& [agent, goal] : goals) crowd.set_goal(static_cast<AgentId>(agent - 'a'), goal);
        const test::CrowdRun run = test::run_crowd(crowd, ticks);
        EXPECT_EQ(run.faults, 0u) << name;
        if (run.arrived) names += (names.empty() ? "" : " ") + std::string(name);
    }
    return names;
}

TEST(Classics, SwapInACorridorWithANiche) {
    constexpr const char* kDrawing = R"(
        ###.###
        Ba...bA)";
    EXPECT_EQ(solvers(kDrawing, Movement::kFour, 60), "pibt lacam lacam+improve swarm");
    EXPECT_EQ(solvers(kDrawing, Movement::kEightNoCornerCutting, 60), "pibt lacam lacam+improve swarm");
}

TEST(Classics, NoAgentsPassInACorridorWithoutANiche) { EXPECT_EQ(solvers("Ba...bA", Movement::kFour, 200), ""); }

TEST(Classics, Bottleneck) {
    constexpr const char* kDrawing = R"(
        a.....#.....A
        b.....#.....B
        c...........C
        d.....#.....D
        e.....#.....E)";
    EXPECT_EQ(solvers(kDrawing, Movement::kFour, 100), kAllButFlock);
    EXPECT_EQ(solvers(kDrawing, Movement::kEightNoCornerCutting, 100), kAllButFlock);
}

TEST(Classics, AFullCycleRotates) {
    EXPECT_EQ(solvers("ab\ndc", Movement::kFour, 20, {{'a', {1, 0}}, {'b', {1, 1}}, {'c', {0, 1}}, {'d', {0, 0}}}), kAllButFlock);
}

TEST(Classics, CrossingStreams) {
    constexpr const char* kDrawing = R"(
        ..fghij..
        a.......A
        b.......B
        c.......C
        d.......D
        e.......E
        ..FGHIJ..)";
    EXPECT_EQ(solvers(kDrawing, Movement::kFour, 60), kAllButFlock);
    EXPECT_EQ(solvers(kDrawing, Movement::kEightNoCornerCutting, 60), kAllButFlock);
}

TEST(Classics, AnAgentAtItsGoalMakesRoom) {
    EXPECT_EQ(solvers("###.###\na..b..A", Movement::kFour, 60), "ca whca:8 whca:8,1 cpra:4 pibt lacam lacam+improve swarm");
}

// The goal of one agent is enclosed by obstacles; the others must still arrive.
TEST(Classics, AnUnreachableGoalDelaysNoOtherAgent) {
    for (const char* name : kMethods) {
        test::DrawnCrowd drawn(R"(
            a......####
            .......#.A#
            C..b...####
            B.....c....)");
        Crowd crowd = drawn.crowd(make_crowd_method(find_crowd_method(name).value()), Movement::kEightNoCornerCutting);
        const test::CrowdRun run = test::run_crowd(crowd, 60);
        EXPECT_EQ(run.faults, 0u) << name;
        EXPECT_FALSE(run.arrived) << name;
        EXPECT_TRUE(crowd.agents()[1].at_goal()) << name;
        EXPECT_TRUE(crowd.agents()[2].at_goal()) << name;
    }
}

// A bridge burns while agents are under way; they must take the ford, which costs more.
TEST(Classics, ABridgeBurns) {
    for (const char* name : kMethods) {
        if (std::string_view(name) == "flock") continue;  // does not find detours
        test::DrawnCrowd drawn(R"(
            a....#....A
            b.........B
            c....#....C
            .....#.....
            .....9.....)");
        Crowd crowd = drawn.crowd(make_crowd_method(find_crowd_method(name).value()), Movement::kEightNoCornerCutting);
        crowd.tick();
        crowd.tick();
        drawn.world().set({5, 1}, Terrain{0});
        const test::CrowdRun run = test::run_crowd(crowd, 80);
        EXPECT_EQ(run.faults, 0u) << name;
        EXPECT_TRUE(run.arrived) << name;
    }
}

// Eight agents in a room of nine cells: methods that plan for all agents jointly can still reverse their order.
TEST(Classics, AFullRoom) {
    const std::vector<Swap> turned{{'a', {2, 2}}, {'b', {1, 2}}, {'c', {0, 2}}, {'d', {2, 1}},
                                   {'e', {0, 1}}, {'f', {2, 0}}, {'g', {1, 0}}, {'h', {0, 0}}};
    EXPECT_EQ(solvers("abc\nd.e\nfgh", Movement::kFour, 200, turned), "pibt lacam lacam+improve swarm");
}

}  // namespace
}  // namespace terrane
