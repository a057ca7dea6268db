// Lines and marks in pictures, smooth at their edges. Coordinates are pixels: (0.5, 0.5) is the middle of the first.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/io/picture.h"

namespace terrane::detail {

inline constexpr Rgb kOutline{20, 18, 24};

// `share` of 256 of `top` over `bottom`.
Rgb blend(Rgb bottom, Rgb top, int32_t share);

// How much of a pixel, of 256, lies within `radius`, where its middle lies at `distance`.
int32_t coverage(double distance, double radius);

double distance_to_segment(Point p, Point a, Point b);

// The distance of every pixel from a line, as far as it matters. The line is painted from this at once,
// since painting it by segments would darken their joints. The picture must outlive it.
class LineField {
public:
    LineField(const Picture& picture, double reach);

    // In pieces, so that the pixels looked at grow with the line's length and not with its box.
    void add(Point a, Point b);
    // `strength` of 256.
    void paint(Picture& picture, Rgb colour, double radius, int32_t strength = 256) const;

private:
    void add_piece(Point a, Point b);

    const Picture& picture_;
    double reach_;
    std::vector<float> distance_;  // float: a picture may have 2^28 pixels
};

enum class Mark : uint8_t { kDisc, kSquare };

// White with a dark rim and a coloured heart.
void draw_mark(Picture& picture, Point at, Mark mark, double radius, double rim, Rgb colour);

// A line through the points, outlined dark, a disc at its start and a square at its goal. Nothing for no points.
void draw_way(Picture& picture, std::span<const Point> points, Rgb colour, double radius, double mark_radius);

}  // namespace terrane::detail
