// `terrane bench navmesh`: section 5.3 of "Pathfinding and Abstraction with Dynamic Terrain Costs" (Sturtevant, Sigurdson, Taylor, Gibson
// 2019) on a generated world: the regions of a Detour mesh, and search over them against Detour's findPath.
#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "bench/bench.h"
#include "bench/navmesh_contest.h"
#include "bench/navmesh_levels.h"
#include "bench/progress.h"
#include "bench/samples.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/navmesh_world.h"
#include "terrane/navmesh/navmesh_builder.h"

namespace terrane {

namespace navmesh_bench {
namespace {

constexpr std::array<const char*, 2> kCreatures = {"person", "deer"};
constexpr int32_t kMetres = 1000, kQuickMetres = 200;
constexpr size_t kQueries = 5200, kQuickQueries = 60;       // of all creatures together, as in the paper
constexpr double kNearest = 17, kFarthest = 1384.0 / 1000;  // metres, and a share of the world's side; as in the paper
constexpr size_t kLengths = 10;                             // classes of distance, with equally many queries
constexpr size_t kMaxDraws = 50'000'000;                    // pairs
constexpr int kBuilds = 5, kRepairs = 200;                  // of the abstraction: the best build, the mean repair

// ---- The world

// Detour has no blocked areas, only expensive ones; its users exclude areas by flags. So does this bench: bit i of a polygon's flags means
// that creature i may enter.
Result<std::vector<Creature>> make_creatures(NavmeshAreas& areas) {
    std::vector<Creature> creatures(kCreatures.size());
    areas.flags.assign(areas.catalogue.size(), 0);
    for (size_t i = 0; i < creatures.size(); ++i) {
        creatures[i].name = kCreatures[i];
        NavmeshFilter& filter = creatures[i].filter;
        const auto costs = Profile::preset(kCreatures[i])->compile(areas.catalogue);
        if (!costs) return costs.error();
        filter.costs = *costs;
        filter.include_flags = static_cast<uint16_t>(1u << i);
        for (size_t area = 0; area < areas.flags.size(); ++area) {
            if (costs->cost[area] != 0) areas.flags[area] |= filter.include_flags;
        }
        to_detour_filter(filter, creatures[i].detour);
    }
    return creatures;
}

template <class Visit>
void for_each_polygon(const NavmeshAbstraction& regions, const MeshView& view, Visit&& visit) {
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        for (uint32_t i = 0; i < regions.tile(slot).labels.size(); ++i) visit(view.number(slot, i));
    }
}

// Returns connected components by polygon number; 0: impassable. The world has no one-way connections, so reachability is symmetric.
std::vector<uint32_t> flood(const NavmeshAbstraction& regions, const MeshView& view, const NavmeshFilter& filter) {
    std::vector<uint32_t> components(regions.id_limit());
    std::vector<PolygonNumber> reached;
    uint32_t count = 0;
    const auto reach = [&](PolygonNumber p) {
        if (components[p] != 0 || !passes(view, filter, p)) return;
        components[p] = count;
        reached.push_back(p);
    };
    for_each_polygon(regions, view, [&](PolygonNumber first) {
        if (components[first] != 0) return;
        ++count;
        reach(first);
        while (!reached.empty()) {
            const PolygonNumber p = reached.back();
            reached.pop_back();
            view.for_each_link(p, [&](uint32_t, const dtLink& link) { reach(view.number(link.ref)); });
        }
    });
    return components;
}

// Counts pairs of adjacent regions, which seems to be the paper's count: it has 1.8 per region.
uint64_t count_pairs(const NavmeshAbstraction& regions) {
    uint64_t count = 0;
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        for (uint32_t number = 0; number < regions.regions_in(slot).size(); ++number) {
            const NavmeshRegionId id = regions.id(slot, number);
            NavmeshRegionId last = id;  // edges ascend by `to`
            for (const NavmeshEdge& edge : regions.edges_of(id)) {
                if (edge.to > last) ++count;
                last = std::max(last, edge.to);
            }
        }
    }
    return count;
}

// Repairs random tiles one at a time, as if they had changed, and compares with a rebuild.
Result<double> repair_ms(NavmeshAbstraction& regions) {
    std::vector<uint32_t> slots;
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        if (!regions.regions_in(slot).empty()) slots.push_back(slot);
    }
    Rng rng(11);
    Samples ms;
    for (int i = 0; i < kRepairs; ++i) {
        const uint32_t slot = slots[rng.below(static_cast<uint32_t>(slots.size()))];
        const NavmeshTileRef ref = regions.mesh().encodePolyId(regions.tile(slot).salt, slot, 0);
        timed(ms, [&] { regions.tile_changed(ref); });
    }
    if (!(regions == NavmeshAbstraction(regions.mesh())))
        return Error{ErrorCode::kBadValue, "navmesh", 0, "repaired regions differ from rebuilt ones"};
    return ms.mean();
}

