// The nodes of BPrep: points on the boundaries between passable polygons. These suffice: inside a polygon the cheapest path is straight, so
// a path bends at the outline of a blocked polygon only where two passable polygons meet.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/weighted_regions/subdivision.h"

namespace terrane::detail {

class BprepLayout {
public:
    // A node of a polygon, with its point: all that computing an edge needs.
    struct Entry {
        Point at;
        uint32_t node = 0;
    };

    // Places the points, unless subdivision and spacing equal those of the last call (compared by hash).
    void build(const Subdivision& subdivision, double spacing);

    // Corners come first, then the points inside the boundaries, boundary by boundary. A corner has one node per connected component of the
    // passable polygons around it, so that no path passes between two blocked polygons.
    uint32_t nodes() const { return static_cast<uint32_t>(points_.size()); }
    bool is_corner(uint32_t node) const { return node < corners_; }
    Point point(uint32_t node) const { return points_[node]; }

    std::span<const uint32_t> polygons_at(uint32_t corner) const {
        return std::span(polygons_at_).subspan(first_at_[corner], first_at_[corner + 1] - first_at_[corner]);
    }
    // Only for nodes that are not corners.
    uint32_t boundary_of(uint32_t node) const { return boundary_of_[node - corners_]; }
    // The previous and the next node on its boundary.
    std::array<uint32_t, 2> neighbours(uint32_t node) const;
    bool is_on(uint32_t node, uint32_t boundary) const;

    std::span<const Entry> entries(uint32_t polygon) const {
        return std::span(entries_).subspan(first_of_[polygon], first_of_[polygon + 1] - first_of_[polygon]);
    }
    // The entries of the points inside a boundary are consecutive in entries() of its polygon (side 0: left, 1: right): first index, count.
    size_t run_begin(uint32_t boundary, size_t side) const { return boundary_nodes_[boundary].run[side]; }
    size_t run_size(uint32_t boundary) const { return boundary_nodes_[boundary].count; }

    size_t bytes() const;

private:
    // Two corners, and `count` points between them from node `first`. Empty if one side is blocked.
    struct BoundaryNodes {
        uint32_t a = kNoPolygon, b = kNoPolygon;
        uint32_t first = 0, count = 0;
        std::array<size_t, 2> run{};
    };

    void add_corner_nodes(const Subdivision& subdivision);
    void add_inner_nodes(const Subdivision& subdivision, double spacing);
    void list_entries(const Subdivision& subdivision);

    uint64_t key_ = 0;  // hash of subdivision and spacing; 0: empty
    uint32_t corners_ = 0;
    std::vector<Point> points_;          // by node
    std::vector<uint32_t> boundary_of_;  // by node, without corners
    std::vector<uint32_t> first_at_, polygons_at_;
    std::vector<BoundaryNodes> boundary_nodes_;  // by boundary
    std::vector<size_t> first_of_;
    std::vector<Entry> entries_;  // by polygon
};

}  // namespace terrane::detail
