#include "dta/region_search.h"

#include <gtest/gtest.h>

#include <map>
#include <queue>

#include "support/scene.h"
#include "terrane/dta/edge_costs.h"

namespace terrane {
namespace {

// Dijkstra's algorithm over the regions: costs from one region to all.
std::map<RegionId, uint64_t> distances(const TerrainRegions& regions, const Ground& ground, RegionId start) {
    const RegionGraph graph(regions, ground);
    const bool diagonals = uses_diagonal_edges({regions.grid(), ground.costs(), ground.movement()});
    std::map<RegionId, uint64_t> best{{start, 0}};
    std::priority_queue<std::pair<uint64_t, RegionId>, std::vector<std::pair<uint64_t, RegionId>>, std::greater<>> open;
    open.push({0, start});
    while (!open.empty()) {
        const auto [d, id] = open.top();
        open.pop();
        if (best.at(id) != d) continue;
        regions.for_each_edge(id, [&](RegionId to, bool diagonal_only) {
            if (!ground.costs().passable(regions.region(to).terrain) || (diagonal_only && !diagonals)) return;
            const uint64_t g = d + graph.estimate(regions.region(id), regions.region(to));
            const auto [known, fresh] = best.try_emplace(to, g);
            if (!fresh && known->second <= g) return;
            known->second = g;
            open.push({g, to});
        });
    }
    return best;
}

struct Question {
    test::RandomWorld world;
    TerrainRegions regions;
    RegionId start, goal;
};

// A world and two of its passable regions; empty if the drawn cells are blocked.
std::optional<Question> random_question(Rng& rng) {
    test::RandomWorld world = test::random_world(rng);
    const GridSnapshot grid = world.grid.snapshot();
    const TerrainRegions regions = TerrainRegions::build(grid, {.sector = 4 + rng.below(20)});
    const Cell a = test::random_cell(rng, grid), b = test::random_cell(rng, grid);
    if (!world.costs.passable(grid.at(a)) || !world.costs.passable(grid.at(b))) return std::nullopt;
    const RegionId start = regions.region_of(a), goal = regions.region_of(b);
    return Question{std::move(world), regions, start, goal};
}

uint64_t cost_of(const Question& q, const std::vector<RegionId>& path) {
    const RegionGraph graph(q.regions, {q.regions.grid(), q.world.costs, q.world.movement});
    uint64_t sum = 0;
    for (size_t i = 1; i < path.size(); ++i) {
        bool adjacent = false;
        q.regions.for_each_edge(path[i - 1], [&](RegionId to, bool) { adjacent |= to == path[i]; });
        EXPECT_TRUE(adjacent);
        sum += graph.estimate(q.regions.region(path[i - 1]), q.regions.region(path[i]));
    }
    return sum;
}

Status run(RegionSearch& search, const Question& q, const RegionSearchOptions& options, uint64_t slice = kUnlimited) {
    search.begin(q.regions, {q.regions.grid(), q.world.costs, q.world.movement}, q.start, q.goal, options);
    Status status = search.run(slice);
    while (status == Status::kBudgetSpent) status = search.run(slice);
    return status;
}

TEST(RegionSearch, FindsWhatDijkstraFinds) {
    Rng rng(11);
    RegionSearch search;
    std::vector<RegionId> path;
    int found = 0;
    for (int i = 0; i < 300; ++i) {
        const auto q = random_question(rng);
        if (!q) continue;
        const auto best = distances(q->regions, {q->regions.grid(), q->world.costs, q->world.movement}, q->start);
        const auto goal = best.find(q->goal);
        for (const RegionSearchOptions& options :
             {RegionSearchOptions{}, RegionSearchOptions{.bidirectional = true}, RegionSearchOptions{.weight = {3, 2}}}) {
            const Status status = run(search, *q, options);
            ASSERT_EQ(status, goal == best.end() ? Status::kUnreachable : Status::kFound) << i;
            if (status != Status::kFound) continue;
            search.path(path);
            ASSERT_EQ(path.front(), q->start);
            ASSERT_EQ(path.back(), q->goal);
            ASSERT_EQ(std::adjacent_find(path.begin(), path.end()), path.end()) << "no region twice in a row";
            ASSERT_EQ(cost_of(*q, path), search.cost());
            if (options.weight.numerator == 1) {
                ASSERT_EQ(search.cost(), goal->second);
            } else {
                ASSERT_LE(search.cost() * 2, goal->second * 3);
            }
            ++found;
        }
    }
    EXPECT_GT(found, 100);
}

TEST(RegionSearch, InSlicesIsTheSame) {
    Rng rng(12);
    RegionSearch search;
    std::vector<RegionId> whole, sliced;
    for (int i = 0; i < 60; ++i) {
        const auto q = random_question(rng);
        if (!q) continue;
        for (const bool bidirectional : {false, true}) {
            if (run(search, *q, {.bidirectional = bidirectional}) != Status::kFound) continue;
            search.path(whole);
            const uint64_t expansions = search.expansions();
            ASSERT_EQ(run(search, *q, {.bidirectional = bidirectional}, 3), Status::kFound);
            search.path(sliced);
            ASSERT_EQ(whole, sliced);
            ASSERT_EQ(expansions, search.expansions());
        }
    }
}

TEST(RegionSearch, FromARegionToItselfIsOneRegion) {
    const TerrainGrid grid(20, 20, Terrain{1});
    const TerrainRegions regions = TerrainRegions::build(grid.snapshot(), {.sector = 8});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    RegionSearch search;
    std::vector<RegionId> path;
    for (const bool bidirectional : {false, true}) {
        search.begin(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, 3, 3, {.bidirectional = bidirectional});
        ASSERT_EQ(search.run(), Status::kFound);
        search.path(path);
        EXPECT_EQ(path, (std::vector<RegionId>{3}));
        EXPECT_EQ(search.cost(), 0u);
    }
}

TEST(RegionSearch, TakesExactCostsOfThisVersionOnly) {
    TerrainGrid grid(40, 40, Terrain{1});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    const TerrainRegions before = TerrainRegions::build(grid.snapshot(), {.sector = 8});
    const ExactEdgeCosts exact = ExactEdgeCosts::build(before, {before.grid(), costs, Movement::kEightNoCornerCutting});
    RegionSearch search;
    search.begin(before, {before.grid(), costs, Movement::kEightNoCornerCutting}, 0, 24, {.edge_costs = &exact});
    EXPECT_EQ(search.run(), Status::kFound);
    const TerrainRegions after = *before.updated(grid.set({3, 3}, Terrain{2}));
    search.begin(after, {after.grid(), costs, Movement::kEightNoCornerCutting}, 0, 24, {.edge_costs = &exact});
    EXPECT_EQ(search.run(), Status::kStale);
}

// A ring of walls with diagonal openings only: no path under the corner rule, a path with corner cutting.
TEST(RegionSearch, DoesNotSqueezeThroughACorner) {
    const test::Scene s = test::scene(R"(....#...
                                         ....#...
                                         ....#...
                                         ####....
                                         ........
                                         ........
                                         ........
                                         ........)");
    const GridSnapshot grid = s.grid.snapshot();
    const TerrainRegions regions = TerrainRegions::build(grid, {.sector = 4});
    const CostTable costs = s.profile.compile(grid.catalogue()).value();
    RegionSearch search;
    const auto status = [&](Movement movement) {
        search.begin(regions, {regions.grid(), costs, movement}, regions.region_of({0, 0}), regions.region_of({7, 7}));
        return search.run();
    };
    EXPECT_EQ(status(Movement::kEightNoCornerCutting), Status::kUnreachable);
    EXPECT_EQ(status(Movement::kFour), Status::kUnreachable);
    const test::Scene corner = test::scene(R"(...#....
                                              ...#....
                                              ...#....
                                              ###.....
                                              ........
                                              ........
                                              ........
                                              ........)");
    const GridSnapshot open = corner.grid.snapshot();
    const TerrainRegions cut = TerrainRegions::build(open, {.sector = 4});
    search.begin(cut, {cut.grid(), costs, Movement::kEightCutCorners}, cut.region_of({0, 0}), cut.region_of({7, 7}));
    EXPECT_EQ(search.run(), Status::kFound);
    search.begin(cut, {cut.grid(), costs, Movement::kEightNoCornerCutting}, cut.region_of({0, 0}), cut.region_of({7, 7}));
    EXPECT_EQ(search.run(), Status::kUnreachable);
}

}  // namespace
}  // namespace terrane
