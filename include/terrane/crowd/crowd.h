// A crowd: many agents in one world, moved tick by tick, with every move validated.
//
//   Crowd crowd(world, {deer, person}, make_crowd_method(find_crowd_method("pibt").value()));
//   crowd.add({10, 10}, {200, 80}, 0);
//   while (!crowd.all_arrived()) crowd.tick();
//
// In one tick, every agent stays or makes one move of the movement rule. A move takes one tick on any terrain and costs what terrain costs
// the agent's type (cost.h): terrain decides where an agent goes, not how fast. A method proposes the next cell of every agent. The Crowd
// validates the proposal as a whole; if it has a fault, no agent moves.
//
// Faults: two agents on one cell; two agents that swap cells; two agents that cross on the diagonals of the same four cells; a move that
// the movement rule or the agent's profile forbids. An agent may enter a cell that another one leaves in the same tick. If an edit makes an
// agent's cell impassable, the agent may stay there or leave it by any legal move.
//
// Edit the world between ticks, from any thread: a tick sees one version of it. Deterministic: no clocks, and random numbers by seed only.
// One thread at a time.
//
// If memory runs out, a call throws std::bad_alloc and leaves the agents and the tick as they were. The method's plans and learned data
// are lost (method_lost()): the next call replaces the method by a fresh one and announces all agents to it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "terrane/grid/ground.h"
#include "terrane/world/world.h"

namespace terrane {

using AgentId = uint32_t;
inline constexpr AgentId kNoAgent = 0xffffffff;
inline constexpr size_t kMaxAgents = size_t{1} << 20;
using Tick = uint32_t;

// An agent type: its terrain costs and its cost of waiting.
struct AgentType {
    CostTable costs;
    Cost wait = 0;  // cost of waiting one tick: a straight step on the type's cheapest terrain

    AgentType() = default;
    explicit AgentType(const CostTable& table);
};

struct CrowdAgent {
    CellId at = kNoCell;    // kNoCell: removed
    CellId goal = kNoCell;  // any cell of the map, passable or not; agents may share one
    uint16_t type = 0;

    Cost cost = 0;           // of its moves and waits; waits at the goal count only if it leaves the goal again
    uint32_t idle = 0;       // ticks waited at the goal since the last arrival
    Tick arrived = 0;        // tick of the last arrival; 0 if it started at its goal
    uint32_t goals_met = 0;  // goals that set_goal() replaced after the agent had reached them

    bool present() const { return at != kNoCell; }
    bool at_goal() const { return at == goal; }
};

enum class CrowdFaultType : uint8_t { kCollision, kSwap, kCrossing, kIllegalMove };
const char* to_string(CrowdFaultType type);

// The first fault of a proposal, by agent id.
struct CrowdFault {
    CrowdFaultType type;
    AgentId agent;
    AgentId other;    // kNoAgent for an illegal move
    CellId from, to;  // of `agent`
};

// Counters of a method's work.
struct CrowdWork {
    uint64_t expansions = 0;  // of all searches
    uint64_t plans = 0;       // searches for a path or a plan
    uint64_t failures = 0;    // searches without a result
};

class Crowd;
class ReservationTable;
class DirectionMap;

// Decides where agents go. A method belongs to one Crowd, which reports every change, in order, after making it.
class CrowdMethod {
public:
    virtual ~CrowdMethod() = default;

    virtual void agent_joined(const Crowd&, AgentId) {}
    virtual void agent_left(const Crowd&, AgentId) {}  // the agent has no cell and goal any more
    virtual void goal_changed(const Crowd&, AgentId) {}
    virtual void world_changed(const Crowd&, const EditResult&) {}

    // Proposes the next cell of every agent. `next`, by agent id, holds current cells (kNoCell for removed agents); replace them.
    virtual void plan(const Crowd& crowd, std::span<CellId> next) = 0;

    // Reservations of the coming ticks, and the direction map learned so far; for inspection between ticks. Null: none, or not yet.
    virtual const ReservationTable* reservations() const { return nullptr; }
    virtual const DirectionMap* flow() const { return nullptr; }

    virtual CrowdWork work() const = 0;
    virtual size_t bytes() const = 0;  // memory held

