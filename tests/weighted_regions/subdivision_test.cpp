#include "terrane/weighted_regions/subdivision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "terrane/base/rng.h"

namespace terrane {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

PolygonSet set_of(std::vector<Point> vertices, const std::vector<std::vector<uint32_t>>& polygons) {
    PolygonSet set;
    set.vertices = std::move(vertices);
    for (const auto& p : polygons) set.add(p, 1 + static_cast<double>(set.size()));
    return set;
}

// Two squares side by side:   3 - 2 - 5
//                             0 - 1 - 4
PolygonSet two_squares() { return set_of({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}, {2, 1}}, {{0, 1, 2, 3}, {1, 4, 5, 2}}); }

std::string reason_against(PolygonSet set) {
    const auto made = make_subdivision(std::move(set));
    return made ? "" : made.error().reason;
}

double unit_number(Rng& rng) { return static_cast<double>(rng.next() >> 11) * 0x1p-53; }

TEST(Subdivision, TwoSquaresShareABoundary) {
    const auto made = make_subdivision(two_squares());
    ASSERT_TRUE(made) << made.error().message();
    ASSERT_EQ(made->boundaries().size(), 1u);
    const Subdivision::Boundary b = made->boundaries()[0];
    EXPECT_EQ(b.left, 0u);
    EXPECT_EQ(b.right, 1u);
    EXPECT_EQ(made->segment(b), (Segment{{1, 0}, {1, 1}}));
    EXPECT_EQ(made->boundaries_of(0).size(), 1u);
    EXPECT_EQ(made->boundaries_of(1).size(), 1u);
    EXPECT_EQ(made->cost(1), 2);
    EXPECT_EQ(made->area(0), 1);
}

TEST(Subdivision, PointsAreFoundInsideAndOnSides) {
    const auto made = make_subdivision(two_squares());
    ASSERT_TRUE(made);
    EXPECT_EQ(made->locate({0.5, 0.5}), 0u);
    EXPECT_EQ(made->locate({1.5, 0.5}), 1u);
    EXPECT_EQ(made->locate({1, 0.5}), 0u);  // on the boundary: the first
    EXPECT_EQ(made->locate({2, 1}), 1u);
    EXPECT_EQ(made->locate({2.1, 1}), kNoPolygon);
    EXPECT_EQ(made->locate({-1e300, 5}), kNoPolygon);
    EXPECT_EQ(made->locate({kNotANumber, 0}), kNoPolygon);
    std::vector<uint32_t> all{7};
    made->locate_all({1, 0.5}, all);
    EXPECT_EQ(all, (std::vector<uint32_t>{0, 1}));
    made->locate_all({5, 5}, all);
    EXPECT_TRUE(all.empty());
}

TEST(Subdivision, ALongSideHasABoundaryToEachNeighbour) {
    // Three squares on a long rectangle, whose side has no corner where they meet.
    const auto made = make_subdivision(set_of({{0, 0}, {3, 0}, {3, 1}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}},
                                              {{0, 1, 2, 3}, {3, 4, 7, 6}, {4, 5, 8, 7}, {5, 2, 9, 8}}));
    ASSERT_TRUE(made) << made.error().message();
    ASSERT_EQ(made->boundaries().size(), 5u);
    ASSERT_EQ(made->boundaries_of(0).size(), 3u);
    for (uint32_t i = 0; i < 3; ++i) {
        const auto b = made->boundaries()[made->boundaries_of(0)[i]];
        EXPECT_EQ(b.right, i + 1);
        EXPECT_EQ(made->segment(b), (Segment{{i + 1.0, 1}, {static_cast<double>(i), 1}}));
    }
}

TEST(Subdivision, ABoundaryIsAsLongAsItCanBe) {
    // Corners of 180 degrees on the side that the squares share, in one of them only.
    const auto made =
        make_subdivision(set_of({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}, {2, 1}, {1, 0.25}, {1, 0.5}}, {{0, 1, 6, 7, 2, 3}, {1, 4, 5, 2}}));
    ASSERT_TRUE(made) << made.error().message();
    ASSERT_EQ(made->boundaries().size(), 1u);
    EXPECT_EQ(made->segment(made->boundaries()[0]), (Segment{{1, 0}, {1, 1}}));
}

