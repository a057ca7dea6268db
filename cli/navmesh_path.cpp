// `terrane navmesh path`: finds paths over a navigation mesh, per creature.
#include <fmt/format.h>

#include <algorithm>

#include "bench/report.h"
#include "cli/common.h"
#include "cli/navmesh.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane::cli {

namespace {

constexpr const char* kNavmeshPathFooter = R"(
A place is X,Y,Z in metres, y upwards, or X,Z: then the highest ground there.

Examples:
  terrane navmesh path world.navmesh --from 100,100 --to 880,760 --profile person --profile deer --png paths.png
  terrane navmesh path level.obj --from 3,2 --to 20,11 --obstacle 12,0,7,1.5,2 --svg path.svg
  terrane navmesh path level.navmesh --from 3,0,2 --to 20,4.5,11 --method dta --json -

Exit: 0 found; 1 no path, or a partial one (--nearest); 2 bad input.)";

struct Place {
    Vec3 at;
    bool any_height = false;
};

struct NavmeshPathArguments {
    std::string file, method = NavmeshMethod{}.name();
    Output output;
    Place from, to;
    std::vector<std::string> profiles{"person"};
    bool nearest = false;
    NavmeshSource source;
    NavmeshDrawing drawing;
};

struct FoundOnMesh {
    std::string creature;
    NavmeshPath path;
    double ms = 0;
};

void add_place(CLI::App& verb, const std::string& flag, Place& place, const std::string& help) {
    const auto read = [&place](const std::string& text) {
        const std::vector<double> v = parse_reals(text);
        if (v.size() != 2 && v.size() != 3) return false;
        place.any_height = v.size() == 2;
        place.at = {static_cast<float>(v[0]), place.any_height ? 0 : static_cast<float>(v[1]), static_cast<float>(v.back())};
        return true;
    };
    add_parsed(verb, flag, {"point", "X,[Y,]Z", "X,Y,Z or X,Z as in 12.5,0,40"}, read, help)->required();
}

// The height of a triangle at (x, z), if it covers that point.
std::optional<float> height_at(const Vec3& a, const Vec3& b, const Vec3& c, float x, float z) {
    const Point p{x, z}, pa{a.x, a.z}, pb{b.x, b.z}, pc{c.x, c.z};
    const double area = cross(pb - pa, pc - pa);
    const double u = cross(pc - pb, p - pb), v = cross(pa - pc, p - pc), w = cross(pb - pa, p - pa);
    if (area == 0 || u / area < 0 || v / area < 0 || w / area < 0) return std::nullopt;
    return static_cast<float>((u * a.y + v * b.y + w * c.y) / area);
}

// A point with its height, or with that of the highest polygon there.
Result<Vec3> on_ground(const Navmesh& navmesh, const Place& place) {
    if (!place.any_height) return place.at;
    const TriangleMesh ground = navmesh_triangles(navmesh);
    std::optional<float> highest;
    for (const auto& t : ground.triangles) {
        const auto y = height_at(ground.vertices[t[0]], ground.vertices[t[1]], ground.vertices[t[2]], place.at.x, place.at.z);
        if (y && (!highest || *y > *highest)) highest = y;
    }
    if (highest) return Vec3{place.at.x, *highest, place.at.z};
    return Error{
        ErrorCode::kBadValue, {}, 0, fmt::format("no polygon at {:g},{:g}: pass X,Y,Z to use the nearest one", place.at.x, place.at.z)};
}

Result<std::vector<FoundOnMesh>> ask(const Navmesh& navmesh, const NavmeshPathArguments& args, double& build_ms) {
    const Stopwatch watch;
    const NavmeshAbstraction regions(navmesh.mesh());
    build_ms = watch.ms();
    NavmeshPlanner planner(regions);
    const auto method = find_navmesh_method(args.method);
    if (!method) return method.error();
    const auto from = on_ground(navmesh, args.from), to = on_ground(navmesh, args.to);
    if (!from) return from.error();
    if (!to) return to.error();
    NavmeshFindOptions options;
    options.method = *method;
    options.nearest = args.nearest;
    std::vector<FoundOnMesh> all;
    for (const std::string& name : args.profiles) {
        const auto profile = find_profile(name);
        if (!profile) return profile.error();
        const auto costs = profile->compile(navmesh.areas());
        if (!costs) return costs.error();
        NavmeshFilter filter;
        filter.costs = *costs;
        const Stopwatch query;
        NavmeshPath path = planner.find(*from, *to, filter, options);
        all.push_back({profile->name(), std::move(path), query.ms()});
    }
    return all;
}

