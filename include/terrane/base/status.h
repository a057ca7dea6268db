// The outcome of a query. All of these are ordinary outcomes; invalid input is an Error (result.h).
#pragma once
#include <cstdint>

namespace terrane {

enum class Status : uint8_t {
    kFound,                // a complete path; for a search without a goal: the search is complete
    kPartial,              // a path to the reachable cell nearest to the goal, or the part of a path that is ready
    kUnreachable,          // start and goal are passable, but not connected
    kBlockedStart,         // the start's terrain is blocked for this profile
    kBlockedGoal,          // the goal's terrain is blocked for this profile
    kOutsideMap,           // start or goal is outside the map
    kStale,                // the given heuristic was built for another map version, profile or movement rule
    kNotPrepared,          // the world has no tables for this method, such as regions of that sector size
    kBadProfile,           // the profile names terrain that the map's catalogue lacks; Profile::compile() reports which
    kBudgetSpent,          // the expansion budget is spent; a sliced search may continue
    kOutOfMemory,          // allocation failure; the planner stays usable
    kUnsupportedBound,     // the method cannot prove the requested suboptimality bound (FindOptions::bound)
    kUnsupportedCosts,     // the method requires that all passable terrains on the map have one cost
    kUnsupportedMovement,  // the method does not support this movement rule
};

// Returns the name that the command line and JSON use: "found", "unreachable", ...
const char* to_string(Status status);

}  // namespace terrane
