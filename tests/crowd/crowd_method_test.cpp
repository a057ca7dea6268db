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
    EXPECT_EQ(find_crowd_method("whca:16")->window, 16u);
    EXPECT_EQ(find_crowd_method("whca:16")->level, 0u);
    EXPECT_EQ(find_crowd_method("whca:8,2")->level, 2u);
    EXPECT_TRUE(find_crowd_method("whca:8,2+flow")->flow);
    EXPECT_EQ(find_crowd_method("cpra:4")->family, CrowdFamily::kCpra);
    EXPECT_TRUE(find_crowd_method("lacam+improve")->improve);
    EXPECT_EQ(find_crowd_method("swarm")->name, "swarm");
    for (const char* name : {"replan", "replan+flow", "flock", "ca", "pibt", "pibt+flow", "lacam", "swarm+flow"}) {
        EXPECT_TRUE(find_crowd_method(name).has_value()) << name;
    }
}

TEST(CrowdMethod, RefusesTheRestAndSaysWhatWouldDo) {
    const auto reason = [](const char* name) { return find_crowd_method(name).error().reason; };
    EXPECT_NE(reason("walk").find("whca:W[,A]"), std::string::npos);
    EXPECT_EQ(reason("whca"), "crowd method 'whca': expected whca:W[,A][+flow]");
    EXPECT_EQ(reason("whca:0"), "crowd method 'whca:0': expected whca:W[,A][+flow] with 1 to 1024 steps");
    EXPECT_EQ(reason("lacam+flow"), "crowd method 'lacam+flow': no option '+flow'; expected lacam[+improve]");
    for (const char* name : {"", "whca:", "whca:1,", "whca:,1", "whca:1,2,3", "whca:x", "whca:8,17", "whca:2000", "whca:-1", "pibt:1",
                             "ca+flow", "pibt+", "cpra", "cpra:4+flow", "pibt+flow+flow", "whca:99999999999"}) {
        EXPECT_FALSE(find_crowd_method(name).has_value()) << name;
    }
}

// What a method reserves and learns, to be looked at: only of those that do, and from the first tick on.
TEST(CrowdMethod, ShowsReservationsAndArrows) {
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
            EXPECT_TRUE(arrow.x > 0 || arrow == Arrow{}) << name;  // compact ones learn by chance
        }
    }
}

TEST(CrowdMethod, EveryFamilyIsListedOnceAndMoves) {
    std::set<CrowdFamily> families;
    for (const CrowdMethodInfo& info : crowd_methods()) {
        EXPECT_TRUE(families.insert(info.family).second);
        const std::string usage = info.usage, name = usage.substr(0, usage.find_first_of(":["));
        const auto spec = find_crowd_method(usage.find(':') == std::string::npos ? name : name + ":4");
        ASSERT_TRUE(spec.has_value()) << usage;
        test::DrawnCrowd drawn("a..A\n....");
        Crowd crowd = drawn.crowd(make_crowd_method(*spec));
        const test::CrowdRun run = test::run_crowd(crowd, 20);
        EXPECT_TRUE(run.arrived) << usage;
        EXPECT_EQ(run.faults, 0u) << usage;
        EXPECT_EQ(to_real(run.cost), 3.0) << usage;  // alone on its way
        EXPECT_GT(crowd.method().bytes(), 0u) << usage;
    }
}

}  // namespace
}  // namespace terrane
