// `terrane demo`, run by `make run`: three creatures on one island, before and after a fire.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/report.h"
#include "cli/common.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::cli {

namespace {

struct DemoArguments {
    std::string out = "out";
    Output output;

    // Prints a part of the text, as soon as it is known.
    template <class... T>
    void say(fmt::format_string<T...> format, T&&... values) const {
        if (output.prints_text()) fmt::print(format, std::forward<T>(values)...);
    }
};

// An island on which the three creatures take separate paths between these two cells.
constexpr int32_t kSide = 1024;
constexpr uint64_t kSeed = 12;
constexpr Cell kFrom{561, 658}, kTo{218, 215};
constexpr int32_t kFireCells = 6000;

// Woods, and the roads through them.
bool burns(const GridSnapshot& grid, Cell c) {
    const Terrain t = grid.at(c);
    if (t == kOutside) return false;
    const std::string& name = grid.catalogue()[t].name;
    return name == "trees" || name == "jungle" || name == "road";
}

// The cell of the path's middle half with the most woods around it.
Cell in_the_woods(const GridSnapshot& grid, const Path& path) {
    constexpr int32_t kReach = 24;
    Cell best = path.cells[path.cells.size() / 2];
    int most = -1;
    for (size_t i = path.cells.size() / 4; i < path.cells.size() * 3 / 4; i += 8) {
        const Cell c = path.cells[i];
        int woods = 0;
        for (int32_t y = c.y - kReach; y <= c.y + kReach; y += 3) {
            for (int32_t x = c.x - kReach; x <= c.x + kReach; x += 3) woods += burns(grid, {x, y});
        }
        if (woods > most && burns(grid, c)) {
            most = woods;
            best = c;
        }
    }
    return best;
}

// A fire that starts at a cell and spreads through the woods from random cells of its edge.
void burn_from(const GridSnapshot& grid, Cell start, std::vector<CellEdit>& fire) {
    const Terrain burning = *grid.catalogue().find("fire");
    std::vector<bool> seen(grid.layout().id_limit());
    std::vector<Cell> edge{start};
    seen[grid.layout().id(start)] = true;
    Rng rng(kSeed);
    for (int i = 0; i < kFireCells && !edge.empty(); ++i) {
        std::swap(edge[rng.below(static_cast<uint32_t>(edge.size()))], edge.back());
        const Cell c = edge.back();
        edge.pop_back();
        fire.push_back({c, burning});
        for (const Cell m : kMoves) {
            const Cell next{c.x + m.x, c.y + m.y};
            if (!burns(grid, next) || seen[grid.layout().id(next)]) continue;
            seen[grid.layout().id(next)] = true;
            edge.push_back(next);
        }
    }
}

// One creature and its answers.
struct Walker {
    std::string name;
    NamedColour colour;
    CostTable costs;
    Path path;  // by overlay:2, in the current world
    WatchId watch = 0;
};

struct Timed {
    Path path;
    double ms = 0;  // best of three
};

Timed find_timed(Planner& planner, const Walker& walker, const Method& method) {
    FindOptions options;
    options.method = method;
    Timed best;
    for (int i = 0; i < 3; ++i) {
        const Stopwatch watch;
        planner.find(kFrom, kTo, walker.costs, options, best.path);
        best.ms = i == 0 ? watch.ms() : std::min(best.ms, watch.ms());
    }
    return best;
}

std::string ratio(Cost cost, Cost optimal) { return fmt::format("{:.3f}", static_cast<double>(cost) / static_cast<double>(optimal)); }

Json answer_json(const GridSnapshot& grid, const Walker& walker, const Timed& found, Cost optimal) {
    Json json{{"profile", walker.name}, {"method", found.path.method}};
    add_outcome(json, found.path);
    json["optimal_cost_cells"] = to_real(optimal);
    json["ratio"] = static_cast<double>(found.path.cost) / static_cast<double>(optimal);
    json["expansions"] = found.path.expansions;
    json["find_ms"] = found.ms;
    json["terrains"] = terrains_json(grid, terrain_counts(grid, found.path.cells));
    return json;
}

// A row per creature and method, in the world before the fire. Stores the overlay's path with each creature.
std::string compare_methods(World& world, std::vector<Walker>& walkers, Json& answers) {
    Planner planner(world);
    const Method overlay = find_method("overlay:2").value();
    std::vector<std::vector<std::string>> rows{
        {"creature", "colour", "method", "cost", "ratio", "expansions", "ms", "terrain of the path"}};
    for (Walker& walker : walkers) {
        Cost optimal = 0;
        for (const Method& method : {find_method("astar").value(), planner.default_method(), overlay}) {
            const Timed found = find_timed(planner, walker, method);
            if (method.name() == "astar") optimal = found.path.cost;
            rows.push_back({walker.name, walker.colour.name, method.name(), fmt::format("{:.0f}", to_real(found.path.cost)),
                            ratio(found.path.cost, optimal), format_number(static_cast<double>(found.path.expansions)),
                            fmt::format("{:.3f}", found.ms), terrain_shares(world.grid(), found.path)});
            answers.push_back(answer_json(world.grid(), walker, found, optimal));
            walker.path = found.path;
        }
    }
    return format_table(rows, 3, 7);
}

// A row per creature in the burning world. Stores its new path.
std::string replan(World& world, std::vector<Walker>& walkers, const WorldEdit& edit, Json& answers) {
    Planner planner(world);
    const Method overlay = find_method("overlay:2").value();
    std::vector<std::vector<std::string>> rows{
        {"creature", "colour", "old path", "cost before", "cost now", "ratio", "expansions", "ms", "terrain of the path"}};
    for (Walker& walker : walkers) {
        const Timed found = find_timed(planner, walker, overlay);
        const Path optimal = find_timed(planner, walker, find_method("astar").value()).path;
        const bool broken = std::ranges::count(edit.broken, walker.watch) > 0;
        rows.push_back({walker.name, walker.colour.name, broken ? "broken" : "valid", fmt::format("{:.0f}", to_real(walker.path.cost)),
                        fmt::format("{:.0f}", to_real(found.path.cost)), ratio(found.path.cost, optimal.cost),
                        format_number(static_cast<double>(found.path.expansions)), fmt::format("{:.3f}", found.ms),
                        terrain_shares(world.grid(), found.path)});
        answers.push_back(answer_json(world.grid(), walker, found, optimal.cost));
        answers.back()["broken"] = broken;
        walker.path = found.path;
    }
    return format_table(rows, 3, 8);
}

Rgb faded(Rgb c) {
    const auto half = [](uint8_t v) { return static_cast<uint8_t>((v + 90) / 3); };
    return {half(c.r), half(c.g), half(c.b)};
}

// The map with the paths, faded ones below.
Picture draw_walkers(const GridSnapshot& grid, const std::vector<Walker>& walkers, const std::vector<Path>& before) {
    Picture picture = draw_terrain(grid);
    for (size_t i = 0; i < before.size(); ++i) draw_path(picture, before[i].cells, faded(walkers[i].colour.colour));
    for (const Walker& walker : walkers) draw_path(picture, walker.path.cells, walker.colour.colour);
    return picture;
}

int demonstrate(const DemoArguments& args) {
    std::error_code error;
    std::filesystem::create_directories(args.out, error);
    if (error) return fail({ErrorCode::kCannotOpen, args.out, 0, "cannot make this folder: " + error.message()});
    const auto file = [&](const char* name) { return (std::filesystem::path(args.out) / name).string(); };

    IslandOptions island;
    island.width = island.height = kSide;
    island.seed = kSeed;
    auto grid = generate_island(island);
    if (!grid) return fail(grid.error());
    const Stopwatch building;
    World world(std::move(*grid));
    const double build_ms = building.ms();
    if (const auto saved = save_map(file("island.map"), world.grid()); !saved) return fail(saved.error());
    if (const auto saved = save_png(file("0-island.png"), draw_terrain(world.grid())); !saved) return fail(saved.error());

    std::vector<Walker> walkers;
    const Stopwatch preparing;
    const std::vector<std::string> names{"person", "deer", "outlaw"};
    const std::vector<NamedColour> colours = creature_colours(names);
    for (size_t i = 0; i < names.size(); ++i) {
        auto costs = Profile::preset(names[i])->compile(world.grid().catalogue());
        if (!costs) return fail(costs.error());
        if (const auto done = world.prepare(*costs, {find_method("overlay:2").value()}); !done) return fail(done.error());
        walkers.push_back({names[i], colours[i], *std::move(costs), {}});
    }
    const double prepare_ms = preparing.ms();

    args.say("An island of {} x {} cells. Three creatures go from {},{} to {},{}, each with its own cost for each terrain.\n\n", kSide,
             kSide, kFrom.x, kFrom.y, kTo.x, kTo.y);
    Json json = envelope("demo", file("island.map"), world.grid().layout());
    json.update({{"from", cell_json(kFrom)}, {"to", cell_json(kTo)}, {"build_ms", build_ms}, {"prepare_ms", prepare_ms}});
    args.say("{}\n", compare_methods(world, walkers, json["before"]));
    args.say(
        "ratio: cost / optimal cost. ms: best of three.\n"
        "astar needs no preparation. {} is the default: one abstraction for all creatures, built in {:.0f} ms.\n"
        "overlay:2 is prepared for each creature: {:.0f} ms for the three.\n\n",
        Planner(world).default_method().name(), build_ms, prepare_ms);
    if (const auto saved = save_png(file("1-before.png"), draw_walkers(world.grid(), walkers, {})); !saved) return fail(saved.error());

    std::vector<CellEdit> fire;
    std::vector<Path> before;
    for (Walker& walker : walkers) {
        burn_from(world.grid(), in_the_woods(world.grid(), walker.path), fire);
        walker.watch = world.watch(walker.path);
        before.push_back(walker.path);
    }
    const Stopwatch repairing;
    const WorldEdit burnt = world.apply(fire);
    const double repair_ms = repairing.ms();
    args.say(
        "The woods burn: one edit changes {} cells. Repairing the abstraction and the three overlays takes {:.1f} ms. The edit reports "
        "that "
        "it broke {} of the 3 watched paths.\n\n",
        format_number(static_cast<double>(burnt.grid.cells_changed)), repair_ms, burnt.broken.size());
    json["cells_changed"] = burnt.grid.cells_changed;
    json["repair_ms"] = repair_ms;
    args.say("{}\n", replan(world, walkers, burnt, json["after"]));
    if (const auto saved = save_png(file("2-after.png"), draw_walkers(world.grid(), walkers, before)); !saved) return fail(saved.error());
    if (const auto saved = save_map(file("burning.map"), world.grid()); !saved) return fail(saved.error());

    add_written(json, {file("island.map"), file("0-island.png"), file("1-before.png"), file("2-after.png"), file("burning.map")});
    if (args.output.writes_json()) {
        if (const auto saved = write_json(args.output.json, json); !saved) return fail(saved.error());
    }

    const std::string terrane = own_command(), query = fmt::format("--from {},{} --to {},{}", kFrom.x, kFrom.y, kTo.x, kTo.y);
    args.say(
        "Pictures: {}, {}. A disc marks the start, a square the goal; paths before the fire are dark. Try next:\n"
        "  {} path {} {} --profile deer --profile outlaw --method overlay:2 --compare --png {}\n"
        "  {} path {} {} --profile deer --method astar --heat --png {}\n"
        "  {} crowd run {} --agents 500 --ticks 200 --method swarm --lifelong --gif {}\n",
        file("1-before.png"), file("2-after.png"), terrane, file("burning.map"), query, file("paths.png"), terrane, file("island.map"),
        query, file("expanded.png"), terrane, file("island.map"), file("crowd.gif"));
    return kDone;
}

}  // namespace

void add_demo(CLI::App& app, Run& run) {
    const auto args = std::make_shared<DemoArguments>();
    CLI::App* verb = app.add_subcommand("demo", "Show three creatures crossing an island, before and after a fire; pictures in out/");
    verb->add_option("-o,--out", args->out, "Folder to write the maps and pictures to")->capture_default_str()->type_name("DIR");
    add_json(*verb, args->output);
    verb->footer("Example:\n  terrane demo -o pictures");
    verb->callback([args, &run] { run = [args] { return demonstrate(*args); }; });
}

}  // namespace terrane::cli
