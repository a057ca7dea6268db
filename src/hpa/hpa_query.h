// A query over an entrance graph: start and goal are joined to the crossings of their sectors, the crossings are searched, and the path is
// refined segment by segment (Botea, Mueller, Schaeffer 2004).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid_search/segment_query.h"
#include "terrane/any_angle/smoothing.h"
#include "terrane/hpa/entrance_graph.h"

namespace terrane {

// Scratch and state of one query at a time: one per thread, reused. After warm-up nothing is allocated.
class HpaQuery : public detail::SegmentQuery<HpaQuery> {
public:
    // Start and goal are on the map and passable for the costs that `graph` was made for; it must outlive the query. With `smooth`, the
    // path found is smoothed, and no cell is ready before that.
    void begin(const EntranceGraph& graph, Cell start, Cell goal, bool smooth = false);

    // As Planner::run.
    Status run(uint64_t budget) { return run_segments(budget); }

    uint64_t expansions() const { return search_.expansions() + refiner_.expansions(); }
    const std::vector<Cell>& cells() const { return cells_; }
    size_t ready() const { return ready_; }  // of them
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