Result<void> draw(const Navmesh& navmesh, const std::vector<FoundOnMesh>& all, const NavmeshPathArguments& args) {
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const FoundOnMesh& found : all) names.push_back(found.creature);
    const std::vector<NamedColour> colours = creature_colours(names);
    std::vector<NavmeshPolyline> lines;
    lines.reserve(all.size());
    for (size_t i = 0; i < all.size(); ++i) lines.push_back({all[i].path.points, colours[i].colour, all[i].creature});
    return args.drawing.write(navmesh, lines);
}

Json to_json(const Navmesh& navmesh, const std::vector<FoundOnMesh>& all, const NavmeshPathArguments& args, double build_ms) {
    Json json = envelope("navmesh path");
    json["navmesh"] = navmesh_json(args.file, navmesh);
    json["method"] = args.method;
    json["build_ms"] = build_ms;
    for (const FoundOnMesh& found : all) {
        Json& answer = json["answers"].emplace_back(Json{{"profile", found.creature}, {"status", to_string(found.path.status)}});
        const bool there = !found.path.points.empty();
        if (there) {
            answer["cost_metres"] = found.path.cost;
            answer["length_metres"] = found.path.length;
            answer["polygons"] = found.path.corridor.size();
        }
        answer["expansions"] = found.path.expansions;
        answer["expansions_first"] = found.path.expansions_first;
        answer["find_ms"] = found.ms;
        if (!there || args.output.summary) continue;
        for (const Vec3& p : found.path.points) answer["polyline"].push_back(Json::array({p.x, p.y, p.z}));
    }
    add_written(json, {args.drawing.png, args.drawing.svg, args.drawing.obj});
    return json;
}

void print(const std::vector<FoundOnMesh>& all, double build_ms) {
    fmt::print("regions built in {:.1f} ms\n\n", build_ms);
    std::vector<std::vector<std::string>> rows{{"creature", "cost", "metres", "points", "polygons", "expansions", "first", "ms", "status"}};
    for (const FoundOnMesh& f : all) {
        rows.push_back({f.creature, fmt::format("{:.2f}", f.path.cost), fmt::format("{:.2f}", f.path.length),
                        format_number(static_cast<double>(f.path.points.size())),
                        format_number(static_cast<double>(f.path.corridor.size())), format_number(static_cast<double>(f.path.expansions)),
                        format_number(static_cast<double>(f.path.expansions_first)), fmt::format("{:.3f}", f.ms),
                        to_string(f.path.status)});
    }
    fmt::print("{}", format_table(rows, 1, 8));
}

int find(const NavmeshPathArguments& args) {
    const auto navmesh = args.source.load(args.file);
    if (!navmesh) return fail(navmesh.error());
    double build_ms = 0;
    const auto all = ask(*navmesh, args, build_ms);
    if (!all) return fail(all.error());
    if (const auto drawn = draw(*navmesh, *all, args); !drawn) return fail(drawn.error());
    if (args.output.writes_json()) {
        if (const auto saved = write_json(args.output.json, to_json(*navmesh, *all, args, build_ms)); !saved) return fail(saved.error());
    }
    if (args.output.prints_text()) print(*all, build_ms);
    return std::ranges::all_of(*all, [](const FoundOnMesh& f) { return f.path.status == Status::kFound; }) ? kDone : kNo;
}

std::string mesh_method_help() {
    std::string help;
    for (const NavmeshMethodFactory* method : navmesh_methods()) help += fmt::format("\n{}: {}", method->info.usage, method->info.summary);
    return help;
}

}  // namespace

void add_navmesh_path(CLI::App& navmesh, Run& run) {
    const auto args = std::make_shared<NavmeshPathArguments>();
    CLI::App* verb = navmesh.add_subcommand("path", "Find paths over a navigation mesh, through its regions");
    add_input(*verb, "file", args->file, "Navigation mesh, or an .obj to build one from")->required();
    add_place(*verb, "--from", args->from, "Start: a point");
    add_place(*verb, "--to", args->to, "Goal: a point");
    add_profiles(*verb, args->profiles, "; each finds its own path");
    add_method(*verb, args->method, mesh_method_help());
    add_nearest(*verb, args->nearest);
    args->source.add_to(*verb);
    args->drawing.add_to(*verb);
    add_json_with_summary(*verb, args->output);
    verb->footer(kNavmeshPathFooter);
    verb->callback([args, &run] { run = [args] { return find(*args); }; });
}

}  // namespace terrane::cli
