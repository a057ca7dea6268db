// Terrain regions as bytes: a section of a .terrane file (world_file.h), one for each sector size, beside the map that they were
// made for. The layout is in docs/formats.md.
//
// Reading is a copy of each sector's record and one pass over it, several times faster than building. What was read equals what
// build() would make of the map, bit for bit, if the bytes are format_regions' own.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

// `R016` for sectors of 16 cells a side, `R000` for one sector for the whole map.
std::array<char, 4> region_tag(uint32_t sector);
// The sector size that a tag is for; nothing for tags of other sections.
std::optional<uint32_t> region_tag_sector(const std::array<char, 4>& tag);

// The same regions give the same bytes, whatever edits they came about by.
std::string format_regions(const TerrainRegions& regions);

// The regions of `grid`. Refused with the reason: bytes that are truncated or go on after their end, of another version, made for
// other cells than these (stale), or inconsistent: counts, first edges, edges that lead nowhere, to the region itself, twice, or one way
// only, labels of no region, representatives off their sector or on another terrain or region. Memory is taken once all
// counts are known to agree with the length, and is then at most eight times that.
//
// No number in what passes leads astray. That regions and edges are those of these cells is known by a checksum of the cells: it finds
// mistakes, not forgeries. Without labels, the sectors are labelled again to compare, which takes half the time to build.
Result<TerrainRegions> parse_regions(std::string_view bytes, const GridSnapshot& grid, std::string_view file = {});

}  // namespace terrane
