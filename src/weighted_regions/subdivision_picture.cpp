#include "terrane/weighted_regions/subdivision_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/brush.h"
#include "io/colours.h"
#include "io/svg_shapes.h"

namespace terrane {

namespace {

// Chosen by eye.
constexpr Rgb kLowCost{246, 243, 232};
constexpr Rgb kHighCost{88, 92, 104};
constexpr Rgb kBlocked{74, 48, 40};
constexpr Rgb kOutsideColour{255, 255, 255};
constexpr Rgb kExpanded{140, 60, 190};
constexpr Rgb kOpen{40, 180, 200};
constexpr Rgb kSquareLine{120, 110, 90};
constexpr int32_t kBoundaryStrength = 90;  // of 256
constexpr size_t kDenseDots = 4000;        // from this number on, dots are a pixel smaller

// Shades by cost, from the lowest to the highest cost of a passable polygon.
class Shades {
public:
    explicit Shades(const Subdivision& subdivision) {
        for (uint32_t p = 0; p < subdivision.size(); ++p) {
            if (subdivision.is_blocked(p)) continue;
            low_ = std::min(low_, subdivision.cost(p));
            high_ = std::max(high_, subdivision.cost(p));
        }
    }
    Rgb operator()(double cost) const {
        if (cost == kBlockedCost) return kBlocked;
        return high_ > low_ ? detail::blend(kLowCost, kHighCost, static_cast<int32_t>((cost - low_) / (high_ - low_) * 256)) : kLowCost;
    }

private:
    double low_ = std::numeric_limits<double>::max(), high_ = 0;
};

// Maps the plane to pixels.
class View {
public:
    explicit View(const SubdivisionDrawing& drawing)
        : low_(drawing.subdivision->low()),
          high_(drawing.subdivision->high()),
          y_up_(drawing.y_up),
          scale_(drawing.pixels / longer_side()) {}

