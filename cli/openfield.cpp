// `terrane openfield`: fields of convex polygons, and paths over them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "bench/progress.h"
#include "bench/report.h"
#include "cli/common.h"
#include "cli/numbers.h"
#include "terrane/base/file.h"
#include "terrane/weighted_regions/field_grid.h"
#include "terrane/weighted_regions/field_picture.h"
#include "terrane/weighted_regions/open_method.h"
#include "terrane/weighted_regions/subdivision_file.h"

namespace terrane::cli {

namespace {

constexpr const char* kOpenfieldFooter =
    R"(A field is a part of the plane in convex polygons, each with a cost for a unit of the way through it, or blocked. Paths over it are
straight inside a polygon and bend at its boundaries, as light does.

Examples:
  terrane openfield gen --sites 24 --seed 7 -o field.json --png field.png
  terrane openfield path field.json --from 20,20 --to 580,580 --png path.png
  terrane openfield path field.json --from 20,20 --to 580,580 --method brep --method bprep:1 --svg both.svg
  terrane openfield gen --map island.map --profile deer --tolerance 1 -o deer.json)";

constexpr const char* kFieldPathFooter = R"(
FIELD is a .json of ours, GeoJSON, or a map (.map, .terrane) as --profile sees it, where cell X,Y is the square from X,Y to X+1,Y+1.
Form of the first:
  {"vertices": [[0, 0], [4, 0], [4, 3], [0, 3]],
   "polygons": [{"corners": [0, 1, 2], "cost": 2.5}, {"corners": [0, 2, 3], "blocked": true}]}

Examples:
  terrane openfield path field.json --from 20,20 --to 580,580 --gap 1e-9
  terrane openfield path field.json --from 20,20 --to 580,580 --method quadtree --nodes --png quadtree.png
  terrane openfield path island.map --profile deer --tolerance 1 --from 120.5,200.5 --to 380,300 --png deer.png

Exit: 0 found; 1 no path, or the gap was not reached; 2 bad input.)";

// The path's colours, method by method; the paper's are the first two.
constexpr std::array<Rgb, 6> kFieldColours = {
    {{46, 96, 220}, {226, 58, 54}, {240, 170, 40}, {60, 160, 80}, {168, 96, 240}, {30, 170, 180}}};
constexpr std::array<const char*, 6> kColourNames = {"blue", "red", "orange", "green", "violet", "teal"};

std::optional<Point> parse_point(std::string_view text) {
    const size_t comma = text.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const auto number = [](std::string_view part, double& out) {
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), out);
        return error == std::errc{} && end == part.data() + part.size();
    };
    Point p;
    return number(text.substr(0, comma), p.x) && number(text.substr(comma + 1), p.y) && is_finite(p) ? std::optional(p) : std::nullopt;
}

void add_point(CLI::App& verb, const std::string& flag, Point& point, const std::string& help) {
    const auto read = [&point, flag](const std::string& text) {
        const auto parsed = parse_point(text);
        if (!parsed) throw CLI::ValidationError(flag, "'" + text + "' is no point; expected X,Y as in 12.5,40");
        point = *parsed;
    };
    verb.add_option_function<std::string>(flag, read, help)->required()->type_name("X,Y");
}

// A map seen as a field.
struct GridArguments {
    MapArguments map;
    std::string profile = "person";
    double tolerance = 0;

    void add_to(CLI::App& verb) {
        verb.add_option("--profile", profile, "Whose costs a map's terrain has: " + preset_names() + ", or a profile file")
            ->capture_default_str()
            ->type_name("P");
        verb.add_option("--tolerance", tolerance, "Outlines of a map's regions are simplified by at most so many cells")
            ->capture_default_str()
            ->check(real_in(0, 1000));
        map.add_letters(verb);
    }
    Result<Subdivision> load() const {
        const auto grid = map.load();
        if (!grid) return grid.error();
        const auto found = find_profile(profile);
        if (!found) return found.error();
        const auto costs = found->compile(grid->snapshot().catalogue());
        if (!costs) return costs.error();
        auto field = subdivision_from_grid(grid->snapshot(), *costs, {tolerance});
        if (!field && field.error().file.empty()) return Error{field.error().code, map.file, 0, field.error().reason};
        return field;
    }
};

