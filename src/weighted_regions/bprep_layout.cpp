#include "weighted_regions/bprep_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "terrane/base/assert.h"
#include "terrane/base/rng.h"
#include "terrane/weighted_regions/bprep.h"

namespace terrane {

namespace detail {

namespace {

bool is_crossable(const Subdivision& subdivision, const Subdivision::Boundary& boundary) {
    return !subdivision.is_blocked(boundary.left) && !subdivision.is_blocked(boundary.right);
}

// The number of parts of a boundary; at most 1e9, far above kMaxBoundaryPoints.
uint32_t part_count(const Segment& segment, double spacing) {
    return static_cast<uint32_t>(std::clamp(std::ceil(distance(segment.a, segment.b) / spacing), 1.0, 1e9));
}

uint64_t hash_of(const Subdivision& subdivision, double spacing) {
    const auto bits = [](double value) { return std::bit_cast<uint64_t>(value); };
    uint64_t h = mix64(bits(spacing) ^ subdivision.size());
    for (const double cost : subdivision.polygons().costs) h = mix64(h ^ static_cast<uint64_t>(cost < kBlockedCost));
    for (const auto& b : subdivision.boundaries()) {
        const Segment s = subdivision.segment(b);
        for (const double value : {s.a.x, s.a.y, s.b.x, s.b.y}) h = mix64(h ^ bits(value));
        h = mix64(h ^ (uint64_t{b.left} << 32 | b.right));
    }
    return std::max<uint64_t>(h, 1);
}

// An end of a boundary, for one of the polygons beside it.
struct End {
    uint32_t vertex = 0;
    uint32_t polygon = 0;
    uint32_t boundary = 0;
    bool at_b = false;
};

// The ends of the boundaries between passable polygons, sorted by vertex.
std::vector<End> list_ends(const Subdivision& subdivision) {
    std::vector<End> ends;
    ends.reserve(4 * subdivision.boundaries().size());
    for (uint32_t b = 0; b < subdivision.boundaries().size(); ++b) {
        const auto& boundary = subdivision.boundaries()[b];
        if (!is_crossable(subdivision, boundary)) continue;
        for (const uint32_t polygon : {boundary.left, boundary.right}) {
            ends.push_back({boundary.a, polygon, b, false});
            ends.push_back({boundary.b, polygon, b, true});
        }
    }
    std::ranges::sort(ends, {}, [](const End& end) { return std::tuple(end.vertex, end.polygon, end.boundary); });
    return ends;
}

// Union-find: connected components of the polygons around a vertex, adjacent through boundaries that end there. Returns for each end the
// first end of its component.
std::vector<uint32_t> components_around(std::span<const End> around) {
    std::vector<uint32_t> parent(around.size()), by_boundary(around.size());
    for (uint32_t i = 0; i < parent.size(); ++i) parent[i] = by_boundary[i] = i;
    std::ranges::sort(by_boundary, {}, [&](uint32_t i) { return std::pair(around[i].boundary, i); });
    const auto find_root = [&](uint32_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    const auto unite = [&](uint32_t i, uint32_t j) { parent[std::max(find_root(i), find_root(j))] = std::min(find_root(i), find_root(j)); };
    for (uint32_t i = 1; i < parent.size(); ++i) {
        const uint32_t before = by_boundary[i - 1], other = by_boundary[i];
        if (around[i].polygon == around[i - 1].polygon) unite(i, i - 1);
        if (around[before].boundary == around[other].boundary) unite(before, other);
    }
    for (uint32_t i = 0; i < parent.size(); ++i) parent[i] = find_root(i);
    return parent;
}

// Calls visit(members) for each connected component around each vertex, with its ends sorted by polygon.
template <class Visit>
void each_corner_node(const Subdivision& subdivision, Visit&& visit) {
    const std::vector<End> ends = list_ends(subdivision);
    std::vector<End> members;
    for (size_t begin = 0, end = 0; begin < ends.size(); begin = end) {
        while (end < ends.size() && ends[end].vertex == ends[begin].vertex) ++end;
        const auto around = std::span(ends).subspan(begin, end - begin);
        const std::vector<uint32_t> first = components_around(around);
        for (uint32_t component = 0; component < first.size(); ++component) {
            if (first[component] != component) continue;
            members.clear();
            for (size_t i = component; i < first.size(); ++i) {
                if (first[i] == component) members.push_back(around[i]);
            }
            visit(std::span<const End>(members));
        }
    }
}

}  // namespace

void BprepLayout::build(const Subdivision& subdivision, double spacing) {
    TERRANE_ASSERT(spacing > 0);
    const uint64_t key = hash_of(subdivision, spacing);
    if (key == key_) return;
    TERRANE_ASSERT(count_boundary_points(subdivision, spacing) <= kMaxBoundaryPoints);
    add_corner_nodes(subdivision);
    add_inner_nodes(subdivision, spacing);
    list_entries(subdivision);
    key_ = key;
}

void BprepLayout::add_corner_nodes(const Subdivision& subdivision) {
    points_.clear();
    polygons_at_.clear();
    first_at_.assign(1, 0);
    boundary_nodes_.assign(subdivision.boundaries().size(), {});
    each_corner_node(subdivision, [&](std::span<const End> members) {
        uint32_t last = kNoPolygon;
        for (const End& end : members) {
            (end.at_b ? boundary_nodes_[end.boundary].b : boundary_nodes_[end.boundary].a) = nodes();
            if (end.polygon != last) polygons_at_.push_back(last = end.polygon);
        }
        points_.push_back(subdivision.vertex(members[0].vertex));
        first_at_.push_back(static_cast<uint32_t>(polygons_at_.size()));
    });
    corners_ = nodes();
}

void BprepLayout::add_inner_nodes(const Subdivision& subdivision, double spacing) {
    boundary_of_.clear();
    for (uint32_t b = 0; b < boundary_nodes_.size(); ++b) {
        if (!is_crossable(subdivision, subdivision.boundaries()[b])) continue;
        const Segment segment = subdivision.segment(subdivision.boundaries()[b]);
        const uint32_t parts = part_count(segment, spacing);
        boundary_nodes_[b].first = nodes();
        boundary_nodes_[b].count = parts - 1;
        for (uint32_t i = 1; i < parts; ++i) points_.push_back(segment.at(static_cast<double>(i) / parts));
        boundary_of_.resize(points_.size() - corners_, b);
    }
}

void BprepLayout::list_entries(const Subdivision& subdivision) {
    entries_.clear();
    first_of_.assign(1, 0);
    std::vector<uint32_t> corners;
    for (uint32_t polygon = 0; polygon < subdivision.size(); ++polygon) {
        corners.clear();
        for (const uint32_t b : subdivision.boundaries_of(polygon)) {
            if (is_crossable(subdivision, subdivision.boundaries()[b]))
                corners.insert(corners.end(), {boundary_nodes_[b].a, boundary_nodes_[b].b});
        }
        std::ranges::sort(corners);
        corners.erase(std::ranges::unique(corners).begin(), corners.end());
        for (const uint32_t node : corners) entries_.push_back({points_[node], node});
        for (const uint32_t b : subdivision.boundaries_of(polygon)) {
            BoundaryNodes& boundary_nodes = boundary_nodes_[b];
            boundary_nodes.run[subdivision.boundaries()[b].left == polygon ? 0 : 1] = entries_.size() - first_of_.back();
            for (uint32_t i = 0; i < boundary_nodes.count; ++i)
                entries_.push_back({points_[boundary_nodes.first + i], boundary_nodes.first + i});
        }
        first_of_.push_back(entries_.size());
    }
}

std::array<uint32_t, 2> BprepLayout::neighbours(uint32_t node) const {
    const BoundaryNodes& boundary_nodes = boundary_nodes_[boundary_of(node)];
    return {node > boundary_nodes.first ? node - 1 : boundary_nodes.a,
            node + 1 < boundary_nodes.first + boundary_nodes.count ? node + 1 : boundary_nodes.b};
}

bool BprepLayout::is_on(uint32_t node, uint32_t boundary) const {
    const BoundaryNodes& boundary_nodes = boundary_nodes_[boundary];
    return node == boundary_nodes.a || node == boundary_nodes.b ||
           (node >= boundary_nodes.first && node < boundary_nodes.first + boundary_nodes.count);
}

size_t BprepLayout::bytes() const {
    return points_.capacity() * sizeof(Point) + boundary_nodes_.capacity() * sizeof(BoundaryNodes) + entries_.capacity() * sizeof(Entry) +
           first_of_.capacity() * sizeof(size_t) +
           sizeof(uint32_t) * (boundary_of_.capacity() + first_at_.capacity() + polygons_at_.capacity());
}

}  // namespace detail

uint64_t count_boundary_points(const Subdivision& subdivision, double spacing) {
    TERRANE_ASSERT(spacing > 0);
    uint64_t count = 0;
    detail::each_corner_node(subdivision, [&](auto) { ++count; });
    for (const auto& b : subdivision.boundaries())
        count += detail::is_crossable(subdivision, b) ? detail::part_count(subdivision.segment(b), spacing) - 1 : 0;
    return count;
}

}  // namespace terrane
