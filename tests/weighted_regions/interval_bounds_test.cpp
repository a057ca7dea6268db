#include "weighted_regions/interval_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "terrane/base/rng.h"
#include "weighted_regions/subdivisions.h"

namespace terrane {
namespace {

using detail::Beam;
using detail::IntervalBound;
using test::unit;

constexpr double kAllowance = 1e-12;

// A random part of a side, with a bound no steeper than `cost`.
IntervalBound part_of(Rng& rng, Point a, Point b, double cost) {
    std::array<double, 2> places{};
    for (double& place : places) place = rng.chance(1, 3) ? rng.below(2) : unit(rng);
    if (places[0] > places[1]) std::swap(places[0], places[1]);
    if (places[1] - places[0] < 1e-3) places = {0, 1};
    const Segment side{a, b};
    IntervalBound bound;
    bound.segment = {side.at(places[0]), side.at(places[1])};
    bound.width = distance(bound.segment.a, bound.segment.b);
    bound.along = (1 / distance(a, b)) * (b - a);
    bound.at_a = 5 * unit(rng);
    const double slope = rng.chance(1, 4) ? 1.0 - rng.below(3) : 2 * unit(rng) - 1;
    bound.at_b = bound.at_a + slope * cost * bound.width;
    return bound;
}

// The corners of a convex polygon; in some, the last side is collinear with the first.
std::vector<Point> polygon(Rng& rng) {
    const double thin = rng.chance(1, 4) ? 0.01 : 1;
    std::vector<Point> corners{{0, 0}, {1 + unit(rng), 0}};
    corners.push_back({1 + unit(rng), thin * (1 + unit(rng))});
    corners.push_back({-unit(rng), thin * (0.5 + unit(rng))});
    if (rng.chance(1, 3)) corners.push_back({-0.5 - unit(rng), 0});
    return corners;
}

Point point_at(const IntervalBound& bound, double share) { return bound.segment.a + share * bound.width * bound.along; }
double value_at(const IntervalBound& bound, double share) { return bound.at_a + share * (bound.at_b - bound.at_a); }

struct Pair {
    IntervalBound from, to;
    double cost = 1;
};

Pair random_pair(Rng& rng) {
    const std::vector<Point> corners = polygon(rng);
    const auto n = static_cast<uint32_t>(corners.size());
    const uint32_t i = rng.below(n), j = (i + 1 + rng.below(n - 1)) % n;
    Pair pair;
    pair.cost = 1 + rng.below(8);
    pair.from = part_of(rng, corners[i], corners[(i + 1) % n], pair.cost);
    pair.to = part_of(rng, corners[j], corners[(j + 1) % n], pair.cost);
    return pair;
}

TEST(IntervalBounds, LoweredBoundsAreBelowEveryPath) {
    Rng rng(1);
    uint32_t lowered = 0;
    for (int round = 0; round < 100'000; ++round) {
        const Pair pair = random_pair(rng);
        IntervalBound to = pair.to;
        const Beam beam(pair.from, pair.cost);
        lowered += beam.lower(to, kAllowance) ? 1 : 0;
        double most = -1;
        for (int p = 0; p <= 8; ++p) {
            for (int q = 0; q <= 8; ++q) {
                const double path_cost =
                    value_at(pair.from, p / 8.0) + pair.cost * distance(point_at(pair.from, p / 8.0), point_at(to, q / 8.0));
                most = std::max(most, value_at(to, q / 8.0) - path_cost);
            }
        }
        ASSERT_LE(most, 1e-14) << round;
        ASSERT_LE(to.at_a, pair.to.at_a);
        ASSERT_LE(to.at_b, pair.to.at_b);
        ASSERT_GE(std::min(to.at_a, to.at_b), std::min({pair.to.at_a, pair.to.at_b, beam.floor()}) - 1e-6) << round;
        IntervalBound again = to;
        beam.lower(again, kAllowance);
        ASSERT_NEAR(again.at_a, to.at_a, 1e-6) << round;
        ASSERT_NEAR(again.at_b, to.at_b, 1e-6) << round;
    }
    EXPECT_GT(lowered, 20'000u);
}

TEST(IntervalBounds, ArrivalsAreTheCheapestPaths) {
    Rng rng(2);
    for (int round = 0; round < 20'000; ++round) {
        const Pair pair = random_pair(rng);
        const Beam beam(pair.from, pair.cost);
        const double slope = pair.cost * (2 * unit(rng) - 1);
        const Beam::Arrival arrival = beam.arrive(pair.to, slope, 0);
        double at_a = 1e9, at_b = 1e9, least = 1e9;
        constexpr int kParts = 64;
        for (int p = 0; p <= kParts; ++p) {
            const Point from = point_at(pair.from, 1.0 * p / kParts);
            const double value = value_at(pair.from, 1.0 * p / kParts);
            at_a = std::min(at_a, value + pair.cost * distance(from, pair.to.segment.a));
            at_b = std::min(at_b, value + pair.cost * distance(from, pair.to.segment.b));
            for (int q = 0; q <= kParts; q += 4) {
                const double ahead = slope * pair.to.width * q / kParts;
                least = std::min(least, value + pair.cost * distance(from, point_at(pair.to, 1.0 * q / kParts)) + ahead);
            }
        }
        ASSERT_LE(arrival.at_a, at_a + 1e-12) << round;
        ASSERT_LE(arrival.at_b, at_b + 1e-12);
        ASSERT_LE(arrival.least, least + 1e-12);
        const double step = 2 * pair.cost * std::max(pair.from.width, pair.to.width) / 16;
        ASSERT_GE(arrival.at_a, at_a - step);
        ASSERT_GE(arrival.least, least - 2 * step);
    }
}

TEST(IntervalBounds, ABeamFollowsSnellsLaw) {
    // Slope 3 at cost 5: the sine of the angle is 3/5, and f increases by 4 per unit of distance.
    const Beam beam({{{0, 0}, {1, 0}}, {1, 0}, 1, 10, 13}, 5);
    EXPECT_DOUBLE_EQ(beam.reach({1, 0.5}), 10 + 3 + 2);
    EXPECT_DOUBLE_EQ(beam.reach({0, 2}), 10 + 5 * 2);                    // before the beam: from the end
    EXPECT_DOUBLE_EQ(beam.reach({4, 4}), 13 + 5 * 5);                    // its edge
    EXPECT_DOUBLE_EQ(beam.reach({9, 4}), 13 + 5 * std::sqrt(64. + 16));  // behind it
    EXPECT_DOUBLE_EQ(beam.reach({0.5, -1}), 10 + 5 * std::sqrt(1.25));
    EXPECT_EQ(beam.floor(), 10);
    EXPECT_DOUBLE_EQ(Beam(Point{1, 1}, 2).reach({4, 5}), 10);
}

TEST(IntervalBounds, ASharedEndIsNotLowered) {
    const IntervalBound from{{{0, 0}, {1, 0}}, {1, 0}, 1, 10, 12};
    IntervalBound to{{{0, 0}, {0, 1}}, {0, 1}, 1, 10, 20};
    EXPECT_TRUE(Beam(from, 2).lower(to, kAllowance));
    EXPECT_EQ(to.at_a, 10);
    EXPECT_NEAR(to.at_b, 12, 1e-9);
    EXPECT_FALSE(Beam(from, 2).lower(to, kAllowance));
}

}  // namespace
}  // namespace terrane
