// Query of the default method: a near search on cells for close ends, a route over the portals of terrain regions, and its refinement
// into cells, which are smoothed.
#pragma once
#include <vector>

#include "any_angle/segment_path.h"
#include "grid_search/segment_query.h"
#include "regions/region_route.h"

namespace terrane {

class RegionsQuery : public detail::SectorQuery<RegionsQuery, SegmentPath> {
public:
    // Start and goal must be on the map, passable and connected; `portals` must outlive the query.
    void begin(const detail::RegionPortals& portals, const Ground& ground, Cell start, Cell goal);

    // As Planner::run.
    Status run(uint64_t budget) { return run_segments(budget); }

    uint64_t expansions() const { return route_.expansions() + refiner_.expansions(); }
    // Whether the near search proved that the path is optimal.
    bool proved() const { return proved_; }
    size_t bytes() const { return bytes_of_query() + route_.bytes() + path_.bytes() + near_.capacity() * sizeof(Cell); }

private:
    friend SegmentQuery;
    friend SectorQuery;
    Status search(uint64_t budget);
    void finish_near(bool found);
    Cost bound_outside(const Rect& box) const;
    Rect sector_at(Cell c) const { return portals_->rect(portals_->sector_at(c)); }
    void take_waypoints();
    Status refine(uint64_t budget);
    bool append_straight(Cell from, Cell to, bool diagonal_first);

    const detail::RegionPortals* portals_ = nullptr;
    Ground ground_;
    Cell start_, goal_;
    bool searches_near_ = false;  // the near search runs
    bool takes_near_ = false;     // its path is the best one so far
    bool proved_ = false;
    std::vector<Cell> near_;  // its path, without the start
    RegionRoute route_;
};

}  // namespace terrane
