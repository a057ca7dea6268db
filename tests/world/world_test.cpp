// Worlds: edits with their repairs and broken paths, immutable versions, and threads that read while one writes.
#include "terrane/world/world.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <new>
#include <thread>
#include <utility>

#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane::test {
namespace {

WorldOptions with_sectors(std::vector<uint32_t> sectors) {
    WorldOptions options;
    options.sectors = std::move(sectors);
    return options;
}

Path path_of(std::vector<Cell> cells) {
    Path path;
    path.status = Status::kFound;
    path.cells = std::move(cells);
    return path;
}

void expect_built_from_scratch(const WorldSnapshot& world) {
    for (const TerrainRegions& regions : world.all_regions()) {
        ASSERT_EQ(regions.version(), world.version());
        ASSERT_EQ(regions, TerrainRegions::build(world.grid(), {regions.sector(), regions.labels(), 1})) << "sector " << regions.sector();
    }
}

TEST(World, EditsByCellRectangleBatchAndName) {
    World world(TerrainGrid(40, 30, Terrain{5}), with_sectors({8, 16}));
    const Catalogue& catalogue = Catalogue::standard();

    EXPECT_EQ(world.set({3, 4}, Terrain{6}).grid.cells_changed, 1u);
    EXPECT_EQ(world.grid().at(Cell{3, 4}), 6);
    EXPECT_EQ(world.fill({{35, 25}, {15, 25}}, Terrain{2}).grid.cells_changed, 25u);
    const std::vector<CellEdit> batch = {{{0, 0}, 1}, {{1, 0}, 2}, {{0, 0}, 3}, {{-1, 0}, 3}};
    const WorldEdit edit = world.apply(batch);
    EXPECT_EQ(edit.grid.cells_changed, 2u);
    EXPECT_EQ(edit.grid.cells_outside, 1u);
    EXPECT_EQ(world.grid().at(Cell{0, 0}), 3);

    EXPECT_TRUE(world.set({9, 9}, "lava"));
    EXPECT_EQ(world.grid().at(Cell{9, 9}), *catalogue.find("lava"));
    EXPECT_TRUE(world.fill({{10, 10}, {2, 2}}, "road"));
    EXPECT_EQ(world.grid().count(*catalogue.find("road")), 4u);
    EXPECT_EQ(world.snapshot().version(), 5u);
    expect_built_from_scratch(world.snapshot());
}

TEST(World, AnUnknownTerrainNameChangesNothing) {
    World world(TerrainGrid(8, 8, Terrain{5}));
    EXPECT_EQ(world.set({1, 1}, "custard").error().code, ErrorCode::kUnknownName);
    EXPECT_EQ(world.fill({{0, 0}, {8, 8}}, "custard").error().code, ErrorCode::kUnknownName);
    EXPECT_EQ(world.snapshot().version(), 0u);
}

TEST(World, AnEditThatChangesNothingMakesNoVersion) {
    World world(TerrainGrid(8, 8, Terrain{5}));
    const WatchId id = world.watch(path_of({{1, 1}, {2, 1}}));
    const WorldEdit edit = world.fill({{0, 0}, {8, 8}}, Terrain{5});
    EXPECT_EQ(edit.grid.cells_changed, 0u);
    EXPECT_TRUE(edit.repairs.empty());
    EXPECT_TRUE(edit.broken.empty());
    EXPECT_EQ(world.snapshot().version(), 0u);
    EXPECT_EQ(world.set({-1, 3}, Terrain{6}).grid.cells_outside, 1u);
    EXPECT_TRUE(world.unwatch(id));
}

TEST(World, RepairsAreReportedForEachSectorSize) {
    World world(TerrainGrid(64, 64, Terrain{5}), with_sectors({8, 32}));
    static_cast<void>(world.fill({{1, 1}, {3, 3}}, Terrain{6}));
    const WorldEdit local = world.set({4, 2}, Terrain{6});  // from one region to its neighbour
    ASSERT_EQ(local.repairs.size(), 2u);
    for (const RepairReport& report : local.repairs) {
        EXPECT_EQ(report.cells_moved, 1u);
        EXPECT_EQ(report.sectors_labelled, 0u);
    }
    const WorldEdit island = world.set({20, 20}, Terrain{2});  // a region of its own
    for (const RepairReport& report : island.repairs) EXPECT_EQ(report.sectors_labelled, 1u);
    const WorldEdit wide = world.fill({{0, 10}, {64, 1}}, Terrain{2});
    EXPECT_EQ(wide.repairs[0].sectors_labelled, 8u);
    EXPECT_EQ(wide.repairs[1].sectors_labelled, 2u);
}

TEST(World, KeepsTheRequestedSectorSizes) {
    const World world(TerrainGrid(20, 20, Terrain{5}), with_sectors({32, 4, kWholeMap}));
    const WorldSnapshot now = world.snapshot();
    ASSERT_EQ(now.all_regions().size(), 3u);
    for (const uint32_t sector : {32u, 4u, kWholeMap}) {
        ASSERT_NE(now.regions(sector), nullptr);
        EXPECT_EQ(now.regions(sector)->sector(), sector);
    }
    EXPECT_EQ(now.regions(16), nullptr);
    EXPECT_GT(world.bytes(), now.grid().bytes());
}

TEST(World, KeepsNoRegionsWhereNoneAreWanted) {
    World world(TerrainGrid(20, 20, Terrain{5}), with_sectors({}));
    EXPECT_TRUE(world.snapshot().all_regions().empty());
    EXPECT_TRUE(world.set({3, 3}, Terrain{1}).repairs.empty());
    EXPECT_EQ(world.snapshot().version(), 1u);
}

TEST(World, TakesExistingRegions) {
    TerrainGrid grid(33, 17, Terrain{5});
    static_cast<void>(grid.fill({{4, 4}, {5, 8}}, Terrain{2}));
    const TerrainRegions regions = TerrainRegions::build(grid.snapshot(), {8, true, 1});
    World world(std::move(grid), {regions}, with_sectors({8}));
    ASSERT_NE(world.snapshot().regions(8), nullptr);
    EXPECT_EQ(&world.snapshot().regions(8)->data(), &regions.data());
    static_cast<void>(world.set({5, 4}, Terrain{1}));
    expect_built_from_scratch(world.snapshot());
}

TEST(WorldDeathTest, RegionsOfAnotherMapBreakTheContract) {
    TerrainGrid grid(33, 17, Terrain{5});
    const TerrainRegions old = TerrainRegions::build(grid.snapshot(), {8, true, 1});
    const TerrainRegions others = TerrainRegions::build(TerrainGrid(33, 17, Terrain{5}).snapshot(), {8, true, 1});
    const TerrainRegions smaller = TerrainRegions::build(TerrainGrid(32, 17, Terrain{5}).snapshot(), {8, true, 1});
    static_cast<void>(grid.set({1, 1}, Terrain{6}));
    for (const TerrainRegions& regions : {old, others, smaller}) {
        EXPECT_DEATH(World(std::move(grid), {regions}, with_sectors({8})), "contract broken");
    }
}

TEST(WorldDeathTest, ADuplicateSectorSizeBreaksTheContract) {
    EXPECT_DEATH(World(TerrainGrid(33, 17, Terrain{5}), with_sectors({8, 16, 8})), "contract broken");
}

WorldEdit random_edit(Rng& rng, World& world, uint32_t kinds) {
    const auto terrain = static_cast<Terrain>(rng.below(kinds));
    const Cell c = random_cell(rng, world.grid());
    if (rng.chance(1, 2)) return world.set(c, terrain);
    if (rng.chance(1, 2)) return world.fill({c, {rng.between(1, 12), rng.between(1, 12)}}, terrain);
    std::vector<CellEdit> batch(1 + rng.below(8));
    for (CellEdit& e : batch) e = {{c.x + rng.between(-20, 20), c.y + rng.between(-20, 20)}, static_cast<Terrain>(rng.below(kinds))};
    return world.apply(batch);
}

TEST(World, SnapshotsStayAsTheyWereAndEqualNewBuilds) {
    Rng rng(31);
    for (int round = 0; round < 20; ++round) {
        World world(random_world(rng).grid, with_sectors({4, 7, 16, kWholeMap}));
        std::vector<std::pair<WorldSnapshot, std::vector<Terrain>>> kept;
        for (int i = 0; i < 15; ++i) {
            kept.emplace_back(world.snapshot(), world.grid().cells());
            static_cast<void>(random_edit(rng, world, 6));
            ASSERT_NO_FATAL_FAILURE(expect_built_from_scratch(world.snapshot()));
        }
        for (const auto& [snapshot, cells] : kept) {
            ASSERT_EQ(snapshot.grid().cells(), cells);
            ASSERT_NO_FATAL_FAILURE(expect_built_from_scratch(snapshot));
        }
    }
}

TEST(World, ComponentsAreKeptThroughEditsAndEqualNewOnes) {
    Rng rng(32);
    for (int round = 0; round < 20; ++round) {
        RandomWorld drawn = random_world(rng, 50);
        World world(std::move(drawn.grid), with_sectors({8}));
        for (int i = 0; i < 30; ++i) {
            static_cast<void>(random_edit(rng, world, 6));
            const WorldSnapshot now = world.snapshot();
            const TerrainRegions& regions = *now.regions(8);
            const ConnectedComponents kept = now.components(now.ground(drawn.costs, drawn.movement));
            const ConnectedComponents built = ConnectedComponents::build(regions, PassableSet::of(drawn.costs, drawn.movement));
            ASSERT_TRUE(kept.valid_for(regions));
            ASSERT_EQ(kept.count(), built.count());
            std::map<ComponentId, ComponentId> same;
            for (uint32_t s = 0; s < regions.sectors(); ++s) {
                for (uint32_t n = 0; n < regions.regions_in(s); ++n) {
                    const RegionId region = regions.id(s, n);
                    const ComponentId of_built = built.component_of(region);
                    ASSERT_EQ(same.emplace(kept.component_of(region), of_built).first->second, of_built);
                }
            }
        }
    }
}

TEST(World, ReportsTheWatchedPathsThatAnEditTouches) {
    World world(TerrainGrid(70, 70, Terrain{5}));
    const WatchId straight = world.watch(path_of({{0, 0}, {1, 0}, {2, 0}}));
    const WatchId diagonal = world.watch(path_of({{10, 10}, {11, 11}}));
    EXPECT_EQ(world.watched(), 2u);
    EXPECT_EQ(world.set({2, 0}, Terrain{6}).broken, std::vector<WatchId>{straight});
    EXPECT_EQ(world.set({2, 0}, Terrain{5}).broken, std::vector<WatchId>{straight});    // watched until unwatch()
    EXPECT_TRUE(world.set({2, 1}, Terrain{6}).broken.empty());                          // beside it
    EXPECT_EQ(world.set({11, 10}, Terrain{6}).broken, std::vector<WatchId>{diagonal});  // a corner of the diagonal
    EXPECT_EQ(world.fill({{0, 0}, {70, 70}}, Terrain{1}).broken, (std::vector<WatchId>{straight, diagonal}));
    EXPECT_TRUE(world.unwatch(straight));
    EXPECT_FALSE(world.unwatch(straight));
    EXPECT_FALSE(world.unwatch(0));
    EXPECT_EQ(world.fill({{0, 0}, {70, 70}}, Terrain{2}).broken, std::vector<WatchId>{diagonal});
    const WatchId next = world.watch(path_of({{5, 5}}));
    EXPECT_NE(next, straight);  // ids are not reused
    EXPECT_FALSE(world.unwatch(straight));
    EXPECT_EQ(world.watched(), 2u);
    EXPECT_TRUE(world.unwatch(world.watch(Path())));  // a path without cells never breaks
}

// A random walk: straight, diagonal, possibly over its own cells.
Path random_walk(Rng& rng, const GridSnapshot& grid) {
    std::vector<Cell> cells = {random_cell(rng, grid)};
    for (uint32_t i = rng.below(60); i > 0; --i) {
        const Cell move = kMoves[rng.below(8)], to{cells.back().x + move.x, cells.back().y + move.y};
        if (grid.layout().contains(to)) cells.push_back(to);
    }
    return path_of(std::move(cells));
}

// Whether a cell of the path, or beside a diagonal step of it, differs.
bool touched(const Path& path, const GridSnapshot& before, const GridSnapshot& after) {
    const auto differs = [&](Cell c) { return before.at(c) != after.at(c); };
    for (size_t i = 0; i < path.cells.size(); ++i) {
        if (differs(path.cells[i])) return true;
        if (i == 0) continue;
        const Cell a = path.cells[i - 1], b = path.cells[i];
        if (differs({a.x, b.y}) || differs({b.x, a.y})) return true;
    }
    return false;
}

TEST(World, WatchesAgreeWithBruteForceOverThousandsOfEdits) {
    Rng rng(33);
    size_t breaks = 0;
    for (int round = 0; round < 10; ++round) {
        World world(random_world(rng, 150).grid, with_sectors({}));
        std::map<WatchId, Path> watched;
        for (int i = 0; i < 500; ++i) {
            if (watched.size() < 60 && rng.chance(1, 2)) {
                const Path path = random_walk(rng, world.grid());
                ASSERT_TRUE(watched.emplace(world.watch(path), path).second);
            } else if (!watched.empty() && rng.chance(1, 4)) {
                const auto one = std::next(watched.begin(), rng.below(static_cast<uint32_t>(watched.size())));
                ASSERT_TRUE(world.unwatch(one->first));
                watched.erase(one);
            }
            const GridSnapshot before = world.grid();
            const WorldEdit edit = random_edit(rng, world, 4);
            std::vector<WatchId> expected;
            for (const auto& [id, path] : watched) {
                if (touched(path, before, world.grid())) expected.push_back(id);
            }
            ASSERT_EQ(edit.broken, expected);
            ASSERT_EQ(world.watched(), watched.size());
            breaks += expected.size();
        }
    }
    EXPECT_GT(breaks, 1000u);
}

TEST(World, APathIsValidUntilATileThatItCrossesChanges) {
    World world(TerrainGrid(100, 100, Terrain{5}));
    Planner planner(world);
    const Path path = planner.find({1, 1}, {60, 1}, Profile());
    ASSERT_EQ(path.status, Status::kFound);
    EXPECT_TRUE(path.still_valid(world));
    static_cast<void>(world.set({50, 90}, Terrain{6}));  // far away
    EXPECT_TRUE(path.still_valid(world));
    EXPECT_TRUE(path.still_valid(world.grid()));
    EXPECT_TRUE(path.still_valid(world.snapshot()));
    const GridSnapshot before = world.grid();
    static_cast<void>(world.set({40, 5}, Terrain{6}));  // in a tile of its
    EXPECT_FALSE(path.still_valid(world));
    EXPECT_TRUE(path.still_valid(before));
    EXPECT_TRUE(planner.find({1, 1}, {60, 1}, Profile()).still_valid(world));
}

// Never valid where brute force finds it touched.
TEST(World, StillValidNeverMissesAnEdit) {
    Rng rng(34);
    for (int round = 0; round < 300; ++round) {
        World world(random_world(rng, 120).grid, with_sectors({}));
        const GridSnapshot before = world.grid();
        Path path = random_walk(rng, before);
        path.version = before.version();
        for (int i = 0; i < 4; ++i) {
            static_cast<void>(random_edit(rng, world, 4));
            if (touched(path, before, world.grid())) {
                ASSERT_FALSE(path.still_valid(world));
            }
            ASSERT_TRUE(path.still_valid(before));
        }
    }
}

// Some threads query, one edits; every answer must be correct for the version that its planner pinned.
TEST(World, ThreadsQueryWhileOneEdits) {
    constexpr int kReaders = 3, kEdits = 1500;
    constexpr uint64_t kVersions = 3, kPaths = 4;  // per reader, before the edits end
    VoronoiOptions fields;
    fields.width = fields.height = 160;
    fields.terrains = 16;
    World world(generate_voronoi(fields).value(), with_sectors({16, 8}));
    std::vector<CostTable> tables;
    for (const char* name : {"person", "deer", "outlaw"}) {
        tables.push_back(Profile::preset(name)->compile(world.grid().catalogue()).value());
    }
    std::atomic<bool> editing = true;
    std::atomic<uint64_t> wrong = 0;
    std::atomic<int> satisfied = 0;  // readers that have seen kVersions versions and found kPaths paths
    const auto read = [&](uint64_t seed) {
        Rng rng(seed);
        Planner planner(world);
        FindOptions options;
        Path path;
        GridVersion last = 0;
        uint64_t versions = 0, found = 0;
        bool counted = false;
        const Method methods[] = {find_method("dta:16+trim+smooth").value(), find_method("dta:8/nbs").value(),
                                  find_method("dta:16+cache").value(), find_method("wastar:2").value()};
        for (uint64_t i = 0; editing; ++i) {
            if (!counted && versions >= kVersions && found >= kPaths) counted = true, ++satisfied;
            const CostTable& costs = tables[rng.below(3)];
            options.method = methods[i % 4];
            options.nearest = rng.chance(1, 2);
            const Cell start = random_cell(rng, world.grid());
            planner.begin(start, random_cell(rng, world.grid()), costs, options);
            while (planner.run(200) == Status::kBudgetSpent) std::this_thread::yield();
            planner.path(path);
            const GridSnapshot& grid = planner.snapshot().grid();
            versions += grid.version() != last ? 1 : 0;
            last = grid.version();
            if (path.cells.empty()) continue;
            ++found;
            const bool right = path.version == last && path.cells.front() == start &&
                               path_cost({grid, costs, options.movement}, path.cells) == path.cost && path.still_valid(grid);
            wrong += right ? 0 : 1;
        }
    };
    std::vector<std::thread> readers;
    readers.reserve(kReaders);
    for (uint64_t r = 0; r < kReaders; ++r) readers.emplace_back(read, r + 1);
    Rng rng(36);
    for (int i = 0; i < kEdits || satisfied < kReaders; ++i) {
        static_cast<void>(random_edit(rng, world, Catalogue::standard().size()));
        std::this_thread::yield();
    }
    editing = false;
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(wrong, 0u);
    expect_built_from_scratch(world.snapshot());
}

// An allocator that calls `during` once, in the middle of an edit.
struct InterruptingMemory final : Memory {
    void* allocate(size_t bytes, size_t alignment) override {
        if (const auto call = std::exchange(during, nullptr)) call();
        return operator new (bytes, std::align_val_t{alignment});
    }
    void deallocate(void* pointer, size_t bytes, size_t alignment) override {
        operator delete (pointer, bytes, std::align_val_t{alignment});
    }
    std::function<void()> during;
};

TEST(WorldDeathTest, ASecondThreadThatEditsBreaksTheContract) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    InterruptingMemory memory;
    WorldOptions options;
    options.memory = &memory;
    World world(TerrainGrid(40, 30, Terrain{5}), options);
    const auto edit_twice = [&] {
        memory.during = [&] { std::thread([&] { world.set({1, 1}, Terrain{2}); }).join(); };
        world.set({0, 0}, Terrain{1});
    };
    EXPECT_DEATH(edit_twice(), "one_thread_edits");
    world.set({0, 0}, Terrain{1});  // one after another
    std::thread([&] { world.set({1, 1}, Terrain{2}); }).join();
    EXPECT_EQ(world.grid().version(), 2u);
}

}  // namespace
}  // namespace terrane::test
