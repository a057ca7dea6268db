#include "crowd/lacam/gap_search.h"

#include <algorithm>

namespace terrane {

namespace {

// On the distance to the goal. Without it, before a single wait is taken every other way of the same length is looked at: 6 times the
// expansions on the largest map of the public benchmark. With 1.3, plans where there is room cost as much as 0.4 to 2% more.
constexpr Weight kGapHaste = {11, 10};

}  // namespace

// A node is pushed only where its cost and the distance from there are at most this together. Its key is at most kGapHaste.numerator times
// that, with the ticks below it: less than 2^64.
const Cost GapSearch::kMaxCost = ((uint64_t{1} << (64 - kTickBits)) - 1) / kGapHaste.numerator - 1;
static_assert(kGapHaste.numerator >= kGapHaste.denominator);

struct GapSearch::Gaps {
    using Node = GapSearch::Node;
    using Value = GapSearch::Value;
    using Via = uint8_t;
    GapSearch* search;

    template <class Label, class Emit>
    void expand(Node node, const Label& label, Emit&& emit) const {
        const Query& query = search->query_;
        const Spot from = spot_of(node);
        const auto visits = query.visits->at(from);
        const auto gap = static_cast<size_t>(node & 0xffffffff);
        const Tick end = gap < visits.size() ? visits[gap].from - 1 : kForever - 1;
        for (uint32_t moves = search->ground_->legal(query.walker->kind, from); moves != 0; moves &= moves - 1) {
            const auto move = static_cast<Move>(std::countr_zero(moves));
            const Spot to = search->ground_->neighbour(from, move);
            const Cost rest = search->rest_.beside(from, to);
            const Cost step = search->ground_->step_cost(query.walker->kind, from, move);
            const Cost wait = search->ground_->wait_cost(query.walker->kind);
            const Tick tick = tick_of(label.g);
            const Cost cost = label.g >> kTickBits;
            if (rest == kInfiniteCost || cost + step + rest > query.most) continue;
            search->emit_gaps(from, tick, end, move, to, [&](size_t to_gap, Tick arrival) {
                const Cost whole = cost + step + wait * (arrival - tick - 1);
                const Node node_there = Node{to} << 32 | to_gap;
                if (whole + rest > query.most || search->sooner_known(node_there, arrival)) return;
                emit(node_there, whole << kTickBits | arrival, Via{0});
            });
        }
    }
    Node origin(Node node, Via) const { return node; }  // the labels keep parents
};

struct GapSearch::Rest {
    const GapSearch* search;
    Value operator()(Node node) const { return search->rest_[spot_of(node)] << kTickBits; }
};

GapSearch::GapSearch(const CrowdGround& ground, GoalFields& fields) : ground_(&ground), labels_(ground.size()), rest_(ground, fields) {}

Spot GapSearch::place_of(AgentId agent, Tick tick) const {
    const SpotPath& path = (*query_.paths)[agent];
    return tick < path.size() ? path[tick] : path.back();
}

// A label is replaced only by one that is no later: or what was reached from it could not be any more.
bool GapSearch::sooner_known(Node node, Tick arrival) const {
    const Value known = labels_.g(node);
    return known != kInfinite<Value> && tick_of(known) < arrival;
}

// Whether a move that ends at `arrival` in a gap meets one who comes the other way, or one on the other diagonal.
bool GapSearch::met(Spot from, Move move, Spot to, size_t gap, Tick arrival) const {
    const auto visits = query_.visits->at(to);
    if (gap > 0 && visits[gap - 1].to + 1 == arrival && place_of(visits[gap - 1].agent, arrival) == from) return true;
    if (move < 4) return false;
    const auto [one, other] = ground_->sides(from, move);
    if (one == kNoSpot || other == kNoSpot) return false;
    const AgentId at_one = query_.visits->who(one, arrival - 1), at_other = query_.visits->who(other, arrival - 1);
    return (at_one != kNoAgent && place_of(at_one, arrival) == other) || (at_other != kNoAgent && place_of(at_other, arrival) == one);
}

// Every gap of `to` that can be entered from a stay at `from` until `end` at the latest; emit(gap, first tick there).
void GapSearch::emit_gaps(Spot from, Tick tick, Tick end, Move move, Spot to, const auto& emit) {
    const auto visits = query_.visits->at(to);
    for (size_t gap = query_.visits->before(to, tick + 1); gap <= visits.size(); ++gap) {
        const Tick first = gap == 0 ? 0 : visits[gap - 1].to == kForever ? kForever : visits[gap - 1].to + 1;
        if (first > end + 1 || first == kForever) return;
        const Tick last = std::min(end + 1, gap < visits.size() ? visits[gap].from - 1 : kForever - 1);
        Tick arrival = std::max(tick + 1, first);
        while (arrival <= last && met(from, move, to, gap, arrival)) ++arrival;
        if (arrival <= last && arrival <= kMaxTicks) emit(gap, arrival);
    }
}

// Of a path that ends no sooner than at a tick. Nothing is known of it where moves differ in cost.
Cost GapSearch::least_cost(uint16_t kind, Tick end) const {
    return ground_->uniform(kind) ? std::min(ground_->uniform_step(kind), ground_->wait_cost(kind)) * end : 0;
}

Status GapSearch::find(const Walker& walker, const std::vector<SpotPath>& paths, const VisitTable& visits, Spot start, Cost most,
                       uint64_t budget, SpotPath& path) {
    most = std::min(most, kMaxCost);
    query_ = {&walker, &paths, &visits, most};
    labels_.begin(visits);
    const auto at_goal = visits.at(walker.goal);
    if (!at_goal.empty() && at_goal.back().to == kForever) return Status::kUnreachable;
    const Tick end = at_goal.empty() ? 0 : at_goal.back().to + 1;  // the goal is free from here on
    const Cost least = least_cost(walker.kind, end);
    rest_.begin(walker, start);
    if (std::max(rest_[start], least) > most || end > kMaxTicks) return Status::kUnreachable;
    queue_.begin(ground_->uniform(walker.kind) ? least << kTickBits | end : 0, kGapHaste);
    const Node goal = Node{walker.goal} << 32 | at_goal.size(), first = Node{start} << 32;
    BestFirst search(Gaps{this}, Rest{this}, OneGoal<Node>{goal}, labels_, queue_, kGapHaste);
    search.start(first);
    const Status status = search.run(budget);
    expansions_ += search.expansions();
    if (status != Status::kFound) return status;
    trace(search, goal, first, path);
    return status;
}

void GapSearch::trace(const auto& search, Node goal, Node start, SpotPath& path) const {
    path.resize(size_t{tick_of(search.goal_cost())} + 1);
    size_t end = path.size();
    search.walk_back(
        goal, [=](Node node) { return node == start; },
        [&](Node node) {
            const Tick came = tick_of(labels_.g(node));
            std::fill(path.begin() + came, path.begin() + static_cast<ptrdiff_t>(end), spot_of(node));
            end = came;
        });
}

size_t GapSearch::bytes() const { return labels_.bytes() + queue_.bytes() + rest_.bytes(); }

}  // namespace terrane
