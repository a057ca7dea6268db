#include <fmt/format.h>

#include "bench/report.h"
#include "cli/common.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane::cli {

namespace {

struct ReachArguments {
    MapArguments map;
    Cell from;
    std::vector<Cell> to;
    std::string terrain, profile = "person", png;
    Output output;
    std::optional<double> within;
    SearchOptions options;
    Movement movement = Movement::kEightNoCornerCutting;
};

// The answer to one question as text, as JSON and as a picture.
struct Reply {
    std::string text;
    Json json;  // without the keys that all questions share
    std::vector<std::vector<Cell>> paths;
    std::vector<uint32_t> heat;  // by rows: 1 and up, increasing with cost; may be empty
    bool yes = false;
};

std::string cell_text(Cell c) { return fmt::format("{},{}", c.x, c.y); }

// All cells within a cost.
Reply within(const GridSnapshot& grid, const CostTable& costs, const ReachArguments& args) {
    GridSearch search;
    const double limit = *args.within;
    search.begin_flood({grid, costs, args.movement}, args.from, static_cast<Cost>(limit * kCostPerUnit), args.options);
    Reply reply;
    reply.yes = search.run() == Status::kFound;
    std::vector<ReachedCell> cells;
    search.reached(cells);
    reply.text = reply.yes ? fmt::format("{} cells within cost {:g} of {}\n", format_number(static_cast<double>(cells.size())), limit,
                                         cell_text(args.from))
                           : fmt::format("none: {}\n", to_string(search.status()));
    reply.json = {{"within_cost_cells", limit}, {"status", to_string(search.status())}, {"expansions", search.expansions()}};
    if (reply.yes) {
        reply.json["cells"] = cells.size();
        if (!args.output.summary) {
            for (const ReachedCell& c : cells)
                reply.json["reached"].push_back({{"cell", cell_json(c.cell)}, {"cost_cells", to_real(c.cost)}});
        }
    }
    reply.heat.assign(grid.layout().cells(), 0);
    for (const ReachedCell& c : cells) {
        reply.heat[static_cast<size_t>(c.cell.y) * static_cast<size_t>(grid.width()) + static_cast<size_t>(c.cell.x)] =
            1 + static_cast<uint32_t>(c.cost * 1000 / (static_cast<Cost>(limit * kCostPerUnit) + 1));
    }
    return reply;
}

// The nearest cell of a terrain.
Result<Reply> nearest_terrain(const GridSnapshot& grid, const CostTable& costs, const ReachArguments& args) {
    const auto terrain = grid.catalogue().find(args.terrain);
    if (!terrain) return Error{ErrorCode::kUnknownName, args.map.file, 0, "this map has no terrain '" + args.terrain + "'"};
    GridSearch search;
    search.begin_nearest({grid, costs, args.movement}, args.from, *terrain, args.options);
    search.run();
    Path path;
    search.path(path);
    Reply reply;
    reply.yes = static_cast<bool>(path);
    reply.text = path ? fmt::format("nearest {}: {}, cost {:.2f}, {} cells\n", args.terrain, cell_text(path.cells.back()),
                                    to_real(path.cost), path.cells.size())
                      : fmt::format("nearest {}: none, {}\n", args.terrain, to_string(path.status));
    reply.json = {{"terrain", args.terrain}, {"expansions", path.expansions}};
    if (path) reply.json["to"] = cell_json(path.cells.back());
    add_outcome(reply.json, path);
    if (path && !args.output.summary) reply.json["path"] = cells_json(path.cells);
    reply.paths.push_back(path.cells);
    return reply;
}

// The cost to each of several cells, and which is nearest.
Reply to_many(const GridSnapshot& grid, const CostTable& costs, const ReachArguments& args) {
    GridSearch search;
    search.begin_many({grid, costs, args.movement}, args.from, args.to, args.options);
    search.run();
    Reply reply;
    reply.json["expansions"] = search.expansions();
    std::vector<std::vector<std::string>> rows{{"to", "cost", "cells"}};
    Cost least = kInfiniteCost;
    for (const Cell goal : args.to) least = std::min(least, search.cost_to(goal));
    Path path;
    for (const Cell goal : args.to) {
        search.path_to(goal, path);
        const std::string mark = path && path.cost == least ? " (nearest)" : "";
        rows.push_back({cell_text(goal) + mark, path ? fmt::format("{:.2f}", to_real(path.cost)) : to_string(path.status),
                        path ? format_number(static_cast<double>(path.cells.size())) : ""});
        Json& answer = reply.json["answers"].emplace_back(Json{{"to", cell_json(goal)}});
        add_outcome(answer, path);
        if (path && !args.output.summary) answer["path"] = cells_json(path.cells);
        reply.paths.push_back(path.cells);
    }
    reply.text = format_table(rows);
    reply.yes = least != kInfiniteCost;
    return reply;
}

Json to_json(const GridSnapshot& grid, const Reply& reply, const ReachArguments& args, const std::string& profile) {
    Json json = envelope("reach", args.map.file, grid.layout());
    json.update({{"profile", profile}, {"movement", to_string(args.movement)}, {"from", cell_json(args.from)}});
    json.update(reply.json);
    add_written(json, {args.png});
    return json;
}

Result<void> draw(const GridSnapshot& grid, const Reply& reply, const std::string& file) {
    const PictureScale scale = PictureScale::fit(grid.layout());
    Picture picture = draw_terrain(grid, scale);
    if (!reply.heat.empty()) draw_heat(picture, reply.heat, grid.layout(), scale);
    for (const auto& cells : reply.paths) draw_path(picture, cells, {255, 214, 62}, scale);
    return save_png(file, picture);
}

int reach(const ReachArguments& args) {
    const auto grid = args.map.load();
    if (!grid) return fail(grid.error());
    const GridSnapshot snapshot = grid->snapshot();
    const auto profile = find_profile(args.profile);
    if (!profile) return fail(profile.error());
    const auto costs = profile->compile(snapshot.catalogue());
    if (!costs) return fail(costs.error());
    if (args.within.has_value() + !args.to.empty() + !args.terrain.empty() != 1) {
        return fail({ErrorCode::kBadValue, {}, 0, "ask one thing: --within COST, --to X,Y (one or more), or --nearest-terrain TERRAIN"});
    }
    if (const auto error = check_on_map(snapshot.layout(), args.map.file, "--from", args.from)) return fail(*error);
    for (const Cell goal : args.to) {
        if (const auto error = check_on_map(snapshot.layout(), args.map.file, "--to", goal)) return fail(*error);
    }
    Result<Reply> reply = args.within        ? within(snapshot, *costs, args)
                          : !args.to.empty() ? to_many(snapshot, *costs, args)
                                             : nearest_terrain(snapshot, *costs, args);
    if (!reply) return fail(reply.error());
    if (!args.png.empty()) {
        const auto saved = draw(snapshot, *reply, args.png);
        if (!saved) return fail(saved.error());
    }
    if (args.output.writes_json()) {
        const auto saved = write_json(args.output.json, to_json(snapshot, *reply, args, profile->name()));
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) fmt::print("{}", reply->text);
    return reply->yes ? kDone : kNo;
}

}  // namespace