TEST(Subdivision, PolygonsThatTouchAtACornerShareNoBoundary) {
    const auto made = make_subdivision(set_of({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 1}, {2, 2}, {1, 2}}, {{0, 1, 2, 3}, {2, 4, 5, 6}}));
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_TRUE(made->boundaries().empty());
}

TEST(Subdivision, BlockedPolygonsAreAllowed) {
    PolygonSet set = two_squares();
    set.costs[1] = kBlockedCost;
    const auto made = make_subdivision(std::move(set));
    ASSERT_TRUE(made);
    EXPECT_FALSE(made->is_blocked(0));
    EXPECT_TRUE(made->is_blocked(1));
    EXPECT_EQ(made->boundaries().size(), 1u);
}

TEST(Subdivision, RefusesBadPolygonsByName) {
    const auto square = [](std::vector<uint32_t> ring) { return set_of({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.6, 0.5}}, {std::move(ring)}); };
    EXPECT_EQ(reason_against(square({0, 1, 2, 3})), "");
    EXPECT_EQ(reason_against(square({3, 2, 1, 0})), "polygon 0, vertex 3: the polygon is clockwise");
    EXPECT_EQ(reason_against(square({0, 1, 4, 2, 3})), "polygon 0, vertex 4: the polygon is not convex");
    EXPECT_EQ(reason_against(square({0, 1, 3, 2})), "polygon 0, vertex 0: the polygon has no area");  // a bow tie, its halves equal
    EXPECT_EQ(reason_against(square({0, 1})), "polygon 0 has fewer than three corners");
    EXPECT_EQ(reason_against(square({})), "polygon 0 has fewer than three corners");
    EXPECT_EQ(reason_against(square({0, 1, 1, 2})), "polygon 0, vertex 1: the polygon uses the vertex more than once");
    EXPECT_EQ(reason_against(square({0, 1, 2, 9})), "polygon 0, vertex 9: no such vertex");
    EXPECT_EQ(reason_against(square({0, 1, 2, 3, 0, 1, 2, 3})), "polygon 0, vertex 0: the polygon uses the vertex more than once");
    EXPECT_EQ(reason_against({}), "no polygons: expected at least one");
    EXPECT_EQ(reason_against(set_of({{0, 0}, {1, 0}, {3, 0}}, {{0, 1, 2}})), "all corners are collinear");
    EXPECT_EQ(reason_against(set_of({{0, 0}, {2, 0}, {1, 0}, {1, 5}}, {{0, 1, 3}, {0, 2, 1}})),
              "polygon 1, vertex 0: the polygon has no area");
}

TEST(Subdivision, RefusesAPentagram) {
    // Left turns only, twice around.
    const std::vector<Point> star{{0, 10}, {-6, -8}, {9.5, 3}, {-9.5, 3}, {6, -8}};
    EXPECT_NE(reason_against(set_of(star, {{0, 1, 2, 3, 4}})).find("the polygon crosses itself"), std::string::npos);
    // The second time around inside the first, starting there.
    const std::vector<Point> loop{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {8, -8}, {8, 8}, {-8, 8}, {-8, -8}, {0, -1.5}};
    EXPECT_NE(reason_against(set_of(loop, {{0, 1, 2, 3, 4, 5, 6, 7, 8}})).find("the polygon"), std::string::npos);
}

TEST(Subdivision, RefusesBadNumbersByName) {
    const auto with = [](Point p, double cost) {
        PolygonSet set = two_squares();
        set.vertices[4] = p;
        set.costs[1] = cost;
        return reason_against(std::move(set));
    };
    EXPECT_EQ(with({2, 0}, 1), "");
    EXPECT_EQ(with({kNotANumber, 0}, 1), "vertex 4: coordinates must be finite");
    EXPECT_EQ(with({2, kBlockedCost}, 1), "vertex 4: coordinates must be finite");
    EXPECT_EQ(with({2e9, 0}, 1), "vertex 4: coordinates must be at most 1e9 in magnitude");
    EXPECT_EQ(with({1, 1e-12}, 1), "vertices 1 and 4 coincide");
    for (const double cost : {0.0, -1.0, kNotANumber, -kBlockedCost}) EXPECT_EQ(with({2, 0}, cost), "polygon 1: cost must be positive");
}

