#include <fmt/format.h>

#include "bench/report.h"
#include "cli/common.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/io/svg.h"
#include "terrane/io/trace.h"
#include "terrane/method/method_interface.h"

namespace terrane::cli {

namespace {

struct PathArguments {
    MapArguments map;
    Question question;
    std::vector<std::string> profiles{"person"};
    std::string method, png, svg, trace;
    Output output;
    bool heat = false;
    int32_t pixels = 1024;
};

constexpr const char* kAnyAngle =
    R"(  ...+any_angle
              any of these: also turn the path into an any-angle polyline, refracted by Snell's law where the terrain changes; it never
              costs more than the path
)";

constexpr const char* kPathFooter = R"(
Methods that need regions (dta) read them from a .terrane file ('terrane world save') or build them first. The table has the times of
the queries alone. 'first' is the number of expansions until the first move is known.

Examples:
  terrane path island.map --from 120,200 --to 380,300 --profile person --profile deer --png paths.png
  terrane path island.map --from 120,200 --to 380,300 --profile deer --method dta:16 --compare
  terrane path island.terrane --from 120,200 --to 380,300 --method dta:32/nbs+trim+smooth+landmarks:8
  terrane path island.map --from 120,200 --to 380,300 --method overlay:2+lower_bounds:32 --bound 1.02
  terrane path island.map --from 120,200 --to 380,300 --method overlay:2+any_angle --png polyline.png
  terrane path rooms.map --from 2,2 --to 32,32 --profile walker --method cpd --pathdb rooms.pathdb
  terrane path rooms.map --from 2,2 --to 32,32 --profile walker --nearest

Exit: 0 all paths found; 1 at least one not found, or partial (--nearest); 2 bad input.)";

// Records the order in which cells are first expanded.
struct HeatWatcher : SearchWatcher {
    explicit HeatWatcher(const GridLayout& l) : layout(l), order(l.cells()) {}
    void expanded(Cell c, Cost) override {
        uint32_t& turn = order[static_cast<size_t>(c.y) * static_cast<size_t>(layout.width) + static_cast<size_t>(c.x)];
        ++turns;
        if (turn == 0) turn = turns;
    }
    GridLayout layout;
    std::vector<uint32_t> order;
    uint32_t turns = 0;
};

struct TraceWatcher : SearchWatcher {
    explicit TraceWatcher(SearchTrace& t) : trace(t) {}
    void expanded(Cell c, Cost g) override { trace.expanded(c, g); }
    void improved(Cell c, Cell from, Cost g) override { trace.improved(c, from, g); }
    SearchTrace& trace;
};

// Repeats the first creature's search with a watcher, which would have slowed the timed one.
void search_again(const World& world, const Answer& answer, const PathArguments& args, SearchWatcher& watcher) {
    FindOptions options = args.question.options;
    options.watcher = &watcher;
    Path path;
    Planner(world).find(args.question.from, args.question.to, answer.costs, options, path);
}

Result<void> write_trace(const World& world, const Answer& answer, const PathArguments& args) {
    SearchTrace trace(world.grid().layout(), args.question.from, args.question.to);
    TraceWatcher watcher(trace);
    search_again(world, answer, args, watcher);
    trace.finish(answer.path.cells, answer.path.cost);
    if (trace.left_out() > 0) fmt::print(stderr, "terrane: {}: {} events were left out: the trace is full\n", args.trace, trace.left_out());
    return save_trace(args.trace, trace);
}

Result<void> write_svg(const GridSnapshot& grid, const std::vector<Answer>& answers, const PathArguments& args) {
    std::vector<SvgPath> paths;
    paths.reserve(answers.size());
    const std::vector<NamedColour> colours = answer_colours(answers);
    for (size_t i = 0; i < answers.size(); ++i)
        paths.push_back({answers[i].path.cells, colours[i].colour, answers[i].creature, answers[i].path.polyline});
    return save_svg(args.svg, grid, paths);
}

Result<void> draw(const World& world, const std::vector<Answer>& answers, const PathArguments& args) {
    const GridSnapshot grid = world.grid();
    const PictureScale scale = PictureScale::fit(grid.layout(), args.pixels);
    if (!args.heat) return save_png(args.png, draw_answers(grid, answers, scale));
    Picture picture = draw_terrain(grid, scale);
    HeatWatcher watcher(grid.layout());
    search_again(world, answers[0], args, watcher);
    draw_heat(picture, watcher.order, grid.layout(), scale);
    draw_answer(picture, answers[0], {255, 255, 255}, scale);
    return save_png(args.png, picture);
}

// Refuses --heat and --trace for methods whose search they cannot show.
std::optional<Error> check_watched(const PathArguments& args) {
    if (!args.heat && args.trace.empty()) return std::nullopt;
    if (!searches_cells(args.question.options.method)) {
        return Error{
            ErrorCode::kUnsupported,
            {},
            0,
            "--heat and --trace need a method that searches cells, such as --method astar; " + args.method + " searches an abstraction"};
    }
    return std::nullopt;
}

std::optional<Error> read_question(PathArguments& args) {
    const auto method = find_method_or_default(args.method, args.question.options);
    if (!method) return method.error();
    args.question.prefers_saved = args.method.empty();
    args.question.options.method = *method;
    args.method = method->name();
    for (const std::string& name : args.profiles) {
        const auto profile = find_profile(name);
        if (!profile) return profile.error();
        args.question.profiles.push_back(*profile);
    }
    return check_watched(args);
}

