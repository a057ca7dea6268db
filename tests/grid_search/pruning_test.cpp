// Pruning of successors in uniform neighbourhoods (grid_graph.h): what it leaves unchanged.
#include <gtest/gtest.h>

#include "grid_search/search_limits.h"
#include "support/scene.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/grid/octile.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::test {
namespace {

// All legal steps.
struct Unpruned {
    using Node = CellId;
    using Value = uint64_t;
    using Via = Move;
    GridGraph<uint64_t> graph;

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        graph.expand(node, PlainLabel<Unpruned>{label.g, kNoMove}, [&](CellId to, uint64_t g, Move move) { emit(to, g, move); });
    }
    CellId origin(CellId to, Move move) const { return graph.origin(to, move); }
};

struct Answer {
    uint64_t cost = 0, expansions = 0;
    std::vector<CellId> path;
    friend bool operator==(const Answer&, const Answer&) = default;
};

// A* with buckets, as in GridSearch; with `heuristic` 0, Dijkstra's algorithm.
template <class G>
Answer search(const RandomWorld& world, const G& graph, Cell start, Cell goal, bool heuristic) {
    const Ground ground(world.grid.snapshot(), world.costs, world.movement);
    const GridLayout& layout = ground.layout();
    const uint32_t cheapest = ground.bounds().cheapest;
    PagedLabels<CellId, uint64_t, Move> labels;
    BucketQueue<CellId, uint64_t> queue;
    labels.reset(layout.id_limit());
    queue.reset(detail::bucket_shift(uint64_t{2} * kStraight * cheapest));
    BestFirst engine(graph, OctileHeuristic<GridLayout, uint64_t>(layout, goal, heuristic ? cheapest : 0, ground.rule()),
                     OneGoal<CellId>{layout.id(goal)}, labels, queue);
    engine.start(layout.id(start), 0, kNoMove);
    Answer answer;
    if (engine.run() == Status::kFound) {
        answer.cost = engine.goal_cost();
        engine.walk_back(
            layout.id(goal), [&](CellId node) { return node == layout.id(start); }, [&](CellId node) { answer.path.push_back(node); });
    }
    answer.expansions = engine.expansions();
    return answer;
}

template <class Check>
void for_random_queries(uint64_t seed, Check&& check) {
    Rng rng(seed);
    for (int i = 0; i < 150; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        const RandomWorld world = random_world(rng, 100);
        const GridSnapshot grid = world.grid.snapshot();
        for (int query = 0; query < 4; ++query) {
            const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
            if (world.costs.passable(grid.at(start))) check(world, Ground(grid, world.costs, world.movement), start, goal, query % 2 == 0);
        }
    }
}

TEST(Pruning, LeavesPathsAndExpansionsOfAStarAndDijkstraUnchanged) {
    for_random_queries(61, [](const RandomWorld& world, const Ground& ground, Cell start, Cell goal, bool heuristic) {
        const Answer all = search(world, Unpruned{GridGraph<uint64_t>(ground)}, start, goal, heuristic);
        for (const Pruning pruning : {Pruning::kLabelled, Pruning::kDominated}) {
            ASSERT_EQ(search(world, GridGraph<uint64_t>(ground, pruning), start, goal, heuristic), all) << int(pruning);
        }
    });
}

TEST(Pruning, CanonicalOrderingKeepsTheCost) {
    uint64_t other = 0, found = 0;
    for_random_queries(62, [&](const RandomWorld& world, const Ground& ground, Cell start, Cell goal, bool heuristic) {
        const Answer all = search(world, Unpruned{GridGraph<uint64_t>(ground)}, start, goal, heuristic);
        const Answer canonical = search(world, GridGraph<uint64_t>(ground, Pruning::kCanonical), start, goal, heuristic);
        ASSERT_EQ(canonical.cost, all.cost);
        ASSERT_EQ(canonical.path.empty(), all.path.empty());
        found += all.path.empty() ? 0 : 1;
        other += canonical.path != all.path ? 1 : 0;
    });
    EXPECT_GT(found, 100u);
    EXPECT_GT(other, 10u);  // other paths of the same cost: it does prune ties
}

TEST(CanonicalAStar, GoldenHash) {
    Rng rng(63);
    GridSearch search;
    uint64_t hash = 0;
    for (int i = 0; i < 60; ++i) {
        const RandomWorld world = random_world(rng);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid), goal = random_cell(rng, grid);
        hash = hash_of(solve_in_slices(search, world, start, goal, "canonical"), hash);
    }
    EXPECT_EQ(hash, 7397038907883894198u);
}

}  // namespace
}  // namespace terrane::test
