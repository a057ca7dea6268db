// Navigation meshes in C, against the library: the same defaults, and allocation failures at each single allocation. In C++, because meshes
// allocate with operator new.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "navmesh/scenes.h"
#include "support/allocations.h"
#include "terrane/navmesh/navmesh_file.h"
#include "terrane/navmesh/navmesh_obstacles.h"
#include "terrane/navmesh/navmesh_planner.h"
#include "terrane_c.h"

namespace terrane::test {
namespace {

template <class T>
T sized() {
    T out{};
    out.size = sizeof out;
    return out;
}

terrane_navmesh* build(const TriangleMesh& level, const terrane_navmesh_options* options, terrane_error* error = nullptr) {
    std::vector<terrane_position> vertices;
    std::vector<uint32_t> indices;
    for (const Vec3& v : level.vertices) vertices.push_back({v.x, v.y, v.z});
    for (const auto& triangle : level.triangles) indices.insert(indices.end(), triangle.begin(), triangle.end());
    return terrane_navmesh_build(vertices.data(), vertices.size(), indices.data(), level.triangles.size(), nullptr, nullptr, options,
                                 error);
}

std::string bytes_of(const terrane_navmesh* navmesh) {
    std::string bytes(terrane_navmesh_save(navmesh, nullptr, 0, nullptr), '\0');
    EXPECT_EQ(terrane_navmesh_save(navmesh, bytes.data(), bytes.size(), nullptr), bytes.size());
    return bytes;
}

terrane_navmesh_path_info info_of(const terrane_navmesh_path* path) {
    auto info = sized<terrane_navmesh_path_info>();
    EXPECT_EQ(terrane_navmesh_path_get_info(path, &info, nullptr), TERRANE_OK);
    return info;
}

TEST(CapiNavmesh, DefaultsAreThoseOfTheLibrary) {
    const auto zeros = sized<terrane_navmesh_options>();
    const Navmesh ours = build_navmesh(gap_level()).value();
    const NavmeshAbstraction regions(ours.mesh());
    const NavmeshPath want = NavmeshPlanner(regions).find({5, 0, 5}, {35, 0, 5});
    for (const terrane_navmesh_options* options : {&zeros, static_cast<const terrane_navmesh_options*>(nullptr)}) {
        terrane_navmesh* theirs = build(gap_level(), options);
        EXPECT_TRUE(bytes_of(theirs) == format_navmesh(ours));
        terrane_navmesh_planner* planner = terrane_navmesh_planner_new(theirs, nullptr);
        terrane_navmesh_path* path = terrane_navmesh_path_new(nullptr);
        const auto filter = sized<terrane_navmesh_filter>();
        const auto with = sized<terrane_navmesh_find_options>();
        ASSERT_EQ(terrane_navmesh_find(planner, {5, 0, 5}, {35, 0, 5}, &filter, &with, path, nullptr), TERRANE_OK);
        EXPECT_EQ(info_of(path).cost, want.cost);
        EXPECT_EQ(info_of(path).expansions, want.expansions);
        terrane_navmesh_path_free(path);
        terrane_navmesh_planner_free(planner);
        terrane_navmesh_free(theirs);
    }
    auto options = sized<terrane_navmesh_options>();
    options.obstacles = 1;
    terrane_navmesh* theirs = build(gap_level(), &options);
    EXPECT_TRUE(bytes_of(theirs) == format_navmesh(build_navmesh_with_obstacles(gap_level()).value().navmesh()));
    terrane_navmesh_free(theirs);
}

TEST(CapiNavmesh, NegativeOptionsAreZero) {
    auto options = sized<terrane_navmesh_options>();
    options.agent_radius = options.edge_length = -1;
    options.threads = 2;
    terrane_navmesh* theirs = build(gap_level(), &options);
    NavmeshBuildOptions ours;
    ours.agent_radius = ours.edge_length = 0;
    EXPECT_TRUE(bytes_of(theirs) == format_navmesh(build_navmesh(gap_level(), ours).value()));
    terrane_navmesh_free(theirs);
}

// Runs work() with the failure. It must report it, and succeed when called again.
void call(Failure& failure, const std::function<terrane_code(terrane_error*)>& work) {
    auto error = sized<terrane_error>();
    terrane_code code = TERRANE_OK;
    ASSERT_TRUE(failure.in([&] { code = work(&error); })) << "an exception passed through C";
    if (code == TERRANE_OK) return;
    ASSERT_TRUE(failure.met());
    ASSERT_EQ(code, TERRANE_NO_MEMORY) << error.message;
    ASSERT_EQ(error.code, TERRANE_NO_MEMORY);
    ASSERT_EQ(work(&error), TERRANE_OK);
}

// The same for a call that makes a handle.
template <class Handle>
void make(Failure& failure, Handle*& handle, const std::function<Handle*(terrane_error*)>& work) {
    call(failure, [&](terrane_error* error) {
        handle = work(error);
        return handle != nullptr ? terrane_code{TERRANE_OK} : error->code;
    });
}

class CapiNavmeshOutOfMemory : public testing::Test {
protected:
    void SetUp() override {
        if (!can_fail_allocations()) GTEST_SKIP() << "an allocation failure aborts this program";
    }
};

TEST_F(CapiNavmeshOutOfMemory, MeshesAreMadeOrNot) {
    const TriangleMesh level = flat_level();
    const std::vector<terrane_position> vertices = {{0, 0, 0}, {0, 0, 40}, {40, 0, 40}, {40, 0, 0}};
    const std::vector<uint32_t> indices = {0, 1, 2, 0, 2, 3};
    const std::string bytes = format_navmesh(build_navmesh(level).value());
    for (const uint32_t obstacles : {0u, 1u}) {
        auto options = sized<terrane_navmesh_options>();
        options.obstacles = obstacles;
        const uint64_t count = fail_each_allocation([&](Failure& failure) {
            terrane_navmesh *built = nullptr, *read = nullptr, *empty = nullptr;
            make<terrane_navmesh>(failure, built, [&](terrane_error* error) {
                return terrane_navmesh_build(vertices.data(), 4, indices.data(), 2, nullptr, "flags road 2\n", &options, error);
            });
            make<terrane_navmesh>(failure, read,
                                  [&](terrane_error* error) { return terrane_navmesh_from_bytes(bytes.data(), bytes.size(), "a", error); });
            const terrane_navmesh_params params{sizeof params, 4, 64, 20, 20, {0, 0, 0}};
            make<terrane_navmesh>(failure, empty, [&](terrane_error* error) { return terrane_navmesh_new(&params, nullptr, error); });
            for (terrane_navmesh* navmesh : {built, read, empty}) terrane_navmesh_free(navmesh);
        });
        EXPECT_GT(count, 50u);
    }
}

TEST_F(CapiNavmeshOutOfMemory, ChangesAndQueriesAreAllOrNothing) {
    const std::string level = format_navmesh(build_navmesh(gap_level()).value());
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        terrane_navmesh* navmesh = terrane_navmesh_from_bytes(level.data(), level.size(), nullptr, nullptr);
        terrane_navmesh_planner* planner = nullptr;
        terrane_navmesh_path* path = nullptr;
        make<terrane_navmesh_planner>(failure, planner, [&](terrane_error* error) { return terrane_navmesh_planner_new(navmesh, error); });
        make<terrane_navmesh_path>(failure, path, terrane_navmesh_path_new);
        const auto find = [&](terrane_error* error) {
            return terrane_navmesh_find(planner, {5, 0, 5}, {35, 0, 5}, nullptr, nullptr, path, error);
        };
        call(failure, find);
        ASSERT_EQ(info_of(path).status, TERRANE_FOUND);
        const double cost = info_of(path).cost;

        std::string data;
        data.resize(terrane_navmesh_tile_data(navmesh, 1, 1, 0, nullptr, 0, nullptr));
        call(failure, [&](terrane_error* error) {
            const size_t written = terrane_navmesh_tile_data(navmesh, 1, 1, 0, data.data(), data.size(), error);
            return written == data.size() ? terrane_code{TERRANE_OK} : error->code;
        });
        call(failure, [&](terrane_error* error) { return terrane_navmesh_remove_tile(navmesh, 1, 1, 0, error); });
        call(failure, [&](terrane_error* error) { return terrane_navmesh_add_tile(navmesh, data.data(), data.size(), nullptr, error); });
        ASSERT_TRUE(bytes_of(navmesh) == level);
        call(failure, find);
        ASSERT_EQ(info_of(path).cost, cost);
        call(failure, [&](terrane_error* error) {
            return terrane_navmesh_set_area(navmesh, {19, -1, 19}, {21, 1, 29}, 4, TERRANE_KEEP, nullptr, error);
        });
        ASSERT_EQ(terrane_navmesh_up_to_date(navmesh), 1);
        ASSERT_TRUE(failure.in([&] {
            terrane_navmesh_triangles(navmesh, nullptr, 0);
            terrane_navmesh_tiles(navmesh, nullptr, 0);
        }));
        terrane_navmesh_free(navmesh);
        terrane_navmesh_planner_free(planner);
        terrane_navmesh_path_free(path);
    });
    EXPECT_GT(count, 100u);
}

TEST_F(CapiNavmeshOutOfMemory, ObstaclesComeAndGo) {
    auto options = sized<terrane_navmesh_options>();
    options.obstacles = 1;
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        terrane_navmesh* navmesh = build(flat_level(), &options);
        const std::string open = bytes_of(navmesh);
        uint32_t box = 0;
        call(failure, [&](terrane_error* error) {
            box = terrane_navmesh_add_box(navmesh, {9, 0, 9}, {11, 2, 11}, error);
            return box != 0 ? terrane_code{TERRANE_OK} : error->code;
        });
        const auto update = [&](terrane_error* error) { return terrane_navmesh_update(navmesh, TERRANE_UNLIMITED, nullptr, error); };
        call(failure, update);
        ASSERT_EQ(terrane_navmesh_up_to_date(navmesh), 1);
        ASSERT_FALSE(bytes_of(navmesh) == open);
        call(failure, [&](terrane_error* error) { return terrane_navmesh_remove_obstacle(navmesh, box, error); });
        call(failure, update);
        ASSERT_TRUE(bytes_of(navmesh) == open);
        terrane_navmesh_free(navmesh);
    });
    EXPECT_GT(count, 20u);
}

}  // namespace
}  // namespace terrane::test
