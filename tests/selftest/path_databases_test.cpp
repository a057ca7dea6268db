#include "bench/changed_map.h"
#include "selftest/selftest.h"

#include <gtest/gtest.h>

#include "support/scene.h"
#include "terrane/cpd/path_database_builder.h"

namespace terrane::selftest {
namespace {

std::string figure(const Outcome& outcome, const std::string& name) {
    for (const auto& [key, value] : outcome.figures) {
        if (key == name) return value;
    }
    return {};
}

// Each map is changed in ten ways; each changed map has four problems, solved by five variants at three bounds.
TEST(PathDatabases, EveryVariantIsWithinItsBoundOnChangedMaps) {
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        const Outcome outcome = path_databases_hold({.seconds = 0, .seed = seed});
        ASSERT_EQ(outcome.failure, "");
        ASSERT_EQ(outcome.trials, 10u);
        ASSERT_EQ(figure(outcome, "answers"), "600, by 5 variants at 3 bounds");
    }
}

// Wrong statements about the optimum must be noticed.
TEST(PathDatabases, AWrongAnswerIsReported) {
    const test::Scene before = test::scene(R"(S....
                                              .###.
                                              ....G)"),
                      now = test::scene(R"(S..#.
                                           .###.
                                           ....G)");
    const PathDatabase database =
        build_path_database(
            {before.grid.snapshot(), before.profile.compile(before.grid.snapshot().catalogue()).value(), Movement::kEightNoCornerCutting})
            .value();
    ChangedMap map(database.ground(), true);
    map.set_now(now.grid.snapshot());
    map.flood(before.goal);
    const uint64_t optimal = map.cost_to(before.start);
    CpdSearch search;
    const Perturbation perturbation(database, now.grid.snapshot());
    search.begin(database, perturbation, before.start, before.goal, {CpdVariant::kEarly, {1, 1}, true});
    search.run();
    const auto fault = [&](uint64_t claimed) { return cpd_fault(map, search, before.start, before.goal, claimed, {1, 1}); };
    EXPECT_EQ(fault(optimal), "");
    EXPECT_NE(fault(optimal + 1).find("is below the optimum"), std::string::npos);
    EXPECT_NE(fault(optimal - 1).find("exceeds the bound"), std::string::npos);
    EXPECT_EQ(fault(kNoPath), "found");
    map.block(before.goal);
    EXPECT_NE(fault(optimal).find("illegal step"), std::string::npos);
}

}  // namespace
}  // namespace terrane::selftest
