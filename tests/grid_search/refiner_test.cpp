#include "grid_search/refiner.h"

#include <gtest/gtest.h>

#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

constexpr Weight kWeights[] = {{1, 1}, {3, 2}, {5, 1}};

Path refined(Refiner& refiner, uint64_t budget = kUnlimited) {
    Path path;
    while ((path.status = refiner.run(budget)) == Status::kBudgetSpent) {
    }
    path.expansions = refiner.segment_expansions();
    if (path.status != Status::kFound) return path;
    path.cells.push_back(refiner.from());
    refiner.append_to(path.cells);
    path.cost = refiner.cost();
    return path;
}

Path searched(GridSearch& search, const RandomWorld& world, Cell from, Cell to, Weight weight) {
    SearchOptions options;
    if (weight.numerator != weight.denominator) {
        options.method = find_method("wastar:" + format_hundredths(100 * weight.numerator / weight.denominator)).value();
    }
    search.begin({world.grid.snapshot(), world.costs, world.movement}, from, to, options);
    search.run();
    Path path;
    search.path(path);
    return path;
}

void expect_same(const Path& a, const Path& b) {
    ASSERT_EQ(a.status, b.status);
    ASSERT_EQ(a.cells, b.cells);
    ASSERT_EQ(a.cost, b.cost);
    ASSERT_EQ(a.expansions, b.expansions);
}

Rect random_window(Rng& rng, Cell a, Cell b) {
    const int32_t reach = rng.between(0, 9);
    const Rect ends = Rect::spanning(a, b);
    const Cell before{rng.between(0, reach), rng.between(0, reach)}, after{rng.between(0, reach), rng.between(0, reach)};
    return {{ends.x - before.x, ends.y - before.y}, {before.x + ends.width + after.x, before.y + ends.height + after.y}};
}

// The cells of a rectangle as a map of its own.
TerrainGrid cut_out(const GridSnapshot& grid, const Rect& rect) {
    std::vector<Terrain> cells;
    for (int32_t y = rect.y; y < rect.bottom(); ++y) {
        for (int32_t x = rect.x; x < rect.right(); ++x) cells.push_back(grid.at(Cell{x, y}));
    }
    return {rect.width, rect.height, cells};
}

// Rows of a corridor, connected at alternating ends.
std::vector<Terrain> serpent(int32_t side, Terrain floor, Terrain wall) {
    std::vector<Terrain> cells(static_cast<size_t>(side * side), floor);
    for (int32_t y = 1; y < side; y += 2) {
        for (int32_t x = 0; x < side - 1; ++x) cells[static_cast<size_t>(y * side + (y % 4 == 1 ? x : side - 1 - x))] = wall;
    }
    return cells;
}

TEST(Refiner, GoesAroundAWallAndNotThroughItsCorner) {
    const Scene s = scene(R"(S.#..
                             ..#..
                             ....G)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    Refiner refiner;
    refiner.begin({grid, costs, Movement::kEightNoCornerCutting});
    refiner.begin_segment(s.start, s.goal);
    EXPECT_EQ(refiner.run(), Status::kFound);
    std::vector<Cell> cells{{7, 7}};
    refiner.append_to(cells);  // after the existing cells
    EXPECT_EQ(cells, (std::vector<Cell>{{7, 7}, {1, 1}, {1, 2}, {2, 2}, {3, 2}, {4, 2}}));
    EXPECT_EQ(refiner.cost(), Cost{200} * (4 * kStraight + kDiagonal));
}

TEST(Refiner, StaysInItsWindow) {
    const Scene s = scene(R"(.....
                             S9.9G
                             .....)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    Refiner refiner;
    refiner.begin({grid, costs, Movement::kEightNoCornerCutting});
    refiner.begin_segment(s.start, s.goal);
    EXPECT_EQ(refined(refiner).cost, Cost{200} * (2 * kStraight + 2 * kDiagonal));
    refiner.begin_segment(s.start, s.goal, {{0, 1}, {5, 1}});
    EXPECT_EQ(refiner.window(), (Rect{{0, 1}, {5, 1}}));
    EXPECT_EQ(refined(refiner).cost, Cost{100} * kStraight * 40);
    refiner.begin_segment(s.start, s.goal, {{-5, 1}, {55, 89}});  // clipped to the map
    EXPECT_EQ(refiner.window(), (Rect{{0, 1}, {5, 2}}));
    EXPECT_EQ(refined(refiner).cost, Cost{200} * (2 * kStraight + 2 * kDiagonal));
}

