#include "terrane/weighted_regions/boundary_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weighted_regions/open_fields.h"
#include "weighted_regions/open_truth.h"

namespace terrane {
namespace {

using test::expect_sound;
using test::hash_of;
using test::random_field;
using test::random_point;
using test::squares;

constexpr auto kDescent = BoundarySearchOptions::Solver::kDescent;
constexpr auto kNewton = BoundarySearchOptions::Solver::kNewton;

OpenPath find_by_boundaries(const Subdivision& field, Point from, Point to, const BoundarySearchOptions& options = {.solver = kNewton}) {
    BoundarySearch search;
    search.begin(field, from, to, options);
    EXPECT_EQ(search.run(), search.path().status);
    return search.path();
}

TEST(BoundarySearch, StraightInsideAPolygon) {
    const Subdivision field = squares("3");
    for (const auto solver : {kDescent, kNewton}) {
        const OpenPath path = find_by_boundaries(field, {0.25, 0.25}, {0.75, 0.5}, {.solver = solver});
        EXPECT_EQ(path.points, (std::vector<Point>{{0.25, 0.25}, {0.75, 0.5}}));
        EXPECT_DOUBLE_EQ(path.cost, 3 * std::sqrt(0.25 + 0.0625));
        EXPECT_EQ(path.expansions, 1u);
    }
}

TEST(BoundarySearch, NothingSlipsThroughACorner) {
    EXPECT_EQ(find_by_boundaries(squares("1#\n#1"), {0.5, 1.5}, {1.5, 0.5}).status, Status::kUnreachable);
    EXPECT_EQ(find_by_boundaries(test::hexagon({0, 1, 1, 0, 1, 1}), {0, 1}, {0, -1}).status, Status::kUnreachable);
    const OpenPath path = find_by_boundaries(test::hexagon({0, 1, 1, 5, 1, 1}), {0, 1}, {0, -1});
    EXPECT_NEAR(path.cost, 2, 1e-9);
}

TEST(BoundarySearch, BendsBySnellsLaw) {
    // One boundary: the paper's figure 6. In a strip as wide as it is high the ray's ends fix one point.
    const Subdivision field = squares("14");
    const OpenPath path = find_by_boundaries(field, {0.25, 0.125}, {1.75, 0.875});
    expect_sound(field, path, {0.25, 0.125}, {1.75, 0.875});
    ASSERT_EQ(path.points.size(), 3u);
    const double in = (path.points[1].y - 0.125) / distance(path.points[0], path.points[1]);
    const double out = (0.875 - path.points[1].y) / distance(path.points[1], path.points[2]);
    EXPECT_NEAR(1 * in, 4 * out, 1e-12);
}

TEST(BoundarySearch, AroundBlockedGround) {
    const Subdivision field = squares("111\n1#1\n1#1");
    const OpenPath path = find_by_boundaries(field, {0.5, 0.5}, {2.5, 0.5});
    expect_sound(field, path, {0.5, 0.5}, {2.5, 0.5});
    EXPECT_NEAR(path.cost, 2 * std::sqrt(0.25 + 2.25) + 1, 1e-12);
}

TEST(BoundarySearch, AlongACheapBoundary) {
    const Subdivision field = squares("9\n1");
    for (const auto solver : {kDescent, kNewton}) {
        const OpenPath path = find_by_boundaries(field, {0.125, 1.0625}, {0.875, 1.0625}, {.solver = solver});
        expect_sound(field, path, {0.125, 1.0625}, {0.875, 1.0625});
        EXPECT_EQ(path.points.size(), 4u);
        EXPECT_NEAR(path.cost, 0.75 + 2 * 0.0625 * std::sqrt(80.0), 1e-12);
    }
    // Not where the far side is dearer.
    EXPECT_EQ(find_by_boundaries(squares("1\n9"), {0.125, 1.0625}, {0.875, 1.0625}).points.size(), 2u);
}

TEST(BoundarySearch, BetweenPlacesOnOneBoundary) {
    const Subdivision field = squares("9\n2");
    EXPECT_DOUBLE_EQ(find_by_boundaries(field, {0.25, 1}, {0.75, 1}).cost, 1);
    EXPECT_EQ(find_by_boundaries(field, {0.25, 1}, {0.75, 1}).points.size(), 2u);
    EXPECT_DOUBLE_EQ(find_by_boundaries(field, {0, 1}, {1, 1}).cost, 2);
    EXPECT_DOUBLE_EQ(find_by_boundaries(squares("#\n2"), {0.25, 1}, {0.75, 1}).cost, 1);
}

TEST(BoundarySearch, ThroughACorner) {
    // The straight way leads through the corner of all four; the two beside it are dear.
    const Subdivision field = squares("91\n19");
    const OpenPath path = find_by_boundaries(field, {0.5, 0.5}, {1.5, 1.5});
    expect_sound(field, path, {0.5, 0.5}, {1.5, 1.5});
    EXPECT_NEAR(path.cost, std::sqrt(2.0), 1e-12);
    EXPECT_EQ(path.points, (std::vector<Point>{{0.5, 0.5}, {1, 1}, {1.5, 1.5}}));
}

TEST(BoundarySearch, ALongSideHasSeveralNeighbours) {
    const Subdivision field = test::three_on_one();
    for (const auto& [from, to] : {std::pair(Point{0.5, 1.5}, Point{2.5, 1.5}), std::pair(Point{0.5, 0.5}, Point{2.5, 1.5}),
                                   std::pair(Point{1, 1}, Point{2.5, 0.5}), std::pair(Point{0, 1}, Point{3, 1})}) {
        const OpenPath path = find_by_boundaries(field, from, to);
        expect_sound(field, path, from, to);
        EXPECT_NEAR(path.cost, test::open_truth(field, from, to).cost, 1e-9);
    }
}

// No method is below the truth; how often this one is above it is what the module's page tells.
TEST(BoundarySearch, IsSeldomAboveTheTruth) {
    Rng rng(31);
    BoundarySearch search;
    int found = 0, missed = 0;
    for (int round = 0; round < 250; ++round) {
        const Subdivision field = random_field(rng, 1 + rng.below(7), round % 3 == 0 ? 6 : 0);
        const Point from = random_point(rng), to = random_point(rng);
        const test::OpenTruth truth = test::open_truth(field, from, to);
        for (const auto solver : {kDescent, kNewton}) {
            search.begin(field, from, to, {.solver = solver});
            const Status status = search.run();
            ASSERT_EQ(status == Status::kFound, truth.cost < kBlockedCost);
            if (status != Status::kFound) continue;
            expect_sound(field, search.path(), from, to);
            EXPECT_GE(search.path().cost, truth.lower_bound * (1 - 1e-12));
            ++found;
            missed += search.path().cost > truth.cost * (1 + 1e-6) ? 1 : 0;
        }
    }
    EXPECT_GT(found, 300);
    EXPECT_LT(missed, found / 10);
}

// At points inside a boundary, c * sin of the angle is the same on both sides.
TEST(BoundarySearch, NewtonKeepsSnellsLawToNineDigits) {
    Rng rng(32);
    BoundarySearch search;
    std::vector<uint32_t> around;
    int crossings = 0;
    for (int round = 0; round < 1500; ++round) {
        const Subdivision field = random_field(rng, 2 + rng.below(20));
        const Point from = random_point(rng), to = random_point(rng);
        search.begin(field, from, to, {.solver = kNewton});
        ASSERT_EQ(search.run(), Status::kFound);
        expect_sound(field, search.path(), from, to);
        const auto& points = search.path().points;
        const auto cost = [&](size_t i) {
            return open_path_cost(field, std::span(points).subspan(i, 2)) / distance(points[i], points[i + 1]);
        };
        for (size_t i = 1; i + 1 < points.size(); ++i) {
            field.locate_all(points[i], around);
            if (around.size() != 2) continue;  // a corner
            const auto shared =
                std::ranges::find_if(field.boundaries(), [&](const auto& b) { return b.left == around[0] && b.right == around[1]; });
            ASSERT_NE(shared, field.boundaries().end());
            const Segment s = field.segment(*shared);
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

TEST(BoundarySearch, StartsAndEndsOnBoundariesAndCorners) {
    Rng rng(33);
    for (int round = 0; round < 200; ++round) {
        const Subdivision field = random_field(rng, 2 + rng.below(4));
        const auto& boundaries = field.boundaries();
        const Segment s = field.segment(boundaries[rng.below(static_cast<uint32_t>(boundaries.size()))]);
        const Segment t = field.segment(boundaries[rng.below(static_cast<uint32_t>(boundaries.size()))]);
        const Point from = round % 2 == 0 ? s.a : s.at(test::unit(rng)), to = round % 3 == 0 ? t.b : t.at(test::unit(rng));
        const OpenPath path = find_by_boundaries(field, from, to);
        expect_sound(field, path, from, to);
        EXPECT_GE(path.cost, test::open_truth(field, from, to).lower_bound * (1 - 1e-12));
    }
}

TEST(BoundarySearch, BackwardsIsAPathToo) {
    Rng rng(34);
    int same = 0;
    for (int round = 0; round < 200; ++round) {
        const Subdivision field = random_field(rng, 1 + rng.below(6), 6);
        const Point from = random_point(rng), to = random_point(rng);
        const OpenPath there = find_by_boundaries(field, from, to), back = find_by_boundaries(field, to, from);
        EXPECT_EQ(static_cast<bool>(there), static_cast<bool>(back));
        same += std::abs(there.cost - back.cost) <= 1e-9 * there.cost ? 1 : 0;
        std::vector<Point> turned(there.points.rbegin(), there.points.rend());
        EXPECT_NEAR(open_path_cost(field, turned), there.cost, 1e-9 * there.cost);
    }
    EXPECT_GT(same, 180);  // all that are optimal both ways
}

TEST(BoundarySearch, SlicesMakeNoDifference) {
    const Subdivision field = random_voronoi_subdivision({.sites = 24, .seed = 5}).value();
    BoundarySearch whole, sliced;
    for (const auto solver : {kDescent, kNewton}) {
        whole.begin(field, {10, 10}, {590, 590}, {.solver = solver});
        ASSERT_EQ(whole.run(), Status::kFound);
        for (const uint64_t slice : {1u, 7u, 100u}) {
            sliced.begin(field, {10, 10}, {590, 590}, {.solver = solver});
            EXPECT_EQ(sliced.path().status, Status::kBudgetSpent);
            while (sliced.run(slice) == Status::kBudgetSpent) EXPECT_TRUE(sliced.path().points.empty());
            EXPECT_EQ(hash_of(sliced.path()), hash_of(whole.path()));
            EXPECT_EQ(sliced.iterations(), whole.iterations());
        }
        EXPECT_EQ(sliced.run(), Status::kFound);
        EXPECT_EQ(hash_of(sliced.path()), hash_of(whole.path()));
    }
}

TEST(BoundarySearch, ExpandsABoundaryOnceEachWay) {
    for (const uint64_t seed : {1u, 2u, 3u}) {
        const Subdivision field = random_voronoi_subdivision({.sites = 100, .seed = seed}).value();
        EXPECT_LE(find_by_boundaries(field, {10, 10}, {590, 590}).expansions, 1 + 2 * field.boundaries().size());
    }
}

TEST(BoundarySearch, FewerIterationsAreNoBetter) {
    double last = kBlockedCost;
    BoundarySearch search;
    for (const uint32_t iterations : {0u, 2u, 128u}) {
        double sum = 0;
        for (uint64_t seed = 1; seed <= 40; ++seed) {
            const Subdivision field = random_voronoi_subdivision({.sites = 16, .seed = seed}).value();
            search.begin(field, {10, 10}, {590, 590}, {.solver = kDescent, .max_iterations = iterations});
            ASSERT_EQ(search.run(), Status::kFound);
            expect_sound(field, search.path(), {10, 10}, {590, 590});
            sum += search.path().cost;
        }
        EXPECT_LT(sum, last);
        last = sum;
    }
}

TEST(BoundarySearch, TraceHasWhatWasExpandedAndWhatWaits) {
    const Subdivision field = random_voronoi_subdivision({.sites = 24, .seed = 3}).value();
    OpenTrace trace;
    BoundarySearch search;
    search.begin(field, {10, 10}, {300, 300}, {.trace = &trace});
    ASSERT_EQ(search.run(), Status::kFound);
    EXPECT_EQ(trace.expanded.size(), search.path().expansions);
    EXPECT_EQ(trace.expanded[0], (Point{10, 10}));
    EXPECT_FALSE(trace.open.empty());
    search.begin(field, {10, 10}, {900, 900}, {.trace = &trace});
    EXPECT_TRUE(trace.expanded.empty());
}

TEST(BoundarySearch, IsReusedAndMoved) {
    BoundarySearch search;
    for (const uint64_t seed : {1u, 2u, 1u}) {
        const Subdivision field = random_voronoi_subdivision({.sites = 12, .seed = seed}).value();
        search.begin(field, {10, 10}, {590, 590});
        search.run();
        EXPECT_EQ(hash_of(search.path()), hash_of(find_by_boundaries(field, {10, 10}, {590, 590}, {})));
        EXPECT_GT(search.iterations(), 0u);
    }
    BoundarySearch other = std::move(search);
    EXPECT_EQ(other.path().status, Status::kFound);
    EXPECT_GT(other.bytes(), 0u);
}

TEST(BoundarySearch, Golden) {
    uint64_t hash = 0;
    BoundarySearch search;
    for (uint32_t i = 0; i < 20; ++i) {
        Rng rng(i);
        const Subdivision field = random_field(rng, 4 + 2 * i, i % 2 == 0 ? 8 : 0);
        for (const auto solver : {kDescent, kNewton}) {
            search.begin(field, {10, 10}, {590, 590}, {.solver = solver, .heuristic = i % 3 == 0 ? 1.0 : 0.0});
            search.run();
            hash = mix64(hash_of(search.path(), hash) ^ search.iterations());
        }
    }
    EXPECT_EQ(hash, 6714469096230740755u);
}

}  // namespace
}  // namespace terrane
