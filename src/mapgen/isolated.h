// The part of a map that can be walked, made one.
#pragma once
#include <cstdint>
#include <span>

#include "terrane/grid/terrain.h"

namespace terrane::detail {

// The largest 4-connected area of `ground` stays (ties: the one whose first cell, by rows, comes first);
// every other cell of ground becomes `filler`. Time linear; memory a few rows and the edge of a flood.
void fill_isolated(std::span<Terrain> cells, int32_t width, Terrain ground, Terrain filler);

}  // namespace terrane::detail
