// The kernel on graphs other than grids: random digraphs, space-time with waits, labels that own a sequence.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "terrane/base/rng.h"
#include "terrane/search/best_first.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/hashed_labels.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {
namespace {

// A weighted digraph; a label stores its parent as a node id.
struct Digraph {
    using Node = uint32_t;
    using Value = uint32_t;
    using Via = uint32_t;
    struct Edge {
        uint32_t to, weight;
    };
    std::vector<std::vector<Edge>> out;

    void expand(Node node, const auto& label, auto&& emit) const {
        for (const Edge& e : out[node]) emit(e.to, label.g + e.weight, node);
    }
    Node origin(Node, Via via) const { return via; }
};

Digraph random_digraph(Rng& rng) {
    Digraph graph{std::vector<std::vector<Digraph::Edge>>(1 + rng.below(3000))};
    const auto nodes = static_cast<uint32_t>(graph.out.size());
    const uint32_t heaviest = 1u << rng.between(1, 20);
    for (auto& edges : graph.out) {  // including loops, parallel edges and edges of cost 0
        for (uint32_t e = rng.below(5); e > 0; --e) edges.push_back({rng.below(nodes), rng.below(heaviest)});
    }
    return graph;
}

std::vector<uint64_t> bellman_ford(const Digraph& graph, uint32_t start) {
    std::vector<uint64_t> cost(graph.out.size(), UINT64_MAX);
    cost[start] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = 0; n < graph.out.size(); ++n) {
            for (const auto& e : graph.out[n]) {
                if (cost[n] == UINT64_MAX || cost[n] + e.weight >= cost[e.to]) continue;
                cost[e.to] = cost[n] + e.weight;
                changed = true;
            }
        }
    }
    return cost;
}

TEST(BestFirst, FindsOnlyGoalsBelowTheIncumbent) {
    Rng rng(22);
    PagedLabels<uint32_t, uint32_t, uint32_t> labels;
    BucketQueue<uint32_t, uint32_t> queue;
    int found = 0, pruned = 0;
    for (int i = 0; i < 60; ++i) {
        const Digraph graph = random_digraph(rng);
        const auto nodes = static_cast<uint32_t>(graph.out.size());
        const uint32_t goal = rng.below(nodes), shift = rng.below(10);
        const uint64_t truth = bellman_ford(graph, 0)[goal];
        if (truth == UINT64_MAX) continue;
        uint64_t without = 0;
        for (const uint64_t incumbent : {UINT64_MAX, truth + 1 + rng.below(100), truth, truth / 2}) {
            for (const uint32_t first : {0u, rng.below(40)}) {  // expansions before the incumbent is known
                labels.reset(nodes);
                queue.reset(shift);
                BestFirst search(graph, ZeroHeuristic{}, OneGoal<uint32_t>{goal}, labels, queue);
                search.start(0);
                if (search.run(first) == Status::kFound) continue;
                search.set_incumbent(incumbent);
                const Status status = search.run();
                ASSERT_EQ(status, truth < incumbent ? Status::kFound : Status::kUnreachable);
                if (status == Status::kFound) {
                    ASSERT_EQ(search.goal_cost(), truth);
                }
                if (incumbent == UINT64_MAX) without = search.expansions();
                ASSERT_LE(search.expansions(), without);
                (status == Status::kFound ? found : pruned) += 1;
            }
        }
    }
    EXPECT_GT(found, 60);
    EXPECT_GT(pruned, 60);
}

