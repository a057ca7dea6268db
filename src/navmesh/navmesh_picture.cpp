#include "terrane/navmesh/navmesh_picture.h"

#include <recastnavigation/DetourNavMesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "io/brush.h"
#include "navmesh/area_colour.h"
#include "terrane/base/assert.h"

namespace terrane {

namespace {

constexpr double kMargin = 4;  // pixels
constexpr Rgb kPaper{24, 26, 32}, kEdge{20, 18, 24}, kLink{220, 40, 40};
constexpr double kReach = 2, kEdgeRadius = 0.35, kBorderRadius = 0.6, kLinkRadius = 1.2;
constexpr double kStrength = 40, kMinStrength = 30, kMaxStrength = 150;  // opacity of edges, of 256; kStrength is per pixel per metre

// A polygon in the picture.
struct PolygonShape {
    std::array<Point, DT_VERTS_PER_POLYGON> corners;
    size_t count = 0;
    size_t number = 0;  // in mesh order
    float height = 0;
    uint8_t area = 0;
    bool link = false;
    uint32_t on_tile_border = 0;  // bit i: edge i lies on the tile border

    std::span<const Point> outline() const { return {corners.data(), count}; }
};

PolygonShape make_shape(const dtMeshTile& tile, const dtPoly& polygon, const NavmeshView& view) {
    PolygonShape shape;
    shape.count = polygon.vertCount;
    shape.area = polygon.getArea();
    shape.link = polygon.getType() != DT_POLYTYPE_GROUND;
    for (size_t i = 0; i < shape.count; ++i) {
        const float* v = tile.verts + size_t{polygon.verts[i]} * 3;
        shape.corners[i] = view.at({v[0], v[1], v[2]});
        shape.height += v[1] / static_cast<float>(shape.count);
        if ((polygon.neis[i] & DT_EXT_LINK) != 0) shape.on_tile_border |= 1u << i;
    }
    return shape;
}

// Returns all polygons, lowest first.
std::vector<PolygonShape> make_shapes(const dtNavMesh& mesh, const NavmeshView& view) {
    std::vector<PolygonShape> shapes;
    for (int i = 0; i < mesh.getMaxTiles(); ++i) {
        const dtMeshTile* tile = mesh.getTile(i);
        if (tile->header == nullptr) continue;
        for (int p = 0; p < tile->header->polyCount; ++p) shapes.push_back(make_shape(*tile, tile->polys[p], view));
    }
    for (size_t i = 0; i < shapes.size(); ++i) shapes[i].number = i;
    std::ranges::sort(shapes, {}, [](const PolygonShape& shape) { return std::pair(shape.height, shape.number); });
    return shapes;
}

// For a convex polygon of either orientation.
bool inside(std::span<const Point> outline, Point p) {
    bool left = false, right = false;
    for (size_t i = 0; i < outline.size(); ++i) {
        const Point a = outline[i], b = outline[(i + 1) % outline.size()];
        const double side = cross(b - a, p - a);
        left |= side > 0;
        right |= side < 0;
    }
    return !(left && right);
}

void fill(Picture& picture, std::span<const Point> outline, Rgb colour) {
    Point low = outline[0], high = low;
    for (const Point p : outline) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const auto pixel = [](double at, int32_t side) { return static_cast<int32_t>(std::clamp(at, 0.0, static_cast<double>(side))); };
    for (int32_t y = pixel(low.y, picture.height); y < pixel(high.y + 1, picture.height); ++y) {
        for (int32_t x = pixel(low.x, picture.width); x < pixel(high.x + 1, picture.width); ++x) {
            if (inside(outline, {x + 0.5, y + 0.5})) picture.at(x, y) = colour;
        }
    }
}

template <class Wanted>
void draw_edges(Picture& picture, const std::vector<PolygonShape>& shapes, double radius, int32_t strength, Wanted&& wanted) {
    detail::LineField lines(picture, kReach);
    for (const PolygonShape& shape : shapes) {
        for (size_t i = 0; i < shape.count; ++i) {
            if (!shape.link && wanted(shape, i)) lines.add(shape.corners[i], shape.corners[(i + 1) % shape.count]);
        }
    }
    lines.paint(picture, kEdge, radius, strength);
}

void draw_links(Picture& picture, const std::vector<PolygonShape>& shapes) {
    detail::LineField lines(picture, kReach);
    for (const PolygonShape& shape : shapes) {
        if (shape.link) lines.add(shape.corners[0], shape.corners[1]);
    }
    lines.paint(picture, kLink, kLinkRadius);
}

}  // namespace

Point NavmeshView::at(const Vec3& place) const {
    const double up = lift * (double{bounds.high.y} - place.y);
    return {kMargin + scale * (double{place.x} - bounds.low.x), kMargin + scale * (double{place.z} - bounds.low.z + up)};
}

NavmeshView view_from_above(const Navmesh& navmesh, int32_t pixels, double lift) {
    TERRANE_ASSERT(pixels >= 16 && pixels <= kMaxPictureSide);
    TERRANE_ASSERT(lift >= 0 && lift <= kMaxLift);
    NavmeshView view;
    view.bounds = navmesh.bounds();
    view.lift = lift;
    const double across = double{view.bounds.high.x} - view.bounds.low.x;
    const double down = double{view.bounds.high.z} - view.bounds.low.z + lift * (double{view.bounds.high.y} - view.bounds.low.y);
    view.scale = (pixels - 2 * kMargin) / std::max({across, down, 1e-3});
    const auto side = [&](double metres) {
        return std::clamp(static_cast<int32_t>(std::ceil(metres * view.scale + 2 * kMargin - 1e-6)), 1, pixels);
    };
    view.width = side(across);
    view.height = side(down);
    return view;
}

Picture draw_navmesh(const Navmesh& navmesh, const NavmeshView& view) {
    TERRANE_ASSERT(view.width >= 1 && view.width <= kMaxPictureSide && view.height >= 1 && view.height <= kMaxPictureSide);
    TERRANE_ASSERT(std::isfinite(view.scale) && view.scale > 0 && view.lift >= 0 && view.lift <= kMaxLift);
    Picture picture{view.width, view.height, {}};
    picture.pixels.assign(static_cast<size_t>(view.width) * static_cast<size_t>(view.height), kPaper);
    const std::vector<PolygonShape> shapes = make_shapes(navmesh.mesh(), view);
    for (const PolygonShape& shape : shapes) {
        if (!shape.link) fill(picture, shape.outline(), detail::area_colour(navmesh, shape.area, shape.height, view.bounds));
    }
    const auto strength = static_cast<int32_t>(std::clamp(view.scale * kStrength, kMinStrength, kMaxStrength));
    draw_edges(picture, shapes, kEdgeRadius, strength, [](const PolygonShape&, size_t) { return true; });
    draw_edges(picture, shapes, kBorderRadius, strength,
               [](const PolygonShape& shape, size_t i) { return (shape.on_tile_border >> i & 1) != 0; });
    draw_links(picture, shapes);
    return picture;
}

}  // namespace terrane
