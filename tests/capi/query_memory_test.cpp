// Allocation failures of request queues, floods, watched paths and saved data in C: at each single allocation. In C++, because they
// allocate with operator new, too.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "support/allocations.h"
#include "terrane_c.h"

namespace terrane::test {
namespace {

template <class T>
T sized() {
    T all{};
    all.size = sizeof all;
    return all;
}

// Calls work(error), which returns whether it succeeded. If it did not, that was an allocation failure, check() runs and a second call
// must succeed.
void call(
    Failure& failure, const std::function<bool(terrane_error*)>& work, const std::function<void()>& check = [] {}) {
    auto error = sized<terrane_error>();
    bool done = false;
    ASSERT_TRUE(failure.in([&] { done = work(&error); })) << "an exception passed through C";
    if (done) return;
    ASSERT_TRUE(failure.met());
    ASSERT_EQ(error.code, TERRANE_NO_MEMORY);
    check();
    error = sized<terrane_error>();
    ASSERT_TRUE(work(&error)) << error.message;
}

class CapiQueryOutOfMemory : public testing::Test {
protected:
    void SetUp() override {
        if (!can_fail_allocations()) GTEST_SKIP() << "an allocation failure aborts this program";
        std::vector<uint8_t> cells(kWidth * kHeight, 5);
        cells[kWidth + 2] = 0;
        profile = terrane_profile_new("walker", nullptr);
        terrane_profile_cost(profile, "black", 0);
        world = terrane_world_from_cells(kWidth, kHeight, cells.data(), nullptr, 0, nullptr, nullptr);
        path = terrane_path_new(nullptr);
    }
    void TearDown() override {
        terrane_path_free(path);
        terrane_profile_free(profile);
        terrane_world_free(world);
    }
    static terrane_path_info info_of(const terrane_path* of) {
        auto info = sized<terrane_path_info>();
        terrane_path_get_info(of, &info, nullptr);
        return info;
    }

    static constexpr int32_t kWidth = 40, kHeight = 6;
    terrane_world* world = nullptr;
    terrane_profile* profile = nullptr;
    terrane_path* path = nullptr;
};

// A queue of more requests than its first reservation holds; two of them pause each other.
TEST_F(CapiQueryOutOfMemory, AQueueReportsItAndStaysUsable) {
    constexpr size_t kRequests = 11;
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        terrane_queue* queue = nullptr;
        call(failure, [&](terrane_error* error) { return (queue = terrane_queue_new(world, nullptr, error)) != nullptr; });
        std::array<uint64_t, kRequests> ids{};
        for (size_t i = 0; i < kRequests; ++i) {
            auto options = sized<terrane_find_options>();
            std::string(i % 2 == 0 ? "astar" : "dta:16+smooth").copy(options.method, sizeof options.method - 1);
            const auto add = [&](terrane_error* error) {
                const auto priority = static_cast<int32_t>(i % 3);
                ids[i] = terrane_queue_add(queue, {0, 0}, {kWidth - 1, static_cast<int32_t>(i % 5)}, profile, &options, priority, error);
                return ids[i] != 0;
            };
            call(failure, add, [&] { EXPECT_EQ(terrane_queue_waiting(queue), i); });
            ASSERT_TRUE(failure.in([&] { terrane_queue_run(queue, 1); }));
        }
        ASSERT_TRUE(failure.in([&] { terrane_queue_run(queue, TERRANE_UNLIMITED); }));
        EXPECT_EQ(terrane_queue_waiting(queue), 0u);
        for (const uint64_t id : ids) {
            const terrane_status status = terrane_queue_status(queue, id);
            EXPECT_TRUE(status == TERRANE_FOUND || (status == TERRANE_OUT_OF_MEMORY && failure.met()));
            const auto take = [&](terrane_error* error) { return terrane_queue_take(queue, id, path, error) == TERRANE_OK; };
            const terrane_path_info before = info_of(path);
            call(failure, take, [&] {
                EXPECT_EQ(info_of(path).status, before.status);
                EXPECT_EQ(info_of(path).cells, before.cells);
                EXPECT_EQ(terrane_queue_status(queue, id), status);
            });
            EXPECT_EQ(info_of(path).status, status);
            EXPECT_EQ(info_of(path).cells > 0, status == TERRANE_FOUND);
        }
        // After the failure, every request is answered.
        const uint64_t last = terrane_queue_add(queue, {0, 0}, {kWidth - 1, 0}, profile, nullptr, 0, nullptr);
        terrane_queue_run(queue, TERRANE_UNLIMITED);
        EXPECT_EQ(terrane_queue_status(queue, last), TERRANE_FOUND);
        terrane_queue_free(queue);
        terrane_path_free(path);
        path = terrane_path_new(nullptr);
    });
    EXPECT_GT(count, 60u);
}