TEST(BestFirst, EqualsBellmanFordOnAnyDigraphWithEitherQueue) {
    Rng rng(21);
    PagedLabels<uint32_t, uint32_t, uint32_t> labels;
    BucketQueue<uint32_t, uint32_t> buckets;
    HeapQueue<uint32_t, uint32_t> heap;
    for (int i = 0; i < 60; ++i) {
        const Digraph graph = random_digraph(rng);
        const auto nodes = static_cast<uint32_t>(graph.out.size());
        const auto truth = bellman_ford(graph, 0);
        labels.reset(nodes);
        buckets.reset(rng.below(10));
        BestFirst all(graph, ZeroHeuristic{}, NoGoal{}, labels, buckets);
        all.start(0);
        ASSERT_EQ(all.run(), Status::kFound);
        for (uint32_t n = 0; n < nodes; ++n) ASSERT_EQ(labels.g(n) == kInfinite<uint32_t> ? UINT64_MAX : labels.g(n), truth[n]);

        const uint32_t goal = rng.below(nodes);
        const auto expect_one = [&](auto& queue) {
            labels.reset(nodes);
            BestFirst one(graph, ZeroHeuristic{}, OneGoal<uint32_t>{goal}, labels, queue);
            one.start(0);
            ASSERT_EQ(one.run() == Status::kFound, truth[goal] != UINT64_MAX);
            if (one.reached()) {
                ASSERT_EQ(one.goal_cost(), truth[goal]);
            }
        };
        heap.reset();
        expect_one(heap);
        buckets.reset(rng.below(20));
        expect_one(buckets);
    }
}

// All entries are in one bucket, last in, first out: the search reaches the goal first at cost 3, then over node 1 at cost 2. It never
// expands the nodes that cost as much or more.
TEST(BestFirst, AfterTheGoalExpandsOnlyCheaperNodes) {
    const Digraph graph{{{{4, 2}, {2, 5}, {1, 1}, {3, 3}}, {{3, 1}}, {}, {}, {}}};
    PagedLabels<uint32_t, uint32_t, uint32_t> labels;
    BucketQueue<uint32_t, uint32_t> buckets;
    labels.reset(5);
    buckets.reset(10);
    BestFirst search(graph, ZeroHeuristic{}, OneGoal<uint32_t>{3}, labels, buckets);
    search.start(0);
    EXPECT_EQ(search.run(), Status::kFound);
    EXPECT_EQ(search.goal_cost(), 2u);
    EXPECT_EQ(search.expansions(), 2u);
}

TEST(BestFirst, WalkBackEndsAtTheStart) {
    const Digraph graph{{{{1, 5}, {2, 1}}, {{3, 1}}, {{1, 1}}, {}}};
    PagedLabels<uint32_t, uint32_t, uint32_t> labels;
    HeapQueue<uint32_t, uint32_t> heap;
    labels.reset(4);
    BestFirst search(graph, ZeroHeuristic{}, OneGoal<uint32_t>{3}, labels, heap);
    search.start(0);
    ASSERT_EQ(search.run(), Status::kFound);
    std::vector<uint32_t> path;
    search.walk_back(
        3, [](uint32_t n) { return n == 0; }, [&](uint32_t n) { path.push_back(n); });
    EXPECT_EQ(path, (std::vector<uint32_t>{3, 1, 2, 0}));
}

TEST(BestFirst, SlicesAddUpAndMaxCostHolds) {
    Rng rng(8);
    const Digraph graph = random_digraph(rng);
    const auto nodes = static_cast<uint32_t>(graph.out.size());
    const auto truth = bellman_ford(graph, 0);
    uint64_t farthest = 0;
    for (const uint64_t t : truth) farthest = t == UINT64_MAX ? farthest : std::max(farthest, t);
    PagedLabels<uint32_t, uint32_t, uint32_t> labels;
    BucketQueue<uint32_t, uint32_t> buckets;
    const auto limit = static_cast<uint32_t>(farthest / 2);
    uint64_t whole = 0;
    for (const uint64_t slice : {kUnlimited, uint64_t{1}, uint64_t{7}}) {
        labels.reset(nodes);
        buckets.reset(0);
        BestFirst search(graph, ZeroHeuristic{}, NoGoal{}, labels, buckets, {}, limit);
        search.start(0);
        uint64_t before = 0;
        while (search.run(slice) == Status::kBudgetSpent) {
            ASSERT_EQ(search.expansions(), before + slice);
            before = search.expansions();
        }
        ASSERT_LE(search.expansions() - before, slice);
        if (slice == kUnlimited) whole = search.expansions();
        EXPECT_EQ(search.expansions(), whole);
        for (uint32_t n = 0; n < nodes; ++n) ASSERT_EQ(labels.g(n) != kInfinite<uint32_t>, truth[n] <= limit) << n;
    }
}

