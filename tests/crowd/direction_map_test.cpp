#include "terrane/crowd/direction_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "support/scene.h"
#include "terrane/base/rng.h"
#include "terrane/grid/octile.h"
#include "terrane/search/best_first.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {
namespace {

constexpr Move kNorth = 0, kEast = 1, kSouth = 2, kWest = 3, kNorthEast = 4, kSouthEast = 5;

DirectionMapOptions with_weight(uint32_t weight) {
    DirectionMapOptions options;
    options.weight = weight;
    return options;
}

// All forms of the map.
std::vector<DirectionMapOptions> forms() {
    std::vector<DirectionMapOptions> all;
    for (const uint32_t congested : {0u, 5u}) {
        all.push_back({.congestion_threshold = congested});
        for (const uint32_t block : {1u, 2u, 4u, 8u, 16u})
            all.push_back({.compact = true, .block = block, .congestion_threshold = congested});
    }
    return all;
}

DirectionMap random_map(const GridLayout& layout, DirectionMapOptions options, uint64_t seed) {
    options.random_seed = seed;
    return {layout, options};
}

void learn_at_random(DirectionMap& map, const GridLayout& layout, Rng& rng, int moves) {
    for (int i = 0; i < moves; ++i) {
        const int32_t x = rng.between(0, layout.width - 1), y = rng.between(0, layout.height - 1);
        map.learn(layout.id({x, y}), static_cast<Move>(rng.below(8)));
        if (rng.below(4) == 0) map.decay();
    }
}

}  // namespace

TEST(DirectionMap, EveryArrowIsVisitedOnceAndOnTheMap) {
    const GridLayout layout(70, 37);
    for (const DirectionMapOptions& options : forms()) {
        DirectionMap map = random_map(layout, options, 5);
        map.learn(layout.id({69, 36}), kNorth);
        std::vector<std::pair<CellId, Arrow>> visited, expected;
        map.each_arrow(layout, [&](CellId cell, Arrow arrow) { visited.emplace_back(cell, arrow); });
        for (CellId cell = 0; cell < layout.id_limit(); ++cell) {
            if (layout.contains(layout.cell(cell)) && map.arrow(cell) != Arrow{}) expected.emplace_back(cell, map.arrow(cell));
        }
        EXPECT_EQ(visited, expected);
        EXPECT_GT(visited.size(), 1000u);
        DirectionMap(layout, options).each_arrow(layout, [](CellId, Arrow) { ADD_FAILURE(); });
    }
}

TEST(DirectionMap, CostsRiseWithTheAngleToTheArrow) {
    const GridLayout layout(40, 40);
    DirectionMap map(layout, {.weight = 50, .learning = 100});
    const CellId cell = layout.id({35, 3});
    map.learn(cell, kEast);
    EXPECT_EQ(map.arrow(cell), kMoveArrows[kEast]);
    EXPECT_EQ(map.scaled(cell, kEast, 1000), 1000u);
    EXPECT_EQ(map.scaled(cell, kNorth, 1000), 1500u);
    EXPECT_EQ(map.scaled(cell, kWest, 1000), 2000u);
    EXPECT_EQ(map.scaled(cell, kNorthEast, 1000), 1146u);  // 1 + (1 - cos 45) / 2
    EXPECT_EQ(map.scaled(layout.id({34, 3}), kEast, 1000), 1500u) << "no arrow there";
}

TEST(DirectionMap, AMoveReplacesAShareOfTheArrow) {
    const GridLayout layout(4, 4);
    DirectionMap map(layout, {.learning = 25});
    map.learn(0, kEast);
    EXPECT_EQ(map.arrow(0), (Arrow{2048, 0}));
    map.learn(0, kEast);
    EXPECT_EQ(map.arrow(0), (Arrow{3584, 0}));
    map.learn(0, kSouth);
    EXPECT_EQ(map.arrow(0), (Arrow{2688, 2048}));
    map.learn(0, kWest);
    EXPECT_EQ(map.arrow(0), (Arrow{-32, 1536}));
}

