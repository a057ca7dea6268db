// The grid as a Graph of jump points where terrains cost differently, without corner cutting.
// Based on: Carlson, Jha, Harabor et al. 2023 (jump point search in weighted grids); Sturtevant, Rabin 2016 (canonical orderings).
//
// Nodes are the mixed cells (mixed_bits.h), the start and the goal. A step onto a uniform cell goes on to the next nodes: straight along
// the line; after a diagonal step, along the diagonal and, from each of its cells, along both lines. Uniform cells get no label.
//
// From a node, a step is omitted if another path from the cell before the node leads there at a lower cost, or at the same cost with a
// diagonal step first (NodeAround::omitted). A path that ends in a straight step is never omitted for a tie, so an optimal path to each
// cell remains.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "grid/mixed_bits.h"
#include "terrane/grid/ground.h"
#include "terrane/search/graph.h"

namespace terrane::detail {

// Octants are the eight directions clockwise from north; even ones are straight.
inline constexpr std::array<Cell, 8> kOctants = {{{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}}};

// The octant of the last step of a path that moves diagonally first and then straight.
inline uint32_t last_octant(Cell from, Cell to) {
    const int32_t dx = to.x - from.x, dy = to.y - from.y, x = dx < 0 ? -dx : dx, y = dy < 0 ? -dy : dy;
    if (x > y) return dx > 0 ? 2 : 6;
    if (x < y) return dy > 0 ? 4 : 0;
    return dx > 0 ? (dy > 0 ? 3 : 1) : (dy > 0 ? 5 : 7);
}

// The terrain costs at a cell and around it, by octant; 0 is blocked.
struct NodeAround {
    std::array<uint64_t, 8> cost;
    uint64_t here;

    // The octants in which no step is needed after a step in the octant `arrival`, as a bit mask.
    uint32_t omitted(uint32_t arrival) const {
        const uint32_t back = bit(arrival + 4) | bit(arrival + 3) | bit(arrival - 3);  // the cell before and those that it is nearer to
        return back | (arrival % 2 == 0 ? after_straight(arrival, 1) | after_straight(arrival, -1u)
                                        : after_diagonal(arrival, 1) | after_diagonal(arrival, -1u));
    }

private:
    static uint32_t bit(uint32_t octant) { return 1u << octant % 8; }
    uint64_t at(uint32_t octant) const { return cost[octant % 8]; }

    // On one side: the cells beside the cell before, beside the node, and beside the cell ahead.
    uint32_t after_straight(uint32_t arrival, uint32_t turn) const {
        const uint64_t before = at(arrival + 4), beside_before = at(arrival + 3 * turn), beside = at(arrival + 2 * turn);
        if (beside == 0 || beside_before == 0) return 0;
        const uint64_t to_side = std::min(kDiagonal * (before + beside), kStraight * (before + 2 * beside_before + beside));
        const uint64_t to_node = kStraight * (before + here), diagonal = at(arrival + turn);
        return (to_side < to_node + kStraight * (here + beside) ? bit(arrival + 2 * turn) : 0) |
               (to_side + kStraight * (beside + diagonal) <= to_node + kDiagonal * (here + diagonal) ? bit(arrival + turn) : 0);
    }
    // On one side: the cell beside the diagonal step, the one ahead of it, and the one ahead of the node.
    uint32_t after_diagonal(uint32_t arrival, uint32_t turn) const {
        const uint64_t before = at(arrival + 4), beside = at(arrival + 3 * turn), turned = at(arrival + 2 * turn),
                       ahead = at(arrival + turn);
        const uint64_t to_side = kStraight * (before + beside), to_node = kDiagonal * (before + here);
        return (to_side + kStraight * (beside + turned) <= to_node + kDiagonal * (here + turned) ? bit(arrival + 2 * turn) : 0) |
               (turned != 0 && to_side + kDiagonal * (beside + ahead) < to_node + kStraight * (here + ahead) ? bit(arrival + turn) : 0);
    }
};

class JpswGraph {
public:
    using Node = CellId;
    using Value = uint64_t;
    using Via = CellId;  // the parent; kNoCell for the start

