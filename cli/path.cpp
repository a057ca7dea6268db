#include <fmt/format.h>

#include "bench/report.h"
#include "cli/common.h"

namespace terrane::cli {

namespace {

struct Arguments {
    MapArguments map;
    Question question;
    std::vector<std::string> profiles{"person"};
    std::string method = "astar", png, svg, trace, json;
    bool heat = false;
    int32_t pixels = 1024;
};

// The turn of each cell's first expansion.
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

// The first creature's search again, watched: watching the one that was timed would have slowed it.
void search_again(const GridSnapshot& grid, const Answer& answer, const Arguments& args, SearchWatcher& watcher) {
    SearchOptions options = args.question.options;
    options.watcher = &watcher;
    GridSearch search;
    search.begin(grid, answer.costs, args.question.from, args.question.to, options);
    search.run();
}

Result<Done> write_trace(const GridSnapshot& grid, const Answer& answer, const Arguments& args) {
    SearchTrace trace(grid.layout(), args.question.from, args.question.to);
    TraceWatcher watcher(trace);
    search_again(grid, answer, args, watcher);
    trace.finish(answer.path.cells, answer.path.cost);
    if (trace.left_out() > 0) fmt::print(stderr, "terrane: {}: {} events too many were left out\n", args.trace, trace.left_out());
    return save_trace(args.trace, trace);
}

Result<Done> write_svg(const GridSnapshot& grid, const std::vector<Answer>& answers, const Arguments& args) {
    std::vector<SvgPath> paths;
    paths.reserve(answers.size());
    for (size_t i = 0; i < answers.size(); ++i) paths.push_back({answers[i].path.cells, answer_colour(i), answers[i].creature});
    return save_svg(args.svg, grid, paths);
}

Result<Done> draw(const GridSnapshot& grid, const std::vector<Answer>& answers, const Arguments& args) {
    const PictureScale scale = PictureScale::fit(grid.layout(), args.pixels);
    if (!args.heat) return save_png(args.png, draw_answers(grid, answers, scale));
    Picture picture = draw_terrain(grid, scale);
    HeatWatcher watcher(grid.layout());
    search_again(grid, answers[0], args, watcher);
    draw_heat(picture, watcher.order, grid.layout(), scale);
    draw_path(picture, answers[0].path.cells, {255, 255, 255}, scale);
    return save_png(args.png, picture);
}

int find(Arguments& args) {
    const auto grid = args.map.load();
    if (!grid) return fail(grid.error());
    const auto method = find_method(args.method);
    if (!method) return fail(method.error());
    args.question.options.method = *method;
    if (args.question.heuristic != "octile" && (args.heat || !args.trace.empty())) {
        return fail({ErrorCode::kUnsupported, {}, 0, "--heat and --trace show searches with --heuristic octile only"});
    }
    for (const std::string& name : args.profiles) {
        const auto profile = find_profile(name);
        if (!profile) return fail(profile.error());
        args.question.profiles.push_back(*profile);
    }
    const GridSnapshot snapshot = grid->snapshot();
    const auto answers = ask(snapshot, args.question);
    if (!answers) return fail(answers.error());
    if (!args.png.empty()) {
        const auto saved = draw(snapshot, *answers, args);
        if (!saved) return fail(saved.error());
    }
    if (!args.svg.empty()) {
        const auto saved = write_svg(snapshot, *answers, args);
        if (!saved) return fail(saved.error());
    }
    if (!args.trace.empty()) {
        const auto saved = write_trace(snapshot, (*answers)[0], args);
        if (!saved) return fail(saved.error());
    }
    if (!args.json.empty()) {
        const auto saved = write_json(args.json, {{"map", args.map.file},
                                                  {"method", args.method},
                                                  {"movement", to_string(args.question.options.movement)},
                                                  {"from", {args.question.from.x, args.question.from.y}},
                                                  {"to", {args.question.to.x, args.question.to.y}},
                                                  {"answers", answer_json(snapshot, *answers)}});
        if (!saved) return fail(saved.error());
    }
    if (args.json != "-") fmt::print("{}", answer_table(snapshot, *answers));
    return std::ranges::all_of(*answers, [](const Answer& a) { return a.path.status == Status::kFound; }) ? kDone : kNo;
}

std::string methods_help() {
    std::string text = "Methods:\n";
    for (const MethodInfo& info : methods()) text += fmt::format("  {:<12}{}\n", info.usage, info.summary);
    return text + "\nExample: terrane path island.map --from 120,200 --to 380,300 --profile person --profile deer --png ways.png";
}

}  // namespace

void add_path(CLI::App& app, Run& run) {
    const auto args = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand("path", "Find the way of one or more creatures between two cells");
    verb->add_option("map", args->map.file, "A .map file")->required()->type_name("FILE");
    add_cell(*verb, "--from", args->question.from, "Where the path begins")->required();
    add_cell(*verb, "--to", args->question.to, "Where it ends")->required();
    verb->add_option("--profile", args->profiles, "Who walks: " + preset_names() + ", or a profile file; may be repeated")
        ->capture_default_str()
        ->type_name("NAME|FILE");
    verb->add_option("--method", args->method, "How to search; see below")->capture_default_str()->type_name("M");
    verb->add_option("--heuristic", args->question.heuristic, "octile, landmarks:N or embedding:N; the latter are built first")
        ->capture_default_str()
        ->type_name("H");
    add_movement(*verb, args->question.options.movement);
    verb->add_option("--budget", args->question.options.max_expansions, "Give up after so many expansions")->type_name("N");
    args->map.add_letters(*verb);
    verb->add_option("--png", args->png, "Draw map and paths")->type_name("FILE");
    verb->add_option("--pixels", args->pixels, "Longer side of the picture, about")->capture_default_str()->check(CLI::Range(16, 16384));
    verb->add_flag("--heat", args->heat, "Tint what the first creature's search looked at, early to late")->needs("--png");
    verb->add_option("--svg", args->svg, "The same as SVG")->type_name("FILE");
    verb->add_option("--trace", args->trace, "Write the first creature's search as a trace (posthoc, schema 1.4.0)")->type_name("FILE");
    add_json(*verb, args->json);
    verb->footer(methods_help());
    verb->callback([args, &run] { run = [args] { return find(*args); }; });
}

}  // namespace terrane::cli
