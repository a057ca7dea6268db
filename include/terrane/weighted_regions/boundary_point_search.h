// Pathfinding over a subdivision with points on its boundaries as nodes ("BPrep"): every boundary is cut into equal parts no longer than
// `spacing`; nodes of one polygon are joined by straight lines. Edges are worked out as they are needed, none is stored.
// Based on: Goodwin, Menon, Price 2006 (pathfinding in open terrain).
//
// Optimal for its points: above the true optimum, and nearer to it the smaller the spacing. On 500 of the paper's maps (600 x 600, 8
// regions) spacing 32 is 0.2% above on average and 4.5% at worst, 4 is 0.004% and 0.2%, 1 is 0.0003% and 0.02%; on 24 regions they take
// 0.03, 0.5 and 8 ms.
//
// Made to be compared with: a node is expanded only through polygons that it was not reached through, from point to point along boundaries,
// and its entry in the queue is moved, not left behind. All edges and the plain heap take seven times as long.
#pragma once
#include <cstdint>
#include <memory>

#include "terrane/search/best_first.h"
#include "terrane/weighted_regions/open_path.h"

namespace terrane {

struct BoundaryPointSearchOptions {
    double spacing = 1;          // positive and finite; ends of boundaries are always nodes
    double heuristic = 0;        // as of boundary_search.h; more than the cheapest polygon's cost may miss the optimum
    OpenTrace* trace = nullptr;  // if any; must live until the query ends
};

inline constexpr uint64_t kMaxBoundaryPoints = uint64_t{1} << 24;  // a spacing that makes more is refused by an assertion; count first

// How many nodes a spacing makes: points on boundaries between passable polygons. A corner is one node for all polygons around it, or one
// for each part of them where blocked ones lie between.
uint64_t count_boundary_points(const Subdivision& field, double spacing);

// Scratch: one per thread, reused. The subdivision must outlive the search.
class BoundaryPointSearch {
public:
    BoundaryPointSearch();
    ~BoundaryPointSearch();
    BoundaryPointSearch(BoundaryPointSearch&&) noexcept;
    BoundaryPointSearch& operator=(BoundaryPointSearch&&) noexcept;

    // The points are laid out again only where field or spacing are not those of the last query.
    void begin(const Subdivision& field, Point from, Point to, const BoundaryPointSearchOptions& options = {});
    // As of boundary_search.h.
    Status run(uint64_t budget = kUnlimited);
    // Of points in a row along one boundary the first and the last are left.
    const OpenPath& path() const;

    size_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace terrane