TEST(Subdivision, RefusesOverlapsByName) {
    // One over the other's corner; one inside the other; one twice; across each other; corner to corner along a diagonal.
    const std::vector<Point> v{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {2, 2},  {6, 2},  {6, 6}, {2, 6},
                               {1, 1}, {3, 1}, {3, 3}, {1, 3}, {1, -1}, {3, -1}, {3, 5}, {1, 5}};
    EXPECT_EQ(reason_against(set_of(v, {{0, 1, 2, 3}, {4, 5, 6, 7}})).substr(0, 25), "polygons 0 and 1 overlap ");
    EXPECT_EQ(reason_against(set_of(v, {{0, 1, 2, 3}, {8, 9, 10, 11}})).substr(0, 25), "polygons 0 and 1 overlap ");
    EXPECT_EQ(reason_against(set_of(v, {{0, 1, 2, 3}, {0, 1, 2, 3}})).substr(0, 25), "polygons 0 and 1 overlap ");
    EXPECT_EQ(reason_against(set_of(v, {{0, 1, 2, 3}, {12, 13, 14, 15}})).substr(0, 25), "polygons 0 and 1 overlap ");
    EXPECT_EQ(reason_against(set_of(v, {{0, 1, 2, 3}, {0, 1, 2}})).substr(0, 25), "polygons 0 and 1 overlap ");
}

TEST(Subdivision, RefusesGapsByName) {
    // A frame of four rectangles around a hole.
    const std::vector<Point> v{{0, 0}, {3, 0}, {3, 1}, {0, 1}, {3, 3}, {2, 3}, {2, 1}, {0, 3}, {0, 2}, {2, 2}, {1, 2}, {1, 1}};
    const std::vector<std::vector<uint32_t>> frame{{0, 1, 2, 3}, {6, 2, 4, 5}, {8, 9, 5, 7}, {3, 11, 10, 8}};
    const std::string why = reason_against(set_of(v, frame));
    EXPECT_NE(why.find("there is a gap beside the polygon"), std::string::npos) << why;
    auto filled = frame;
    filled.push_back({11, 6, 9, 10});
    EXPECT_EQ(reason_against(set_of(v, filled)), "");
    const std::vector<std::vector<uint32_t>> open{frame[0], frame[1], frame[2]};  // a bay, no gap
    EXPECT_EQ(reason_against(set_of(v, open)), "");
}

TEST(Subdivision, AGapThatTouchesTheOutlineAtACornerIsAGap) {
    // Triangles around a diamond-shaped hole whose tip is on the outline.
    const std::vector<Point> v{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {2, 4}, {1, 2}, {3, 2}, {2, 1}};
    const std::vector<std::vector<uint32_t>> around{{0, 7, 5}, {0, 1, 7}, {1, 6, 7}, {1, 2, 6}, {2, 4, 6}, {0, 5, 3}, {3, 5, 4}};
    EXPECT_NE(reason_against(set_of(v, around)).find("there is a gap beside the polygon"), std::string::npos);
    auto filled = around;
    filled.push_back({5, 7, 6, 4});
    EXPECT_EQ(reason_against(set_of(v, filled)), "");
}

TEST(Subdivision, RefusesSlightMismatchesThatTheToleranceDoesNotCover) {
    PolygonSet set = two_squares();
    set.vertices.push_back({1 + 1e-6, 0.5});
    set.corners = {0, 1, 6, 2, 3, 1, 4, 5, 2};
    set.ends = {5, 9};
    EXPECT_EQ(reason_against(std::move(set)).substr(0, 25), "polygons 0 and 1 overlap ");
    PolygonSet within = two_squares();
    within.vertices.push_back({1 + 1e-10, 0.5});
    within.corners = {0, 1, 6, 2, 3, 1, 4, 5, 2};
    within.ends = {5, 9};
    EXPECT_EQ(reason_against(std::move(within)), "");
}

