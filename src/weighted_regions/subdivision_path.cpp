#include "terrane/weighted_regions/subdivision_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace terrane {

namespace {

constexpr double kNearby = 4;  // tolerances: a polyline may be off a boundary by one, its cuts by more

// Walks along a polyline piece by piece. A piece is cut wherever it crosses the line of a side of a polygon that it touches; between two
// cuts it is in the same polygons all along, which its middle determines.
class PolylineWalk {
public:
    explicit PolylineWalk(const Subdivision& subdivision) : subdivision_(&subdivision), met_(subdivision.size(), 0) {}

    // A part of the polyline with one cost.
    struct Stretch {
        Point from;
        Point along;  // unit vector
        double length = 0;
        double cost = 0;
    };

    // Returns the cost of the polyline; `stretches`, if not null, receives its parts.
    double cost(std::span<const Point> points, std::vector<Stretch>* stretches = nullptr);

private:
    double piece_cost(const Segment& piece);
    void cut(const Segment& piece);
    void meet(const Segment& piece, uint32_t polygon);
    void spread(Point p);
    double enter(Point middle, double length);

    const Subdivision* subdivision_;
    std::vector<uint32_t> in_;      // passable polygons that contain the current point and that the walk has entered
    std::vector<uint32_t> around_;  // polygons at a point, or near a piece
    std::vector<double> cuts_;      // along the piece, 0 to 1
    std::vector<uint8_t> met_;      // by polygon: is in around_
    std::vector<Stretch>* stretches_ = nullptr;
};

// Clips the piece to the inside of a side's line, moved outwards by the tolerance.
void clip(double at_a, double at_b, double tolerance, double& from, double& to) {
    const double a = at_a + tolerance, b = at_b + tolerance;
    if (a < 0 && b < 0) to = -1;
    if (a < 0 && b >= 0) from = std::max(from, a / (a - b));
    if (a >= 0 && b < 0) to = std::min(to, a / (a - b));
}

// Adds the cuts with the polygon's sides and, if the piece touches the polygon, its neighbours to around_.
void PolylineWalk::meet(const Segment& piece, uint32_t polygon) {
    const auto ring = subdivision_->corners(polygon);
    double from = 0, to = 1;
    const size_t before = cuts_.size();
    for (size_t i = 0; i < ring.size(); ++i) {
        const Point origin = subdivision_->vertex(ring[i]), side = subdivision_->vertex(ring[(i + 1) % ring.size()]) - origin;
        const Point along = (1 / length(side)) * side;
        const double at_a = cross(along, piece.a - origin), at_b = cross(along, piece.b - origin);
        clip(at_a, at_b, subdivision_->tolerance(), from, to);
        if ((at_a < 0) != (at_b < 0) && at_a != 0 && at_b != 0) cuts_.push_back(at_a / (at_a - at_b));
    }
    const auto own = std::ranges::remove_if(std::ranges::subrange(cuts_.begin() + static_cast<ptrdiff_t>(before), cuts_.end()),
                                            [&](double place) { return place < from || place > to; });
    cuts_.erase(own.begin(), own.end());
    if (from > to) return;
    for (const uint32_t b : subdivision_->boundaries_of(polygon)) {
        const auto& boundary = subdivision_->boundaries()[b];
        const uint32_t other = boundary.left == polygon ? boundary.right : boundary.left;
        if (met_[other] == 0) met_[other] = 1, around_.push_back(other);
    }
}

void PolylineWalk::cut(const Segment& piece) {
    cuts_.assign({0.0, 1.0});
    subdivision_->locate_all(piece.a, around_);
    for (const uint32_t polygon : around_) met_[polygon] = 1;
    for (size_t i = 0; i < around_.size(); ++i) meet(piece, around_[i]);
    for (const uint32_t polygon : around_) met_[polygon] = 0;
    std::ranges::sort(cuts_);
}

// Extends in_ to the passable polygons around p that are connected, by boundaries at p, with one that the walk is in. Two convex polygons
// that share a boundary meet nowhere else, so any boundary between two polygons around p is at p.
void PolylineWalk::spread(Point p) {
    subdivision_->locate_all(p, around_);
    std::erase_if(around_, [&](uint32_t polygon) { return subdivision_->is_blocked(polygon); });
    std::erase_if(in_, [&](uint32_t polygon) { return !std::ranges::binary_search(around_, polygon); });
    for (size_t i = 0; i < in_.size(); ++i) {
        for (const uint32_t b : subdivision_->boundaries_of(in_[i])) {
            const auto& boundary = subdivision_->boundaries()[b];
            const uint32_t other = boundary.left == in_[i] ? boundary.right : boundary.left;
            if (std::ranges::binary_search(around_, other) && std::ranges::find(in_, other) == in_.end()) in_.push_back(other);
        }
    }
}

// Keeps the polygons of in_ that contain `middle`, up to the tolerance, and returns the cost of the cheapest. A stretch hardly longer than
// the tolerance would be within it of every nearby polygon: for those, a tolerance of a thousandth of the length comes first.
double PolylineWalk::enter(Point middle, double length) {
    const double tolerance = subdivision_->tolerance(), strict = std::min(tolerance, length / 1000);
    std::erase_if(in_, [&](uint32_t polygon) { return subdivision_->depth(polygon, middle) < -tolerance; });
    double near = kBlockedCost, inside = kBlockedCost;
    for (const uint32_t polygon : in_) {
        near = std::min(near, subdivision_->cost(polygon));
        if (subdivision_->depth(polygon, middle) >= -strict) inside = std::min(inside, subdivision_->cost(polygon));
    }
    return inside < kBlockedCost ? inside : near;
}

double PolylineWalk::piece_cost(const Segment& piece) {
    cut(piece);
    const double whole = distance(piece.a, piece.b);
    double sum = 0;
    for (size_t i = 0; i + 1 < cuts_.size(); ++i) {
        const double stretch = (cuts_[i + 1] - cuts_[i]) * whole;
        if (!(stretch > 0)) continue;
        spread(piece.at(cuts_[i]));
        const double cost = enter(piece.at((cuts_[i] + cuts_[i + 1]) / 2), stretch);
        sum += cost * stretch;
        if (in_.empty()) return kBlockedCost;
        if (stretches_ != nullptr) stretches_->push_back({piece.at(cuts_[i]), (1 / whole) * (piece.b - piece.a), stretch, cost});
    }
    return sum;
}

double PolylineWalk::cost(std::span<const Point> points, std::vector<Stretch>* stretches) {
    stretches_ = stretches;
    if (!std::ranges::all_of(points, is_finite)) return kBlockedCost;
    subdivision_->locate_all(points[0], in_);
    std::erase_if(in_, [&](uint32_t polygon) { return subdivision_->is_blocked(polygon); });
    double sum = 0;
    for (size_t i = 0; i + 1 < points.size() && sum < kBlockedCost; ++i) sum += piece_cost({points[i], points[i + 1]});
    spread(points.back());
    return in_.empty() ? kBlockedCost : sum;
}

// The boundary that contains p away from its ends; nullptr if there is none or p is at an end.
const Subdivision::Boundary* boundary_at(const Subdivision& subdivision, Point p, std::span<const uint32_t> around) {
    for (const uint32_t polygon : around) {
        for (const uint32_t b : subdivision.boundaries_of(polygon)) {
            const Subdivision::Boundary& boundary = subdivision.boundaries()[b];
            const Segment s = subdivision.segment(boundary);
            if (distance(s.at(nearest_place(s, p)), p) > kNearby * subdivision.tolerance()) continue;
            return std::min(distance(s.a, p), distance(s.b, p)) > kNearby * subdivision.tolerance() ? &boundary : nullptr;
        }
    }
    return nullptr;
}

SubdivisionCrossing crossing_between(const Subdivision& subdivision, const PolylineWalk::Stretch& before,
                                     const PolylineWalk::Stretch& after) {
    SubdivisionCrossing crossing{.at = after.from, .normal = {}, .cost_from = before.cost, .cost_to = after.cost};
    std::vector<uint32_t> around;
    subdivision.locate_all(after.from, around);
    const Subdivision::Boundary* boundary = boundary_at(subdivision, after.from, around);
    if (boundary == nullptr) return crossing;
    const Segment s = subdivision.segment(*boundary);
    const Point across = (1 / distance(s.a, s.b)) * Point{s.a.y - s.b.y, s.b.x - s.a.x};
    crossing.normal = dot(across, before.along + after.along) >= 0 ? across : -1 * across;
    const auto angle = [&](Point along) {
        const double off = std::abs(cross(crossing.normal, along)), straight = std::abs(dot(crossing.normal, along));
        return std::atan2(off, straight);  // libm: its last bit may differ between machines, so it is only reported, never compared
    };
    crossing.angle_from = angle(before.along);
    crossing.angle_to = angle(after.along);
    return crossing;
}

}  // namespace

