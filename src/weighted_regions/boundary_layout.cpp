#include "weighted_regions/boundary_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "terrane/base/assert.h"
#include "terrane/base/rng.h"
#include "terrane/weighted_regions/boundary_point_search.h"

namespace terrane {

namespace detail {

namespace {

bool is_open(const Subdivision& field, const Subdivision::Boundary& boundary) {
    return !field.is_blocked(boundary.left) && !field.is_blocked(boundary.right);
}

// Into how many parts a boundary is cut. A billion at most, which is over the limit by far.
uint32_t parts_of(const Segment& segment, double spacing) {
    return static_cast<uint32_t>(std::clamp(std::ceil(distance(segment.a, segment.b) / spacing), 1.0, 1e9));
}

uint64_t hash_of(const Subdivision& field, double spacing) {
    const auto bits = [](double value) { return std::bit_cast<uint64_t>(value); };
    uint64_t h = mix64(bits(spacing) ^ field.size());
    for (const double cost : field.polygons().costs) h = mix64(h ^ static_cast<uint64_t>(cost < kBlockedCost));
    for (const auto& b : field.boundaries()) {
        const Segment s = field.segment(b);
        for (const double value : {s.a.x, s.a.y, s.b.x, s.b.y}) h = mix64(h ^ bits(value));
        h = mix64(h ^ (uint64_t{b.left} << 32 | b.right));
    }
    return std::max<uint64_t>(h, 1);
}

// An end of a boundary, as one of its sides sees it.
struct End {
    uint32_t vertex = 0;
    uint32_t polygon = 0;
    uint32_t boundary = 0;
    bool at_b = false;
};

// The ends of the boundaries between passable polygons, those at one vertex together.
std::vector<End> list_ends(const Subdivision& field) {
    std::vector<End> ends;
    ends.reserve(4 * field.boundaries().size());
    for (uint32_t b = 0; b < field.boundaries().size(); ++b) {
        const auto& boundary = field.boundaries()[b];
        if (!is_open(field, boundary)) continue;
        for (const uint32_t polygon : {boundary.left, boundary.right}) {
            ends.push_back({boundary.a, polygon, b, false});
            ends.push_back({boundary.b, polygon, b, true});
        }
    }
    std::ranges::sort(ends, {}, [](const End& end) { return std::tuple(end.vertex, end.polygon, end.boundary); });
    return ends;
}

// Which of the polygons around a vertex hang together by boundaries that meet there: for each end the first one of its part.
std::vector<uint32_t> parts_around(std::span<const End> around) {
    std::vector<uint32_t> up(around.size()), by_boundary(around.size());
    for (uint32_t i = 0; i < up.size(); ++i) up[i] = by_boundary[i] = i;
    std::ranges::sort(by_boundary, {}, [&](uint32_t i) { return std::pair(around[i].boundary, i); });
    const auto root = [&](uint32_t i) {
        while (up[i] != i) i = up[i] = up[up[i]];
        return i;
    };
    const auto join = [&](uint32_t i, uint32_t j) { up[std::max(root(i), root(j))] = std::min(root(i), root(j)); };
    for (uint32_t i = 1; i < up.size(); ++i) {
        const uint32_t before = by_boundary[i - 1], other = by_boundary[i];
        if (around[i].polygon == around[i - 1].polygon) join(i, i - 1);
        if (around[before].boundary == around[other].boundary) join(before, other);
    }
    for (uint32_t i = 0; i < up.size(); ++i) up[i] = root(i);
    return up;
}

// Calls visit(part) for each part that hangs together around a vertex, with its ends in the order of their polygons.
template <class Visit>
void each_corner(const Subdivision& field, Visit&& visit) {
    const std::vector<End> ends = list_ends(field);
    std::vector<End> part;
    for (size_t begin = 0, end = 0; begin < ends.size(); begin = end) {
        while (end < ends.size() && ends[end].vertex == ends[begin].vertex) ++end;
        const auto around = std::span(ends).subspan(begin, end - begin);
        const std::vector<uint32_t> first = parts_around(around);
        for (uint32_t number = 0; number < first.size(); ++number) {
            if (first[number] != number) continue;
            part.clear();
            for (size_t i = number; i < first.size(); ++i) {
                if (first[i] == number) part.push_back(around[i]);
            }
            visit(std::span<const End>(part));
        }
    }
}

}  // namespace

void BoundaryLayout::lay_out(const Subdivision& field, double spacing) {
    TERRANE_ASSERT(spacing > 0);
    const uint64_t key = hash_of(field, spacing);
    if (key == key_) return;
    TERRANE_ASSERT(count_boundary_points(field, spacing) <= kMaxBoundaryPoints);
    place_corners(field);
    place_points(field, spacing);
    list_entries(field);
    key_ = key;
}

void BoundaryLayout::place_corners(const Subdivision& field) {
    points_.clear();
    polygons_at_.clear();
    first_at_.assign(1, 0);
    lines_.assign(field.boundaries().size(), {});
    each_corner(field, [&](std::span<const End> part) {
        uint32_t last = kNoPolygon;
        for (const End& end : part) {
            (end.at_b ? lines_[end.boundary].b : lines_[end.boundary].a) = nodes();
            if (end.polygon != last) polygons_at_.push_back(last = end.polygon);
        }
        points_.push_back(field.vertex(part[0].vertex));
        first_at_.push_back(static_cast<uint32_t>(polygons_at_.size()));
    });
    corners_ = nodes();
}

void BoundaryLayout::place_points(const Subdivision& field, double spacing) {
    boundary_of_.clear();
    for (uint32_t b = 0; b < lines_.size(); ++b) {
        if (!is_open(field, field.boundaries()[b])) continue;
        const Segment segment = field.segment(field.boundaries()[b]);
        const uint32_t parts = parts_of(segment, spacing);
        lines_[b].first = nodes();
        lines_[b].count = parts - 1;
        for (uint32_t i = 1; i < parts; ++i) points_.push_back(segment.at(static_cast<double>(i) / parts));
        boundary_of_.resize(points_.size() - corners_, b);
    }
}

void BoundaryLayout::list_entries(const Subdivision& field) {
    entries_.clear();
    first_of_.assign(1, 0);
    std::vector<uint32_t> corners;
    for (uint32_t polygon = 0; polygon < field.size(); ++polygon) {
        corners.clear();
        for (const uint32_t b : field.boundaries_of(polygon)) {
            if (is_open(field, field.boundaries()[b])) corners.insert(corners.end(), {lines_[b].a, lines_[b].b});
        }
        std::ranges::sort(corners);
        corners.erase(std::ranges::unique(corners).begin(), corners.end());
        for (const uint32_t node : corners) entries_.push_back({points_[node], node});
        for (const uint32_t b : field.boundaries_of(polygon)) {
            Line& line = lines_[b];
            line.run[field.boundaries()[b].left == polygon ? 0 : 1] = entries_.size() - first_of_.back();
            for (uint32_t i = 0; i < line.count; ++i) entries_.push_back({points_[line.first + i], line.first + i});
        }
        first_of_.push_back(entries_.size());
    }
}

std::array<uint32_t, 2> BoundaryLayout::neighbours(uint32_t node) const {
    const Line& line = lines_[boundary_of(node)];
    return {node > line.first ? node - 1 : line.a, node + 1 < line.first + line.count ? node + 1 : line.b};
}

bool BoundaryLayout::is_on(uint32_t node, uint32_t boundary) const {
    const Line& line = lines_[boundary];
    return node == line.a || node == line.b || (node >= line.first && node < line.first + line.count);
}

size_t BoundaryLayout::bytes() const {
    return points_.capacity() * sizeof(Point) + lines_.capacity() * sizeof(Line) + entries_.capacity() * sizeof(Entry) +
           first_of_.capacity() * sizeof(size_t) +
           sizeof(uint32_t) * (boundary_of_.capacity() + first_at_.capacity() + polygons_at_.capacity());
}

}  // namespace detail

uint64_t count_boundary_points(const Subdivision& field, double spacing) {
    TERRANE_ASSERT(spacing > 0);
    uint64_t count = 0;
    detail::each_corner(field, [&](auto) { ++count; });
    for (const auto& b : field.boundaries()) count += detail::is_open(field, b) ? detail::parts_of(field.segment(b), spacing) - 1 : 0;
    return count;
}

}  // namespace terrane
