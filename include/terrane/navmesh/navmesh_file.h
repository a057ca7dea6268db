// Navigation meshes in files.
//
// A file is versioned, little-endian and checksummed: the mesh's parameters, the names of its areas, then Detour's own data, tile by tile.
// Detour believes whatever a tile says; here every count and every index is looked at before it gets to see it. What a file holds depends
// on the mesh alone, not on how it was built or changed: saved, loaded and saved again, it is the same, byte for byte.
//
// Layout, after the magic bytes 89 54 4E 4D 0D 0A 1A 0A: version (u32), length of the file (u64), checksum of all that follows (u64);
// origin (3 floats), width and depth of tiles (2 floats), most tiles, most polygons in a tile (u32 each); number of areas (u32), and for
// each the length of its name (u8), the name, its letter (u8), red, green, blue (u8 each); number of tiles (u32), the bytes of each (u32),
// and their data, by y, x and layer.
#pragma once
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/navmesh/navmesh.h"

namespace terrane {

inline constexpr uint64_t kMaxNavmeshBytes = uint64_t{1} << 32;

// To a temporary name beside `path`, then renamed: a crash leaves the old file.
Result<Done> save_navmesh(const Navmesh& navmesh, const std::string& path);
std::string format_navmesh(const Navmesh& navmesh);

// References of tiles and polygons are those of a mesh that was just built: tiles take numbers in the order of the file. Refused, with the
// reason: files cut short, too long, altered, of another version, or with tiles that contradict themselves.
Result<Navmesh> load_navmesh(const std::string& path);
Result<Navmesh> parse_navmesh(std::string_view bytes, std::string_view file = {});

}  // namespace terrane
