#include "terrane/weighted_regions/subdivision_from_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/scene.h"
#include "terrane/base/rng.h"

namespace terrane {
namespace {

// A map for the tests: costs by rows, kBlockedCost for blocked cells.
struct Cells {
    int32_t width = 0, height = 0;
    std::vector<double> cost;
    double at(int32_t x, int32_t y) const { return cost[static_cast<size_t>(y * width + x)]; }
};

Cells cells_of(const GridSnapshot& grid, const CostTable& costs) {
    Cells cells{grid.width(), grid.height(), {}};
    for (const Terrain t : grid.cells()) cells.cost.push_back(costs.passable(t) ? costs.hundredths(t) / 100.0 : kBlockedCost);
    return cells;
}

struct Drawn {
    Cells cells;
    Result<Subdivision> subdivision;
};

Drawn draw(std::string_view drawing, double tolerance = 0) {
    const test::Scene s = test::scene(drawing);
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    return {cells_of(s.grid.snapshot(), costs), subdivision_from_grid(s.grid.snapshot(), costs, {tolerance})};
}

std::map<double, double> areas(const Subdivision& subdivision) {
    std::map<double, double> area;
    for (uint32_t p = 0; p < subdivision.size(); ++p) area[subdivision.cost(p)] += subdivision.area(p);
    return area;
}
std::map<double, double> areas(const Cells& cells) {
    std::map<double, double> area;
    for (const double c : cells.cost) area[c] += 1;
    return area;
}

// The connected regions of a map, and which of them are adjacent, by index.
class Parts {
public:
    explicit Parts(size_t count) : up_(count) { std::iota(up_.begin(), up_.end(), size_t{0}); }
    size_t find(size_t i) {
        while (up_[i] != i) i = up_[i] = up_[up_[i]];
        return i;
    }
    void join(size_t a, size_t b) { up_[find(a)] = find(b); }
    void meet(size_t a, size_t b) { met_.emplace(a, b); }
    // The number of regions and of adjacent pairs.
    std::pair<size_t, size_t> count() {
        std::set<size_t> parts;
        for (size_t i = 0; i < up_.size(); ++i) parts.insert(find(i));
        std::set<std::pair<size_t, size_t>> pairs;
        for (const auto& [a, b] : met_) {
            if (find(a) != find(b)) pairs.insert(std::minmax({find(a), find(b)}));
        }
        return {parts.size(), pairs.size()};
    }

private:
    std::vector<size_t> up_;
    std::set<std::pair<size_t, size_t>> met_;
};

std::pair<size_t, size_t> count_parts(const Subdivision& subdivision) {
    Parts parts(subdivision.size());
    for (const auto& b : subdivision.boundaries()) {
        if (subdivision.cost(b.left) == subdivision.cost(b.right)) parts.join(b.left, b.right);
        parts.meet(b.left, b.right);
    }
    return parts.count();
}

std::pair<size_t, size_t> count_parts(const Cells& cells) {
    Parts parts(cells.cost.size());
    const auto both = [&](size_t a, size_t b) {
        if (cells.cost[a] == cells.cost[b]) parts.join(a, b);
        parts.meet(a, b);
    };
    const auto width = static_cast<size_t>(cells.width);
    for (size_t i = 0; i < cells.cost.size(); ++i) {
        if ((i + 1) % width != 0) both(i, i + 1);
        if (i + width < cells.cost.size()) both(i, i + width);
    }
    return parts.count();
}

// Whether all cells within `reach` have the cost of this one.
bool is_deep(const Cells& cells, int32_t x, int32_t y, int32_t reach) {
    for (int32_t v = std::max(0, y - reach); v <= std::min(cells.height - 1, y + reach); ++v) {
        for (int32_t u = std::max(0, x - reach); u <= std::min(cells.width - 1, x + reach); ++u) {
            if (cells.at(u, v) != cells.at(x, y)) return false;
        }
    }
    return true;
}

// Checks the guarantees at any tolerance. Returns the number of cells whose centres lie in a polygon of another cost.
size_t expect_faithful(const Cells& cells, const Result<Subdivision>& subdivision, double tolerance) {
    EXPECT_TRUE(subdivision) << (subdivision ? "" : subdivision.error().message());
    if (!subdivision) return 0;
    double area = 0;
    for (uint32_t p = 0; p < subdivision->size(); ++p) area += subdivision->area(p);
    EXPECT_EQ(area, cells.width * cells.height);
    EXPECT_EQ(subdivision->low(), (Point{0, 0}));
    EXPECT_EQ(subdivision->high(), (Point{static_cast<double>(cells.width), static_cast<double>(cells.height)}));
    EXPECT_EQ(count_parts(*subdivision), count_parts(cells));
    const auto reach = static_cast<int32_t>(2 * tolerance) + 1;
    size_t moved = 0;
    for (int32_t y = 0; y < cells.height; ++y) {
        for (int32_t x = 0; x < cells.width; ++x) {
            const uint32_t polygon = subdivision->locate({x + 0.5, y + 0.5});
            const bool same = polygon != kNoPolygon && subdivision->cost(polygon) == cells.at(x, y);
            moved += static_cast<size_t>(!same);
            if (tolerance < 100 && is_deep(cells, x, y, reach)) {
                EXPECT_TRUE(same) << x << "," << y;
            }
        }
    }
    return moved;
}

void expect_exact(const Cells& cells, const Result<Subdivision>& subdivision) {
    EXPECT_EQ(expect_faithful(cells, subdivision, 0), 0u);
    if (subdivision) {
        EXPECT_EQ(areas(*subdivision), areas(cells));
    }
}

TEST(SubdivisionFromGrid, OneCellIsASquare) {
    const Drawn d = draw("3");
    expect_exact(d.cells, d.subdivision);
    ASSERT_EQ(d.subdivision->size(), 1u);
    EXPECT_EQ(d.subdivision->corners(0).size(), 4u);
    EXPECT_EQ(d.subdivision->cost(0), 3);
}

TEST(SubdivisionFromGrid, OneRowIsARectangleForEachTerrain) {
    const Drawn d = draw("1122233331");
    expect_exact(d.cells, d.subdivision);
    EXPECT_EQ(d.subdivision->size(), 4u);
    EXPECT_EQ(d.subdivision->boundaries().size(), 3u);
}

TEST(SubdivisionFromGrid, AllBlockedIsAllowed) {
    const Drawn d = draw(R"(###
                            ###)");
    expect_exact(d.cells, d.subdivision);
    ASSERT_EQ(d.subdivision->size(), 1u);
    EXPECT_TRUE(d.subdivision->is_blocked(0));
}

TEST(SubdivisionFromGrid, TerrainsOfOneCostAreOneRegion) {
    const std::vector<Terrain> cells{0, 1, 1, 0};
    const TerrainGrid grid(2, 2, cells);
    CostTable costs;
    costs.cost.fill(250);
    const auto subdivision = subdivision_from_grid(grid.snapshot(), costs);
    ASSERT_TRUE(subdivision);
    ASSERT_EQ(subdivision->size(), 1u);
    EXPECT_EQ(subdivision->cost(0), 2.5);
    costs.divisor = 2;
    EXPECT_EQ(subdivision_from_grid(grid.snapshot(), costs)->cost(0), 5);
}

TEST(SubdivisionFromGrid, ACheckerboardKeepsEverySquare) {
    for (const double tolerance : {0.0, 1.0, 50.0}) {
        const Drawn d = draw(R"(12121
                                21212
                                12121
                                21212)",
                             tolerance);
        expect_exact(d.cells, d.subdivision);
        EXPECT_EQ(d.subdivision->size(), 20u);
    }
}

TEST(SubdivisionFromGrid, NestedIslandsAndSpiralsKeepTheirShape) {
    constexpr std::string_view kNested = R"(11111111111
                                            12222222221
                                            12333333321
                                            12344444321
                                            12344#44321
                                            12344444321
                                            12333333321
                                            12222222221
                                            11111111111)";
    constexpr std::string_view kSpiral = R"(1111111111
                                            #########1
                                            1111111#11
                                            1#####1#1#
                                            1#111#1#11
                                            1#1###1##1
                                            1#1111111#
                                            1#########
                                            1111111111)";
    for (const std::string_view drawing : {kNested, kSpiral}) {
        for (const double tolerance : {0.0, 0.5, 1.0, 3.0, 1000.0}) {
            const Drawn d = draw(drawing, tolerance);
            if (tolerance == 0) expect_exact(d.cells, d.subdivision);
            expect_faithful(d.cells, d.subdivision, tolerance);
        }
    }
}

