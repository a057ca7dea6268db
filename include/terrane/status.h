// How a query ended. Ordinary outcomes, not errors.
#pragma once
#include <cstdint>

namespace terrane {

enum class Status : uint8_t {
    kFound,         // a complete path (or, for a search without a goal, all that was asked for)
    kPartial,       // the beginning of a path; more is to come
    kUnreachable,   // start and goal are passable, but no path joins them
    kBlockedStart,  // the start's terrain is blocked for this profile
    kBlockedGoal,   // the goal's terrain is blocked for this profile
    kOutsideMap,    // start or goal is outside the map
    kStale,         // a heuristic was given that is not for this version of the map, this profile and this rule
    kBudgetSpent,   // the expansion budget ran out first; a sliced search may go on
};

// "found", "unreachable", ...: the words that the command line and JSON use.
const char* to_string(Status status);

}  // namespace terrane
