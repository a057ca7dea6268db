// Near-optimal bidirectional search (NBS), front to end.
// Based on: Chen, Holte, Zilles, Sturtevant 2017, with their two queues a side: nodes wait in order of f until the lower bound
// reaches them, then stand ready in order of g.
//
// Expands pairs (u forward, v backward) of least lb(u, v) = max(f(u), f(v), g(u) + g(v) + epsilon), which is a lower bound on every path
// through both, until none is below the best path found. Optimal with consistent heuristics; necessary expansions are at most
// twice the fewest that any such algorithm can do with them, A* among them.
//
// With buckets for queues, bounds are taken from the buckets' lower ends: still lower bounds, so the answer is as exact; at
// most a bucket's width of f more is looked at. Slices, labels and observers are those of best_first.h.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "terrane/search/best_first.h"

namespace terrane {

// Two searches at once. `Queue` is used four times: waiting and ready, forward and backward.
template <Graph G, Heuristic<G> H, class Labels, class Queue, SearchObserver<G> Observer = NoObserver>
class Bidirectional {
public:
    using Node = typename G::Node;
    using Value = typename G::Value;
    using Key = typename Queue::Key;

    // One direction. `graph` expands successors forward and predecessors backward; `heuristic` is to the other end. Labels and
    // queues must be reset, and outlive the search.
    struct Side {
        G graph;
        H heuristic;
        Labels* labels;
        Queue* waiting;  // by f
        Queue* ready;    // by g
    };

    // No edge costs less than `epsilon`. One observer sees both directions.
    Bidirectional(Side forward, Side backward, Value epsilon, Observer observer = {})
        : sides_{std::move(forward), std::move(backward)}, epsilon_(epsilon), observer_(std::move(observer)) {}

    // Before the first run(). `via` is what the graph takes for "from nowhere".
    void start(Node start, Node goal, typename G::Via via = {}) {
        add(0, start, start, 0, via);
        add(1, goal, goal, 0, via);
    }

    // As BestFirst::run. A pair may be cut in two by the budget.
    Status run(uint64_t budget = kUnlimited) {
        const uint64_t limit = budget > kUnlimited - expansions_ ? kUnlimited : expansions_ + budget;
        while (next_side_ == 1 || prepare()) {
            if (expansions_ >= limit) return Status::kBudgetSpent;
            expand_ready(next_side_);
            next_side_ ^= 1;
        }
        return reached() ? Status::kFound : Status::kUnreachable;
    }

    uint64_t expansions() const { return expansions_; }
    // Those made before the last rise of the bound that left it below the cost: what the guarantee counts, without the last
    // layer of ties (with buckets: of keys in the same bucket as the cost).
    uint64_t necessary_expansions() const { return necessary_; }
    bool reached() const { return cost_ != kNone; }
    // Only when reached: where the two halves of the path meet, and what it costs.
    Node meeting() const { return meeting_; }
    Value goal_cost() const { return static_cast<Value>(cost_); }

    const G& graph() const { return sides_[0].graph; }
    const Labels& labels(bool backward) const { return *sides_[backward ? 1 : 0].labels; }

private:
    static constexpr Key kNone = std::numeric_limits<Key>::max();

    void add(int side, Node node, Node from, Value g, typename G::Via via) {
        Side& s = sides_[side];
        if (!s.labels->improve(node, g, from, via)) return;
        meet(node);
        const Key f = Key{g} + Key{s.heuristic(node)};
        if (f < cost_) s.waiting->push(f, node, g);
    }

    void meet(Node node) {
        const Value a = sides_[0].labels->g(node), b = sides_[1].labels->g(node);
        if (a == kInfinite<Value> || b == kInfinite<Value> || Key{a} + Key{b} >= cost_) return;
        cost_ = Key{a} + Key{b};
        meeting_ = node;
    }

    // Puts the best pair at the heads of the ready queues. False when no pair can better what was found.
    bool prepare() {
        for (;;) {
            for (Side& s : sides_) drop_stale(s);
            if (exhausted(sides_[0]) || exhausted(sides_[1]) || bound_ >= cost_) return false;
            if (pair_bound() <= bound_) return true;
            if (!admit(sides_[0]) && !admit(sides_[1])) raise_bound();
        }
    }

    // Labels that were bettered since do not count.
    void drop_stale(Side& s) {
        while (!s.ready->empty() && s.labels->g(s.ready->top().node) != s.ready->top().g) s.ready->pop();
        while (!s.waiting->empty() && s.labels->g(s.waiting->top().node) != s.waiting->top().g) s.waiting->pop();
    }

    static bool exhausted(const Side& s) { return s.ready->empty() && s.waiting->empty(); }

    Key pair_bound() const {
        if (sides_[0].ready->empty() || sides_[1].ready->empty()) return kNone;
        return sides_[0].ready->floor() + sides_[1].ready->floor() + Key{epsilon_};
    }

    // Moves a node whose f the bound has reached from waiting to ready.
    bool admit(Side& s) {
        if (s.waiting->empty() || s.waiting->floor() > bound_) return false;
        const auto entry = s.waiting->pop();
        s.ready->push(Key{entry.g}, entry.node, entry.g);
        return true;
    }

    // To the least that any pair has now.
    void raise_bound() {
        Key least = pair_bound();
        for (const Side& s : sides_) {
            if (!s.waiting->empty()) least = std::min(least, s.waiting->floor());
        }
        bound_ = least;
        if (bound_ < cost_) necessary_ = expansions_;
    }

    void expand_ready(int side) {
        Side& s = sides_[side];
        if (s.ready->empty()) return;  // the first half of the pair bettered its only entry
        const auto [node, g] = s.ready->pop();
        if (s.labels->g(node) != g) return;
        ++expansions_;
        observer_.expanded(node, g);
        s.graph.expand(node, s.labels->label(node), [&](Node to, Value to_g, typename G::Via via) {
            const Value known = s.labels->g(to);
            add(side, to, node, to_g, via);
            if (to_g < known) observer_.improved(to, node, to_g);
        });
    }

    Side sides_[2];
    Value epsilon_;
    [[no_unique_address]] Observer observer_;
    uint64_t expansions_ = 0, necessary_ = 0;
    int next_side_ = 0;  // 1 between the two halves of a pair
    Key bound_ = 0;      // no path that is still to be found costs less
    Key cost_ = kNone;   // of the best path found
    Node meeting_{};
};

}  // namespace terrane
