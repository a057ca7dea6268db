#include "terrane/dta/edge_costs.h"

#include <gtest/gtest.h>

#include "dta/region_graph.h"
#include "grid_search/heuristic_checks.h"
#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

constexpr uint32_t kSectors[] = {4, 5, 8, 16, 32, kWholeMap};

TerrainRegions regions_of(const GridSnapshot& grid, uint32_t sector) { return TerrainRegions::build(grid, {sector}); }

// Calls visit(sector, index, from, to, edge) for every edge.
template <class Visit>
void for_each_edge(const TerrainRegions& regions, Visit&& visit) {
    for (uint32_t s = 0; s < regions.sectors(); ++s) {
        uint32_t index = 0;
        for (uint32_t n = 0; n < regions.regions_in(s); ++n) {
            for (const RegionEdge e : regions.data().record(s).edges_of(n)) {
                visit(s, index++, regions.id(s, n), regions.id(regions.neighbour(s, e.side()), e.number()), e);
            }
        }
    }
}

// The edge between the regions of two cells.
uint64_t cost_between(const ExactEdgeCosts& exact, const TerrainRegions& regions, Cell a, Cell b) {
    uint64_t cost = 0;
    for_each_edge(regions, [&](uint32_t sector, uint32_t index, RegionId from, RegionId to, RegionEdge) {
        if (from == regions.region_of(a) && to == regions.region_of(b)) cost = exact.cost(sector, index);
    });
    return cost;
}

// By brute force over the cells of the rectangle.
uint64_t true_cost(const TerrainRegions& regions, const Ground& ground, RegionId from, RegionId to) {
    const Rect rect = hull(regions.sector_rect(regions.sector_of(from)), regions.sector_rect(regions.sector_of(to)));
    std::vector<Terrain> cells;
    for (int32_t y = rect.y; y < rect.bottom(); ++y) {
        for (int32_t x = rect.x; x < rect.right(); ++x) cells.push_back(regions.grid().at(Cell{x, y}));
    }
    const TerrainGrid part(rect.width, rect.height, cells, regions.grid().catalogue());
    const GridSnapshot grid = part.snapshot();
    const Cell a = regions.region(from).representative(), b = regions.region(to).representative();
    return distances_from({grid, ground.costs(), ground.movement()},
                          {a.x - rect.x, a.y - rect.y})[grid.layout().id({b.x - rect.x, b.y - rect.y})];
}

void expect_exact(const ExactEdgeCosts& exact, const TerrainRegions& regions, const Ground& ground) {
    const bool diagonals = uses_diagonal_edges({regions.grid(), ground.costs(), ground.movement()});
    for_each_edge(regions, [&](uint32_t sector, uint32_t index, RegionId from, RegionId to, RegionEdge edge) {
        const bool used = ground.costs().passable(regions.region(from).terrain) && ground.costs().passable(regions.region(to).terrain) &&
                          (diagonals || !edge.diagonal_only());
        ASSERT_EQ(exact.cost(sector, index), used ? true_cost(regions, ground, from, to) : ExactEdgeCosts::kNoPath);
        ASSERT_EQ(used, exact.cost(sector, index) != ExactEdgeCosts::kNoPath);
    });
}

uint64_t hash_of_edges(const ExactEdgeCosts& exact, const TerrainRegions& regions) {
    uint64_t hash = 0;
    for_each_edge(regions,
                  [&](uint32_t sector, uint32_t index, RegionId, RegionId, RegionEdge) { hash = mix64(hash ^ exact.cost(sector, index)); });
    return hash;
}

