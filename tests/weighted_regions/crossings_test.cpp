#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "terrane/weighted_regions/open_method.h"
#include "weighted_regions/open_fields.h"

namespace terrane {
namespace {

using test::random_field;
using test::random_point;
using test::squares;

constexpr double kRight = std::numbers::pi / 2;

std::vector<OpenCrossing> crossings(const Subdivision& field, const std::vector<Point>& points) {
    return open_path_crossings(field, points);
}

TEST(OpenCrossings, AreWhereTheCostChanges) {
    const Subdivision field = squares("1443");
    const auto found = crossings(field, {{0.5, 0}, {1, 0.5}, {2, 0.5}, {3.5, 0.5}});
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
    const auto back = crossings(field, {{3.5, 0.5}, {2.5, 0.5}});
    ASSERT_EQ(back.size(), 1u);
    EXPECT_EQ(back[0].normal, (Point{-1, 0}));
}

TEST(OpenCrossings, OfALineThatIsNoneOrGoesNowhereAreNone) {
    const Subdivision field = squares("1#2");
    EXPECT_TRUE(crossings(field, {}).empty());
    EXPECT_TRUE(crossings(field, {{0.5, 0.5}}).empty());
    EXPECT_TRUE(crossings(field, {{0.5, 0.5}, {0.5, 0.5}}).empty());
    EXPECT_TRUE(crossings(field, {{0.5, 0.5}, {2.5, 0.5}}).empty());
    EXPECT_TRUE(crossings(field, {{0.5, 0.5}, {0.5, 7}}).empty());
}

TEST(OpenCrossings, ACornerHasNoNormal) {
    const auto found = crossings(squares("12\n34"), {{0.5, 0.5}, {1.5, 1.5}});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].at, (Point{1, 1}));
    EXPECT_EQ(found[0].normal, (Point{0, 0}));
    EXPECT_EQ(found[0].angle_from, 0);
    EXPECT_EQ(found[0].angle_to, 0);
}

// From dear ground to a cheap road's edge, along it, and back: by Snell's law the angle in the dear ground is that whose sine is 1/4.
TEST(OpenCrossings, AlongABoundaryTheAngleIsRight) {
    PolygonSet set;
    set.vertices = {{0, 0}, {10, 0}, {10, 1}, {0, 1}, {10, 2}, {0, 2}};
    set.add(std::vector<uint32_t>{0, 1, 2, 3}, 1);
    set.add(std::vector<uint32_t>{3, 2, 4, 5}, 4);
    const Subdivision field = make_subdivision(std::move(set)).value();
    OpenPlanner planner;
    const OpenPath path = planner.find(field, {1, 1.5}, {9, 1.5});
    const auto found = open_path_crossings(field, path.points);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(found[0].angle_from, std::asin(0.25), 1e-7);
    EXPECT_NEAR(found[0].angle_to, kRight, 1e-7);
    EXPECT_EQ(found[0].normal, (Point{0, -1}));
    EXPECT_NEAR(found[1].angle_from, kRight, 1e-7);
    EXPECT_NEAR(found[1].angle_to, std::asin(0.25), 1e-7);
    EXPECT_EQ(found[1].normal, (Point{0, 1}));
}

bool at_a_vertex(const Subdivision& field, Point p) {
    return std::ranges::any_of(field.polygons().vertices, [&](Point v) { return distance(v, p) <= 8 * field.tolerance(); });
}

// Each crossing of an exact method is at a corner or keeps Snell's law; how many there were of these.
size_t check_snell(const Subdivision& field, const OpenPath& path) {
    size_t bends = 0;
    double cost = path.points.empty() ? 0 : field.cost(field.locate(path.points[0]));
    for (const OpenCrossing& c : open_path_crossings(field, path.points)) {
        EXPECT_EQ(c.cost_from, cost);
        cost = c.cost_to;
        EXPECT_EQ(c.normal == Point{}, at_a_vertex(field, c.at));
        if (c.normal == Point{}) continue;
        EXPECT_NEAR(length(c.normal), 1, 1e-12);
        EXPECT_NEAR(c.cost_from * std::sin(c.angle_from), c.cost_to * std::sin(c.angle_to), 1e-6);
        ++bends;
    }
    return bends;
}

TEST(OpenCrossings, OfExactMethodsKeepSnellsLaw) {
    Rng rng(3);
    OpenPlanner planner;
    size_t bends = 0;
    for (int round = 0; round < 60; ++round) {
        const Subdivision field = random_field(rng, 1 + rng.below(60), rng.chance(1, 3) ? 5 : 0);
        const Point a = random_point(rng), b = random_point(rng);
        for (const char* name : {"brep+newton", "brep+proven"}) {
            bends += check_snell(field, planner.find(field, a, b, find_open_method(name).value()));
        }
    }
    EXPECT_GT(bends, 150u);
}

// A field whose costs were set is like one that was made with them, for searches that have seen it before, too.
TEST(SubdivisionCosts, SetAreAsMade) {
    Rng rng(8);
    Subdivision field = random_field(rng, 12);
    OpenPlanner planner;
    for (int round = 0; round < 20; ++round) {
        const uint32_t polygon = rng.below(12);
        const double cost = rng.chance(1, 4) ? kBlockedCost : 0.5 + rng.below(9);
        field.set_cost(polygon, cost);
        EXPECT_EQ(field.cost(polygon), cost);
        const Subdivision anew = make_subdivision(field.polygons()).value();
        const Point a = random_point(rng), b = random_point(rng);
        for (const char* name : {"grid:20", "quadtree:10", "framed:10", "bprep:50", "brep", "brep+newton", "brep+proven"}) {
            const OpenMethod method = find_open_method(name).value();
            OpenPlanner fresh;
            EXPECT_EQ(test::hash_of(planner.find(field, a, b, method)), test::hash_of(fresh.find(anew, a, b, method))) << name;
        }
    }
}

}  // namespace
}  // namespace terrane
