// Validates untrusted Detour tile data.
#pragma once
#include <recastnavigation/DetourNavMesh.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

namespace terrane::detail {

inline constexpr float kMaxCoordinate = 1e9f;  // sums of squares stay finite in floats
// False for NaN.
inline bool valid_coordinate(float value) { return std::abs(value) <= kMaxCoordinate; }

// The sections of tile data, in the order that dtNavMesh::addTile expects.
struct TileParts {
    dtMeshHeader* header = nullptr;
    std::span<float> vertices;  // three per vertex
    std::span<dtPoly> polygons;
    std::span<dtLink> links;
    std::span<dtPolyDetail> details;
    std::span<float> detail_vertices;
    std::span<unsigned char> detail_triangles;  // four per triangle
    std::span<dtBVNode> nodes;
    std::span<dtOffMeshConnection> connections;
    bool fits = false;  // the header is valid and the sections fill the data exactly
};

// Splits tile data into sections; reads only the header. `data` must be aligned as by malloc().
TileParts tile_parts(std::span<unsigned char> data);

// Returns the reason why a mesh with these parameters must not add the tile, or an empty string if the tile is valid: then no Detour query
// reads out of bounds because of it.
std::string validate_tile(std::span<unsigned char> data, const dtNavMeshParams& params);

// Undoes what addTile writes: zeroes the links and resets the ends of off-mesh connections to their requested positions. The tile must be
// valid.
void reset_links(std::span<unsigned char> data);

}  // namespace terrane::detail
