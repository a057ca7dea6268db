// Phase 8: rasterises polygons with noisy borders, then beaches, rivers and roads as strokes.
// Based on: Patel 2010 and 2017 (noisy edges). Points are in 1/256 of a cell. A cell belongs to the polygon that contains its centre, so
// adjacent polygons neither overlap nor leave gaps.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "mapgen/island.h"

namespace terrane::detail {

namespace {

constexpr int32_t kSub = 256;  // fractions of a cell
constexpr int32_t kHalf = kSub / 2;
constexpr int32_t kRough = 96;       // of 256: range of the random midpoint displacement
constexpr int32_t kFinest = 3;       // cells: shorter pieces of a border are not subdivided
constexpr int32_t kFinestUnits = 4;  // the same in mesh units
constexpr int32_t kLongStroke = 16;  // cells: longer strokes are split in two
constexpr int32_t kCurveSteps = 6;

int32_t ceil_div(int32_t a, int32_t b) { return a / b + (a % b > 0 ? 1 : 0); }

class Canvas {
public:
    Canvas(const Mesh& mesh, int32_t width, int32_t height)
        : mesh_(mesh), width_(width), height_(height), cells_(static_cast<size_t>(width) * static_cast<size_t>(height), kDeepWater) {}

    // Converts mesh units to fractions of a cell.
    GridPoint place(GridPoint p) const {
        const auto scale = [](int32_t at, int32_t cells, int32_t polygons) {
            return static_cast<int32_t>(int64_t{at} * cells * kSub / (int64_t{polygons} * kUnit));
        };
        return {scale(p.x - mesh_.origin.x, width_, mesh_.columns), scale(p.y - mesh_.origin.y, height_, mesh_.rows)};
    }

    // Mean side of a polygon in cells.
    int32_t polygon_side() const { return std::max(1, std::min(width_ / mesh_.columns, height_ / mesh_.rows)); }

    // Fills the cells whose centres are inside of the closed outline, by the even-odd rule.
    void fill(const std::vector<GridPoint>& outline, Terrain terrain) {
        crossings_.clear();
        for (size_t k = 0; k < outline.size(); ++k) cross_rows(outline[k], outline[(k + 1) % outline.size()]);
        std::sort(crossings_.begin(), crossings_.end());
        for (size_t k = 0; k + 1 < crossings_.size(); k += 2) {
            const int32_t from = std::clamp(crossings_[k].second, 0, width_), to = std::clamp(crossings_[k + 1].second, 0, width_);
            std::fill(row(crossings_[k].first) + from, row(crossings_[k].first) + to, terrain);
        }
    }

    // Fills the cells whose centres are within `reach` of the segment.
    void stroke(GridPoint a, GridPoint b, int32_t reach, Terrain terrain) {
        if (std::max(std::abs(a.x - b.x), std::abs(a.y - b.y)) > kLongStroke * kSub) {
            const GridPoint middle = mix(a, b, 1, 2);
            stroke(a, middle, reach, terrain);
            stroke(middle, b, reach, terrain);
            return;
        }
        const int32_t top = first_centre(std::min(a.y, b.y) - reach, height_),
                      bottom = first_centre(std::max(a.y, b.y) + reach + 1, height_);
        const int32_t left = first_centre(std::min(a.x, b.x) - reach, width_), right = first_centre(std::max(a.x, b.x) + reach + 1, width_);
        for (int32_t y = top; y < bottom; ++y) {
            for (int32_t x = left; x < right; ++x) {
                if (within(centre(x, y), a, b, reach)) row(y)[x] = terrain;
            }
        }
    }

    void stroke(const std::vector<GridPoint>& line, int32_t reach, Terrain terrain) {
        for (size_t k = 0; k + 1 < line.size(); ++k) stroke(line[k], line[k + 1], reach, terrain);
    }

    std::vector<Terrain> take() { return std::move(cells_); }

private:
    Terrain* row(int32_t y) { return &cells_[static_cast<size_t>(y) * static_cast<size_t>(width_)]; }
    static GridPoint centre(int32_t x, int32_t y) { return {x * kSub + kHalf, y * kSub + kHalf}; }
    // Returns the first column (or row) whose centre is at or after `at`, clamped to 0..limit.
    static int32_t first_centre(int32_t at, int32_t limit) { return std::clamp(ceil_div(at - kHalf, kSub), 0, limit); }

