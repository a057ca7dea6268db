// Tests that compare repairs with builds rely on operator==, so it must return false for different objects.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/scene.h"
#include "terrane/dta/edge_costs.h"
#include "terrane/hpa/entrance_graph.h"
#include "terrane/minimal_memory/minimal_memory.h"
#include "terrane/pra/cliques.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {
namespace {

// A map, and the same with one cell changed from passable to blocked or back.
struct Pair {
    GridSnapshot one, other;
    CostTable costs;
    Movement movement;
    PassableSet set() const { return PassableSet::of(costs, movement); }
};

Pair draw_pair(Rng& rng) {
    for (;;) {
        test::RandomWorld world = test::random_world(rng);
        const GridSnapshot one = world.grid.snapshot();
        const Cell cell = test::random_cell(rng, one);
        for (Terrain t = 0; t < 8; ++t) {
            if (world.costs.passable(t) == world.costs.passable(one.at(cell))) continue;
            return {one, world.grid.set(cell, t).after, world.costs, world.movement};
        }
    }
}

// Builds of both maps, which differ, and of each map twice, which are equal.
template <class Build>
void expect_told_apart(const Pair& pair, Build&& build) {
    EXPECT_TRUE(build(pair.one) == build(pair.one));
    EXPECT_FALSE(build(pair.one) == build(pair.other));
    EXPECT_FALSE(build(pair.other) == build(pair.one));
}

TEST(Equality, RegionsOfAnotherMapDiffer) {
    Rng rng(1);
    for (int i = 0; i < 200; ++i) {
        expect_told_apart(draw_pair(rng), [](const GridSnapshot& grid) { return TerrainRegions::build(grid, {8, true}); });
    }
}

TEST(Equality, RegionsOfOtherSettingsDiffer) {
    Rng rng(2);
    const GridSnapshot grid = TerrainGrid(40, 40, 5).snapshot();
    const TerrainRegions regions = TerrainRegions::build(grid, {8, true});
    EXPECT_FALSE(regions == TerrainRegions::build(grid, {16, true}));
    EXPECT_FALSE(regions == TerrainRegions::build(grid, {8, false}));
    EXPECT_FALSE(regions == TerrainRegions::build(TerrainGrid(40, 39, 5).snapshot(), {8, true}));  // as many sectors, regions and edges
    EXPECT_FALSE(regions == TerrainRegions::build(TerrainGrid(39, 40, 5).snapshot(), {8, true}));
    EXPECT_FALSE(regions == TerrainRegions::build(TerrainGrid(40, 40, 6).snapshot(), {8, true}));  // of another terrain
    EXPECT_FALSE(regions == TerrainRegions());
    // The last sector matters as much as the first.
    for (const Cell cell : {Cell{0, 0}, Cell{39, 39}, Cell{20, 20}}) {
        TerrainGrid two(40, 40, 5), three(40, 40, 5);
        two.set(cell, 6);
        three.set(cell, 7);
        EXPECT_FALSE(TerrainRegions::build(two.snapshot(), {8, true}) == TerrainRegions::build(three.snapshot(), {8, true}));
    }
}

// Compares all query results, except for cells that are blocked in one of them: a sector with one region stores nothing about its cells.
bool answer_alike(const MinimalMemory& a, const MinimalMemory& b) {
    for (uint32_t s = 0; s < a.sectors(); ++s) {
        if (a.regions_in(s) != b.regions_in(s)) return false;
        for (uint32_t n = 0; n < a.regions_in(s); ++n) {
            std::vector<std::pair<uint32_t, uint32_t>> ways_a, ways_b;
            a.for_each_edge(a.id(s, n), [&](RegionId to) { ways_a.emplace_back(a.sector_of(to), a.number_of(to)); });
            b.for_each_edge(b.id(s, n), [&](RegionId to) { ways_b.emplace_back(b.sector_of(to), b.number_of(to)); });
            if (a.centre(a.id(s, n)) != b.centre(b.id(s, n)) || ways_a != ways_b) return false;
        }
        const Rect rect = a.sector_rect(s);
        for (int32_t y = rect.y; y < rect.bottom(); ++y) {
            for (int32_t x = rect.x; x < rect.right(); ++x) {
                const RegionId in_a = a.region_of({x, y}), in_b = b.region_of({x, y});
                if (in_a != kNoRegion && in_b != kNoRegion && a.number_of(in_a) != b.number_of(in_b)) return false;
            }
        }
    }
    return true;
}

TEST(Equality, MinimalMemoryIsTheSameWhereItAnswersAlike) {
    Rng rng(3);
    int others = 0;
    for (int i = 0; i < 300; ++i) {
        const Pair pair = draw_pair(rng);
        MinimalMemoryOptions options;
        options.sector = 8;
        options.labels = true;
        const auto build = [&](const GridSnapshot& grid) { return MinimalMemory::build(grid, pair.set(), pair.movement, options); };
        const MinimalMemory one = build(pair.one), other = build(pair.other);
        EXPECT_TRUE(one == build(pair.one));
        if (!answer_alike(one, other)) {
            ++others;
            EXPECT_FALSE(one == other);
        }
    }
    EXPECT_GT(others, 150);
}

TEST(Equality, CliquesOfAnotherMapDiffer) {
    Rng rng(4);
    for (int i = 0; i < 200; ++i) {
        const Pair pair = draw_pair(rng);
        const CliqueOptions options = {static_cast<CliqueRule>(i % 2)};
        expect_told_apart(pair, [&](const GridSnapshot& grid) { return Cliques::build(grid, pair.set(), pair.movement, options); });
    }
}

// A changed cell inside a sector may leave the paths between its entrances unchanged; on a border between sectors it does not.
TEST(Equality, EntrancesAndEdgesOfAnotherMapDiffer) {
    const test::Scene open = test::scene(R"(
        1111 1111
        1111 1111
        1111 1111
        1111 1111)");
    const CostTable costs = open.profile.compile(open.grid.snapshot().catalogue()).value();
    TerrainGrid changed(8, 4, open.grid.snapshot().cells(), open.grid.snapshot().catalogue());
    const Pair walled = {open.grid.snapshot(), changed.set({3, 1}, 0).after, costs, Movement::kEightNoCornerCutting};
    const Pair costlier = {walled.other, changed.fill({{2, 0}, {1, 4}}, 9).after, costs,
                           Movement::kEightNoCornerCutting};  // the detour around the wall
    for (const Pair& pair : {walled, costlier}) {
        expect_told_apart(pair, [&](const GridSnapshot& grid) { return EntranceGraph::build({grid, costs, pair.movement}, {4}); });
    }
    // Without any crossing, only the settings differ.
    const GridSnapshot blocked_map = TerrainGrid(8, 8, Terrain{0}, test::digit_catalogue()).snapshot();
    const EntranceGraph none = EntranceGraph::build({blocked_map, costs, Movement::kEightNoCornerCutting}, {8});
    EXPECT_EQ(none.data().shift, 0u);
    EXPECT_FALSE(none == EntranceGraph::build({blocked_map, costs, Movement::kFour}, {8}));
    EXPECT_FALSE(none == EntranceGraph::build({blocked_map, costs, Movement::kEightNoCornerCutting}, {16}));
    EXPECT_FALSE(none ==
                 EntranceGraph::build(
                     {TerrainGrid(7, 8, Terrain{0}, test::digit_catalogue()).snapshot(), costs, Movement::kEightNoCornerCutting}, {8}));
    // The same regions, other costs.
    const TerrainRegions regions = TerrainRegions::build(walled.other, {4, true});
    const auto edges_for = [&](double cost) {
        Profile profile = test::digit_profile();
        return ExactEdgeCosts::build(regions, {regions.grid(), profile.cost("cost_1", cost).compile(walled.other.catalogue()).value(),
                                               Movement::kEightNoCornerCutting});
    };
    EXPECT_TRUE(edges_for(1) == edges_for(1));
    EXPECT_FALSE(edges_for(1) == edges_for(1.01));
}

// An edit that does not change the crossings changes the record of its own sector and shares all others.
TEST(Equality, EntrancesOfOtherSectorsAreShared) {
    TerrainGrid grid(20, 20, Terrain{1}, test::digit_catalogue());
    const CostTable costs = test::digit_profile().compile(grid.snapshot().catalogue()).value();
    const EntranceGraph before = EntranceGraph::build({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {5});
    const EntranceGraph after = *before.updated(grid.set({7, 12}, Terrain{9}));
    for (uint32_t s = 0; s < 16; ++s) EXPECT_EQ(&before.data().record(s) == &after.data().record(s), s != 9) << s;
}

// 64 sectors are one page of the directory: one less, and one more.
TEST(Equality, EdgesAroundAPageOfSectorsAreThoseOfANewBuild) {
    for (const int32_t columns : {7, 8, 9}) {
        TerrainGrid grid(columns * 4, 32, Terrain{1}, test::digit_catalogue());
        const CostTable costs = test::digit_profile().compile(grid.snapshot().catalogue()).value();
        const TerrainRegions regions = TerrainRegions::build(grid.snapshot(), {4, true});
        const auto edges = ExactEdgeCosts::build(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
        const EditResult edit = grid.fill({{2, 2}, {1, 28}}, Terrain{7});
        const TerrainRegions after = *regions.updated(edit);
        const auto again = ExactEdgeCosts::build(after, {after.grid(), costs, Movement::kEightNoCornerCutting});
        EXPECT_TRUE(*edges.updated(after, edit) == again);
        const size_t costs_alone = static_cast<size_t>(after.edge_count()) * 4;
        EXPECT_GT(again.bytes(), costs_alone);
        EXPECT_LT(again.bytes(), costs_alone * 2 + 4096);
    }
}

}  // namespace
}  // namespace terrane
