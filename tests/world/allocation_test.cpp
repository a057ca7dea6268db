// After warm-up a search allocates nothing.
#include <gtest/gtest.h>

#include "support/allocations.h"
#include "support/scene.h"

namespace terrane::test {
namespace {

TEST(Allocation, NoneAfterWarmUp) {
    Rng rng(5);
    std::vector<Terrain> cells(200 * 200);
    for (Terrain& t : cells) t = static_cast<Terrain>(rng.below(6));
    const TerrainGrid grid(200, 200, cells);
    const GridSnapshot snapshot = grid.snapshot();
    const CostTable costs = Profile().cost("black", 3.5).cost("swamp", 7).blocked("ground").compile(snapshot.catalogue()).value();
    SearchOptions options;
    GridSearch search;
    Path path;
    const auto run_all = [&] {
        for (int32_t i = 0; i < 200; i += 9) {
            search.begin({snapshot, costs, Movement::kEightNoCornerCutting}, {i, 0}, {199 - i, 199}, options);
            while (search.run(1000) == Status::kBudgetSpent) {
            }
            search.path(path);
        }
        search.begin_flood({snapshot, costs, Movement::kEightNoCornerCutting}, {0, 0});
        search.run();
    };
    run_all();
    const uint64_t before = allocations();
    run_all();
    EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace terrane::test
