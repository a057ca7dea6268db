// Allocation failures in navmesh: at each allocation of ours during build, save, load, update and query, and at each of Detour's during
// load. docs/world.md lists what Recast and Detour do otherwise.
#include <gtest/gtest.h>
#include <recastnavigation/DetourAlloc.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "navmesh/mesh_maker.h"
#include "navmesh/scenes.h"
#include "support/allocations.h"
#include "support/temporary.h"
#include "terrane/base/file.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"
#include "terrane/navmesh/navmesh_obstacles.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane::test {
namespace {

class NavmeshOutOfMemory : public ::testing::Test {
protected:
    void SetUp() override {
        if (!can_fail_allocations()) GTEST_SKIP() << "allocation failures end this program";
    }
    static void report(uint64_t count, uint64_t least) {
        EXPECT_GE(count, least);
        RecordProperty("allocations", std::to_string(count));
    }
};

TEST_F(NavmeshOutOfMemory, BuildingThrowsAndLosesNothing) {
    const TriangleMesh level = gap_level();
    const std::string expected = format_navmesh(build_navmesh(level).value());
    report(fail_each_allocation([&](Failure& failure) {
               std::optional<Navmesh> mesh;
               const auto build = [&] { mesh.emplace(build_navmesh(level).value()); };
               if (!failure.in(build)) build();
               const auto rebuild = [&] { ASSERT_TRUE(rebuild_tile(*mesh, level, {}, {}, 1, 0)); };
               if (!failure.in(rebuild)) rebuild();
               const auto format = [&] { ASSERT_EQ(format_navmesh(*mesh), expected); };
               if (!failure.in(format)) format();
           }),
           20);
}

TEST_F(NavmeshOutOfMemory, FilesAreLoadedOrNot) {
    const TemporaryFolder folder;
    const std::string path = folder / "f.navmesh";
    const Navmesh mesh = build_navmesh(gap_level()).value();
    const std::string expected = format_navmesh(mesh);
    report(fail_each_allocation([&](Failure& failure) {
               ASSERT_TRUE(write_file(path, "old"));
               const bool done = failure.in([&] { ASSERT_TRUE(save_navmesh(mesh, path)); });
               ASSERT_FALSE(std::filesystem::exists(path + ".partial"));
               ASSERT_EQ(read_file(path, 1 << 20).value(), done ? expected : "old");
           }),
           5);
    ASSERT_TRUE(save_navmesh(mesh, path));
    report(fail_each_allocation(
               [&](Failure& failure) { failure.in([&] { ASSERT_EQ(format_navmesh(load_navmesh(path).value()), expected); }); }),
           10);
}

TEST_F(NavmeshOutOfMemory, AreasAreReadOrNot) {
    const char* text = "area mud 120 90 40\nflags mud 3\nvolume mud -1 4  10 10  20 10  15 25\nlink mud 3 0 2  8 1.5 2  0.6 one_way\n";
    report(fail_each_allocation([&](Failure& failure) { failure.in([&] { ASSERT_TRUE(parse_areas(text)); }); }), 5);
}

constexpr const char* kTiles = R"(..1122
                                  ..1122
                                  ##.#.#
                                  ...#..
                                  22.#..
                                  22...1)";

// After a failure the regions are unchanged; reporting the change again updates them.
TEST_F(NavmeshOutOfMemory, ChangesOfTilesAreAllOrNothing) {
    report(fail_each_allocation([&](Failure& failure) {
               DrawnMesh drawn = DrawnMesh::draw(kTiles, 3);
               std::optional<NavmeshAbstraction> made;
               const auto make = [&] { made.emplace(drawn.mesh()); };
               if (!failure.in(make)) make();
               const NavmeshAbstraction before = *made;
               const dtTileRef tile = drawn.mesh().getTileRefAt(1, 0, 0);
               ASSERT_TRUE(dtStatusSucceed(drawn.mesh().setPolyArea(drawn.mesh().getPolyRefBase(drawn.mesh().getTileByRef(tile)), 3)));
               const auto tell = [&] { ASSERT_TRUE(made->tile_changed(tile)); };
               if (!failure.in(tell)) {
                   ASSERT_EQ(*made, before);
                   ASSERT_EQ(made->version(), before.version());
                   ASSERT_EQ(made->regions_with_area(3), before.regions_with_area(3));
                   tell();
               }
               ASSERT_EQ(*made, NavmeshAbstraction(drawn.mesh()));
               ASSERT_EQ(made->regions_with_area(3), 1u);
           }),
           50);
}

