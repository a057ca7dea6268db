// Shared by the sections of `terrane bench overlay`. overlay_bench.cpp measures queries; overlay_upkeep.cpp measures preparation, memory,
// repair, scaling and throughput.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench.h"
#include "bench/progress.h"
#include "terrane/overlay/prepared_overlay.h"
#include "terrane/world/planner.h"

namespace terrane {

// The answer of A*.
struct Optimum {
    Status status = Status::kUnreachable;
    Cost cost = 0;
    uint64_t expansions = 0;
    double ms = 0;
};

// A map, a profile, and queries.
struct OverlayScene {
    std::string name;
    GridSnapshot grid;
    CostTable costs;
    std::vector<std::pair<Cell, Cell>> queries;
    std::vector<Optimum> optimal = {};  // of the first queries; solve_optimally() fills it

    // Solves the first `count` queries with A* and times them.
    void solve_optimally(size_t count);

    // Returns an error if the path's status differs from A*'s, if it has wrong ends, an illegal step, a wrong cost or a cost below the
    // optimum, or if its bound does not hold. `query` must have been solved.
    Result<void> check(const std::string& method, size_t query, const Path& path) const;
    double ratio(size_t query, Cost cost) const;
};

double mean(const std::vector<double>& values);

// Returns the milliseconds of each query.
std::vector<double> time_all(const OverlayScene& scene, const FindOptions& options, Planner& planner);

// Prepares one method and discards all other prepared data. `max_bytes`: 0 (default limit), or at least the size of the tables.
std::shared_ptr<const PreparedData> prepare_only(World& world, const CostTable& costs, const std::string& method, uint32_t lower_bounds = 0,
                                                 size_t max_bytes = 0);

void measure_preparing(const OverlayScene& scene, uint32_t lower_bounds, Report& report, Progress& progress);
void measure_memory(const OverlayScene& scene, Report& report, Progress& progress);
Result<void> measure_edits(const OverlayScene& scene, bool quick, Report& report, Progress& progress);
Result<void> measure_throughput(const OverlayScene& scene, bool quick, Report& report, Progress& progress);
// Islands of `least` cells a side, doubling up to `most`.
Result<void> measure_scaling(int32_t least, int32_t most, Report& report, Progress& progress);
inline constexpr uint64_t kPreparingSteps = 6, kMemorySteps = 10, kEditSteps = 6, kThroughputSteps = 4;
uint64_t scaling_steps(int32_t least, int32_t most);

// Writes the picture of docs/overlay.md to overlay-portals.png in a folder, which it creates if necessary.
Result<void> draw_overlay_picture(const std::string& folder);

}  // namespace terrane