TEST(SubdivisionFromGrid, AnIslandInABayIsNotJumpedOver) {
    // The bay is as shallow as the tolerance; across its mouth the island would change sides.
    const Drawn d = draw(R"(1111111111
                            1111111111
                            1222222221
                            2223223222
                            2222222222)",
                         2);
    expect_faithful(d.cells, d.subdivision, 2);
}

TEST(SubdivisionFromGrid, StaircasesBecomeLines) {
    const Drawn d = draw(R"(1222222222
                            1122222222
                            1112222222
                            1111222222
                            1111122222
                            1111112222
                            1111111222
                            1111111122
                            1111111112
                            1111111111)",
                         1);
    expect_faithful(d.cells, d.subdivision, 1);
    EXPECT_EQ(d.subdivision->size(), 2u);
    EXPECT_EQ(d.subdivision->polygons().vertices.size(), 6u);
}

TEST(SubdivisionFromGrid, ALongSideMayHaveThousandsOfNeighbours) {
    constexpr int32_t kWidth = 3000;  // more than a polygon may have corners
    std::vector<Terrain> cells(2 * kWidth, 2);
    for (size_t x = 0; x < kWidth; ++x) cells[x] = static_cast<Terrain>(x % 2);
    CostTable costs;
    for (uint32_t t = 0; t < 3; ++t) costs.cost[t] = 100 + t;
    const TerrainGrid grid(kWidth, 2, cells);
    const auto subdivision = subdivision_from_grid(grid.snapshot(), costs);
    expect_exact(cells_of(grid.snapshot(), costs), subdivision);
    EXPECT_EQ(subdivision->size(), kWidth + 1u);
}

