#include "terrane/weighted_regions/subdivision.h"

#include <algorithm>
#include <cmath>

#include "terrane/base/assert.h"

namespace terrane {

void PolygonSet::add(std::span<const uint32_t> polygon_corners, double cost) {
    corners.insert(corners.end(), polygon_corners.begin(), polygon_corners.end());
    ends.push_back(static_cast<uint32_t>(corners.size()));
    costs.push_back(cost);
}

void Subdivision::set_cost(uint32_t polygon, double cost) {
    TERRANE_ASSERT(polygon < size() && cost > 0);
    set_.costs[polygon] = cost;
}

double Subdivision::area(uint32_t polygon) const {
    TERRANE_ASSERT(polygon < size());
    const auto ring = corners(polygon);
    const Point origin = vertex(ring[0]);
    double doubled = 0;
    for (size_t i = 1; i + 1 < ring.size(); ++i) doubled += cross(vertex(ring[i]) - origin, vertex(ring[i + 1]) - origin);
    return doubled / 2;
}

double Subdivision::depth(uint32_t polygon, Point p) const {
    const size_t begin = polygon > 0 ? set_.ends[polygon - 1] : 0;
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = begin; i < set_.ends[polygon]; ++i) least = std::min(least, cross(directions_[i], p - vertex(set_.corners[i])));
    return least;
}

size_t Subdivision::bucket_at(Point p) const {
    const auto index = [](double offset, double extent, uint32_t count) {
        return static_cast<uint32_t>(std::clamp(offset / extent * count, 0.0, count - 1.0));
    };
    return size_t{index(p.y - low_.y, high_.y - low_.y, rows_)} * columns_ + index(p.x - low_.x, high_.x - low_.x, columns_);
}

std::span<const uint32_t> Subdivision::bucket(Point p) const {
    const size_t at = bucket_at(p);
    return std::span(in_bucket_).subspan(first_in_[at], first_in_[at + 1] - first_in_[at]);
}

uint32_t Subdivision::locate(Point p) const {
    if (!is_finite(p)) return kNoPolygon;
    for (const uint32_t polygon : bucket(p)) {
        if (depth(polygon, p) >= -tolerance_) return polygon;
    }
    return kNoPolygon;
}

void Subdivision::locate_all(Point p, std::vector<uint32_t>& out) const {
    out.clear();
    if (!is_finite(p)) return;
    for (const uint32_t polygon : bucket(p)) {
        if (depth(polygon, p) >= -tolerance_) out.push_back(polygon);
    }
}

size_t Subdivision::bytes() const {
    return set_.vertices.capacity() * sizeof(Point) + set_.costs.capacity() * sizeof(double) + directions_.capacity() * sizeof(Point) +
           boundaries_.capacity() * sizeof(Boundary) +
           sizeof(uint32_t) * (set_.corners.capacity() + set_.ends.capacity() + first_of_.capacity() + by_polygon_.capacity() +
                               first_in_.capacity() + in_bucket_.capacity());
}

}  // namespace terrane
