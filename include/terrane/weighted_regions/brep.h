// Brep: A* over the boundaries of a subdivision. A search node is a sequence of boundaries from the start, with the crossing points that
// minimise its cost plus a straight-line heuristic to the goal. Every node solves its whole sequence; its cost does not derive from its
// parent's.
// Based on: Goodwin, Menon, Price 2006 (Pathfinding in open terrain).
//
// Finds good paths, not always optimal ones: of two sequences that enter a polygon through the same boundary, the search follows only the
// one with the lower f, although the other may be better further on, from another part of the boundary. On the paper's maps of 8 regions,
// one answer in nine is above the optimum: by 0.4% averaged over all 500 queries, by 26% at worst. For proven optima: proven_search.h.
//
// A boundary is expanded at most once in each direction, and no sequence contains it twice. The exception is crossing straight back over
// the last boundary: that is travel along the boundary, allowed where the far side is cheaper.
//
// Brep needs far fewer expansions than BPrep (bprep.h), but each one is more expensive: use it for few large regions. Across 8, 24, 1,000
// and 10,000 regions a query takes 0.14, 0.9, 77 ms and 1.6 s. A node stores the points of its whole sequence: 130 MB for 10,000 regions.
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/search/best_first.h"
#include "terrane/weighted_regions/subdivision_path.h"

namespace terrane {

struct BrepOptions {
    enum class Solver : uint8_t { kDescent, kNewton };
    // Optimises the crossing points (bp_solver.h): kDescent is the paper's coordinate descent. kNewton satisfies Snell's law to nine digits
    // and does not stall at corners; during the search it solves the last 16 boundaries of a sequence, at the end all of them.
    Solver solver = Solver::kDescent;
    uint32_t max_iterations = 32;  // kDescent only; the paper's value
    double epsilon = 0;            // kDescent only: stops after a round that improves the cost by no more than this; >= 0
    // Heuristic cost per unit length of the straight line to the goal; finite. 0: the cost of the cheapest polygon, which is admissible.
    // The paper uses 1. Above the cheapest polygon's cost the search misses more optima.
    double heuristic = 0;
    SubdivisionTrace* trace = nullptr;  // optional; must outlive the query. A node is shown as its last crossing point
};

// Scratch memory of one thread, reused between queries. The subdivision must outlive the search.
class BrepSearch {
public:
    BrepSearch();
    ~BrepSearch();
    BrepSearch(BrepSearch&&) noexcept;
    BrepSearch& operator=(BrepSearch&&) noexcept;

    void begin(const Subdivision& subdivision, Point from, Point to, const BrepOptions& options = {});
    // Expands at most `budget` nodes. kBudgetSpent: call again to continue. The result does not depend on the budgets. Calls after the end
    // of the query return its status again.
    Status run(uint64_t budget = kUnlimited);
    // The result of the last run; lower_bound is the straight-line bound.
    const SubdivisionPath& path() const;

    uint64_t iterations() const;  // of the solver, summed over all nodes of this query
    size_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace terrane
