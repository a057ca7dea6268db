// What a builder was asked for, checked, in the units that Recast takes.
#pragma once
#include <recastnavigation/Recast.h>

#include <array>
#include <cstdint>
#include <vector>

#include "terrane/navmesh/navmesh_builder.h"

namespace terrane::detail {

// Recast's areas: 0 is nothing to stand on, others are Detour's plus one.
inline constexpr uint8_t kUnwalkable = RC_NULL_AREA;
constexpr uint8_t recast_area(Terrain area) { return static_cast<uint8_t>(area + 1); }
constexpr Terrain detour_area(uint8_t area) { return static_cast<Terrain>(area - 1); }

struct RecipeVolume {
    std::vector<float> outline;  // x, y, z of each corner
    float low = 0, high = 0;
    uint8_t area = kUnwalkable;
};

// The arrays that dtNavMeshCreateParams points at.
struct RecipeLinks {
    std::vector<float> ends;  // six for each
    std::vector<float> radius;
    std::vector<uint16_t> flags;
    std::vector<uint8_t> area, direction;
    std::vector<uint32_t> id;  // where it stands in the list
};

struct Recipe {
    rcConfig config{};    // but for the bounds of a tile
    float tile_side = 0;  // in metres
    Terrain ground = 0;
    uint32_t areas = 0;  // how many there are
    std::array<uint16_t, kMaxNavmeshAreas> flags{};
    std::vector<RecipeVolume> volumes;
    RecipeLinks links;
    // As the tiles' headers tell them.
    float agent_height = 0, agent_radius = 0, agent_climb = 0;
    bool detail = true;

    float border() const { return static_cast<float>(config.borderSize) * config.cs; }  // around a tile, that it looks at too
};

Result<Recipe> make_recipe(const NavmeshBuildOptions& options, const NavmeshAreas& areas);

}  // namespace terrane::detail