TEST_F(NavmeshOutOfMemory, QueriesReportItAndTheNextOneWorks) {
    DrawnMesh drawn = DrawnMesh::draw(kTiles, 3);
    const NavmeshAbstraction regions(drawn.mesh());
    const Vec3 from = drawn.centre(0, 0), to = drawn.centre(5, 5);
    for (const bool portals : {false, true}) {
        NavmeshFindOptions options;
        options.method.portals = portals;
        NavmeshFilter filter;
        filter.costs.cost[2] = 300;
        const NavmeshPath expected = NavmeshPlanner(regions).find(from, to, filter, options);
        ASSERT_EQ(expected.status, Status::kFound);
        report(fail_each_allocation([&](Failure& failure) {
                   NavmeshPlanner planner(regions);
                   NavmeshPath path;
                   const bool done = failure.in([&] { planner.find(from, to, filter, options, path); });
                   ASSERT_TRUE(done);
                   ASSERT_TRUE(path.status == Status::kFound || (failure.met() && path.status == Status::kOutOfMemory));
                   ASSERT_TRUE(path.status == Status::kFound || (path.points.empty() && path.corridor.empty() && path.cost == 0));
                   planner.find(from, to, filter, options, path);
                   ASSERT_EQ(path.corridor, expected.corridor);
                   ASSERT_EQ(path.cost, expected.cost);
               }),
               20);
    }
}

TEST_F(NavmeshOutOfMemory, NearestPathsAndDisconnectedMeshesToo) {
    DrawnMesh drawn = DrawnMesh::draw(R"(...#.
                                         .2.#.
                                         ...#.)",
                                      2);
    const NavmeshAbstraction regions(drawn.mesh());
    NavmeshFindOptions options;
    options.nearest = true;
    report(fail_each_allocation([&](Failure& failure) {
               NavmeshPlanner planner(regions);
               NavmeshPath path;
               ASSERT_TRUE(failure.in([&] { planner.find(drawn.centre(0, 0), drawn.centre(4, 0), {}, options, path); }));
               ASSERT_TRUE(path.status == Status::kPartial || (failure.met() && path.status == Status::kOutOfMemory));
               planner.find(drawn.centre(0, 0), drawn.centre(4, 0), {}, options, path);
               ASSERT_EQ(path.status, Status::kPartial);
           }),
           20);
}

TEST_F(NavmeshOutOfMemory, ObstaclesComeAndGoOrNot) {
    const TriangleMesh level = flat_level();
    report(fail_each_allocation([&](Failure& failure) {
               std::optional<NavmeshObstacles> made;
               const auto build = [&] { made.emplace(build_navmesh_with_obstacles(level).value()); };
               if (!failure.in(build)) build();
               NavmeshAbstraction regions(made->navmesh().mesh());
               std::optional<ObstacleId> id;
               const auto add = [&] { id = made->add(CylinderObstacle{{10, 0, 10}, 2, 2}).value(); };
               if (!failure.in(add)) {
                   ASSERT_EQ(made->size(), 0u);
                   add();
               }
               ASSERT_EQ(made->size(), 1u);
               const auto update = [&] { ASSERT_TRUE(made->update(regions)); };
               if (!failure.in(update)) update();
               ASSERT_TRUE(made->is_up_to_date());
               ASSERT_EQ(regions, NavmeshAbstraction(made->navmesh().mesh()));
               const auto remove = [&] { ASSERT_TRUE(made->remove(*id)); };
               if (!failure.in(remove)) remove();
               update();
               ASSERT_EQ(made->size(), 0u);
           }),
           50);
}

// Detour's allocator fails at its n-th call; 0: never.
uint64_t g_detour_calls = 0, g_detour_fails_at = 0;

void* detour_malloc(size_t size, dtAllocHint) { return ++g_detour_calls == g_detour_fails_at ? nullptr : std::malloc(size); }

class DetourOutOfMemory : public ::testing::Test {
protected:
    void SetUp() override { dtAllocSetCustom(detour_malloc, std::free); }
    void TearDown() override { dtAllocSetCustom(nullptr, nullptr); }

    // Runs `work` with a failure at each of its Detour allocations in turn, and returns their number.
    template <class Work>
    static uint64_t fail_each(Work&& work) {
        for (uint64_t n = 1;; ++n) {
            g_detour_calls = 0;
            g_detour_fails_at = n;
            work();
            const bool met = g_detour_calls >= n;
            g_detour_fails_at = 0;
            if (!met || HasFailure()) return n - 1;
        }
    }
};

TEST_F(DetourOutOfMemory, FilesAreRefused) {
    const std::string bytes = format_navmesh(build_navmesh(gap_level()).value());
    const uint64_t count = fail_each([&] {
        const auto mesh = parse_navmesh(bytes);
        if (g_detour_calls < g_detour_fails_at) {
            ASSERT_TRUE(mesh);
        } else {
            ASSERT_FALSE(mesh);
            ASSERT_EQ(mesh.error().code, ErrorCode::kNoMemory);
        }
    });
    EXPECT_GE(count, 5u);
    RecordProperty("allocations", std::to_string(count));
}

}  // namespace
}  // namespace terrane::test
