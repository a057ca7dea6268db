#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "terrane/weighted_regions/subdivision_method.h"
#include "weighted_regions/subdivisions.h"

namespace terrane {
namespace {

using test::random_point;
using test::random_subdivision;
using test::squares;

constexpr double kRight = std::numbers::pi / 2;

std::vector<SubdivisionCrossing> crossings(const Subdivision& subdivision, const std::vector<Point>& points) {
    return subdivision_path_crossings(subdivision, points);
}

TEST(SubdivisionCrossings, AreWhereTheCostChanges) {
    const Subdivision subdivision = squares("1443");
    const auto found = crossings(subdivision, {{0.5, 0}, {1, 0.5}, {2, 0.5}, {3.5, 0.5}});
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].at, (Point{1, 0.5}));
    EXPECT_EQ(found[0].normal, (Point{1, 0}));
    EXPECT_EQ(found[0].cost_from, 1);
    EXPECT_EQ(found[0].cost_to, 4);
    EXPECT_NEAR(found[0].angle_from, std::numbers::pi / 4, 1e-15);
    EXPECT_NEAR(found[0].angle_to, 0, 1e-15);
    EXPECT_EQ(found[1].at, (Point{3, 0.5}));
    EXPECT_EQ(found[1].normal, (Point{1, 0}));
    EXPECT_EQ(found[1].cost_to, 3);
    const auto back = crossings(subdivision, {{3.5, 0.5}, {2.5, 0.5}});
    ASSERT_EQ(back.size(), 1u);
    EXPECT_EQ(back[0].normal, (Point{-1, 0}));
}

TEST(SubdivisionCrossings, OfEmptyOrBlockedPolylinesAreNone) {
    const Subdivision subdivision = squares("1#2");
    EXPECT_TRUE(crossings(subdivision, {}).empty());
    EXPECT_TRUE(crossings(subdivision, {{0.5, 0.5}}).empty());
    EXPECT_TRUE(crossings(subdivision, {{0.5, 0.5}, {0.5, 0.5}}).empty());
    EXPECT_TRUE(crossings(subdivision, {{0.5, 0.5}, {2.5, 0.5}}).empty());
    EXPECT_TRUE(crossings(subdivision, {{0.5, 0.5}, {0.5, 7}}).empty());
}

TEST(SubdivisionCrossings, ACornerHasNoNormal) {
    const auto found = crossings(squares("12\n34"), {{0.5, 0.5}, {1.5, 1.5}});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].at, (Point{1, 1}));
    EXPECT_EQ(found[0].normal, (Point{0, 0}));
    EXPECT_EQ(found[0].angle_from, 0);
    EXPECT_EQ(found[0].angle_to, 0);
}

// From expensive terrain to the edge of a road, along it, and back: by Snell's law, the sine of the angle in the expensive terrain is 1/4.
TEST(SubdivisionCrossings, AlongABoundaryTheAngleIsRight) {
    PolygonSet set;
    set.vertices = {{0, 0}, {10, 0}, {10, 1}, {0, 1}, {10, 2}, {0, 2}};
    set.add(std::vector<uint32_t>{0, 1, 2, 3}, 1);
    set.add(std::vector<uint32_t>{3, 2, 4, 5}, 4);
    const Subdivision subdivision = make_subdivision(std::move(set)).value();
    SubdivisionPlanner planner;
    const SubdivisionPath path = planner.find(subdivision, {1, 1.5}, {9, 1.5});
    const auto found = subdivision_path_crossings(subdivision, path.points);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(found[0].angle_from, std::asin(0.25), 1e-7);
    EXPECT_NEAR(found[0].angle_to, kRight, 1e-7);
    EXPECT_EQ(found[0].normal, (Point{0, -1}));
    EXPECT_NEAR(found[1].angle_from, kRight, 1e-7);
    EXPECT_NEAR(found[1].angle_to, std::asin(0.25), 1e-7);
    EXPECT_EQ(found[1].normal, (Point{0, 1}));
}

bool at_a_vertex(const Subdivision& subdivision, Point p) {
    return std::ranges::any_of(subdivision.polygons().vertices, [&](Point v) { return distance(v, p) <= 8 * subdivision.tolerance(); });
}

// Checks that each crossing of an exact method is at a corner or satisfies Snell's law; returns the number of the latter.
size_t check_snell(const Subdivision& subdivision, const SubdivisionPath& path) {
    size_t bends = 0;
    double cost = path.points.empty() ? 0 : subdivision.cost(subdivision.locate(path.points[0]));
    for (const SubdivisionCrossing& c : subdivision_path_crossings(subdivision, path.points)) {
        EXPECT_EQ(c.cost_from, cost);
        cost = c.cost_to;
        EXPECT_EQ(c.normal == Point{}, at_a_vertex(subdivision, c.at));
        if (c.normal == Point{}) continue;
        EXPECT_NEAR(length(c.normal), 1, 1e-12);
        EXPECT_NEAR(c.cost_from * std::sin(c.angle_from), c.cost_to * std::sin(c.angle_to), 1e-6);
        ++bends;
    }
    return bends;
}

TEST(SubdivisionCrossings, OfExactMethodsKeepSnellsLaw) {
    Rng rng(3);
    SubdivisionPlanner planner;
    size_t bends = 0;
    for (int round = 0; round < 60; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 1 + rng.below(60), rng.chance(1, 3) ? 5 : 0);
        const Point a = random_point(rng), b = random_point(rng);
        for (const char* name : {"brep+newton", "brep+proven"}) {
            bends += check_snell(subdivision, planner.find(subdivision, a, b, find_subdivision_method(name).value()));
        }
    }
    EXPECT_GT(bends, 150u);
}

// A subdivision whose costs were set equals one built with them, also for searches that used it before.
TEST(SubdivisionCosts, SetAreAsMade) {
    Rng rng(8);
    Subdivision subdivision = random_subdivision(rng, 12);
    SubdivisionPlanner planner;
    for (int round = 0; round < 20; ++round) {
        const uint32_t polygon = rng.below(12);
        const double cost = rng.chance(1, 4) ? kBlockedCost : 0.5 + rng.below(9);
        subdivision.set_cost(polygon, cost);
        EXPECT_EQ(subdivision.cost(polygon), cost);
        const Subdivision rebuilt = make_subdivision(subdivision.polygons()).value();
        const Point a = random_point(rng), b = random_point(rng);
        for (const char* name : {"grid:20", "quadtree:10", "framed:10", "bprep:50", "brep", "brep+newton", "brep+proven"}) {
            const SubdivisionMethod method = find_subdivision_method(name).value();
            SubdivisionPlanner fresh;
            EXPECT_EQ(test::hash_of(planner.find(subdivision, a, b, method)), test::hash_of(fresh.find(rebuilt, a, b, method))) << name;
        }
    }
}

}  // namespace
}  // namespace terrane
