// Compares Detour's findPath with our paths on levels. All of our paths are checked; costs are measured the same way.
#include "bench/navmesh_levels.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bench/navmesh_contest.h"
#include "bench/samples.h"
#include "terrane/base/rng.h"
#include "terrane/grid/profile.h"
#include "terrane/mapgen/navmesh_level.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_obstacles.h"

namespace terrane {

namespace navmesh_levels_bench {
namespace {

constexpr const char* kExample = "nav_test.obj";
constexpr const char* kExampleFolder = "../shared/data/navmesh";
constexpr const char* kCreature = "person";
constexpr size_t kQueries = 400, kQuickQueries = 20;
constexpr double kNearest = 5;  // metres
constexpr int kObstacles = 200, kQuickObstacles = 10;

struct Scene {
    std::string name;
    Navmesh navmesh;
};

// ---- Queries

// Returns the polygons reachable from `first` along traversable links. Jumps are one-way, so reachability is not symmetric.
std::vector<bool> flood(const MeshView& view, const NavmeshFilter& filter, PolygonNumber first, size_t polygons) {
    std::vector<bool> seen(polygons);
    std::vector<PolygonNumber> reached{first};
    seen[first] = true;
    while (!reached.empty()) {
        const PolygonNumber p = reached.back();
        reached.pop_back();
        view.for_each_link(p, [&](uint32_t, const dtLink& link) {
            const PolygonNumber to = view.number(link.ref);
            if (seen[to] || !view.is_traversable(p, link) || !passes(view, filter, to)) return;
            seen[to] = true;
            reached.push_back(to);
        });
    }
    return seen;
}

std::vector<PolygonNumber> walkable_polygons(const NavmeshAbstraction& regions, const MeshView& view, const NavmeshFilter& filter) {
    std::vector<PolygonNumber> all;
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        for (uint32_t i = 0; i < regions.tile(slot).labels.size(); ++i) {
            const PolygonNumber p = view.number(slot, i);
            if (passes(view, filter, p) && !MeshView::is_off_mesh(view.polygon(p))) all.push_back(p);
        }
    }
    return all;
}

// Draws queries between the centres of random polygons.
std::vector<NavmeshQuery> draw_queries(const NavmeshAbstraction& regions, const NavmeshFilter& filter, size_t count) {
    const MeshView view(regions.mesh());
    const std::vector<PolygonNumber> polygons = walkable_polygons(regions, view, filter);
    Rng rng(31);
    std::vector<NavmeshQuery> queries;
    queries.reserve(count);
    for (size_t tries = 0; queries.size() < count && tries < 100 * count; ++tries) {
        const PolygonNumber a = polygons[rng.below(static_cast<uint32_t>(polygons.size()))];
        const PolygonNumber b = polygons[rng.below(static_cast<uint32_t>(polygons.size()))];
        const double away = distance(view.centre(a), view.centre(b));
        if (away < kNearest) continue;
        queries.push_back({0, to_vec3(view.centre(a)), to_vec3(view.centre(b)), away, flood(view, filter, a, regions.id_limit())[b]});
    }
    return queries;
}

// ---- Rows

ReportRow scene_row(const std::string& name, const NavmeshAbstraction& regions, const NavmeshCounts& counts, double build_ms) {
    return {"abstraction",
            {{"queries", name}},
            {{"tiles", regions.tile_count()},
             {"polygons", counts.polygons},
             {"links", counts.off_mesh_connections},
             {"regions", static_cast<double>(regions.region_count())},
             {"edges_kept", static_cast<double>(regions.edge_count())},
             {"build_ms", build_ms},
             {"bytes", static_cast<double>(regions.bytes())}}};
}

Result<void> add_scene(const Scene& level, size_t count, Report& report) {
    Creature creature{.name = kCreature};
    const auto costs = Profile::preset(kCreature)->compile(level.navmesh.areas());
    if (!costs) return costs.error();
    creature.filter.costs = *costs;
    to_detour_filter(creature.filter, creature.detour);
    Samples build_ms;
    const auto regions = timed(build_ms, [&] { return std::make_unique<NavmeshAbstraction>(level.navmesh.mesh()); });
    report.rows.push_back(scene_row(level.name, *regions, level.navmesh.count(), build_ms.sum()));
    NavmeshScene scene{.name = "navmesh, " + level.name, .regions = regions.get(), .creatures = {creature}};
    scene.queries = draw_queries(*regions, creature.filter, count);
    scene.labels = [&](size_t) { return nlohmann::ordered_json{{"profile", kCreature}, {"queries", level.name}}; };
    Contest contest = navmesh_contest();
    if (const auto done = run_on_navmesh(contest, scene); !done) return done.error();
    report.add(contest.rows());
    return {};
}

// ---- Scenes

std::string level_name(const LevelOptions& o) { return fmt::format("{} x {} rooms, {} storeys", o.rooms, o.rooms, o.storeys); }

Result<Scene> make_level(const LevelOptions& options) {
    const auto level = generate_level(options);
    if (!level) return level.error();
    NavmeshBuildOptions build;
    build.threads = 0;
    auto navmesh = build_navmesh(level->mesh, build, level->areas);
    if (!navmesh) return navmesh.error();
    return Scene{level_name(options), std::move(*navmesh)};
}

Result<Scene> load_example(const std::string& file) {
    const auto mesh = load_obj(file);
    if (!mesh) return mesh.error();
    auto navmesh = build_navmesh(*mesh);
    if (!navmesh) return navmesh.error();
    return Scene{kExample, std::move(*navmesh)};
}

// ---- Obstacles

// Adds obstacles at random polygons of a level one at a time, then removes them.
class ObstacleCourse {
public:
    explicit ObstacleCourse(NavmeshObstacles level) : level_(std::move(level)), regions_(level_.navmesh().mesh()) {}