double subdivision_path_cost(const Subdivision& subdivision, std::span<const Point> points) {
    return points.size() < 2 ? 0 : PolylineWalk(subdivision).cost(points);
}

std::vector<SubdivisionCrossing> subdivision_path_crossings(const Subdivision& subdivision, std::span<const Point> points) {
    std::vector<SubdivisionCrossing> crossings;
    std::vector<PolylineWalk::Stretch> stretches;
    if (points.size() < 2 || PolylineWalk(subdivision).cost(points, &stretches) == kBlockedCost) return crossings;
    std::erase_if(stretches, [&](const PolylineWalk::Stretch& s) { return s.length <= kNearby * subdivision.tolerance(); });
    for (size_t i = 1; i < stretches.size(); ++i) {
        if (stretches[i].cost != stretches[i - 1].cost) crossings.push_back(crossing_between(subdivision, stretches[i - 1], stretches[i]));
    }
    return crossings;
}

Status subdivision_path_ends(const Subdivision& subdivision, Point from, Point to, std::vector<uint32_t>& from_in,
                             std::vector<uint32_t>& to_in) {
    subdivision.locate_all(from, from_in);
    subdivision.locate_all(to, to_in);
    if (from_in.empty() || to_in.empty()) return Status::kOutsideMap;
    const auto blocked = [&](uint32_t polygon) { return subdivision.is_blocked(polygon); };
    std::erase_if(from_in, blocked);
    std::erase_if(to_in, blocked);
    if (from_in.empty()) return Status::kBlockedStart;
    return to_in.empty() ? Status::kBlockedGoal : Status::kFound;
}

}  // namespace terrane
