// A local LaCAM: plans the moves of a few agents that block each other, inside a small square in which all other agents stand still.
// Based on: Okumura 2023 (LaCAM).
//
// The local goal of a member is the cell where its route leaves the square or, if another member has that goal, the last free one before
// it. Complete for the square up to kMaxExpansions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "crowd/lacam/lacam_search.h"
#include "crowd/swarm/local_search.h"

namespace terrane::detail {

class JamSolver {
public:
    static constexpr int32_t kRadius = 10;            // cells: half the side of the square
    static constexpr size_t kMaxMembers = 12;         // the nearest agents are taken
    static constexpr size_t kMaxPlanTicks = 100;      // longer plans are rejected
    static constexpr uint64_t kMaxExpansions = 6000;  // moves of single agents: about 2 ms

    // State of all agents, by id.
    struct AgentStates {
        std::span<const Route> routes;
        std::span<const uint8_t> excluded;    // nonzero: must not be a member
        std::span<const Tick> last_progress;  // tick in which the agent last came nearer to its goal
    };
    // Plans for `stuck` and the agents around it. In the plan, `stuck` and every member without progress for `stall_ticks` reach their
    // local goals, and members whose goal lies in the square reach it. Other members may end anywhere. False if there is no other member
    // or no plan.
    bool solve(const Crowd& crowd, const AgentStates& agents, AgentId stuck, Tick stall_ticks);

    // After solve() returned true: the members, and their cells tick by tick; the first row holds their current cells.
    std::span<const AgentId> members() const { return members_; }
    std::span<const CellId> plan() const { return plan_; }

    uint64_t expansions() const { return expansions_; }
    size_t bytes() const {
        return members_.capacity() * sizeof(AgentId) + plan_.capacity() * sizeof(CellId) + cells_.capacity() + occupied_.capacity() +
               types_.capacity() * sizeof(uint16_t) + walkers_.capacity() * sizeof(Walker) + starts_.capacity() * sizeof(Spot) +
               solo_costs_.capacity() * sizeof(Cost);
    }

private:
    void gather(const Crowd& crowd, std::span<const uint8_t> excluded, AgentId stuck);
    std::optional<CrowdGround> make_ground(const Crowd& crowd);
    uint16_t type_of(const Crowd& crowd, AgentId agent) const;
    Spot local_goal(const Crowd& crowd, const CrowdGround& local_ground, const Route& route, const Walker& walker, Spot start) const;
    void write_plan(const Crowd& crowd, const CrowdGround& local_ground, const LacamSearch& search);
    // kNoSpot for blocked cells and for cells outside the square.
    Spot spot(const CrowdGround& local_ground, Cell c) const {
        return square_.rect.contains(c) ? local_ground.spot(layout_.id({c.x - square_.rect.x, c.y - square_.rect.y})) : kNoSpot;
    }

    LocalSquare square_;
    GridLayout layout_;  // of the square
    std::vector<AgentId> members_;
    std::vector<Terrain> cells_;     // of the square, row by row
    std::vector<uint8_t> occupied_;  // the same cells: 1 where a non-member stands
    std::vector<uint16_t> types_;    // distinct agent types of the members
    std::vector<Walker> walkers_;    // the members, as LacamSearch takes them
    std::vector<Spot> starts_;
    std::vector<Cost> solo_costs_;
    std::vector<CellId> plan_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane::detail
