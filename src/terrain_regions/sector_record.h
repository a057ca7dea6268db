// Construction of sector records: from labels, or from another record with new edges.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "terrain_regions/sector_labels.h"

namespace terrane::detail {

// The division of a map into sectors, without their records. `sector` and `labels` are as in RegionOptions.
std::shared_ptr<RegionData> make_region_data(const GridSnapshot& grid, uint32_t sector, bool labels);

// Sets the counts and zeroes the labels; regions and edges are uninitialised.
SectorRecord* make_record(uint32_t regions, uint32_t edges, uint32_t label_bits, uint32_t width, uint32_t height, GridVersion version);

// A sector without its neighbours: its regions, the edges between them, and labels.
SectorRef label_record(SectorLabels& labels, EdgeCollector& edges, const GridSnapshot& grid, const Rect& rect);

// A set of sides of a sector, as bits by RegionEdge::side().
using Sides = uint32_t;
inline constexpr Sides kAllSides = 0x1ff & ~(1u << RegionEdge::kHere);

// The region numbers along the border of a sector that faces `side`: a row, a column, or a corner cell.
using BorderLabels = Vector<uint32_t>;
void read_border(const SectorRecord& record, const Rect& rect, uint32_t side, BorderLabels& out);

// Adds the edges from a sector to its neighbour on `side`, given the labels of the two facing borders.
void add_border_edges(const BorderLabels& own, const BorderLabels& other, uint32_t side, EdgeCollector& edges);

// A copy of `from` with the edges of `keys`, which are sorted. Keeps the labels only if `labels`.
SectorRef with_edges(const SectorRecord& from, const Rect& rect, std::span<const uint64_t> keys, bool labels, GridVersion version);

// Whether the records are equal, apart from their versions.
bool same(const SectorRecord& a, const SectorRecord& b);

}  // namespace terrane::detail
