// Focal search (A*-epsilon): bounded-suboptimal search in an order that the caller chooses.
// Based on: Pearl, Kim 1982; Cohen et al. 2018.
//
// FOCAL is the set of open nodes with f <= eps * (smallest f of all open nodes). The search expands the node of FOCAL with the smallest
// priority, until that is a goal.
//
//   Result      The cost is at most eps times the optimum, with an admissible heuristic.
//   Reopening   A closed node is reopened when a cheaper path to it is found.
//   Ties        By the queue's order: larger g first, then the smaller node (heap_queue.h).
// Slicing, labels, observers, threads: as in best_first.h.
#pragma once
#include <cstdint>
#include <limits>
#include <utility>

#include "terrane/search/best_first.h"

namespace terrane {

// `Priority` maps (node, g) to a key; smaller is expanded first. `Queue` must be exact (heap_queue.h). The labels need a closed list.
template <Graph G, Heuristic<G> H, class Goal, class Priority, class Labels, class Queue, SearchObserver<G> Observer = NoObserver>
class FocalSearch {
public:
    using Node = typename G::Node;
    using Value = typename G::Value;
    using Key = typename Queue::Key;

    // All three must have been reset, and must outlive the search.
    struct Queues {
        Queue* open;     // all open nodes, by f: gives the smallest f
        Queue* waiting;  // the open nodes not yet in FOCAL, by f
        Queue* focal;    // FOCAL, by priority
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

    // As BestFirst::start().
    void start(Node node, Value g = 0, typename G::Via via = {}) { add(node, node, g, via); }

    // As BestFirst::run().
    Status run(uint64_t budget = kUnlimited) {
        const uint64_t limit = budget > kUnlimited - expansions_ ? kUnlimited : expansions_ + budget;
        while (!reached_ && update_focal()) {
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
    // Require reached().
    Node goal_node() const { return goal_node_; }
    Value goal_cost() const { return goal_cost_; }
    const G& graph() const { return graph_; }
    const Labels& labels() const { return *labels_; }

private:
    // eps * key, saturated at the largest Key.
    Key scaled(Key key) const {
        if (key > std::numeric_limits<Key>::max() / eps_.numerator) return std::numeric_limits<Key>::max();
        return key * eps_.numerator / eps_.denominator;
    }

    bool is_open(const typename Queue::Entry& entry) const { return labels_->g(entry.node) == entry.g && !labels_->closed(entry.node); }

    void drop_stale(Queue& queue) const {
        while (!queue.empty() && !is_open(queue.top())) queue.pop();
    }

    // Moves nodes within eps times the smallest f into FOCAL. Returns false if no node is open.
    bool update_focal() {
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
