// The distances to one agent's goal of the spots that a search has come to, each worked out once from the one beside it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "crowd/pibt/step_maker.h"

namespace terrane {

class RestTable {
public:
    RestTable(const CrowdGround& ground, GoalFields& fields) : fields_(&fields), rest_(ground.size()), known_(ground.size(), 0) {}

    // For another search, from a spot.
    void begin(const Walker& walker, Spot start) {
        field_ = walker.field;
        if (++search_ == 0) known_.assign(known_.size(), search_++);
        set(start, fields_->distance(field_, start));
    }
    // kInfiniteCost: there is no way.
    Cost operator[](Spot known) const { return rest_[known]; }
    // Of a spot that a move leads to from one that is known.
    Cost beside(Spot known, Spot to) {
        if (known_[to] != search_) set(to, fields_->distance_beside(field_, known, rest_[known], to));
        return rest_[to];
    }

    size_t bytes() const { return rest_.capacity() * sizeof(Cost) + known_.capacity() * sizeof(uint32_t); }

private:
    void set(Spot spot, Cost rest) {
        rest_[spot] = rest;
        known_[spot] = search_;
    }

    GoalFields* fields_;
    FieldId field_ = kNoField;
    uint32_t search_ = 0;
    std::vector<Cost> rest_;       // by spot
    std::vector<uint32_t> known_;  // by spot: the search that set it
};

}  // namespace terrane
