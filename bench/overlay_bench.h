// Shared by the sections of `terrane bench overlay`. overlay_bench.cpp measures queries; overlay_upkeep.cpp measures preparation, repair,
// scaling and throughput.
#pragma once
#include <cstdint>
#include <string>

#include "bench/bench.h"
#include "bench/grid_contest.h"

namespace terrane {

inline constexpr int kOverlayPasses = 2;  // over all problems of a scene

void measure_preparing(const BenchScene& scene, uint32_t lower_bounds, Report& report, Progress& progress);
Result<void> measure_edits(const BenchScene& scene, bool quick, Report& report, Progress& progress);
Result<void> measure_throughput(const BenchScene& scene, bool quick, Report& report, Progress& progress);
// Islands of `least` cells a side, doubling up to `most`.
Result<void> measure_scaling(int32_t least, int32_t most, Report& report, Progress& progress);
inline constexpr uint64_t kPreparingSteps = 6, kEditSteps = 9, kThroughputSteps = 4;
uint64_t scaling_steps(int32_t least, int32_t most);

// Writes the picture of docs/overlay.md to overlay-portals.png in a folder, which it creates if necessary.
Result<void> draw_overlay_picture(const std::string& folder);

}  // namespace terrane
