#include "terrane/mapgen/navmesh_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/checksum.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"
#include "terrane/navmesh/navmesh_picture.h"

namespace terrane {
namespace {

uint64_t hash(const TriangleMesh& mesh) {
    uint64_t sum = 0;
    for (const Vec3& v : mesh.vertices) {
        for (const float f : {v.x, v.y, v.z}) sum = detail::mix_word(sum, static_cast<uint64_t>(std::lround(double{f} * 1000)));
    }
    for (const auto& t : mesh.triangles) sum = detail::mix_word(detail::mix_word(detail::mix_word(sum, t[0]), t[1]), t[2]);
    for (const Terrain area : mesh.areas) sum = detail::mix_word(sum, area);
    return sum;
}

TEST(NavmeshWorld, GoldenWorld) { EXPECT_EQ(hash(generate_navmesh_source({200, 7}).value()), 6578318688469143664u); }

TEST(NavmeshWorld, DependsOnTheSeedOnly) {
    EXPECT_EQ(generate_navmesh_source({100, 3}).value(), generate_navmesh_source({100, 3}).value());
    EXPECT_FALSE(generate_navmesh_source({100, 3}).value() == generate_navmesh_source({100, 4}).value());
}

TEST(NavmeshWorld, HasItsSizeAndGentleSlopes) {
    const TriangleMesh mesh = generate_navmesh_source({200, 1}).value();
    const size_t corners = 101 * 101;
    ASSERT_GT(mesh.vertices.size(), corners);
    EXPECT_EQ(mesh.vertices[corners - 1].x, 200);
    EXPECT_EQ(mesh.vertices[corners - 1].z, 200);
    for (size_t i = 1; i < corners; ++i) {
        if (i % 101 == 0) continue;
        EXPECT_LE(std::abs(mesh.vertices[i].y - mesh.vertices[i - 1].y), 1.001f);
    }
    EXPECT_EQ(mesh.areas.size(), mesh.triangles.size());
    EXPECT_EQ(count_degenerate(mesh), 0u);
    EXPECT_GT(std::ranges::count(mesh.areas, kOutside), 0) << "trees and boulders";
}

TEST(NavmeshWorld, RefusesSizesThatItCannotMake) {
    for (const int32_t metres : {-1, 0, 63, 4001}) EXPECT_EQ(generate_navmesh_source({metres, 1}).error().code, ErrorCode::kBadValue);
    EXPECT_TRUE(generate_navmesh_source({64, 1}));
}

TEST(NavmeshWorld, BuildsTheSameOnAnyNumberOfThreads) {
    const TriangleMesh mesh = generate_navmesh_source({120, 2}).value();
    NavmeshBuildOptions options;
    const Navmesh navmesh = build_navmesh(mesh, options).value();
    EXPECT_EQ(navmesh.count().tiles, 36u);
    const auto areas = navmesh.count().by_area;
    EXPECT_GE(std::ranges::count_if(areas, [](uint32_t n) { return n > 0; }), 4) << "biomes are areas";
    options.threads = 4;
    EXPECT_TRUE(format_navmesh(build_navmesh(mesh, options).value()) == format_navmesh(navmesh));
    EXPECT_TRUE(format_navmesh(parse_navmesh(format_navmesh(navmesh)).value()) == format_navmesh(navmesh));
}

TEST(NavmeshWorld, EveryTileCanBeRebuiltAlone) {
    const TriangleMesh mesh = generate_navmesh_source({64, 5}).value();
    Navmesh navmesh = build_navmesh(mesh).value();
    const std::string before = format_navmesh(navmesh);
    for (int32_t y = 0; y < 4; ++y) {
        for (int32_t x = 0; x < 4; ++x) ASSERT_TRUE(rebuild_tile(navmesh, mesh, {}, {}, x, y));
    }
    EXPECT_TRUE(format_navmesh(navmesh) == before);
}

TEST(NavmeshPicture, ShowsAreasInTheirColours) {
    TriangleMesh mesh;
    mesh.vertices = {{0, 0, 0}, {0, 0, 20}, {20, 0, 20}, {20, 0, 0}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    mesh.areas.assign(2, *Catalogue::standard().find("swamp"));
    const Navmesh navmesh = build_navmesh(mesh).value();
    const NavmeshView view = view_from_above(navmesh, 200);
    EXPECT_EQ(view.width, 200);
    EXPECT_EQ(view.height, 200);
    const Picture picture = draw_navmesh(navmesh, view);
    const Point at = view.at({5, 0, 12});
    const Rgb swamp = Catalogue::standard()[mesh.areas[0]].colour;
    EXPECT_EQ(picture.at(static_cast<int32_t>(at.x), static_cast<int32_t>(at.y)), swamp);
    EXPECT_FALSE(picture.at(0, 0) == swamp) << "the margin";
}

}  // namespace
}  // namespace terrane