Result<ReportRow> world_row(NavmeshAbstraction& regions, int32_t metres, double mesh_ms) {
    const double build = best_ms(kBuilds, [&] { return NavmeshAbstraction(regions.mesh()); });
    const auto repair = repair_ms(regions);
    if (!repair) return repair.error();
    return ReportRow{"abstraction",
                     {{"metres", metres}},
                     {{"tiles", regions.tile_count()},
                      {"polygons", static_cast<double>(regions.polygon_count())},
                      {"regions", static_cast<double>(regions.region_count())},
                      {"edges", static_cast<double>(count_pairs(regions))},
                      {"edges_kept", static_cast<double>(regions.edge_count())},
                      {"build_ms", build},
                      {"repair_ms", *repair},
                      {"bytes", static_cast<double>(regions.bytes())},
                      {"mesh_ms", mesh_ms}}};
}

// ---- Queries

// Draws queries between the centres of random polygons that the creature may enter.
void draw_queries(const NavmeshAbstraction& regions, const MeshView& view, const std::vector<uint32_t>& components, size_t creature,
                  size_t count, double farthest, Rng& rng, std::vector<NavmeshQuery>& out) {
    std::vector<PolygonNumber> polygons;
    for_each_polygon(regions, view, [&](PolygonNumber p) {
        if (components[p] != 0) polygons.push_back(p);
    });
    std::array<size_t, kLengths> left;
    left.fill(count / kLengths);
    for (size_t i = 0; i < kMaxDraws && std::ranges::any_of(left, [](size_t n) { return n > 0; }); ++i) {
        const PolygonNumber a = polygons[rng.below(static_cast<uint32_t>(polygons.size()))];
        const PolygonNumber b = polygons[rng.below(static_cast<uint32_t>(polygons.size()))];
        const MeshPoint from = view.centre(a), to = view.centre(b);
        const double away = distance(from, to), share = (away - kNearest) / (farthest - kNearest);
        if (share < 0 || share >= 1) continue;
        size_t& wanted = left[static_cast<size_t>(share * kLengths)];
        if (wanted == 0) continue;
        --wanted;
        out.push_back({creature, to_vec3(from), to_vec3(to), away, components[a] == components[b]});
    }
}

void shuffle(std::vector<NavmeshQuery>& queries, Rng& rng) {
    for (size_t i = queries.size(); i > 1; --i) std::swap(queries[i - 1], queries[rng.below(static_cast<uint32_t>(i))]);
}

// ---- Rows

// Counts the outcomes of one creature's queries.
ReportRow outcome_row(size_t creature, const std::vector<NavmeshQuery>& queries) {
    double all = 0, unreachable = 0, cut = 0;
    for (const NavmeshQuery& query : queries) {
        if (query.creature != creature) continue;
        ++all;
        if (!query.reachable) ++unreachable;
        if (query.reachable && !query.solved) ++cut;
    }
    return {"all",
            {{"profile", kCreatures[creature]}},
            {{"queries", all}, {"unreachable", unreachable}, {"found_by_ours", all - unreachable}, {"cut_short_by_detour", cut}}};
}

constexpr const char *kSolved = "solved by Detour", *kLonger = "their longer half", *kLongerOfAll = "longer half of all";

nlohmann::ordered_json label(const std::string& profile, const char* which) { return {{"profile", profile}, {"queries", which}}; }

// The rows that each reachable query counts in, by profile and by what Detour solved.
std::vector<nlohmann::ordered_json> labels_of(const std::vector<NavmeshQuery>& queries) {
    std::vector<nlohmann::ordered_json> labels(queries.size(), nlohmann::ordered_json::array());
    const auto add = [&](const std::string& profile, const char* which, std::span<const size_t> members) {
        for (const size_t i : members) labels[i].push_back(label(profile, which));
    };
    const auto longer_half = [](const std::vector<size_t>& ascending) { return std::span(ascending).subspan(ascending.size() / 2); };
    for (size_t creature = 0; creature <= kCreatures.size(); ++creature) {
        const bool both = creature == kCreatures.size();
        std::vector<size_t> all, solved;
        for (size_t i = 0; i < queries.size(); ++i) {
            if (queries[i].reachable && (both || queries[i].creature == creature)) all.push_back(i);
        }
        std::ranges::sort(all, {}, [&](size_t i) { return queries[i].distance; });
        std::ranges::copy_if(all, std::back_inserter(solved), [&](size_t i) { return queries[i].solved; });
        const std::string profile = both ? "both" : kCreatures[creature];
        add(profile, kSolved, solved);
        add(profile, kLonger, longer_half(solved));
        if (solved.size() < all.size()) add(profile, kLongerOfAll, longer_half(all));
    }
    return labels;
}

