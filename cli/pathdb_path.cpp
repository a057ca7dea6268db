// `terrane pathdb path`: read off the database, or searched with its help where the map has changed.
#include <fmt/format.h>

#include <algorithm>

#include "bench/report.h"
#include "cli/pathdb.h"
#include "terrane/cpd/cpd_data.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/cpd/pathdb_search.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane::cli {

namespace {

constexpr const char* kPathdbPathFooter = R"(
On the map that the database was built for, the path is read off it. With --now, a map of the same size that has changed since, it is
searched for, and costs at most so many times the least as the method says:
  cpd[:E][/SEARCH]   E from 1 to 100 (1.1 where left out: at most 10% dearer; 1 is optimal)
  SEARCH             early, weighted (cpd:E without more), nosp, focal, branching
Diagonal steps past cells that were blocked since the build are taken, as in the paper, unless --strict.

Examples:
  terrane pathdb path island.map --db deer.pathdb --profile deer --from 120,200 --to 380,300
  terrane pathdb path island.map --db deer.pathdb --profile deer --from 120,200 --to 380,300 --now burnt.map --compare --png way.png

Exit: 0 found; 1 no path; 2 bad input, such as a database of another map, profile or movement rule.)";

struct PathdbPathArguments {
    WalkArguments walk;
    Cell from, to;
    std::string database, now, method = "cpd/branching", png, json;
    bool strict = false, compare = false;
    int32_t pixels = 1024;
};

// What was found, as cli/ask.cpp's answers, and what only path databases have.
struct Found {
    Answer answer;
    Cost lower_bound = 0;
    uint64_t lookups = 0;
    uint64_t changed_cells = 0;
    GridSnapshot grid;  // that was walked on
};

// The moves of the database, one after the other. Rows that were altered may lead round in circles, or into a wall: kUnreachable.
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
    if (!grid.layout().contains(from) || !grid.layout().contains(to)) return Status::kOutsideMap;
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
    auto options = pathdb_options(*method);
    if (!options) {
        return Error{ErrorCode::kUnsupported, {}, 0, "--method here is cpd[:E][/SEARCH]; '" + args.method + "' uses no path database"};
    }
    const auto now = MapArguments{args.now, args.walk.map.letters}.load();
    if (!now) return now.error();
    Found found;
    found.grid = now->snapshot();
    if (found.grid.layout() != database.grid().layout()) {
        return Error{ErrorCode::kBadValue, args.now, 0,
                     fmt::format("a map of {} x {} cells, but the database's has {} x {}", found.grid.width(), found.grid.height(),
                                 database.grid().width(), database.grid().height())};
    }
    if (found.grid.catalogue() != database.grid().catalogue()) {
        return Error{ErrorCode::kBadValue, args.now, 0, "its terrains are not those of the database's map; see --letters"};
    }
    const Perturbation perturbation(database, found.grid);
    found.changed_cells = perturbation.changed_cells();
    PathdbSearch search;
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
        fmt::print("{}: {} cells cost something else now\n", args.now, format_number(static_cast<double>(found.changed_cells)));
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

nlohmann::ordered_json to_json(const Found& found, const PathdbPathArguments& args, double open_ms) {
    nlohmann::ordered_json json{
        {"map", args.walk.map.file},          {"database", args.database},    {"movement", to_string(args.walk.movement)},
        {"from", {args.from.x, args.from.y}}, {"to", {args.to.x, args.to.y}}, {"open_ms", open_ms}};
    if (!args.now.empty()) {
        json["now"] = args.now;
        json["method"] = args.method;
        json["strict"] = args.strict;
        json["changed_cells"] = found.changed_cells;
    }
    json["answers"] = answer_json(found.grid, {found.answer});
    json["answers"][0]["lower_bound_units"] = found.lower_bound;
    json["answers"][0]["lookups"] = found.lookups;
    return json;
}

int find(const PathdbPathArguments& args) {
    const auto walked = args.walk.load();
    if (!walked) return fail(walked.error());
    const Stopwatch watch;
    const auto database = open_path_database(args.database, {walked->grid, walked->costs, args.walk.movement});
    if (!database) return fail(database.error());
    const double open_ms = watch.ms();
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
    if (!args.json.empty()) {
        const auto saved = write_json(args.json, to_json(*found, args, open_ms));
        if (!saved) return fail(saved.error());
    }
    if (args.json != "-") print(*found, args);
    return there ? kDone : kNo;
}

}  // namespace

void add_pathdb_path(CLI::App& pathdb, Run& run) {
    const auto args = std::make_shared<PathdbPathArguments>();
    CLI::App* verb = pathdb.add_subcommand("path", "Read a path off a database, or search with its help where the map has changed");
    args->walk.add_to(*verb);
    verb->add_option("--db", args->database, "The path database of this map, profile and movement")->required()->type_name("FILE");
    add_cell(*verb, "--from", args->from, "Where the path begins")->required();
    add_cell(*verb, "--to", args->to, "Where it ends")->required();
    CLI::Option* now =
        verb->add_option("--now", args->now, "The map as it is now: of the same size, with the same terrains")->type_name("FILE");
    verb->add_option("--method", args->method, "How to search on the changed map; see below")
        ->capture_default_str()
        ->needs(now)
        ->type_name("M");
    verb->add_flag("--strict", args->strict, "No diagonal steps past the corners of cells that were blocked since")->needs(now);
    verb->add_flag("--compare", args->compare, "Run A* as well, and print its cost (it keeps to the movement rule as if --strict)");
    verb->add_option("--png", args->png, "Draw map and path")->type_name("FILE");
    verb->add_option("--pixels", args->pixels, "Longer side of the picture, about")->capture_default_str()->check(CLI::Range(16, 16384));
    add_json(*verb, args->json);
    verb->footer(kPathdbPathFooter);
    verb->callback([args, &run] { run = [args] { return find(*args); }; });
}

}  // namespace terrane::cli
