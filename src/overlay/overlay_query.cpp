#include "overlay/overlay_query.h"

#include <algorithm>

namespace terrane {

namespace {

// Paths of at most so many crossings are smoothed, unless the first quality level is asked for: between ends that are near, having to pass
// through portals shows. On the five weighted benchmark maps, 250 problems each, for 0 / 6 / 12: overlay:2 0.85 / 0.77 / 0.71% above
// optimal and at worst 7.6 / 7.6 / 4.5%, overlay:4 at worst 39 / 3.3 / 1.1%; each costs 0.17 us a cell, 50 us for the longest of them.
constexpr size_t kShort = 12;

}  // namespace

void OverlayQuery::begin(const OverlayData& data, Cell start, Cell goal, OverlayQuality quality, double bound) {
    data_ = &data;
    start_ = start;
    goal_ = goal;
    bound_ = bound;
    asked_ = quality;
    improves_ = asked_ > OverlayQuality::kCrossings || bound > 0;
    level_ = std::min(asked_, OverlayQuality::kCrossings);
    done_ = false;
    expansions_first_ = 0;
    status_ = Status::kBudgetSpent;
    const Ground& ground = data.overlay.root().ground;
    least_ = data.certificate ? data.certificate->lower_bound(start, goal) : ground.octile_bound(start, goal);
    portals_.begin(data.overlay, start, goal, {level_ == OverlayQuality::kCrossings});
}

Status OverlayQuery::run(uint64_t budget) {
    if (status_ != Status::kBudgetSpent) return status_;
    if (!done_) {
        const uint64_t before = portals_.expansions();
        const Status found = portals_.run(budget);
        if (expansions_first_ == 0 && !portals_.cells().empty()) expansions_first_ = expansions();
        if (found == Status::kBudgetSpent) return found;
        if (found != Status::kFound) return status_ = found;
        if (budget != kUnlimited) budget -= std::min(budget, portals_.expansions() - before);
        escalate();
    }
    if (level_ == OverlayQuality::kOptimal) {
        if (optimal_.run(budget) == Status::kBudgetSpent) return status_;
        optimal_.path(path_);
        cells_ = path_.cells;
        cost_ = least_ = path_.cost;
    }
    return status_ = Status::kFound;
}

bool OverlayQuery::is_short() const { return level_ > OverlayQuality::kPortals && portals_.crossings() <= kShort; }

bool OverlayQuery::proven() const { return bound_ <= 0 || static_cast<double>(cost_) <= bound_ * static_cast<double>(least_); }

// To the next quality levels, while they are asked for. The last is a search, which is left to run.
void OverlayQuery::escalate() {
    portals_.take_cells(cells_);
    done_ = true;
    const Ground& ground = data_->overlay.root().ground;
    const auto smooth = [&] { cost_ = smooth_path(ground, cells_, smoothing_); };
    if (asked_ >= OverlayQuality::kCorridor || is_short()) {
        smooth();
    } else {
        cost_ = portals_.cost();
        if (!proven()) smooth();
    }
    if (asked_ < OverlayQuality::kOptimal && proven()) return;
    level_ = OverlayQuality::kOptimal;
    SearchOptions options;
    options.certificate = data_->certificate ? &*data_->certificate : nullptr;
    optimal_.begin(ground, start_, goal_, options);
}

Status OverlayQuery::finish_early() {
    if (!done_ && !portals_.cells().empty()) {  // found, but not all written
        portals_.run();
        escalate();
    }
    if (status_ == Status::kBudgetSpent && done_) status_ = Status::kFound;
    return status_;
}

double OverlayQuery::bound() const { return least_ == 0 ? 1 : std::max(1.0, static_cast<double>(cost_) / static_cast<double>(least_)); }

size_t OverlayQuery::bytes() const {
    return portals_.bytes() + optimal_.bytes() + smoothing_.bytes() + (cells_.capacity() + path_.cells.capacity()) * sizeof(Cell);
}

}  // namespace terrane
