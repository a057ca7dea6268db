// Goal fields: the distance from every spot to a goal, shared by all agents of one type with that goal.
//
// Where all moves cost the same (four moves, one terrain cost), a field is one bit per spot. The coordinates of a spot give the parity of
// its distance d, and the bit is d / 2 mod 2; together they give d mod 4, and neighbours are at d - 1 or d + 1. So two neighbours can be
// compared, a walk downhill counts d, and a known d gives those of the neighbours. A field takes 1/32 of a table of 32-bit distances, and
// breadth-first search builds it at 5 ns per spot. A field for one agent extends to its start and a margin beyond; a query from farther
// away completes it. Without congestion this halves the work.
//
// Elsewhere, a field is Dijkstra's algorithm from the goal, run as far as queries need and resumed later (RRA* of Silver 2005 without a
// heuristic). It stores 6 bytes per generated spot (10 if path costs may exceed 32 bits) in pages of 256 spots.
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

// A field that expands on demand.
class ResumableField {
public:
    virtual ~ResumableField() = default;
    virtual Cost distance(Spot from) = 0;  // the goal must be reachable
    virtual size_t bytes() const = 0;
};

}  // namespace detail

using FieldId = uint32_t;

struct FieldRequest {
    Spot goal;
    uint16_t type;
    Spot from = kNoSpot;  // where most queries come from: the field is built up to there; kNoSpot: build all of it
};

// One thread at a time: queries may expand a field.
class GoalFields {
public:
    // `ground` must outlive it.
    explicit GoalFields(const CrowdGround& ground) : ground_(&ground) {}

    // Returns the field of each request, and builds new ones on `threads` threads (parallel.h). Call drop() once per field taken; a field
    // without users is freed and its id reused.
    std::vector<FieldId> take(std::span<const FieldRequest> requests, uint32_t threads = 1);
    void drop(FieldId field);

    Spot goal(FieldId field) const { return fields_[field].goal; }
    bool reaches(FieldId field, Spot from) const {
        const Field& f = fields_[field];
        return ground_->component(f.type, from) == f.component && f.component != kNoComponent;
    }
    // The cost of the shortest path from a spot to the goal; kInfiniteCost if there is none. From a spot that is impassable for the type,
    // the path starts with the best legal move. One-bit fields walk to the goal, in O(path length).
    Cost distance(FieldId field, Spot from);
    // The distance of a spot `to` that a move from `from` leads to, given the distance of `from`. O(1) in one-bit fields, unless `from` is
    // impassable.
    Cost neighbour_distance(FieldId field, Spot from, Cost distance, Spot to);
    // Whether `to`, which a move from `from` leads to, is nearer to the goal. False if the goal is unreachable from `to`.
    bool nearer(FieldId field, Spot from, Spot to);

    size_t size() const { return by_goal_.size(); }
    size_t bytes() const;

private:
    struct Field {
        Spot goal = kNoSpot;
        uint32_t component = kNoComponent;  // of the goal
        uint32_t users = 0;
        Spot from = kNoSpot;  // its distance is at most valid_up_to, or the goal is unreachable from it
        uint16_t type = 0;
        Cost valid_up_to = kInfiniteCost;                   // bits of spots farther away are invalid; kInfiniteCost: the field is complete
        std::vector<uint64_t> bits;                         // one per spot; or else
        std::unique_ptr<detail::ResumableField> resumable;  // null if the goal is impassable
    };
    bool bit(const Field& field, Spot spot) const { return (field.bits[spot / 64] >> (spot % 64) & 1) != 0; }
    // Whether the distance from a spot is odd.
    bool odd(const Field& field, Spot spot) const;
    bool downhill(const Field& field, Spot from, Spot to) const { return (bit(field, from) != bit(field, to)) != odd(field, from); }
    Cost descend(const Field& field, Spot from) const;
    Cost distance_off_blocked(FieldId field, Spot from);
    FieldId add(const FieldRequest& request);
    void complete(Field& field) const;
    void build(std::span<const FieldId> fields, uint32_t threads);

    const CrowdGround* ground_;
    std::vector<Field> fields_;
    std::vector<FieldId> free_;
    std::vector<std::vector<Spot>> neighbours_;      // by type: padded_neighbours.h; empty if all fields are complete
    std::unordered_map<uint64_t, FieldId> by_goal_;  // type and goal; never iterated
};

}  // namespace terrane
