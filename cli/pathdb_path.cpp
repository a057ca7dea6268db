// `terrane pathdb path`: extracts a path from a database, or runs CPD search on a map that has changed since the build.
#include <fmt/format.h>

#include <algorithm>

#include "bench/report.h"
#include "cli/pathdb.h"
#include "terrane/cpd/cpd_search.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/cpd/prepared_cpd.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane::cli {

namespace {

constexpr const char* kPathdbPathFooter = R"(
On the map that the database was built for, the path follows its first moves. With --now, a map of the same size that has changed since, CPD
search finds a path within the method's bound:
  cpd[:E][/SEARCH]   E from 1 to 100 [1.1]: at most E times the optimum; 1 is optimal
  SEARCH             early, weighted (cpd:E without more), nosp, focal, branching
As in the paper, diagonal steps may cut corners of cells that were blocked after the build, unless --strict; the A* of --compare never does.

Examples:
  terrane pathdb path island.map --pathdb deer.pathdb --profile deer --from 120,200 --to 380,300
  terrane pathdb path island.map --pathdb deer.pathdb --profile deer --from 120,200 --to 380,300 --now burnt.map --compare --png path.png

Exit: 0 found; 1 no path; 2 bad input, such as a database of another map, profile or movement rule.)";

struct PathdbPathArguments {
    WalkArguments walk;
    Cell from, to;
    std::string database, now, method = "cpd/branching", png;
    Output output;
    bool strict = false, compare = false;
    int32_t pixels = 1024;
};

// An answer as in cli/ask.cpp, with the figures that only path databases have.
struct Found {
    Answer answer;
    Cost lower_bound = 0;
    uint64_t lookups = 0;
    uint64_t changed_cells = 0;
    GridSnapshot grid;  // the map of the path
};

// Follows the first moves of the database. kUnreachable if altered rows lead in circles or to a blocked cell.
void walk(const PathDatabase& database, Cell from, Cell to, Path& path) {
    const GridLayout& layout = database.grid().layout();
    const PathDatabase::Towards towards = database.towards(layout.id(to));
    path.cells.assign(1, from);
    for (uint32_t steps = 0; path.cells.back() != to && steps < database.nodes(); ++steps) {
        const Cell at = path.cells.back();
        const Move move = towards(layout.id(at));
        if (move == kNoMove) break;
        const Cell next{at.x + kMoves[move].x, at.y + kMoves[move].y};
        const Cost step = database.ground().step_cost(at, next);
        if (step == kInfiniteCost) break;
        path.cost += step;
        path.cells.push_back(next);
    }
    path.status = path.cells.back() == to ? Status::kFound : Status::kUnreachable;
    if (path.status != Status::kFound) path = Path{};
}

Status check_ends(const PathDatabase& database, Cell from, Cell to) {
    const GridSnapshot& grid = database.grid();
    if (!database.ground().costs().passable(grid.at(from))) return Status::kBlockedStart;
    if (!database.ground().costs().passable(grid.at(to))) return Status::kBlockedGoal;
    return database.covers(grid.layout().id(to)) ? Status::kFound : Status::kNotPrepared;
}

Found read_off(const PathDatabase& database, const PathdbPathArguments& args) {
    Found found;
    found.grid = database.grid();
    Path& path = found.answer.path;
    path.status = check_ends(database, args.from, args.to);
    if (path.status != Status::kFound) return found;
    const Stopwatch watch;
    walk(database, args.from, args.to, path);
    found.answer.ms = watch.ms();
    found.lookups = path.cells.empty() ? 0 : path.cells.size() - 1;
    found.lower_bound = path.cost;
    path.bound = 1;
    return found;
}

Result<Found> search(const PathDatabase& database, const PathdbPathArguments& args) {
    const auto method = find_method(args.method);
    if (!method) return method.error();
    auto options = cpd_search_options(*method);
    if (!options) {
        return Error{ErrorCode::kUnsupported, {}, 0, "--method here is cpd[:E][/SEARCH]; '" + args.method + "' uses no path database"};
    }
    const auto now = MapArguments{args.now, args.walk.map.letters}.load();
    if (!now) return now.error();
    Found found;
    found.grid = now->snapshot();
    if (found.grid.layout() != database.grid().layout()) {
        return Error{ErrorCode::kBadValue, args.now, 0,
                     fmt::format("a map of {} x {} cells, but the database is for {} x {}", found.grid.width(), found.grid.height(),
                                 database.grid().width(), database.grid().height())};
    }
    if (found.grid.catalogue() != database.grid().catalogue()) {
        return Error{ErrorCode::kBadValue, args.now, 0, "its terrains are not those of the database's map; see --letters"};
    }
    const Perturbation perturbation(database, found.grid);
    found.changed_cells = perturbation.changed_cells();
    CpdSearch search;
    const Stopwatch watch;
    options->strict_corners = args.strict;
    search.begin(database, perturbation, args.from, args.to, *options);
    search.run();
    Path& path = found.answer.path;
    path.status = search.status();
    found.answer.ms = watch.ms();
    path.expansions = search.expansions();
    found.lookups = search.lookups();
    if (path.status != Status::kFound) return found;
    search.path(path.cells);
    path.cost = search.cost() * database.ground().costs().divisor;
    found.lower_bound = search.lower_bound() * database.ground().costs().divisor;
    path.bound = found.lower_bound == 0 ? 1 : static_cast<double>(path.cost) / static_cast<double>(found.lower_bound);
    return found;
}

