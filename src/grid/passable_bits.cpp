#include "grid/passable_bits.h"

#include <bit>

namespace terrane::detail {

namespace {

constexpr size_t kSide = kTileSide;
using TileBits = std::array<uint32_t, kSide>;

// Transposes 32x32 bits by swapping ever smaller blocks (Warren 2012, Hacker's Delight, section 7-3).
void transpose(TileBits& bits) {
    uint32_t mask = 0x0000ffff;
    for (size_t width = 16; width != 0; width >>= 1, mask ^= mask << width) {
        for (size_t i = 0; i < kSide; i = (i + width + 1) & ~width) {
            const uint32_t swapped = ((bits[i] >> width) ^ bits[i + width]) & mask;
            bits[i] ^= swapped << width;
            bits[i + width] ^= swapped;
        }
    }
}

}  // namespace

PassableBits::TerrainSet PassableBits::passable_terrains(const CostTable& costs) {
    TerrainSet set{};
    for (size_t t = 0; t < 256; ++t) set[t / 64] |= uint64_t{costs.cost[t] != 0} << (t % 64);
    return set;
}

bool PassableBits::is_near(const Ground& ground) const {
    return grid_ == ground.grid().data().grid && grid_ != 0 && terrains_ == passable_terrains(ground.costs());
}

void PassableBits::update(const Ground& ground) {
    const GridSnapshot& grid = ground.grid();
    const GridLayout& layout = grid.layout();
    const bool near = is_near(ground);
    if (near && version_ == grid.version()) return;
    if (!near) {
        grid_ = 0;  // until everything is read: allocations may fail
        terrains_ = passable_terrains(ground.costs());
        rows_.resize(static_cast<int32_t>(layout.tiles_y()) * kTileSide, layout.width);
        columns_.resize(static_cast<int32_t>(layout.tiles_x()) * kTileSide, layout.height);
        versions_.assign(layout.tile_limit(), ~GridVersion{0});
    }
    for (uint32_t ty = 0; ty < layout.tiles_y(); ++ty) {
        for (uint32_t tx = 0; tx < layout.tiles_x(); ++tx) {
            const uint32_t tile = ty << layout.row_shift | tx;
            if (versions_[tile] != grid.tile_version(tile)) read_tile(grid, tile);
        }
    }
    grid_ = grid.data().grid;
    version_ = grid.version();
}

void PassableBits::read_tile(const GridSnapshot& grid, uint32_t tile) {
    const Terrain* cell = grid.tile_cells(tile);
    TileBits bits{};
    for (uint32_t& row : bits) {
        for (size_t x = 0; x < kSide; ++x, ++cell) row |= static_cast<uint32_t>(terrains_[*cell / 64] >> (*cell % 64) & 1) << x;
    }
    const Cell corner = grid.layout().cell(tile * kTileCells);
    for (int32_t y = 0; y < kTileSide; ++y) rows_.set32(corner.y + y, corner.x, bits[static_cast<size_t>(y)]);
    transpose(bits);
    for (int32_t x = 0; x < kTileSide; ++x) columns_.set32(corner.x + x, corner.y, bits[static_cast<size_t>(x)]);
    versions_[tile] = grid.tile_version(tile);
}

}  // namespace terrane::detail