TEST(EdgeCosts, KnowWhatTheEstimateDoesNot) {
    const Scene s = scene(R"(1119
                             1119
                             1119
                             1119)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const TerrainRegions regions = regions_of(grid, 4);
    const auto exact = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
    // Representatives (1, 1) and (3, 1): two steps, 1-1 and 1-9, not half of the distance at each cost.
    EXPECT_EQ(cost_between(exact, regions, {0, 0}, {3, 0}), kStraight * 12u);
    EXPECT_EQ(cost_between(exact, regions, {3, 0}, {0, 0}), kStraight * 12u);
    const RegionGraph graph(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
    EXPECT_EQ(graph.estimate(regions.region(regions.region_of({0, 0})), regions.region(regions.region_of({3, 0}))), kStraight * 20u);
    EXPECT_EQ(exact.searches(), 1u);
}

TEST(EdgeCosts, OfUnusableEdgesAreNoPath) {
    const Scene s = scene(R"(1#22
                             #122
                             3333
                             3333)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const TerrainRegions regions = regions_of(grid, 4);
    const auto exact = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
    EXPECT_EQ(cost_between(exact, regions, {0, 0}, {1, 1}), ExactEdgeCosts::kNoPath);  // through the corner
    EXPECT_EQ(cost_between(exact, regions, {0, 0}, {1, 0}), ExactEdgeCosts::kNoPath);  // into a wall
    EXPECT_EQ(cost_between(exact, regions, {1, 0}, {2, 0}), ExactEdgeCosts::kNoPath);  // out of a wall
    const auto cutting = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightCutCorners});
    EXPECT_EQ(cost_between(cutting, regions, {0, 0}, {1, 1}), kDiagonal * 2u);
}

TEST(EdgeCosts, StayInTheRectangleOfTheTwoSectors) {
    const Scene s = scene(R"(11111111
                             11111111
                             11111111
                             11111111
                             99999999
                             99999999
                             99999999
                             99999999)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    const TerrainRegions regions = regions_of(grid, 4);
    const auto exact = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
    EXPECT_EQ(cost_between(exact, regions, {0, 4}, {4, 4}), kStraight * 18u * 4);  // not through the row of ones above
    EXPECT_LT(cost_between(exact, regions, {0, 4}, {4, 0}), cost_between(exact, regions, {0, 4}, {4, 4}));
}

TEST(EdgeCosts, AreTrueOnRandomWorlds) {
    Rng rng(51);
    for (int i = 0; i < 40; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        const RandomWorld world = random_world(rng, 14);
        const TerrainRegions regions = regions_of(world.grid.snapshot(), kSectors[rng.below(6)]);
        const auto exact = ExactEdgeCosts::build(regions, {regions.grid(), world.costs, world.movement});
        ASSERT_NO_FATAL_FAILURE(expect_exact(exact, regions, {regions.grid(), world.costs, world.movement}));
    }
}

TEST(EdgeCosts, UpdatedEqualRebuilt) {
    Rng rng(52);
    for (int i = 0; i < 60; ++i) {
        RandomWorld world = random_world(rng, 50);
        TerrainRegions regions = regions_of(world.grid.snapshot(), kSectors[rng.below(i % 10 == 0 ? 6 : 5)]);
        auto exact = ExactEdgeCosts::build(regions, {regions.grid(), world.costs, world.movement});
        for (int edit = 0; edit < 12; ++edit) {
            const EditResult result = random_edit(rng, world);
            regions = regions.updated(result).value();
            exact = exact.updated(regions, result, 1 + rng.below(2)).value();
            ASSERT_TRUE(exact.valid_for(regions, {regions.grid(), world.costs, world.movement}));
            ASSERT_TRUE(exact == ExactEdgeCosts::build(regions, {regions.grid(), world.costs, world.movement}))
                << "world " << i << ", edit " << edit;
        }
    }
}

TEST(EdgeCosts, AnEditSearchesOnlyAroundIt) {
    IslandOptions options;
    options.width = options.height = 256;
    TerrainGrid grid = generate_island(options).value();
    const CostTable costs = Profile::preset("deer")->compile(grid.snapshot().catalogue()).value();
    const TerrainRegions regions = regions_of(grid.snapshot(), 16);
    const auto exact = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
    const GridSnapshot before = grid.snapshot();
    const EditResult edit = grid.set({100, 100}, before.at(Cell{100, 100}) == 0 ? Terrain{1} : Terrain{0});
    const TerrainRegions after = regions.updated(edit).value();
    const auto updated = exact.updated(after, edit).value();
    EXPECT_TRUE(updated == ExactEdgeCosts::build(after, {after.grid(), costs, Movement::kEightNoCornerCutting}));
    uint64_t near = 0;
    const Rect around{{80, 80}, {48, 48}};  // the nine sectors
    for_each_edge(after, [&](uint32_t, uint32_t, RegionId from, RegionId to, RegionEdge) {
        if (around.contains(after.region(from).representative()) && around.contains(after.region(to).representative())) ++near;
    });
    EXPECT_GT(updated.searches(), 0u);
    EXPECT_LE(updated.searches(), near / 2);
    EXPECT_LT(updated.searches() * 50, exact.searches());
}

