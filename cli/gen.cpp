#include <fmt/format.h>

#include "bench/report.h"
#include "cli/common.h"

namespace terrane::cli {

namespace {

struct Arguments {
    std::string kind, size = "1024", out, png, json;
    IslandOptions island;
};

// "1024" or "640x480"
bool read_size(const std::string& text, IslandOptions& island) {
    int used = 0;
    if (std::sscanf(text.c_str(), "%9dx%9d%n", &island.width, &island.height, &used) == 2 && static_cast<size_t>(used) == text.size())
        return true;
    if (std::sscanf(text.c_str(), "%9d%n", &island.width, &used) != 1 || static_cast<size_t>(used) != text.size()) return false;
    island.height = island.width;
    return true;
}

int generate(Arguments& args) {
    if (!read_size(args.size, args.island))
        return fail({ErrorCode::kBadValue, {}, 0, "--size " + args.size + ": expected a side or WxH, as in 1024 or 640x480"});
    const auto grid = generate_island(args.island);
    if (!grid) return fail(grid.error());
    const GridSnapshot snapshot = grid->snapshot();
    if (const auto saved = save_map(args.out, snapshot); !saved) return fail(saved.error());
    if (!args.png.empty()) {
        const auto saved = save_png(args.png, draw_terrain(snapshot, PictureScale::fit(snapshot.layout())));
        if (!saved) return fail(saved.error());
    }
    if (!args.json.empty()) {
        const auto saved = write_json(args.json, {{"kind", args.kind},
                                                  {"width", snapshot.width()},
                                                  {"height", snapshot.height()},
                                                  {"seed", args.island.seed},
                                                  {"file", args.out}});
        if (!saved) return fail(saved.error());
    }
    if (args.json != "-")
        fmt::print("{}: {} of {} x {} cells, seed {}\n", args.out, args.kind, snapshot.width(), snapshot.height(), args.island.seed);
    return kDone;
}

}  // namespace

void add_gen(CLI::App& app, Run& run) {
    const auto args = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand("gen", "Make a world from a seed: the same bytes on every machine");
    verb->add_option("kind", args->kind, "island: biomes, rivers, roads, in the manner of the polygon maps")
        ->required()
        ->check(CLI::IsMember({"island"}));
    verb->add_option("--size", args->size, "Side in cells, or WxH; 16 to 32768")->capture_default_str()->type_name("N");
    verb->add_option("--seed", args->island.seed, "Another seed, another world")->capture_default_str();
    verb->add_option("--merge", args->island.merge, "Merge areas of fewer cells into their neighbours; 0: none")->capture_default_str();
    verb->add_option("-o,--out", args->out, "The .map file to write")->required()->type_name("FILE");
    verb->add_option("--png", args->png, "Draw it, too")->type_name("FILE");
    add_json(*verb, args->json);
    verb->footer("Example: terrane gen island --size 2048 --seed 3 -o island.map --png island.png");
    verb->callback([args, &run] { run = [args] { return generate(*args); }; });
}

}  // namespace terrane::cli
