// SIPP: the cheapest path of one agent among agents whose paths are fixed.
// Phillips, Likhachev 2011 (SIPP: safe interval path planning). The heuristic is the exact distance to the goal without other agents.
//
// A node is a spot and one of its safe intervals. An earlier arrival in an interval dominates a later one, so waits need no nodes.
// Where all moves cost the same, a path costs at most 1.1 times the optimum. Elsewhere each node keeps its cheapest path, although an
// earlier and costlier arrival might reach more intervals.
#pragma once
#include <cstdint>
#include <vector>

#include "crowd/lacam/distance_cache.h"
#include "crowd/lacam/safe_intervals.h"
#include "crowd/lacam/sipp_labels.h"
#include "crowd/lacam/sipp_queue.h"
#include "terrane/search/best_first.h"

namespace terrane {

class Sipp {
public:
    Sipp(const CrowdGround& ground, GoalFields& fields);

    // The largest cost and length of a path that find() returns: larger keys would not fit 64 bits.
    static const Cost kMaxCost;
    static constexpr Tick kMaxTicks = (1u << 20) - 1;

    // Finds a path from `start` at tick 0 to the agent's goal, where the agent can stay forever. `intervals` holds `paths`, by agent.
    // Ignores paths that cost more than `max_cost` or kMaxCost.
    // kFound: `path` is set and does not end with waits. kUnreachable. kBudgetSpent after `budget` expansions.
    Status find(const Walker& walker, const std::vector<SpotPath>& paths, const SafeIntervals& intervals, Spot start, Cost max_cost,
                uint64_t budget, SpotPath& path);
    uint64_t expansions() const { return expansions_; }  // of all searches
    size_t bytes() const;

private:
    using Node = uint64_t;   // spot << 32 | number of the safe interval
    using Value = uint64_t;  // cost << kTickBits | arrival tick: lower cost first, then earlier arrival
    static constexpr uint32_t kTickBits = 20;
    static_assert(kMaxTicks == (1u << kTickBits) - 1);
    static Spot spot_of(Node node) { return static_cast<Spot>(node >> 32); }
    static Tick tick_of(Value value) { return static_cast<Tick>(value & ((1u << kTickBits) - 1)); }

    struct Query {
        const Walker* walker = nullptr;
        const std::vector<SpotPath>* paths = nullptr;
        const SafeIntervals* intervals = nullptr;
        Cost max_cost = 0;
    };
    struct IntervalGraph;  // what BestFirst searches
    struct Heuristic;

    void emit_arrivals(Spot from, Tick tick, Tick end, Move move, Spot to, const auto& emit);
    bool has_earlier_label(Node node, Tick arrival) const;
    bool conflicts(Spot from, Move move, Spot to, size_t interval, Tick arrival) const;
    Cost min_cost_until(uint16_t type, Tick end) const;
    Spot position_of(AgentId agent, Tick tick) const;
    void extract_path(const auto& search, Node goal, Node start, SpotPath& path) const;

    const CrowdGround* ground_;
    SippLabels labels_;
    SippQueue queue_;
    DistanceCache distances_;
    Query query_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane
