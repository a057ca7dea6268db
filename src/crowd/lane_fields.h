// How far it is to each agent's goal if agents keep out of each other's way: homes of others are dear, and so is going against the way of
// those who chose before.
// Based on: Chen, Harabor, Li, Stuckey 2024 (guide paths against contraflow; "Traffic flow optimisation for lifelong multi-agent path
// finding"); Okumura 2024 (paths that spread over the space, before the search; "Engineering LaCAM*").
//
// An agent that is at home pays for all the time since it came when it is pushed off late; on the crowded maps of the public benchmark that
// was most of what plans cost over the lower bound. So to come through the goal of another costs a step more. For ground where every move
// costs the same. Two bytes for each agent and spot, while a plan is looked for.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/step_maker.h"

namespace terrane {

class LaneFields {
public:
    // Whether they can be made: every move of every kind costs the same, and they are no larger than 32 MB.
    static bool fit(const CrowdGround& ground, std::span<const Walker> walkers);

    // What it is given must outlive it.
    LaneFields(const CrowdGround& ground, std::span<const Walker> walkers, std::span<const Spot> start);

    // Makes one more, in the order of agents; what that took, in expansions.
    uint64_t add_next();
    bool done() const { return fields_.size() == walkers_.size(); }
    // When done: whether everyone who has a way has one here (a way can be too long for two bytes).
    bool all_lead_home() const { return all_lead_home_; }

    // What is left from a spot, for an agent that has a field; in quarters of a step.
    uint32_t rest(AgentId agent, Spot at) const { return fields_[agent][at]; }
    // With what it costs to come to a spot.
    uint32_t through(AgentId agent, Spot to) const { return entry(agent, to) + rest(agent, to); }

    size_t bytes() const;

private:
    static constexpr uint32_t kStep = 4, kHome = 4;  // a step; through a home of another
    static constexpr uint32_t kMostAgainst = 32;     // for one step, a quarter of a step for each who comes the other way
    static constexpr size_t kBuckets = 64;           // more than a step can cost
    static constexpr uint16_t kNoWay = 0xffff;

    uint32_t entry(AgentId agent, Spot to) const { return home_[to] != 0 && walkers_[agent].goal != to ? kStep + kHome : kStep; }
    uint32_t against(Spot from, Move move) const { return flow_[size_t{from} * 4 + move]; }
    void flood(AgentId agent, std::vector<uint16_t>& field);
    void leave_trail(AgentId agent, const std::vector<uint16_t>& field);

    const CrowdGround* ground_;
    std::span<const Walker> walkers_;
    std::span<const Spot> start_;
    std::vector<uint8_t> home_;                  // by spot: whether it is somebody's goal
    std::vector<uint8_t> flow_;                  // by spot and move: how many mean to make it, as far as that counts
    std::vector<std::vector<Spot>> ways_;        // by kind: four_ways.h
    std::vector<std::vector<uint16_t>> fields_;  // by agent, by spot, and one more
    std::array<std::vector<Spot>, kBuckets> buckets_;
    bool all_lead_home_ = true;
};

}  // namespace terrane
