#include "terrane/base/status.h"

namespace terrane {

const char* to_string(Status status) {
    switch (status) {
        case Status::kFound: return "found";
        case Status::kPartial: return "partial";
        case Status::kUnreachable: return "unreachable";
        case Status::kBlockedStart: return "blocked start";
        case Status::kBlockedGoal: return "blocked goal";
        case Status::kOutsideMap: return "outside the map";
        case Status::kStale: return "stale heuristic";
        case Status::kNotPrepared: return "not prepared";
        case Status::kBadProfile: return "bad profile";
        case Status::kBudgetSpent: return "budget spent";
        case Status::kOutOfMemory: return "out of memory";
        case Status::kUnsupportedBound: return "unsupported bound";
        case Status::kUnsupportedCosts: return "unsupported costs";
        case Status::kUnsupportedMovement: return "unsupported movement";
    }
    return "unknown";
}

}  // namespace terrane