struct DrawArguments {
    std::string png, svg;
    int32_t pixels = 800;
    bool y_up = false;

    void add_to(CLI::App& verb) {
        verb.add_option("--png", png, "Draw it: dearer is darker")->type_name("FILE");
        verb.add_option("--svg", svg, "Draw it, to be enlarged")->type_name("FILE");
        verb.add_option("--pixels", pixels, "Longer side of the picture")->capture_default_str()->check(CLI::Range(16, 16384));
        verb.add_flag("--y-up", y_up, "y points up in the picture, not down");
    }
    Result<Done> draw(FieldDrawing drawing) const {
        drawing.pixels = pixels;
        drawing.y_up = y_up;
        if (!png.empty()) {
            if (const auto saved = save_png(png, draw_field(drawing)); !saved) return saved.error();
        }
        return svg.empty() ? Result<Done>(Done{}) : write_file(svg, draw_field_svg(drawing));
    }
};

std::string describe(const Subdivision& field) {
    size_t blocked = 0;
    double low = kBlockedCost, high = 0;
    for (uint32_t p = 0; p < field.size(); ++p) {
        blocked += field.is_blocked(p) ? 1 : 0;
        low = std::min(low, field.cost(p));
        if (!field.is_blocked(p)) high = std::max(high, field.cost(p));
    }
    const std::string costs = blocked == field.size() ? "all of them blocked" : fmt::format("costs {:g} to {:g}", low, high);
    return fmt::format("{} polygons, {} boundaries, {} vertices from {:g},{:g} to {:g},{:g}; {}{}", field.size(), field.boundaries().size(),
                       field.polygons().vertices.size(), field.low().x, field.low().y, field.high().x, field.high().y, costs,
                       blocked > 0 && blocked < field.size() ? fmt::format(", {} blocked", blocked) : "");
}

struct FieldGenArguments {
    VoronoiFieldOptions voronoi;
    GridArguments grid;
    DrawArguments draw;
    std::string out, json;
};

int generate(const FieldGenArguments& args) {
    const auto field = args.grid.map.file.empty() ? random_voronoi_subdivision(args.voronoi) : args.grid.load();
    if (!field) return fail(field.error());
    if (const auto saved = save_subdivision(*field, args.out); !saved) return fail(saved.error());
    if (const auto drawn = args.draw.draw({.field = &*field}); !drawn) return fail(drawn.error());
    if (!args.json.empty()) {
        const nlohmann::ordered_json json{{"file", args.out},
                                          {"polygons", field->size()},
                                          {"boundaries", field->boundaries().size()},
                                          {"vertices", field->polygons().vertices.size()}};
        if (const auto saved = write_json(args.json, json); !saved) return fail(saved.error());
    }
    if (args.json != "-") fmt::print("{}: {}\n", args.out, describe(*field));
    return kDone;
}

void add_gen_field(CLI::App& openfield, Run& run) {
    const auto args = std::make_shared<FieldGenArguments>();
    CLI::App* verb = openfield.add_subcommand("gen", "Make a field: Voronoi cells of random sites and costs, or a map's regions");
    VoronoiFieldOptions& voronoi = args->voronoi;
    verb->add_option("-o,--out", args->out, "The .json file to write")->required()->type_name("FILE");
    verb->add_option("--sites", voronoi.sites, "How many polygons")->capture_default_str()->check(CLI::Range(1u, 100000u));
    verb->add_option("--width", voronoi.width, "Of the field")->capture_default_str()->check(real_above_zero());
    verb->add_option("--height", voronoi.height, "Of the field")->capture_default_str()->check(real_above_zero());
    verb->add_option("--min-cost", voronoi.min_cost, "Costs are whole numbers, from this ...")->capture_default_str();
    verb->add_option("--max-cost", voronoi.max_cost, "... to this")->capture_default_str();
    verb->add_option("--blocked", voronoi.blocked, "So many polygons in a hundred are blocked")
        ->capture_default_str()
        ->check(CLI::Range(0u, 100u));
    verb->add_option("--seed", voronoi.seed, "Another seed, another field")->capture_default_str()->check(whole_number());
    verb->add_option("--map", args->grid.map.file, "A map: its regions, split into convex polygons, instead")->type_name("FILE");
    args->grid.add_to(*verb);
    args->draw.add_to(*verb);
    add_json(*verb, args->json);
    verb->callback([args, &run] { run = [args] { return generate(*args); }; });
}