TEST(Subdivision, RefusesTooLargeSets) {
    PolygonSet many = two_squares();
    many.vertices.resize(kMaxSubdivisionVertices + 1);
    auto made = make_subdivision(std::move(many));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kTooLarge);
    PolygonSet round;
    round.vertices.resize(kMaxPolygonCorners + 1);
    std::vector<uint32_t> ring(kMaxPolygonCorners + 1);
    for (uint32_t i = 0; i < ring.size(); ++i) ring[i] = i;
    round.add(ring, 1);
    made = make_subdivision(std::move(round));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kTooLarge);
}

TEST(Subdivision, RefusesATangleQuickly) {
    // A fan of slivers: each touches all others at its tip.
    PolygonSet fan;
    constexpr uint32_t kSlivers = 8000;
    fan.vertices.push_back({0, 0});
    for (uint32_t i = 0; i <= kSlivers; ++i) {
        const double t = static_cast<double>(i) / kSlivers;
        fan.vertices.push_back({1000 * (1 - t * t) / (1 + t * t), 2000 * t / (1 + t * t)});
    }
    for (uint32_t i = 0; i < kSlivers; ++i) fan.add(std::vector<uint32_t>{0, i + 1, i + 2}, 1);
    const auto made = make_subdivision(std::move(fan));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kTooLarge);
}

// Squares by the thousand.
PolygonSet chequers(uint32_t side) {
    PolygonSet set;
    for (uint32_t y = 0; y <= side; ++y) {
        for (uint32_t x = 0; x <= side; ++x) set.vertices.push_back({static_cast<double>(x), static_cast<double>(y)});
    }
    for (uint32_t y = 0; y < side; ++y) {
        for (uint32_t x = 0; x < side; ++x) {
            const uint32_t a = y * (side + 1) + x;
            const uint32_t ring[] = {a, a + 1, a + side + 2, a + side + 1};
            set.add(ring, 1 + (x + y) % 8);
        }
    }
    return set;
}

TEST(Subdivision, ManySquaresHaveTheBoundariesOfAGrid) {
    constexpr uint32_t kSide = 150;
    const auto made = make_subdivision(chequers(kSide));
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_EQ(made->boundaries().size(), 2u * kSide * (kSide - 1));
    EXPECT_EQ(made->locate({17.5, 3.5}), 3 * kSide + 17);
}

// Triangles with corners on a small lattice: an independent check in integers.
struct LatticeTriangles {
    static constexpr int kSide = 5;
    struct Corner {
        int x = 0, y = 0;
    };
    using Triangle = std::array<uint32_t, 3>;
    std::vector<Triangle> triangles;

    static Corner at(uint32_t v) { return {static_cast<int>(v) % kSide, static_cast<int>(v) / kSide}; }
    static int cross(uint32_t a, uint32_t b, uint32_t c) {
        const Corner p = at(a), q = at(b), r = at(c);
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    }
    // A side of one of them separates it from the other.
    static bool apart(const Triangle& s, const Triangle& t) {
        for (size_t i = 0; i < 3; ++i) {
            if (std::ranges::all_of(t, [&](uint32_t v) { return cross(s[i], s[(i + 1) % 3], v) <= 0; })) return true;
        }
        return false;
    }
    static bool overlap(const Triangle& s, const Triangle& t) { return !apart(s, t) && !apart(t, s); }
    static bool on_segment(uint32_t a, uint32_t b, uint32_t v) {
        const Corner p = at(a), q = at(b), r = at(v);
        return cross(a, b, v) == 0 && (r.x - p.x) * (r.x - q.x) + (r.y - p.y) * (r.y - q.y) <= 0;
    }

