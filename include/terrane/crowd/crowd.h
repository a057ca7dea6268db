// Many agents in one world, tick by tick: who is where, who wants to go where, and a judge of every move.
//
//   Crowd crowd(world, {deer, person}, make_crowd_method(find_crowd_method("pibt").value()));
//   crowd.add({10, 10}, {200, 80}, 0);
//   while (!crowd.all_arrived()) crowd.tick();
//
// Time goes in ticks. In one tick every agent stays or makes one move of the movement rule; a move takes one tick on any terrain, and
// costs what it costs its kind (cost.h). So terrain tells an agent where to go, not how fast it gets there. A method proposes the next
// cell of each agent; the Crowd checks the proposal as a whole, and where anything is wrong with it, nobody moves.
//
// What may not be: two agents on one cell; two that swap cells; two that cross on the diagonals of the same four cells; a move that the
// rule or the agent's profile forbids. An agent may enter a cell that another leaves in the same tick. An agent whose cell an edit made
// impassable for it may stay there, and may step off it onto any cell that a move leads to.
//
// The world may be edited between ticks, by the thread that calls tick() or by another; a tick sees one version of it.
// No clock in here, nothing random but by seed: the same calls give the same crowd on every machine.
//
// Where memory runs out, a call throws std::bad_alloc, and the crowd is as it was before: nobody has moved, come or gone, and no tick has
// passed. What the method had planned and learned is lost, though (method_lost() tells). The next call makes a new one of it, to which
// everybody is new.
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

// A kind of creature.
struct CrowdKind {
    CostTable costs;
    Cost wait = 0;  // of a tick spent waiting: that of a straight step on its cheapest terrain

    CrowdKind() = default;
    explicit CrowdKind(const CostTable& table);
};

struct CrowdAgent {
    CellId at = kNoCell;    // kNoCell: it left
    CellId goal = kNoCell;  // a cell of the map, passable or not; others may have the same
    uint16_t kind = 0;

    Cost cost = 0;           // of its moves, and of its waits that were not at the goal, or before it left the goal again
    uint32_t idle = 0;       // ticks it has waited at its goal since it came there
    Tick arrived = 0;        // the tick after which it was at its goal for good, as far as is known; 0 where it began there
    uint32_t goals_met = 0;  // that set_goal replaced after they were reached

    bool present() const { return at != kNoCell; }
    bool at_goal() const { return at == goal; }
};

enum class CrowdFaultKind : uint8_t { kCollision, kSwap, kCrossing, kIllegalMove };
const char* to_string(CrowdFaultKind kind);

// Why a proposal was refused: the first thing found wrong with it, by agents' numbers.
struct CrowdFault {
    CrowdFaultKind kind;
    AgentId agent;
    AgentId other;    // kNoAgent for an illegal move
    CellId from, to;  // of `agent`
};

// What a method has done so far.
struct CrowdWork {
    uint64_t expansions = 0;  // nodes of any search
    uint64_t plans = 0;       // searches for an agent
    uint64_t failures = 0;    // of them, those that found no way
};

class Crowd;
class ReservationTable;
class DirectionMap;

// How agents decide. One belongs to one Crowd. The calls between ticks come in the order of what happened; `crowd` is as it is after it.
class CrowdMethod {
public:
    virtual ~CrowdMethod() = default;

    virtual void agent_joined(const Crowd&, AgentId) {}
    virtual void agent_left(const Crowd&, AgentId) {}  // its cell and goal are gone already
    virtual void goal_changed(const Crowd&, AgentId) {}
    virtual void world_changed(const Crowd&, const EditResult&) {}

    // `next` has an entry for each number of an agent, its present cell (kNoCell for those who left): to be replaced by the cell to go to.
    virtual void plan(const Crowd& crowd, std::span<CellId> next) = 0;

    // Who will be where, and which way agents have been going, to be looked at between ticks. Null: it has none, or not yet.
    virtual const ReservationTable* reservations() const { return nullptr; }
    virtual const DirectionMap* flow() const { return nullptr; }

    virtual CrowdWork work() const = 0;
    virtual size_t bytes() const = 0;  // all that it holds

