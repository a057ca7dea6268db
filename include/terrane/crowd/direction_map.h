// Direction maps: which way agents have been going, cell by cell, so that those who come later go the same way.
// Based on: Jansen, Sturtevant 2008 (direction maps for cooperative pathfinding); abstraction-slides, 107 to 125.
//
// Each cell has an arrow, the decaying mean of the moves out of it. For a planner, going with the arrow costs what it costs without a
// map; across it, or where there is none, more; against it, more still:
//   cost * (1 + weight * (1 - cos(angle) * length)), from 1 to 1 + 2 weight.
// So no move is ever cheaper than the terrain alone, and a heuristic admissible (consistent) for the terrain stays so. It is a weaker one:
// where there are no arrows, all costs 1 + weight of what the heuristic thinks, and a search looks at more cells: 2.5 times as many by A*
// on a 512x512 map of obstacles; 0.6 times by weighted A* with 1.2, at 0.2% more than the least cost (terrane bench crowd-flow).
//
// Numbers are integers, where the slides have two floats: the same bits on every machine. Three forms:
//   full      two 16-bit numbers for each cell and the tick that they are of, 8 bytes, in the tiles that agents came through. They decay
//             when they are looked at, so a tick costs nothing.
//   compact   a move for each block of cells, in 3 bits and one that says whether there is any: 1 bit a cell for blocks of 2x2. A move
//             replaces another by chance (`learning`), and vanishes by chance (`decay`), so that shares are as those of the full form.
//             A tick looks at a 64th of the tiles that agents came through.
//   congested either of them, only in tiles that are busy: elsewhere nothing is kept and no move costs more than the terrain. Searches are
//             no shorter for it (up to 1.4 times as long in that bench): busy tiles are dear, and they look for ways around.
// Nothing random but by hash of what was learned when.
//
// Arrows to begin with: none; random ones; or those of a run before. For classes of units that should not follow one another, have a map
// for each.
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
    bool compact = false;    // 3 bits for each block of cells in place of two numbers for each cell
    uint32_t block = 2;      // compact: cells a side of a block: 1, 2, 4, 8 or 16
    uint32_t weight = 50;    // percent, 1..1000: `weight` above
    uint32_t learning = 25;  // percent of an arrow that a move along it replaces, 1..100
    uint32_t decay = 2;      // thousandths of an arrow lost in a tick, 0..1000
    uint32_t congested = 0;  // only in tiles (kTileSide cells a side) out of whose cells so many moves went, decaying; 0: everywhere

    uint64_t random_seed = 0;               // of arrows along the moves in every cell or block, to begin with; 0: none
    const DirectionMap* initial = nullptr;  // arrows to begin with, copied: of the same layout, form and block
};

// East and south; kArrowUnit is a length of 1, and the longest.
struct Arrow {
    int16_t x = 0, y = 0;
    friend bool operator==(const Arrow&, const Arrow&) = default;
};
inline constexpr int32_t kArrowUnit = 8192;
// Of each move, rounded down: a diagonal one is 2 of 8192 short.
inline constexpr std::array<Arrow, 8> kMoveArrows = {
    {{0, -8192}, {8192, 0}, {0, 8192}, {-8192, 0}, {5792, -5792}, {5792, 5792}, {-5792, 5792}, {-5792, -5792}}};

// A value: a copy goes its own way. One thread learns at a time, with nobody reading.
class DirectionMap {
public:
    DirectionMap() = default;
    DirectionMap(const GridLayout& layout, const DirectionMapOptions& options);

    // An agent makes a move from a cell; move < 8.
    void learn(CellId from, Move move);
    // Once a tick.
    void decay();

    // What a move costs a planner that would cost `cost` on the terrain, at most 2 * kMaxTerrainCost * kDiagonal; at least that, and at
    // most 21 times as much, which fits.
    uint32_t scaled(CellId from, Move move, uint32_t cost) const {
        if (options_.congested != 0 && !busy(from / kTileCells)) return cost;
        const Arrow here = arrow(from), way = kMoveArrows[move];
        const int32_t along = std::min((here.x * way.x + here.y * way.y) / kArrowUnit, kArrowUnit);
        return cost + static_cast<uint32_t>(uint64_t{cost} * options_.weight * static_cast<uint32_t>(kArrowUnit - along) / kWhole);
    }

    Arrow arrow(CellId cell) const {
        const uint32_t tile = cell / kTileCells;
        if (options_.compact) return tiles_of_blocks_[tile].empty() ? Arrow{} : block_arrow(tile, block_of(cell));
        return tiles_[tile].empty() ? Arrow{} : decayed(tiles_[tile][cell % kTileCells]);
    }

