// Custom allocators and allocation failure. tests/capi/memory_test.c tests the same for C.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <thread>
#include <vector>

#include "support/allocations.h"
#include "support/scene.h"
#include "terrane/world/planner.h"
#include "terrane/world/world.h"

namespace terrane::test {
namespace {

struct Counted final : Memory {
    void* allocate(size_t bytes, size_t) override {
        live += bytes;
        ++calls;
        return std::malloc(bytes);
    }
    void deallocate(void* pointer, size_t bytes, size_t) override {
        live -= bytes;
        std::free(pointer);
    }
    std::atomic<size_t> live = 0, calls = 0;
};

TerrainGrid patches(int32_t side) {
    Rng rng(11);
    std::vector<Terrain> cells(static_cast<size_t>(side) * static_cast<size_t>(side));
    for (Terrain& t : cells) t = static_cast<Terrain>(rng.below(10) == 0 ? 0 : 4 + rng.below(3));
    cells.front() = cells.back() = 5;
    return {side, side, cells};
}

const std::vector<const char*> kPrepared = {"overlay:2", "minimal_memory:16", "hpa:16", "pra:inf"};
const std::vector<const char*> kMethods = {
    "astar", "nbs", "dta:16+smooth", "dta:16+cache", "dta:16+any_angle", "overlay:2", "minimal_memory:16", "hpa:16", "pra:inf"};

CostTable costs_of(const World& world) { return Profile().blocked("black").cost("trees", 2).compile(world.grid().catalogue()).value(); }

void prepare_all(World& world) {
    for (const char* name : kPrepared) {
        PrepareOptions options;
        options.method = find_method(name).value();
        ASSERT_TRUE(world.prepare(costs_of(world), options));
    }
}

FindOptions by(const char* method) {
    FindOptions options;
    options.method = find_method(method).value();
    return options;
}

std::vector<Cost> costs_across(const World& world) {
    Planner planner(world);
    const int32_t last = world.grid().width() - 1;
    std::vector<Cost> costs;
    Path path;
    for (const char* method : kMethods) {
        planner.find({0, 0}, {last, last}, costs_of(world), by(method), path);
        EXPECT_EQ(path.status, Status::kFound) << method;
        costs.push_back(path.cost);
    }
    return costs;
}

TEST(Memory, NothingLargeBypassesTheAllocator) {
    Counted counted;
    const int32_t side = 400;
    TerrainGrid plain = patches(side);
    const size_t largest_path = 8 * 4 * static_cast<size_t>(side);  // cells of a path, with room to grow
    {
        const MemoryScope scope(&counted);
        std::optional<TerrainGrid> grid(std::in_place, side, side, plain.snapshot().cells());
        largest_allocation();
        WorldOptions options;
        options.memory = &counted;
        World world(std::move(*grid), options);
        EXPECT_LE(largest_allocation(), 4096u);
        prepare_all(world);
        EXPECT_LE(largest_allocation(), 4096u);
        EXPECT_GT(counted.live, 500'000u);
        EXPECT_EQ(costs_across(world).size(), kMethods.size());
        EXPECT_LE(largest_allocation(), largest_path);
        world.fill({{100, 100}, {100, 20}}, Terrain{4});
        EXPECT_LE(largest_allocation(), 4096u);
    }
    EXPECT_EQ(counted.live, 0u);
}

TEST(Memory, AMapFromAnotherAllocatorIsCopied) {
    Counted counted;
    {
        TerrainGrid grid = patches(70);
        grid.set({3, 3}, Terrain{6});
        const std::vector<Terrain> cells = grid.snapshot().cells();
        World world(std::move(grid), {.memory = &counted});
        EXPECT_GT(counted.live, 70u * 70u);
        EXPECT_EQ(world.grid().cells(), cells);
        EXPECT_EQ(world.grid().version(), 1u);
        EXPECT_EQ(world.set({3, 3}, Terrain{5}).grid.after.version(), 2u);
    }
    EXPECT_EQ(counted.live, 0u);
}

TEST(Memory, SnapshotsOutliveTheWorldAndAreFreedOnAnyThread) {
    Counted counted;
    std::optional<WorldSnapshot> before, after;
    {
        World world(patches(70), {.memory = &counted});
        before = world.snapshot();
        world.fill({{10, 10}, {20, 20}}, Terrain{6});
        after = world.snapshot();
    }
    EXPECT_GT(counted.live, 70u * 70u);
    EXPECT_EQ(after->grid().at(Cell{20, 20}), 6);
    std::thread([&] { before.reset(); }).join();
    std::thread([&] { after.reset(); }).join();
    EXPECT_EQ(counted.live, 0u);
}

TEST(Memory, WatchedPathsUseTheWorldsAllocator) {
    Counted counted;
    {
        World world(patches(70), {.memory = &counted});
        Planner planner(world);
        Path path;
        planner.find({0, 0}, {69, 69}, costs_of(world), {}, path);
        ASSERT_TRUE(path);
        const size_t before = counted.live;
        const WatchId id = world.watch(path);
        EXPECT_GT(counted.live, before + path.cells.size() * sizeof(CellId));
        EXPECT_EQ(world.set(path.cells[path.cells.size() / 2], Terrain{0}).broken, std::vector<WatchId>{id});
        EXPECT_TRUE(world.unwatch(id));
    }
    EXPECT_EQ(counted.live, 0u);
}

// operator new fails, not the allocator: this covers what bypasses it, too.
TEST(OutOfMemory, EditsLeaveTheWorldAsItWas) {
    if (!memory_can_fail() || !fail_allocations_from(0)) GTEST_SKIP() << "an allocation failure ends this program";
    World world(patches(70));
    prepare_all(world);
    Path path;
    Planner(world).find({0, 0}, {69, 69}, costs_of(world), {}, path);
    const WatchId watch = world.watch(path);
    const std::vector<Cost> costs = costs_across(world);
    const std::vector<Terrain> cells = world.grid().cells();
    uint64_t n = 1;
    for (bool done = false; !done; ++n) {
        const int64_t live = live_allocations();
        fail_allocations_from(n);
        try {
            const WorldEdit edit = world.fill({{20, 30}, {40, 10}}, Terrain{6});
            fail_allocations_from(0);
            done = true;
            EXPECT_EQ(edit.broken, std::vector<WatchId>{watch});
        } catch (const std::bad_alloc&) {
            fail_allocations_from(0);
            ASSERT_EQ(live_allocations(), live) << n;
            ASSERT_EQ(world.grid().version(), 0u);
            if (n % 150 == 1) {
                ASSERT_EQ(world.grid().cells(), cells) << n;
                ASSERT_EQ(costs_across(world), costs) << n;
            }
        }
    }
    EXPECT_GT(n, 100u);
    World other(patches(70));
    other.fill({{20, 30}, {40, 10}}, Terrain{6});
    EXPECT_EQ(world.snapshot().all_regions()[0], other.snapshot().all_regions()[0]);
}

TEST(OutOfMemory, WatchingLeavesNothingBehind) {
    if (!memory_can_fail() || !fail_allocations_from(0)) GTEST_SKIP() << "an allocation failure ends this program";
    World world(patches(70));
    Path path;
    Planner(world).find({0, 0}, {69, 69}, costs_of(world), {}, path);
    uint64_t n = 1;
    for (; world.watched() == 0; ++n) {
        fail_allocations_from(n);
        try {
            world.watch(path);
        } catch (const std::bad_alloc&) {
        }
        fail_allocations_from(0);
    }
    EXPECT_GT(n, 3u);
    EXPECT_EQ(world.set(path.cells[10], Terrain{0}).broken.size(), 1u);
}

TEST(OutOfMemory, QueriesReportItAndTheNextOneWorks) {
    if (!memory_can_fail() || !fail_allocations_from(0)) GTEST_SKIP() << "an allocation failure ends this program";
    World world(patches(70));
    prepare_all(world);
    const std::vector<Cost> costs = costs_across(world);
    const CostTable table = costs_of(world);
    Planner planner(world);
    for (size_t i = 0; i < kMethods.size(); ++i) {
        const FindOptions options = by(kMethods[i]);
        Path path;
        uint64_t n = 1;
        do {
            path = {};
            fail_allocations_from(n++);
            planner.find({0, 0}, {69, 69}, table, options, path);
            fail_allocations_from(0);
            ASSERT_TRUE(path.status == Status::kOutOfMemory || path.status == Status::kFound) << kMethods[i] << to_string(path.status);
            ASSERT_TRUE(path.status == Status::kFound || path.cells.empty());
        } while (path.status != Status::kFound);
        EXPECT_EQ(path.cost, costs[i]) << kMethods[i];
        EXPECT_GT(n, 2u) << kMethods[i];
    }
}

TEST(OutOfMemory, PreparingIsRefused) {
    if (!memory_can_fail() || !fail_allocations_from(0)) GTEST_SKIP() << "an allocation failure ends this program";
    World world(patches(70));
    const CostTable table = costs_of(world);
    for (const char* name : kPrepared) {
        PrepareOptions options;
        options.method = find_method(name).value();
        uint64_t n = 1;
        for (bool done = false; !done; ++n) {
            const int64_t live = live_allocations();
            fail_allocations_from(n);
            try {
                done = world.prepare(table, options).has_value();
            } catch (const std::bad_alloc&) {
            }
            fail_allocations_from(0);
            ASSERT_TRUE(done || live_allocations() == live) << name << n;
        }
        EXPECT_GT(n, 10u);
    }
    EXPECT_EQ(costs_across(world).size(), kMethods.size());
}

}  // namespace
}  // namespace terrane::test