// Half of the true distance to the goal; 0 for nodes that cannot reach it.
struct HalfDistance {
    const std::vector<uint64_t>* rest;
    uint32_t operator()(uint32_t node) const { return (*rest)[node] == UINT64_MAX ? 0 : static_cast<uint32_t>((*rest)[node] / 2); }
};

Digraph reversed(const Digraph& graph) {
    Digraph out{std::vector<std::vector<Digraph::Edge>>(graph.out.size())};
    for (uint32_t n = 0; n < graph.out.size(); ++n) {
        for (const auto& e : graph.out[n]) out.out[e.to].push_back({n, e.weight});
    }
    return out;
}

// Counts how often each node is expanded.
struct Tally {
    std::vector<uint32_t>* times;
    void expanded(uint32_t node, auto) { ++(*times)[node]; }
    void improved(auto, auto, auto) {}
};

TEST(BestFirst, HeuristicsSaveExpansionsAndWeightsBoundTheCost) {
    Rng rng(31);
    PagedLabels<uint32_t, uint32_t, uint32_t> labels;
    HeapQueue<uint32_t, uint32_t> heap;
    uint64_t plain = 0, guided = 0, hasty = 0;
    for (int i = 0; i < 60; ++i) {
        const Digraph graph = random_digraph(rng);
        const auto nodes = static_cast<uint32_t>(graph.out.size());
        const uint32_t goal = rng.below(nodes);
        const auto rest = bellman_ford(reversed(graph), goal);
        if (rest[0] == UINT64_MAX) continue;
        const auto search_with = [&](Weight weight, const std::vector<uint64_t>& bound) {
            labels.reset(nodes);
            heap.reset();
            std::vector<uint32_t> times(nodes);
            BestFirst search(graph, HalfDistance{&bound}, OneGoal<uint32_t>{goal}, labels, heap, weight, kInfinite<uint32_t>, Tally{&times},
                             ExpandOnce{});
            search.start(0);
            EXPECT_EQ(search.run(), Status::kFound);
            for (const uint32_t t : times) EXPECT_LE(t, 1u);
            return std::pair{uint64_t{search.goal_cost()}, search.expansions()};
        };
        const std::vector<uint64_t> nothing(nodes, 0);
        const auto [cost_plain, work_plain] = search_with({}, nothing);
        const auto [cost_guided, work_guided] = search_with({}, rest);  // half a distance is consistent, except for rounding by one
        const auto [cost_hasty, work_hasty] = search_with({7, 2}, rest);
        EXPECT_EQ(cost_plain, rest[0]);
        EXPECT_LE(cost_guided, rest[0] + nodes);
        EXPECT_LE(2 * cost_hasty, 7 * (rest[0] + nodes));
        plain += work_plain;
        guided += work_guided;
        hasty += work_hasty;
    }
    EXPECT_LT(4 * guided, 3 * plain);
    EXPECT_LT(2 * hasty, guided);
}

TEST(BestFirst, KeysAreExactFractions) {
    // Two paths of cost 9: over node 1, with the smaller h, and over node 2. At weight 3/2 the keys are 2 * 3 + 3 * 4 and 2 * 3 + 3 * 5.
    const Digraph graph{{{{1, 3}, {2, 3}}, {{3, 6}}, {{3, 6}}, {}}};
    struct Given {
        uint32_t operator()(uint32_t node) const { return node == 1 ? 4 : node == 2 ? 5 : 0; }
    };
    PagedLabels<uint32_t, uint32_t, uint32_t> labels;
    HeapQueue<uint32_t, uint32_t> heap;
    labels.reset(4);
    std::vector<uint32_t> times(4);
    BestFirst search(graph, Given{}, OneGoal<uint32_t>{3}, labels, heap, {3, 2}, kInfinite<uint32_t>, Tally{&times});
    search.start(0);
    EXPECT_EQ(search.run(2), Status::kBudgetSpent);
    EXPECT_EQ(times, (std::vector<uint32_t>{1, 1, 0, 0}));
    EXPECT_EQ(heap.floor(), 18u);  // the goal's, 2 * 9; node 2 waits with 21
    EXPECT_EQ(search.run(), Status::kFound);
    EXPECT_EQ(times, (std::vector<uint32_t>{1, 1, 0, 0}));
    EXPECT_EQ(search.expansions(), 2u);
    EXPECT_EQ(Weight({3, 2}).value(), 1.5);
    EXPECT_EQ(Weight().value(), 1);
}

