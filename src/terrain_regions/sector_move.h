// Local repair of a sector record: one cell inside a sector moves from one region to another, and nothing else changes.
#pragma once
#include "terrain_regions/sector_record.h"

namespace terrane::detail {

// The sector's record after `cell` changed to `terrain`, if that changes only the cell's region and perhaps the two representatives.
// Returns an empty reference if more may change; then relabel the sector. `record` must have labels and describe the map before the
// edit; `rect` is the sector's rectangle and contains `cell`.
SectorRef try_move_cell(const SectorRecord& record, const Rect& rect, Cell cell, Terrain terrain, GridVersion version);

}  // namespace terrane::detail
