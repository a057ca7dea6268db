// `terrane weighted-regions`: subdivisions of convex polygons, and paths over them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/progress.h"
#include "bench/report.h"
#include "cli/common.h"
#include "terrane/base/file.h"
#include "terrane/weighted_regions/subdivision_file.h"
#include "terrane/weighted_regions/subdivision_from_grid.h"
#include "terrane/weighted_regions/subdivision_method.h"
#include "terrane/weighted_regions/subdivision_picture.h"

namespace terrane::cli {

namespace {

constexpr const char* kWeightedRegionsFooter =
    R"(A subdivision is a part of the plane in convex polygons, each with a cost for a unit of the way through it, or blocked. Paths over it are
straight inside a polygon and bend at its boundaries, as light does.

Examples:
  terrane weighted-regions gen --sites 24 --seed 7 -o subdivision.json --png subdivision.png
  terrane weighted-regions path subdivision.json --from 20,20 --to 580,580 --png path.png
  terrane weighted-regions path subdivision.json --from 20,20 --to 580,580 --method brep --method bprep:1 --svg both.svg
  terrane weighted-regions gen --map island.map --profile deer --simplify 1 -o deer.json)";

constexpr const char* kSubdivisionPathFooter = R"(
SUBDIVISION is a JSON file as below, a GeoJSON file, or a map (.map, .terrane) with the costs of --profile, in which cell X,Y is the square
from X,Y to X+1,Y+1.
  {"vertices": [[0, 0], [4, 0], [4, 3], [0, 3]],
   "polygons": [{"corners": [0, 1, 2], "cost": 2.5}, {"corners": [0, 2, 3], "blocked": true}]}

Examples:
  terrane weighted-regions path subdivision.json --from 20,20 --to 580,580 --gap 1e-9
  terrane weighted-regions path subdivision.json --from 20,20 --to 580,580 --method quadtree --nodes --png quadtree.png
  terrane weighted-regions path island.map --profile deer --simplify 1 --from 120.5,200.5 --to 380,300 --png deer.png

Exit: 0 found; 1 no path, or the gap was not reached; 2 bad input.)";

// The colours of the paths, by method; the first two are the paper's.
constexpr std::array<Rgb, 6> kPathColours = {{{46, 96, 220}, {226, 58, 54}, {240, 170, 40}, {60, 160, 80}, {168, 96, 240}, {30, 170, 180}}};
constexpr std::array<const char*, 6> kColourNames = {"blue", "red", "orange", "green", "violet", "teal"};

// Options for a map that is converted to a subdivision.
struct GridArguments {
    MapArguments map;
    std::string profile = "person";
    double tolerance = 0;

    void add_to(CLI::App& verb) {
        add_profile(verb, profile);
        add_real(verb, "--simplify", tolerance, "Simplify the outlines of a map's regions by at most this distance, in cells", {0, 1000});
    }
    Result<Subdivision> load() const {
        const auto grid = map.load();
        if (!grid) return grid.error();
        const auto found = find_profile(profile);
        if (!found) return found.error();
        const auto costs = found->compile(grid->snapshot().catalogue());
        if (!costs) return costs.error();
        auto subdivision = subdivision_from_grid(grid->snapshot(), *costs, {tolerance});
        if (!subdivision && subdivision.error().file.empty())
            return Error{subdivision.error().code, map.file, 0, subdivision.error().reason};
        return subdivision;
    }
};

struct DrawArguments {
    std::string png, svg;
    int32_t pixels = SubdivisionDrawing{}.pixels;
    bool y_up = false;

    void add_to(CLI::App& verb) {
        add_png(verb, png, "the subdivision; costlier regions are darker");
        add_svg(verb, svg, "the subdivision");
        add_pixels(verb, pixels);
        verb.add_flag("--y-up", y_up, "Draw with y pointing up instead of down");
    }
    Result<void> draw(SubdivisionDrawing drawing) const {
        drawing.pixels = pixels;
        drawing.y_up = y_up;
        if (!png.empty()) {
            if (const auto saved = save_png(png, draw_subdivision(drawing)); !saved) return saved.error();
        }
        return svg.empty() ? Result<void>() : write_file(svg, draw_subdivision_svg(drawing));
    }
};

