// The sections of `terrane bench crowd-flow`.
#pragma once
#include "bench/bench.h"

namespace terrane {

inline constexpr const char* kFlowFolder = "out";

// Streams of agents with and without direction maps; draws the learned directions.
Result<void> measure_streams(bool quick, Report& report);
// Effect of a direction map on a path search.
Result<void> measure_plans(bool quick, Report& report);
// An intersection under reservations, lights and stop signs, by arrival rate.
Result<void> measure_traffic(bool quick, Report& report);

}  // namespace terrane