// A cheap cell beside the corner where two sectors meet, in a third sector: the two regions and their edge do not change.
TEST(EdgeCosts, ChangeWhereTheRegionsDoNot) {
    TerrainGrid grid(8, 8, Terrain{9}, digit_catalogue());
    const CostTable costs = digit_profile().compile(digit_catalogue()).value();
    TerrainRegions regions = regions_of(grid.snapshot(), 4);
    auto exact = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
    EXPECT_EQ(cost_between(exact, regions, {0, 0}, {7, 7}), kDiagonal * 72u);
    const EditResult edit = grid.set({4, 3}, Terrain{1});
    regions = regions.updated(edit).value();
    exact = exact.updated(regions, edit).value();
    EXPECT_EQ(cost_between(exact, regions, {0, 0}, {7, 7}), kDiagonal * 38u + kStraight * 36u);
    ASSERT_NO_FATAL_FAILURE(expect_exact(exact, regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}));
}

TEST(EdgeCosts, DiagonalOnlyEdgesAreUsableOnlyWithoutObstacles) {
    TerrainGrid grid(40, 40, Terrain{1}, digit_catalogue());
    const CostTable costs = digit_profile().compile(digit_catalogue()).value();
    TerrainRegions regions = regions_of(grid.snapshot(), 8);
    auto exact = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
    const uint64_t searches = exact.searches();
    for (const Terrain t : {Terrain{0}, Terrain{2}, Terrain{0}, Terrain{1}}) {
        const EditResult edit = grid.set({20, 20}, t);
        regions = regions.updated(edit).value();
        exact = exact.updated(regions, edit).value();
        EXPECT_EQ(cost_between(exact, regions, {0, 0}, {8, 8}) == ExactEdgeCosts::kNoPath, t == 0);  // far from the edit
        EXPECT_LT(exact.searches(), searches * 3 / 4);
        ASSERT_TRUE(exact == ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}));
    }
}

// Paths through a corridor of cost 650 that exceed 32 bits; edits shorten them and restore them.
TEST(EdgeCosts, ThatDoNotFit32Bits) {
    const Catalogue catalogue = digit_catalogue();
    std::vector<Terrain> cells(40 * 20, Terrain{2});
    for (int32_t y = 1; y < 20; y += 2) {
        for (int32_t x = 0; x < 19; ++x) cells[static_cast<size_t>(y * 40 + (y % 4 == 1 ? x : 19 - x))] = 0;
    }
    for (int32_t x = 0; x < 20; ++x) cells[static_cast<size_t>(19 * 40 + x)] = 1;
    TerrainGrid grid(40, 20, cells, catalogue);
    const CostTable costs = Profile().blocked("wall").cost("cost_1", 0.01).cost("cost_2", 650).compile(catalogue).value();
    TerrainRegions regions = regions_of(grid.snapshot(), 20);
    auto exact = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
    const auto greatest = [&] {
        uint64_t most = 0;
        for_each_edge(regions, [&](uint32_t sector, uint32_t index, RegionId, RegionId, RegionEdge) {
            if (exact.cost(sector, index) != ExactEdgeCosts::kNoPath) most = std::max(most, exact.cost(sector, index));
        });
        return most;
    };
    EXPECT_GT(greatest(), uint64_t{1} << 32);
    const size_t wide = exact.bytes();
    ASSERT_NO_FATAL_FAILURE(expect_exact(exact, regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}));
    EditResult edit = grid.fill({{0, 0}, {40, 20}}, Terrain{1});
    regions = regions.updated(edit).value();
    exact = exact.updated(regions, edit).value();
    EXPECT_LT(greatest(), uint64_t{1} << 32);
    EXPECT_LT(exact.bytes(), wide);
    ASSERT_NO_FATAL_FAILURE(expect_exact(exact, regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}));
}

