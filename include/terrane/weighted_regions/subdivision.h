// A weighted planar subdivision: convex polygons, each blocked or with a cost per unit length.
//
// Polygons meet along boundaries, the maximal segments that two of them share. The polygons need not match corner to corner: a long side
// with several neighbours has several boundaries. The remaining parts of the sides form the outline. It may have any shape and several
// connected components, but no holes.
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
inline constexpr size_t kMaxSubdivisionCorners = size_t{1} << 22;  // of all polygons together
inline constexpr size_t kMaxPolygonCorners = 1024;                 // of one polygon
inline constexpr double kMaxSubdivisionCoordinate = 1e9;

// The input of make_subdivision. Polygons share vertices by index.
struct PolygonSet {
    std::vector<Point> vertices;
    std::vector<uint32_t> corners;  // vertex indices of all polygons in order, each counter-clockwise (y upwards)
    std::vector<uint32_t> ends;     // by polygon: index in `corners` after its last corner
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
        uint32_t a = 0, b = 0;         // vertices; `left` is to the left of the direction from a to b
        uint32_t left = 0, right = 0;  // polygons, left < right
    };

    size_t size() const { return set_.size(); }
    const PolygonSet& polygons() const { return set_; }
    std::span<const uint32_t> corners(uint32_t polygon) const { return set_.polygon(polygon); }
    Point vertex(uint32_t v) const { return set_.vertices[v]; }
    double cost(uint32_t polygon) const { return set_.costs[polygon]; }
    bool is_blocked(uint32_t polygon) const { return set_.costs[polygon] == kBlockedCost; }
    double area(uint32_t polygon) const;
    // `cost`: positive and finite, or kBlockedCost. O(1). Running searches over this subdivision become invalid: call begin() again.
    void set_cost(uint32_t polygon, double cost);

    // Sorted by `left`, then `right`.
    std::span<const Boundary> boundaries() const { return boundaries_; }
    std::span<const uint32_t> boundaries_of(uint32_t polygon) const {
        return std::span(by_polygon_).subspan(first_of_[polygon], first_of_[polygon + 1] - first_of_[polygon]);
    }
    Segment segment(const Boundary& boundary) const { return {vertex(boundary.a), vertex(boundary.b)}; }

    // Distances up to this count as 0: 1e-9 times the extent.
    double tolerance() const { return tolerance_; }
    Point low() const { return low_; }  // corners of the bounding box
    Point high() const { return high_; }

    // Signed distance: positive inside, to the nearest side; negative outside, to the line of the side that is furthest away.
    double depth(uint32_t polygon, Point p) const;
    // Returns the polygon that contains p, up to the tolerance; the lowest index if there are several. kNoPolygon if p is outside or not
    // finite.
    uint32_t locate(Point p) const;
    // Replaces `out` with all polygons that contain p, up to the tolerance, in ascending order.
    void locate_all(Point p, std::vector<uint32_t>& out) const;

    size_t bytes() const;

private:
    friend class detail::SubdivisionMaker;
    Subdivision() = default;

    size_t bucket_at(Point p) const;
    std::span<const uint32_t> bucket(Point p) const;

    PolygonSet set_;
    std::vector<Point> directions_;  // by corner: unit vector along the side that starts there
    std::vector<Boundary> boundaries_;
    std::vector<uint32_t> first_of_;  // by polygon, into by_polygon_
    std::vector<uint32_t> by_polygon_;
    Point low_, high_;
    double tolerance_ = 0;
    uint32_t columns_ = 1, rows_ = 1;  // of the bucket grid over the bounding box
    std::vector<uint32_t> first_in_;   // by bucket, into in_bucket_
    std::vector<uint32_t> in_bucket_;  // polygons whose bounding boxes touch the bucket
};

// Validates the polygons and builds the subdivision.
// kBadValue, with a message that names the polygon or polygons and the vertex: no polygons; vertices that are not finite, beyond
// kMaxSubdivisionCoordinate, or within the tolerance of another; corners that are not vertices; polygons with fewer than three corners,
// clockwise, not convex, wound more than once, or thinner than the tolerance; costs that are not positive; overlaps; gaps. Corners of 180
// degrees are allowed. kTooLarge: more vertices or corners than the limits, or polygons so tangled that the overlap test would take more
// than a few seconds.
// A million squares take 2 s, 10,000 Voronoi cells 0.1 s.
Result<Subdivision> make_subdivision(PolygonSet set);

// Builds the Voronoi cells of the sites within a rectangle, in the order of the sites. kBadValue: no site, sites outside the rectangle or
// within the tolerance of each other, not as many costs as sites. kTooLarge: more than kMaxVoronoiSites.
inline constexpr size_t kMaxVoronoiSites = 100'000;
Result<Subdivision> voronoi_subdivision(std::span<const Point> sites, std::span<const double> costs, Point low, Point high);

struct VoronoiSubdivisionOptions {
    double width = 600;  // of the rectangle, whose low corner is (0, 0)
    double height = 600;
    uint32_t sites = 24;
    uint32_t min_cost = 1;  // costs are random integers from min_cost to max_cost
    uint32_t max_cost = 8;
    uint64_t seed = 1;
    uint32_t blocked = 0;  // probability that a polygon is blocked, in percent; 0 to 100
};

// Builds the random maps of the Brep and BPrep paper: random sites and costs.
Result<Subdivision> random_voronoi_subdivision(const VoronoiSubdivisionOptions& options);

}  // namespace terrane
