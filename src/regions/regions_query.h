// Query of the default method: a near search on cells for close ends, a route over the portals of terrain regions, and its refinement
// into cells, which are smoothed.
#pragma once
#include <vector>

#include "any_angle/segment_path.h"
#include "grid_search/segment_query.h"
#include "regions/portal_route.h"

namespace terrane {

class RegionsQuery : public detail::SectorQuery<RegionsQuery, SegmentPath> {
public:
    // Start and goal must be on the map, passable and connected; `portals` must outlive the query.
    void begin(const detail::RegionPortals& portals, const Ground& ground, Cell start, Cell goal);

    // As Planner::run.
    Status run(uint64_t budget) { return run_segments(budget); }

    uint64_t expansions() const { return (searches_near_ ? 0 : route_.expansions()) + refiner_.expansions(); }
    // Whether the near search found the path, which is then optimal.
    bool optimal() const { return searches_near_; }
    size_t bytes() const { return bytes_of_query() + route_.bytes() + path_.bytes(); }

private:
    friend SegmentQuery;
    friend SectorQuery;
    Status search(uint64_t budget);
    void begin_route();
    Rect sector_at(Cell c) const { return portals_->rect(portals_->sector_at(c)); }
    void take_waypoints();
    Status refine(uint64_t budget);
    bool append_straight(Cell from, Cell to, bool diagonal_first);

    const detail::RegionPortals* portals_ = nullptr;
    Ground ground_;
    Cell start_, goal_;
    bool searches_near_ = false;  // no route is needed so far
    PortalRoute route_;
};

}  // namespace terrane