    // Creates a method with the same options and no state, to replace one in which allocation failed. Null: not supported; after an
    // allocation failure every call to the crowd throws std::bad_alloc.
    virtual std::unique_ptr<CrowdMethod> fresh() const { return nullptr; }
};

struct CrowdOptions {
    Movement movement = Movement::kEightNoCornerCutting;
};

class Crowd {
public:
    // `world` must outlive the crowd. At least one type, compiled for the world's catalogue.
    Crowd(const World& world, std::vector<CostTable> types, std::unique_ptr<CrowdMethod> method, const CrowdOptions& options = {});

    // Adds an agent and returns its id: 0, 1, 2 and so on, never reused. kNoAgent: `at` is off the map, impassable for the type or
    // occupied, `goal` is off the map, or there are kMaxAgents.
    AgentId add(Cell at, Cell goal, uint16_t type = 0);
    // False: there is no such agent, or the goal is off the map.
    bool remove(AgentId agent);
    bool set_goal(AgentId agent, Cell goal);
    // Rolls back all agents with id >= first, as if they had never been added: for all-or-nothing additions after std::bad_alloc. The next
    // call replaces the method by a fresh one. Allocates nothing.
    void rollback_to(AgentId first);

    // Advances one tick on the current version of the world. Returns the fault if the method's proposal has one: then the tick has passed,
    // but no agent has moved.
    std::optional<CrowdFault> tick();

    Tick ticks() const { return tick_; }
    const WorldSnapshot& world() const { return snapshot_; }
    const GridSnapshot& grid() const { return snapshot_.grid(); }
    const GridLayout& layout() const { return grid().layout(); }
    Movement movement() const { return options_.movement; }
    std::span<const AgentType> types() const { return types_; }
    const AgentType& type_of(AgentId agent) const { return types_[agents_[agent].type]; }
    // The map with a type's costs, in the version of the last tick.
    const Ground& ground(uint16_t type) const { return grounds_[type]; }
    const Ground& ground_of(AgentId agent) const { return grounds_[agents_[agent].type]; }
    // By id, including removed agents.
    std::span<const CrowdAgent> agents() const { return agents_; }
    // The agent on a cell of the map; kNoAgent if it is free.
    AgentId agent_at(CellId cell) const { return occupied_[cell]; }

    size_t present() const { return present_; }
    size_t at_goal() const { return at_goal_; }
    bool all_arrived() const { return at_goal_ == present_; }
    uint64_t arrivals() const { return arrivals_; }  // arrivals so far, at all goals of all agents
    uint64_t faults() const { return faults_; }      // proposals with a fault

    CrowdMethod& method() { return *method_; }
    const CrowdMethod& method() const { return *method_; }
    // Whether allocation failed in the method. Do not use method() until a call to the crowd has returned without throwing.
    bool method_lost() const { return method_lost_; }

    // The move validator: the first fault of moving every agent to its cell in `next`. Does not move agents.
    std::optional<CrowdFault> check(std::span<const CellId> next);

private:
    std::optional<CrowdFault> check_agent(AgentId agent, std::span<const CellId> next);
    template <class Notify, class Undo>
    void notify_method(Notify&& notify, Undo&& undo);
    void replace_lost_method();
    void refresh_snapshot();
    void set_agent(AgentId agent, const CrowdAgent& now);
    void move(AgentId agent, CellId to);
    Cost move_cost(const CrowdAgent& agent, CellId to) const;

    const World* world_;
    CrowdOptions options_;
    WorldSnapshot snapshot_;
    std::vector<AgentType> types_;
    std::vector<Ground> grounds_;  // by type
    std::unique_ptr<CrowdMethod> method_;
    bool method_lost_ = false;  // allocation failed in the method: replace it before use
    std::vector<CrowdAgent> agents_;
    std::vector<AgentId> occupied_;  // by cell
    std::vector<AgentId> claimed_;   // scratch of check(): by cell; kNoAgent between calls
    std::vector<CellId> next_;
    Tick tick_ = 0;
    size_t present_ = 0, at_goal_ = 0;
    uint64_t arrivals_ = 0, faults_ = 0;
};

// The conflict between two moves of the same tick that neither start nor end on the same cell: a swap, or a crossing on the diagonals of
// the same four cells. Null: none.
std::optional<CrowdFaultType> moves_conflict(const GridLayout& layout, CellId from, CellId to, CellId other_from, CellId other_to);

}  // namespace terrane
