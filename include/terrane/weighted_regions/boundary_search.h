// Pathfinding over a subdivision with its boundaries as nodes ("Brep"): a search node is a sequence of boundaries from the start on, with
// the points on them that are best for the way on as the crow flies. Every node solves its whole sequence anew; its parent's cost says
// nothing of its own.
// Based on: Goodwin, Menon, Price 2006 (pathfinding in open terrain).
//
// Finds good paths, not always the best: of two sequences that enter a polygon through the same boundary only the one that looks better is
// followed, though the other may be better further on, from another part of the boundary. On the paper's maps of 8 regions one answer in
// nine is above the optimum: 0.4% over all 500 tried, 26% at worst. For proven answers: proven_search.h.
//
// So a boundary is expanded once at most in each direction, and no sequence has it twice. Straight back over the boundary that was just
// crossed is travelling along it, and allowed where the far side is cheaper.
//
// Fewer expansions than over points (boundary_point_search.h) by far, each of them dearer: for few large regions. Across 8, 24, 1,000 and
// 10,000 regions it takes 0.14, 0.9, 77 ms and 1.6 s; a node keeps the points of its whole sequence, 130 MB in the end for 10,000.
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/search/best_first.h"
#include "terrane/weighted_regions/open_path.h"

namespace terrane {

struct BoundarySearchOptions {
    enum class Solver : uint8_t { kDescent, kNewton };
    // The paper's, or ours (boundary_points.h). Ours keeps Snell's law to nine digits, and does not stick at corners; on the way it solves
    // the last 16 boundaries of a sequence, in the end all.
    Solver solver = Solver::kDescent;
    uint32_t max_iterations = 32;  // kDescent: the paper's choice
    double epsilon = 0;            // kDescent: a round that gains no more ends it; 0 or more
    // Cost of a unit of the path that is still ahead, finite; 0: that of the cheapest polygon. The paper's is 1. Above the cheapest, more
    // is missed.
    double heuristic = 0;
    OpenTrace* trace = nullptr;  // if any; must live until the query ends. A boundary's point is its last
};

// Scratch: one per thread, reused. The subdivision must outlive the search.
class BoundarySearch {
public:
    BoundarySearch();
    ~BoundarySearch();
    BoundarySearch(BoundarySearch&&) noexcept;
    BoundarySearch& operator=(BoundarySearch&&) noexcept;

    void begin(const Subdivision& field, Point from, Point to, const BoundarySearchOptions& options = {});
    // Expands at most `budget` nodes; kBudgetSpent: call again to go on. The answer is the same for any budgets. A query that has ended
    // stays so.
    Status run(uint64_t budget = kUnlimited);
    // Of the last run; lower_bound is the crow's.
    const OpenPath& path() const;

    uint64_t iterations() const;  // of the solver, over all nodes of this query
    size_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace terrane
