// `terrane navmesh build` and `info`: build a navigation mesh from triangles, and describe one.
#include "cli/navmesh.h"

#include <fmt/format.h>

#include <optional>

#include "bench/progress.h"
#include "bench/report.h"
#include "terrane/mapgen/navmesh_level.h"
#include "terrane/mapgen/navmesh_world.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"

namespace terrane::cli {

namespace {

constexpr const char* kNavmeshFooter =
    R"(A navigation mesh is ground to walk on, in convex polygons with areas: what Detour and the engines that use it have. It is built from
triangles by Recast, tile by tile.

Examples:
  terrane navmesh build level.obj -o level.navmesh --png level.png
  terrane navmesh build level.obj --areas level.areas --agent-radius 0.4 -o level.navmesh
  terrane navmesh build --world 1000 --seed 3 -o world.navmesh
  terrane navmesh build --level 6 --storeys 4 -o level.navmesh --svg level.svg --lift 20
  terrane navmesh info world.navmesh --png world.png --pixels 4000 --obj regions.obj
  terrane navmesh path world.navmesh --from 100,100 --to 880,760 --png path.png
  terrane navmesh path level.obj --from 3,2 --to 20,11 --obstacle 12,0,7,1.5,2 --svg path.svg)";

constexpr const char* kBuildFooter = R"(
Lengths are in metres; y points up. A file of areas assigns areas to convex volumes, declares areas, sets flags and adds off-mesh
connections. Names are those of the map terrains (see 'terrane info') and those that the file declares:
  area mud 120 90 40                       a new area and its colour
  flags mud 3                              of its polygons, 0 to 65535 [1]
  volume mud -1 4  10 10  20 10  15 25     low, high, then x and z of each corner; 'blocked': not walkable
  link road 3 0 2  8 1.5 2  0.6 one_way    area, from x y z, to x y z, radius, one_way or two_way

Exit: 0 success; 2 bad input, with file, line and reason.)";

struct BuildArguments {
    std::string file, areas, out;
    Output output;
    std::optional<int32_t> world, level;
    int32_t storeys = LevelOptions{}.storeys;
    uint64_t seed = LevelOptions{}.seed;
    std::optional<uint32_t> threads;
    NavmeshBuildOptions options;
    NavmeshDrawing draw;
};

struct MeshInfoArguments {
    std::string file;
    Output output;
    NavmeshDrawing draw;
};

std::string area_name(const Navmesh& navmesh, uint32_t area) {
    return area < navmesh.areas().size() ? navmesh.areas()[static_cast<Terrain>(area)].name : "area_" + std::to_string(area);
}

void print(const std::string& file, const Navmesh& navmesh) {
    const NavmeshCounts counts = navmesh.count();
    const NavmeshBounds b = navmesh.bounds();
    fmt::print("{}: {} polygons in {} tiles, {} links; {} bytes of tiles\n", file, format_number(counts.polygons),
               format_number(counts.tiles), format_number(counts.off_mesh_connections), format_number(static_cast<double>(counts.bytes)));
    fmt::print("  from {:.1f}, {:.1f}, {:.1f} to {:.1f}, {:.1f}, {:.1f}\n", b.low.x, b.low.y, b.low.z, b.high.x, b.high.y, b.high.z);
    std::vector<std::vector<std::string>> rows{{"area", "polygons"}};
    for (uint32_t i = 0; i < kMaxNavmeshAreas; ++i) {
        if (counts.by_area[i] > 0) rows.push_back({area_name(navmesh, i), format_number(counts.by_area[i])});
    }
    fmt::print("{}", format_table(rows));
}

// ---- build

Result<GeneratedLevel> read_source(const BuildArguments& args) {
    if (args.level) return generate_level({*args.level, args.storeys, args.seed});
    auto mesh = args.world ? generate_navmesh_source({*args.world, args.seed}) : load_obj(args.file);
    if (!mesh) return mesh.error();
    auto areas = args.areas.empty() ? Result<NavmeshAreas>(NavmeshAreas{}) : load_areas(args.areas);
    if (!areas) return areas.error();
    return GeneratedLevel{std::move(*mesh), std::move(*areas)};
}

Result<Navmesh> build_it(const BuildArguments& args, const GeneratedLevel& source) {
    std::optional<Progress> bar;
    auto built = build_navmesh(source.mesh, args.options, source.areas, [&](uint32_t, uint32_t tiles) {
        if (!bar) bar.emplace("tiles", tiles);
        bar->advance();
    });
    if (built || !built.error().file.empty()) return built;
    return Error{built.error().code, args.file.empty() ? "navmesh build" : args.file, 0, built.error().reason};
}

std::optional<Error> complaint(const BuildArguments& args) {
    const int sources = (args.file.empty() ? 0 : 1) + (args.world ? 1 : 0) + (args.level ? 1 : 0);
    if (sources == 1 && !(args.level && !args.areas.empty())) return std::nullopt;
    return Error{ErrorCode::kBadValue, "navmesh build", 0,
                 sources == 1 ? "--areas cannot be combined with --level, which has its own areas"
                              : "expected exactly one of an OBJ file, --world and --level"};
}

