#include "crowd/swarm/swarm_route.h"

#include <algorithm>
#include <limits>

namespace terrane::detail {

namespace {

constexpr int32_t kNoDistance = std::numeric_limits<int32_t>::max();

Move move_between(Cell a, Cell b) {
    const Cell step{b.x - a.x, b.y - a.y};
    return static_cast<Move>(std::find(kMoves.begin(), kMoves.end(), step) - kMoves.begin());
}

// Visits the tiles that a move depends on: that of its target and, where it crosses a tile border, those of the two cells beside it.
template <class Visit>
void for_each_tile(const GridLayout& layout, Cell from, Cell to, Visit&& visit) {
    const uint32_t tile = layout.id(to) / kTileCells;
    visit(tile);
    if (layout.id(from) / kTileCells == tile) return;
    visit(layout.id({from.x, to.y}) / kTileCells);
    visit(layout.id({to.x, from.y}) / kTileCells);
}

}  // namespace

void Route::clear() {
    anchor_ = kNoCell;
    moves_.clear();
}

void Route::set(const GridLayout& layout, std::span<const Cell> cells, GridVersion version) {
    moves_.clear();
    tiles_ = {};
    version_ = version;
    anchor_ = layout.id(cells.back());
    replace_prefix(layout, cells, 0);
}

void Route::replace_prefix(const GridLayout& layout, std::span<const Cell> cells, size_t moves) {
    moves_.resize(moves_.size() - moves);
    moves_.reserve(moves_.size() + cells.size());
    for (size_t i = cells.size() - 1; i > 0; --i) {
        moves_.push_back(move_between(cells[i - 1], cells[i]));
        for_each_tile(layout, cells[i - 1], cells[i], [&](uint32_t tile) { tiles_.add(tile); });
    }
    anchor_ = layout.id(cells.front());
}

int32_t Route::follow(const Crowd& crowd, const Ground& ground, CellId at) {
    if (at == anchor_) return 0;
    const GridLayout& layout = crowd.layout();
    if (!moves_.empty() && cell_after(layout, anchor_, moves_.back()) == at) {
        moves_.pop_back();
        anchor_ = at;
        return 0;
    }
    const Cell c = layout.cell(at);
    int32_t min_distance = kNoDistance;
    size_t best = 0;
    CellId best_cell = anchor_;
    walk(layout, [&](Cell on_route, size_t i) {
        int32_t distance = chebyshev_distance(c, on_route);
        const CellId id = layout.id(on_route);
        if (distance == 1 && !ground.can_step(at, id)) distance = 2;
        if (distance <= min_distance) {
            min_distance = distance;
            best = i;
            best_cell = id;
        }
        return distance > 0 && i < kLookahead;
    });
    moves_.resize(moves_.size() - best);
    anchor_ = best_cell;
    return min_distance;
}

RouteAhead Route::ahead(const GridLayout& layout) const {
    RouteAhead out;
    walk(layout, [&](Cell c, size_t i) {
        out.cells[out.count++] = c;
        return i < kLookahead;
    });
    return out;
}

bool Route::outdated(const GridSnapshot& grid) const {
    bool changed = false;
    Cell last = grid.layout().cell(anchor_);
    walk(grid.layout(), [&](Cell c, size_t) {
        for_each_tile(grid.layout(), last, c, [&](uint32_t tile) { changed = changed || grid.tile_version(tile) > version_; });
        last = c;
        return !changed;
    });
    return changed;
}

}  // namespace terrane::detail