void add_reach(CLI::App& app, Run& run) {
    const auto args = std::make_shared<ReachArguments>();
    CLI::App* verb =
        app.add_subcommand("reach", "Find all cells within a cost, the nearest of several cells or of a terrain, and the cost to each");
    args->map.add_to(*verb)->required();
    add_from(*verb, args->from);
    add_real_number(
        *verb, "--within", [args](double cost) { args->within = cost; }, "Find all cells within this cost [none]", {0, 1e9}, 0);
    add_targets(*verb, args->to, "a cell; the nearest of all is marked");
    verb->add_option("--nearest-terrain", args->terrain, "Find the nearest cell of this terrain")->type_name("TERRAIN");
    add_profile(*verb, args->profile);
    add_movement(*verb, args->movement);
    add_png(*verb, args->png, "the map and the answer");
    add_json_with_summary(*verb, args->output);
    verb->footer(
        "Examples:\n"
        "  terrane reach island.map --from 120,200 --within 80 --profile deer --png deer.png\n"
        "  terrane reach island.map --from 120,200 --nearest-terrain road\n"
        "  terrane reach island.map --from 120,200 --to 380,300 --to 90,90\n\n"
        "Exit: 0 found; 1 none of the cells, or no cell of the terrain, is reachable; 2 bad input, such as a cell outside the map.");
    verb->callback([args, &run] { run = [args] { return reach(*args); }; });
}

}  // namespace terrane::cli