    double longer_side() const { return std::max(high_.x - low_.x, high_.y - low_.y); }
    double width() const { return (high_.x - low_.x) * scale_; }
    double height() const { return (high_.y - low_.y) * scale_; }
    double scale() const { return scale_; }  // pixels per unit
    Point operator()(Point p) const { return {(p.x - low_.x) * scale_, (y_up_ ? high_.y - p.y : p.y - low_.y) * scale_}; }
    Point back(Point pixel) const { return {low_.x + pixel.x / scale_, y_up_ ? high_.y - pixel.y / scale_ : low_.y + pixel.y / scale_}; }
    std::vector<Point> all(std::span<const Point> points) const {
        std::vector<Point> out;
        out.reserve(points.size());
        for (const Point p : points) out.push_back((*this)(p));
        return out;
    }

private:
    Point low_, high_;
    bool y_up_;
    double scale_;
};

void fill_polygons(Picture& picture, const Subdivision& subdivision, const View& view) {
    const Shades shades(subdivision);
    uint32_t last = kNoPolygon;  // most pixels are in the polygon of the previous one
    for (int32_t y = 0; y < picture.height; ++y) {
        for (int32_t x = 0; x < picture.width; ++x) {
            const Point p = view.back({x + 0.5, y + 0.5});
            if (last == kNoPolygon || subdivision.depth(last, p) < 0) last = subdivision.locate(p);
            picture.at(x, y) = last == kNoPolygon ? kOutsideColour : shades(subdivision.cost(last));
        }
    }
}

void draw_boundaries(Picture& picture, const Subdivision& subdivision, const View& view) {
    detail::LineField lines(picture, 2);
    for (const Subdivision::Boundary& boundary : subdivision.boundaries()) {
        const Segment segment = subdivision.segment(boundary);
        lines.add(view(segment.a), view(segment.b));
    }
    lines.paint(picture, detail::kOutline, 0.5, kBoundaryStrength);
}

void draw_squares(Picture& picture, std::span<const SquareSearch::Leaf> squares, const View& view) {
    detail::LineField lines(picture, 2);
    for (const SquareSearch::Leaf& leaf : squares) {
        const Point a = view(leaf.low), c = view({leaf.low.x + leaf.side, leaf.low.y + leaf.side}), b{c.x, a.y}, d{a.x, c.y};
        lines.add(a, b), lines.add(b, c), lines.add(c, d), lines.add(d, a);
    }
    lines.paint(picture, kSquareLine, 0.4, kBoundaryStrength);
}

void draw_dots(Picture& picture, std::span<const Point> dots, Rgb colour, const View& view) {
    const double radius = dots.size() < kDenseDots ? 2.2 : 1.2;
    detail::LineField discs(picture, radius + 1);
    for (const Point p : dots) discs.add(view(p), view(p));
    discs.paint(picture, colour, radius, 200);
}

std::string colour_text(Rgb colour) { return "#" + detail::hex(colour); }

void append_polygons(std::string& out, const Subdivision& subdivision, const View& view) {
    const Shades shades(subdivision);
    out += "<g stroke=\"#141218\" stroke-opacity=\"0.35\" stroke-width=\"0.7\" stroke-linejoin=\"round\">\n";
    std::vector<Point> corners;
    for (uint32_t p = 0; p < subdivision.size(); ++p) {
        corners.clear();
        for (const uint32_t v : subdivision.corners(p)) corners.push_back(view(subdivision.vertex(v)));
        const std::string title = subdivision.is_blocked(p) ? "blocked" : "cost " + detail::decimal(subdivision.cost(p));
        out += "<polygon fill=\"" + colour_text(shades(subdivision.cost(p))) + "\" points=\"" + detail::svg_points(corners) +
               "\"><title>polygon " + std::to_string(p) + ", " + title + "</title></polygon>\n";
    }
    out += "</g>\n";
}

void append_squares(std::string& out, std::span<const SquareSearch::Leaf> squares, const View& view) {
    out += "<g fill=\"none\" stroke=\"" + colour_text(kSquareLine) + "\" stroke-opacity=\"0.5\" stroke-width=\"0.5\">\n";
    for (const SquareSearch::Leaf& leaf : squares) {
        const Point a = view(leaf.low), c = view({leaf.low.x + leaf.side, leaf.low.y + leaf.side});
        out += "<rect x=\"" + detail::decimal(a.x) + "\" y=\"" + detail::decimal(std::min(a.y, c.y)) + "\" width=\"" +
               detail::decimal(c.x - a.x) + "\" height=\"" + detail::decimal(std::abs(c.y - a.y)) + "\"/>\n";
    }
    out += "</g>\n";
}

void append_dots(std::string& out, std::span<const Point> dots, Rgb colour, const View& view) {
    out += "<g fill=\"" + colour_text(colour) + "\" fill-opacity=\"0.8\">\n";
    const std::string radius = dots.size() < kDenseDots ? "2.2" : "1.2";
    for (const Point p : view.all(dots))
        out += "<circle cx=\"" + detail::decimal(p.x) + "\" cy=\"" + detail::decimal(p.y) + "\" r=\"" + radius + "\"/>\n";
    out += "</g>\n";
}

}  // namespace

Picture draw_subdivision(const SubdivisionDrawing& drawing) {
    TERRANE_ASSERT(drawing.subdivision != nullptr && drawing.pixels >= 16 && drawing.pixels <= kMaxPictureSide);
    const View view(drawing);
    const auto side = [](double pixels) { return std::max(1, static_cast<int32_t>(std::ceil(pixels - 1e-6))); };
    Picture picture{side(view.width()), side(view.height()), {}};
    picture.pixels.resize(static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height));
    fill_polygons(picture, *drawing.subdivision, view);
    draw_squares(picture, drawing.squares, view);
    draw_boundaries(picture, *drawing.subdivision, view);
    if (drawing.trace != nullptr) {
        draw_dots(picture, drawing.trace->open, kOpen, view);
        draw_dots(picture, drawing.trace->expanded, kExpanded, view);
    }
    for (const SubdivisionPolyline& line : drawing.polylines) detail::draw_path_line(picture, view.all(line.points), line.colour, 1.5, 6);
    return picture;
}

std::string draw_subdivision_svg(const SubdivisionDrawing& drawing) {
    TERRANE_ASSERT(drawing.subdivision != nullptr && drawing.pixels >= 16);
    const View view(drawing);
    const std::string width = detail::decimal(view.width()), height = detail::decimal(view.height());
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width +
                      "\" height=\"" + height + "\" viewBox=\"0 0 " + width + ' ' + height + "\">\n";
    append_polygons(out, *drawing.subdivision, view);
    append_squares(out, drawing.squares, view);
    if (drawing.trace != nullptr) {
        append_dots(out, drawing.trace->open, kOpen, view);
        append_dots(out, drawing.trace->expanded, kExpanded, view);
    }
    for (const SubdivisionPolyline& line : drawing.polylines)
        detail::append_polyline(out, view.all(line.points), line.colour, line.label, 3, 6);
    return out + "</svg>\n";
}

}  // namespace terrane
