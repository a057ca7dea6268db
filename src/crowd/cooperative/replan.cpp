#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "crowd/cooperative/conflict_resolver.h"
#include "crowd/direction_maps/direction_learner.h"
#include "terrane/base/assert.h"
#include "terrane/crowd/cooperative.h"
#include "terrane/grid/octile.h"
#include "terrane/search/best_first.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

// The passable cells without those that other agents occupy within `radius`. The goal counts as free: its occupant may leave.
struct FreeCells {
    using Node = CellId;
    using Value = uint64_t;
    using Via = Move;
    const GridGraph<uint64_t>* graph;
    const DirectionMap* direction_map;  // may be null
    const Crowd* crowd;
    CellId from, goal;
    uint32_t radius;  // cells; 0 ignores other agents

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        // Pruning successors by the previous move assumes that the direct move is the cheapest, which a direction map may refute.
        const PlainLabel<GridGraph<uint64_t>> known{0, direction_map == nullptr ? label.via : kNoMove};
        graph->expand(node, known, [&](CellId to, uint64_t cost, Move move) {
            if (occupied(to)) return;
            emit(to, label.g + (direction_map == nullptr ? cost : direction_map->scaled(node, move, static_cast<uint32_t>(cost))), move);
        });
    }
    CellId origin(CellId to, Move move) const { return graph->origin(to, move); }

private:
    bool occupied(CellId cell) const {
        if (radius == 0 || cell == goal || crowd->agent_at(cell) == kNoAgent) return false;
        const Cell a = crowd->layout().cell(from), b = crowd->layout().cell(cell);
        return static_cast<uint32_t>(std::max(std::abs(a.x - b.x), std::abs(a.y - b.y))) <= radius;
    }
};

class Replan : public CrowdMethod {
public:
    explicit Replan(const ReplanOptions& options) : options_(options) { TERRANE_ASSERT(options.patience >= 1); }

    void agent_left(const Crowd&, AgentId agent) override { reset(agent); }
    void goal_changed(const Crowd&, AgentId agent) override { reset(agent); }
    void world_changed(const Crowd& crowd, const EditResult&) override;
    void plan(const Crowd& crowd, std::span<CellId> next) override;

    const DirectionMap* flow() const override { return direction_learner_ ? &direction_learner_->map() : nullptr; }
    CrowdWork work() const override { return work_; }
    size_t bytes() const override;
    std::unique_ptr<CrowdMethod> fresh() const override { return make_replan(options_); }

private:
    struct Walk {
        std::vector<CellId> cells;  // remaining cells, the next one last; empty if there is no path
        uint32_t waited = 0;        // ticks spent waiting for the next cell
        bool unreachable = false;   // the current map has no path to the goal
    };

    void reset(AgentId agent) {
        if (agent < walks_.size()) walks_[agent] = {};
    }
    void prepare(const Crowd& crowd);
    void choose(const Crowd& crowd, AgentId agent, CellId& next);
    bool search(const Crowd& crowd, AgentId agent, uint32_t radius);
    // Differs between agents: two that block each other would otherwise replan around each other forever.
    uint32_t patience(AgentId agent) const { return options_.patience + agent % options_.patience; }

    ReplanOptions options_;
    std::vector<GridGraph<uint64_t>> graphs_;  // by agent type; empty after an edit, rebuilt in the next tick
    std::vector<uint32_t> cheapest_;           // by agent type: cost of its cheapest terrain
    std::optional<detail::DirectionLearner> direction_learner_;
    PagedLabels<CellId, uint64_t, Move> labels_;
    HeapQueue<CellId, uint64_t> queue_;
    detail::ConflictResolver resolver_;
    std::vector<Walk> walks_;  // by agent
    std::vector<AgentId> order_;
    CrowdWork work_;
};

