#include "weighted_regions/convex_partition.h"

#include <algorithm>
#include <tuple>

namespace terrane::detail {

namespace {

class TriangleMerger {
public:
    TriangleMerger(std::span<const LatticePoint> points, std::span<const Triangle> triangles) : points_(points), triangles_(triangles) {
        const auto sides = static_cast<uint32_t>(3 * triangles.size());
        from_.reserve(sides);
        next_.reserve(sides);
        before_.reserve(sides);
        for (uint32_t s = 0; s < sides; ++s) {
            from_.push_back(triangles[s / 3].corner[s % 3]);
            next_.push_back(s - s % 3 + (s + 1) % 3);
            before_.push_back(s - s % 3 + (s + 2) % 3);
        }
    }

    PolygonSet merge(const CostTable& costs) {
        spread_terrain();
        for (const Diagonal& diagonal : list_diagonals()) remove_if_convex(diagonal);
        PolygonSet set;
        set.vertices.reserve(points_.size());
        for (const LatticePoint p : points_) set.vertices.push_back({static_cast<double>(p.x), static_cast<double>(p.y)});
        for (uint32_t s = 0; s < from_.size(); ++s) {
            if (next_[s] == kRemoved) continue;
            const Terrain t = terrain_[s / 3];
            add_polygon(s, costs.passable(t) ? costs.hundredths(t) / 100.0 : kBlockedCost, set);
        }
        return set;
    }

private:
    static constexpr uint32_t kRemoved = 0xffffffff;

    // An unconstrained edge, listed once for both of its triangles.
    struct Diagonal {
        bool axis_aligned = false;
        int64_t squared = 0;
        uint32_t side = 0, twin = 0;
    };

    // Floods the terrain of the constraints into the triangles that they enclose.
    void spread_terrain() {
        std::vector<uint32_t> open;
        terrain_.assign(triangles_.size(), 0);
        std::vector<uint8_t> known(triangles_.size(), 0);
        const auto reach = [&](uint32_t triangle, Terrain terrain) {
            if (known[triangle] != 0) return;
            known[triangle] = 1;
            terrain_[triangle] = terrain;
            open.push_back(triangle);
        };
        for (uint32_t first = 0; first < triangles_.size(); ++first) {
            for (const uint16_t constraint : triangles_[first].constraint) {
                if (constraint != kNoConstraint) reach(first, static_cast<Terrain>(constraint));
            }
            while (!open.empty()) {
                const uint32_t triangle = open.back();
                open.pop_back();
                for (uint32_t i = 0; i < 3; ++i) {
                    if (triangles_[triangle].constraint[i] == kNoConstraint) reach(triangles_[triangle].neighbour[i], terrain_[triangle]);
                }
            }
        }
    }

    // In the order of removal: not axis-aligned before axis-aligned, then by length. Up to a quarter fewer polygons than the reverse order.
    std::vector<Diagonal> list_diagonals() const {
        std::vector<Diagonal> diagonals;
        for (uint32_t t = 0; t < triangles_.size(); ++t) {
            for (uint32_t i = 0; i < 3; ++i) {
                const uint32_t other = triangles_[t].neighbour[i];
                if (triangles_[t].constraint[i] != kNoConstraint || other < t) continue;
                const LatticePoint a = points_[from_[3 * t + i]], b = points_[from_[3 * t + (i + 1) % 3]];
                const auto& corner = triangles_[other].corner;
                const auto k = static_cast<uint32_t>(std::ranges::find(corner, from_[3 * t + (i + 1) % 3]) - corner.begin());
                const int64_t dx = b.x - a.x, dy = b.y - a.y;
                diagonals.push_back({dx == 0 || dy == 0, dx * dx + dy * dy, 3 * t + i, 3 * other + k});
            }
        }
        std::ranges::sort(diagonals, {}, [](const Diagonal& c) { return std::tuple(c.axis_aligned, c.squared, c.side); });
        return diagonals;
    }

    LatticePoint at(uint32_t side) const { return points_[from_[side]]; }

    void remove_if_convex(const Diagonal& diagonal) {
        const uint32_t s = diagonal.side, t = diagonal.twin;
        const auto convex = [&](uint32_t in, uint32_t out) { return turn_of(at(in), at(out), at(next_[out])) >= 0; };
        if (!convex(before_[s], next_[t]) || !convex(before_[t], next_[s])) return;
        link(before_[s], next_[t]);
        link(before_[t], next_[s]);
        next_[s] = next_[t] = kRemoved;
    }
    void link(uint32_t in, uint32_t out) { next_[in] = out, before_[out] = in; }

    // Adds the polygon that contains the side, in several parts if it has too many corners.
    void add_polygon(uint32_t side, double cost, PolygonSet& set) {
        ring_.clear();
        for (uint32_t s = side, next = 0; next_[s] != kRemoved; s = next) {
            next = next_[s];
            if (turn_of(at(before_[s]), at(s), at(next)) > 0) ring_.push_back(from_[s]);
            next_[s] = kRemoved;
        }
        const std::span<const uint32_t> ring(ring_);
        for (size_t first = 1; first + 1 < ring.size(); first += kMaxPolygonCorners - 2) {
            part_.assign(1, ring[0]);
            const auto rest = ring.subspan(first, std::min(ring.size() - first, kMaxPolygonCorners - 1));
            part_.insert(part_.end(), rest.begin(), rest.end());
            set.add(part_, cost);
        }
    }

    std::span<const LatticePoint> points_;
    std::span<const Triangle> triangles_;
    std::vector<uint32_t> from_, next_, before_;  // by side, three per triangle: its start vertex, the next and the previous side
    std::vector<Terrain> terrain_;                // by triangle
    std::vector<uint32_t> ring_, part_;
};

}  // namespace

PolygonSet merge_triangles(std::span<const LatticePoint> points, std::span<const Triangle> triangles, const CostTable& costs) {
    return TriangleMerger(points, triangles).merge(costs);
}

}  // namespace terrane::detail
