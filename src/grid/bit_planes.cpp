#include "grid/bit_planes.h"

namespace terrane::detail {

namespace {

// Transposes 32x32 bits by swapping ever smaller blocks (Warren 2012, Hacker's Delight, section 7-3).
void transpose(TileBits& bits) {
    uint32_t mask = 0x0000ffff;
    for (size_t width = 16; width != 0; width >>= 1, mask ^= mask << width) {
        for (size_t i = 0; i < bits.size(); i = (i + width + 1) & ~width) {
            const uint32_t swapped = ((bits[i] >> width) ^ bits[i + width]) & mask;
            bits[i] ^= swapped << width;
            bits[i + width] ^= swapped;
        }
    }
}

}  // namespace

void BitPlanes::resize(const GridLayout& layout) {
    rows_.resize(static_cast<int32_t>(layout.tiles_y()) * kTileSide, layout.width);
    columns_.resize(static_cast<int32_t>(layout.tiles_x()) * kTileSide, layout.height);
}

void BitPlanes::set_tile(const GridLayout& layout, uint32_t tile, TileBits bits) {
    const Cell corner = layout.cell(tile * kTileCells);
    for (int32_t y = 0; y < kTileSide; ++y) rows_.set32(corner.y + y, corner.x, bits[static_cast<size_t>(y)]);
    transpose(bits);
    for (int32_t x = 0; x < kTileSide; ++x) columns_.set32(corner.x + x, corner.y, bits[static_cast<size_t>(x)]);
}

}  // namespace terrane::detail
