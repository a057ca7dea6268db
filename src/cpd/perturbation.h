// The data behind Perturbation: the differences between the base map and the current map, in the form that searches need.
// Base map: the map that the database was built for. Current map: the map of the query.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/cpd/cpd_search.h"

namespace terrane::detail {

inline constexpr uint32_t kNoChange = 0xffffffff;

// A set of cells, one bit per cell id.
class CellBits {
public:
    CellBits() = default;
    explicit CellBits(CellId limit) : words_((limit + 63) / 64) {}
    bool operator[](CellId cell) const { return (words_[cell / 64] >> (cell % 64) & 1) != 0; }
    void set(CellId cell, bool value) {
        const uint64_t bit = uint64_t{1} << (cell % 64);
        words_[cell / 64] = value ? words_[cell / 64] | bit : words_[cell / 64] & ~bit;
    }
    const std::vector<uint64_t>& words() const { return words_; }
    size_t bytes() const { return words_.capacity() * 8; }

private:
    std::vector<uint64_t> words_;
};

// Endpoints of cheapened edges within one square of the map. A cheapened edge is a step that got cheaper or became legal.
struct EndpointGroup {
    Rect rect;                      // bounding rectangle of the endpoints
    uint32_t first = 0, count = 0;  // range of PerturbationData::cheapened_endpoints
};

// A step that got cheaper or became legal, between two cells by their indices in PerturbationData::cheapened_endpoints.
struct CheapenedEdge {
    uint32_t a = 0, b = 0;
    uint64_t cost = 0;
};

struct PerturbationData {
    Ground base, now;                     // base map and current map, for the same agent
    uint32_t min_cost = 0, max_cost = 0;  // least and greatest terrain cost of any passable cell of either map

    CellBits changed;  // cells whose cost changed
    // Passable cells beside a change: next to a cell that got blocked or costlier, without being costlier themselves; and endpoints of
    // cheapened edges.
    CellBits beside_change;
    std::vector<uint32_t> ranks;  // number of changed cells before each word of `changed`
    std::vector<uint32_t> areas;  // changed area (8-connected component of changed cells) of each changed cell, in ascending order of cells
    uint32_t area_count = 0;
    uint64_t changed_cells = 0;
    bool any_cheaper = false;

    // Endpoints of all cheapened edges, by group. With more than kMaxEndpoints of them, endpoints and edges are not listed and searches use
    // the groups' rectangles alone.
    std::vector<EndpointGroup> endpoint_groups;
    std::vector<CellId> cheapened_endpoints;
    std::vector<CheapenedEdge> cheapened_edges;

    uint32_t base_cost(CellId cell) const { return base.costs().cost[base.grid().at(cell)]; }
    uint32_t now_cost(CellId cell) const { return now.costs().cost[now.grid().at(cell)]; }
    // Returns kNoChange for unchanged cells.
    uint32_t area(CellId cell) const;

    // Computes all other members from the two maps and `changed`.
    void derive();

private:
    void label_areas(const std::vector<CellId>& cells);
    void mark_beside_change(const std::vector<CellId>& cells);
    void collect_cheapened_edges(const std::vector<CellId>& cells);
    void list_cheapened_edges();
};

// Steps of the base map and of the current map. Valid while the perturbation lives.
class ChangedGrid {
public:
    ChangedGrid() = default;
    ChangedGrid(const PerturbationData& data, bool strict_corners) : data_(&data), strict_(strict_corners) {}

    const PerturbationData& data() const { return *data_; }
    const GridLayout& layout() const { return data_->now.layout(); }

    // Returns kNoCell outside the map.
    CellId neighbour(CellId cell, Move move) const {
        if (inside_tile(cell)) return static_cast<CellId>(static_cast<int32_t>(cell) + kTileDeltas[move]);
        const Cell c = layout().cell(cell), n{c.x + kMoves[move].x, c.y + kMoves[move].y};
        return layout().contains(n) ? layout().id(n) : kNoCell;
    }

    // Cost of a step on the base map. Precondition: base_legal().
    uint64_t base_step(CellId from, Move move, CellId to) const {
        return uint64_t{length(move)} * (data_->base_cost(from) + data_->base_cost(to));
    }
    bool base_legal(CellId from, Move move, CellId to) const {
        if (data_->base_cost(from) == 0 || data_->base_cost(to) == 0) return false;
        if (move < 4) return true;
        const auto before = static_cast<Move>(move - 4), after = static_cast<Move>((move - 3) % 4);  // the adjacent straight moves
        return diagonal_is_legal(movement(), data_->base_cost(neighbour(from, before)) != 0, data_->base_cost(neighbour(from, after)) != 0);
    }
    // Returns the cell that a move of the database leads to. kNoCell for kNoMove and for moves illegal on the base map, which an altered
    // file may contain.
    CellId follow(CellId from, Move move) const {
        const CellId to = move == kNoMove ? kNoCell : neighbour(from, move);
        return to == kNoCell || !base_legal(from, move, to) ? kNoCell : to;
    }
    // Cost of a step on the current map; kInfinite if it is illegal.
    uint64_t now_step(CellId from, Move move, CellId to) const;
    // The same for a step that is legal on the base map, with cost `base` there.
    uint64_t now_step(CellId from, Move move, CellId to, uint64_t base) const {
        const bool same = !data_->changed[from] && !data_->changed[to] && !(strict_ && move >= 4);
        return same ? base : now_step(from, move, to);
    }
    // Returns the changed area that affects a step; kNoChange if no cell of the step changed.
    uint32_t area_of_step(CellId from, Move move, CellId to) const;

