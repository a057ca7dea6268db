// Agents that plan with the others in mind, and two kinds that do not: what the first are measured against.
// Based on: Silver 2005 (cooperative pathfinding: CA*, WHCA*); Sturtevant, Buro 2006 (WHCA*(w,a), CPRA*(k)); abstraction-slides, 53 to 104.
//
// Cooperative agents plan one after the other, each in space and time, around the cells that others have reserved (reservations.h), and led
// by the distances to its goal as if it were alone (reverse_search.h).
//
//   ca         whole paths: an agent plans once, and keeps its goal's cell for ever. Fails where others came first; tries again later
//   whca:w     the next w steps only, anew after w/2, each agent at a tick of its own. Whoever stands at a goal plans too
//   whca:w,a   the same, led by distances on level a of a clique abstraction: less to search and to keep, and less good
//   cpra:k     the same over k steps, towards the end of the first piece of a PRA*(k) path, and led by level 1: the first step is cheap
//
// Of those with windows, whoever has been under way for the longest goes first: it may plan through what lower ranks have reserved, at a
// price, and they plan again at once. So one at its goal steps aside for all that are not. Among those led by levels, one that comes no
// nearer for 8 plans is led by cells from then on.
//
// None is complete. An agent that finds no way waits, and whoever meant to pass through its cell in the meantime plans again. An agent that
// has no way to its goal at all stays where it is, and makes way; one whose goal is blocked goes beside it. All of them give moves that can
// be made together, always.
//
// 200 units that change sides on a 256x256 map (terrane bench crowd; a second is 8 ticks): nodes in the first second 1.7 million by
// whca:16, 471,000 by whca:16,1, 161,000 by whca:16,2, 52,000 by cpra:8; sums of costs 1.2%, 1.2%, 2.9% and 3.0% above everyone alone.
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/crowd/crowd.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/pra/cliques.h"

namespace terrane {

enum class CooperativeKind : uint8_t {
    kWhole,    // ca
    kWindow,   // whca
    kPartial,  // cpra
};

struct CooperativeOptions {
    CooperativeKind kind = CooperativeKind::kWindow;
    uint32_t window = 16;  // steps, 1..1024; not for kWhole. kPartial: also the k of PRA*(k)
    uint32_t level = 0;    // of the abstraction that distances are on; 0: cells, except for kPartial: 1
    CliqueOptions cliques = {};
    bool flow = false;  // follows a direction map, learned as agents move
    DirectionMapOptions flow_map = {};
    uint64_t max_expansions = 0;  // of one search in space and time; then it has failed. 0: 4,096, or 16,384 for kWhole
};
std::unique_ptr<CrowdMethod> make_cooperative(const CooperativeOptions& options);

// `replan`: each follows the cheapest path of its own as if it were alone. One that could not go on for a while plans again around those
// who stand near it. One at its goal never leaves it; one whose goal is blocked, or has no way to it, stays.
struct ReplanOptions {
    uint32_t patience = 3;  // ticks that an agent waits for its next cell before it plans again
    uint32_t near = 5;      // cells: who is farther away, on the longer of both axes, is not planned around
    bool flow = false;      // follows a direction map, learned as agents move
    DirectionMapOptions flow_map = {};
};
std::unique_ptr<CrowdMethod> make_replan(const ReplanOptions& options);

// `flock`: no paths at all. Each makes the move that goes farthest towards its goal and away from those around it; knows nothing of terrain
// but whether it may go there, and stays for ever behind a wall that is in its way.
struct FlockOptions {
    uint32_t near = 2;         // cells: who is farther away, on the longer of both axes, does not count; 1..8
    uint32_t separation = 50;  // percent: the push of one that is next to an agent, compared with the pull of its goal
};
std::unique_ptr<CrowdMethod> make_flock(const FlockOptions& options);

}  // namespace terrane