// Keeps paths whose steps are all still legal, though they may no longer be optimal.
void Replan::world_changed(const Crowd& crowd, const EditResult&) {
    graphs_.clear();
    for (AgentId agent = 0; agent < walks_.size(); ++agent) {
        Walk& walk = walks_[agent];
        walk.unreachable = false;
        CellId from = crowd.agents()[agent].at;
        for (size_t i = walk.cells.size(); i-- > 0; from = walk.cells[i]) {
            if (crowd.ground_of(agent).can_step(from, walk.cells[i])) continue;
            walk = {};
            break;
        }
    }
}

void Replan::plan(const Crowd& crowd, std::span<CellId> next) {
    prepare(crowd);
    for (const AgentId agent : order_) choose(crowd, agent, next[agent]);
    resolver_.resolve(crowd, next, order_);
    for (const AgentId agent : order_) {
        Walk& walk = walks_[agent];
        if (walk.cells.empty()) continue;
        const bool goes = next[agent] == walk.cells.back();
        if (goes) walk.cells.pop_back();
        walk.waited = goes ? 0 : walk.waited + 1;
    }
    if (direction_learner_) direction_learner_->learn(crowd, next);
}

void Replan::prepare(const Crowd& crowd) {
    walks_.resize(crowd.agents().size());
    detail::rotate_order(crowd, order_);
    if (options_.flow && !direction_learner_) direction_learner_.emplace(crowd.layout(), options_.direction_map);
    if (!graphs_.empty()) return;
    cheapest_.clear();
    graphs_.reserve(crowd.types().size());
    cheapest_.reserve(crowd.types().size());
    for (const AgentType& type : crowd.types()) {
        graphs_.emplace_back(Ground(crowd.grid(), type.costs, crowd.movement()));
        cheapest_.push_back(grid_bounds(crowd.grid(), type.costs).cheapest);
    }
}

void Replan::choose(const Crowd& crowd, AgentId agent, CellId& next) {
    Walk& walk = walks_[agent];
    if (crowd.agents()[agent].at_goal() || walk.unreachable) return;
    if (walk.cells.empty()) {
        walk.unreachable = !search(crowd, agent, 0);
    } else if (walk.waited >= patience(agent)) {
        search(crowd, agent, options_.radius);
        walk.waited = 0;
    }
    if (!walk.cells.empty()) next = walk.cells.back();
}

// Leaves the agent's path unchanged if the search fails.
bool Replan::search(const Crowd& crowd, AgentId agent, uint32_t radius) {
    const CrowdAgent& state = crowd.agents()[agent];
    const GridLayout& layout = crowd.layout();
    const Cell goal = layout.cell(state.goal);
    labels_.reset(layout.id_limit());
    queue_.reset();
    const FreeCells cells{&graphs_[state.type], flow(), &crowd, state.at, state.goal, radius};
    const OctileHeuristic<GridLayout, uint64_t> octile(layout, goal, cheapest_[state.type], rule_of(crowd.movement()));
    BestFirst search(cells, octile, OneGoal<CellId>{state.goal}, labels_, queue_);
    search.start(state.at, 0, kNoMove);
    const bool found = search.run() == Status::kFound;
    ++work_.plans;
    work_.failures += found ? 0 : 1;
    work_.expansions += search.expansions();
    if (!found) return false;
    std::vector<CellId>& out = walks_[agent].cells;
    out.clear();
    search.walk_back(
        state.goal, [&](CellId cell) { return cell == state.at; }, [&](CellId cell) { out.push_back(cell); });
    out.pop_back();
    return true;
}

size_t Replan::bytes() const {
    size_t sum = sizeof(*this) + labels_.bytes() + queue_.bytes() + resolver_.bytes() +
                 (direction_learner_ ? direction_learner_->map().bytes() : 0) + graphs_.capacity() * sizeof(graphs_[0]) +
                 walks_.capacity() * sizeof(Walk) + order_.capacity() * sizeof(AgentId);
    for (const Walk& walk : walks_) sum += walk.cells.capacity() * sizeof(CellId);
    return sum;
}

}  // namespace

std::unique_ptr<CrowdMethod> make_replan(const ReplanOptions& options) { return std::make_unique<Replan>(options); }

}  // namespace terrane
