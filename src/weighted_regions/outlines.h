// The outlines of same-cost regions of a grid, as chains from junction to junction.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/grid/grid.h"
#include "terrane/grid/profile.h"

namespace terrane::detail {

// A corner of cells: the corner of cell (x, y) that is nearest to the origin.
struct LatticePoint {
    int32_t x = 0;
    int32_t y = 0;

    bool operator==(const LatticePoint&) const = default;
};

// > 0 if a, b, c make a left turn (y upwards).
inline int64_t turn_of(LatticePoint a, LatticePoint b, LatticePoint c) {
    return int64_t{b.x - a.x} * (c.y - a.y) - int64_t{b.y - a.y} * (c.x - a.x);
}

inline constexpr std::array<LatticePoint, 4> kSteps{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

// The cells of a grid with a border of kOutside. Terrains of equal cost are replaced by the first of them.
class PaddedTerrain {
public:
    PaddedTerrain(const GridSnapshot& grid, const CostTable& costs);

    int32_t width() const { return width_; }
    int32_t height() const { return height_; }
    // x from -1 to the width, y from -1 to the height.
    Terrain at(int32_t x, int32_t y) const { return cells_[static_cast<size_t>(y + 1) * stride_ + static_cast<size_t>(x + 1)]; }

    // The cells to the left and right of the step from `from` in a direction.
    Terrain left(LatticePoint from, uint32_t direction) const { return beside(from, (direction + 1) % 4); }
    Terrain right(LatticePoint from, uint32_t direction) const { return beside(from, direction); }
    // Bit set of the directions in which an outline leaves p: none, or at least two.
    uint32_t directions(LatticePoint p) const;

private:
    // The cell in one quarter around a corner, counter-clockwise from the lower right.
    Terrain beside(LatticePoint p, uint32_t quarter) const {
        return at(p.x - static_cast<int32_t>(quarter == 2 || quarter == 3), p.y - static_cast<int32_t>(quarter == 0 || quarter == 3));
    }

    int32_t width_, height_;
    size_t stride_;
    std::vector<Terrain> cells_;
};

struct OutlineCorner {
    LatticePoint at;
    uint32_t step = 0;  // steps from the start of the chain, before simplification
};

// A piece of an outline. Its corners are where it turns, plus its first and last point, which may be equal.
struct OutlineChain {
    size_t begin = 0, end = 0;  // in Outlines::corners
    Terrain left = 0, right = 0;
};

struct Outlines {
    std::vector<OutlineCorner> corners;
    std::vector<OutlineChain> chains;

    std::span<const OutlineCorner> of(const OutlineChain& chain) const {
        return std::span(corners).subspan(chain.begin, chain.end - chain.begin);
    }
};

// Traces the outlines. Chains end at junctions, where three or four outlines meet; a chain without junction is closed. Stops early, with
// more than `max_corners` corners, if there are more.
Outlines trace_outlines(const PaddedTerrain& terrain, size_t max_corners);

// Removes corners so that no removed corner is further than `tolerance`, in cells, from its replacement. Chains keep their ends, do not
// meet where they did not before, and keep the terrain on both sides; chains along the border of the map stay exact.
Outlines simplify_outlines(const PaddedTerrain& terrain, const Outlines& outlines, double tolerance);

}  // namespace terrane::detail
