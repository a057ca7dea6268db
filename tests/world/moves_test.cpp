// Scratch objects can be moved in the middle of a query: the search continues.
#include <gtest/gtest.h>

#include "dta/refinement_cache.h"
#include "dta/region_search.h"
#include "grid_search/refiner.h"
#include "minimal_memory/minimal_memory_search.h"
#include "support/scene.h"
#include "terrane/any_angle/refraction.h"
#include "terrane/cpd/cpd_search.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/hpa/entrance_graph.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/overlay/portal_search.h"
#include "terrane/world/planner.h"

namespace terrane {
namespace {

class Moves : public testing::Test {
protected:
    // Begins a query, moves the object twice after some expansions, and expects the result of one that was not moved.
    template <class Search, class Begin>
    void expect_moved(Begin&& begin, uint64_t slice = 3) const {
        Search stays, first, third;
        begin(stays);
        ASSERT_EQ(stays.run(), Status::kFound);
        begin(first);
        ASSERT_EQ(first.run(slice), Status::kBudgetSpent);
        Search second(std::move(first));
        begin(third);
        third = std::move(second);
        EXPECT_EQ(third.expansions(), slice);
        ASSERT_EQ(third.run(), Status::kFound);
        EXPECT_EQ(third.expansions(), stays.expansions());
    }

    const GridSnapshot grid = test::scene(R"(1111111111111111
                                             1111111991111111
                                             1111111991111111
                                             111######1111111
                                             1111111991111111
                                             1111111991111111
                                             1111111991111111
                                             1111111111111111)")
                                  .grid.snapshot();
    const CostTable costs = test::digit_profile().compile(grid.catalogue()).value();
    const Movement eight = Movement::kEightNoCornerCutting;
    const Cell start = {0, 2}, goal = {15, 5};
};

TEST_F(Moves, AMovedSearchContinues) {
    const TerrainRegions regions = TerrainRegions::build(grid, {4, true});
    const MinimalMemory memory = MinimalMemory::build(grid, PassableSet::of(costs, eight), eight);
    const EntranceGraph entrances = EntranceGraph::build({grid, costs, eight}, {4});
    expect_moved<GridSearch>([&](GridSearch& s) { s.begin({grid, costs, Movement::kEightNoCornerCutting}, start, goal); });
    expect_moved<RegionSearch>([&](RegionSearch& s) {
        s.begin(regions, {regions.grid(), costs, eight}, regions.region_of(start), regions.region_of(goal));
    });
    expect_moved<EntranceSearch>([&](EntranceSearch& s) { s.begin(entrances, start, goal); });
    expect_moved<Refiner>([&](Refiner& s) {
        s.begin({grid, costs, eight});
        s.begin_segment(start, goal);
    });
    const GridSnapshot island = generate_island({.width = 160, .height = 160, .seed = 3}).value().snapshot();
    const CostTable deer = Profile::preset("deer")->compile(island.catalogue()).value();
    World world(TerrainGrid(island.width(), island.height(), island.cells(), island.catalogue()));
    Rng rng(2);
    Cell from, to;
    do {
        from = test::random_cell(rng, island), to = test::random_cell(rng, island);
    } while (Planner(world).find(from, to, *Profile::preset("deer")).cells.size() < 100);
    const PortalOverlay overlay = PortalOverlay::build({island, deer, eight});
    expect_moved<PortalSearch>([&](PortalSearch& s) { s.begin(overlay, from, to); });
    const MinimalMemory minimal_memory = MinimalMemory::build(island, PassableSet::of(deer, eight), eight);
    expect_moved<MinimalMemorySearch>([&](MinimalMemorySearch& s) {
        s.begin(minimal_memory, eight, {minimal_memory.region_of(from), from}, {minimal_memory.region_of(to), to});
    });
}

TEST_F(Moves, AMovedPathDatabaseSearchContinues) {
    const PathDatabase database = build_path_database({grid, costs, eight}).value();
    TerrainGrid changed(grid.width(), grid.height(), grid.cells(), grid.catalogue());
    changed.fill({{9, 0}, {1, 7}}, Terrain{0});
    const Perturbation now(database, changed.snapshot());
    expect_moved<CpdSearch>([&](CpdSearch& s) { s.begin(database, now, start, goal); }, 1);
}

TEST_F(Moves, CachesMoveAlong) {
    World world(TerrainGrid(grid.width(), grid.height(), grid.cells(), grid.catalogue()));
    Planner planner(world);
    FindOptions cached;
    cached.method = find_method("dta:16+cache").value();
    const Path path = planner.find(start, goal, test::digit_profile(), cached);
    Planner other(world);
    other = std::move(planner);
    EXPECT_EQ(other.find(start, goal, test::digit_profile(), cached).cells, path.cells);

    RefinementCache cache(4096);
    RefinementCache moved(std::move(cache));
    EXPECT_EQ(moved.max_bytes(), 4096u);

    PrepareOptions options;
    options.method = find_method("overlay:2").value();
    Preparation begun(world.snapshot(), costs, options), replaced(world.snapshot(), costs, options);
    begun.run(1);
    Preparation preparation(std::move(begun));
    replaced = std::move(preparation);
    EXPECT_TRUE(replaced.run());
    EXPECT_TRUE(world.install(std::move(replaced)));

    Refractor refractor, second;
    std::vector<Point> one, two;
    const double cost = refractor.refract({grid, costs, eight}, path.cells, one);
    second = Refractor(std::move(refractor));
    EXPECT_EQ(second.refract({grid, costs, eight}, path.cells, two), cost);
    EXPECT_EQ(one, two);
}

// The largest world of the most expensive terrain: with a weight of many digits, keys would not fit 64 bits.
TEST(GridSearchLimits, WeightsHoldInTheLargestAndMostExpensiveWorld) {
    TerrainGrid grid(kMaxSide, kMaxSide, Terrain{5});
    grid.set({kMaxSide - 1, kMaxSide - 1}, Terrain{6});
    const CostTable costs = Profile().cost("ground", 650).cost("trees", 0.01).compile(grid.snapshot().catalogue()).value();
    SearchOptions options;
    for (const char* method : {"astar", "wastar:1.1"}) {
        options.method = find_method(method).value();
        GridSearch search;
        search.begin({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {3, 3}, {43, 9}, options);
        ASSERT_EQ(search.run(), Status::kFound);
        EXPECT_EQ(search.necessary_expansions(), search.expansions());
        Path path;
        search.path(path);
        EXPECT_EQ(path.cost, Cost{34 * kStraight + 6 * kDiagonal} * 130000);
    }
}

}  // namespace
}  // namespace terrane
