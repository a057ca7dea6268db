#include "terrane/navmesh/navmesh_builder.h"

#include <gtest/gtest.h>
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshQuery.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "navmesh/scenes.h"
#include "terrane/grid/profile.h"
#include "terrane/navmesh/navmesh_file.h"

namespace terrane {
namespace {

// Queries a mesh with Detour.
class Query {
public:
    explicit Query(const Navmesh& navmesh) : mesh_(navmesh.mesh()), query_(dtAllocNavMeshQuery(), dtFreeNavMeshQuery) {
        EXPECT_TRUE(dtStatusSucceed(query_->init(&mesh_, 4096)));
        filter_.setIncludeFlags(0xffff);
    }

    // Returns the polygon at this x and z, within a metre of height; 0 if there is none.
    dtPolyRef polygon(Vec3 at) const {
        const float place[] = {at.x, at.y, at.z}, extents[] = {0.05f, 1, 0.05f};
        dtPolyRef ref = 0;
        float nearest[3];
        query_->findNearestPoly(place, extents, &filter_, &ref, nearest);
        return ref;
    }
    std::optional<Terrain> area(Vec3 at) const {
        unsigned char area = 0;
        const dtPolyRef ref = polygon(at);
        if (ref == 0 || dtStatusFailed(mesh_.getPolyArea(ref, &area))) return std::nullopt;
        return area;
    }
    bool connected(Vec3 from, Vec3 to) const {
        const dtPolyRef a = polygon(from), b = polygon(to);
        if (a == 0 || b == 0) return false;
        const float start[] = {from.x, from.y, from.z}, goal[] = {to.x, to.y, to.z};
        dtPolyRef path[512];
        int count = 0;
        const dtStatus status = query_->findPath(a, b, start, goal, &filter_, path, &count, 512);
        return dtStatusSucceed(status) && count > 0 && path[count - 1] == b;
    }

private:
    const dtNavMesh& mesh_;
    std::unique_ptr<dtNavMeshQuery, void (*)(dtNavMeshQuery*)> query_;
    dtQueryFilter filter_;
};

Terrain id(const Navmesh& navmesh, const char* name) { return *navmesh.areas().find(name); }

AreaVolume square(const char* area, double left, double near, double right, double far, float low = -1, float high = 2) {
    return {{{left, near}, {right, near}, {right, far}, {left, far}}, low, high, area};
}

TEST(NavmeshBuilder, AFlatLevelIsOneAreaInFourTiles) {
    const Navmesh navmesh = build_navmesh(flat_level()).value();
    const NavmeshCounts counts = navmesh.count();
    EXPECT_EQ(counts.tiles, 4u);
    EXPECT_GE(counts.polygons, 4u);
    EXPECT_EQ(counts.by_area[id(navmesh, "ground")], counts.polygons);
    EXPECT_EQ(counts.off_mesh_connections, 0u);
    EXPECT_GT(counts.bytes, 0u);
    EXPECT_TRUE(Query(navmesh).connected({2, 0, 2}, {38, 0, 38}));
}

TEST(NavmeshBuilder, AgentsKeepTheirRadiusFromTheEdge) {
    const NavmeshBounds b = build_navmesh(flat_level()).value().bounds();
    EXPECT_NEAR(b.low.x, 0.6, 0.31);
    EXPECT_NEAR(b.low.z, 0.6, 0.31);
    EXPECT_NEAR(b.high.x, 39.4, 0.31);
    EXPECT_NEAR(b.high.z, 39.4, 0.31);
    EXPECT_NEAR(b.low.y, 0, 0.41);
}

TEST(NavmeshBuilder, PolygonsAreFlaggedForDetoursFilters) {
    const Navmesh navmesh = build_navmesh(flat_level()).value();
    uint16_t flags = 0;
    ASSERT_TRUE(dtStatusSucceed(navmesh.mesh().getPolyFlags(Query(navmesh).polygon({5, 0, 5}), &flags)));
    EXPECT_EQ(flags, 1);
}

TEST(NavmeshBuilder, AWallIsPassedByItsGapAlone) {
    const Navmesh navmesh = build_navmesh(gap_level()).value();
    EXPECT_TRUE(Query(navmesh).connected({5, 0, 5}, {35, 0, 5}));
    EXPECT_EQ(Query(navmesh).polygon({20, 0, 10}), 0u) << "in the wall";
    const Navmesh closed = build_navmesh(Level().floor(0, 0, 40, 40).box(19.5f, 0, 20.5f, 40, -1, 4).mesh()).value();
    EXPECT_FALSE(Query(closed).connected({5, 0, 5}, {35, 0, 5}));
}

TEST(NavmeshBuilder, AGapNarrowerThanTheAgentIsNone) {
    NavmeshBuildOptions wide;
    wide.agent_radius = 2.5f;
    const Navmesh navmesh = build_navmesh(gap_level(), wide).value();
    EXPECT_FALSE(Query(navmesh).connected({5, 0, 5}, {35, 0, 5}));
}

TEST(NavmeshBuilder, StoreysOverlapAndTheRampConnectsThem) {
    const Navmesh navmesh = build_navmesh(two_storeys()).value();
    const Query query(navmesh);
    EXPECT_NE(query.polygon({30, 0, 15}), query.polygon({30, 5, 15}));
    EXPECT_TRUE(query.connected({30, 0, 15}, {30, 5, 15}));
    const Navmesh without = build_navmesh(Level().floor(0, 0, 40, 30).floor(22, 0, 40, 30, 5).mesh()).value();
    EXPECT_FALSE(Query(without).connected({30, 0, 15}, {30, 5, 15}));
}

TEST(NavmeshBuilder, SteepSlopesAndLowCeilingsAreUnwalkable) {
    NavmeshBuildOptions lazy;
    lazy.agent_slope = 15;
    EXPECT_FALSE(Query(build_navmesh(two_storeys(), lazy).value()).connected({30, 0, 15}, {30, 5, 15}));
    NavmeshBuildOptions giant;
    giant.agent_height = 6;
    EXPECT_EQ(Query(build_navmesh(two_storeys(), giant).value()).polygon({30, 0, 15}), 0u);
}

TEST(NavmeshBuilder, ABridgeLeadsAcrossARiver) {
    const Navmesh navmesh = build_navmesh(bridge_level()).value();
    const Query query(navmesh);
    EXPECT_TRUE(query.connected({5, 0, 5}, {31, 0, 25}));
    EXPECT_NE(query.polygon({18, -4, 5}), 0u);
    EXPECT_FALSE(query.connected({5, 0, 5}, {18, -4, 5}));
}

TEST(NavmeshBuilder, TrianglesBringTheirAreas) {
    TriangleMesh mesh = Level().floor(0, 0, 20, 20).floor(20, 0, 40, 20).floor(40, 0, 60, 20).mesh();
    const Catalogue& standard = Catalogue::standard();
    mesh.areas = {*standard.find("swamp"), *standard.find("swamp"), *standard.find("road"), *standard.find("road"), kOutside, kOutside};
    const Navmesh navmesh = build_navmesh(mesh).value();
    EXPECT_EQ(navmesh.areas(), standard);
    EXPECT_EQ(Query(navmesh).area({10, 0, 10}), standard.find("swamp"));
    EXPECT_EQ(Query(navmesh).area({30, 0, 10}), standard.find("road"));
    EXPECT_EQ(Query(navmesh).polygon({50, 0, 10}), 0u);
    const CostTable costs = Profile().cost("swamp", 7).otherwise(2).compile(navmesh.areas()).value();
    EXPECT_EQ(costs.hundredths(*Query(navmesh).area({10, 0, 10})), 700u) << "profile costs are indexed by Detour area";
}

TEST(NavmeshBuilder, VolumesSetAreasTheLaterOverTheEarlier) {
    NavmeshAreas areas;
    const Terrain mud = areas.catalogue.add({"mud", 0, {100, 80, 40}}).value();
    areas.flags.assign(size_t{mud} + 1, 1);
    areas.flags[mud] = 6;
    areas.volumes = {square("mud", 10, 10, 30, 30), square("road", 18, 18, 24, 24), square("blocked", 2, 30, 8, 36)};
    areas.volumes.push_back(square("swamp", 0, 0, 8, 8, 3, 9));  // above the floor
    const Navmesh navmesh = build_navmesh(flat_level(), {}, areas).value();
    const Query query(navmesh);
    EXPECT_EQ(query.area({12, 0, 12}), mud);
    EXPECT_EQ(query.area({21, 0, 21}), id(navmesh, "road"));
    EXPECT_EQ(query.polygon({5, 0, 33}), 0u);
    EXPECT_EQ(query.area({5, 0, 5}), id(navmesh, "ground"));
    uint16_t flags = 0;
    ASSERT_TRUE(dtStatusSucceed(navmesh.mesh().getPolyFlags(query.polygon({12, 0, 12}), &flags)));
    EXPECT_EQ(flags, 6);
}

TEST(NavmeshBuilder, OffMeshLinksLeadWhereThereIsNoSurface) {
    const TriangleMesh islands = Level().floor(0, 0, 15, 15).floor(18, 0, 33, 15).mesh();
    EXPECT_FALSE(Query(build_navmesh(islands).value()).connected({5, 0, 5}, {28, 0, 5}));
    NavmeshAreas areas;
    areas.links = {{{14, 0, 7}, {19, 0, 7}, 0.6f, false, "road"}};
    const Navmesh one_way = build_navmesh(islands, {}, areas).value();
    EXPECT_EQ(one_way.count().off_mesh_connections, 1u);
    EXPECT_EQ(one_way.count().by_area[id(one_way, "road")], 1u);
    EXPECT_TRUE(Query(one_way).connected({5, 0, 5}, {28, 0, 5}));
    EXPECT_FALSE(Query(one_way).connected({28, 0, 5}, {5, 0, 5}));
    areas.links[0].two_way = true;
    EXPECT_TRUE(Query(build_navmesh(islands, {}, areas).value()).connected({28, 0, 5}, {5, 0, 5}));
}

TEST(NavmeshBuilder, AnyNumberOfThreadsBuildsTheSameMesh) {
    NavmeshBuildOptions options;
    const std::string one = format_navmesh(build_navmesh(two_storeys(), options).value());
    for (const uint32_t threads : {2u, 3u, 0u}) {
        options.threads = threads;
        EXPECT_TRUE(format_navmesh(build_navmesh(two_storeys(), options).value()) == one) << threads << " threads";
    }
}

TEST(NavmeshBuilder, ProgressReportsEveryTile) {
    std::vector<uint32_t> reported;
    uint32_t of = 0;
    static_cast<void>(build_navmesh(flat_level(), {}, {}, [&](uint32_t done, uint32_t tiles) {
        reported.push_back(done);
        of = tiles;
    }));
    EXPECT_EQ(reported, (std::vector<uint32_t>{1, 2, 3, 4}));
    EXPECT_EQ(of, 4u);
}

TEST(NavmeshBuilder, ARebuiltTileEqualsThatOfAFullBuild) {
    NavmeshAreas before, after;
    after.volumes = {square("swamp", 5, 5, 30, 30), square("blocked", 24, 5, 28, 15)};
    after.links = before.links = {{{5, 0, 5}, {25, 0, 35}, 1, true, "road"}};
    Navmesh navmesh = build_navmesh(gap_level(), {}, before).value();
    const std::string fresh = format_navmesh(build_navmesh(gap_level(), {}, after).value());
    EXPECT_FALSE(format_navmesh(navmesh) == fresh);
    for (const int32_t y : {1, 0}) {
        for (const int32_t x : {0, 1}) ASSERT_TRUE(rebuild_tile(navmesh, gap_level(), {}, after, x, y));
    }
    EXPECT_TRUE(format_navmesh(navmesh) == fresh);
    EXPECT_TRUE(Query(navmesh).connected({5, 0, 5}, {35, 0, 5})) << "tiles are connected again";
}

TEST(NavmeshBuilder, ATileWithoutWalkableSurfaceIsRemovedAndRestored) {
    NavmeshAreas flood;
    flood.volumes = {square("blocked", 0, 0, 20.4, 20.4)};
    Navmesh navmesh = build_navmesh(flat_level()).value();
    const std::string whole = format_navmesh(navmesh);
    ASSERT_TRUE(rebuild_tile(navmesh, flat_level(), {}, flood, 0, 0));
    EXPECT_EQ(navmesh.count().tiles, 3u);
    EXPECT_EQ(Query(navmesh).polygon({10, 0, 10}), 0u);
    ASSERT_TRUE(rebuild_tile(navmesh, flat_level(), {}, {}, 0, 0));
    EXPECT_TRUE(format_navmesh(navmesh) == whole);
    EXPECT_TRUE(Query(navmesh).connected({10, 0, 10}, {30, 0, 30}));
}

TEST(NavmeshBuilder, RebuildRefusesAnotherMeshsSettings) {
    Navmesh navmesh = build_navmesh(flat_level()).value();
    const std::string before = format_navmesh(navmesh);
    NavmeshBuildOptions other;
    other.tile_size = 30;
    EXPECT_FALSE(rebuild_tile(navmesh, flat_level(), other, {}, 0, 0));
    NavmeshAreas more;
    ASSERT_TRUE(more.catalogue.add({"mud", 0, {}}));
    EXPECT_FALSE(rebuild_tile(navmesh, flat_level(), {}, more, 0, 0));
    EXPECT_FALSE(rebuild_tile(navmesh, flat_level(), {}, {}, -1, 0));
    EXPECT_FALSE(rebuild_tile(navmesh, {}, {}, {}, 0, 0));
    EXPECT_TRUE(format_navmesh(navmesh) == before);
}

// ---- refused input

void expect_refused(const TriangleMesh& mesh, const char* because, const NavmeshBuildOptions& options = {},
                    const NavmeshAreas& areas = {}) {
    const auto built = build_navmesh(mesh, options, areas);
    ASSERT_FALSE(built) << because;
    EXPECT_NE(built.error().reason.find(because), std::string::npos) << built.error().reason;
}

TEST(NavmeshBuilder, RefusesAnEmptyMesh) {
    expect_refused({}, "empty mesh");
    TriangleMesh no_triangles;
    no_triangles.vertices = {{0, 0, 0}};
    expect_refused(no_triangles, "empty mesh");
}

TEST(NavmeshBuilder, RefusesAMeshWithoutWalkableSurface) {
    TriangleMesh upside_down = flat_level();
    for (auto& t : upside_down.triangles) std::swap(t[0], t[1]);
    expect_refused(upside_down, "no walkable surface");
    expect_refused(Level().floor(0, 0, 1, 1).mesh(), "no walkable surface");
    expect_refused(Level().ramp(0, 0, 10, 10, 0, 30).mesh(), "no walkable surface");
}

TEST(NavmeshBuilder, DegenerateTrianglesAreIgnoredAndAMeshOfThemIsRefused) {
    TriangleMesh mesh = flat_level();
    const std::string clean = format_navmesh(build_navmesh(mesh).value());
    mesh.vertices.insert(mesh.vertices.end(), {{5, 0, 5}, {6, 3, 6}, {7, 6, 7}});
    mesh.triangles.push_back({4, 5, 6});  // collinear
    mesh.triangles.push_back({4, 4, 5});  // two coincident corners
    EXPECT_EQ(count_degenerate(mesh), 2u);
    EXPECT_TRUE(format_navmesh(build_navmesh(mesh).value()) == clean);
    mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);
    expect_refused(mesh, "all triangles are degenerate");
}

TEST(NavmeshBuilder, RefusesVerticesThatAreNotFiniteOrTooFarAway) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 40000.0f, -1e30f}) {
        TriangleMesh mesh = flat_level();
        mesh.vertices[2].y = bad;
        expect_refused(mesh, "vertex 2 is not finite");
    }
}

