// Distances inside a window: from every cell of a small rectangle to each of a few of its cells, all of them at once.
//
// Sweeps over the rows, down and up again, take each cell's numbers from its neighbours' until nothing gets less (Bellman and
// Ford's relaxation in the order of Gauss and Seidel); the numbers of one cell stand side by side, a lane for each target, so that a
// step is one addition and one minimum of vectors. The metric is a small one: 29 for a straight step and 41 for a diagonal one (sqrt 2
// less 0.03%), times the sum of the two cells' costs; with it most windows fit 16 bits.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/grid_graph.h"

namespace terrane::detail {

inline constexpr uint32_t kFieldStraight = 29;
inline constexpr uint32_t kFieldDiagonal = 41;

// Lanes are a multiple of this.
inline constexpr uint32_t kFieldBlock = 8;

// A cell of a window, by rows from its corner.
using WindowCell = uint32_t;
inline WindowCell window_cell(const Rect& rect, Cell c) {
    return static_cast<uint32_t>(c.y - rect.top) * static_cast<uint32_t>(rect.right - rect.left) + static_cast<uint32_t>(c.x - rect.left);
}

// The costs of a window's cells and the steps between them, under a profile. Scratch, reused.
class WindowCosts {
public:
    // `rect` lies on the map; at most 2^16 cells.
    void read(const GridSnapshot& grid, const CostTable& costs, Movement movement, const Rect& rect);

    uint32_t width() const { return width_; }
    uint32_t height() const { return height_; }
    uint32_t cells() const { return width_ * height_; }
    uint32_t cost(WindowCell c) const { return cost_[c]; }  // 0 is blocked
    bool uniform() const { return uniform_; }               // one cost for all, and not blocked
    uint32_t dearest() const { return dearest_; }

    // What a step costs: to the east, south-west, south, south-east; 0 where there is none.
    static constexpr size_t kSteps = 4;
    const std::array<uint32_t, kSteps>& steps(WindowCell c) const { return steps_[c]; }

    // The component of a cell's passable surroundings, numbered from 1; 0 is blocked.
    uint32_t component(WindowCell c) const { return component_[c]; }

private:
    void find_steps(Movement movement);
    void find_components();

    uint32_t width_ = 0, height_ = 0;
    bool uniform_ = false;
    uint32_t dearest_ = 0;
    std::vector<Terrain> row_;
    std::vector<uint32_t> cost_;
    std::vector<std::array<uint32_t, kSteps>> steps_;
    std::vector<uint32_t> component_;
    std::vector<WindowCell> queue_;
};

// The distance between two cells of a window with one cost and no walls.
uint32_t uniform_distance(uint32_t width, WindowCell a, WindowCell b, uint32_t cost, Movement movement);

// Distances of all cells to some. Rows of `lanes` numbers, a cell's by cell; those past the targets are not used.
template <class T>
struct Field {
    static constexpr T kFar = static_cast<T>(~T{0});  // of cells that cannot reach the target inside the window
    uint32_t lanes = 0;
    std::vector<T> values;

    const T* row(WindowCell c) const { return values.data() + size_t{c} * lanes; }
};

// False where a distance does not fit; then nothing in `out` is of use.
template <class T>
bool make_field(const WindowCosts& costs, std::span<const WindowCell> targets, Field<T>& out);

extern template bool make_field(const WindowCosts&, std::span<const WindowCell>, Field<uint16_t>&);
extern template bool make_field(const WindowCosts&, std::span<const WindowCell>, Field<uint32_t>&);

}  // namespace terrane::detail
