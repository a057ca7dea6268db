// NBS: near-optimal bidirectional heuristic search, front-to-end.
// Based on: Chen, Holte, Zilles, Sturtevant 2017, with the open list of that paper: each direction has a `waiting` queue ordered by f and
// a `ready` queue ordered by g. A node moves from waiting to ready when the lower bound reaches its f-value.
//
// Expands pairs (u forward, v backward) with the smallest lb(u, v) = max(f(u), f(v), g(u) + g(v) + epsilon), a lower bound on the cost of
// every path through both, until no pair's bound is below the incumbent.
//
//   Result      Optimal, with consistent heuristics. The necessary expansions are at most twice the minimum of all admissible algorithms
//               that use the same heuristics, A* among them.
//   Queues      With a BucketQueue, bounds use the lower end of a bucket: they remain lower bounds, so the result is still optimal. The
//               search looks at most one bucket width of f further.
// Reopening, slicing, labels, observers, threads: as in best_first.h with Reopen.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "terrane/search/best_first.h"

namespace terrane {

// Uses four queues: waiting and ready, forward and backward.
template <Graph G, Heuristic<G> H, class Labels, class Queue, SearchObserver<G> Observer = NoObserver>
class Bidirectional {
public:
    using Node = typename G::Node;
    using Value = typename G::Value;
    using Key = typename Queue::Key;

    // One direction. `graph` expands successors in the forward side and predecessors in the backward side; `heuristic` estimates the cost
    // to the other end. Labels and queues must have been reset and must outlive the search.
    struct Side {
        G graph;
        H heuristic;
        Labels* labels;
        Queue* waiting;  // by f
        Queue* ready;    // by g
    };

    // `epsilon` is a lower bound on the cost of every edge. The observer sees both directions.
    Bidirectional(Side forward, Side backward, Value epsilon, Observer observer = {})
        : sides_{std::move(forward), std::move(backward)}, epsilon_(epsilon), observer_(std::move(observer)) {}

    // Call it before the first run(). `via` is the graph's value for "no parent".
    void start(Node start, Node goal, typename G::Via via = {}) {
        add(0, start, start, 0, via);
        add(1, goal, goal, 0, via);
    }

    // As BestFirst::run(). The budget may end between the two expansions of a pair.
    Status run(uint64_t budget = kUnlimited) {
        const uint64_t limit = budget > kUnlimited - expansions_ ? kUnlimited : expansions_ + budget;
        while (next_side_ == 1 || select_pair()) {
            if (expansions_ >= limit) return Status::kBudgetSpent;
            expand_ready(next_side_);
            next_side_ ^= 1;
        }
        return reached() ? Status::kFound : Status::kUnreachable;
    }

    uint64_t expansions() const { return expansions_; }
    // The expansions made before the last rise of the lower bound to a value below the final cost. The guarantee counts these; it
    // excludes the last layer of ties (with buckets: of keys in the same bucket as the cost).
    uint64_t necessary_expansions() const { return necessary_; }
    bool reached() const { return cost_ != kNone; }
    // The node where the two halves of the path meet, and the path's cost. Require reached().
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

    // Takes the path through `node` as the incumbent if it is cheaper.
    void meet(Node node) {
        const Value a = sides_[0].labels->g(node), b = sides_[1].labels->g(node);
        if (a == kInfinite<Value> || b == kInfinite<Value> || Key{a} + Key{b} >= cost_) return;
        cost_ = Key{a} + Key{b};
        meeting_ = node;
    }

    // Brings the pair with the smallest bound to the tops of the ready queues. Returns false if no remaining pair can improve the
    // incumbent.
    bool select_pair() {
        for (;;) {
            for (Side& s : sides_) drop_stale(s);
            if (exhausted(sides_[0]) || exhausted(sides_[1]) || bound_ >= cost_) return false;
            if (pair_bound() <= bound_) return true;
            if (!admit(sides_[0]) && !admit(sides_[1])) raise_bound();
        }
    }

    // Removes entries whose label has been improved since, from the tops of both queues.
    void drop_stale(Side& s) {
        while (!s.ready->empty() && s.labels->g(s.ready->top().node) != s.ready->top().g) s.ready->pop();
        while (!s.waiting->empty() && s.labels->g(s.waiting->top().node) != s.waiting->top().g) s.waiting->pop();
    }

    static bool exhausted(const Side& s) { return s.ready->empty() && s.waiting->empty(); }

    Key pair_bound() const {
        if (sides_[0].ready->empty() || sides_[1].ready->empty()) return kNone;
        return sides_[0].ready->floor() + sides_[1].ready->floor() + Key{epsilon_};
    }

    // Moves one node with f <= lower bound from waiting to ready. Returns false if there is none.
    bool admit(Side& s) {
        if (s.waiting->empty() || s.waiting->floor() > bound_) return false;
        const auto entry = s.waiting->pop();
        s.ready->push(Key{entry.g}, entry.node, entry.g);
        return true;
    }

    // Raises the lower bound to the smallest bound of any pair.
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
        if (s.ready->empty()) return;  // the first expansion of the pair improved its only entry
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
    int next_side_ = 0;  // 1 between the two expansions of a pair
    Key bound_ = 0;      // lower bound on the cost of every path not found yet
    Key cost_ = kNone;   // of the incumbent
    Node meeting_{};
};

}  // namespace terrane
