// A compressed path database (CPD): the first move of an optimal path from every cell to every cell, for one map, profile and movement
// rule. Read a path off move by move; nothing is searched. Based on: Botea 2011 (compressed path databases); Strasser, Botea, Harabor 2015
// (sets of moves, run lengths); Chiari et al. 2019 (heuristic moves).
//
// The rows of 8x8 neighbouring cells are encoded together (src/cpd/row_codec.h): 10 to 30 bytes per row on game maps (half of that for
// kSmall), 60 to 200 if costs or obstacles differ from cell to cell.
//
// A database is immutable and thread-safe, and valid for one version of a map; cpd_search.h finds paths after the map has changed. Copying
// it copies a pointer.
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

// Trades build time, query time and size (docs/cpd.md). All encodings are exact; if several first moves are optimal, they may return
// different ones.
enum class PathEncoding : uint8_t {
    kFast,   // fastest to build: kWalk without comparing the two node orders
    kWalk,   // fastest queries
    kSmall,  // fewest bytes: about half of kWalk, with queries that take about twice as long
};

// The order of the columns of a row; it decides how well rows compress.
enum class PathOrder : uint8_t {
    kChoose,      // the order that makes a sample of this map's blocks smaller; kHilbert for kFast
    kDepthFirst,  // preorder of a depth-first search: best for corridors and mazes
    kHilbert,     // along the Hilbert curve: best for open areas
};

// The cells that paths may lead to: all, or a subset on maps too large for all pairs.
struct PathTargets {
    bool all = true;
    std::vector<Cell> cells;  // if not all; blocked cells and duplicates are ignored

    static PathTargets everywhere() { return {}; }
    static PathTargets these(std::vector<Cell> cells) { return {false, std::move(cells)}; }
    static PathTargets rect(Rect rect);
};

namespace detail {
struct PathDatabaseData;

// Symbol for the heuristic move: the move in the direction of the signs of dx and dy.
inline constexpr uint32_t kHeuristicMove = 8;
inline Move heuristic_move(Cell from, Cell to) {
    constexpr std::array<Move, 9> kBySigns = {7, 0, 4, 3, kNoMove, 1, 6, 2, 5};
    const int32_t dx = (to.x > from.x) - (to.x < from.x), dy = (to.y > from.y) - (to.y < from.y), signs = dy * 3 + dx + 4;
    return kBySigns[static_cast<size_t>(signs)];
}
}  // namespace detail

class PathDatabase {
public:
    // The map, profile and movement rule of the build.
    const Ground& ground() const;
    const GridSnapshot& grid() const { return ground().grid(); }

    PathEncoding encoding() const;
    PathOrder order() const;   // never kChoose
    uint32_t nodes() const;    // number of passable cells of grid(), which is the number of rows
    uint32_t targets() const;  // number of cells that paths may lead to
    bool covers(CellId target) const;

    // Returns the first move of an optimal path, the same on every machine. kNoMove if from == to, if there is no path, if either cell is
    // blocked, or if covers(to) is false.
    Move first_move(CellId from, CellId to) const;

    // First moves to one target, faster than first_move() if each cell is near the previous one, as along a path. One thread at a time.
    // Valid while the database lives.
    class Towards {
    public:
        Move operator()(CellId from) const {
            if ((from & mask_) != key_) look_up(from);
            const uint32_t column = from & 7, row = from >> 5 & 7, at = row * 8 + column;
            const uint32_t symbol = symbols_[at / 2] >> (at % 2 * 4) & 15u;
            if (symbol == detail::kHeuristicMove) {
                return detail::heuristic_move({corner_.x + static_cast<int32_t>(column), corner_.y + static_cast<int32_t>(row)}, goal_);
            }
            return symbol < 8 && from != target_ ? static_cast<Move>(symbol) : kNoMove;
        }

    private:
        friend class PathDatabase;
        void look_up(CellId from) const;

        const detail::PathDatabaseData* data_ = nullptr;
        CellId target_ = kNoCell;
        Cell goal_;
        uint32_t column_ = 0;  // of the target
        // The decoded part of a block of 8x8 cells: the cells whose ids have these bits in common.
        mutable CellId mask_ = 0, key_ = 1;
        mutable Cell corner_;                        // of the block
        mutable std::array<uint8_t, 32> symbols_{};  // 4 bits per cell, in row-major order
    };
    Towards towards(CellId target) const;

    // Bytes of the rows and of the lookup tables: 24 per block of 8x8 cells and 2 per target (4 if there are more than 65536). Excludes the
    // map.
    size_t bytes() const;

private:
    friend struct detail::PathDatabaseData;
    explicit PathDatabase(std::shared_ptr<const detail::PathDatabaseData> data) : data_(std::move(data)) {}
    std::shared_ptr<const detail::PathDatabaseData> data_;
};

}  // namespace terrane