Cost optimal_cost(const Found& found, const PathdbPathArguments& args) {
    GridSearch astar;
    astar.begin({found.grid, found.answer.costs, args.walk.movement}, args.from, args.to);
    if (astar.run() != Status::kFound) return 0;
    Path path;
    astar.path(path);
    return path.cost;
}

void print(const Found& found, const PathdbPathArguments& args) {
    const Path& path = found.answer.path;
    if (!args.now.empty())
        fmt::print("{}: {} cells have another cost\n", args.now, format_number(static_cast<double>(found.changed_cells)));
    if (path.status != Status::kFound) {
        fmt::print("no path: {}\n", to_string(path.status));
        return;
    }
    std::vector<std::vector<std::string>> rows{{"creature", "cost", "at least", "proven", "cells", "expansions", "lookups", "ms"}};
    rows.push_back({found.answer.creature, fmt::format("{:.2f}", to_real(path.cost)), fmt::format("{:.2f}", to_real(found.lower_bound)),
                    fmt::format("{:.3f}", path.bound), format_number(static_cast<double>(path.cells.size())),
                    format_number(static_cast<double>(path.expansions)), format_number(static_cast<double>(found.lookups)),
                    fmt::format("{:.3f}", found.answer.ms)});
    if (args.compare) {
        rows[0].insert(rows[0].end(), {"A*", "ratio"});
        rows[1].push_back(found.answer.optimal == 0 ? "none" : fmt::format("{:.2f}", to_real(found.answer.optimal)));
        rows[1].push_back(found.answer.optimal == 0
                              ? ""
                              : fmt::format("{:.3f}", static_cast<double>(path.cost) / static_cast<double>(found.answer.optimal)));
    }
    fmt::print("{}", format_table(rows));
}

Json to_json(const WalkedMap& walked, const Found& found, const PathdbPathArguments& args, double load_ms) {
    Json json = envelope("pathdb path", args.walk.map.file, walked.grid.layout());
    json["pathdb"] = args.database;
    json["movement"] = to_string(args.walk.movement);
    json["from"] = cell_json(args.from);
    json["to"] = cell_json(args.to);
    json["load_ms"] = load_ms;
    if (!args.now.empty()) {
        json["now"] = map_json(args.now, found.grid.layout());
        json["method"] = args.method;
        json["strict"] = args.strict;
        json["cells_changed"] = found.changed_cells;
    }
    json["answers"] = answers_json(found.grid, {found.answer}, args.output.summary);
    Json& answer = json["answers"][0];
    answer.erase("prepare_ms");  // the database is prepared
    answer["lookups"] = found.lookups;
    if (has_cells(found.answer.path)) answer["lower_bound_cost_cells"] = to_real(found.lower_bound);
    add_written(json, {args.png});
    return json;
}

int find(const PathdbPathArguments& args) {
    const auto walked = args.walk.load();
    if (!walked) return fail(walked.error());
    for (const auto& [flag, cell] : {std::pair("--from", args.from), std::pair("--to", args.to)}) {
        if (const auto error = check_on_map(walked->grid.layout(), args.walk.map.file, flag, cell)) return fail(*error);
    }
    const Stopwatch watch;
    const auto database = open_path_database(args.database, {walked->grid, walked->costs, args.walk.movement});
    if (!database) return fail(database.error());
    const double load_ms = watch.ms();
    auto found = args.now.empty() ? Result<Found>(read_off(*database, args)) : search(*database, args);
    if (!found) return fail(found.error());
    found->answer.creature = walked->creature;
    found->answer.costs = walked->costs;
    const bool there = found->answer.path.status == Status::kFound;
    if (args.compare && there) found->answer.optimal = optimal_cost(*found, args);
    if (!args.png.empty()) {
        const PictureScale scale = PictureScale::fit(found->grid.layout(), args.pixels);
        const auto saved = save_png(args.png, draw_answers(found->grid, {found->answer}, scale));
        if (!saved) return fail(saved.error());
    }
    if (args.output.writes_json()) {
        const auto saved = write_json(args.output.json, to_json(*walked, *found, args, load_ms));
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) print(*found, args);
    return there ? kDone : kNo;
}

}  // namespace

void add_pathdb_path(CLI::App& pathdb, Run& run) {
    const auto args = std::make_shared<PathdbPathArguments>();
    CLI::App* verb = pathdb.add_subcommand("path", "Extract a path from a database, or run CPD search if the map has changed");
    args->walk.add_to(*verb);
    add_pathdb(*verb, args->database, "of this map, profile and movement rule")->required();
    add_from(*verb, args->from);
    add_to(*verb, args->to);
    CLI::Option* now = add_input(*verb, "--now", args->now, "The changed map, of the same size and with the same terrains");
    add_method(*verb, args->method, "of the CPD search on the changed map; see below")->needs(now);
    verb->add_flag("--strict", args->strict, "Do not cut corners of cells that were blocked after the build")->needs(now);
    add_compare(*verb, args->compare);
    add_png(*verb, args->png, "the map and the path");
    add_pixels(*verb, args->pixels);
    add_json_with_summary(*verb, args->output);
    verb->footer(kPathdbPathFooter);
    verb->callback([args, &run] { run = [args] { return find(*args); }; });
}

}  // namespace terrane::cli
