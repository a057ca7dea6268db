// The mixed cells of a map, one bit per cell. A cell is mixed if not all of its eight neighbours have its own terrain; off the map counts
// as another terrain. All other cells are uniform. Independent of profiles. A search reuses the bits from query to query.
#pragma once
#include "grid/bit_planes.h"

namespace terrane::detail {

class MixedBits {
public:
    // Makes the bits those of `grid`. Reads only the tiles at which the grid changed since the last call. 2 ns per cell that is read.
    void update(const GridSnapshot& grid);

    const BitPlane& rows() const { return planes_.rows(); }        // line y, bit x
    const BitPlane& columns() const { return planes_.columns(); }  // line x, bit y
    bool mixed(Cell cell) const { return planes_.test(cell); }
    size_t bytes() const { return planes_.bytes() + versions_.capacity() * sizeof(GridVersion); }

private:
    BitPlanes planes_;
    uint64_t grid_ = 0;             // GridData::grid; 0: nothing was read
    GridVersion version_ = 0;       // of the map
    Vector<GridVersion> versions_;  // of each tile: the newest of its own version and those of the tiles around it
};

}  // namespace terrane::detail
