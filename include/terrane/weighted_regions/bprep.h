// BPrep: A* over points on the boundaries of a subdivision. Every boundary is cut into equal parts no longer than `spacing`; nodes of one
// polygon are connected by straight segments. Edges are computed on demand, none is stored.
// Based on: Goodwin, Menon, Price 2006 (Pathfinding in open terrain).
//
// Optimal over its points: the cost is above the true optimum and converges to it as the spacing decreases. On 500 of the paper's maps
// (600 x 600, 8 regions), spacing 32 is 0.2% above the optimum on average and 4.5% at worst, spacing 4 is 0.004% and 0.2%, spacing 1 is
// 0.0003% and 0.02%. On 24 regions a query takes 0.03, 0.5 and 8 ms.
//
// A node is not expanded through the polygon that it was reached through, edges along a boundary connect adjacent points only, and the
// queue moves a node's entry instead of leaving a stale one. With all edges and the plain heap, queries take seven times as long.
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/search/best_first.h"
#include "terrane/weighted_regions/subdivision_path.h"

namespace terrane {

struct BprepOptions {
    double spacing = 1;                 // largest distance between points; positive and finite. Ends of boundaries are always nodes
    double heuristic = 0;               // as in BrepOptions; above the cost of the cheapest polygon it is not admissible
    SubdivisionTrace* trace = nullptr;  // optional; must outlive the query
};

inline constexpr uint64_t kMaxBoundaryPoints = uint64_t{1} << 24;  // asserted by begin(); call count_boundary_points first

// Returns the number of nodes for a spacing: points on boundaries between passable polygons. A corner is one node for all polygons around
// it, or one per connected group of them where blocked polygons lie between.
uint64_t count_boundary_points(const Subdivision& subdivision, double spacing);

// Scratch memory of one thread, reused between queries. The subdivision must outlive the search.
class BprepSearch {
public:
    BprepSearch();
    ~BprepSearch();
    BprepSearch(BprepSearch&&) noexcept;
    BprepSearch& operator=(BprepSearch&&) noexcept;

    // Starts a query. Rebuilds the points only if subdivision or spacing differ from those of the last query.
    void begin(const Subdivision& subdivision, Point from, Point to, const BprepOptions& options = {});
    // As BrepSearch::run.
    Status run(uint64_t budget = kUnlimited);
    // Of consecutive points on one boundary, the path keeps the first and the last.
    const SubdivisionPath& path() const;

    size_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace terrane
