#include "crowd/lane_fields.h"

#include <algorithm>
#include <bit>

#include "crowd/four_ways.h"

namespace terrane {

namespace {

constexpr size_t kMostLaneBytes = size_t{32} << 20;
constexpr uint64_t kSpotsAnExpansion = 8;  // that are flooded in the time of one expansion

}  // namespace

bool LaneFields::fit(const CrowdGround& ground, std::span<const Walker> walkers) {
    const auto uniform = [&](const Walker& walker) { return ground.uniform(walker.kind); };
    return walkers.size() * ground.size() * sizeof(uint16_t) <= kMostLaneBytes && std::ranges::all_of(walkers, uniform);
}

LaneFields::LaneFields(const CrowdGround& ground, std::span<const Walker> walkers, std::span<const Spot> start)
    : ground_(&ground), walkers_(walkers), start_(start), home_(ground.size(), 0), flow_(size_t{ground.size()} * 4, 0) {
    for (const Walker& walker : walkers) {
        if (walker.field != kNoField) home_[walker.goal] = 1;
    }
    fields_.reserve(walkers.size());
    for (size_t kind = 0; kind < ground.kinds(); ++kind) ways_.push_back(detail::four_ways(ground, static_cast<uint16_t>(kind)));
}

uint64_t LaneFields::add_next() {
    const auto agent = static_cast<AgentId>(fields_.size());
    std::vector<uint16_t>& field = fields_.emplace_back();
    if (walkers_[agent].field == kNoField) return 1;
    field.assign(size_t{ground_->size()} + 1, kNoWay);
    field.back() = 0;  // nothing to be gained where no move leads
    flood(agent, field);
    if (field[start_[agent]] == kNoWay) {
        all_lead_home_ = false;
    } else {
        leave_trail(agent, field);
    }
    return ground_->size() / kSpotsAnExpansion + 1;
}

// Dial's algorithm from the goal: a ring of buckets, one for each cost that is open.
void LaneFields::flood(AgentId agent, std::vector<uint16_t>& field) {
    const Spot* const ways = ways_[walkers_[agent].kind].data();
    uint16_t* const known = field.data();
    known[walkers_[agent].goal] = 0;
    buckets_[0].push_back(walkers_[agent].goal);
    size_t open = 1;
    for (uint32_t cost = 0; open > 0; ++cost) {
        std::vector<Spot>& bucket = buckets_[cost % kBuckets];
        for (const Spot to : bucket) {
            if (known[to] != cost) continue;
            const uint32_t here = cost + entry(agent, to);
            for (Move away = 0; away < 4; ++away) {
                const Spot from = ways[size_t{to} * 4 + away];
                const uint32_t whole = here + against(to, away);
                if (whole >= known[from]) continue;
                known[from] = static_cast<uint16_t>(whole);
                buckets_[whole % kBuckets].push_back(from);
                ++open;
            }
        }
        open -= bucket.size();
        bucket.clear();
    }
}

// Those who choose later know which way this one means to go.
void LaneFields::leave_trail(AgentId agent, const std::vector<uint16_t>& field) {
    for (Spot at = start_[agent]; at != walkers_[agent].goal;) {
        uint32_t least = 0xffffffff;
        Move best = 0;
        for (uint32_t moves = ground_->legal(walkers_[agent].kind, at); moves != 0; moves &= moves - 1) {
            const auto move = static_cast<Move>(std::countr_zero(moves));
            const Spot to = ground_->neighbour(at, move);
            if (field[to] == kNoWay) continue;
            const uint32_t whole = field[to] + entry(agent, to) + against(to, static_cast<Move>((move + 2) % 4));
            if (whole >= least) continue;
            least = whole;
            best = move;
        }
        if (flow_[size_t{at} * 4 + best] < kMostAgainst) ++flow_[size_t{at} * 4 + best];
        at = ground_->neighbour(at, best);
    }
}

size_t LaneFields::bytes() const {
    size_t bytes = home_.capacity() + flow_.capacity() + fields_.capacity() * sizeof(std::vector<uint16_t>);
    for (const auto& field : fields_) bytes += field.capacity() * sizeof(uint16_t);
    for (const auto& bucket : buckets_) bytes += bucket.capacity() * sizeof(Spot);
    for (const auto& ways : ways_) bytes += ways.capacity() * sizeof(Spot);
    return bytes;
}

}  // namespace terrane
