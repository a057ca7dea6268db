// Anti-aliased lines and marks. Coordinates are in pixels: (0.5, 0.5) is the centre of the first pixel.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/io/picture.h"

namespace terrane::detail {

inline constexpr Rgb kOutline{20, 18, 24};

// Mixes share/256 of `top` into `bottom`.
Rgb blend(Rgb bottom, Rgb top, int32_t share);

// The part of a pixel, in 1/256, that lies within `radius`, given the distance of the pixel's centre.
int32_t coverage(double distance, double radius);

double distance_to_segment(Point p, Point a, Point b);

// The distance of every pixel from a polyline, up to `reach`. Painting from distances draws the polyline in one pass; painting by
// segments would darken the joints. The picture must outlive it.
class LineField {
public:
    LineField(const Picture& picture, double reach);

    // Splits long segments, so that the cost grows with the length of the segment and not with its bounding box.
    void add(Point a, Point b);
    // `strength` is the opacity, in 1/256.
    void paint(Picture& picture, Rgb colour, double radius, int32_t strength = 256) const;

private:
    void add_piece(Point a, Point b);

    const Picture& picture_;
    double reach_;
    std::vector<float> distance_;  // float: a picture may have 2^28 pixels
};

enum class Mark : uint8_t { kDisc, kSquare };

// A white mark with a dark rim and a coloured centre.
void draw_mark(Picture& picture, Point at, Mark mark, double radius, double rim, Rgb colour);

// Draws a polyline with a dark outline, a disc at its start and a square at its end. Does nothing for no points.
void draw_path_line(Picture& picture, std::span<const Point> points, Rgb colour, double radius, double mark_radius);

}  // namespace terrane::detail
