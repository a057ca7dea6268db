#include "crowd/lacam/configuration_search.h"

#include <algorithm>
#include <numeric>

#include "terrane/base/assert.h"

namespace terrane {

ConfigurationSearch::ConfigurationSearch(const CrowdGround& ground, GoalFields& fields, std::span<const Walker> walkers,
                                         std::span<const Spot> start, std::span<const Cost> alone, const StepMaker::Options& options)
    : ground_(&ground),
      walkers_(walkers),
      maker_(ground, fields, options),
      rng_(mix64(options.seed)),
      rank_(walkers.size()),
      slots_(1024, kNoNode),
      order_(walkers.size()),
      keys_(walkers.size()),
      to_(walkers.size()) {
    std::iota(order_.begin(), order_.end(), AgentId{0});
    std::sort(order_.begin(), order_.end(), [&](AgentId a, AgentId b) { return alone[a] != alone[b] ? alone[a] < alone[b] : a > b; });
    for (uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
    open_.push_back(add(kNoNode, start, hash(start)));
    if (arrived(start)) goal_ = 0;
}

uint64_t ConfigurationSearch::hash(std::span<const Spot> spots) const {
    uint64_t hash = 0;
    for (size_t i = 0; i < spots.size(); ++i) hash += mix64(uint64_t{i} << 32 | spots[i]);
    return hash;
}

// Where a configuration is, or belongs.
size_t ConfigurationSearch::slot(std::span<const Spot> wanted, uint64_t hash) const {
    size_t i = static_cast<size_t>(hash) & (slots_.size() - 1);
    while (slots_[i] != kNoNode && (nodes_[slots_[i]].hash != hash || !std::ranges::equal(spots(slots_[i]), wanted)))
        i = (i + 1) & (slots_.size() - 1);
    return i;
}

void ConfigurationSearch::grow_slots() {
    slots_.assign(slots_.size() * 2, kNoNode);
    for (NodeId node = 0; node < nodes_.size(); ++node) slots_[slot(spots(node), nodes_[node].hash)] = node;
}

ConfigurationSearch::NodeId ConfigurationSearch::add(NodeId parent, std::span<const Spot> at, uint64_t hash) {
    if (nodes_.size() * 2 >= slots_.size()) grow_slots();
    const auto node = static_cast<NodeId>(nodes_.size());
    slots_[slot(at, hash)] = node;
    nodes_.push_back({parent, 0, hash, {}});
    for (size_t i = 0; i < at.size(); ++i) {
        const bool home = !walkers_[i].must || at[i] == walkers_[i].goal;
        const uint32_t before = parent == kNoNode ? 0 : waited_[size_t{parent} * at.size() + i];
        waited_.push_back(static_cast<uint16_t>(home ? 0 : std::min(before + 1, 0xffffu)));
    }
    spots_.insert(spots_.end(), at.begin(), at.end());
    return node;
}

bool ConfigurationSearch::arrived(std::span<const Spot> spots) const {
    for (size_t i = 0; i < spots.size(); ++i) {
        if (walkers_[i].must && spots[i] != walkers_[i].goal) return false;
    }
    return true;
}

// Those who have been on their way for longest first; then those who had furthest to go.
void ConfigurationSearch::put_in_order(NodeId node) {
    if (ordered_ == node) return;
    ordered_ = node;
    for (size_t i = 0; i < walkers_.size(); ++i) {
        const uint64_t waited = waited_[size_t{node} * walkers_.size() + i];
        keys_[i] = (walkers_[i].must ? uint64_t{1} << 63 : 0) | waited << 32 | rank_[i];
    }
    std::sort(order_.begin(), order_.end(), [&](AgentId a, AgentId b) { return keys_[a] != keys_[b] ? keys_[a] > keys_[b] : a < b; });
}

// The constraints below one: every place where the next agent in order could go, shuffled.
void ConfigurationSearch::branch(NodeId id, uint32_t parent) {
    Node& node = nodes_[id];
    const uint32_t depth = parent == kNoNode ? 0 : node.constraints[parent].depth + 1;
    if (depth >= walkers_.size()) return;
    const AgentId agent = order_[depth];
    const Spot from = spots(id)[agent];
    const size_t first = node.constraints.size();
    node.constraints.push_back({parent, depth, agent, from});
    for (uint32_t moves = ground_->legal(walkers_[agent].kind, from); moves != 0; moves &= moves - 1) {
        const Spot to = ground_->neighbour(from, static_cast<Move>(std::countr_zero(moves)));
        node.constraints.push_back({parent, depth, agent, to});
    }
    for (size_t i = node.constraints.size() - 1; i > first; --i) {
        std::swap(node.constraints[i], node.constraints[first + rng_.below(static_cast<uint32_t>(i - first + 1))]);
    }
}

// The next successor of a node, into to_. The first time nothing is asked of it; then the constraints, breadth first.
bool ConfigurationSearch::next_step(NodeId id) {
    const uint32_t constraint = nodes_[id].next++ - 1;  // kNoNode the first time
    put_in_order(id);
    branch(id, constraint);
    std::fill(to_.begin(), to_.end(), kNoSpot);
    for (uint32_t c = constraint; c != kNoNode; c = nodes_[id].constraints[c].parent) {
        to_[nodes_[id].constraints[c].agent] = nodes_[id].constraints[c].spot;
    }
    expansions_ += walkers_.size();
    return maker_.make(walkers_, spots(id), order_, to_);
}

void ConfigurationSearch::step_to(NodeId from) {
    const uint64_t key = hash(to_);
    const NodeId known = slots_[slot(to_, key)];
    open_.push_back(known != kNoNode ? known : add(from, to_, key));
    if (known == kNoNode && arrived(to_)) goal_ = open_.back();
}

Status ConfigurationSearch::run(uint64_t budget) {
    const uint64_t limit = budget > ~uint64_t{0} - expansions_ ? ~uint64_t{0} : expansions_ + budget;
    while (goal_ == kNoNode && !open_.empty()) {
        if (expansions_ >= limit) return Status::kBudgetSpent;
        const NodeId node = open_.back();
        if (nodes_[node].next > nodes_[node].constraints.size()) {
            open_.pop_back();
        } else if (next_step(node)) {
            step_to(node);
        }
    }
    return goal_ != kNoNode ? Status::kFound : Status::kUnreachable;
}

std::vector<std::vector<Spot>> ConfigurationSearch::plan() const {
    TERRANE_ASSERT(goal_ != kNoNode);
    std::vector<NodeId> nodes;
    for (NodeId node = goal_; node != kNoNode; node = nodes_[node].parent) nodes.push_back(node);
    std::vector<std::vector<Spot>> plan;
    plan.reserve(nodes.size());
    for (size_t i = nodes.size(); i-- > 0;) plan.emplace_back(spots(nodes[i]).begin(), spots(nodes[i]).end());
    return plan;
}

size_t ConfigurationSearch::bytes() const {
    size_t bytes = maker_.bytes() + nodes_.capacity() * sizeof(Node) + spots_.capacity() * sizeof(Spot) + waited_.capacity() * 2;
    for (const Node& node : nodes_) bytes += node.constraints.capacity() * sizeof(Constraint);
    return bytes + (slots_.capacity() + open_.capacity()) * sizeof(NodeId) + rank_.capacity() * sizeof(uint32_t) +
           order_.capacity() * sizeof(AgentId) + keys_.capacity() * sizeof(uint64_t) + to_.capacity() * sizeof(Spot);
}

}  // namespace terrane
