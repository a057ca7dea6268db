// Points and segments in the plane, in doubles. For the rooms that leave the grid; cells have cell.h.
// Based on: Shewchuk 1997 (adaptive precision predicates).
//
// Coordinates must be finite and, where they are not 0, between 1e-70 and 1e70 in size: `turn` is exact there.
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

// May be a single point.
struct Segment {
    Point a;
    Point b;

    bool operator==(const Segment&) const = default;

    // The point at `place`, 0 at a and 1 at b: those exactly.
    constexpr Point at(double place) const { return place <= 0.5 ? a + place * (b - a) : b + (1 - place) * (a - b); }
};

// Where on the segment its point nearest to p is, 0 to 1; 0 where the segment is a point.
double nearest_place(const Segment& segment, Point p);

// 1 where the way a, b, c turns left (y upwards), -1 where it turns right, 0 where the three are on a line. Exact.
int turn(Point a, Point b, Point c);

}  // namespace terrane
