// Cooperative pathfinding (CA*, WHCA*, CPRA*), and two baselines without cooperation (`replan`, `flock`).
// Based on: Silver 2005 (CA*, WHCA*); Sturtevant, Buro 2006 (WHCA*(w,a), CPRA*(k)); abstraction-slides, 53 to 104.
//
// Agents plan one after another with space-time A*, around the cells that others have reserved (reservations.h). The heuristic is the
// exact distance to the goal without other agents, by reverse resumable A* (RRA*).
//
//   ca         whole paths: an agent plans once and reserves its goal cell forever. If the search fails, it tries again later
//   whca:w     the next w steps, replanned every w/2 steps; agents replan in different ticks, and agents at their goals plan too
//   whca:w,a   the same with distances on level a of a clique abstraction: less search and memory, lower quality
//   cpra:k     the same over k steps towards the end of the first segment of a PRA*(k) path, with distances on level 1: fast first move
//
// In the windowed methods, the agent that has been away from its goal longest has the highest rank. It may plan through reservations of
// lower ranks at a penalty; those agents replan in the same tick. So agents at their goals make room for others. An agent with distances
// on an abstraction level switches to exact distances after 8 plans without progress.
//
// None of the methods is complete. An agent whose search fails waits, and agents that reserved its cell replan. An agent with an
// unreachable goal stays and makes room; an agent with a blocked goal moves next to it. The moves of a tick never conflict.
//
// 200 units that swap sides on a 256x256 map (terrane bench crowd; 8 ticks per second): 1.7 million expansions in the first second by
// whca:16, 471,000 by whca:16,1, 161,000 by whca:16,2, 52,000 by cpra:8. The sums of costs are 1.2%, 1.2%, 2.9% and 3.0% above the sum of
// the optimal paths without other agents.
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/crowd/crowd.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/pra/cliques.h"

namespace terrane {

enum class CooperativeAlgorithm : uint8_t {
    kCa,    // cooperative A*
    kWhca,  // windowed hierarchical cooperative A*
    kCpra,  // cooperative partial-refinement A*
};

struct CooperativeOptions {
    CooperativeAlgorithm algorithm = CooperativeAlgorithm::kWhca;
    uint32_t window = 16;  // steps, 1..1024; unused by kCa. kCpra: also the k of PRA*(k)
    uint32_t level = 0;    // abstraction level of the distances; 0: cells (kCpra: level 1)
    CliqueOptions cliques = {};
    bool flow = false;  // learn a direction map from the moves and plan with it
    DirectionMapOptions direction_map = {};
    uint64_t max_expansions = 0;  // of one space-time search, which then fails. 0: 4,096 (kCa: 16,384)
};
std::unique_ptr<CrowdMethod> make_cooperative(const CooperativeOptions& options);

// `replan`: each agent follows its own optimal path and ignores the others. An agent that has waited too long for its next cell replans
// around the agents near it. An agent at its goal never leaves it; an agent with a blocked or unreachable goal stays.
struct ReplanOptions {
    uint32_t patience = 3;  // ticks that an agent waits for its next cell before it replans; at least 1
    uint32_t radius = 5;    // cells (Chebyshev distance) within which other agents count as obstacles
    bool flow = false;      // learn a direction map from the moves and plan with it
    DirectionMapOptions direction_map = {};
};
std::unique_ptr<CrowdMethod> make_replan(const ReplanOptions& options);

// `flock`: steering without paths. Each agent makes the legal move farthest along the attraction of its goal plus the repulsion of its
// neighbours. It ignores terrain costs, and stays forever behind an obstacle in its way.
struct FlockOptions {
    uint32_t radius = 2;       // cells (Chebyshev distance) within which other agents repel; 1..8
    uint32_t separation = 50;  // percent: repulsion of an adjacent agent relative to the attraction of the goal
};
std::unique_ptr<CrowdMethod> make_flock(const FlockOptions& options);

}  // namespace terrane
