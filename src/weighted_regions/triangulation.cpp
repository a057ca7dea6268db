#include "weighted_regions/triangulation.h"

#include <algorithm>

namespace terrane::detail {

namespace {

// > 0 if d is inside the circle through a, b and c, which are counter-clockwise. Coordinates within 2^13: no sum exceeds 2^57.
int64_t in_circle(LatticePoint a, LatticePoint b, LatticePoint c, LatticePoint d) {
    const auto lift = [&](LatticePoint p) { return int64_t{p.x - d.x} * (p.x - d.x) + int64_t{p.y - d.y} * (p.y - d.y); };
    return lift(a) * turn_of(d, b, c) + lift(b) * turn_of(d, c, a) + lift(c) * turn_of(d, a, b);
}

}  // namespace

Triangulation::Triangulation(std::span<const LatticePoint> points) : points_(points), around_(points.size(), kNoTriangle) {
    triangles_.reserve(2 * points.size());
    LatticePoint high;
    for (const LatticePoint p : points) high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    const auto number = [&](LatticePoint p) { return static_cast<uint32_t>(std::ranges::find(points, p) - points.begin()); };
    const std::array<uint32_t, 4> frame{number({0, 0}), number({high.x, 0}), number(high), number({0, high.y})};
    triangles_.resize(2);
    set(0, {frame[0], frame[1], frame[2]});
    set(1, {frame[2], frame[3], frame[0]});
    link({0, 2}, {1, 2});
    for (uint32_t v = 0; v < points.size(); ++v) {
        if (std::ranges::find(frame, v) == frame.end()) insert(v);
    }
}

Triangulation::Side Triangulation::twin(Side s) const {
    const uint32_t other = triangles_[s.triangle].neighbour[s.i];
    if (other == kNoTriangle) return {};
    const auto& corner = triangles_[other].corner;
    return {other, static_cast<uint32_t>(std::ranges::find(corner, to(s)) - corner.begin())};
}

void Triangulation::set(uint32_t triangle, std::array<uint32_t, 3> corners) {
    triangles_[triangle] = {};
    triangles_[triangle].corner = corners;
    for (const uint32_t v : corners) around_[v] = triangle;
}

void Triangulation::link(Side s, Side t) {
    triangles_[s.triangle].neighbour[s.i] = t.triangle;
    if (t.triangle != kNoTriangle) triangles_[t.triangle].neighbour[t.i] = s.triangle;
}

// Visibility walk: crosses any side that separates the triangle from v. Terminates in a Delaunay triangulation, which this is before the
// first constraint.
uint32_t Triangulation::locate(uint32_t v) const {
    for (uint32_t triangle = last_;;) {
        uint32_t next = kNoTriangle;
        for (uint32_t i = 0; i < 3 && next == kNoTriangle; ++i) {
            const Side s{triangle, i};
            if (turn_at(from(s), to(s), v) < 0) next = triangles_[triangle].neighbour[i];
        }
        if (next == kNoTriangle) return triangle;
        triangle = next;
    }
}

void Triangulation::insert(uint32_t v) {
    const uint32_t triangle = locate(v);
    uint32_t on = 3;
    for (uint32_t i = 0; i < 3; ++i) {
        if (turn_at(from({triangle, i}), to({triangle, i}), v) == 0) on = i;
    }
    if (on == 3) {
        split_triangle(triangle, v);
    } else {
        split_side({triangle, on}, v);
    }
    last_ = around_[v];
    improve();
}

void Triangulation::split_triangle(uint32_t triangle, uint32_t v) {
    const std::array<uint32_t, 3> c = triangles_[triangle].corner;
    const std::array<Side, 3> outer{twin({triangle, 0}), twin({triangle, 1}), twin({triangle, 2})};
    const auto fresh = static_cast<uint32_t>(triangles_.size());
    triangles_.resize(triangles_.size() + 2);
    const std::array<uint32_t, 3> parts{triangle, fresh, fresh + 1};
    for (uint32_t i = 0; i < 3; ++i) set(parts[i], {c[i], c[(i + 1) % 3], v});
    for (uint32_t i = 0; i < 3; ++i) {
        link({parts[i], 0}, outer[i]);
        link({parts[i], 1}, {parts[(i + 1) % 3], 2});
        suspect_.emplace_back(c[i], c[(i + 1) % 3]);
    }
}

// Splits each adjacent triangle into two.
void Triangulation::split_side(Side s, uint32_t v) {
    const std::array<Side, 2> halves{s, twin(s)};
    std::array<uint32_t, 2> second{kNoTriangle, kNoTriangle};
    for (uint32_t k = 0; k < 2; ++k) {
        const Side h = halves[k];
        if (h.triangle == kNoTriangle) continue;
        const uint32_t a = from(h), b = to(h), c = apex(h);
        const Side after = twin({h.triangle, (h.i + 1) % 3}), before = twin({h.triangle, (h.i + 2) % 3});
        second[k] = static_cast<uint32_t>(triangles_.size());
        triangles_.emplace_back();
        set(h.triangle, {a, v, c});
        set(second[k], {v, b, c});
        link({h.triangle, 1}, {second[k], 2});
        link({h.triangle, 2}, before);
        link({second[k], 1}, after);
        suspect_.insert(suspect_.end(), {{b, c}, {c, a}});
    }
    if (halves[1].triangle == kNoTriangle) return;
    link({halves[0].triangle, 0}, {second[1], 0});
    link({halves[1].triangle, 0}, {second[0], 0});
}

// Replaces s by the other diagonal of its two triangles, which must form a convex quadrilateral.
void Triangulation::flip(Side s) {
    const Side t = twin(s);
    const uint32_t a = from(s), b = to(s), c = apex(s), d = apex(t);
    const std::array<Side, 4> inner{
        Side{s.triangle, (s.i + 1) % 3}, {s.triangle, (s.i + 2) % 3}, {t.triangle, (t.i + 1) % 3}, {t.triangle, (t.i + 2) % 3}};
    std::array<Side, 4> outer;
    std::array<uint16_t, 4> constraint{};
    for (size_t i = 0; i < 4; ++i) outer[i] = twin(inner[i]), constraint[i] = triangles_[inner[i].triangle].constraint[inner[i].i];
    set(s.triangle, {d, b, c});
    set(t.triangle, {c, a, d});
    const std::array<Side, 4> now{Side{s.triangle, 1}, {t.triangle, 0}, {t.triangle, 1}, {s.triangle, 0}};
    for (size_t i = 0; i < 4; ++i) {
        link(now[i], outer[i]);
        triangles_[now[i].triangle].constraint[now[i].i] = constraint[i];
    }
    link({s.triangle, 2}, {t.triangle, 2});
}

bool Triangulation::violates_delaunay(Side s) const {
    const Triangle& triangle = triangles_[s.triangle];
    if (triangle.neighbour[s.i] == kNoTriangle || triangle.constraint[s.i] != kNoConstraint) return false;
    return in_circle(at(from(s)), at(to(s)), at(apex(s)), at(apex(twin(s)))) > 0;
}

void Triangulation::improve() {
    while (!suspect_.empty()) {
        const auto [a, b] = suspect_.back();
        suspect_.pop_back();
        const Side s = find(a, b);
        if (s.triangle == kNoTriangle || !violates_delaunay(s)) continue;
        const uint32_t c = apex(s), d = apex(twin(s));
        flip(s);
        suspect_.insert(suspect_.end(), {{b, c}, {c, a}, {a, d}, {d, b}});
    }
}

// Calls visit(side) for every side that starts at v, until it returns true.
template <class Visit>
void Triangulation::each_around(uint32_t v, Visit&& visit) const {
    const auto side_of = [&](uint32_t triangle) {
        const auto& corner = triangles_[triangle].corner;
        return Side{triangle, static_cast<uint32_t>(std::ranges::find(corner, v) - corner.begin())};
    };
    const uint32_t first = around_[v];
    for (uint32_t triangle = first;;) {
        const Side s = side_of(triangle);
        if (visit(s)) return;
        triangle = triangles_[triangle].neighbour[(s.i + 2) % 3];
        if (triangle == first) return;
        if (triangle == kNoTriangle) break;
    }
    for (uint32_t triangle = triangles_[first].neighbour[side_of(first).i]; triangle != kNoTriangle;) {
        const Side s = side_of(triangle);
        if (visit(s)) return;
        triangle = triangles_[triangle].neighbour[s.i];
    }
}

Triangulation::Side Triangulation::find(uint32_t a, uint32_t b) const {
    Side found;
    each_around(a, [&](Side s) {
        if (to(s) == b) found = s;
        return found.triangle != kNoTriangle;
    });
    return found;
}

// The side opposite to a in the triangle through which the segment from a to b leaves a.
Triangulation::Side Triangulation::first_crossed(uint32_t a, uint32_t b) const {
    Side found;
    each_around(a, [&](Side s) {
        if (turn_at(a, to(s), b) > 0 && turn_at(a, apex(s), b) < 0) found = {s.triangle, (s.i + 1) % 3};
        return found.triangle != kNoTriangle;
    });
    return found;
}

void Triangulation::list_crossed(uint32_t a, uint32_t b) {
    crossed_.clear();
    for (Side s = first_crossed(a, b);;) {
        crossed_.emplace_back(from(s), to(s));
        const Side t = twin(s);
        const uint32_t ahead = apex(t);
        if (ahead == b) return;
        s = turn_at(a, b, ahead) > 0 ? Side{t.triangle, (t.i + 1) % 3} : Side{t.triangle, (t.i + 2) % 3};
    }
}

// Flips crossed sides until none is left; a side that cannot be flipped yet is postponed.
void Triangulation::remove_crossed(uint32_t a, uint32_t b) {
    list_crossed(a, b);
    for (size_t next = 0; next < crossed_.size(); ++next) {
        const auto [p, q] = crossed_[next];
        const Side s = find(p, q);
        const uint32_t c = apex(s), d = apex(twin(s));
        if (turn_at(d, q, c) <= 0 || turn_at(c, p, d) <= 0) {
            crossed_.emplace_back(p, q);
            continue;
        }
        flip(s);
        suspect_.emplace_back(c, d);
        const bool ends = c == a || c == b || d == a || d == b;
        if (!ends && (turn_at(a, b, c) > 0) != (turn_at(a, b, d) > 0)) crossed_.emplace_back(c, d);
    }
}

void Triangulation::add_constraint(uint32_t a, uint32_t b, Terrain left, Terrain right) {
    if (find(a, b).triangle == kNoTriangle && find(b, a).triangle == kNoTriangle) remove_crossed(a, b);
    const Side s = find(a, b), t = find(b, a);
    if (s.triangle != kNoTriangle) triangles_[s.triangle].constraint[s.i] = left;
    if (t.triangle != kNoTriangle) triangles_[t.triangle].constraint[t.i] = right;
    improve();
}

}  // namespace terrane::detail
