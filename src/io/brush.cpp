#include "io/brush.h"

#include <algorithm>
#include <cmath>

namespace terrane::detail {

namespace {

constexpr Rgb kWhite{255, 255, 255};

// Narrows the parameter range [first, last] of a segment to where it lies between `low` and `high` on one axis.
void clip(double from, double to, double low, double high, double& first, double& last) {
    if (from == to) {
        if (from < low || from > high) last = -1;
        return;
    }
    const double a = (low - from) / (to - from), b = (high - from) / (to - from);
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
}

Rect pixels_around(Point low, Point high, double reach, const Picture& picture) {
    const auto pixel = [](double v, int32_t side) { return static_cast<int32_t>(std::clamp(v, 0.0, static_cast<double>(side))); };
    const Cell first{pixel(std::floor(low.x - reach), picture.width), pixel(std::floor(low.y - reach), picture.height)};
    const Cell end{pixel(std::ceil(high.x + reach), picture.width), pixel(std::ceil(high.y + reach), picture.height)};
    return {first, {end.x - first.x, end.y - first.y}};
}

}  // namespace

Rgb blend(Rgb bottom, Rgb top, int32_t share) {
    const auto mix = [&](int32_t b, int32_t t) { return static_cast<uint8_t>((b * (256 - share) + t * share + 128) / 256); };
    return {mix(bottom.r, top.r), mix(bottom.g, top.g), mix(bottom.b, top.b)};
}

int32_t coverage(double distance, double radius) { return static_cast<int32_t>(std::clamp(radius - distance + 0.5, 0.0, 1.0) * 256); }

double distance_to_segment(Point p, Point a, Point b) {
    const Segment segment{a, b};
    return distance(p, segment.at(nearest_place(segment, p)));
}

LineField::LineField(const Picture& picture, double reach)
    : picture_(picture), reach_(reach), distance_(picture.pixels.size(), static_cast<float>(reach)) {}

void LineField::add(Point a, Point b) {
    constexpr double kPiece = 16;  // pixels
    double first = 0, last = 1;
    clip(a.x, b.x, -reach_, picture_.width + reach_, first, last);
    clip(a.y, b.y, -reach_, picture_.height + reach_, first, last);
    if (last < first) return;
    const double length = std::max(std::fabs(b.x - a.x), std::fabs(b.y - a.y)) * (last - first);
    const int32_t pieces = 1 + static_cast<int32_t>(length / kPiece);
    const auto at = [&](int32_t i) { return a + (first + (last - first) * i / pieces) * (b - a); };
    for (int32_t i = 0; i < pieces; ++i) add_piece(at(i), at(i + 1));
}

void LineField::paint(Picture& picture, Rgb colour, double radius, int32_t strength) const {
    for (size_t i = 0; i < distance_.size(); ++i) {
        if (distance_[i] < static_cast<float>(reach_))
            picture.pixels[i] = blend(picture.pixels[i], colour, coverage(distance_[i], radius) * strength / 256);
    }
}

void LineField::add_piece(Point a, Point b) {
    const Rect box = pixels_around({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}, reach_, picture_);
    for (int32_t y = box.y; y < box.bottom(); ++y) {
        for (int32_t x = box.x; x < box.right(); ++x) {
            float& distance = distance_[static_cast<size_t>(y) * static_cast<size_t>(picture_.width) + static_cast<size_t>(x)];
            distance = std::min(distance, static_cast<float>(distance_to_segment({x + 0.5, y + 0.5}, a, b)));
        }
    }
}

void draw_mark(Picture& picture, Point at, Mark mark, double radius, double rim, Rgb colour) {
    const Rect box = pixels_around(at, at, radius + rim + 1, picture);
    for (int32_t y = box.y; y < box.bottom(); ++y) {
        for (int32_t x = box.x; x < box.right(); ++x) {
            const double dx = std::fabs(x + 0.5 - at.x), dy = std::fabs(y + 0.5 - at.y);
            const double distance = mark == Mark::kDisc ? std::sqrt(dx * dx + dy * dy) : std::max(dx, dy);
            Rgb& pixel = picture.at(x, y);
            pixel = blend(pixel, kOutline, coverage(distance, radius + rim));
            pixel = blend(pixel, kWhite, coverage(distance, radius));
            pixel = blend(pixel, colour, coverage(distance, radius * 0.6));
        }
    }
}

void draw_path_line(Picture& picture, std::span<const Point> points, Rgb colour, double radius, double mark_radius) {
    if (points.empty()) return;
    const double rim = std::max(1.0, radius / 2);
    LineField line(picture, radius + rim + 1);
    for (size_t i = 0; i + 1 < points.size(); ++i) line.add(points[i], points[i + 1]);
    line.paint(picture, kOutline, radius + rim);
    line.paint(picture, colour, radius);
    draw_mark(picture, points.back(), Mark::kSquare, mark_radius * 0.9, rim, colour);
    draw_mark(picture, points.front(), Mark::kDisc, mark_radius, rim, colour);
}

}  // namespace terrane::detail
