// `terrane bench crowd-mapf`: the public MAPF benchmark (Stern et al. 2019), four-connected. The first N problems of a scenario are N
// agents, all of them on the map at once. Measures the instances that each method solves within ten seconds, the time, and the sum of
// costs over the lower bound (the sum of the agents' individual optimal costs). The move validator of Crowd checks every move. Paper rows:
// public solvers with 400 agents on other maps of the same benchmark, on a comparable machine.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "bench/crowd_ticks.h"
#include "bench/progress.h"
#include "crowd/goal_fields.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/io/map_file.h"
#include "terrane/io/scenario.h"

namespace terrane {

namespace crowd_mapf_bench {
namespace {

constexpr const char* kFolder = "../shared/data/mapf";  // without --maps
constexpr double kTimeLimit = 10'000;                   // ms
constexpr Tick kMaxTicks = 4096;                        // agents that have not arrived by then run in circles
constexpr size_t kStep = 100, kMostAgents = 1000;       // agents
constexpr size_t kShown = 400;                          // agents, in the rows per map
constexpr size_t kQuickMaps = 3;
constexpr std::array<const char*, 4> kMethods = {"lacam", "lacam+improve", "pibt", "whca:16"};

struct Instance {
    std::string map;
    GridSnapshot grid;
    CostTable costs;
    std::vector<Problem> problems;
};

// ---- Instances

Result<void> add_map(const std::filesystem::path& file, bool quick, std::vector<Instance>& instances) {
    const auto grid = load_map(file.string());
    if (!grid) return grid.error();
    const GridSnapshot snapshot = grid->snapshot();
    const auto costs = Profile::preset("walker")->compile(snapshot.catalogue());
    if (!costs) return costs.error();
    for (int number = 1; number <= (quick ? 1 : 3); ++number) {
        const auto scenario_file = file.parent_path() / fmt::format("{}-random-{}.scen", file.stem().string(), number);
        if (!std::filesystem::exists(scenario_file)) continue;
        const auto scenario = load_scenario(scenario_file.string());
        if (!scenario) return scenario.error();
        instances.push_back({file.stem().string(), snapshot, *costs, scenario->problems});
    }
    return {};
}

Result<std::vector<Instance>> instances_of(const BenchOptions& options) {
    const std::filesystem::path folder = options.maps.empty() ? kFolder : options.folder();
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".map") files.push_back(entry.path());
    }
    if (error && !options.maps.empty()) return Error{ErrorCode::kCannotOpen, options.folder(), 0, error.message()};
    std::sort(files.begin(), files.end());
    if (options.quick) {  // the smallest maps
        std::sort(files.begin(), files.end(),
                  [](const auto& a, const auto& b) { return std::pair(file_size(a), a) < std::pair(file_size(b), b); });
        files.resize(std::min(files.size(), kQuickMaps));
    }
    std::vector<Instance> instances;
    for (const auto& file : files) {
        if (const auto added = add_map(file, options.quick, instances); !added) return added.error();
    }
    return instances;
}

// ---- One run

Cost lower_bound(const Instance& instance, size_t agents) {
    const AgentType type(instance.costs);
    const CrowdGround ground(instance.grid, {&type, 1}, Movement::kFour);
    GoalFields fields(ground);
    Cost sum = 0;
    for (size_t i = 0; i < agents; ++i) {
        const Problem& problem = instance.problems[i];
        const FieldRequest request{ground.spot(instance.grid.layout().id(problem.goal)), 0};
        const FieldId field = fields.take({&request, 1})[0];
        sum += fields.distance(field, ground.spot(instance.grid.layout().id(problem.start)));
        fields.drop(field);
    }
    return sum;
}

Result<Measurements> run_instance(const Instance& instance, size_t agents, const char* method, Cost bound) {
    const World world(TerrainGrid(instance.grid.width(), instance.grid.height(), instance.grid.cells(), instance.grid.catalogue()));
    Crowd crowd(world, {instance.costs}, make_crowd_method(find_crowd_method(method).value()), {.movement = Movement::kFour});
    Measurements out, ticks;
    const CpuStopwatch cpu;
    const Stopwatch watch;
    for (size_t i = 0; i < agents; ++i) crowd.add(instance.problems[i].start, instance.problems[i].goal);
    double first_ms = 0;
    while (!crowd.all_arrived() && crowd.ticks() < kMaxTicks && watch.ms() < kTimeLimit) {
        const std::string what = fmt::format("{}, {}, {} agents", instance.map, method, agents);
        if (const auto done = timed_tick(crowd, what, ticks); !done) return done.error();
        if (crowd.ticks() == 1) first_ms = watch.ms();
    }
    const double ms = watch.ms(), cpu_ms = cpu.ms();
    out.problems = 1;
    out.bytes.add(static_cast<double>(crowd.method().bytes()));
    if (!crowd.all_arrived() || ms > kTimeLimit) return out;
    Cost cost = 0;
    for (const CrowdAgent& agent : crowd.agents()) cost += agent.cost;
    out.solved = 1;
    out.cost_cells.add(to_real(cost));
    out.ratio.add(bound == 0 ? 1 : static_cast<double>(cost) / static_cast<double>(bound));
    out.ms.add(ms);
    out.cpu_ms.add(cpu_ms);
    out.first_ms.add(first_ms);
    return out;
}

// ---- The report

// Ratio and milliseconds of the first plan.
ReportRow paper(const char* method, const char* map, double ms, double ratio) {
    return {method, {{"map", map}, {"agents", kShown}}, {{"ratio_mean", ratio}, {"ms_first", ms}}};
}
ReportRow paper(const char* method, double solved) {
    return {method, {{"map", "84 instances of that benchmark"}}, {{"problems", 84}, {"solved", solved}}};
}

std::vector<ReportRow> paper_rows() {
    return {paper("LaCAM3", "den520d", 1505, 1.01),
            paper("LaCAM3", "warehouse", 508, 1.02),
            paper("LaCAM3", "room-64-64-16", 600, 1.82),
            paper("LaCAM3, lean", "den520d", 356, 1.19),
            paper("LaCAM3, lean", "warehouse", 106, 1.39),
            paper("LaCAM3, lean", "room-64-64-16", 64, 2.23),
            paper("PIBT", "den520d", 313, 1.12),
            paper("PIBT", "warehouse", 70, 1.33),
            paper("PIBT", "room-64-64-16", 38, 2.11),
            paper("PIBT", 66),
            paper("WHCA*(20)", 32)};
}

// After a method solves no instance of a map, larger numbers of agents on that map count as unsolved.
Result<void> run_method(const std::vector<Instance>& instances, const char* method, size_t max_agents, std::map<std::string, Cost>& bounds,
                        Progress& progress, MeasuredRows& rows) {
    std::set<std::string> gave_up;
    for (size_t agents = kStep; agents <= max_agents; agents += kStep) {
        std::map<std::string, bool> solved;
        for (size_t i = 0; i < instances.size(); ++i) {
            const Instance& instance = instances[i];
            progress.advance();
            if (agents > instance.problems.size()) continue;
            Measurements& all = rows.at(method, {{"map", "all"}, {"agents", agents}});
            if (gave_up.contains(instance.map)) {
                ++all.problems;
                continue;
            }
            Cost& bound = bounds[fmt::format("{} {}", i, agents)];
            if (bound == 0) bound = lower_bound(instance, agents);
            const auto done = run_instance(instance, agents, method, bound);
            if (!done) return done.error();
            all.add(*done);
            if (agents == kShown) rows.at(method, {{"map", instance.map}, {"agents", agents}}).add(*done);
            solved[instance.map] = solved[instance.map] || done->solved > 0;
        }
        for (const auto& [map, any] : solved) {
            if (!any) gave_up.insert(map);
        }
    }
    return {};
}

}  // namespace
}  // namespace crowd_mapf_bench