TEST(DirectionMap, CostsStayBetweenTheTerrainCostAndTheStatedMaximum) {
    Rng rng(11);
    const GridLayout layout(50, 37);
    for (DirectionMapOptions options : forms()) {
        options.weight = 1 + rng.below(1000);
        options.learning = 1 + rng.below(100);
        options.decay = rng.below(200);
        DirectionMap map = rng.below(2) == 0 ? DirectionMap(layout, options) : random_map(layout, options, rng.next());
        for (int round = 0; round < 5; ++round) {
            learn_at_random(map, layout, rng, 2000);
            for (int i = 0; i < 2000; ++i) {
                const int32_t x = rng.between(0, 49), y = rng.between(0, 36);
                const auto move = static_cast<Move>(rng.below(8));
                const uint32_t cost = 1 + rng.below(2 * kMaxTerrainCost * kDiagonal);
                const uint64_t scaled = map.scaled(layout.id({x, y}), move, cost);
                ASSERT_GE(scaled, cost);
                ASSERT_LE(scaled, cost + uint64_t{cost} * 2 * options.weight / 100);
            }
        }
    }
}

TEST(DirectionMap, TheCostliestMoveFits32Bits) {
    DirectionMap map(GridLayout(1, 1), {.weight = 1000, .learning = 100});
    map.learn(0, kWest);
    EXPECT_EQ(map.scaled(0, kEast, 2 * kMaxTerrainCost * kDiagonal), 21u * 2 * kMaxTerrainCost * kDiagonal);
}

// Compared with doubles that decay in every tick.
TEST(DirectionMap, LazyDecayEqualsDecayInEveryTick) {
    const GridLayout layout(9, 7);
    constexpr double kDiag = 0.70710678;
    const std::vector<std::pair<double, double>> directions{{0, -1},         {1, 0},         {0, 1},          {-1, 0},
                                                            {kDiag, -kDiag}, {kDiag, kDiag}, {-kDiag, kDiag}, {-kDiag, -kDiag}};
    DirectionMap map(layout, {.learning = 30, .decay = 5});
    std::vector<std::pair<double, double>> expected(63);
    Rng rng(4);
    for (int tick = 0; tick < 1500; ++tick) {
        if (rng.below(3) == 0) {
            const uint32_t at = rng.below(63);
            const auto move = static_cast<Move>(rng.below(4) * (rng.below(2) + 1));
            map.learn(layout.id({static_cast<int32_t>(at % 9), static_cast<int32_t>(at / 9)}), move);
            auto& [x, y] = expected[at];
            x += (directions[move].first - x) * 0.3;
            y += (directions[move].second - y) * 0.3;
        }
        for (uint32_t at = 0; at < 63; ++at) {
            const Arrow arrow = map.arrow(layout.id({static_cast<int32_t>(at % 9), static_cast<int32_t>(at / 9)}));
            ASSERT_NEAR(arrow.x, expected[at].first * kArrowUnit, 12);
            ASSERT_NEAR(arrow.y, expected[at].second * kArrowUnit, 12);
        }
        map.decay();
        for (auto& [x, y] : expected) x *= 0.995, y *= 0.995;
    }
}