std::optional<Error> write_files(const World& world, const std::vector<Answer>& answers, const PathArguments& args) {
    const auto written = [](const Result<void>& saved) { return saved ? std::nullopt : std::optional(saved.error()); };
    std::optional<Error> error;
    if (!args.png.empty()) error = written(draw(world, answers, args));
    if (!error && !args.svg.empty()) error = written(write_svg(world.grid(), answers, args));
    if (!error && !args.trace.empty()) error = written(write_trace(world, answers[0], args));
    return error;
}

Json to_json(const OpenedWorld& opened, const std::vector<Answer>& answers, const PathArguments& args) {
    const GridSnapshot grid = opened.world->grid();
    Json json = envelope("path", args.map.file, grid.layout());
    json["method"] = args.method;
    json["movement"] = to_string(args.question.options.movement);
    json["from"] = cell_json(args.question.from);
    json["to"] = cell_json(args.question.to);
    for (const TerrainRegions& regions : opened.world->snapshot().all_regions()) {
        Json& abstraction = json["abstractions"].emplace_back(regions_json(regions));
        abstraction["built"] = opened.built;
        abstraction["build_ms"] = opened.build_ms;
    }
    json["answers"] = answers_json(grid, answers, args.output.summary);
    add_written(json, {args.png, args.svg, args.trace});
    return json;
}

// Prints the method, and what was built before the queries, which is not part of the times in the table.
void print_preparation(const OpenedWorld& opened, const std::vector<Answer>& answers, const std::string& method) {
    fmt::print("method {}\n", method);
    double prepared = 0;
    for (const Answer& a : answers) prepared += a.prepare_ms;
    for (const TerrainRegions& r : opened.world->snapshot().all_regions()) {
        fmt::print("sector {}: {} regions, {} edges, {}; other preparation: {:.1f} ms\n", sector_name(r.sector()),
                   format_number(static_cast<double>(r.region_count())), format_number(static_cast<double>(r.edge_count())),
                   opened.built ? fmt::format("built in {:.1f} ms", opened.build_ms) : "read from the file", prepared);
    }
    fmt::print("\n");
}

int find(PathArguments& args) {
    if (const auto error = read_question(args)) return fail(*error);
    const auto opened = args.map.open(sectors_for(args.question.options));
    if (!opened) return fail(opened.error());
    World& world = *opened->world;
    for (const auto& [flag, cell] : {std::pair("--from", args.question.from), std::pair("--to", args.question.to)}) {
        if (const auto error = check_on_map(world.grid().layout(), args.map.file, flag, cell)) return fail(*error);
    }
    const auto answers = ask(world, args.question);
    if (!answers) return fail(answers.error());
    if (const auto error = write_files(world, *answers, args)) return fail(*error);
    if (args.output.writes_json()) {
        const auto saved = write_json(args.output.json, to_json(*opened, *answers, args));
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) {
        print_preparation(*opened, *answers, answers->front().path.method.empty() ? args.method : answers->front().path.method);
        fmt::print("{}", answer_table(world.grid(), *answers, args.question));
    }
    const double bound = args.question.options.bound;
    if (bound > 0 && std::ranges::any_of(*answers, [&](const Answer& a) { return a.path && a.path.bound > bound; })) {
        fmt::print(stderr, "not proven to be within {} times the optimum; add +lower_bounds:N to the method, or raise --budget\n", bound);
        return kNo;
    }
    return std::ranges::all_of(*answers, [](const Answer& a) { return a.path.status == Status::kFound; }) ? kDone : kNo;
}

std::string methods_help() {
    std::string text = "Methods:\n";
    for (const MethodFactory* factory : methods()) {
        const MethodInfo& info = factory->info;
        const bool fits = std::string_view(info.usage).size() < 12;
        text += fmt::format("  {:<12}{}{}\n", info.usage, fits ? "" : "\n              ", info.summary);
        if (*info.details != 0) text += fmt::format("              {}\n", info.details);
    }
    return text + kAnyAngle + kPathFooter;
}

}  // namespace

void add_path(CLI::App& app, Run& run) {
    const auto args = std::make_shared<PathArguments>();
    CLI::App* verb = app.add_subcommand("path", "Find the paths of one or more creatures between two cells");
    args->map.add_to(*verb)->required();
    add_from(*verb, args->question.from);
    add_to(*verb, args->question.to);
    add_profiles(*verb, args->profiles, "; each finds its own path");
    add_method(*verb, args->method,
               "see below; by default an overlay that is saved in the map file, or else [" + find_method_or_default({}, {})->name() +
                   "; with --bound: weighted A*]");
    add_pathdb(*verb, args->question.database, "for cpd methods, instead of building it");
    add_bound(*verb, args->question.options.bound);
    add_movement(*verb, args->question.options.movement);
    add_nearest(*verb, args->question.options.nearest);
    add_compare(*verb, args->question.compare);
    add_budget(*verb, args->question.options.max_expansions);
    CLI::Option* png = add_png(*verb, args->png, "the map and the paths");
    add_pixels(*verb, args->pixels);
    verb->add_flag("--heat", args->heat, "Tint the cells that the first creature's search expanded, early to late")->needs(png);
    add_svg(*verb, args->svg, "the map and the paths");
    add_output(*verb, "--trace", args->trace, "Write the first creature's search as a trace for the posthoc visualiser (schema 1.4.0)");
    add_json_with_summary(*verb, args->output);
    verb->footer(methods_help());
    verb->callback([args, &run] { run = [args] { return find(*args); }; });
}

}  // namespace terrane::cli