    // Calls visit(cell, arrow) for each cell that has an arrow, by number of the cells. `layout` is that of the map. Looks only at tiles
    // that agents came through.
    template <class Visit>
    void each_arrow(const GridLayout& layout, Visit&& visit) const {
        for (uint32_t tile = 0; tile < layout.id_limit() / kTileCells; ++tile) {
            if (options_.compact ? tiles_of_blocks_[tile].empty() : tiles_[tile].empty()) continue;
            for (CellId cell = tile * kTileCells; cell < (tile + 1) * kTileCells; ++cell) {
                const Arrow here = arrow(cell);
                if (here != Arrow{} && layout.contains(layout.cell(cell))) visit(cell, here);
            }
        }
    }

    const DirectionMapOptions& options() const { return options_; }
    size_t bytes() const;

private:
    static constexpr uint64_t kWhole = uint64_t{100} * kArrowUnit;
    static constexpr uint32_t kFactorUnit = 1u << 16;

    struct Dated {
        Arrow arrow;
        uint32_t tick = 0;
    };
    struct Traffic {
        uint32_t moves = 0;  // in 256ths
        uint32_t tick = 0;
    };

    // What is left of 1 after so many ticks, in 65536ths.
    uint32_t factor(uint32_t age) const { return age < factors_.size() ? factors_[age] : left_at_last_; }
    Arrow decayed(const Dated& dated) const {
        const auto f = static_cast<int64_t>(factor(tick_ - dated.tick));
        return {static_cast<int16_t>(dated.arrow.x * f / kFactorUnit), static_cast<int16_t>(dated.arrow.y * f / kFactorUnit)};
    }
    uint32_t traffic(uint32_t tile) const {
        return static_cast<uint32_t>(uint64_t{traffic_[tile].moves} * factor(tick_ - traffic_[tile].tick) / kFactorUnit);
    }
    bool busy(uint32_t tile) const { return traffic(tile) / 256 >= options_.congested; }

    uint32_t block_of(CellId cell) const {
        return (cell / kTileSide % kTileSide >> block_shift_) * (kTileSide >> block_shift_) + (cell % kTileSide >> block_shift_);
    }
    uint32_t half_byte(uint32_t tile, uint32_t block) const { return tiles_of_blocks_[tile][block / 2] >> (block % 2 * 4) & 15u; }
    Arrow block_arrow(uint32_t tile, uint32_t block) const {
        const uint32_t kept = half_byte(tile, block);
        return kept >= kThere ? kMoveArrows[kept - kThere] : Arrow{};
    }
    static constexpr uint32_t kThere = 8;  // of a half byte: with a move below it

    void count_move(uint32_t tile);
    void enter(uint32_t tile);
    void draw_arrows(const GridLayout& layout);
    void copy_arrows(const DirectionMap& from);
    void put_block(uint32_t tile, uint32_t block, uint32_t value);
    void learn_block(uint32_t tile, uint32_t block, Move move);
    void thin_out(uint32_t tile);

    DirectionMapOptions options_;
    uint32_t block_shift_ = 1;
    uint32_t tick_ = 0;
    uint64_t learned_ = 0;  // moves so far
    std::vector<uint32_t> factors_;
    uint32_t left_at_last_ = 0;                          // after more ticks than that
    std::vector<std::vector<Dated>> tiles_;              // full: by tile, empty where nobody came
    std::vector<std::vector<uint8_t>> tiles_of_blocks_;  // compact: the same; two blocks in a byte
    std::vector<uint32_t> entered_;                      // compact: tiles that are not empty
    std::vector<Traffic> traffic_;                       // by tile, where `congested` matters
};

// A map of terrain on which moves cost what a direction map makes of them, for the search kernel. `map` must outlive it, and not change
// during a search. `V` as for GridGraph, but for paths up to 1 + 2 weight times as dear.
template <class V>
class FlowGraph {
public:
    using Node = CellId;
    using Value = V;
    using Via = Move;

    FlowGraph(const Ground& ground, const DirectionMap& map) : terrain_(ground), map_(&map) {}

    const GridLayout& layout() const { return terrain_.layout(); }

    // All successors: with arrows, a way that turns may be cheaper than the straight one, so none can be left out.
    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        terrain_.expand(node, PlainLabel<FlowGraph>{0, kNoMove}, [&](CellId to, V cost, Move move) TERRANE_INLINE {
            emit(to, label.g + map_->scaled(node, move, static_cast<uint32_t>(cost)), move);
        });
    }

    CellId origin(CellId to, Move move) const { return terrain_.origin(to, move); }

private:
    GridGraph<V> terrain_;
    const DirectionMap* map_;
};

}  // namespace terrane
