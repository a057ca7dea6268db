#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "bench/progress.h"
#include "bench/report.h"
#include "cli/common.h"

namespace terrane::cli {

namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::vector<std::string> files;
    MapArguments map;
    std::string profile, method = "astar", json;
    Movement movement = Movement::kEight;
    bool check = false;
    double tolerance = 0;
    uint32_t sample = 0;
};

// How far a path's length may be from the published one: half a unit of the last published digit, and a millionth of the length,
// since our costs take sqrt 2 to 2.6e-7. Some files have a fixed number of decimals (older ones two), the others six
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

// Published files write 0 where there is no path.
bool published_as_unreachable(const Problem& problem) { return problem.length == 0 && problem.start != problem.goal; }

// Beside the scenario: its own name without .scen, or the name that the first problem gives.
Result<std::string> find_map(const std::string& file, const Scenario& scenario) {
    const fs::path path(file);
    std::error_code ignored;
    if (path.extension() == ".scen" && fs::exists(fs::path(path).replace_extension(), ignored))
        return fs::path(path).replace_extension().string();
    const fs::path named = path.parent_path() / fs::path(scenario.problems.empty() ? "" : scenario.problems[0].map).filename();
    if (named.has_filename() && fs::is_regular_file(named, ignored)) return named.string();
    return Error{ErrorCode::kCannotOpen, file, 0, "its map is not beside it; say which it is with --map"};
}

Result<Profile> profile_for(const Arguments& args, const GridSnapshot& grid, const std::string& map) {
    if (!args.profile.empty()) return find_profile(args.profile);
    if (grid.catalogue() == Catalogue::octile()) return *Profile::preset("walker");
    return Error{ErrorCode::kUnknownName, map, 0, "this map has terrain costs: give the profile of the scenario with --profile"};
}

struct Tally {
    explicit Tally(std::string name) : file(std::move(name)) {}

    std::string file;
    std::vector<double> ms, ratios;
    double expansions = 0, cost = 0, worst = 0;
    size_t problems = 0, solved = 0, met = 0;
    std::string first_miss;

    void add(const Tally& other) {
        ms.insert(ms.end(), other.ms.begin(), other.ms.end());
        ratios.insert(ratios.end(), other.ratios.begin(), other.ratios.end());
        expansions += other.expansions;
        cost += other.cost;
        worst = std::max(worst, other.worst);
        problems += other.problems;
        solved += other.solved;
        met += other.met;
        if (first_miss.empty()) first_miss = other.first_miss;
    }
};

ReportRow to_row(Tally& t, const Arguments& args) {
    const auto count = [](size_t n) { return static_cast<double>(n); };
    const double n = std::max(1.0, count(t.problems)), s = std::max(1.0, count(t.solved));
    ReportRow row{args.method, {{"file", t.file}}, {{"problems", count(t.problems)}, {"solved", count(t.solved)}}};
    if (args.check) {
        row.metrics.emplace_back("met", count(t.met));
        row.metrics.emplace_back("worst_difference", t.worst);
    }
    const Metrics rest = {
        {"expansions", t.expansions / n},
        {"cost", t.cost / s},
        {"ratio_mean", t.ratios.empty() ? 1 : std::accumulate(t.ratios.begin(), t.ratios.end(), 0.0) / count(t.ratios.size())},
        {"ratio_max", quantile(t.ratios, 1)},
        {"ms_mean", std::accumulate(t.ms.begin(), t.ms.end(), 0.0) / n},
        {"ms_p50", quantile(t.ms, 0.5)},
        {"ms_p99", quantile(t.ms, 0.99)}};
    row.metrics.insert(row.metrics.end(), rest.begin(), rest.end());
    return row;
}

void solve(const Problem& problem, size_t number, const GridSnapshot& grid, const CostTable& costs, const SearchOptions& options,
           double tolerance, GridSearch& search, Path& path, Tally& tally) {
    const auto start = std::chrono::steady_clock::now();
    search.begin(grid, costs, problem.start, problem.goal, options);
    search.run();
    search.path(path);
    tally.ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    ++tally.problems;
    tally.expansions += static_cast<double>(path.expansions);
    const double length = exact_cost(grid, costs, path.cells);
    const double difference = path ? std::fabs(length - problem.length) : published_as_unreachable(problem) ? 0 : INFINITY;
    if (path) {
        ++tally.solved;
        tally.cost += length;
        tally.worst = std::max(tally.worst, difference);
        if (problem.length > 0) tally.ratios.push_back(length / problem.length);
    }
    if (difference <= (tolerance)) {
        ++tally.met;
    } else if (tally.first_miss.empty()) {
        tally.first_miss =
            fmt::format("{}: problem {} from {},{} to {},{}: published {}, here {}", tally.file, number, problem.start.x, problem.start.y,
                        problem.goal.x, problem.goal.y, problem.length, path ? fmt::format("{:.6f}", length) : to_string(path.status));
    }
}

