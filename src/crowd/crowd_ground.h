// The grid as a compact graph of passable cells ("spots"): what PIBT, LaCAM and SIPP search.
//
// Holds one version of the map under one movement rule, for all agent types of a crowd. 4 bytes per spot and move of the rule, and 5 bytes
// per spot and agent type. Immutable and thread-safe.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/crowd/crowd.h"

namespace terrane {

// A spot is the dense index of a cell that at least one agent type can stand on. Spots are in the order of cell ids, so the spots of a tile
// are contiguous.
using Spot = uint32_t;
inline constexpr Spot kNoSpot = 0xffffffff;

class CrowdGround {
public:
    // At least one type. `extra_cells` get a spot even if they are impassable, such as cells that an edit blocked under an agent.
    CrowdGround(const GridSnapshot& grid, std::span<const AgentType> types, Movement movement, std::span<const CellId> extra_cells = {});

    uint32_t size() const { return static_cast<uint32_t>(cells_.size()); }
    size_t types() const { return types_.size(); }
    Move moves() const { return moves_; }  // of the movement rule: 4 or 8
    CellId cell(Spot spot) const { return cells_[spot]; }
    // kNoSpot if the cell has none. Binary search.
    Spot spot(CellId cell) const;

    // The move must be legal for at least one type.
    Spot neighbour(Spot from, Move move) const { return neighbours_[size_t{from} * moves_ + move]; }
    // The legal moves of a type from a spot, one bit per move. The spot itself may be impassable for the type (Ground::can_step).
    uint32_t legal(uint16_t type, Spot from) const { return types_[type].legal[from]; }
    // The move between adjacent spots; kNoMove if they are not adjacent.
    Move move_between(Spot from, Spot to) const;
    // The two spots beside a diagonal move; kNoSpot if a cell has none.
    std::array<Spot, 2> sides(Spot from, Move diagonal) const;

    // The cost of a legal move.
    Cost step_cost(uint16_t type, Spot from, Move move) const;
    Cost wait_cost(uint16_t type) const { return types_[type].wait; }
    // Whether every move of the type costs the same: four moves and one terrain cost.
    bool uniform(uint16_t type) const { return types_[type].step != 0; }
    Cost uniform_step(uint16_t type) const { return types_[type].step; }
    // An upper bound on the cost of a path of the type that visits no spot twice.
    Cost max_path_cost(uint16_t type) const { return types_[type].max_path_cost; }

    // The connected component of a spot; kNoComponent if it is impassable for the type.
    uint32_t component(uint16_t type, Spot spot) const { return types_[type].component[spot]; }

    size_t bytes() const;

private:
    struct Type {
        std::vector<uint8_t> legal;       // by spot
        std::vector<uint32_t> component;  // by spot
        std::array<uint32_t, 256> hundredths{};
        Cost wait = 0;
        Cost step = 0;  // cost of every move; 0 if moves differ in cost
        Cost max_path_cost = 0;
    };
    void collect_cells(std::span<const AgentType> types, std::span<const CellId> extra_cells);
    void link_neighbours();
    void add_type(const AgentType& type, Movement movement);
    uint8_t legal_moves(std::span<const uint8_t> passable, Movement movement, Spot from) const;
    void label_components(std::span<const uint8_t> passable, Type& type) const;

    GridSnapshot grid_;
    Move moves_;
    std::vector<CellId> cells_;     // by spot
    std::vector<Spot> neighbours_;  // by spot and move
    std::vector<Type> types_;
};

}  // namespace terrane
