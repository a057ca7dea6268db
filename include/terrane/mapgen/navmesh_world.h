// A large open world to build a navigation mesh of, without artists.
#pragma once
#include <cstdint>

#include "terrane/base/result.h"
#include "terrane/io/obj_file.h"

namespace terrane {

struct NavmeshWorldOptions {
    int32_t metres = 1000;  // along each side, 64 to 4000; an odd one is rounded down
    uint64_t seed = 1;
};

// The middle of mapgen's island, and hills to it: quads of two metres, whose areas are the terrains of the standard catalogue. The sea and
// the lakes lie at height 0, shores rise gently, rivers run in beds, mountains reach about 40 metres; trees stand in woods and boulders on
// high and dry ground, in everyone's way. What of it is water to whom is up to profiles. The same for a seed on every machine.
Result<TriangleMesh> generate_navmesh_source(const NavmeshWorldOptions& options);

}  // namespace terrane
