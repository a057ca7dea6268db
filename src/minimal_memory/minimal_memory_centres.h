// Where the centre of a region is best: slides 25 to 29 of "Abstraction in Pathfinding" (Sturtevant).
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
        Rect window;  // of its sector and the region's own
    };

    // `cost`: none for the most expansions on the way to a neighbour.
    CentreFinder(const GridSnapshot& grid, const PassableSet& set, Movement movement, const CentreCost& cost);

    // The cell of a region that costs least; of several, `mean`, else the first in `cells`, which are all of the region's, by rows. `mean`
    // where there are no neighbours.
    Cell find(Cell mean, std::span<const Cell> cells, std::span<const Neighbour> neighbours);

private:
    uint64_t cost(Cell cell, std::span<const Neighbour> neighbours, uint64_t limit);

    GridSnapshot grid_;
    CentreCost cost_;
    Refiner refiner_;
    size_t hardest_ = 0;      // the neighbour that was too far the last time
    std::vector<Cell> ends_;  // the neighbours' centres
};

}  // namespace terrane::detail
