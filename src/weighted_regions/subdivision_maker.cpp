#include "weighted_regions/subdivision_maker.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace terrane::detail {

namespace {

// Tests of corners against sides and of boxes against boxes: 100 million take half a second. A grid of squares takes 120 per corner.
constexpr uint64_t kMaxTests = 100'000'000, kMaxTestsPerCorner = 300;
constexpr size_t kMaxInBuckets = 8;  // entries per polygon, on average

// Increases with the counter-clockwise angle between two unit vectors, (0, 4]. The same direction counts as a full turn.
double pseudo_angle(Point from, Point to) {
    const double angle = cross(from, to) >= 0 ? 1 - dot(from, to) : 3 + dot(from, to);
    return angle > 0 ? angle : 4;
}

}  // namespace

SubdivisionMaker::SubdivisionMaker(PolygonSet set, const Extent& extent) {
    s_.set_ = std::move(set);
    s_.low_ = extent.low;
    s_.high_ = extent.high;
    s_.tolerance_ = extent.tolerance;
}

Result<Subdivision> SubdivisionMaker::make() {
    const auto polygons = static_cast<uint32_t>(s_.size());
    s_.directions_.reserve(s_.set_.corners.size());
    boxes_.reserve(polygons);
    for (uint32_t p = 0; p < polygons; ++p) {
        if (const auto ok = check_polygon(s_.set_, p, s_.tolerance_); !ok) return ok.error();
        const auto ring = s_.corners(p);
        for (size_t i = 0; i < ring.size(); ++i) {
            const Point side = at(ring[(i + 1) % ring.size()]) - at(ring[i]);
            s_.directions_.push_back((1 / length(side)) * side);
        }
        boxes_.push_back(box_of(p));
    }
    fill_buckets();
    if (const auto ok = find_boundaries(); !ok) return ok.error();
    list_boundaries();
    if (const auto ok = check_outline(); !ok) return ok.error();
    return std::move(s_);
}

SubdivisionMaker::Box SubdivisionMaker::box_of(uint32_t polygon) const {
    Box box{at(s_.corners(polygon)[0]), at(s_.corners(polygon)[0])};
    for (const uint32_t v : s_.corners(polygon)) {
        box.low = {std::min(box.low.x, at(v).x), std::min(box.low.y, at(v).y)};
        box.high = {std::max(box.high.x, at(v).x), std::max(box.high.y, at(v).y)};
    }
    const Point margin{2 * s_.tolerance_, 2 * s_.tolerance_};
    return {box.low - margin, box.high + margin};
}

template <class Visit>
void SubdivisionMaker::each_bucket(uint32_t polygon, Visit&& visit) const {
    const size_t first = s_.bucket_at(boxes_[polygon].low), last = s_.bucket_at(boxes_[polygon].high);
    for (size_t row = first / s_.columns_; row <= last / s_.columns_; ++row) {
        for (size_t column = first % s_.columns_; column <= last % s_.columns_; ++column) visit(row * s_.columns_ + column);
    }
}

// About as many buckets as polygons; fewer if polygons extend over many buckets.
void SubdivisionMaker::fill_buckets() {
    const auto polygons = static_cast<uint32_t>(s_.size());
    const double width = s_.high_.x - s_.low_.x, height = s_.high_.y - s_.low_.y;
    const double side = std::sqrt(width * height / polygons);
    const auto count = [&](double extent) { return static_cast<uint32_t>(std::clamp(extent / side, 1.0, static_cast<double>(polygons))); };
    s_.columns_ = count(width);
    s_.rows_ = count(height);
    for (;; s_.columns_ = (s_.columns_ + 1) / 2, s_.rows_ = (s_.rows_ + 1) / 2) {
        uint64_t entries = 0;
        for (uint32_t p = 0; p < polygons; ++p) {
            const size_t first = s_.bucket_at(boxes_[p].low), last = s_.bucket_at(boxes_[p].high);
            entries += uint64_t{last / s_.columns_ - first / s_.columns_ + 1} * (last % s_.columns_ - first % s_.columns_ + 1);
        }
        if (entries <= kMaxInBuckets * uint64_t{polygons} || s_.columns_ * s_.rows_ == 1) break;
    }
    s_.first_in_.assign(size_t{s_.columns_} * s_.rows_ + 1, 0);
    for (uint32_t p = 0; p < polygons; ++p) each_bucket(p, [&](size_t b) { ++s_.first_in_[b + 1]; });
    for (size_t b = 1; b < s_.first_in_.size(); ++b) s_.first_in_[b] += s_.first_in_[b - 1];
    s_.in_bucket_.resize(s_.first_in_.back());
    std::vector<uint32_t> next(s_.first_in_.begin(), s_.first_in_.end() - 1);
    for (uint32_t p = 0; p < polygons; ++p) each_bucket(p, [&](size_t b) { s_.in_bucket_[next[b]++] = p; });
}

