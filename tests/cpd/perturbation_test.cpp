#include "cpd/perturbation.h"

#include <gtest/gtest.h>

#include <array>

#include "changed_world.h"
#include "cpd/opened_bounds.h"

namespace terrane {
namespace {

using detail::kNoChange;
using test::Change;

CellId id_of(const Perturbation& perturbation, Cell cell) { return perturbation.now().layout().id(cell); }

TEST(Perturbation, IsNothingWhereNothingChanged) {
    const test::Scene s = test::scene("S.3#G");
    const Perturbation none(test::database_of(s.grid, Movement::kEight), s.grid.snapshot());
    EXPECT_EQ(none.changed_cells(), 0u);
    EXPECT_FALSE(none.any_cheaper());
    EXPECT_EQ(none.root().area_count, 0u);
}

TEST(Perturbation, ComparesCostsOfMapsOfAnyOrigin) {
    const PathDatabase database = test::database_of(test::scene("1234#").grid, Movement::kEight);
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
    const PathDatabase database = build_path_database({grid.snapshot(), costs, Movement::kEight}).value();
    grid.set(Cell{2, 0}, Terrain{7});
    EXPECT_EQ(Perturbation(database, grid.snapshot()).changed_cells(), 0u);
}

TEST(Perturbation, IsCheaperOnlyWhereSomethingIs) {
    const PathDatabase database = test::database_of(test::scene("22#").grid, Movement::kEight);
    EXPECT_FALSE(Perturbation(database, test::scene("3##").grid.snapshot()).any_cheaper());
    EXPECT_TRUE(Perturbation(database, test::scene("12#").grid.snapshot()).any_cheaper());
    EXPECT_TRUE(Perturbation(database, test::scene("229").grid.snapshot()).any_cheaper());
}

TEST(Perturbation, TellsConnectedAreasApart) {
    const PathDatabase database = test::database_of(test::scene(R"(.....
                                                                   .....
                                                                   .....)")
                                                        .grid,
                                                    Movement::kEight);
    const Perturbation changed(database, test::scene(R"(#...#
                                                        .#...
                                                        ....5)")
                                             .grid.snapshot());
    const auto area = [&](Cell c) { return changed.root().area(id_of(changed, c)); };
    EXPECT_EQ(changed.root().area_count, 3u);
    EXPECT_EQ(area({0, 0}), area({1, 1}));  // by a corner
    EXPECT_NE(area({0, 0}), area({4, 0}));
    EXPECT_NE(area({4, 0}), area({4, 2}));
    EXPECT_EQ(area({2, 2}), kNoChange);
    EXPECT_TRUE(changed.root().beside[id_of(changed, {3, 1})]);
    EXPECT_FALSE(changed.root().beside[id_of(changed, {4, 2})]);  // dearer itself
    EXPECT_FALSE(changed.root().beside[id_of(changed, {4, 0})]);  // blocked
}

void expect_equal(const Perturbation& a, const Perturbation& b) {
    const detail::PerturbationRoot &x = a.root(), &y = b.root();
    EXPECT_EQ(x.now.grid().version(), y.now.grid().version());
    EXPECT_EQ(x.changed.words(), y.changed.words());
    EXPECT_EQ(x.beside.words(), y.beside.words());
    EXPECT_EQ(x.ranks, y.ranks);
    EXPECT_EQ(x.areas, y.areas);
    EXPECT_EQ(x.opened, y.opened);
    EXPECT_EQ(x.opened_steps.size(), y.opened_steps.size());
    EXPECT_EQ(x.blocks.size(), y.blocks.size());
    EXPECT_EQ(a.changed_cells(), b.changed_cells());
    EXPECT_EQ(a.any_cheaper(), b.any_cheaper());
    EXPECT_EQ(x.cheapest, y.cheapest);
    EXPECT_EQ(x.dearest, y.dearest);
}

TEST(Perturbation, UpdatedIsEqualToAFreshOne) {
    Rng rng(1);
    for (int32_t round = 0; round < 10; ++round) {
        TerrainGrid grid = test::changeable_world(rng, 45, true);  // up to four tiles
        const Cell target = test::random_cell(rng, grid.snapshot());
        grid.set(target, Terrain{1});
        const TerrainGrid base(grid.width(), grid.height(), grid.snapshot().cells(), test::digit_catalogue());
        const PathDatabase database = test::database_of(base, Movement::kEight, PathTargets::these({target}));
        Perturbation perturbation(database, grid.snapshot());
        for (int32_t edit = 0; edit < 10; ++edit) {
            perturbation = perturbation.updated(test::change(rng, grid, Change::kMixed));
            expect_equal(perturbation, Perturbation(database, grid.snapshot()));
        }
    }
}

TEST(Perturbation, EndsWhereEditsAreUndone) {
    TerrainGrid grid = std::move(test::scene("S...G").grid);
    const PathDatabase database = test::database_of(grid, Movement::kEight);
    const Perturbation blocked = Perturbation(database, grid.snapshot()).updated(grid.set(Cell{2, 0}, Terrain{0}));
    EXPECT_EQ(blocked.changed_cells(), 1u);
    const Perturbation undone = blocked.updated(grid.set(Cell{2, 0}, Terrain{1}));
    EXPECT_EQ(undone.changed_cells(), 0u);
    EXPECT_EQ(blocked.changed_cells(), 1u);  // never changes
}

// h(n) <= the optimum, and h(a) <= step + h(b), on every cell and step.
TEST(OpenedBounds, AreAdmissibleAndConsistent) {
    Rng rng(2);
    detail::PathBounds bounds;
    detail::OpenedBounds opened;
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
        if (!database.covers(layout.id(goal)) || oracle.cost[oracle.place(goal)] == 0) continue;
        const detail::ChangedGrid changed(perturbation.root(), false);
        bounds.begin(database, changed, layout.id(goal));
        opened.begin(changed, bounds, layout.id(goal));
        const std::vector<uint64_t> optimum = oracle.distances(goal);
        const auto h = [&](CellId cell) { return opened(layout.cell(cell), bounds(cell).base); };
        for (int32_t y = 0; y < grid.height(); ++y) {
            for (int32_t x = 0; x < grid.width(); ++x) {
                const CellId cell = layout.id({x, y});
                if (oracle.cost[oracle.place({x, y})] == 0) continue;
                ASSERT_LE(h(cell), optimum[oracle.place({x, y})]) << "round " << round << " at " << x << "," << y;
                changed.for_each_step(cell, [&](Move, CellId to, uint64_t cost) {
                    if (h(to) != kInfinite<uint64_t>) {
                        EXPECT_LE(h(cell), cost + h(to)) << "round " << round << " at " << x << "," << y;
                    }
                });
            }
        }
    }
}

// Where nothing is won by it, a path comes to no cell beside something cheaper; else to the one where it first does. No bound is above the
// optimum.
TEST(OpenedBounds, EntriesAreThoseThatWinSomething) {
    Rng rng(3);
    detail::PathBounds bounds, back;
    detail::OpenedBounds opened;
    std::array<int, 2> seen{};  // of what is won: nothing, something
    for (int32_t round = 0; round < 12; ++round) {
        TerrainGrid grid = test::changeable_world(rng, 20, rng.chance(1, 2));
        const GridSnapshot base = grid.snapshot();
        const Cell goal = test::random_cell(rng, base);
        const PathDatabase database = test::database_of(grid, Movement::kEight);
        test::change(rng, grid, Change::kRemoval);
        const Perturbation perturbation(database, grid.snapshot());
        const GridLayout& layout = base.layout();
        const test::ChangedOracle oracle(base, {grid.snapshot(), database.ground().costs(), Movement::kEight}, false);
        if (!database.covers(layout.id(goal)) || !perturbation.root().any_cheaper) continue;
        const detail::ChangedGrid changed(perturbation.root(), false);
        bounds.begin(database, changed, layout.id(goal));
        opened.begin(changed, bounds, layout.id(goal));
        const std::vector<uint64_t> optimum = oracle.distances(goal);
        for (int32_t i = 0; i < grid.width() * grid.height(); ++i) {
            const Cell start{i % grid.width(), i / grid.width()};
            if (!database.covers(layout.id(start))) continue;
            back.begin(database, changed, layout.id(start));
            const uint64_t was = bounds(layout.id(start)).base;
            const auto entry = opened.from_start(changed, back, start, was);
            ASSERT_LE(entry.bound, optimum[oracle.place(start)]) << "round " << round;
            ASSERT_LE(entry.bound, was);
            if (perturbation.root().opened.empty()) continue;
            ASSERT_EQ(entry.cell == kNoCell, entry.bound == was) << "round " << round;
            if (entry.cell != kNoCell) {
                const uint64_t way = back(entry.cell).base;
                ASSERT_LE(way, entry.bound);
            }
            ++seen[entry.cell == kNoCell ? 0 : 1];
        }
    }
    EXPECT_GT(seen[0], 100);
    EXPECT_GT(seen[1], 100);
}

}  // namespace
}  // namespace terrane
