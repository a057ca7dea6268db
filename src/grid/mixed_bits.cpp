#include "grid/mixed_bits.h"

#include <algorithm>

namespace terrane::detail {

namespace {

// The cells of a tile and those around it; kOutside off the map.
constexpr size_t kWindow = kTileSide + 2;
using Window = std::array<std::array<Terrain, kWindow>, kWindow>;

Window window_of(const GridSnapshot& grid, Cell corner) {
    Window window;
    const int32_t left = std::max(corner.x - 1, 0), right = std::min(corner.x + kTileSide + 1, grid.width());
    for (int32_t i = 0; i < static_cast<int32_t>(kWindow); ++i) {
        auto& row = window[static_cast<size_t>(i)];
        row.fill(kOutside);
        const int32_t y = corner.y + i - 1;
        if (y < 0 || y >= grid.height()) continue;
        grid.copy_row({left, y}, static_cast<uint32_t>(right - left), row.data() + (left - corner.x + 1));
    }
    return window;
}

TileBits mixed_cells(const Window& window) {
    TileBits bits{};
    for (size_t y = 0; y < bits.size(); ++y) {
        const auto &above = window[y], &here = window[y + 1], &below = window[y + 2];
        std::array<uint8_t, kWindow> differs;  // in a column of three cells
        for (size_t x = 0; x < kWindow; ++x) differs[x] = static_cast<uint8_t>((above[x] ^ here[x]) | (here[x] ^ below[x]));
        for (size_t x = 0; x < bits.size(); ++x) {
            const int any = differs[x] | differs[x + 1] | differs[x + 2] | (here[x] ^ here[x + 1]) | (here[x + 1] ^ here[x + 2]);
            bits[y] |= uint32_t{any != 0} << x;
        }
    }
    return bits;
}

// The version of the map that last changed the tile or one around it.
GridVersion version_around(const GridSnapshot& grid, uint32_t tx, uint32_t ty) {
    const GridLayout& layout = grid.layout();
    GridVersion newest = 0;
    for (uint32_t y = std::max(ty, 1u) - 1; y < std::min(ty + 2, layout.tiles_y()); ++y) {
        for (uint32_t x = std::max(tx, 1u) - 1; x < std::min(tx + 2, layout.tiles_x()); ++x)
            newest = std::max(newest, grid.tile_version(y << layout.row_shift | x));
    }
    return newest;
}

}  // namespace

void MixedBits::update(const GridSnapshot& grid) {
    const GridLayout& layout = grid.layout();
    const bool same_grid = grid_ != 0 && grid_ == grid.data().grid;
    if (same_grid && version_ == grid.version()) return;
    if (!same_grid) {
        grid_ = 0;  // until everything is read: allocations may fail
        planes_.resize(layout);
        versions_.assign(layout.tile_limit(), ~GridVersion{0});
    }
    for (uint32_t ty = 0; ty < layout.tiles_y(); ++ty) {
        for (uint32_t tx = 0; tx < layout.tiles_x(); ++tx) {
            const uint32_t tile = ty << layout.row_shift | tx;
            const GridVersion version = version_around(grid, tx, ty);
            if (versions_[tile] == version) continue;
            planes_.set_tile(layout, tile, mixed_cells(window_of(grid, layout.cell(tile * kTileCells))));
            versions_[tile] = version;
        }
    }
    grid_ = grid.data().grid;
    version_ = grid.version();
}

}  // namespace terrane::detail
