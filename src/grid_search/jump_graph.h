// The grid as a Graph of jump points, for maps on which all passable cells cost the same, without corner cutting.
// Based on: Harabor, Grastien 2011 (jump point search); Harabor, Grastien 2014 (scans of 64 cells at a time; no intermediate jump points).
//
// A straight move from the west is forced to look north where the cell to the north was blocked one step before and is free now: only
// there can an optimal path turn. Such a cell is a jump point. A diagonal step without corner cutting forces nothing. So every node except
// the start and the goal was reached by straight steps, and continues straight, and sideways and diagonally where it is forced to.
//
// A diagonal scan stops at no cell: the jump points right and left of it are successors of the node where the scan began, at the octile
// distance.
#pragma once
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "grid/passable_bits.h"
#include "terrane/search/graph.h"

namespace terrane::detail {

class JumpGraph {
public:
    using Node = CellId;
    using Value = uint64_t;
    using Via = CellId;  // the parent; kNoCell for the start

    // The cost of a step; half of it belongs to each of its cells, as in GridGraph on terrain of cost 1.
    static constexpr Value kStraightStep = 2 * kStraight, kDiagonalStep = 2 * kDiagonal;

    // `bits` must outlive the graph.
    JumpGraph(const GridLayout& layout, const PassableBits& bits, Cell goal) : layout_(layout), bits_(&bits), goal_(goal) {}

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        const Search search{layout_.cell(node), node, label.g};
        if (label.via == kNoCell) return expand_start(search, emit);
        const Cell from = layout_.cell(label.via);
        const int32_t dx = search.at.x - from.x, dy = search.at.y - from.y;
        if (std::abs(dx) > std::abs(dy)) {
            expand_straight<true>(search, dx > 0 ? 1 : -1, emit);
        } else {
            expand_straight<false>(search, dy > 0 ? 1 : -1, emit);
        }
    }
    CellId origin(CellId /*to*/, CellId via) const { return via; }

private:
    struct Search {
        Cell at;
        CellId node;
        Value g;
    };

    template <class Emit>
    void expand_start(const Search& search, Emit&& emit) const {
        for (const int32_t step : {-1, 1}) {
            emit_straight<true>(search, search.at, step, search.g, emit);
            emit_straight<false>(search, search.at, step, search.g, emit);
            emit_diagonal(search, step, -1, emit);
            emit_diagonal(search, step, 1, emit);
        }
    }

    // The successors of a node that was reached along a row (or a column) in the direction `step`.
    template <bool kRow, class Emit>
    void expand_straight(const Search& search, int32_t step, Emit&& emit) const {
        emit_straight<kRow>(search, search.at, step, search.g, emit);
        for (const int32_t side : {-1, 1}) {
            const Cell beside = kRow ? Cell{search.at.x, search.at.y + side} : Cell{search.at.x + side, search.at.y};
            const Cell behind = kRow ? Cell{beside.x - step, beside.y} : Cell{beside.x, beside.y - step};
            if (!bits_->passable(beside) || bits_->passable(behind)) continue;
            emit_straight<!kRow>(search, search.at, side, search.g, emit);
            emit_diagonal(search, kRow ? step : side, kRow ? side : step, emit);
        }
    }

    // Emits the next jump point along a row or a column, if there is one. `g` is the cost of `from`.
    template <bool kRow, class Emit>
    TERRANE_INLINE void emit_straight(const Search& search, Cell from, int32_t step, Value g, Emit&& emit) const {
        const int32_t at = kRow ? from.x : from.y, line = kRow ? from.y : from.x;
        const int32_t goal = line == (kRow ? goal_.y : goal_.x) ? (kRow ? goal_.x : goal_.y) : kNoGoal;
        const BitPlane& plane = kRow ? bits_->rows() : bits_->columns();
        const int32_t steps = step > 0 ? scan_up(plane, line, at, goal) : scan_down(plane, line, at, goal);
        if (steps == 0) return;
        const int32_t to = at + step * steps;
        emit(layout_.id(kRow ? Cell{to, line} : Cell{line, to}), g + kStraightStep * static_cast<Value>(steps), search.node);
    }

    template <class Emit>
    void emit_diagonal(const Search& search, int32_t dx, int32_t dy, Emit&& emit) const {
        Cell at = search.at;
        for (Value g = search.g + kDiagonalStep;; g += kDiagonalStep) {
            const Cell next{at.x + dx, at.y + dy};
            if (!bits_->passable({next.x, at.y}) || !bits_->passable({at.x, next.y}) || !bits_->passable(next)) return;
            if (next == goal_) return emit(layout_.id(next), g, search.node);
            emit_straight<true>(search, next, dx, g, emit);
            emit_straight<false>(search, next, dy, g, emit);
            at = next;
        }
    }

    static constexpr int32_t kNoGoal = -2;  // beyond every cell

    // Steps from `at` upwards along a line to the next jump point or the goal; 0 if an obstacle comes first.
    TERRANE_INLINE static int32_t scan_up(const BitPlane& plane, int32_t line, int32_t at, int32_t goal) {
        const uint64_t *here = plane.line(line), *below = plane.line(line - 1), *above = plane.line(line + 1);
        const auto begins = [](const uint64_t* side, int32_t w) { return side[w] & ~(side[w] << 1 | side[w - 1] >> 63); };
        uint64_t mask = ~uint64_t{0} << ((at + 1) & 63);
        for (int32_t w = (at + 1) >> 6;; ++w, mask = ~uint64_t{0}) {
            const uint64_t stop = (~here[w] | begins(below, w) | begins(above, w)) & mask;
            if (stop == 0) continue;
            const int32_t found = w * 64 + std::countr_zero(stop);
            if (goal > at && goal <= found) return goal - at;
            return (here[w] >> (found & 63) & 1) != 0 ? found - at : 0;
        }
    }
    TERRANE_INLINE static int32_t scan_down(const BitPlane& plane, int32_t line, int32_t at, int32_t goal) {
        const uint64_t *here = plane.line(line), *below = plane.line(line - 1), *above = plane.line(line + 1);
        const auto begins = [](const uint64_t* side, int32_t w) { return side[w] & ~(side[w] >> 1 | side[w + 1] << 63); };
        uint64_t mask = ~uint64_t{0} >> (63 - ((at - 1) & 63));
        for (int32_t w = (at - 1) >> 6;; --w, mask = ~uint64_t{0}) {
            const uint64_t stop = (~here[w] | begins(below, w) | begins(above, w)) & mask;
            if (stop == 0) continue;
            const int32_t found = w * 64 + 63 - std::countl_zero(stop);
            if (goal >= 0 && goal < at && goal >= found) return at - goal;
            return (here[w] >> (found & 63) & 1) != 0 ? at - found : 0;
        }
    }

    GridLayout layout_;
    const PassableBits* bits_;
    Cell goal_;
};

}  // namespace terrane::detail
