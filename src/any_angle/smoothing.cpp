#include "terrane/any_angle/smoothing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>
#include <span>

#include "terrane/base/assert.h"
#include "terrane/grid/path.h"

// A stretch of the path that makes for one side of the map is laid out in columns, one for each step that way, each with kLanes
// cells across and the path in the middle. The cheapest way through them that never goes back a column is found column by
// column: into a cell from the three before it, then up and down the column. All lanes of a column are done at once, by loops
// that compilers turn into vector code.
//
// Tried, on 400 paths of dta:16 on four weighted 2048x2048 maps, 3.8% above optimal, of 1260 cells on average: how much of that
// went, and how long it took. Loops, the other part of the work, take 0.03 ms of their own.
//   48 lanes                                                     90%  0.18 ms
//   16, 32 and 64 lanes                                          78%  0.09 ms, 86%  0.13 ms, 92%  0.24 ms
//   16 lanes twice                                               84%  0.17 ms
//   48 lanes, stretches of 256 steps; steep ones; no overlap     87%, 78%, 88%
//   straight octile lines from every 4th cell to up to 32 on     44%  0.5 ms, kept where they gain most
//   the best chain of them between every 8th cell, up to 64 on   64%  1 ms
//   A* between every 32nd cell, halfway between the old stops    50%  1.5 ms
// In a column, stepping all lanes up and down at once until nothing changes took twice as long as one lane after the other.

namespace terrane {

namespace {

constexpr int32_t kLanes = 48;        // cells across a band: a multiple of 4
constexpr int32_t kPad = 16;          // a band moves sideways by less than that from column to column
constexpr size_t kLongest = 1024;     // steps of a stretch
constexpr size_t kOverlap = 20;       // steps of the stretch before that a stretch begins with, so that joints are smoothed, too
constexpr int32_t kSteepest = 16;     // cells that a stretch may go across between two steps along
constexpr int32_t kFarthestBack = 8;  // columns that it may go back

// In a band, a cell's key is eight times its cost, and how it was reached. Sums of five stay below 2^31.
constexpr int32_t kFar = 1 << 28;
constexpr int32_t kHowMask = 7;
enum How : int32_t {
    kOn,         // from the same lane of the column before
    kFromLower,  // from the next lower lane of the column before
    kFromUpper,
    kUp,  // from the next lower lane of the same column
    kDown,
};

// How far a cell is from the start, without how it was reached.
constexpr int32_t distance(int32_t key) { return key & ~kHowMask; }

// Half of each step into or out of the cells of a column, by lane. One cell beyond each end is there as well.
struct ColumnCosts {
    int32_t straight[kLanes + 2];
    int32_t diagonal[kLanes + 2];
};

// The last column done, by lane + kPad: what it costs to leave a cell, from the start on.
struct Front {
    int32_t straight[kLanes + 2 * kPad];
    int32_t diagonal[kLanes + 2 * kPad];
    int32_t wall[kLanes + 2 * kPad];  // kFar where diagonal steps must not pass, else 0

    Front() {
        std::fill(std::begin(straight), std::end(straight), kFar);
        std::fill(std::begin(diagonal), std::end(diagonal), kFar);
        std::fill(std::begin(wall), std::end(wall), kFar);
    }
};

// Along and across a stretch.
struct Axis {
    bool x = true;     // which of them is along
    int32_t from = 0;  // where column 0 is
    int32_t sign = 1;

