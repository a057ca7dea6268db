#include "grid/grid_checksum.h"

#include "base/checksum.h"

namespace terrane::detail {

uint64_t grid_checksum(const GridSnapshot& grid) {
    const GridLayout& layout = grid.layout();
    std::array<uint64_t, kTileSide / 8> lanes{};
    for (uint32_t y = 0; y < static_cast<uint32_t>(layout.height); ++y) {
        for (uint32_t tile = 0; tile < layout.tiles_x(); ++tile) {
            const Terrain* row = grid.tile_cells((y / kTileSide << layout.row_shift) + tile) + y % kTileSide * kTileSide;
            for (size_t i = 0; i < lanes.size(); ++i) lanes[i] = mix_word(lanes[i], read_word<uint64_t>(row + 8 * i));
        }
    }
    uint64_t hash = uint64_t{static_cast<uint32_t>(layout.width)} << 32 | static_cast<uint32_t>(layout.height);
    for (const uint64_t lane : lanes) hash = mix_word(hash, lane);
    return hash;
}

}  // namespace terrane::detail
