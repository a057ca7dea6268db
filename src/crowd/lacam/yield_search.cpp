#include "crowd/lacam/yield_search.h"

#include <algorithm>

namespace terrane {

namespace {

constexpr uint32_t kYieldWaits = 12;    // waits that one agent in the way is worth
constexpr Weight kYieldHaste = {2, 1};  // on the distance: 1.2 found no way within the budget where the way is long

}  // namespace

struct YieldSearch::Ways {
    using Node = YieldSearch::Node;
    using Value = Cost;
    using Via = uint8_t;
    YieldSearch* search;

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        const CrowdGround& ground = *search->ground_;
        const Walker& walker = *search->walker_;
        const Spot from = spot_of(node);
        const Tick tick = tick_of(node);
        const Cost wait = ground.wait_cost(walker.kind), toll = wait * kYieldWaits;
        const auto go = [&](Spot to, Cost step) {
            Cost tolls = 0;
            search->for_each_met(from, to, tick, [&](AgentId met) { tolls += toll * (1 + search->weights_[met]); });
            emit(Node{to} << 32 | (tick + 1), label.g + step + tolls, Via{0});
        };
        if (from == walker.goal) {
            Cost tolls = 0;
            search->for_each_later(from, tick, [&](AgentId met) { tolls += toll * (1 + search->weights_[met]); });
            emit(kThere, label.g + tolls, Via{0});
        }
        go(from, wait);
        for (uint32_t moves = ground.legal(walker.kind, from); moves != 0; moves &= moves - 1) {
            const auto move = static_cast<Move>(std::countr_zero(moves));
            const Spot to = ground.neighbour(from, move);
            if (search->rest_.beside(from, to) != kInfiniteCost) go(to, ground.step_cost(walker.kind, from, move));
        }
    }
    Node origin(Node node, Via) const { return node; }  // the labels keep parents
};

struct YieldSearch::Rest {
    const YieldSearch* search;
    Cost operator()(Node node) const { return node == kThere ? 0 : search->rest_[spot_of(node)]; }
};

Spot YieldSearch::place_of(AgentId agent, Tick tick) const {
    const SpotPath& path = (*paths_)[agent];
    return tick < path.size() ? path[tick] : path.back();
}

void YieldSearch::for_each_met(Spot from, Spot to, Tick tick, const auto& use) const {
    const AgentId there = visits_->who(to, tick + 1);
    if (there != kNoAgent) use(there);
    if (from == to) return;
    const AgentId coming = visits_->who(to, tick);
    if (coming != kNoAgent && coming != there && place_of(coming, tick + 1) == from) use(coming);
    const Move move = ground_->moves() == 4 ? Move{0} : ground_->move_between(from, to);
    if (move < 4) return;
    const auto [one, other] = ground_->sides(from, move);
    if (one == kNoSpot || other == kNoSpot) return;
    for (const auto& [a, b] : {std::pair{one, other}, std::pair{other, one}}) {
        const AgentId across = visits_->who(a, tick);
        if (across != kNoAgent && place_of(across, tick + 1) == b) use(across);
    }
}

void YieldSearch::for_each_later(Spot spot, Tick tick, const auto& use) const {
    const auto visits = visits_->at(spot);
    for (size_t i = visits_->before(spot, tick); i < visits.size(); ++i) use(visits[i].agent);
}

Status YieldSearch::find(const Walker& walker, const std::vector<SpotPath>& paths, const VisitTable& visits,
                         std::span<const uint32_t> weights, Spot start, uint64_t budget, SpotPath& path, std::vector<AgentId>& met) {
    weights_ = weights;
    walker_ = &walker;
    paths_ = &paths;
    visits_ = &visits;
    rest_.begin(walker, start);
    labels_.reset();
    queue_.reset();
    BestFirst search(Ways{this}, Rest{this}, OneGoal<Node>{kThere}, labels_, queue_, kYieldHaste);
    search.start(Node{start} << 32);
    const Status status = search.run(budget);
    expansions_ += search.expansions();
    if (status == Status::kFound) trace(labels_.parent(search.graph(), kThere), start, path, met);
    return status;
}

void YieldSearch::trace(Node last, Spot start, SpotPath& path, std::vector<AgentId>& met) const {
    path.assign(size_t{tick_of(last)} + 1, start);
    for (Node node = last; tick_of(node) != 0; node = labels_.parent(0, node)) path[tick_of(node)] = spot_of(node);
    met.clear();
    const auto add = [&](AgentId agent) { met.push_back(agent); };
    for (Tick tick = 0; tick + 1 < path.size(); ++tick) for_each_met(path[tick], path[tick + 1], tick, add);
    for_each_later(path.back(), tick_of(last), add);
    std::sort(met.begin(), met.end());
    met.erase(std::unique(met.begin(), met.end()), met.end());
}

}  // namespace terrane
