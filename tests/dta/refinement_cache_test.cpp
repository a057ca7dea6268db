#include "dta/refinement_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "grid_search/heuristic_checks.h"
#include "support/scene.h"

namespace terrane::test {
namespace {

struct Refined {
    Status status = Status::kUnreachable;
    std::vector<Cell> cells;
    Cost cost = 0;
    uint64_t expansions = 0;
    friend bool operator==(const Refined&, const Refined&) = default;
};

Refined search(Refiner& refiner) {
    Refined refined{refiner.run(), {}, 0, refiner.segment_expansions()};
    if (refined.status != Status::kFound) return refined;
    refiner.append_to(refined.cells);
    refined.cost = refiner.cost();
    return refined;
}

std::optional<Refined> find(RefinementCache& cache, const Refiner& refiner) {
    Refined refined;
    const auto found = cache.find(refiner, refined.cells);
    if (!found) return std::nullopt;
    refined.status = found->status;
    refined.cost = found->cost;
    refined.expansions = found->expansions;
    return refined;
}

// From the cache on a hit, by search on a miss.
Refined refine(RefinementCache& cache, Refiner& refiner) {
    if (auto known = find(cache, refiner)) return *known;
    Refined refined = search(refiner);
    cache.put(refiner);
    return refined;
}

Rect window_around(Cell a, Cell b, int32_t reach) {
    const Rect ends = Rect::spanning(a, b);
    return {{ends.x - reach, ends.y - reach}, {ends.width + 2 * reach, ends.height + 2 * reach}};
}

class RefinementCacheTest : public testing::Test {
protected:
    void begin() { refiner.begin({grid.snapshot(), costs, Movement::kEightNoCornerCutting}); }