TEST_F(CapiQueryOutOfMemory, NearestCellsAndCosts) {
    const std::array<terrane_cell, 3> goals = {{{kWidth - 1, 0}, {kWidth - 2, 5}, {-1, 0}}};
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        terrane_planner* planner = terrane_planner_new(world, nullptr);
        terrane_path* found = terrane_path_new(nullptr);
        const auto unchanged = [&] { EXPECT_EQ(info_of(found).status, TERRANE_NOT_ASKED); };
        const auto nearest = [&](terrane_error* error) {
            return terrane_find_nearest(planner, {0, 0}, goals.data(), goals.size(), profile, 0, found, error) == TERRANE_OK;
        };
        call(failure, nearest, unchanged);
        EXPECT_EQ(info_of(found).cells, static_cast<uint32_t>(kWidth));
        const auto obstacle = [&](terrane_error* error) {
            return terrane_find_nearest_terrain(planner, {0, 0}, 5, profile, 0, found, error) == TERRANE_OK;
        };
        call(failure, obstacle);
        EXPECT_EQ(info_of(found).cells, 1u);
        std::array<uint64_t, 3> costs = {7, 7, 7};
        const auto ask = [&](terrane_error* error) {
            return terrane_find_costs(planner, {0, 0}, goals.data(), goals.size(), profile, 0, costs.data(), error) == TERRANE_OK;
        };
        call(failure, ask, [&] { EXPECT_EQ(costs, (std::array<uint64_t, 3>{7, 7, 7})); });
        EXPECT_EQ(costs[0], uint64_t{TERRANE_COST_PER_UNIT} * (kWidth - 1));
        EXPECT_EQ(costs[2], TERRANE_NO_PATH);
        terrane_path_free(found);
        terrane_planner_free(planner);
    });
    EXPECT_GT(count, 10u);
}

TEST_F(CapiQueryOutOfMemory, Floods) {
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        terrane_planner* planner = terrane_planner_new(world, nullptr);
        terrane_path* found = terrane_path_new(nullptr);
        const auto flood = [&](terrane_error* error) { return terrane_flood(planner, {0, 0}, 0, profile, 0, error) == TERRANE_OK; };
        call(failure, flood, [&] { EXPECT_EQ(terrane_flood_cells(planner, nullptr, 0, nullptr), 0u); });
        std::array<terrane_reached_cell, kWidth * kHeight> reached{};
        const auto list = [&](terrane_error* error) {
            return terrane_flood_cells(planner, reached.data(), reached.size(), error) == kWidth * kHeight - 1;
        };
        call(failure, list, [&] { EXPECT_EQ(reached[0].cost + reached[1].cost, 0u); });
        std::array<uint64_t, kWidth * kHeight> costs{};
        call(failure, [&](terrane_error* error) { return terrane_flood_costs(planner, costs.data(), costs.size(), error) > 0; });
        EXPECT_EQ(costs[kWidth - 1], uint64_t{TERRANE_COST_PER_UNIT} * (kWidth - 1));
        const auto to = [&](terrane_error* error) { return terrane_flood_path(planner, {kWidth - 1, 0}, found, error) == TERRANE_OK; };
        call(failure, to, [&] { EXPECT_EQ(info_of(found).status, TERRANE_NOT_ASKED); });
        EXPECT_EQ(info_of(found).cells, static_cast<uint32_t>(kWidth));
        terrane_path_free(found);
        terrane_planner_free(planner);
    });
    EXPECT_GT(count, 10u);
}

