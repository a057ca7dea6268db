#include "crowd/lacam/sipp.h"

#include <algorithm>

namespace terrane {

namespace {

// Weight of the heuristic. With 1.0, all other paths of equal length are expanded before one wait is accepted: 6x the expansions on the
// largest benchmark map. With 1.3, plans without congestion cost 0.4 to 2% more.
constexpr Weight kSippWeight = {11, 10};

}  // namespace

// A node is pushed only if its cost plus its distance to the goal is at most this. Its key is at most kSippWeight.numerator times that
// sum, with the ticks in the low bits: less than 2^64.
const Cost Sipp::kMaxCost = ((uint64_t{1} << (64 - kTickBits)) - 1) / kSippWeight.numerator - 1;
static_assert(kSippWeight.numerator >= kSippWeight.denominator);

struct Sipp::IntervalGraph {
    using Node = Sipp::Node;
    using Value = Sipp::Value;
    using Via = uint8_t;
    Sipp* search;

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        const Query& query = search->query_;
        const Spot from = spot_of(node);
        const auto visits = query.intervals->at(from);
        const auto interval = static_cast<size_t>(node & 0xffffffff);
        const Tick end = interval < visits.size() ? visits[interval].from - 1 : kForever - 1;
        for (uint32_t moves = search->ground_->legal(query.walker->type, from); moves != 0; moves &= moves - 1) {
            const auto move = static_cast<Move>(std::countr_zero(moves));
            const Spot to = search->ground_->neighbour(from, move);
            const Cost h = search->distances_.neighbour(from, to);
            const Cost step = search->ground_->step_cost(query.walker->type, from, move);
            const Cost wait = search->ground_->wait_cost(query.walker->type);
            const Tick tick = tick_of(label.g);
            const Cost cost = label.g >> kTickBits;
            if (h == kInfiniteCost || cost + step + h > query.max_cost) continue;
            search->emit_arrivals(from, tick, end, move, to, [&](size_t to_interval, Tick arrival) {
                const Cost cost_there = cost + step + wait * (arrival - tick - 1);
                const Node node_there = Node{to} << 32 | to_interval;
                if (cost_there + h > query.max_cost || search->has_earlier_label(node_there, arrival)) return;
                emit(node_there, cost_there << kTickBits | arrival, Via{0});
            });
        }
    }
    Node origin(Node node, Via) const { return node; }  // unused: the labels store parents
};

struct Sipp::Heuristic {
    const Sipp* search;
    Value operator()(Node node) const { return search->distances_[spot_of(node)] << kTickBits; }
};

Sipp::Sipp(const CrowdGround& ground, GoalFields& fields) : ground_(&ground), labels_(ground.size()), distances_(ground, fields) {}

Spot Sipp::position_of(AgentId agent, Tick tick) const {
    const SpotPath& path = (*query_.paths)[agent];
    return tick < path.size() ? path[tick] : path.back();
}

// A cheaper label must not replace an earlier one: successors of the earlier arrival might become unreachable from the later one.
bool Sipp::has_earlier_label(Node node, Tick arrival) const {
    const Value known = labels_.g(node);
    return known != kInfinite<Value> && tick_of(known) < arrival;
}

// Whether a move that enters a safe interval of `to` at `arrival` has a swap conflict or a crossing conflict on the other diagonal.
bool Sipp::conflicts(Spot from, Move move, Spot to, size_t interval, Tick arrival) const {
    const auto visits = query_.intervals->at(to);
    if (interval > 0 && visits[interval - 1].to + 1 == arrival && position_of(visits[interval - 1].agent, arrival) == from) return true;
    if (move < 4) return false;
    const auto [one, other] = ground_->sides(from, move);
    if (one == kNoSpot || other == kNoSpot) return false;
    const AgentId at_one = query_.intervals->agent_at(one, arrival - 1), at_other = query_.intervals->agent_at(other, arrival - 1);
    return (at_one != kNoAgent && position_of(at_one, arrival) == other) || (at_other != kNoAgent && position_of(at_other, arrival) == one);
}

// Calls emit(interval, earliest arrival) for every safe interval of `to` that a move can enter from `from`, where the agent may wait
// from `tick` until `end`.
void Sipp::emit_arrivals(Spot from, Tick tick, Tick end, Move move, Spot to, const auto& emit) {
    const auto visits = query_.intervals->at(to);
    for (size_t interval = query_.intervals->visits_before(to, tick + 1); interval <= visits.size(); ++interval) {
        const Tick first = interval == 0 ? 0 : visits[interval - 1].to == kForever ? kForever : visits[interval - 1].to + 1;
        if (first > end + 1 || first == kForever) return;
        const Tick last = std::min(end + 1, interval < visits.size() ? visits[interval].from - 1 : kForever - 1);
        Tick arrival = std::max(tick + 1, first);
        while (arrival <= last && conflicts(from, move, to, interval, arrival)) ++arrival;
        if (arrival <= last && arrival <= kMaxTicks) emit(interval, arrival);
    }
}

// A lower bound on the cost of a path that does not end before tick `end`. 0 where moves differ in cost.
Cost Sipp::min_cost_until(uint16_t type, Tick end) const {
    return ground_->uniform(type) ? std::min(ground_->uniform_step(type), ground_->wait_cost(type)) * end : 0;
}

Status Sipp::find(const Walker& walker, const std::vector<SpotPath>& paths, const SafeIntervals& intervals, Spot start, Cost max_cost,
                  uint64_t budget, SpotPath& path) {
    max_cost = std::min(max_cost, kMaxCost);
    query_ = {&walker, &paths, &intervals, max_cost};
    labels_.begin(intervals);
    const auto at_goal = intervals.at(walker.goal);
    if (!at_goal.empty() && at_goal.back().to == kForever) return Status::kUnreachable;
    const Tick end = at_goal.empty() ? 0 : at_goal.back().to + 1;  // from this tick on, the goal stays free
    const Cost min_cost = min_cost_until(walker.type, end);
    distances_.begin(walker, start);
    if (std::max(distances_[start], min_cost) > max_cost || end > kMaxTicks) return Status::kUnreachable;
    queue_.begin(ground_->uniform(walker.type) ? min_cost << kTickBits | end : 0, kSippWeight);
    const Node goal = Node{walker.goal} << 32 | at_goal.size(), first = Node{start} << 32;
    BestFirst search(IntervalGraph{this}, Heuristic{this}, OneGoal<Node>{goal}, labels_, queue_, kSippWeight);
    search.start(first);
    const Status status = search.run(budget);
    expansions_ += search.expansions();
    if (status != Status::kFound) return status;
    extract_path(search, goal, first, path);
    return status;
}

void Sipp::extract_path(const auto& search, Node goal, Node start, SpotPath& path) const {
    path.resize(size_t{tick_of(search.goal_cost())} + 1);
    size_t end = path.size();
    search.walk_back(
        goal, [=](Node node) { return node == start; },
        [&](Node node) {
            const Tick arrival = tick_of(labels_.g(node));
            std::fill(path.begin() + arrival, path.begin() + static_cast<ptrdiff_t>(end), spot_of(node));
            end = arrival;
        });
}

size_t Sipp::bytes() const { return labels_.bytes() + queue_.bytes() + distances_.bytes(); }

}  // namespace terrane
