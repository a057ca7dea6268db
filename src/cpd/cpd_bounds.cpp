#include "cpd/cpd_bounds.h"

namespace terrane::detail {

static uint64_t sum(uint64_t a, uint64_t b) { return a == kInfinite<uint64_t> || b == kInfinite<uint64_t> ? kInfinite<uint64_t> : a + b; }

void PathBounds::begin(const PathDatabase& database, const ChangedGrid& grid, CellId goal) {
    grid_ = &grid;
    towards_ = database.towards(goal);
    bounds_.reset(grid.layout().id_limit());
    lookups_ = 0;
    PathBound& bound = bounds_.touch(goal);
    bound.base = bound.now = 0;
    bound.successor = goal;
}

// Follows first moves until a cell whose bound is cached, then fills in the bounds of the trail backwards.
const PathBound& PathBounds::walk(CellId cell) {
    trail_.clear();
    const PathBound* known = nullptr;
    while ((known = bounds_.find(cell)) == nullptr) {
        PathBound& bound = bounds_.touch(cell);
        bound.move = towards_(cell);
        bound.successor = cell;
        ++lookups_;
        const CellId next = grid_->follow(cell, bound.move);
        if (next == kNoCell) {
            known = &bound;
            break;
        }
        trail_.push_back(cell);
        cell = next;
    }
    while (!trail_.empty()) {
        known = &step_back(trail_.back(), *known);
        trail_.pop_back();
    }
    return *known;
}

// Computes a cell's bound from that of the next cell on its path.
const PathBound& PathBounds::step_back(CellId cell, const PathBound& next) {
    PathBound& bound = bounds_.touch(cell);
    const CellId to = grid_->neighbour(cell, bound.move);
    const uint64_t base = grid_->base_step(cell, bound.move, to), now = grid_->now_step(cell, bound.move, to, base);
    bound.base = sum(base, next.base);
    bound.now = sum(now, next.now);
    bound.successor = now == base ? next.successor : cell;
    bound.area = now == base ? next.area : grid_->area_of_step(cell, bound.move, to);
    return bound;
}

void PullCosts::begin(const PathDatabase& database, const ChangedGrid& grid) {
    database_ = &database;
    grid_ = &grid;
    shoot_ = kNoCell;
    lookups_ = 0;
}

void PullCosts::set_shoot_node(CellId shoot) {
    shoot_ = shoot;
    covered_ = database_->covers(shoot);
    if (!covered_) return;
    towards_ = database_->towards(shoot);
    costs_.reset(grid_->layout().id_limit());
    costs_.touch(shoot).cost = 0;
}

// Stops at the first blocked step; then every cell on the trail costs kInfinite.
uint64_t PullCosts::operator()(CellId from, CellId shoot) {
    if (shoot != shoot_) set_shoot_node(shoot);
    if (!covered_) return kInfinite<uint64_t>;
    trail_.clear();
    uint64_t cost = 0;
    for (CellId cell = from;;) {
        if (const Entry* known = costs_.find(cell); known != nullptr) {
            cost = known->cost;
            break;
        }
        Entry& entry = costs_.touch(cell);
        entry.move = towards_(cell);
        ++lookups_;
        const CellId to = grid_->follow(cell, entry.move);
        const uint64_t step =
            to == kNoCell ? kInfinite<uint64_t> : grid_->now_step(cell, entry.move, to, grid_->base_step(cell, entry.move, to));
        trail_.push_back({cell, step});
        if (step == kInfinite<uint64_t>) break;
        cell = to;
    }
    for (; !trail_.empty(); trail_.pop_back()) {
        cost = sum(cost, trail_.back().cost);
        costs_.touch(trail_.back().from).cost = cost;
    }
    return cost;
}

Move PullCosts::move(CellId from, CellId shoot) {
    if (shoot != shoot_) set_shoot_node(shoot);
    if (const Entry* known = costs_.find(from); known != nullptr) return known->move;
    ++lookups_;
    return towards_(from);
}

}  // namespace terrane::detail