    // Sides, cut at every corner on them: by their ends, the triangles that have them.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> edges() const {
        std::set<uint32_t> used;
        for (const Triangle& t : triangles) used.insert(t.begin(), t.end());
        std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> found;
        for (uint32_t k = 0; k < triangles.size(); ++k) {
            for (size_t i = 0; i < 3; ++i) {
                std::vector<uint32_t> on;
                for (const uint32_t v : used) {
                    if (on_segment(triangles[k][i], triangles[k][(i + 1) % 3], v)) on.push_back(v);  // by rows: in order along the side
                }
                for (size_t j = 1; j < on.size(); ++j) found[{on[j - 1], on[j]}].push_back(k);
            }
        }
        return found;
    }

    // Euler: parts - holes = vertices - edges + faces.
    int holes() const {
        const auto cut = edges();
        std::map<uint32_t, uint32_t> parent;
        for (const Triangle& t : triangles) {
            for (const uint32_t v : t) parent[v] = v;
        }
        const auto root = [&](uint32_t v) {
            while (parent[v] != v) v = parent[v];
            return v;
        };
        auto parts = static_cast<int>(parent.size());
        for (const auto& [ends, by] : cut) {
            const uint32_t a = root(ends.first), b = root(ends.second);
            if (a != b) --parts;
            parent[a] = b;
        }
        return parts - (static_cast<int>(parent.size()) - static_cast<int>(cut.size()) + static_cast<int>(triangles.size()));
    }

    PolygonSet set() const {
        PolygonSet out;
        for (uint32_t v = 0; v < kSide * kSide; ++v) out.vertices.push_back({static_cast<double>(at(v).x), static_cast<double>(at(v).y)});
        for (const Triangle& t : triangles) out.add(t, 1);
        return out;
    }
};

LatticeTriangles random_triangles(Rng& rng) {
    LatticeTriangles out;
    const uint32_t tries = 5 + rng.below(300);
    const bool careless = rng.chance(1, 10);
    for (uint32_t n = 0; n < tries; ++n) {
        LatticeTriangles::Triangle t{};
        for (uint32_t& v : t) v = rng.below(LatticeTriangles::kSide * LatticeTriangles::kSide);
        const int area = LatticeTriangles::cross(t[0], t[1], t[2]);
        if (area <= 0 || area > 6) continue;
        const bool clashes = std::ranges::any_of(out.triangles, [&](const auto& other) { return LatticeTriangles::overlap(t, other); });
        if (!clashes || (careless && rng.chance(1, 20))) out.triangles.push_back(t);
    }
    return out;
}

TEST(Subdivision, AgreesWithIntegersOnLatticeTriangles) {
    Rng rng(6);
    int overlaps = 0, gaps = 0, sound = 0;
    for (int n = 0; n < 3000; ++n) {
        const LatticeTriangles drawn = random_triangles(rng);
        if (drawn.triangles.empty()) continue;
        bool overlap = false;
        for (size_t i = 0; i < drawn.triangles.size(); ++i) {
            for (size_t j = 0; j < i; ++j) overlap = overlap || LatticeTriangles::overlap(drawn.triangles[i], drawn.triangles[j]);
        }
        const auto made = make_subdivision(drawn.set());
        const std::string why = made ? "" : made.error().reason;
        if (overlap) {
            ++overlaps;
            EXPECT_NE(why.find(" overlap at "), std::string::npos) << n << why;
        } else if (drawn.holes() > 0) {
            ++gaps;
            EXPECT_NE(why.find("there is a gap"), std::string::npos) << n << why;
        } else {
            ++sound;
            ASSERT_EQ(why, "") << n;
            std::map<std::pair<uint32_t, uint32_t>, double> shared, found;  // by the two polygons: how long
            for (const auto& [ends, by] : drawn.edges()) {
                const auto a = LatticeTriangles::at(ends.first), b = LatticeTriangles::at(ends.second);
                if (by.size() == 2) shared[{by[0], by[1]}] += length({static_cast<double>(b.x - a.x), static_cast<double>(b.y - a.y)});
            }
            for (const auto& b : made->boundaries()) found[{b.left, b.right}] += distance(made->vertex(b.a), made->vertex(b.b));
            ASSERT_EQ(found.size(), shared.size()) << n;
            for (const auto& [pair, size] : shared) EXPECT_NEAR(found[pair], size, 1e-12);
        }
    }
    EXPECT_GT(overlaps, 100);
    EXPECT_GT(gaps, 100);
    EXPECT_GT(sound, 100);
}