Result<Tally> run_file(const std::string& file, const Arguments& args, const Method& method, GridSearch& search) {
    const auto scenario = load_scenario(file);
    if (!scenario) return scenario.error();
    MapArguments map = args.map;
    if (map.file.empty()) {
        const auto found = find_map(file, *scenario);
        if (!found) return found.error();
        map.file = *found;
    }
    const auto grid = map.load();
    if (!grid) return grid.error();
    const GridSnapshot snapshot = grid->snapshot();
    const auto profile = profile_for(args, snapshot, map.file);
    if (!profile) return profile.error();
    const auto costs = profile->compile(snapshot.catalogue());
    if (!costs) return costs.error();

    SearchOptions options;
    options.method = method;
    options.movement = args.movement;
    Tally tally(file);
    const Rounding rounding(*scenario);
    Path path;
    const size_t count = scenario->problems.size(), take = args.sample > 0 ? std::min<size_t>(args.sample, count) : count;
    Progress progress(fs::path(file).filename().string(), take);
    for (size_t k = 0; k < take; ++k) {
        const size_t i = k * count / take;
        const Problem& problem = scenario->problems[i];
        solve(problem, i + 1, snapshot, *costs, options, args.tolerance > 0 ? args.tolerance : rounding(problem), search, path, tally);
        progress.advance();
    }
    return tally;
}

int run_all(const Arguments& args) {
    const auto method = find_method(args.method);
    if (!method) return fail(method.error());
    Report report{"scen", {}, {}};
    Tally total(fmt::format("all {} files", args.files.size()));
    GridSearch search;
    for (const std::string& file : args.files) {
        auto tally = run_file(file, args, *method, search);
        if (!tally) return fail(tally.error());
        total.add(*tally);
        report.rows.push_back(to_row(*tally, args));
    }
    if (args.files.size() > 1) report.rows.push_back(to_row(total, args));
    if (!args.json.empty()) {
        const auto saved = write_json(args.json, report.json());
        if (!saved) return fail(saved.error());
    }
    if (args.json != "-") fmt::print("{}", report.table());
    if (!args.check) return total.solved == total.problems ? kDone : kNo;
    if (args.json != "-") {
        fmt::print("\n{} of {} problems meet their published lengths\n", format_number(static_cast<double>(total.met)),
                   format_number(static_cast<double>(total.problems)));
    }
    if (!total.first_miss.empty()) fmt::print(stderr, "first that does not: {}\n", total.first_miss);
    return total.met == total.problems ? kDone : kNo;
}

}  // namespace

void add_scen(CLI::App& app, Run& run) {
    const auto args = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand("scen", "Run scenario files; --check compares with their published lengths");
    verb->add_option("files", args->files, "One or more .scen files")->required()->type_name("FILE.scen");
    verb->add_option("--map", args->map.file, "The map, where it is not beside the scenario")->type_name("FILE");
    verb->add_option("--profile", args->profile, "Who walks: " + preset_names() + ", or a profile file [walker on octile maps]")
        ->type_name("NAME|FILE");
    verb->add_option("--method", args->method, "How to search; 'terrane path --help' lists the methods")
        ->capture_default_str()
        ->type_name("M");
    add_movement(*verb, args->movement);
    args->map.add_letters(*verb);
    verb->add_flag("--check", args->check, "Compare with the published lengths; exit 1 if any differs");
    verb->add_option("--tolerance", args->tolerance, "How far lengths may differ [half a unit of the last digit, and a millionth]")
        ->check(CLI::PositiveNumber);
    verb->add_option("--sample", args->sample, "Only so many problems of each file, spread evenly over it")->type_name("N");
    add_json(*verb, args->json);
    verb->footer("Example: terrane scen maps/*.scen --check");
    verb->callback([args, &run] { run = [args] { return run_all(*args); }; });
}

}  // namespace terrane::cli