Result<Report> bench_crowd_mapf(const BenchOptions& options) {
    using namespace crowd_mapf_bench;
    const auto instances = instances_of(options);
    if (!instances) return instances.error();
    Report report{"crowd-mapf", {}, paper_rows(), {}};
    if (instances->empty()) {
        report.notes = {fmt::format("Skipped: no maps in {}. Name a folder with --maps.", kFolder)};
        return report;
    }
    const size_t max_agents = options.quick ? 200 : kMostAgents;
    std::map<std::string, Cost> bounds;
    Progress progress("crowd-mapf", kMethods.size() * (max_agents / kStep) * instances->size());
    MeasuredRows rows;
    rows.show("bytes", {"max"});
    for (const char* method : kMethods) {
        if (const auto done = run_method(*instances, method, max_agents, bounds, progress, rows); !done) return done.error();
    }
    report.add(rows.rows());
    report.notes = {
        "solved: all agents at their goals within 10 s and 4096 ticks. ms_first: until the end of the first tick, in which lacam plans. "
        "ms_mean: until all agents have arrived, move validation included. Ratios and times are those of solved instances.",
        "After a method solves no instance of a map, larger numbers of agents on that map count as unsolved.",
        "bytes: memory of the method at the end of a run."};
    return report;
}

}  // namespace terrane
