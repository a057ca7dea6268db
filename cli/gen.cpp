#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "bench/report.h"
#include "cli/common.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::cli {

namespace {

struct GenArguments {
    std::string kind, out, png;
    Output output;
    uint64_t seed = IslandOptions{}.seed;
    bool keep_isolated = false;                         // also in `own`, if given
    int32_t width = 0, height = 0;                      // 0: the generator's default
    std::map<std::string, std::optional<int32_t>> own;  // the options that only some generators have; none: not given

    // A generator's options, with those that all generators have filled in.
    template <class Options>
    Options common() const {
        Options o;
        o.seed = seed;
        if (width != 0) o.width = width, o.height = height;
        return o;
    }
    int32_t get(const std::string& option, int32_t otherwise) const {
        const auto found = own.find(option);
        return found != own.end() ? found->second.value_or(otherwise) : otherwise;
    }
};

struct Kind {
    std::string name, help;
    std::vector<std::string> options;
    Result<TerrainGrid> (*make)(const GenArguments&);
    std::string example;
    int32_t side = 0;  // by default
};

Result<TerrainGrid> make_island(const GenArguments& args) {
    auto o = args.common<IslandOptions>();
    o.polygon = args.get("--polygon", o.polygon);
    o.merge = args.get("--merge", o.merge);
    return generate_island(o);
}

Result<TerrainGrid> make_rooms(const GenArguments& args) {
    auto o = args.common<RoomsOptions>();
    o.room = args.get("--room", o.room);
    o.doors = args.get("--doors", o.doors);
    o.fill_isolated = args.get("--keep-isolated", 0) == 0;
    return generate_rooms(o);
}

Result<TerrainGrid> make_maze(const GenArguments& args) {
    auto o = args.common<MazeOptions>();
    o.corridor = args.get("--corridor", o.corridor);
    return generate_maze(o);
}

Result<TerrainGrid> make_random(const GenArguments& args) {
    auto o = args.common<RandomOptions>();
    o.density = args.get("--density", o.density);
    o.fill_isolated = args.get("--keep-isolated", 0) == 0;
    return generate_random(o);
}

Result<TerrainGrid> make_scatter(const GenArguments& args) {
    auto o = args.common<ScatterOptions>();
    o.terrains = args.get("--terrains", o.terrains);
    return generate_scatter(o);
}

Result<TerrainGrid> make_voronoi(const GenArguments& args) {
    auto o = args.common<VoronoiOptions>();
    o.sites = args.get("--sites", o.sites);
    o.terrains = args.get("--terrains", o.terrains);
    return generate_voronoi(o);
}

const std::vector<Kind>& kinds() {
    // clang-format off
    static const std::vector<Kind> table = {
        {"island", "an island with biomes, rivers and roads, made of polygons", {"--polygon", "--merge"}, make_island, "--size 2048 --seed 3", IslandOptions{}.width},
        {"rooms", "square rooms with doors in most walls", {"--room", "--doors", "--keep-isolated"}, make_rooms, "--room 32", RoomsOptions{}.width},
        {"maze", "a perfect maze with corridors of any width", {"--corridor"}, make_maze, "--corridor 4", MazeOptions{}.width},
        {"random", "obstacles in random cells", {"--density", "--keep-isolated"}, make_random, "--density 40", RandomOptions{}.width},
        {"scatter", "a random terrain for each cell", {"--terrains"}, make_scatter, "--terrains 4 --size 64", ScatterOptions{}.width},
        {"voronoi", "Voronoi cells of random sites, one terrain each", {"--sites", "--terrains"}, make_voronoi, "--sites 500 --size 1024x768", VoronoiOptions{}.width},
    };
    // clang-format on
    return table;
}

bool accepts(const Kind& kind, const std::string& option) { return std::ranges::count(kind.options, option) > 0; }

// "rooms, random"
std::string kinds_with(const std::string& option) {
    std::string names;
    for (const Kind& kind : kinds()) {
        if (accepts(kind, option)) names += (names.empty() ? "" : ", ") + kind.name;
    }
    return names;
}

Result<TerrainGrid> make(GenArguments& args) {
    if (args.keep_isolated) args.own["--keep-isolated"] = 1;
    const Kind& kind = *std::ranges::find(kinds(), args.kind, &Kind::name);
    for (const auto& [option, value] : args.own) {
        if (!value || accepts(kind, option)) continue;
        return Error{
            ErrorCode::kBadValue,
            {},
            0,
            fmt::format("{} is an option of {}; {} takes {}", option, kinds_with(option), kind.name, fmt::join(kind.options, ", "))};
    }
    return kind.make(args);
}

Json to_json(const GridSnapshot& grid, const GenArguments& args) {
    Json json = envelope("gen", args.out, grid.layout());
    json["kind"] = args.kind;
    json["seed"] = args.seed;
    for (const auto& [option, value] : args.own) {
        if (value) json["options"][option.substr(2)] = *value;
    }
    add_written(json, {args.out, args.png});
    return json;
}

int generate(GenArguments& args) {
    const auto grid = make(args);
    if (!grid) return fail(grid.error());
    const GridSnapshot snapshot = grid->snapshot();
    if (const auto saved = save_map(args.out, snapshot); !saved) return fail(saved.error());
    if (!args.png.empty()) {
        const auto saved = save_png(args.png, draw_terrain(snapshot, PictureScale::fit(snapshot.layout())));
        if (!saved) return fail(saved.error());
    }
    if (args.output.writes_json()) {
        if (const auto saved = write_json(args.output.json, to_json(snapshot, args)); !saved) return fail(saved.error());
    }
    if (args.output.prints_text())
        fmt::print("{}: {} of {} x {} cells, seed {}\n", args.out, args.kind, snapshot.width(), snapshot.height(), args.seed);
    return kDone;
}

void add_kind(CLI::App& verb, GenArguments& args) {
    std::vector<std::pair<std::string, std::string>> words;
    for (const Kind& kind : kinds()) words.emplace_back(kind.name, kind.help);
    const auto set = [&args](size_t i) { args.kind = kinds()[i].name; };
    add_word(verb, "kind", set, "Generator", words, std::nullopt)->required()->type_name("KIND")->option_text("KIND");
}

// The options that only some generators have, grouped by generator.
void add_own(CLI::App& verb, GenArguments& args) {
    const auto add = [&](const std::string& name, int32_t otherwise, const std::string& help) {
        add_whole(verb, name, args.own[name], help)->default_str(std::to_string(otherwise))->group("Only " + kinds_with(name));
    };
    add("--polygon", IslandOptions{}.polygon, "Mean side of a polygon, in cells; 0: 68 polygons across");
    add("--merge", IslandOptions{}.merge, "Merge areas of fewer than N cells into their neighbours; 0: none");
    add("--room", RoomsOptions{}.room, "Side of a room, in cells, one wall included; 2 to 32768");
    add("--doors", RoomsOptions{}.doors, "Walls that have a door, in percent");
    verb.add_flag("--keep-isolated", args.keep_isolated,
                  "Leave cells that are not connected to the rest passable, instead of turning them into trees")
        ->group("Only " + kinds_with("--keep-isolated"));
    add("--corridor", MazeOptions{}.corridor, "Width of a corridor, in cells; 1 to 32");
    add("--density", RandomOptions{}.density, "Obstacles, in percent of the cells");
    add("--terrains", VoronoiOptions{}.terrains, "Number of terrains; 1 to 16");
    add("--sites", VoronoiOptions{}.sites, "Number of Voronoi cells; 1 to 1000000");
}

// "[island 1024, rooms 512, ...]"
std::string default_sizes() {
    std::string text;
    for (const Kind& kind : kinds()) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind.name, kind.side);
    return "[" + text + "]";
}

std::string examples() {
    std::string text = "Examples:";
    for (const Kind& kind : kinds()) text += fmt::format("\n  terrane gen {0} {1} -o {0}.map --png {0}.png", kind.name, kind.example);
    return text;
}

}  // namespace

void add_gen(CLI::App& app, Run& run) {
    const auto args = std::make_shared<GenArguments>();
    CLI::App* verb = app.add_subcommand("gen", "Generate a map from a seed: the same bytes on every machine");
    add_kind(*verb, *args);
    add_size(*verb, args->width, args->height, fmt::format("side, or width and height {}", default_sizes()));
    add_seed(*verb, args->seed, {});
    add_out(*verb, args->out, list_map_formats(MapAccess::kWrite))->required();
    add_png(*verb, args->png, "the map");
    add_json(*verb, args->output);
    add_own(*verb, *args);
    verb->footer(examples());
    verb->callback([args, &run] { run = [args] { return generate(*args); }; });
}

}  // namespace terrane::cli