std::string describe(const Subdivision& subdivision) {
    size_t blocked = 0;
    double low = kBlockedCost, high = 0;
    for (uint32_t p = 0; p < subdivision.size(); ++p) {
        blocked += subdivision.is_blocked(p) ? 1 : 0;
        low = std::min(low, subdivision.cost(p));
        if (!subdivision.is_blocked(p)) high = std::max(high, subdivision.cost(p));
    }
    const std::string costs = blocked == subdivision.size() ? "all blocked" : fmt::format("costs {:g} to {:g}", low, high);
    return fmt::format("{} polygons, {} boundaries, {} vertices from {:g},{:g} to {:g},{:g}; {}{}", subdivision.size(),
                       subdivision.boundaries().size(), subdivision.polygons().vertices.size(), subdivision.low().x, subdivision.low().y,
                       subdivision.high().x, subdivision.high().y, costs,
                       blocked > 0 && blocked < subdivision.size() ? fmt::format(", {} blocked", blocked) : "");
}

Json subdivision_json(const std::string& file, const Subdivision& subdivision) {
    return {{"file", file},
            {"polygons", subdivision.size()},
            {"boundaries", subdivision.boundaries().size()},
            {"vertices", subdivision.polygons().vertices.size()}};
}

struct FieldGenArguments {
    VoronoiSubdivisionOptions voronoi;
    GridArguments grid;
    DrawArguments draw;
    std::string out;
    Output output;
};

int generate(const FieldGenArguments& args) {
    const auto subdivision = args.grid.map.file.empty() ? random_voronoi_subdivision(args.voronoi) : args.grid.load();
    if (!subdivision) return fail(subdivision.error());
    if (const auto saved = save_subdivision(*subdivision, args.out); !saved) return fail(saved.error());
    if (const auto drawn = args.draw.draw({.subdivision = &*subdivision}); !drawn) return fail(drawn.error());
    if (args.output.writes_json()) {
        Json json = envelope("weighted-regions gen");
        json["subdivision"] = subdivision_json(args.out, *subdivision);
        add_written(json, {args.out, args.draw.png, args.draw.svg});
        if (const auto saved = write_json(args.output.json, json); !saved) return fail(saved.error());
    }
    if (args.output.prints_text()) fmt::print("{}: {}\n", args.out, describe(*subdivision));
    return kDone;
}