struct FieldPathArguments {
    GridArguments field;  // or a .json
    DrawArguments draw;
    Point from, to;
    std::vector<std::string> methods;
    double gap = OpenMethod{}.gap, heuristic = 0, epsilon = 0;
    uint32_t iterations = BoundarySearchOptions{}.max_iterations;
    uint64_t budget = kUnlimited;  // of expansions
    bool nodes = false;
    std::string json;
};

Result<Subdivision> load_field(const GridArguments& field) {
    const std::string& file = field.map.file;
    return file.ends_with(".json") || file.ends_with(".geojson") ? load_subdivision(file) : field.load();
}

Result<std::vector<OpenMethod>> read_methods(const FieldPathArguments& args, const Subdivision& field) {
    std::vector<OpenMethod> methods;
    for (const std::string& name : args.methods.empty() ? std::vector<std::string>{OpenMethod{}.name} : args.methods) {
        auto method = find_open_method(name);
        if (!method) return method.error();
        method->gap = args.gap;
        method->heuristic = args.heuristic;
        method->boundary.max_iterations = args.iterations;
        method->boundary.epsilon = args.epsilon;
        if (auto error = check_open_method(field, *method)) return *std::move(error);
        methods.push_back(*std::move(method));
    }
    return methods;
}

struct FoundInField {
    OpenMethod method;
    OpenPath path;
    double ms = 0;
    double best = 0;  // the least cost of all methods
};

// In slices, so that long work shows that it goes on.
FoundInField find(OpenPlanner& planner, const Subdivision& field, const FieldPathArguments& args, const OpenMethod& method,
                  OpenTrace* trace) {
    constexpr uint64_t kSlice = 20'000;
    Progress progress(method.name, 0);
    const Stopwatch watch;
    planner.begin(field, args.from, args.to, method, trace);
    uint64_t left = args.budget;
    while (left > 0 && planner.run(std::min(left, kSlice)) == Status::kBudgetSpent) {
        left -= std::min(left, kSlice);
        progress.advance(kSlice);
    }
    return {method, planner.path(), watch.ms(), 0};
}

void print(const std::vector<FoundInField>& all, const Subdivision& field, const std::string& file) {
    fmt::print("{}: {}\n", file, describe(field));
    std::vector<std::vector<std::string>> rows{
        {"method", "cost", "at least", "gap", "to best", "points", "expansions", "ms", "colour", ""}};
    for (size_t i = 0; i < all.size(); ++i) {
        const OpenPath& path = all[i].path;
        if (path.points.empty()) {
            rows.push_back({all[i].method.name, to_string(path.status)});
            continue;
        }
        rows.push_back({all[i].method.name, fmt::format("{:.6f}", path.cost), fmt::format("{:.6f}", path.lower_bound),
                        fmt::format("{:.2g}", path.gap()), fmt::format("{:.6f}", all[i].best > 0 ? path.cost / all[i].best : 1),
                        fmt::format("{}", path.points.size()), format_number(static_cast<double>(path.expansions)),
                        fmt::format("{:.3f}", all[i].ms), kColourNames[i % kFieldColours.size()], path ? "" : to_string(path.status)});
    }
    fmt::print("{}", format_table(rows, 1, 8));
}

nlohmann::ordered_json to_json(const std::vector<FoundInField>& all, const FieldPathArguments& args) {
    nlohmann::ordered_json json{
        {"field", args.field.map.file}, {"from", {args.from.x, args.from.y}}, {"to", {args.to.x, args.to.y}}, {"answers", {}}};
    for (const FoundInField& found : all) {
        nlohmann::ordered_json answer{{"method", found.method.name},
                                      {"status", to_string(found.path.status)},
                                      {"cost", found.path.cost},
                                      {"lower_bound", found.path.lower_bound},
                                      {"expansions", found.path.expansions},
                                      {"ms", found.ms},
                                      {"points", nlohmann::ordered_json::array()}};
        for (const Point p : found.path.points) answer["points"].push_back({p.x, p.y});
        json["answers"].push_back(std::move(answer));
    }
    return json;
}

