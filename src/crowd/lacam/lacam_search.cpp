#include "crowd/lacam/lacam_search.h"

#include <algorithm>
#include <numeric>

#include "terrane/base/assert.h"

namespace terrane {

LacamSearch::LacamSearch(const CrowdGround& ground, GoalFields& fields, std::span<const Walker> walkers, std::span<const Spot> start,
                         std::span<const Cost> individual_costs, const ConstrainedPibt::Options& options)
    : ground_(&ground),
      walkers_(walkers),
      pibt_(ground, fields, options),
      rng_(mix64(options.seed)),
      initial_priority_(walkers.size()),
      slots_(1024, kNoNode),
      order_(walkers.size()),
      keys_(walkers.size()),
      to_(walkers.size()) {
    std::iota(order_.begin(), order_.end(), AgentId{0});
    std::sort(order_.begin(), order_.end(), [&](AgentId a, AgentId b) {
        return individual_costs[a] != individual_costs[b] ? individual_costs[a] < individual_costs[b] : a > b;
    });
    for (uint32_t i = 0; i < order_.size(); ++i) initial_priority_[order_[i]] = i;
    open_.push_back(add_node(kNoNode, start, hash(start)));
    if (is_goal(start)) goal_ = 0;
}

uint64_t LacamSearch::hash(std::span<const Spot> spots) const {
    uint64_t hash = 0;
    for (size_t i = 0; i < spots.size(); ++i) hash += mix64(uint64_t{i} << 32 | spots[i]);
    return hash;
}

// The slot that holds a configuration, or the free slot where it belongs.
size_t LacamSearch::slot(std::span<const Spot> wanted, uint64_t hash) const {
    size_t i = static_cast<size_t>(hash) & (slots_.size() - 1);
    while (slots_[i] != kNoNode && (nodes_[slots_[i]].hash != hash || !std::ranges::equal(spots(slots_[i]), wanted)))
        i = (i + 1) & (slots_.size() - 1);
    return i;
}

void LacamSearch::grow_slots() {
    slots_.assign(slots_.size() * 2, kNoNode);
    for (NodeId node = 0; node < nodes_.size(); ++node) slots_[slot(spots(node), nodes_[node].hash)] = node;
}

LacamSearch::NodeId LacamSearch::add_node(NodeId parent, std::span<const Spot> at, uint64_t hash) {
    if (nodes_.size() * 2 >= slots_.size()) grow_slots();
    const auto node = static_cast<NodeId>(nodes_.size());
    slots_[slot(at, hash)] = node;
    nodes_.push_back({parent, 0, hash, {}});
    for (size_t i = 0; i < at.size(); ++i) {
        const bool at_goal = !walkers_[i].must_arrive || at[i] == walkers_[i].goal;
        const uint32_t before = parent == kNoNode ? 0 : elapsed_[size_t{parent} * at.size() + i];
        elapsed_.push_back(static_cast<uint16_t>(at_goal ? 0 : std::min(before + 1, 0xffffu)));
    }
    spots_.insert(spots_.end(), at.begin(), at.end());
    return node;
}

bool LacamSearch::is_goal(std::span<const Spot> spots) const {
    for (size_t i = 0; i < spots.size(); ++i) {
        if (walkers_[i].must_arrive && spots[i] != walkers_[i].goal) return false;
    }
    return true;
}

// Agents that must arrive come first; then by ticks since the agent was at its goal; then by initial priority.
void LacamSearch::sort_by_priority(NodeId node) {
    if (ordered_ == node) return;
    ordered_ = node;
    for (size_t i = 0; i < walkers_.size(); ++i) {
        const uint64_t elapsed = elapsed_[size_t{node} * walkers_.size() + i];
        keys_[i] = (walkers_[i].must_arrive ? uint64_t{1} << 63 : 0) | elapsed << 32 | initial_priority_[i];
    }
    std::sort(order_.begin(), order_.end(), [&](AgentId a, AgentId b) { return keys_[a] != keys_[b] ? keys_[a] > keys_[b] : a < b; });
}

// Adds the children of a constraint, shuffled: every spot that the next agent in priority order can go to.
void LacamSearch::add_constraints(NodeId id, uint32_t parent) {
    Node& node = nodes_[id];
    const uint32_t depth = parent == kNoNode ? 0 : node.constraints[parent].depth + 1;
    if (depth >= walkers_.size()) return;
    const AgentId agent = order_[depth];
    const Spot from = spots(id)[agent];
    const size_t first = node.constraints.size();
    node.constraints.push_back({parent, depth, agent, from});
    for (uint32_t moves = ground_->legal(walkers_[agent].type, from); moves != 0; moves &= moves - 1) {
        const Spot to = ground_->neighbour(from, static_cast<Move>(std::countr_zero(moves)));
        node.constraints.push_back({parent, depth, agent, to});
    }
    for (size_t i = node.constraints.size() - 1; i > first; --i) {
        std::swap(node.constraints[i], node.constraints[first + rng_.below(static_cast<uint32_t>(i - first + 1))]);
    }
}

// Generates the next successor of a node into to_: without constraints first, then under each constraint, breadth first. False: PIBT
// found none.
bool LacamSearch::generate_successor(NodeId id) {
    const uint32_t constraint = nodes_[id].next++ - 1;  // kNoNode the first time
    sort_by_priority(id);
    add_constraints(id, constraint);
    std::fill(to_.begin(), to_.end(), kNoSpot);
    for (uint32_t c = constraint; c != kNoNode; c = nodes_[id].constraints[c].parent) {
        to_[nodes_[id].constraints[c].agent] = nodes_[id].constraints[c].spot;
    }
    expansions_ += walkers_.size();
    return pibt_.step(walkers_, spots(id), order_, to_);
}

void LacamSearch::push_successor(NodeId from) {
    const uint64_t key = hash(to_);
    const NodeId known = slots_[slot(to_, key)];
    open_.push_back(known != kNoNode ? known : add_node(from, to_, key));
    if (known == kNoNode && is_goal(to_)) goal_ = open_.back();
}

Status LacamSearch::run(uint64_t budget) {
    const uint64_t limit = budget > ~uint64_t{0} - expansions_ ? ~uint64_t{0} : expansions_ + budget;
    while (goal_ == kNoNode && !open_.empty()) {
        if (expansions_ >= limit) return Status::kBudgetSpent;
        const NodeId node = open_.back();
        if (nodes_[node].next > nodes_[node].constraints.size()) {
            open_.pop_back();
        } else if (generate_successor(node)) {
            push_successor(node);
        }
    }
    return goal_ != kNoNode ? Status::kFound : Status::kUnreachable;
}

std::vector<std::vector<Spot>> LacamSearch::plan() const {
    TERRANE_ASSERT(goal_ != kNoNode);
    std::vector<NodeId> nodes;
    for (NodeId node = goal_; node != kNoNode; node = nodes_[node].parent) nodes.push_back(node);
    std::vector<std::vector<Spot>> plan;
    plan.reserve(nodes.size());
    for (size_t i = nodes.size(); i-- > 0;) plan.emplace_back(spots(nodes[i]).begin(), spots(nodes[i]).end());
    return plan;
}

size_t LacamSearch::bytes() const {
    size_t bytes = pibt_.bytes() + nodes_.capacity() * sizeof(Node) + spots_.capacity() * sizeof(Spot) + elapsed_.capacity() * 2;
    for (const Node& node : nodes_) bytes += node.constraints.capacity() * sizeof(Constraint);
    return bytes + (slots_.capacity() + open_.capacity()) * sizeof(NodeId) + initial_priority_.capacity() * sizeof(uint32_t) +
           order_.capacity() * sizeof(AgentId) + keys_.capacity() * sizeof(uint64_t) + to_.capacity() * sizeof(Spot);
}

}  // namespace terrane
