#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/report.h"
#include "cli/common.h"
#include "terrane/io/image_map.h"
#include "terrane/io/map_formats.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::cli {

namespace {

struct ImportArguments {
    MapArguments in;
    std::string out, palette, otherwise, property = "terrain", png;
    Output output;
    int32_t tolerance = 0;
    uint32_t merge = 0;
};

constexpr const char* kImportFooter =
    R"(A palette is a text file, a colour and a terrain to a line; 'standard' and 'octile' stand for Terrane's own colours:
  # the coast
  #2e4a74 deep_water
  #9ab468 plains
  transparent black

Examples:
  terrane import coast.png --palette coast.palette -o coast.map
  terrane import photo.png --merge 80 -o photo.terrane --png seen.png
  terrane import scan.png --palette standard --colour-tolerance 40 -o scan.map
  terrane import village.tmx --otherwise plains -o village.map
  terrane import island.map -o island.terrane)";

// A line per format: name, extensions, summary.
std::string format_lines(MapAccess access) {
    std::string lines;
    for (const MapFormat* format : map_formats()) {
        const bool able = access == MapAccess::kRead ? format->parse != nullptr : format->format != nullptr;
        if (!able) continue;
        const std::string without = *format->missing == '\0' ? "" : fmt::format(" [built without {}]", format->missing);
        lines += fmt::format("  {:<14} {:<16} {}{}\n", format->name, format->extensions, format->summary, without);
    }
    return lines;
}

Result<Palette> find_palette(const std::string& name) {
    if (name == "standard") return Palette::of(Catalogue::standard());
    if (name == "octile") return Palette::of(Catalogue::octile());
    return load_palette(name);
}

struct Imported {
    TerrainGrid grid;
    const char* format = "";
};

Result<Imported> read(const ImportArguments& args) {
    MapOptions options = args.in.options();
    options.tolerance = args.tolerance;
    options.tile_property = args.property;
    options.otherwise = args.otherwise;
    const auto palette = args.palette.empty() ? Palette{} : find_palette(args.palette);
    if (!palette) return palette.error();
    if (!args.palette.empty()) options.palette = &*palette;
    const auto bytes = read_map_file(args.in.file, options);
    if (!bytes) return bytes.error();
    auto grid = parse_map(*bytes, options, args.in.file, companions_of(args.in.file));
    if (!grid) return grid.error();
    return Imported{std::move(*grid), detect_map_format(*bytes, args.in.file)->name};
}

TerrainGrid merged(const GridSnapshot& grid, uint32_t min_cells) {
    std::vector<Terrain> cells = grid.cells();
    merge_small_areas(cells, grid.width(), grid.height(), min_cells);
    return {grid.width(), grid.height(), cells, grid.catalogue()};
}

std::vector<std::pair<Terrain, size_t>> terrains_in(const GridSnapshot& grid) {
    std::vector<std::pair<Terrain, size_t>> counts;
    for (uint32_t t = 0; t < grid.catalogue().size(); ++t) {
        if (const auto terrain = static_cast<Terrain>(t); grid.count(terrain) > 0) counts.emplace_back(terrain, grid.count(terrain));
    }
    return counts;
}

Json to_json(const GridSnapshot& grid, const ImportArguments& args, const char* format, uint64_t file_bytes) {
    Json json = envelope("import", args.in.file, grid.layout());
    json["format"] = format;
    json["terrains"] = terrains_json(grid, terrains_in(grid));
    json["file_bytes"] = file_bytes;
    add_written(json, {args.out, args.png});
    return json;
}

int import_map(const ImportArguments& args) {
    const auto map = read(args);
    if (!map) return fail(map.error());
    const GridSnapshot grid = map->grid.snapshot();
    const GridSnapshot snapshot = args.merge > 1 ? merged(grid, args.merge).snapshot() : grid;
    if (const auto saved = save_map(args.out, snapshot); !saved) return fail(saved.error());
    if (!args.png.empty()) {
        const auto saved = save_png(args.png, draw_terrain(snapshot, PictureScale::fit(snapshot.layout())));
        if (!saved) return fail(saved.error());
    }
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(args.out, ignored);
    if (args.output.writes_json()) {
        const auto saved = write_json(args.output.json, to_json(snapshot, args, map->format, bytes));
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) {
        fmt::print("{}: {} x {} cells, {} terrains, {} bytes, from the {} {}\n", args.out, snapshot.width(), snapshot.height(),
                   terrains_in(snapshot).size(), format_number(static_cast<double>(bytes)), map->format, args.in.file);
    }
    return kDone;
}

}  // namespace

void add_import(CLI::App& app, Run& run) {
    const auto args = std::make_shared<ImportArguments>();
    CLI::App* verb = app.add_subcommand("import", "Convert a map to another format: pictures, Tiled maps and others");
    args->in.add_to(*verb, "file", "Map file to read")->required();
    add_out(*verb, args->out, list_map_formats(MapAccess::kWrite))->required();
    CLI::Option* palette =
        add_input(*verb, "--palette", args->palette, "PNG: the terrain of each colour; a palette file, 'standard' or 'octile'");
    add_whole(*verb, "--colour-tolerance", args->tolerance,
              "PNG: largest distance from a palette colour that counts as that colour; 0: exact, 441: any", 0, 442)
        ->needs(palette);
    verb->add_option("--otherwise", args->otherwise, "Tiled: terrain of cells that have none [refuse the map]")->type_name("NAME");
    verb->add_option("--property", args->property, "Tiled: the tile property that names the terrain")->capture_default_str();
    add_whole(*verb, "--merge", args->merge, "Merge areas of fewer than N cells into their neighbours; 0: none");
    add_png(*verb, args->png, "the map");
    add_json(*verb, args->output);
    verb->footer("The first bytes of FILE decide its format; if they do not, its extension does:\n" + format_lines(MapAccess::kRead) +
                 "\nThe extension of the output file decides its format:\n" + format_lines(MapAccess::kWrite) + '\n' + kImportFooter);
    verb->callback([args, &run] { run = [args] { return import_map(*args); }; });
}

}  // namespace terrane::cli
