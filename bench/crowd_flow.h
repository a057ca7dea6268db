// The parts of `terrane bench crowd-flow`.
#pragma once
#include "bench/bench.h"

namespace terrane {

inline constexpr const char* kFlowFolder = "out";

// Streams of agents with and without direction maps; pictures of the arrows they learned.
Result<Done> measure_streams(bool quick, Report& report);
// What a direction map does to the search for a path.
Result<Done> measure_plans(bool quick, Report& report);
// A crossing under a manager of reservations, lights and stop signs, over arrival rates; as plots.
Result<Done> measure_traffic(bool quick, Report& report);

}  // namespace terrane
