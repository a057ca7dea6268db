#include "bench/bench.h"

namespace terrane {

namespace {

constexpr BenchInfo kBenches[] = {
    {"cpd-ageing", "a path database while its map is edited: expansions and times against A*, what a rebuild costs; as a plot in out/, too",
     bench_cpd_ageing},
    {"cpd-agree", "path database searches against Dijkstra on 100,000 random changed maps: every variant within its bound",
     bench_cpd_agree},
    {"cpd-build", "path databases: time to build, bytes, time to walk, for each encoding", bench_cpd_build},
    {"cpd-table1", "the paper's experiment 1: obstacles that cut every optimal path; as a plot in out/, too", bench_cpd_table1},
    {"cpd-table2", "the paper's experiment 2: obstacles until the optimal path is 15% dearer; as a plot in out/, too", bench_cpd_table2},
    {"crowd",
     "units on two sides of a map change places: nodes in the first second and on, memory, costs, for each way; as plots in out/, too",
     bench_crowd_sides},
    {"crowd-flow",
     "direction maps: order in streams, trips, planning cost; a crossing under reservations, lights, stop signs; as pictures in out/, too",
     bench_crowd_flow},
    {"crowd-mapf",
     "the public multi-agent benchmark: instances solved within 10 s, costs over the lower bound, times, memory; 100 to 1,000 agents",
     bench_crowd_mapf},
    {"crowd-swarm",
     "a game's crowd: thousands of agents of five kinds, 30 ticks a second, while the map is edited; as a picture in out/, too",
     bench_crowd_swarm},
    {"dta-cost-range", "A*, NBS and weighted A* as the range of terrain costs grows: where NBS overtakes", bench_cost_range},
    {"dta-figures", "the paper's Figures 1 to 3 and the pictures of docs/abstraction.md, into out/; no times", bench_dta_figures},
    {"dta-reimpl", "regions of strips and of a whole map as one sector, 4-connected: where a re-implementation gave up", bench_dta_reimpl},
    {"dta-table1", "regions, edges, bytes, build and repair times for sectors of 8, 16 and 32", bench_dta_table1},
    {"dta-table2", "searches of cells against searches of regions: expansions, costs, times; 25 problems of each map", bench_dta_table2},
    {"dta-workload", "edits, queries and profiles a frame: which sector size for which mix", bench_dta_workload},
    {"frames", "the worst frame: requests and edits in every frame, a budget of expansions for all of them", bench_frames},
    {"heuristics", "what landmarks and an embedding save A*, and what they cost", bench_heuristics},
    {"mm", "minimal memory: bytes, work of a step, suboptimality, total work, times; as plots in out/, too", bench_mm},
#ifdef TERRANE_HAS_NAVMESH
    {"navmesh", "regions of a Detour mesh of a square kilometre, and paths through them against Detour's own: times, costs", bench_navmesh},
#endif
    {"open-terrain",
     "fields of polygons: grid, quadtrees, boundary points, boundaries, proven paths; solvers; as a plot and pictures in out/, too",
     bench_open_terrain},
    {"overlay", "paths by way of portals: suboptimality, times, proven bounds, memory, edits, scaling, throughput", bench_overlay},
    {"overlay-scaling", "the overlay's figures on islands of 1024 to 16384 cells a side; takes many minutes", bench_overlay_scaling},
    {"pra", "cliques level by level, PRA*(inf), PRA*(k) and HPA*: work, first steps, suboptimality, times; as plots in out/, too",
     bench_pra},
    {"refract", "paths made into lines bent by Snell's law: how much cheaper than the cheapest path on the grid, and in what time",
     bench_refract},
    {"search", "nanoseconds per expansion of the kernel against a textbook A*, on a weighted map", bench_search},
};

}  // namespace

std::span<const BenchInfo> benches() { return kBenches; }

const BenchInfo* find_bench(std::string_view name) {
    for (const BenchInfo& info : kBenches) {
        if (info.name == name) return &info;
    }
    return nullptr;
}

}  // namespace terrane
