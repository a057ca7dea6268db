#include "terrane/weighted_regions/proven_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weighted_regions/subdivision_truth.h"
#include "weighted_regions/subdivisions.h"

namespace terrane {
namespace {

using test::hash_of;
using test::random_point;
using test::random_subdivision;
using test::squares;
using test::unit;

SubdivisionPath find_proven(const Subdivision& subdivision, Point from, Point to, const ProvenSearchOptions& options = {}) {
    ProvenSearch search;
    search.begin(subdivision, from, to, options);
    EXPECT_EQ(search.run(), search.path().status);
    return search.path();
}

void expect_proven(const Subdivision& subdivision, const SubdivisionPath& path, Point from, Point to, double gap = 1e-6) {
    test::expect_sound(subdivision, path, from, to);
    EXPECT_LE(path.gap(), gap);
}

// Against brute force: the cost is within the gap, and the bound is never above the optimum.
void expect_true(const Subdivision& subdivision, Point from, Point to, double gap = 1e-6) {
    const SubdivisionPath path = find_proven(subdivision, from, to, {.gap = gap});
    const test::SubdivisionTruth truth = test::subdivision_truth(subdivision, from, to);
    if (truth.cost == kBlockedCost) {
        EXPECT_NE(path.status, Status::kFound);
        return;
    }
    expect_proven(subdivision, path, from, to, gap);
    EXPECT_LE(path.lower_bound, truth.cost);
    EXPECT_LE(path.cost * (1 - gap), truth.cost * (1 + 1e-12));
    EXPECT_GE(path.cost, truth.lower_bound * (1 - 1e-9));
}

TEST(ProvenSearch, StraightInsideAPolygon) {
    const SubdivisionPath path = find_proven(squares("3"), {0.25, 0.25}, {0.75, 0.5});
    EXPECT_EQ(path.points, (std::vector<Point>{{0.25, 0.25}, {0.75, 0.5}}));
    EXPECT_DOUBLE_EQ(path.cost, 3 * std::sqrt(0.25 + 0.0625));
}

TEST(ProvenSearch, NothingSlipsThroughACorner) {
    EXPECT_EQ(find_proven(squares("1#\n#1"), {0.5, 1.5}, {1.5, 0.5}).status, Status::kUnreachable);
    EXPECT_EQ(find_proven(test::hexagon({0, 1, 1, 0, 1, 1}), {0, 1}, {0, -1}).status, Status::kUnreachable);
    EXPECT_NEAR(find_proven(test::hexagon({0, 1, 1, 5, 1, 1}), {0, 1}, {0, -1}).cost, 2, 2e-6);
}

TEST(ProvenSearch, AroundBlockedPolygons) {
    const Subdivision subdivision = squares("111\n1#1\n1#1");
    const SubdivisionPath path = find_proven(subdivision, {0.5, 0.5}, {2.5, 0.5});
    expect_proven(subdivision, path, {0.5, 0.5}, {2.5, 0.5});
    EXPECT_NEAR(path.cost, 2 * std::sqrt(0.25 + 2.25) + 1, 1e-9);
}

TEST(ProvenSearch, AlongACheapBoundary) {
    // Down to the boundary and up again at the critical angle.
    const Subdivision subdivision = squares("9\n1");
    const SubdivisionPath path = find_proven(subdivision, {0.125, 1.0625}, {0.875, 1.0625});
    expect_proven(subdivision, path, {0.125, 1.0625}, {0.875, 1.0625});
    EXPECT_EQ(path.points.size(), 4u);
    EXPECT_NEAR(path.cost, 0.75 + 2 * 0.0625 * std::sqrt(80.0), 1e-9);
    EXPECT_EQ(find_proven(squares("1\n9"), {0.125, 1.0625}, {0.875, 1.0625}).points.size(), 2u);
}

TEST(ProvenSearch, BetweenPlacesOnOneBoundary) {
    const Subdivision subdivision = squares("9\n2");
    EXPECT_DOUBLE_EQ(find_proven(subdivision, {0.25, 1}, {0.75, 1}).cost, 1);
    EXPECT_DOUBLE_EQ(find_proven(subdivision, {0, 1}, {1, 1}).cost, 2);
    EXPECT_DOUBLE_EQ(find_proven(squares("#\n2"), {0.25, 1}, {0.75, 1}).cost, 1);
}

TEST(ProvenSearch, ThroughACorner) {
    const Subdivision subdivision = squares("91\n19");
    const SubdivisionPath path = find_proven(subdivision, {0.5, 0.5}, {1.5, 1.5});
    expect_proven(subdivision, path, {0.5, 0.5}, {1.5, 1.5});
    EXPECT_NEAR(path.cost, std::sqrt(2.0), 1e-12);
    EXPECT_EQ(path.points, (std::vector<Point>{{0.5, 0.5}, {1, 1}, {1.5, 1.5}}));
}

TEST(ProvenSearch, ARoadIsWorthADetour) {
    // A strip of cost 1 through terrain of cost 8.
    PolygonSet set;
    set.vertices = {{0, 0}, {100, 0}, {100, 40}, {0, 40}, {100, 41}, {0, 41}, {100, 80}, {0, 80}};
    set.add(std::vector<uint32_t>{0, 1, 2, 3}, 8);
    set.add(std::vector<uint32_t>{3, 2, 4, 5}, 1);
    set.add(std::vector<uint32_t>{5, 4, 6, 7}, 8);
    const Subdivision subdivision = make_subdivision(std::move(set)).value();
    expect_true(subdivision, {5, 30}, {95, 30}, 1e-9);
    // In at the critical angle, along the near side, out again.
    EXPECT_NEAR(find_proven(subdivision, {5, 30}, {95, 30}, {.gap = 1e-9}).cost, 90 + 2 * 10 * std::sqrt(63.0), 1e-6);
    expect_true(subdivision, {5, 30}, {95, 70}, 1e-9);
    expect_true(subdivision, {50, 40}, {50, 41}, 1e-9);
    expect_true(subdivision, {0, 40.5}, {100, 40.5}, 1e-9);
}

TEST(ProvenSearch, ALongSideHasSeveralNeighbours) {
    const Subdivision subdivision = test::three_on_one();
    for (const auto& [from, to] : {std::pair(Point{0.5, 1.5}, Point{2.5, 1.5}), std::pair(Point{0.5, 0.5}, Point{2.5, 1.5}),
                                   std::pair(Point{1, 1}, Point{2.5, 0.5}), std::pair(Point{0, 1}, Point{3, 1})}) {
        expect_true(subdivision, from, to);
    }
}

TEST(ProvenSearch, TheOptimumIsBetweenBoundAndCost) {
    Rng rng(1);
    for (int round = 0; round < 300; ++round) {
        const uint32_t sites = 4 + rng.below(4);
        const Subdivision subdivision = random_subdivision(rng, sites, round % 3 == 0 ? 5 : 0);
        const Point from = random_point(rng), to = random_point(rng);
        SCOPED_TRACE(round);
        expect_true(subdivision, from, to, round % 2 == 0 ? 1e-6 : 1e-9);
    }
}

TEST(ProvenSearch, ExtremeCosts) {
    Rng rng(2);
    for (int round = 0; round < 100; ++round) {
        std::vector<Point> sites(6);
        std::vector<double> costs(6);
        for (size_t i = 0; i < sites.size(); ++i) {
            sites[i] = random_point(rng);
            costs[i] = rng.chance(1, 2) ? 1 + 99 * unit(rng) : 1 + unit(rng) / 100;
        }
        const Subdivision subdivision = voronoi_subdivision(sites, costs, {0, 0}, {600, 600}).value();
        const Point from = random_point(rng), to = random_point(rng);
        SCOPED_TRACE(round);
        expect_true(subdivision, from, to);
    }
}

TEST(ProvenSearch, StartsAndEndsOnBoundariesAndCorners) {
    Rng rng(3);
    for (int round = 0; round < 60; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 6, 6);
        const auto draw = [&] {
            const auto& b = subdivision.boundaries()[rng.below(static_cast<uint32_t>(subdivision.boundaries().size()))];
            const double place = rng.chance(1, 2) ? rng.below(2) : unit(rng);
            return subdivision.segment(b).at(place);
        };
        const Point from = draw(), to = draw();
        SCOPED_TRACE(round);
        expect_true(subdivision, from, to);
    }
}

TEST(ProvenSearch, BackwardsCostsTheSame) {
    Rng rng(4);
    for (int round = 0; round < 20; ++round) {
        const Subdivision subdivision = random_subdivision(rng, 24);
        const Point from = random_point(rng), to = random_point(rng);
        const SubdivisionPath there = find_proven(subdivision, from, to), back = find_proven(subdivision, to, from);
        expect_proven(subdivision, there, from, to);
        EXPECT_NEAR(there.cost, back.cost, 2e-6 * there.cost);
        EXPECT_LE(there.lower_bound, back.cost);
        EXPECT_LE(back.lower_bound, there.cost);
    }
}

// Where a path crosses a boundary between its ends, it bends by Snell's law.
TEST(ProvenSearch, BendsBySnellsLaw) {
    uint32_t checked = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const Subdivision subdivision = random_voronoi_subdivision({.sites = 24, .seed = seed}).value();
        const SubdivisionPath path = find_proven(subdivision, {0, 0}, {600, 600});
        for (size_t i = 1; i + 1 < path.points.size(); ++i) {
            const Point p = path.points[i];
            for (const auto& b : subdivision.boundaries()) {
                const Segment s = subdivision.segment(b);
                const double length = distance(s.a, s.b), place = nearest_place(s, p);
                if (distance(s.at(place), p) > 1e-9 || std::min(place, 1 - place) * length < 1e-3) continue;
                const Point in = p - path.points[i - 1], out = path.points[i + 1] - p, along = (1 / length) * (s.b - s.a);
                if (std::min(terrane::length(in), terrane::length(out)) < 1e-3) continue;
                const auto cost = [&](Point offset) {
                    const double side = cross(along, offset);
                    return std::abs(side) < 1e-9 * terrane::length(offset) ? std::min(subdivision.cost(b.left), subdivision.cost(b.right))
                           : side > 0                                      ? subdivision.cost(b.left)
                                                                           : subdivision.cost(b.right);
                };
                const double before = cost(-1.0 * in) * dot(in, along) / terrane::length(in);
                EXPECT_NEAR(before, cost(out) * dot(out, along) / terrane::length(out), 1e-9) << seed << " " << i;
                ++checked;
            }
        }
    }
    EXPECT_GT(checked, 50u);
}