// The same graph with costs of type double.
TEST(BestFirst, KeysOfDoublesAreWeightedAlike) {
    struct Real : Digraph {
        using Value = double;
    };
    struct Given {
        double operator()(uint32_t node) const { return node == 1 ? 4.5 : node == 2 ? 5.25 : 0; }
    };
    const Real graph{{{{{1, 3}, {2, 3}}, {{3, 6}}, {{3, 6}}, {}}}};
    PagedLabels<uint32_t, double, uint32_t> labels;
    HeapQueue<uint32_t, double> heap;
    labels.reset(4);
    BestFirst search(graph, Given{}, OneGoal<uint32_t>{3}, labels, heap, {3, 2});
    search.start(0);
    EXPECT_EQ(search.run(1), Status::kBudgetSpent);
    EXPECT_EQ(heap.floor(), 2 * 3 + 3 * 4.5);
    EXPECT_EQ(search.run(1), Status::kBudgetSpent);
    EXPECT_EQ(heap.floor(), 18);
    EXPECT_EQ(search.run(), Status::kFound);
    EXPECT_EQ(search.goal_cost(), 9);
    EXPECT_EQ(search.expansions(), 2u);
}

TEST(BestFirst, FindsAPathOfExactlyMaxCost) {
    const Digraph graph{{{{1, 5}}, {{2, 5}}, {}}};
    PagedLabels<uint32_t, uint32_t, uint32_t> labels;
    HeapQueue<uint32_t, uint32_t> heap;
    for (const uint32_t most : {9u, 10u}) {
        labels.reset(3);
        heap.reset();
        BestFirst search(graph, ZeroHeuristic{}, OneGoal<uint32_t>{2}, labels, heap, {}, most);
        search.start(0);
        EXPECT_EQ(search.run(1), Status::kBudgetSpent);  // next: a budget whose sum with the expansions so far overflows
        EXPECT_EQ(search.run(), most == 10 ? Status::kFound : Status::kUnreachable);
    }
}

// A corridor of 9 cells with one niche; another agent walks through it in the opposite direction. Waiting is a move.
struct SpaceTime {
    using Node = uint64_t;  // step << 8 | cell
    using Value = uint32_t;
    using Via = uint8_t;
    static constexpr int kCells = 10, kNiche = 9;  // 0..8 in a row, the niche beside cell 4

    static bool adjacent(int a, int b) {
        return a == b || (a < 9 && b < 9 && std::abs(a - b) == 1) || (a == kNiche && b == 4) || (b == kNiche && a == 4);
    }
    static int other_at(int step) { return std::max(8 - step, 0); }
    void expand(Node node, const auto& label, auto&& emit) const {
        const int cell = static_cast<int>(node & 255), step = static_cast<int>(node >> 8);
        for (int to = 0; to < kCells; ++to) {
            if (!adjacent(cell, to) || to == other_at(step + 1)) continue;
            if (to == other_at(step) && cell == other_at(step + 1)) continue;  // no swap conflicts
            emit(static_cast<Node>(step + 1) << 8 | static_cast<Node>(to), label.g + 1, Via{0});
        }
    }
    Node origin(Node node, Via) const { return node; }  // not called: the label store keeps parents
};

TEST(BestFirst, SearchesSpaceTimeWithWaits) {
    HashedLabels<uint64_t, uint32_t, uint8_t> labels;
    BucketQueue<uint64_t, uint32_t> queue;
    for (int twice = 0; twice < 2; ++twice) {
        labels.reset();
        queue.reset(0);
        const auto is_goal = [](uint64_t node) { return (node & 255) == 8; };
        BestFirst search(SpaceTime{}, ZeroHeuristic{}, is_goal, labels, queue);
        search.start(1);
        ASSERT_EQ(search.run(), Status::kFound);
        std::vector<int> cells;
        search.walk_back(
            search.goal_node(), [](uint64_t n) { return n == 1; }, [&](uint64_t n) { cells.push_back(static_cast<int>(n & 255)); });
        std::reverse(cells.begin(), cells.end());
        EXPECT_EQ(search.goal_cost(), cells.size() - 1);
        EXPECT_EQ(cells.back(), 8);
        EXPECT_EQ(std::count(cells.begin(), cells.end(), SpaceTime::kNiche), 1);  // steps aside once
        for (size_t t = 0; t < cells.size(); ++t) EXPECT_NE(cells[t], SpaceTime::other_at(static_cast<int>(t)));
    }
}

