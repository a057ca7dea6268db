// Ways inside a window: from every cell of a small rectangle to each of a few of its cells, all of them at once.
//
// A field holds distances. Sweeps over the rows, down and up again, take each cell's numbers from its neighbours' until nothing gets less
// (Bellman and Ford's relaxation in the order of Gauss and Seidel); the numbers of one cell stand side by side, a lane for each target, so
// that a step is one addition and one minimum of vectors. The metric is a small one: 29 for a straight step and 41 for a diagonal one
// (sqrt 2 less 0.03%), times the sum of the two cells' costs; with it most windows fit 16 bits.
//
// A guide is what is kept of a field, at three eighths of its size: the first move from every cell to each target, and the distances of the
// cells on the window's sides.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <vector>

#include "terrane/grid/grid_graph.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane::detail {

inline constexpr uint32_t kFieldStraight = 29;
inline constexpr uint32_t kFieldDiagonal = 41;

// A window's sides are at most this many cells.
inline constexpr uint32_t kWindowSide = 33;

// A cell of a window, by rows from its corner.
using WindowCell = uint32_t;
inline WindowCell window_cell(const Rect& rect, Cell c) {
    return static_cast<uint32_t>(c.y - rect.top) * static_cast<uint32_t>(rect.right - rect.left) + static_cast<uint32_t>(c.x - rect.left);
}

// The costs of a window's cells and the steps between them, under a profile. Scratch, reused.
class WindowCosts {
public:
    // `rect` lies on the map.
    void read(const GridSnapshot& grid, const CostTable& costs, Movement movement, const Rect& rect);

    uint32_t width() const { return width_; }
    uint32_t height() const { return height_; }
    uint32_t cells() const { return width_ * height_; }
    uint32_t cost(WindowCell c) const { return cost_[c]; }  // 0 is blocked
    bool uniform() const { return cheapest_ == dearest_ && cheapest_ != 0; }
    uint32_t dearest() const { return dearest_; }

    // What a step costs: to the west, north-west, north, north-east; 0 where there is none. A row and a cell past the last one may be
    // asked for: none there.
    static constexpr size_t kSteps = 4;
    const std::array<uint32_t, kSteps>& steps(WindowCell c) const { return steps_[c]; }

    // Whether a way joins two passable cells.
    bool joined(WindowCell a, WindowCell b) const { return cheapest_ != 0 || component_[a] == component_[b]; }

private:
    void find_steps(Movement movement);
    void find_components();

    uint32_t width_ = 0, height_ = 0;
    uint32_t cheapest_ = 0, dearest_ = 0;
    Vector<Terrain> row_;
    Vector<uint32_t> cost_;
    Vector<std::array<uint32_t, kSteps>> steps_;
    Vector<uint32_t> component_;
    Vector<WindowCell> queue_;
};

// The distance between two cells of a window with one cost and no walls.
inline uint32_t uniform_distance(Cell a, Cell b, uint32_t cost, Movement movement) {
    const auto dx = static_cast<uint32_t>(std::abs(a.x - b.x)), dy = static_cast<uint32_t>(std::abs(a.y - b.y));
    const uint32_t slant = has_diagonals(movement) ? kFieldDiagonal - kFieldStraight : kFieldStraight;
    return (kFieldStraight * std::max(dx, dy) + slant * std::min(dx, dy)) * 2 * cost;
}

// Distances of all cells to some targets. Numbers begin at the least that `T` holds.
template <class T>
struct Field {
    uint32_t lanes = 0;  // a multiple of kLanes, at least as many as targets
    T far = 0;           // and all beyond
    Vector<T> values;

    const T* row(WindowCell c) const { return values.data() + size_t{c} * lanes; }
    uint32_t distance(WindowCell c, uint32_t target) const {
        const T v = row(c)[target];
        return v >= far ? kNoWay : static_cast<uint32_t>(int64_t{v} - std::numeric_limits<T>::min());
    }
};

// False where a distance does not fit; then nothing in `out` is of use. Not for uniform windows.
template <class T>
bool make_field(const WindowCosts& costs, std::span<const WindowCell> targets, Field<T>& out);

// The moves towards the targets of a window, and how far the cells of its sides are. Sides as in WindowRecord: north, east, south, west,
// each from its west or north end.
struct WindowGuide {
    uint32_t targets = 0;
    uint32_t plane = 0;       // bytes of moves for a target
    Vector<uint8_t> moves;    // four bits a cell, the first in the lower half; kNoMove at the target, and where there is no way
    Vector<uint16_t> narrow;  // distances of the sides' cells, kWindowSide for each side, four sides for each target; 0xffff is far
    Vector<uint32_t> wide;    // the same, where they do not fit

    const uint8_t* moves_to(uint32_t target) const { return moves.data() + size_t{target} * plane; }
    static Move move(const uint8_t* moves, WindowCell c) { return static_cast<Move>(moves[c / 2] >> (c % 2 * 4) & 15); }
    Move move(WindowCell c, uint32_t target) const { return move(moves_to(target), c); }
    size_t bytes() const { return sizeof(WindowGuide) + moves.capacity() + narrow.capacity() * 2 + wide.capacity() * 4; }
};

template <class T>
void make_guide(const WindowCosts& costs, const Field<T>& field, uint32_t targets, WindowGuide& out);

extern template bool make_field(const WindowCosts&, std::span<const WindowCell>, Field<int16_t>&);
extern template bool make_field(const WindowCosts&, std::span<const WindowCell>, Field<int32_t>&);
extern template void make_guide(const WindowCosts&, const Field<int16_t>&, uint32_t, WindowGuide&);
extern template void make_guide(const WindowCosts&, const Field<int32_t>&, uint32_t, WindowGuide&);

}  // namespace terrane::detail
