// A part of the plane cut into convex polygons, each with a cost for a unit of the way through it, or blocked.
//
// Polygons meet along boundaries, the longest stretches that two of them share. Corners need not meet corners: a long side may have several
// neighbours, and then is several boundaries. What is left of the sides is the outline, which may be of any shape and in several parts, but
// has no holes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/base/result.h"

namespace terrane {

namespace detail {
class SubdivisionMaker;
}

inline constexpr double kBlockedCost = std::numeric_limits<double>::infinity();
inline constexpr uint32_t kNoPolygon = 0xffffffff;
inline constexpr size_t kMaxSubdivisionVertices = size_t{1} << 20;
inline constexpr size_t kMaxSubdivisionCorners = size_t{1} << 22;  // of all polygons
inline constexpr size_t kMaxPolygonCorners = 1024;                 // of one
inline constexpr double kMaxSubdivisionCoordinate = 1e9;

// What a subdivision is made of. Vertices are shared by index.
struct PolygonSet {
    std::vector<Point> vertices;
    std::vector<uint32_t> corners;  // vertices of the polygons, one after the other, each counter-clockwise (y upwards)
    std::vector<uint32_t> ends;     // by polygon: where in `corners` its own end
    std::vector<double> costs;      // by polygon: positive and finite, or kBlockedCost

    size_t size() const { return costs.size(); }
    std::span<const uint32_t> polygon(size_t p) const {
        const size_t begin = p > 0 ? ends[p - 1] : 0;
        return std::span(corners).subspan(begin, ends[p] - begin);
    }
    void add(std::span<const uint32_t> polygon_corners, double cost);
};

class Subdivision {
public:
    struct Boundary {
        uint32_t a = 0, b = 0;         // vertices; from a to b, `left` is on the left
        uint32_t left = 0, right = 0;  // polygons, left < right
    };

    size_t size() const { return set_.size(); }
    const PolygonSet& polygons() const { return set_; }
    std::span<const uint32_t> corners(uint32_t polygon) const { return set_.polygon(polygon); }
    Point vertex(uint32_t v) const { return set_.vertices[v]; }
    double cost(uint32_t polygon) const { return set_.costs[polygon]; }
    bool is_blocked(uint32_t polygon) const { return set_.costs[polygon] == kBlockedCost; }
    double area(uint32_t polygon) const;
    // Positive and finite, or kBlockedCost. Takes no time; searches that are under way must begin again.
    void set_cost(uint32_t polygon, double cost);

    // In the order of `left`, then `right`.
    std::span<const Boundary> boundaries() const { return boundaries_; }
    std::span<const uint32_t> boundaries_of(uint32_t polygon) const {
        return std::span(by_polygon_).subspan(first_of_[polygon], first_of_[polygon + 1] - first_of_[polygon]);
    }
    Segment segment(const Boundary& boundary) const { return {vertex(boundary.a), vertex(boundary.b)}; }

    // Distances up to this are none: a billionth of the extent.
    double tolerance() const { return tolerance_; }
    Point low() const { return low_; }  // the box around everything
    Point high() const { return high_; }

    // Signed: inside positive, to the nearest side; outside negative, to the line of the side furthest off.
    double depth(uint32_t polygon, Point p) const;
    // The polygon that has p in it or, to the tolerance, on its rim: of several the first. kNoPolygon outside, and for what is not finite.
    uint32_t locate(Point p) const;
    // All of those, in order; replaces what is in `out`.
    void locate_all(Point p, std::vector<uint32_t>& out) const;

    size_t bytes() const;

private:
    friend class detail::SubdivisionMaker;
    Subdivision() = default;

    size_t bucket_at(Point p) const;
    std::span<const uint32_t> bucket(Point p) const;

    PolygonSet set_;
    std::vector<Point> directions_;  // by corner: of the side that starts there, of length 1
    std::vector<Boundary> boundaries_;
    std::vector<uint32_t> first_of_;  // by polygon, into by_polygon_
    std::vector<uint32_t> by_polygon_;
    Point low_, high_;
    double tolerance_ = 0;
    uint32_t columns_ = 1, rows_ = 1;  // of a grid of buckets over the box
    std::vector<uint32_t> first_in_;   // by bucket, into in_bucket_
    std::vector<uint32_t> in_bucket_;  // polygons whose boxes touch the bucket
};

// Refused, with a reason that names the polygon, or both, and the vertex: vertices that are not finite, beyond kMaxSubdivisionCoordinate,
// or within the tolerance of another; corners that are no vertex; fewer than three, or more than kMaxPolygonCorners; clockwise, not convex,
// or wound more than once; thinner than the tolerance; costs that are not positive; polygons that overlap; gaps. Corners of 180 degrees
// are allowed. Refused as too large: more vertices or corners than the limits, or polygons so tangled that the test for overlaps would take
// more than some seconds. A million squares take two, 10,000 Voronoi cells 0.1.
Result<Subdivision> make_subdivision(PolygonSet set);

// The Voronoi cells of sites within a rectangle, in the order of the sites. Refused: no site, sites outside the rectangle or (to the
// tolerance) in one place, more than kMaxVoronoiSites, as many costs as sites missing.
inline constexpr size_t kMaxVoronoiSites = 100'000;
Result<Subdivision> voronoi_subdivision(std::span<const Point> sites, std::span<const double> costs, Point low, Point high);

struct VoronoiFieldOptions {
    double width = 600;  // of the rectangle from (0, 0)
    double height = 600;
    uint32_t sites = 24;
    uint32_t min_cost = 1;  // costs are whole numbers, drawn from these to those
    uint32_t max_cost = 8;
    uint64_t seed = 1;
    uint32_t blocked = 0;  // so many of a hundred polygons are, drawn at random; 0 to 100
};

// The paper's maps: sites and costs drawn at random.
Result<Subdivision> random_voronoi_subdivision(const VoronoiFieldOptions& options);

}  // namespace terrane
