#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "bench/progress.h"
#include "bench/report.h"
#include "bench/samples.h"
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

struct Tally {
    explicit Tally(std::string name) : file(std::move(name)) {}

    std::string file;
    std::vector<double> ms, ratios, bounds;
    double expansions = 0, expansions_first = 0, cost = 0, worst = 0, build_ms = 0;
    size_t problems = 0, solved = 0, met = 0;
    std::string first_miss;
    std::vector<Json> answers = {};  // for --json, of each problem

    void add(const Tally& other) {
        ms.insert(ms.end(), other.ms.begin(), other.ms.end());
        ratios.insert(ratios.end(), other.ratios.begin(), other.ratios.end());
        bounds.insert(bounds.end(), other.bounds.begin(), other.bounds.end());
        expansions += other.expansions;
        expansions_first += other.expansions_first;
        build_ms += other.build_ms;
        cost += other.cost;
        worst = std::max(worst, other.worst);
        problems += other.problems;
        solved += other.solved;
        met += other.met;
        if (first_miss.empty()) first_miss = other.first_miss;
    }
};

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / std::max(1.0, static_cast<double>(values.size()));
}

ReportRow to_row(Tally& t, const ScenArguments& args) {
    const auto count = [](size_t n) { return static_cast<double>(n); };
    const double n = std::max(1.0, count(t.problems));
    ReportRow row{args.method, {{"file", t.file}}, {{"problems", count(t.problems)}, {"solved", count(t.solved)}}};
    const auto add = [&row](const char* name, double value) { row.metrics.emplace_back(name, value); };
    if (args.check) {
        add("met", count(t.met));
        add("worst_difference_cells", t.worst);
    }
    add("expansions", t.expansions / n);
    if (!searches_cells(args.options.method)) add("expansions_first", t.expansions_first / n);
    if (t.solved > 0) add("cost_cells", t.cost / count(t.solved));
    if (!t.ratios.empty()) {
        add("ratio_mean", mean(t.ratios));
        add("ratio_p99", quantile(t.ratios, 0.99));
        add("ratio_max", quantile(t.ratios, 1));
    }
    if (proves_bounds(args.options.method) && t.solved > 0) add("bound_mean", mean(t.bounds));
    add("ms_mean", mean(t.ms));
    add("ms_p50", quantile(t.ms, 0.5));
    add("ms_p99", quantile(t.ms, 0.99));
    if (!searches_cells(args.options.method) || prepares(args.options.method)) add("build_ms", t.build_ms);
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

Json to_json(const Report& report, const std::vector<Tally>& files, const ScenArguments& args) {
    Json json = envelope("scen");
    json.update(
        {{"method", args.method}, {"movement", to_string(args.options.movement)}, {"machine", machine()}, {"rows", report.json()["rows"]}});
    if (args.output.summary) return json;
    for (const Tally& tally : files) json["files"].push_back({{"file", tally.file}, {"answers", tally.answers}});
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

void solve(const Problem& problem, size_t number, double tolerance, bool keep, Scene& scene, Tally& tally) {
    const Path& path = scene.path;
    const Stopwatch watch;
    scene.planner.find(problem.start, problem.goal, scene.costs, scene.options, scene.path);
    tally.ms.push_back(watch.ms());
    ++tally.problems;
    tally.expansions += static_cast<double>(path.expansions);
    tally.expansions_first += static_cast<double>(path.expansions_first);
    const double length = exact_cost(scene.world.grid(), scene.costs, path.cells);
    const double off = difference(path, length, problem, is_optimal(scene.options.method));
    if (path) {
        ++tally.solved;
        tally.cost += length;
        tally.bounds.push_back(path.bound);
        tally.worst = std::max(tally.worst, off);
        if (problem.length > 0) tally.ratios.push_back(length / problem.length);
    }
    if (keep) tally.answers.push_back(answer_json(problem, number, path, length, tally.ms.back()));
    if (off <= tolerance) {
        ++tally.met;
    } else if (tally.first_miss.empty()) {
        tally.first_miss =
            fmt::format("{}: problem {} from {},{} to {},{}: published {}, here {}", tally.file, number, problem.start.x, problem.start.y,
                        problem.goal.x, problem.goal.y, problem.length, path ? fmt::format("{:.6f}", length) : to_string(path.status));
    }
}

Result<Tally> run_file(const std::string& file, const ScenArguments& args) {
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

    Tally tally(file);
    tally.build_ms = opened->build_ms + *prepared;
    Scene scene{world, *costs, args.options, Planner(world), {}};
    const Rounding rounding(*scenario);
    const bool keep = args.output.writes_json() && !args.output.summary;
    const size_t count = scenario->problems.size(), take = args.sample > 0 ? std::min<size_t>(args.sample, count) : count;
    Progress progress(fs::path(file).filename().string(), take);
    for (size_t k = 0; k < take; ++k) {
        const size_t i = k * count / take;
        const Problem& problem = scenario->problems[i];
        solve(problem, i + 1, args.tolerance > 0 ? args.tolerance : rounding(problem), keep, scene, tally);
        progress.advance();
    }
    return tally;
}

int run_all(ScenArguments& args) {
    const auto method = find_method_or_default(args.method, args.options);
    if (!method) return fail(method.error());
    args.options.method = *method;
    args.method = method->name();
    Report report{"scen", {}, {}};
    Tally total(fmt::format("all {} files", args.files.size()));
    std::vector<Tally> tallies;
    for (const std::string& file : args.files) {
        auto tally = run_file(file, args);
        if (!tally) return fail(tally.error());
        total.add(*tally);
        report.rows.push_back(to_row(*tally, args));
        tallies.push_back(*std::move(tally));
    }
    if (args.files.size() > 1) report.rows.push_back(to_row(total, args));
    if (args.output.writes_json()) {
        const auto saved = write_json(args.output.json, to_json(report, tallies, args));
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) fmt::print("{}", report.table());
    if (!args.check) return total.solved == total.problems ? kDone : kNo;
    if (args.output.prints_text()) {
        fmt::print("\n{} of {} problems {}\n", format_number(static_cast<double>(total.met)),
                   format_number(static_cast<double>(total.problems)),
                   is_optimal(*method) ? "meet their published lengths" : "are solved, with no path shorter than published");
    }
    if (!total.first_miss.empty()) fmt::print(stderr, "first that does not: {}\n", total.first_miss);
    return total.met == total.problems ? kDone : kNo;
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
