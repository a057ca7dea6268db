// Queries over drawn meshes: single and random queries, and a flood-fill oracle.
#pragma once
#include <array>
#include <cmath>
#include <vector>

#include "navmesh/mesh_maker.h"

namespace terrane::test {

inline constexpr NavmeshMethod kDta{.portals = false};
inline constexpr NavmeshMethod kMethods[] = {kDta, {.portals = true}};

inline NavmeshFindOptions with(NavmeshMethod method) {
    NavmeshFindOptions options;
    options.method = method;
    return options;
}

inline NavmeshPath find(DrawnMesh& drawn, Vec3 start, Vec3 goal, const NavmeshFilter& filter, NavmeshMethod method = {}) {
    const NavmeshAbstraction regions(drawn.mesh());
    NavmeshPlanner planner(regions);
    return planner.find(start, goal, filter, with(method));
}

inline double length_of(const std::vector<Vec3>& points) {
    double sum = 0;
    for (size_t i = 1; i < points.size(); ++i) {
        const double x = points[i].x - points[i - 1].x, y = points[i].y - points[i - 1].y, z = points[i].z - points[i - 1].z;
        sum += std::sqrt(x * x + y * y + z * z);
    }
    return sum;
}

// Returns the cells reachable from (x, y).
inline std::vector<bool> flood(DrawnMesh& drawn, const NavmeshFilter& filter, int x, int y) {
    std::vector<bool> seen(static_cast<size_t>(drawn.width() * drawn.height()));
    std::vector<std::array<int, 2>> open = {{x, y}};
    seen[static_cast<size_t>(y * drawn.width() + x)] = true;
    while (!open.empty()) {
        const auto [u, v] = open.back();
        open.pop_back();
        for (const auto& [dx, dy] : {std::array{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
            const int a = u + dx, b = v + dy;
            if (a < 0 || b < 0 || a >= drawn.width() || b >= drawn.height()) continue;
            if (drawn.cell(a, b).area == 0 || !filter.passes(drawn.cell(a, b).area, 1)) continue;
            if (seen[static_cast<size_t>(b * drawn.width() + a)]) continue;
            seen[static_cast<size_t>(b * drawn.width() + a)] = true;
            open.push_back({a, b});
        }
    }
    return seen;
}

struct Query {
    int x = 0, y = 0, u = 0, v = 0;
};

inline Query random_query(DrawnMesh& drawn, const NavmeshFilter& filter, Rng& rng) {
    const auto draw = [&](int& x, int& y) {
        do {
            x = static_cast<int>(rng.below(static_cast<uint32_t>(drawn.width())));
            y = static_cast<int>(rng.below(static_cast<uint32_t>(drawn.height())));
        } while (drawn.cell(x, y).area == 0 || !filter.passes(drawn.cell(x, y).area, 1));
    };
    Query q;
    draw(q.x, q.y);
    draw(q.u, q.v);
    return q;
}

}  // namespace terrane::test
