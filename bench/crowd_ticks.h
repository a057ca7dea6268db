// Ticks of crowds in benches.
#pragma once
#include <fmt/format.h>

#include <string>

#include "bench/measurements.h"
#include "terrane/crowd/crowd.h"

namespace terrane {

// Runs one tick and adds its wall time and CPU time to the row. Returns an error if a move is illegal; `what` names the run.
inline Result<void> timed_tick(Crowd& crowd, const std::string& what, Measurements& row) {
    const CpuStopwatch cpu;
    const auto fault = timed(row.ms, [&] { return crowd.tick(); });
    row.cpu_ms.add(cpu.ms());
    if (!fault) return {};
    return Error{ErrorCode::kBadValue, what, 0, fmt::format("tick {}, agent {}: {}", crowd.ticks(), fault->agent, to_string(fault->type))};
}

}  // namespace terrane
