// One step of all agents at once: priority inheritance with backtracking.
// Based on: Okumura, Machida, Defago, Tamura 2022 (PIBT); Okumura 2023 (LaCAM: constraints; LaCAM2: swaps).
//
// Agents choose in order, the best cell first that nobody has chosen. Who wants the cell of one who has not chosen makes it choose next;
// where that one finds no place, the next best cell is tried. An agent in a corridor that must get past another goes the other way instead,
// to where there is room, and draws the other after it (the swap).
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/crowd_ground.h"
#include "crowd/goal_fields.h"
#include "terrane/base/rng.h"

namespace terrane {

class DirectionMap;
class LaneFields;

inline constexpr FieldId kNoField = 0xffffffff;

// An agent as the planners see it.
struct Walker {
    Spot goal = kNoSpot;
    FieldId field = kNoField;  // of the goal; without one, the agent is content wherever it is
    uint16_t kind = 0;
    bool must = true;  // the others are not done before it is at its goal
};

class StepMaker {
public:
    struct Options {
        bool swap = true;
        uint64_t seed = 1;
        const DirectionMap* flow = nullptr;  // among equally good cells: the one that it makes cheapest
        LaneFields* lanes = nullptr;         // lead agents instead of the fields of their goals
    };
    StepMaker(const CrowdGround& ground, GoalFields& fields, const Options& options);

    // `walkers` must outlive what follows. Spots in `to` other than kNoSpot are chosen already. False where an agent finds no place; what
    // is in `to` then is of no use. Never where none was chosen before.
    bool make(std::span<const Walker> walkers, std::span<const Spot> from, std::span<const AgentId> order, std::span<Spot> to);

    size_t bytes() const;

private:
    // An agent that is choosing.
    struct Frame {
        AgentId agent = 0;
        AgentId drawn = kNoAgent;  // to follow where the first choice is taken
        std::array<Spot, 9> choices{};
        uint8_t count = 0;
        uint8_t tried = 0;
        bool asked = false;  // another to make room for the last choice
    };
    enum class Outcome : uint8_t { kPlaced, kAsked, kStuck };

    bool take_given();
    bool choose(AgentId first);
    void open(AgentId agent);
    Outcome try_next(Frame& frame);
    void draw(const Frame& frame);
    void stay(AgentId agent);
    bool free_for(AgentId agent, Spot to) const;
    bool crosses(AgentId agent, Spot to) const;
    void rank(Frame& frame);
    uint64_t worth(AgentId agent, Spot from, Move move, Spot to);
    uint64_t worth_of_staying(AgentId agent, Spot from);
    uint64_t tie(Spot from, Move move, Spot to);

    AgentId swap_partner(const Frame& frame);
    bool swap_needed(AgentId pusher, AgentId puller, Spot at_pusher, Spot at_puller);
    bool swap_possible(AgentId agent, Spot pusher, Spot puller) const;
    bool nearer(AgentId agent, Spot from, Spot to);
    struct Ways {
        uint32_t count = 0;
        Spot one = kNoSpot;
    };
    Ways ways_on(uint16_t kind, Spot at, Spot behind) const;

    const CrowdGround* ground_;
    GoalFields* fields_;
    Options options_;
    Rng rng_;
    std::vector<AgentId> now_, next_;  // by spot; kNoAgent between calls
    std::vector<Frame> stack_;
    std::span<const Walker> walkers_;
    std::span<const Spot> from_;
    std::span<Spot> to_;
};

}  // namespace terrane
