#include "terrane/navmesh/navmesh_edit.h"

#include <gtest/gtest.h>
#include <recastnavigation/DetourNavMesh.h>

#include <array>
#include <functional>
#include <limits>

#include "navmesh/mesh_maker.h"
#include "navmesh/scenes.h"
#include "navmesh/validation/validate_tile.h"
#include "support/allocations.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {
namespace {

// An off-mesh connection leads from one tile to another.
Navmesh linked_level() {
    NavmeshAreas areas;
    areas.links = {{{5, 0, 5}, {25, 0, 25}, 1, true, "road"}};
    return build_navmesh(gap_level(), {}, areas).value();
}

std::vector<std::string> tile_data(const Navmesh& navmesh) {
    std::vector<std::string> data;
    for (const auto& [place, bytes] : navmesh_tiles(navmesh)) {
        data.push_back(format_navmesh_tile(navmesh, place));
        EXPECT_EQ(data.back().size(), bytes);
    }
    return data;
}

TEST(NavmeshEdit, TilesThatComeOneByOneMakeTheSameMesh) {
    const Navmesh level = linked_level();
    const std::string expected = format_navmesh(level);
    const std::vector<std::string> data = tile_data(level);
    ASSERT_EQ(data.size(), 4u);
    for (const std::array<size_t, 4> order : {std::array<size_t, 4>{0, 1, 2, 3}, {3, 1, 0, 2}}) {
        Navmesh navmesh = make_navmesh(navmesh_params(level)).value();
        NavmeshAbstraction regions(navmesh.mesh());
        for (const size_t tile : order) {
            const auto place = add_navmesh_tile(navmesh, regions, data[tile]);
            ASSERT_TRUE(place);
            EXPECT_EQ(*place, navmesh_tiles(level)[tile].place);
            EXPECT_EQ(regions, NavmeshAbstraction(navmesh.mesh()));
        }
        EXPECT_TRUE(format_navmesh(navmesh) == expected);
        EXPECT_EQ(NavmeshPlanner(regions).find({5, 0, 5}, {35, 0, 5}).status, Status::kFound);
        const NavmeshTilePlace last = navmesh_tiles(level)[order[3]].place;
        EXPECT_TRUE(remove_navmesh_tile(navmesh, regions, last));
        EXPECT_EQ(regions, NavmeshAbstraction(navmesh.mesh()));
        EXPECT_FALSE(remove_navmesh_tile(navmesh, regions, last));
        EXPECT_EQ(format_navmesh_tile(navmesh, last), "");
        ASSERT_TRUE(add_navmesh_tile(navmesh, regions, data[order[3]]));
        EXPECT_TRUE(format_navmesh(navmesh) == expected);
    }
}

TEST(NavmeshEdit, RefusesTilesThatTheMeshCannotTake) {
    const Navmesh level = linked_level();
    const std::vector<std::string> data = tile_data(level);
    NavmeshParams params = navmesh_params(level);
    params.max_tiles = 1;
    Navmesh navmesh = make_navmesh(params).value();
    NavmeshAbstraction regions(navmesh.mesh());
    for (size_t size = 0; size < data[0].size(); size += 13) EXPECT_FALSE(add_navmesh_tile(navmesh, regions, data[0].substr(0, size)));
    ASSERT_TRUE(add_navmesh_tile(navmesh, regions, data[0]));
    EXPECT_EQ(add_navmesh_tile(navmesh, regions, data[0]).error().reason, "there already is a tile at 0,0, layer 0: remove it first");
    EXPECT_EQ(add_navmesh_tile(navmesh, regions, data[1]).error().code, ErrorCode::kTooLarge);
    EXPECT_EQ(regions.tile_count(), 1u);
}

// Detour would write its first link into the detail meshes, whose indices are validated before.
TEST(NavmeshEdit, RefusesTilesWithoutLinks) {
    const std::string data = tile_data(linked_level())[0];
    std::vector<unsigned char> bytes(data.begin(), data.end());
    const detail::TileParts parts = detail::tile_parts(bytes);
    ASSERT_TRUE(parts.fits);
    const auto first = reinterpret_cast<unsigned char*>(parts.links.data()) - bytes.data();
    const auto size = static_cast<ptrdiff_t>(parts.links.size_bytes());
    parts.header->maxLinkCount = 0;
    bytes.erase(bytes.begin() + first, bytes.begin() + first + size);
    const Navmesh level = linked_level();
    Navmesh navmesh = make_navmesh(navmesh_params(level)).value();
    NavmeshAbstraction regions(navmesh.mesh());
    EXPECT_FALSE(add_navmesh_tile(navmesh, regions, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

TEST(NavmeshEdit, RefusesParametersThatDetourCannotAddress) {
    const NavmeshParams good{{1, 2, 3}, 20, 30, 1u << 12, 1u << 10};
    const NavmeshParams back = navmesh_params(make_navmesh(good).value());
    EXPECT_EQ(back.origin, good.origin);
    EXPECT_EQ(back.tile_height, 30);
    EXPECT_EQ(back.max_tiles, good.max_tiles);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const NavmeshParams& wrong :
         {NavmeshParams{{}, 20, 30, 1u << 12, 1u << 11}, NavmeshParams{{}, 0, 30, 4, 4}, NavmeshParams{{}, 20, nan, 4, 4},
          NavmeshParams{{nan, 0, 0}, 20, 20, 4, 4}, NavmeshParams{{}, 20, 20, 0, 4}, NavmeshParams{{}, 20, 20, 4, 0x80000004}}) {
        EXPECT_EQ(make_navmesh(wrong).error().code, ErrorCode::kBadValue);
    }
}

// A floor of 8x8 cells in tiles of 4x4, a polygon of 10 units each.
TEST(NavmeshEdit, ChangesThePolygonsThatTouchTheBox) {
    test::DrawnMesh drawn(8, 8, 4);
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) drawn.cell(x, y).area = 1;
    }
    drawn.add_all();
    Navmesh navmesh = [&] {
        Navmesh copy = make_navmesh({{}, 40, 40, 8, 64}).value();
        NavmeshAbstraction regions(copy.mesh());
        for (int i = 0; i < 4; ++i) {
            const dtMeshTile* tile = drawn.mesh().getTileAt(i % 2, i / 2, 0);
            const std::string_view data(reinterpret_cast<const char*>(tile->data), static_cast<size_t>(tile->dataSize));
            EXPECT_TRUE(add_navmesh_tile(copy, regions, data));
        }
        return copy;
    }();
    NavmeshAbstraction regions(navmesh.mesh());
    const auto change = [&](Vec3 low, Vec3 high) {
        const uint32_t count = set_navmesh_polygons(navmesh, regions, {low, high}, {.area = 2, .flags = {}});
        EXPECT_EQ(regions, NavmeshAbstraction(navmesh.mesh()));
        return count;
    };
    const uint64_t version = regions.version();
    EXPECT_EQ(change({15, 1, 15}, {15, 2, 15}), 0u) << "above";
    EXPECT_EQ(change({-20, -1, 0}, {-1, 1, 80}), 0u) << "beside";
    EXPECT_EQ(regions.version(), version);
    EXPECT_EQ(change({15, 0, 15}, {15, 0, 15}), 1u);
    EXPECT_EQ(change({15, 0, 15}, {15, 0, 15}), 1u) << "as it was";
    EXPECT_EQ(regions.regions_with_area(2), 1u);
    EXPECT_EQ(regions.version(), version + 1);
    EXPECT_EQ(change({35, -1, 35}, {45, 1, 45}), 4u) << "in four tiles";
    EXPECT_EQ(regions.regions_with_area(2), 5u);
    EXPECT_EQ(set_navmesh_polygons(navmesh, regions, {{0, 0, 0}, {80, 0, 80}}, {.area = {}, .flags = 0}), 64u);
    EXPECT_EQ(regions.regions_with_area(2), 5u);
    EXPECT_EQ(NavmeshPlanner(regions).find({5, 0, 5}, {75, 0, 75}).status, Status::kBlockedStart);
}

TEST(NavmeshEdit, PolygonsWhoseBoundsAloneTouchTheBoxStay) {
    const TriangleMesh triangle{{{0, 0, 0}, {0, 0, 12}, {12, 0, 12}}, {{0, 1, 2}}, {}};
    NavmeshBuildOptions options;
    options.agent_radius = 0;
    options.region_cells = 0;
    Navmesh navmesh = build_navmesh(triangle, options).value();
    NavmeshAbstraction regions(navmesh.mesh());
    EXPECT_EQ(set_navmesh_polygons(navmesh, regions, {{10, -1, 0}, {12, 1, 2}}, {.area = 2, .flags = {}}), 0u);
    EXPECT_GT(set_navmesh_polygons(navmesh, regions, {{1, -1, 9}, {2, 1, 10}}, {.area = 2, .flags = {}}), 0u);
}

TEST(NavmeshEdit, PointsBeyondAllTileNumbersAreOutside) {
    const Navmesh level = linked_level();
    const NavmeshAbstraction regions(level.mesh());
    const float far = std::numeric_limits<float>::max();
    EXPECT_EQ(NavmeshPlanner(regions).find({5, 0, 5}, {far, 0, 5}).status, Status::kOutsideMap);
    EXPECT_EQ(NavmeshPlanner(regions).find({5, 0, -far}, {5, 0, 5}).status, Status::kOutsideMap);
}

TEST(NavmeshEdit, AreAllOrNothingWithoutMemory) {
    if (!test::can_fail_allocations()) GTEST_SKIP() << "allocation failures end this program";
    const Navmesh level = linked_level();
    const std::string expected = format_navmesh(level);
    const std::vector<std::string> data = tile_data(level);
    const uint64_t count = test::fail_each_allocation([&](test::Failure& failure) {
        Navmesh navmesh = parse_navmesh(expected).value();
        NavmeshAbstraction regions(navmesh.mesh());
        NavmeshPlanner planner(regions);
        const auto check = [&](const std::function<bool()>& work) {
            const std::string before = format_navmesh(navmesh);
            const uint64_t version = regions.version();
            bool done = false;
            if (failure.in([&] { done = work(); })) {
                ASSERT_TRUE(done);
                return;
            }
            ASSERT_TRUE(format_navmesh(navmesh) == before);
            ASSERT_EQ(regions.version(), version);
            ASSERT_TRUE(regions.is_current());
            ASSERT_EQ(regions, NavmeshAbstraction(navmesh.mesh()));
            ASSERT_NE(planner.find({5, 0, 5}, {35, 0, 35}).status, Status::kStale);
            ASSERT_TRUE(work());
        };
        check([&] { return remove_navmesh_tile(navmesh, regions, {1, 1, 0}); });
        check([&] { return add_navmesh_tile(navmesh, regions, data[3]).has_value(); });
        ASSERT_TRUE(format_navmesh(navmesh) == expected);
        check([&] { return set_navmesh_polygons(navmesh, regions, {{15, -1, 15}, {25, 1, 25}}, {.area = 3, .flags = 2}) > 3; });
        ASSERT_EQ(regions, NavmeshAbstraction(navmesh.mesh()));
    });
    EXPECT_GT(count, 50u);
}

}  // namespace
}  // namespace terrane
