// A query over an entrance graph: start and goal are joined to the crossings of their sectors, the crossings are searched, and the path is
// refined segment by segment (Botea, Mueller, Schaeffer 2004).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid_search/refiner.h"
#include "terrane/any_angle/smoothing.h"
#include "terrane/hpa/entrance_graph.h"

namespace terrane {

// Scratch and state of one query at a time: one per thread, reused. After warm-up nothing is allocated.
class HpaQuery {
public:
    // Start and goal are on the map and passable for the costs that `graph` was made for; it must outlive the query. With `smooth`, the
    // path found is smoothed, and no cell is ready before that.
    void begin(const EntranceGraph& graph, Cell start, Cell goal, bool smooth = false);

    // As Planner::run.
    Status run(uint64_t budget);

    uint64_t expansions() const { return search_.expansions() + refiner_.expansions(); }
    uint64_t expansions_first() const { return expansions_first_; }
    size_t cells_first() const { return cells_first_; }  // that were ready then
    const std::vector<Cell>& cells() const { return cells_; }
    size_t ready() const { return ready_; }  // of them
    size_t bytes() const;

private:
    void advance();

    const EntranceGraph* graph_ = nullptr;
    bool smooth_ = false;
    Status status_ = Status::kUnreachable;
    EntranceSearch search_;
    Refiner refiner_;
    SmoothingScratch smoothing_;
    std::vector<Cell> waypoints_;  // start, crossings, goal; none until they are searched
    size_t next_ = 0;              // of them: the end of the segment being refined; their number when all are
    std::vector<Cell> cells_;
    size_t ready_ = 0;
    uint64_t expansions_first_ = 0;
    size_t cells_first_ = 0;
};

}  // namespace terrane
