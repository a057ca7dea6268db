// Upper and lower bounds on the optimal cost over a drawn mesh, by Dijkstra's algorithm on a dense discretisation: points along every edge
// between two cells, each connected with all others of the same cell.
//
// `upper` is the cost of a path. `lower` is a lower bound: every crossing of the optimal path is at most half a spacing from a sample
// point, so each leg between sample points is at most one spacing longer than the path's own; legs are charged for one spacing less.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <vector>

#include "navmesh/mesh_maker.h"

namespace terrane::test {

struct OracleAnswer {
    bool reachable = false;
    double upper = 0, lower = 0;
};

// For flat meshes without jitter and with all tiles; ignores off-mesh connections. `points` is the number of sample points per edge.
class DenseOracle {
public:
    DenseOracle(DrawnMesh& mesh, const NavmeshFilter& filter, int points) : mesh_(mesh), filter_(filter), points_(points) {}

    OracleAnswer solve(Vec3 start, Vec3 goal) {
        OracleAnswer answer;
        answer.upper = search(start, goal, 0);
        answer.reachable = answer.upper < std::numeric_limits<double>::max();
        answer.lower = search(start, goal, static_cast<double>(kCell) / points_);
        return answer;
    }

private:
    struct Place {
        double x = 0, z = 0;
        int cells[2] = {-1, -1};
    };

    double cost(int cell) {
        const MeshCell& c = mesh_.cell(cell % mesh_.width(), cell / mesh_.width());
        return filter_.passes(c.area, c.flags) && c.area != 0 ? filter_.cost(c.area) : 0;
    }
    int cell_at(Vec3 p) const { return static_cast<int>(p.z / kCell) * mesh_.width() + static_cast<int>(p.x / kCell); }

    void add_edge(int a, int b, double x, double z, double dx, double dz) {
        if (cost(a) == 0 || cost(b) == 0) return;
        for (int i = 0; i < points_; ++i) {
            const double t = (i + 0.5) / points_ * kCell;
            by_cell_[static_cast<size_t>(a)].push_back(places_.size());
            by_cell_[static_cast<size_t>(b)].push_back(places_.size());
            places_.push_back({x + dx * t, z + dz * t, {a, b}});
        }
    }
    void place_points() {
        const int w = mesh_.width(), h = mesh_.height();
        places_.clear();
        by_cell_.assign(static_cast<size_t>(w * h), {});
        for (int y = 0; y < h; ++y) {
            for (int x = 0; x < w; ++x) {
                if (x + 1 < w) add_edge(y * w + x, y * w + x + 1, (x + 1) * kCell, y * kCell, 0, 1);
                if (y + 1 < h) add_edge(y * w + x, (y + 1) * w + x, x * kCell, (y + 1) * kCell, 1, 0);
            }
        }
    }

    double search(Vec3 start, Vec3 goal, double discount) {
        place_points();
        const size_t from = places_.size(), to = from + 1;
        for (const Vec3 end : {start, goal}) {
            by_cell_[static_cast<size_t>(cell_at(end))].push_back(places_.size());
            places_.push_back({end.x, end.z, {cell_at(end), -1}});
        }
        std::vector<double> g(places_.size(), std::numeric_limits<double>::max());
        std::priority_queue<std::pair<double, size_t>, std::vector<std::pair<double, size_t>>, std::greater<>> open;
        g[from] = 0;
        open.emplace(0, from);
        while (!open.empty()) {
            const auto [d, at] = open.top();
            open.pop();
            if (d > g[at]) continue;
            if (at == to) return d;
            for (const int cell : places_[at].cells) {
                if (cell < 0 || cost(cell) == 0) continue;
                for (const size_t next : by_cell_[static_cast<size_t>(cell)]) {
                    const double dx = places_[next].x - places_[at].x, dz = places_[next].z - places_[at].z;
                    const double there = d + cost(cell) * std::max(0.0, std::sqrt(dx * dx + dz * dz) - discount);
                    if (there >= g[next]) continue;
                    g[next] = there;
                    open.emplace(there, next);
                }
            }
        }
        return g[to];
    }

    DrawnMesh& mesh_;
    const NavmeshFilter& filter_;
    int points_;
    std::vector<Place> places_;
    std::vector<std::vector<size_t>> by_cell_;
};

// Cost of a path over a drawn flat mesh, computed from the cells alone. A path along an edge may be charged for either cell: `low` and
// `high` bound the cost.
struct CellCost {
    double low = 0, high = 0;
    bool legal = true;  // never inside of a hole or a blocked cell
};

// Detour quantises the ends of portals on tile borders to 1/255 of a side: a path may be off by `slack`.
inline CellCost cell_cost(DrawnMesh& mesh, const NavmeshFilter& filter, const std::vector<Vec3>& points, double slack = 1e-3) {
    CellCost sum;
    const auto cost_at = [&](double x, double z) {
        const int u = static_cast<int>(std::floor(x / kCell)), v = static_cast<int>(std::floor(z / kCell));
        if (u < 0 || v < 0 || u >= mesh.width() || v >= mesh.height()) return 0.0;
        const MeshCell& c = mesh.cell(u, v);
        return c.area != 0 && filter.passes(c.area, c.flags) ? filter.cost(c.area) : 0.0;
    };
    for (size_t i = 1; i < points.size(); ++i) {
        const double x = points[i - 1].x, z = points[i - 1].z, dx = points[i].x - x, dz = points[i].z - z;
        std::vector<double> cuts = {0, 1};
        for (int k = 0; k <= std::max(mesh.width(), mesh.height()); ++k) {
            if (dx != 0) cuts.push_back((k * kCell - x) / dx);
            if (dz != 0) cuts.push_back((k * kCell - z) / dz);
        }
        std::sort(cuts.begin(), cuts.end());
        for (size_t c = 1; c < cuts.size(); ++c) {
            if (cuts[c - 1] < 0 || cuts[c] > 1) continue;
            const double t = (cuts[c - 1] + cuts[c]) / 2, length = (cuts[c] - cuts[c - 1]) * std::sqrt(dx * dx + dz * dz);
            double low = std::numeric_limits<double>::max(), high = 0;
            for (const double ex : {-slack, slack}) {
                for (const double ez : {-slack, slack}) {
                    const double cost = cost_at(x + dx * t + ex, z + dz * t + ez);
                    if (cost > 0) low = std::min(low, cost);
                    high = std::max(high, cost);
                }
            }
            if (high == 0 && length > 1e-6) sum.legal = false;
            if (high == 0) continue;
            sum.low += low * length;
            sum.high += high * length;
        }
    }
    return sum;
}

}  // namespace terrane::test
