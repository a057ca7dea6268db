// Constrained Delaunay triangulation of lattice points, exact in integers.
// Based on: Lawson 1977 (edge flips), Sloan 1993 (constraints by edge flips).
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "weighted_regions/outlines.h"

namespace terrane::detail {

inline constexpr uint32_t kNoTriangle = 0xffffffff;
inline constexpr uint16_t kNoConstraint = 0xffff;

// Corners are counter-clockwise; side i runs from corner i to corner i + 1.
struct Triangle {
    std::array<uint32_t, 3> corner{};
    std::array<uint32_t, 3> neighbour{kNoTriangle, kNoTriangle, kNoTriangle};  // by side
    // By side: the terrain on this side of a constraint.
    std::array<uint16_t, 3> constraint{kNoConstraint, kNoConstraint, kNoConstraint};
};

class Triangulation {
public:
    // Distinct points of a rectangle from (0, 0), including its corners, with coordinates of at most 2^13. Fast if most points are near
    // their predecessor. The points must outlive the triangulation.
    explicit Triangulation(std::span<const LatticePoint> points);

    // Makes the segment from a to b a side. It must not pass through another point or cross another constraint.
    void add_constraint(uint32_t a, uint32_t b, Terrain left, Terrain right);

    std::span<const Triangle> triangles() const { return triangles_; }

private:
    struct Side {
        uint32_t triangle = kNoTriangle;
        uint32_t i = 0;
    };

    LatticePoint at(uint32_t v) const { return points_[v]; }
    int64_t turn_at(uint32_t a, uint32_t b, uint32_t c) const { return turn_of(at(a), at(b), at(c)); }
    uint32_t from(Side s) const { return triangles_[s.triangle].corner[s.i]; }
    uint32_t to(Side s) const { return triangles_[s.triangle].corner[(s.i + 1) % 3]; }
    uint32_t apex(Side s) const { return triangles_[s.triangle].corner[(s.i + 2) % 3]; }
    Side twin(Side s) const;

    void insert(uint32_t v);
    uint32_t locate(uint32_t v) const;
    void split_triangle(uint32_t triangle, uint32_t v);
    void split_side(Side s, uint32_t v);

    void set(uint32_t triangle, std::array<uint32_t, 3> corners);
    void link(Side s, Side t);
    void flip(Side s);
    bool violates_delaunay(Side s) const;
    void improve();

    // The side from a to b, with its triangle on the left; kNoTriangle if there is none.
    Side find(uint32_t a, uint32_t b) const;
    template <class Visit>
    void each_around(uint32_t v, Visit&& visit) const;
    Side first_crossed(uint32_t a, uint32_t b) const;
    void list_crossed(uint32_t a, uint32_t b);
    void remove_crossed(uint32_t a, uint32_t b);

    std::span<const LatticePoint> points_;
    std::vector<Triangle> triangles_;
    std::vector<uint32_t> around_;                        // by point: one of its triangles
    std::vector<std::pair<uint32_t, uint32_t>> crossed_;  // sides that cross a new constraint, by their ends
    std::vector<std::pair<uint32_t, uint32_t>> suspect_;  // sides that may violate the Delaunay condition
    uint32_t last_ = 0;                                   // triangle of the last inserted point
};

}  // namespace terrane::detail
