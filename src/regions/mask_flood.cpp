#include "regions/mask_flood.h"

#include <algorithm>
#include <cstdlib>

namespace terrane::detail {

uint32_t TerrainMask::moves(Cell from) const {
    const auto row = [&](int32_t dy) { return static_cast<uint32_t>(rows_[static_cast<uint32_t>(from.y + 1 + dy)] >> from.x & 7); };
    const uint32_t above = row(-1), here = row(0), below = row(1);
    const uint32_t straight = (above >> 1 & 1) | (here >> 2 & 1) << 1 | (below >> 1 & 1) << 2 | (here & 1) << 3;
    const uint32_t diagonal = (above >> 2 & 1) | (below >> 2 & 1) << 1 | (below & 1) << 2 | (above & 1) << 3;
    if (!has_diagonals(movement_)) return straight;
    const uint32_t next = straight >> 1 | (straight & 1) << 3;  // clockwise
    return straight | (diagonal & (cuts_corners(movement_) ? straight | next : straight & next)) << 4;
}

// Takes `count` steps; false if one is illegal.
bool TerrainMask::walk(Cell& at, Cell step, int32_t count) const {
    const auto move = static_cast<uint32_t>(std::find(kMoves.begin(), kMoves.end(), step) - kMoves.begin());
    for (; count > 0; --count) {
        if ((moves(at) >> move & 1) == 0) return false;
        at = {at.x + step.x, at.y + step.y};
    }
    return true;
}

bool TerrainMask::octile(Cell from, Cell to) const {
    const int32_t dx = to.x - from.x, dy = to.y - from.y, wide = std::abs(dx), high = std::abs(dy);
    const Cell across{dx < 0 ? -1 : 1, 0}, down{0, dy < 0 ? -1 : 1};
    const bool diagonals = has_diagonals(movement_);
    const Cell both = diagonals ? Cell{across.x, down.y} : wide < high ? across : down;  // steps of the shorter side
    const Cell longer = wide < high ? down : across;
    const int32_t shorter = std::min(wide, high), rest = diagonals ? std::max(wide, high) - shorter : std::max(wide, high);
    Cell first = from, last = from;
    return (walk(first, both, shorter) && walk(first, longer, rest)) || (walk(last, longer, rest) && walk(last, both, shorter));
}

void MaskFlood::run(const TerrainMask& cells, Cell from) {
    labels_.reset(kLargestPortalSector * kLargestPortalSector);
    queue_.reset(9);  // buckets of 512, narrower than a step: each cell is expanded once
    BestFirst search(CellGraph{&cells}, ZeroHeuristic{}, NoGoal{}, labels_, queue_);
    search.start(node(from), 0, kNoMove);
    search.run();
}

}  // namespace terrane::detail
