// Best-first search over any Graph: Dijkstra's algorithm, A*, weighted A*.
// Based on: Dijkstra 1959; Hart, Nilsson, Raphael 1968; Pohl 1970.
//
// The search is sliced: run() expands up to a budget and can be called again; "to the end" is a large
// budget. It keeps nothing of its own but counters: labels and queue are the caller's, reused from
// search to search, and are policies (paged_labels.h, hashed_labels.h; bucket_queue.h, heap_queue.h).
//
// With a consistent heuristic the cost found is optimal; with weight w, at most w times that. What makes that true
// depends on the queue:
//   Reopen      a node is expanded again when a better way to it turns up, and the search goes on after it reaches
//               the goal until no entry is left that could be better. Right for any queue and any graph; with buckets,
//               whose entries come out unordered, A* expands 0.2% of its nodes twice.
//   ExpandOnce  a node is expanded once. Needs an exact queue and a consistent heuristic; then a node's label is at
//               most w times optimal when it is expanded (Likhachev, Gordon, Thrun 2003). What weighted A* wants: reopening,
//               it expanded ten times more than plain A* at weight 1.5 on a weighted 2048x2048 map.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "terrane/base/status.h"
#include "terrane/search/graph.h"

namespace terrane {

inline constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// Sees a search happen. expanded() comes once for every expansion, in order; improved() for every
// better way found to a node.
template <class O, class G>
concept SearchObserver = requires(O& o, typename G::Node node, typename G::Value g) {
    o.expanded(node, g);
    o.improved(node, node, g);
};

// Costs nothing.
struct NoObserver {
    void expanded(auto, auto) {}
    void improved(auto, auto, auto) {}
};

// Goals: what the search stops at.
template <class Node>
struct OneGoal {
    Node goal;
    bool operator()(Node node) const { return node == goal; }
};
struct NoGoal {
    bool operator()(auto) const { return false; }
};

// A weight on the heuristic: a fraction of at least 1. Keys are g * denominator + h * numerator, which is exact.
struct Weight {
    uint32_t numerator = 1;
    uint32_t denominator = 1;
    double value() const { return static_cast<double>(numerator) / denominator; }
};

struct Reopen {};
struct ExpandOnce {};

template <Graph G, Heuristic<G> H, class Goal, class Labels, class Queue, SearchObserver<G> Observer = NoObserver, class Policy = Reopen>
class BestFirst {
public:
    using Node = typename G::Node;
    using Value = typename G::Value;
    using Key = typename Queue::Key;

    // `labels` and `queue` must be reset for this graph; they, and what `observer` points to, must outlive the
    // search. Paths dearer than `max_cost` are not followed.
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

    // Before the first run(): once for each node to start from. `via` is what the graph takes for "from nowhere".
    void start(Node node, Value g = 0, typename G::Via via = {}) {
        if (labels_->improve(node, g, node, via)) queue_->push(key(node, g, via), node, g);
    }

    // Expands at most `budget` nodes. kBudgetSpent: call again to go on. kFound: goal_node() was reached at the least
    // cost (without a goal: everything in reach has its label). kUnreachable: nothing left to expand.
    Status run(uint64_t budget = kUnlimited) {
        const uint64_t limit = budget > kUnlimited - expansions_ ? kUnlimited : expansions_ + budget;
        while (!queue_->empty() && queue_->floor() < best_key_) {
            if (expansions_ == limit) return Status::kBudgetSpent;
            const auto [node, g] = queue_->pop();
            if (labels_->g(node) != g) continue;  // a better way was found since
            if (reached_ && key(node, g, labels_->label(node).via) >= best_key_) continue;
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
    // Only when reached.
    Node goal_node() const { return goal_node_; }
    Value goal_cost() const { return goal_cost_; }

    const G& graph() const { return graph_; }
    const Labels& labels() const { return *labels_; }

    // Calls visit(node) from `node` back to the start that it was reached from; stops where `is_start` says so.
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
        if constexpr (HeuristicByWay<H, G>) {
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
    }

    void expand(Node node, Value g) {
        ++expansions_;
        observer_.expanded(node, g);
        graph_.expand(node, labels_->label(node), Emit{*this, node});
    }

    struct Emit {
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
        queue_->push(key(to, g, via), to, g);
        observer_.improved(to, node, g);
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
    Key best_key_ = std::numeric_limits<Key>::max();
};

}  // namespace terrane
