// Rows of `terrane bench navmesh` for levels: multi-storey buildings with jumps and bridges, and Recast's nav_test.obj.
#pragma once
#include "bench/bench.h"

namespace terrane {

// Adds rows and a note. Returns an error if an answer is wrong.
Result<void> add_navmesh_levels(const BenchOptions& options, Report& report);

}  // namespace terrane
