// Finds the cheapest path over a subdivision with a proof: a path, and a lower bound on the cost of every path.
//
// The search propagates piecewise linear lower bounds over intervals of boundaries, as continuous Dijkstra propagates exact distances. Each
// interval carries a linear lower bound on the cost of reaching its points; propagation through a polygon never raises a bound above the
// true cost. The bound that arrives at the goal is the lower bound. The boundary sequence behind it, solved exactly (bp_solver.h), is a
// path and gives the upper bound. Each round prunes the intervals that no path below the incumbent can touch and halves the intervals with
// the largest error. The next round searches from the other end, with the last round's bounds as its heuristic, until the gap is closed.
//
// Proof of the bound. An optimal path is straight between points on boundaries, each two consecutive points in one polygon. At the end of a
// round, any two intervals I and J of a polygon of cost c satisfy bound_J(Q) <= bound_I(P) + c |PQ| for all P and Q. Along a boundary,
// bounds of adjacent intervals meet and are no steeper than the cost of the boundary's cheaper side. By induction from the start, the
// cost of a path is at least the bound at each of its points. The bounds are linear, not constant, because their
// loss is then quadratic in the interval width. Rounding errors are subtracted wherever a bound is computed.
//
// Voronoi maps of 600 x 600, costs 1 to 8, corner to corner, one core: a gap of 1e-6 takes 1 ms at 24 regions, 4 ms at 100, 40 ms at
// 1,000; a gap of 1e-3 takes 25 ms at 1,000 and 0.3 s at 10,000. All queries tried reached 1e-9; below 1e-11 rounding becomes visible.
//
// Based on: Mitchell, Papadimitriou 1991 (the weighted region problem).
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/search/best_first.h"
#include "terrane/weighted_regions/subdivision_path.h"

namespace terrane {

struct ProvenSearchOptions {
    double gap = 1e-6;         // in [0, 1): stops when (cost - lower bound) / cost is at most this, or when rounding allows no smaller gap
    uint32_t max_rounds = 64;  // >= 1; rounds alternate between start and goal. The result then has the gap reached so far
    SubdivisionTrace* trace = nullptr;  // optional; must outlive the search. Shows the midpoints of the intervals of the last round
};

// Scratch memory of one thread, reused between queries. The subdivision must outlive the search.
class ProvenSearch {
public:
    ProvenSearch();
    ~ProvenSearch();
    ProvenSearch(ProvenSearch&&) noexcept;
    ProvenSearch& operator=(ProvenSearch&&) noexcept;

    void begin(const Subdivision& subdivision, Point from, Point to, const ProvenSearchOptions& options = {});
    // Expands at most `budget` intervals; the result does not depend on the budgets. kBudgetSpent: call again to continue; path() is the
    // incumbent, if there is one, with its proven lower bound. kFound: path() has the gap asked for, or the smallest that rounding allows
    // (path().gap()).
    Status run(uint64_t budget = kUnlimited);
    const SubdivisionPath& path() const;

    size_t intervals() const;  // at the beginning of the last round
    size_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace terrane
