// Consistent lower bounds for maps on which edges got cheaper since the path database was built.
//
// A path from n either uses no cheapened edge and costs at least base(n), its cost on the base map. Or it first reaches an endpoint b of a
// cheapened edge, at no less than the base-map distance, and costs D(b) from there:
//
//   h(n) = min(base(n), min over b of distance(n, b) + D(b)),
//   D(b) = min(base(b), min over b' of (cost of a cheapened edge from b to b', or distance(b, b')) + D(b')).
//
// Distances are bounded from below by octile distance and by the difference of the base costs to the goal. Endpoints are grouped by squares
// (PerturbationData::endpoint_groups); endpoints without a path to the goal on the base map form groups of their own. The bound is
// admissible and consistent: the distance to a group changes by at most the cost of a step, and D by at most the cost of a cheapened edge.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpd/cpd_bounds.h"

namespace terrane::detail {

class CheapenedEdgeBounds {
public:
    // Prepares the bounds for one goal. `bounds` must lead to `goal`; it is evaluated for every listed endpoint.
    void begin(const ChangedGrid& grid, PathBounds& bounds, CellId goal);

    // Returns h of a cell whose base cost is `base`.
    uint64_t operator()(Cell cell, uint64_t base) const;

    // The first endpoint on the cheapest path that the bounds allow, and a lower bound on that path's cost. kNoCell: the path uses no
    // cheapened edge.
    struct Entry {
        uint64_t bound = 0;
        CellId cell = kNoCell;
    };
    // Uses exact base-map distances from a start whose base cost is `base`. `back` must lead to the start; it is evaluated for every listed
    // endpoint.
    Entry from_start(const ChangedGrid& grid, PathBounds& back, Cell start, uint64_t base) const;

    size_t bytes() const { return groups_.capacity() * sizeof(Group) + group_of_.capacity() * 4 + edges_.capacity() * 8; }

private:
    struct Group {
        Rect rect;
        uint64_t low, high;  // range of its endpoints' base costs; both kInfinite if they do not reach the goal
        uint64_t to_goal;    // D
        bool settled;
    };
    static uint64_t cost_gap(uint64_t low, uint64_t high, const Group& group);
    uint64_t distance(const Group& a, const Group& b) const;
    void make_groups(const PerturbationData& data, PathBounds& bounds);
    void make_coarse_groups(const PerturbationData& data, Cell goal);
    void run_dijkstra();

    OctileBound octile_;
    std::vector<Group> groups_;
    std::vector<uint32_t> group_of_;  // by listed endpoint
    std::vector<uint64_t> edges_;     // cost of the cheapest cheapened edge between each pair of groups
};

}  // namespace terrane::detail
