// The way of one agent of a swarm, as moves.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "terrane/crowd/crowd.h"

namespace terrane::detail {

inline CellId moved(const GridLayout& layout, CellId from, Move move) {
    const Cell c = layout.cell(from);
    return layout.id({c.x + kMoves[move].x, c.y + kMoves[move].y});
}

inline int32_t cells_apart(Cell a, Cell b) { return std::max(std::abs(a.x - b.x), std::abs(a.y - b.y)); }

// Some tiles of a map: all that were added, and some that were not.
class TileSketch {
public:
    void add(uint32_t tile) {
        const uint32_t bit = tile * 0x9e3779b1u >> 24;
        bits_[bit / 64] |= uint64_t{1} << bit % 64;
    }
    bool meets(const TileSketch& other) const {
        uint64_t both = 0;
        for (size_t i = 0; i < bits_.size(); ++i) both |= bits_[i] & other.bits_[i];
        return both != 0;
    }

private:
    std::array<uint64_t, 4> bits_{};
};

// The first cells of a route: the anchor, then so many as there are.
inline constexpr size_t kAhead = 8;
struct RouteAhead {
    std::array<Cell, kAhead + 1> cells;
    size_t count = 0;
    std::span<const Cell> all() const { return {cells.data(), count}; }
};

// The anchor is the cell of the route that the agent is on, or next to where it was pushed off.
class Route {
public:
    bool known() const { return anchor_ != kNoCell; }
    CellId anchor() const { return anchor_; }
    size_t moves_left() const { return moves_.size(); }
    // Only where there is one.
    Move next_move() const { return moves_.back(); }

    void forget();
    // From the first of the cells to the last; found on `version` of the map.
    void set(const GridLayout& layout, std::span<const Cell> cells, GridVersion version);
    // In place of the way up to a cell of the route, so many moves after the anchor: another way there, from where the agent is.
    void lead_in(const GridLayout& layout, std::span<const Cell> cells, size_t moves);
    // Moves the anchor along, to the cell nearest to `at` of those close ahead, the last of them. How many cells away that is: 1 where it
    // is a legal step for these costs, 2 and more where it may be behind a wall.
    int32_t follow(const Crowd& crowd, const Ground& ground, CellId at);

    RouteAhead ahead(const GridLayout& layout) const;
    // The cells from the anchor on, while visit(cell, moves after the anchor) says so.
    template <class Visit>
    void walk(const GridLayout& layout, Visit&& visit) const {
        Cell c = layout.cell(anchor_);
        for (size_t i = 0; visit(c, i) && i < moves_.size(); ++i) {
            const Cell step = kMoves[moves_[moves_.size() - 1 - i]];
            c = {c.x + step.x, c.y + step.y};
        }
    }

    // Of the map, on which all its moves are legal.
    GridVersion version() const { return version_; }
    // False: it crosses none of the tiles. True: it may.
    bool may_cross(const TileSketch& tiles) const { return known() && tiles_.meets(tiles); }
    // Whether any tile ahead has changed since the route was found.
    bool outdated(const GridSnapshot& grid) const;
    // It is as good as it was, on a later version.
    void confirm(GridVersion version) { version_ = version; }

    size_t bytes() const { return moves_.capacity(); }

private:
    CellId anchor_ = kNoCell;
    std::vector<Move> moves_;  // the next one last
    TileSketch tiles_;
    GridVersion version_ = 0;
};

}  // namespace terrane::detail
