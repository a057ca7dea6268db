// The route of one swarm agent, stored as moves.
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

inline CellId cell_after(const GridLayout& layout, CellId from, Move move) {
    const Cell c = layout.cell(from);
    return layout.id({c.x + kMoves[move].x, c.y + kMoves[move].y});
}

inline int32_t chebyshev_distance(Cell a, Cell b) { return std::max(std::abs(a.x - b.x), std::abs(a.y - b.y)); }

// A Bloom filter of tiles, 256 bits and one hash: no false negatives.
class TileBloomFilter {
public:
    void add(uint32_t tile) {
        const uint32_t bit = tile * 0x9e3779b1u >> 24;
        bits_[bit / 64] |= uint64_t{1} << bit % 64;
    }
    bool may_intersect(const TileBloomFilter& other) const {
        uint64_t both = 0;
        for (size_t i = 0; i < bits_.size(); ++i) both |= bits_[i] & other.bits_[i];
        return both != 0;
    }

private:
    std::array<uint64_t, 4> bits_{};
};

// The anchor and up to kLookahead cells of the route after it.
inline constexpr size_t kLookahead = 8;
struct RouteAhead {
    std::array<Cell, kLookahead + 1> cells;
    size_t count = 0;
    std::span<const Cell> all() const { return {cells.data(), count}; }
};

// The anchor is the route cell that the agent stands on or, after it was pushed off, the one nearest to it.
class Route {
public:
    bool known() const { return anchor_ != kNoCell; }
    CellId anchor() const { return anchor_; }
    size_t moves_left() const { return moves_.size(); }
    // Only if moves_left() > 0.
    Move next_move() const { return moves_.back(); }

    void clear();
    // `cells` run from the agent's cell to its goal; `version` is that of the map that they were found on.
    void set(const GridLayout& layout, std::span<const Cell> cells, GridVersion version);
    // Replaces the first `moves` moves after the anchor by the path `cells`, which begins at the agent's cell.
    void replace_prefix(const GridLayout& layout, std::span<const Cell> cells, size_t moves);
    // Advances the anchor to the nearest of the next kLookahead cells; of several, to the last. Returns its distance from `at` in cells: 1
    // if a legal step leads there, 2 or more otherwise.
    int32_t follow(const Crowd& crowd, const Ground& ground, CellId at);

    RouteAhead ahead(const GridLayout& layout) const;
    // Calls visit(cell, moves after the anchor) for the cells from the anchor on, until it returns false.
    template <class Visit>
    void walk(const GridLayout& layout, Visit&& visit) const {
        Cell c = layout.cell(anchor_);
        for (size_t i = 0; visit(c, i) && i < moves_.size(); ++i) {
            const Cell step = kMoves[moves_[moves_.size() - 1 - i]];
            c = {c.x + step.x, c.y + step.y};
        }
    }

    // The version of the map on which all moves are known to be legal.
    GridVersion version() const { return version_; }
    // May return true for tiles that the route does not cross, never false for tiles that it does.
    bool may_cross(const TileBloomFilter& tiles) const { return known() && tiles_.may_intersect(tiles); }
    // Whether a tile of the remaining route has changed since version().
    bool outdated(const GridSnapshot& grid) const;
    // Declares the route valid for a later version.
    void confirm(GridVersion version) { version_ = version; }

    size_t bytes() const { return moves_.capacity(); }

private:
    CellId anchor_ = kNoCell;
    std::vector<Move> moves_;  // in reverse order: the next move is last
    TileBloomFilter tiles_;
    GridVersion version_ = 0;
};

}  // namespace terrane::detail
