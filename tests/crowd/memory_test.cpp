// Crowds and traffic when each single allocation fails: at construction, when agents join or leave, and in ticks.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "crowd/drawn_crowd.h"
#include "support/allocations.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/crowd/traffic.h"

namespace terrane::test {
namespace {

// The state that a throwing call must not change.
struct CrowdState {
    std::vector<CellId> at, goals;
    std::vector<Cost> costs;
    std::vector<uint32_t> goals_met;
    std::vector<AgentId> occupants;
    Tick ticks = 0;
    size_t present = 0, at_goal = 0;

    friend bool operator==(const CrowdState&, const CrowdState&) = default;
};

CrowdState state_of(const Crowd& crowd) {
    CrowdState s;
    s.ticks = crowd.ticks();
    s.present = crowd.present();
    s.at_goal = crowd.at_goal();
    for (const CrowdAgent& agent : crowd.agents()) {
        s.at.push_back(agent.at);
        s.goals.push_back(agent.goal);
        s.costs.push_back(agent.cost);
        s.goals_met.push_back(agent.goals_met);
    }
    for (CellId cell = 0; cell < crowd.layout().id_limit(); ++cell) s.occupants.push_back(crowd.agent_at(cell));
    return s;
}

// Makes a call. If it throws, the state must be unchanged and a second call must succeed.
void call(Failure& failure, Crowd& crowd, const std::function<void()>& work) {
    const CrowdState before = state_of(crowd);
    if (failure.in(work)) return;
    ASSERT_EQ(state_of(crowd), before);
    work();
}

// Two agents whose paths cross, and a third one in their way.
constexpr const char* kCrossing = R"(a...B
                                     ..c..
                                     b...A)";

uint64_t fail_all_calls(const std::string& name) {
    CrowdMethodSpec spec = find_crowd_method(name).value();
    if (name == "lacam+improve") spec.budget = 100;  // limits the time spent on improvement
    return fail_each_allocation([&](Failure& failure) {
        DrawnCrowd drawn(kCrossing);
        std::optional<Crowd> made;
        const auto make = [&] { made.emplace(drawn.world(), std::vector{drawn.costs()}, make_crowd_method(spec)); };
        if (!failure.in(make)) make();
        Crowd& crowd = *made;
        const auto tick = [&] { EXPECT_FALSE(crowd.tick()) << name; };
        for (const char letter : {'a', 'b', 'c'}) call(failure, crowd, [&] { crowd.add(drawn.start(letter), drawn.goal(letter)); });
        for (int i = 0; i < 2; ++i) call(failure, crowd, tick);
        call(failure, crowd, [&] { crowd.set_goal(2, {2, 2}); });
        drawn.world().set({2, 0}, Terrain{0});
        call(failure, crowd, tick);
        call(failure, crowd, [&] { crowd.remove(2); });
        call(failure, crowd, tick);
        for (int i = 0; i < 8 && !crowd.all_arrived(); ++i) tick();
        EXPECT_TRUE(crowd.all_arrived()) << name;
    });
}

class CrowdOutOfMemory : public ::testing::TestWithParam<const char*> {};

TEST_P(CrowdOutOfMemory, LeavesTheCrowdUnchangedAndUsable) {
    if (!can_fail_allocations()) GTEST_SKIP() << "an allocation failure ends this program";
    const uint64_t count = fail_all_calls(GetParam());
    EXPECT_GT(count, 10u);
    RecordProperty("allocations", std::to_string(count));
}

INSTANTIATE_TEST_SUITE_P(Methods, CrowdOutOfMemory,
                         ::testing::Values("replan", "replan+flow", "flock", "ca", "whca:8", "whca:8+flow", "whca:8,1", "cpra:4", "pibt",
                                           "pibt+flow", "lacam", "lacam+improve", "swarm", "swarm+flow"));

// A method without fresh().
class Once : public CrowdMethod {
public:
    void plan(const Crowd&, std::span<CellId>) override { scratch_.assign(100, 1); }
    CrowdWork work() const override { return {}; }
    size_t bytes() const override { return scratch_.capacity(); }

private:
    std::vector<char> scratch_;
};

TEST(CrowdOutOfMemoryOnce, WithoutAFreshMethodEveryCallThrows) {
    if (!can_fail_allocations()) GTEST_SKIP() << "an allocation failure ends this program";
    DrawnCrowd drawn(kCrossing);
    Crowd crowd = drawn.crowd(std::make_unique<Once>());
    Failure first(2, false);  // the first allocation is the list of moves
    ASSERT_FALSE(first.in([&] { crowd.tick(); }));
    EXPECT_EQ(crowd.ticks(), 0u);
    EXPECT_THROW(crowd.tick(), std::bad_alloc);
    EXPECT_THROW(crowd.set_goal(0, {0, 0}), std::bad_alloc);
    EXPECT_EQ(crowd.agents()[0].at, crowd.layout().id(drawn.start('a')));
}

// Forwards to a method that the test can free.
class Forwarding final : public CrowdMethod {
public:
    Forwarding(std::unique_ptr<CrowdMethod>& method) : method_(&method) {}
    void agent_joined(const Crowd& crowd, AgentId agent) override { (*method_)->agent_joined(crowd, agent); }
    void plan(const Crowd& crowd, std::span<CellId> next) override { (*method_)->plan(crowd, next); }
    CrowdWork work() const override { return (*method_)->work(); }
    size_t bytes() const override { return (*method_)->bytes(); }

private:
    std::unique_ptr<CrowdMethod>* method_;
};

class CrowdBytes : public ::testing::TestWithParam<const char*> {};

TEST_P(CrowdBytes, CountAllMemoryOfAMethod) {
    if (live_bytes() == 0) GTEST_SKIP() << "allocations are not counted here";
    World world(TerrainGrid(40, 40, Terrain{0}, Catalogue::octile()));
    const CostTable costs = Profile("any").compile(Catalogue::octile()).value();
    CrowdMethodSpec spec = find_crowd_method(GetParam()).value();
    if (spec.name == "lacam+improve") spec.budget = 100'000;
    std::unique_ptr<CrowdMethod> method = make_crowd_method(spec);
    Crowd crowd(world, {costs}, std::make_unique<Forwarding>(method), {.movement = Movement::kFour});
    for (int32_t y = 0; y < 40; y += 2) {
        for (int32_t x = 0; x < 10; ++x) ASSERT_NE(crowd.add({x, y}, {39 - x, 38 - y}), kNoAgent);
    }
    for (int i = 0; i < 12; ++i) crowd.tick();
    const auto reported = static_cast<double>(method->bytes());
    const int64_t before = live_bytes();
    method.reset();
    const auto freed = static_cast<double>(before - live_bytes());
    EXPECT_GE(reported, freed * 0.99);
    EXPECT_LE(reported, freed * 1.05);
}

INSTANTIATE_TEST_SUITE_P(Methods, CrowdBytes, ::testing::Values("flock", "pibt", "pibt+flow", "lacam", "lacam+improve"));

// After a tick that throws, all ticks throw. Samples a few allocations, as building footprints is slow.
TEST(TrafficOutOfMemory, EveryTickThrowsAfterAFailure) {
    if (!can_fail_allocations()) GTEST_SKIP() << "an allocation failure ends this program";
    TrafficOptions options;
    options.lanes = 1;
    options.rate = 7200;
    for (const uint64_t n : {1, 2, 20}) {
        const int64_t live = live_allocations();
        Failure making(n, false);
        EXPECT_FALSE(making.in([&] { EXPECT_EQ(Traffic(options).ticks(), 0u); }));
        EXPECT_EQ(live_allocations(), live);
        {
            Traffic traffic(options);
            Failure ticking(n, false);
            bool done = true;
            for (int i = 0; i < 200 && done; ++i) done = ticking.in([&] { traffic.tick(); });
            EXPECT_FALSE(done);
            EXPECT_THROW(traffic.tick(), std::bad_alloc);
            EXPECT_THROW(traffic.tick(), std::bad_alloc);
        }
        EXPECT_EQ(live_allocations(), live);
    }
}

}  // namespace
}  // namespace terrane::test
