#include "terrane/weighted_regions/bprep.h"

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

SubdivisionPath find_by_points(const Subdivision& subdivision, Point from, Point to, double spacing = 0.125) {
    BprepSearch search;
    search.begin(subdivision, from, to, {.spacing = spacing});
    EXPECT_EQ(search.run(), search.path().status);
    return search.path();
}

// Dijkstra's algorithm over the same points with all edges; for subdivisions without blocked polygons.
double cheapest_over_points(const Subdivision& subdivision, Point from, Point to, double spacing) {
    std::vector<Point> points{from, to};
    for (const auto& boundary : subdivision.boundaries()) {
        const Segment s = subdivision.segment(boundary);
        const double parts = std::max(1.0, std::ceil(distance(s.a, s.b) / spacing));
        for (double i = 0; i <= parts; ++i) points.push_back(s.at(i / parts));
    }
    std::vector<std::vector<uint32_t>> in(points.size());
    for (size_t i = 0; i < points.size(); ++i) subdivision.locate_all(points[i], in[i]);
    std::vector<double> best(points.size(), kBlockedCost);
    std::vector<uint8_t> done(points.size(), 0);
    best[0] = 0;
    for (size_t round = 0; round < points.size(); ++round) {
        size_t next = points.size();
        for (size_t i = 0; i < points.size(); ++i) {
            if (done[i] == 0 && (next == points.size() || best[i] < best[next])) next = i;
        }
        done[next] = 1;
        for (size_t i = 0; i < points.size(); ++i) {
            for (const uint32_t polygon : in[next]) {
                if (!std::ranges::binary_search(in[i], polygon)) continue;
                best[i] = std::min(best[i], best[next] + subdivision.cost(polygon) * distance(points[next], points[i]));
            }
        }
    }
    return best[1];
}

TEST(BprepSearch, StraightInsideAPolygon) {
    const Subdivision subdivision = squares("3");
    const SubdivisionPath path = find_by_points(subdivision, {0.25, 0.25}, {0.75, 0.5});
    expect_sound(subdivision, path, {0.25, 0.25}, {0.75, 0.5});
    EXPECT_EQ(path.points.size(), 2u);
    EXPECT_DOUBLE_EQ(path.cost, 3 * std::sqrt(0.25 + 0.0625));
    EXPECT_NEAR(path.lower_bound, path.cost, 1e-14);
}

TEST(BprepSearch, NothingSlipsThroughACorner) {
    EXPECT_EQ(find_by_points(squares("1#\n#1"), {0.5, 1.5}, {1.5, 0.5}).status, Status::kUnreachable);
    // A path around through all the other corners: the corner between the two blocked polygons is no shortcut.
    const Subdivision subdivision = squares("111\n1#1\n11#");
    const SubdivisionPath path = find_by_points(subdivision, {1.5, 0.5}, {2.5, 1.5});
    expect_sound(subdivision, path, {1.5, 0.5}, {2.5, 1.5});
    EXPECT_NEAR(path.cost, 2 * std::sqrt(0.5) + 2, 1e-12);
    EXPECT_EQ(find_by_points(test::hexagon({0, 1, 1, 0, 1, 1}), {0, 1}, {0, -1}).status, Status::kUnreachable);
    EXPECT_NEAR(find_by_points(test::hexagon({0, 1, 1, 5, 1, 1}), {0, 1}, {0, -1}).cost, 2,
                1e-12);  // by the centre, around which a path leads
}

TEST(BprepSearch, AroundBlockedPolygons) {
    const Subdivision subdivision = squares("111\n1#1\n1#1");
    const SubdivisionPath path = find_by_points(subdivision, {0.5, 0.5}, {2.5, 0.5}, 1.0 / 6);
    expect_sound(subdivision, path, {0.5, 0.5}, {2.5, 0.5});
    EXPECT_NEAR(path.cost, 2 * std::sqrt(0.25 + 2.25) + 1, 1e-12);
    EXPECT_NE(std::ranges::find(path.points, Point{1, 2}), path.points.end());
    EXPECT_NE(std::ranges::find(path.points, Point{2, 2}), path.points.end());
}

TEST(BprepSearch, AlongACheapBoundary) {
    // Down to the cheap side at the critical angle, along it, and up again: the points in between are dropped.
    const Subdivision subdivision = squares("9\n1");
    const SubdivisionPath path = find_by_points(subdivision, {0.125, 1.0625}, {0.875, 1.0625}, 1.0 / 256);
    expect_sound(subdivision, path, {0.125, 1.0625}, {0.875, 1.0625});
    EXPECT_EQ(path.points.size(), 4u);
    EXPECT_NEAR(path.cost, 0.75 + 2 * 0.0625 * std::sqrt(80.0), 1e-4);
}

