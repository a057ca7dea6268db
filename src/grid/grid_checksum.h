// Whether a file was made for this map.
#pragma once
#include <cstdint>

#include "terrane/grid/grid.h"

namespace terrane::detail {

// Of size and cells: by rows, 32 cells at a time (past the map's edge kOutside), each eight of them in a lane of their own. No change of a
// single cell goes unnoticed. Part of file formats: never changes.
uint64_t grid_checksum(const GridSnapshot& grid);

}  // namespace terrane::detail
