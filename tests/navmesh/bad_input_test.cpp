// Invalid meshes and coordinates, from the OBJ file to the path: they are refused or ignored.
#include <gtest/gtest.h>
#include <recastnavigation/DetourNavMesh.h>

#include <array>
#include <limits>

#include "navmesh/scenes.h"
#include "terrane/navmesh/navmesh_file.h"
#include "terrane/navmesh/navmesh_obstacles.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinite = std::numeric_limits<float>::infinity();
constexpr float kHuge = std::numeric_limits<float>::max();

float& coordinate(Vec3& v, size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

void expect_refused_everywhere(const TriangleMesh& mesh, ErrorCode code) {
    const auto built = build_navmesh(mesh);
    ASSERT_FALSE(built);
    EXPECT_EQ(built.error().code, code);
    EXPECT_FALSE(built.error().reason.empty());
    const auto layered = build_navmesh_with_obstacles(mesh);
    ASSERT_FALSE(layered);
    EXPECT_EQ(layered.error().code, code);
    Navmesh valid = build_navmesh(flat_level()).value();
    const std::string before = format_navmesh(valid);
    if (!rebuild_tile(valid, mesh, {}, {}, 0, 0)) {
        EXPECT_TRUE(format_navmesh(valid) == before) << "refused without changes";
    }
}

TEST(NavmeshBadInput, VerticesThatAreNotFiniteOrTooFarAwayAreRefused) {
    for (const float bad : {kNan, -kNan, kInfinite, -kInfinite, kHuge, -kHuge, 30001.0f}) {
        for (size_t vertex = 0; vertex < 4; ++vertex) {
            for (size_t axis = 0; axis < 3; ++axis) {
                TriangleMesh mesh = flat_level();
                coordinate(mesh.vertices[vertex], axis) = bad;
                ASSERT_FALSE(build_navmesh(mesh)) << bad << " at " << vertex << ", " << axis;
            }
        }
        TriangleMesh mesh = flat_level();
        mesh.vertices[1].z = bad;
        expect_refused_everywhere(mesh, ErrorCode::kBadValue);
        TriangleMesh unused = flat_level();
        unused.vertices.push_back({0, bad, 0});
        EXPECT_FALSE(build_navmesh(unused)) << "even if no triangle uses the vertex";
    }
}

TEST(NavmeshBadInput, AnObjWithVerticesThatAreNotFiniteIsRefusedByTheParser) {
    const std::string rest = "v 0 0 30\nv 30 0 30\nv 30 0 0\nf 1 2 3 4\n";
    EXPECT_TRUE(build_navmesh(parse_obj("v 0 0 0\n" + rest).value()));
    for (const char* bad :
         {"v nan 0 0\n", "v 0 NaN 0\n", "v 0 0 inf\n", "v -inf 0 0\n", "v 0 infinity 0\n", "v 1e39 0 0\n", "v 0x 0 0\n"}) {
        EXPECT_EQ(parse_obj(bad + rest).error().line, 1u) << bad;
    }
    for (const char* huge : {"v 3e38 0 0\n", "v 0 -3e38 0\n", "v 0 0 1e5\n"}) {
        expect_refused_everywhere(parse_obj(huge + rest).value(), ErrorCode::kBadValue);
    }
}

TEST(NavmeshBadInput, AnObjCutAnywhereIsRefusedOrBuilt) {
    const std::string text = format_obj(two_storeys());
    int built = 0;
    for (size_t length = 0; length < text.size(); length += 5) {
        const auto mesh = parse_obj(text.substr(0, length));
        if (mesh && build_navmesh(*mesh)) ++built;
    }
    EXPECT_GT(built, 0) << "a mesh of one face is valid";
}

TEST(NavmeshBadInput, EmptyMeshesAreRefused) {
    expect_refused_everywhere({}, ErrorCode::kBadValue);
    TriangleMesh vertices;
    vertices.vertices = {{0, 0, 0}, {0, 0, 30}, {30, 0, 0}};
    expect_refused_everywhere(vertices, ErrorCode::kBadValue);
    TriangleMesh triangles;
    triangles.triangles = {{0, 1, 2}};
    expect_refused_everywhere(triangles, ErrorCode::kBadValue);
}

TEST(NavmeshBadInput, DegenerateTrianglesAreNotWalkable) {
    TriangleMesh line;
    line.vertices = {{0, 0, 0}, {10, 0, 10}, {30, 0, 30}, {0, 5, 0}};
    line.triangles = {{0, 1, 2}, {0, 0, 1}, {2, 2, 2}};
    expect_refused_everywhere(line, ErrorCode::kBadValue);
    TriangleMesh needle = flat_level();  // as thin as floats can represent
    needle.vertices.insert(needle.vertices.end(), {{0, 3, 0}, {40, 3, 40}, {40, 3, 40.000004f}});
    needle.triangles.push_back({4, 5, 6});
    EXPECT_EQ(count_degenerate(needle), 0u);
    EXPECT_TRUE(build_navmesh(needle));
}

TEST(NavmeshBadInput, AMeshAtTheCoordinateLimitIsBuiltAndSearched) {
    const float edge = kMaxNavmeshCoordinate;
    const Navmesh navmesh = build_navmesh(Level().floor(edge - 60, -edge, edge, -edge + 60, edge).mesh()).value();
    const NavmeshAbstraction regions(navmesh.mesh());
    const NavmeshPath path = NavmeshPlanner(regions).find({edge - 55, edge, -edge + 5}, {edge - 5, edge, -edge + 55});
    EXPECT_EQ(path.status, Status::kFound) << "tiles are connected in spite of rounding errors";
    EXPECT_NEAR(path.length, 50 * std::sqrt(2.0), 0.5);
}

TEST(NavmeshBadInput, AMeshWithoutPolygonsHasNoPaths) {
    dtNavMeshParams params{};
    params.tileWidth = params.tileHeight = 20;
    params.maxTiles = 4;
    params.maxPolys = 64;
    const std::unique_ptr<dtNavMesh, void (*)(dtNavMesh*)> mesh(dtAllocNavMesh(), dtFreeNavMesh);
    ASSERT_TRUE(dtStatusSucceed(mesh->init(&params)));
    NavmeshAbstraction regions(*mesh);
    EXPECT_EQ(NavmeshPlanner(regions).find({1, 0, 1}, {5, 0, 5}).status, Status::kOutsideMap);
    EXPECT_EQ(update_regions(regions), 0u);
}

TEST(NavmeshBadInput, PointsThatAreNotFiniteAreOutsideOfTheMap) {
    const Navmesh navmesh = build_navmesh(flat_level()).value();
    const NavmeshAbstraction regions(navmesh.mesh());
    NavmeshPlanner planner(regions);
    for (const float bad : {kNan, kInfinite, -kInfinite, kHuge, -kHuge}) {
        for (size_t axis = 0; axis < 3; ++axis) {
            Vec3 place{10, 0, 10};
            coordinate(place, axis) = bad;
            EXPECT_EQ(planner.find(place, {30, 0, 30}).status, Status::kOutsideMap) << bad;
            EXPECT_EQ(planner.find({30, 0, 30}, place).status, Status::kOutsideMap) << bad;
        }
    }
    EXPECT_EQ(planner.find({10, 0, 10}, {30, 0, 30}).status, Status::kFound);
}

TEST(NavmeshBadInput, PolygonsWithNonFiniteVerticesBelongToNoRegion) {
    Navmesh navmesh = build_navmesh(flat_level()).value();
    const dtMeshTile* tile = navmesh.mesh().getTileAt(0, 0, 0);
    const NavmeshAbstraction before(navmesh.mesh());
    tile->verts[tile->polys[0].verts[0] * 3] = kNan;
    const NavmeshAbstraction regions(navmesh.mesh());
    EXPECT_LT(regions.region_count(), before.region_count() + 1);
    EXPECT_EQ(regions.region_of(navmesh.mesh().getPolyRefBase(tile)), kNoNavmeshRegion);
    EXPECT_EQ(NavmeshPlanner(regions).find({25, 0, 25}, {35, 0, 35}).status, Status::kFound) << "the rest of the mesh is unaffected";
    EXPECT_NE(NavmeshPlanner(regions).find({5, 0, 5}, {35, 0, 35}).status, Status::kFound);
}

}  // namespace
}  // namespace terrane