TEST(BprepSearch, BetweenPlacesOnOneBoundary) {
    const Subdivision subdivision = squares("9\n2");
    const SubdivisionPath path = find_by_points(subdivision, {0.25, 1}, {0.75, 1});
    EXPECT_EQ(path.points.size(), 2u);
    EXPECT_DOUBLE_EQ(path.cost, 1);
    EXPECT_DOUBLE_EQ(find_by_points(subdivision, {0, 1}, {1, 1}).cost, 2);  // from corner to corner
    EXPECT_DOUBLE_EQ(find_by_points(squares("#\n2"), {0.25, 1}, {0.75, 1}).cost, 1);
}

TEST(BprepSearch, ALongSideHasSeveralNeighbours) {
    const Subdivision subdivision = test::three_on_one();
    const SubdivisionPath path = find_by_points(subdivision, {0, 1}, {3, 1});
    expect_sound(subdivision, path, {0, 1}, {3, 1});
    EXPECT_NEAR(path.cost, 1 + 5 + 2, 1e-12);
    expect_sound(subdivision, find_by_points(subdivision, {0.5, 1.5}, {2.5, 1.5}), {0.5, 1.5}, {2.5, 1.5});
    EXPECT_NEAR(find_by_points(subdivision, {0.5, 1.5}, {2.5, 1.5}, 1.0 / 64).cost,
                test::subdivision_truth(subdivision, {0.5, 1.5}, {2.5, 1.5}).cost, 1e-4);
}

TEST(BprepSearch, CountsItsPoints) {
    EXPECT_EQ(count_boundary_points(squares("1"), 1), 0u);
    EXPECT_EQ(count_boundary_points(squares("11"), 1), 2u);
    EXPECT_EQ(count_boundary_points(squares("11"), 0.25), 5u);
    EXPECT_EQ(count_boundary_points(squares("11"), 0.24), 6u);
    EXPECT_EQ(count_boundary_points(squares("1#"), 0.25), 0u);
    EXPECT_EQ(count_boundary_points(squares("11\n11"), 1), 5u);
    EXPECT_EQ(count_boundary_points(squares("111\n1#1\n11#"), 1), 9u);  // none where only blocked polygons meet
    EXPECT_EQ(count_boundary_points(test::hexagon({1, 1, 1, 1, 1, 1}), 3), 7u);
    EXPECT_EQ(count_boundary_points(test::hexagon({0, 1, 1, 0, 1, 1}), 3), 4u);  // the centre is two nodes
    EXPECT_GT(count_boundary_points(squares("11"), 1e-8), kMaxBoundaryPoints);
}

TEST(BprepSearch, IsOptimalForItsPoints) {
    Rng rng(21);
    BprepSearch search;
    for (int round = 0; round < 300; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 1 + rng.below(9));
        const Point from = random_point(rng), to = random_point(rng);
        const double spacing = 30 + 100 * test::unit(rng);
        search.begin(subdivision, from, to, {.spacing = spacing});
        ASSERT_EQ(search.run(), Status::kFound);
        const double truth = cheapest_over_points(subdivision, from, to, spacing);
        EXPECT_NEAR(search.path().cost, truth, 1e-9 * truth);
        expect_sound(subdivision, search.path(), from, to);
    }
}

TEST(BprepSearch, ConvergesFromAbove) {
    Rng rng(22);
    BprepSearch search;
    double excess[3] = {0, 0, 0};
    for (int round = 0; round < 60; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 2 + rng.below(5), round % 2 == 0 ? 6 : 0);
        const Point from = random_point(rng), to = random_point(rng);
        const test::SubdivisionTruth truth = test::subdivision_truth(subdivision, from, to);
        double spacing = 16;
        for (double& sum : excess) {
            search.begin(subdivision, from, to, {.spacing = spacing});
            const Status status = search.run();
            ASSERT_EQ(status == Status::kFound, truth.cost < kBlockedCost);
            if (status != Status::kFound) break;
            expect_sound(subdivision, search.path(), from, to);
            EXPECT_GE(search.path().cost, truth.lower_bound * (1 - 1e-12));
            sum += search.path().cost / truth.cost - 1;
            spacing /= 4;
        }
    }
    EXPECT_LT(excess[1], excess[0] / 3);
    EXPECT_LT(excess[2], excess[1] / 3);
    EXPECT_LT(excess[2] / 60, 1e-5);
}

TEST(BprepSearch, CostsTheSameBackwards) {
    Rng rng(23);
    for (int round = 0; round < 100; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 1 + rng.below(30), 5);
        const Point from = random_point(rng), to = random_point(rng);
        const SubdivisionPath there = find_by_points(subdivision, from, to, 20), back = find_by_points(subdivision, to, from, 20);
        EXPECT_EQ(static_cast<bool>(there), static_cast<bool>(back));
        EXPECT_NEAR(there.cost, back.cost, 1e-9 * there.cost);
    }
}