void expect_whole(const Subdivision& s, double area, Rng& rng) {
    double sum = 0, depth = 0;
    for (uint32_t p = 0; p < s.size(); ++p) {
        sum += s.area(p);
        for (const uint32_t b : s.boundaries_of(p)) EXPECT_TRUE(s.boundaries()[b].left == p || s.boundaries()[b].right == p);
    }
    EXPECT_NEAR(sum / area, 1, 1e-9);
    for (const auto& b : s.boundaries()) {
        EXPECT_LT(b.left, b.right);
        const Segment segment = s.segment(b);
        for (const double place : {0.25, 0.5, 0.75}) {
            depth = std::max({depth, std::abs(s.depth(b.left, segment.at(place))), std::abs(s.depth(b.right, segment.at(place)))});
        }
        const Point middle = segment.at(0.5), along = segment.b - segment.a, left{-along.y, along.x};
        const double step = 10 * s.tolerance() / length(along);
        EXPECT_GT(s.depth(b.left, middle + step * left), s.depth(b.left, middle));
        EXPECT_GT(s.depth(b.right, middle - step * left), s.depth(b.right, middle));
    }
    EXPECT_LE(depth, 8 * s.tolerance());
    for (int n = 0; n < 200; ++n) {
        const double x = unit_number(rng), y = unit_number(rng);
        const Point p = s.low() + Point{x * (s.high().x - s.low().x), y * (s.high().y - s.low().y)};
        const uint32_t polygon = s.locate(p);
        ASSERT_NE(polygon, kNoPolygon);
        EXPECT_GE(s.depth(polygon, p), -s.tolerance());
    }
}

TEST(VoronoiSubdivision, RandomOnesAreSound) {
    Rng rng(1);
    for (uint32_t n = 0; n < 300; ++n) {
        const VoronoiSubdivisionOptions options{600, n % 3 == 0 ? 50.0 : 600.0, 1 + rng.below(60), 1, 8, n};
        const auto made = random_voronoi_subdivision(options);
        ASSERT_TRUE(made) << n << ": " << made.error().message();
        EXPECT_EQ(made->size(), options.sites);
        expect_whole(*made, options.width * options.height, rng);
    }
}

// The set without one of its polygons, or with one moved to the end and its corners its own, shifted.
PolygonSet changed(const PolygonSet& from, uint32_t polygon, std::optional<Point> shift) {
    PolygonSet set;
    set.vertices = from.vertices;
    for (uint32_t p = 0; p < from.size(); ++p) {
        if (p != polygon) set.add(from.polygon(p), from.costs[p]);
    }
    if (!shift) return set;
    std::vector<uint32_t> ring;
    for (const uint32_t v : from.polygon(polygon)) {
        ring.push_back(static_cast<uint32_t>(set.vertices.size()));
        set.vertices.push_back(from.vertices[v] + *shift);
    }
    set.add(ring, from.costs[polygon]);
    return set;
}

TEST(VoronoiSubdivision, TakingAnInnerPolygonOutOrShiftingItIsNoticed) {
    Rng rng(5);
    int inner = 0;
    for (uint32_t n = 0; n < 100; ++n) {
        const auto made = random_voronoi_subdivision({600, 600, 40, 1, 8, 1000 + n});
        ASSERT_TRUE(made);
        const uint32_t polygon = rng.below(40);
        const bool at_outline = std::ranges::any_of(made->corners(polygon), [&](uint32_t v) {
            const Point p = made->vertex(v);
            return p.x <= 1e-6 || p.y <= 1e-6 || p.x >= 600 - 1e-6 || p.y >= 600 - 1e-6;
        });
        if (at_outline) continue;
        EXPECT_NE(reason_against(changed(made->polygons(), polygon, std::nullopt)).find("there is a gap"), std::string::npos);
        const double size = 1e-4 + unit_number(rng), up = rng.chance(1, 2) ? 1 : -1;
        EXPECT_NE(reason_against(changed(made->polygons(), polygon, Point{size, up * size / 2})).find(" overlap at "), std::string::npos);
        ++inner;
    }
    EXPECT_GT(inner, 30);
}

TEST(VoronoiSubdivision, TenThousandSites) {
    Rng rng(2);
    const auto made = random_voronoi_subdivision({600, 600, 10000, 1, 8, 5});
    ASSERT_TRUE(made) << made.error().message();
    expect_whole(*made, 600 * 600, rng);
}

