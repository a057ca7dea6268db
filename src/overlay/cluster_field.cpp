#include "overlay/cluster_field.h"

#include <algorithm>

#include "base/simd8.h"

namespace terrane::detail {

namespace {

// A step between a cell and a neighbour before or after it in row-major order, with offsets from the cell. Each step is stored once, with
// the later of its two cells.
struct Step {
    int32_t to;     // offset of the neighbour
    int32_t owner;  // offset of the cell whose ClusterCosts::steps() holds the step
    size_t index;   // in those steps
};
using Steps = std::array<Step, ClusterCosts::kSteps>;

Steps steps_before(uint32_t width) {
    const auto w = static_cast<int32_t>(width);
    return {{{-1, 0, 0}, {-w - 1, 0, 1}, {-w, 0, 2}, {-w + 1, 0, 3}}};
}

Steps steps_after(uint32_t width) {
    const auto w = static_cast<int32_t>(width);
    return {{{1, 1, 0}, {w + 1, w + 1, 1}, {w, w, 2}, {w - 1, w - 1, 3}}};
}

ClusterCell moved(ClusterCell c, int32_t by) { return static_cast<ClusterCell>(static_cast<int32_t>(c) + by); }

// Relaxes one row in the direction of the sweep. Returns whether a distance decreased. `kBlocks` is the number of SIMD blocks per cell,
// 0: any. The previous cell's result stays in registers if kBlocks is known, since reading it back from memory would stall.
template <class T, uint32_t kBlocks>
bool sweep_row(const ClusterCosts& costs, const Steps& steps, uint32_t row, bool down, Field<T>& field) {
    const uint32_t width = costs.width(), blocks = kBlocks != 0 ? kBlocks : field.lanes / kLanes;
    const auto lanes = static_cast<std::ptrdiff_t>(field.lanes);
    const std::ptrdiff_t forward = down ? 1 : -1;
    const ClusterCell first = row * width + (down ? 0 : width - 1);
    T* at = field.values.data() + size_t{first} * field.lanes;
    // Pointers to step costs, and offsets of neighbours. As separate variables: compilers reload array elements per cell (2x
    // instructions).
    const auto lengths = [&](size_t s) { return &costs.steps(moved(first, steps[s].owner)); };
    auto *beside_by = lengths(0), *before_by = lengths(1), *straight_by = lengths(2), *after_by = lengths(3);
    const std::ptrdiff_t to_before = steps[1].to * lanes, to_straight = steps[2].to * lanes, to_after = steps[3].to * lanes;
    std::array<Simd8<T>, kBlocks != 0 ? kBlocks : 1> beside{};
    Simd8<T> changed{};
    for (uint32_t i = 0; i < width; ++i) {
        for (uint32_t block = 0; block < blocks; ++block) {
            T* const own = at + block * kLanes;
            const Simd8<T> known = Simd8<T>::load(own);
            Simd8<T> least = known;
            const auto offer = [&](uint32_t length, Simd8<T> from)
                                   TERRANE_INLINE { least = Simd8<T>::least(least, from + Simd8<T>::all(static_cast<T>(length))); };
            if (const uint32_t by = (*before_by)[1]; by != 0) offer(by, Simd8<T>::load(own + to_before));
            if (const uint32_t by = (*straight_by)[2]; by != 0) offer(by, Simd8<T>::load(own + to_straight));
            if (const uint32_t by = (*after_by)[3]; by != 0) offer(by, Simd8<T>::load(own + to_after));
            if (const uint32_t by = (*beside_by)[0]; by != 0)
                offer(by, kBlocks != 0 ? beside[block % beside.size()] : Simd8<T>::load(own - forward * lanes));
            if constexpr (kBlocks != 0) beside[block] = least;
            changed = changed | (known ^ least);
            least.store(own);
        }
        at += forward * lanes;
        beside_by += forward, before_by += forward, straight_by += forward, after_by += forward;
    }
    return changed.any();
}

// Whether each row needs a sweep in one direction. One more row at either end.
using Rows = std::array<bool, kClusterSide + 2>;

// One pass over the rows, downwards or upwards: sweeps the rows that changed, or whose previous row changed, since their last sweep in
// this direction. A row that changes must be swept again in the other direction (`then`), and so must the row behind it. Returns whether
// any changed.
template <class T, uint32_t kBlocks>
bool sweep(const ClusterCosts& costs, bool down, Rows& now, Rows& then, Field<T>& field) {
    const Steps steps = down ? steps_before(costs.width()) : steps_after(costs.width());
    bool changed = false;
    for (uint32_t i = 0; i < costs.height(); ++i) {
        const uint32_t row = down ? i : costs.height() - 1 - i;
        if (!now[row + 1]) continue;
        now[row + 1] = false;
        if (!sweep_row<T, kBlocks>(costs, steps, row, down, field)) continue;
        changed = true;
        now[down ? row + 2 : row] = true;
        then[row + 1] = then[down ? row : row + 2] = true;
    }
    return changed;
}

// First moves from a cell to eight targets, from the distances of the cell and its neighbours. Ties: the last in the order of
// steps_before and steps_after.
template <class T>
class FirstMoves {
public:
    FirstMoves(const ClusterCosts& costs, const Field<T>& field)
        : steps_(&costs.steps(0)), values_(field.values.data()), lanes_(field.lanes), width_(costs.width()) {}

