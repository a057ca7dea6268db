// Refinement of abstract paths: A* on cells from one waypoint to the next, segment by segment.
//
// begin() prepares what all segments of a query share (costs by terrain, bounds). A segment then costs its expansions plus a fraction of
// a microsecond. Uses A*, or weighted A* with a weight above 1. Without a window, expansions and path equal those of GridSearch.
//
// A window restricts a segment to a rectangle of cells. The result then depends only on those cells, and the heuristic uses the cheapest
// terrain among them. Segments of 16 cells take 57 expansions in a window, 315 without (docs/notes/grid_search.md).
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

// All inputs of a refinement, except its two cells and the cells of its window.
struct RefinementRules {
    CostTable costs;
    Movement movement = Movement::kEightNoCornerCutting;
    Weight weight;  // as used: slightly below the requested weight where keys would not fit 64 bits

    friend bool operator==(const RefinementRules& a, const RefinementRules& b) {
        return a.movement == b.movement && a.weight.numerator == b.weight.numerator && a.weight.denominator == b.weight.denominator &&
               a.costs.divisor == b.costs.divisor && a.costs.cost == b.costs.cost;
    }
};

// One segment at a time, with its scratch memory: use one per thread and reuse it. After warm-up it allocates nothing. Memory grows with
// the part of the map that one segment visits: 5 bytes per cell (9 where costs exceed 32 bits).
class Refiner {
public:
    Refiner();
    ~Refiner();
    Refiner(Refiner&&) noexcept;
    Refiner& operator=(Refiner&&) noexcept;

    // Begins a query; holds the snapshot until the next query begins. `weight` is 1 to 100; 1 is A*.
    void begin(const Ground& ground, Weight weight = {});

    // Begins a segment and discards the previous one. Searches the whole map, or the cells of `window` only. The search starts with
    // run(). Call begin() first.
    void begin_segment(Cell from, Cell to);
    void begin_segment(Cell from, Cell to, const Rect& window);

    // From now on finds only paths of the segment that cost less than `cost`, that of a known path. kUnreachable: there is none. Requires
    // weight 1.
    void set_incumbent(Cost cost);

    // Expands at most `budget` more cells. kBudgetSpent: call again to continue. All other statuses are final: kFound, kUnreachable,
    // kBlockedStart, kBlockedGoal; kOutsideMap if an end is off the map or outside the window.
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;          // of all segments since begin()
    uint64_t segment_expansions() const;  // of the current segment
    // Cost of the segment, in Cost units. Only after kFound.
    Cost cost() const;
    // Appends the cells after `from`, including `to`. Only after kFound.
    void append_to(std::vector<Cell>& out) const;

    Cell from() const;
    Cell to() const;
    Rect window() const;  // clipped to the map
    const GridSnapshot& grid() const;
    const RefinementRules& rules() const;

    // Bytes of scratch memory held for reuse.
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
