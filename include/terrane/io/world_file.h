// .terrane world files: a map with its whole catalogue, versioned, little-endian, checksummed, and small.
// The layout is in docs/formats.md. Sections that this library does not know can travel with the map.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/grid.h"
#include "terrane/io/map_formats.h"

namespace terrane {

// A part of a world file besides the map. A reader that does not know a `required` section refuses the file;
// others it skips.
struct WorldSection {
    std::array<char, 4> tag{};  // four printable characters; `CATA` and `CELL` are the map's own
    bool required = false;
    std::string bytes;
    friend bool operator==(const WorldSection&, const WorldSection&) = default;
};
inline constexpr size_t kMaxWorldSections = 64;

// Whether these bytes begin as a .terrane file does.
bool is_world_file(std::string_view bytes);

// Refused with file and reason: anything truncated, altered (every byte is under a checksum), longer than it says,
// of another version, with more cells than `options` allow, or with an unknown section that is required. Nothing
// is allocated for the cells before all of it is known to be well. With `others`, the sections besides the map
// are handed over there, required or not.
Result<TerrainGrid> parse_world(std::string_view bytes, const MapOptions& options = {}, std::string_view file = {},
                                std::vector<WorldSection>* others = nullptr);

// Any map that has cells can be written; the same map gives the same bytes.
Result<std::string> format_world(const GridSnapshot& grid, std::span<const WorldSection> others = {});

}  // namespace terrane
