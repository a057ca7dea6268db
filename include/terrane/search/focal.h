// Focal search: bounded-suboptimal, in the order that the caller prefers.
// Based on: Pearl, Kim 1982; Cohen et al. 2018.
//
// Expands, of all open nodes whose f is at most eps times the least f, the one of the least priority. The cost found is at most
// eps times optimal with an admissible heuristic. Slices, labels and observers are those of best_first.h.
#pragma once
#include <cstdint>
#include <limits>
#include <utility>

#include "terrane/search/best_first.h"

namespace terrane {

// `Priority` maps (node, g) to a key; the least comes first. `Queue` must be exact (heap_queue.h) and is used three times.
template <Graph G, Heuristic<G> H, class Goal, class Priority, class Labels, class Queue, SearchObserver<G> Observer = NoObserver>
class FocalSearch {
public:
    using Node = typename G::Node;
    using Value = typename G::Value;
    using Key = typename Queue::Key;

    // All must be reset, and outlive the search.
    struct Queues {
        Queue* open;     // every open node, by f: for the least f
        Queue* waiting;  // those not yet within the bound, by f
        Queue* focal;    // those within it, by priority
    };

    FocalSearch(G graph, H heuristic, Goal goal, Priority priority, Labels& labels, Queues queues, Weight eps, Observer observer = {})
        : graph_(std::move(graph)),
          heuristic_(std::move(heuristic)),
          goal_(std::move(goal)),
          priority_(std::move(priority)),
          labels_(&labels),
          queues_(queues),
          eps_(eps),
          observer_(std::move(observer)) {}

    void start(Node node, Value g = 0, typename G::Via via = {}) { add(node, node, g, via); }

    // As BestFirst::run.
    Status run(uint64_t budget = kUnlimited) {
        const uint64_t limit = budget > kUnlimited - expansions_ ? kUnlimited : expansions_ + budget;
        while (!reached_ && settle()) {
            if (expansions_ == limit) return Status::kBudgetSpent;
            const auto [node, g] = queues_.focal->pop();
            if (goal_(node)) {
                reached_ = true;
                goal_node_ = node;
                goal_cost_ = g;
            } else {
                expand(node, g);
            }
        }
        return reached_ ? Status::kFound : Status::kUnreachable;
    }

    uint64_t expansions() const { return expansions_; }
    bool reached() const { return reached_; }
    Node goal_node() const { return goal_node_; }
    Value goal_cost() const { return goal_cost_; }
    const G& graph() const { return graph_; }
    const Labels& labels() const { return *labels_; }

private:
    // eps times the key; the greatest there is where that is too much.
    Key scaled(Key key) const {
        if (key > std::numeric_limits<Key>::max() / eps_.numerator) return std::numeric_limits<Key>::max();
        return key * eps_.numerator / eps_.denominator;
    }

    bool is_open(const typename Queue::Entry& entry) const { return labels_->g(entry.node) == entry.g && !labels_->closed(entry.node); }

    void drop_stale(Queue& queue) const {
        while (!queue.empty() && !is_open(queue.top())) queue.pop();
    }

    // Raises the bound to the least f and lets in who is within it. False when nothing is open.
    bool settle() {
        drop_stale(*queues_.open);
        if (queues_.open->empty()) return false;
        const Key limit = scaled(queues_.open->floor());
        while (!queues_.waiting->empty() && queues_.waiting->floor() <= limit) {
            const auto entry = queues_.waiting->pop();
            if (is_open(entry)) queues_.focal->push(priority_(entry.node, entry.g), entry.node, entry.g);
        }
        drop_stale(*queues_.focal);
        return true;
    }

    void add(Node node, Node from, Value g, typename G::Via via) {
        if (!labels_->improve(node, g, from, via)) return;
        labels_->reopen(node);
        const Key f = Key{g} + Key{heuristic_(node)};
        queues_.open->push(f, node, g);
        queues_.waiting->push(f, node, g);
        observer_.improved(node, from, g);
    }

    void expand(Node node, Value g) {
        labels_->close(node);
        ++expansions_;
        observer_.expanded(node, g);
        graph_.expand(node, labels_->label(node), [&](Node to, Value to_g, typename G::Via via) { add(to, node, to_g, via); });
    }

    G graph_;
    H heuristic_;
    Goal goal_;
    Priority priority_;
    Labels* labels_;
    Queues queues_;
    Weight eps_;
    [[no_unique_address]] Observer observer_;
    uint64_t expansions_ = 0;
    bool reached_ = false;
    Node goal_node_{};
    Value goal_cost_{};
};

}  // namespace terrane
