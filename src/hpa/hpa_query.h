// An HPA* query (Botea, Mueller, Schaeffer 2004): connects start and goal to the nodes of their sectors, searches the entrance graph, and
// refines the path segment by segment.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid_search/segment_query.h"
#include "terrane/any_angle/smoothing.h"
#include "terrane/hpa/entrance_graph.h"

namespace terrane {

// A reusable query object; one thread at a time. After warm-up it allocates nothing.
class HpaQuery : public detail::SegmentQuery<HpaQuery> {
public:
    // Begins a query. Precondition: start and goal are on the map and passable for the costs of `graph`. With `smooth`, the found path is
    // smoothed, and no cell is ready before that. `graph` must outlive the query.
    void begin(const EntranceGraph& graph, Cell start, Cell goal, bool smooth = false);

    // Like Planner::run().
    Status run(uint64_t budget) { return run_segments(budget); }

    uint64_t expansions() const { return search_.expansions() + refiner_.expansions(); }
    const std::vector<Cell>& cells() const { return cells_; }
    size_t ready() const { return ready_; }  // number of cells that are final
    size_t bytes() const;

private:
    friend SegmentQuery;
    Status search(uint64_t budget) { return search_.run(budget); }
    void take_waypoints();
    Status refine(uint64_t budget);
    void advance();

    const EntranceGraph* graph_ = nullptr;
    bool smooth_ = false;
    EntranceSearch search_;
    SmoothingScratch smoothing_;
    std::vector<Cell> cells_;
    size_t ready_ = 0;
};

}  // namespace terrane
