// Triangles over corners of cells, with given lines among their sides.
// Based on: Lawson 1977 (flips), Sloan 1993 (lines by flips).
//
// In integers, exact. As near to Delaunay's triangulation as the lines allow: triangles are as fat as they can be.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "weighted_regions/outlines.h"

namespace terrane::detail {

inline constexpr uint32_t kNoTriangle = 0xffffffff;
inline constexpr uint16_t kNoWall = 0xffff;

// Corners are counter-clockwise; side i is from corner i to corner i + 1.
struct Triangle {
    std::array<uint32_t, 3> corner{};
    std::array<uint32_t, 3> beyond{kNoTriangle, kNoTriangle, kNoTriangle};  // by side: the neighbour
    std::array<uint16_t, 3> wall{kNoWall, kNoWall, kNoWall};  // by side: where a line was given, the terrain on this side of it
};

class Triangulation {
public:
    // Points of a rectangle from (0, 0), its corners among them, each once, none larger than 2^13. Quick where most are near to the one
    // before. They must outlive the triangulation.
    explicit Triangulation(std::span<const LatticePoint> points);

    // The line from a to b becomes a side. It must not go through another point, or cross another such line.
    void add_line(uint32_t a, uint32_t b, Terrain left, Terrain right);

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
    bool is_bad(Side s) const;
    void improve();

    // The side from a to b with its triangle on the left, if there is one.
    Side find(uint32_t a, uint32_t b) const;
    template <class Visit>
    void each_around(uint32_t v, Visit&& visit) const;
    Side first_crossed(uint32_t a, uint32_t b) const;
    void list_crossed(uint32_t a, uint32_t b);
    void clear_way(uint32_t a, uint32_t b);

    std::span<const LatticePoint> points_;
    std::vector<Triangle> triangles_;
    std::vector<uint32_t> around_;                        // by point: a triangle that it is a corner of
    std::vector<std::pair<uint32_t, uint32_t>> crossed_;  // sides in the way of a line, by their ends
    std::vector<std::pair<uint32_t, uint32_t>> suspect_;  // sides that may be bad
    uint32_t last_ = 0;                                   // where the last point went
};

}  // namespace terrane::detail
