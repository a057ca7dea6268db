#include "bench/bench.h"

namespace terrane {

namespace {

constexpr BenchInfo kBenches[] = {
    {"cpd-ageing", "Edit a map under a path database: expansions and times against A*, cost of a rebuild", bench_cpd_ageing},
    {"cpd-build", "Measure path databases by encoding: build time, bytes, time to walk a path", bench_cpd_build},
    {"cpd-table1", "Reproduce experiment 1 of the paper: obstacles that cut every optimal path", bench_cpd_table1},
    {"cpd-table2", "Reproduce experiment 2 of the paper: obstacles until the optimal path costs 15% more", bench_cpd_table2},
    {"crowd", "Let agents on two sides of a map change places, for each method: expansions per second, memory, costs", bench_crowd_sides},
    {"crowd-flow",
     "Measure direction maps (order, trip times, planning) and an intersection under reservations, lights and stop signs; pictures in out/",
     bench_crowd_flow, false},
    {"crowd-mapf",
     "Run the public MAPF benchmark, 100 to 1,000 agents: instances solved within 10 s, sum of costs over the lower bound, times, memory",
     bench_crowd_mapf},
    {"crowd-swarm", "Simulate thousands of agents of five types at 30 ticks a second while the map is edited; picture in out/",
     bench_crowd_swarm, false},
    {"distances", "Measure A*, the default method and overlays by distance, from 2 to 2048 cells: times, expansions, suboptimality",
     bench_distances, true, true},
    {"dta-cost-range", "Compare A*, NBS and weighted A* as the range of terrain costs grows", bench_cost_range},
    {"dta-figures", "Draw Figures 1 to 3 of the paper and the pictures of docs/abstraction.md into out/; no times", bench_dta_figures,
     false},
    {"dta-reimpl", "Build one sector from strips of a map and from all of it, 4-connected: sizes at which a re-implementation gave up",
     bench_dta_reimpl},
    {"dta-table1", "Count regions, edges and bytes, and time build and repair, for sectors of 8, 16 and 32 cells", bench_dta_table1},
    {"dta-table2", "Compare searches over cells and over regions: expansions, costs, times; 25 problems per map", bench_dta_table2, true,
     true},
    {"dta-workload", "Find the best sector size for mixes of edits, queries and profiles per frame", bench_dta_workload},
    {"frames", "Measure the worst frame of a game with requests and edits in every frame and a budget of expansions", bench_frames, false},
    {"heuristics", "Measure what landmarks and FastMap save A*, and what they cost", bench_heuristics},
    {"minimal-memory", "Measure the minimal-memory abstraction: bytes, expansions per step, suboptimality, times; pictures in out/",
     bench_minimal_memory},
#ifdef TERRANE_HAS_NAVMESH
    {"navmesh", "Compare region search with Detour's findPath on a mesh of one square kilometre: times, costs", bench_navmesh},
#endif
    {"weighted-regions", "Compare grids, quadtrees, boundary points, boundaries and proven paths on polygons with costs; pictures in out/",
     bench_weighted_regions, false},
    {"overlay", "Measure portal overlays: suboptimality, times, proven bounds, memory, edits, scaling, throughput", bench_overlay, true,
     true},
    {"overlay-scaling", "Measure portal overlays on islands of 1024 to 16384 cells a side; takes many minutes", bench_overlay_scaling,
     false},
    {"pra", "Compare PRA*(inf), PRA*(k) and HPA*: abstraction levels, expansions, suboptimality, times; picture in out/", bench_pra},
    {"any-angle", "Measure any-angle paths, refracted by Snell's law: cost against the optimal grid path, and time", bench_any_angle},
    {"uniform", "Measure jump point search against A* where all passable terrains cost the same, by family of maps", bench_uniform, true,
     true},
    {"search", "Measure nanoseconds per expansion against a baseline A* (std::priority_queue, std::unordered_map)", bench_search, true,
     true},
};

}  // namespace

std::span<const BenchInfo> benches() { return kBenches; }

}  // namespace terrane
