// How a query ended. Ordinary outcomes, not errors.
#pragma once
#include <cstdint>

namespace terrane {

enum class Status : uint8_t {
    kFound,             // a complete path (or, for a search without a goal, all that was asked for)
    kPartial,           // a path to the nearest cell in reach of the goal, or the part of a path that is ready
    kUnreachable,       // start and goal are passable, but no path joins them
    kBlockedStart,      // the start's terrain is blocked for this profile
    kBlockedGoal,       // the goal's terrain is blocked for this profile
    kOutsideMap,        // start or goal is outside the map
    kStale,             // a heuristic was given that is not for this version of the map, this profile and this rule
    kNotPrepared,       // the world keeps nothing that the method needs: no regions of that sector size, for one
    kBadProfile,        // the profile names terrain that the map does not know; Profile::compile says which
    kBudgetSpent,       // the expansion budget ran out first; a sliced search may go on
    kOutOfMemory,       // memory could not be had; the next query may fare better
    kUnsupportedBound,  // the method asked for cannot prove the bound asked for (FindOptions::bound)
};

// "found", "unreachable", ...: the words that the command line and JSON use.
const char* to_string(Status status);

}  // namespace terrane
