// What the search kernel needs of a graph. A graph and the kernel know nothing else of each other.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>

#include "terrane/base/attributes.h"

namespace terrane {

// A graph names its nodes by an integer type, `Node`, measures cost in `Value` (an unsigned integer
// or a double), and offers
//
//   expand(node, label, emit)   calls emit(to, g, via) for every successor: `g` is the whole cost from
//                               the start (label.g plus the edge, or whatever a label that owns a
//                               sequence works out anew), `via` a small value that tells how `to` was
//                               reached. Successors that the node's own parent reaches as cheaply may be left
//                               out (label.via tells). BestFirst's emit also has g_from(first), where the labels have it:
//                               the costs known of nodes, to be compared before anything is worked out for a way.
//   origin(to, via)             the node that `to` was reached from.
//
// `via` is what a label keeps of its parent: a byte for the eight moves of a grid, a node where there is
// nothing smaller. Label stores that rewrite parents keep nodes and never ask origin().
template <class G>
struct AnyEmit {
    void operator()(typename G::Node, typename G::Value, typename G::Via) const {}
};

template <class G>
struct PlainLabel {
    typename G::Value g;
    typename G::Via via;
};

template <class G>
concept Graph = requires(const G& graph, typename G::Node node, typename G::Via via, const PlainLabel<G>& label, AnyEmit<G>& emit) {
    requires std::unsigned_integral<typename G::Node>;
    graph.expand(node, label, emit);
    { graph.origin(node, via) } -> std::same_as<typename G::Node>;
};

// The label of a node that no path is known to.
template <class Value>
inline constexpr Value kInfinite = std::numeric_limits<Value>::max();

// A lower bound on the cost from a node to the goal, in the graph's Value. Consistent: h(a) is at most
// the cost of an edge a-b plus h(b). One that takes the way by which a node is reached, too, may find what it reads there; the answer is
// the same for each.
template <class H, class G>
concept HeuristicByWay = requires(const H& h, typename G::Node node, typename G::Via via) {
    { h(node, via) } -> std::convertible_to<typename G::Value>;
};
template <class H, class G>
concept Heuristic = HeuristicByWay<H, G> || requires(const H& h, typename G::Node node) {
    { h(node) } -> std::convertible_to<typename G::Value>;
};

// No knowledge at all: makes A* Dijkstra's algorithm.
struct ZeroHeuristic {
    template <class Node>
    uint32_t operator()(Node) const {
        return 0;
    }
};

}  // namespace terrane
