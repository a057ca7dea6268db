#include "crowd/pibt/lane_fields.h"

#include <algorithm>
#include <bit>

#include "crowd/four_ways.h"

namespace terrane {

namespace {

constexpr size_t kMostLaneBytes = size_t{32} << 20;
constexpr uint64_t kSpotsAnExpansion = 8;  // that are flooded in the time of one expansion

// Steps that a field goes beyond its agent. Plans for 300 to 700 agents of the public benchmark are the same as with whole fields, those
// for 1,000 up to 2% cheaper. With 4, 10% dearer on random-32-32-20, half full, as more agents go round in circles there.
constexpr uint32_t kBeyond = 8;

}  // namespace

bool LaneFields::fit(const CrowdGround& ground, std::span<const Walker> walkers) {
    const auto uniform = [&](const Walker& walker) { return ground.uniform(walker.kind); };
    return walkers.size() * ground.size() * sizeof(uint16_t) <= kMostLaneBytes && std::ranges::all_of(walkers, uniform);
}

LaneFields::LaneFields(const CrowdGround& ground, std::span<const Walker> walkers, std::span<const Spot> start)
    : ground_(&ground), walkers_(walkers), start_(start), homes_(ground.size(), 0), steps_(size_t{ground.size()} * 4, kStep) {
    for (const Walker& walker : walkers) {
        if (walker.field == kNoField || homes_[walker.goal] != 0) continue;
        homes_[walker.goal] = kHome;
        for (size_t away = 0; away < 4; ++away) steps_[size_t{walker.goal} * 4 + away] = kStep + kHome;
    }
    fields_.reserve(walkers.size());
    for (size_t kind = 0; kind < ground.kinds(); ++kind) ways_.push_back(detail::four_ways(ground, static_cast<uint16_t>(kind)));
}

uint64_t LaneFields::add_next() {
    const auto agent = static_cast<AgentId>(fields_.size());
    Field& field = fields_.emplace_back();
    if (walkers_[agent].field == kNoField) return 1;
    field.rest.assign(size_t{ground_->size()} + 1, kNoWay);
    field.rest.back() = 0;  // nothing to be gained where no move leads
    flood(agent);
    if (field.rest[start_[agent]] == kNoWay) {
        all_lead_home_ = false;
    } else {
        leave_trail(agent);
    }
    return ground_->size() / kSpotsAnExpansion + 1;
}

void LaneFields::flood(AgentId agent) {
    const Spot goal = walkers_[agent].goal;
    uint16_t* const known = fields_[agent].rest.data();
    known[goal] = 0;
    waiting_.resize(std::max<size_t>(waiting_.size(), 4 + 1));
    const Spot* const ways = ways_[walkers_[agent].kind].data();
    go_on(agent, 1, kBeyond, spread(ways, goal, 0u - kHome, known, 0));  // its own home costs nothing
}

// From all that had been come to, but not gone on from.
void LaneFields::complete(AgentId agent) {
    Field& field = fields_[agent];
    const uint32_t level = field.final_below / kStep;
    waiting_.resize(std::max(waiting_.size(), field.rest.size()));
    size_t waiting = 0;
    for (Spot spot = 0; spot < ground_->size(); ++spot) {
        waiting_[waiting] = spot;
        waiting += field.rest[spot] >= field.final_below && field.rest[spot] != kNoWay ? 1 : 0;
    }
    field.final_below = kWhole;
    go_on(agent, level, kWhole, waiting);
}

// Dial's algorithm, in buckets as wide as a step: as no step costs less, what is in the first one is final. Nothing branches on what is
// found. With a vector for each cost that is open, as buckets usually are, it took twice as long. Up to so many buckets beyond the agent.
void LaneFields::go_on(AgentId agent, uint32_t level, uint32_t beyond, size_t waiting) {
    const Spot* const ways = ways_[walkers_[agent].kind].data();
    uint16_t* const known = fields_[agent].rest.data();
    for (; waiting > 0 && level <= known[start_[agent]] / kStep + beyond; ++level) {
        const auto [kept, now] = take_level(level, known, waiting);
        waiting = kept;
        if (waiting_.size() <= kept + now * 4) waiting_.resize((kept + now * 4) * 2 + 1);
        for (size_t i = 0; i < now; ++i) waiting = spread(ways, now_[i], known[now_[i]], known, waiting);
    }
    if (waiting > 0) fields_[agent].final_below = level * kStep;
}

// Moves those of one bucket to now_; how many still wait, and how many those are. Some may be there twice.
LaneFields::Taken LaneFields::take_level(uint32_t level, const uint16_t* known, size_t waiting) {
    if (now_.size() <= waiting) now_.resize(waiting * 2 + 1);
    Taken taken;
    for (size_t i = 0; i < waiting; ++i) {
        const Spot spot = waiting_[i];
        const uint32_t here = known[spot] / kStep;
        now_[taken.now] = spot;
        taken.now += here == level ? 1 : 0;
        waiting_[taken.kept] = spot;
        taken.kept += here > level ? 1 : 0;
    }
    return taken;
}

// To a spot, whose cost is known, from those beside it. Those that come to be in a bucket before the one they were in wait for it.
inline size_t LaneFields::spread(const Spot* ways, Spot to, uint32_t cost, uint16_t* known, size_t waiting) {
    Spot* const out = waiting_.data();
    const size_t first = size_t{to} * 4;
    const auto relax = [&](size_t away) {
        const Spot from = ways[first + away];
        const uint32_t whole = cost + steps_[first + away], before = known[from];
        known[from] = static_cast<uint16_t>(std::min(whole, before));
        out[waiting] = from;
        waiting += (whole | (kStep - 1)) < before ? 1 : 0;
    };
    relax(0);
    relax(1);
    relax(2);
    relax(3);
    return waiting;
}

// Those who choose later know which way this one means to go.
void LaneFields::leave_trail(AgentId agent) {
    const std::vector<uint16_t>& rest = fields_[agent].rest;
    for (Spot at = start_[agent]; at != walkers_[agent].goal;) {
        uint32_t least = 0xffffffff;
        Move best = 0;
        for (uint32_t moves = ground_->legal(walkers_[agent].kind, at); moves != 0; moves &= moves - 1) {
            const auto move = static_cast<Move>(std::countr_zero(moves));
            const Spot to = ground_->neighbour(at, move);
            if (rest[to] == kNoWay) continue;
            const uint32_t against = steps_[size_t{to} * 4 + (move + 2) % 4] - kStep - homes_[to];
            const uint32_t whole = rest[to] + entry(agent, to) + against;
            if (whole >= least) continue;
            least = whole;
            best = move;
        }
        uint8_t& back = steps_[size_t{at} * 4 + best];
        if (back < kStep + homes_[at] + kMostAgainst) ++back;
        at = ground_->neighbour(at, best);
    }
}

size_t LaneFields::bytes() const {
    size_t bytes = homes_.capacity() + steps_.capacity() + fields_.capacity() * sizeof(Field);
    for (const Field& field : fields_) bytes += field.rest.capacity() * sizeof(uint16_t);
    bytes += (waiting_.capacity() + now_.capacity()) * sizeof(Spot);
    for (const auto& ways : ways_) bytes += ways.capacity() * sizeof(Spot);
    return bytes;
}

}  // namespace terrane
