// Allocation failures of crowds in C: at each single allocation of creation, of adding and removing agents, and of ticks. In C++, because
// crowds allocate with operator new.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "support/allocations.h"
#include "terrane_c.h"

namespace terrane::test {
namespace {

terrane_crowd_info info_of(const terrane_crowd* crowd) {
    terrane_crowd_info info{};
    info.size = sizeof info;
    terrane_crowd_get_info(crowd, &info, nullptr);
    return info;
}

// The state that a failed call must not change. Also reads reservations and arrows, which must not crash.
std::vector<int64_t> state_of(const terrane_crowd* crowd) {
    const terrane_crowd_info info = info_of(crowd);
    std::vector<int64_t> state = {info.ticks,
                                  info.agents,
                                  info.at_goal,
                                  static_cast<int64_t>(info.arrivals),
                                  static_cast<int64_t>(info.cost),
                                  static_cast<int64_t>(info.faults)};
    std::vector<terrane_agent> agents(terrane_crowd_agents(crowd, nullptr, 0));
    terrane_crowd_agents(crowd, agents.data(), agents.size());
    for (const terrane_agent& agent : agents) {
        for (const auto value : {agent.at.x, agent.at.y, agent.goal.x, agent.goal.y}) state.push_back(value);
        for (const auto value : {agent.type, agent.waiting}) state.push_back(value);
    }
    std::vector<terrane_reservation> reserved(terrane_crowd_reservations(crowd, nullptr, 0));
    EXPECT_EQ(terrane_crowd_reservations(crowd, reserved.data(), reserved.size()), reserved.size());
    std::vector<terrane_arrow> arrows(terrane_crowd_arrows(crowd, nullptr, 0));
    EXPECT_EQ(terrane_crowd_arrows(crowd, arrows.data(), arrows.size()), arrows.size());
    return state;
}

// Runs work(), which returns whether it succeeded. After an allocation failure the state must be unchanged, and a second call must succeed.
void call(Failure& failure, const terrane_crowd* crowd, const std::function<bool(terrane_error*)>& work) {
    const auto before = state_of(crowd);
    terrane_error error{};
    bool done = false;
    ASSERT_TRUE(failure.in([&] { done = work(&error); })) << "an exception passed through C";
    if (done) return;
    ASSERT_TRUE(failure.met());
    ASSERT_EQ(error.code, TERRANE_NO_MEMORY);
    ASSERT_STREQ(error.message, "out of memory");
    ASSERT_EQ(state_of(crowd), before);
    ASSERT_TRUE(work(nullptr));
}

struct Drawn {
    Drawn(const std::string& method, bool lifelong) : profile(terrane_profile_new("walker", nullptr)) {
        const std::vector<uint8_t> cells(kWidth * kHeight, 5);
        world = terrane_world_from_cells(kWidth, kHeight, cells.data(), nullptr, 0, nullptr, nullptr);
        terrane_profile_otherwise(profile, 100);
        terrane_profile_cost(profile, "black", 0);
        options.size = sizeof options;
        options.lifelong = lifelong ? 1 : 0;
        method.copy(options.method, sizeof options.method - 1);
    }
    Drawn(const Drawn&) = delete;
    ~Drawn() {
        terrane_crowd_free(crowd);
        terrane_world_free(world);
        terrane_profile_free(profile);
    }
    void make(Failure& failure) {
        terrane_error error{};
        error.size = sizeof error;
        ASSERT_TRUE(failure.in([&] { crowd = terrane_crowd_new(world, &profile, 1, &options, &error); }));
        if (crowd != nullptr) return;
        ASSERT_EQ(error.code, TERRANE_NO_MEMORY);
        crowd = terrane_crowd_new(world, &profile, 1, &options, nullptr);
        ASSERT_NE(crowd, nullptr);
    }
    bool tick(uint32_t ticks = 1, terrane_error* error = nullptr) const { return terrane_crowd_tick(crowd, ticks, error) == TERRANE_OK; }

    static constexpr int32_t kWidth = 5, kHeight = 3;
    terrane_profile* profile;
    terrane_world* world = nullptr;
    terrane_crowd* crowd = nullptr;
    terrane_crowd_options options{};
};

class CapiCrowdOutOfMemory : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (!can_fail_allocations()) GTEST_SKIP() << "an allocation failure aborts this program";
    }
};

