// The benches of `terrane bench` by name. Each measures a claim of the project or reproduces a published table.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report.h"
#include "bench/samples.h"
#include "terrane/base/result.h"

namespace terrane {

// Another program that solves the same problems. The shell runs `command` with {map}, {scen} and {costs} replaced by the names of files:
// the map, its problems (MovingAI's formats), and a table of the cost of each letter of the map. The program prints a line for each
// problem, in order: the cost of its path (-1: none), and optionally the microseconds and the expansions that it took. Without
// microseconds, each problem counts as an equal share of the program's times.
struct Peer {
    std::string name, command;
};

struct BenchOptions {
    std::vector<std::string> maps;  // folders of .map files with their .scen files; empty: generated worlds
    bool quick = false;             // a smoke test on less input; do not quote its times
    bool tiny = false;              // with quick: inputs small enough for tests/guard, which compares every row
    std::vector<Peer> peers = {};

    // For benches that take one folder.
    std::string folder() const { return maps.empty() ? "" : maps.front(); }
};

struct BenchInfo {
    const char* name;
    const char* summary;
    Result<Report> (*run)(const BenchOptions& options);
    bool takes_maps = true, takes_peers = false;  // whether it can use BenchOptions::maps and peers
};
std::span<const BenchInfo> benches();

Result<Report> bench_cost_range(const BenchOptions& options);
Result<Report> bench_cpd_ageing(const BenchOptions& options);
Result<Report> bench_cpd_build(const BenchOptions& options);
Result<Report> bench_cpd_table1(const BenchOptions& options);
Result<Report> bench_cpd_table2(const BenchOptions& options);
Result<Report> bench_crowd_flow(const BenchOptions& options);
Result<Report> bench_crowd_mapf(const BenchOptions& options);
Result<Report> bench_crowd_sides(const BenchOptions& options);
Result<Report> bench_crowd_swarm(const BenchOptions& options);
Result<Report> bench_distances(const BenchOptions& options);
Result<Report> bench_dta_figures(const BenchOptions& options);
Result<Report> bench_dta_reimpl(const BenchOptions& options);
Result<Report> bench_dta_table1(const BenchOptions& options);
Result<Report> bench_dta_table2(const BenchOptions& options);
Result<Report> bench_dta_workload(const BenchOptions& options);
Result<Report> bench_frames(const BenchOptions& options);
Result<Report> bench_heuristics(const BenchOptions& options);
Result<Report> bench_minimal_memory(const BenchOptions& options);
Result<Report> bench_navmesh(const BenchOptions& options);  // defined only with TERRANE_HAS_NAVMESH
Result<Report> bench_weighted_regions(const BenchOptions& options);
Result<Report> bench_overlay(const BenchOptions& options);
Result<Report> bench_overlay_scaling(const BenchOptions& options);
Result<Report> bench_pra(const BenchOptions& options);
Result<Report> bench_any_angle(const BenchOptions& options);
Result<Report> bench_search(const BenchOptions& options);
Result<Report> bench_uniform(const BenchOptions& options);

}  // namespace terrane
