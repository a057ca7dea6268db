// Cell paths segment by segment, for abstractions: from one point of an abstract path to the next.
//
// A query makes what all its segments share once (costs by terrain, bounds); a segment then costs its expansions and a fraction of a
// microsecond besides. By A*, or by weighted A* where a weight is given: over the whole map, with the expansions and the path
// that GridSearch has.
//
// A segment may be kept to a window. Then it depends on the window's cells only, and its heuristic on the cheapest terrain among
// those: on a 2048x2048 island with costs from 1 to 4, segments of 16 cells take 57 expansions in the window of their ends' sectors,
// 261 there with the cheapest terrain of the map for a measure, and 315 without a window.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/base/cost.h"
#include "terrane/base/status.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/grid/profile.h"
#include "terrane/search/best_first.h"

namespace terrane {

// All that a refinement depends on, besides its two cells and the cells of its window (of the map where there is none).
struct RefinementRules {
    CostTable costs;
    Movement movement = Movement::kEight;
    Weight weight;  // as it is used: a little less than asked for where keys would not fit 64 bits

    friend bool operator==(const RefinementRules& a, const RefinementRules& b) {
        return a.movement == b.movement && a.weight.numerator == b.weight.numerator && a.weight.denominator == b.weight.denominator &&
               a.costs.divisor == b.costs.divisor && a.costs.cost == b.costs.cost;
    }
};

// Scratch and state of one segment at a time: one per thread, reused. After warm-up nothing is allocated; its memory grows with the
// part of the map that one segment looked at, 5 bytes a cell (9 where costs are too large for 32 bits).
class Refiner {
public:
    Refiner();
    ~Refiner();
    Refiner(Refiner&&) noexcept;
    Refiner& operator=(Refiner&&) noexcept;

    // Begins a query. Holds the snapshot until the next begins. A weight is from 1 to 100; 1 is A*.
    void begin(const Ground& ground, Weight weight = {});

    // The next segment, dropping the one before: over the whole map, or over those of its cells that are in a window. Does no
    // work yet. Only after begin().
    void aim(Cell from, Cell to);
    void aim(Cell from, Cell to, const Rect& window);

    // Expands at most `budget` more cells. kBudgetSpent: call again to go on. Anything else is final: kFound, kUnreachable,
    // kBlockedStart, kBlockedGoal; kOutsideMap where an end is not on the map, or not in the window.
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;          // of all segments since begin()
    uint64_t segment_expansions() const;  // of this one
    // Of the segment, in Cost units. Only when found.
    Cost cost() const;
    // Appends the cells after `from`, up to and with `to`. Only when found.
    void append_to(std::vector<Cell>& out) const;

    Cell from() const;
    Cell to() const;
    Rect window() const;  // no larger than the map
    const GridSnapshot& grid() const;
    const RefinementRules& rules() const;

    // Memory held for reuse.
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
