// Merges points that are equal up to a tolerance.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/base/rng.h"

namespace terrane::detail {

// A point within `tolerance` of an earlier one, in each coordinate, is identified with it. Coordinates up to 2^30 tolerances in magnitude.
class VertexWelder {
public:
    VertexWelder(double tolerance, size_t expected) : tolerance_(tolerance), heads_(std::bit_ceil(expected + 1) * 2, kNone) {
        points_.reserve(expected);
        next_.reserve(expected);
    }

    // Returns the index of the point; new points are numbered consecutively from 0.
    uint32_t add(Point p) {
        for (const double dx : {-tolerance_, tolerance_}) {
            for (const double dy : {-tolerance_, tolerance_}) {
                const uint32_t found = find(slot({p.x + dx, p.y + dy}), p);
                if (found != kNone) return found;
            }
        }
        const auto number = static_cast<uint32_t>(points_.size());
        uint32_t& head = heads_[slot(p)];
        points_.push_back(p);
        next_.push_back(head);
        head = number;
        return number;
    }

    const std::vector<Point>& points() const { return points_; }

private:
    static constexpr uint32_t kNone = 0xffffffff;

    // Hash cells are four tolerances wide: points within the tolerance lie in the cells of the four corners around p.
    size_t slot(Point p) const {
        const auto column = static_cast<int64_t>(std::floor(p.x / (4 * tolerance_)));
        const auto row = static_cast<int64_t>(std::floor(p.y / (4 * tolerance_)));
        return static_cast<size_t>(mix64(mix64(static_cast<uint64_t>(column)) ^ static_cast<uint64_t>(row))) & (heads_.size() - 1);
    }

    uint32_t find(size_t at, Point p) const {
        for (uint32_t i = heads_[at]; i != kNone; i = next_[i]) {
            if (std::abs(points_[i].x - p.x) <= tolerance_ && std::abs(points_[i].y - p.y) <= tolerance_) return i;
        }
        return kNone;
    }

    double tolerance_;
    std::vector<uint32_t> heads_;  // by hash of the cell
    std::vector<uint32_t> next_;   // by point
    std::vector<Point> points_;
};

}  // namespace terrane::detail
