#include "terrane/weighted_regions/brep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weighted_regions/subdivision_truth.h"
#include "weighted_regions/subdivisions.h"

namespace terrane {
namespace {

using test::expect_sound;
using test::hash_of;
using test::random_point;
using test::random_subdivision;
using test::squares;

constexpr auto kDescent = BrepOptions::Solver::kDescent;
constexpr auto kNewton = BrepOptions::Solver::kNewton;

SubdivisionPath find_by_boundaries(const Subdivision& subdivision, Point from, Point to, const BrepOptions& options = {.solver = kNewton}) {
    BrepSearch search;
    search.begin(subdivision, from, to, options);
    EXPECT_EQ(search.run(), search.path().status);
    return search.path();
}

TEST(BrepSearch, StraightInsideAPolygon) {
    const Subdivision subdivision = squares("3");
    for (const auto solver : {kDescent, kNewton}) {
        const SubdivisionPath path = find_by_boundaries(subdivision, {0.25, 0.25}, {0.75, 0.5}, {.solver = solver});
        EXPECT_EQ(path.points, (std::vector<Point>{{0.25, 0.25}, {0.75, 0.5}}));
        EXPECT_DOUBLE_EQ(path.cost, 3 * std::sqrt(0.25 + 0.0625));
        EXPECT_EQ(path.expansions, 1u);
    }
}

TEST(BrepSearch, NothingSlipsThroughACorner) {
    EXPECT_EQ(find_by_boundaries(squares("1#\n#1"), {0.5, 1.5}, {1.5, 0.5}).status, Status::kUnreachable);
    EXPECT_EQ(find_by_boundaries(test::hexagon({0, 1, 1, 0, 1, 1}), {0, 1}, {0, -1}).status, Status::kUnreachable);
    const SubdivisionPath path = find_by_boundaries(test::hexagon({0, 1, 1, 5, 1, 1}), {0, 1}, {0, -1});
    EXPECT_NEAR(path.cost, 2, 1e-9);
}

TEST(BrepSearch, BendsBySnellsLaw) {
    // One boundary: the paper's figure 6. In a strip as wide as it is high the ray's ends fix one point.
    const Subdivision subdivision = squares("14");
    const SubdivisionPath path = find_by_boundaries(subdivision, {0.25, 0.125}, {1.75, 0.875});
    expect_sound(subdivision, path, {0.25, 0.125}, {1.75, 0.875});
    ASSERT_EQ(path.points.size(), 3u);
    const double in = (path.points[1].y - 0.125) / distance(path.points[0], path.points[1]);
    const double out = (0.875 - path.points[1].y) / distance(path.points[1], path.points[2]);
    EXPECT_NEAR(1 * in, 4 * out, 1e-12);
}

TEST(BrepSearch, AroundBlockedPolygons) {
    const Subdivision subdivision = squares("111\n1#1\n1#1");
    const SubdivisionPath path = find_by_boundaries(subdivision, {0.5, 0.5}, {2.5, 0.5});
    expect_sound(subdivision, path, {0.5, 0.5}, {2.5, 0.5});
    EXPECT_NEAR(path.cost, 2 * std::sqrt(0.25 + 2.25) + 1, 1e-12);
}

TEST(BrepSearch, AlongACheapBoundary) {
    const Subdivision subdivision = squares("9\n1");
    for (const auto solver : {kDescent, kNewton}) {
        const SubdivisionPath path = find_by_boundaries(subdivision, {0.125, 1.0625}, {0.875, 1.0625}, {.solver = solver});
        expect_sound(subdivision, path, {0.125, 1.0625}, {0.875, 1.0625});
        EXPECT_EQ(path.points.size(), 4u);
        EXPECT_NEAR(path.cost, 0.75 + 2 * 0.0625 * std::sqrt(80.0), 1e-12);
    }
    // Not if the far side is more expensive.
    EXPECT_EQ(find_by_boundaries(squares("1\n9"), {0.125, 1.0625}, {0.875, 1.0625}).points.size(), 2u);
}

TEST(BrepSearch, BetweenPlacesOnOneBoundary) {
    const Subdivision subdivision = squares("9\n2");
    EXPECT_DOUBLE_EQ(find_by_boundaries(subdivision, {0.25, 1}, {0.75, 1}).cost, 1);
    EXPECT_EQ(find_by_boundaries(subdivision, {0.25, 1}, {0.75, 1}).points.size(), 2u);
    EXPECT_DOUBLE_EQ(find_by_boundaries(subdivision, {0, 1}, {1, 1}).cost, 2);
    EXPECT_DOUBLE_EQ(find_by_boundaries(squares("#\n2"), {0.25, 1}, {0.75, 1}).cost, 1);
}

TEST(BrepSearch, ThroughACorner) {
    // The straight path leads through the common corner of all four; the two squares beside it are expensive.
    const Subdivision subdivision = squares("91\n19");
    const SubdivisionPath path = find_by_boundaries(subdivision, {0.5, 0.5}, {1.5, 1.5});
    expect_sound(subdivision, path, {0.5, 0.5}, {1.5, 1.5});
    EXPECT_NEAR(path.cost, std::sqrt(2.0), 1e-12);
    EXPECT_EQ(path.points, (std::vector<Point>{{0.5, 0.5}, {1, 1}, {1.5, 1.5}}));
}

TEST(BrepSearch, ALongSideHasSeveralNeighbours) {
    const Subdivision subdivision = test::three_on_one();
    for (const auto& [from, to] : {std::pair(Point{0.5, 1.5}, Point{2.5, 1.5}), std::pair(Point{0.5, 0.5}, Point{2.5, 1.5}),
                                   std::pair(Point{1, 1}, Point{2.5, 0.5}), std::pair(Point{0, 1}, Point{3, 1})}) {
        const SubdivisionPath path = find_by_boundaries(subdivision, from, to);
        expect_sound(subdivision, path, from, to);
        EXPECT_NEAR(path.cost, test::subdivision_truth(subdivision, from, to).cost, 1e-9);
    }
}

// No method is below the optimum; docs/weighted_regions.md reports how often this one is above it.
TEST(BrepSearch, IsSeldomAboveTheOptimum) {
    Rng rng(31);
    BrepSearch search;
    int found = 0, missed = 0;
    for (int round = 0; round < 250; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 1 + rng.below(7), round % 3 == 0 ? 6 : 0);
        const Point from = random_point(rng), to = random_point(rng);
        const test::SubdivisionTruth truth = test::subdivision_truth(subdivision, from, to);
        for (const auto solver : {kDescent, kNewton}) {
            search.begin(subdivision, from, to, {.solver = solver});
            const Status status = search.run();
            ASSERT_EQ(status == Status::kFound, truth.cost < kBlockedCost);
            if (status != Status::kFound) continue;
            expect_sound(subdivision, search.path(), from, to);
            EXPECT_GE(search.path().cost, truth.lower_bound * (1 - 1e-12));
            ++found;
            missed += search.path().cost > truth.cost * (1 + 1e-6) ? 1 : 0;
        }
    }
    EXPECT_GT(found, 300);
    EXPECT_LT(missed, found / 10);
}

// At points inside a boundary, c * sin of the angle is the same on both sides.
TEST(BrepSearch, NewtonKeepsSnellsLawToNineDigits) {
    Rng rng(32);
    BrepSearch search;
    std::vector<uint32_t> around;
    int crossings = 0;
    for (int round = 0; round < 1500; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 2 + rng.below(20));
        const Point from = random_point(rng), to = random_point(rng);
        search.begin(subdivision, from, to, {.solver = kNewton});
        ASSERT_EQ(search.run(), Status::kFound);
        expect_sound(subdivision, search.path(), from, to);
        const auto& points = search.path().points;
        const auto cost = [&](size_t i) {
            return subdivision_path_cost(subdivision, std::span(points).subspan(i, 2)) / distance(points[i], points[i + 1]);
        };
        for (size_t i = 1; i + 1 < points.size(); ++i) {
            subdivision.locate_all(points[i], around);
            if (around.size() != 2) continue;  // a corner
            const auto shared =
                std::ranges::find_if(subdivision.boundaries(), [&](const auto& b) { return b.left == around[0] && b.right == around[1]; });
            ASSERT_NE(shared, subdivision.boundaries().end());
            const Segment s = subdivision.segment(*shared);
            if (std::min(distance(points[i], s.a), distance(points[i], s.b)) < 1e-3) continue;
            if (std::min(distance(points[i], points[i - 1]), distance(points[i], points[i + 1])) < 1e-3) continue;
            const Point along = (1 / distance(s.a, s.b)) * (s.b - s.a);
            const double in = dot(along, points[i] - points[i - 1]) / distance(points[i], points[i - 1]);
            const double out = dot(along, points[i + 1] - points[i]) / distance(points[i], points[i + 1]);
            EXPECT_NEAR(cost(i - 1) * in, cost(i) * out, 1e-9 * std::max(cost(i - 1), cost(i)));
            ++crossings;
        }
    }
    EXPECT_GT(crossings, 1500);
}

