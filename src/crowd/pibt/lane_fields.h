// How far it is to each agent's goal if agents keep out of each other's way: homes of others are dear, and so is going against the way of
// those who chose before.
// Based on: Chen, Harabor, Li, Stuckey 2024 (guide paths against contraflow; "Traffic flow optimisation for lifelong multi-agent path
// finding"); Okumura 2024 (paths that spread over the space, before the search; "Engineering LaCAM*").
//
// An agent that is at home pays for all the time since it came when it is pushed off late; on the crowded maps of the public benchmark that
// was most of what plans cost over the lower bound. So to come through the goal of another costs a step more. For ground where every move
// costs the same. Two bytes for each agent and spot, while a plan is looked for.
//
// A field is made as far as its agent and a little further. When the agent is asked about what lies beyond, as few are, it is made whole,
// by what all the others mean to do.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/pibt/step_maker.h"

namespace terrane {

class LaneFields {
public:
    // Whether they can be made: every move of every kind costs the same, and they are no larger than 32 MB.
    static bool fit(const CrowdGround& ground, std::span<const Walker> walkers);

    // What it is given must outlive it.
    LaneFields(const CrowdGround& ground, std::span<const Walker> walkers, std::span<const Spot> start);

    // Makes one more, in the order of agents; what that took, in expansions. To make it whole later is counted here, too.
    uint64_t add_next();
    bool done() const { return fields_.size() == walkers_.size(); }
    // When done: whether everyone who has a way has one here (a way can be too long for two bytes).
    bool all_lead_home() const { return all_lead_home_; }

    // What is left from a spot, for an agent that has a field; in quarters of a step.
    uint32_t rest(AgentId agent, Spot at) {
        if (fields_[agent].rest[at] >= fields_[agent].final_below) complete(agent);
        return fields_[agent].rest[at];
    }
    // With what it costs to come to a spot.
    uint32_t through(AgentId agent, Spot to) { return entry(agent, to) + rest(agent, to); }

    size_t bytes() const;

private:
    static constexpr uint32_t kStep = 4, kHome = 4;  // a step; through a home of another
    static constexpr uint32_t kMostAgainst = 32;     // for one step, a quarter of a step for each who comes the other way
    static constexpr uint16_t kNoWay = 0xffff;
    static constexpr uint32_t kWhole = kNoWay + 1;

    struct Field {
        std::vector<uint16_t> rest;     // by spot, and one more
        uint32_t final_below = kWhole;  // what is as far or further off may be less
    };
    uint32_t entry(AgentId agent, Spot to) const { return walkers_[agent].goal != to ? kStep + homes_[to] : kStep; }
    void flood(AgentId agent);
    void complete(AgentId agent);
    void go_on(AgentId agent, uint32_t level, uint32_t beyond, size_t waiting);
    struct Taken {
        size_t kept = 0, now = 0;
    };
    Taken take_level(uint32_t level, const uint16_t* known, size_t waiting);
    size_t spread(const Spot* ways, Spot to, uint32_t cost, uint16_t* known, size_t waiting);
    void leave_trail(AgentId agent);

    const CrowdGround* ground_;
    std::span<const Walker> walkers_;
    std::span<const Spot> start_;
    std::vector<uint8_t> homes_;           // by spot: what it costs to come through; kHome where it is somebody's goal
    std::vector<uint8_t> steps_;           // by spot and the move away from it: what the step back costs
    std::vector<std::vector<Spot>> ways_;  // by kind: four_ways.h
    std::vector<Field> fields_;            // by agent
    std::vector<Spot> waiting_, now_;      // of a flood
    bool all_lead_home_ = true;
};

}  // namespace terrane
