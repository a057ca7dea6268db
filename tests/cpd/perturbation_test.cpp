#include "cpd/perturbation.h"

#include <gtest/gtest.h>

#include <array>

#include "changed_world.h"
#include "cpd/cheapened_edge_bounds.h"

namespace terrane {
namespace {

using detail::kNoChange;
using test::Change;

CellId id_of(const Perturbation& perturbation, Cell cell) { return perturbation.now().layout().id(cell); }

TEST(Perturbation, IsEmptyIfNothingChanged) {
    const test::Scene s = test::scene("S.3#G");
    const Perturbation none(test::database_of(s.grid, Movement::kEightNoCornerCutting), s.grid.snapshot());
    EXPECT_EQ(none.changed_cells(), 0u);
    EXPECT_FALSE(none.any_cheaper());
    EXPECT_EQ(none.data().area_count, 0u);
}

TEST(Perturbation, ComparesCostsOfMapsOfAnyOrigin) {
    const PathDatabase database = test::database_of(test::scene("1234#").grid, Movement::kEightNoCornerCutting);
    const Perturbation changed(database, test::scene("2#341").grid.snapshot());
    EXPECT_EQ(changed.changed_cells(), 3u);
    EXPECT_TRUE(changed.any_cheaper());
    EXPECT_TRUE(changed.changed(id_of(changed, {0, 0})));
    EXPECT_FALSE(changed.changed(id_of(changed, {2, 0})));
    EXPECT_TRUE(changed.changed(id_of(changed, {4, 0})));
}

TEST(Perturbation, IgnoresTerrainOfTheSameCost) {
    TerrainGrid grid(5, 1, Terrain{1}, test::digit_catalogue());
    const CostTable costs = Profile("flat").blocked("wall").compile(test::digit_catalogue()).value();
    const PathDatabase database = build_path_database({grid.snapshot(), costs, Movement::kEightNoCornerCutting}).value();
    grid.set(Cell{2, 0}, Terrain{7});
    EXPECT_EQ(Perturbation(database, grid.snapshot()).changed_cells(), 0u);
}

TEST(Perturbation, AnyCheaperNeedsACheaperOrUnblockedCell) {
    const PathDatabase database = test::database_of(test::scene("22#").grid, Movement::kEightNoCornerCutting);
    EXPECT_FALSE(Perturbation(database, test::scene("3##").grid.snapshot()).any_cheaper());
    EXPECT_TRUE(Perturbation(database, test::scene("12#").grid.snapshot()).any_cheaper());
    EXPECT_TRUE(Perturbation(database, test::scene("229").grid.snapshot()).any_cheaper());
}

TEST(Perturbation, LabelsConnectedAreas) {
    const PathDatabase database = test::database_of(test::scene(R"(.....
                                                                   .....
                                                                   .....)")
                                                        .grid,
                                                    Movement::kEightNoCornerCutting);
    const Perturbation changed(database, test::scene(R"(#...#
                                                        .#...
                                                        ....5)")
                                             .grid.snapshot());
    const auto area = [&](Cell c) { return changed.data().area(id_of(changed, c)); };
    EXPECT_EQ(changed.data().area_count, 3u);
    EXPECT_EQ(area({0, 0}), area({1, 1}));  // connected by a corner
    EXPECT_NE(area({0, 0}), area({4, 0}));
    EXPECT_NE(area({4, 0}), area({4, 2}));
    EXPECT_EQ(area({2, 2}), kNoChange);
    EXPECT_TRUE(changed.data().beside_change[id_of(changed, {3, 1})]);
    EXPECT_FALSE(changed.data().beside_change[id_of(changed, {4, 2})]);  // itself costlier
    EXPECT_FALSE(changed.data().beside_change[id_of(changed, {4, 0})]);  // blocked
}

void expect_equal(const Perturbation& a, const Perturbation& b) {
    const detail::PerturbationData &x = a.data(), &y = b.data();
    EXPECT_EQ(x.now.grid().version(), y.now.grid().version());
    EXPECT_EQ(x.changed.words(), y.changed.words());
    EXPECT_EQ(x.beside_change.words(), y.beside_change.words());
    EXPECT_EQ(x.ranks, y.ranks);
    EXPECT_EQ(x.areas, y.areas);
    EXPECT_EQ(x.cheapened_endpoints, y.cheapened_endpoints);
    EXPECT_EQ(x.cheapened_edges.size(), y.cheapened_edges.size());
    EXPECT_EQ(x.endpoint_groups.size(), y.endpoint_groups.size());
    EXPECT_EQ(a.changed_cells(), b.changed_cells());
    EXPECT_EQ(a.any_cheaper(), b.any_cheaper());
    EXPECT_EQ(x.min_cost, y.min_cost);
    EXPECT_EQ(x.max_cost, y.max_cost);
}

TEST(Perturbation, UpdatedIsEqualToAFreshOne) {
    Rng rng(1);
    for (int32_t round = 0; round < 10; ++round) {
        TerrainGrid grid = test::changeable_world(rng, 45, true);  // up to four tiles
        const Cell target = test::random_cell(rng, grid.snapshot());
        grid.set(target, Terrain{1});
        const TerrainGrid base(grid.width(), grid.height(), grid.snapshot().cells(), test::digit_catalogue());
        const PathDatabase database = test::database_of(base, Movement::kEightNoCornerCutting, PathTargets::these({target}));
        Perturbation perturbation(database, grid.snapshot());
        for (int32_t edit = 0; edit < 10; ++edit) {
            perturbation = perturbation.updated(test::change(rng, grid, Change::kMixed));
            expect_equal(perturbation, Perturbation(database, grid.snapshot()));
        }
    }
}

TEST(Perturbation, IsEmptyAfterEditsAreUndone) {
    TerrainGrid grid = std::move(test::scene("S...G").grid);
    const PathDatabase database = test::database_of(grid, Movement::kEightNoCornerCutting);
    const Perturbation blocked = Perturbation(database, grid.snapshot()).updated(grid.set(Cell{2, 0}, Terrain{0}));
    EXPECT_EQ(blocked.changed_cells(), 1u);
    const Perturbation undone = blocked.updated(grid.set(Cell{2, 0}, Terrain{1}));
    EXPECT_EQ(undone.changed_cells(), 0u);
    EXPECT_EQ(blocked.changed_cells(), 1u);  // immutable
}

// h(n) <= the optimum, and h(a) <= step + h(b), on every cell and step.
TEST(CheapenedEdgeBounds, AreAdmissibleAndConsistent) {
    Rng rng(2);
    detail::PathBounds bounds;
    detail::CheapenedEdgeBounds cheapened;
    for (int32_t round = 0; round < 60; ++round) {
        TerrainGrid grid = test::changeable_world(rng, 30, rng.chance(1, 2));
        const GridSnapshot base = grid.snapshot();
        const auto movement = static_cast<Movement>(round % 3);
        const Cell goal = test::random_cell(rng, base);
        const PathDatabase database = test::database_of(grid, movement, PathTargets::these({goal}));
        test::change(rng, grid, round % 2 == 0 ? Change::kRemoval : Change::kMixed);
        const Perturbation perturbation(database, grid.snapshot());
        const GridLayout& layout = base.layout();
        const test::ChangedOracle oracle(base, {grid.snapshot(), database.ground().costs(), movement}, false);
        if (!database.covers(layout.id(goal)) || oracle.cost[oracle.index(goal)] == 0) continue;
        const detail::ChangedGrid changed(perturbation.data(), false);
        bounds.begin(database, changed, layout.id(goal));
        cheapened.begin(changed, bounds, layout.id(goal));
        const std::vector<uint64_t> optimum = oracle.distances(goal);
        const auto h = [&](CellId cell) { return cheapened(layout.cell(cell), bounds(cell).base); };
        for (int32_t y = 0; y < grid.height(); ++y) {
            for (int32_t x = 0; x < grid.width(); ++x) {
                const CellId cell = layout.id({x, y});
                if (oracle.cost[oracle.index({x, y})] == 0) continue;
                ASSERT_LE(h(cell), optimum[oracle.index({x, y})]) << "round " << round << " at " << x << "," << y;
                changed.for_each_step(cell, [&](Move, CellId to, uint64_t cost) {
                    if (h(to) != kInfinite<uint64_t>) {
                        EXPECT_LE(h(cell), cost + h(to)) << "round " << round << " at " << x << "," << y;
                    }
                });
            }
        }
    }
}

// The entry is kNoCell exactly if the cheapened edges do not lower the bound. No bound is above the optimum.
TEST(CheapenedEdgeBounds, EntryExistsOnlyIfCheapenedEdgesLowerTheBound) {
    Rng rng(3);
    detail::PathBounds bounds, back;
    detail::CheapenedEdgeBounds cheapened;
    std::array<int, 2> seen{};  // entries that are kNoCell, and entries that are not
    for (int32_t round = 0; round < 12; ++round) {
        TerrainGrid grid = test::changeable_world(rng, 20, rng.chance(1, 2));
        const GridSnapshot base = grid.snapshot();
        const Cell goal = test::random_cell(rng, base);
        const PathDatabase database = test::database_of(grid, Movement::kEightNoCornerCutting);
        test::change(rng, grid, Change::kRemoval);
        const Perturbation perturbation(database, grid.snapshot());
        const GridLayout& layout = base.layout();
        const test::ChangedOracle oracle(base, {grid.snapshot(), database.ground().costs(), Movement::kEightNoCornerCutting}, false);
        if (!database.covers(layout.id(goal)) || !perturbation.data().any_cheaper) continue;
        const detail::ChangedGrid changed(perturbation.data(), false);
        bounds.begin(database, changed, layout.id(goal));
        cheapened.begin(changed, bounds, layout.id(goal));
        const std::vector<uint64_t> optimum = oracle.distances(goal);
        for (int32_t i = 0; i < grid.width() * grid.height(); ++i) {
            const Cell start{i % grid.width(), i / grid.width()};
            if (!database.covers(layout.id(start))) continue;
            back.begin(database, changed, layout.id(start));
            const uint64_t was = bounds(layout.id(start)).base;
            const auto entry = cheapened.from_start(changed, back, start, was);
            ASSERT_LE(entry.bound, optimum[oracle.index(start)]) << "round " << round;
            ASSERT_LE(entry.bound, was);
            if (perturbation.data().cheapened_endpoints.empty()) continue;
            ASSERT_EQ(entry.cell == kNoCell, entry.bound == was) << "round " << round;
            if (entry.cell != kNoCell) {
                const uint64_t distance = back(entry.cell).base;
                ASSERT_LE(distance, entry.bound);
            }
            ++seen[entry.cell == kNoCell ? 0 : 1];
        }
    }
    EXPECT_GT(seen[0], 100);
    EXPECT_GT(seen[1], 100);
}

}  // namespace
}  // namespace terrane
