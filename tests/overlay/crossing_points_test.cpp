#include "overlay/crossing_points.h"

#include <gtest/gtest.h>

#include <map>

#include "overlay/portal_graph.h"
#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::detail {
namespace {

// Distances inside a cluster between any two cells, by complete fields.
class ClusterOracle {
public:
    explicit ClusterOracle(const OverlayData& data) : data_(data) {}

    uint64_t distance(uint32_t cluster, Cell a, Cell b) {
        const Rect rect = data_.cluster_rect(cluster);
        costs_.read(data_.ground.grid(), data_.table_costs, data_.ground.movement(), rect);
        if (costs_.uniform()) return uniform_distance(a, b, costs_.cost(0), data_.ground.movement());
        auto [at, is_new] = fields_.try_emplace({cluster, cluster_cell(rect, b)});
        const std::array<ClusterCell, 1> targets{cluster_cell(rect, b)};
        if (is_new) {
            EXPECT_TRUE(make_field(costs_, targets, at->second));
        }
        const uint32_t d = at->second.distance(cluster_cell(rect, a), 0);
        return d == kNoPath ? kInfinite<uint64_t> / 4 : d;
    }

private:
    const OverlayData& data_;
    ClusterCosts costs_;
    std::map<std::pair<uint32_t, ClusterCell>, Field<int32_t>> fields_;
};

std::vector<Cell> cells_of(const Rect& rect) {
    std::vector<Cell> out;
    for (int32_t y = rect.y; y < rect.bottom(); ++y) {
        for (int32_t x = rect.x; x < rect.right(); ++x) out.push_back({x, y});
    }
    return out;
}

// A random walk from portal to portal.
Vector<PathCrossing> random_walk(const OverlayData& data, Rng& rng) {
    Vector<PathCrossing> out;
    uint32_t cluster = rng.below(data.cluster_count());
    for (uint32_t left = 2 + rng.below(5); left > 0; --left) {
        const PortalTable table = data.table(cluster);
        if (table.count() == 0) return out;
        const uint32_t next = rng.below(table.count());
        const PortalId id = data.id(table.keys()[next]);
        if (!out.empty()) {
            const uint32_t before = PortalGraph::index_in(data, cluster, out.back().portal);
            if (before == next || table.row(before)[next] == kNoPath) continue;
        }
        const uint32_t segment = id >> data.shift;
        out.push_back({id, segment, cluster, data.portal(id)});
        cluster = data.cluster_of(segment, data.cluster_of(segment, false) == cluster);
    }
    return out;
}

bool is_portal(const OverlayData& data, uint32_t segment, Cell c) { return std::ranges::count(data.segments[segment]->portals, c) > 0; }

uint64_t length(ClusterOracle& oracle, const Vector<PathCrossing>& crossings) {
    uint64_t sum = 0;
    for (size_t i = 1; i < crossings.size(); ++i) sum += oracle.distance(crossings[i].cluster, crossings[i - 1].cell, crossings[i].cell);
    return sum;
}

// The least length over all cells of the borders, by trial; in clusters that are not uniform, one cell of each pair is a portal.
uint64_t least_length(const OverlayData& data, ClusterOracle& oracle, const Vector<PathCrossing>& crossings) {
    std::map<std::pair<int32_t, int32_t>, uint64_t> now{{{crossings[0].cell.x, crossings[0].cell.y}, 0}};
    for (size_t i = 1; i < crossings.size(); ++i) {
        const uint32_t cluster = crossings[i].cluster;
        std::map<std::pair<int32_t, int32_t>, uint64_t> next;
        for (const Cell b : cells_of(data.segment_rect(crossings[i].segment))) {
            if (!data.ground.passable(b)) continue;
            uint64_t best = kInfinite<uint64_t> / 4;
            for (const auto& [at, d] : now) {
                const Cell a{at.first, at.second};
                const bool pair = data.clusters[cluster]->uniform_cost != 0 || is_portal(data, crossings[i - 1].segment, a) ||
                                  is_portal(data, crossings[i].segment, b);
                if (pair) best = std::min(best, d + oracle.distance(cluster, a, b));
            }
            next[{b.x, b.y}] = best;
        }
        now = next;
    }
    return now[{crossings.back().cell.x, crossings.back().cell.y}];
}

// Small costs fit 16 bits, large ones do not.
TEST(CrossingPoints, AreTheBestByTrialOfAllCells) {
    Rng rng(61);
    CrossingPoints points;
    int shorter = 0, same = 0, wide = 0, uniform = 0;
    for (int i = 0; i < 60; ++i) {
        const test::RandomWorld world = test::random_world(rng, 110);
        const Ground ground(world.grid.snapshot(), world.costs, world.movement);
        const PortalOverlay overlay = PortalOverlay::build(ground, {1 + rng.below(3), 0, 1});
        const OverlayData& data = overlay.data();
        ClusterOracle oracle(data);
        FirstMoveCache tables(size_t{1} << 20);
        for (int q = 0; q < 3; ++q) {
            Vector<PathCrossing> crossings = random_walk(data, rng);
            if (crossings.size() < 3) continue;
            const Vector<PathCrossing> before = crossings;
            points.optimise(data, tables, crossings);
            ASSERT_EQ(crossings.size(), before.size());
            ASSERT_EQ(crossings.front().portal, before.front().portal);
            ASSERT_EQ(crossings.back().portal, before.back().portal);
            for (size_t k = 0; k < crossings.size(); ++k) {
                ASSERT_TRUE(data.segment_rect(crossings[k].segment).contains(crossings[k].cell));
                ASSERT_EQ(crossings[k].portal != kNoPortal, is_portal(data, crossings[k].segment, crossings[k].cell));
                const uint32_t cluster = crossings[k].cluster;
                if (crossings[k].portal != kNoPortal) {
                    ASSERT_EQ(data.portal(crossings[k].portal), crossings[k].cell);
                }
                const FirstMoveTable* moves = tables.get(data, cluster);
                uniform += moves == nullptr ? 1 : 0;
                wide += moves != nullptr && !moves->wide.empty() ? 1 : 0;
                if (k > 0 && moves != nullptr) {
                    ASSERT_TRUE(crossings[k - 1].portal != kNoPortal || crossings[k].portal != kNoPortal);
                }
            }
            ASSERT_EQ(length(oracle, crossings), least_length(data, oracle, before)) << "world " << i;
            ++(length(oracle, crossings) < length(oracle, before) ? shorter : same);
        }
    }
    EXPECT_GT(shorter, 30);
    EXPECT_GT(same, 0);
    EXPECT_GT(wide, 10);
    EXPECT_GT(uniform, 10);
}

// Large uniform areas whose distances just fit 16 bits, so that sums overflow.
TEST(CrossingPoints, AreTheBestByTrialOnAnIsland) {
    const GridSnapshot grid = generate_island({.width = 330, .height = 300, .seed = 4}).value().snapshot();
    Profile profile("levels");
    for (size_t t = 0; t < grid.catalogue().size(); ++t) {
        profile.rule(grid.catalogue()[static_cast<Terrain>(t)].name, 420 + 20 * static_cast<uint32_t>(t % 4));
    }
    const CostTable costs = profile.compile(grid.catalogue()).value();
    const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, {2, 0, 1});
    const OverlayData& data = overlay.data();
    ClusterOracle oracle(data);
    FirstMoveCache tables(size_t{1} << 20);
    CrossingPoints points;
    Rng rng(63);
    int uniform = 0;
    for (int q = 0; q < 150; ++q) {
        Vector<PathCrossing> crossings = random_walk(data, rng);
        if (crossings.size() < 3) continue;
        const uint64_t best = least_length(data, oracle, crossings);
        for (const PathCrossing& crossing : crossings) uniform += tables.get(data, crossing.cluster) == nullptr ? 1 : 0;
        points.optimise(data, tables, crossings);
        ASSERT_EQ(length(oracle, crossings), best) << q;
    }
    EXPECT_GT(uniform, 40);
}