    static bool within(GridPoint p, GridPoint a, GridPoint b, int32_t reach) {
        const int64_t dx = b.x - a.x, dy = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
        const int64_t length = dx * dx + dy * dy, along = px * dx + py * dy, limit = int64_t{reach} * reach;
        if (along <= 0) return px * px + py * py <= limit;
        if (along >= length) return (px - dx) * (px - dx) + (py - dy) * (py - dy) <= limit;
        const int64_t off = px * dy - py * dx;
        return off * off <= limit * length;
    }

    // Records the column at which each row's centre line crosses a-b. Symmetric in a and b.
    void cross_rows(GridPoint a, GridPoint b) {
        if (a.y > b.y) std::swap(a, b);
        const int32_t top = first_centre(a.y, height_), bottom = first_centre(b.y, height_);
        for (int32_t y = top; y < bottom; ++y) {
            const int64_t run = int64_t{b.x - a.x} * (y * kSub + kHalf - a.y) / (b.y - a.y);
            crossings_.emplace_back(y, ceil_div(a.x + static_cast<int32_t>(run) - kHalf, kSub));
        }
    }

    const Mesh& mesh_;
    int32_t width_;
    int32_t height_;
    std::vector<Terrain> cells_;
    std::vector<std::pair<int32_t, int32_t>> crossings_;  // row, first column after
};

// Noisy borders by recursive midpoint displacement within the diamond of a border's two corners and two sites. The displacement depends
// only on the id of the piece, so a larger map shows the same border in more detail.
class Borders {
public:
    Borders(const Island& island, const Canvas& canvas)
        : mesh_(island.mesh),
          canvas_(canvas),
          seed_(stream_seed(island.seed, Stream::kBorders)),
          finest_(std::max(kFinestUnits, kFinest * kUnit / canvas.polygon_side())) {}

    // Appends the border from the side's corner to its twin's, in fractions of a cell, without the last point.
    void append(uint32_t side, std::vector<GridPoint>& line) const {
        const uint32_t edge = mesh_.edge(side), twin = mesh_.twin[edge];
        const GridPoint a = mesh_.corners[Mesh::corner(edge)], b = mesh_.corners[Mesh::corner(twin)];
        std::vector<GridPoint> points{a};
        bend(a, b, mesh_.sites[mesh_.start[edge]], mesh_.sites[mesh_.end(edge)], uint64_t{edge} << 32 | 1, points);
        points.push_back(b);
        if (side != edge) std::reverse(points.begin(), points.end());
        for (size_t k = 0; k + 1 < points.size(); ++k) line.push_back(canvas_.place(points[k]));
    }

    std::vector<GridPoint> outline(uint32_t polygon) const {
        std::vector<GridPoint> line;
        mesh_.around(polygon, [&](uint32_t side) { append(mesh_.twin[side], line); });
        return line;
    }

    std::vector<GridPoint> line(uint32_t side) const {
        std::vector<GridPoint> points;
        append(side, points);
        points.push_back(canvas_.place(mesh_.corners[Mesh::corner(mesh_.twin[side])]));
        return points;
    }

private:
    void bend(GridPoint a, GridPoint b, GridPoint left, GridPoint right, uint64_t piece, std::vector<GridPoint>& points) const {
        if (distance(a, b) < finest_) return;
        const auto dice = static_cast<int32_t>(mix64(seed_ ^ piece) >> 48);
        const GridPoint middle = mix(left, right, kHalf - kRough / 2 + (dice * kRough >> 16), kSub);
        bend(a, middle, mix(a, left, 1, 2), mix(a, right, 1, 2), piece * 2, points);
        points.push_back(middle);
        bend(middle, b, mix(b, left, 1, 2), mix(b, right, 1, 2), piece * 2 + 1, points);
    }

    const Mesh& mesh_;
    const Canvas& canvas_;
    uint64_t seed_;
    int32_t finest_;
};

// Half-widths of strokes in fractions of a cell. They grow with the map up to a limit.
struct Pens {
    int32_t road, stream, max_river, beach;

