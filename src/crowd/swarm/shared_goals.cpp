#include "crowd/swarm/shared_goals.h"

#include <algorithm>
#include <tuple>

#include "terrane/base/rng.h"
#include "terrane/overlay/overlay_data.h"

namespace terrane::detail {

namespace {

// So many agents share a goal. A whole tree takes 0.2, 0.9 and 3.2 ms on islands of 512, 1024 and 2048 cells a side, and saves each who
// reads its way off it 10, 25 and 97 us of 14, 34 and 115: it pays off from 25 to 47 agents on, whatever the size of the map, since
// searches get longer with it, too. (Two kinds on each, Intel Xeon.) Where they are near their goal, it takes less of a tree.
constexpr size_t kLeastSharing = 32;

// The labels of all trees together, at most; a tree that is larger is the only one.
constexpr size_t kTreeBytes = size_t{8} << 20;
constexpr size_t kLabelBytes = 17;  // by number of a portal
// For so long a tree is kept that nobody asks for.
constexpr Tick kKeptTicks = 60;

constexpr size_t kCounts = 4096;

size_t count_of(const CrowdAgent& who) { return mix64(uint64_t{who.goal} << 16 | who.kind) % kCounts; }

const PortalOverlay* overlay_of(const Crowd& crowd, uint16_t kind) {
    const PreparedData* prepared = crowd.world().prepared({}, crowd.ground(kind));
    const OverlayData* data = prepared == nullptr ? nullptr : prepared->as<OverlayData>();
    return data == nullptr ? nullptr : &data->overlay;
}

}  // namespace

bool GoalGroups::begin(const Crowd& crowd, size_t queued) {
    asking_.clear();
    places_.clear();
    members_.clear();
    shares_.assign(crowd.kinds().size(), 0);
    if (queued < kLeastSharing) return false;
    bool any = false;
    for (size_t kind = 0; kind < crowd.kinds().size(); ++kind) {
        shares_[kind] = overlay_of(crowd, static_cast<uint16_t>(kind)) != nullptr ? 1 : 0;
        any = any || shares_[kind] != 0;
    }
    counts_.assign(kCounts, 0);
    noted_.resize(crowd.agents().size(), 0);
    ++counted_;
    return any;
}

void GoalGroups::note(const Crowd& crowd, AgentId agent) {
    if (shares_[crowd.agents()[agent].kind] == 0 || noted_[agent] == counted_) return;
    noted_[agent] = counted_;
    asking_.push_back(agent);
    ++counts_[count_of(crowd.agents()[agent])];
}

void GoalGroups::group(const Crowd& crowd) {
    for (uint32_t place = 0; place < asking_.size(); ++place) {
        const CrowdAgent& who = crowd.agents()[asking_[place]];
        if (counts_[count_of(who)] >= kLeastSharing) places_.push_back(place);
    }
    std::sort(places_.begin(), places_.end(), [&](uint32_t a, uint32_t b) {
        const CrowdAgent &one = crowd.agents()[asking_[a]], &two = crowd.agents()[asking_[b]];
        return std::tie(one.kind, one.goal, a) < std::tie(two.kind, two.goal, b);
    });
    for (const uint32_t place : places_) members_.push_back(asking_[place]);
}

std::span<const AgentId> GoalGroups::sharing_with(const Crowd& crowd, AgentId agent) const {
    if (members_.empty()) return {};
    const auto before = [&](AgentId a, AgentId b) {
        const CrowdAgent &one = crowd.agents()[a], &two = crowd.agents()[b];
        return std::tie(one.kind, one.goal) < std::tie(two.kind, two.goal);
    };
    const auto [first, last] = std::equal_range(members_.begin(), members_.end(), agent, before);
    const auto size = static_cast<size_t>(last - first);
    if (size < kLeastSharing) return {};
    return {&*first, size};
}

size_t GoalGroups::bytes() const {
    return shares_.capacity() +
           (noted_.capacity() + asking_.capacity() + counts_.capacity() + places_.capacity() + members_.capacity()) * 4;
}

PortalTree* GoalTrees::get(const Crowd& crowd, uint16_t kind, CellId goal) {
    const PortalOverlay* overlay = overlay_of(crowd, kind);
    if (overlay == nullptr) return nullptr;
    for (const auto& entry : trees_) {
        if (entry->kind != kind || entry->goal != goal || &entry->tree.overlay().root() != &overlay->root()) continue;
        entry->used = crowd.ticks();
        return &entry->tree;
    }
    const size_t most = (size_t{overlay->root().segment_count()} << overlay->root().shift) * kLabelBytes;
    make_room(most);
    auto entry = std::make_unique<Entry>(Entry{kind, goal, crowd.ticks(), most, {}});
    entry->tree.begin(*overlay, crowd.layout().cell(goal));
    trees_.push_back(std::move(entry));
    return &trees_.back()->tree;
}

// The one asked for longest ago goes first; of those, the one made first.
void GoalTrees::make_room(size_t bytes) {
    for (const auto& entry : trees_) bytes += entry->most_bytes;
    while (!trees_.empty() && bytes > kTreeBytes) {
        const auto oldest = std::min_element(trees_.begin(), trees_.end(), [](const auto& a, const auto& b) { return a->used < b->used; });
        bytes -= (*oldest)->most_bytes;
        trees_.erase(oldest);
    }
}

void GoalTrees::drop_old(const Crowd& crowd, const PortalTree* in_use) {
    std::erase_if(trees_, [&](const auto& entry) {
        if (&entry->tree == in_use) return false;
        const bool idle = crowd.ticks() - entry->used > kKeptTicks;
        return idle || !entry->tree.overlay().valid_for(crowd.ground(entry->kind));
    });
}

size_t GoalTrees::bytes() const {
    size_t sum = trees_.capacity() * sizeof(trees_[0]);
    for (const auto& entry : trees_) sum += sizeof(Entry) + entry->tree.bytes();
    return sum;
}

}  // namespace terrane::detail
