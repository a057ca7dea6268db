// The smallest repair: one cell, inside its sector, that goes from one region to another while everything else stays.
#pragma once
#include "terrain_regions/sector_record.h"

namespace terrane::detail {

// The sector's record after `cell` took on `terrain`, where that changes nothing but the cell's region and perhaps the two
// representatives; nothing where it may change more, and the sector must be labelled anew. The cell is in `rect`, the sector's
// place; the record has labels and is of the map before.
SectorRef try_move_cell(const SectorRecord& record, const Rect& rect, Cell cell, Terrain terrain, GridVersion version);

}  // namespace terrane::detail
