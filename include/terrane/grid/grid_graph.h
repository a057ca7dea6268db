// The grid as a Graph (search/graph.h): the legal steps of a Ground.
#pragma once
#include <array>
#include <cstdint>

#include "terrane/grid/ground.h"
#include "terrane/search/graph.h"

namespace terrane {

// Edge costs are in the profile's units: CostTable costs times step lengths. `V` must be wide enough for every g-value of the search; see
// Ground::bounds(). The map and the rule of `ground` must outlive the graph.
template <class V>
class GridGraph {
public:
    using Node = CellId;
    using Value = V;
    using Via = Move;

    explicit GridGraph(const Ground& ground)
        : data_(&ground.grid().data()),
          rule_(&ground.rule()),
          movement_(ground.movement()),
          inner_(movement_ == Movement::kCustom ? 0u : uint32_t{kTileSide} - 2) {
        for (size_t t = 0; t < 256; ++t) {
            straight_[t] = ground.costs().cost[t] * kStraight;
            diagonal_[t] = ground.costs().cost[t] * kDiagonal;
        }
    }

    const GridLayout& layout() const { return data_->layout; }

    // Omits successors that the parent reaches at no higher cost (label.via); pass kNoMove to get all.
    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        const uint32_t row = (node >> 5) & 31, column = node & 31;
        const Terrain* cell = tile(node >> 10) + (node & (kTileCells - 1));
        if (row - 1 < inner_ && column - 1 < inner_) {  // all eight neighbours are in this tile
            emit_moves(
                label, *cell, [=](Move m) { return cell[detail::kTileDeltas[m]]; },
                [=](Move m) { return static_cast<CellId>(static_cast<int32_t>(node) + detail::kTileDeltas[m]); }, emit);
        } else if (movement_ == Movement::kCustom) {
            emit_steps(node, label, *cell, emit);
        } else {
            const Around around(*this, node);
            emit_moves(
                label, *cell, [&](Move m) { return around.terrain[m]; }, [&](Move m) { return around.id[m]; }, emit);
        }
    }

    CellId origin(CellId to, Move move) const {
        const Cell c = layout().cell(to), step = movement_ == Movement::kCustom ? rule_->steps[move].offset : kMoves[move];
        return layout().id({c.x - step.x, c.y - step.y});
    }

private:
    // By incoming move: a bit mask of the dominated moves. They lead back to the parent, and to the two cells beside it that it reaches
    // by a straight step. No path through this cell to those is cheaper.
    static constexpr uint32_t bits(Move a, Move b, Move c) { return 1u << a | 1u << b | 1u << c; }
    static constexpr std::array<uint32_t, 9> kDominated = {
        bits(2, 5, 6), bits(3, 6, 7), bits(0, 4, 7), bits(1, 4, 5), bits(6, 2, 3), bits(7, 0, 3), bits(4, 0, 1), bits(5, 1, 2), 0};

    // The neighbours of a cell on its tile's border, some of which are in other tiles.
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
        return data_->pages[number >> detail::kPageShift]->cells[number & (detail::kPageTiles - 1)];
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
    uint32_t inner_;                      // rows and columns of a tile whose neighbours are all inside; 0 for custom rules
    std::array<uint32_t, 256> straight_;  // terrain cost times kStraight; 0 is blocked
    std::array<uint32_t, 256> diagonal_;
};

}  // namespace terrane
