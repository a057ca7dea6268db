#include "crowd/lacam/soft_conflict_search.h"

#include <algorithm>

namespace terrane {

namespace {

constexpr uint32_t kConflictPenalty = 12;       // base penalty of a conflict, in waits
constexpr Weight kSoftConflictWeight = {2, 1};  // of the heuristic; 1.2 spent the budget on long paths

}  // namespace

struct SoftConflictSearch::SpaceTimeGraph {
    using Node = SoftConflictSearch::Node;
    using Value = Cost;
    using Via = uint8_t;
    SoftConflictSearch* search;

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        const CrowdGround& ground = *search->ground_;
        const Walker& walker = *search->walker_;
        const Spot from = spot_of(node);
        const Tick tick = tick_of(node);
        const Cost wait = ground.wait_cost(walker.type), base_penalty = wait * kConflictPenalty;
        const auto go = [&](Spot to, Cost step) {
            Cost penalty = 0;
            search->for_each_conflict(from, to, tick, [&](AgentId other) { penalty += base_penalty * (1 + search->weights_[other]); });
            emit(Node{to} << 32 | (tick + 1), label.g + step + penalty, Via{0});
        };
        if (from == walker.goal) {
            Cost penalty = 0;
            search->for_each_later_visit(from, tick, [&](AgentId other) { penalty += base_penalty * (1 + search->weights_[other]); });
            emit(kArrived, label.g + penalty, Via{0});
        }
        go(from, wait);
        for (uint32_t moves = ground.legal(walker.type, from); moves != 0; moves &= moves - 1) {
            const auto move = static_cast<Move>(std::countr_zero(moves));
            const Spot to = ground.neighbour(from, move);
            if (search->distances_.neighbour(from, to) != kInfiniteCost) go(to, ground.step_cost(walker.type, from, move));
        }
    }
    Node origin(Node node, Via) const { return node; }  // unused: the labels store parents
};

struct SoftConflictSearch::Heuristic {
    const SoftConflictSearch* search;
    Cost operator()(Node node) const { return node == kArrived ? 0 : search->distances_[spot_of(node)]; }
};

Spot SoftConflictSearch::position_of(AgentId agent, Tick tick) const {
    const SpotPath& path = (*paths_)[agent];
    return tick < path.size() ? path[tick] : path.back();
}

void SoftConflictSearch::for_each_conflict(Spot from, Spot to, Tick tick, const auto& use) const {
    const AgentId there = intervals_->agent_at(to, tick + 1);
    if (there != kNoAgent) use(there);
    if (from == to) return;
    const AgentId oncoming = intervals_->agent_at(to, tick);
    if (oncoming != kNoAgent && oncoming != there && position_of(oncoming, tick + 1) == from) use(oncoming);
    const Move move = ground_->moves() == 4 ? Move{0} : ground_->move_between(from, to);
    if (move < 4) return;
    const auto [one, other] = ground_->sides(from, move);
    if (one == kNoSpot || other == kNoSpot) return;
    for (const auto& [a, b] : {std::pair{one, other}, std::pair{other, one}}) {
        const AgentId crossing = intervals_->agent_at(a, tick);
        if (crossing != kNoAgent && position_of(crossing, tick + 1) == b) use(crossing);
    }
}

void SoftConflictSearch::for_each_later_visit(Spot spot, Tick tick, const auto& use) const {
    const auto visits = intervals_->at(spot);
    for (size_t i = intervals_->visits_before(spot, tick); i < visits.size(); ++i) use(visits[i].agent);
}

Status SoftConflictSearch::find(const Walker& walker, const std::vector<SpotPath>& paths, const SafeIntervals& intervals,
                                std::span<const uint32_t> weights, Spot start, uint64_t budget, SpotPath& path,
                                std::vector<AgentId>& conflicting) {
    weights_ = weights;
    walker_ = &walker;
    paths_ = &paths;
    intervals_ = &intervals;
    distances_.begin(walker, start);
    labels_.reset();
    queue_.reset();
    BestFirst search(SpaceTimeGraph{this}, Heuristic{this}, OneGoal<Node>{kArrived}, labels_, queue_, kSoftConflictWeight);
    search.start(Node{start} << 32);
    const Status status = search.run(budget);
    expansions_ += search.expansions();
    if (status == Status::kFound) extract_path(labels_.parent(search.graph(), kArrived), start, path, conflicting);
    return status;
}

void SoftConflictSearch::extract_path(Node last, Spot start, SpotPath& path, std::vector<AgentId>& conflicting) const {
    path.assign(size_t{tick_of(last)} + 1, start);
    for (Node node = last; tick_of(node) != 0; node = labels_.parent(0, node)) path[tick_of(node)] = spot_of(node);
    conflicting.clear();
    const auto add = [&](AgentId agent) { conflicting.push_back(agent); };
    for (Tick tick = 0; tick + 1 < path.size(); ++tick) for_each_conflict(path[tick], path[tick + 1], tick, add);
    for_each_later_visit(path.back(), tick_of(last), add);
    std::sort(conflicting.begin(), conflicting.end());
    conflicting.erase(std::unique(conflicting.begin(), conflicting.end()), conflicting.end());
}

}  // namespace terrane
