#include "terrane/method.h"

#include <gtest/gtest.h>

namespace terrane {
namespace {

TEST(Methods, EveryExampleInTheTableIsFound) {
    for (const MethodInfo& info : methods()) EXPECT_EQ(find_method(info.example).value().family, info.family) << info.name;
}

TEST(Methods, WeightIsAnExactFraction) {
    EXPECT_EQ(find_method("wastar:2").value().weight.value(), 2);
    EXPECT_EQ(find_method("wastar:1.20").value().weight.numerator, 6u);
    EXPECT_EQ(find_method("wastar:1.20").value().weight.denominator, 5u);
    EXPECT_EQ(find_method("wastar:100").value().weight.value(), 100);
}

TEST(Methods, RefusesWhatItDoesNotKnowAndSaysWhatItDoes) {
    EXPECT_NE(find_method("bfs").error().reason.find("astar, wastar:W, focal:E, nbs, dijkstra"), std::string::npos);
    for (const char* name : {"", "ASTAR", "astar:2", "wastar", "wastar:", "wastar:0.5", "wastar:101", "wastar:x", "dijkstra:", ":", "nbs:2",
                             "focal", "focal:0.9"}) {
        EXPECT_FALSE(find_method(name)) << name;
    }
}

}  // namespace
}  // namespace terrane