    explicit Pens(int32_t polygon_side) {
        road = std::clamp(polygon_side * kSub / 11, kSub * 7 / 4, kSub * 4);
        stream = std::clamp(polygon_side * kSub / 15, kSub * 5 / 4, kSub * 4);
        max_river = stream * 9 / 5;
        beach = std::clamp(polygon_side * kSub / 10, kSub * 3 / 2, kSub * 6);
    }
    // Proportional to the square root of the flow.
    int32_t river(uint16_t flow) const { return static_cast<int32_t>(std::min<int64_t>(max_river, stream * isqrt(flow * 64) / 8)); }
};

bool is(const Island& island, uint32_t polygon, Surface surface) { return island.surface[polygon] == surface; }

void draw_polygons(const Island& island, const Borders& borders, Canvas& canvas) {
    for (uint32_t p = 0; p < island.mesh.polygons(); ++p) {
        if (!island.mesh.rim[p]) canvas.fill(borders.outline(p), island.biome[p]);
    }
}

// Calls draw(side) once for each border on or near the map.
template <class Draw>
void for_each_border(const Mesh& mesh, Draw&& draw) {
    for (uint32_t side = 0; side < mesh.start.size(); ++side) {
        if (mesh.twin[side] != kNone && side < mesh.twin[side]) draw(side);
    }
}

void draw_beaches(const Island& island, const Borders& borders, int32_t reach, Canvas& canvas) {
    const Mesh& mesh = island.mesh;
    for_each_border(mesh, [&](uint32_t side) {
        uint32_t land = mesh.start[side], sea = mesh.end(side);
        if (is(island, land, Surface::kOcean)) std::swap(land, sea);
        const bool shore = is(island, land, Surface::kLand) && is(island, sea, Surface::kOcean);
        if (shore && island.biome[land] != kDesert) canvas.stroke(borders.line(side), reach, kGround);
    });
}

void draw_rivers(const Island& island, const Borders& borders, const Pens& pens, Canvas& canvas) {
    const Mesh& mesh = island.mesh;
    for_each_border(mesh, [&](uint32_t side) {
        const bool under_lake = is(island, mesh.start[side], Surface::kLake) && is(island, mesh.end(side), Surface::kLake);
        if (island.river[side] > 0 && !under_lake) canvas.stroke(borders.line(side), pens.river(island.river[side]), kRiver);
    });
}

// Returns the midpoint of the border that the side crosses.
GridPoint gate(const Mesh& mesh, uint32_t side) {
    return mix(mesh.corners[Mesh::corner(side)], mesh.corners[Mesh::corner(mesh.twin[side])], 1, 2);
}

// Returns a quadratic Bezier curve with control point `lean`.
std::vector<GridPoint> bend_road(const Canvas& canvas, GridPoint from, GridPoint lean, GridPoint to) {
    std::vector<GridPoint> line;
    for (int32_t k = 0; k <= kCurveSteps; ++k) {
        line.push_back(canvas.place(mix(mix(from, lean, k, kCurveSteps), mix(lean, to, k, kCurveSteps), k, kCurveSteps)));
    }
    return line;
}

void draw_roads(const Island& island, int32_t reach, Canvas& canvas) {
    const Mesh& mesh = island.mesh;
    for (uint32_t p = 0; p < mesh.polygons(); ++p) {
        if (!is(island, p, Surface::kLand)) continue;
        std::vector<GridPoint> gates;
        mesh.around(p, [&](uint32_t side) {
            if (island.road[side]) gates.push_back(gate(mesh, side));
        });
        if (gates.size() == 2) {
            const GridPoint lean = mix(mesh.sites[p], mix(gates[0], gates[1], 1, 2), 1, 2);
            canvas.stroke(bend_road(canvas, gates[0], lean, gates[1]), reach, kRoad);
        } else {
            for (const GridPoint g : gates) canvas.stroke({canvas.place(mesh.sites[p]), canvas.place(g)}, reach, kRoad);
        }
    }
}

}  // namespace

std::vector<Terrain> draw_island(const Island& island, int32_t width, int32_t height) {
    Canvas canvas(island.mesh, width, height);
    const Borders borders(island, canvas);
    const Pens pens(canvas.polygon_side());
    draw_polygons(island, borders, canvas);
    draw_beaches(island, borders, pens.beach, canvas);
    draw_rivers(island, borders, pens, canvas);
    draw_roads(island, pens.road, canvas);
    return canvas.take();
}

}  // namespace terrane::detail