    Result<void> run(int count) {
        std::vector<ObstacleId> ids;
        ids.reserve(static_cast<size_t>(count));
        for (const Vec3& place : draw_places(count)) {
            const auto id = level_.add(CylinderObstacle{place, 1, 2});
            if (!id) return id.error();
            ids.push_back(*id);
            if (const auto updated = update(); !updated) return updated.error();
        }
        if (!(regions_ == NavmeshAbstraction(regions_.mesh()))) {
            return Error{ErrorCode::kBadValue, "navmesh, obstacles", 0, "repaired regions differ from rebuilt ones"};
        }
        for (const ObstacleId id : ids) {
            level_.remove(id);
            if (const auto updated = update(); !updated) return updated.error();
        }
        return {};
    }

    ReportRow row(const std::string& name) const {
        return {"obstacles",
                {{"queries", name}},
                {{"tiles", regions_.tile_count()},
                 {"bytes", static_cast<double>(level_.bytes())},
                 {"tiles_touched", tiles_.mean()},
                 {"update_ms", update_ms_.mean()},
                 {"repair_ms", repair_ms_.mean()}}};
    }

private:
    std::vector<Vec3> draw_places(int count) const {
        const MeshView view(regions_.mesh());
        const std::vector<PolygonNumber> polygons = walkable_polygons(regions_, view, {});
        std::vector<Vec3> places;
        places.reserve(static_cast<size_t>(count));
        Rng rng(37);
        for (int i = 0; i < count; ++i) places.push_back(to_vec3(view.centre(polygons[rng.below(static_cast<uint32_t>(polygons.size()))])));
        return places;
    }

    Result<void> update() {
        const auto made = timed(update_ms_, [&] { return level_.update(); });
        if (!made) return made.error();
        timed(repair_ms_, [&] { update_regions(regions_); });
        tiles_.add(*made);
        return {};
    }

    NavmeshObstacles level_;
    NavmeshAbstraction regions_;
    Samples update_ms_, repair_ms_, tiles_;
};

Result<ReportRow> obstacle_row(const LevelOptions& options, int count) {
    const auto source = generate_level(options);
    if (!source) return source.error();
    auto level = build_navmesh_with_obstacles(source->mesh, {}, source->areas);
    if (!level) return level.error();
    ObstacleCourse course(std::move(*level));
    if (const auto done = course.run(count); !done) return done.error();
    return course.row(level_name(options));
}

}  // namespace
}  // namespace navmesh_levels_bench

Result<void> add_navmesh_levels(const BenchOptions& options, Report& report) {
    using namespace navmesh_levels_bench;
    const size_t count = options.quick ? kQuickQueries : kQueries;
    const auto add = [&](const Result<Scene>& scene) { return scene ? add_scene(*scene, count, report) : Result<void>(scene.error()); };
    const std::string file = (options.maps.empty() ? kExampleFolder : options.folder()) + std::string("/") + kExample;
    const bool found = std::filesystem::exists(file);
    if (found) {
        if (const auto added = add(load_example(file)); !added) return added;
    }
    constexpr LevelOptions kLevels[] = {{6, 3, 1}, {10, 5, 2}, {16, 8, 3}};
    for (const LevelOptions& level : kLevels) {
        if (options.quick && level.rooms > 6) break;
        if (const auto added = add(make_level(level)); !added) return added;
    }
    const auto obstacles = obstacle_row(kLevels[options.quick ? 0 : 1], options.quick ? kQuickObstacles : kObstacles);
    if (!obstacles) return obstacles.error();
    report.rows.push_back(*obstacles);
    report.notes.push_back(fmt::format(
        "Levels: {}; generated buildings beside a river, with ramps, bridges, one-way jumps and ladders. Queries between the centres of "
        "random polygons at least {} m apart; statuses against a flood fill along links, paths from portal to portal. "
        "obstacles: cylinders of 1 m radius, added and removed one at a time. update_ms: the mesh (a dtTileCache); repair_ms: its regions.",
        found ? std::string(kExample) + " (Recast's example)" : std::string(kExample) + " was not found and is skipped", kNearest));
    return {};
}

}  // namespace terrane
