// Validated build options in Recast's units.
#pragma once
#include <recastnavigation/Recast.h>

#include <array>
#include <cstdint>
#include <vector>

#include "terrane/navmesh/navmesh_builder.h"

namespace terrane::detail {

// Recast reserves area 0 for unwalkable spans; other areas are Detour's plus one.
inline constexpr uint8_t kUnwalkable = RC_NULL_AREA;
constexpr uint8_t recast_area(Terrain area) { return static_cast<uint8_t>(area + 1); }
constexpr Terrain detour_area(uint8_t area) { return static_cast<Terrain>(area - 1); }

struct BuildVolume {
    std::vector<float> outline;  // x, y, z per vertex
    float low = 0, high = 0;
    uint8_t area = kUnwalkable;
};

// Off-mesh connections as the arrays of dtNavMeshCreateParams.
struct BuildLinks {
    std::vector<float> ends;  // six per link
    std::vector<float> radius;
    std::vector<uint16_t> flags;
    std::vector<uint8_t> area, direction;
    std::vector<uint32_t> id;  // index in NavmeshAreas::links
};

struct BuildConfig {
    rcConfig recast{};    // without the bounds of a tile
    float tile_side = 0;  // in metres
    Terrain default_area = 0;
    uint32_t areas = 0;  // number of areas
    std::array<uint16_t, kMaxNavmeshAreas> flags{};
    std::vector<BuildVolume> volumes;
    BuildLinks links;
    float agent_height = 0, agent_radius = 0, agent_climb = 0;  // in metres, for the tile headers
    bool detail = true;

    float border() const { return static_cast<float>(recast.borderSize) * recast.cs; }  // around a tile, voxelised with it
};

// Fails with a reason if options, volumes or links are invalid.
Result<BuildConfig> make_build_config(const NavmeshBuildOptions& options, const NavmeshAreas& areas);

}  // namespace terrane::detail
