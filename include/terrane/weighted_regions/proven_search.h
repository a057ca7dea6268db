// The cheapest path over a subdivision, with a proof: a path, and a lower bound on what any path costs.
//
// Boundaries are cut into intervals. A search over intervals carries for each a line below the cost of reaching its points; lines pass from
// interval to interval through the polygons without ever rising above the truth. What reaches the goal is a lower bound; the sequence of
// boundaries that it came by, solved exactly (boundary_points.h), is a path. Intervals that no path cheaper than the best one known can
// touch are dropped, those whose lines are off by most are halved, and the search is repeated from the other end, with the last one's
// lines for what is still ahead, until the two meet.
//
// Why the bound holds. A best path is straight from point to point on the boundaries, each two in one polygon. In the end, of any two
// intervals I and J of a polygon of cost c, line_J(Q) <= line_I(P) + c |PQ| for all P and Q; along a boundary, lines of neighbours
// meet and are no steeper than its cheaper side costs. So, point by point from the start, a path costs as much as the lines say. Lines, not
// constants: what they lose goes with the square of the intervals' widths. Rounding errors are taken off wherever a line is made.
//
// On Voronoi maps of 600 x 600, costs 1 to 8, corner to corner, one core: a gap of 1e-6 takes 1 ms at 24 regions, 4 ms at 100, 40 ms at
// 1,000; of 1e-3, 25 ms at 1,000 and 0.3 s at 10,000. 1e-9 has always been reached; below 1e-11 rounding begins to show.
//
// Based on: Mitchell, Papadimitriou 1991 (the weighted region problem).
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/search/best_first.h"
#include "terrane/weighted_regions/open_path.h"

namespace terrane {

struct ProvenSearchOptions {
    double gap = 1e-6;           // 0 to below 1; stops at (cost - lower bound) / cost of at most this, or where rounding allows no less
    uint32_t max_rounds = 64;    // 1 or more: searches from the start and from the goal, in turns; then the answer says what it reached
    OpenTrace* trace = nullptr;  // if any: of the last round, the middles of intervals; must outlive the search
};

// Scratch: one per thread, reused. The subdivision must outlive the search.
class ProvenSearch {
public:
    ProvenSearch();
    ~ProvenSearch();
    ProvenSearch(ProvenSearch&&) noexcept;
    ProvenSearch& operator=(ProvenSearch&&) noexcept;

    void begin(const Subdivision& field, Point from, Point to, const ProvenSearchOptions& options = {});
    // Expands at most `budget` intervals; slices make no difference to the answer. kBudgetSpent: call again to go on; path() is the best
    // path so far, if there is one yet, with what is proven of it. kFound: the gap asked for, or the least that could be had: path().gap()
    // says.
    Status run(uint64_t budget = kUnlimited);
    const OpenPath& path() const;

    size_t intervals() const;  // that the last round began with
    size_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace terrane
