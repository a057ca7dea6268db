// Every method for weighted regions, and every method for navigation meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "guard/expected.h"
#include "terrane/base/rng.h"
#include "terrane/weighted_regions/subdivision_method.h"
#ifdef TERRANE_HAS_NAVMESH
#include "terrane/mapgen/navmesh_level.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_planner.h"
#endif

namespace terrane::guard {
namespace {

constexpr const char* kSubdivisionMethods[] = {"grid",    "grid:8",   "quadtree:4", "quadtree:16", "framed:4",   "framed:16",
                                               "bprep:8", "bprep:32", "brep",       "brep+newton", "brep+proven"};

TEST(GuardWeightedRegions, PathsAreAsInTheFile) {
    Expected expected("weighted_regions");
    for (const uint32_t sites : {8u, 24u, 60u}) {
        for (const uint32_t blocked : {0u, 20u}) {
            Subdivision subdivision =
                random_voronoi_subdivision({.width = 200, .height = 160, .sites = sites, .seed = 4, .blocked = blocked}).value();
            for (const char* when : {"built", "edited"}) {
                for (const char* name : kSubdivisionMethods) {
                    SubdivisionPlanner planner;
                    std::map<std::string, uint64_t> statuses;
                    double cost = 0, bound = 0;
                    uint64_t expansions = 0, points = 0;
                    Rng rng(5);
                    const auto draw = [&](int32_t most) { return rng.between(1, most - 1) + 0.25; };
                    for (int i = 0; i < 4; ++i) {
                        const double a = draw(200), b = draw(160), c = draw(200), d = draw(160);
                        const SubdivisionPath& path = planner.find(subdivision, {a, b}, {c, d}, find_subdivision_method(name).value());
                        ++statuses[to_string(path.status)];
                        cost += path.cost;
                        bound += path.lower_bound;
                        expansions += path.expansions;
                        points += path.points.size();
                    }
                    Metrics metrics = statuses;
                    metrics.update(
                        {{"cost", rounded(cost)}, {"lower_bound", rounded(bound)}, {"expansions", expansions}, {"points", points}});
                    expected.add(
                        std::string(name) + " " + std::to_string(sites) + " regions, " + std::to_string(blocked) + "% blocked " + when,
                        metrics);
                }
                subdivision.set_cost(sites / 2, 3);
                subdivision.set_cost(sites / 3, kBlockedCost);
            }
        }
    }
    expected.compare();
}

// Compares with the library's list. The usage "brep[+newton|+proven]" requires a row of brep, and one with each option.
TEST(GuardWeightedRegions, EveryMethodIsInTheTable) {
    const auto listed = [](std::string_view name, std::string_view option) {
        return std::ranges::any_of(kSubdivisionMethods, [&](std::string_view m) {
            return m.substr(0, m.find_first_of(":+")) == name && m.substr(std::min(m.find('+'), m.size())) == option;
        });
    };
    for (const SubdivisionMethodFactory* method : subdivision_methods()) {
        std::string_view usage = method->info.usage;
        EXPECT_TRUE(listed(method->info.name, "")) << usage << " is not in the table of tests/guard/plane_methods_test.cpp";
        for (size_t plus; (plus = usage.find('+')) != std::string_view::npos;) {
            usage.remove_prefix(plus);
            const std::string_view option = usage.substr(0, usage.find_first_of("|]"));
            EXPECT_TRUE(listed(method->info.name, option)) << method->info.name << option;
            usage.remove_prefix(1);
        }
    }
}

#ifdef TERRANE_HAS_NAVMESH

constexpr const char* kNavmeshMethods[] = {"dta", "dta+portals"};

TEST(GuardNavmesh, PathsAreAsInTheFile) {
    Expected expected("navmesh_methods");
    GeneratedLevel level = generate_level({.rooms = 3, .storeys = 2, .seed = 2}).value();
    Navmesh navmesh = build_navmesh(level.mesh, {}, level.areas).value();
    NavmeshAbstraction regions(navmesh.mesh());
    for (const char* when : {"built", "edited"}) {
        const NavmeshCounts counts = navmesh.count();
        expected.add(std::string("mesh ") + when,
                     {{"tiles", counts.tiles}, {"polygons", counts.polygons}, {"links", counts.off_mesh_connections}});
        for (const char* name : kNavmeshMethods) {
            for (const char* profile : {"walker", "person", "deer"}) {
                NavmeshFilter filter;
                filter.costs = Profile::preset(profile)->compile(navmesh.areas()).value();
                NavmeshPlanner planner(regions);
                std::map<std::string, uint64_t> statuses;
                double cost = 0, length = 0;
                uint64_t expansions = 0, first = 0, points = 0, corridor = 0;
                Rng rng(8);
                const auto draw = [&] {
                    const int32_t x = rng.between(0, 2), y = rng.between(0, 1);
                    return Vec3{10.0f * static_cast<float>(x) + 5, 5.0f * static_cast<float>(y),
                                10.0f * static_cast<float>(rng.between(0, 2)) + 5};
                };
                for (int i = 0; i < 12; ++i) {
                    const Vec3 start = draw(), goal = draw();
                    const NavmeshPath path =
                        planner.find(start, goal, filter, {.method = find_navmesh_method(name).value(), .nearest = i % 2 == 0});
                    ++statuses[to_string(path.status)];
                    cost += path.cost;
                    length += path.length;
                    expansions += path.expansions;
                    first += path.expansions_first;
                    points += path.points.size();
                    corridor += path.corridor.size();
                }
                Metrics metrics = statuses;
                metrics.update({{"cost", rounded(cost)},
                                {"length", rounded(length)},
                                {"expansions", expansions},
                                {"expansions_first", first},
                                {"points", points},
                                {"corridor", corridor}});
                expected.add(std::string(name) + " " + profile + " " + when, metrics);
            }
        }
        level.areas.volumes.push_back({{{4, 4}, {16, 4}, {16, 16}, {4, 16}}, -1, 2, std::string(kNoArea)});
        ASSERT_TRUE(rebuild_tile(navmesh, level.mesh, {}, level.areas, 0, 0));
        regions.tile_changed(0, 0, 0);
    }
    expected.compare();
}

TEST(GuardNavmesh, TheMethodsAreTheseTwo) {
    ASSERT_EQ(navmesh_methods().size(), 1u);
    EXPECT_STREQ(navmesh_methods()[0]->info.usage, "dta[+portals]");
    for (const char* name : kNavmeshMethods) EXPECT_STREQ(find_navmesh_method(name).value().name(), name);
}

#endif

}  // namespace
}  // namespace terrane::guard