TEST(NavmeshBuilder, RefusesIndicesAndAreasOutOfRange) {
    TriangleMesh mesh = flat_level();
    mesh.triangles[1][2] = 9;
    expect_refused(mesh, "triangle 1 has a vertex index out of range");
    mesh = flat_level();
    mesh.areas = {0};
    expect_refused(mesh, "areas for some triangles");
    mesh.areas = {0, 60};
    expect_refused(mesh, "not in the catalogue");
}

TEST(NavmeshBuilder, RefusesTooManyTilesAndTooHighTiles) {
    expect_refused(Level().floor(-29000, -29000, 29000, 29000).mesh(), "more than 65536 tiles");
    expect_refused(Level().floor(0, 0, 20, 20).floor(0, 0, 20, 20, 2000).mesh(), "its height range exceeds 8191 cells");
    NavmeshBuildOptions tiny;
    tiny.tile_size = 2.4f;
    expect_refused(Level().floor(0, 0, 2400, 2400).mesh(), "more than 65536 tiles", tiny);
}

TEST(NavmeshBuilder, RefusesMorePolygonsThanDetourCanAddress) {
    // 256 x 200 tiles leave six bits: 64 polygons per tile; the pegs make more in one.
    Level level;
    level.floor(0, 0, 6, 6).floor(25500, 19900, 25506, 19906);
    for (int i = 0; i < 60; ++i) {
        const auto x = static_cast<float>(6 + i % 10 * 9), z = static_cast<float>(6 + i / 10 * 9);
        level.floor(x, z, x + 7, z + 7, static_cast<float>(i % 7) * 3);
        level.floor(x, z, x + 7, z + 7, static_cast<float>(i % 7) * 3 + 30);
    }
    NavmeshBuildOptions options;
    options.tile_size = 100;
    options.cell_size = 0.5f;
    options.cell_height = 0.5f;
    options.region_cells = 0;
    expect_refused(level.mesh(), "polygons; Detour can address 64", options);
}

