// `terrane bench crowd-mapf`: the public MAPF benchmark (Stern et al. 2019), four-connected. The first N problems of a scenario are N
// agents, all of them on the map at once. Measures the instances that each method solves within ten seconds, the time, and the sum of
// costs over the lower bound (the sum of the agents' individual optimal costs). The move validator of Crowd checks every move. Paper rows:
// public solvers with 400 agents on other maps of the same benchmark, on a comparable machine.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/bench.h"
#include "bench/progress.h"
#include "bench/stopwatch.h"
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

// The instances of one row.
struct Tally {
    size_t problems = 0, solved = 0;
    double ratio = 0, ratio_max = 0;          // solved instances
    double ms = 0, ms_max = 0, ms_first = 0;  // solved instances
    size_t bytes = 0;                         // maximum

    void add(const Tally& other) {
        problems += other.problems;
        solved += other.solved;
        ratio += other.ratio;
        ratio_max = std::max(ratio_max, other.ratio_max);
        ms += other.ms;
        ms_max = std::max(ms_max, other.ms_max);
        ms_first += other.ms_first;
        bytes = std::max(bytes, other.bytes);
    }
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

Result<Tally> run_instance(const Instance& instance, size_t agents, const char* method, Cost bound) {
    const World world(TerrainGrid(instance.grid.width(), instance.grid.height(), instance.grid.cells(), instance.grid.catalogue()));
    Crowd crowd(world, {instance.costs}, make_crowd_method(find_crowd_method(method).value()), {.movement = Movement::kFour});
    const Stopwatch watch;
    for (size_t i = 0; i < agents; ++i) crowd.add(instance.problems[i].start, instance.problems[i].goal);
    Tally tally{.problems = 1};
    while (!crowd.all_arrived() && crowd.ticks() < kMaxTicks && watch.ms() < kTimeLimit) {
        if (const auto fault = crowd.tick())
            return Error{ErrorCode::kBadValue, instance.map, 0, fmt::format("{}, {} agents: {}", method, agents, to_string(fault->type))};
        if (crowd.ticks() == 1) tally.ms_first = watch.ms();
    }
    const double ms = watch.ms();
    tally.bytes = crowd.method().bytes();
    if (!crowd.all_arrived() || ms > kTimeLimit) return Tally{.problems = 1, .bytes = tally.bytes};
    Cost cost = 0;
    for (const CrowdAgent& agent : crowd.agents()) cost += agent.cost;
    tally.solved = 1;
    tally.ratio = tally.ratio_max = bound == 0 ? 1 : static_cast<double>(cost) / static_cast<double>(bound);
    tally.ms = tally.ms_max = ms;
    return tally;
}

// ---- The report

ReportRow row_of(const std::string& method, const std::string& map, size_t agents, const Tally& tally) {
    Metrics metrics = {{"problems", static_cast<double>(tally.problems)}, {"solved", static_cast<double>(tally.solved)}};
    if (tally.solved > 0) {
        const auto solved = static_cast<double>(tally.solved);
        metrics.insert(metrics.end(), {{"ratio_mean", tally.ratio / solved},
                                       {"ratio_max", tally.ratio_max},
                                       {"ms_first", tally.ms_first / solved},
                                       {"ms_mean", tally.ms / solved},
                                       {"ms_max", tally.ms_max}});
    }
    metrics.emplace_back("bytes", static_cast<double>(tally.bytes));
    return {method, {{"map", map}, {"agents", agents}}, std::move(metrics)};
}

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

using Tallies = std::map<std::pair<size_t, std::string>, Tally>;  // by number of agents and map ("all": all maps)

// After a method solves no instance of a map, larger numbers of agents on that map count as unsolved.
Result<void> run_method(const std::vector<Instance>& instances, const char* method, size_t max_agents, std::map<std::string, Cost>& bounds,
                        Progress& progress, Tallies& tallies) {
    std::map<std::string, size_t> gave_up;
    for (size_t agents = kStep; agents <= max_agents; agents += kStep) {
        std::map<std::string, bool> solved;
        for (size_t i = 0; i < instances.size(); ++i) {
            const Instance& instance = instances[i];
            progress.advance();
            if (agents > instance.problems.size()) continue;
            Tally& all = tallies[{agents, "all"}];
            if (gave_up.contains(instance.map)) {
                ++all.problems;
                continue;
            }
            Cost& bound = bounds[fmt::format("{} {}", i, agents)];
            if (bound == 0) bound = lower_bound(instance, agents);
            const auto done = run_instance(instance, agents, method, bound);
            if (!done) return done.error();
            all.add(*done);
            if (agents == kShown) tallies[{agents, instance.map}].add(*done);
            solved[instance.map] = solved[instance.map] || done->solved > 0;
        }
        for (const auto& [map, any] : solved) {
            if (!any) gave_up[map] = agents;
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
    for (const char* method : kMethods) {
        Tallies tallies;
        if (const auto done = run_method(*instances, method, max_agents, bounds, progress, tallies); !done) return done.error();
        for (const auto& [scene, tally] : tallies) report.rows.push_back(row_of(method, scene.second, scene.first, tally));
    }
    report.notes = {
        "solved: all agents at their goals within 10 s and 4096 ticks. ms_first: until the end of the first tick, in which lacam plans. "
        "ms_mean: until all agents have arrived, move validation included. Ratios and times are those of solved instances.",
        "After a method solves no instance of a map, larger numbers of agents on that map count as unsolved.",
        "bytes: memory of the method at the end, maximum over the instances."};
    return report;
}

}  // namespace terrane
