// Direction maps: learn in which direction agents leave each cell, and make other directions costlier, so that later agents follow.
// Based on: Jansen, Sturtevant 2008 (direction maps for cooperative pathfinding); abstraction-slides, 107 to 125.
//
// Each cell has an arrow (the paper's direction vector): the decaying mean of the moves out of the cell. A move along the arrow costs a
// planner as much as without a map; a move across it, or from a cell without an arrow, costs more; a move against it costs most:
//   cost * (1 + weight * (1 - cos(angle) * length)), from 1 to 1 + 2 weight.
// No move is cheaper than its terrain cost, so heuristics that are admissible and consistent for terrain costs stay so (`whca+flow`
// inflates its own, and may answer with costlier plans). They get weaker: without arrows, every move
// costs 1 + weight times its terrain cost. On a 512x512 map of obstacles, A* expands 2.5 times as many nodes; weighted A* with weight 1.2
// expands 0.6 times as many at 0.2% above the optimal cost (terrane bench crowd-flow).
//
// All values are integers (the slides have two floats), so results are identical on every machine. Three forms:
//   full      two 16-bit components and a tick per cell (8 bytes), in the tiles that agents entered. Arrows decay when they are read, so a
//             tick costs nothing.
//   compact   one move per block of cells, in 4 bits: 1 bit per cell for blocks of 2x2. A new move replaces the stored one with
//             probability `learning`, and a stored move vanishes with probability `decay`, so that expected values match the full form. A
//             tick sweeps 1/64 of the tiles that agents entered.
//   congested either form, but only in tiles above a traffic threshold; elsewhere nothing is stored and moves cost their terrain cost.
//             Searches do not get shorter (up to 1.4 times as long in that bench), because congested tiles are costlier and invite detours.
// Random decisions are hashes of the number of learned moves, the tick and the tile.
//
// A map starts without arrows, with random ones, or with those of an earlier run. Use one map per class of agents that should not follow
// each other.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "terrane/grid/grid_graph.h"

namespace terrane {

class DirectionMap;

struct DirectionMapOptions {
    bool compact = false;               // one move per block of cells instead of a vector per cell
    uint32_t block = 2;                 // compact: cells per side of a block: 1, 2, 4, 8 or 16
    uint32_t weight = 50;               // percent, 1..1000: `weight` in the formula above
    uint32_t learning = 25;             // percent, 1..100: share of an arrow that a new move replaces
    uint32_t decay = 2;                 // per mille, 0..1000: share of an arrow that is lost per tick
    uint32_t congestion_threshold = 0;  // decayed number of moves in a tile (kTileSide^2 cells) from which it has arrows; 0: all tiles

    uint64_t random_seed = 0;               // not 0: start with random arrows in every cell or block
    const DirectionMap* initial = nullptr;  // start with a copy of these arrows; must have the same layout, form and block
};

// x points east, y south; kArrowUnit is a length of 1, the maximum.
struct Arrow {
    int16_t x = 0, y = 0;
    friend bool operator==(const Arrow&, const Arrow&) = default;
};
inline constexpr int32_t kArrowUnit = 8192;
// The unit arrow of each move, rounded down: diagonal ones are 2 of 8192 short.
inline constexpr std::array<Arrow, 8> kMoveArrows = {
    {{0, -8192}, {8192, 0}, {0, 8192}, {-8192, 0}, {5792, -5792}, {5792, 5792}, {-5792, 5792}, {-5792, -5792}}};

// A value type: copies are independent. One thread at a time may call learn() or decay(), without concurrent readers.
class DirectionMap {
public:
    DirectionMap() = default;
    DirectionMap(const GridLayout& layout, const DirectionMapOptions& options);

    // Records a move out of a cell; move < 8. O(1).
    void learn(CellId from, Move move);
    // Call once per tick.
    void decay();

    // Cost of a move for a planner. `cost` is its terrain cost, at most 2 * kMaxTerrainCost * kDiagonal. The result is between `cost` and
    // 21 * `cost`, which fits 32 bits.
    uint32_t scaled(CellId from, Move move, uint32_t cost) const {
        if (options_.congestion_threshold != 0 && !is_congested(from / kTileCells)) return cost;
        const Arrow here = arrow(from), direction = kMoveArrows[move];
        const int32_t along = std::min((here.x * direction.x + here.y * direction.y) / kArrowUnit, kArrowUnit);
        return cost + static_cast<uint32_t>(uint64_t{cost} * options_.weight * static_cast<uint32_t>(kArrowUnit - along) / kScale);
    }

    Arrow arrow(CellId cell) const {
        const uint32_t tile = cell / kTileCells;
        if (options_.compact) return block_tiles_[tile].empty() ? Arrow{} : block_arrow(tile, block_of(cell));
        return tiles_[tile].empty() ? Arrow{} : decayed(tiles_[tile][cell % kTileCells]);
    }

