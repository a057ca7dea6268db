// Distances and first moves inside a cluster, from every cell to each of a few target cells, all targets at once.
//
// A field holds distances. Bellman-Ford relaxation in Gauss-Seidel order: sweeps over the rows, down and up in turns, until no distance
// decreases. The distances of one cell to all targets are adjacent in memory, one SIMD lane per target, so relaxing a step is one vector
// addition and one minimum. The metric is coarse: 29 for a straight and 41 for a diagonal step (sqrt 2 less 0.03%), times the sum of the
// two cells' costs. With it, the distances of most clusters fit 16 bits.
//
// A first-move table is what remains of a field, at three eighths of its size: the first move from every cell to each target, and the
// distances of the cells on the cluster's sides.
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

// The most cells along a side of a cluster.
inline constexpr uint32_t kClusterSide = 33;

// A cell of a cluster: row-major index from its north-west corner.
using ClusterCell = uint32_t;
inline ClusterCell cluster_cell(const Rect& rect, Cell c) {
    return static_cast<uint32_t>(c.y - rect.y) * static_cast<uint32_t>(rect.width) + static_cast<uint32_t>(c.x - rect.x);
}

// The costs of a cluster's cells and of the steps between them, for one profile. Scratch memory, reused.
class ClusterCosts {
public:
    // `rect` lies on the map.
    void read(const GridSnapshot& grid, const CostTable& costs, Movement movement, const Rect& rect);

    uint32_t width() const { return width_; }
    uint32_t height() const { return height_; }
    uint32_t cells() const { return width_ * height_; }
    uint32_t cost(ClusterCell c) const { return cost_[c]; }  // 0: blocked
    bool uniform() const { return min_cost_ == max_cost_ && min_cost_ != 0; }
    uint32_t max_cost() const { return max_cost_; }

    // Costs of the steps to the west, north-west, north and north-east; 0: no step. Valid for one row and one cell past the last cell: no
    // steps there.
    static constexpr size_t kSteps = 4;
    const std::array<uint32_t, kSteps>& steps(ClusterCell c) const { return steps_[c]; }

    // Whether two passable cells are in the same connected component of the cluster.
    bool connected(ClusterCell a, ClusterCell b) const { return min_cost_ != 0 || component_[a] == component_[b]; }

private:
    void find_steps(Movement movement);
    void find_components();

    uint32_t width_ = 0, height_ = 0;
    uint32_t min_cost_ = 0, max_cost_ = 0;
    Vector<Terrain> row_;
    Vector<uint32_t> cost_;
    Vector<std::array<uint32_t, kSteps>> steps_;
    Vector<uint32_t> component_;
    Vector<ClusterCell> queue_;
};

// The distance between two cells of a uniform cluster.
inline uint32_t uniform_distance(Cell a, Cell b, uint32_t cost, Movement movement) {
    const auto dx = static_cast<uint32_t>(std::abs(a.x - b.x)), dy = static_cast<uint32_t>(std::abs(a.y - b.y));
    const uint32_t diagonal_extra = has_diagonals(movement) ? kFieldDiagonal - kFieldStraight : kFieldStraight;
    return (kFieldStraight * std::max(dx, dy) + diagonal_extra * std::min(dx, dy)) * 2 * cost;
}

// Distances of all cells to some targets. Values are offset: numeric_limits<T>::min() is distance 0.
template <class T>
struct Field {
    uint32_t lanes = 0;  // a multiple of kLanes, at least the number of targets
    T unreachable = 0;   // this and all greater values: no path
    Vector<T> values;

    const T* row(ClusterCell c) const { return values.data() + size_t{c} * lanes; }
    uint32_t distance(ClusterCell c, uint32_t target) const {
        const T v = row(c)[target];
        return v >= unreachable ? kNoPath : static_cast<uint32_t>(int64_t{v} - std::numeric_limits<T>::min());
    }
};

// Returns false if a distance does not fit T; `out` is then invalid. Not for uniform clusters.
template <class T>
bool make_field(const ClusterCosts& costs, std::span<const ClusterCell> targets, Field<T>& out);

// First moves from all cells of a cluster to its targets, and the distances of the cells on its sides. Sides are in the order north,
// east, south, west, each from its west or north end.
struct FirstMoveTable {
    uint32_t targets = 0;
    uint32_t plane = 0;       // bytes of moves per target
    Vector<uint8_t> moves;    // 4 bits per cell, the even cell in the lower half; kNoMove at the target and in cells without a path
    Vector<uint16_t> narrow;  // distances of side cells: per target, per side, kClusterSide cells; 0xffff: no path
    Vector<uint32_t> wide;    // instead of `narrow` if the distances do not fit 16 bits

    const uint8_t* moves_to(uint32_t target) const { return moves.data() + size_t{target} * plane; }
    static Move move(const uint8_t* moves, ClusterCell c) { return static_cast<Move>(moves[c / 2] >> (c % 2 * 4) & 15); }
    Move move(ClusterCell c, uint32_t target) const { return move(moves_to(target), c); }
    size_t bytes() const { return sizeof(FirstMoveTable) + moves.capacity() + narrow.capacity() * 2 + wide.capacity() * 4; }
};

template <class T>
void make_first_moves(const ClusterCosts& costs, const Field<T>& field, uint32_t targets, FirstMoveTable& out);

extern template bool make_field(const ClusterCosts&, std::span<const ClusterCell>, Field<int16_t>&);
extern template bool make_field(const ClusterCosts&, std::span<const ClusterCell>, Field<int32_t>&);
extern template void make_first_moves(const ClusterCosts&, const Field<int16_t>&, uint32_t, FirstMoveTable&);
extern template void make_first_moves(const ClusterCosts&, const Field<int32_t>&, uint32_t, FirstMoveTable&);

}  // namespace terrane::detail
