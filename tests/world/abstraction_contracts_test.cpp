// Broken contracts of the abstractions: each class ends the program at its entry point and names the contract.
#include <gtest/gtest.h>

#include "dta/region_search.h"
#include "grid_search/refiner.h"
#include "support/scene.h"
#include "terrane/hpa/entrance_graph.h"
#include "terrane/minimal_memory/minimal_memory.h"
#include "terrane/overlay/portal_search.h"
#include "terrane/overlay/portal_tree.h"
#include "terrane/pra/cliques.h"
#include "terrane/terrain_regions/connected_components.h"

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
    EXPECT_DEATH(search.begin(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, regions.id_limit(), 0, {}),
                 "contract broken: start");
    EXPECT_DEATH(search.begin(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, 0, kNoRegion, {}),
                 "contract broken: start");
}

TEST_F(ContractDeathTest, ComponentsAreOfTheRegionsTheyAreAskedWith) {
    const TerrainRegions regions = TerrainRegions::build(grid), others = TerrainRegions::build(grid);
    const ConnectedComponents components = ConnectedComponentsCache().get(regions, PassableSet::of(costs, Movement::kEightNoCornerCutting));
    EXPECT_DEATH(static_cast<void>(nearest_reachable(others, components, drawn.start, drawn.goal)), "contract broken: components");
}

TEST_F(ContractDeathTest, RefinersHaveWeightsOfAtLeastOneAndAPathWhenFound) {
    Refiner refiner;
    EXPECT_DEATH(refiner.begin({grid, costs, Movement::kEightNoCornerCutting}, Weight{1, 2}), "contract broken: weight");
    EXPECT_DEATH(refiner.begin({grid, costs, Movement::kEightNoCornerCutting}, Weight{1, 0}), "contract broken: weight");
    refiner.begin({grid, costs, Movement::kEightNoCornerCutting});
    refiner.begin_segment(drawn.start, blocked);
    std::vector<Cell> cells;
    EXPECT_DEATH(refiner.append_to(cells), "contract broken");
}

TEST_F(ContractDeathTest, EntrancesAreSearchedBetweenPassableCellsOfTheMap) {
    const EntranceGraph graph = EntranceGraph::build({grid, costs, Movement::kEightNoCornerCutting}, {4});
    EntranceSearch search;
    EXPECT_DEATH(search.begin(graph, drawn.start, blocked), "contract broken: graph");
    EXPECT_DEATH(search.begin(graph, outside, drawn.goal), "contract broken: graph");
    search.begin(graph, drawn.start, drawn.goal);
    std::vector<Cell> cells;
    EXPECT_DEATH(search.path(cells), "contract broken");
    EXPECT_DEATH(EntranceGraph::build({grid, costs, Movement::kEightNoCornerCutting}, {3}), "contract broken: options.sector");
}

TEST_F(ContractDeathTest, OverlaysAreSearchedBetweenPassableCellsOfTheMap) {
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting});
    PortalSearch search;
    EXPECT_DEATH(search.begin(overlay, blocked, drawn.goal), "contract broken: passable");
    EXPECT_DEATH(search.begin(overlay, drawn.start, outside), "contract broken: passable");
    OverlayOptions options;
    options.portals_per_side = 0;
    EXPECT_DEATH(PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, options),
                 "contract broken: options.portals_per_side");
}

TEST_F(ContractDeathTest, ATreeOfPortalsHasBegunBeforeItIsAsked) {
    PortalTree tree;
    EXPECT_DEATH(static_cast<void>(tree.overlay()), "contract broken");
    EXPECT_DEATH(static_cast<void>(tree.run(1)), "contract broken");
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting});
    EXPECT_DEATH(tree.begin(overlay, outside), "contract broken: overlay");
}

TEST_F(ContractDeathTest, SetsOfPassableTerrainAreOfTheirMovement) {
    const PassableSet cutting = PassableSet::of(costs, Movement::kEightCutCorners);
    EXPECT_DEATH(MinimalMemory::build(grid, cutting, Movement::kEightNoCornerCutting), "contract broken: set.cutting");
    EXPECT_DEATH(Cliques::build(grid, cutting, Movement::kFour), "contract broken: set.cutting");
}

}  // namespace
}  // namespace terrane::test
