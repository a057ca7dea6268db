// The terrains that random fields are made of.
#pragma once
#include "mapgen/checks.h"
#include "mapgen/island.h"

namespace terrane::detail {

// The sixteen terrains of the polygon maps: those that creatures walk on first, the sea and the summit last.
inline constexpr Terrain kPalette[] = {kGround, kRoad,   kPlains, kTrees,    kHills, kSwamp, kDesert,    kTundra,
                                       kIce,    kJungle, kBlight, kMountain, kRiver, kWater, kDeepWater, kBlack};
inline constexpr int32_t kPaletteSize = std::size(kPalette);

inline Result<Done> check_terrains(int32_t terrains) {
    if (within(terrains, 1, kPaletteSize)) return Done{};
    return refuse(std::to_string(terrains) + " terrains: 1 to " + std::to_string(kPaletteSize));
}

inline Terrain draw_terrain(Rng& rng, int32_t terrains) { return kPalette[rng.below(static_cast<uint32_t>(terrains))]; }

}  // namespace terrane::detail
