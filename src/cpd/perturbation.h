// What a Perturbation holds: where two versions of a map differ, and what searches need to know of it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/cpd/pathdb_search.h"

namespace terrane::detail {

inline constexpr uint32_t kNoChange = 0xffffffff;

// A bit for every cell id.
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

// Cells at the ends of steps that got cheaper, or are new: those of one square of the map.
struct OpenedBlock {
    Rect rect;                      // their hull
    uint32_t first = 0, count = 0;  // of PerturbationRoot::opened
};

// A step that got cheaper or is new, between two cells by their places in PerturbationRoot::opened.
struct OpenedStep {
    uint32_t a = 0, b = 0;
    uint64_t cost = 0;
};

struct PerturbationRoot {
    Ground base, now;                    // the map of the build, and the map of today, for the same agent
    uint32_t cheapest = 0, dearest = 0;  // the least and the greatest terrain cost that any cell of either map has

    CellBits changed;  // cells whose cost is another
    // Passable cells beside something new: no dearer than they were and beside one that was blocked or got dearer; or an end of a step that
    // got cheaper.
    CellBits beside;
    std::vector<uint32_t> ranks;  // changed cells before each word of `changed`
    std::vector<uint32_t> areas;  // of each changed cell, in ascending order of cells: which connected part it is in
    uint32_t area_count = 0;
    uint64_t changed_cells = 0;
    bool any_cheaper = false;

    // Where something got cheaper: the ends of all steps that did, by block. More than kMaxOpened of them are not listed, and their
    // steps neither: the blocks alone must do.
    std::vector<OpenedBlock> blocks;
    std::vector<CellId> opened;
    std::vector<OpenedStep> opened_steps;

    uint32_t base_cost(CellId cell) const { return base.costs().cost[base.grid().at(cell)]; }
    uint32_t now_cost(CellId cell) const { return now.costs().cost[now.grid().at(cell)]; }
    // kNoChange for cells that did not change.
    uint32_t area(CellId cell) const;

    // Everything that follows from the maps and `changed`.
    void derive();

private:
    void label_areas(const std::vector<CellId>& cells);
    void mark_beside(const std::vector<CellId>& cells);
    void collect_opened(const std::vector<CellId>& cells);
    void list_opened_steps();
};

// Steps of the map as it was and as it is. Valid while the perturbation lives.
class ChangedGrid {
public:
    ChangedGrid() = default;
    ChangedGrid(const PerturbationRoot& root, bool strict_corners) : root_(&root), strict_(strict_corners) {}

    const PerturbationRoot& root() const { return *root_; }
    const GridLayout& layout() const { return root_->now.layout(); }

    // kNoCell past the map's edge.
    CellId neighbour(CellId cell, Move move) const {
        if (inside_tile(cell)) return static_cast<CellId>(static_cast<int32_t>(cell) + kTileDeltas[move]);
        const Cell c = layout().cell(cell), n{c.x + kMoves[move].x, c.y + kMoves[move].y};
        return layout().contains(n) ? layout().id(n) : kNoCell;
    }

    // What a step of the map as it was cost. Only for steps that were legal.
    uint64_t base_step(CellId from, Move move, CellId to) const {
        return uint64_t{length(move)} * (root_->base_cost(from) + root_->base_cost(to));
    }
    bool base_legal(CellId from, Move move, CellId to) const {
        if (root_->base_cost(from) == 0 || root_->base_cost(to) == 0) return false;
        if (move < 4) return true;
        const auto before = static_cast<Move>(move - 4), after = static_cast<Move>((move - 3) % 4);  // the straight moves beside it
        return diagonal_is_legal(movement(), root_->base_cost(neighbour(from, before)) != 0, root_->base_cost(neighbour(from, after)) != 0);
    }
    // Where a move of the database leads; kNoCell where it is none, or was not legal: rows of a file that was altered may say anything.
    CellId follow(CellId from, Move move) const {
        const CellId to = move == kNoMove ? kNoCell : neighbour(from, move);
        return to == kNoCell || !base_legal(from, move, to) ? kNoCell : to;
    }
    // What a step costs now; kInfinite where there is none.
    uint64_t now_step(CellId from, Move move, CellId to) const;
    // The same for a step that was legal, of cost `base`.
    uint64_t now_step(CellId from, Move move, CellId to, uint64_t base) const {
        const bool same = !root_->changed[from] && !root_->changed[to] && !(strict_ && move >= 4);
        return same ? base : now_step(from, move, to);
    }
    // The area that makes a step differ from what it was; kNoChange where nothing near it changed.
    uint32_t area_of_step(CellId from, Move move, CellId to) const;