void prepare(terrane_world* world, const terrane_profile* profile, const terrane_prepare_options& options) {
    terrane_preparation* preparation = terrane_prepare_begin(world, profile, &options, nullptr);
    ASSERT_NE(preparation, nullptr);
    ASSERT_EQ(terrane_prepare_run(preparation, TERRANE_UNLIMITED), 1);
    ASSERT_EQ(terrane_prepare_install(preparation, world, nullptr), TERRANE_OK);
    terrane_prepare_free(preparation);
}

TEST_F(CapiQueryOutOfMemory, PathDatabasesAndSavedWorlds) {
    auto database = sized<terrane_prepare_options>(), overlay = database;
    std::string("cpd").copy(database.method, sizeof database.method - 1);
    prepare(world, profile, database);
    prepare(world, profile, overlay);
    std::string bytes(terrane_path_database_save(world, profile, &database, nullptr, 0, nullptr), 0);
    ASSERT_EQ(terrane_path_database_save(world, profile, &database, bytes.data(), bytes.size(), nullptr), bytes.size());
    std::string saved(terrane_world_save(world, "terrane", nullptr, 0, nullptr), 0);
    ASSERT_EQ(terrane_world_save(world, "terrane", saved.data(), saved.size(), nullptr), saved.size());
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        terrane_world* copy = terrane_world_copy(world, nullptr, nullptr);
        const auto install = [&](terrane_error* error) {
            return terrane_path_database_install(copy, profile, 0, bytes.data(), bytes.size(), nullptr, error) == TERRANE_OK;
        };
        call(failure, install, [&] { EXPECT_EQ(terrane_prepared_bytes(copy, profile, &database, nullptr), 0u); });
        const auto save = [&](terrane_error* error) {
            return terrane_path_database_save(copy, profile, &database, nullptr, 0, error) == bytes.size();
        };
        call(failure, save);
        terrane_world* loaded = nullptr;
        const auto load = [&](terrane_error* error) {
            return (loaded = terrane_world_from_bytes(saved.data(), saved.size(), nullptr, nullptr, error)) != nullptr;
        };
        call(failure, load);
        EXPECT_GT(terrane_prepared_bytes(loaded, profile, &overlay, nullptr), 0u);
        call(failure, [&](terrane_error* error) { return terrane_world_save(loaded, "terrane", nullptr, 0, error) == saved.size(); });
        terrane_world_free(loaded);
        terrane_world_free(copy);
    });
    EXPECT_GT(count, 100u);
}

TEST_F(CapiQueryOutOfMemory, WatchedPaths) {
    terrane_planner* planner = terrane_planner_new(world, nullptr);
    ASSERT_EQ(terrane_find(planner, {0, 0}, {kWidth - 1, 0}, profile, nullptr, path, nullptr), TERRANE_OK);
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        terrane_world* copy = terrane_world_copy(world, nullptr, nullptr);
        std::array<uint64_t, 10> ids{};
        for (size_t i = 0; i < ids.size(); ++i) {
            const auto watch = [&](terrane_error* error) { return (ids[i] = terrane_world_watch(copy, path, error)) != 0; };
            call(failure, watch, [&] { EXPECT_EQ(terrane_world_watched(copy), i); });
        }
        auto edit = sized<terrane_edit>();
        const auto fill = [&](terrane_error* error) { return terrane_world_fill(copy, {5, 0, 1, 1}, 0, &edit, error) == TERRANE_OK; };
        call(failure, fill, [&] { EXPECT_EQ(terrane_world_broken(copy, nullptr, 0), 0u); });
        std::array<uint64_t, 10> broken{};
        EXPECT_EQ(edit.broken, ids.size());
        EXPECT_EQ(terrane_world_broken(copy, broken.data(), broken.size()), ids.size());
        EXPECT_EQ(broken, ids);
        for (const uint64_t id : ids) {
            call(failure, [&](terrane_error* error) { return terrane_world_unwatch(copy, id, error) == TERRANE_OK; });
        }
        EXPECT_EQ(terrane_world_watched(copy), 0u);
        terrane_world_free(copy);
    });
    EXPECT_GT(count, 20u);
    terrane_planner_free(planner);
}

}  // namespace
}  // namespace terrane::test