TEST(SubdivisionFromGrid, TheMapBorderStaysExact) {
    const Drawn d = draw(R"(1221
                            1111
                            3111)",
                         10);
    expect_faithful(d.cells, d.subdivision, 10);
    std::vector<uint32_t> all;
    for (const Point corner : {Point{0, 0}, Point{4, 0}, Point{4, 3}, Point{0, 3}}) {
        d.subdivision->locate_all(corner, all);
        EXPECT_FALSE(all.empty());
    }
    for (const double x : {1.5, 2.5}) EXPECT_EQ(d.subdivision->cost(d.subdivision->locate({x, 0.001})), 2);
}

TEST(SubdivisionFromGrid, RefusesEmptyAndTooLargeMaps) {
    CostTable costs;
    costs.cost.fill(100);
    EXPECT_EQ(subdivision_from_grid(GridSnapshot(), costs).error().reason, "the map has no cells");
    const TerrainGrid wide(kMaxSubdivisionSide + 1, 1, Terrain{0});
    const auto refused = subdivision_from_grid(wide.snapshot(), costs);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
    const TerrainGrid small(2, 2, Terrain{0});
    for (const double tolerance : {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_FALSE(subdivision_from_grid(small.snapshot(), costs, {tolerance}));
    }
    EXPECT_TRUE(subdivision_from_grid(TerrainGrid(kMaxSubdivisionSide, 1, Terrain{0}).snapshot(), costs));
}

TEST(SubdivisionFromGrid, RefusesMoreCornersThanASubdivisionHas) {
    std::vector<Terrain> cells(1025u * 1025u);
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<Terrain>(i % 2);
    CostTable costs;
    costs.cost.fill(100);
    costs.cost[1] = 200;
    const auto refused = subdivision_from_grid(TerrainGrid(1025, 1025, cells).snapshot(), costs);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
    EXPECT_NE(refused.error().reason.find("corners: at most"), std::string::npos);
}

struct RandomGrid {
    TerrainGrid grid;
    CostTable costs;
};

// Patches with noise on them: 1 to 6 terrains, one of them blocked in half of the cases.
RandomGrid random_grid(Rng& rng, int32_t max_side, uint32_t noise) {
    const int32_t width = rng.between(1, max_side), height = rng.between(1, max_side), patch = rng.between(1, 5);
    const uint32_t kinds = 1 + rng.below(6);
    const int32_t columns = width / patch + 1;
    std::vector<Terrain> coarse(static_cast<size_t>(columns * (height / patch + 1)));
    for (Terrain& t : coarse) t = static_cast<Terrain>(rng.below(kinds));
    std::vector<Terrain> cells;
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            const Terrain of_patch = coarse[static_cast<size_t>((y / patch) * columns + x / patch)];
            cells.push_back(rng.chance(1, noise) ? static_cast<Terrain>(rng.below(kinds)) : of_patch);
        }
    }
    CostTable costs;
    for (uint32_t t = 0; t < kinds; ++t) costs.cost[t] = 100 + 50 * t;
    if (rng.chance(1, 2)) costs.cost[0] = 0;
    return {TerrainGrid(width, height, cells), costs};
}