    int32_t along(Cell c) const { return ((x ? c.x : c.y) - from) * sign; }
    int32_t across(Cell c) const { return x ? c.y : c.x; }
    Cell cell(int32_t column, int32_t v) const {
        const int32_t u = from + column * sign;
        return x ? Cell{u, v} : Cell{v, u};
    }
};

// Of a legal path, in the profile's own units.
uint64_t sum_of(const Ground& ground, std::span<const Cell> cells) {
    const auto cost = [&](Cell c) { return ground.costs().cost[ground.grid().at(ground.layout().id(c))]; };
    uint64_t sum = 0;
    uint32_t here = cost(cells[0]);
    for (size_t i = 1; i < cells.size(); ++i) {
        const uint32_t next = cost(cells[i]);
        const bool diagonal = cells[i].x != cells[i - 1].x && cells[i].y != cells[i - 1].y;
        sum += uint64_t{here + next} * (diagonal ? kDiagonal : kStraight);
        here = next;
    }
    return sum;
}

class Band {
public:
    Band(const Ground& ground, SmoothingScratch& scratch) : ground_(ground), scratch_(scratch) {}

    // Finds a cheaper way from the first to the last cell of a stretch and leaves it in scratch.piece; false if there is none.
    bool improve(std::span<const Cell> stretch, bool along_x) {
        const uint64_t now = sum_of(ground_, stretch);
        set_unit(now / (kFar / 8) + 1);
        const Cell start = stretch.front(), goal = stretch.back();
        Axis axis{along_x, along_x ? start.x : start.y, 1};
        if (axis.along(goal) < 0) axis.sign = -1;
        if (axis.along(goal) == 0 || !lay_out(stretch, axis)) return false;
        weigh(axis, start);
        if (key(axis.along(goal), axis.across(goal)) >= kFar) return false;
        trace(axis, start, goal);
        return sum_of(ground_, scratch_.piece) < now;
    }

private:
    static constexpr size_t kRow = kLanes + 4;  // of keys: the lanes, and one that no step helps

    int32_t key(int32_t column, int32_t v) const {
        const auto u = static_cast<size_t>(column);
        return scratch_.keys[u * kRow + static_cast<size_t>(v - scratch_.columns[u].low)];
    }

    // Costs are rounded down to whole units, so that those that matter stay below kFar. With a unit of 1, the rule, they are exact.
    void set_unit(uint64_t unit) {
        if (unit_ == unit) return;
        unit_ = unit;
        const auto scaled = [=](uint64_t cost) {
            return static_cast<int32_t>(std::min<uint64_t>(std::max<uint64_t>(cost / unit, 1) * 8, kFar));
        };
        for (size_t t = 0; t < 256; ++t) {
            const uint64_t cost = ground_.costs().cost[t];
            straight_[t] = cost != 0 ? scaled(cost * kStraight) : kFar;
            diagonal_[t] = cost != 0 && has_diagonals(ground_.movement()) ? scaled(cost * kDiagonal) : kFar;
        }
    }

    // Where the lanes of each column begin. False if the stretch's ends are not among them.
    bool lay_out(std::span<const Cell> stretch, const Axis& axis) {
        Vector<SmoothingScratch::Column>& columns = scratch_.columns;
        columns.assign(static_cast<size_t>(axis.along(stretch.back())) + 1, {std::numeric_limits<int32_t>::max(), -1});
        for (const Cell c : stretch) {
            const auto u = static_cast<size_t>(axis.along(c));  // huge where it is before column 0
            if (u >= columns.size()) continue;
            columns[u].low = std::min(columns[u].low, axis.across(c));
            columns[u].high = std::max(columns[u].high, axis.across(c));
        }
        for (size_t u = 0; u < columns.size(); ++u) {
            columns[u].low = (columns[u].low + columns[u].high) / 2 - kLanes / 2;
            if (u > 0) columns[u].low = std::clamp(columns[u].low, columns[u - 1].low - kPad + 1, columns[u - 1].low + kPad - 1);
        }
        if (scratch_.keys.size() < columns.size() * kRow) scratch_.keys.resize(columns.size() * kRow);
        const auto inside = [&](Cell c, const SmoothingScratch::Column& in) {
            return axis.across(c) >= in.low && axis.across(c) < in.low + kLanes;
        };
        return inside(stretch.front(), columns.front()) && inside(stretch.back(), columns.back());
    }

