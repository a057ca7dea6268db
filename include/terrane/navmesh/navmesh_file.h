// Saves and loads navigation meshes.
//
// A file is versioned, little-endian and checksummed. It holds the mesh parameters, the area names and Detour's own tile data. Detour
// trusts its tile data, so the loader validates every count and index first. The content depends on the mesh alone, not on its history:
// saving, loading and saving again yields the same bytes.
//
// Layout, after the magic bytes 89 54 4E 4D 0D 0A 1A 0A: version (u32), length of the file (u64), checksum of all that follows (u64);
// origin (3 floats), tile width and depth (2 floats), maximum number of tiles and of polygons in a tile (u32 each); number of areas (u32),
// and for each the length of its name (u8), the name, its letter (u8), red, green, blue (u8 each); number of tiles (u32), the size of each
// in bytes (u32), and their data, sorted by y, x and layer.
#pragma once
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/navmesh/navmesh.h"

namespace terrane {

inline constexpr uint64_t kMaxNavmeshBytes = uint64_t{1} << 32;

// Writes a temporary file next to `path` and renames it, so a crash leaves the old file intact.
Result<void> save_navmesh(const Navmesh& navmesh, const std::string& path);
std::string format_navmesh(const Navmesh& navmesh);

// Tile and polygon refs are those of a fresh mesh: tiles take slots in file order. Fails with a reason if the file is truncated, too long,
// altered, of another version, or has invalid tiles.
Result<Navmesh> load_navmesh(const std::string& path);
Result<Navmesh> parse_navmesh(std::string_view bytes, std::string_view file = {});

}  // namespace terrane
