#include "terrane/hpa/entrance_graph.h"

#include <gtest/gtest.h>

#include "support/scene.h"
#include "terrane/grid/path.h"

namespace terrane::test {
namespace {

constexpr uint32_t kEntranceSectors[] = {4, 5, 8, 16};

EntranceGraph graph_of(const Scene& s, uint32_t sector, Movement movement = Movement::kEightNoCornerCutting) {
    const GridSnapshot grid = s.grid.snapshot();
    return EntranceGraph::build({grid, s.profile.compile(grid.catalogue()).value(), movement}, {sector});
}

std::vector<Cell> nodes_of(const EntranceGraph& graph, uint32_t sector) {
    std::vector<Cell> out;
    for (const detail::EntranceNode& node : graph.data().record(sector).nodes) out.push_back(node.cell());
    return out;
}

using Cells = std::vector<Cell>;

TEST(EntranceGraph, ANarrowEntranceHasOneTransitionInItsMiddle) {
    const EntranceGraph graph = graph_of(scene(R"(................
                                                  ................
                                                  ................
                                                  ................
                                                  ................
                                                  .......##.......
                                                  .......##.......
                                                  .......##.......)"),
                                         8);
    EXPECT_EQ(nodes_of(graph, 0), (Cells{{7, 2}}));
    EXPECT_EQ(nodes_of(graph, 1), (Cells{{8, 2}}));
    EXPECT_EQ(graph.node_count(), 2u);
    EXPECT_EQ(graph.edge_count(), 2u);
}

TEST(EntranceGraph, AWideEntranceHasATransitionAtBothEnds) {
    const EntranceGraph graph = graph_of(scene(R"(................
                                                  ................
                                                  ................
                                                  ................
                                                  ................
                                                  ................
                                                  .......#........
                                                  ........#.......)"),
                                         8);
    EXPECT_EQ(nodes_of(graph, 0), (Cells{{7, 0}, {7, 5}}));
    EXPECT_EQ(graph.edge_count(), 8u);  // two inter-sector edges and two intra-sector edges, in both directions
}

TEST(EntranceGraph, EdgesCostTheCheapestPathInsideTheSector) {
    const EntranceGraph graph = graph_of(scene(R"(11119...
                                                  9##1#...
                                                  9##1#...
                                                  11111...)"),
                                         4);
    const detail::EntranceRecord& left = graph.data().record(0);
    ASSERT_EQ(nodes_of(graph, 0), (Cells{{3, 0}, {3, 3}}));
    EXPECT_EQ(left.distance[1], uint64_t{kStraight} * 2 * 3);  // straight down
}

TEST(EntranceGraph, DiagonalStepsBetweenBlockedCellsCrossIfCornersMayBeCut) {
    const Scene corner = scene(R"(...#....
                                  ...#....
                                  ...##...
                                  ....####
                                  ####....
                                  ...#....
                                  ...#....
                                  ...#....)");
    EXPECT_EQ(graph_of(corner, 4, Movement::kEightNoCornerCutting).node_count(), 0u);
    const EntranceGraph cutting = graph_of(corner, 4, Movement::kEightCutCorners);
    EXPECT_EQ(nodes_of(cutting, 0), (Cells{{3, 3}}));
    EXPECT_EQ(nodes_of(cutting, 3), (Cells{{4, 4}}));
    EXPECT_EQ(cutting.node_count(), 2u);
}

TEST(EntranceGraph, SmallestWorlds) {
    const EntranceGraph empty;
    EXPECT_EQ(empty.node_count(), 0u);
    EXPECT_EQ(empty.id_limit(), 0u);
    EXPECT_EQ(graph_of(scene("."), 16).node_count(), 0u);
    EXPECT_EQ(graph_of(scene("#"), 4).node_count(), 0u);
}

// Costs inside each sector against brute force on a map of that sector alone.
TEST(EntranceGraph, HoldsTheDistancesInsideItsSectors) {
    Rng rng(21);
    for (int i = 0; i < 40; ++i) {
        const RandomWorld world = random_world(rng, 30);
        const GridSnapshot grid = world.grid.snapshot();
        const EntranceGraph graph = EntranceGraph::build({grid, world.costs, world.movement}, {kEntranceSectors[i % 4]});
        const detail::EntranceData& data = graph.data();
        for (uint32_t s = 0; s < data.sectors(); ++s) {
            const Rect rect = data.rect(s);
            oracle::Map map{rect.width, rect.height, {}};
            for (int32_t y = rect.y; y < rect.bottom(); ++y) {
                for (int32_t x = rect.x; x < rect.right(); ++x) {
                    const Terrain t = grid.at(Cell{x, y});
                    map.cost.push_back(world.costs.passable(t) ? world.costs.cost[t] : -1.0);
                }
            }
            const detail::EntranceRecord& record = data.record(s);
            const size_t count = record.nodes.size();
            for (size_t a = 0; a < count; ++a) {
                const Cell from = record.nodes[a].cell();
                const std::vector<double> want = oracle::distances(map, from.x - rect.x, from.y - rect.y, to_oracle(world.movement));
                for (size_t b = 0; b < count; ++b) {
                    const Cell to = record.nodes[b].cell();
                    const double best = want[static_cast<size_t>((to.y - rect.y) * map.width + to.x - rect.x)];
                    const uint64_t have = record.distance[a * count + b];
                    if (best == oracle::kFar) {
                        ASSERT_EQ(have, kInfinite<uint64_t>);
                    } else {
                        ASSERT_NEAR(static_cast<double>(have), best * 2 * kStraight, best * 2 * kStraight * 1e-6) << i;
                    }
                }
            }
        }
    }
}

TEST(EntranceSearch, FindsAPathIfAndOnlyIfThereIsOne) {
    Rng rng(22);
    EntranceSearch search;
    int found = 0;
    for (int i = 0; i < 300; ++i) {
        const RandomWorld world = random_world(rng, 40);
        const GridSnapshot grid = world.grid.snapshot();
        const EntranceGraph graph = EntranceGraph::build({grid, world.costs, world.movement}, {kEntranceSectors[i % 4]});
        const Cell start = random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start))) continue;
        const std::vector<double> distance = oracle::distances(to_oracle(grid, world.costs), start.x, start.y, to_oracle(world.movement));
        for (int q = 0; q < 10; ++q) {
            const Cell goal = random_cell(rng, grid);
            if (!world.costs.passable(grid.at(goal))) continue;
            const double best = distance[static_cast<size_t>(goal.y * grid.width() + goal.x)];
            search.begin(graph, start, goal);
            ASSERT_EQ(search.run(), best == oracle::kFar ? Status::kUnreachable : Status::kFound) << i;
            if (best == oracle::kFar) continue;
            ++found;
            ASSERT_GE(to_real(search.cost() * world.costs.divisor), best * (1 - 1e-6));
            std::vector<Cell> path;
            search.path(path);
            ASSERT_EQ(path.front(), start);
            ASSERT_EQ(path.back(), goal);
        }
    }
    EXPECT_GT(found, 500);
}

TEST(EntranceSearch, IsTheSameInSlices) {
    Rng rng(23);
    EntranceSearch whole, sliced;
    std::vector<Cell> a, b;
    for (int i = 0; i < 60; ++i) {
        const RandomWorld world = random_world(rng, 60);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        if (!world.costs.passable(grid.at(start)) || !world.costs.passable(grid.at(goal))) continue;
        const EntranceGraph graph = EntranceGraph::build({grid, world.costs, world.movement}, {8});
        whole.begin(graph, start, goal);
        sliced.begin(graph, start, goal);
        const Status status = whole.run();
        while (sliced.run(7) == Status::kBudgetSpent) {
        }
        ASSERT_EQ(sliced.run(), status);
        ASSERT_EQ(sliced.expansions(), whole.expansions());
        if (status != Status::kFound) continue;
        whole.path(a);
        sliced.path(b);
        ASSERT_EQ(a, b);
    }
}

TEST(EntranceGraph, EqualsANewOneAfterThousandsOfEdits) {
    Rng rng(24);
    for (int i = 0; i < 60; ++i) {
        RandomWorld world = random_world(rng, 45);
        const EntranceOptions options{kEntranceSectors[i % 4]};
        EntranceGraph graph = EntranceGraph::build({world.grid.snapshot(), world.costs, world.movement}, options);
        for (int e = 0; e < 40; ++e) {
            const Cell at = random_cell(rng, world.grid.snapshot());
            const auto terrain = static_cast<Terrain>(rng.below(8));
            const int32_t side = rng.chance(1, 5) ? rng.between(2, 12) : 1;
            graph = graph.updated(world.grid.fill({at, {side, side}}, terrain)).value();
            ASSERT_EQ(graph, EntranceGraph::build({world.grid.snapshot(), world.costs, world.movement}, options)) << i << " " << e;
        }
    }
}

TEST(EntranceGraph, RecostedEqualsANewOne) {
    Rng rng(25);
    for (int i = 0; i < 40; ++i) {
        const RandomWorld world = random_world(rng, 45);
        const GridSnapshot grid = world.grid.snapshot();
        const EntranceGraph graph = EntranceGraph::build({grid, world.costs, world.movement}, {8});
        CostTable other = world.costs;  // the same blocked set at first, then another
        for (uint32_t& cost : other.cost) cost = cost == 0 ? 0 : 1 + rng.below(500);
        EXPECT_EQ(graph.recosted(other), EntranceGraph::build({grid, other, world.movement}, {8}));
        EXPECT_TRUE(graph.recosted(other).valid_for({grid, other, world.movement}));
        other.cost[rng.below(8)] = rng.chance(1, 2) ? 0 : 3;
        EXPECT_EQ(graph.recosted(other), EntranceGraph::build({grid, other, world.movement}, {8}));
    }
}

TEST(EntranceGraph, AnEditOfAnotherVersionIsRefused) {
    Scene s = scene("........");
    const EntranceGraph graph = graph_of(s, 4);
    EXPECT_TRUE(graph.updated(s.grid.set({0, 0}, Terrain{0})));
    EXPECT_FALSE(graph.updated(s.grid.set({1, 0}, Terrain{0})));
}

TEST(EntranceGraphGolden, SameNodesAndCostsEverywhere) {
    Rng rng(26);
    uint64_t h = 0;
    for (int i = 0; i < 30; ++i) {
        const RandomWorld world = random_world(rng, 50);
        const EntranceGraph graph = EntranceGraph::build({world.grid.snapshot(), world.costs, world.movement}, {kEntranceSectors[i % 4]});
        for (uint32_t s = 0; s < graph.data().sectors(); ++s) {
            const detail::EntranceRecord& record = graph.data().record(s);
            for (const detail::EntranceNode& node : record.nodes) {
                h = mix64(h ^ (uint64_t{node.x} << 32 | uint64_t{node.y} << 8 | node.moves));
            }
            for (const uint64_t distance : record.distance) h = mix64(h ^ distance);
        }
    }
    EXPECT_EQ(h, 0x9df1a1623b727932u);
}

}  // namespace
}  // namespace terrane::test
