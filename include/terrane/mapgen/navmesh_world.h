// Generates a large outdoor world, as input for navigation mesh builders.
#pragma once
#include <cstdint>

#include "terrane/base/result.h"
#include "terrane/io/obj_file.h"

namespace terrane {

struct NavmeshWorldOptions {
    int32_t metres = 1000;  // per side, 64 to 4000; odd values are rounded down
    uint64_t seed = 1;
};

// The middle of generate_island()'s map with heights: quads of two metres, whose areas are the terrains of the standard catalogue. Sea and
// lakes lie at height 0, shores rise gently, rivers run in beds, mountains reach about 40 metres. Trees in woods and boulders on high and
// dry terrain are obstacles. Water is walkable geometry: profiles decide who may enter it. Deterministic on every machine. Fails if
// options are out of range.
Result<TriangleMesh> generate_navmesh_source(const NavmeshWorldOptions& options);

}  // namespace terrane