TEST(ProvenSearch, SlicesMakeNoDifference) {
    const Subdivision subdivision = random_voronoi_subdivision({.sites = 100, .seed = 5}).value();
    const uint64_t whole = hash_of(find_proven(subdivision, {0, 0}, {600, 600}));
    for (const uint64_t slice : {1u, 7u, 1000u}) {
        ProvenSearch search;
        search.begin(subdivision, {0, 0}, {600, 600});
        double lower = 0, cost = kBlockedCost;
        while (search.run(slice) == Status::kBudgetSpent) {
            const SubdivisionPath& path = search.path();
            EXPECT_EQ(path.status, Status::kBudgetSpent);
            EXPECT_GE(path.lower_bound, lower);
            lower = path.lower_bound;
            if (path.points.empty()) continue;
            EXPECT_LE(path.cost, cost);
            EXPECT_LE(lower, path.cost);
            cost = path.cost;
        }
        EXPECT_EQ(hash_of(search.path()), whole);
    }
}

TEST(ProvenSearch, AThousandRegionsToAThousandth) {
    const Subdivision subdivision = random_voronoi_subdivision({.sites = 1000, .seed = 1}).value();
    ProvenSearch search;
    search.begin(subdivision, {0, 0}, {600, 600}, {.gap = 1e-3});
    EXPECT_EQ(search.run(), Status::kFound);
    expect_proven(subdivision, search.path(), {0, 0}, {600, 600}, 1e-3);
    EXPECT_LT(search.path().expansions, 40'000u);
    EXPECT_GT(search.bytes(), 1000u);
    EXPECT_GT(search.intervals(), 0u);
}

TEST(ProvenSearch, EarlyPathsReportTheirTrueCost) {
    const Subdivision subdivision = random_voronoi_subdivision({.sites = 1000, .seed = 3}).value();
    for (uint32_t rounds = 1; rounds <= 4; ++rounds) {
        const SubdivisionPath path = find_proven(subdivision, {0, 0}, {600, 600}, {.max_rounds = rounds});
        EXPECT_EQ(path.status, Status::kFound);
        EXPECT_NEAR(subdivision_path_cost(subdivision, path.points), path.cost, 1e-5 * path.cost);
    }
}

TEST(ProvenSearch, StopsWhereRoundingAllowsNoLess) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        const Subdivision subdivision = random_voronoi_subdivision({.sites = 16, .seed = seed}).value();
        const SubdivisionPath path = find_proven(subdivision, {0, 0}, {600, 600}, {.gap = 0});
        EXPECT_EQ(path.status, Status::kFound);
        EXPECT_LE(path.gap(), 1e-10);
        const SubdivisionPath coarse = find_proven(subdivision, {0, 0}, {600, 600}, {.gap = 0, .max_rounds = 3});
        EXPECT_EQ(coarse.status, Status::kFound);
        EXPECT_LE(coarse.lower_bound, path.cost);
        EXPECT_GE(coarse.cost, path.lower_bound);
    }
}

