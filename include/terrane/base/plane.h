// Points and segments in the plane, in doubles, and an exact orientation predicate. For grid cells, see cell.h.
// Based on: Shewchuk 1997 (adaptive precision predicates).
//
// Coordinates must be finite and either 0 or between 1e-70 and 1e70 in magnitude: `turn` is exact in this range.
#pragma once
#include <cmath>

namespace terrane {

struct Point {
    double x = 0;
    double y = 0;

    bool operator==(const Point&) const = default;
};

constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
constexpr Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
constexpr Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }

constexpr double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
constexpr double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }  // > 0 where b is to the left of a
inline double length(Point a) { return std::sqrt(dot(a, a)); }
inline double distance(Point a, Point b) { return length(b - a); }
inline bool is_finite(Point a) { return std::isfinite(a.x) && std::isfinite(a.y); }

// A segment; a and b may be equal. A `place` is a position along the segment: 0 at a, 1 at b.
struct Segment {
    Point a;
    Point b;

    bool operator==(const Segment&) const = default;

    // Exact at places 0 and 1.
    constexpr Point at(double place) const { return place <= 0.5 ? a + place * (b - a) : b + (1 - place) * (a - b); }
};

// Returns the place of the segment's point nearest to p, 0 to 1; 0 if the segment is a single point.
double nearest_place(const Segment& segment, Point p);

// Orientation of a, b, c: 1 for a left turn (y upwards), -1 for a right turn, 0 if collinear. Exact.
int turn(Point a, Point b, Point c);

}  // namespace terrane
