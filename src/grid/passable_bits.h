// The passable cells of a map for one set of passable terrains, one bit per cell, by rows and by columns, so that 64 cells are tested at
// once. A search reuses it from query to query.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "grid/bit_planes.h"
#include "terrane/base/memory.h"
#include "terrane/grid/ground.h"

namespace terrane::detail {

class PassableBits {
public:
    // Whether update() reads only the tiles that changed since the last call: the same grid, and the same passable terrains.
    bool is_near(const Ground& ground) const;
    // Makes the bits those of `ground`. 1 ns per cell that is read.
    void update(const Ground& ground);

    const BitPlane& rows() const { return planes_.rows(); }        // line y, bit x
    const BitPlane& columns() const { return planes_.columns(); }  // line x, bit y
    // `cell` may be one cell beyond the border of the map.
    bool passable(Cell cell) const { return planes_.test(cell); }
    size_t bytes() const { return planes_.bytes() + versions_.capacity() * sizeof(GridVersion); }

private:
    using TerrainSet = std::array<uint64_t, 4>;
    static TerrainSet passable_terrains(const CostTable& costs);
    void read_tile(const GridSnapshot& grid, uint32_t tile);

    BitPlanes planes_;
    TerrainSet terrains_{};
    uint64_t grid_ = 0;             // GridData::grid; 0: nothing was read
    GridVersion version_ = 0;       // of the map
    Vector<GridVersion> versions_;  // of each tile
};

}  // namespace terrane::detail
