// Ids in the octile catalogue, for the generators of walls.
#pragma once
#include "terrane/grid/terrain.h"

namespace terrane::detail {

inline constexpr Terrain kFloor = 0;   // ground, `.`
inline constexpr Terrain kWall = 2;    // wall, `@`
inline constexpr Terrain kFiller = 4;  // trees, `T`: what the published maps put where nobody can get to

}  // namespace terrane::detail
