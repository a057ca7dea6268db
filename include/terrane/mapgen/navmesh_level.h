// Buildings of several storeys beside a river, to build navigation meshes of, without artists.
//
// Every storey is a square of rooms with floors of several areas and walls with doors between them; ramps lead up through gaps in the floor
// above. The side of high z is open: there one jumps down to the yard, one way, and climbs ladders, both ways. A river runs along
// the yard, which can be waded through (its banks are not steep) or crossed by bridges, which one can walk under.
#pragma once
#include <cstdint>

#include "terrane/base/result.h"
#include "terrane/io/navmesh_areas.h"
#include "terrane/io/obj_file.h"

namespace terrane {

struct LevelOptions {
    int32_t rooms = 4;    // along each side, 2 to 16
    int32_t storeys = 3;  // 1 to 8
    uint64_t seed = 1;
};

// In metres. Room (i, j) of storey k has its middle at (10 i + 5, 5 k, 10 j + 5); beyond the last come the yard, 4 metres wide, then
// the river's near bank, its bed, its far bank (4, 6 and 4), 3 metres deep, and the ground beyond (10).
inline constexpr float kLevelRoom = 10;
inline constexpr float kLevelStorey = 5;

struct GeneratedLevel {
    TriangleMesh mesh;   // with its areas
    NavmeshAreas areas;  // the standard catalogue, `jump` and `ladder`; a volume for each bridge; a link for each jump and ladder
};

// Every place can be reached from every other by an agent of the default NavmeshBuildOptions, without jumping. The same for a seed on
// every machine. Refused: options out of range.
Result<GeneratedLevel> generate_level(const LevelOptions& options);

}  // namespace terrane