TEST(VoronoiSubdivision, EveryPointIsInTheCellOfItsNearestSite) {
    Rng rng(3);
    std::vector<Point> sites;
    std::vector<double> costs;
    for (int i = 0; i < 400; ++i) {
        const double x = unit_number(rng), y = unit_number(rng);
        sites.push_back({x, y});
        costs.push_back(1);
    }
    const auto made = voronoi_subdivision(sites, costs, {0, 0}, {1, 1});
    ASSERT_TRUE(made) << made.error().message();
    for (int n = 0; n < 5000; ++n) {
        const double x = unit_number(rng), y = unit_number(rng);
        const Point p{x, y};
        const auto nearest = std::ranges::min(sites, {}, [&](Point s) { return distance(s, p); });
        EXPECT_NEAR(distance(sites[made->locate(p)], p), distance(nearest, p), 1e-8);
    }
}

TEST(VoronoiSubdivision, SitesOnALatticeMeetFourAtACorner) {
    std::vector<Point> sites;
    for (int i = 0; i < 400; ++i) sites.push_back({0.5 + i % 20, 0.5 + i / 20});
    const auto made = voronoi_subdivision(sites, std::vector<double>(400, 2), {0, 0}, {20, 20});
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_EQ(made->boundaries().size(), 2u * 20 * 19);
    EXPECT_EQ(made->polygons().vertices.size(), 441u);
}

TEST(VoronoiSubdivision, SitesOnACircleOrALine) {
    Rng rng(4);
    std::vector<Point> circle, line;
    for (int i = 0; i < 60; ++i) {  // Pythagorean: on the circle to the last bit or two
        const double t = i / 60.0;
        circle.push_back({300 + 200 * (1 - t * t) / (1 + t * t), 300 + 400 * t / (1 + t * t)});
        line.push_back({10.0 * i, 10.0 * i});
    }
    const std::vector<double> costs(60, 1);
    for (const auto& sites : {circle, line}) {
        const auto made = voronoi_subdivision(sites, costs, {0, 0}, {600, 600});
        ASSERT_TRUE(made) << made.error().message();
        expect_whole(*made, 600 * 600, rng);
    }
}

TEST(VoronoiSubdivision, RefusesBadSites) {
    const std::vector<double> costs{1, 2};
    const auto why = [&](std::vector<Point> sites) { return voronoi_subdivision(sites, costs, {0, 0}, {1, 1}).error().reason; };
    EXPECT_EQ(why({{0.5, 0.5}, {2, 0}}), "site 1 is outside the rectangle");
    EXPECT_EQ(why({{0.5, 0.5}, {kNotANumber, 0}}), "site 1 is outside the rectangle");
    EXPECT_EQ(why({{0.5, 0.5}, {0.5, 0.5}}), "sites 0 and 1 coincide");
    EXPECT_EQ(why({}), "no sites: expected at least one");
    EXPECT_EQ(why({{0.5, 0.5}}), "expected as many costs as sites");
    EXPECT_EQ(voronoi_subdivision(std::vector<Point>{{0, 0}, {1, 1}}, costs, {0, 0}, {0, 1}).error().reason, "the rectangle has no area");
}

TEST(SubdivisionGolden, SameBitsEverywhere) {
    uint64_t hash = 0;
    for (const uint32_t sites : {8u, 24u, 500u}) {
        const auto made = random_voronoi_subdivision({600, 600, sites, 1, 8, sites});
        ASSERT_TRUE(made);
        for (const Point p : made->polygons().vertices)
            hash = mix64(mix64(hash ^ std::bit_cast<uint64_t>(p.x)) ^ std::bit_cast<uint64_t>(p.y));
        for (const uint32_t v : made->polygons().corners) hash = mix64(hash ^ v);
        for (const auto& b : made->boundaries())
            hash = mix64(mix64(hash ^ b.a ^ (uint64_t{b.b} << 32)) ^ b.left ^ (uint64_t{b.right} << 32));
    }
    EXPECT_EQ(hash, 5838994332911628903u);
}

}  // namespace
}  // namespace terrane