Result<Done> draw(const std::vector<FoundInField>& all, const Subdivision& field, const OpenPlanner& planner, const OpenTrace& trace,
                  const FieldPathArguments& args) {
    FieldDrawing drawing{.field = &field};
    for (size_t i = 0; i < all.size(); ++i)
        drawing.lines.push_back(
            {all[i].path.points, kFieldColours[i % kFieldColours.size()], fmt::format("{}: {:.3f}", all[i].method.name, all[i].path.cost)});
    std::vector<SquareSearch::Leaf> leaves;
    if (args.nodes) {
        drawing.trace = &trace;
        if (all.back().method.searches_squares()) leaves = planner.squares().leaves();
        drawing.squares = leaves;
    }
    return args.draw.draw(drawing);
}

int find_paths(const FieldPathArguments& args) {
    const auto field = load_field(args.field);
    if (!field) return fail(field.error());
    const auto methods = read_methods(args, *field);
    if (!methods) return fail(methods.error());
    OpenPlanner planner;
    OpenTrace trace;
    std::vector<FoundInField> all;
    double best = kBlockedCost;
    bool reached = true;
    for (const OpenMethod& method : *methods) {
        const bool last = &method == &methods->back();
        all.push_back(find(planner, *field, args, method, args.nodes && last ? &trace : nullptr));
        const OpenPath& path = all.back().path;
        if (!path.points.empty()) best = std::min(best, path.cost);
        reached = reached && path && (!method.proves_gap() || path.gap() <= method.gap);
    }
    for (FoundInField& found : all) found.best = best;
    if (const auto drawn = draw(all, *field, planner, trace, args); !drawn) return fail(drawn.error());
    if (!args.json.empty()) {
        if (const auto saved = write_json(args.json, to_json(all, args)); !saved) return fail(saved.error());
    }
    if (args.json != "-") print(all, *field, args.field.map.file);
    return reached ? kDone : kNo;
}

std::string field_method_help() {
    std::string help = "How to search; may be repeated:";
    for (const OpenMethodFactory* method : open_methods()) help += fmt::format("\n{}: {}", method->info.usage, method->info.summary);
    return help;
}

void add_path_over(CLI::App& openfield, Run& run) {
    const auto args = std::make_shared<FieldPathArguments>();
    CLI::App* verb = openfield.add_subcommand("path", "Find paths over a field, and prove how good they are");
    verb->add_option("field", args->field.map.file, "The field, or a map; see below")->required()->type_name("FIELD")->option_text("FIELD");
    add_point(*verb, "--from", args->from, "Where the path begins");
    add_point(*verb, "--to", args->to, "Where it ends");
    verb->add_option("--method", args->methods, field_method_help())
        ->allow_extra_args(false)
        ->type_name("M")
        ->default_str(OpenMethod{}.name);
    verb->add_option("--gap", args->gap, "brep+proven: how far above the least a path may cost, as a share of it")
        ->capture_default_str()
        ->check(real_below(0, 1));
    verb->add_option("--iterations", args->iterations, "brep: rounds of descent at most, for each node")
        ->capture_default_str()
        ->check(CLI::Range(1u, 1000000u));
    verb->add_option("--epsilon", args->epsilon, "brep: rounds end when one gains no more than this")
        ->capture_default_str()
        ->check(real_in(0, 1e9));
    verb->add_option("--heuristic", args->heuristic, "brep, bprep: cost of a unit of the way ahead; 0: that of the cheapest polygon")
        ->capture_default_str()
        ->check(real_in(0, 1e9));
    verb->add_option("--budget", args->budget, "Expansions, at most; brep+proven then says what it has reached")
        ->check(whole_number())
        ->type_name("N");
    args->field.add_to(*verb);
    args->draw.add_to(*verb);
    verb->add_flag("--nodes", args->nodes, "Draw what the last method looked at, too: expanded nodes purple, open ones cyan");
    add_json(*verb, args->json);
    verb->footer(kFieldPathFooter);
    verb->callback([args, &run] { run = [args] { return find_paths(*args); }; });
}

}  // namespace

void add_openfield(CLI::App& app, Run& run) {
    CLI::App* verb = app.add_subcommand("openfield", "Ground without cells: make fields of convex polygons, find refracted paths");
    verb->require_subcommand(1);
    verb->footer(kOpenfieldFooter);
    add_gen_field(*verb, run);
    add_path_over(*verb, run);
}

}  // namespace terrane::cli