    // Calls visit(cell, arrow) for each cell with an arrow, by ascending cell id. `layout` is that of the map. Skips tiles that no agent
    // entered.
    template <class Visit>
    void each_arrow(const GridLayout& layout, Visit&& visit) const {
        for (uint32_t tile = 0; tile < layout.id_limit() / kTileCells; ++tile) {
            if (options_.compact ? block_tiles_[tile].empty() : tiles_[tile].empty()) continue;
            for (CellId cell = tile * kTileCells; cell < (tile + 1) * kTileCells; ++cell) {
                const Arrow here = arrow(cell);
                if (here != Arrow{} && layout.contains(layout.cell(cell))) visit(cell, here);
            }
        }
    }

    const DirectionMapOptions& options() const { return options_; }
    size_t bytes() const;

private:
    static constexpr uint64_t kScale = uint64_t{100} * kArrowUnit;
    static constexpr uint32_t kFactorUnit = 1u << 16;

    struct TimedArrow {
        Arrow arrow;
        uint32_t tick = 0;
    };
    struct Traffic {
        uint32_t moves = 0;  // in 1/256
        uint32_t tick = 0;
    };

    // Remaining share after `age` ticks, in 1/65536.
    uint32_t decay_factor(uint32_t age) const { return age < decay_factors_.size() ? decay_factors_[age] : final_factor_; }
    Arrow decayed(const TimedArrow& timed) const {
        const auto f = static_cast<int64_t>(decay_factor(tick_ - timed.tick));
        return {static_cast<int16_t>(timed.arrow.x * f / kFactorUnit), static_cast<int16_t>(timed.arrow.y * f / kFactorUnit)};
    }
    uint32_t traffic(uint32_t tile) const {
        return static_cast<uint32_t>(uint64_t{traffic_[tile].moves} * decay_factor(tick_ - traffic_[tile].tick) / kFactorUnit);
    }
    bool is_congested(uint32_t tile) const { return traffic(tile) / 256 >= options_.congestion_threshold; }

    uint32_t block_of(CellId cell) const {
        return (cell / kTileSide % kTileSide >> block_shift_) * (kTileSide >> block_shift_) + (cell % kTileSide >> block_shift_);
    }
    uint32_t nibble(uint32_t tile, uint32_t block) const { return block_tiles_[tile][block / 2] >> (block % 2 * 4) & 15u; }
    Arrow block_arrow(uint32_t tile, uint32_t block) const {
        const uint32_t stored = nibble(tile, block);
        return stored >= kHasMove ? kMoveArrows[stored - kHasMove] : Arrow{};
    }
    static constexpr uint32_t kHasMove = 8;  // bit of a nibble: its low three bits hold a move

    void count_move(uint32_t tile);
    void allocate_tile(uint32_t tile);
    void randomise_arrows(const GridLayout& layout);
    void copy_arrows(const DirectionMap& from);
    void set_block(uint32_t tile, uint32_t block, uint32_t value);
    void learn_block(uint32_t tile, uint32_t block, Move move);
    void decay_blocks(uint32_t tile);

    DirectionMapOptions options_;
    uint32_t block_shift_ = 1;
    uint32_t tick_ = 0;
    uint64_t learned_moves_ = 0;
    std::vector<uint32_t> decay_factors_;
    uint32_t final_factor_ = 0;                      // for ages beyond decay_factors_
    std::vector<std::vector<TimedArrow>> tiles_;     // full: by tile, empty where no agent came
    std::vector<std::vector<uint8_t>> block_tiles_;  // compact: the same; two blocks per byte
    std::vector<uint32_t> allocated_tiles_;          // compact: tiles that are not empty
    std::vector<Traffic> traffic_;                   // by tile, with a congestion threshold only
};

// A grid graph for the search kernel whose moves cost what a direction map makes of them. `map` must outlive the graph and must not change
// during a search. Choose `V` as for GridGraph, for paths that cost up to 1 + 2 weight times as much.
template <class V>
class DirectionMapGraph {
public:
    using Node = CellId;
    using Value = V;
    using Via = Move;

    DirectionMapGraph(const Ground& ground, const DirectionMap& map) : terrain_(ground), map_(&map) {}

    const GridLayout& layout() const { return terrain_.layout(); }

    // Emits all successors. With arrows, a path with a turn may be cheaper than the direct one, so no successor can be pruned.
    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        terrain_.expand(node, PlainLabel<DirectionMapGraph>{0, kNoMove}, [&](CellId to, V cost, Move move) TERRANE_INLINE {
            emit(to, label.g + map_->scaled(node, move, static_cast<uint32_t>(cost)), move);
        });
    }

    CellId origin(CellId to, Move move) const { return terrain_.origin(to, move); }

private:
    GridGraph<V> terrain_;
    const DirectionMap* map_;
};

}  // namespace terrane
