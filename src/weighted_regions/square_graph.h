// The squares of a layout as a graph; edges are computed on demand.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>

#include "weighted_regions/square_layout.h"

namespace terrane::detail {

inline constexpr double kRootOfTwo = 1.4142135623730951;

// Nodes are squares; for kQuadtree, leaves.
class SquareGraph {
public:
    using Node = uint32_t;
    using Value = double;
    using Via = uint32_t;  // the parent; kNoSquare at the start

    SquareGraph(const SquareLayout& layout, Node goal) : layout_(&layout), goal_(goal) {}

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        switch (layout_->kind()) {
            case SquareKind::kGrid: return expand_square(node, label.g, emit, [](Node) { return true; });
            case SquareKind::kQuadtree: return expand_leaf(node, label.g, emit);
            case SquareKind::kFramed: return expand_rim(node, label, emit);
        }
    }
    static Node origin(Node, Via via) { return via; }

private:
    static constexpr std::array<std::array<int64_t, 2>, 8> kDirections{
        {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};

    // The 8-connected neighbours that `choose` accepts: each end's cost for half of the edge, no diagonal past a blocked square.
    template <class Emit, class Choose>
    void expand_square(Node node, double g, Emit& emit, Choose&& choose) const {
        const SquareLayout& s = *layout_;
        const int64_t x = s.x(node), y = s.y(node);
        const double half = s.side() / 2, here = s.cost(node);
        for (const auto& [dx, dy] : kDirections) {
            const double there = s.cost(x + dx, y + dy);
            if (there == kBlockedCost) continue;
            const bool diagonal = dx != 0 && dy != 0;
            if (diagonal && (s.cost(x + dx, y) == kBlockedCost || s.cost(x, y + dy) == kBlockedCost)) continue;
            const Node to = s.square(static_cast<uint32_t>(x + dx), static_cast<uint32_t>(y + dy));
            if (choose(to)) emit(to, g + (diagonal ? kRootOfTwo * half : half) * (here + there), node);
        }
    }

    // The leaves adjacent to each side. The segment between the centres of two leaves of sides a >= b crosses the side that they share.
    // Proof: the shared side is the whole side of the smaller leaf, since both are aligned; its middle is at most (a - b) / 2 off the
    // larger leaf's centre, and the segment crosses at most b / (a + b) of that off the middle: less than b / 2. So a / (a + b) of the
    // segment is in the larger leaf, the rest in the smaller.
    template <class Emit>
    void expand_leaf(Node node, double g, Emit& emit) const {
        const SquareLayout& s = *layout_;
        const SquareLayout::Leaf here = s.leaves()[node];
        const auto visit = [&](int64_t x, int64_t y) -> uint32_t {
            if (!s.contains(x, y)) return here.side;
            const Node to = s.leaf_of(s.square(static_cast<uint32_t>(x), static_cast<uint32_t>(y)));
            const SquareLayout::Leaf& there = s.leaves()[to];
            const double mean = (here.side * here.cost + there.side * there.cost) / (double{1} * here.side + there.side);
            if (there.cost < kBlockedCost) emit(to, g + mean * distance(s.centre_of_leaf(node), s.centre_of_leaf(to)), node);
            return there.side;
        };
        const int64_t left = here.x, right = left + here.side, low = here.y, high = low + here.side;
        for (int64_t x = left; x < right;) x += visit(x, low - 1);
        for (int64_t y = low; y < high;) y += visit(right, y);
        for (int64_t x = left; x < right;) x += visit(x, high);
        for (int64_t y = low; y < high;) y += visit(left - 1, y);
    }

    // Straight segments to all squares on the leaf's border, unless the node was reached by such a segment: then its parent reaches them as
    // cheaply. And the neighbours in other leaves, as kGrid.
    template <class Label, class Emit>
    void expand_rim(Node node, const Label& label, Emit& emit) const {
        const SquareLayout& s = *layout_;
        const uint32_t own = s.leaf_of(node);
        if (label.via == kNoSquare || s.leaf_of(label.via) != own) {
            const SquareLayout::Leaf& leaf = s.leaves()[own];
            const auto cross = [&](Node to) {
                if (to != node) emit(to, label.g + leaf.cost * distance(s.centre(node), s.centre(to)), node);
            };
            each_on_rim(leaf, cross);
            if (s.leaf_of(goal_) == own) cross(goal_);
        }
        expand_square(node, label.g, emit, [&](Node to) { return s.leaf_of(to) != own; });
    }

    template <class Visit>
    void each_on_rim(const SquareLayout::Leaf& leaf, Visit&& visit) const {
        for (uint32_t y = 0; y < leaf.side; ++y) {
            const uint32_t stride = y == 0 || y + 1 == leaf.side ? 1 : leaf.side - 1;
            for (uint32_t x = 0; x < leaf.side; x += stride) visit(layout_->square(leaf.x + x, leaf.y + y));
        }
    }

    const SquareLayout* layout_;
    Node goal_;
};

// The lowest cost times the octile distance (kGrid) or the Euclidean distance.
struct SquareHeuristic {
    const SquareLayout* layout;
    Point goal;
    double cheapest;
    bool octile;

    double operator()(uint32_t node) const {
        const Point offset = goal - layout->centre_of_node(node);
        if (!octile) return cheapest * length(offset);
        const double dx = std::abs(offset.x), dy = std::abs(offset.y);
        return cheapest * (dx < dy ? dy + (kRootOfTwo - 1) * dx : dx + (kRootOfTwo - 1) * dy);
    }
};

}  // namespace terrane::detail
