// How far it is to goals, from anywhere: fields, shared by the agents that have the same goal and are of the same kind.
//
// Where every move costs the same (four moves, one cost of terrain), a field is one bit for each spot. A spot's coordinates tell whether
// its distance d is odd, the bit is d / 2 mod 2; together they are d mod 4, and the spots beside it are at d - 1 or d + 1. So
// neighbours compare, a walk downhill gives the whole distance, and from a distance that is known those beside it follow. That is a 32nd of
// a table of 32-bit distances, and 5 ns a spot to make (breadth first). A field that is for one agent is made as far as the agent and a
// little further, and all of it when somebody asks from beyond: where there is room, half of the work.
// Elsewhere it is Dijkstra's algorithm from the goal, run as far as it was asked for and resumed (so the search of Silver 2005, RRA*,
// without its heuristic), which keeps 4 bytes (8 where the map's dearest path needs it) and two more for each spot that it came to, in
// pages of 256.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "crowd/crowd_ground.h"

namespace terrane {

namespace detail {

// A field that grows as it is asked.
class GrowingField {
public:
    virtual ~GrowingField() = default;
    virtual Cost distance(Spot from) = 0;  // only where the goal can be reached
    virtual size_t bytes() const = 0;
};

}  // namespace detail

using FieldId = uint32_t;

struct FieldRequest {
    Spot goal;
    uint16_t kind;
    Spot from = kNoSpot;  // where most will be asked from, so that all of the field need not be made; kNoSpot: anywhere
};

// One thread at a time: asking may make a field grow.
class GoalFields {
public:
    // `ground` must outlive it.
    explicit GoalFields(const CrowdGround& ground) : ground_(&ground) {}

    // The field of each request, made on so many threads (parallel.h) where it is new. Each take needs a drop(); a field without users is
    // gone, and its number is used again.
    std::vector<FieldId> take(std::span<const FieldRequest> requests, uint32_t threads = 1);
    void drop(FieldId field);

    Spot goal(FieldId field) const { return fields_[field].goal; }
    bool reaches(FieldId field, Spot from) const {
        const Field& f = fields_[field];
        return ground_->component(f.kind, from) == f.component && f.component != kNoComponent;
    }
    // What the way to the goal costs an agent of the kind, kInfiniteCost where there is none. From ground that is blocked for it: of the
    // best way off. Takes a walk to the goal where a bit is all that is kept.
    Cost distance(FieldId field, Spot from);
    // The same for a spot that a move leads to, given the distance of where it leads from. Takes no walk, unless the agent is on blocked
    // ground.
    Cost distance_beside(FieldId field, Spot from, Cost distance, Spot to);
    // Whether `to`, which a move from `from` leads to, is nearer to the goal. False where it cannot be reached.
    bool nearer(FieldId field, Spot from, Spot to);

    size_t size() const { return by_goal_.size(); }
    size_t bytes() const;

private:
    struct Field {
        Spot goal = kNoSpot;
        uint32_t component = kNoComponent;  // of the goal
        uint32_t users = 0;
        Spot from = kNoSpot;  // no farther than right_up_to, or on ground from where there is no way
        uint16_t kind = 0;
        Cost right_up_to = kInfiniteCost;               // the bits of spots that are farther mean nothing; kInfiniteCost: it is whole
        std::vector<uint64_t> bits;                     // a bit for each spot; or else
        std::unique_ptr<detail::GrowingField> growing;  // null where the goal is blocked
    };
    bool bit(const Field& field, Spot spot) const { return (field.bits[spot / 64] >> (spot % 64) & 1) != 0; }
    // Whether the distance from a spot is odd.
    bool odd(const Field& field, Spot spot) const;
    bool downhill(const Field& field, Spot from, Spot to) const { return (bit(field, from) != bit(field, to)) != odd(field, from); }
    Cost walk(const Field& field, Spot from) const;
    Cost off_blocked(FieldId field, Spot from);
    FieldId add(const FieldRequest& request);
    void complete(Field& field) const;
    void build(std::span<const FieldId> fields, uint32_t threads);

    const CrowdGround* ground_;
    std::vector<Field> fields_;
    std::vector<FieldId> free_;
    std::vector<std::vector<Spot>> ways_;            // by kind: four_ways.h; empty where all fields are whole
    std::unordered_map<uint64_t, FieldId> by_goal_;  // kind and goal; never iterated
};

}  // namespace terrane