    TERRANE_INLINE Simd8<T> of(ClusterCell c, uint32_t block) const {
        const T* const at = values_ + size_t{c} * lanes_ + block;
        const auto* const own = steps_ + c;
        const auto row = static_cast<std::ptrdiff_t>(size_t{width_} * lanes_), lanes = static_cast<std::ptrdiff_t>(lanes_);
        const Simd8<T> distance = Simd8<T>::load(at);
        Simd8<T> move = Simd8<T>::all(kNoMove);
        const auto offer = [&](uint32_t length, std::ptrdiff_t to, Move m) TERRANE_INLINE {
            if (length == 0) return;
            const Simd8<T> through = Simd8<T>::load(at + to) + Simd8<T>::all(static_cast<T>(length));
            move = Simd8<T>::where_equal(distance, through, Simd8<T>::all(m), move);
        };
        offer((*own)[0], -lanes, 3);
        offer((*own)[1], -row - lanes, 7);
        offer((*own)[2], -row, 0);
        offer((*own)[3], -row + lanes, 4);
        offer(own[1][0], lanes, 1);
        offer(own[width_ + 1][1], row + lanes, 5);
        offer(own[width_][2], row, 2);
        offer(own[width_ - 1][3], row - lanes, 6);
        return move;
    }

private:
    const std::array<uint32_t, ClusterCosts::kSteps>* steps_;
    const T* values_;
    uint32_t lanes_, width_;
};

// The i-th cell of a side, from its west or north end.
ClusterCell side_cell(const ClusterCosts& costs, uint32_t side, uint32_t i) {
    switch (side) {
        case 0: return i;
        case 1: return i * costs.width() + costs.width() - 1;
        case 2: return (costs.height() - 1) * costs.width() + i;
        default: return i * costs.width();
    }
}

template <class T, class Out>
void copy_sides(const ClusterCosts& costs, const Field<T>& field, uint32_t targets, Vector<Out>& out) {
    out.assign(size_t{targets} * 4 * kClusterSide, static_cast<Out>(kNoPath));
    for (uint32_t side = 0; side < 4; ++side) {
        const uint32_t length = side % 2 == 0 ? costs.width() : costs.height();
        for (uint32_t i = 0; i < length; ++i) {
            const ClusterCell c = side_cell(costs, side, i);
            for (uint32_t t = 0; t < targets; ++t) out[(size_t{t} * 4 + side) * kClusterSide + i] = static_cast<Out>(field.distance(c, t));
        }
    }
}

}  // namespace

void ClusterCosts::read(const GridSnapshot& grid, const CostTable& costs, Movement movement, const Rect& rect) {
    width_ = static_cast<uint32_t>(rect.width);
    height_ = static_cast<uint32_t>(rect.height);
    row_.resize(width_);
    cost_.resize(cells());
    min_cost_ = kNoPath;
    max_cost_ = 0;
    for (uint32_t y = 0; y < height_; ++y) {
        grid.copy_row({rect.x, rect.y + static_cast<int32_t>(y)}, width_, row_.data());
        for (uint32_t x = 0; x < width_; ++x) {
            const uint32_t cost = costs.cost[row_[x]];
            cost_[y * width_ + x] = cost;
            min_cost_ = std::min(min_cost_, cost);
            max_cost_ = std::max(max_cost_, cost);
        }
    }
    if (uniform()) return;
    find_steps(movement);
    if (min_cost_ == 0) find_components();
}

void ClusterCosts::find_steps(Movement movement) {
    steps_.assign(cells() + width_ + 1, {});
    const bool diagonals = has_diagonals(movement), cutting = cuts_corners(movement);
    for (uint32_t y = 0; y < height_; ++y) {
        for (uint32_t x = 0; x < width_; ++x) {
            const ClusterCell c = y * width_ + x;
            const uint32_t own = cost_[c];
            if (own == 0) continue;
            const uint32_t west = x > 0 ? cost_[c - 1] : 0;
            if (west != 0) steps_[c][0] = kFieldStraight * (own + west);
            if (y == 0) continue;
            const uint32_t north = cost_[c - width_];
            const auto diagonal = [&](size_t step, uint32_t to, uint32_t beside) {
                if (to != 0 && diagonals && (cutting || (north != 0 && beside != 0))) steps_[c][step] = kFieldDiagonal * (own + to);
            };
            if (north != 0) steps_[c][2] = kFieldStraight * (own + north);
            if (x > 0) diagonal(1, cost_[c - width_ - 1], west);
            if (x + 1 < width_) diagonal(3, cost_[c - width_ + 1], cost_[c + 1]);
        }
    }
}

void ClusterCosts::find_components() {
    component_.assign(cells(), 0);
    uint32_t count = 0;
    for (ClusterCell first = 0; first < cells(); ++first) {
        if (cost_[first] == 0 || component_[first] != 0) continue;
        component_[first] = ++count;
        queue_.assign(1, first);
        while (!queue_.empty()) {
            const ClusterCell c = queue_.back();
            queue_.pop_back();
            for (const Steps& steps : {steps_before(width_), steps_after(width_)}) {
                for (const Step& step : steps) {
                    if (steps_[moved(c, step.owner)][step.index] == 0) continue;
                    const ClusterCell to = moved(c, step.to);
                    if (component_[to] != 0) continue;
                    component_[to] = count;
                    queue_.push_back(to);
                }
            }
        }
    }
}

template <class T>
bool make_field(const ClusterCosts& costs, std::span<const ClusterCell> targets, Field<T>& out) {
    const auto count = static_cast<uint32_t>(targets.size());
    out.lanes = (count + kLanes - 1) / kLanes * kLanes;
    const int64_t max_step = int64_t{2} * kFieldDiagonal * costs.max_cost();
    if (max_step > std::numeric_limits<T>::max()) return false;
    out.unreachable = static_cast<T>(std::numeric_limits<T>::max() - max_step);  // so that no sum overflows
    out.values.assign(size_t{costs.cells()} * out.lanes, out.unreachable);
    for (uint32_t i = 0; i < count; ++i) out.values[size_t{targets[i]} * out.lanes + i] = std::numeric_limits<T>::min();

    // A sweep leaves nothing to relax in its own direction, so the field is complete once the next one changes nothing.
    const uint32_t blocks = out.lanes / kLanes;
    Rows rows[2];
    for (Rows& each : rows) each.fill(true);
    bool changed = true;
    for (uint32_t passes = 0; changed || passes < 2; ++passes) {
        const bool down = passes % 2 == 0;
        Rows &now = rows[passes % 2], &then = rows[1 - passes % 2];
        changed = blocks == 1   ? sweep<T, 1>(costs, down, now, then, out)
                  : blocks == 2 ? sweep<T, 2>(costs, down, now, then, out)
                                : sweep<T, 0>(costs, down, now, then, out);
    }
    for (ClusterCell c = 0; c < costs.cells(); ++c) {
        const T* const row = out.row(c);
        for (uint32_t i = 0; i < count; ++i) {
            if (row[i] >= out.unreachable && costs.cost(c) != 0 && costs.connected(c, targets[i])) return false;
        }
    }
    return true;
}

template <class T>
void make_first_moves(const ClusterCosts& costs, const Field<T>& field, uint32_t targets, FirstMoveTable& out) {
    out.targets = targets;
    out.plane = (costs.cells() + 1) / 2;
    out.moves.assign(size_t{targets} * out.plane, 0);
    const FirstMoves<T> moves(costs, field);
    const uint32_t cells = costs.cells();
    for (uint32_t block = 0; block < targets; block += kLanes) {
        uint8_t* const planes = out.moves.data() + size_t{block} * out.plane;
        for (ClusterCell c = 0; c < cells; c += 2) {  // 4 bits each
            Simd8<T> both = moves.of(c, block);
            if (c + 1 < cells) both = both | moves.of(c + 1, block) * Simd8<T>::all(16);
            std::array<T, kLanes> bytes;
            both.store(bytes.data());
            for (uint32_t i = 0; i < std::min(kLanes, targets - block); ++i)
                planes[size_t{i} * out.plane + c / 2] = static_cast<uint8_t>(bytes[i]);
        }
    }
    out.narrow.clear();
    out.wide.clear();
    if constexpr (sizeof(T) == 2) {
        copy_sides(costs, field, targets, out.narrow);
    } else {
        copy_sides(costs, field, targets, out.wide);
    }
}

template bool make_field(const ClusterCosts&, std::span<const ClusterCell>, Field<int16_t>&);
template bool make_field(const ClusterCosts&, std::span<const ClusterCell>, Field<int32_t>&);
template void make_first_moves(const ClusterCosts&, const Field<int16_t>&, uint32_t, FirstMoveTable&);
template void make_first_moves(const ClusterCosts&, const Field<int32_t>&, uint32_t, FirstMoveTable&);

}  // namespace terrane::detail
