// Making sector records: from labels, from other records with some of their edges joined anew.
#pragma once
#include <span>
#include <vector>

#include "terrain_regions/sector_labels.h"

namespace terrane::detail {

// Uninitialised but for its counts; labels are 0.
SectorRecord* make_record(uint32_t regions, uint32_t edges, uint32_t label_bits, uint32_t width, uint32_t height, GridVersion version);

// A sector by itself: regions, the edges between them, and labels.
SectorRef label_record(SectorLabels& labels, EdgeCollector& edges, const GridSnapshot& grid, const Rect& rect);

// Which sides of a sector, as bits by RegionEdge's sides.
using Sides = uint32_t;
inline constexpr Sides kAllSides = 0x1ff & ~(1u << RegionEdge::kHere);

// The region numbers along the edge of a sector that faces `side`: a row, a column, or a corner cell.
using Line = Vector<uint32_t>;
void read_line(const SectorRecord& record, const Rect& rect, uint32_t side, Line& out);

// Adds the edges of a sector to its neighbour on `side`, given the lines that face each other.
void join_lines(const Line& own, const Line& other, uint32_t side, EdgeCollector& edges);

// `from` with other edges: those of `keys`, sorted. Without labels unless `labels`.
SectorRef with_edges(const SectorRecord& from, const Rect& rect, std::span<const uint64_t> keys, bool labels, GridVersion version);

// Whether the records say the same. Versions do not count.
bool same(const SectorRecord& a, const SectorRecord& b);

}  // namespace terrane::detail
