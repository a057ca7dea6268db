// The nodes of boundary point search: points on the boundaries between passable polygons. Nothing else of a boundary matters: inside
// a polygon the best way is straight, so that a path bends on the rim of blocked ground only where two passable polygons meet.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/weighted_regions/subdivision.h"

namespace terrane::detail {

class BoundaryLayout {
public:
    // A node of a polygon, with all that an edge to it needs.
    struct Entry {
        Point at;
        uint32_t node = 0;
    };

    // Lays the points out, unless field and spacing are those of the last time.
    void lay_out(const Subdivision& field, double spacing);

    // Corners come first, then the points inside the boundaries, boundary by boundary. A corner where passable polygons meet that do not
    // hang together around it (blocked ones lie between) is a node for each part: no path slips through.
    uint32_t nodes() const { return static_cast<uint32_t>(points_.size()); }
    bool is_corner(uint32_t node) const { return node < corners_; }
    Point point(uint32_t node) const { return points_[node]; }

    std::span<const uint32_t> polygons_at(uint32_t corner) const {
        return std::span(polygons_at_).subspan(first_at_[corner], first_at_[corner + 1] - first_at_[corner]);
    }
    // Of a node that is no corner.
    uint32_t boundary_of(uint32_t node) const { return boundary_of_[node - corners_]; }
    // The node before and the one after it on its boundary.
    std::array<uint32_t, 2> neighbours(uint32_t node) const;
    bool is_on(uint32_t node, uint32_t boundary) const;

    std::span<const Entry> entries(uint32_t polygon) const {
        return std::span(entries_).subspan(first_of_[polygon], first_of_[polygon + 1] - first_of_[polygon]);
    }
    // Where in the entries of its polygon (side 0: left, 1: right) those of the points inside the boundary begin, and how many they are.
    size_t run_begin(uint32_t boundary, size_t side) const { return lines_[boundary].run[side]; }
    size_t run_size(uint32_t boundary) const { return lines_[boundary].count; }

    size_t bytes() const;

private:
    // A boundary's nodes: two corners, and `count` points between them from `first` on. None where one side is blocked.
    struct Line {
        uint32_t a = kNoPolygon, b = kNoPolygon;
        uint32_t first = 0, count = 0;
        std::array<size_t, 2> run{};
    };

    void place_corners(const Subdivision& field);
    void place_points(const Subdivision& field, double spacing);
    void list_entries(const Subdivision& field);

    uint64_t key_ = 0;  // of what is laid out: a hash; 0 for nothing
    uint32_t corners_ = 0;
    std::vector<Point> points_;          // by node
    std::vector<uint32_t> boundary_of_;  // by node, corners left out
    std::vector<uint32_t> first_at_, polygons_at_;
    std::vector<Line> lines_;  // by boundary
    std::vector<size_t> first_of_;
    std::vector<Entry> entries_;  // by polygon
};

}  // namespace terrane::detail
