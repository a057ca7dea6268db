#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bench/report.h"
#include "cli/common.h"
#include "terrane/io/image_map.h"
#include "terrane/io/tiled_map.h"
#include "terrane/io/world_file.h"

namespace terrane::cli {

namespace {

struct ImportArguments {
    MapArguments in;
    std::string out, palette, otherwise, property = "terrain", png, json;
    int32_t tolerance = 0;
    uint32_t merge = 0;
};

constexpr const char* kImportFooter = R"(What FILE is, its first bytes tell:
  a PNG         a pixel is a cell. With --palette, its colours are the terrains that the palette names; without,
                colours are masked to at most 64 types, named after what they look like (colour_3a7f12).
  a Tiled map   TMX or JSON. A tile's terrain is its string property 'terrain'; the topmost visible tile that has one wins.
  a map         .map or .terrane: written again in the other form.

A palette is a text file, a colour and a terrain to a line; 'standard' and 'octile' stand for Terrane's own colours:
  # the coast
  #2e4a74 deep_water
  #9ab468 plains
  transparent black

The name after -o says what is written: .map is text that other programs read, .terrane is smaller and checked for damage.

Examples:
  terrane import coast.png --palette coast.palette -o coast.map
  terrane import photo.png --merge 80 -o photo.terrane --png seen.png
  terrane import scan.png --palette standard --tolerance 40 -o scan.map
  terrane import village.tmx --otherwise plains -o village.map
  terrane import island.map -o island.terrane)";

constexpr std::string_view kPngSignature("\x89PNG", 4);

enum class Source { kImage, kTiled, kMap };

constexpr const char* source_name(Source source) {
    switch (source) {
        case Source::kImage: return "PNG";
        case Source::kTiled: return "Tiled map";
        case Source::kMap: break;
    }
    return "map";
}

Source kind_of(const std::string& path) {
    std::string begin(16, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<size_t>(file.gcount()));
    if (begin.starts_with(kPngSignature)) return Source::kImage;
    if (begin.starts_with("\xef\xbb\xbf")) begin.erase(0, 3);
    const size_t first = begin.find_first_not_of(" \t\r\n");
    return first != std::string::npos && (begin[first] == '<' || begin[first] == '{') ? Source::kTiled : Source::kMap;
}

Result<Palette> find_palette(const std::string& name) {
    if (name == "standard") return Palette::of(Catalogue::standard());
    if (name == "octile") return Palette::of(Catalogue::octile());
    return load_palette(name);
}

Result<TerrainGrid> read_image(const ImportArguments& args) {
    const auto image = load_image(args.in.file);
    if (!image) return image.error();
    if (args.palette.empty()) return map_from_colours(*image);
    const auto palette = find_palette(args.palette);
    if (!palette) return palette.error();
    return map_from_image(*image, *palette, args.tolerance, args.in.file);
}

Result<TerrainGrid> read(Source source, const ImportArguments& args) {
    switch (source) {
        case Source::kImage: return read_image(args);
        case Source::kTiled: return load_tiled(args.in.file, {args.property, args.otherwise, kMaxTiledCells});
        case Source::kMap: break;
    }
    return args.in.load();
}

TerrainGrid merged(const GridSnapshot& grid, uint32_t min_cells) {
    std::vector<Terrain> cells = grid.cells();
    merge_small_areas(cells, grid.width(), grid.height(), min_cells);
    return {grid.width(), grid.height(), cells, grid.catalogue()};
}

size_t terrains_in(const GridSnapshot& grid) {
    size_t count = 0;
    for (uint32_t t = 0; t < grid.catalogue().size(); ++t) count += grid.count(static_cast<Terrain>(t)) > 0 ? 1 : 0;
    return count;
}

int import_map(const ImportArguments& args) {
    const Source source = kind_of(args.in.file);
    const auto grid = read(source, args);
    if (!grid) return fail(grid.error());
    const GridSnapshot snapshot = args.merge > 1 ? merged(grid->snapshot(), args.merge).snapshot() : grid->snapshot();
    if (const auto saved = save_world(args.out, snapshot); !saved) return fail(saved.error());
    if (!args.png.empty()) {
        const auto saved = save_png(args.png, draw_terrain(snapshot, PictureScale::fit(snapshot.layout())));
        if (!saved) return fail(saved.error());
    }
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(args.out, ignored);
    if (!args.json.empty()) {
        const auto saved = write_json(args.json, {{"file", args.out},
                                                  {"from", args.in.file},
                                                  {"kind", source_name(source)},
                                                  {"width", snapshot.width()},
                                                  {"height", snapshot.height()},
                                                  {"terrains", terrains_in(snapshot)},
                                                  {"bytes", bytes}});
        if (!saved) return fail(saved.error());
    }
    if (args.json != "-") {
        fmt::print("{}: {} x {} cells, {} terrains, {} bytes, from the {} {}\n", args.out, snapshot.width(), snapshot.height(),
                   terrains_in(snapshot), format_number(static_cast<double>(bytes)), source_name(source), args.in.file);
    }
    return kDone;
}

}  // namespace

void add_import(CLI::App& app, Run& run) {
    const auto args = std::make_shared<ImportArguments>();
    CLI::App* verb = app.add_subcommand("import", "Make a map of a picture, or of a Tiled map");
    verb->add_option("file", args->in.file, "A PNG, a Tiled map (.tmx, .tmj, .json), a .map or a .terrane")->required()->type_name("FILE");
    verb->add_option("-o,--out", args->out, "The .map or .terrane file to write")->required()->type_name("FILE");
    verb->add_option("--palette", args->palette, "Of a PNG: which colour is which terrain; a file, 'standard' or 'octile'")
        ->type_name("FILE");
    verb->add_option("--tolerance", args->tolerance, "Colours this far from one of the palette are taken for it; 0: none, 441: all")
        ->capture_default_str()
        ->check(CLI::Range(0, 442))
        ->needs("--palette");
    verb->add_option("--otherwise", args->otherwise, "Of a Tiled map: terrain of cells without one; else they are refused")
        ->type_name("NAME");
    verb->add_option("--property", args->property, "Of a Tiled map: the property of tiles that names their terrain")->capture_default_str();
    verb->add_option("--merge", args->merge, "Merge areas of fewer cells into their neighbours, as the papers' 80; 0: none")
        ->capture_default_str();
    args->in.add_letters(*verb);
    verb->add_option("--png", args->png, "Draw the map that was made")->type_name("FILE");
    add_json(*verb, args->json);
    verb->footer(kImportFooter);
    verb->callback([args, &run] { run = [args] { return import_map(*args); }; });
}

}  // namespace terrane::cli