    // Fills in the keys of all columns.
    void weigh(const Axis& axis, Cell start) {
        const Vector<SmoothingScratch::Column>& columns = scratch_.columns;
        std::array<Front, 2> fronts;
        ColumnCosts costs;
        for (size_t u = 0; u < columns.size(); ++u) {
            const Front& before = fronts[u % 2];
            Front& front = fronts[1 - u % 2];
            int32_t* keys = &scratch_.keys[u * kRow];
            load(axis, static_cast<int32_t>(u), columns[u].low, costs, front);
            if (u == 0) {
                std::fill_n(keys, kLanes, kFar);
                keys[axis.across(start) - columns[0].low] = 0;
            } else {
                step_on(keys, before, columns[u].low - columns[u - 1].low, costs, front);
            }
            step_across(keys, costs);
            for (int32_t i = 0; i < kLanes; ++i) {
                front.straight[i + kPad] = distance(keys[i]) + costs.straight[i + 1];
                front.diagonal[i + kPad] = distance(keys[i]) + costs.diagonal[i + 1];
            }
        }
    }

    // A column's costs and walls. Cells off the map are blocked.
    void load(const Axis& axis, int32_t column, int32_t low, ColumnCosts& costs, Front& front) const {
        const GridLayout& layout = ground_.layout();
        const int32_t first = low - 1, limit = axis.x ? layout.height : layout.width;
        const ptrdiff_t stride = axis.x ? kTileSide : 1;
        for (int32_t i = 0; i < kLanes + 2;) {
            const int32_t v = first + i;
            if (v < 0 || v >= limit) {
                costs.straight[i] = costs.diagonal[i] = kFar;
                ++i;
                continue;
            }
            const int32_t end = std::min({kLanes + 2, i + kTileSide - v % kTileSide, limit - first});
            const CellId id = layout.id(axis.cell(column, v));
            const Terrain* terrain = ground_.grid().tile_cells(id / kTileCells) + id % kTileCells;
            for (; i < end; ++i, terrain += stride) {
                costs.straight[i] = straight_[*terrain];
                costs.diagonal[i] = diagonal_[*terrain];
            }
        }
        const int32_t wall = has_diagonals(ground_.movement()) && !cuts_corners(ground_.movement()) ? kFar : 0;
        for (int32_t i = 0; i < kLanes + 2; ++i) front.wall[i + kPad - 1] = costs.straight[i] == kFar ? wall : 0;
    }

    // From the column before, whose lane i + shift is beside lane i.
    static void step_on(int32_t* keys, const Front& before, int32_t shift, const ColumnCosts& costs, const Front& front) {
        const int32_t* straight = &before.straight[shift + kPad];
        const int32_t* diagonal = &before.diagonal[shift + kPad];
        const int32_t* wall_before = &before.wall[shift + kPad];
        const int32_t* wall = &front.wall[kPad];
        for (int32_t i = 0; i < kLanes; ++i) {
            const int32_t slant = costs.diagonal[i + 1] + wall_before[i];
            const int32_t lower = diagonal[i - 1] + slant + wall[i - 1] + kFromLower;
            const int32_t upper = diagonal[i + 1] + slant + wall[i + 1] + kFromUpper;
            const int32_t on = straight[i] + costs.straight[i + 1] + kOn;
            const int32_t slanted = lower < upper ? lower : upper;
            const int32_t best = on < slanted ? on : slanted;
            keys[i] = best < kFar ? best : kFar;
        }
    }

    // Inside a column. Two columns in three have nothing to gain; a quick look tells.
    static void step_across(int32_t* keys, ColumnCosts& costs) {
        int32_t* straight = &costs.straight[1];
        straight[kLanes] = kFar;
        keys[kLanes] = 0;
        int32_t up = 0, down = 0;  // negative if any is
        for (int32_t i = 0; i < kLanes; ++i) {
            const int32_t step = straight[i] + straight[i + 1];
            up |= (keys[i] | kHowMask) + step - keys[i + 1];
            down |= (keys[i + 1] | kHowMask) + step - keys[i];
        }
        if (up < 0) {
            for (int32_t i = 1; i < kLanes; ++i) {
                keys[i] = std::min(keys[i], distance(keys[i - 1]) + straight[i - 1] + straight[i] + kUp);
            }
        }
        if (down < 0) {
            for (int32_t i = kLanes - 2; i >= 0; --i) {
                keys[i] = std::min(keys[i], distance(keys[i + 1]) + straight[i + 1] + straight[i] + kDown);
            }
        }
    }

