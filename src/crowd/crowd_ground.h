// The cells that agents can stand on, numbered without gaps, and the moves between them: what the methods that plan for all agents at
// once (pibt.h, lacam.h) look at instead of the grid.
//
// One version of the map under one rule of movement, for all kinds of a crowd. Tables: 4 bytes for each cell and move of the rule, and 5
// bytes for each cell and kind. Never changes; any number of threads may read it.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/crowd/crowd.h"

namespace terrane {

// The number of a cell that at least one kind can stand on. Ascending as cell ids are, so that those of a tile are together.
using Spot = uint32_t;
inline constexpr Spot kNoSpot = 0xffffffff;

class CrowdGround {
public:
    // At least one kind. `stood_on`: cells of the map that get a number in any case, such as those of agents whose ground an edit took
    // away.
    CrowdGround(const GridSnapshot& grid, std::span<const CrowdKind> kinds, Movement movement, std::span<const CellId> stood_on = {});

    uint32_t size() const { return static_cast<uint32_t>(cells_.size()); }
    size_t kinds() const { return kinds_.size(); }
    Move moves() const { return moves_; }  // of the rule: 4 or 8
    CellId cell(Spot spot) const { return cells_[spot]; }
    // kNoSpot where nobody can stand. Takes a binary search.
    Spot spot(CellId cell) const;

    // Of a legal move (or of one that is legal for some kind).
    Spot neighbour(Spot from, Move move) const { return neighbours_[size_t{from} * moves_ + move]; }
    // The moves that an agent of a kind can make from a spot, a bit each; it may stand there or not (can_step).
    uint32_t legal(uint16_t kind, Spot from) const { return kinds_[kind].legal[from]; }
    // The move that leads from one spot to one beside it; kNoMove where none does.
    Move move_between(Spot from, Spot to) const;
    // The two spots beside a diagonal move; kNoSpot where there is none.
    std::array<Spot, 2> sides(Spot from, Move diagonal) const;

    // What a legal move costs.
    Cost step_cost(uint16_t kind, Spot from, Move move) const;
    Cost wait_cost(uint16_t kind) const { return kinds_[kind].wait; }
    // Whether every move of the kind costs the same: four moves, one cost of terrain.
    bool uniform(uint16_t kind) const { return kinds_[kind].step != 0; }
    Cost uniform_step(uint16_t kind) const { return kinds_[kind].step; }
    // No way of the kind that visits no spot twice costs more.
    Cost dearest_path(uint16_t kind) const { return kinds_[kind].dearest_path; }

    // Spots of one component can be reached from one another; kNoComponent where the kind cannot stand.
    uint32_t component(uint16_t kind, Spot spot) const { return kinds_[kind].component[spot]; }

    size_t bytes() const;

private:
    struct Kind {
        std::vector<uint8_t> legal;       // by spot
        std::vector<uint32_t> component;  // by spot
        std::array<uint32_t, 256> hundredths{};
        Cost wait = 0;
        Cost step = 0;  // of every move; 0 where they differ
        Cost dearest_path = 0;
    };
    void number_cells(std::span<const CrowdKind> kinds, std::span<const CellId> stood_on);
    void join_neighbours();
    void add_kind(const CrowdKind& kind, Movement movement);
    uint8_t legal_moves(std::span<const uint8_t> passable, Movement movement, Spot from) const;
    void label_components(std::span<const uint8_t> passable, Kind& kind) const;

    GridSnapshot grid_;
    Move moves_;
    std::vector<CellId> cells_;     // by spot
    std::vector<Spot> neighbours_;  // by spot and move
    std::vector<Kind> kinds_;
};

}  // namespace terrane