TEST(NavmeshBuilder, RefusesOptionsOutOfRange) {
    const auto refused = [](auto change, const char* because) {
        NavmeshBuildOptions options;
        change(options);
        expect_refused(flat_level(), because, options);
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    refused([](auto& o) { o.cell_size = 0; }, "cell_size");
    refused([&](auto& o) { o.cell_size = nan; }, "cell_size");
    refused([](auto& o) { o.cell_height = -1; }, "cell_height");
    refused([](auto& o) { o.tile_size = 1; }, "tile_size");
    refused([](auto& o) { o.tile_size = 1000; }, "tile_size");
    refused([](auto& o) { o.agent_height = 0; }, "agent_height");
    refused([](auto& o) { o.agent_height = 60; }, "agent_height");
    refused([](auto& o) { o.agent_radius = -1; }, "agent_radius");
    refused([](auto& o) { o.agent_radius = 40; }, "agent_radius");
    refused([&](auto& o) { o.agent_climb = nan; }, "agent_climb");
    refused([](auto& o) { o.agent_slope = 90; }, "agent_slope");
    refused([](auto& o) { o.edge_length = -1; }, "edge_length");
    refused([](auto& o) { o.edge_error = -1; }, "edge_error");
    refused([](auto& o) { o.polygon_corners = 7; }, "polygon_corners");
    refused([](auto& o) { o.region_cells = UINT32_MAX; }, "region_cells");
    refused([](auto& o) { o.default_area = "cheese"; }, "unknown area 'cheese'");
}

TEST(NavmeshBuilder, RefusesInvalidVolumesAndLinks) {
    const auto refused = [](auto change, const char* because) {
        NavmeshAreas areas;
        areas.volumes = {square("swamp", 5, 5, 9, 9)};
        areas.links = {{{5, 0, 5}, {9, 0, 9}, 0.6f, true, "road"}};
        change(areas);
        expect_refused(flat_level(), because, {}, areas);
    };
    refused([](auto& a) { a.volumes[0].area = "cheese"; }, "volume 0: unknown area 'cheese'");
    refused([](auto& a) { a.volumes[0].outline.resize(2); }, "3 to 64 corners");
    refused([](auto& a) { std::swap(a.volumes[0].outline[0], a.volumes[0].outline[1]); }, "not convex");
    refused([](auto& a) { a.volumes[0].outline = {{1, 1}, {2, 2}, {3, 3}}; }, "not convex");
    refused([](auto& a) { a.volumes[0].outline[0].x = std::numeric_limits<double>::quiet_NaN(); }, "not finite");
    refused([](auto& a) { a.volumes[0].high = a.volumes[0].low; }, "not below its high end");
    refused([](auto& a) { a.links[0].area = "blocked"; }, "link 0: unknown area 'blocked'");
    refused([](auto& a) { a.links[0].radius = 0; }, "radius");
    refused([](auto& a) { a.links[0].to.y = std::numeric_limits<float>::infinity(); }, "an end is not finite");
    refused([](auto& a) { a.links[0].to.x = 65; }, "it ends beyond the adjacent tiles");
    refused([](auto& a) { a.flags.resize(40); }, "flags for more areas");
    refused(
        [](auto& a) {
            for (int i = 0; i < 45; ++i) ASSERT_TRUE(a.catalogue.add({"more_" + std::to_string(i), 0, {}}));
        },
        "more than 63 areas");
}

TEST(NavmeshBuilder, SupportsSixtyThreeAreas) {
    NavmeshAreas areas;
    Terrain last = 0;
    while (areas.catalogue.size() < 63) last = areas.catalogue.add({"more_" + std::to_string(areas.catalogue.size()), 0, {}}).value();
    areas.volumes = {square(areas.catalogue[last].name.c_str(), 5, 5, 15, 15)};
    EXPECT_EQ(Query(build_navmesh(flat_level(), {}, areas).value()).area({10, 0, 10}), Terrain{62});
}

TEST(NavmeshBuilder, BuildsRecastsTestLevel) {
    const std::string file = TERRANE_DATA "/navmesh/nav_test.obj";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
    const TriangleMesh mesh = load_obj(file).value();
    const Navmesh navmesh = build_navmesh(mesh).value();
    EXPECT_EQ(mesh.vertices.size(), 884u);
    EXPECT_EQ(mesh.triangles.size(), 1612u);
    EXPECT_EQ(count_degenerate(mesh), 0u);
    EXPECT_NEAR(navmesh.count().polygons, 200, 40);
    EXPECT_TRUE(format_navmesh(parse_navmesh(format_navmesh(navmesh)).value()) == format_navmesh(navmesh));
}

TEST(NavmeshBuilder, TrianglesOfTheMeshCoverItsSurface) {
    const TriangleMesh triangles = navmesh_triangles(build_navmesh(flat_level()).value());
    double doubled = 0;
    for (const auto& t : triangles.triangles) {
        const Vec3 &a = triangles.vertices[t[0]], &b = triangles.vertices[t[1]], &c = triangles.vertices[t[2]];
        doubled += std::abs((double{b.x} - a.x) * (double{c.z} - a.z) - (double{b.z} - a.z) * (double{c.x} - a.x));
    }
    EXPECT_NEAR(doubled / 2, 38.8 * 38.8, 40);
    EXPECT_EQ(triangles.areas.size(), triangles.triangles.size());
}

}  // namespace
}  // namespace terrane
