#include "regions/regions_query.h"

#include <algorithm>
#include <cstdlib>

namespace terrane {

namespace {

// Ends at most this many columns and rows apart are also searched on cells, in a box that is larger than both by kNearMargin.
constexpr int32_t kNear = 40;
constexpr int32_t kNearMargin = 16;

}  // namespace

void RegionsQuery::begin(const detail::RegionPortals& portals, const Ground& ground, Cell start, Cell goal) {
    portals_ = &portals;
    ground_ = ground;
    start_ = start;
    goal_ = goal;
    begin_query();
    near_.clear();
    proved_ = takes_near_ = false;
    path_.begin(ground, start, false, true);
    refiner_.begin(ground);
    searches_near_ = std::max(std::abs(start.x - goal.x), std::abs(start.y - goal.y)) <= kNear;
    if (searches_near_) {
        const Rect both = Rect::spanning(start, goal);
        const Size size{both.width + 2 * kNearMargin, both.height + 2 * kNearMargin};
        refiner_.begin_segment(start, goal, Rect({both.x - kNearMargin, both.y - kNearMargin}, size));
    } else {
        route_.begin(portals, ground, start, goal);
    }
}

Status RegionsQuery::search(uint64_t budget) {
    if (searches_near_) {
        const uint64_t before = refiner_.expansions();
        const Status near = refiner_.run(budget);
        if (near == Status::kBudgetSpent) return near;
        budget -= budget == kUnlimited ? 0 : refiner_.expansions() - before;
        finish_near(near == Status::kFound);
    }
    if (proved_) return Status::kFound;
    const Status found = route_.run(budget);
    if (found == Status::kFound) takes_near_ = false;
    return found == Status::kUnreachable && takes_near_ ? Status::kFound : found;
}

// Takes the path in the box until a better route is found, unless there is none.
void RegionsQuery::finish_near(bool found) {
    searches_near_ = false;
    takes_near_ = found;
    if (found) refiner_.append_to(near_);
    proved_ = found && refiner_.cost() <= bound_outside(refiner_.window());
    if (!proved_) route_.begin(*portals_, ground_, start_, goal_, found ? refiner_.cost() : kInfiniteCost);
}

// A lower bound on the cost of every path that leaves the box: it goes to a column or row outside and back.
Cost RegionsQuery::bound_outside(const Rect& box) const {
    const Rect map = ground_.layout().rect();
    const int32_t dx = std::abs(start_.x - goal_.x), dy = std::abs(start_.y - goal_.y);
    uint64_t least = kInfiniteCost;
    const auto consider = [&](bool inside_map, int32_t across, int32_t along) {
        if (inside_map) least = std::min(least, octile_length(ground_.rule(), {0, 0}, {across, along}));
    };
    consider(box.x > map.x, start_.x + goal_.x - 2 * (box.x - 1), dy);
    consider(box.right() < map.right(), 2 * box.right() - start_.x - goal_.x, dy);
    consider(box.y > map.y, start_.y + goal_.y - 2 * (box.y - 1), dx);
    consider(box.bottom() < map.bottom(), 2 * box.bottom() - start_.y - goal_.y, dx);
    return least == kInfiniteCost ? least : 2 * least * ground_.bounds().cheapest * ground_.costs().divisor;
}

void RegionsQuery::take_waypoints() {
    if (takes_near_) {
        waypoints_.push_back(goal_);
    } else {
        route_.waypoints(waypoints_);
    }
    begin_next_segment();
}

Status RegionsQuery::refine(uint64_t budget) {
    std::vector<Cell>& cells = path_.cells();
    const Cell from = cells.back(), to = waypoints_[next_];
    if (takes_near_) {
        cells.insert(cells.end(), near_.begin(), near_.end());
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