    // Writes the way to the goal.
    void trace(const Axis& axis, Cell start, Cell goal) {
        scratch_.piece.clear();
        int32_t u = axis.along(goal), v = axis.across(goal);
        while (u != 0 || v != axis.across(start)) {
            scratch_.piece.push_back(axis.cell(u, v));
            const int32_t how = key(u, v) & kHowMask;
            if (how == kFromLower || how == kUp) --v;
            if (how == kFromUpper || how == kDown) ++v;
            if (how <= kFromUpper) --u;
        }
        scratch_.piece.push_back(start);
        std::reverse(scratch_.piece.begin(), scratch_.piece.end());
    }

    const Ground& ground_;
    SmoothingScratch& scratch_;
    uint64_t unit_ = 0;                             // the profile's units in one of the band's
    std::array<int32_t, 256> straight_, diagonal_;  // by terrain; kFar is blocked
};

// The last cell of the longest stretch from cells[first] along an axis that a band can hold. At least the next cell.
size_t stretch_end(std::span<const Cell> cells, size_t first, bool along_x) {
    Axis axis{along_x, along_x ? cells[first].x : cells[first].y, 1};
    size_t end = first + 1;
    int32_t farthest = 0, low = axis.across(cells[first]), high = low;
    for (size_t i = first + 1; i < cells.size() && i - first <= kLongest; ++i) {
        if (farthest == 0 && axis.along(cells[i]) < 0) axis.sign = -axis.sign;
        const int32_t u = axis.along(cells[i]), v = axis.across(cells[i]);
        if (u > farthest) {
            farthest = u;
            low = high = v;
        }
        low = std::min(low, v);
        high = std::max(high, v);
        if (u < farthest - kFarthestBack || high - low > kSteepest) break;
        if (u == farthest) end = i;
    }
    return end;
}

// Stretch by stretch. cells[next..] is what is left, `done` what comes before it.
void smooth_stretches(Band& band, std::vector<Cell>& cells, SmoothingScratch& scratch) {
    std::vector<Cell>&done = scratch.done, &piece = scratch.piece;
    done.clear();
    size_t next = 0;
    while (next + 1 < cells.size()) {
        const size_t x_end = stretch_end(cells, next, true), y_end = stretch_end(cells, next, false), end = std::max(x_end, y_end);
        if (!band.improve(std::span(cells).subspan(next, end - next + 1), x_end >= y_end)) {
            piece.assign(cells.begin() + static_cast<ptrdiff_t>(next), cells.begin() + static_cast<ptrdiff_t>(end) + 1);
        }
        const bool overlap = end + 1 < cells.size() && std::min(piece.size(), end - next) > 2 * kOverlap;
        const size_t again = overlap ? kOverlap + 1 : 1;  // cells of the piece that the next stretch begins with
        const auto keep = piece.end() - static_cast<ptrdiff_t>(again);
        done.insert(done.end(), piece.begin(), keep);
        next = end + 1 - again;
        std::copy(keep, piece.end(), cells.begin() + static_cast<ptrdiff_t>(next));
    }
    done.push_back(cells.back());
    cells.assign(done.begin(), done.end());
}

// The visits to cells by where those are, y * width + x: open addressing, at most half full.
class VisitTable {
public:
    VisitTable(Vector<SmoothingScratch::Slot>& slots, size_t cells) : shift_(64 - static_cast<uint32_t>(std::bit_width(2 * cells - 1))) {
        slots.assign(size_t{1} << (64 - shift_), {});
        slots_ = slots;
    }
    // The slot of a place, or the empty one where it belongs.
    SmoothingScratch::Slot& operator[](uint32_t place) const {
        auto i = static_cast<size_t>((place * uint64_t{0x9e3779b97f4a7c15}) >> shift_);
        while (slots_[i].place != place && !slots_[i].empty()) i = (i + 1) & (slots_.size() - 1);
        return slots_[i];
    }

private:
    uint32_t shift_;
    std::span<SmoothingScratch::Slot> slots_;
};

// The cheapest way over the path's own cells, from each to any later one beside it.
class LoopCutter {
public:
    LoopCutter(const Ground& ground, std::vector<Cell>& cells, SmoothingScratch& scratch)
        : ground_(ground), cells_(cells), scratch_(scratch), table_(scratch.slots, cells.size()) {}

