// Movement rules: the steps that an agent may take from a cell, as a table.
//
// GridSearch and path_cost follow any table. The inner loops of smoothing, crowds and the abstractions know the three named rules, by the
// predicates at the end of this header; they assert that they are given one of them.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "terrane/base/assert.h"
#include "terrane/base/cost.h"
#include "terrane/grid/cell.h"

namespace terrane {

enum class Movement : uint8_t {
    kEight,    // diagonals only where both orthogonal cells are passable: the benchmark rule
    kCutting,  // diagonals wherever their end is passable
    kFour,     // no diagonals
    kCustom,   // a MovementRule of your own: for GridSearch and path_cost alone
};

// The number of a step in its rule's table. Steps to the eight neighbours are numbered alike in all rules that have them: north, east,
// south, west, then north-east, south-east, south-west, north-west. The opposite of such a move is `move ^ 2`.
using Move = uint8_t;
inline constexpr Move kNoMove = 8;  // how a start was reached
inline constexpr std::array<Cell, 8> kMoves = {{{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}};

struct MoveStep {
    Cell offset;
    uint32_t length = kStraight;  // at least kStraight; times the sum of the costs of both cells: what the step costs
    uint32_t beside = 0;          // a bit for each step of the table whose end must be passable as well
};

struct MovementRule {
    Movement movement = Movement::kCustom;
    const char* name = "";
    std::span<const MoveStep> steps;  // at most eight, in the order of every expansion
    // The octile distance of the rule: no path between two cells is shorter than
    // per_longer * max(|dx|, |dy|) + per_shorter * min(|dx|, |dy|).
    uint32_t per_longer = 0, per_shorter = 0;
};

namespace detail {

// From a cell to its neighbours inside a tile, by move.
inline constexpr std::array<int32_t, 8> kTileDeltas = {-32, 1, 32, -1, -31, 33, 31, -33};
// The straight moves beside each move, a bit each; none beside a straight one.
inline constexpr std::array<uint32_t, 8> kBeside = {0, 0, 0, 0, 0b0011, 0b0110, 0b1100, 0b1001};

constexpr std::array<MoveStep, 8> neighbour_steps(bool cuts_corners) {
    std::array<MoveStep, 8> steps;
    for (size_t m = 0; m < 8; ++m) steps[m] = {kMoves[m], m < 4 ? kStraight : kDiagonal, cuts_corners ? 0 : kBeside[m]};
    return steps;
}
inline constexpr std::array<MoveStep, 8> kEightSteps = neighbour_steps(false), kCuttingSteps = neighbour_steps(true);

inline constexpr std::array<MovementRule, 3> kMovementRules = {{
    {Movement::kEight, "eight", kEightSteps, kStraight, kDiagonal - kStraight},
    {Movement::kCutting, "cutting", kCuttingSteps, kStraight, kDiagonal - kStraight},
    {Movement::kFour, "four", std::span(kEightSteps).first<4>(), kStraight, kStraight},
}};

}  // namespace detail

// The rules that have names, in the order of the enumeration.
inline std::span<const MovementRule> movement_rules() { return detail::kMovementRules; }
// Not for kCustom.
constexpr const MovementRule& rule_of(Movement movement) {
    TERRANE_CHECK(movement < Movement::kCustom);
    return detail::kMovementRules[movement < Movement::kCustom ? static_cast<size_t>(movement) : 0];
}

// "eight", "cutting", "four"; "custom".
constexpr const char* to_string(Movement movement) {
    return movement < Movement::kCustom ? rule_of(movement).name : movement == Movement::kCustom ? "custom" : "unknown";
}

// The named rules, as the loops that know them at compile time need them.
constexpr bool has_diagonals(Movement movement) { return movement != Movement::kFour; }
constexpr bool cuts_corners(Movement movement) { return movement == Movement::kCutting; }
// Whether a diagonal step is legal between cells of which `side` and `other` tell whether they are passable.
constexpr bool diagonal_is_legal(Movement movement, bool side, bool other) {
    return cuts_corners(movement) || (has_diagonals(movement) && side && other);
}
// The legal moves to neighbours of which `passable` has a bit each: a bit each.
constexpr uint32_t legal_moves(Movement movement, uint32_t passable) {
    if (!has_diagonals(movement)) return passable & 15;
    if (cuts_corners(movement)) return passable;
    const uint32_t straight = passable & 15, next = straight >> 1 | (straight & 1) << 3;  // clockwise
    return passable & (15 | (straight & next) << 4);
}

}  // namespace terrane
