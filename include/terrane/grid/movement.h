// Movement rules: a table of the steps that an agent may take from a cell.
//
// GridSearch and path_cost() accept any table. The inner loops of smoothing, crowds and abstractions support the three named rules,
// through the predicates at the end of this header, and assert that they are given one of them.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "terrane/base/assert.h"
#include "terrane/base/cost.h"
#include "terrane/grid/cell.h"

namespace terrane {

enum class Movement : uint8_t {
    kEightNoCornerCutting,  // "eight": 8-connected; a diagonal step requires both orthogonal cells to be passable (MovingAI benchmarks)
    kEightCutCorners,       // "cutting": 8-connected; a diagonal step requires only its end to be passable
    kFour,                  // "four": 4-connected
    kCustom,                // a caller's MovementRule; for GridSearch and path_cost() only
};

// The index of a step in its rule's table. All named rules order the steps to the neighbours as north, east, south, west, north-east,
// south-east, south-west, north-west. The opposite of such a move is `move ^ 2`.
using Move = uint8_t;
inline constexpr Move kNoMove = 8;  // the `via` of a start node
inline constexpr std::array<Cell, 8> kMoves = {{{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}};

struct MoveStep {
    Cell offset;
    uint32_t length = kStraight;  // >= kStraight; the step costs this times the sum of the terrain costs of both cells
    uint32_t beside = 0;          // bit mask of the steps of the table whose ends must also be passable
};

struct MovementRule {
    Movement movement = Movement::kCustom;
    const char* name = "";
    std::span<const MoveStep> steps;  // at most eight, in the order of expansion
    // The rule's octile distance, a lower bound on the length of every path:
    // per_longer * max(|dx|, |dy|) + per_shorter * min(|dx|, |dy|).
    uint32_t per_longer = 0, per_shorter = 0;
};

namespace detail {

// Offsets from a cell to its neighbours within a tile, by move.
inline constexpr std::array<int32_t, 8> kTileDeltas = {-32, 1, 32, -1, -31, 33, 31, -33};
// Bit masks of the two straight moves beside each diagonal move; none for straight moves.
inline constexpr std::array<uint32_t, 8> kBeside = {0, 0, 0, 0, 0b0011, 0b0110, 0b1100, 0b1001};

constexpr std::array<MoveStep, 8> neighbour_steps(bool cuts_corners) {
    std::array<MoveStep, 8> steps;
    for (size_t m = 0; m < 8; ++m) steps[m] = {kMoves[m], m < 4 ? kStraight : kDiagonal, cuts_corners ? 0 : kBeside[m]};
    return steps;
}
inline constexpr std::array<MoveStep, 8> kEightSteps = neighbour_steps(false), kCuttingSteps = neighbour_steps(true);

inline constexpr std::array<MovementRule, 3> kMovementRules = {{
    {Movement::kEightNoCornerCutting, "eight", kEightSteps, kStraight, kDiagonal - kStraight},
    {Movement::kEightCutCorners, "cutting", kCuttingSteps, kStraight, kDiagonal - kStraight},
    {Movement::kFour, "four", std::span(kEightSteps).first<4>(), kStraight, kStraight},
}};

}  // namespace detail

// The named rules, in the order of the enumeration.
inline std::span<const MovementRule> movement_rules() { return detail::kMovementRules; }
// Requires a named rule, not kCustom.
constexpr const MovementRule& rule_of(Movement movement) {
    TERRANE_CHECK(movement < Movement::kCustom);
    return detail::kMovementRules[movement < Movement::kCustom ? static_cast<size_t>(movement) : 0];
}

// The length of a step of a named rule.
constexpr uint32_t step_length(Move move) { return move < 4 ? kStraight : kDiagonal; }
// The octile distance: a lower bound on the length of every path between two cells.
constexpr uint64_t octile_length(const MovementRule& rule, Cell a, Cell b) {
    const auto dx = static_cast<uint64_t>(a.x < b.x ? b.x - a.x : a.x - b.x), dy = static_cast<uint64_t>(a.y < b.y ? b.y - a.y : a.y - b.y);
    return rule.per_longer * (dx < dy ? dy : dx) + rule.per_shorter * (dx < dy ? dx : dy);
}

// "eight", "cutting", "four"; "custom".
constexpr const char* to_string(Movement movement) {
    return movement < Movement::kCustom ? rule_of(movement).name : movement == Movement::kCustom ? "custom" : "unknown";
}

// Predicates of the named rules, for inner loops.
constexpr bool has_diagonals(Movement movement) { return movement != Movement::kFour; }
constexpr bool cuts_corners(Movement movement) { return movement == Movement::kEightCutCorners; }
// Whether a diagonal step is legal, given whether each of the two orthogonal cells beside it is passable.
constexpr bool diagonal_is_legal(Movement movement, bool side, bool other) {
    return cuts_corners(movement) || (has_diagonals(movement) && side && other);
}
// The legal moves as a bit mask. `passable` is the bit mask of passable neighbours.
constexpr uint32_t legal_moves(Movement movement, uint32_t passable) {
    if (!has_diagonals(movement)) return passable & 15;
    if (cuts_corners(movement)) return passable;
    const uint32_t straight = passable & 15, next = straight >> 1 | (straight & 1) << 3;  // clockwise
    return passable & (15 | (straight & next) << 4);
}

}  // namespace terrane