    // Calls visit(move, to, cost) for every legal step from a cell on the current map, in the order of moves.
    template <class Visit>
    void for_each_step(CellId cell, Visit&& visit) const {
        const Around around(*this, cell);
        const uint32_t here = data_->now_cost(cell);
        uint32_t clear = 0;  // one bit per straight move: diagonal steps may pass the cell there
        for (Move m = 0; m < 4; ++m) {
            const CellId to = neighbour(cell, m);
            if (to == kNoCell) continue;
            const uint32_t cost = around.cost(m, to);
            if (cost != 0 || is_clear(to)) clear |= 1u << m;
            if (cost != 0) visit(m, to, uint64_t{kStraight} * (here + cost));
        }
        if (!has_diagonals(movement())) return;
        for (Move m = 4; m < 8; ++m) {
            if (!cuts_corners(movement()) && (clear & kBeside[m]) != kBeside[m]) continue;
            const CellId to = neighbour(cell, m);
            if (to == kNoCell) continue;
            const uint32_t cost = around.cost(m, to);
            if (cost != 0) visit(m, to, uint64_t{kDiagonal} * (here + cost));
        }
    }

    // Whether a neighbour of a cell is blocked or outside the map.
    bool beside_blocked(CellId cell) const {
        const Around around(*this, cell);
        for (Move m = 0; m < 8; ++m) {
            const CellId to = neighbour(cell, m);
            if (to == kNoCell || around.cost(m, to) == 0) return true;
        }
        return false;
    }

    // For wall following: whether a cell is beside a change or, with old_walls, beside any blocked cell or the map's edge.
    bool on_wall(CellId cell, bool old_walls) const { return data_->beside_change[cell] || (old_walls && beside_blocked(cell)); }

    // Whether a cell touches the corner of a cell that got blocked since the build, and strict_corners forbids diagonal steps past it.
    bool at_new_corner(CellId cell) const {
        if (!strict_ || !has_diagonals(movement()) || cuts_corners(movement())) return false;
        uint32_t open = 0;  // one bit per straight move
        for (Move m = 0; m < 4; ++m) {
            const CellId to = neighbour(cell, m);
            if (to != kNoCell && data_->now_cost(to) != 0) open |= 1u << m;
        }
        for (Move m = 4; m < 8; ++m) {
            if ((open & kBeside[m]) != kBeside[m]) continue;
            const CellId to = neighbour(cell, m);
            if (data_->changed[to] && data_->now_cost(to) == 0) return true;
        }
        return false;
    }

private:
    Movement movement() const { return data_->now.movement(); }

    // Whether all eight neighbours are in the cell's tile.
    static bool inside_tile(CellId cell) { return ((cell >> 5) & 31) - 1 < 30 && (cell & 31) - 1 < 30; }

    // Current costs of a cell's neighbours; reads them from the cell's tile if all are in it.
    class Around {
    public:
        Around(const ChangedGrid& grid, CellId cell)
            : data_(grid.data_),
              tile_(inside_tile(cell) ? data_->now.grid().tile_cells(cell >> 10) + (cell & (kTileCells - 1)) : nullptr) {}
        uint32_t cost(Move move, CellId to) const {
            return tile_ != nullptr ? data_->now.costs().cost[tile_[kTileDeltas[move]]] : data_->now_cost(to);
        }

    private:
        const PerturbationData* data_;
        const Terrain* tile_;
    };

    static uint32_t length(Move move) { return move < 4 ? kStraight : kDiagonal; }
    // Whether diagonal steps may pass this cell.
    bool is_clear(CellId cell) const { return data_->now_cost(cell) != 0 || (!strict_ && data_->base_cost(cell) != 0); }

    const PerturbationData* data_ = nullptr;
    bool strict_ = false;
};

// Octile distance between cells and rectangles, times the cheapest terrain cost.
class OctileBound {
public:
    OctileBound() = default;
    OctileBound(uint32_t min_cost, bool diagonals)
        : straight_(uint64_t{2} * kStraight * min_cost), extra_(diagonals ? uint64_t{2} * (kDiagonal - kStraight) * min_cost : straight_) {}

    uint64_t operator()(const Rect& from, const Rect& to) const {
        return cost(gap(from.x, from.width, to.x, to.width), gap(from.y, from.height, to.y, to.height));
    }
    uint64_t operator()(Cell from, const Rect& to) const { return (*this)(Rect{from, {1, 1}}, to); }
    uint64_t operator()(Cell from, Cell to) const { return (*this)(from, Rect{to, {1, 1}}); }

private:
    static uint32_t gap(int32_t a, int32_t a_length, int32_t b, int32_t b_length) {
        return static_cast<uint32_t>(std::max({b - a - (a_length - 1), a - b - (b_length - 1), 0}));
    }
    uint64_t cost(uint32_t dx, uint32_t dy) const { return straight_ * std::max(dx, dy) + extra_ * std::min(dx, dy); }

    uint64_t straight_ = 0;  // cost per step along the longer side
    uint64_t extra_ = 0;     // additional cost of each of these steps that is diagonal
};

}  // namespace terrane::detail
