// Optimises the centres of regions: slides 25 to 29 of "Abstraction in Pathfinding" (Sturtevant).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "grid_search/refiner.h"
#include "terrane/minimal_memory/minimal_memory.h"

namespace terrane::detail {

class CentreFinder {
public:
    struct Neighbour {
        Cell centre;
        Rect bounds;  // hull of its sector and the region's own
    };

    // Without `cost`, minimises the maximum number of expansions to a neighbour.
    CentreFinder(const GridSnapshot& grid, const PassableSet& set, Movement movement, const CentreCost& cost);

    // Returns the cell of least cost. Ties: `mean`, then the first of `cells`, which are all cells of the region in row-major order.
    // Returns `mean` if there are no neighbours.
    Cell find(Cell mean, std::span<const Cell> cells, std::span<const Neighbour> neighbours);

private:
    uint64_t cost(Cell cell, std::span<const Neighbour> neighbours, uint64_t limit);

    GridSnapshot grid_;
    CentreCost cost_;
    Refiner refiner_;
    size_t worst_neighbour_ = 0;  // the neighbour that exceeded the limit last
    std::vector<Cell> ends_;      // the neighbours' centres
};

}  // namespace terrane::detail
