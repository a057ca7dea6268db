// Saves and opens path databases as files.
//
// A file is versioned, little-endian, checksummed and memory-mapped: opening it takes milliseconds whatever its size, and pages are read as
// paths need them. It holds no map. You pass the map that it was built for; any other is rejected. docs/formats.md describes the layout.
//
// Do not write to an open file; you may replace it, as save_path_database() does, or delete it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/cpd/path_database.h"

namespace terrane {

// Writes a temporary file beside `path`, then renames it; a crash leaves the old file.
Result<void> save_path_database(const PathDatabase& database, const std::string& path);

// How much of a file is verified when it is opened.
enum class PathFileCheck : uint8_t {
    kHeader,  // the header, in milliseconds; reading is safe. If rows were altered, paths may exceed their bound or not be found, but every
              // path found is legal and has the reported cost
    kAll,     // every byte, by checksum
};

// Opens a file. Fails, with the reason, if the file is missing, not a path database, of another version, truncated, too long or altered, or
// if it was built for another map, profile or movement rule. Profiles differ if a terrain on the map has another cost.
Result<PathDatabase> open_path_database(const std::string& path, const Ground& ground, PathFileCheck check = PathFileCheck::kHeader);

// The same in memory: the bytes of a file.
std::string format_path_database(const PathDatabase& database);
Result<PathDatabase> parse_path_database(std::string bytes, const Ground& ground, PathFileCheck check = PathFileCheck::kAll,
                                         std::string_view file = {});

// The header of a file.
struct PathFileInfo {
    uint32_t version = 0;
    int32_t width = 0, height = 0;  // of the map
    Movement movement = Movement::kEightNoCornerCutting;
    PathEncoding encoding = PathEncoding::kWalk;
    PathOrder order = PathOrder::kDepthFirst;
    uint32_t nodes = 0;           // number of passable cells
    uint32_t targets = 0;         // number of cells that paths may lead to
    bool everywhere = true;       // all passable cells are targets
    Rect target_bounds;           // of the targets; the whole map if everywhere
    uint64_t map_checksum = 0;    // of the map's size and cells
    uint64_t costs_checksum = 0;  // of the costs of the terrains on the map
    uint64_t header_bytes = 0, file_bytes = 0;
};
// Reads the header of a file. Fails like open_path_database(), except for checks that need the map.
Result<PathFileInfo> inspect_path_database(const std::string& path, PathFileCheck check = PathFileCheck::kHeader);

}  // namespace terrane
