#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bench/report.h"
#include "cli/common.h"

namespace terrane::cli {

namespace {

struct Arguments {
    MapArguments map;
    std::string png, json;
};

// What the grid keeps in memory: a byte per cell of every tile, and the directory.
uint64_t grid_bytes(const GridSnapshot& grid) {
    const GridLayout& layout = grid.layout();
    const uint64_t pages = (layout.tile_limit() + detail::kPageTiles - 1) >> detail::kPageShift;
    return uint64_t{layout.tiles_x()} * layout.tiles_y() * kTileCells + pages * sizeof(detail::TilePage) + sizeof(detail::GridRoot);
}

std::vector<Terrain> present(const GridSnapshot& grid) {
    std::vector<Terrain> terrains;
    for (uint32_t t = 0; t < grid.catalogue().size(); ++t) {
        if (grid.count(static_cast<Terrain>(t)) > 0) terrains.push_back(static_cast<Terrain>(t));
    }
    std::ranges::sort(terrains, [&](Terrain a, Terrain b) { return std::pair(grid.count(b), a) < std::pair(grid.count(a), b); });
    return terrains;
}

void print(const GridSnapshot& grid, const Arguments& args, double load_ms) {
    fmt::print("{}: {} x {} cells, {} terrains, {} bytes in memory, read in {:.1f} ms\n\n", args.map.file, grid.width(), grid.height(),
               present(grid).size(), format_number(static_cast<double>(grid_bytes(grid))), load_ms);
    std::vector<std::string> header{"terrain", "letter", "cells", "share"};
    for (const Profile& p : Profile::presets()) header.push_back(p.name());
    std::vector<std::vector<std::string>> rows{header};
    for (const Terrain t : present(grid)) {
        const TerrainType& type = grid.catalogue()[t];
        rows.push_back({type.name, std::string(type.letter != 0 ? 1 : 0, type.letter), format_number(grid.count(t)),
                        fmt::format("{:.1f}%", 100.0 * grid.count(t) / static_cast<double>(grid.layout().cells()))});
        for (const Profile& p : Profile::presets())
            rows.back().push_back(format_hundredths(p.compile(grid.catalogue()).value().hundredths(t)));
    }
    fmt::print("{}", format_table(rows, 2));
}

nlohmann::ordered_json to_json(const GridSnapshot& grid, const Arguments& args) {
    auto terrains = nlohmann::ordered_json::array();
    for (const Terrain t : present(grid)) {
        const TerrainType& type = grid.catalogue()[t];
        terrains.push_back({{"name", type.name}, {"letter", std::string(type.letter != 0 ? 1 : 0, type.letter)}, {"cells", grid.count(t)}});
    }
    return {
        {"file", args.map.file}, {"width", grid.width()}, {"height", grid.height()}, {"bytes", grid_bytes(grid)}, {"terrains", terrains}};
}

int inform(const Arguments& args) {
    const auto start = std::chrono::steady_clock::now();
    const auto grid = args.map.load();
    if (!grid) return fail(grid.error());
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    const GridSnapshot snapshot = grid->snapshot();
    if (!args.png.empty()) {
        const auto saved = save_png(args.png, draw_terrain(snapshot, PictureScale::fit(snapshot.layout())));
        if (!saved) return fail(saved.error());
    }
    if (!args.json.empty()) {
        const auto saved = write_json(args.json, to_json(snapshot, args));
        if (!saved) return fail(saved.error());
    }
    if (args.json != "-") print(snapshot, args, ms);
    return kDone;
}

}  // namespace

void add_info(CLI::App& app, Run& run) {
    const auto args = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand("info", "What a map is made of, and what it costs each kind of creature");
    verb->add_option("map", args->map.file, "A .map file")->required()->type_name("FILE");
    args->map.add_letters(*verb);
    verb->add_option("--png", args->png, "Draw it")->type_name("FILE");
    add_json(*verb, args->json);
    verb->footer("Example: terrane info island.map --png island.png");
    verb->callback([args, &run] { run = [args] { return inform(*args); }; });
}

}  // namespace terrane::cli