TEST_P(CapiCrowdOutOfMemory, ReportsItAndStaysUsable) {
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        Drawn d(GetParam(), false);
        d.make(failure);
        const auto tick = [&](terrane_error* error) { return d.tick(1, error); };
        call(failure, d.crowd, [&](terrane_error* error) { return terrane_crowd_add(d.crowd, {0, 0}, {4, 2}, 0, error) == 0; });
        call(failure, d.crowd, [&](terrane_error* error) { return terrane_crowd_add(d.crowd, {0, 2}, {4, 0}, 0, error) == 1; });
        call(failure, d.crowd, [&](terrane_error* error) { return terrane_crowd_add(d.crowd, {2, 1}, {2, 1}, 0, error) == 2; });
        EXPECT_EQ(terrane_crowd_add(d.crowd, {2, 1}, {2, 2}, 0, nullptr), -1) << "occupied";
        for (int i = 0; i < 2; ++i) call(failure, d.crowd, tick);
        call(failure, d.crowd, [&](terrane_error* error) { return terrane_crowd_goal(d.crowd, 2, {2, 2}, error) == TERRANE_OK; });
        EXPECT_EQ(terrane_world_fill(d.world, {2, 0, 1, 1}, 0, nullptr, nullptr), TERRANE_OK);
        call(failure, d.crowd, tick);
        call(failure, d.crowd, [&](terrane_error* error) { return terrane_crowd_remove(d.crowd, 2, error) == TERRANE_OK; });
        call(failure, d.crowd, tick);
        EXPECT_TRUE(d.tick(12));
        EXPECT_EQ(info_of(d.crowd).at_goal, 2u) << GetParam();
        EXPECT_EQ(info_of(d.crowd).faults, 0u);
    });
    EXPECT_GT(count, 20u);
    RecordProperty("allocations", std::to_string(count));
}

// Spawning adds all agents or none, and a repeated call adds the same ones.
TEST_P(CapiCrowdOutOfMemory, SpawnsAllOrNone) {
    std::vector<int64_t> expected;
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        Drawn d(GetParam(), false);
        d.make(failure);
        EXPECT_TRUE(d.tick(2)) << "without agents";
        const auto spawn = [&](terrane_error* error) {
            return terrane_crowd_spawn(d.crowd, 4, TERRANE_SPAWN_RANDOM, 3, error) == TERRANE_OK;
        };
        call(failure, d.crowd, spawn);
        if (expected.empty()) expected = state_of(d.crowd);
        EXPECT_EQ(state_of(d.crowd), expected);
        EXPECT_TRUE(d.tick(3));
        EXPECT_EQ(info_of(d.crowd).ticks, 5u);
        EXPECT_EQ(info_of(d.crowd).agents, 4u);
        EXPECT_EQ(info_of(d.crowd).faults, 0u);
    });
    EXPECT_GT(count, 10u);
}

// Of many ticks, those before the allocation failure count.
TEST_P(CapiCrowdOutOfMemory, CompletedTicksCountAndGoalsComeLate) {
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        constexpr uint32_t kTicks = 15;
        Drawn d(GetParam(), true);
        d.make(failure);
        ASSERT_EQ(terrane_crowd_spawn(d.crowd, 3, TERRANE_SPAWN_SIDES, 1, nullptr), TERRANE_OK);
        bool done = false;
        ASSERT_TRUE(failure.in([&] { done = d.tick(kTicks); }));
        const uint32_t passed = info_of(d.crowd).ticks;
        ASSERT_LE(passed, kTicks);
        ASSERT_TRUE(done || failure.met());
        ASSERT_TRUE(!done || passed == kTicks);
        EXPECT_TRUE(d.tick(kTicks - passed));
        EXPECT_TRUE(d.tick(25));
        EXPECT_EQ(info_of(d.crowd).ticks, kTicks + 25);
        EXPECT_EQ(info_of(d.crowd).faults, 0u);
        EXPECT_GT(info_of(d.crowd).arrivals, 3u) << "agents get further goals";
    });
    EXPECT_GT(count, 10u);
}

// `waiting` describes the last completed tick, not the one that failed.
TEST(CapiCrowdOutOfMemoryWaiting, IsThatOfTheLastCompletedTick) {
    if (!can_fail_allocations()) GTEST_SKIP() << "an allocation failure aborts this program";
    fail_each_allocation([&](Failure& failure) {
        Failure none(INT64_MAX, false);
        Drawn d("replan", false);
        d.make(none);
        ASSERT_EQ(terrane_crowd_add(d.crowd, {0, 0}, {4, 0}, 0, nullptr), 0);
        ASSERT_TRUE(d.tick());
        ASSERT_EQ(terrane_crowd_add(d.crowd, {0, 0}, {4, 2}, 0, nullptr), 1);
        ASSERT_TRUE(failure.in([&] { d.tick(); }));
        terrane_agent agents[2];
        ASSERT_EQ(terrane_crowd_agents(d.crowd, agents, 2), 2u);
        EXPECT_EQ(agents[0].waiting, 0u);
    });
}

INSTANTIATE_TEST_SUITE_P(Methods, CapiCrowdOutOfMemory,
                         testing::Values("replan", "replan+flow", "flock", "ca", "whca:8", "whca:8+flow", "cpra:4", "pibt", "pibt+flow",
                                         "lacam", "swarm", "swarm+flow"));

}  // namespace
}  // namespace terrane::test
