#include "crowd/swarm/shared_goals.h"

#include <algorithm>
#include <tuple>

#include "terrane/base/rng.h"
#include "terrane/overlay/prepared_overlay.h"

namespace terrane::detail {

namespace {

// Smallest group that shares a portal tree. Break-even is at 25 to 47 agents: a tree takes 0.2, 0.9 and 3.2 ms on islands of 512, 1024 and
// 2048 cells a side, and saves each agent 10 of 14, 25 of 34 and 97 of 115 us (two agent types, Intel Xeon).
constexpr size_t kMinGroupSize = 32;

// Memory limit for the labels of all trees. A single tree may exceed it.
constexpr size_t kMaxTreeBytes = size_t{8} << 20;
constexpr size_t kLabelBytes = 17;  // per portal id
// Ticks for which an unused tree is kept.
constexpr Tick kMaxIdleTicks = 60;

constexpr size_t kBuckets = 4096;

size_t bucket_of(const CrowdAgent& state) { return mix64(uint64_t{state.goal} << 16 | state.type) % kBuckets; }

const PortalOverlay* overlay_of(const Crowd& crowd, uint16_t type) {
    const PreparedData* prepared = crowd.world().prepared({}, crowd.ground(type));
    const PreparedOverlay* data = prepared == nullptr ? nullptr : prepared->as<PreparedOverlay>();
    return data == nullptr ? nullptr : &data->overlay;
}

}  // namespace

bool GoalGroups::begin(const Crowd& crowd, size_t queued) {
    requesters_.clear();
    candidates_.clear();
    members_.clear();
    has_overlay_.assign(crowd.types().size(), 0);
    if (queued < kMinGroupSize) return false;
    bool any = false;
    for (size_t type = 0; type < crowd.types().size(); ++type) {
        has_overlay_[type] = overlay_of(crowd, static_cast<uint16_t>(type)) != nullptr ? 1 : 0;
        any = any || has_overlay_[type] != 0;
    }
    bucket_sizes_.assign(kBuckets, 0);
    counted_in_.resize(crowd.agents().size(), 0);
    ++count_id_;
    return any;
}

void GoalGroups::add(const Crowd& crowd, AgentId agent) {
    if (has_overlay_[crowd.agents()[agent].type] == 0 || counted_in_[agent] == count_id_) return;
    counted_in_[agent] = count_id_;
    requesters_.push_back(agent);
    ++bucket_sizes_[bucket_of(crowd.agents()[agent])];
}

void GoalGroups::group(const Crowd& crowd) {
    for (uint32_t candidate = 0; candidate < requesters_.size(); ++candidate) {
        const CrowdAgent& state = crowd.agents()[requesters_[candidate]];
        if (bucket_sizes_[bucket_of(state)] >= kMinGroupSize) candidates_.push_back(candidate);
    }
    std::sort(candidates_.begin(), candidates_.end(), [&](uint32_t a, uint32_t b) {
        const CrowdAgent &one = crowd.agents()[requesters_[a]], &two = crowd.agents()[requesters_[b]];
        return std::tie(one.type, one.goal, a) < std::tie(two.type, two.goal, b);
    });
    for (const uint32_t candidate : candidates_) members_.push_back(requesters_[candidate]);
}

std::span<const AgentId> GoalGroups::group_of(const Crowd& crowd, AgentId agent) const {
    if (members_.empty()) return {};
    const auto before = [&](AgentId a, AgentId b) {
        const CrowdAgent &one = crowd.agents()[a], &two = crowd.agents()[b];
        return std::tie(one.type, one.goal) < std::tie(two.type, two.goal);
    };
    const auto [first, last] = std::equal_range(members_.begin(), members_.end(), agent, before);
    const auto size = static_cast<size_t>(last - first);
    if (size < kMinGroupSize) return {};
    return {&*first, size};
}

size_t GoalGroups::bytes() const {
    return has_overlay_.capacity() +
           (counted_in_.capacity() + requesters_.capacity() + bucket_sizes_.capacity() + candidates_.capacity() + members_.capacity()) * 4;
}

PortalTree* GoalTrees::get(const Crowd& crowd, uint16_t type, CellId goal) {
    const PortalOverlay* overlay = overlay_of(crowd, type);
    if (overlay == nullptr) return nullptr;
    for (const auto& entry : trees_) {
        if (entry->type != type || entry->goal != goal || &entry->tree.overlay().data() != &overlay->data()) continue;
        entry->last_used = crowd.ticks();
        return &entry->tree;
    }
    const size_t max_bytes = (size_t{overlay->data().segment_count()} << overlay->data().shift) * kLabelBytes;
    make_room(max_bytes);
    auto entry = std::make_unique<Entry>(Entry{type, goal, crowd.ticks(), max_bytes, {}});
    entry->tree.begin(*overlay, crowd.layout().cell(goal));
    trees_.push_back(std::move(entry));
    return &trees_.back()->tree;
}

// Evicts the least recently used tree first; of several, the oldest.
void GoalTrees::make_room(size_t bytes) {
    for (const auto& entry : trees_) bytes += entry->max_bytes;
    while (!trees_.empty() && bytes > kMaxTreeBytes) {
        const auto oldest =
            std::min_element(trees_.begin(), trees_.end(), [](const auto& a, const auto& b) { return a->last_used < b->last_used; });
        bytes -= (*oldest)->max_bytes;
        trees_.erase(oldest);
    }
}

void GoalTrees::discard_stale(const Crowd& crowd, const PortalTree* tree_in_use) {
    std::erase_if(trees_, [&](const auto& entry) {
        if (&entry->tree == tree_in_use) return false;
        const bool idle = crowd.ticks() - entry->last_used > kMaxIdleTicks;
        return idle || !entry->tree.overlay().valid_for(crowd.ground(entry->type));
    });
}

size_t GoalTrees::bytes() const {
    size_t sum = trees_.capacity() * sizeof(trees_[0]);
    for (const auto& entry : trees_) sum += sizeof(Entry) + entry->tree.bytes();
    return sum;
}

}  // namespace terrane::detail
