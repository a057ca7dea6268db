#include "terrane/weighted_regions/subdivision_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weighted_regions/subdivision_truth.h"
#include "weighted_regions/subdivisions.h"

namespace terrane {
namespace {

using test::random_point;
using test::random_subdivision;
using test::squares;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double cost_of(const Subdivision& subdivision, std::vector<Point> points) { return subdivision_path_cost(subdivision, points); }

TEST(SubdivisionPathCost, EachPolygonCountsForItsOwnPart) {
    const Subdivision subdivision = squares("1483");
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0, 0.5}, {4, 0.5}}), 1 + 4 + 8 + 3);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{4, 0.5}, {0, 0.5}}), 1 + 4 + 8 + 3);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0.5, 0.5}, {1.5, 0.25}, {0.5, 0.5}}), 2 * std::sqrt(1 + 1.0 / 16) * (0.5 + 2));
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0.25, 0.25}, {0.75, 0.25}}), 0.5);
}

TEST(SubdivisionPathCost, OfFewerThanTwoPlacesIsNothing) {
    const Subdivision subdivision = squares("14");
    EXPECT_EQ(cost_of(subdivision, {}), 0);
    EXPECT_EQ(cost_of(subdivision, {{0.5, 0.5}}), 0);
    EXPECT_EQ(cost_of(subdivision, {{0.5, 0.5}, {0.5, 0.5}}), 0);
    EXPECT_EQ(cost_of(subdivision, {{1, 1}, {1, 1}, {1, 1}}), 0);
    EXPECT_EQ(cost_of(subdivision, {{5, 5}, {5, 5}}), kBlockedCost);
}

TEST(SubdivisionPathCost, AlongABoundaryTheCheaperSideCounts) {
    const Subdivision subdivision = squares(R"(49
                                         28)");
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0, 1}, {2, 1}}), 2 + 8);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{1, 0}, {1, 2}}), 2 + 4);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0, 0}, {2, 0}}), 2 + 8);                         // the outline has one side
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0, 1 + 1e-10}, {2, 1 - 1e-10}}), 2 + 8);         // to the tolerance
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{1, 0.5}, {1, 1}, {1.5, 1}, {1.75, 1}}), 1 + 6);  // piece by piece
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0, 0}, {2, 2}}), std::sqrt(2.0) * (2 + 9));      // through the corner of all four
}

TEST(SubdivisionPathCost, ALongSideHasItsNeighboursCosts) {
    const Subdivision subdivision = test::three_on_one();
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0, 1}, {3, 1}}), 1 + 5 + 2);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0, 1 - 1e-10}, {3, 1 - 1e-10}}), 1 + 5 + 2);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0, 1 + 1e-10}, {3, 1 + 1e-10}}), 1 + 5 + 2);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{1, 0}, {1, 2}}), 5 + 1);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0.5, 2}, {1.5, 0}}), std::sqrt(1.25) * (1 + 5));  // through the corner on the side
}