TEST(DirectionMap, ArrowsDecayAtTheGivenRate) {
    const GridLayout layout(64, 64);
    for (const bool compact : {false, true}) {
        DirectionMap still(layout, {.compact = compact, .learning = 100, .decay = 0});
        DirectionMap fading(layout, {.compact = compact, .learning = 100, .decay = 2});
        DirectionMap total(layout, {.compact = compact, .learning = 100, .decay = 1000});
        for (DirectionMap* map : {&still, &fading, &total}) map->learn(77, kSouth);
        for (int i = 0; i < 64; ++i) total.decay();
        EXPECT_EQ(total.arrow(77), Arrow{}) << compact;
        for (int i = 0; i < 10'000; ++i) still.decay(), fading.decay();
        EXPECT_EQ(still.arrow(77), kMoveArrows[kSouth]) << compact;
        EXPECT_EQ(fading.arrow(77), Arrow{}) << compact;
    }
}

TEST(DirectionMap, HalfTheCompactArrowsAreLeftWhenAFullOneIsHalfAsLong) {
    const GridLayout layout(256, 256);
    DirectionMap full(layout, {.learning = 100}), compact(layout, {.compact = true, .block = 2});
    for (int32_t y = 0; y < 256; y += 2) {
        for (int32_t x = 0; x < 256; x += 2) full.learn(layout.id({x, y}), kEast), compact.learn(layout.id({x, y}), kEast);
    }
    for (int i = 0; i < 346; ++i) full.decay(), compact.decay();
    EXPECT_NEAR(full.arrow(0).x, kArrowUnit * 0.5, 20);
    int left = 0;
    for (int32_t y = 0; y < 256; y += 2) {
        for (int32_t x = 0; x < 256; x += 2) left += compact.arrow(layout.id({x, y})) == kMoveArrows[kEast] ? 1 : 0;
    }
    EXPECT_GT(left, 128 * 128 * 45 / 100);
    EXPECT_LT(left, 128 * 128 * 60 / 100);
}

TEST(DirectionMap, CompactAndFullAgreeWhereOneDirectionDominates) {
    const GridLayout layout(33, 18);
    for (const uint32_t block : {1u, 2u, 4u, 8u, 16u}) {
        DirectionMap full(layout, {.decay = 0}), compact(layout, {.compact = true, .block = block, .decay = 0});
        Rng rng(block);
        int right = 0, all = 0;
        for (int i = 0; i < 60'000; ++i) {  // the left half goes south-east, the right half west, one in ten anywhere
            const int32_t x = rng.between(0, 32), y = rng.between(0, 17);
            const Move usual = x < 16 ? kSouthEast : kWest;
            const bool other = rng.below(10) == 0;
            const Move move = other ? static_cast<Move>(rng.below(8)) : usual;
            full.learn(layout.id({x, y}), move);
            compact.learn(layout.id({x, y}), move);
            if (i < 30'000) continue;
            const Arrow a = full.arrow(layout.id({x, y})), b = compact.arrow(layout.id({x, y}));
            right += a.x * b.x + a.y * b.y > kArrowUnit * kArrowUnit / 4 ? 1 : 0;
            ++all;
        }
        EXPECT_GT(right * 100, all * 85) << block;
    }
}

TEST(DirectionMap, ABlockIsAsLargeAsItSays) {
    const GridLayout layout(70, 70);
    for (const uint32_t block : {1u, 2u, 4u, 8u, 16u}) {
        DirectionMap map(layout, {.compact = true, .block = block});
        map.learn(layout.id({49, 35}), kNorth);
        const auto side = static_cast<int32_t>(block);
        for (int32_t y = 0; y < 70; ++y) {
            for (int32_t x = 0; x < 70; ++x) {
                const bool same = x / side == 49 / side && y / side == 35 / side;
                EXPECT_EQ(map.arrow(layout.id({x, y})), same ? kMoveArrows[kNorth] : Arrow{}) << x << ',' << y << " of " << block;
            }
        }
    }
}

TEST(DirectionMap, WithAThresholdOnlyCongestedTilesMatter) {
    const GridLayout layout(64, 32);
    for (const bool compact : {false, true}) {
        DirectionMap map(layout, {.compact = compact, .decay = 10, .congestion_threshold = 20});
        for (int i = 0; i < 19; ++i) map.learn(layout.id({i, 5}), kEast);
        EXPECT_EQ(map.scaled(layout.id({3, 5}), kWest, 1000), 1000u) << "not congested yet";
        for (int i = 0; i < 19; ++i) map.learn(layout.id({3, 5}), kEast);
        EXPECT_GT(map.scaled(layout.id({3, 5}), kWest, 1000), 1900u);
        EXPECT_EQ(map.scaled(layout.id({20, 20}), kWest, 1000), 1500u) << "same tile";
        EXPECT_EQ(map.scaled(layout.id({40, 5}), kWest, 1000), 1000u) << "next tile";
        for (int i = 0; i < 100; ++i) map.decay();
        EXPECT_EQ(map.scaled(layout.id({3, 5}), kWest, 1000), 1000u) << "no longer congested";
    }
}

TEST(DirectionMap, RandomArrowsDependOnTheSeedAndCopiesAreIndependent) {
    const GridLayout layout(100, 45);
    for (const bool compact : {false, true}) {
        const DirectionMapOptions options{.compact = compact, .block = 1};
        const DirectionMap one = random_map(layout, options, 1), again = random_map(layout, options, 1);
        const DirectionMap two = random_map(layout, options, 2);
        DirectionMap copy = one;
        std::array<int, 8> count{};
        int differ = 0;
        for (int32_t y = 0; y < 45; ++y) {
            for (int32_t x = 0; x < 100; ++x) {
                const CellId cell = layout.id({x, y});
                EXPECT_EQ(one.arrow(cell), again.arrow(cell));
                differ += one.arrow(cell) == two.arrow(cell) ? 0 : 1;
                for (size_t m = 0; m < 8; ++m) count[m] += one.arrow(cell) == kMoveArrows[m] ? 1 : 0;
            }
        }
        EXPECT_GT(differ, 3500);
        for (const int c : count) EXPECT_NEAR(c, 562, 80);
        for (int i = 0; i < 100; ++i) copy.learn(0, kEast);
        EXPECT_EQ(one.arrow(0), again.arrow(0));
        EXPECT_GT(copy.arrow(0).x, kArrowUnit * 9 / 10);
    }
}

TEST(DirectionMap, InitialArrowsAreThoseOfTheEarlierRun) {
    const GridLayout layout(50, 50);
    for (const bool compact : {false, true}) {
        DirectionMap before(layout, {.compact = compact});
        Rng rng(6);
        learn_at_random(before, layout, rng, 3000);
        const DirectionMap after(layout, {.compact = compact, .weight = 200, .initial = &before});
        for (int32_t i = 0; i < 2500; ++i) {
            const CellId cell = layout.id({i % 50, i / 50});
            EXPECT_EQ(after.arrow(cell), before.arrow(cell));
            EXPECT_NEAR(after.scaled(cell, kEast, 4000) - 4000.0, 4 * (before.scaled(cell, kEast, 4000) - 4000.0), 4)
                << "options are not copied";
        }
        EXPECT_EQ(after.options().initial, nullptr);
    }
}

TEST(DirectionMap, MemoryIsAllocatedPerEnteredTile) {
    const GridLayout layout(1024, 1024);
    DirectionMap full(layout, {}), compact(layout, {.compact = true});
    const size_t full_before = full.bytes(), compact_before = compact.bytes();
    full.learn(layout.id({500, 500}), kEast);
    compact.learn(layout.id({500, 500}), kEast);
    EXPECT_EQ(full.bytes() - full_before, 8u * 1024);        // a tile, 8 bytes per cell
    EXPECT_LE(compact.bytes() - compact_before, 128u + 16);  // 1 bit per cell
}

// ---- As a graph

namespace {

struct Plan {
    Status status;
    uint64_t cost, expansions;
};

template <class H>
Plan plan(const DirectionMapGraph<uint64_t>& graph, CellId from, CellId to, const H& h) {
    PagedLabels<CellId, uint64_t, Move> labels;
    HeapQueue<CellId, uint64_t> queue;
    labels.reset(graph.layout().id_limit());
    BestFirst search(graph, h, OneGoal<CellId>{to}, labels, queue);
    search.start(from, 0, kNoMove);
    const Status status = search.run();
    return {status, search.reached() ? search.goal_cost() : 0, search.expansions()};
}

// Bellman-Ford.
uint64_t brute_force(const test::RandomWorld& world, const DirectionMap& map, CellId from, CellId to) {
    const GridSnapshot grid = world.grid.snapshot();
    const GridLayout& layout = grid.layout();
    std::vector<uint64_t> best(layout.id_limit(), kInfinite<uint64_t>);
    best[from] = 0;
    for (bool better = true; better;) {
        better = false;
        for (int32_t i = 0; i < layout.width * layout.height; ++i) {
            const Cell a{i % layout.width, i / layout.width};
            const CellId id = layout.id(a);
            for (Move m = 0; m < 8 && best[id] != kInfinite<uint64_t>; ++m) {
                const Cell b{a.x + kMoves[m].x, a.y + kMoves[m].y};
                const Cost step = Ground(grid, world.costs, world.movement).step_cost(a, b);
                if (step == kInfiniteCost) continue;
                const uint64_t cost = best[id] + map.scaled(id, m, static_cast<uint32_t>(step / world.costs.divisor));
                if (cost >= best[layout.id(b)]) continue;
                best[layout.id(b)] = cost;
                better = true;
            }
        }
    }
    return best[to];
}

}  // namespace

TEST(DirectionMapGraph, AStarFindsTheCheapestPathAlongTheArrows) {
    Rng rng(31);
    int found = 0;
    for (int round = 0; round < 120; ++round) {
        const test::RandomWorld world = test::random_world(rng, 22);
        const GridSnapshot grid = world.grid.snapshot();
        const GridLayout& layout = grid.layout();
        DirectionMapOptions options = forms()[rng.below(12)];
        options.weight = 1 + rng.below(300);
        const uint64_t seed = rng.next();
        DirectionMap map = rng.below(2) == 0 ? DirectionMap(layout, options) : random_map(layout, options, seed);
        learn_at_random(map, layout, rng, 500);
        const auto draw = [&] {
            const int32_t x = rng.between(0, layout.width - 1), y = rng.between(0, layout.height - 1);
            return layout.id({x, y});
        };
        const CellId from = draw(), to = draw();
        if (!world.costs.passable(grid.at(from)) || !world.costs.passable(grid.at(to))) continue;
        const DirectionMapGraph<uint64_t> graph({grid, world.costs, world.movement}, map);
        const uint32_t cheapest = grid_bounds(grid, world.costs).cheapest;
        const OctileHeuristic<GridLayout, uint64_t> h(layout, layout.cell(to), cheapest, rule_of(world.movement));
        const Plan astar = plan(graph, from, to, h);
        const uint64_t best = brute_force(world, map, from, to);
        EXPECT_EQ(astar.status, best == kInfinite<uint64_t> ? Status::kUnreachable : Status::kFound);
        if (astar.status != Status::kFound) continue;
        EXPECT_EQ(astar.cost, best);
        ++found;
    }
    EXPECT_GT(found, 30);
}

TEST(DirectionMapGraph, ADetourAlongTheArrowsBeatsAShorterPathAgainstThem) {
    const test::Scene s = test::scene(R"(
        .......
        S.....G
        .......)");
    const GridSnapshot grid = s.grid.snapshot();
    const GridLayout& layout = grid.layout();
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    DirectionMap map(layout, with_weight(300));
    for (int i = 0; i < 50; ++i) {
        for (int32_t x = 0; x < 7; ++x) {
            map.learn(layout.id({x, 1}), kWest);
            map.learn(layout.id({x, 2}), kEast);
        }
    }
    const DirectionMapGraph<uint64_t> graph({grid, costs, Movement::kFour}, map);
    PagedLabels<CellId, uint64_t, Move> labels;
    HeapQueue<CellId, uint64_t> queue;
    labels.reset(layout.id_limit());
    BestFirst search(graph, ZeroHeuristic{}, OneGoal<CellId>{layout.id(s.goal)}, labels, queue);
    search.start(layout.id(s.start), 0, kNoMove);
    ASSERT_EQ(search.run(), Status::kFound);
    int below = 0;
    search.walk_back(
        layout.id(s.goal), [&](CellId c) { return c == layout.id(s.start); }, [&](CellId c) { below += layout.y(c) == 2 ? 1 : 0; });
    EXPECT_EQ(below, 7);
}

TEST(DirectionMap, Golden) {
    const GridLayout layout(90, 61);
    uint64_t hash = 0;
    for (DirectionMapOptions options : forms()) {
        DirectionMap map = random_map(layout, options, 9);
        Rng rng(12);
        learn_at_random(map, layout, rng, 5000);
        for (int32_t y = 0; y < 61; ++y) {
            for (int32_t x = 0; x < 90; ++x) {
                const CellId cell = layout.id({x, y});
                const Arrow arrow = map.arrow(cell);
                hash = mix64(hash ^ static_cast<uint16_t>(arrow.x) ^ uint64_t{static_cast<uint16_t>(arrow.y)} << 16 ^
                             uint64_t{map.scaled(cell, static_cast<Move>((x + y) % 8), 197000)} << 32);
            }
        }
    }
    EXPECT_EQ(hash, 2950102729792452589u);
}

}  // namespace terrane