TEST(Refiner, ReportsInvalidEnds) {
    const Scene s = scene(R"(S.#..
                             ..#.G
                             ..#..)");
    const GridSnapshot grid = s.grid.snapshot();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    Refiner refiner;
    EXPECT_EQ(refiner.run(), Status::kOutsideMap);
    refiner.begin({grid, costs, Movement::kEightNoCornerCutting});
    EXPECT_EQ(refiner.run(), Status::kOutsideMap);
    const auto status_of = [&](Cell from, Cell to, const Rect& window) {
        refiner.begin_segment(from, to, window);
        return refiner.run();
    };
    const Rect all{{0, 0}, {5, 3}};
    EXPECT_EQ(status_of({0, 0}, {4, 1}, all), Status::kUnreachable);
    EXPECT_EQ(status_of({2, 0}, {4, 1}, all), Status::kBlockedStart);
    EXPECT_EQ(status_of({4, 1}, {2, 2}, all), Status::kBlockedGoal);
    EXPECT_EQ(status_of({-1, 1}, {0, 0}, all), Status::kOutsideMap);
    EXPECT_EQ(status_of({0, 0}, {5, 1}, all), Status::kOutsideMap);
    EXPECT_EQ(status_of({0, 0}, {1, 2}, {{0, 0}, {5, 2}}), Status::kOutsideMap);  // on the map, but outside the window
    EXPECT_EQ(status_of({0, 0}, {1, 2}, {}), Status::kOutsideMap);
    EXPECT_EQ(status_of({0, 0}, {1, 2}, all), Status::kFound);
    refiner.begin({{}, costs, Movement::kEightNoCornerCutting});
    EXPECT_EQ(status_of({0, 0}, {0, 0}, all), Status::kOutsideMap);
}

TEST(Refiner, FromACellToItself) {
    const TerrainGrid grid(1, 1, Terrain{1}, digit_catalogue());
    const CostTable costs = digit_profile().compile(digit_catalogue()).value();
    Refiner refiner;
    for (const Weight weight : kWeights) {
        refiner.begin({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, weight);
        refiner.begin_segment({0, 0}, {0, 0});
        const Path path = refined(refiner);
        EXPECT_EQ(path.status, Status::kFound);
        EXPECT_EQ(path.cells, std::vector<Cell>(1));
        EXPECT_EQ(path.cost, 0u);
        EXPECT_EQ(path.expansions, 0u);
    }
}

TEST(Refiner, SamePathCostAndExpansionsAsGridSearch) {
    Rng rng(41);
    Refiner refiner;
    GridSearch search;
    for (int i = 0; i < 300; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Weight weight = kWeights[rng.below(3)];
        refiner.begin({grid, world.costs, world.movement}, weight);
        uint64_t expansions = 0;
        for (int segment = 0; segment < 6; ++segment) {
            SCOPED_TRACE(testing::Message() << "world " << i << ", segment " << segment);
            const Cell from = random_cell(rng, grid), to = random_cell(rng, grid);
            refiner.begin_segment(from, to);
            const Path path = refined(refiner);
            ASSERT_NO_FATAL_FAILURE(expect_same(path, searched(search, world, from, to, weight)));
            expansions += path.expansions;
            ASSERT_EQ(refiner.expansions(), expansions);
            if (path.status != Status::kFound) continue;
            ASSERT_EQ(path_cost({grid, world.costs, world.movement}, path.cells), path.cost);
        }
    }
}

TEST(Refiner, OptimalInItsWindowByTheOracle) {
    Rng rng(42);
    Refiner refiner;
    for (int i = 0; i < 200; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell from = random_cell(rng, grid), to = random_cell(rng, grid);
        if (!world.costs.passable(grid.at(from)) || !world.costs.passable(grid.at(to))) continue;
        for (const Weight weight : kWeights) {
            refiner.begin({grid, world.costs, world.movement}, weight);
            refiner.begin_segment(from, to, random_window(rng, from, to));
            const Rect window = refiner.window();
            const Path path = refined(refiner);
            const TerrainGrid part = cut_out(grid, window);
            const oracle::Map map = to_oracle(part.snapshot(), world.costs);
            const std::vector<double> truth = oracle::distances(map, from.x - window.x, from.y - window.y, to_oracle(world.movement));
            const double optimal = truth[static_cast<size_t>((to.y - window.y) * map.width + to.x - window.x)];
            ASSERT_EQ(path.status == Status::kFound, optimal < oracle::kFar) << "world " << i;
            if (path.status != Status::kFound) continue;
            ASSERT_LE(to_real(path.cost), optimal * weight.value() * (1 + 1e-6) + 1e-9) << "world " << i;
            ASSERT_GE(to_real(path.cost), optimal * (1 - 1e-6));
            ASSERT_EQ(path_cost({grid, world.costs, world.movement}, path.cells), path.cost);
            for (const Cell c : path.cells) ASSERT_TRUE(window.contains(c));
        }
    }
}

TEST(Refiner, AnIncumbentPrunesPathsThatAreNotCheaper) {
    Rng rng(47);
    Refiner refiner;
    GridSearch search;
    int found = 0;
    for (int i = 0; i < 150; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell from = random_cell(rng, grid), to = random_cell(rng, grid);
        const Path best = searched(search, world, from, to, {});
        if (best.status != Status::kFound || from == to) continue;
        ++found;
        for (const Cost incumbent : {best.cost, best.cost + 1, 2 * best.cost}) {
            SearchOptions options;
            options.incumbent = incumbent;
            search.begin({grid, world.costs, world.movement}, from, to, options);
            refiner.begin({grid, world.costs, world.movement});
            refiner.begin_segment(from, to);
            if (rng.chance(1, 2)) refiner.run(best.expansions / 2);
            refiner.set_incumbent(incumbent);
            const Path path = refined(refiner, 1 + rng.below(100));
            ASSERT_EQ(path.status, incumbent == best.cost ? Status::kUnreachable : Status::kFound);
            ASSERT_EQ(search.run(), path.status);
            ASSERT_LE(path.expansions, best.expansions);
            ASSERT_LE(search.expansions(), path.expansions);
            if (path.status != Status::kFound) continue;
            ASSERT_EQ(path.cost, best.cost);
            ASSERT_EQ(path.cells, best.cells);
        }
    }
    EXPECT_GT(found, 50);
}

TEST(Refiner, CellsOutsideTheWindowDoNotMatter) {
    Rng rng(43);
    Refiner refiner, other;
    for (int i = 0; i < 300; ++i) {
        RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell from = random_cell(rng, grid), to = random_cell(rng, grid);
        const Rect window = random_window(rng, from, to);
        for (int n = 0; n < 50; ++n) {
            const Cell c = random_cell(rng, grid);
            if (!window.contains(c)) static_cast<void>(world.grid.set(c, static_cast<Terrain>(rng.below(8))));
        }
        const Weight weight = kWeights[rng.below(3)];
        refiner.begin({grid, world.costs, world.movement}, weight);
        other.begin({world.grid.snapshot(), world.costs, world.movement}, weight);
        refiner.begin_segment(from, to, window);
        other.begin_segment(from, to, window);
        ASSERT_NO_FATAL_FAILURE(expect_same(refined(refiner), refined(other))) << "world " << i;
    }
}

TEST(Refiner, SlicedIsTheSameAsWhole) {
    Rng rng(44);
    Refiner whole, sliced;
    for (int i = 0; i < 100; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Weight weight = kWeights[rng.below(3)];
        whole.begin({grid, world.costs, world.movement}, weight);
        sliced.begin({grid, world.costs, world.movement}, weight);
        const Cell from = random_cell(rng, grid), to = random_cell(rng, grid);
        sliced.begin_segment(to, from);
        static_cast<void>(sliced.run(5));  // abandoned half-way
        const Rect window = rng.chance(1, 2) ? grid.layout().rect() : random_window(rng, from, to);
        whole.begin_segment(from, to, window);
        sliced.begin_segment(from, to, window);
        ASSERT_NO_FATAL_FAILURE(expect_same(refined(whole), refined(sliced, 1 + rng.below(20)))) << "world " << i;
    }
}

// From a corridor of a few cells, whose labels fit 32 bits, to one that exceeds 2^32: the limit is at 24 cells of cost 650.
TEST(Refiner, CostsOnBothSidesOf32Bits) {
    const Catalogue catalogue = digit_catalogue();
    const TerrainGrid grid(48, 48, serpent(48, Terrain{2}, Terrain{0}), catalogue);
    const GridSnapshot snapshot = grid.snapshot();
    const CostTable costs = Profile().blocked("wall").cost("cost_1", 0.01).cost("cost_2", 650).compile(catalogue).value();
    Refiner refiner;
    for (const Weight weight : kWeights) {
        refiner.begin({snapshot, costs, Movement::kEightNoCornerCutting}, weight);
        for (int32_t n = 2; n < 46; ++n) {
            for (const Rect& window : {Rect{{0, 0}, {n, 1}}, Rect{{0, 0}, {n, 48}}, Rect{{0, 0}, {48, n}}}) {
                refiner.begin_segment({0, 0}, {n - 1, 0}, window);
                const Path path = refined(refiner);
                ASSERT_EQ(path.cost, Cost{2} * kStraight * 65000 * static_cast<Cost>(n - 1));
                ASSERT_EQ(path.expansions, static_cast<uint64_t>(n - 1));
            }
        }
        refiner.begin_segment({0, 0}, {0, 46});
        const Path path = refined(refiner);
        ASSERT_EQ(path_cost({snapshot, costs, Movement::kEightNoCornerCutting}, path.cells), path.cost);
        ASSERT_GT(path.cost, Cost{1} << 36);
    }
}

TEST(Refiner, HoldsNoMoreMemoryAfterWarmUp) {
    IslandOptions options;
    options.width = options.height = 256;
    const GridSnapshot grid = generate_island(options).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    Refiner refiner;
    std::vector<Cell> cells;
    const auto run_all = [&] {
        for (const Weight weight : kWeights) {
            refiner.begin({grid, costs, Movement::kEightNoCornerCutting}, weight);
            cells.clear();
            for (int32_t i = 0; i < 240; i += 16) {
                refiner.begin_segment({i, i}, {i + 15, 255 - i});
                if (refiner.run() == Status::kFound) refiner.append_to(cells);
            }
        }
    };
    run_all();
    const size_t bytes = refiner.bytes(), capacity = cells.capacity();
    run_all();
    EXPECT_EQ(refiner.bytes(), bytes);
    EXPECT_EQ(cells.capacity(), capacity);
}

TEST(RefinerGolden, SamePathsEverywhere) {
    IslandOptions options;
    options.width = options.height = 256;
    const GridSnapshot grid = generate_island(options).value().snapshot();
    Rng rng(45);
    Refiner refiner;
    uint64_t hash = 0;
    for (const Profile& profile : Profile::presets()) {
        for (const Weight weight : kWeights) {
            refiner.begin({grid, profile.compile(grid.catalogue()).value(), Movement::kEightNoCornerCutting}, weight);
            for (int i = 0; i < 40; ++i) {
                const Cell from = random_cell(rng, grid);
                const Cell to{std::clamp(from.x + rng.between(-20, 20), 0, 255), std::clamp(from.y + rng.between(-20, 20), 0, 255)};
                refiner.begin_segment(from, to);
                hash = hash_of(refined(refiner), hash);
                refiner.begin_segment(from, to, random_window(rng, from, to));
                hash = hash_of(refined(refiner), hash);
            }
        }
    }
    EXPECT_EQ(hash, 2386277020616127896u);
}

}  // namespace
}  // namespace terrane::test