int build(const BuildArguments& args) {
    if (const auto error = complaint(args)) return fail(*error);
    const auto source = read_source(args);
    if (!source) return fail(source.error());
    const Stopwatch watch;
    const auto navmesh = build_it(args, *source);
    if (!navmesh) return fail(navmesh.error());
    const double ms = watch.ms();
    if (const auto saved = save_navmesh(*navmesh, args.out); !saved) return fail(saved.error());
    if (const auto drawn = args.draw.write(*navmesh); !drawn) return fail(drawn.error());
    const uint64_t degenerate = count_degenerate(source->mesh);
    if (args.output.writes_json()) {
        Json json = envelope("navmesh build");
        json["navmesh"] = navmesh_json(args.out, *navmesh);
        json["triangles"] = source->mesh.triangles.size();
        json["triangles_degenerate"] = degenerate;
        json["build_ms"] = ms;
        add_written(json, {args.out, args.draw.png, args.draw.svg, args.draw.obj});
        if (const auto saved = write_json(args.output.json, json); !saved) return fail(saved.error());
    }
    if (!args.output.prints_text()) return kDone;
    fmt::print("{} triangles{}, built in {:.0f} ms\n", format_number(static_cast<double>(source->mesh.triangles.size())),
               degenerate > 0 ? fmt::format(" ({} degenerate ones left out)", degenerate) : "", ms);
    print(args.out, *navmesh);
    return kDone;
}

constexpr double kMostMetres = 1e6;  // upper bound of lengths; the builder checks precisely

void add_settings(CLI::App& verb, NavmeshBuildOptions& o) {
    const auto length = [&](const char* flag, float& value, const char* help) { add_real(verb, flag, value, help, {0, kMostMetres}); };
    length("--cell", o.cell_size, "Side of a voxel, in metres");
    length("--cell-height", o.cell_height, "Height of a voxel, in metres");
    length("--tile", o.tile_size, "Side of a tile, in metres");
    length("--agent-height", o.agent_height, "Height of an agent, in metres");
    length("--agent-radius", o.agent_radius, "Radius of an agent, in metres");
    length("--climb", o.agent_climb, "Highest step that an agent climbs, in metres");
    add_real(verb, "--slope", o.agent_slope, "Steepest walkable slope, in degrees", {0, 90});
    verb.add_option("--ground", o.default_area, "Area of polygons that no volume covers")->capture_default_str()->type_name("NAME");
    verb.add_flag("!--no-detail", o.detail, "Do not build detail meshes (heights inside polygons)");
}

void add_build_verb(CLI::App& navmesh, Run& run) {
    const auto args = std::make_shared<BuildArguments>();
    CLI::App* verb =
        navmesh.add_subcommand("build", "Build a navigation mesh from an OBJ file, a generated island or a generated building");
    add_input(*verb, "file", args->file, "OBJ file with the triangles");
    add_whole(*verb, "--world", args->world, "Generate an island of N metres per side, instead of reading a file", 64, 4000);
    add_whole(*verb, "--level", args->level, "Generate a building beside a river, with N rooms per side, instead of reading a file", 2, 16);
    add_whole(*verb, "--storeys", args->storeys, "Number of storeys of the generated building", 1, 8);
    add_seed(*verb, args->seed, {});
    add_out(*verb, args->out, "a navigation mesh")->required();
    add_areas(*verb, args->areas);
    add_threads(*verb, args->threads, "0 is one per core [0]");
    add_settings(*verb, args->options);
    args->draw.add_to(*verb);
    add_json(*verb, args->output);
    verb->footer(kBuildFooter);
    verb->callback([args, &run] {
        run = [args] {
            args->options.threads = args->threads.value_or(0);
            return build(*args);
        };
    });
}

// ---- info

int inform_mesh(const MeshInfoArguments& args) {
    const auto navmesh = load_navmesh(args.file);
    if (!navmesh) return fail(navmesh.error());
    if (const auto drawn = args.draw.write(*navmesh); !drawn) return fail(drawn.error());
    if (args.output.writes_json()) {
        Json json = envelope("navmesh info");
        json["navmesh"] = navmesh_json(args.file, *navmesh);
        add_written(json, {args.draw.png, args.draw.svg, args.draw.obj});
        if (const auto saved = write_json(args.output.json, json); !saved) return fail(saved.error());
    }
    if (args.output.prints_text()) print(args.file, *navmesh);
    return kDone;
}

void add_mesh_info(CLI::App& navmesh, Run& run) {
    const auto args = std::make_shared<MeshInfoArguments>();
    CLI::App* verb = navmesh.add_subcommand("info", "Describe a navigation mesh, and draw it from above");
    add_input(*verb, "file", args->file, "Navigation mesh to read")->required();
    args->draw.add_to(*verb);
    add_json(*verb, args->output);
    verb->footer("Exit: 0 valid; 2 refused, with the reason: truncated, altered, or of another version.");
    verb->callback([args, &run] { run = [args] { return inform_mesh(*args); }; });
}

}  // namespace

Json navmesh_json(const std::string& file, const Navmesh& navmesh) {
    const auto point = [](const Vec3& v) { return Json::array({v.x, v.y, v.z}); };
    const NavmeshCounts counts = navmesh.count();
    const NavmeshBounds bounds = navmesh.bounds();
    Json json{{"file", file},
              {"tiles", counts.tiles},
              {"polygons", counts.polygons},
              {"links", counts.off_mesh_connections},
              {"vertices", counts.vertices},
              {"bytes", counts.bytes},
              {"bounds", Json::array({point(bounds.low), point(bounds.high)})},
              {"areas", Json::array()}};
    for (uint32_t i = 0; i < kMaxNavmeshAreas; ++i) {
        if (counts.by_area[i] > 0) json["areas"].push_back({{"area", area_name(navmesh, i)}, {"polygons", counts.by_area[i]}});
    }
    return json;
}

void add_navmesh(CLI::App& app, Run& run) {
    CLI::App* verb = app.add_subcommand("navmesh", "Build, describe and search Detour navigation meshes: build, info, path");
    verb->require_subcommand(1);
    verb->footer(kNavmeshFooter);
    add_build_verb(*verb, run);
    add_mesh_info(*verb, run);
    add_navmesh_path(*verb, run);
}

}  // namespace terrane::cli
