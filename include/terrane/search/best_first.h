// Best-first search over any Graph: Dijkstra's algorithm, A* and weighted A*.
// Based on: Dijkstra 1959; Hart, Nilsson, Raphael 1968; Pohl 1970.
//
//   PagedLabels<CellId, uint32_t, Move> labels;       // reused from search to search
//   BucketQueue<CellId, uint32_t> queue;
//   labels.reset(node_limit);
//   queue.reset(shift);
//   BestFirst search(graph, heuristic, OneGoal<CellId>{goal}, labels, queue);
//   search.start(start);
//   while (search.run(1000) == Status::kBudgetSpent) {}   // 1000 expansions per slice
//   if (search.reached()) search.walk_back(search.goal_node(), is_start, visit);
//
// Keys are f = g + w * h, with a weight w >= 1. Without a heuristic (ZeroHeuristic) this is Dijkstra's algorithm, with w = 1 A*.
//
//   Result      The cost is at most w times the optimum, with an admissible heuristic (ExpandOnce: a consistent one).
//   Reopening   A policy:
//                 Reopen      A node is expanded again when a cheaper path to it is found. After the goal is reached, the search goes
//                             on until no open node can improve the incumbent. Correct for any queue and any admissible heuristic. With
//                             buckets, which are not exact, A* expands 0.2% of its nodes twice.
//                 ExpandOnce  A node is expanded at most once. Requires an exact queue and a consistent heuristic; a node's g is then at
//                             most w times the optimum when it is expanded (Likhachev, Gordon, Thrun 2003). Use it for weighted A*:
//                             with reopening, that expanded ten times as many nodes as A*, at weight 1.5 on a weighted 2048x2048 map.
//   Ties        Decided by the queue; see bucket_queue.h and heap_queue.h. Expansion counts are reproducible.
//   Slicing     run(budget) stops after `budget` expansions and may be called again. A sliced search expands the same nodes in the same
//               order as a single call.
//   Complexity  One push per improved label: O(log n) with HeapQueue, amortised O(1) with BucketQueue. O(1) per label.
//   Memory      The engine holds only counters. Labels and queue belong to the caller and keep their memory: after warm-up, nothing is
//               allocated. After std::bad_alloc, reset both before the next search.
//   Threads     One search, with its labels and queue, is used by one thread at a time. Searches may share a const graph.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "terrane/base/status.h"
#include "terrane/search/graph.h"

namespace terrane {

inline constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// Observes a search: expanded(node, g) is called at every expansion, in order; improved(node, from, g) whenever the search finds a
// cheaper path to `node`, through `from`.
template <class O, class G>
concept SearchObserver = requires(O& o, typename G::Node node, typename G::Value g) {
    o.expanded(node, g);
    o.improved(node, node, g);
};

// Does nothing; has no run-time cost.
struct NoObserver {
    void expanded(auto, auto) {}
    void improved(auto, auto, auto) {}
};

// Goals are predicates on nodes. The search ends at the cheapest node for which the predicate holds; goal nodes are not expanded. With
// NoGoal it labels every reachable node.
template <class Node>
struct OneGoal {
    Node goal;
    bool operator()(Node node) const { return node == goal; }
};
struct NoGoal {
    bool operator()(auto) const { return false; }
};

// The heuristic's weight, a fraction >= 1. Keys are g * denominator + h * numerator, exact for integers.
struct Weight {
    uint32_t numerator = 1;
    uint32_t denominator = 1;
    double value() const { return static_cast<double>(numerator) / denominator; }
};

// Reopening policies; see the top of this file.
struct Reopen {};
struct ExpandOnce {};

template <Graph G, Heuristic<G> H, class Goal, class Labels, class Queue, SearchObserver<G> Observer = NoObserver, class Policy = Reopen>
class BestFirst {
public:
    using Node = typename G::Node;
    using Value = typename G::Value;
    using Key = typename Queue::Key;

    // `labels` and `queue` must have been reset for this graph. They must outlive the search, as must everything that `graph`,
    // `heuristic` and `observer` refer to. Labels with g > `max_cost` are pruned.
    BestFirst(G graph, H heuristic, Goal goal, Labels& labels, Queue& queue, Weight weight = {},
              Value max_cost = std::numeric_limits<Value>::max(), Observer observer = {}, Policy = {})
        : graph_(std::move(graph)),
          heuristic_(std::move(heuristic)),
          goal_(std::move(goal)),
          labels_(&labels),
          queue_(&queue),
          weight_(weight),
          max_cost_(max_cost),
          observer_(std::move(observer)) {}