// Visits each pair once: in the bucket of the low corner of the boxes' intersection.
Result<void> SubdivisionMaker::find_boundaries() {
    const uint64_t most = kMaxTests + kMaxTestsPerCorner * s_.set_.corners.size();
    for (size_t bucket = 0; bucket + 1 < s_.first_in_.size(); ++bucket) {
        const auto inside = std::span(s_.in_bucket_).subspan(s_.first_in_[bucket], s_.first_in_[bucket + 1] - s_.first_in_[bucket]);
        for (size_t i = 0; i < inside.size(); ++i) {
            const Box& a = boxes_[inside[i]];
            for (size_t j = i + 1; j < inside.size(); ++j) {
                const Box& b = boxes_[inside[j]];
                ++tests_;
                const Point low{std::max(a.low.x, b.low.x), std::max(a.low.y, b.low.y)};
                if (low.x > std::min(a.high.x, b.high.x) || low.y > std::min(a.high.y, b.high.y) || s_.bucket_at(low) != bucket) continue;
                if (const auto ok = check_pair(inside[i], inside[j]); !ok) return ok;
            }
            if (tests_ > most) {
                return refuse_polygons(ErrorCode::kTooLarge,
                                       "polygon " + std::to_string(inside[i]) +
                                           " and others: too many bounding boxes overlap to test the polygons for overlaps");
            }
        }
    }
    return {};
}

// Convex polygons that do not overlap are separated by a side of one of them.
Result<void> SubdivisionMaker::check_pair(uint32_t p, uint32_t q) {
    Part shared;
    const Separation beyond_p = separate(p, q, shared);
    if (beyond_p.distance < -s_.tolerance_) return {};
    Part swapped;
    const Separation beyond_q = separate(q, p, swapped);
    if (beyond_q.distance < -s_.tolerance_) return {};
    const Separation& least = beyond_p.distance <= beyond_q.distance ? beyond_p : beyond_q;
    if (least.distance > s_.tolerance_) {
        return bad_polygons("polygons " + std::to_string(p) + " and " + std::to_string(q) + " overlap at vertex " +
                            std::to_string(least.vertex));
    }
    if (swapped.to - swapped.from > shared.to - shared.from) shared = {swapped.from, swapped.to, swapped.b, swapped.a};
    if (shared.to - shared.from > s_.tolerance_) {
        s_.boundaries_.push_back({shared.a, shared.b, p, q});
    } else {
        list_touches(p, q);
        list_touches(q, p);
    }
    return {};
}

SubdivisionMaker::Separation SubdivisionMaker::separate(uint32_t p, uint32_t q, Part& shared) {
    Separation least{std::numeric_limits<double>::infinity(), 0};
    const auto others = s_.corners(q);
    for (size_t side = begin_of(p); side < s_.set_.ends[p]; ++side) {
        const Point origin = at(s_.set_.corners[side]), along = s_.directions_[side];
        Separation most{-std::numeric_limits<double>::infinity(), 0};
        for (const uint32_t v : others) {
            const double beyond = cross(along, at(v) - origin);
            if (beyond > most.distance) most = {beyond, v};
        }
        tests_ += others.size();
        if (most.distance < least.distance) least = most;
        if (least.distance < -s_.tolerance_) break;
        if (most.distance <= s_.tolerance_) {
            find_shared_part(side, p, q, shared);
            tests_ += 2 * (s_.corners(p).size() + others.size());
        }
    }
    return least;
}

