// The polygons of an island: a Delaunay triangulation of scattered sites and its dual. Each site has one polygon; each triangle is a corner
// where three polygons meet; each side of a triangle connects two sites and is crossed by the border between their polygons.
// Based on: Patel 2010 (polygon map generation), Patel 2017 (dual mesh: corners at the centroids of
// the triangles); Lawson 1977 (Delaunay by flips).
#pragma once
#include <cstdint>
#include <vector>

namespace terrane::detail {

inline constexpr int32_t kUnit = 1024;  // mesh units per mean polygon side
inline constexpr uint32_t kNone = 0xffffffff;

struct GridPoint {
    int32_t x = 0;
    int32_t y = 0;
};

inline int64_t cross(GridPoint a, GridPoint b, GridPoint c) {
    return (int64_t{b.x} - a.x) * (int64_t{c.y} - a.y) - (int64_t{b.y} - a.y) * (int64_t{c.x} - a.x);
}

// Returns a + (b - a) * share / whole.
inline GridPoint mix(GridPoint a, GridPoint b, int32_t share, int32_t whole) {
    const auto part = [&](int32_t from, int32_t to) { return static_cast<int32_t>(from + (int64_t{to} - from) * share / whole); };
    return {part(a.x, b.x), part(a.y, b.y)};
}

int64_t isqrt(int64_t n);                    // floor of the square root, n >= 0
int32_t distance(GridPoint a, GridPoint b);  // Euclidean, rounded down

// Half-edge mesh. Side s belongs to triangle s / 3 and starts at site start[s]; the sides of a triangle are consecutive.
struct Mesh {
    int32_t columns = 0;  // polygons across the map; kMargin more lie around it
    int32_t rows = 0;
    GridPoint origin;  // the map's upper left corner; its extent is columns * kUnit by rows * kUnit
    std::vector<GridPoint> sites;
    std::vector<GridPoint> corners;
    std::vector<uint32_t> start;  // by side
    std::vector<uint32_t> twin;   // by side: the opposite half-edge; kNone at the rim
    std::vector<uint32_t> spoke;  // by site: one side that starts there
    std::vector<uint8_t> rim;     // by site: 1 if the polygon is not closed

    static uint32_t next(uint32_t side) { return side % 3 == 2 ? side - 2 : side + 1; }
    static uint32_t previous(uint32_t side) { return side % 3 == 0 ? side + 2 : side - 1; }
    static uint32_t corner(uint32_t side) { return side / 3; }

    uint32_t polygons() const { return static_cast<uint32_t>(sites.size()); }
    uint32_t end(uint32_t side) const { return start[next(side)]; }
    uint32_t edge(uint32_t side) const { return side < twin[side] ? side : twin[side]; }  // the lower of both twins
    bool on_map(GridPoint p) const {
        return p.x >= origin.x && p.y >= origin.y && p.x < origin.x + columns * kUnit && p.y < origin.y + rows * kUnit;
    }

    // Calls visit(side) for each side that starts at the polygon's site, in rotational order. Not for polygons of the rim.
    template <class Visit>
    void around(uint32_t polygon, Visit&& visit) const {
        uint32_t side = spoke[polygon];
        do {
            visit(side);
            side = twin[previous(side)];
        } while (side != spoke[polygon]);
    }
};

// Columns and rows >= 1. Deterministic.
Mesh build_mesh(int32_t columns, int32_t rows, uint64_t seed);

}  // namespace terrane::detail
