// The terrains of scatter and Voronoi maps.
#pragma once
#include "mapgen/checks.h"
#include "mapgen/island.h"

namespace terrane::detail {

// The sixteen terrains of the benchmark maps, walkable ones first, sea and summit last.
inline constexpr Terrain kPalette[] = {kGround, kRoad,   kPlains, kTrees,    kHills, kSwamp, kDesert,    kTundra,
                                       kIce,    kJungle, kBlight, kMountain, kRiver, kWater, kDeepWater, kBlack};
inline constexpr int32_t kPaletteSize = std::size(kPalette);

inline Result<void> check_terrains(int32_t terrains) {
    if (within(terrains, 1, kPaletteSize)) return {};
    return refuse(std::to_string(terrains) + " terrains: expected 1 to " + std::to_string(kPaletteSize));
}

inline Terrain draw_terrain(Rng& rng, int32_t terrains) { return kPalette[rng.below(static_cast<uint32_t>(terrains))]; }

}  // namespace terrane::detail