// Finds the part of the side's line that both polygons cover; keeps it if it is longer than `shared`.
void SubdivisionMaker::find_shared_part(size_t side, uint32_t p, uint32_t q, Part& shared) const {
    const Point origin = at(s_.set_.corners[side]), along = s_.directions_[side];
    const auto reach = [&](uint32_t polygon) {
        Part part{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
        for (const uint32_t v : s_.corners(polygon)) {
            const Point offset = at(v) - origin;
            if (std::abs(cross(along, offset)) > s_.tolerance_) continue;
            const double place = dot(along, offset);
            if (place < part.from) part.from = place, part.a = v;
            if (place > part.to) part.to = place, part.b = v;
        }
        return part;
    };
    const Part mine = reach(p), theirs = reach(q);
    Part common = mine;
    if (theirs.from > common.from) common.from = theirs.from, common.a = theirs.a;
    if (theirs.to < common.to) common.to = theirs.to, common.b = theirs.b;
    if (common.to - common.from > shared.to - shared.from) shared = common;
}

// Lists the corners of q on sides of p, except those on corners of p.
void SubdivisionMaker::list_touches(uint32_t p, uint32_t q) {
    const auto ring = s_.corners(p), others = s_.corners(q);
    tests_ += 2 * ring.size() * others.size();
    for (const uint32_t v : others) {
        if (s_.depth(p, at(v)) >= -s_.tolerance_ && std::ranges::find(ring, v) == ring.end()) touches_.push_back({p, v});
    }
}

void SubdivisionMaker::list_boundaries() {
    std::ranges::sort(touches_, {}, [](const Touch& touch) { return std::pair(touch.polygon, touch.vertex); });
    std::ranges::sort(s_.boundaries_, {}, [](const Subdivision::Boundary& b) { return std::pair(b.left, b.right); });
    s_.first_of_.assign(s_.size() + 1, 0);
    for (const auto& b : s_.boundaries_) ++s_.first_of_[b.left + 1], ++s_.first_of_[b.right + 1];
    for (size_t p = 1; p < s_.first_of_.size(); ++p) s_.first_of_[p] += s_.first_of_[p - 1];
    s_.by_polygon_.resize(s_.first_of_.back());
    std::vector<uint32_t> next(s_.first_of_.begin(), s_.first_of_.end() - 1);
    for (uint32_t i = 0; i < s_.boundaries_.size(); ++i) {
        s_.by_polygon_[next[s_.boundaries_[i].left]++] = i;
        s_.by_polygon_[next[s_.boundaries_[i].right]++] = i;
    }
}

// Adds the parts of a side that no boundary covers, split where other polygons touch it.
void SubdivisionMaker::add_outline_edges(uint32_t polygon, size_t side, uint32_t end_vertex) {
    const uint32_t start_vertex = s_.set_.corners[side];
    const Point origin = at(start_vertex), along = s_.directions_[side];
    const double extent = distance(origin, at(end_vertex)), tolerance = s_.tolerance_;
    covered_.clear();
    for (const uint32_t i : s_.boundaries_of(polygon)) {
        const auto& b = s_.boundaries_[i];
        const bool on_left = b.left == polygon;
        Part part{0, 0, on_left ? b.a : b.b, on_left ? b.b : b.a};
        const Point from = at(part.a) - origin, to = at(part.b) - origin;
        if (std::max(std::abs(cross(along, from)), std::abs(cross(along, to))) > 4 * tolerance) continue;
        part.from = dot(along, from);
        part.to = dot(along, to);
        if (part.from <= tolerance) part.from = 0, part.a = start_vertex;
        if (part.to >= extent - tolerance) part.to = extent, part.b = end_vertex;
        if (part.to - part.from > tolerance) covered_.push_back(part);
    }
    for (const Touch& touch : std::ranges::equal_range(touches_, polygon, {}, &Touch::polygon)) {
        const Point offset = at(touch.vertex) - origin;
        const double place = dot(along, offset);
        if (std::abs(cross(along, offset)) > 4 * tolerance || place <= tolerance || place >= extent - tolerance) continue;
        covered_.push_back({place, place, touch.vertex, touch.vertex});
    }
    std::ranges::sort(covered_, {}, [](const Part& part) { return std::pair(part.from, part.to); });
    covered_.push_back({extent, extent, end_vertex, end_vertex});
    double reached = 0;
    uint32_t vertex = start_vertex;
    for (const Part& part : covered_) {
        if (part.from - reached > tolerance) outline_edges_.push_back({vertex, part.a, polygon});
        if (part.to < reached) continue;
        reached = part.to;
        vertex = part.b;
    }
}

// Of several outline edges that start where this one ends, the one on the border of the same face outside the polygons.
size_t SubdivisionMaker::next_outline_edge(const OutlineEdge& edge) const {
    const Point back = at(edge.from) - at(edge.to), direction = (1 / length(back)) * back;
    const auto candidates = std::ranges::equal_range(outline_edges_, edge.to, {}, &OutlineEdge::from);
    size_t best = outline_edges_.size();
    double least = std::numeric_limits<double>::infinity();
    for (const OutlineEdge& other : candidates) {
        const Point offset = at(other.to) - at(other.from);
        const double angle = pseudo_angle(direction, (1 / length(offset)) * offset);
        if (angle < least) least = angle, best = static_cast<size_t>(&other - outline_edges_.data());
    }
    return best;
}

// Outline edges run counter-clockwise around a component, clockwise around a gap.
Result<void> SubdivisionMaker::check_outline() {
    for (uint32_t p = 0; p < s_.size(); ++p) {
        const auto ring = s_.corners(p);
        for (size_t i = 0; i < ring.size(); ++i) add_outline_edges(p, begin_of(p) + i, ring[(i + 1) % ring.size()]);
    }
    std::ranges::sort(outline_edges_, {}, [](const OutlineEdge& edge) { return std::tuple(edge.from, edge.to, edge.polygon); });
    for (OutlineEdge& first : outline_edges_) {
        double doubled = 0;
        const Point origin = at(first.from);
        const OutlineEdge* last = &first;
        for (OutlineEdge* edge = &first; !edge->seen;) {
            edge->seen = true;
            last = edge;
            doubled += cross(at(edge->from) - origin, at(edge->to) - origin);
            const size_t next = next_outline_edge(*edge);
            if (next == outline_edges_.size())
                return bad_polygons(at_corner(edge->polygon, edge->to) + "the side shares no vertex with its neighbours");
            edge = &outline_edges_[next];
        }
        if (doubled < 0) return bad_polygons(at_corner(last->polygon, last->from) + "there is a gap beside the polygon");
    }
    return {};
}

}  // namespace terrane::detail

namespace terrane {

Result<Subdivision> make_subdivision(PolygonSet set) {
    const auto extent = detail::check_set(set);
    if (!extent) return extent.error();
    return detail::SubdivisionMaker(std::move(set), *extent).make();
}

}  // namespace terrane
