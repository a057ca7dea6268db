#include "crowd/pibt/step_maker.h"

#include <algorithm>
#include <utility>

#include "crowd/pibt/lane_fields.h"
#include "terrane/crowd/direction_map.h"

namespace terrane {

namespace {

// Below a choice's worth: whether someone stands there, then chance.
constexpr uint32_t kTieBits = 16;
constexpr uint64_t kTaken = 1u << (kTieBits - 1);

}  // namespace

StepMaker::StepMaker(const CrowdGround& ground, GoalFields& fields, const Options& options)
    : ground_(&ground),
      fields_(&fields),
      options_(options),
      rng_(options.seed),
      now_(ground.size(), kNoAgent),
      next_(ground.size(), kNoAgent) {}

bool StepMaker::make(std::span<const Walker> walkers, std::span<const Spot> from, std::span<const AgentId> order, std::span<Spot> to) {
    walkers_ = walkers;
    from_ = from;
    to_ = to;
    for (AgentId agent = 0; agent < from.size(); ++agent) now_[from[agent]] = agent;
    bool placed = take_given();
    for (size_t i = 0; i < order.size() && placed; ++i) {
        if (to[order[i]] == kNoSpot) placed = choose(order[i]);
    }
    for (AgentId agent = 0; agent < from.size(); ++agent) {
        now_[from[agent]] = kNoAgent;
        next_[from[agent]] = kNoAgent;  // of those who stayed after another had been given the place
        if (to[agent] != kNoSpot) next_[to[agent]] = kNoAgent;
    }
    return placed;
}

bool StepMaker::take_given() {
    for (AgentId agent = 0; agent < to_.size(); ++agent) {
        if (to_[agent] == kNoSpot) continue;
        if (!free_for(agent, to_[agent])) return false;
        next_[to_[agent]] = agent;
    }
    return true;
}

bool StepMaker::choose(AgentId first) {
    stack_.clear();
    open(first);
    bool placed = false;  // whoever chose last
    while (!stack_.empty()) {
        Frame& frame = stack_.back();
        const Outcome outcome = std::exchange(frame.asked, false) && placed ? Outcome::kPlaced : try_next(frame);
        if (outcome == Outcome::kAsked) {
            open(now_[to_[frame.agent]]);
            continue;
        }
        placed = outcome == Outcome::kPlaced;
        if (placed) {
            draw(frame);
        } else {
            stay(frame.agent);
        }
        stack_.pop_back();
    }
    return placed;
}

void StepMaker::open(AgentId agent) {
    Frame& frame = stack_.emplace_back();
    frame.agent = agent;
    rank(frame);
    if (!options_.swap) return;
    frame.drawn = swap_partner(frame);
    if (frame.drawn != kNoAgent) std::reverse(frame.choices.begin(), frame.choices.begin() + frame.count);
}

StepMaker::Outcome StepMaker::try_next(Frame& frame) {
    while (frame.tried < frame.count) {
        const Spot to = frame.choices[frame.tried++];
        if (!free_for(frame.agent, to)) continue;
        next_[to] = frame.agent;
        to_[frame.agent] = to;
        const AgentId there = now_[to];
        frame.asked = there != kNoAgent && there != frame.agent && to_[there] == kNoSpot;
        return frame.asked ? Outcome::kAsked : Outcome::kPlaced;
    }
    return Outcome::kStuck;
}

// The partner of a swap follows, where nobody else has its mind on the place.
void StepMaker::draw(const Frame& frame) {
    const Spot left = from_[frame.agent];
    if (frame.drawn == kNoAgent || frame.tried != 1 || to_[frame.drawn] != kNoSpot || next_[left] != kNoAgent) return;
    const Move move = ground_->move_between(from_[frame.drawn], left);
    if ((ground_->legal(walkers_[frame.drawn].kind, from_[frame.drawn]) >> move & 1) == 0 || !free_for(frame.drawn, left)) return;
    next_[left] = frame.drawn;
    to_[frame.drawn] = left;
}

void StepMaker::stay(AgentId agent) {
    next_[from_[agent]] = agent;
    to_[agent] = from_[agent];
}

bool StepMaker::free_for(AgentId agent, Spot to) const {
    if (next_[to] != kNoAgent) return false;
    const AgentId there = now_[to];
    if (there != kNoAgent && there != agent && to_[there] == from_[agent]) return false;
    return ground_->moves() == 4 || !crosses(agent, to);
}

bool StepMaker::crosses(AgentId agent, Spot to) const {
    const Move move = to == from_[agent] ? kNoMove : ground_->move_between(from_[agent], to);
    if (move < 4 || move == kNoMove) return false;
    const auto [one, other] = ground_->sides(from_[agent], move);
    if (one == kNoSpot || other == kNoSpot) return false;
    return (now_[one] != kNoAgent && to_[now_[one]] == other) || (now_[other] != kNoAgent && to_[now_[other]] == one);
}

// ---- What an agent would like best

void StepMaker::rank(Frame& frame) {
    const Walker& walker = walkers_[frame.agent];
    const Spot from = from_[frame.agent];
    std::array<uint64_t, 9> keys;
    const auto add = [&](uint64_t key, Spot spot) {
        size_t i = frame.count++;
        for (; i > 0 && keys[i - 1] > key; --i) {
            keys[i] = keys[i - 1];
            frame.choices[i] = frame.choices[i - 1];
        }
        keys[i] = key;
        frame.choices[i] = spot;
    };
    for (uint32_t moves = ground_->legal(walker.kind, from); moves != 0; moves &= moves - 1) {
        const auto move = static_cast<Move>(std::countr_zero(moves));
        const Spot to = ground_->neighbour(from, move);
        add((worth(frame.agent, from, move, to) << kTieBits) + tie(from, move, to), to);
    }
    add((worth_of_staying(frame.agent, from) << kTieBits), from);
}

// Of a move: less is better.
uint64_t StepMaker::worth(AgentId agent, Spot from, Move move, Spot to) {
    const Walker& walker = walkers_[agent];
    if (walker.field == kNoField) return 1;
    if (options_.lanes != nullptr) return options_.lanes->through(agent, to);
    if (ground_->uniform(walker.kind)) return fields_->nearer(walker.field, from, to) ? 0 : 2;
    if (!fields_->reaches(walker.field, to)) return kInfiniteCost >> (kTieBits + 1);
    return ground_->step_cost(walker.kind, from, move) + fields_->distance(walker.field, to);
}

uint64_t StepMaker::worth_of_staying(AgentId agent, Spot from) {
    const Walker& walker = walkers_[agent];
    if (walker.field == kNoField) return 0;
    if (options_.lanes != nullptr) return from == walker.goal ? 0 : options_.lanes->through(agent, from);
    if (ground_->uniform(walker.kind)) return 1;
    if (from == walker.goal) return 0;
    if (!fields_->reaches(walker.field, from)) return kInfiniteCost >> (kTieBits + 1);
    return ground_->wait_cost(walker.kind) + fields_->distance(walker.field, from);
}

uint64_t StepMaker::tie(Spot from, Move move, Spot to) {
    const uint64_t chance = rng_.below(16);
    const uint64_t taken = now_[to] != kNoAgent ? kTaken : 0;
    if (options_.flow == nullptr) return taken + chance;
    return taken + std::min<uint64_t>(options_.flow->scaled(ground_->cell(from), move, 256), 2047) * 16 + chance;
}

// ---- Swaps

bool StepMaker::nearer(AgentId agent, Spot from, Spot to) {
    if (walkers_[agent].field == kNoField) return false;
    if (options_.lanes != nullptr) return options_.lanes->rest(agent, to) < options_.lanes->rest(agent, from);
    return fields_->nearer(walkers_[agent].field, from, to);
}

// Who the agent should change places with, if anyone: the one on the cell that it wants, or one behind it whose way it is in.
AgentId StepMaker::swap_partner(const Frame& frame) {
    const AgentId agent = frame.agent;
    const Spot from = from_[agent], want = frame.choices[0];
    if (want == from) return kNoAgent;
    const AgentId there = now_[want];
    if (there != kNoAgent && to_[there] == kNoSpot && swap_needed(agent, there, from, want) && swap_possible(agent, want, from))
        return there;
    for (uint32_t moves = ground_->legal(walkers_[agent].kind, from); moves != 0; moves &= moves - 1) {
        const Spot beside = ground_->neighbour(from, static_cast<Move>(std::countr_zero(moves)));
        const AgentId behind = now_[beside];
        if (behind == kNoAgent || beside == want) continue;
        if (swap_needed(behind, agent, from, want) && swap_possible(agent, want, from)) return behind;
    }
    return kNoAgent;
}

// Whether the pusher cannot get where it wants without the puller, who wants to come the other way, in front of it.
bool StepMaker::swap_needed(AgentId pusher, AgentId puller, Spot at_pusher, Spot at_puller) {
    while (nearer(pusher, at_pusher, at_puller)) {
        const Ways ways = ways_on(walkers_[pusher].kind, at_puller, at_pusher);
        if (ways.count >= 2) return false;
        if (ways.count == 0) break;
        at_pusher = std::exchange(at_puller, ways.one);
    }
    return nearer(puller, at_puller, at_pusher) && (walkers_[pusher].goal == at_pusher || nearer(pusher, at_pusher, at_puller));
}

// Whether the corridor behind the puller comes to a place with room for two.
bool StepMaker::swap_possible(AgentId agent, Spot pusher, Spot puller) const {
    const Spot origin = pusher;
    while (puller != origin) {
        const Ways ways = ways_on(walkers_[agent].kind, puller, pusher);
        if (ways.count != 1) return ways.count >= 2;
        pusher = std::exchange(puller, ways.one);
    }
    return false;
}

// From a spot, other than back; without dead ends whose agent is at home.
StepMaker::Ways StepMaker::ways_on(uint16_t kind, Spot at, Spot behind) const {
    Ways ways;
    for (uint32_t moves = ground_->legal(kind, at); moves != 0; moves &= moves - 1) {
        const Spot to = ground_->neighbour(at, static_cast<Move>(std::countr_zero(moves)));
        if (to == behind) continue;
        const AgentId there = now_[to];
        if (there != kNoAgent && walkers_[there].goal == to && std::has_single_bit(ground_->legal(kind, to))) continue;
        ++ways.count;
        ways.one = to;
    }
    return ways;
}

size_t StepMaker::bytes() const { return (now_.capacity() + next_.capacity()) * sizeof(AgentId) + stack_.capacity() * sizeof(Frame); }

}  // namespace terrane
