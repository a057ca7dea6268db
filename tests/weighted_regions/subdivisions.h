// Subdivisions drawn in the test, and drawn at random.
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "terrane/base/rng.h"
#include "terrane/weighted_regions/subdivision.h"
#include "terrane/weighted_regions/subdivision_path.h"

namespace terrane::test {

// Unit squares in rows, the first row on top: a digit is the cost, # is blocked. Rows may be indented.
inline Subdivision squares(std::string_view drawing) {
    std::vector<std::vector<char>> rows(1);
    for (const char c : drawing) {
        if (c == '\n' && !rows.back().empty()) rows.emplace_back();
        if (c == '#' || (c >= '1' && c <= '9')) rows.back().push_back(c);
    }
    if (rows.back().empty()) rows.pop_back();
    const auto width = static_cast<uint32_t>(rows[0].size()), height = static_cast<uint32_t>(rows.size());
    PolygonSet set;
    for (uint32_t y = 0; y <= height; ++y) {
        for (uint32_t x = 0; x <= width; ++x) set.vertices.push_back({static_cast<double>(x), static_cast<double>(y)});
    }
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            const uint32_t v = y * (width + 1) + x;
            const char c = rows[height - 1 - y][x];
            set.add(std::vector<uint32_t>{v, v + 1, v + width + 2, v + width + 1}, c == '#' ? kBlockedCost : c - '0');
        }
    }
    return make_subdivision(std::move(set)).value();
}

// A long rectangle (cost 5) below three squares (1, 9, 2): its upper side has three neighbours and no corner where they meet.
inline Subdivision three_on_one() {
    PolygonSet set;
    set.vertices = {{0, 0}, {3, 0}, {3, 1}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}};
    set.add(std::vector<uint32_t>{0, 1, 2, 3}, 5);
    set.add(std::vector<uint32_t>{3, 4, 7, 6}, 1);
    set.add(std::vector<uint32_t>{4, 5, 8, 7}, 9);
    set.add(std::vector<uint32_t>{5, 2, 9, 8}, 2);
    return make_subdivision(std::move(set)).value();
}

// Six triangles around (0, 0), the first one to the right; 0 is blocked.
inline Subdivision hexagon(const std::vector<double>& costs) {
    PolygonSet set;
    set.vertices = {{0, 0}, {2, 0}, {1, 2}, {-1, 2}, {-2, 0}, {-1, -2}, {1, -2}};
    for (uint32_t i = 0; i < 6; ++i) set.add(std::vector<uint32_t>{0, i + 1, (i + 1) % 6 + 1}, costs[i] > 0 ? costs[i] : kBlockedCost);
    return make_subdivision(std::move(set)).value();
}

inline double unit(Rng& rng) { return static_cast<double>(rng.next() >> 11) * 0x1p-53; }

inline Point random_point(Rng& rng) {
    const double x = 600 * unit(rng), y = 600 * unit(rng);
    return {x, y};
}

// Voronoi cells, one in `blocked_in` of them blocked; 0: none.
inline Subdivision random_subdivision(Rng& rng, uint32_t sites, uint32_t blocked_in = 0) {
    std::vector<Point> at;
    std::vector<double> costs;
    for (uint32_t i = 0; i < sites; ++i) {
        at.push_back(random_point(rng));
        const double cost = 1 + rng.below(8);
        const bool blocked = blocked_in > 0 && rng.chance(1, blocked_in);
        costs.push_back(blocked ? kBlockedCost : cost);
    }
    return voronoi_subdivision(at, costs, {0, 0}, {600, 600}).value();
}

// Checks that the path leads from `from` to `to` and costs what it reports.
inline void expect_sound(const Subdivision& subdivision, const SubdivisionPath& path, Point from, Point to) {
    ASSERT_EQ(path.status, Status::kFound);
    ASSERT_GE(path.points.size(), 2u);
    EXPECT_EQ(path.points.front(), from);
    EXPECT_EQ(path.points.back(), to);
    EXPECT_NEAR(subdivision_path_cost(subdivision, path.points), path.cost, 1e-9 * path.cost);
    EXPECT_LE(path.lower_bound, path.cost);
}

// Hash of points, cost and expansions, which must be the same on every platform.
inline uint64_t hash_of(const SubdivisionPath& path, uint64_t seed = 0) {
    uint64_t h = mix64(seed ^ static_cast<uint64_t>(path.status));
    const auto add = [&](double value) { h = mix64(h ^ std::bit_cast<uint64_t>(value)); };
    for (const Point p : path.points) add(p.x), add(p.y);
    add(path.cost);
    add(path.lower_bound);
    return mix64(h ^ path.expansions);
}

}  // namespace terrane::test