TEST(BprepSearch, StartsAndEndsOnBoundariesAndCorners) {
    Rng rng(24);
    for (int round = 0; round < 100; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 2 + rng.below(12));
        const auto& boundaries = subdivision.boundaries();
        const Segment s = subdivision.segment(boundaries[rng.below(static_cast<uint32_t>(boundaries.size()))]);
        const Segment t = subdivision.segment(boundaries[rng.below(static_cast<uint32_t>(boundaries.size()))]);
        const Point from = round % 2 == 0 ? s.a : s.at(test::unit(rng)), to = round % 3 == 0 ? t.b : t.at(test::unit(rng));
        const SubdivisionPath path = find_by_points(subdivision, from, to, 50);
        expect_sound(subdivision, path, from, to);
        const double truth = cheapest_over_points(subdivision, from, to, 50);
        EXPECT_NEAR(path.cost, truth, 1e-9 * truth);
    }
}

TEST(BprepSearch, SlicesMakeNoDifference) {
    const Subdivision subdivision = random_voronoi_subdivision({.sites = 24, .seed = 5}).value();
    BprepSearch whole, sliced;
    whole.begin(subdivision, {10, 10}, {590, 590}, {.spacing = 16});
    ASSERT_EQ(whole.run(), Status::kFound);
    for (const uint64_t slice : {1u, 7u, 100u}) {
        sliced.begin(subdivision, {10, 10}, {590, 590}, {.spacing = 16});
        EXPECT_EQ(sliced.path().status, Status::kBudgetSpent);
        while (sliced.run(slice) == Status::kBudgetSpent) EXPECT_TRUE(sliced.path().points.empty());
        EXPECT_EQ(hash_of(sliced.path()), hash_of(whole.path()));
    }
    EXPECT_EQ(sliced.run(), Status::kFound);  // nothing left to do
    EXPECT_EQ(hash_of(sliced.path()), hash_of(whole.path()));
}

TEST(BprepSearch, IsReusedForOtherSubdivisionsAndSpacings) {
    BprepSearch search;
    for (const uint64_t seed : {1u, 2u, 1u}) {
        for (const double spacing : {32, 8}) {
            const Subdivision subdivision = random_voronoi_subdivision({.sites = 12, .seed = seed}).value();
            for (const Point to : {Point{590, 590}, Point{590, 10}}) {
                search.begin(subdivision, {10, 10}, to, {.spacing = spacing});
                search.run();
                EXPECT_EQ(hash_of(search.path()), hash_of(find_by_points(subdivision, {10, 10}, to, spacing)));
            }
        }
    }
    // The same cells, one of them blocked.
    const std::vector<Point> sites{{100, 300}, {300, 300}, {500, 300}};
    for (const double middle : {3.0, kBlockedCost, 5.0}) {
        const Subdivision subdivision = voronoi_subdivision(sites, std::vector<double>{1, middle, 1}, {0, 0}, {600, 600}).value();
        search.begin(subdivision, {10, 10}, {590, 10}, {.spacing = 8});
        search.run();
        EXPECT_EQ(hash_of(search.path()), hash_of(find_by_points(subdivision, {10, 10}, {590, 10}, 8)));
    }
    BprepSearch other = std::move(search);
    EXPECT_GT(other.bytes(), 0u);
}

TEST(BprepSearch, TraceHasExpandedAndOpenNodes) {
    const Subdivision subdivision = random_voronoi_subdivision({.sites = 16, .seed = 3}).value();
    SubdivisionTrace trace;
    BprepSearch search;
    search.begin(subdivision, {10, 10}, {300, 300}, {.spacing = 16, .trace = &trace});
    ASSERT_EQ(search.run(), Status::kFound);
    EXPECT_EQ(trace.expanded.size(), search.path().expansions);
    EXPECT_EQ(trace.expanded[0], (Point{10, 10}));
    EXPECT_FALSE(trace.open.empty());
    EXPECT_LE(trace.expanded.size() + trace.open.size(), count_boundary_points(subdivision, 16) + 2);
}

TEST(BprepSearch, Golden) {
    uint64_t hash = 0;
    BprepSearch search;
    for (uint32_t i = 0; i < 20; ++i) {
        Rng rng(i);
        const Subdivision subdivision = random_subdivision(rng, 4 + 2 * i, i % 2 == 0 ? 8 : 0);
        search.begin(subdivision, {10, 10}, {590, 590}, {.spacing = 12, .heuristic = i % 3 == 0 ? 1.0 : 0.0});
        search.run();
        hash = hash_of(search.path(), hash);
    }
    EXPECT_EQ(hash, 13879351488943685551u);
}

}  // namespace
}  // namespace terrane
