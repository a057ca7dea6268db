// Broken contracts of the abstractions: each class ends the program at its entry point, and says which contract it was.
#include <gtest/gtest.h>

#include "dta/region_search.h"
#include "grid_search/refiner.h"
#include "support/scene.h"
#include "terrane/hpa/entrance_graph.h"
#include "terrane/minimal_memory/minimal_memory.h"
#include "terrane/overlay/portal_search.h"
#include "terrane/overlay/portal_tree.h"
#include "terrane/pra/cliques.h"
#include "terrane/terrain_regions/reachability.h"

namespace terrane::test {
namespace {

class ContractDeathTest : public testing::Test {
protected:
    const Scene drawn = scene(R"(.....
                                 .S.#.
                                 ...#G)");
    const GridSnapshot grid = drawn.grid.snapshot();
    const CostTable costs = drawn.profile.compile(grid.catalogue()).value();
    const Cell blocked{3, 1}, outside{5, 0};
};

TEST_F(ContractDeathTest, RegionsHaveSectorsOfFourTo128Cells) {
    EXPECT_DEATH(TerrainRegions::build(grid, {3}), "contract broken: options.sector");
    EXPECT_DEATH(TerrainRegions::build(grid, {129}), "contract broken: options.sector");
}

TEST_F(ContractDeathTest, RegionsAreSearchedBetweenTheirIds) {
    const TerrainRegions regions = TerrainRegions::build(grid);
    RegionSearch search;
    EXPECT_DEATH(search.begin(regions, {regions.grid(), costs, Movement::kEight}, regions.id_limit(), 0, {}), "contract broken: start");
    EXPECT_DEATH(search.begin(regions, {regions.grid(), costs, Movement::kEight}, 0, kNoRegion, {}), "contract broken: start");
}

TEST_F(ContractDeathTest, ComponentsAreOfTheRegionsTheyAreAskedWith) {
    const TerrainRegions regions = TerrainRegions::build(grid), others = TerrainRegions::build(grid);
    const Components components = ReachabilityCache().get(regions, PassableSet::of(costs, Movement::kEight));
    EXPECT_DEATH(static_cast<void>(nearest_reachable(others, components, drawn.start, drawn.goal)), "contract broken: components");
}

TEST_F(ContractDeathTest, RefinersHaveWeightsOfAtLeastOneAndAPathWhenFound) {
    Refiner refiner;
    EXPECT_DEATH(refiner.begin({grid, costs, Movement::kEight}, Weight{1, 2}), "contract broken: weight");
    EXPECT_DEATH(refiner.begin({grid, costs, Movement::kEight}, Weight{1, 0}), "contract broken: weight");
    refiner.begin({grid, costs, Movement::kEight});
    refiner.aim(drawn.start, blocked);
    std::vector<Cell> cells;
    EXPECT_DEATH(refiner.append_to(cells), "contract broken");
}

TEST_F(ContractDeathTest, EntrancesAreSearchedBetweenPassableCellsOfTheMap) {
    const EntranceGraph graph = EntranceGraph::build({grid, costs, Movement::kEight}, {4});
    EntranceSearch search;
    EXPECT_DEATH(search.begin(graph, drawn.start, blocked), "contract broken: graph");
    EXPECT_DEATH(search.begin(graph, outside, drawn.goal), "contract broken: graph");
    search.begin(graph, drawn.start, drawn.goal);
    std::vector<Cell> cells;
    EXPECT_DEATH(search.path(cells), "contract broken");
    EXPECT_DEATH(EntranceGraph::build({grid, costs, Movement::kEight}, {3}), "contract broken: options.sector");
}

TEST_F(ContractDeathTest, OverlaysAreSearchedBetweenPassableCellsOfTheMap) {
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEight});
    PortalSearch search;
    EXPECT_DEATH(search.begin(overlay, blocked, drawn.goal), "contract broken: enters");
    EXPECT_DEATH(search.begin(overlay, drawn.start, outside), "contract broken: enters");
    OverlayOptions options;
    options.slots = 0;
    EXPECT_DEATH(PortalOverlay::build({grid, costs, Movement::kEight}, options), "contract broken: options.slots");
}

TEST_F(ContractDeathTest, ATreeOfPortalsHasBegunBeforeItIsAsked) {
    PortalTree tree;
    EXPECT_DEATH(static_cast<void>(tree.overlay()), "contract broken");
    EXPECT_DEATH(static_cast<void>(tree.run(1)), "contract broken");
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEight});
    EXPECT_DEATH(tree.begin(overlay, outside), "contract broken: overlay");
}

TEST_F(ContractDeathTest, SetsOfPassableTerrainAreOfTheirMovement) {
    const PassableSet cutting = PassableSet::of(costs, Movement::kCutting);
    EXPECT_DEATH(MinimalMemory::build(grid, cutting, Movement::kEight), "contract broken: set.cutting");
    EXPECT_DEATH(Cliques::build(grid, cutting, Movement::kFour), "contract broken: set.cutting");
}

}  // namespace
}  // namespace terrane::test
