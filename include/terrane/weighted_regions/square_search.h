// Pathfinding over a subdivision cut into squares: the representations that boundary search is compared with.
//   kGrid      equal squares, each of the ground at its centre; from centre to centre, eight ways
//   kQuadtree  a square of one ground is one node, whatever its size; from centre to centre
//   kFramed    squares as of the quadtree, with the small squares along their rims as nodes: straight lines across a square join them
// Based on: Goodwin, Menon, Price 2006, section 2; Chen, Szczerba, Uhran 1997 (framed quadtrees).
//
// The squares' ground is an approximation, and so is what a path through them costs there: path().cost is that of the line over the
// subdivision itself (open_path_cost), infinite where the squares led it through blocked ground.
//
// What the edges cost:
//   kGrid      half of an edge at each end's cost; no diagonal past a blocked square
//   kQuadtree  leaves that share a side are joined, those that touch in a corner are not; each pays for its part of the line
//   kFramed    inside a leaf, its cost for the straight line; between leaves as of kGrid. So square_cost() is never above kGrid's, and at
//              most 1.0824 times below it. A leaf of side 1 or 2 is all rim
// A* with the cheapest square's cost for what is ahead; optimal over the squares, to rounding.
//
// 600x600 Voronoi fields of 8 to 100 regions, squares of side 1, corner to corner: kGrid has 360,000 nodes and takes 0.1 s; kQuadtree
// 6,000 to 23,000, 1 to 7 ms, for paths 5% dearer; kFramed 63,000 to 148,000, 0.12 to 0.15 s, for paths 3 to 5% cheaper. Laying out the
// squares takes 5 to 13 ms.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/search/best_first.h"
#include "terrane/weighted_regions/open_path.h"

namespace terrane {

enum class SquareKind : uint8_t { kGrid, kQuadtree, kFramed };

struct SquareSearchOptions {
    SquareKind kind = SquareKind::kGrid;
    double side = 1;  // of the smallest squares; positive and finite. They cover the box of the subdivision, from its low corner on
    OpenTrace* trace = nullptr;  // if any
};

inline constexpr uint64_t kMaxSquares = uint64_t{1} << 26;  // a side that makes more is refused by an assertion; count first

// The smallest squares that cover the box of the subdivision. Each takes 8 bytes, 12 with leaves, and the search 13 for those it sees.
uint64_t count_squares(const Subdivision& field, double side);

// Scratch: one per thread, reused. The subdivision must outlive the search.
class SquareSearch {
public:
    SquareSearch();
    ~SquareSearch();
    SquareSearch(SquareSearch&&) noexcept;
    SquareSearch& operator=(SquareSearch&&) noexcept;

    // The squares are laid out again only where field, kind or side are not those of the last query.
    //
    // The search starts and ends at the centres of the squares that have `from` and `to` in them; the line itself has the two points in
    // their place (kQuadtree: besides the leaves' centres). Where such a square is blocked though the point is not, or its centre is
    // outside of the subdivision, the nearest passable one of the 24 around it takes its place, if a straight line joins its centre with
    // the point; kUnreachable where there is none.
    void begin(const Subdivision& field, Point from, Point to, const SquareSearchOptions& options = {});
    Status run(uint64_t budget = kUnlimited);
    const OpenPath& path() const;

    // Of the path over the squares, as the search saw it, from centre to centre; of kQuadtree, with the ways between the points and the
    // centres of their leaves. 0 where no path was found.
    double square_cost() const;
    size_t nodes() const;  // of the representation, passable
    // The leaves of the quadtree, for pictures: low corner and side; blocked ones may reach out of the box. Of kGrid: none.
    struct Leaf {
        Point low;
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