TEST(SubdivisionPathCost, BlockedPolygonsAndTheOutsideAreInfinite) {
    const Subdivision subdivision = squares(R"(1#1
                                         111)");
    EXPECT_EQ(cost_of(subdivision, {{0.5, 1.5}, {2.5, 1.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(subdivision, {{0.5, 0.5}, {1.5, 1.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(subdivision, {{1.5, 1.5}, {1.5, 0.5}}), kBlockedCost);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0, 1}, {3, 1}}), 3);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{1, 0.5}, {1, 2}}), 1.5);  // along its side
    EXPECT_EQ(cost_of(subdivision, {{0.5, 1.5}, {1, 1 + 1e-6}, {1.5, 1}}), kBlockedCost);
    EXPECT_LT(cost_of(subdivision, {{0.5, 1.5}, {1, 1 + 1e-10}, {1.5, 1}}), 2);
    EXPECT_EQ(cost_of(subdivision, {{0.5, 0.5}, {0.5, -0.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(subdivision, {{0.5, 0.5}, {-1, 0.5}, {0.5, 0.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(subdivision, {{0.5, 0.5}, {kNaN, 0.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(subdivision, {{-1, 0.5}, {0.5, 0.5}}), kBlockedCost);
}

TEST(SubdivisionPathCost, NothingSlipsThroughACornerBetweenBlockedPolygons) {
    const Subdivision subdivision = squares(R"(1#
                                         #1)");
    EXPECT_EQ(cost_of(subdivision, {{0.5, 1.5}, {1.5, 0.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(subdivision, {{0.5, 1.5}, {1, 1}, {1.5, 0.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(subdivision, {{0.5, 1.5}, {1 - 1e-10, 1}, {1, 1 + 1e-10}, {1.5, 0.5}}), kBlockedCost);
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{0.5, 1.5}, {1, 1}}), std::sqrt(0.5));
    EXPECT_DOUBLE_EQ(cost_of(subdivision, {{1, 1}, {1.5, 0.5}}), std::sqrt(0.5));  // the corner itself is in both
    // One of the two is passable: the path goes around the corner.
    EXPECT_DOUBLE_EQ(cost_of(squares("1#\n91"), {{0.5, 1.5}, {1, 1}, {1.5, 0.5}}), std::sqrt(2.0));
}

TEST(SubdivisionPathCost, NothingSlipsBetweenPartsOfTheOutline) {
    // Two squares that meet in a corner, connected by a third one around one side, or not connected.
    PolygonSet set;
    set.vertices = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 1}, {2, 2}, {1, 2}};
    set.add(std::vector<uint32_t>{0, 1, 2, 3}, 1);
    set.add(std::vector<uint32_t>{2, 4, 5, 6}, 1);
    const Subdivision apart = make_subdivision(set).value();
    EXPECT_EQ(cost_of(apart, {{0.5, 0.5}, {1.5, 1.5}}), kBlockedCost);
    set.vertices.push_back({0, 2});
    set.add(std::vector<uint32_t>{3, 2, 6, 7}, 4);
    const Subdivision connected = make_subdivision(set).value();
    EXPECT_DOUBLE_EQ(cost_of(connected, {{0.5, 0.5}, {1.5, 1.5}}), std::sqrt(2.0));
    EXPECT_EQ(cost_of(connected, {{0.5, 0.25}, {1.5, 1.25}}), kBlockedCost);  // outside in between
}

TEST(SubdivisionPathCost, AgreesWithSmallSteps) {
    Rng rng(11);
    for (int round = 0; round < 200; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 1 + rng.below(20));
        const Point a = random_point(rng), b = random_point(rng);
        double sum = 0;
        constexpr int kSteps = 4000;
        for (int i = 0; i < kSteps; ++i) sum += subdivision.cost(subdivision.locate(Segment{a, b}.at((i + 0.5) / kSteps)));
        const double exact = cost_of(subdivision, {a, b});
        EXPECT_NEAR(exact, sum / kSteps * distance(a, b), 8 * 20 * distance(a, b) / kSteps);
        EXPECT_NEAR(cost_of(subdivision, {b, a}), exact, 1e-9 * exact);
        const Point middle = Segment{a, b}.at(0.3);
        EXPECT_NEAR(cost_of(subdivision, {a, middle, b}), exact, 1e-9 * exact);
    }
}

// From vertex to vertex along the sides of all polygons.
TEST(SubdivisionPathCost, AllSidesCostWhatTheirCheaperPolygonDoes) {
    Rng rng(12);
    for (int round = 0; round < 100; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 2 + rng.below(30), 4);
        for (const auto& boundary : subdivision.boundaries()) {
            const Segment s = subdivision.segment(boundary);
            const double cheaper = std::min(subdivision.cost(boundary.left), subdivision.cost(boundary.right));
            if (cheaper == kBlockedCost) {
                EXPECT_EQ(cost_of(subdivision, {s.a, s.b}), kBlockedCost);
            } else {
                EXPECT_NEAR(cost_of(subdivision, {s.a, s.b}), cheaper * distance(s.a, s.b), 1e-9 * (1 + distance(s.a, s.b)));
            }
        }
    }
}

TEST(SubdivisionPathCost, EqualsTheSolversCostOnTheBestPath) {
    Rng rng(13);
    for (int round = 0; round < 100; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 1 + rng.below(5), rng.chance(1, 2) ? 4 : 0);
        const Point a = random_point(rng), b = random_point(rng);
        const test::SubdivisionTruth truth = test::subdivision_truth(subdivision, a, b);
        if (truth.cost == kBlockedCost) continue;
        EXPECT_NEAR(subdivision_path_cost(subdivision, truth.points), truth.cost, 1e-9 * truth.cost);
        EXPECT_GE(truth.lower_bound, truth.cost * (1 - 1e-9));
        EXPECT_LE(truth.lower_bound, truth.cost);
    }
}

TEST(SubdivisionPathEnds, ReportWhyNot) {
    const Subdivision subdivision = squares("1#1");
    std::vector<uint32_t> from{9}, to;
    EXPECT_EQ(subdivision_path_ends(subdivision, {0.5, 0.5}, {2.5, 0.5}, from, to), Status::kFound);
    EXPECT_EQ(from, std::vector<uint32_t>{0});
    EXPECT_EQ(to, std::vector<uint32_t>{2});
    EXPECT_EQ(subdivision_path_ends(subdivision, {1.5, 0.5}, {2.5, 0.5}, from, to), Status::kBlockedStart);
    EXPECT_EQ(subdivision_path_ends(subdivision, {0.5, 0.5}, {1.5, 0.5}, from, to), Status::kBlockedGoal);
    EXPECT_EQ(subdivision_path_ends(subdivision, {1.5, 0.5}, {1.5, 0.5}, from, to), Status::kBlockedStart);
    EXPECT_EQ(subdivision_path_ends(subdivision, {1.5, 0.5}, {3.5, 0.5}, from, to), Status::kOutsideMap);
    EXPECT_EQ(subdivision_path_ends(subdivision, {0.5, kNaN}, {0.5, 0.5}, from, to), Status::kOutsideMap);
    EXPECT_EQ(subdivision_path_ends(subdivision, {1, 0.5}, {2, 1}, from, to), Status::kFound);  // on a side of the blocked polygon
    EXPECT_EQ(from, std::vector<uint32_t>{0});
    EXPECT_EQ(to, std::vector<uint32_t>{2});
}

TEST(SubdivisionPathEnds, OnABoundaryAreInAllAround) {
    const Subdivision subdivision = squares("12\n34");
    std::vector<uint32_t> from, to;
    EXPECT_EQ(subdivision_path_ends(subdivision, {1, 1}, {1, 0.5}, from, to), Status::kFound);
    EXPECT_EQ(from, (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(to, (std::vector<uint32_t>{0, 1}));
}

TEST(SubdivisionPath, GapIsAShareOfTheCost) {
    SubdivisionPath path;
    EXPECT_EQ(path.gap(), 0);
    EXPECT_FALSE(path);
    path.cost = 4;
    path.lower_bound = 3;
    EXPECT_EQ(path.gap(), 0.25);
}

}  // namespace
}  // namespace terrane
