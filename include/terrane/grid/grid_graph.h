// The grid as a Graph (search/graph.h): the legal steps of a Ground.
// Based on: Sturtevant, Rabin 2016 (canonical orderings); Carlson, Jha, Harabor et al. 2023 (pruning where the neighbourhood is uniform).
//
// A cell is uniform if its eight neighbours have its own terrain. From there, expand() omits successors that another path reaches at no
// higher cost inside those nine cells. Every level is lossless: an optimal path to each cell remains (docs/notes/grid_search.md).
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "terrane/grid/ground.h"
#include "terrane/search/graph.h"

namespace terrane {

// Which successors of a uniform cell are omitted. For movement rule "four", all levels are kLabelled.
enum class Pruning : uint8_t {
    kLabelled,   // those that the parent has labelled at no higher cost; changes no search
    kDominated,  // also those that a neighbour of the parent reaches at a lower cost. Changes neither path nor expansions of A* with a
                 // consistent heuristic and buckets of at most half of the cheapest edge
    kCanonical,  // also diagonal steps after a straight one: the diagonal first costs the same. Paths of equal cost may differ
};

// Edge costs are in the profile's units: CostTable costs times step lengths. `V` must be wide enough for every g-value of the search; see
// Ground::bounds(). The map and the rule of `ground` must outlive the graph.
template <class V>
class GridGraph {
public:
    using Node = CellId;
    using Value = V;
    using Via = Move;

    explicit GridGraph(const Ground& ground, Pruning pruning = Pruning::kLabelled)
        : data_(&ground.grid().data()),
          rule_(&ground.rule()),
          movement_(ground.movement()),
          uniform_(&kUniform[has_diagonals(movement_) ? static_cast<size_t>(pruning) + 1 : 0]),
          inner_(movement_ == Movement::kCustom ? 0u : uint32_t{kTileSide} - 2) {
        for (size_t t = 0; t < 256; ++t) {
            straight_[t] = ground.costs().cost[t] * kStraight;
            diagonal_[t] = ground.costs().cost[t] * kDiagonal;
        }
    }

    const GridLayout& layout() const { return data_->layout; }

    // Omits successors that the parent reaches at no higher cost (label.via); pass kNoMove to get all.
    template <class Label, class Emit>
    TERRANE_INLINE void expand(CellId node, const Label& label, Emit&& emit) const {
        const uint32_t row = (node >> 5) & 31, column = node & 31;
        const Terrain* cell = tile(node >> 10) + (node & (kTileCells - 1));
        if (row - 1 < inner_ && column - 1 < inner_) {  // all eight neighbours are in this tile
            if (is_uniform(cell)) {
                expand_uniform(node, label, *cell, emit);
            } else {
                expand_mixed(node, label, cell, emit);
            }
        } else {
            expand_border(node, label, *cell, emit);
        }
    }

    CellId origin(CellId to, Move move) const {
        const Cell c = layout().cell(to), step = movement_ == Movement::kCustom ? rule_->steps[move].offset : kMoves[move];
        return layout().id({c.x - step.x, c.y - step.y});
    }

private:
    // Whether a search knows the g-values of all cells of a tile at once.
    template <class Emit>
    static constexpr bool kKnowsTile = requires(const Emit& emit) {
        requires Emit::KnownLabels::kConsecutive % kTileCells == 0;
        emit.g_from(CellId{});
    };

    // By incoming move: a bit mask of the dominated moves. They lead back to the parent, and to the two cells beside it that it reaches
    // by a straight step. No path through this cell to those is cheaper.
    static constexpr uint32_t bits(Move a, Move b, Move c) { return 1u << a | 1u << b | 1u << c; }
    static constexpr std::array<uint32_t, 9> kDominated = {
        bits(2, 5, 6), bits(3, 6, 7), bits(0, 4, 7), bits(1, 4, 5), bits(6, 2, 3), bits(7, 0, 3), bits(4, 0, 1), bits(5, 1, 2), 0};