    TerrainGrid grid{200, 200, Terrain{1}, digit_catalogue()};
    CostTable costs = digit_profile().compile(digit_catalogue()).value();
    Refiner refiner;
    RefinementCache cache;
};

TEST_F(RefinementCacheTest, FindsWhatWasPut) {
    begin();
    refiner.begin_segment({3, 3}, {9, 5}, {{0, 0}, {16, 16}});
    EXPECT_FALSE(find(cache, refiner).has_value());
    const Refined refined = search(refiner);
    EXPECT_EQ(refined.cells.size(), 6u);
    cache.put(refiner);
    EXPECT_EQ(cache.size(), 1u);
    refiner.begin_segment({3, 3}, {9, 5}, {{0, 0}, {16, 16}});
    EXPECT_EQ(find(cache, refiner), refined);
    std::vector<Cell> cells{{1, 2}};
    EXPECT_TRUE(cache.find(refiner, cells).has_value());
    EXPECT_EQ(cells.size(), 7u);  // after the existing cells
    EXPECT_EQ(cells[0], (Cell{1, 2}));
    EXPECT_EQ(cache.hits(), 2u);
    EXPECT_EQ(cache.misses(), 1u);
    cache.clear();
    EXPECT_FALSE(find(cache, refiner).has_value());
    EXPECT_EQ(cache.size(), 0u);
}

TEST_F(RefinementCacheTest, EverythingInTheKeyMatters) {
    begin();
    const Rect window{{0, 0}, {16, 16}};
    refiner.begin_segment({3, 3}, {9, 5}, window);
    search(refiner);
    cache.put(refiner);
    const auto knows = [&](Cell from, Cell to, const Rect& rect) {
        refiner.begin_segment(from, to, rect);
        return find(cache, refiner).has_value();
    };
    EXPECT_TRUE(knows({3, 3}, {9, 5}, window));
    EXPECT_FALSE(knows({9, 5}, {3, 3}, window));
    EXPECT_FALSE(knows({3, 3}, {9, 6}, window));
    EXPECT_FALSE(knows({3, 3}, {9, 5}, {{0, 0}, {16, 17}}));
    EXPECT_FALSE(knows({3, 3}, {9, 5}, {{0, 0}, {200, 200}}));
    EXPECT_TRUE(knows({3, 3}, {9, 5}, {{-7, -7}, {23, 23}}));  // the same window after clipping
    refiner.begin({grid.snapshot(), costs, Movement::kFour});
    EXPECT_FALSE(knows({3, 3}, {9, 5}, window));
    refiner.begin({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {2, 1});
    EXPECT_FALSE(knows({3, 3}, {9, 5}, window));
    CostTable other = costs;
    ++other.cost[7];
    refiner.begin({grid.snapshot(), other, Movement::kEightNoCornerCutting});
    EXPECT_FALSE(knows({3, 3}, {9, 5}, window));
    begin();
    EXPECT_TRUE(knows({3, 3}, {9, 5}, window));
}

TEST_F(RefinementCacheTest, AnEditOfTheWindowsTilesIsSeen) {
    begin();
    const GridSnapshot old = grid.snapshot();
    refiner.begin_segment({3, 3}, {9, 3}, {{0, 0}, {16, 16}});
    const Refined before = refine(cache, refiner);
    static_cast<void>(grid.set({40, 3}, Terrain{9}));  // another tile
    begin();
    refiner.begin_segment({3, 3}, {9, 3}, {{0, 0}, {16, 16}});
    EXPECT_EQ(find(cache, refiner), before);
    static_cast<void>(grid.fill({{5, 0}, {1, 16}}, Terrain{9}));
    begin();
    refiner.begin_segment({3, 3}, {9, 3}, {{0, 0}, {16, 16}});
    EXPECT_FALSE(find(cache, refiner).has_value());
    const Refined after = refine(cache, refiner);
    EXPECT_GT(after.cost, before.cost);
    EXPECT_EQ(find(cache, refiner), after);
    EXPECT_EQ(cache.size(), 1u);
    refiner.begin({old, costs, Movement::kEightNoCornerCutting});  // a query that began before the edit
    refiner.begin_segment({3, 3}, {9, 3}, {{0, 0}, {16, 16}});
    EXPECT_EQ(refine(cache, refiner), before);
}

TEST_F(RefinementCacheTest, AnEditAnywhereIsSeenByTheWholeMap) {
    begin();
    refiner.begin_segment({3, 3}, {9, 3});
    refine(cache, refiner);
    EXPECT_TRUE(find(cache, refiner).has_value());
    static_cast<void>(grid.set({190, 190}, Terrain{9}));
    begin();
    refiner.begin_segment({3, 3}, {9, 3});
    EXPECT_FALSE(find(cache, refiner).has_value());
}

TEST_F(RefinementCacheTest, CachesThatThereIsNoPath) {
    static_cast<void>(grid.fill({{10, 0}, {1, 16}}, Terrain{0}));
    begin();
    refiner.begin_segment({3, 3}, {13, 3}, {{0, 0}, {16, 16}});
    EXPECT_EQ(refine(cache, refiner).status, Status::kUnreachable);
    refiner.begin_segment({3, 3}, {13, 3}, {{0, 0}, {16, 16}});
    EXPECT_EQ(find(cache, refiner)->status, Status::kUnreachable);
}

TEST_F(RefinementCacheTest, StoresOnlyFinishedSegments) {
    static_cast<void>(grid.set({5, 5}, Terrain{0}));
    begin();
    refiner.begin_segment({3, 3}, {13, 3}, {{0, 0}, {16, 16}});
    EXPECT_EQ(refiner.run(1), Status::kBudgetSpent);
    cache.put(refiner);
    refiner.begin_segment({3, 3}, {5, 5}, {{0, 0}, {16, 16}});  // blocked
    search(refiner);
    cache.put(refiner);
    refiner.begin_segment({-3, 3}, {5, 5}, {{0, 0}, {16, 16}});  // outside
    search(refiner);
    cache.put(refiner);
    EXPECT_FALSE(find(cache, refiner).has_value());
    EXPECT_EQ(cache.size(), 0u);
}

TEST_F(RefinementCacheTest, PathsOfManyLengths) {
    begin();
    std::vector<Refined> all;
    for (int32_t x = 0; x < 200; ++x) {
        refiner.begin_segment({0, 0}, {x, 0}, {{0, 0}, {200, 1}});
        all.push_back(refine(cache, refiner));
    }
    for (int32_t x = 0; x < 200; ++x) {
        refiner.begin_segment({0, 0}, {x, 0}, {{0, 0}, {200, 1}});
        ASSERT_EQ(find(cache, refiner), all[static_cast<size_t>(x)]);
    }
}

TEST_F(RefinementCacheTest, EvictsTheLeastRecentlyUsed) {
    cache = RefinementCache(200'000);
    begin();
    const auto begin_entry = [&](int32_t i) { refiner.begin_segment({i % 180, i / 180}, {i % 180 + 3, i / 180}, {{0, 0}, {200, 128}}); };
    for (int32_t i = 0; i < 3000; ++i) {
        begin_entry(i);
        refine(cache, refiner);
        ASSERT_LE(cache.bytes(), cache.max_bytes());
        begin_entry(0);
        ASSERT_TRUE(find(cache, refiner).has_value());  // so that it is never the oldest
    }
    const size_t size = cache.size();
    EXPECT_GT(size, 1000u);
    EXPECT_LT(size, 2000u);
    for (int32_t i = 1; i < 3000; ++i) {
        begin_entry(i);
        ASSERT_EQ(find(cache, refiner).has_value(), static_cast<size_t>(3000 - i) < size) << i;  // the newest entries, and entry 0
    }
}

TEST_F(RefinementCacheTest, TooSmallAndTooLong) {
    cache = RefinementCache(50'000);
    begin();
    refiner.begin_segment({0, 0}, {9, 9}, {{0, 0}, {16, 16}});
    refine(cache, refiner);
    EXPECT_EQ(cache.size(), 0u);
    EXPECT_EQ(cache.bytes(), 0u);
    for (int32_t y = 1; y < 200; y += 2) {  // a corridor of 20,000 steps: 286 blocks
        static_cast<void>(grid.fill({{y % 4 == 1 ? 0 : 1, y}, {199, 1}}, Terrain{0}));
    }
    cache = RefinementCache(100'000);
    begin();
    refiner.begin_segment({0, 0}, {9, 0}, {{0, 0}, {16, 16}});
    refine(cache, refiner);
    refiner.begin_segment({0, 0}, {0, 198});
    const Refined longest = refine(cache, refiner);
    EXPECT_EQ(find(cache, refiner), longest);
    refiner.begin_segment({0, 0}, {0, 198}, {{0, 0}, {200, 199}});
    EXPECT_EQ(refine(cache, refiner).cells, longest.cells);  // there is no space for both
    EXPECT_EQ(cache.size(), 1u);
    EXPECT_EQ(find(cache, refiner)->cells, longest.cells);
}

TEST_F(RefinementCacheTest, MoreProfilesThanItHolds) {
    for (uint32_t round = 0; round < 2; ++round) {
        for (uint32_t i = 0; i < 100; ++i) {
            CostTable other = costs;
            other.cost[1] = 1 + i;
            refiner.begin({grid.snapshot(), other, Movement::kEightNoCornerCutting});
            refiner.begin_segment({3, 3}, {9, 3}, {{0, 0}, {16, 16}});
            ASSERT_EQ(refine(cache, refiner).cost, Cost{12} * kStraight * (1 + i) * other.divisor);
            ASSERT_EQ(find(cache, refiner)->cost, Cost{12} * kStraight * (1 + i) * other.divisor);
        }
    }
}

TEST_F(RefinementCacheTest, AnotherWorldWithTheSameVersions) {
    const TerrainGrid twin(200, 200, Terrain{2}, digit_catalogue());
    for (int i = 0; i < 3; ++i) {
        begin();
        refiner.begin_segment({3, 3}, {9, 3}, {{0, 0}, {16, 16}});
        EXPECT_EQ(refine(cache, refiner).cost, Cost{200} * kStraight * 6);
        EXPECT_TRUE(find(cache, refiner).has_value());
        refiner.begin({twin.snapshot(), costs, Movement::kEightNoCornerCutting});
        refiner.begin_segment({3, 3}, {9, 3}, {{0, 0}, {16, 16}});
        EXPECT_EQ(refine(cache, refiner).cost, Cost{400} * kStraight * 6);
        EXPECT_TRUE(find(cache, refiner).has_value());
    }
}

// Each grid is freed before the next is created, most likely at the same address.
TEST_F(RefinementCacheTest, AWorldMadeWhereAnotherWasFreedSharesNothing) {
    for (int i = 0; i < 20; ++i) {
        auto made = std::make_unique<TerrainGrid>(64, 64, Terrain{1}, digit_catalogue());
        refiner.begin({made->snapshot(), costs, Movement::kEightNoCornerCutting});
        refiner.begin_segment({3, 3}, {13, 3}, {{0, 0}, {16, 16}});
        ASSERT_FALSE(find(cache, refiner).has_value()) << i;
        refine(cache, refiner);
        ASSERT_TRUE(find(cache, refiner).has_value());
        refiner.begin({GridSnapshot(), costs, Movement::kEightNoCornerCutting});  // releases the map
    }
}

TEST_F(RefinementCacheTest, HoldsNothingOfAWorldThatIsGone) {
    struct Counted final : Memory {
        void* allocate(size_t bytes, size_t) override { return live += bytes, std::malloc(bytes); }
        void deallocate(void* pointer, size_t bytes, size_t) override { live -= bytes, std::free(pointer); }
        size_t live = 0;
    } counted;
    {
        const MemoryScope scope(&counted);
        const TerrainGrid other(64, 64, Terrain{1}, digit_catalogue());
        const MemoryScope plain(nullptr);
        refiner.begin({other.snapshot(), costs, Movement::kEightNoCornerCutting});
        refiner.begin_segment({3, 3}, {13, 3}, {{0, 0}, {16, 16}});
        refine(cache, refiner);
        refiner.begin({GridSnapshot(), costs, Movement::kEightNoCornerCutting});
    }
    EXPECT_EQ(counted.live, 0u);
}

TEST_F(RefinementCacheTest, TakesItsMemoryOnce) {
    cache = RefinementCache(300'000);
    const auto run_all = [&] {
        for (int32_t i = 0; i < 4000; ++i) {
            if (i % 500 == 0) begin();
            refiner.begin_segment({i % 180, i / 180}, {i % 180 + 5, i / 180}, {{0, 0}, {200, 100}});
            refine(cache, refiner);
        }
    };
    run_all();
    const size_t bytes = cache.bytes();
    EXPECT_LE(bytes, cache.max_bytes());
    run_all();
    EXPECT_EQ(cache.bytes(), bytes);
}

// The contract of the header: the cache never changes a result, whatever happened before.
TEST(RefinementCache, NeverChangesAnAnswer) {
    Rng rng(61);
    uint64_t hits = 0, misses = 0;
    for (int i = 0; i < 12; ++i) {
        RandomWorld worlds[2] = {random_world(rng, 90), random_world(rng, 90)};
        std::vector<GridSnapshot> snapshots;
        std::vector<std::pair<Cell, Cell>> ends;
        RefinementCache cache(rng.chance(1, 2) ? 110'000 : 1'000'000);
        Refiner refiner, plain;
        for (int step = 0; step < 1500; ++step) {
            if (step % 300 == 0) {  // occasionally another world
                snapshots.clear();
                ends.clear();
            }
            RandomWorld& world = worlds[step / 300 % 2];
            if (rng.chance(1, 40)) static_cast<void>(random_edit(rng, world));
            if (snapshots.empty() || rng.chance(1, 20)) snapshots.push_back(world.grid.snapshot());
            const GridSnapshot grid =
                rng.chance(1, 2) ? snapshots[rng.below(static_cast<uint32_t>(snapshots.size()))] : world.grid.snapshot();
            if (ends.size() < 20) ends.emplace_back(random_cell(rng, grid), random_cell(rng, grid));
            const auto [from, to] = ends[rng.below(static_cast<uint32_t>(ends.size()))];
            const Rect window = window_around(from, to, rng.chance(1, 10) ? 100 : 4);
            const Weight weight{rng.chance(1, 4) ? 2u : 1u, 1};
            refiner.begin({grid, world.costs, world.movement}, weight);
            plain.begin({grid, world.costs, world.movement}, weight);
            refiner.begin_segment(from, to, window);
            plain.begin_segment(from, to, window);
            ASSERT_EQ(refine(cache, refiner), search(plain)) << "world " << i << ", step " << step;
        }
        hits += cache.hits();
        misses += cache.misses();
    }
    EXPECT_GT(hits, 2000u);
    EXPECT_GT(misses, 2000u);
}

}  // namespace
}  // namespace terrane::test