    // Calls visit(move, to, cost) for every step from a cell, in the order of moves.
    template <class Visit>
    void for_each_step(CellId cell, Visit&& visit) const {
        const Around around(*this, cell);
        const uint32_t here = root_->now_cost(cell);
        uint32_t clear = 0;  // a bit for each straight move: the cell there is not in the way of diagonals
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

    // Whether something blocked, or the map's edge, is beside a cell.
    bool beside_blocked(CellId cell) const {
        const Around around(*this, cell);
        for (Move m = 0; m < 8; ++m) {
            const CellId to = neighbour(cell, m);
            if (to == kNoCell || around.cost(m, to) == 0) return true;
        }
        return false;
    }

    // A cell is on a wall when it is beside something new (PerturbationRoot::beside) or, where old walls count as well, anything blocked
    // or the map's edge.
    bool on_wall(CellId cell, bool old_walls) const { return root_->beside[cell] || (old_walls && beside_blocked(cell)); }

    // Whether a cell is at the corner of one that was blocked since the build, so that a strict rule allows no diagonal step past that.
    bool at_new_corner(CellId cell) const {
        if (!strict_ || !has_diagonals(movement()) || cuts_corners(movement())) return false;
        uint32_t open = 0;  // a bit for each straight move
        for (Move m = 0; m < 4; ++m) {
            const CellId to = neighbour(cell, m);
            if (to != kNoCell && root_->now_cost(to) != 0) open |= 1u << m;
        }
        for (Move m = 4; m < 8; ++m) {
            if ((open & kBeside[m]) != kBeside[m]) continue;
            const CellId to = neighbour(cell, m);
            if (root_->changed[to] && root_->now_cost(to) == 0) return true;
        }
        return false;
    }

private:
    Movement movement() const { return root_->now.movement(); }

    // Whether all eight neighbours are in the cell's tile.
    static bool inside_tile(CellId cell) { return ((cell >> 5) & 31) - 1 < 30 && (cell & 31) - 1 < 30; }

    // Costs of a cell's neighbours as they are now; read from its tile where they are all in that.
    class Around {
    public:
        Around(const ChangedGrid& grid, CellId cell)
            : root_(grid.root_),
              tile_(inside_tile(cell) ? root_->now.grid().tile_cells(cell >> 10) + (cell & (kTileCells - 1)) : nullptr) {}
        uint32_t cost(Move move, CellId to) const {
            return tile_ != nullptr ? root_->now.costs().cost[tile_[kTileDeltas[move]]] : root_->now_cost(to);
        }

    private:
        const PerturbationRoot* root_;
        const Terrain* tile_;
    };

    static uint32_t length(Move move) { return move < 4 ? kStraight : kDiagonal; }
    // Not in the way of diagonal steps past it.
    bool is_clear(CellId cell) const { return root_->now_cost(cell) != 0 || (!strict_ && root_->base_cost(cell) != 0); }

    const PerturbationRoot* root_ = nullptr;
    bool strict_ = false;
};

// The least cost of a way from a cell to the nearest one of a rectangle, if all between were as cheap as the cheapest cell.
class OctileBound {
public:
    OctileBound() = default;
    OctileBound(uint32_t cheapest, bool diagonals)
        : straight_(uint64_t{2} * kStraight * cheapest), extra_(diagonals ? uint64_t{2} * (kDiagonal - kStraight) * cheapest : straight_) {}

    uint64_t operator()(const Rect& from, const Rect& to) const {
        return cost(gap(from.left, from.right, to.left, to.right), gap(from.top, from.bottom, to.top, to.bottom));
    }
    uint64_t operator()(Cell from, const Rect& to) const { return (*this)(Rect{from.x, from.y, from.x + 1, from.y + 1}, to); }
    uint64_t operator()(Cell from, Cell to) const { return (*this)(from, Rect{to.x, to.y, to.x + 1, to.y + 1}); }

private:
    static uint32_t gap(int32_t a, int32_t a_end, int32_t b, int32_t b_end) {
        return static_cast<uint32_t>(std::max({b - (a_end - 1), a - (b_end - 1), 0}));
    }
    uint64_t cost(uint32_t dx, uint32_t dy) const { return straight_ * std::max(dx, dy) + extra_ * std::min(dx, dy); }

    uint64_t straight_ = 0;  // per step along the longer side
    uint64_t extra_ = 0;     // more for each of them that is a diagonal
};

}  // namespace terrane::detail