TEST(EdgeCosts, AreRefusedForAnythingButTheirOwnRegionsProfileAndRule) {
    TerrainGrid grid(20, 20, Terrain{1}, digit_catalogue());
    static_cast<void>(grid.fill({{3, 3}, {6, 6}}, Terrain{2}));
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    const TerrainRegions regions = regions_of(grid.snapshot(), 8), twin = regions_of(grid.snapshot(), 8);
    const auto exact = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
    EXPECT_TRUE(exact.valid_for(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(exact.valid_for(twin, {twin.grid(), costs, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(exact.valid_for(regions, {regions.grid(), costs, Movement::kFour}));
    CostTable other = costs;
    other.cost[3] += 1;
    EXPECT_FALSE(exact.valid_for(regions, {regions.grid(), other, Movement::kEightNoCornerCutting}));

    const EditResult nothing = grid.set({3, 3}, Terrain{2});
    EXPECT_TRUE(exact.updated(regions, nothing)->valid_for(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}));
    EXPECT_EQ(exact.updated(regions, nothing)->searches(), 0u);
    const EditResult first = grid.set({3, 3}, Terrain{0}), second = grid.set({4, 4}, Terrain{2});
    const TerrainRegions one = regions.updated(first).value();
    EXPECT_FALSE(exact.updated(one, second).has_value());
    EXPECT_FALSE(exact.updated(regions, first).has_value());
    EXPECT_FALSE(exact.updated(regions_of(first.after, 16), first).has_value());
    EXPECT_TRUE(exact.updated(one, first)->valid_for(one, {one.grid(), costs, Movement::kEightNoCornerCutting}));
    EXPECT_TRUE(
        exact.valid_for(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}));  // the old version still serves the old map
}

TEST(EdgeCosts, OfOneCellAndOfNoWorld) {
    const CostTable costs = digit_profile().compile(digit_catalogue()).value();
    EXPECT_EQ(ExactEdgeCosts::build({}, {{}, costs, Movement::kEightNoCornerCutting}).searches(), 0u);
    const TerrainGrid grid(1, 1, Terrain{1}, digit_catalogue());
    EXPECT_EQ(ExactEdgeCosts::build(regions_of(grid.snapshot(), 4),
                                    {regions_of(grid.snapshot(), 4).grid(), costs, Movement::kEightNoCornerCutting})
                  .searches(),
              0u);
}

TEST(EdgeCosts, SameForAnyNumberOfThreads) {
    Rng rng(53);
    for (int i = 0; i < 12; ++i) {
        const RandomWorld world = random_world(rng, 90);
        const TerrainRegions regions = regions_of(world.grid.snapshot(), kSectors[rng.below(5)]);
        const auto one = ExactEdgeCosts::build(regions, {regions.grid(), world.costs, world.movement}, 1);
        for (const uint32_t threads : {2u, 5u, 0u}) {
            const auto many = ExactEdgeCosts::build(regions, {regions.grid(), world.costs, world.movement}, threads);
            ASSERT_TRUE(many == one);
            ASSERT_EQ(many.searches(), one.searches());
        }
    }
}

TEST(EdgeCostsGolden, SameCostsEverywhere) {
    IslandOptions options;
    options.width = options.height = 200;
    TerrainGrid grid = generate_island(options).value();
    uint64_t hash = 0;
    for (const Profile& profile : Profile::presets()) {
        const CostTable costs = profile.compile(grid.snapshot().catalogue()).value();
        TerrainRegions regions = regions_of(grid.snapshot(), 16);
        auto exact = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
        hash = mix64(hash ^ hash_of_edges(exact, regions));
        const EditResult edit = grid.fill({{90, 90}, {20, 9}}, Terrain{2});
        regions = regions.updated(edit).value();
        exact = exact.updated(regions, edit).value();
        hash = mix64(hash ^ hash_of_edges(exact, regions) ^ exact.searches());
    }
    EXPECT_EQ(hash, 14170542228531748337u);
}

}  // namespace
}  // namespace terrane::test