TEST(BrepSearch, StartsAndEndsOnBoundariesAndCorners) {
    Rng rng(33);
    for (int round = 0; round < 200; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 2 + rng.below(4));
        const auto& boundaries = subdivision.boundaries();
        const Segment s = subdivision.segment(boundaries[rng.below(static_cast<uint32_t>(boundaries.size()))]);
        const Segment t = subdivision.segment(boundaries[rng.below(static_cast<uint32_t>(boundaries.size()))]);
        const Point from = round % 2 == 0 ? s.a : s.at(test::unit(rng)), to = round % 3 == 0 ? t.b : t.at(test::unit(rng));
        const SubdivisionPath path = find_by_boundaries(subdivision, from, to);
        expect_sound(subdivision, path, from, to);
        EXPECT_GE(path.cost, test::subdivision_truth(subdivision, from, to).lower_bound * (1 - 1e-12));
    }
}

TEST(BrepSearch, BackwardsIsAPathToo) {
    Rng rng(34);
    int same = 0;
    for (int round = 0; round < 200; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 1 + rng.below(6), 6);
        const Point from = random_point(rng), to = random_point(rng);
        const SubdivisionPath there = find_by_boundaries(subdivision, from, to), back = find_by_boundaries(subdivision, to, from);
        EXPECT_EQ(static_cast<bool>(there), static_cast<bool>(back));
        same += std::abs(there.cost - back.cost) <= 1e-9 * there.cost ? 1 : 0;
        std::vector<Point> turned(there.points.rbegin(), there.points.rend());
        EXPECT_NEAR(subdivision_path_cost(subdivision, turned), there.cost, 1e-9 * there.cost);
    }
    EXPECT_GT(same, 180);  // all that are optimal in both directions
}

