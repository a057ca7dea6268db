// Other programs as contenders of a bench: bench/peer.cpp.
#include <gtest/gtest.h>

#include "bench/grid_contest.h"
#include "support/scene.h"

namespace terrane {
namespace {

// Three problems on a map with obstacles and two costs; the goal of the last one is enclosed.
BenchScene small_scene() {
    const test::Scene drawn = test::scene(R"(
        S 1 1 1 1 1 1 1
        1 # # 1 1 3 3 1
        1 1 # 1 1 3 3 1
        1 1 # 1 # # # 1
        1 1 1 1 # 1 # 1
        1 1 1 1 # # # G)");
    BenchScene scene{"drawn", drawn.grid.snapshot(), drawn.profile.compile(drawn.grid.snapshot().catalogue()).value()};
    scene.queries = {{{0, 0}, {7, 5}}, {{0, 5}, {7, 0}}, {{0, 0}, {5, 4}}};
    return scene;
}

Result<void> run_with_peer(const std::string& command, Contest& contest, const BenchScene& scene = small_scene()) {
    return contest.run(contest_scene(scene), {search_contender(scene, "astar"), peer_contender(scene, {"peer", command})});
}

std::string error_with_peer(const std::string& command) {
    Contest contest;
    const auto done = run_with_peer(command, contest);
    return done ? "no error" : done.error().message();
}

#ifdef TERRANE_PYTHON3

constexpr const char* kDijkstra = TERRANE_PYTHON3 " '" TERRANE_SOURCE_DIR "/tests/bench/dijkstra_peer.py' {map} {scen} {costs}";

TEST(Peer, AnotherDijkstraFindsTheSameCosts) {
    Contest contest;
    const auto done = run_with_peer(kDijkstra, contest);
    ASSERT_TRUE(done) << done.error().message();
    const Measurements& peer = contest.results().at("peer", {{"map", "drawn"}});
    EXPECT_EQ(peer.problems, 3u);
    EXPECT_EQ(peer.solved, 2u);
    EXPECT_NEAR(peer.ratio.max(), 1, 1e-6);
    EXPECT_GT(peer.expansions.min(), 0);
    EXPECT_GE(peer.ms.min(), 0);
}

TEST(Peer, AWrongCostIsRefusedWithItsProblem) {
    const std::string error = error_with_peer(std::string(kDijkstra) + " --wrong 1");
    EXPECT_NE(error.find("drawn: peer from 0,5 to 7,0: cost "), std::string::npos) << error;
    EXPECT_NE(error.find(" is below the optimum "), std::string::npos) << error;
}

TEST(Peer, TooFewLinesAreRefused) {
    const std::string error = error_with_peer(std::string(kDijkstra) + " --lines 2");
    EXPECT_NE(error.find("peer: printed 2 lines for 3 problems"), std::string::npos) << error;
}

#endif

TEST(Peer, AProgramThatDoesNotStartIsRefused) {
    const std::string error = error_with_peer("./no-such-program {map} 2>/dev/null");
    EXPECT_NE(error.find("peer: './no-such-program "), std::string::npos) << error;
    EXPECT_NE(error.find("failed with status 127"), std::string::npos) << error;
}

TEST(Peer, ALineWithoutACostIsRefusedWithItsNumber) {
    const std::string error = error_with_peer("printf '1\\nfound\\n-1\\n'");
    EXPECT_NE(error.find("line 2: expected a cost, not 'found'"), std::string::npos) << error;
}

TEST(Peer, AMissingPathIsRefused) {
    const std::string error = error_with_peer("printf -- '-1\\n-1\\n-1\\n'");
    EXPECT_NE(error.find("peer from 0,0 to 7,5: found no path"), std::string::npos) << error;
}

TEST(Peer, WithoutTimesEachProblemIsAnEqualShareOfTheRun) {
    BenchScene scene = small_scene();
    scene.queries = {{{0, 0}, {0, 1}}, {{0, 0}, {0, 2}}};
    Contest contest;
    const auto done = run_with_peer("printf '1\\n2\\n'", contest, scene);
    ASSERT_TRUE(done) << done.error().message();
    const Samples& ms = contest.results().at("peer", {{"map", "drawn"}}).ms;
    ASSERT_EQ(ms.count(), 2u);
    EXPECT_GT(ms.min(), 0);
    EXPECT_EQ(ms.min(), ms.max());
}

}  // namespace
}  // namespace terrane
