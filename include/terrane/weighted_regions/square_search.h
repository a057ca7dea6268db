// A* over a subdivision discretised into squares: the baselines of the Brep and BPrep paper.
//   kGrid      equal squares, each with the cost at its centre; 8-connected, from centre to centre
//   kQuadtree  one node per quadtree leaf, a square of one cost of any size; from centre to centre
//   kFramed    framed quadtree: the small squares along the borders of the leaves are nodes, connected by straight segments across the leaf
// Based on: Goodwin, Menon, Price 2006, section 2; Chen, Szczerba, Uhran 1997 (framed quadtrees).
//
// The squares approximate the subdivision, so the search's own cost is approximate. path().cost is the cost of the polyline over the
// subdivision itself (subdivision_path_cost), infinite where it crosses a blocked polygon that the squares do not resolve.
//
// Edge costs:
//   kGrid      each end's cost for half of the edge; no diagonal past a blocked square
//   kQuadtree  leaves that share a side are adjacent, leaves that touch in a corner are not; each end's cost for its part of the segment
//   kFramed    inside a leaf, its cost for the straight segment; between leaves as kGrid. So square_cost() is never above kGrid's and at
//              most 1.0824 times below it. In a leaf of side 1 or 2 every square is on the border
// The heuristic is the cheapest square's cost times the octile (kGrid) or Euclidean distance. Optimal over the squares, up to rounding.
//
// 600x600 Voronoi subdivisions of 8 to 100 regions, squares of side 1, corner to corner: kGrid has 360,000 nodes and takes 0.1 s; kQuadtree
// has 6,000 to 23,000 and takes 1 to 7 ms, for paths that cost 5% more; kFramed has 63,000 to 148,000 and takes 0.12 to 0.15 s, for paths
// that cost 3 to 5% less. Building the squares takes 5 to 13 ms.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/search/best_first.h"
#include "terrane/weighted_regions/subdivision_path.h"

namespace terrane {

enum class SquareKind : uint8_t { kGrid, kQuadtree, kFramed };

struct SquareSearchOptions {
    SquareKind kind = SquareKind::kGrid;
    double side = 1;  // of the smallest squares; positive and finite. They cover the bounding box of the subdivision from its low corner
    SubdivisionTrace* trace = nullptr;  // optional
};

inline constexpr uint64_t kMaxSquares = uint64_t{1} << 26;  // asserted by begin(); call count_squares first

// Returns the number of smallest squares that cover the bounding box of the subdivision. A square takes 8 bytes, 12 with leaves; the search
// takes 13 more per square that it generates.
uint64_t count_squares(const Subdivision& subdivision, double side);

// Scratch memory of one thread, reused between queries. The subdivision must outlive the search.
class SquareSearch {
public:
    SquareSearch();
    ~SquareSearch();
    SquareSearch(SquareSearch&&) noexcept;
    SquareSearch& operator=(SquareSearch&&) noexcept;

    // Starts a query. Rebuilds the squares only if subdivision, kind or side differ from those of the last query.
    //
    // The search runs between the centres of the squares that contain `from` and `to`; the polyline starts and ends at the two points
    // instead (kQuadtree: in addition to the leaves' centres). If such a square is blocked although the point is not, or its centre is
    // outside the subdivision, the nearest passable one of the 24 squares around it replaces it, provided that a straight segment connects
    // its centre with the point. kUnreachable if there is none.
    void begin(const Subdivision& subdivision, Point from, Point to, const SquareSearchOptions& options = {});
    Status run(uint64_t budget = kUnlimited);
    const SubdivisionPath& path() const;

    // The cost of the path over the squares, from centre to centre; for kQuadtree, including the segments between the two points and the
    // centres of their leaves. 0 if no path was found.
    double square_cost() const;
    size_t nodes() const;  // passable nodes of the representation
    // A leaf of the quadtree, for pictures. Blocked leaves may extend beyond the bounding box. kGrid has none.
    struct Leaf {
        Point low;  // corner
        double side = 0;
        double cost = 0;  // kBlockedCost: blocked
    };
    std::vector<Leaf> leaves() const;
    size_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace terrane
