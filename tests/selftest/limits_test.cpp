#include "selftest/limits.h"

#include <gtest/gtest.h>

#include "terrane/base/rng.h"

namespace terrane::selftest {
namespace {

Setting quiet_setting() {
    Setting setting;
    setting.side = 64;
    setting.folder = ::testing::TempDir();
    return setting;
}

TEST(Limits, HoldOnSmallWorlds) {
    const Outcome outcome = limits_hold(quiet_setting());
    EXPECT_EQ(outcome.failure, "");
    EXPECT_GT(outcome.trials, 200u);
    EXPECT_EQ(outcome.figures.size(), outcome.trials);
}

TEST(Limits, ASinglePartReportsEachStep) {
    Setting setting = quiet_setting();
    std::vector<std::pair<std::string, std::string>> told;
    setting.figure = [&](const std::string& name, const std::string& value) { told.emplace_back(name, value); };
    setting.part = "plain";
    const Outcome outcome = limits_hold(setting);
    EXPECT_EQ(told, outcome.figures);
    ASSERT_GT(told.size(), 10u);
    for (const auto& [name, value] : told) EXPECT_TRUE(name.starts_with("plain terrain 64: ")) << name;
}

TEST(Limits, AWrongAnswerIsReported) {
    const Setting setting = quiet_setting();
    World world(TerrainGrid(20, 20, 5));
    const CostTable costs = table_of(world.grid().catalogue(), [](Terrain) { return Hundredths{100}; });
    const Cost truth = Cost{19} * kDiagonal * 200;
    const auto failure_of = [&](Cost claimed, const char* method) {
        Limits limits(setting);
        Question question{costs, {0, 0}, {19, 19}, claimed};
        limits.ask("plain", world, std::span(&question, 1), method);
        return limits.take().failure;
    };
    EXPECT_EQ(failure_of(truth, "astar"), "");
    EXPECT_EQ(failure_of(truth - 1, "astar"), "plain: astar: exceeds its bound; plain: astar: not optimal");
    EXPECT_EQ(failure_of(truth + 1, "dta:16"), "plain: dta:16: costs less than the optimum");
    EXPECT_EQ(failure_of(truth, "dta:32"), "plain: dta:32: not prepared");
}

TEST(Limits, AStepThatCutsACornerHasNoSum) {
    TerrainGrid grid(3, 3, 5);
    static_cast<void>(grid.set(Cell{1, 0}, Terrain{1}));
    const CostTable costs = table_of(grid.snapshot().catalogue(), [](Terrain t) { return t == 1 ? kBlocked : kMaxTerrainCost; });
    EXPECT_EQ(sum_of_steps(grid.snapshot(), costs, {{0, 0}, {1, 1}}), 0u);
    EXPECT_EQ(sum_of_steps(grid.snapshot(), costs, {{0, 0}, {0, 1}, {1, 2}}), Cost{kStraight + kDiagonal} * 2 * kMaxTerrainCost);
}

// An allocation beyond the limit fails and takes nothing; freed memory is available again.
TEST(Limits, CappedMemoryFailsBeyondItsLimit) {
    Capped memory(1000);
    void* first = memory.allocate(600, 8);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(memory.allocate(401, 8), nullptr);
    EXPECT_EQ(memory.used(), 600u);
    memory.deallocate(first, 600, 8);
    EXPECT_EQ(memory.used(), 0u);
}

size_t planner_bytes(const World& world, const CostTable& costs, const char* method, Cell start, Cell goal) {
    Planner planner(world);
    FindOptions options;
    options.method = find_method(method).value();
    Path path;
    planner.find(start, goal, costs, options, path);
    EXPECT_EQ(path.status, Status::kFound) << method;
    return planner.bytes();
}

// Corridors back and forth at cost 650 on a map with one cell of cost 0.01: abstract edges cost millions of the cheapest step. Bucket
// queues once allocated a bucket for each such step, 133 MB for an overlay.
TEST(Limits, VeryDifferentCostsNeedLittleMemory) {
    constexpr int32_t kSide = 255;
    TerrainGrid grid(kSide, kSide, 5);
    std::vector<CellEdit> walls{{{0, 0}, 2}};
    for (int32_t y = 1; y < kSide; y += 2) {
        for (int32_t x = 0; x < kSide; ++x) {
            if (x % 30 != (y / 2 % 2 == 0 ? 29 : 0)) walls.push_back({{x, y}, 1});
        }
    }
    static_cast<void>(grid.apply(walls));
    WorldOptions with;
    with.sectors = {16, 128};
    World world(std::move(grid), with);
    const CostTable costs = table_of(world.grid().catalogue(), [](Terrain t) {
        return t == 1 ? kBlocked : t == 2 ? kMinTerrainCost : kMaxTerrainCost;
    });
    for (const char* method : {"overlay:2", "hpa:128"}) {
        PrepareOptions prepare;
        prepare.method = find_method(method).value();
        ASSERT_TRUE(world.prepare(costs, prepare).has_value());
    }
    for (const char* method : {"astar", "nbs", "dta:16", "dta:128", "dta:128/nbs", "hpa:128", "overlay:2"}) {
        EXPECT_LT(planner_bytes(world, costs, method, {0, 0}, {kSide - 1, kSide - 1}), size_t{24} << 20) << method;
    }
}

// Region ids are sized for the sector with the most regions; the labels of other sectors must not be.
TEST(Limits, ASectorOfNoiseDoesNotMakeQueriesLarge) {
    constexpr int32_t kSide = 1024;
    World world(TerrainGrid(kSide, kSide, 5));
    // Forces a detour, so that a query visits many sectors.
    static_cast<void>(world.fill({{kSide - 40, 20}, {10, kSide - 20}}, Terrain{1}));
    const CostTable costs = table_of(world.grid().catalogue(), [](Terrain t) { return t == 1 ? kBlocked : Hundredths{100} + 10 * t; });
    const auto bytes = [&] { return planner_bytes(world, costs, "dta:16", {10, kSide - 10}, {kSide - 10, kSide - 10}); };
    const size_t before = bytes();
    Rng rng(1);
    std::vector<CellEdit> noise;
    for (int32_t i = 0; i < 256; ++i) noise.push_back({{512 + i % 16, 512 + i / 16}, static_cast<Terrain>(rng.below(16))});
    static_cast<void>(world.apply(noise));
    EXPECT_LT(bytes(), before + (size_t{5} << 20));
}

}  // namespace
}  // namespace terrane::selftest
