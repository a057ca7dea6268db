// Ids in the octile catalogue, for generators of maps with obstacles.
#pragma once
#include "terrane/grid/terrain.h"

namespace terrane::detail {

inline constexpr Terrain kFloor = 0;   // ground, `.`
inline constexpr Terrain kWall = 2;    // wall, `@`
inline constexpr Terrain kFiller = 4;  // trees, `T`: marks unreachable cells in the published maps

}  // namespace terrane::detail
