#include "regions/regions_query.h"

#include <algorithm>
#include <cstdlib>

namespace terrane {

namespace {

// Between ends at most kNear columns and rows apart, A* on cells finds most paths within kNearExpansions. 40 cells: paths up to 20%
// above the optimum instead of 10%, and slower (docs/notes/regions.md).
constexpr int32_t kNear = 64;
constexpr uint64_t kNearExpansions = 8000;

}  // namespace

void RegionsQuery::begin(const detail::RegionPortals& portals, const Ground& ground, Cell start, Cell goal) {
    portals_ = &portals;
    ground_ = ground;
    start_ = start;
    goal_ = goal;
    begin_query();
    refiner_.begin(ground);
    searches_near_ = std::max(std::abs(start.x - goal.x), std::abs(start.y - goal.y)) <= kNear;
    path_.clear();
    if (searches_near_) {
        refiner_.begin_segment(start, goal);
    } else {
        begin_route();
    }
}

void RegionsQuery::begin_route() {
    searches_near_ = false;
    path_.begin(ground_, start_, false, true);
    route_.begin(*portals_, ground_, start_, goal_);
}

Status RegionsQuery::search(uint64_t budget) {
    if (searches_near_) {
        const uint64_t before = refiner_.expansions(), left = kNearExpansions - before;
        const Status near = refiner_.run(std::min(budget, left));
        if (near == Status::kFound || (near == Status::kBudgetSpent && budget < left)) return near;
        if (near == Status::kUnreachable) return near;
        budget -= budget == kUnlimited ? 0 : refiner_.expansions() - before;
        begin_route();
    }
    return route_.run(budget);
}

void RegionsQuery::take_waypoints() {
    if (searches_near_) {
        path_.begin(ground_, start_, false, false);
        waypoints_.push_back(goal_);
    } else {
        route_.waypoints(waypoints_);
        begin_next_segment();
    }
}

Status RegionsQuery::refine(uint64_t budget) {
    std::vector<Cell>& cells = path_.cells();
    const Cell from = cells.back(), to = waypoints_[next_];
    if (searches_near_) {
        refiner_.append_to(cells);
    } else if (!append_straight(from, to, true) && !append_straight(from, to, false)) {
        const Status refined = refiner_.run(budget);
        if (refined != Status::kFound) return refined;
        refiner_.append_to(cells);
    }
    return finish_segment();
}

// Appends a path that takes its diagonal steps first or last, if it stays on the terrain of `from`; the last cell may have another.
bool RegionsQuery::append_straight(Cell from, Cell to, bool diagonal_first) {
    std::vector<Cell>& cells = path_.cells();
    const size_t before = cells.size();
    const Terrain terrain = ground_.grid().at(from);
    for (Cell at = from; at != to;) {
        const int32_t dx = to.x - at.x, dy = to.y - at.y;
        const bool diagonal = dx != 0 && dy != 0 && (diagonal_first || std::abs(dx) == std::abs(dy));
        const bool across = diagonal || std::abs(dx) > std::abs(dy), down = diagonal || !across;
        const Cell next{at.x + (across ? std::clamp(dx, -1, 1) : 0), at.y + (down ? std::clamp(dy, -1, 1) : 0)};
        if (!ground_.can_step(at, next) || (next != to && ground_.grid().at(next) != terrain)) {
            cells.resize(before);
            return false;
        }
        cells.push_back(next);
        at = next;
    }
    return true;
}

}  // namespace terrane
