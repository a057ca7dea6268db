// Generates a multi-storey building beside a river, as input for navigation mesh builders.
//
// Every storey is a square of rooms with floors of several areas and walls with doors; ramps lead up through gaps in the floor above. The
// side of maximum z is open: one-way jumps lead down to the yard, and two-way ladders. A river runs along the yard. Agents can wade
// through it (its banks are not steep), cross it on bridges, and walk under the bridges.
#pragma once
#include <cstdint>

#include "terrane/base/result.h"
#include "terrane/io/navmesh_areas.h"
#include "terrane/io/obj_file.h"

namespace terrane {

struct LevelOptions {
    int32_t rooms = 4;    // per side, 2 to 16
    int32_t storeys = 3;  // 1 to 8
    uint64_t seed = 1;
};

// In metres. Room (i, j) of storey k has its centre at (10 i + 5, 5 k, 10 j + 5). Behind the last rooms, along z: the yard, 4 metres wide;
// the river's near bank, bed and far bank (4, 6 and 4), 3 metres deep; and the terrain beyond (10).
inline constexpr float kLevelRoom = 10;
inline constexpr float kLevelStorey = 5;

struct GeneratedLevel {
    TriangleMesh mesh;   // with areas
    NavmeshAreas areas;  // the standard catalogue, `jump` and `ladder`; a volume per bridge; a link per jump and ladder
};

// The level is connected without jumps and ladders for an agent of the default NavmeshBuildOptions. Deterministic on every machine. Fails
// if options are out of range.
Result<GeneratedLevel> generate_level(const LevelOptions& options);

}  // namespace terrane