TEST(SubdivisionFromGrid, RandomGridsAreFollowedExactly) {
    Rng rng(11);
    for (int i = 0; i < 3000; ++i) {
        const RandomGrid g = random_grid(rng, 14, 6);
        expect_exact(cells_of(g.grid.snapshot(), g.costs), subdivision_from_grid(g.grid.snapshot(), g.costs));
        if (HasFailure()) FAIL() << "case " << i;
    }
}

TEST(SubdivisionFromGrid, RandomGridsKeepTheirRegionsAtAnyTolerance) {
    Rng rng(12);
    for (int i = 0; i < 1000; ++i) {
        const RandomGrid g = random_grid(rng, 16, 10);
        const Cells cells = cells_of(g.grid.snapshot(), g.costs);
        for (const double tolerance : {0.4, 0.71, 1.0, 2.0, 1e9}) {
            expect_faithful(cells, subdivision_from_grid(g.grid.snapshot(), g.costs, {tolerance}), tolerance);
        }
        if (HasFailure()) FAIL() << "case " << i;
    }
}

// Each cell has the terrain of its nearest site.
TerrainGrid voronoi_grid(int32_t side, uint32_t sites, uint64_t seed) {
    Rng rng(seed);
    std::vector<Cell> at;
    for (uint32_t i = 0; i < sites; ++i) {
        const int32_t x = rng.between(0, side - 1), y = rng.between(0, side - 1);
        at.push_back({x, y});
    }
    std::vector<Terrain> cells;
    for (int32_t y = 0; y < side; ++y) {
        for (int32_t x = 0; x < side; ++x) {
            const auto squared = [&](Cell c) { return (c.x - x) * (c.x - x) + (c.y - y) * (c.y - y); };
            cells.push_back(static_cast<Terrain>((std::ranges::min_element(at, {}, squared) - at.begin()) % 8));
        }
    }
    return TerrainGrid(side, side, cells);
}

CostTable eight_costs() {
    CostTable costs;
    for (uint32_t t = 0; t < 8; ++t) costs.cost[t] = 100 * (t + 1);
    return costs;
}

TEST(SubdivisionFromGrid, AtAToleranceOfOneFewCellsChangeCost) {
    const TerrainGrid grid = voronoi_grid(160, 40, 3);
    const Cells cells = cells_of(grid.snapshot(), eight_costs());
    const auto exact = subdivision_from_grid(grid.snapshot(), eight_costs());
    const auto simple = subdivision_from_grid(grid.snapshot(), eight_costs(), {1});
    expect_exact(cells, exact);
    EXPECT_LT(expect_faithful(cells, simple, 1), cells.cost.size() / 50);
    EXPECT_LT(simple->size() * 5, exact->size());
    const auto before = areas(cells), after = areas(*simple);
    for (const auto& [cost, area] : before) EXPECT_NEAR(after.at(cost), area, 0.03 * area + 20) << cost;
}

TEST(SubdivisionFromGrid, GoldenPolygons) {
    uint64_t hash = 0;
    for (const double tolerance : {0.0, 1.0}) {
        const auto subdivision = subdivision_from_grid(voronoi_grid(64, 30, 9).snapshot(), eight_costs(), {tolerance});
        ASSERT_TRUE(subdivision);
        for (uint32_t p = 0; p < subdivision->size(); ++p) {
            hash = mix64(hash ^ std::bit_cast<uint64_t>(subdivision->cost(p)));
            for (const uint32_t v : subdivision->corners(p)) {
                hash = mix64(hash ^ std::bit_cast<uint64_t>(subdivision->vertex(v).x));
                hash = mix64(hash ^ std::bit_cast<uint64_t>(subdivision->vertex(v).y));
            }
        }
    }
    EXPECT_EQ(hash, 16301802121735283554u);
}

}  // namespace
}  // namespace terrane
