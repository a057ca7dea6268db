// What an agent can stand on in one tile, as voxels: the first half of building it.
#pragma once
#include <memory>
#include <string>

#include "navmesh/building/tile_builder.h"

namespace terrane::detail {

// Recast's things, freed as they go.
template <class T, void (*kFree)(T*)>
struct Freed {
    void operator()(T* thing) const { kFree(thing); }
};
using CompactField = std::unique_ptr<rcCompactHeightfield, Freed<rcCompactHeightfield, rcFreeCompactHeightfield>>;

struct TileField {
    rcConfig config{};    // with the tile's bounds, its border included
    CompactField voxels;  // null where there is nothing
};

Error refuse_tile(ErrorCode code, const TilePlace& place, const std::string& reason);

// With what is too near to walls taken away and what is painted painted. `triangles` as of build_tile.
Result<TileField> make_tile_field(const Recipe& recipe, const TilePlace& place, TileTriangles& triangles, rcContext& context);

}  // namespace terrane::detail
