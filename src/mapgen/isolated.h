// Makes the walkable part of a map connected.
#pragma once
#include <cstdint>
#include <span>

#include "terrane/grid/terrain.h"

namespace terrane::detail {

// Keeps the largest 4-connected component of `ground` (ties: the one whose first cell comes first in row order) and replaces all
// other cells of `ground` by `filler`. Linear time; memory for a few rows and the frontier of a flood fill.
void fill_isolated(std::span<Terrain> cells, int32_t width, Terrain ground, Terrain filler);

}  // namespace terrane::detail
