// The ways of moving many agents, by name: what find_method (method.h) is for one.
//
//   family[:args][+option...]
//   "replan", "flock", "ca", "whca:16", "whca:16,2", "cpra:8", "pibt", "lacam", "swarm", "replan+flow"
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/crowd/crowd.h"

namespace terrane {

enum class CrowdFamily : uint8_t { kReplan, kFlock, kCa, kWhca, kCpra, kPibt, kLacam, kSwarm };

struct CrowdMethodSpec {
    CrowdFamily family = CrowdFamily::kPibt;
    std::string name = "pibt";  // as find_crowd_method takes it
    uint32_t window = 16;       // kWhca: steps planned with the others in mind; kCpra: nodes of each level refined at a time
    uint32_t level = 0;         // kWhca: of the abstraction that the reverse search runs on; 0: cells
    bool flow = false;          // follows a direction map, learned as agents move (direction_map.h)
    bool improve = false;       // kLacam: the first solution is made better before the first move
    uint64_t seed = 1;          // of what is random
    uint64_t budget = 0;        // of expansions: kLacam, in all; kSwarm, per tick; 0: the method's own
};

struct CrowdMethodInfo {
    CrowdFamily family;
    const char* usage;    // "whca:W[,A]"
    const char* summary;  // one line
};
std::span<const CrowdMethodInfo> crowd_methods();

// Refused, with what would be right: unknown names and options, missing or senseless arguments.
Result<CrowdMethodSpec> find_crowd_method(std::string_view name);

std::unique_ptr<CrowdMethod> make_crowd_method(const CrowdMethodSpec& spec);

}  // namespace terrane
