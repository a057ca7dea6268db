// Binary format of terrain regions: a section of a .terrane file (world_file.h) per sector size, stored with the map that they were
// built for. docs/formats.md has the layout.
//
// Reading copies each sector's record and validates it in one pass, several times faster than building. The result is bit-identical to
// build() on the map if format_regions() wrote the bytes.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

// `R016` for sectors of 16 cells a side, `R000` for one sector that covers the map.
std::array<char, 4> region_tag(uint32_t sector);
// The sector size of a tag; nothing for tags of other sections.
std::optional<uint32_t> region_tag_sector(const std::array<char, 4>& tag);

// Equal regions give equal bytes, independent of earlier edits.
std::string format_regions(const TerrainRegions& regions);

// Reads the regions of `grid` from untrusted bytes. Fails, with the reason, on bytes that are truncated, have trailing data, another
// version, or a checksum of other cells (stale), and on inconsistent content: counts, first edges, edges without target or reverse edge,
// loops, duplicate edges, labels without region, representatives outside their sector or in another terrain or region. Allocates only
// after all counts match the length; then at most eight times that length.
//
// All indices of accepted regions are valid. That regions and edges match the cells is checked by a checksum of the cells, which detects
// mistakes but not forgeries. Without labels, the sectors are labelled again for comparison, which takes half the time of a build.
Result<TerrainRegions> parse_regions(std::string_view bytes, const GridSnapshot& grid, std::string_view file = {});

}  // namespace terrane