TEST(BrepSearch, SlicesMakeNoDifference) {
    const Subdivision subdivision = random_voronoi_subdivision({.sites = 24, .seed = 5}).value();
    BrepSearch whole, sliced;
    for (const auto solver : {kDescent, kNewton}) {
        whole.begin(subdivision, {10, 10}, {590, 590}, {.solver = solver});
        ASSERT_EQ(whole.run(), Status::kFound);
        for (const uint64_t slice : {1u, 7u, 100u}) {
            sliced.begin(subdivision, {10, 10}, {590, 590}, {.solver = solver});
            EXPECT_EQ(sliced.path().status, Status::kBudgetSpent);
            while (sliced.run(slice) == Status::kBudgetSpent) EXPECT_TRUE(sliced.path().points.empty());
            EXPECT_EQ(hash_of(sliced.path()), hash_of(whole.path()));
            EXPECT_EQ(sliced.iterations(), whole.iterations());
        }
        EXPECT_EQ(sliced.run(), Status::kFound);
        EXPECT_EQ(hash_of(sliced.path()), hash_of(whole.path()));
    }
}

TEST(BrepSearch, ExpandsABoundaryOnceInEachDirection) {
    for (const uint64_t seed : {1u, 2u, 3u}) {
        const Subdivision subdivision = random_voronoi_subdivision({.sites = 100, .seed = seed}).value();
        EXPECT_LE(find_by_boundaries(subdivision, {10, 10}, {590, 590}).expansions, 1 + 2 * subdivision.boundaries().size());
    }
}

TEST(BrepSearch, FewerIterationsAreNoBetter) {
    double last = kBlockedCost;
    BrepSearch search;
    for (const uint32_t iterations : {0u, 2u, 128u}) {
        double sum = 0;
        for (uint64_t seed = 1; seed <= 40; ++seed) {
            const Subdivision subdivision = random_voronoi_subdivision({.sites = 16, .seed = seed}).value();
            search.begin(subdivision, {10, 10}, {590, 590}, {.solver = kDescent, .max_iterations = iterations});
            ASSERT_EQ(search.run(), Status::kFound);
            expect_sound(subdivision, search.path(), {10, 10}, {590, 590});
            sum += search.path().cost;
        }
        EXPECT_LT(sum, last);
        last = sum;
    }
}

TEST(BrepSearch, TraceHasExpandedAndOpenNodes) {
    const Subdivision subdivision = random_voronoi_subdivision({.sites = 24, .seed = 3}).value();
    SubdivisionTrace trace;
    BrepSearch search;
    search.begin(subdivision, {10, 10}, {300, 300}, {.trace = &trace});
    ASSERT_EQ(search.run(), Status::kFound);
    EXPECT_EQ(trace.expanded.size(), search.path().expansions);
    EXPECT_EQ(trace.expanded[0], (Point{10, 10}));
    EXPECT_FALSE(trace.open.empty());
    search.begin(subdivision, {10, 10}, {900, 900}, {.trace = &trace});
    EXPECT_TRUE(trace.expanded.empty());
}

TEST(BrepSearch, IsReusedAndMoved) {
    BrepSearch search;
    for (const uint64_t seed : {1u, 2u, 1u}) {
        const Subdivision subdivision = random_voronoi_subdivision({.sites = 12, .seed = seed}).value();
        search.begin(subdivision, {10, 10}, {590, 590});
        search.run();
        EXPECT_EQ(hash_of(search.path()), hash_of(find_by_boundaries(subdivision, {10, 10}, {590, 590}, {})));
        EXPECT_GT(search.iterations(), 0u);
    }
    BrepSearch other = std::move(search);
    EXPECT_EQ(other.path().status, Status::kFound);
    EXPECT_GT(other.bytes(), 0u);
}

TEST(BrepSearch, Golden) {
    uint64_t hash = 0;
    BrepSearch search;
    for (uint32_t i = 0; i < 20; ++i) {
        Rng rng(i);
        const Subdivision subdivision = random_subdivision(rng, 4 + 2 * i, i % 2 == 0 ? 8 : 0);
        for (const auto solver : {kDescent, kNewton}) {
            search.begin(subdivision, {10, 10}, {590, 590}, {.solver = solver, .heuristic = i % 3 == 0 ? 1.0 : 0.0});
            search.run();
            hash = mix64(hash_of(search.path(), hash) ^ search.iterations());
        }
    }
    EXPECT_EQ(hash, 6714469096230740755u);
}

}  // namespace
}  // namespace terrane