TEST(ProvenSearch, ATraceOfNoSearchIsEmpty) {
    const Subdivision subdivision = squares("12");
    SubdivisionTrace trace{{{1, 1}}, {{1, 1}}};  // of another query
    ProvenSearch search;
    search.begin(subdivision, {9, 9}, {0.5, 0.5}, {.trace = &trace});
    EXPECT_EQ(search.run(), Status::kOutsideMap);
    EXPECT_TRUE(trace.expanded.empty());
    EXPECT_TRUE(trace.open.empty());
}

TEST(ProvenSearch, TraceHasTheLastRound) {
    const Subdivision subdivision = random_voronoi_subdivision({.sites = 24, .seed = 2}).value();
    SubdivisionTrace trace;
    ProvenSearch search;
    search.begin(subdivision, {0, 0}, {600, 600}, {.trace = &trace});
    EXPECT_EQ(search.run(3), Status::kBudgetSpent);
    EXPECT_EQ(trace.expanded.size(), 3u);
    EXPECT_FALSE(trace.open.empty());
    EXPECT_EQ(search.run(), Status::kFound);
    EXPECT_FALSE(trace.expanded.empty());
    for (const Point p : trace.expanded) EXPECT_NE(subdivision.locate(p), kNoPolygon);
}

TEST(ProvenSearch, IsReusedAndMoved) {
    ProvenSearch search;
    const Subdivision one = squares("19\n91"), other = random_voronoi_subdivision({.sites = 24, .seed = 3}).value();
    search.begin(other, {0, 0}, {600, 600});
    search.run(5);
    search.begin(one, {0.5, 0.5}, {1.5, 1.5});
    search.run();
    ProvenSearch moved(std::move(search));
    EXPECT_EQ(hash_of(moved.path()), hash_of(find_proven(one, {0.5, 0.5}, {1.5, 1.5})));
    moved.begin(other, {0, 0}, {600, 600});
    EXPECT_EQ(moved.run(), Status::kFound);
    EXPECT_EQ(hash_of(moved.path()), hash_of(find_proven(other, {0, 0}, {600, 600})));
}

TEST(ProvenSearch, Golden) {
    uint64_t hash = 0;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        const Subdivision subdivision = random_voronoi_subdivision({.sites = 24, .seed = seed}).value();
        hash = hash_of(find_proven(subdivision, {0, 0}, {600, 600}), hash);
    }
    EXPECT_EQ(hash, 13282390629482143608u);
}

}  // namespace
}  // namespace terrane