// Makes the rows in the order in which the pages show them.
void order_rows(MeasuredRows& rows) {
    for (const char* profile : {"both", kCreatures[0], kCreatures[1]}) {
        for (const char* which : {kSolved, kLonger}) {
            for (const char* method : kNavmeshMethods) rows.at(method, label(profile, which));
        }
    }
}

void add_paper_rows(Report& report) {
    report.paper.push_back({"abstraction", {{"metres", kMetres}}, {{"polygons", 102'193}, {"regions", 7338}, {"edges", 13'298}}});
    const nlohmann::ordered_json scene{{"profile", "Unreal's"}, {"queries", "all"}};
    report.paper.push_back({"detour", scene, {{"problems", 5200}, {"ms_mean", 5.64}, {"ms_95", 0.12}, {"length_metres", 777.22}}});
    report.paper.push_back(
        {"dta", scene, {{"problems", 5200}, {"ms_mean", 1.68}, {"ms_95", 0.03}, {"length_metres", 823.71}, {"speedup", 3.36}}});
}

std::vector<std::string> notes() {
    return {
        "World: the middle of a generated island, with about as many polygons as the paper's. edges: pairs of adjacent regions, which "
        "seems to be the paper's count; edges_kept: directed, one for each contiguous part of a border. build_ms: the abstraction, best of "
        "5. repair_ms: a tile and its edges to neighbours, mean of 200 random tiles. Both on one core. mesh_ms: world and mesh (Recast), "
        "on all cores.",
        "Queries: equally many per profile, 17 m to 1.384 times the world's side apart, equally many in each tenth of that range. "
        "cut_short_by_detour: Detour ran out of its maximum of 65,535 nodes before the goal. Areas are blocked by flags, for Detour too. "
        "Our answers are checked before timing: status against a flood fill, paths from portal to portal.",
        "ms: localise both ends, search, straighten; the best of three passes. The longer half is by the distance between start and goal; "
        "that of all includes queries on which Detour runs out of nodes. ms_95, speedup_95: half the 95% confidence interval of the mean, "
        "and of the ratio of Detour's mean to this one (delta method).",
        "cost_metres: length in each polygon times the cost of its area, on the straightened path, measured the same way for all methods; "
        "length_metres: of that path (an Unreal unit is a centimetre). Means of solved queries. ratio: over Detour's cost, where Detour "
        "found a path. cheaper: share of queries that cost less than Detour's path.",
    };
}

Result<Navmesh> build_world(int32_t metres, const NavmeshAreas& areas) {
    const auto source = generate_navmesh_source({.metres = metres});
    if (!source) return source.error();
    NavmeshBuildOptions options;
    options.threads = 0;
    Progress progress("navmesh, tiles", 0);
    return build_navmesh(*source, options, areas, [&](uint32_t, uint32_t) { progress.advance(); });
}

std::vector<NavmeshQuery> draw_all(const NavmeshAbstraction& regions, const std::vector<Creature>& creatures, size_t count,
                                   int32_t metres) {
    const MeshView view(regions.mesh());
    Rng rng(29);
    std::vector<NavmeshQuery> queries;
    for (size_t c = 0; c < creatures.size(); ++c) {
        const std::vector<uint32_t> components = flood(regions, view, creatures[c].filter);
        draw_queries(regions, view, components, c, count / creatures.size(), kFarthest * metres, rng, queries);
    }
    shuffle(queries, rng);
    return queries;
}

}  // namespace
}  // namespace navmesh_bench

Result<Report> bench_navmesh(const BenchOptions& options) {
    using namespace navmesh_bench;
    const int32_t metres = options.quick ? kQuickMetres : kMetres;
    NavmeshAreas areas;
    auto creatures = make_creatures(areas);
    if (!creatures) return creatures.error();
    Samples mesh_ms;
    const auto navmesh = timed(mesh_ms, [&] { return build_world(metres, areas); });
    if (!navmesh) return navmesh.error();

    NavmeshAbstraction regions(navmesh->mesh());
    const auto world = world_row(regions, metres, mesh_ms.sum());
    if (!world) return world.error();
    NavmeshScene scene{.name = "navmesh", .regions = &regions, .creatures = *creatures, .detour_may_fail = true};
    scene.queries = draw_all(regions, *creatures, options.quick ? kQuickQueries : kQueries, metres);
    scene.labels = [&scene, labels = std::vector<nlohmann::ordered_json>()](size_t query) mutable {
        if (labels.empty()) labels = labels_of(scene.queries);
        return labels[query];
    };
    Contest contest = navmesh_contest();
    order_rows(contest.results());
    if (const auto done = run_on_navmesh(contest, scene); !done) return done.error();

    Report report{"navmesh", {*world}, {}, notes()};
    for (size_t creature = 0; creature < kCreatures.size(); ++creature) report.rows.push_back(outcome_row(creature, scene.queries));
    report.add(contest.rows());
    if (const auto added = add_navmesh_levels(options, report); !added) return added.error();
    add_paper_rows(report);
    return report;
}

}  // namespace terrane
