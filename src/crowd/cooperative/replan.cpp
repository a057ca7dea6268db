#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "crowd/cooperative/settle.h"
#include "crowd/direction_maps/flow.h"
#include "terrane/base/assert.h"
#include "terrane/crowd/cooperative.h"
#include "terrane/grid/octile.h"
#include "terrane/search/best_first.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

// The cells of the map, without those where others stand near the agent. Its goal may be taken: they will not stay there for ever.
struct CellsAround {
    using Node = CellId;
    using Value = uint64_t;
    using Via = Move;
    const GridGraph<uint64_t>* graph;
    const DirectionMap* flow;  // null: none
    const Crowd* crowd;
    CellId from, goal;
    uint32_t near;  // 0: as if it were alone

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        // With a direction map the way by the parent may be the dearer one.
        const PlainLabel<GridGraph<uint64_t>> known{0, flow == nullptr ? label.via : kNoMove};
        graph->expand(node, known, [&](CellId to, uint64_t cost, Move move) {
            if (taken(to)) return;
            emit(to, label.g + (flow == nullptr ? cost : flow->scaled(node, move, static_cast<uint32_t>(cost))), move);
        });
    }
    CellId origin(CellId to, Move move) const { return graph->origin(to, move); }

private:
    bool taken(CellId cell) const {
        if (near == 0 || cell == goal || crowd->agent_at(cell) == kNoAgent) return false;
        const Cell a = crowd->layout().cell(from), b = crowd->layout().cell(cell);
        return static_cast<uint32_t>(std::max(std::abs(a.x - b.x), std::abs(a.y - b.y))) <= near;
    }
};

class Replan : public CrowdMethod {
public:
    explicit Replan(const ReplanOptions& options) : options_(options) { TERRANE_ASSERT(options.patience >= 1); }

    void agent_left(const Crowd&, AgentId agent) override { forget(agent); }
    void goal_changed(const Crowd&, AgentId agent) override { forget(agent); }
    void world_changed(const Crowd& crowd, const EditResult&) override;
    void plan(const Crowd& crowd, std::span<CellId> next) override;

    const DirectionMap* flow() const override { return flow_ ? &flow_->map() : nullptr; }
    CrowdWork work() const override { return work_; }
    size_t bytes() const override;
    std::unique_ptr<CrowdMethod> fresh() const override { return make_replan(options_); }

private:
    struct Walk {
        std::vector<CellId> cells;  // still to be walked, the next one last; none: no path is known
        uint32_t waited = 0;        // ticks, for the next cell
        bool hopeless = false;      // there is no way, on the map as it is
    };

    void forget(AgentId agent) {
        if (agent < walks_.size()) walks_[agent] = {};
    }
    void prepare(const Crowd& crowd);
    void choose(const Crowd& crowd, AgentId agent, CellId& next);
    bool search(const Crowd& crowd, AgentId agent, uint32_t near);
    // Not all at once: agents that block each other would plan around each other for ever.
    uint32_t patience(AgentId agent) const { return options_.patience + agent % options_.patience; }

    ReplanOptions options_;
    std::vector<GridGraph<uint64_t>> graphs_;  // by kind; none: to be made
    std::vector<uint32_t> cheapest_;           // by kind
    std::optional<detail::Flow> flow_;
    PagedLabels<CellId, uint64_t, Move> labels_;
    HeapQueue<CellId, uint64_t> queue_;
    detail::Settler settler_;
    std::vector<Walk> walks_;  // by agent
    std::vector<AgentId> order_;
    CrowdWork work_;
};

// A path whose steps are all still legal is followed, though it may not be the best any more.
void Replan::world_changed(const Crowd& crowd, const EditResult&) {
    graphs_.clear();
    for (AgentId agent = 0; agent < walks_.size(); ++agent) {
        Walk& walk = walks_[agent];
        walk.hopeless = false;
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
    settler_.settle(crowd, next, order_);
    for (const AgentId agent : order_) {
        Walk& walk = walks_[agent];
        if (walk.cells.empty()) continue;
        const bool goes = next[agent] == walk.cells.back();
        if (goes) walk.cells.pop_back();
        walk.waited = goes ? 0 : walk.waited + 1;
    }
    if (flow_) flow_->learn(crowd, next);
}

void Replan::prepare(const Crowd& crowd) {
    walks_.resize(crowd.agents().size());
    detail::rank_by_turn(crowd, order_);
    if (options_.flow && !flow_) flow_.emplace(crowd.layout(), options_.flow_map);
    if (!graphs_.empty()) return;
    cheapest_.clear();
    graphs_.reserve(crowd.kinds().size());
    cheapest_.reserve(crowd.kinds().size());
    for (const CrowdKind& kind : crowd.kinds()) {
        graphs_.emplace_back(Ground(crowd.grid(), kind.costs, crowd.movement()));
        cheapest_.push_back(grid_bounds(crowd.grid(), kind.costs).cheapest);
    }
}

void Replan::choose(const Crowd& crowd, AgentId agent, CellId& next) {
    Walk& walk = walks_[agent];
    if (crowd.agents()[agent].at_goal() || walk.hopeless) return;
    if (walk.cells.empty()) {
        walk.hopeless = !search(crowd, agent, 0);
    } else if (walk.waited >= patience(agent)) {
        search(crowd, agent, options_.near);
        walk.waited = 0;
    }
    if (!walk.cells.empty()) next = walk.cells.back();
}

// Leaves the path as it is where there is none.
bool Replan::search(const Crowd& crowd, AgentId agent, uint32_t near) {
    const CrowdAgent& who = crowd.agents()[agent];
    const GridLayout& layout = crowd.layout();
    const Cell goal = layout.cell(who.goal);
    labels_.reset(layout.id_limit());
    queue_.reset();
    const CellsAround cells{&graphs_[who.kind], flow(), &crowd, who.at, who.goal, near};
    const OctileHeuristic<GridLayout, uint64_t> octile(layout, goal, cheapest_[who.kind], rule_of(crowd.movement()));
    BestFirst search(cells, octile, OneGoal<CellId>{who.goal}, labels_, queue_);
    search.start(who.at, 0, kNoMove);
    const bool found = search.run() == Status::kFound;
    ++work_.plans;
    work_.failures += found ? 0 : 1;
    work_.expansions += search.expansions();
    if (!found) return false;
    std::vector<CellId>& out = walks_[agent].cells;
    out.clear();
    search.walk_back(
        who.goal, [&](CellId cell) { return cell == who.at; }, [&](CellId cell) { out.push_back(cell); });
    out.pop_back();
    return true;
}

size_t Replan::bytes() const {
    size_t sum = sizeof(*this) + labels_.bytes() + queue_.bytes() + settler_.bytes() + (flow_ ? flow_->map().bytes() : 0) +
                 graphs_.capacity() * sizeof(graphs_[0]) + walks_.capacity() * sizeof(Walk) + order_.capacity() * sizeof(AgentId);
    for (const Walk& walk : walks_) sum += walk.cells.capacity() * sizeof(CellId);
    return sum;
}

}  // namespace

std::unique_ptr<CrowdMethod> make_replan(const ReplanOptions& options) { return std::make_unique<Replan>(options); }

}  // namespace terrane
