#include "crowd/pibt/constrained_pibt.h"

#include <algorithm>
#include <utility>

#include "crowd/pibt/guidance_fields.h"
#include "terrane/crowd/direction_map.h"

namespace terrane {

namespace {

// The low bits of a candidate's key: whether it is occupied, then the direction map, then a random number.
constexpr uint32_t kTieBits = 16;
constexpr uint64_t kOccupied = 1u << (kTieBits - 1);

}  // namespace

ConstrainedPibt::ConstrainedPibt(const CrowdGround& ground, GoalFields& fields, const Options& options)
    : ground_(&ground),
      fields_(&fields),
      options_(options),
      rng_(options.seed),
      occupied_now_(ground.size(), kNoAgent),
      occupied_next_(ground.size(), kNoAgent) {}

bool ConstrainedPibt::step(std::span<const Walker> walkers, std::span<const Spot> from, std::span<const AgentId> order,
                           std::span<Spot> to) {
    walkers_ = walkers;
    from_ = from;
    to_ = to;
    for (AgentId agent = 0; agent < from.size(); ++agent) occupied_now_[from[agent]] = agent;
    bool assigned = apply_constraints();
    for (size_t i = 0; i < order.size() && assigned; ++i) {
        if (to[order[i]] == kNoSpot) assigned = assign(order[i]);
    }
    for (AgentId agent = 0; agent < from.size(); ++agent) {
        occupied_now_[from[agent]] = kNoAgent;
        occupied_next_[from[agent]] = kNoAgent;  // agents that stayed although another one has the spot
        if (to[agent] != kNoSpot) occupied_next_[to[agent]] = kNoAgent;
    }
    return assigned;
}

bool ConstrainedPibt::apply_constraints() {
    for (AgentId agent = 0; agent < to_.size(); ++agent) {
        if (to_[agent] == kNoSpot) continue;
        if (!free_for(agent, to_[agent])) return false;
        occupied_next_[to_[agent]] = agent;
    }
    return true;
}

bool ConstrainedPibt::assign(AgentId first) {
    stack_.clear();
    push_frame(first);
    bool assigned = false;  // the agent that chose last
    while (!stack_.empty()) {
        Frame& frame = stack_.back();
        const Outcome outcome = std::exchange(frame.inherited, false) && assigned ? Outcome::kAssigned : try_next_candidate(frame);
        if (outcome == Outcome::kInherits) {
            push_frame(occupied_now_[to_[frame.agent]]);
            continue;
        }
        assigned = outcome == Outcome::kAssigned;
        if (assigned) {
            pull_swap_partner(frame);
        } else {
            stay(frame.agent);
        }
        stack_.pop_back();
    }
    return assigned;
}

void ConstrainedPibt::push_frame(AgentId agent) {
    Frame& frame = stack_.emplace_back();
    frame.agent = agent;
    rank_candidates(frame);
    if (!options_.swap) return;
    frame.swap_partner = find_swap_partner(frame);
    if (frame.swap_partner != kNoAgent) std::reverse(frame.candidates.begin(), frame.candidates.begin() + frame.count);
}

ConstrainedPibt::Outcome ConstrainedPibt::try_next_candidate(Frame& frame) {
    while (frame.tried < frame.count) {
        const Spot to = frame.candidates[frame.tried++];
        if (!free_for(frame.agent, to)) continue;
        occupied_next_[to] = frame.agent;
        to_[frame.agent] = to;
        const AgentId there = occupied_now_[to];
        frame.inherited = there != kNoAgent && there != frame.agent && to_[there] == kNoSpot;
        return frame.inherited ? Outcome::kInherits : Outcome::kAssigned;
    }
    return Outcome::kFailed;
}

// Moves the swap partner to the spot that the agent leaves, if no other agent has chosen it.
void ConstrainedPibt::pull_swap_partner(const Frame& frame) {
    const Spot left = from_[frame.agent];
    if (frame.swap_partner == kNoAgent || frame.tried != 1 || to_[frame.swap_partner] != kNoSpot || occupied_next_[left] != kNoAgent)
        return;
    const Move move = ground_->move_between(from_[frame.swap_partner], left);
    if ((ground_->legal(walkers_[frame.swap_partner].type, from_[frame.swap_partner]) >> move & 1) == 0 ||
        !free_for(frame.swap_partner, left))
        return;
    occupied_next_[left] = frame.swap_partner;
    to_[frame.swap_partner] = left;
}

void ConstrainedPibt::stay(AgentId agent) {
    occupied_next_[from_[agent]] = agent;
    to_[agent] = from_[agent];
}

bool ConstrainedPibt::free_for(AgentId agent, Spot to) const {
    if (occupied_next_[to] != kNoAgent) return false;
    const AgentId there = occupied_now_[to];
    if (there != kNoAgent && there != agent && to_[there] == from_[agent]) return false;
    return ground_->moves() == 4 || !crosses(agent, to);
}

bool ConstrainedPibt::crosses(AgentId agent, Spot to) const {
    const Move move = to == from_[agent] ? kNoMove : ground_->move_between(from_[agent], to);
    if (move < 4 || move == kNoMove) return false;
    const auto [one, other] = ground_->sides(from_[agent], move);
    if (one == kNoSpot || other == kNoSpot) return false;
    return (occupied_now_[one] != kNoAgent && to_[occupied_now_[one]] == other) ||
           (occupied_now_[other] != kNoAgent && to_[occupied_now_[other]] == one);
}

// ---- Candidates

void ConstrainedPibt::rank_candidates(Frame& frame) {
    const Walker& walker = walkers_[frame.agent];
    const Spot from = from_[frame.agent];
    std::array<uint64_t, 9> keys;
    const auto add = [&](uint64_t key, Spot spot) {
        size_t i = frame.count++;
        for (; i > 0 && keys[i - 1] > key; --i) {
            keys[i] = keys[i - 1];
            frame.candidates[i] = frame.candidates[i - 1];
        }
        keys[i] = key;
        frame.candidates[i] = spot;
    };
    for (uint32_t moves = ground_->legal(walker.type, from); moves != 0; moves &= moves - 1) {
        const auto move = static_cast<Move>(std::countr_zero(moves));
        const Spot to = ground_->neighbour(from, move);
        add((move_cost(frame.agent, from, move, to) << kTieBits) + tie_break(from, move, to), to);
    }
    add((stay_cost(frame.agent, from) << kTieBits), from);
}

// The cost by which a move ranks among the candidates: lower is better.
uint64_t ConstrainedPibt::move_cost(AgentId agent, Spot from, Move move, Spot to) {
    const Walker& walker = walkers_[agent];
    if (walker.field == kNoField) return 1;
    if (options_.guidance != nullptr) return options_.guidance->cost_through(agent, to);
    if (ground_->uniform(walker.type)) return fields_->nearer(walker.field, from, to) ? 0 : 2;
    if (!fields_->reaches(walker.field, to)) return kInfiniteCost >> (kTieBits + 1);
    return ground_->step_cost(walker.type, from, move) + fields_->distance(walker.field, to);
}

uint64_t ConstrainedPibt::stay_cost(AgentId agent, Spot from) {
    const Walker& walker = walkers_[agent];
    if (walker.field == kNoField) return 0;
    if (options_.guidance != nullptr) return from == walker.goal ? 0 : options_.guidance->cost_through(agent, from);
    if (ground_->uniform(walker.type)) return 1;
    if (from == walker.goal) return 0;
    if (!fields_->reaches(walker.field, from)) return kInfiniteCost >> (kTieBits + 1);
    return ground_->wait_cost(walker.type) + fields_->distance(walker.field, from);
}

uint64_t ConstrainedPibt::tie_break(Spot from, Move move, Spot to) {
    const uint64_t chance = rng_.below(16);
    const uint64_t occupied = occupied_now_[to] != kNoAgent ? kOccupied : 0;
    if (options_.flow == nullptr) return occupied + chance;
    return occupied + std::min<uint64_t>(options_.flow->scaled(ground_->cell(from), move, 256), 2047) * 16 + chance;
}

// ---- Swaps

bool ConstrainedPibt::nearer(AgentId agent, Spot from, Spot to) {
    if (walkers_[agent].field == kNoField) return false;
    if (options_.guidance != nullptr) return options_.guidance->distance(agent, to) < options_.guidance->distance(agent, from);
    return fields_->nearer(walkers_[agent].field, from, to);
}

// The agent to swap with: the occupant of the best candidate, or an agent behind that this one blocks. kNoAgent: none.
AgentId ConstrainedPibt::find_swap_partner(const Frame& frame) {
    const AgentId agent = frame.agent;
    const Spot from = from_[agent], want = frame.candidates[0];
    if (want == from) return kNoAgent;
    const AgentId there = occupied_now_[want];
    if (there != kNoAgent && to_[there] == kNoSpot && swap_required(agent, there, from, want) && swap_possible(agent, want, from))
        return there;
    for (uint32_t moves = ground_->legal(walkers_[agent].type, from); moves != 0; moves &= moves - 1) {
        const Spot beside = ground_->neighbour(from, static_cast<Move>(std::countr_zero(moves)));
        const AgentId behind = occupied_now_[beside];
        if (behind == kNoAgent || beside == want) continue;
        if (swap_required(behind, agent, from, want) && swap_possible(agent, want, from)) return behind;
    }
    return kNoAgent;
}

// Whether the pusher can reach its goal only by passing the puller, which comes the other way. Follows the corridor ahead.
bool ConstrainedPibt::swap_required(AgentId pusher, AgentId puller, Spot at_pusher, Spot at_puller) {
    while (nearer(pusher, at_pusher, at_puller)) {
        const Exits ahead = exits(walkers_[pusher].type, at_puller, at_pusher);
        if (ahead.count >= 2) return false;
        if (ahead.count == 0) break;
        at_pusher = std::exchange(at_puller, ahead.last);
    }
    return nearer(puller, at_puller, at_pusher) && (walkers_[pusher].goal == at_pusher || nearer(pusher, at_pusher, at_puller));
}

// Whether the corridor behind the puller leads to a spot with at least two exits, where both can pass.
bool ConstrainedPibt::swap_possible(AgentId agent, Spot pusher, Spot puller) const {
    const Spot origin = pusher;
    while (puller != origin) {
        const Exits ahead = exits(walkers_[agent].type, puller, pusher);
        if (ahead.count != 1) return ahead.count >= 2;
        pusher = std::exchange(puller, ahead.last);
    }
    return false;
}

// The exits of a spot, except the one behind and dead ends whose agent is at its goal.
ConstrainedPibt::Exits ConstrainedPibt::exits(uint16_t type, Spot at, Spot behind) const {
    Exits ahead;
    for (uint32_t moves = ground_->legal(type, at); moves != 0; moves &= moves - 1) {
        const Spot to = ground_->neighbour(at, static_cast<Move>(std::countr_zero(moves)));
        if (to == behind) continue;
        const AgentId there = occupied_now_[to];
        if (there != kNoAgent && walkers_[there].goal == to && std::has_single_bit(ground_->legal(type, to))) continue;
        ++ahead.count;
        ahead.last = to;
    }
    return ahead;
}

size_t ConstrainedPibt::bytes() const {
    return (occupied_now_.capacity() + occupied_next_.capacity()) * sizeof(AgentId) + stack_.capacity() * sizeof(Frame);
}

}  // namespace terrane