// On uniform terrain the best crossings of a straight line are on it.
TEST(CrossingPoints, StraightenALineOverUniformTerrain) {
    const GridSnapshot grid = TerrainGrid(200, 200, Terrain{5}).snapshot();
    for (const double terrain : {1.0, 20.0, 600.0}) {
        const CostTable costs = Profile().otherwise(terrain).compile(grid.catalogue()).value();
        const PortalOverlay overlay = PortalOverlay::build({grid, costs, Movement::kEightNoCornerCutting}, {1, 0, 1});
        const OverlayData& data = overlay.data();
        Vector<PathCrossing> crossings;
        for (uint32_t cluster = data.clusters_x; cluster + 2 < 2 * data.clusters_x; ++cluster) {
            const PortalId id = (2 * cluster) << data.shift;
            crossings.push_back({id, 2 * cluster, cluster, data.portal(id)});
        }
        ASSERT_GE(crossings.size(), 4u);
        crossings[1].cell.y += 9;  // no portal: a worse crossing
        FirstMoveCache tables(size_t{1} << 20);
        CrossingPoints points;
        points.optimise(data, tables, crossings);
        for (const PathCrossing& crossing : crossings) EXPECT_EQ(crossing.cell.y, crossings[0].cell.y);
    }
}

TEST(CrossingPointsGolden, SameCellsEverywhere) {
    Rng rng(62);
    CrossingPoints points;
    uint64_t hash = 0;
    for (int i = 0; i < 20; ++i) {
        const test::RandomWorld world = test::random_world(rng, 200);
        const PortalOverlay overlay = PortalOverlay::build({world.grid.snapshot(), world.costs, world.movement}, {1 + rng.below(3), 0, 1});
        FirstMoveCache tables(size_t{1} << 20);
        for (int q = 0; q < 10; ++q) {
            Vector<PathCrossing> crossings = random_walk(overlay.data(), rng);
            points.optimise(overlay.data(), tables, crossings);
            for (const PathCrossing& c : crossings)
                hash = mix64(hash ^ (static_cast<uint64_t>(c.cell.x) << 32 | static_cast<uint32_t>(c.cell.y)));
        }
    }
    EXPECT_EQ(hash, 4763771676079969573u) << hash;
}

}  // namespace
}  // namespace terrane::detail
