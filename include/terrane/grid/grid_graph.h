// A snapshot of terrain under a profile and a movement rule, as a Graph for the search kernel.
#pragma once
#include <array>
#include <cstdint>

#include "terrane/base/cost.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/profile.h"
#include "terrane/search/graph.h"

namespace terrane {

enum class Movement : uint8_t {
    kEight,    // diagonals only where both orthogonal cells are passable: the benchmark rule
    kCutting,  // diagonals wherever their end is passable
    kFour,     // no diagonals
};

// "eight", "cutting", "four".
const char* to_string(Movement movement);

// The eight moves, in the order that every expansion uses: north, east, south, west, then north-east,
// south-east, south-west, north-west. A move's opposite is `move ^ 2`.
using Move = uint8_t;
inline constexpr Move kNoMove = 8;  // how a start was reached
inline constexpr std::array<Cell, 8> kMoves = {{{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}};

// What a query needs to know before it picks a graph: bounds in the profile's own units (those of
// CostTable, times kStraight or kDiagonal).
struct GridBounds {
    uint32_t cheapest = 0;      // least terrain cost present on the map; 0 if all is blocked
    uint32_t dearest = 0;       // greatest terrain cost present
    uint64_t longest_path = 0;  // no optimal path costs more
    uint64_t any_path = 0;      // nor any path at all that visits no cell twice
};
GridBounds grid_bounds(const GridSnapshot& grid, const CostTable& costs);

// Whether a step is legal, and what it costs in Cost units (cost.h); kInfiniteCost where it is not: for
// cells that are not neighbours, blocked or off the map, too. For checking and re-summing paths: asks nothing of the search.
Cost step_cost(const GridSnapshot& grid, const CostTable& costs, Movement movement, Cell from, Cell to);

// `grid` must outlive the graph. Costs are in the profile's own units; `V` must be wide enough for what the
// search may come across (grid_bounds).
template <class V>
class GridGraph {
public:
    using Node = CellId;
    using Value = V;
    using Via = Move;

    GridGraph(const GridSnapshot& grid, const CostTable& costs, Movement movement) : root_(&grid.root()), movement_(movement) {
        for (size_t t = 0; t < 256; ++t) {
            straight_[t] = costs.cost[t] * kStraight;
            diagonal_[t] = costs.cost[t] * kDiagonal;
        }
    }

    const GridLayout& layout() const { return root_->layout; }

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        const uint32_t row = (node >> 5) & 31, column = node & 31;
        const Terrain* cell = tile(node >> 10) + (node & (kTileCells - 1));
        if (row - 1 < 30 && column - 1 < 30) {  // all eight neighbours are in this tile
            emit_moves(
                label, *cell, [=](Move m) { return cell[kDeltas[m]]; },
                [=](Move m) { return static_cast<CellId>(static_cast<int32_t>(node) + kDeltas[m]); }, emit);
        } else {
            const Around around(*this, node);
            emit_moves(
                label, *cell, [&](Move m) { return around.terrain[m]; }, [&](Move m) { return around.id[m]; }, emit);
        }
    }

    CellId origin(CellId to, Move move) const {
        const Cell c = layout().cell(to);
        return layout().id({c.x - kMoves[move].x, c.y - kMoves[move].y});
    }

private:
    // To the neighbours inside a tile, by move.
    static constexpr std::array<int32_t, 8> kDeltas = {-32, 1, 32, -1, -31, 33, 31, -33};

    // By the move that led to a cell: the moves that lead nowhere new, a bit each. They go back to the parent, and to the
    // two cells beside it that it reaches by a straight step; no way through this cell can be cheaper than that.
    static constexpr uint32_t bits(Move a, Move b, Move c) { return 1u << a | 1u << b | 1u << c; }
    static constexpr std::array<uint32_t, 9> kUseless = {
        bits(2, 5, 6), bits(3, 6, 7), bits(0, 4, 7), bits(1, 4, 5), bits(6, 2, 3), bits(7, 0, 3), bits(4, 0, 1), bits(5, 1, 2), 0};

    // The neighbours of a cell on its tile's border, looked up one by one.
    struct Around {
        std::array<CellId, 8> id;
        std::array<Terrain, 8> terrain;

        Around(const GridGraph& graph, CellId node) {
            const GridLayout& layout = graph.layout();
            const Cell c = layout.cell(node);
            for (size_t m = 0; m < 8; ++m) {
                const Cell n{c.x + kMoves[m].x, c.y + kMoves[m].y};
                id[m] = layout.contains(n) ? layout.id(n) : kNoCell;
                terrain[m] = id[m] == kNoCell ? kOutside : graph.tile(id[m] >> 10)[id[m] & (kTileCells - 1)];
            }
        }
    };

    const Terrain* tile(uint32_t number) const {
        return root_->pages[number >> detail::kPageShift]->cells[number & (detail::kPageTiles - 1)];
    }

    template <class Label, class TerrainOf, class IdOf, class Emit>
    void emit_moves(const Label& label, Terrain here, TerrainOf&& terrain_of, IdOf&& id_of, Emit&& emit) const {
        const uint32_t useless = kUseless[label.via];
        const auto useful = [=](Move m) { return (useless >> m & 1) == 0; };
        const uint32_t north = straight_[terrain_of(0)], east = straight_[terrain_of(1)];
        const uint32_t south = straight_[terrain_of(2)], west = straight_[terrain_of(3)];
        const V straight = label.g + straight_[here];
        if (useful(0) && north != 0) emit(id_of(0), straight + north, Move{0});
        if (useful(1) && east != 0) emit(id_of(1), straight + east, Move{1});
        if (useful(2) && south != 0) emit(id_of(2), straight + south, Move{2});
        if (useful(3) && west != 0) emit(id_of(3), straight + west, Move{3});
        if (movement_ != Movement::kFour) {
            const V diagonal = label.g + diagonal_[here];
            const auto emit_diagonal = [&](Move m, uint32_t side, uint32_t other) TERRANE_INLINE {
                if (!useful(m)) return;
                const uint32_t cost = diagonal_[terrain_of(m)];
                const bool open = (side != 0 && other != 0) || movement_ == Movement::kCutting;
                if (cost != 0 && open) emit(id_of(m), diagonal + cost, m);
            };
            emit_diagonal(4, north, east);
            emit_diagonal(5, south, east);
            emit_diagonal(6, south, west);
            emit_diagonal(7, north, west);
        }
    }

    const detail::GridRoot* root_;
    Movement movement_;
    std::array<uint32_t, 256> straight_;  // terrain cost times kStraight; 0 is blocked
    std::array<uint32_t, 256> diagonal_;
};

}  // namespace terrane
