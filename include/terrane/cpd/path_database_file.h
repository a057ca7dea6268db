// Path databases in files.
//
// A file is versioned, little-endian, checksummed, and mapped into memory: opening it takes milliseconds whatever its size, and pages are
// read as paths need them. It holds no map: the one that it was built for is given, and any other is refused. The layout is in
// docs/formats.md.
//
// A file that is open must not be written to by others; it may be replaced, as save_path_database does, or removed.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/cpd/path_database.h"

namespace terrane {

// To a temporary name beside `path`, then renamed: a crash leaves the old file.
Result<Done> save_path_database(const PathDatabase& database, const std::string& path);

// How much of a file is looked at before it is believed.
enum class PathFileCheck : uint8_t {
    kHeader,  // what is needed to read it safely, in milliseconds: where rows were altered, moves may be wrong, and a search's paths dearer
              // than its bound, or not found; but each that is found is legal, and costs what it says
    kAll,     // every byte, by its checksum
};

// Refused, with the reason: no such file; not a path database; of another version; truncated; goes on after its end; altered; built for
// another map, profile or movement rule. The profile is another where a terrain that is on the map has another cost.
Result<PathDatabase> open_path_database(const std::string& path, const Ground& ground, PathFileCheck check = PathFileCheck::kHeader);

// The same in memory: byte for byte what a file holds.
std::string format_path_database(const PathDatabase& database);
Result<PathDatabase> parse_path_database(std::string bytes, const Ground& ground, PathFileCheck check = PathFileCheck::kAll,
                                         std::string_view file = {});

// What a file says of itself, without its map.
struct PathFileInfo {
    uint32_t version = 0;
    int32_t width = 0, height = 0;  // of the map
    Movement movement = Movement::kEight;
    PathEncoding encoding = PathEncoding::kWalk;
    PathOrder order = PathOrder::kDepthFirst;
    uint32_t nodes = 0;           // cells that are passable
    uint32_t targets = 0;         // of them, those that paths may lead to
    bool everywhere = true;       // all of them
    Rect target_bounds;           // of the targets; the whole map where everywhere
    uint64_t map_checksum = 0;    // of the map's size and cells
    uint64_t costs_checksum = 0;  // of what the terrains on the map cost
    uint64_t header_bytes = 0, file_bytes = 0;
};
// Refused as by open_path_database, as far as can be seen without the map.
Result<PathFileInfo> inspect_path_database(const std::string& path, PathFileCheck check = PathFileCheck::kHeader);

}  // namespace terrane
