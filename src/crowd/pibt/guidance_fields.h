// Guidance for LaCAM: distances to each agent's goal with penalties for other agents' goals and for contraflow.
// Chen, Harabor, Li, Stuckey 2024 (guide paths that avoid contraflow; "Traffic flow optimisation for lifelong multi-agent path finding");
// Okumura 2024 (spreading paths over the space before the search; "Engineering LaCAM*").
//
// An agent that is pushed off its goal late pays for every tick since it arrived. On the congested maps of the public benchmark, that made
// up most of the cost above the lower bound, so entering the goal of another agent costs one step more. Moving against the guide path of
// an agent that was added before costs a quarter of a step more per such agent.
//
// Only where all moves cost the same. 2 bytes per agent and spot, during the search. A field is built up to its agent's start and a margin
// beyond it. A query beyond that completes the field, with the contraflow of all agents added until then; few agents need it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/pibt/constrained_pibt.h"

namespace terrane {

// One thread at a time.
class GuidanceFields {
public:
    // Whether all moves of every agent's type cost the same, and the fields take at most 32 MB.
    static bool supports(const CrowdGround& ground, std::span<const Walker> walkers);

    // `ground`, `walkers` and `start` must outlive it.
    GuidanceFields(const CrowdGround& ground, std::span<const Walker> walkers, std::span<const Spot> start);

    // Adds the field of the next agent. Returns the work in expansions, which includes completing the field later.
    uint64_t add_next();
    bool done() const { return fields_.size() == walkers_.size(); }
    // When done: whether every agent with a reachable goal has a guide path. False if one is too long for 16 bits.
    bool all_reach_goals() const { return all_reach_goals_; }

    // The guided distance from a spot, in quarters of a step. The agent must have a goal field.
    uint32_t distance(AgentId agent, Spot at) {
        if (fields_[agent].distances[at] >= fields_[agent].final_below) complete(agent);
        return fields_[agent].distances[at];
    }
    // The cost of entering a spot plus the distance from there, without contraflow on the entering move.
    uint32_t cost_through(AgentId agent, Spot to) { return entry_cost(agent, to) + distance(agent, to); }

    size_t bytes() const;

private:
    // Costs are in quarters of a step.
    static constexpr uint32_t kStep = 4;
    static constexpr uint32_t kGoalPenalty = 4;     // for entering another agent's goal
    static constexpr uint32_t kMaxContraflow = 32;  // per move
    static constexpr uint16_t kNoPath = 0xffff;
    static constexpr uint32_t kComplete = kNoPath + 1;

    struct Field {
        std::vector<uint16_t> distances;   // by spot, and one for the padding spot
        uint32_t final_below = kComplete;  // distances of at least this may still decrease
    };
    uint32_t entry_cost(AgentId agent, Spot to) const { return walkers_[agent].goal != to ? kStep + goal_penalties_[to] : kStep; }
    void build(AgentId agent);
    void complete(AgentId agent);
    void run_buckets(AgentId agent, uint32_t bucket, uint32_t margin, size_t open_count);
    struct Split {
        size_t open_count = 0, bucket_size = 0;
    };
    Split split_off_bucket(uint32_t bucket, const uint16_t* distances, size_t open_count);
    size_t relax_predecessors(const Spot* neighbours, Spot to, uint32_t cost, uint16_t* distances, size_t open_count);
    void add_contraflow(AgentId agent);

    const CrowdGround* ground_;
    std::span<const Walker> walkers_;
    std::span<const Spot> start_;
    std::vector<uint8_t> goal_penalties_;        // by spot: kGoalPenalty if it is an agent's goal, else 0
    std::vector<uint8_t> step_costs_;            // by spot and move away from it: the cost of the move back
    std::vector<std::vector<Spot>> neighbours_;  // by type: padded_neighbours.h
    std::vector<Field> fields_;                  // by agent
    std::vector<Spot> open_, bucket_;            // scratch of run_buckets()
    bool all_reach_goals_ = true;
};

}  // namespace terrane