    // Returns what it costs, in the profile's own units.
    uint64_t run() {
        scratch_.visits.resize(cells_.size());
        scratch_.visits[0] = {0, 0};
        table_[place(cells_[0])] = {place(cells_[0]), 0};
        uint32_t last = 0;
        for (uint32_t i = 1; i < cells_.size(); ++i) last = visit(i, last);
        const uint64_t cost = scratch_.visits[last].g;
        walk_back(last);
        return cost;
    }

private:
    uint32_t place(Cell c) const {
        return static_cast<uint32_t>(c.y) * static_cast<uint32_t>(ground_.grid().width()) + static_cast<uint32_t>(c.x);
    }

    // The best visit to cells[i], which is this one or an earlier one. `before`: that to the cell before.
    uint32_t visit(uint32_t i, uint32_t before) {
        Vector<SmoothingScratch::Visit>& visits = scratch_.visits;
        const Cell step[2] = {cells_[before], cells_[i]};
        SmoothingScratch::Visit best{visits[before].g + sum_of(ground_, step), before};
        for (const Cell move : kMoves) {
            const Cell from{cells_[i].x + move.x, cells_[i].y + move.y};
            const SmoothingScratch::Slot slot = table_[place(from)];
            // Past the map's edge is a place on the other side of it: not the cell meant.
            if (slot.empty() || slot.visit == before || visits[slot.visit].g >= best.g || cells_[slot.visit] != from) continue;
            const Cost cost = ground_.step_cost(from, cells_[i]);
            if (cost == kInfiniteCost) continue;
            const uint64_t g = visits[slot.visit].g + cost / ground_.costs().divisor;
            if (g < best.g) best = {g, slot.visit};
        }
        SmoothingScratch::Slot& slot = table_[place(cells_[i])];
        if (slot.empty() || best.g < visits[slot.visit].g) {
            visits[i] = best;
            slot = {place(cells_[i]), i};
        }
        return slot.visit;
    }

    void walk_back(uint32_t last) {
        scratch_.done.clear();
        for (; last != 0; last = scratch_.visits[last].parent) scratch_.done.push_back(cells_[last]);
        scratch_.done.push_back(cells_[0]);
        cells_.assign(scratch_.done.rbegin(), scratch_.done.rend());
    }

    const Ground& ground_;
    std::vector<Cell>& cells_;
    SmoothingScratch& scratch_;
    const VisitTable table_;
};

}  // namespace

size_t SmoothingScratch::bytes() const {
    return keys.capacity() * sizeof(int32_t) + columns.capacity() * sizeof(Column) + (piece.capacity() + done.capacity()) * sizeof(Cell) +
           visits.capacity() * sizeof(Visit) + slots.capacity() * sizeof(Slot);
}

Cost smooth_path(const Ground& ground, std::vector<Cell>& cells, SmoothingScratch& scratch) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    TERRANE_VALIDATE(path_cost(ground, cells) != kInfiniteCost);
    if (cells.size() < 2) return 0;
    Band band(ground, scratch);
    smooth_stretches(band, cells, scratch);
    return LoopCutter(ground, cells, scratch).run() * ground.costs().divisor;
}

}  // namespace terrane
