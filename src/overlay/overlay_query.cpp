#include "overlay/overlay_query.h"

#include <algorithm>
#include <cstdlib>

namespace terrane {

namespace {

// Paths with at most this many crossings are smoothed from level kCrossings on: forcing short paths through portals costs most. With 12
// instead of 0, overlay:2 is 0.71% above the optimum instead of 0.85%, at 0.17 us per cell.
constexpr size_t kMaxSmoothedCrossings = 12;

// ... unless they are proven to be within 1/64 of the optimum: smoothing is 60% of their time on maps with random obstacles, and makes
// paths of 64 to 128 cells slower than A* (docs/notes/overlay.md).
constexpr Cost kNearlyProven = 64;

// Expansions of A* on cells before the search over portals if the optimum is requested. The portals take as long as 300 to 1,500 of them.
// Fewer if A* with lower bounds continues, because it starts again.
constexpr uint64_t kCellsFirst = 16000, kCellsFirstWithBounds = 2000;

// Ends at least this many columns or rows apart use the lower-bound table: with it, A* expands a sixth of the cells, but takes four to five
// times as long for each. Between nearer ends that is up to 1.6 times slower (docs/notes/overlay.md).
constexpr int32_t kFarForBounds = 128;

}  // namespace

void OverlayQuery::begin(const PreparedOverlay& data, Cell start, Cell goal, OverlayQuality quality, double bound) {
    data_ = &data;
    start_ = start;
    goal_ = goal;
    bound_ = bound;
    requested_ = quality;
    may_improve_ = requested_ > OverlayQuality::kCrossings || bound > 0;
    level_ = std::min(requested_, OverlayQuality::kCrossings);
    portals_done_ = false;
    expansions_first_ = 0;
    status_ = Status::kBudgetSpent;
    lower_bound_ = 0;
    // Where all terrain costs the same, octile distance is tight enough.
    const GridBounds bounds = data.overlay.data().ground.bounds();
    const bool far = std::max(std::abs(start.x - goal.x), std::abs(start.y - goal.y)) >= kFarForBounds;
    uses_bounds_ = data.lower_bounds && far && bounds.cheapest != bounds.most_expensive;
    const uint64_t cells_first = requested_ < OverlayQuality::kOptimal ? 0 : uses_bounds_ ? kCellsFirstWithBounds : kCellsFirst;
    portals_.begin(data.overlay, start, goal, {.optimise_crossings = level_ == OverlayQuality::kCrossings, .cells_first = cells_first});
}

Status OverlayQuery::run(uint64_t budget) {
    if (status_ != Status::kBudgetSpent) return status_;
    if (!portals_done_) {
        const uint64_t before = portals_.expansions();
        const Status found = portals_.run(budget);
        expansions_first_ = portals_.expansions_first();
        if (found == Status::kBudgetSpent) return found;
        if (found != Status::kFound) return status_ = found;
        if (budget != kUnlimited) budget -= std::min(budget, portals_.expansions() - before);
        escalate();
    }
    if (level_ == OverlayQuality::kOptimal && !improve(budget)) return status_;
    return status_ = Status::kFound;
}

// Continues the search for the optimum. Returns whether it is finished.
bool OverlayQuery::improve(uint64_t budget) {
    const Status found = uses_bounds_ ? optimal_.run(budget) : portals_.improve(cost_, budget);
    if (found == Status::kBudgetSpent) return false;
    if (found == Status::kFound) {
        if (data_->lower_bounds) {
            optimal_.path(path_);
            cells_ = path_.cells;
            cost_ = path_.cost;
        } else {
            cells_ = portals_.cells();
            cost_ = portals_.cost();
        }
    }
    lower_bound_ = cost_;
    return true;
}

bool OverlayQuery::is_short() const { return level_ > OverlayQuality::kPortals && portals_.crossings() <= kMaxSmoothedCrossings; }

bool OverlayQuery::proven() const { return bound_ <= 0 || static_cast<double>(cost_) <= bound_ * static_cast<double>(lower_bound_); }

// Escalates through the quality levels that are requested or needed for the bound. The last one is a search, which run() continues.
void OverlayQuery::escalate() {
    portals_.take_cells(cells_);
    portals_done_ = true;
    cost_ = portals_.cost();
    const Ground& ground = data_->overlay.data().ground;
    lower_bound_ = portals_.optimal()    ? cost_
                   : data_->lower_bounds ? data_->lower_bounds->lower_bound(start_, goal_)
                                         : ground.octile_bound(start_, goal_);
    if (cost_ == lower_bound_) return;
    const bool optimal = requested_ == OverlayQuality::kOptimal;
    if (!optimal &&
        (requested_ == OverlayQuality::kSmooth || (is_short() && cost_ - lower_bound_ > lower_bound_ / kNearlyProven) || !proven()))
        smooth();
    if (!optimal && proven()) return;
    level_ = OverlayQuality::kOptimal;
    if (!uses_bounds_) return;  // portals_ continues
    SearchOptions options;
    options.lower_bounds = &*data_->lower_bounds;
    options.incumbent = cost_;
    optimal_.begin(ground, start_, goal_, options);
}

void OverlayQuery::smooth() { cost_ = smooth_path(data_->overlay.data().ground, cells_, smoothing_); }

Status OverlayQuery::finish_early() {
    if (status_ == Status::kBudgetSpent && !portals_done_ && portals_.finish_early() == Status::kFound) {
        expansions_first_ = portals_.expansions_first();
        escalate();
    }
    if (status_ == Status::kBudgetSpent && portals_done_) {
        if (requested_ == OverlayQuality::kOptimal && cost_ != lower_bound_) smooth();
        status_ = Status::kFound;
    }
    return status_;
}

double OverlayQuery::bound() const {
    return lower_bound_ == 0 ? 1 : std::max(1.0, static_cast<double>(cost_) / static_cast<double>(lower_bound_));
}

size_t OverlayQuery::bytes() const {
    return portals_.bytes() + optimal_.bytes() + smoothing_.bytes() + (cells_.capacity() + path_.cells.capacity()) * sizeof(Cell);
}

}  // namespace terrane
