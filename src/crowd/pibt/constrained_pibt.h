// PIBT with constraints and swaps: one step of all agents, for LaCAM (src/crowd/lacam) and the method `pibt`.
// Okumura, Machida, Defago, Tamura 2022 (PIBT); Okumura 2023 (LaCAM: constraints; "Improving LaCAM": swaps).
//
// Agents choose in order of priority: each takes its best candidate that is still free. If an agent that has not chosen occupies it, that
// agent inherits the priority and chooses next; if it fails, the first one backtracks to its next candidate. In a corridor, an agent that
// has to pass another one moves away from its goal to a spot with room for both and pulls the other along (the swap).
//
// PibtStep (pibt_step.h) is the other PIBT: without constraints and swaps, on cells, and with candidates ranked by the caller. Both exist
// because the agents of a swarm follow routes and have neither spots nor goal fields.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/crowd_ground.h"
#include "crowd/goal_fields.h"
#include "terrane/base/rng.h"

namespace terrane {

class DirectionMap;
class GuidanceFields;

inline constexpr FieldId kNoField = 0xffffffff;

// An agent as PIBT, LaCAM and SIPP see it.
struct Walker {
    Spot goal = kNoSpot;
    FieldId field = kNoField;  // distances to the goal; kNoField: the agent is indifferent to where it is
    uint16_t type = 0;
    bool must_arrive = true;  // a plan is complete only if the agent is at its goal
};

class ConstrainedPibt {
public:
    struct Options {
        bool swap = true;
        uint64_t seed = 1;
        const DirectionMap* flow = nullptr;  // breaks ties: the move with the lowest cost in the map
        GuidanceFields* guidance = nullptr;  // ranks candidates instead of the goal fields
    };
    ConstrainedPibt(const CrowdGround& ground, GoalFields& fields, const Options& options);

    // Chooses the next spot of every agent. Entries of `to` other than kNoSpot are constraints. `from` and `to` go by agent, `order` lists
    // agents by descending priority. Returns false if it finds no assignment under the constraints; `to` is unspecified then. Without
    // constraints it always succeeds.
    bool step(std::span<const Walker> walkers, std::span<const Spot> from, std::span<const AgentId> order, std::span<Spot> to);

    size_t bytes() const;

private:
    // An agent that is choosing: a frame of PIBT's recursion.
    struct Frame {
        AgentId agent = 0;
        AgentId swap_partner = kNoAgent;  // follows if the agent gets its first candidate
        std::array<Spot, 9> candidates{};
        uint8_t count = 0;
        uint8_t tried = 0;
        bool inherited = false;  // the occupant of the last candidate has inherited the priority
    };
    enum class Outcome : uint8_t { kAssigned, kInherits, kFailed };

    bool apply_constraints();
    bool assign(AgentId first);
    void push_frame(AgentId agent);
    Outcome try_next_candidate(Frame& frame);
    void pull_swap_partner(const Frame& frame);
    void stay(AgentId agent);
    bool free_for(AgentId agent, Spot to) const;
    bool crosses(AgentId agent, Spot to) const;
    void rank_candidates(Frame& frame);
    uint64_t move_cost(AgentId agent, Spot from, Move move, Spot to);
    uint64_t stay_cost(AgentId agent, Spot from);
    uint64_t tie_break(Spot from, Move move, Spot to);

    AgentId find_swap_partner(const Frame& frame);
    bool swap_required(AgentId pusher, AgentId puller, Spot at_pusher, Spot at_puller);
    bool swap_possible(AgentId agent, Spot pusher, Spot puller) const;
    bool nearer(AgentId agent, Spot from, Spot to);
    struct Exits {
        uint32_t count = 0;
        Spot last = kNoSpot;
    };
    Exits exits(uint16_t type, Spot at, Spot behind) const;

    const CrowdGround* ground_;
    GoalFields* fields_;
    Options options_;
    Rng rng_;
    std::vector<AgentId> occupied_now_, occupied_next_;  // by spot; all kNoAgent between calls
    std::vector<Frame> stack_;
    std::span<const Walker> walkers_;
    std::span<const Spot> from_;
    std::span<Spot> to_;
};

}  // namespace terrane
