#include "grid/passable_bits.h"

namespace terrane::detail {

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
        planes_.resize(layout);
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
        for (size_t x = 0; x < bits.size(); ++x, ++cell) row |= static_cast<uint32_t>(terrains_[*cell / 64] >> (*cell % 64) & 1) << x;
    }
    planes_.set_tile(grid.layout(), tile, bits);
    versions_[tile] = grid.tile_version(tile);
}

}  // namespace terrane::detail
