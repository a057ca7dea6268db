// The checksum by which saved files identify their map.
#pragma once
#include <cstdint>

#include "terrane/grid/grid.h"

namespace terrane::detail {

// Hashes the size and all cells: row by row, 32 cells at a time (kOutside beyond the map's edge), eight cells per lane. A change of any
// single cell changes it. Part of file formats: must never change.
uint64_t grid_checksum(const GridSnapshot& grid);

}  // namespace terrane::detail
