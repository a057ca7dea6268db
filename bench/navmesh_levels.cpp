// Compares Detour's findPath with our paths on levels. All of our paths are checked; costs are measured the same way.
#include "bench/navmesh_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "bench/detour_search.h"
#include "bench/progress.h"
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
constexpr int kRuns = 3;  // timed runs; the best counts
constexpr std::array<const char*, 3> kMethods = {"detour", "dta", "dta+portals"};

struct Scene {
    std::string name;
    Navmesh navmesh;
};

// ---- Queries and their answers

struct Query {
    Vec3 from, to;
    bool reachable = false;
    std::array<double, kMethods.size()> cost{}, ms{};
};

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
std::vector<Query> draw_queries(const NavmeshAbstraction& regions, const NavmeshFilter& filter, size_t count) {
    const MeshView view(regions.mesh());
    const std::vector<PolygonNumber> polygons = walkable_polygons(regions, view, filter);
    Rng rng(31);
    std::vector<Query> queries;
    queries.reserve(count);
    for (size_t tries = 0; queries.size() < count && tries < 100 * count; ++tries) {
        const PolygonNumber a = polygons[rng.below(static_cast<uint32_t>(polygons.size()))];
        const PolygonNumber b = polygons[rng.below(static_cast<uint32_t>(polygons.size()))];
        if (distance(view.centre(a), view.centre(b)) < kNearest) continue;
        queries.push_back({to_vec3(view.centre(a)), to_vec3(view.centre(b)), flood(view, filter, a, regions.id_limit())[b]});
    }
    return queries;
}

// Checks that the corridor enters and leaves off-mesh connections only at their ends.
bool is_traversable(const MeshView& view, const NavmeshPath& path) {
    for (size_t i = 1; i < path.corridor.size(); ++i) {
        const PolygonNumber from = view.number(path.corridor[i - 1]), to = view.number(path.corridor[i]);
        bool open = false;
        view.for_each_link(
            from, [&](uint32_t, const dtLink& link) { open = open || (view.number(link.ref) == to && view.is_traversable(from, link)); });
        if (!open) return false;
    }
    return true;
}

class LevelContest {
public:
    LevelContest(const Scene& scene, const NavmeshAbstraction& regions, const NavmeshFilter& filter)
        : scene_(scene), view_(regions.mesh()), creature_{filter, {}}, detour_(regions.mesh()), planner_(regions) {
        to_detour_filter(filter, creature_.detour);
    }

    Result<void> check(Query& query) {
        for (size_t m = 0; m < kMethods.size(); ++m) {
            if (const std::string what = m == 0 ? check_detour(query) : check_ours(query, m); !what.empty()) return wrong(query, m, what);
        }
        return {};
    }

    // Alternates between the methods, so that each runs first equally often.
    void time(Query& query, size_t number) {
        query.ms.fill(1e300);
        for (size_t i = 0; i < kRuns * kMethods.size(); ++i) {
            const size_t m = (number + i) % kMethods.size();
            const NavmeshFindOptions options = options_of(m);
            const Stopwatch watch;
            if (m == 0) {
                detour_.find(query.from, query.to, creature_.detour);
            } else {
                planner_.find(query.from, query.to, creature_.filter, options, path_);
            }
            query.ms[m] = std::min(query.ms[m], watch.ms());
        }
    }

private:
    // Both checks return what is wrong with the answer, or an empty string. Detour has enough nodes for a whole level.
    std::string check_detour(Query& query) {
        const NavmeshPath path = detour_.find_crossings(query.from, query.to, creature_);
        const Status expected = query.reachable ? Status::kFound : Status::kPartial;
        if (path.status != expected) return fmt::format("{}, expected {}", to_string(path.status), to_string(expected));
        query.cost[0] = path.cost;
        return {};
    }

    std::string check_ours(Query& query, size_t method) {
        NavmeshFindOptions options = options_of(method);
        options.crossings = true;
        planner_.find(query.from, query.to, creature_.filter, options, path_);
        const Status expected = query.reachable ? Status::kFound : Status::kUnreachable;
        if (path_.status != expected) return fmt::format("{}, expected {}", to_string(path_.status), to_string(expected));
        if (!query.reachable) return {};
        const auto cost = Measure(view_, creature_.filter)(path_);
        if (!cost || !is_traversable(view_, path_)) return "leaves its corridor or enters a blocked polygon";
        const double slack = 1e-4 * cost->high;
        if (path_.cost < cost->low - slack || path_.cost > cost->high + slack) return "reports a wrong cost";
        query.cost[method] = path_.cost;
        return {};
    }

