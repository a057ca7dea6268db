// One agent's cheapest way among others whose paths are fixed.
// Based on: Phillips, Likhachev 2011 (SIPP: safe interval path planning), with distances to the goal as heuristic.
//
// A node is a spot and a gap between two visits of others to it: to come there earlier is never worse, so waiting needs no nodes. At most a
// tenth dearer than the best way where every move costs the same; elsewhere a node keeps its cheapest way, though an earlier one might lead
// to more.
#pragma once
#include <cstdint>
#include <vector>

#include "crowd/lacam/gap_labels.h"
#include "crowd/lacam/gap_queue.h"
#include "crowd/lacam/rest_table.h"
#include "crowd/lacam/visit_table.h"
#include "terrane/search/best_first.h"

namespace terrane {

class GapSearch {
public:
    GapSearch(const CrowdGround& ground, GoalFields& fields);

    // A path that costs more, or that takes more ticks than kMaxTicks, is not found: its key would not fit 64 bits.
    static const Cost kMaxCost;
    static constexpr Tick kMaxTicks = (1u << 20) - 1;

    // From `start` at tick 0 to the agent's goal, for good. Paths that cost more than `most` or kMaxCost are not found. kFound: `path`,
    // which has no waits at its end. kUnreachable; kBudgetSpent after `budget` expansions.
    Status find(const Walker& walker, const std::vector<SpotPath>& paths, const VisitTable& visits, Spot start, Cost most, uint64_t budget,
                SpotPath& path);
    uint64_t expansions() const { return expansions_; }  // of all searches
    size_t bytes() const;

private:
    using Node = uint64_t;   // spot and number of the gap
    using Value = uint64_t;  // cost, then ticks: the cheaper way first, among those the earlier one
    static constexpr uint32_t kTickBits = 20;
    static_assert(kMaxTicks == (1u << kTickBits) - 1);
    static Spot spot_of(Node node) { return static_cast<Spot>(node >> 32); }
    static Tick tick_of(Value value) { return static_cast<Tick>(value & ((1u << kTickBits) - 1)); }

    struct Query {
        const Walker* walker = nullptr;
        const std::vector<SpotPath>* paths = nullptr;
        const VisitTable* visits = nullptr;
        Cost most = 0;
    };
    // The graph of gaps, for the kernel.
    struct Gaps;
    struct Rest;

    void emit_gaps(Spot from, Tick tick, Tick end, Move move, Spot to, const auto& emit);
    bool sooner_known(Node node, Tick arrival) const;
    bool met(Spot from, Move move, Spot to, size_t gap, Tick arrival) const;
    Cost least_cost(uint16_t kind, Tick end) const;
    Spot place_of(AgentId agent, Tick tick) const;
    void trace(const auto& search, Node goal, Node start, SpotPath& path) const;

    const CrowdGround* ground_;
    GapLabels labels_;
    GapQueue queue_;
    RestTable rest_;
    Query query_;
    uint64_t expansions_ = 0;
};

}  // namespace terrane