    // By level, then by incoming move: a bit mask of the successors of a uniform cell. The first level is that of rule "four".
    using Successors = std::array<uint32_t, 9>;
    static constexpr Successors turned(uint32_t north, uint32_t north_east, uint32_t start) {
        const auto turn = [](uint32_t moves, uint32_t by) {  // clockwise, by quarters
            const uint32_t straight = (moves & 15) * 0x11, diagonal = (moves >> 4) * 0x11;
            return (straight << by >> 4 & 15) | (diagonal << by >> 4 & 15) << 4;
        };
        Successors out{};
        for (uint32_t quarter = 0; quarter < 4; ++quarter) {
            out[quarter] = turn(north, quarter);
            out[4 + quarter] = turn(north_east, quarter);
        }
        out[kNoMove] = start;
        return out;
    }
    // Bits, from the right: north, east, south, west, north-east, south-east, south-west, north-west.
    static constexpr std::array<Successors, 4> kUniform = {turned(0b0000'1011, 0, 0b0000'1111), turned(0b1001'0001, 0b1011'0011, 0xff),
                                                           turned(0b1001'0001, 0b0001'0011, 0xff), turned(0b0000'0001, 0b0001'0011, 0xff)};

    // The neighbours of a cell on its tile's border, some of which are in other tiles.
    struct Around {
        std::array<CellId, 8> id;
        std::array<Terrain, 8> terrain;

        Around(const GridGraph& graph, CellId node) {
            const GridLayout& layout = graph.layout();
            const Cell c = layout.cell(node);
            std::array<CellId, 3> rows, columns;  // the bits of an id that depend on y, and on x
            for (int32_t i = 0; i < 3; ++i) {
                const Cell n{c.x + i - 1, c.y + i - 1};
                columns[static_cast<size_t>(i)] = layout.contains({n.x, 0}) ? layout.id({n.x, 0}) : kNoCell;
                rows[static_cast<size_t>(i)] = layout.contains({0, n.y}) ? layout.id({0, n.y}) : kNoCell;
            }
            for (size_t m = 0; m < 8; ++m) {
                id[m] = rows[static_cast<uint32_t>(kMoves[m].y + 1)] | columns[static_cast<uint32_t>(kMoves[m].x + 1)];
                terrain[m] = id[m] == kNoCell ? kOutside : graph.tile(id[m] >> 10)[id[m] & (kTileCells - 1)];
            }
        }
        bool is_uniform(Terrain here) const {
            uint64_t all;
            std::memcpy(&all, terrain.data(), 8);
            return all == here * uint64_t{0x0101010101010101};
        }
    };

    // Whether the eight neighbours of a cell that is not on its tile's border have its terrain. Reads four cells of each row.
    static bool is_uniform(const Terrain* cell) {
        const uint32_t all = *cell * uint32_t{0x01010101};
        const auto differs = [=](const Terrain* first) {
            uint32_t cells;
            std::memcpy(&cells, first, 4);
            return cells ^ all;
        };
        constexpr bool kLittle = std::endian::native == std::endian::little;
        const uint32_t above = differs(cell - kTileSide - 1), beside = differs(cell - 2), below = differs(cell + kTileSide - 2);
        return ((kLittle ? above << 8 : above >> 8) | (kLittle ? (beside | below) >> 8 : (beside | below) << 8)) == 0;
    }

    const Terrain* tile(uint32_t number) const {
        return data_->pages[number >> detail::kPageShift]->cells[number & (detail::kPageTiles - 1)];
    }

    template <class Label, class Emit>
    TERRANE_COLD void expand_mixed(CellId node, const Label& label, const Terrain* cell, Emit&& emit) const {
        emit_moves(
            label, *cell, [=](Move m) { return cell[detail::kTileDeltas[m]]; },
            [=](Move m) { return static_cast<CellId>(static_cast<int32_t>(node) + detail::kTileDeltas[m]); }, emit);
    }

    template <class Label, class Emit>
    TERRANE_INLINE void expand_uniform(CellId node, const Label& label, Terrain here, Emit&& emit) const {
        const auto id_of = [=](Move m) { return static_cast<CellId>(static_cast<int32_t>(node) + detail::kTileDeltas[m]); };
        if constexpr (kKnowsTile<std::remove_cvref_t<Emit>>) {
            const V* known = emit.g_from(node & ~(kTileCells - 1)) + (node & (kTileCells - 1));
            emit_uniform(label, here, id_of, [&](CellId to, V g, Move m) TERRANE_INLINE {
                if (g < known[detail::kTileDeltas[m]]) emit(to, g, m);
            });
        } else {
            emit_uniform(label, here, id_of, emit);
        }
    }

    // A cell some of whose neighbours are in other tiles, or any cell under a custom rule.
    template <class Label, class Emit>
    TERRANE_COLD void expand_border(CellId node, const Label& label, Terrain here, Emit&& emit) const {
        if (movement_ == Movement::kCustom) return emit_steps(node, label, here, emit);
        const Around around(*this, node);
        const auto id_of = [&](Move m) { return around.id[m]; };
        if (around.is_uniform(here)) return emit_uniform(label, here, id_of, emit);
        emit_moves(
            label, here, [&](Move m) { return around.terrain[m]; }, id_of, emit);
    }

    // All edges between uniform cells cost the same, up to the diagonal's length.
    template <class Label, class IdOf, class Emit>
    TERRANE_INLINE void emit_uniform(const Label& label, Terrain here, IdOf&& id_of, Emit&& emit) const {
        if (straight_[here] == 0) return;
        const std::array<V, 2> g = {label.g + V{2} * straight_[here], label.g + V{2} * diagonal_[here]};
        for (uint32_t left = (*uniform_)[label.via]; left != 0; left &= left - 1) {
            const auto m = static_cast<Move>(std::countr_zero(left));
            emit(id_of(m), g[m / 4], m);
        }
    }

    template <class Label, class TerrainOf, class IdOf, class Emit>
    void emit_moves(const Label& label, Terrain here, TerrainOf&& terrain_of, IdOf&& id_of, Emit&& emit) const {
        const uint32_t dominated = kDominated[label.via];
        const auto keeps = [=](Move m) { return (dominated >> m & 1) == 0; };
        const uint32_t north = straight_[terrain_of(0)], east = straight_[terrain_of(1)];
        const uint32_t south = straight_[terrain_of(2)], west = straight_[terrain_of(3)];
        const V straight = label.g + straight_[here];
        if (keeps(0) && north != 0) emit(id_of(0), straight + north, Move{0});
        if (keeps(1) && east != 0) emit(id_of(1), straight + east, Move{1});
        if (keeps(2) && south != 0) emit(id_of(2), straight + south, Move{2});
        if (keeps(3) && west != 0) emit(id_of(3), straight + west, Move{3});
        if (has_diagonals(movement_)) {
            const bool cuts = cuts_corners(movement_);
            const V diagonal = label.g + diagonal_[here];
            const auto emit_diagonal = [&](Move m, uint32_t side, uint32_t other) TERRANE_INLINE {
                if (!keeps(m)) return;
                const uint32_t cost = diagonal_[terrain_of(m)];
                if (cost != 0 && ((side != 0 && other != 0) || cuts)) emit(id_of(m), diagonal + cost, m);
            };
            emit_diagonal(4, north, east);
            emit_diagonal(5, south, east);
            emit_diagonal(6, south, west);
            emit_diagonal(7, north, west);
        }
    }

    // The steps of a custom rule, by its table.
    template <class Label, class Emit>
    void emit_steps(CellId node, const Label& label, Terrain here, Emit&& emit) const {
        const Cell from = layout().cell(node);
        const auto id_at = [&](Move m) {
            const Cell to{from.x + rule_->steps[m].offset.x, from.y + rule_->steps[m].offset.y};
            return layout().contains(to) ? layout().id(to) : kNoCell;
        };
        const auto cost_at = [&](CellId id) {  // in the units of CostTable; 0 is blocked
            return id == kNoCell ? 0 : straight_[tile(id >> 10)[id & (kTileCells - 1)]] / kStraight;
        };
        uint32_t passable = 0;
        const auto count = static_cast<Move>(rule_->steps.size());
        for (Move m = 0; m < count; ++m) passable |= (cost_at(id_at(m)) != 0 ? 1u : 0u) << m;
        for (Move m = 0; m < count; ++m) {
            const MoveStep& step = rule_->steps[m];
            if ((passable >> m & 1) == 0 || (passable & step.beside) != step.beside) continue;
            emit(id_at(m), label.g + V{step.length} * (straight_[here] / kStraight + cost_at(id_at(m))), m);
        }
    }

    const detail::GridData* data_;
    const MovementRule* rule_;
    Movement movement_;
    const Successors* uniform_;
    uint32_t inner_;                      // rows and columns of a tile whose neighbours are all inside; 0 for custom rules
    std::array<uint32_t, 256> straight_;  // terrain cost times kStraight; 0 is blocked
    std::array<uint32_t, 256> diagonal_;
};

}  // namespace terrane
