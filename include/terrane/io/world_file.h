// .terrane files: a map with its catalogue in a versioned, little-endian, checksummed and compact format (docs/formats.md). Files may
// carry sections that this library does not know.
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

// A section of a world file besides the map. A reader refuses a file with an unknown section that is `required`, and skips other unknown
// ones.
struct WorldSection {
    std::array<char, 4> tag{};  // four printable characters; `CATA` and `CELL` are the map's own
    bool required = false;
    std::string bytes;
    friend bool operator==(const WorldSection&, const WorldSection&) = default;
};
inline constexpr size_t kMaxWorldSections = 64;

// Whether the bytes begin with the signature of .terrane files.
bool is_world_file(std::string_view bytes);

// Parses a world file. Fails, with file and reason, if it is truncated, altered (checksums cover every byte), longer than declared, of
// another version, has more cells than `options` allow, or has an unknown required section. Cells are allocated only after the whole file
// is validated. If `others` is given, it receives all sections besides the map, required or not.
Result<TerrainGrid> parse_world(std::string_view bytes, const MapOptions& options = {}, std::string_view file = {},
                                std::vector<WorldSection>* others = nullptr);

// Formats a world file; deterministic. Fails for a map without cells, for sections without a unique name of four printable characters,
// and for more than kMaxWorldSections.
Result<std::string> format_world(const GridSnapshot& grid, std::span<const WorldSection> others = {});

}  // namespace terrane
