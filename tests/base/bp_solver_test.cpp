#include "base/bp_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "terrane/base/rng.h"

namespace terrane {
namespace {

double unit(Rng& rng) { return static_cast<double>(rng.next() >> 11) * 0x1p-53; }

double between(Rng& rng, double low, double high) { return low + unit(rng) * (high - low); }

Point point(Rng& rng) {
    const double x = between(rng, 0, 600), y = between(rng, 0, 600);
    return {x, y};
}

// A problem that owns its numbers.
struct Case {
    Point start, goal;
    std::vector<Segment> boundaries;
    std::vector<double> costs;

    BoundaryProblem problem() const { return {start, goal, boundaries, costs}; }
    size_t size() const { return boundaries.size(); }

    double cost(const std::vector<double>& places) const {
        Point from = start;
        double sum = 0;
        for (size_t i = 0; i < size(); ++i) {
            const Point to = boundaries[i].at(places[i]);
            sum += costs[i] * distance(from, to);
            from = to;
        }
        return sum + costs[size()] * distance(from, goal);
    }

    Case reversed() const {
        Case r{goal, start, boundaries, costs};
        std::ranges::reverse(r.boundaries);
        std::ranges::reverse(r.costs);
        return r;
    }
};

enum class Kind { kStrips, kCrossing, kChained, kFan, kCollinear, kShort, kOnBoundary, kParallel };
constexpr Kind kAllKinds[] = {Kind::kStrips,    Kind::kCrossing, Kind::kChained,    Kind::kFan,
                              Kind::kCollinear, Kind::kShort,    Kind::kOnBoundary, Kind::kParallel};

Segment boundary(Kind kind, Rng& rng, const Case& so_far, size_t k) {
    const double x = 600.0 * static_cast<double>(so_far.size() + 1) / static_cast<double>(k + 1);
    switch (kind) {
        case Kind::kStrips:
        case Kind::kOnBoundary: {
            const double lean = between(rng, 0, 150.0 / static_cast<double>(k + 1));
            return {{x, 0}, {x + lean, 600}};
        }
        case Kind::kParallel: return {{x, 0}, {x, 600}};
        case Kind::kCrossing: {
            const Point a = point(rng), b = point(rng);
            return {a, b};
        }
        case Kind::kChained: {
            const Point other = point(rng);
            if (so_far.size() == 0) return {point(rng), other};
            const Segment& last = so_far.boundaries.back();
            const Point shared = rng.chance(1, 2) ? last.a : last.b;
            return rng.chance(1, 2) ? Segment{shared, other} : Segment{other, shared};
        }
        case Kind::kFan: return {so_far.size() == 0 ? point(rng) : so_far.boundaries[0].a, point(rng)};
        case Kind::kCollinear: {
            const double from = between(rng, 0, 600), to = between(rng, 0, 600);
            return {{from, 100}, {to, 100}};
        }
        case Kind::kShort: {
            const Point a = point(rng), offset = point(rng);
            return rng.chance(1, 5) ? Segment{a, a} : Segment{a, a + 1e-3 * offset};
        }
    }
    return {};
}

Case random_case(Kind kind, size_t k, Rng& rng, double min_cost = 1, double max_cost = 8) {
    Case c;
    for (size_t i = 0; i < k; ++i) c.boundaries.push_back(boundary(kind, rng, c, k));
    for (size_t i = 0; i <= k; ++i)
        c.costs.push_back(max_cost > 100 ? (rng.chance(1, 2) ? min_cost : max_cost) : between(rng, min_cost, max_cost));
    c.start = point(rng);
    c.goal = point(rng);
    if (kind == Kind::kStrips || kind == Kind::kParallel) c.start.x = 0, c.goal.x = 600;
    if (kind == Kind::kOnBoundary) c.start = c.boundaries.front().at(unit(rng)), c.goal = c.boundaries.back().at(unit(rng));
    return c;
}

struct Solved {
    std::vector<double> places;
    BoundaryAnswer answer;
};

Solved newton(const Case& c, const NewtonOptions& options = {}) {
    BoundaryPointSolver solver;
    Solved s{std::vector<double>(c.size()), {}};
    s.answer = solver.newton(c.problem(), s.places, options);
    return s;
}

Solved descend(const Case& c, const DescentOptions& options = {}) {
    BoundaryPointSolver solver;
    Solved s{std::vector<double>(c.size()), {}};
    s.answer = solver.descend(c.problem(), s.places, options);
    return s;
}

// The bend at an interior crossing: the difference of cost * sine on its two sides, over the larger cost.
double snell_error(const Case& c, const std::vector<double>& places, size_t i) {
    const auto at = [&](size_t k) { return k == 0 ? c.start : k == c.size() + 1 ? c.goal : c.boundaries[k - 1].at(places[k - 1]); };
    const Point along = c.boundaries[i].b - c.boundaries[i].a, in = at(i + 1) - at(i), out = at(i + 2) - at(i + 1);
    const double sine_in = dot(in, along) / (length(in) * length(along)), sine_out = dot(out, along) / (length(out) * length(along));
    return std::abs(c.costs[i] * sine_in - c.costs[i + 1] * sine_out) / std::max(c.costs[i], c.costs[i + 1]);
}

// Oracle: the best of ever finer grids around the incumbent. An upper bound, exact in the limit since the cost is convex; slow.
double brute_force(const Case& c) {
    constexpr int kSteps = 10;
    std::vector<double> centre(c.size(), 0.5), best = centre, trial = centre;
    double least = c.cost(centre);
    size_t cells = 1;
    for (size_t i = 0; i < c.size(); ++i) cells *= kSteps + 1;
    for (double width = 1; width > 1e-9; width *= 0.75) {
        for (size_t cell = 0; cell < cells; ++cell) {
            size_t rest = cell;
            for (size_t i = 0; i < c.size(); ++i) {
                const double offset = static_cast<double>(rest % (kSteps + 1)) / kSteps - 0.5;
                trial[i] = std::clamp(centre[i] + offset * width, 0.0, 1.0);
                rest /= kSteps + 1;
            }
            const double cost = c.cost(trial);
            if (cost < least) least = cost, best = trial;
        }
        centre = best;
    }
    return least;
}

TEST(Plane, TurnIsExactNextToALine) {
    EXPECT_EQ(turn({0, 0}, {1, 0}, {1, 1}), 1);
    EXPECT_EQ(turn({0, 0}, {1, 0}, {1, -1}), -1);
    EXPECT_EQ(turn({0.1, 0.1}, {0.3, 0.3}, {0.7, 0.7}), 0);
    const double ulp = 0x1p-52;
    for (int i = 0; i < 64; ++i) {
        for (int j = 0; j < 64; ++j) {  // Kettner et al. 2008: the plain formula is wrong on most of these
            const Point p{0.5 + i * ulp / 2, 0.5 + j * ulp / 2};
            EXPECT_EQ(turn({12, 12}, {24, 24}, p), i < j ? 1 : i > j ? -1 : 0);
            EXPECT_EQ(turn(p, {12, 12}, {24, 24}), i < j ? 1 : i > j ? -1 : 0);
        }
    }
}

TEST(Plane, PlacesRunFromEndToEnd) {
    const Segment s{{0.1, 0.7}, {123.456, -7.7}};
    EXPECT_EQ(s.at(0), s.a);
    EXPECT_EQ(s.at(1), s.b);
    EXPECT_LT(distance(s.at(0.3), Segment{s.b, s.a}.at(0.7)), 1e-13);
    EXPECT_EQ(nearest_place(s, s.a), 0);
    EXPECT_EQ(nearest_place(s, {1000, -70}), 1);
    EXPECT_EQ(nearest_place({s.a, s.a}, s.b), 0);
    EXPECT_NEAR(nearest_place(s, s.at(0.3)), 0.3, 1e-15);
}

TEST(Quartic, FindsTheRootsThatItWasMadeFrom) {
    Rng rng(1);
    for (int n = 0; n < 2000; ++n) {
        std::array<double, 4> made{};
        for (double& r : made) r = between(rng, -3, 3);
        std::ranges::sort(made);
        std::array<double, 5> w{1, 0, 0, 0, 0};
        for (const double r : made) {
            for (size_t i = 4; i > 0; --i) w[i] = w[i - 1] - r * w[i];
            w[0] *= -r;
        }
        double closest = 1;
        for (size_t i = 1; i < 4; ++i) closest = std::min(closest, made[i] - made[i - 1]);
        if (closest < 1e-2) continue;
        const QuarticRoots roots = quartic_roots(w, -3, 3);
        ASSERT_EQ(roots.count, 4u);
        for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(roots.roots[i], made[i], 1e-8);
    }
}

TEST(Quartic, FindsDoubleRootsAndLowerDegrees) {
    const auto near = [](const QuarticRoots& roots, double x) {
        return std::ranges::any_of(roots.all(), [&](double r) { return std::abs(r - x) < 1e-6; });
    };
    EXPECT_TRUE(near(quartic_roots({4, -12, 13, -6, 1}, 0, 10), 1));  // (x - 1)^2 (x - 2)^2
    EXPECT_TRUE(near(quartic_roots({4, -12, 13, -6, 1}, 0, 10), 2));
    EXPECT_TRUE(near(quartic_roots({0, 0, 5, 0, 0}, -1, 1), 0));
    EXPECT_TRUE(near(quartic_roots({-6, 3, 0, 0, 0}, 0, 10), 2));
    EXPECT_EQ(quartic_roots({1, 0, 1, 0, 1}, -10, 10).count, 0u);
    EXPECT_EQ(quartic_roots({0, 0, 0, 0, 0}, -10, 10).count, 0u);
    EXPECT_EQ(quartic_roots({-6, 3, 0, 0, 0}, 3, 10).count, 0u);
}

TEST(Crossing, QuarticAndSlopeAgree) {
    Rng rng(2);
    for (int n = 0; n < 20000; ++n) {
        const Case c = random_case(n % 3 == 0 ? Kind::kShort : Kind::kCrossing, 1, rng, 1, n % 2 == 0 ? 8 : 1e6);
        const double a = crossing_by_quartic(c.boundaries[0], c.start, c.costs[0], c.goal, c.costs[1]);
        const double b = crossing_by_slope(c.boundaries[0], c.start, c.costs[0], c.goal, c.costs[1]);
        EXPECT_NEAR(c.cost({a}) / c.cost({b}), 1, 1e-12);
        EXPECT_NEAR(a, b, 1e-5);
    }
}

TEST(Crossing, OnTheBoundarysLineTheCostlierSideIsShorter) {
    const Segment s{{0, 0}, {10, 0}};
    for (const auto crossing : {crossing_by_quartic, crossing_by_slope}) {
        EXPECT_NEAR(crossing(s, {2, 0}, 5, {7, 0}, 1), 0.2, 1e-15);
        EXPECT_NEAR(crossing(s, {2, 0}, 1, {7, 0}, 5), 0.7, 1e-15);
        EXPECT_EQ(crossing(s, {-2, 0}, 5, {7, 0}, 1), 0);
        EXPECT_EQ(crossing(s, {12, 3}, 5, {17, 4}, 1), 1);
        EXPECT_NEAR(crossing(s, {4, 3}, 5, {4, -2}, 1), 0.4, 1e-8);  // straight across
        EXPECT_NEAR(crossing(s, {4, 3}, 5, {4, 0}, 1), 0.4, 1e-8);
        EXPECT_EQ(crossing({{3, 3}, {3, 3}}, {2, 0}, 5, {7, 0}, 1), 0);
    }
}

TEST(BpSolver, NoBoundaryIsAStraightLine) {
    const Case c{{0, 0}, {3, 4}, {}, {2}};
    EXPECT_EQ(newton(c).answer.cost, 10);
    EXPECT_NEAR(newton(c).answer.lower_bound, 10, 1e-12);
    EXPECT_EQ(descend(c).answer.cost, 10);
}

TEST(BpSolver, EqualCostsGiveAStraightLine) {
    Rng rng(3);
    for (int n = 0; n < 200; ++n) {
        Case c = random_case(Kind::kStrips, 1 + rng.below(20), rng);
        std::ranges::fill(c.costs, 3.0);
        EXPECT_NEAR(newton(c).answer.cost, 3 * distance(c.start, c.goal), 1e-9);
    }
}

TEST(BpSolver, TravelsAlongACheapBoundaryFromTheCriticalAngle) {
    // Down to a road of no width, along it, and up again: the road is a boundary crossed twice.
    const Segment road{{0, 0}, {100, 0}};
    const Case c{{20, 6}, {80, 6}, {road, road}, {5, 1, 5}};
    const Solved s = newton(c);
    const double lead = 6 / std::sqrt(24.0);  // 6 tan(angle), where 5 sin(angle) = 1
    EXPECT_NEAR(100 * s.places[0], 20 + lead, 1e-6);
    EXPECT_NEAR(100 * s.places[1], 80 - lead, 1e-6);
    EXPECT_LT(s.answer.gap(), 1e-10 * s.answer.cost);
}

TEST(BpSolver, GoesThroughACornerWhereThatIsBest) {
    // Three boundaries fan out from a corner; the terrain between them is too expensive.
    const Point corner{50, 50};
    const Case c{{40, 50}, {60, 50}, {{corner, {30, 100}}, {corner, {50, 100}}, {{70, 100}, corner}}, {1, 100, 100, 1}};
    const Solved s = newton(c);
    EXPECT_EQ(s.places, (std::vector<double>{0, 0, 1}));
    EXPECT_EQ(s.answer.cost, 20);
    EXPECT_GT(s.answer.lower_bound, 20 - 1e-9);
}

TEST(BpSolver, SnellsLawHoldsAtEveryInteriorCrossing) {
    Rng rng(4);
    int crossings = 0;
    for (int n = 0; n < 1500; ++n) {
        const Case c = random_case(n % 2 == 0 ? Kind::kStrips : Kind::kParallel, 1 + rng.below(24), rng);
        const Solved s = newton(c);
        for (size_t i = 0; i < c.size(); ++i) {
            if (s.places[i] <= 0 || s.places[i] >= 1) continue;
            EXPECT_LT(snell_error(c, s.places, i), 1e-9);
            ++crossings;
        }
    }
    EXPECT_GT(crossings, 10000);
}

TEST(BpSolver, NeitherBoundNorCostIsBeyondBruteForce) {
    Rng rng(5);
    for (int n = 0; n < 240; ++n) {
        const Case c = random_case(kAllKinds[n % 8], 1 + static_cast<size_t>(n / 8) % 3, rng);
        const double truth = brute_force(c);
        const Solved s = newton(c);
        EXPECT_LE(s.answer.cost, truth * (1 + 1e-10)) << n;
        EXPECT_LE(s.answer.lower_bound, truth) << n;
        EXPECT_GE(descend(c).answer.cost, s.answer.lower_bound) << n;
        EXPECT_LE(truth, s.answer.cost * 1.02) << n;  // checks the oracle itself
    }
}

TEST(BpSolver, BothSolversGiveTheSamePoints) {
    Rng rng(6);
    for (int n = 0; n < 300; ++n) {
        const Case c = random_case(n % 2 == 0 ? Kind::kStrips : Kind::kShort, 1 + rng.below(5), rng);
        const Solved a = newton(c), b = descend(c, {0, 5000, 0});
        EXPECT_NEAR(a.answer.cost / b.answer.cost, 1, 1e-10);
        for (size_t i = 0; i < c.size(); ++i) EXPECT_LT(distance(c.boundaries[i].at(a.places[i]), c.boundaries[i].at(b.places[i])), 1e-2);
        EXPECT_LE(b.answer.lower_bound, a.answer.cost);
    }
}

TEST(BpSolver, DescentSticksWherePointsLieOnOneAnother) {
    // Both points start at the shared corner; moving either alone adds an expensive segment, moving both gains.
    const Case c{{0, 0}, {40, 0}, {{{20, 20}, {10, -20}}, {{20, 20}, {30, -20}}}, {1, 1.5, 1}};
    Solved stuck{{0, 0}, {}};
    BoundaryPointSolver solver;
    stuck.answer = solver.descend(c.problem(), stuck.places, {0, 1000, 2});
    const Solved s = newton(c);
    EXPECT_GT(stuck.answer.cost, s.answer.cost * 1.05);
    EXPECT_LT(stuck.answer.lower_bound, s.answer.cost);  // and its bound is consistent with that
    EXPECT_LT(s.answer.gap(), 1e-10 * s.answer.cost);
}

TEST(BpSolver, BoundsAreNeverAboveTheOptimum) {
    Rng rng(7);
    BoundaryPointSolver solver;
    for (int n = 0; n < 6000; ++n) {
        const Kind kind = kAllKinds[n % 8];
        const Case c = random_case(kind, 1 + rng.below(12), rng, 1, n % 3 == 0 ? 1e6 : 8);
        const Solved s = newton(c);
        const double truth = s.answer.cost;  // an upper bound on the optimum
        EXPECT_LE(s.answer.lower_bound, truth);
        EXPECT_LE(s.answer.gap(), (n % 3 == 0 ? 1e-6 : 1e-9) * truth) << n;
        std::vector<double> places(c.size());
        for (double& place : places) place = rng.chance(1, 4) ? static_cast<double>(rng.below(2)) : unit(rng);
        EXPECT_GE(c.cost(places), s.answer.lower_bound);
        const BoundaryAnswer early = solver.newton(c.problem(), places, {1e-12, 1 + rng.below(6), c.size()});
        EXPECT_LE(early.lower_bound, truth) << n;
        EXPECT_GE(early.cost, s.answer.lower_bound) << n;
        const BoundaryAnswer rough = solver.descend(c.problem(), places, {0, 1 + rng.below(6), c.size()});
        EXPECT_LE(rough.lower_bound, truth) << n;
        EXPECT_GE(rough.cost, s.answer.lower_bound) << n;
    }
}

TEST(BpSolver, TheReversePathCostsTheSame) {
    Rng rng(8);
    for (int n = 0; n < 2000; ++n) {
        const Case c = random_case(kAllKinds[n % 8], 1 + rng.below(16), rng);
        const double there = newton(c).answer.cost, back = newton(c.reversed()).answer.cost;
        EXPECT_NEAR(back / there, 1, 1e-9) << n;
    }
}

TEST(BpSolver, TheCostIsConvex) {
    Rng rng(9);
    for (int n = 0; n < 2000; ++n) {
        const Case c = random_case(kAllKinds[n % 8], 1 + rng.below(16), rng);
        std::vector<double> a(c.size()), b(c.size()), half(c.size());
        for (size_t i = 0; i < c.size(); ++i) {
            a[i] = unit(rng);
            b[i] = unit(rng);
            half[i] = 0.5 * (a[i] + b[i]);
        }
        EXPECT_LE(c.cost(half), 0.5 * (c.cost(a) + c.cost(b)) * (1 + 1e-12));
    }
}

// Rounds of descent until the cost is within 1e-7 of the best.
uint32_t rounds_needed(const Case& c, double best, uint32_t most) {
    BoundaryPointSolver solver;
    std::vector<double> places(c.size());
    uint32_t rounds = 0;
    for (double cost = std::numeric_limits<double>::infinity(); cost > best * (1 + 1e-7) && rounds < most; ++rounds) {
        cost = solver.descend(c.problem(), places, {0, 1, rounds == 0 ? 0 : c.size()}).cost;
    }
    return rounds;
}

TEST(BpSolver, NewtonNeedsATenthOfTheRoundsFromSixteenBoundaries) {
    Rng rng(10);
    for (const size_t k : {size_t{16}, size_t{32}, size_t{64}}) {
        uint32_t steps = 0, rounds = 0;
        for (int n = 0; n < 10; ++n) {
            const Case c = random_case(Kind::kStrips, k, rng);
            const double best = newton(c).answer.cost;
            const Solved s = newton(c, {1e-7, 200, 0});
            EXPECT_LE(s.answer.cost, best * (1 + 1e-7));
            const uint32_t needed = rounds_needed(c, best, 400);
            EXPECT_GE(needed, 10 * s.answer.iterations);
            steps += s.answer.iterations;
            rounds += needed;
        }
        RecordProperty("k" + std::to_string(k), std::to_string(steps) + " steps, " + std::to_string(rounds) + " rounds");
    }
}

TEST(BpSolver, PrimedWithTheParentsSolutionDescentEndsWhereItShould) {
    Rng rng(11);
    BoundaryPointSolver solver;
    for (int n = 0; n < 100; ++n) {
        const Case whole = random_case(Kind::kStrips, 6, rng);
        std::vector<double> places;
        for (size_t k = 1; k <= whole.size(); ++k) {
            Case c = whole;
            c.boundaries.resize(k);
            c.costs.resize(k + 1);
            places.push_back(0);
            solver.descend(c.problem(), places, {0, 5000, k - 1});
        }
        EXPECT_NEAR(whole.cost(places) / newton(whole).answer.cost, 1, 1e-9);
        const BoundaryAnswer again = solver.newton(whole.problem(), places, {1e-6, 200, whole.size()});
        EXPECT_LE(again.iterations, 6u);
    }
}

TEST(BpSolver, DescentKeepsItsLimits) {
    Rng rng(12);
    for (int n = 0; n < 100; ++n) {
        const Case c = random_case(Kind::kStrips, 12, rng);
        uint32_t last = 0;
        for (const double epsilon : {1.0, 0.1, 0.01, 0.0}) {
            const BoundaryAnswer answer = descend(c, {epsilon, 64, 0}).answer;
            EXPECT_GE(answer.iterations, last);
            EXPECT_LE(answer.iterations, 64u);
            last = answer.iterations;
        }
        EXPECT_EQ(descend(c, {0, 0, 0}).answer.iterations, 0u);
        EXPECT_LE(descend(c, {0, 8, 0}).answer.cost, descend(c, {0, 2, 0}).answer.cost);
    }
}

TEST(BpSolver, EverythingInOnePlaceCostsNothing) {
    const Point p{7, 7};
    const Case point_only{p, p, {{p, p}, {p, p}}, {1, 2, 3}};
    EXPECT_EQ(newton(point_only).answer.cost, 0);
    EXPECT_EQ(descend(point_only).answer.cost, 0);
    const Case corner{p, p, {{p, {9, 9}}, {{3, 1}, p}, {p, {7, 10}}}, {4, 1, 2, 3}};
    const Solved s = newton(corner);
    EXPECT_EQ(s.places, (std::vector<double>{0, 1, 0}));
    EXPECT_EQ(s.answer.cost, 0);
    EXPECT_EQ(s.answer.lower_bound, 0);
}

TEST(BpSolver, ReusedScratchDoesNotGrow) {
    Rng rng(13);
    BoundaryPointSolver solver;
    std::vector<double> places(16);
    const Case longest = random_case(Kind::kStrips, 16, rng);
    solver.newton(longest.problem(), places);
    solver.descend(longest.problem(), places);
    const size_t bytes = solver.bytes();
    const Point* points = solver.points().data();
    for (int n = 0; n < 200; ++n) {
        const Case c = random_case(kAllKinds[n % 8], 1 + rng.below(16), rng);
        const std::span<double> some(places.data(), c.size());
        const Solved fresh = newton(c);
        EXPECT_EQ(solver.descend(c.problem(), some).cost, descend(c).answer.cost);
        EXPECT_EQ(solver.newton(c.problem(), some).cost, fresh.answer.cost);
        EXPECT_TRUE(std::ranges::equal(some, fresh.places));
        ASSERT_EQ(solver.points().size(), c.size());
        EXPECT_EQ(solver.points()[0], c.boundaries[0].at(fresh.places[0]));
    }
    EXPECT_EQ(solver.bytes(), bytes);
    EXPECT_EQ(solver.points().data(), points);
}

TEST(BpSolverGolden, SameBitsEverywhere) {
    Rng rng(14);
    uint64_t newton_hash = 0, descent_hash = 0;
    const auto add = [](uint64_t& hash, const Solved& s) {
        for (const double place : s.places) hash = mix64(hash ^ std::bit_cast<uint64_t>(place));
        hash = mix64(hash ^ std::bit_cast<uint64_t>(s.answer.cost));
        hash = mix64(hash ^ std::bit_cast<uint64_t>(s.answer.lower_bound));
        hash = mix64(hash ^ s.answer.iterations);
    };
    for (int n = 0; n < 400; ++n) {
        const Case c = random_case(kAllKinds[n % 8], 1 + rng.below(12), rng);
        add(newton_hash, newton(c));
        add(descent_hash, descend(c));
    }
    EXPECT_EQ(newton_hash, 15154151831600011990u);
    EXPECT_EQ(descent_hash, 17579499306821532871u);
}

}  // namespace
}  // namespace terrane
