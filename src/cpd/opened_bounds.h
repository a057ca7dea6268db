// Lower bounds where something got cheaper since a path database was built.
//
// A path from n either uses no step that got cheaper, and costs at least what the database says; or it comes to the end b of such a step
// first, at no less than the distance on the map as it was, and costs D(b) from there. So
//
//   h(n) = min(base(n), min over b of distance(n, b) + D(b)),
//   D(b) = min(base(b), min over b' of (a step from b to b' that got cheaper, or distance(b, b')) + D(b')).
//
// Distances are bounded from below by octile distance, and by the difference of the costs to the goal. The cells b are taken together by
// blocks (PerturbationRoot::blocks), those with a path to the goal on the map as it was apart from those without. That is admissible, and
// consistent: distances to a block change by no more than a step costs, and D by no more than a step that got cheaper.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpd/pathdb_bounds.h"

namespace terrane::detail {

class OpenedBounds {
public:
    // Asks `bounds`, which lead to `goal`, for every listed cell.
    void begin(const ChangedGrid& grid, PathBounds& bounds, CellId goal);

    // A lower bound for a cell whose base cost is `base`.
    uint64_t operator()(Cell cell, uint64_t base) const;

    // Where the cheapest path that the bounds allow first comes to a cell beside something cheaper, and what it costs at least; kNoCell
    // where it does not.
    struct Entry {
        uint64_t bound = 0;
        CellId cell = kNoCell;
    };
    // From a start whose base cost is `base`, by exact distances on the map as it was: asks `back`, which lead to the start, for every
    // listed cell.
    Entry from_start(const ChangedGrid& grid, PathBounds& back, Cell start, uint64_t base) const;

    size_t bytes() const { return blocks_.capacity() * sizeof(Block) + places_.capacity() * 4 + steps_.capacity() * 8; }

private:
    struct Block {
        Rect rect;
        uint64_t low, high;  // base costs of its cells; both kInfinite where they have no path
        uint64_t to_goal;    // D
        bool settled;
    };
    static uint64_t gap(uint64_t low, uint64_t high, const Block& block);
    uint64_t distance(const Block& a, const Block& b) const;
    void make_blocks(const PerturbationRoot& root, PathBounds& bounds);
    void make_coarse_blocks(const PerturbationRoot& root, Cell goal);
    void settle();

    OctileBound octile_;
    std::vector<Block> blocks_;
    std::vector<uint32_t> places_;  // the block of each listed cell
    std::vector<uint64_t> steps_;   // between every two blocks: the cheapest step that got cheaper
};

}  // namespace terrane::detail
