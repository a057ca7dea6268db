// The heuristics of cooperative agents: for each agent, an RRA* search to its goal or, in CPRA*, to the end of the next path segment.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "crowd/cooperative/rra_star.h"
#include "pra/pra_query.h"
#include "terrane/crowd/cooperative.h"

namespace terrane::detail {

class SpaceTimeHeuristics {
public:
    explicit SpaceTimeHeuristics(const CooperativeOptions& options) : options_(options) {}

    // The agent must be present. Null if its goal is unreachable. Valid until the next call for the agent, discard() or world_changed().
    RraStar* heuristic_for(const Crowd& crowd, AgentId agent);
    // Whether the last heuristic_for() found the goal unreachable.
    bool goal_unreachable(AgentId agent) const { return heuristics_[agent].unreachable; }
    const RraSpace& space(uint16_t type) const { return *spaces_[type]; }

    // Call when an agent leaves or gets another goal.
    void discard(AgentId agent);
    void world_changed(const Crowd& crowd, const EditResult& edit);

    // Of all agents since the start, up to their last count_expansions().
    uint64_t expansions() const { return expansions_; }
    // Call after each use of an agent's heuristic.
    void count_expansions(AgentId agent);
    size_t bytes() const;

private:
    struct AgentHeuristic {
        std::optional<RraStar> rra;
        uint64_t counted_expansions = 0;                // expansions of `rra` that are already in expansions_
        uint64_t min_distance = RraStar::kUnreachable;  // smallest distance of the agent so far
        uint32_t stalled = 0;                           // consecutive plans without a smaller distance
        uint32_t segments_left = 0;                     // CPRA* only: segments before the agent targets its goal
        bool segments_set = false;                      // whether `segments_left` is initialised
        bool targets_goal = false;                      // `rra` searches from the goal, not from the end of a segment
        bool exact = false;                             // `rra` searches cells, because distances on levels led to a local minimum
        bool unreachable = false;                       // the current map has no path to the goal
    };

    void prepare(const Crowd& crowd);
    bool has_stalled(AgentHeuristic& heuristic, CellId at) const;
    void retarget(const Crowd& crowd, AgentId agent);
    bool needs_segment(const Crowd& crowd, const AgentHeuristic& heuristic, CellId at) const;
    CellId next_segment_end(const Crowd& crowd, AgentId agent);
    void reset(AgentHeuristic& heuristic);

    CooperativeOptions options_;
    std::vector<std::unique_ptr<RraSpace>> spaces_;  // by agent type; built in the first tick
    std::vector<AgentHeuristic> heuristics_;         // by agent
    PraQuery pra_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane::detail