    static NavmeshFindOptions options_of(size_t method) {
        NavmeshFindOptions options;
        options.method.portals = method != 1;
        return options;
    }
    Error wrong(const Query& q, size_t method, const std::string& what) const {
        return {ErrorCode::kBadValue, "navmesh, " + scene_.name, 0,
                fmt::format("{} from {:.2f},{:.2f},{:.2f} to {:.2f},{:.2f},{:.2f}: {}", kMethods[method], q.from.x, q.from.y, q.from.z,
                            q.to.x, q.to.y, q.to.z, what)};
    }

    const Scene& scene_;
    MeshView view_;
    Creature creature_;
    DetourSearch detour_;
    NavmeshPlanner planner_;
    NavmeshPath path_;
};

// ---- Rows

template <class Of>
double mean(const std::vector<Query>& queries, Of&& of) {
    double sum = 0;
    for (const Query& q : queries) sum += of(q);
    return queries.empty() ? 0 : sum / static_cast<double>(queries.size());
}

ReportRow method_row(const std::string& scene, const std::vector<Query>& reachable, size_t m) {
    std::vector<double> ms;
    ms.reserve(reachable.size());
    for (const Query& q : reachable) ms.push_back(q.ms[m]);
    ReportRow row{kMethods[m], {{"profile", kCreature}, {"queries", scene}}, {{"timed", static_cast<double>(reachable.size())}}};
    const double own = mean(reachable, [&](const Query& q) { return q.ms[m]; });
    row.metrics.emplace_back("ms_mean", own);
    row.metrics.emplace_back("ms_p50", quantile(ms, 0.5));
    row.metrics.emplace_back("ms_p99", quantile(ms, 0.99));
    if (m > 0) row.metrics.emplace_back("speedup", mean(reachable, [](const Query& q) { return q.ms[0]; }) / own);
    row.metrics.emplace_back("cost", mean(reachable, [&](const Query& q) { return q.cost[m]; }));
    if (m == 0) return row;
    double worst = 0;
    for (const Query& q : reachable) worst = std::max(worst, q.cost[m] / q.cost[0]);
    row.metrics.emplace_back("ratio_mean", mean(reachable, [&](const Query& q) { return q.cost[m] / q.cost[0]; }));
    row.metrics.emplace_back("ratio_max", worst);
    row.metrics.emplace_back("cheaper", mean(reachable, [&](const Query& q) { return q.cost[m] < q.cost[0] * (1 - 1e-6) ? 1.0 : 0.0; }));
    return row;
}

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

Result<void> add_scene(const Scene& scene, size_t count, Report& report) {
    const auto costs = Profile::preset(kCreature)->compile(scene.navmesh.areas());
    if (!costs) return costs.error();
    NavmeshFilter filter;
    filter.costs = *costs;
    const Stopwatch watch;
    const NavmeshAbstraction regions(scene.navmesh.mesh());
    report.rows.push_back(scene_row(scene.name, regions, scene.navmesh.count(), watch.ms()));
    std::vector<Query> queries = draw_queries(regions, filter, count);
    LevelContest contest(scene, regions, filter);
    Progress progress("navmesh, " + scene.name, 2 * queries.size());
    for (Query& query : queries) {
        if (const auto checked = contest.check(query); !checked) return checked.error();
        progress.advance();
    }
    std::erase_if(queries, [](const Query& q) { return !q.reachable; });
    for (size_t i = 0; i < queries.size(); ++i) {
        contest.time(queries[i], i);
        progress.advance();
    }
    for (size_t m = 0; m < kMethods.size(); ++m) report.rows.push_back(method_row(scene.name, queries, m));
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
                 {"tiles_touched", tiles_ / updates_},
                 {"update_ms", mesh_ms_ / updates_},
                 {"repair_ms", regions_ms_ / updates_}}};
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
        const Stopwatch watch;
        const auto made = level_.update();
        if (!made) return made.error();
        mesh_ms_ += watch.ms();
        const Stopwatch repair;
        update_regions(regions_);
        regions_ms_ += repair.ms();
        tiles_ += *made;
        ++updates_;
        return {};
    }

    NavmeshObstacles level_;
    NavmeshAbstraction regions_;
    double mesh_ms_ = 0, regions_ms_ = 0, tiles_ = 0, updates_ = 0;
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
        "random polygons at least {} m apart; statuses against a flood fill along links, paths from portal to portal; the best of {} runs. "
        "obstacles: cylinders of 1 m radius, added and removed one at a time. update_ms: the mesh (a dtTileCache); repair_ms: its regions.",
        found ? std::string(kExample) + " (Recast's example)" : std::string(kExample) + " was not found and is skipped", kNearest, kRuns));
    return {};
}

}  // namespace terrane
