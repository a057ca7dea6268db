// Distances to one agent's goal, computed once per search for each spot that the search generates.
//
// Each distance follows from that of a neighbour (GoalFields::neighbour_distance), which is faster than a query from scratch.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crowd/pibt/constrained_pibt.h"

namespace terrane {

class DistanceCache {
public:
    DistanceCache(const CrowdGround& ground, GoalFields& fields) : fields_(&fields), distances_(ground.size()), known_(ground.size(), 0) {}

    // Starts a search from a spot: forgets all distances and computes the one of `start`.
    void begin(const Walker& walker, Spot start) {
        field_ = walker.field;
        if (++search_ == 0) known_.assign(known_.size(), search_++);
        set(start, fields_->distance(field_, start));
    }
    // The distance of a spot that this search has generated; kInfiniteCost if the goal is unreachable.
    Cost operator[](Spot known) const { return distances_[known]; }
    // The distance of a spot that one move from a known spot leads to.
    Cost neighbour(Spot known, Spot to) {
        if (known_[to] != search_) set(to, fields_->neighbour_distance(field_, known, distances_[known], to));
        return distances_[to];
    }

    size_t bytes() const { return distances_.capacity() * sizeof(Cost) + known_.capacity() * sizeof(uint32_t); }

private:
    void set(Spot spot, Cost distance) {
        distances_[spot] = distance;
        known_[spot] = search_;
    }

    GoalFields* fields_;
    FieldId field_ = kNoField;
    uint32_t search_ = 0;
    std::vector<Cost> distances_;  // by spot
    std::vector<uint32_t> known_;  // by spot: the search that set the distance
};

}  // namespace terrane
