// What the sections of `terrane bench overlay` share. The first ones, on queries, are in overlay_bench.cpp; those on what an overlay costs
// to make and to keep are in overlay_upkeep.cpp.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench.h"
#include "bench/progress.h"
#include "terrane/overlay/overlay_data.h"
#include "terrane/world/planner.h"

namespace terrane {

// What A* found.
struct Optimum {
    Status status = Status::kUnreachable;
    Cost cost = 0;
    uint64_t expansions = 0;
    double ms = 0;
};

// A map, a profile, and problems.
struct OverlayScene {
    std::string name;
    GridSnapshot grid;
    CostTable costs;
    std::vector<std::pair<Cell, Cell>> queries;
    std::vector<Optimum> optimal = {};  // of the first queries, or of all

    // Solves the first `count` queries, on the clock.
    void solve_optimally(size_t count);

    // Refused, with the reason: an answer with another status than A*'s, to another question, with an illegal step, a wrong cost, one
    // below the optimum, or a bound that does not hold. Only for queries that were solved.
    Result<Done> check(const std::string& method, size_t query, const Path& path) const;
    double ratio(size_t query, Cost cost) const;
};

double mean(const std::vector<double>& values);

// The milliseconds of each query.
std::vector<double> time_all(const OverlayScene& scene, const FindOptions& options, Planner& planner);

// Prepares that, and forgets all that was prepared before. `max_bytes`: 0, or no less than the tables take.
std::shared_ptr<const PreparedData> prepare_only(World& world, const CostTable& costs, const std::string& method, uint32_t certificates = 0,
                                                 size_t max_bytes = 0);

void measure_preparing(const OverlayScene& scene, uint32_t certificates, Report& report, Progress& progress);
void measure_memory(const OverlayScene& scene, Report& report, Progress& progress);
Result<Done> measure_edits(const OverlayScene& scene, bool quick, Report& report, Progress& progress);
Result<Done> measure_throughput(const OverlayScene& scene, bool quick, Report& report, Progress& progress);
// Islands of `least` cells a side, twice as many, and so on to `most`.
Result<Done> measure_scaling(int32_t least, int32_t most, Report& report, Progress& progress);
inline constexpr uint64_t kPreparingSteps = 6, kMemorySteps = 10, kEditSteps = 6, kThroughputSteps = 4;
uint64_t scaling_steps(int32_t least, int32_t most);

// The picture of docs/overlay.md, as overlay-portals.png into a folder, which is made where there is none.
Result<Done> draw_overlay_picture(const std::string& folder);

}  // namespace terrane
