// A plan for a few agents that are in each other's way: all of them, move by move, inside a small square where everyone else stands still.
//
// LaCAM (configuration_search.h) on a map of the square alone. Each agent of the plan goes to where its route leaves the square, or as far
// on it as nobody else of them ends. Complete for the square, but for the limit on its work.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "crowd/lacam/configuration_search.h"
#include "crowd/swarm/local_search.h"

namespace terrane::detail {

class JamSolver {
public:
    static constexpr int32_t kRadius = 10;       // cells
    static constexpr size_t kMostMembers = 12;   // the nearest are taken
    static constexpr size_t kLongestPlan = 100;  // ticks
    static constexpr uint64_t kMostWork = 6000;  // moves of members chosen: some 2 ms

    // What is known of all agents, by number.
    struct Agents {
        std::span<const Route> routes;
        std::span<const uint8_t> busy;       // not to be planned for
        std::span<const Tick> nearer_since;  // when it last came nearer to its goal
    };
    // For `stuck` and those around it. It gets to where its route leaves the square, and so do those who came no nearer for as many ticks
    // as `waited`; who can arrive in the square does; others go where they like. False where there is nobody else, or no plan is found.
    bool solve(const Crowd& crowd, const Agents& agents, AgentId stuck, Tick waited);

    // When solved: who moves, and their cells one tick after another; the first are where they are now.
    std::span<const AgentId> members() const { return members_; }
    std::span<const CellId> plan() const { return plan_; }

    uint64_t expansions() const { return expansions_; }
    size_t bytes() const {
        return members_.capacity() * sizeof(AgentId) + plan_.capacity() * sizeof(CellId) + cells_.capacity() + stands_.capacity() +
               kinds_.capacity() * sizeof(uint16_t) + walkers_.capacity() * sizeof(Walker) + starts_.capacity() * sizeof(Spot) +
               alone_.capacity() * sizeof(Cost);
    }

private:
    void gather(const Crowd& crowd, std::span<const uint8_t> busy, AgentId stuck);
    std::optional<CrowdGround> ground(const Crowd& crowd);
    uint16_t kind_of(const Crowd& crowd, AgentId agent) const;
    Spot goal_of(const Crowd& crowd, const CrowdGround& on, const Route& route, const Walker& walker, Spot start) const;
    void write_plan(const Crowd& crowd, const CrowdGround& on, const ConfigurationSearch& search);
    // kNoSpot outside the square, too.
    Spot spot(const CrowdGround& on, Cell c) const {
        return square_.rect.contains(c) ? on.spot(layout_.id({c.x - square_.rect.left, c.y - square_.rect.top})) : kNoSpot;
    }

    LocalSquare square_;
    GridLayout layout_;  // of the square
    std::vector<AgentId> members_;
    std::vector<Terrain> cells_;   // of the square, by rows
    std::vector<uint8_t> stands_;  // the same: someone who is no member
    std::vector<uint16_t> kinds_;  // of the members, once each
    std::vector<Walker> walkers_;  // the members, in the square
    std::vector<Spot> starts_;
    std::vector<Cost> alone_;
    std::vector<CellId> plan_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane::detail
