// Rows of `terrane bench navmesh` for levels: multi-storey buildings with jumps and bridges, and Recast's well-known example.
#pragma once
#include "bench/bench.h"

namespace terrane {

// Adds rows and a note. Refused where an answer is wrong.
Result<Done> add_navmesh_levels(const BenchOptions& options, Report& report);

}  // namespace terrane
