#include "terrane/weighted_regions/open_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weighted_regions/open_fields.h"
#include "weighted_regions/open_truth.h"

namespace terrane {
namespace {

using test::random_field;
using test::random_point;
using test::squares;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double cost_of(const Subdivision& field, std::vector<Point> points) { return open_path_cost(field, points); }

TEST(OpenPathCost, EachPolygonCountsForItsOwnPart) {
    const Subdivision field = squares("1483");
    EXPECT_DOUBLE_EQ(cost_of(field, {{0, 0.5}, {4, 0.5}}), 1 + 4 + 8 + 3);
    EXPECT_DOUBLE_EQ(cost_of(field, {{4, 0.5}, {0, 0.5}}), 1 + 4 + 8 + 3);
    EXPECT_DOUBLE_EQ(cost_of(field, {{0.5, 0.5}, {1.5, 0.25}, {0.5, 0.5}}), 2 * std::sqrt(1 + 1.0 / 16) * (0.5 + 2));
    EXPECT_DOUBLE_EQ(cost_of(field, {{0.25, 0.25}, {0.75, 0.25}}), 0.5);
}

TEST(OpenPathCost, OfFewerThanTwoPlacesIsNothing) {
    const Subdivision field = squares("14");
    EXPECT_EQ(cost_of(field, {}), 0);
    EXPECT_EQ(cost_of(field, {{0.5, 0.5}}), 0);
    EXPECT_EQ(cost_of(field, {{0.5, 0.5}, {0.5, 0.5}}), 0);
    EXPECT_EQ(cost_of(field, {{1, 1}, {1, 1}, {1, 1}}), 0);
    EXPECT_EQ(cost_of(field, {{5, 5}, {5, 5}}), kBlockedCost);
}

TEST(OpenPathCost, AlongABoundaryTheCheaperSideCounts) {
    const Subdivision field = squares(R"(49
                                         28)");
    EXPECT_DOUBLE_EQ(cost_of(field, {{0, 1}, {2, 1}}), 2 + 8);
    EXPECT_DOUBLE_EQ(cost_of(field, {{1, 0}, {1, 2}}), 2 + 4);
    EXPECT_DOUBLE_EQ(cost_of(field, {{0, 0}, {2, 0}}), 2 + 8);                         // the outline has one side
    EXPECT_DOUBLE_EQ(cost_of(field, {{0, 1 + 1e-10}, {2, 1 - 1e-10}}), 2 + 8);         // to the tolerance
    EXPECT_DOUBLE_EQ(cost_of(field, {{1, 0.5}, {1, 1}, {1.5, 1}, {1.75, 1}}), 1 + 6);  // piece by piece
    EXPECT_DOUBLE_EQ(cost_of(field, {{0, 0}, {2, 2}}), std::sqrt(2.0) * (2 + 9));      // through the corner of all four
}

TEST(OpenPathCost, ALongSideHasItsNeighboursCosts) {
    const Subdivision field = test::three_on_one();
    EXPECT_DOUBLE_EQ(cost_of(field, {{0, 1}, {3, 1}}), 1 + 5 + 2);
    EXPECT_DOUBLE_EQ(cost_of(field, {{0, 1 - 1e-10}, {3, 1 - 1e-10}}), 1 + 5 + 2);
    EXPECT_DOUBLE_EQ(cost_of(field, {{0, 1 + 1e-10}, {3, 1 + 1e-10}}), 1 + 5 + 2);
    EXPECT_DOUBLE_EQ(cost_of(field, {{1, 0}, {1, 2}}), 5 + 1);
    EXPECT_DOUBLE_EQ(cost_of(field, {{0.5, 2}, {1.5, 0}}), std::sqrt(1.25) * (1 + 5));  // through the corner on the side
}

TEST(OpenPathCost, BlockedGroundAndTheOutsideAreInfinite) {
    const Subdivision field = squares(R"(1#1
                                         111)");
    EXPECT_EQ(cost_of(field, {{0.5, 1.5}, {2.5, 1.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(field, {{0.5, 0.5}, {1.5, 1.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(field, {{1.5, 1.5}, {1.5, 0.5}}), kBlockedCost);
    EXPECT_DOUBLE_EQ(cost_of(field, {{0, 1}, {3, 1}}), 3);
    EXPECT_DOUBLE_EQ(cost_of(field, {{1, 0.5}, {1, 2}}), 1.5);  // along its side
    EXPECT_EQ(cost_of(field, {{0.5, 1.5}, {1, 1 + 1e-6}, {1.5, 1}}), kBlockedCost);
    EXPECT_LT(cost_of(field, {{0.5, 1.5}, {1, 1 + 1e-10}, {1.5, 1}}), 2);
    EXPECT_EQ(cost_of(field, {{0.5, 0.5}, {0.5, -0.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(field, {{0.5, 0.5}, {-1, 0.5}, {0.5, 0.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(field, {{0.5, 0.5}, {kNaN, 0.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(field, {{-1, 0.5}, {0.5, 0.5}}), kBlockedCost);
}

TEST(OpenPathCost, NothingSlipsThroughACornerBetweenBlockedPolygons) {
    const Subdivision field = squares(R"(1#
                                         #1)");
    EXPECT_EQ(cost_of(field, {{0.5, 1.5}, {1.5, 0.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(field, {{0.5, 1.5}, {1, 1}, {1.5, 0.5}}), kBlockedCost);
    EXPECT_EQ(cost_of(field, {{0.5, 1.5}, {1 - 1e-10, 1}, {1, 1 + 1e-10}, {1.5, 0.5}}), kBlockedCost);
    EXPECT_DOUBLE_EQ(cost_of(field, {{0.5, 1.5}, {1, 1}}), std::sqrt(0.5));
    EXPECT_DOUBLE_EQ(cost_of(field, {{1, 1}, {1.5, 0.5}}), std::sqrt(0.5));  // the corner itself is in both
    // One of the two open: it is a way around the corner.
    EXPECT_DOUBLE_EQ(cost_of(squares("1#\n91"), {{0.5, 1.5}, {1, 1}, {1.5, 0.5}}), std::sqrt(2.0));
}

TEST(OpenPathCost, NothingSlipsBetweenPartsOfTheOutline) {
    // Two squares that meet in a corner, joined by a third around one side or by none.
    PolygonSet set;
    set.vertices = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 1}, {2, 2}, {1, 2}};
    set.add(std::vector<uint32_t>{0, 1, 2, 3}, 1);
    set.add(std::vector<uint32_t>{2, 4, 5, 6}, 1);
    const Subdivision apart = make_subdivision(set).value();
    EXPECT_EQ(cost_of(apart, {{0.5, 0.5}, {1.5, 1.5}}), kBlockedCost);
    set.vertices.push_back({0, 2});
    set.add(std::vector<uint32_t>{3, 2, 6, 7}, 4);
    const Subdivision joined = make_subdivision(set).value();
    EXPECT_DOUBLE_EQ(cost_of(joined, {{0.5, 0.5}, {1.5, 1.5}}), std::sqrt(2.0));
    EXPECT_EQ(cost_of(joined, {{0.5, 0.25}, {1.5, 1.25}}), kBlockedCost);  // outside in between
}

TEST(OpenPathCost, AgreesWithSmallSteps) {
    Rng rng(11);
    for (int round = 0; round < 200; ++round) {
        const Subdivision field = random_field(rng, 1 + rng.below(20));
        const Point a = random_point(rng), b = random_point(rng);
        double sum = 0;
        constexpr int kSteps = 4000;
        for (int i = 0; i < kSteps; ++i) sum += field.cost(field.locate(Segment{a, b}.at((i + 0.5) / kSteps)));
        const double exact = cost_of(field, {a, b});
        EXPECT_NEAR(exact, sum / kSteps * distance(a, b), 8 * 20 * distance(a, b) / kSteps);
        EXPECT_NEAR(cost_of(field, {b, a}), exact, 1e-9 * exact);
        const Point middle = Segment{a, b}.at(0.3);
        EXPECT_NEAR(cost_of(field, {a, middle, b}), exact, 1e-9 * exact);
    }
}

// From vertex to vertex along the sides of all polygons.
TEST(OpenPathCost, AllSidesCostWhatTheirCheaperPolygonDoes) {
    Rng rng(12);
    for (int round = 0; round < 100; ++round) {
        const Subdivision field = random_field(rng, 2 + rng.below(30), 4);
        for (const auto& boundary : field.boundaries()) {
            const Segment s = field.segment(boundary);
            const double cheaper = std::min(field.cost(boundary.left), field.cost(boundary.right));
            if (cheaper == kBlockedCost) {
                EXPECT_EQ(cost_of(field, {s.a, s.b}), kBlockedCost);
            } else {
                EXPECT_NEAR(cost_of(field, {s.a, s.b}), cheaper * distance(s.a, s.b), 1e-9 * (1 + distance(s.a, s.b)));
            }
        }
    }
}

TEST(OpenPathCost, IsTheSolversOnTheBestPath) {
    Rng rng(13);
    for (int round = 0; round < 100; ++round) {
        const Subdivision field = random_field(rng, 1 + rng.below(5), rng.chance(1, 2) ? 4 : 0);
        const Point a = random_point(rng), b = random_point(rng);
        const test::OpenTruth truth = test::open_truth(field, a, b);
        if (truth.cost == kBlockedCost) continue;
        EXPECT_NEAR(open_path_cost(field, truth.points), truth.cost, 1e-9 * truth.cost);
        EXPECT_GE(truth.lower_bound, truth.cost * (1 - 1e-9));
        EXPECT_LE(truth.lower_bound, truth.cost);
    }
}

TEST(OpenPathEnds, SayWhyNot) {
    const Subdivision field = squares("1#1");
    std::vector<uint32_t> from{9}, to;
    EXPECT_EQ(open_path_ends(field, {0.5, 0.5}, {2.5, 0.5}, from, to), Status::kFound);
    EXPECT_EQ(from, std::vector<uint32_t>{0});
    EXPECT_EQ(to, std::vector<uint32_t>{2});
    EXPECT_EQ(open_path_ends(field, {1.5, 0.5}, {2.5, 0.5}, from, to), Status::kBlockedStart);
    EXPECT_EQ(open_path_ends(field, {0.5, 0.5}, {1.5, 0.5}, from, to), Status::kBlockedGoal);
    EXPECT_EQ(open_path_ends(field, {1.5, 0.5}, {1.5, 0.5}, from, to), Status::kBlockedStart);
    EXPECT_EQ(open_path_ends(field, {1.5, 0.5}, {3.5, 0.5}, from, to), Status::kOutsideMap);
    EXPECT_EQ(open_path_ends(field, {0.5, kNaN}, {0.5, 0.5}, from, to), Status::kOutsideMap);
    EXPECT_EQ(open_path_ends(field, {1, 0.5}, {2, 1}, from, to), Status::kFound);  // on the rim of the blocked one
    EXPECT_EQ(from, std::vector<uint32_t>{0});
    EXPECT_EQ(to, std::vector<uint32_t>{2});
}

TEST(OpenPathEnds, OnABoundaryAreInAllAround) {
    const Subdivision field = squares("12\n34");
    std::vector<uint32_t> from, to;
    EXPECT_EQ(open_path_ends(field, {1, 1}, {1, 0.5}, from, to), Status::kFound);
    EXPECT_EQ(from, (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(to, (std::vector<uint32_t>{0, 1}));
}

TEST(OpenPath, GapIsAShareOfTheCost) {
    OpenPath path;
    EXPECT_EQ(path.gap(), 0);
    EXPECT_FALSE(path);
    path.cost = 4;
    path.lower_bound = 3;
    EXPECT_EQ(path.gap(), 0.25);
}

}  // namespace
}  // namespace terrane
