#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "bench/measurements.h"
#include "bench/progress.h"
#include "cli/common.h"
#include "terrane/io/scenario.h"

namespace terrane::cli {

namespace {

namespace fs = std::filesystem;

struct ScenArguments {
    std::vector<std::string> files;
    MapArguments map;
    std::string profile, method;
    Output output;
    std::string database;
    FindOptions options;
    bool check = false;
    double tolerance = 0;
    uint32_t sample = 0;
};

constexpr const char* kScenFooter = R"(--check exits with 1 unless all problems are solved and
  with an optimal method (astar, nbs, dijkstra), every path has its published length, to the published digits;
  with any other, such as the default, no path is shorter than published. ratio_mean, ratio_p99 and ratio_max compare the lengths.

Methods that need regions (dta) read them from a .terrane file or build them first. build_ms is the time of all preparation; the other times
do not include it. expansions_first is the number of expansions until the first move is known.

Examples:
  terrane scen maps/*.scen --method astar --check
  terrane scen Map1.map.scen --profile scen-costs.csv --method dta:16 --check --sample 100)";

// The allowed difference from a published length: half a unit of the last published digit, plus a millionth of the length, since our
// diagonal is sqrt 2 to 2.6e-7. Some files have a fixed number of decimals (older ones two), the others six
// significant digits or more, trailing zeros dropped.
struct Rounding {
    bool fixed;

    explicit Rounding(const Scenario& scenario) {
        const auto same = [&](const Problem& p) { return p.decimals >= 2 && p.decimals == scenario.problems[0].decimals; };
        fixed = std::ranges::all_of(scenario.problems, same);
    }
    double operator()(const Problem& p) const {
        const int before_point = p.length >= 1 ? 1 + static_cast<int>(std::log10(p.length)) : 1;
        const int decimals = fixed ? p.decimals : std::max<int>(p.decimals, 6 - before_point);
        return 0.5 * std::pow(10.0, -decimals) + p.length * 1e-6;
    }
};

// Whether the method is optimal. Paths of other methods may be longer than published, never shorter.
bool is_optimal(const Method& method) { return guarantee(method) == 1; }

// In published files, length 0 between different cells means that there is no path.
bool published_as_unreachable(const Problem& problem) { return problem.length == 0 && problem.start != problem.goal; }

// The map in the scenario's folder: its name without .scen, or the name in the first problem.
Result<std::string> find_map(const std::string& file, const Scenario& scenario) {
    const fs::path path(file);
    std::error_code ignored;
    if (path.extension() == ".scen" && fs::exists(fs::path(path).replace_extension(), ignored))
        return fs::path(path).replace_extension().string();
    const fs::path named = path.parent_path() / fs::path(scenario.problems.empty() ? "" : scenario.problems[0].map).filename();
    if (named.has_filename() && fs::is_regular_file(named, ignored)) return named.string();
    return Error{ErrorCode::kCannotOpen, file, 0, "its map is not beside it; say which it is with --map"};
}

Result<Profile> profile_for(const ScenArguments& args, const GridSnapshot& grid, const std::string& map) {
    if (!args.profile.empty()) return find_profile(args.profile);
    if (grid.catalogue() == Catalogue::octile()) return *Profile::preset("walker");
    return Error{ErrorCode::kUnknownName, map, 0, "this map has terrain costs: give the profile of the scenario with --profile"};
}

// The answers to one file, or to all of them.
struct FileRun {
    std::string file;
    Measurements measured = {};
    size_t met = 0;    // problems whose length is as published
    double worst = 0;  // the largest difference from a published length
    std::string first_miss = {};
    std::vector<Json> answers = {};  // for --json, of each problem

    void add(const FileRun& other) {
        measured.add(other.measured);
        measured.build_ms = Samples({measured.build_ms.sum()});
        met += other.met;
        worst = std::max(worst, other.worst);
        if (first_miss.empty()) first_miss = other.first_miss;
    }
};

ReportRow to_row(const FileRun& run, const ScenArguments& args) {
    ReportRow row{args.method, {{"file", run.file}}, run.measured.metrics()};
    if (args.check) {
        row.metrics.emplace_back("met", static_cast<double>(run.met));
        row.metrics.emplace_back("worst_difference_cells", run.worst);
    }
    return row;
}

// One of the "answers".
Json answer_json(const Problem& problem, size_t number, const Path& path, double length, double ms) {
    Json json{{"problem", number},
              {"from", cell_json(problem.start)},
              {"to", cell_json(problem.goal)},
              {"published_cost_cells", problem.length},
              {"status", to_string(path.status)}};
    if (path) json["cost_cells"] = length;
    json["expansions"] = path.expansions;
    json["find_ms"] = ms;
    return json;
}

Json to_json(const Report& report, const std::vector<FileRun>& files, const ScenArguments& args) {
    Json json = envelope("scen");
    json.update(
        {{"method", args.method}, {"movement", to_string(args.options.movement)}, {"machine", machine()}, {"rows", report.json()["rows"]}});
    if (args.output.summary) return json;
    for (const FileRun& run : files) json["files"].push_back({{"file", run.file}, {"answers", run.answers}});
    return json;
}

// The difference between a path's length and the published one; infinite if the path is missing.
double difference(const Path& path, double length, const Problem& problem, bool optimal) {
    if (!path) return published_as_unreachable(problem) ? 0 : INFINITY;
    return optimal ? std::fabs(length - problem.length) : std::max(0.0, problem.length - length);
}

// A map, and what its queries share.
struct Scene {
    const World& world;
    const CostTable& costs;
    FindOptions options;
    Planner planner;
    Path path;
};

void solve(const Problem& problem, size_t number, double tolerance, bool keep, Scene& scene, FileRun& run) {
    const Path& path = scene.path;
    Measurements& measured = run.measured;
    timed(measured.ms, [&] { scene.planner.find(problem.start, problem.goal, scene.costs, scene.options, scene.path); });
    ++measured.problems;
    measured.expansions.add(static_cast<double>(path.expansions));
    if (!searches_cells(scene.options.method)) measured.expansions_first.add(static_cast<double>(path.expansions_first));
    const double length = exact_cost(scene.world.grid(), scene.costs, path.cells);
    const double off = difference(path, length, problem, is_optimal(scene.options.method));
    if (path) {
        ++measured.solved;
        measured.cost_cells.add(length);
        if (proves_bounds(scene.options.method)) measured.bound.add(path.bound);
        if (problem.length > 0) measured.ratio.add(length / problem.length);
        run.worst = std::max(run.worst, off);
    }
    if (keep) run.answers.push_back(answer_json(problem, number, path, length, measured.ms.values().back()));
    if (off <= tolerance) {
        ++run.met;
    } else if (run.first_miss.empty()) {
        run.first_miss =
            fmt::format("{}: problem {} from {},{} to {},{}: published {}, here {}", run.file, number, problem.start.x, problem.start.y,
                        problem.goal.x, problem.goal.y, problem.length, path ? fmt::format("{:.6f}", length) : to_string(path.status));
    }
}

Result<FileRun> run_file(const std::string& file, const ScenArguments& args) {
    const auto scenario = load_scenario(file);
    if (!scenario) return scenario.error();
    MapArguments map = args.map;
    if (map.file.empty()) {
        const auto found = find_map(file, *scenario);
        if (!found) return found.error();
        map.file = *found;
        if (args.output.writes_json() && same_file(map.file, args.output.json))
            return Error{
                ErrorCode::kBadValue, {}, 0, "--json " + args.output.json + ": this file is the map of " + file + "; choose another name"};
    }
    const auto opened = map.open(sectors_for(args.options));
    if (!opened) return opened.error();
    World& world = *opened->world;
    const auto profile = profile_for(args, world.grid(), map.file);
    if (!profile) return profile.error();
    const auto costs = profile->compile(world.grid().catalogue());
    if (!costs) return costs.error();
    const auto prepared = prepare(world, *costs, args.options, args.database);
    if (!prepared) return prepared.error();

    FileRun run{.file = file};
    if (!searches_cells(args.options.method) || prepares(args.options.method)) run.measured.build_ms.add(opened->build_ms + *prepared);
    Scene scene{world, *costs, args.options, Planner(world), {}};
    const Rounding rounding(*scenario);
    const bool keep = args.output.writes_json() && !args.output.summary;
    const size_t count = scenario->problems.size(), take = args.sample > 0 ? std::min<size_t>(args.sample, count) : count;
    Progress progress(fs::path(file).filename().string(), take);
    for (size_t k = 0; k < take; ++k) {
        const size_t i = k * count / take;
        const Problem& problem = scenario->problems[i];
        solve(problem, i + 1, args.tolerance > 0 ? args.tolerance : rounding(problem), keep, scene, run);
        progress.advance();
    }
    return run;
}

int run_all(ScenArguments& args) {
    const auto method = find_method_or_default(args.method, args.options);
    if (!method) return fail(method.error());
    args.options.method = *method;
    args.method = method->name();
    Report report{"scen", {}, {}};
    FileRun total{.file = fmt::format("all {} files", args.files.size())};
    std::vector<FileRun> runs;
    for (const std::string& file : args.files) {
        auto run = run_file(file, args);
        if (!run) return fail(run.error());
        total.add(*run);
        report.rows.push_back(to_row(*run, args));
        runs.push_back(*std::move(run));
    }
    if (args.files.size() > 1) report.rows.push_back(to_row(total, args));
    if (args.output.writes_json()) {
        const auto saved = write_json(args.output.json, to_json(report, runs, args));
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) fmt::print("{}", report.table());
    if (!args.check) return total.measured.solved == total.measured.problems ? kDone : kNo;
    if (args.output.prints_text()) {
        fmt::print("\n{} of {} problems {}\n", format_number(static_cast<double>(total.met)),
                   format_number(static_cast<double>(total.measured.problems)),
                   is_optimal(*method) ? "meet their published lengths" : "are solved, with no path shorter than published");
    }
    if (!total.first_miss.empty()) fmt::print(stderr, "first that does not: {}\n", total.first_miss);
    return total.met == total.measured.problems ? kDone : kNo;
}

}  // namespace

void add_scen(CLI::App& app, Run& run) {
    const auto args = std::make_shared<ScenArguments>();
    CLI::App* verb = app.add_subcommand("scen", "Run scenario files; --check compares with the published lengths");
    add_inputs(*verb, "files", args->files, "One or more .scen files")->required()->type_name("FILE.scen");
    args->map.add_to(*verb, "--map", "Map to read; by default the one in the scenario's folder");
    add_profile(*verb, args->profile, " [walker on octile maps]");
    add_method(*verb, args->method,
               "'terrane methods' lists them [" + find_method_or_default({}, {})->name() + "; with --bound: weighted A*]");
    add_pathdb(*verb, args->database, "for cpd methods, instead of building it");
    add_bound(*verb, args->options.bound);
    add_movement(*verb, args->options.movement);
    verb->add_flag("--check", args->check, "Compare with the published lengths; see below");
    add_real(*verb, "--tolerance", args->tolerance, "Allowed difference of lengths [half a unit of the last digit, plus a millionth]",
             kAboveZero);
    add_whole(*verb, "--sample", args->sample, "Run only N problems of each file, spread evenly over it [all]");
    add_json_with_summary(*verb, args->output);
    verb->footer(kScenFooter);
    verb->callback([args, &run] { run = [args] { return run_all(*args); }; });
}

}  // namespace terrane::cli