    // Another of the same kind and with the same options, that knows nothing yet: what takes the place of one that memory ran out in. Null:
    // there is none, and then every call to the crowd throws from there on.
    virtual std::unique_ptr<CrowdMethod> fresh() const { return nullptr; }
};

struct CrowdOptions {
    Movement movement = Movement::kEight;
};

class Crowd {
public:
    // `world` must outlive it. At least one kind, of the world's catalogue.
    Crowd(const World& world, std::vector<CostTable> kinds, std::unique_ptr<CrowdMethod> method, const CrowdOptions& options = {});

    // kNoAgent, and nothing is done, where the cell is off the map, blocked for the kind, or taken; or the goal is off the map.
    // Numbers go up from 0 and are not used again.
    AgentId add(Cell at, Cell goal, uint16_t kind = 0);
    // False where there is no such agent, or the goal is off the map.
    bool remove(AgentId agent);
    bool set_goal(AgentId agent, Cell goal);
    // As though the agents from this number on had never come: for who adds many, all or none, where memory runs out on the way. The method
    // is made anew. Takes no memory.
    void take_back(AgentId first);

    // One tick, on the world as it is now. What was wrong with the method's proposal, where anything was: then nobody has moved, though the
    // tick has passed.
    std::optional<CrowdFault> tick();

    Tick ticks() const { return tick_; }
    const WorldSnapshot& world() const { return snapshot_; }
    const GridSnapshot& grid() const { return snapshot_.grid(); }
    const GridLayout& layout() const { return grid().layout(); }
    Movement movement() const { return options_.movement; }
    std::span<const CrowdKind> kinds() const { return kinds_; }
    const CrowdKind& kind_of(AgentId agent) const { return kinds_[agents_[agent].kind]; }
    // The map as a kind sees it, in the version of the last tick.
    const Ground& ground(uint16_t kind) const { return grounds_[kind]; }
    const Ground& ground_of(AgentId agent) const { return grounds_[agents_[agent].kind]; }
    // By number, those who left included.
    std::span<const CrowdAgent> agents() const { return agents_; }
    // Who stands on a cell of the map; kNoAgent: nobody.
    AgentId agent_at(CellId cell) const { return occupied_[cell]; }

    size_t present() const { return present_; }
    size_t at_goal() const { return at_goal_; }
    bool all_arrived() const { return at_goal_ == present_; }
    uint64_t arrivals() const { return arrivals_; }  // goals met so far, life-long ones included
    uint64_t faults() const { return faults_; }      // proposals refused

    CrowdMethod& method() { return *method_; }
    const CrowdMethod& method() const { return *method_; }
    // Memory ran out in the method, and it may be asked nothing: until the next call to the crowd that does not throw.
    bool method_lost() const { return spent_; }

    // The judge: what is wrong with moving every agent to its cell in `next`. Changes nothing.
    std::optional<CrowdFault> check(std::span<const CellId> next);

private:
    std::optional<CrowdFault> check_agent(AgentId agent, std::span<const CellId> next);
    template <class Tell, class Undo>
    void tell_method(Tell&& tell, Undo&& undo);
    void renew_method();
    void look_at_world();
    void put(AgentId agent, const CrowdAgent& now);
    void move(AgentId agent, CellId to);
    Cost cost_of(const CrowdAgent& who, CellId to) const;

    const World* world_;
    CrowdOptions options_;
    WorldSnapshot snapshot_;
    std::vector<CrowdKind> kinds_;
    std::vector<Ground> grounds_;  // by kind
    std::unique_ptr<CrowdMethod> method_;
    bool spent_ = false;  // memory ran out in the method: it is of no more use
    std::vector<CrowdAgent> agents_;
    std::vector<AgentId> occupied_;  // by cell
    std::vector<AgentId> taken_;     // scratch of check(): by cell; kNoAgent between calls
    std::vector<CellId> next_;
    Tick tick_ = 0;
    size_t present_ = 0, at_goal_ = 0;
    uint64_t arrivals_ = 0, faults_ = 0;
};

// Whether two moves made in the same tick, between four cells no two of which are taken by both at once, meet on the way: a swap, or a
// crossing on the diagonals of the same four cells.
std::optional<CrowdFaultKind> moves_meet(const GridLayout& layout, CellId from, CellId to, CellId other_from, CellId other_to);

}  // namespace terrane
