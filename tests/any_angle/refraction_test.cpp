#include "terrane/any_angle/refraction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <set>

#include "support/allocations.h"
#include "support/scene.h"
#include "terrane/grid/path.h"
#include "terrane/world/planner.h"

namespace terrane::test {
namespace {

const double kRoot2 = std::sqrt(2.0);

struct Refracted {
    std::vector<Cell> cells;
    std::vector<Point> points;
    double path = 0, line = 0;  // costs
};

Refracted refract(const Ground& ground, std::vector<Cell> cells) {
    Refracted out{std::move(cells), {{9, 9}}, 0, 0};
    out.path = exact_cost(ground.grid(), ground.costs(), out.cells);
    out.line = Refractor().refract(ground, out.cells, out.points);
    return out;
}

CostTable bending_costs(const Scene& s) { return s.profile.compile(s.grid.snapshot().catalogue()).value(); }

Refracted refract(const Scene& s, Movement movement = Movement::kEightNoCornerCutting) {
    return refract({s.grid.snapshot(), bending_costs(s), movement}, solve("astar", s, movement).cells);
}

double cost_of(const Scene& s, std::vector<Point> points, Movement movement = Movement::kEightNoCornerCutting) {
    return polyline_cost({s.grid.snapshot(), bending_costs(s), movement}, points);
}

// ---- polyline_cost

TEST(PolylineCost, AddsUpTheCostsOfCells) {
    const Scene s = scene("1239");
    EXPECT_DOUBLE_EQ(cost_of(s, {{0.5, 0.5}, {3.5, 0.5}}), 0.5 + 2 + 3 + 4.5);
    EXPECT_DOUBLE_EQ(cost_of(s, {{3.5, 0.5}, {0.5, 0.5}}), 0.5 + 2 + 3 + 4.5);
    EXPECT_DOUBLE_EQ(cost_of(s, {{1.25, 0.25}, {1.25, 0.75}, {1.75, 0.75}}), 2);
}

TEST(PolylineCost, AlongASideTheCheaperCellCounts) {
    const Scene s = scene(R"(239
                             5##)");
    EXPECT_DOUBLE_EQ(cost_of(s, {{1, 0.25}, {1, 0.75}}), 1);
    EXPECT_DOUBLE_EQ(cost_of(s, {{0, 1}, {1, 1}}), 2);
    EXPECT_DOUBLE_EQ(cost_of(s, {{0, 1}, {3, 1}}), 2 + 3 + 9) << "along a blocked cell, then along the edge of the map";
    EXPECT_DOUBLE_EQ(cost_of(s, {{0, 0}, {3, 0}}), 2 + 3 + 9);
    EXPECT_TRUE(std::isinf(cost_of(s, {{1, 2}, {3, 2}})));
    EXPECT_TRUE(std::isinf(cost_of(s, {{2, 1}, {2, 2}})));
}

TEST(PolylineCost, IsInfiniteThroughBlockedCellsAndOutside) {
    const Scene s = scene(R"(.#.
                             ...)");
    EXPECT_TRUE(std::isinf(cost_of(s, {{0.5, 0.5}, {2.5, 0.5}})));
    EXPECT_TRUE(std::isinf(cost_of(s, {{0.5, 0.5}, {-0.5, 0.5}})));
    EXPECT_TRUE(std::isinf(cost_of(s, {{0.5, 0.5}, {0.5, 1e300}})));
    EXPECT_TRUE(std::isinf(cost_of(s, {{0.5, 0.5}, {0.5, std::nan("")}})));
    EXPECT_TRUE(std::isinf(cost_of(s, {{1.5, 0.5}})));
    EXPECT_EQ(cost_of(s, {{1, 1}}), 0) << "a corner of a blocked cell is walkable";
    EXPECT_EQ(cost_of(s, {}), 0);
    EXPECT_DOUBLE_EQ(cost_of(s, {{0.5, 1.5}, {1, 1}, {2, 1}, {2.5, 1.5}}), 1 + kRoot2);
}

TEST(PolylineCost, PassesBetweenTwoBlockedCellsOnlyIfCornersMayBeCut) {
    const Scene both = scene(R"(.#
                                #.)"),
                one = scene(R"(.#
                               ..)");
    for (const std::vector<Point>& polyline :
         {std::vector<Point>{{0.5, 0.5}, {1.5, 1.5}}, {{0.5, 0.5}, {1, 1}, {1.25, 1.75}}, {{1, 0.5}, {1, 1}, {1.5, 1}, {1.5, 1.5}}}) {
        EXPECT_TRUE(std::isinf(cost_of(both, polyline)));
        EXPECT_FALSE(std::isinf(cost_of(both, polyline, Movement::kEightCutCorners)));
        EXPECT_FALSE(std::isinf(cost_of(one, polyline)));
        EXPECT_FALSE(std::isinf(cost_of(one, polyline, Movement::kFour)));
    }
}

// Reference: small steps, each at the cost of the cheapest cell around its middle.
double sampled_cost(const GridSnapshot& grid, const CostTable& costs, Point a, Point b, int steps) {
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        const Point p = a + ((i + 0.5) / steps) * (b - a);
        const Terrain t = grid.at({static_cast<int32_t>(std::floor(p.x)), static_cast<int32_t>(std::floor(p.y))});
        if (!costs.passable(t)) return INFINITY;
        sum += costs.hundredths(t) / 100.0;
    }
    return sum * distance(a, b) / steps;
}

TEST(PolylineCost, AgreesWithSmallStepsInRandomWorlds) {
    Rng rng(8);
    int finite = 0;
    for (int i = 0; i < 2000; ++i) {
        const RandomWorld world = random_world(rng, 12);
        const GridSnapshot grid = world.grid.snapshot();
        const auto draw = [&](int32_t side) { return static_cast<double>(rng.below(1000)) / 1000 * side + 1e-4; };
        Point a, b;
        a.x = draw(grid.width());
        a.y = draw(grid.height());
        b.x = draw(grid.width());
        b.y = draw(grid.height());
        const double want = sampled_cost(grid, world.costs, a, b, 4000);
        const double got = polyline_cost({grid, world.costs, Movement::kEightCutCorners}, std::vector<Point>{a, b});
        ASSERT_EQ(std::isinf(got), std::isinf(want));
        if (std::isinf(want)) continue;
        ++finite;
        EXPECT_NEAR(got, want, 0.02 * want + 1);
    }
    EXPECT_GT(finite, 500);
}

// ---- Drawn maps

TEST(Refraction, OverUniformTerrainThePolylineIsStraight) {
    const Scene s = scene(R"(S.........
                             ..........
                             ..........
                             .........G)");
    const Refracted r = refract(s);
    EXPECT_EQ(r.points, (std::vector<Point>{{0.5, 0.5}, {9.5, 3.5}}));
    EXPECT_DOUBLE_EQ(r.line, std::sqrt(90.0));
    EXPECT_DOUBLE_EQ(r.path, 6 + 3 * kRoot2);
}

TEST(Refraction, UniformTerrainInAnyDirectionWithAnyMovement) {
    for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kEightCutCorners, Movement::kFour}) {
        for (const Cell goal : {Cell{39, 0}, Cell{39, 39}, Cell{20, 3}, Cell{1, 33}, Cell{0, 17}, Cell{38, 23}}) {
            Scene s{TerrainGrid(40, 40, Terrain{3}, digit_catalogue()), digit_profile(), {2, 5}, goal};
            const Refracted r = refract(s, movement);
            EXPECT_NEAR(r.line, 3 * distance({2.5, 5.5}, {goal.x + 0.5, goal.y + 0.5}), 1e-9) << goal.x << "," << goal.y;
            EXPECT_EQ(r.points.size(), 2u);
        }
    }
}

TEST(Refraction, AroundAnObstacleThePolylineTouchesItsCorners) {
    const Scene s = scene(R"(...........
                             ....##.....
                             ....##.....
                             S...##....G)");
    const Refracted r = refract(s);
    EXPECT_EQ(r.points, (std::vector<Point>{{0.5, 3.5}, {4, 1}, {6, 1}, {10.5, 3.5}}));
    EXPECT_DOUBLE_EQ(r.line, std::sqrt(3.5 * 3.5 + 2.5 * 2.5) + 2 + std::sqrt(4.5 * 4.5 + 2.5 * 2.5));
}

// The sines of the angles to the border's normal, times the costs of the terrain.
double snell_error(Point before, double cost_before, Point at, Point after, double cost_after, Point along) {
    return cost_before * dot(at - before, along) / distance(before, at) - cost_after * dot(after - at, along) / distance(at, after);
}

TEST(Refraction, AcrossABorderThePolylineBendsBySnellsLaw) {
    Scene s = scene(R"(...........
                       ...........
                       ...........
                       33333333333
                       33333333333
                       33333333333)");
    s.goal = {10, 5};
    const Refracted r = refract(s);
    ASSERT_EQ(r.points.size(), 3u);
    EXPECT_EQ(r.points[1].y, 3);
    EXPECT_NEAR(snell_error(r.points[0], 1, r.points[1], r.points[2], 3, {1, 0}), 0, 1e-9);
    EXPECT_LT(r.line, 0.97 * r.path);
}

TEST(Refraction, StripsOfManyCosts) {
    TerrainGrid grid(20, 60, Terrain{1}, digit_catalogue());
    for (int32_t y = 0; y < 60; ++y) grid.fill({{0, y}, {20, 1}}, static_cast<Terrain>(1 + (y / 6) * 4 % 9));
    const Scene s{std::move(grid), digit_profile(), {3, 0}, {15, 59}};
    const Refracted r = refract(s);
    ASSERT_EQ(r.points.size(), 11u);
    for (size_t i = 1; i + 1 < r.points.size(); ++i) {
        const Terrain above = s.grid.snapshot().at(Cell{0, static_cast<int32_t>(r.points[i].y) - 1});
        const Terrain below = s.grid.snapshot().at(Cell{0, static_cast<int32_t>(r.points[i].y)});
        EXPECT_NEAR(snell_error(r.points[i - 1], above, r.points[i], r.points[i + 1], below, {1, 0}), 0, 1e-9 * (above + below));
    }
}

TEST(Refraction, ARoadIsTakenAtTheCriticalAngle) {
    Scene s = scene(R"(4444444444444444
                       1111111111111111
                       4444444444444444
                       4444444444444444)");
    s.start = {0, 3};
    s.goal = {15, 3};
    const Refracted r = refract(s);
    ASSERT_EQ(r.points.size(), 4u);
    EXPECT_EQ(r.points[1].y, 2);
    EXPECT_EQ(r.points[2].y, 2);
    // 4 sin = 1 on either side: the segment to the road's edge has length 1.5 / cos.
    EXPECT_NEAR(r.points[1].x, 0.5 + 1.5 * 0.25 / std::sqrt(1 - 1.0 / 16), 1e-9);
    EXPECT_NEAR(r.points[2].x, 15.5 - 1.5 * 0.25 / std::sqrt(1 - 1.0 / 16), 1e-9);
}

TEST(Refraction, ShortPaths) {
    const Scene s = scene(R"(.9
                             ..)");
    const auto of = [&](std::vector<Cell> cells) {
        return refract({s.grid.snapshot(), bending_costs(s), Movement::kEightNoCornerCutting}, std::move(cells));
    };
    EXPECT_EQ(of({}).points, (std::vector<Point>{}));
    EXPECT_EQ(of({}).line, 0);
    EXPECT_EQ(of({{1, 1}}).points, (std::vector<Point>{{1.5, 1.5}}));
    EXPECT_EQ(of({{1, 1}}).line, 0);
    EXPECT_EQ(of({{0, 0}, {0, 1}}).points, (std::vector<Point>{{0.5, 0.5}, {0.5, 1.5}}));
    EXPECT_EQ(of({{0, 0}, {0, 1}}).line, 1);
    EXPECT_DOUBLE_EQ(of({{0, 0}, {1, 1}}).line, kRoot2);
    EXPECT_EQ(of({{0, 0}, {0, 1}, {0, 0}}).line, 0) << "there and back again";
}

TEST(Refraction, ACornerCutBetweenTwoBlockedCellsIsKept) {
    const Scene s = scene(R"(S...#...
                             ...#....
                             ..#....G)");
    EXPECT_TRUE(refract(s).points.empty());
    const Refracted r = refract(s, Movement::kEightCutCorners);
    ASSERT_FALSE(r.points.empty());
    EXPECT_LE(r.line, r.path);
    const auto on_corner = [](Point p) { return p == Point{4, 1} || p == Point{3, 2}; };
    EXPECT_EQ(std::count_if(r.points.begin(), r.points.end(), on_corner), 1);
    EXPECT_TRUE(std::isinf(cost_of(s, r.points)));
    EXPECT_NEAR(cost_of(s, r.points, Movement::kEightCutCorners), r.line, 1e-9);
}

// ---- Random worlds

// Oracle without library code: the cheapest path over points on the sides of all cells, `parts` on each, connected straight across cells.
// Never cheaper than the optimum.
double steiner_cost(const GridSnapshot& grid, const CostTable& costs, Cell start, Cell goal, int parts) {
    std::vector<Point> nodes{{start.x + 0.5, start.y + 0.5}, {goal.x + 0.5, goal.y + 0.5}};
    const int width = grid.width(), height = grid.height();
    for (int y = 0; y <= height; ++y) {
        for (int x = 0; x <= width; ++x) {
            for (int i = 0; i < parts; ++i) {
                if (x < width) nodes.push_back({x + static_cast<double>(i) / parts, static_cast<double>(y)});
                if (y < height && i > 0) nodes.push_back({static_cast<double>(x), y + static_cast<double>(i) / parts});
            }
            if (x == width) nodes.push_back({static_cast<double>(x), static_cast<double>(y)});
        }
    }
    std::vector<std::vector<size_t>> in(static_cast<size_t>(width * height));
    for (size_t n = 0; n < nodes.size(); ++n) {
        for (int y = std::max(0, static_cast<int>(nodes[n].y) - 1); y < height && y <= nodes[n].y; ++y) {
            for (int x = std::max(0, static_cast<int>(nodes[n].x) - 1); x < width && x <= nodes[n].x; ++x) {
                if (x + 1 >= nodes[n].x && y + 1 >= nodes[n].y) in[static_cast<size_t>(y * width + x)].push_back(n);
            }
        }
    }
    std::vector<double> best(nodes.size(), INFINITY);
    std::set<std::pair<double, size_t>> open{{0, 0}};
    best[0] = 0;
    while (!open.empty() && open.begin()->second != 1) {
        const auto [d, n] = *open.begin();
        open.erase(open.begin());
        for (size_t c = 0; c < in.size(); ++c) {
            const Terrain t = grid.at(Cell{static_cast<int32_t>(c) % width, static_cast<int32_t>(c) / width});
            if (!costs.passable(t) || std::find(in[c].begin(), in[c].end(), n) == in[c].end()) continue;
            for (const size_t to : in[c]) {
                const double cost = d + costs.hundredths(t) / 100.0 * distance(nodes[n], nodes[to]);
                if (cost >= best[to]) continue;
                open.erase({best[to], to});
                best[to] = cost;
                open.insert({cost, to});
            }
        }
    }
    return best[1];
}

TEST(Refraction, OnSmallMapsItIsNearTheGlobalOptimum) {
    Rng rng(12);
    int count = 0, line_near = 0, path_near = 0;
    while (count < 60) {
        RandomWorld world = random_world(rng, 10);
        world.movement = Movement::kEightNoCornerCutting;
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        GridSearch search;
        search.begin({grid, world.costs, Movement::kEightNoCornerCutting}, start, goal);
        search.run();
        Path found;
        search.path(found);
        if (!found || found.cells.size() < 4) continue;
        const Refracted r = refract({grid, world.costs, world.movement}, found.cells);
        const double best = steiner_cost(grid, world.costs, start, goal, 4);
        line_near += r.line <= 1.001 * best ? 1 : 0;
        path_near += r.path <= 1.001 * best ? 1 : 0;
        ++count;
    }
    // The others pass an obstacle on the other side.
    EXPECT_GE(line_near, 48);
    EXPECT_LE(path_near, 30);
}

TEST(Refraction, NeverCostsMoreThanThePathInRandomWorlds) {
    Rng rng(31);
    GridSearch search;
    Refractor refractor;
    std::vector<Point> points;
    Path path;
    int found = 0, cheaper = 0;
    for (int i = 0; i < 3000; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        const RandomWorld world = random_world(rng, i % 20 == 0 ? 150 : 30);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        SearchOptions options;
        options.method = find_method(i % 3 == 0 ? "wastar:5" : "astar").value();  // good paths and poor ones
        search.begin({grid, world.costs, world.movement}, start, goal, options);
        search.run();
        search.path(path);
        const double cost = refractor.refract({grid, world.costs, world.movement}, path.cells, points);
        const double before = exact_cost(grid, world.costs, path.cells);
        if (!path) {
            EXPECT_TRUE(points.empty());
            continue;
        }
        ASSERT_LE(cost, before);
        ASSERT_NEAR(cost, polyline_cost({grid, world.costs, world.movement}, points), 1e-9 * (1 + cost));
        ASSERT_EQ(points.front(), (Point{start.x + 0.5, start.y + 0.5}));
        ASSERT_EQ(points.back(), (Point{goal.x + 0.5, goal.y + 0.5}));
        ++found;
        cheaper += cost < before ? 1 : 0;
    }
    EXPECT_GT(found, 1000);
    EXPECT_GT(cheaper, found / 2);
}

TEST(Refraction, NothingIsAllocatedAfterWarmUp) {
    Rng rng(6);
    GridSearch search;
    Refractor refractor;
    std::vector<Point> points;
    const RandomWorld world = random_world(rng, 150);
    const GridSnapshot grid = world.grid.snapshot();
    std::vector<std::vector<Cell>> paths(20);
    for (std::vector<Cell>& cells : paths) {
        Path path;
        const Cell start = random_cell(rng, grid);
        SearchOptions options;
        search.begin({grid, world.costs, world.movement}, start, random_cell(rng, grid), options);
        search.run();
        search.path(path);
        cells = path.cells;
    }
    const auto refract_all = [&] {
        for (const std::vector<Cell>& cells : paths) refractor.refract({grid, world.costs, world.movement}, cells, points);
    };
    refract_all();
    const uint64_t before = allocations();
    const size_t bytes = refractor.bytes();
    refract_all();
    EXPECT_EQ(allocations(), before);
    EXPECT_EQ(refractor.bytes(), bytes);
}

// ---- The planner

World small_island() {
    TerrainGrid grid(80, 60, Terrain{1}, digit_catalogue());
    grid.fill({{20, 10}, {20, 40}}, Terrain{4});
    grid.fill({{50, 0}, {3, 45}}, Terrain{0});
    return World(std::move(grid));
}

TEST(RefractionPlanner, EveryFamilyRefractsItsPaths) {
    World world = small_island();
    const CostTable costs = digit_profile().compile(digit_catalogue()).value();
    Planner planner(world);
    for (const char* name : {"astar", "wastar:1.5", "focal:1.5", "nbs", "dijkstra", "dta:16", "dta:16/nbs+trim+smooth", "minimal_memory:16",
                             "hpa:16+smooth", "pra:4", "overlay:2", "overlay:2+optimal", "cpd", "cpd/focal"}) {
        SCOPED_TRACE(name);
        FindOptions options;
        options.method = find_method(name).value();
        if (prepares(options.method)) {
            ASSERT_TRUE(world.prepare(costs, {options.method}));
        }
        Path plain, refracted;
        planner.find({2, 30}, {77, 20}, costs, options, plain);
        EXPECT_TRUE(plain.polyline.empty());
        EXPECT_EQ(plain.polyline_cost, 0);
        options.method = find_method(std::string(name) + "+any_angle").value();
        EXPECT_TRUE(options.method.any_angle);
        planner.find({2, 30}, {77, 20}, costs, options, refracted);
        ASSERT_TRUE(refracted);
        EXPECT_EQ(planner.method().name(), std::string(name) + "+any_angle");
        EXPECT_EQ(refracted.cells, plain.cells);
        EXPECT_EQ(refracted.cost, plain.cost);
        EXPECT_EQ(refracted.bound, plain.bound);
        EXPECT_LT(refracted.polyline_cost, exact_cost(world.grid(), costs, plain.cells));
        EXPECT_NEAR(polyline_cost({world.grid(), costs, Movement::kEightNoCornerCutting}, refracted.polyline), refracted.polyline_cost,
                    1e-9);
        planner.find({2, 30}, {77, 20}, costs, {}, refracted);  // memory reused: no polyline is left in it
        EXPECT_TRUE(refracted.polyline.empty());
        EXPECT_EQ(refracted.polyline_cost, 0);
    }
}

TEST(RefractionPlanner, TheDefaultMethodCanBeAskedToRefract) {
    World world = small_island();
    Planner planner(world);
    FindOptions options;
    options.method.any_angle = true;
    const Path path = planner.find({2, 30}, {77, 20}, digit_profile(), options);
    EXPECT_EQ(path.method, "regions:16");
    EXPECT_GE(path.polyline.size(), 2u);
}

TEST(RefractionPlanner, SlicedPartialAndNone) {
    TerrainGrid grid(40, 20, Terrain{1}, digit_catalogue());
    grid.fill({{25, 0}, {2, 20}}, Terrain{0});
    World world{std::move(grid)};
    const CostTable costs = digit_profile().compile(digit_catalogue()).value();
    Planner planner(world);
    FindOptions options;
    options.method = find_method("dta:16+any_angle").value();
    options.nearest = true;
    Path whole, sliced;
    planner.find({1, 1}, {38, 15}, costs, options, whole);
    EXPECT_EQ(whole.status, Status::kPartial);
    EXPECT_NEAR(whole.polyline_cost, distance({1.5, 1.5}, {whole.cells.back().x + 0.5, whole.cells.back().y + 0.5}), 1e-9);
    planner.begin({1, 1}, {38, 15}, costs, options);
    while (planner.run(3) == Status::kBudgetSpent) {
        planner.path(sliced);
        EXPECT_TRUE(sliced.polyline.empty());
    }
    planner.path(sliced);
    EXPECT_EQ(sliced.polyline, whole.polyline);
    EXPECT_EQ(sliced.polyline_cost, whole.polyline_cost);
    options.nearest = false;
    planner.find({1, 1}, {38, 15}, costs, options, whole);
    EXPECT_EQ(whole.status, Status::kUnreachable);
    EXPECT_TRUE(whole.polyline.empty());
    EXPECT_EQ(whole.polyline_cost, 0);
}

TEST(RefractionPlanner, AnEditUnderThePolylineBreaksThePath) {
    World world(TerrainGrid(300, 100, Terrain{1}, digit_catalogue()), {.sectors = {}});
    Planner planner(world);
    FindOptions options;
    options.method = find_method("astar+any_angle").value();
    const Path path = planner.find({0, 0}, {299, 99}, digit_profile(), options);
    ASSERT_EQ(path.polyline.size(), 2u);
    // A cell of the straight polyline that is far from all cells of the path.
    Cell under;
    for (int32_t x = 0; x < 300; ++x) {
        const Cell c{x, (x * 99 + 150) / 299};
        const auto far = [&](Cell p) { return std::abs(p.x - c.x) > 32 || std::abs(p.y - c.y) > 32; };
        if (std::all_of(path.cells.begin(), path.cells.end(), far)) under = c;
    }
    ASSERT_NE(under, Cell{}) << "the path is too near its line";
    const WatchId watch = world.watch(path);
    EXPECT_EQ(world.set({under.x, under.y}, "wall").value().broken, (std::vector<WatchId>{watch}));
    EXPECT_FALSE(path.still_valid(world));
}

TEST(RefractionPlanner, QueriesAllocateNothingAfterWarmUp) {
    World world = small_island();
    const CostTable costs = digit_profile().compile(digit_catalogue()).value();
    Planner planner(world);
    Path path;
    FindOptions cells, regions;
    cells.method = find_method("astar+any_angle").value();
    regions.method = find_method("dta:16+smooth+any_angle").value();
    const auto ask = [&] {
        for (const FindOptions* options : {&cells, &regions}) planner.find({2, 30}, {77, 20}, costs, *options, path);
    };
    ask();
    ask();
    const uint64_t before = allocations();
    ask();
    EXPECT_EQ(allocations(), before);
}

// When this changes, results have changed: say so in CHANGELOG.md with the tag [results].
TEST(RefractionGolden, RandomWorlds) {
    Rng rng(43);
    GridSearch search;
    Refractor refractor;
    std::vector<Point> points;
    uint64_t h = 0;
    const auto add = [&](double value) { h = mix64(h ^ std::bit_cast<uint64_t>(value)); };
    for (int i = 0; i < 300; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid);
        SearchOptions options;
        search.begin({grid, world.costs, world.movement}, start, random_cell(rng, grid), options);
        search.run();
        Path path;
        search.path(path);
        add(refractor.refract({grid, world.costs, world.movement}, path.cells, points));
        for (const Point p : points) {
            add(p.x);
            add(p.y);
        }
    }
    EXPECT_EQ(h, 0x4f6ed4b947fdf4e6u);
}

}  // namespace
}  // namespace terrane::test
