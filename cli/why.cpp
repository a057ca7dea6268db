// `terrane why`: explains a path: its cost by terrain, the cost of a path through an area, and the obstacle if there is no path.
#include <fmt/format.h>

#include "bench/report.h"
#include "cli/common.h"
#include "terrane/world/explain.h"

namespace terrane::cli {

namespace {

struct WhyArguments {
    MapArguments map;
    Cell from, to;
    std::string profile = "person", png;
    Output output;
    std::optional<Rect> through;
    Movement movement = Movement::kEightNoCornerCutting;
    int32_t pixels = 1024;
};

// All explanations.
struct Reasons {
    CostTable costs;
    Obstacle obstacle;  // its path is the optimal one, if there is a path
    std::vector<TerrainShare> shares;
    std::optional<Path> through;
};

Reasons find_reasons(const GridSnapshot& grid, const CostTable& costs, const WhyArguments& args) {
    Reasons why{costs, find_obstacle({grid, costs, args.movement}, args.from, args.to), {}, std::nullopt};
    if (why.obstacle.status == Status::kFound) why.shares = path_shares(grid, costs, why.obstacle.path.cells);
    if (args.through) why.through = find_through({grid, costs, args.movement}, args.from, args.to, *args.through);
    return why;
}

std::string share_table(const GridSnapshot& grid, const Reasons& why) {
    const Path& optimal = why.obstacle.path;
    std::vector<std::vector<std::string>> rows{{"terrain", "a cell costs", "cells", "cost", "of the whole"}};
    for (const TerrainShare& share : why.shares) {
        const double part = optimal.cost == 0 ? 0 : static_cast<double>(share.cost) / static_cast<double>(optimal.cost);
        rows.push_back({grid.catalogue()[share.terrain].name, format_hundredths(why.costs.hundredths(share.terrain)),
                        format_number(share.cells), fmt::format("{:.2f}", to_real(share.cost)), fmt::format("{:.1f}%", 100 * part)});
    }
    return format_table(rows, 1, 5);
}

void print_way(const GridSnapshot& grid, const Reasons& why) {
    const Path& optimal = why.obstacle.path;
    fmt::print("The optimal path costs {:.2f} and has {} cells:\n\n{}", to_real(optimal.cost),
               format_number(static_cast<double>(optimal.cells.size())), share_table(grid, why));
}

void print_obstacle(const GridSnapshot& grid, const Obstacle& obstacle) {
    fmt::print("There is no path: {}.\n", to_string(obstacle.status));
    fmt::print("{} cells are reachable from the start. ", format_number(static_cast<double>(obstacle.reached)));
    fmt::print("The goal would be reachable if {} blocked cell{} were passable, the first of them {} at {},{}.\n", obstacle.blocked,
               obstacle.blocked == 1 ? "" : "s", grid.catalogue()[obstacle.terrain].name, obstacle.first.x, obstacle.first.y);
}

void print_through(const Reasons& why) {
    const Path& path = *why.through;
    if (path.status != Status::kFound) return fmt::print("\nNo path goes through that area: {}.\n", to_string(path.status));
    const Path& best = why.obstacle.path;
    const double more = best.cost == 0 ? 0 : static_cast<double>(path.cost) / static_cast<double>(best.cost) - 1;
    if (path.cost == best.cost) return fmt::print("\nGoing through that area costs no more.\n");
    fmt::print("\nThe optimal path through the area costs {:.2f}: {:.2f} more, {:.1f}%.\n", to_real(path.cost),
               to_real(path.cost - best.cost), 100 * more);
}

// The obstacle between two cells of the map that no path connects. Its path is legal once the blocked cells on it are passable.
Json obstacle_json(const GridSnapshot& grid, const Obstacle& obstacle, bool summary) {
    Json json{{"cells_reached", obstacle.reached},
              {"cells_blocked", obstacle.blocked},
              {"first", cell_json(obstacle.first)},
              {"terrain", grid.catalogue()[obstacle.terrain].name}};
    if (!summary) json["path"] = cells_json(obstacle.path.cells);
    return json;
}

Json to_json(const GridSnapshot& grid, const Reasons& why, const WhyArguments& args, const std::string& profile) {
    const bool summary = args.output.summary;
    const Obstacle& obstacle = why.obstacle;
    Json json = envelope("why", args.map.file, grid.layout());
    json.update({{"profile", profile},
                 {"movement", to_string(args.movement)},
                 {"from", cell_json(args.from)},
                 {"to", cell_json(args.to)},
                 {"status", to_string(obstacle.status)}});
    if (obstacle.status == Status::kFound) {
        add_outcome(json, obstacle.path);
        for (const TerrainShare& s : why.shares)
            json["terrains"].push_back(
                {{"terrain", grid.catalogue()[s.terrain].name}, {"cells", s.cells}, {"cost_cells", to_real(s.cost)}});
        if (!summary) json["path"] = cells_json(obstacle.path.cells);
    } else if (obstacle.blocked > 0) {
        json["obstacle"] = obstacle_json(grid, obstacle, summary);
    }
    if (why.through) {
        add_outcome(json["through"], *why.through);
        if (!summary && has_cells(*why.through)) json["through"]["path"] = cells_json(why.through->cells);
    }
    add_written(json, {args.png});
    return json;
}

// Draws the optimal path yellow and the one through the area orange; if there is no path, the one through the fewest obstacles.
Result<void> draw(const GridSnapshot& grid, const Reasons& why, const WhyArguments& args) {
    const PictureScale scale = PictureScale::fit(grid.layout(), args.pixels);
    Picture picture = draw_terrain(grid, scale);
    if (why.through) draw_path(picture, why.through->cells, kCreatureColours[1].colour, scale);
    draw_path(picture, why.obstacle.path.cells, kCreatureColours[0].colour, scale);
    return save_png(args.png, picture);
}

int explain(const WhyArguments& args) {
    const auto profile = find_profile(args.profile);
    if (!profile) return fail(profile.error());
    const auto grid = args.map.load();
    if (!grid) return fail(grid.error());
    const GridSnapshot now = grid->snapshot();
    const auto costs = profile->compile(now.catalogue());
    if (!costs) return fail(costs.error());
    for (const auto& [flag, cell] : {std::pair("--from", args.from), std::pair("--to", args.to)}) {
        if (const auto error = check_on_map(now.layout(), args.map.file, flag, cell)) return fail(*error);
    }
    if (args.through && intersection(*args.through, now.layout().rect()).empty())
        return fail({ErrorCode::kBadValue, args.map.file, 0,
                     fmt::format("--through is outside the map of {} x {} cells", now.width(), now.height())});
    const Reasons why = find_reasons(now, *costs, args);
    if (!args.png.empty()) {
        if (const auto saved = draw(now, why, args); !saved) return fail(saved.error());
    }
    if (args.output.writes_json()) {
        if (const auto saved = write_json(args.output.json, to_json(now, why, args, profile->name())); !saved) return fail(saved.error());
    }
    const bool found = why.obstacle.status == Status::kFound;
    if (args.output.prints_text()) {
        if (found) {
            print_way(now, why);
        } else {
            print_obstacle(now, why.obstacle);
        }
        if (why.through) print_through(why);
    }
    return found ? kDone : kNo;
}

}  // namespace

void add_why(CLI::App& app, Run& run) {
    const auto args = std::make_shared<WhyArguments>();
    CLI::App* verb = app.add_subcommand("why", "Explain a path: its cost by terrain, the cost of a detour, the obstacle if there is none");
    args->map.add_to(*verb)->required();
    add_from(*verb, args->from);
    add_to(*verb, args->to);
    add_profile(*verb, args->profile);
    add_rect(*verb, "--through", args->through, "Also find the optimal path through this rectangle");
    add_movement(*verb, args->movement);
    add_png(*verb, args->png, "the map, the optimal path yellow, the one through the rectangle orange");
    add_pixels(*verb, args->pixels);
    add_json_with_summary(*verb, args->output);
    verb->footer(
        "The answers are exact. The search covers all reachable cells, which takes a while on large maps.\n\nExamples:\n"
        "  terrane why island.map --from 120,200 --to 380,300 --profile deer\n"
        "  terrane why island.map --from 120,200 --to 380,300 --profile person --through 200,180,40,40 --png why.png\n\n"
        "Exit: 0 there is a path; 1 there is none; 2 bad input.");
    verb->callback([args, &run] { run = [args] { return explain(*args); }; });
}

}  // namespace terrane::cli