    // Adds a start node with the initial cost `g`. Call it for each start node, before the first run(). `via` is the graph's value for
    // "no parent".
    void start(Node node, Value g = 0, typename G::Via via = {}) {
        if (!labels_->improve(node, g, node, via)) return;
        const Key f = key(node, g, via);
        if (f < best_key_) queue_->push(f, node, g);
    }

    // From now on finds only goals whose key is less than `incumbent`: the cost of a known solution, times the weight's denominator. Nodes
    // with greater keys are pruned. kUnreachable then means that there is no such goal.
    void set_incumbent(Key incumbent) {
        best_key_ = std::min(best_key_, incumbent);
        stale_keys_ = !queue_->empty();
    }

    // Expands at most `budget` nodes. Returns
    //   kBudgetSpent   the search is incomplete: call run() again to continue
    //   kFound         goal_node() has been reached at goal_cost(); with NoGoal: every reachable node has its label
    //   kUnreachable   the open list is empty and no goal was reached
    Status run(uint64_t budget = kUnlimited) {
        const uint64_t limit = budget > kUnlimited - expansions_ ? kUnlimited : expansions_ + budget;
        while (!queue_->empty() && queue_->floor() < best_key_) {
            if (expansions_ == limit) return Status::kBudgetSpent;
            const auto [node, g] = queue_->pop();
            if (labels_->g(node) != g) continue;  // stale: a cheaper path has been found since
            if (stale_keys_ && key(node, g, labels_->label(node).via) >= best_key_) continue;
            if constexpr (kOnce) {
                if (!labels_->close(node)) continue;
            }
            if (goal_(node)) {
                reach(node, g);
            } else {
                expand(node, g);
            }
        }
        return reached_ || std::is_same_v<Goal, NoGoal> ? Status::kFound : Status::kUnreachable;
    }

    uint64_t expansions() const { return expansions_; }
    bool reached() const { return reached_; }
    // Require reached().
    Node goal_node() const { return goal_node_; }
    Value goal_cost() const { return goal_cost_; }

    const G& graph() const { return graph_; }
    const Labels& labels() const { return *labels_; }

    // Calls visit() for `node` and its ancestors, up to and including the first one for which is_start() holds.
    template <class IsStart, class Visit>
    void walk_back(Node node, IsStart&& is_start, Visit&& visit) const {
        visit(node);
        while (!is_start(node)) visit(node = labels_->parent(graph_, node));
    }

private:
    static constexpr bool kOnce = std::is_same_v<Policy, ExpandOnce>;

    Key key(Node node, Value g, const typename G::Via& via) const {
        if constexpr (std::is_floating_point_v<Value>) {
            return g * weight_.denominator + bound(node, via) * weight_.numerator;
        } else {
            return Key{g} * weight_.denominator + Key{bound(node, via)} * weight_.numerator;
        }
    }
    auto bound(Node node, [[maybe_unused]] const typename G::Via& via) const {
        if constexpr (ViaHeuristic<H, G>) {
            return heuristic_(node, via);
        } else {
            return heuristic_(node);
        }
    }

    void reach(Node node, Value g) {
        reached_ = true;
        goal_node_ = node;
        goal_cost_ = g;
        best_key_ = key(node, g, labels_->label(node).via);
        stale_keys_ = true;
    }

    void expand(Node node, Value g) {
        ++expansions_;
        observer_.expanded(node, g);
        graph_.expand(node, labels_->label(node), Emit{*this, node});
    }

    struct Emit {
        using KnownLabels = Labels;
        BestFirst& search;
        Node node;

        TERRANE_INLINE const Value* g_from(Node first) const { return search.labels_->g_from(first); }
        TERRANE_INLINE void operator()(Node to, Value g, typename G::Via via) const { search.improve(node, to, g, via); }
    };
    TERRANE_INLINE void improve(Node node, Node to, Value g, const typename G::Via& via) {
        if constexpr (kOnce) {
            if (labels_->closed(to)) return;
        }
        if (g > max_cost_ || !labels_->improve(to, g, node, via)) return;
        observer_.improved(to, node, g);
        const Key f = key(to, g, via);
        if (f < best_key_) queue_->push(f, to, g);
    }

    G graph_;
    H heuristic_;
    Goal goal_;
    Labels* labels_;
    Queue* queue_;
    Weight weight_;
    Value max_cost_;
    [[no_unique_address]] Observer observer_;

    uint64_t expansions_ = 0;
    bool reached_ = false;
    Node goal_node_{};
    Value goal_cost_{};
    Key best_key_ = std::numeric_limits<Key>::max();  // of the incumbent
    bool stale_keys_ = false;                         // the queue may hold greater keys
};

}  // namespace terrane