    // `ground` and `bits` must outlive the graph.
    JpswGraph(const Ground& ground, const MixedBits& bits, Cell goal)
        : data_(&ground.grid().data()), costs_(&ground.costs()), layout_(ground.layout()), bits_(&bits), goal_(goal) {}

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        const Cell at = layout_.cell(node);
        const NodeAround around = around_of(node, at);
        const uint32_t omitted = label.via == kNoCell ? 0 : around.omitted(last_octant(layout_.cell(label.via), at));
        for (uint32_t left = ~omitted & 0xff; left != 0; left &= left - 1) {
            const auto octant = static_cast<uint32_t>(std::countr_zero(left));
            const uint64_t there = around.cost[octant];
            const Cell step = kOctants[octant], to{at.x + step.x, at.y + step.y};
            if (there == 0) continue;
            if (octant % 2 == 0) {
                emit_straight(node, to, step, label.g + kStraight * (around.here + there), there, emit);
            } else if (around.cost[octant - 1] != 0 && around.cost[(octant + 1) % 8] != 0) {
                emit_diagonal(node, to, step, label.g + kDiagonal * (around.here + there), there, emit);
            }
        }
    }
    CellId origin(CellId /*to*/, CellId via) const { return via; }

private:
    bool is_node(Cell cell) const { return bits_->mixed(cell) || cell == goal_; }

    // All steps from `cell` on, up to the next node, are on terrain of one cost, `terrain`; `g` is the cost of `cell`.
    template <class Emit>
    TERRANE_INLINE void emit_straight(CellId node, Cell cell, Cell step, Value g, uint64_t terrain, Emit&& emit) const {
        if (is_node(cell)) return emit(layout_.id(cell), g, node);
        if (step.y == 0) {
            emit_line<true>(node, cell, step.x, g, terrain, emit);
        } else {
            emit_line<false>(node, cell, step.y, g, terrain, emit);
        }
    }
    template <class Emit>
    void emit_diagonal(CellId node, Cell cell, Cell step, Value g, uint64_t terrain, Emit&& emit) const {
        while (!is_node(cell)) {
            emit_line<true>(node, cell, step.x, g, terrain, emit);
            emit_line<false>(node, cell, step.y, g, terrain, emit);
            cell = {cell.x + step.x, cell.y + step.y};
            g += 2 * kDiagonal * terrain;
        }
        emit(layout_.id(cell), g, node);
    }
    // From a uniform cell along a row or a column. Ends at a node, because the cells at the border of the map are mixed.
    template <bool kRow, class Emit>
    TERRANE_INLINE void emit_line(CellId node, Cell cell, int32_t step, Value g, uint64_t terrain, Emit&& emit) const {
        const int32_t at = kRow ? cell.x : cell.y, number = kRow ? cell.y : cell.x;
        const uint64_t* line = (kRow ? bits_->rows() : bits_->columns()).line(number);
        int32_t to = step > 0 ? next_up(line, at) : next_down(line, at);
        if (number == (kRow ? goal_.y : goal_.x)) {
            const int32_t goal = kRow ? goal_.x : goal_.y;
            if (step > 0 ? goal > at && goal < to : goal < at && goal > to) to = goal;
        }
        const auto steps = static_cast<Value>(step > 0 ? to - at : at - to);
        emit(layout_.id(kRow ? Cell{to, number} : Cell{number, to}), g + 2 * kStraight * terrain * steps, node);
    }
    // The next mixed cell after `at`.
    static int32_t next_up(const uint64_t* line, int32_t at) {
        int32_t w = (at + 1) >> 6;
        uint64_t bits = line[w] & ~uint64_t{0} << ((at + 1) & 63);
        while (bits == 0) bits = line[++w];
        return w * 64 + std::countr_zero(bits);
    }
    static int32_t next_down(const uint64_t* line, int32_t at) {
        int32_t w = (at - 1) >> 6;
        uint64_t bits = line[w] & ~uint64_t{0} >> (63 - ((at - 1) & 63));
        while (bits == 0) bits = line[--w];
        return w * 64 + 63 - std::countl_zero(bits);
    }

    NodeAround around_of(CellId node, Cell at) const {
        NodeAround around;
        const uint32_t row = (node >> 5) & 31, column = node & 31;
        const Terrain* cell = tile(node >> 10) + (node & (kTileCells - 1));
        around.here = costs_->cost[*cell];
        const bool inner = row - 1 < kTileSide - 2 && column - 1 < kTileSide - 2;  // all eight neighbours are in this tile
        for (size_t o = 0; o < 8; ++o) {
            const Cell step = kOctants[o];
            around.cost[o] = inner ? costs_->cost[cell[step.y * kTileSide + step.x]] : cost_at({at.x + step.x, at.y + step.y});
        }
        return around;
    }
    uint64_t cost_at(Cell cell) const {
        if (!layout_.contains(cell)) return 0;
        const CellId id = layout_.id(cell);
        return costs_->cost[tile(id >> 10)[id & (kTileCells - 1)]];
    }
    const Terrain* tile(uint32_t number) const { return data_->pages[number >> kPageShift]->cells[number & (kPageTiles - 1)]; }

    const GridData* data_;
    const CostTable* costs_;
    GridLayout layout_;
    const MixedBits* bits_;
    Cell goal_;
};

}  // namespace terrane::detail
