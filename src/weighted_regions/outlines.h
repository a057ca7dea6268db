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

// A corner of cells: that of cell (x, y) which is nearest to the origin.
struct LatticePoint {
    int32_t x = 0;
    int32_t y = 0;

    bool operator==(const LatticePoint&) const = default;
};

// > 0 where the way a, b, c turns left (y upwards).
inline int64_t turn_of(LatticePoint a, LatticePoint b, LatticePoint c) {
    return int64_t{b.x - a.x} * (c.y - a.y) - int64_t{b.y - a.y} * (c.x - a.x);
}

inline constexpr std::array<LatticePoint, 4> kSteps{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

// The cells of a grid, terrains of one cost all as the first of them, and kOutside all around.
class PaddedTerrain {
public:
    PaddedTerrain(const GridSnapshot& grid, const CostTable& costs);

    int32_t width() const { return width_; }
    int32_t height() const { return height_; }
    // From -1 to the width, from -1 to the height.
    Terrain at(int32_t x, int32_t y) const { return cells_[static_cast<size_t>(y + 1) * stride_ + static_cast<size_t>(x + 1)]; }

    // The cells on both sides of the step from `from` in a direction.
    Terrain left(LatticePoint from, uint32_t direction) const { return beside(from, (direction + 1) % 4); }
    Terrain right(LatticePoint from, uint32_t direction) const { return beside(from, direction); }
    // The directions in which an outline leaves p, a bit for each: none, or at least two.
    uint32_t ways(LatticePoint p) const;

private:
    // The four cells around a corner, counter-clockwise from the one to the right and below.
    Terrain beside(LatticePoint p, uint32_t quarter) const {
        return at(p.x - static_cast<int32_t>(quarter == 2 || quarter == 3), p.y - static_cast<int32_t>(quarter == 0 || quarter == 3));
    }

    int32_t width_, height_;
    size_t stride_;
    std::vector<Terrain> cells_;
};

struct OutlineCorner {
    LatticePoint at;
    uint32_t step = 0;  // of the chain: as many as it is long, before simplification
};

// Its corners are where it turns, with a first and a last that may be the same place.
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

// Chains end at junctions, where three or four outlines meet; those that meet none are closed. Stops early, with more than
// `max_corners` of them, where there are more.
Outlines trace_outlines(const PaddedTerrain& terrain, size_t max_corners);

// Fewer corners: no corner left out is further than `tolerance`, in cells, from what takes its place. Chains keep their ends, do not
// meet where they did not before, and have the same on both sides; those along the rim stay as they are.
Outlines simplify_outlines(const PaddedTerrain& terrain, const Outlines& outlines, double tolerance);

}  // namespace terrane::detail