// Each label owns the sequence of nodes on its path, and its cost is recomputed from the whole sequence instead of the parent's g plus an
// edge. Costs are doubles.
struct SequenceGraph {
    using Node = uint32_t;
    using Value = double;
    using Via = uint32_t;  // a sequence in the arena
    std::vector<std::vector<uint32_t>>* arena;

    static double cost(const std::vector<uint32_t>& path) {  // sum of the leaps, plus the longest one
        double sum = 0, longest = 0;
        for (size_t i = 1; i < path.size(); ++i) {
            const double leap = std::abs(static_cast<double>(path[i]) - path[i - 1]);
            sum += leap;
            longest = std::max(longest, leap);
        }
        return sum + longest;
    }
    void expand(Node node, const auto& label, auto&& emit) const {
        for (const uint32_t leap : {1u, 2u, 5u}) {
            if (node + leap > 20) continue;
            std::vector<uint32_t> path = (*arena)[label.via];
            path.push_back(node + leap);
            const double g = cost(path);
            arena->push_back(std::move(path));
            emit(node + leap, g, static_cast<Via>(arena->size() - 1));
        }
    }
    Node origin(Node, Via via) const { return (*arena)[via][(*arena)[via].size() - 2]; }
};

struct ArenaLabels {
    struct Label {
        double g = kInfinite<double>;
        uint32_t via = 0;
    };
    std::vector<Label> labels = std::vector<Label>(21);
    double g(uint32_t node) const { return labels[node].g; }
    Label label(uint32_t node) const { return labels[node]; }
    bool improve(uint32_t node, double g, uint32_t, uint32_t via) {
        if (g >= labels[node].g) return false;
        labels[node] = {g, via};
        return true;
    }
};

TEST(BestFirst, LabelsMayOwnASequence) {
    std::vector<std::vector<uint32_t>> arena{{0}};
    ArenaLabels labels;
    HeapQueue<uint32_t, double> queue;
    BestFirst search(SequenceGraph{&arena}, ZeroHeuristic{}, OneGoal<uint32_t>{20}, labels, queue);
    search.start(0);
    ASSERT_EQ(search.run(), Status::kFound);
    EXPECT_EQ(search.goal_cost(), 21);  // twenty leaps of one
    EXPECT_EQ(arena[labels.label(20).via].size(), 21u);
}

struct Recorder {
    std::vector<uint32_t>* order;
    std::vector<uint32_t>* costs;
    void expanded(uint32_t node, uint32_t) const { order->push_back(node); }
    void improved(uint32_t node, uint32_t, uint32_t g) const { (*costs)[node] = g; }
};

TEST(BestFirst, ObserverSeesEveryExpansionInOrderAndEveryBetterLabel) {
    Rng rng(4);
    const Digraph graph = random_digraph(rng);
    PagedLabels<uint32_t, uint32_t, uint32_t> labels;
    HeapQueue<uint32_t, uint32_t> heap;
    labels.reset(static_cast<uint32_t>(graph.out.size()));
    std::vector<uint32_t> order, costs(graph.out.size(), kInfinite<uint32_t>);
    costs[0] = 0;
    BestFirst search(graph, ZeroHeuristic{}, NoGoal{}, labels, heap, {}, kInfinite<uint32_t>, Recorder{&order, &costs});
    search.start(0);
    search.run();
    EXPECT_EQ(order.size(), search.expansions());
    EXPECT_EQ(order.at(0), 0u);
    for (size_t i = 1; i < order.size(); ++i) EXPECT_LE(labels.g(order[i - 1]), labels.g(order[i]));
    for (uint32_t n = 0; n < costs.size(); ++n) EXPECT_EQ(costs[n], labels.g(n));
}

}  // namespace
}  // namespace terrane
