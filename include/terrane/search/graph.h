// The requirements of the search kernel on its graphs, heuristics, label stores and queues.
//
// The kernel has three engines, class templates over these requirements: BestFirst (best_first.h), Bidirectional (bidirectional.h) and
// FocalSearch (focal.h). A graph needs no base class and stores nothing for a search; all state of a search is in labels and queues.
//
//   Graph        Node, Value, Via; expand(node, label, emit); origin(to, via)
//   Heuristic    h(node), or h(node, via)
//   Labels       the g-value and parent of each node             PagedLabels (paged_labels.h), HashedLabels (hashed_labels.h)
//   Queue        the open list                                   BucketQueue (bucket_queue.h), HeapQueue (heap_queue.h)
//
// Labels
//   g(node)                       the g-value; kInfinite<Value> if the node has no label
//   label(node)                   {g, via}; requires a label
//   improve(node, g, from, via)   stores the label if `g` is strictly smaller than g(node) and returns whether it did, so the first of
//                                 several equally cheap parents stays
//   parent(graph, node)           the node it was reached from; needed by walk_back()
//   close(node), closed(node)     the closed list; needed by ExpandOnce and FocalSearch. close() returns false if the node was closed
//   reopen(node)                  removes the node from the closed list; needed by FocalSearch
//   g_from(first)                 optional: pointer to the g-values of consecutive nodes; see Graph
//
// Queue
//   Key, Entry {node, g}
//   push(key, node, g), pop(), empty()
//   floor()                       a lower bound on all keys in the queue; requires !empty()
//   top()                         the entry that pop() would return; needed by Bidirectional and FocalSearch
// A queue is exact if floor() is its smallest key and pop() returns an entry with that key. There is no decrease-key: an improved node is
// pushed again, and the engines skip entries whose g is no longer the label's (lazy deletion). The queue's order decides ties.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>

#include "terrane/base/attributes.h"

namespace terrane {

// Archetypes for the Graph concept: an emit callback and the smallest label. Pass a PlainLabel to expand() outside a search.
template <class G>
struct AnyEmit {
    void operator()(typename G::Node, typename G::Value, typename G::Via) const {}
};

template <class G>
struct PlainLabel {
    typename G::Value g;
    typename G::Via via;
};

// A directed graph with non-negative edge costs, expanded on demand. `Node` is an unsigned integer. `Value` is the type of costs, an
// unsigned integer or a double. `Via` is what a label stores of its parent: one byte for the eight moves of a grid, a node id if there is
// nothing smaller.
//
//   expand(node, label, emit)   Calls emit(to, g, via) for every successor. `g` is the g-value of `to` on this path: label.g + edge
//                               cost, or recomputed if a label owns a sequence. `via` encodes how `to` was reached. May omit a successor
//                               that the node's parent (label.via) reaches at no higher cost. BestFirst's emit also has g_from(first) if
//                               the labels have it: g-values, to prune dominated successors before computing g or h.
//   origin(to, via)             The node that `to` was reached from. Label stores that keep parents as node ids never call it.
template <class G>
concept Graph = requires(const G& graph, typename G::Node node, typename G::Via via, const PlainLabel<G>& label, AnyEmit<G>& emit) {
    requires std::unsigned_integral<typename G::Node>;
    graph.expand(node, label, emit);
    { graph.origin(node, via) } -> std::same_as<typename G::Node>;
};

// The g-value of a node without a label.
template <class Value>
inline constexpr Value kInfinite = std::numeric_limits<Value>::max();

// A heuristic: h(node) estimates the cost from `node` to the goal, in the graph's Value, with h(goal) = 0. It must be admissible (never
// above the true cost). ExpandOnce and Bidirectional also need it consistent: h(a) <= cost(a, b) + h(b) for every edge.
//
// A ViaHeuristic is called as h(node, via): it also sees how the node was reached, and may read there a bound that the graph computed for
// that edge. Its value must depend on the node only.
template <class H, class G>
concept ViaHeuristic = requires(const H& h, typename G::Node node, typename G::Via via) {
    { h(node, via) } -> std::convertible_to<typename G::Value>;
};
template <class H, class G>
concept Heuristic = ViaHeuristic<H, G> || requires(const H& h, typename G::Node node) {
    { h(node) } -> std::convertible_to<typename G::Value>;
};

// h = 0: A* becomes Dijkstra's algorithm.
struct ZeroHeuristic {
    template <class Node>
    uint32_t operator()(Node) const {
        return 0;
    }
};

}  // namespace terrane
