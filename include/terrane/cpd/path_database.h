// A compressed path database: for one map, profile and movement rule, the first move of a cheapest path from every cell to every
// cell. A whole path is read off move by move; nothing is searched.
// Based on: Botea 2011 (compressed path databases); Strasser, Botea, Harabor 2015 (sets of moves, run lengths); Chiari et al. 2019 (the
// heuristic's move).
//
// The rows of 8x8 neighbouring cells are kept together: 10 to 30 bytes a row on game maps (half of that for kSmall), 60 to 200 where costs
// or walls differ from cell to cell. How: src/cpd/row_blocks.h.
//
// A database is for one version of a map and never changes; pathdb_search.h finds paths where the map is not that one any more.
// Copying it copies a pointer. Any number of threads may read it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"

namespace terrane {

// Settings between quick to build, quick to walk and small. What each costs: docs/pathdb.md. All are exact; where several first moves are
// optimal, they may name different ones.
enum class PathEncoding : uint8_t {
    kFast,   // quickest to build: kWalk without trying which order is better
    kWalk,   // quickest to walk
    kSmall,  // fewest bytes: about half, for walks that take about twice as long
};

// Where cells stand in a row: the order decides how well rows compress.
enum class PathOrder : uint8_t {
    kChoose,      // the one that makes a few blocks of this map smaller; for kFast: Hilbert's curve
    kDepthFirst,  // preorder of a depth-first search: corridors and mazes
    kHilbert,     // along Hilbert's curve: open ground
};

// Where paths may lead to: everywhere, or to some cells only, for maps too large for all pairs.
struct PathTargets {
    bool all = true;
    std::vector<Cell> cells;  // where not all: those that are passable; the rest, and repetitions, are ignored

    static PathTargets everywhere() { return {}; }
    static PathTargets these(std::vector<Cell> cells) { return {false, std::move(cells)}; }
    static PathTargets rect(Rect rect);
};

namespace detail {
struct PathDatabaseRoot;

// What rows say of a cell, besides the eight moves: the move that the signs of dx and dy name, as a heuristic would take it.
inline constexpr uint32_t kTowards = 8;
inline Move move_towards(Cell from, Cell to) {
    constexpr std::array<Move, 9> kBySigns = {7, 0, 4, 3, kNoMove, 1, 6, 2, 5};
    const int32_t dx = (to.x > from.x) - (to.x < from.x), dy = (to.y > from.y) - (to.y < from.y), signs = dy * 3 + dx + 4;
    return kBySigns[static_cast<size_t>(signs)];
}
}  // namespace detail

class PathDatabase {
public:
    // The map, profile and rule that it was built for.
    const Ground& ground() const;
    const GridSnapshot& grid() const { return ground().grid(); }

    PathEncoding encoding() const;
    PathOrder order() const;   // never kChoose
    uint32_t nodes() const;    // cells that are passable in grid(): the rows
    uint32_t targets() const;  // of them, those that paths may lead to
    bool covers(CellId target) const;

    // The first move of a cheapest path: the same one for every machine. kNoMove where there is none: from == to, no path, either one
    // blocked, or a target that is not covered.
    Move first_move(CellId from, CellId to) const;

    // For many moves towards one target: quick where a cell is near the last one that was asked for, as along a path. Valid while the
    // database lives; one thread uses it at a time.
    class Towards {
    public:
        Move operator()(CellId from) const {
            if ((from & mask_) != key_) look_up(from);
            const uint32_t column = from & 7, row = from >> 5 & 7, at = row * 8 + column;
            const uint32_t symbol = symbols_[at / 2] >> (at % 2 * 4) & 15u;
            if (symbol == detail::kTowards) {
                return detail::move_towards({corner_.x + static_cast<int32_t>(column), corner_.y + static_cast<int32_t>(row)}, goal_);
            }
            return symbol < 8 && from != target_ ? static_cast<Move>(symbol) : kNoMove;
        }

    private:
        friend class PathDatabase;
        void look_up(CellId from) const;

        const detail::PathDatabaseRoot* root_ = nullptr;
        CellId target_ = kNoCell;
        Cell goal_;
        uint32_t column_ = 0;  // where it stands in a row
        // What is known of a block of 8x8 cells, or a part of it: those whose ids have these bits in common.
        mutable CellId mask_ = 0, key_ = 1;
        mutable Cell corner_;                        // of the block
        mutable std::array<uint8_t, 32> symbols_{};  // four bits a cell, by rows
    };
    Towards towards(CellId target) const;

    // Of the rows, and of the tables that opening makes: 24 bytes a block of 8x8 cells and 2 a target (4 where there are more than 65536).
    // Without the map.
    size_t bytes() const;

private:
    friend struct detail::PathDatabaseRoot;
    explicit PathDatabase(std::shared_ptr<const detail::PathDatabaseRoot> root) : root_(std::move(root)) {}
    std::shared_ptr<const detail::PathDatabaseRoot> root_;
};

}  // namespace terrane