void add_gen_subdivision(CLI::App& parent, Run& run) {
    const auto args = std::make_shared<FieldGenArguments>();
    CLI::App* verb = parent.add_subcommand("gen", "Generate a subdivision: Voronoi cells with random costs, or the regions of a map");
    VoronoiSubdivisionOptions& voronoi = args->voronoi;
    add_out(*verb, args->out, "a subdivision, as JSON")->required();
    add_whole(*verb, "--sites", voronoi.sites, "Number of Voronoi cells", 1, 100'000);
    add_real(*verb, "--width", voronoi.width, "Width of the subdivision", kAboveZero);
    add_real(*verb, "--height", voronoi.height, "Height of the subdivision", kAboveZero);
    add_whole(*verb, "--min-cost", voronoi.min_cost, "Lowest cost, a whole number");
    add_whole(*verb, "--max-cost", voronoi.max_cost, "Highest cost, a whole number");
    add_whole(*verb, "--blocked", voronoi.blocked, "Blocked polygons, in percent", 0, 100);
    add_seed(*verb, voronoi.seed, {});
    args->grid.map.add_to(*verb, "--map", "Map to read; its regions become the polygons");
    args->grid.add_to(*verb);
    args->draw.add_to(*verb);
    add_json(*verb, args->output);
    verb->callback([args, &run] { run = [args] { return generate(*args); }; });
}

struct SubdivisionPathArguments {
    GridArguments subdivision;  // a map or a JSON file
    DrawArguments draw;
    Point from, to;
    std::vector<std::string> methods;
    double gap = SubdivisionMethod{}.gap, heuristic = 0, epsilon = 0;
    uint32_t iterations = BrepOptions{}.max_iterations;
    uint64_t budget = kUnlimited;  // in expansions
    bool nodes = false;
    Output output;
};

Result<Subdivision> load_field(const GridArguments& subdivision) {
    const std::string& file = subdivision.map.file;
    return file.ends_with(".json") || file.ends_with(".geojson") ? load_subdivision(file) : subdivision.load();
}

Result<std::vector<SubdivisionMethod>> read_methods(const SubdivisionPathArguments& args, const Subdivision& subdivision) {
    std::vector<SubdivisionMethod> methods;
    for (const std::string& name : args.methods.empty() ? std::vector<std::string>{SubdivisionMethod{}.name} : args.methods) {
        auto method = find_subdivision_method(name);
        if (!method) return method.error();
        method->gap = args.gap;
        method->heuristic = args.heuristic;
        method->brep.max_iterations = args.iterations;
        method->brep.epsilon = args.epsilon;
        if (auto error = check_subdivision_method(subdivision, *method)) return *std::move(error);
        methods.push_back(*std::move(method));
    }
    return methods;
}

struct FoundInSubdivision {
    SubdivisionMethod method;
    SubdivisionPath path;
    double ms = 0;
    double best = 0;  // lowest cost of all methods
};

// Searches in slices and reports progress.
FoundInSubdivision find(SubdivisionPlanner& planner, const Subdivision& subdivision, const SubdivisionPathArguments& args,
                        const SubdivisionMethod& method, SubdivisionTrace* trace) {
    constexpr uint64_t kSlice = 20'000;
    Progress progress(method.name, 0);
    const Stopwatch watch;
    planner.begin(subdivision, args.from, args.to, method, trace);
    uint64_t left = args.budget;
    while (left > 0 && planner.run(std::min(left, kSlice)) == Status::kBudgetSpent) {
        left -= std::min(left, kSlice);
        progress.advance(kSlice);
    }
    return {method, planner.path(), watch.ms(), 0};
}

void print(const std::vector<FoundInSubdivision>& all, const Subdivision& subdivision, const std::string& file) {
    fmt::print("{}: {}\n", file, describe(subdivision));
    std::vector<std::vector<std::string>> rows{
        {"method", "cost", "at least", "gap", "to best", "points", "expansions", "ms", "colour", ""}};
    for (size_t i = 0; i < all.size(); ++i) {
        const SubdivisionPath& path = all[i].path;
        if (path.points.empty()) {
            rows.push_back({all[i].method.name, to_string(path.status)});
            continue;
        }
        rows.push_back({all[i].method.name, fmt::format("{:.6f}", path.cost), fmt::format("{:.6f}", path.lower_bound),
                        fmt::format("{:.2g}", path.gap()), fmt::format("{:.6f}", all[i].best > 0 ? path.cost / all[i].best : 1),
                        fmt::format("{}", path.points.size()), format_number(static_cast<double>(path.expansions)),
                        fmt::format("{:.3f}", all[i].ms), kColourNames[i % kPathColours.size()], path ? "" : to_string(path.status)});
    }
    fmt::print("{}", format_table(rows, 1, 8));
}

Json to_json(const std::vector<FoundInSubdivision>& all, const Subdivision& subdivision, const SubdivisionPathArguments& args) {
    Json json = envelope("weighted-regions path");
    json["subdivision"] = subdivision_json(args.subdivision.map.file, subdivision);
    json["from"] = point_json(args.from);
    json["to"] = point_json(args.to);
    for (const FoundInSubdivision& found : all) {
        const SubdivisionPath& path = found.path;
        Json& answer = json["answers"].emplace_back(Json{{"method", found.method.name}, {"status", to_string(path.status)}});
        const bool there = !path.points.empty();
        if (there) {
            answer["cost_cells"] = path.cost;
            answer["lower_bound_cost_cells"] = path.lower_bound;
        }
        answer["expansions"] = path.expansions;
        answer["find_ms"] = found.ms;
        if (there && !args.output.summary) answer["polyline"] = points_json(path.points);
    }
    add_written(json, {args.draw.png, args.draw.svg});
    return json;
}

Result<void> draw(const std::vector<FoundInSubdivision>& all, const Subdivision& subdivision, const SubdivisionPlanner& planner,
                  const SubdivisionTrace& trace, const SubdivisionPathArguments& args) {
    SubdivisionDrawing drawing{.subdivision = &subdivision};
    for (size_t i = 0; i < all.size(); ++i)
        drawing.polylines.push_back(
            {all[i].path.points, kPathColours[i % kPathColours.size()], fmt::format("{}: {:.3f}", all[i].method.name, all[i].path.cost)});
    std::vector<SquareSearch::Leaf> leaves;
    if (args.nodes) {
        drawing.trace = &trace;
        if (all.back().method.searches_squares()) leaves = planner.squares().leaves();
        drawing.squares = leaves;
    }
    return args.draw.draw(drawing);
}

int find_paths(const SubdivisionPathArguments& args) {
    const auto subdivision = load_field(args.subdivision);
    if (!subdivision) return fail(subdivision.error());
    const auto methods = read_methods(args, *subdivision);
    if (!methods) return fail(methods.error());
    SubdivisionPlanner planner;
    SubdivisionTrace trace;
    std::vector<FoundInSubdivision> all;
    double best = kBlockedCost;
    bool reached = true;
    for (const SubdivisionMethod& method : *methods) {
        const bool last = &method == &methods->back();
        all.push_back(find(planner, *subdivision, args, method, args.nodes && last ? &trace : nullptr));
        const SubdivisionPath& path = all.back().path;
        if (path.status == Status::kOutsideMap)
            return fail({ErrorCode::kBadValue, args.subdivision.map.file, 0, "--from or --to is outside the subdivision"});
        if (!path.points.empty()) best = std::min(best, path.cost);
        reached = reached && path && (!method.proves_gap() || path.gap() <= method.gap);
    }
    for (FoundInSubdivision& found : all) found.best = best;
    if (const auto drawn = draw(all, *subdivision, planner, trace, args); !drawn) return fail(drawn.error());
    if (args.output.writes_json()) {
        if (const auto saved = write_json(args.output.json, to_json(all, *subdivision, args)); !saved) return fail(saved.error());
    }
    if (args.output.prints_text()) print(all, *subdivision, args.subdivision.map.file);
    return reached ? kDone : kNo;
}

std::string subdivision_method_help() {
    std::string help;
    for (const SubdivisionMethodFactory* method : subdivision_methods())
        help += fmt::format("\n{}: {}", method->info.usage, method->info.summary);
    return help;
}

void add_path_over(CLI::App& parent, Run& run) {
    const auto args = std::make_shared<SubdivisionPathArguments>();
    CLI::App* verb = parent.add_subcommand("path", "Find paths over a subdivision, with proven bounds");
    args->subdivision.map.add_to(*verb, "subdivision", "Subdivision or map; see below. Maps")->required()->option_text("SUBDIVISION");
    add_point(*verb, "--from", args->from, "Start: a point");
    add_point(*verb, "--to", args->to, "Goal: a point");
    verb->add_option("--method", args->methods, "Method; may be repeated:" + subdivision_method_help())
        ->allow_extra_args(false)
        ->type_name("NAME")
        ->default_str(SubdivisionMethod{}.name);
    add_real(*verb, "--gap", args->gap, "brep+proven: relative gap between cost and lower bound at which the search stops", {0, 1, true});
    add_whole(*verb, "--iterations", args->iterations, "brep: maximum number of descent rounds per node", 1, 1'000'000);
    add_real(*verb, "--epsilon", args->epsilon, "brep: stop the descent when a round gains no more than this", {0, 1e9});
    add_real(*verb, "--heuristic-cost", args->heuristic,
             "brep, bprep: cost per unit of distance in the heuristic; 0: that of the cheapest polygon", {0, 1e9});
    add_budget(*verb, args->budget, "brep+proven reports its best path and bound [none]");
    args->subdivision.add_to(*verb);
    args->draw.add_to(*verb);
    verb->add_flag("--nodes", args->nodes, "Also draw the search of the last method: expanded nodes purple, open ones cyan");
    add_json_with_summary(*verb, args->output);
    verb->footer(kSubdivisionPathFooter);
    verb->callback([args, &run] { run = [args] { return find_paths(*args); }; });
}

}  // namespace

void add_weighted_regions(CLI::App& app, Run& run) {
    CLI::App* verb =
        app.add_subcommand("weighted-regions", "Generate subdivisions of the plane into convex weighted regions, and find refracted paths");
    verb->require_subcommand(1);
    verb->footer(kWeightedRegionsFooter);
    add_gen_subdivision(*verb, run);
    add_path_over(*verb, run);
}

}  // namespace terrane::cli
