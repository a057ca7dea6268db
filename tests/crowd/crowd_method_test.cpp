#include "terrane/crowd/crowd_method.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crowd/drawn_crowd.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/crowd/reservations.h"

namespace terrane {
namespace {

TEST(CrowdMethod, FindsEveryForm) {
    for (const char* name : {"replan",    "replan+flow", "flock",     "ca",          "whca:1",        "whca:16", "whca:1024",
                             "whca:8,0",  "whca:8,2",    "whca:8,16", "whca:8+flow", "whca:8,2+flow", "cpra:1",  "cpra:4",
                             "cpra:1024", "pibt",        "pibt+flow", "lacam",       "lacam+improve", "swarm",   "swarm+flow"}) {
        const auto spec = find_crowd_method(name);
        ASSERT_TRUE(spec.has_value()) << name;
        EXPECT_EQ(spec->name, name);
        EXPECT_EQ(spec->seed, 1u) << name;
        EXPECT_EQ(spec->budget, 0u) << name;
        EXPECT_TRUE(std::string_view(name).starts_with(spec->factory->info.name)) << name;
        EXPECT_EQ(spec->factory->uses_overlays, std::string_view(name).starts_with("swarm")) << name;
        EXPECT_NE(make_crowd_method(*spec), nullptr) << name;
    }
    EXPECT_EQ(CrowdMethodSpec{}.name, "pibt");
    EXPECT_EQ(CrowdMethodSpec{}.factory, find_crowd_method("pibt")->factory);
}

TEST(CrowdMethod, RefusesOtherNamesAndStatesWhatIsValid) {
    const auto reason = [](const char* name) { return find_crowd_method(name).error().reason; };
    EXPECT_TRUE(
        reason("walk").starts_with("method 'walk': unknown name; expected one of: replan[+flow], flock, ca, whca:W[,A][+flow], cpra:K"));
    EXPECT_EQ(reason("whca"), "method 'whca': expected whca:W[,A][+flow]; W: 1 to 1024 steps; A: a level of 0 to 16, default 0 (cells)");
    EXPECT_NE(reason("whca:0").find("1 to 1024 steps"), std::string::npos);
    EXPECT_NE(reason("whca:8,17").find("a level of 0 to 16"), std::string::npos);
    EXPECT_EQ(reason("cpra:0"), "method 'cpra:0': expected cpra:K; K: 1 to 1024 steps");
    EXPECT_EQ(reason("lacam+flow"), "method 'lacam+flow': no option 'flow'; expected one of: improve");
    EXPECT_EQ(reason("ca+flow"), "method 'ca+flow': no option 'flow'; it has no options");
    EXPECT_EQ(reason("pibt:1"), "method 'pibt:1': expected pibt[+flow]");
    EXPECT_EQ(find_crowd_method("walk").error().code, ErrorCode::kUnknownName);
    EXPECT_EQ(find_crowd_method("lacam+flow").error().code, ErrorCode::kUnknownName);
    EXPECT_EQ(find_crowd_method("whca").error().code, ErrorCode::kBadValue);
    for (const char* name : {"",          "whca:",     "whca:1,",  "whca:,1",     "whca:1,2,3",     "whca:x",          "whca:1025",
                             "whca:2000", "whca:-1",   "whca:8/2", "pibt+",       "pibt/2",         "pibt+flow:1",     "cpra",
                             "cpra:",     "cpra:1025", "cpra:4,1", "cpra:4+flow", "pibt+flow+flow", "whca:99999999999"}) {
        EXPECT_FALSE(find_crowd_method(name).has_value()) << name;
    }
}

// A windowed method reserves the steps of its window, and no more.
TEST(CrowdMethod, ArgumentsReachTheMethod) {
    const auto reserved = [](const char* name) {
        test::DrawnCrowd drawn("a........................................A");
        Crowd crowd = drawn.crowd(make_crowd_method(find_crowd_method(name).value()));
        crowd.tick();
        return crowd.method().reservations()->list(crowd.ticks()).back().tick;
    };
    EXPECT_EQ(reserved("whca:4"), 4u);
    EXPECT_EQ(reserved("whca:16"), 16u);
    EXPECT_EQ(reserved("whca:16,1"), 16u);
    EXPECT_EQ(reserved("cpra:4"), 4u);
}

TEST(CrowdMethod, SeedAndBudgetReachTheMethod) {
    const auto work = [](const char* name, uint64_t seed, uint64_t budget) {
        test::DrawnCrowd drawn("abcdef\nghijkl\nLKJIHG\nFEDCBA");
        CrowdMethodSpec spec = find_crowd_method(name).value();
        spec.seed = seed;
        spec.budget = budget;
        Crowd crowd = drawn.crowd(make_crowd_method(spec), Movement::kFour);
        test::run_crowd(crowd, 60);
        return crowd.method().work().expansions;
    };
    EXPECT_LT(work("lacam+improve", 1, 2000), work("lacam+improve", 1, 20'000));
    EXPECT_EQ(work("lacam+improve", 2, 2000), work("lacam+improve", 2, 2000));
    EXPECT_NE(work("lacam+improve", 1, 20'000), work("lacam+improve", 2, 20'000));
    EXPECT_NE(work("pibt", 1, 0), work("pibt", 2, 0));
}

// Only methods that reserve or learn expose their tables, from the first tick on.
TEST(CrowdMethod, ExposesReservationsAndDirectionMaps) {
    for (const char* name :
         {"replan", "replan+flow", "flock", "ca", "whca:8", "whca:8+flow", "cpra:8", "pibt", "pibt+flow", "lacam", "swarm", "swarm+flow"}) {
        test::DrawnCrowd drawn("a......A\n........");
        Crowd crowd = drawn.crowd(make_crowd_method(*find_crowd_method(name)));
        const std::string_view text = name;
        const CrowdMethod& method = crowd.method();
        EXPECT_EQ(method.reservations(), nullptr) << name;
        EXPECT_EQ(method.flow(), nullptr) << name;
        crowd.tick();
        crowd.tick();
        ASSERT_EQ(method.reservations() != nullptr, text.starts_with("ca") || text.starts_with("whca") || text.starts_with("cpra")) << name;
        ASSERT_EQ(method.flow() != nullptr, text.ends_with("+flow")) << name;
        if (method.reservations() != nullptr) {
            const std::vector<Reservation> ahead = method.reservations()->list(crowd.ticks());
            ASSERT_GE(ahead.size(), 2u) << name;
            EXPECT_EQ(ahead[0], (Reservation{crowd.agents()[0].at, crowd.ticks(), 0})) << name;
        }
        if (method.flow() != nullptr) {
            const Arrow arrow = method.flow()->arrow(crowd.layout().id({0, 0}));
            EXPECT_TRUE(arrow.x > 0 || arrow == Arrow{}) << name;  // compact maps learn at random
        }
    }
}

TEST(CrowdMethod, EveryMethodIsListedOnceAndMoves) {
    std::set<std::string> names;
    for (const CrowdMethodFactory* method : crowd_methods()) {
        const std::string usage = method->info.usage;
        EXPECT_TRUE(names.insert(method->info.name).second) << usage;
        EXPECT_TRUE(usage.starts_with(method->info.name)) << usage;
        const auto spec = find_crowd_method(method->info.example);
        ASSERT_TRUE(spec.has_value()) << usage;
        EXPECT_EQ(spec->factory, method) << usage;
        test::DrawnCrowd drawn("a..A\n....");
        Crowd crowd = drawn.crowd(make_crowd_method(*spec));
        const test::CrowdRun run = test::run_crowd(crowd, 20);
        EXPECT_TRUE(run.arrived) << usage;
        EXPECT_EQ(run.faults, 0u) << usage;
        EXPECT_EQ(to_real(run.cost), 3.0) << usage;  // optimal without other agents
        EXPECT_GT(crowd.method().bytes(), 0u) << usage;
    }
}

}  // namespace
}  // namespace terrane
