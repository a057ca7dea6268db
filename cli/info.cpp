#include <fmt/format.h>

#include <algorithm>

#include "bench/region_picture.h"
#include "bench/report.h"
#include "cli/common.h"

namespace terrane::cli {

namespace {

struct InfoArguments {
    MapArguments map;
    std::vector<uint32_t> sectors;
    std::string png;
    Output output;
};

constexpr const char* kInfoFooter =
    R"(Regions are what dta methods search before cells: the smaller the sectors, the more of them, and the better the paths. 'bytes' is every
byte that they own, labels included; built by one thread. A picture shows their graph where there are pixels enough to tell it.

Examples:
  terrane info island.map --png island.png
  terrane info island.map --sector 8 --sector 16 --sector 32
  terrane info islet.map --sector 16 --png regions.png)";

// Regions of one sector size, rebuilt to measure the time.
struct BuiltRegions {
    TerrainRegions regions;
    double build_ms = 0;

    double mean_in_sector() const { return static_cast<double>(regions.region_count()) / regions.sectors(); }
    uint32_t most_in_sector() const {
        uint32_t most = 0;
        for (uint32_t s = 0; s < regions.sectors(); ++s) most = std::max(most, regions.regions_in(s));
        return most;
    }
};

std::vector<Terrain> present(const GridSnapshot& grid) {
    std::vector<Terrain> terrains;
    for (uint32_t t = 0; t < grid.catalogue().size(); ++t) {
        if (grid.count(static_cast<Terrain>(t)) > 0) terrains.push_back(static_cast<Terrain>(t));
    }
    std::ranges::sort(terrains, [&](Terrain a, Terrain b) { return std::pair(grid.count(b), a) < std::pair(grid.count(a), b); });
    return terrains;
}

std::string regions_table(const std::vector<BuiltRegions>& all) {
    std::vector<std::vector<std::string>> rows{
        {"sector", "sectors", "regions", "in a sector", "most", "edges", "bytes", "per cell", "with terrain", "built in"}};
    for (const BuiltRegions& b : all) {
        const GridSnapshot& grid = b.regions.grid();
        const auto cells = static_cast<double>(grid.layout().cells()), bytes = static_cast<double>(b.regions.bytes());
        rows.push_back({sector_name(b.regions.sector()), format_number(b.regions.sectors()),
                        format_number(static_cast<double>(b.regions.region_count())), fmt::format("{:.2f}", b.mean_in_sector()),
                        format_number(b.most_in_sector()), format_number(static_cast<double>(b.regions.edge_count())), format_number(bytes),
                        fmt::format("{:.3f}", bytes / cells), fmt::format("{:.3f}", (bytes + static_cast<double>(grid.bytes())) / cells),
                        fmt::format("{:.1f} ms", b.build_ms)});
    }
    return format_table(rows, 0);
}

void print(const GridSnapshot& grid, const std::vector<BuiltRegions>& all, const InfoArguments& args, double load_ms) {
    fmt::print("{}: {} x {} cells, {} terrains, {} bytes in memory, read in {:.1f} ms\n\n", args.map.file, grid.width(), grid.height(),
               present(grid).size(), format_number(static_cast<double>(grid.bytes())), load_ms);
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
    if (!all.empty()) fmt::print("\n{}", regions_table(all));
}

Json to_json(const GridSnapshot& grid, const std::vector<BuiltRegions>& all, const InfoArguments& args, double load_ms) {
    Json json = envelope("info", args.map.file, grid.layout());
    json["bytes"] = grid.bytes();
    json["load_ms"] = load_ms;
    json["terrains"] = Json::array();
    for (const Terrain t : present(grid)) {
        const TerrainType& type = grid.catalogue()[t];
        Json& terrain = json["terrains"].emplace_back(Json{{"terrain", type.name}, {"cells", grid.count(t)}});
        if (type.letter != 0) terrain["letter"] = std::string(1, type.letter);
    }
    for (const BuiltRegions& b : all) {
        Json& one = json["abstractions"].emplace_back(regions_json(b.regions));
        one["sectors"] = b.regions.sectors();
        one["regions_per_sector"] = b.mean_in_sector();
        one["regions_per_sector_max"] = b.most_in_sector();
        one["build_ms"] = b.build_ms;
    }
    add_written(json, {args.png});
    return json;
}

Result<std::vector<BuiltRegions>> build_all(const GridSnapshot& grid, const InfoArguments& args) {
    std::vector<BuiltRegions> all;
    all.reserve(args.sectors.size());
    for (const uint32_t sector : args.sectors) {
        if (auto error = check_sector(sector, grid, args.map.file)) return *std::move(error);
        const Stopwatch watch;
        TerrainRegions regions = TerrainRegions::build(grid, {sector});
        all.push_back({std::move(regions), watch.ms()});
    }
    return all;
}

Result<void> draw(const GridSnapshot& grid, const std::vector<BuiltRegions>& all, const std::string& file) {
    const PictureScale scale = PictureScale::fit(grid.layout());
    Picture picture = draw_terrain(grid, scale);
    if (!all.empty()) draw_regions(picture, all[0].regions, scale);
    return save_png(file, picture);
}

int inform(const InfoArguments& args) {
    if (!args.png.empty() && args.sectors.size() > 1) {
        return fail({ErrorCode::kUnsupported, {}, 0, "--png draws the regions of one --sector"});
    }
    const Stopwatch watch;
    const auto grid = args.map.load();
    if (!grid) return fail(grid.error());
    const double ms = watch.ms();
    const GridSnapshot snapshot = grid->snapshot();
    const auto all = build_all(snapshot, args);
    if (!all) return fail(all.error());
    if (!args.png.empty()) {
        const auto saved = draw(snapshot, *all, args.png);
        if (!saved) return fail(saved.error());
    }
    if (args.output.writes_json()) {
        const auto saved = write_json(args.output.json, to_json(snapshot, *all, args, ms));
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) print(snapshot, *all, args, ms);
    return kDone;
}

}  // namespace

void add_info(CLI::App& app, Run& run) {
    const auto args = std::make_shared<InfoArguments>();
    CLI::App* verb = app.add_subcommand("info", "Show the terrains of a map and their costs for each creature");
    args->map.add_to(*verb)->required();
    add_sectors(*verb, args->sectors, "build regions for it, and print their number, memory and build time");
    add_png(*verb, args->png, "the map; with --sector, also its regions, representatives and edges");
    add_json(*verb, args->output);
    verb->footer(kInfoFooter);
    verb->callback([args, &run] { run = [args] { return inform(*args); }; });
}

}  // namespace terrane::cli
