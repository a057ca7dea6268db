#include "abstraction/window_field.h"

#include <algorithm>

#include "base/eight.h"

namespace terrane::detail {

namespace {

// The steps of a cell, and those that lead to it from the cells after it, in the order of WindowCosts::steps and of the moves.
struct Step {
    int32_t to;     // the other cell, from this one
    int32_t owner;  // the cell whose steps() it is among, from this one
    size_t number;  // among those
};
using Steps = std::array<Step, WindowCosts::kSteps>;

Steps steps_before(uint32_t width) {
    const auto w = static_cast<int32_t>(width);
    return {{{-1, 0, 0}, {-w - 1, 0, 1}, {-w, 0, 2}, {-w + 1, 0, 3}}};
}

Steps steps_after(uint32_t width) {
    const auto w = static_cast<int32_t>(width);
    return {{{1, 1, 0}, {w + 1, w + 1, 1}, {w, w, 2}, {w - 1, w - 1, 3}}};
}

WindowCell moved(WindowCell c, int32_t by) { return static_cast<WindowCell>(static_cast<int32_t>(c) + by); }

// One pass over the cells, in order or against it; whether anything got less. `kBlocks` is the number of lanes in blocks, 0 for any.
template <class T, uint32_t kBlocks>
bool sweep(const WindowCosts& costs, bool down, Field<T>& field) {
    const Steps steps = down ? steps_before(costs.width()) : steps_after(costs.width());
    const uint32_t blocks = kBlocks != 0 ? kBlocks : field.lanes / kLanes;
    const auto lanes = static_cast<std::ptrdiff_t>(field.lanes);
    Eight<T> changed{};
    for (WindowCell i = 0; i < costs.cells(); ++i) {
        const WindowCell c = down ? i : costs.cells() - 1 - i;
        T* const own = field.values.data() + size_t{c} * field.lanes;
        std::array<uint32_t, WindowCosts::kSteps> length;
        for (size_t s = 0; s < steps.size(); ++s) length[s] = costs.steps(moved(c, steps[s].owner))[steps[s].number];
        for (uint32_t block = 0; block < blocks; ++block) {
            T* const at = own + block * kLanes;
            const Eight<T> before = Eight<T>::load(at);
            Eight<T> least = before;
            for (size_t s = 0; s < steps.size(); ++s) {
                if (length[s] == 0) continue;
                least = Eight<T>::least(least, Eight<T>::load(at + steps[s].to * lanes) + Eight<T>::all(static_cast<T>(length[s])));
            }
            changed = changed | (before ^ least);
            least.store(at);
        }
    }
    return changed.any();
}

// The move of each step of steps_before, and of steps_after.
constexpr std::array<Move, WindowCosts::kSteps> kMovesBefore = {3, 7, 0, 4}, kMovesAfter = {1, 5, 2, 6};

// The cells of a side, from its west or north end.
WindowCell side_cell(const WindowCosts& costs, uint32_t side, uint32_t i) {
    switch (side) {
        case 0: return i;
        case 1: return i * costs.width() + costs.width() - 1;
        case 2: return (costs.height() - 1) * costs.width() + i;
        default: return i * costs.width();
    }
}

template <class T, class Out>
void copy_sides(const WindowCosts& costs, const Field<T>& field, uint32_t targets, Vector<Out>& out) {
    out.assign(size_t{targets} * 4 * kWindowSide, static_cast<Out>(kNoWay));
    for (uint32_t side = 0; side < 4; ++side) {
        const uint32_t length = side % 2 == 0 ? costs.width() : costs.height();
        for (uint32_t i = 0; i < length; ++i) {
            const WindowCell c = side_cell(costs, side, i);
            for (uint32_t t = 0; t < targets; ++t) out[(size_t{t} * 4 + side) * kWindowSide + i] = static_cast<Out>(field.distance(c, t));
        }
    }
}

}  // namespace

void WindowCosts::read(const GridSnapshot& grid, const CostTable& costs, Movement movement, const Rect& rect) {
    width_ = static_cast<uint32_t>(rect.right - rect.left);
    height_ = static_cast<uint32_t>(rect.bottom - rect.top);
    row_.resize(width_);
    cost_.resize(cells());
    cheapest_ = kNoWay;
    dearest_ = 0;
    for (uint32_t y = 0; y < height_; ++y) {
        grid.copy_row({rect.left, rect.top + static_cast<int32_t>(y)}, width_, row_.data());
        for (uint32_t x = 0; x < width_; ++x) {
            const uint32_t cost = costs.cost[row_[x]];
            cost_[y * width_ + x] = cost;
            cheapest_ = std::min(cheapest_, cost);
            dearest_ = std::max(dearest_, cost);
        }
    }
    if (uniform()) return;
    find_steps(movement);
    if (cheapest_ == 0) find_components();
}

void WindowCosts::find_steps(Movement movement) {
    steps_.assign(cells() + width_ + 1, {});
    const bool slanted = movement != Movement::kFour, cutting = movement == Movement::kCutting;
    for (uint32_t y = 0; y < height_; ++y) {
        for (uint32_t x = 0; x < width_; ++x) {
            const WindowCell c = y * width_ + x;
            const uint32_t own = cost_[c];
            if (own == 0) continue;
            const uint32_t west = x > 0 ? cost_[c - 1] : 0;
            if (west != 0) steps_[c][0] = kFieldStraight * (own + west);
            if (y == 0) continue;
            const uint32_t north = cost_[c - width_];
            const auto diagonal = [&](size_t step, uint32_t to, uint32_t beside) {
                if (to != 0 && slanted && (cutting || (north != 0 && beside != 0))) steps_[c][step] = kFieldDiagonal * (own + to);
            };
            if (north != 0) steps_[c][2] = kFieldStraight * (own + north);
            if (x > 0) diagonal(1, cost_[c - width_ - 1], west);
            if (x + 1 < width_) diagonal(3, cost_[c - width_ + 1], cost_[c + 1]);
        }
    }
}

void WindowCosts::find_components() {
    component_.assign(cells(), 0);
    uint32_t count = 0;
    for (WindowCell first = 0; first < cells(); ++first) {
        if (cost_[first] == 0 || component_[first] != 0) continue;
        component_[first] = ++count;
        queue_.assign(1, first);
        while (!queue_.empty()) {
            const WindowCell c = queue_.back();
            queue_.pop_back();
            for (const Steps& steps : {steps_before(width_), steps_after(width_)}) {
                for (const Step& step : steps) {
                    if (steps_[moved(c, step.owner)][step.number] == 0) continue;
                    const WindowCell to = moved(c, step.to);
                    if (component_[to] != 0) continue;
                    component_[to] = count;
                    queue_.push_back(to);
                }
            }
        }
    }
}

template <class T>
bool make_field(const WindowCosts& costs, std::span<const WindowCell> targets, Field<T>& out) {
    const auto count = static_cast<uint32_t>(targets.size());
    out.lanes = (count + kLanes - 1) / kLanes * kLanes;
    const int64_t step_most = int64_t{2} * kFieldDiagonal * costs.dearest();
    if (step_most > std::numeric_limits<T>::max()) return false;
    out.far = static_cast<T>(std::numeric_limits<T>::max() - step_most);  // so that no sum overflows
    out.values.assign(size_t{costs.cells()} * out.lanes, out.far);
    for (uint32_t i = 0; i < count; ++i) out.values[size_t{targets[i]} * out.lanes + i] = std::numeric_limits<T>::min();

    // A sweep leaves nothing to gain in its own direction: once the next changes nothing, all is done.
    const uint32_t blocks = out.lanes / kLanes;
    bool down = true, changed = true;
    for (uint32_t passes = 0; changed || passes < 2; ++passes, down = !down) {
        changed = blocks == 1 ? sweep<T, 1>(costs, down, out) : blocks == 2 ? sweep<T, 2>(costs, down, out) : sweep<T, 0>(costs, down, out);
    }
    for (WindowCell c = 0; c < costs.cells(); ++c) {
        const T* const row = out.row(c);
        for (uint32_t i = 0; i < count; ++i) {
            if (row[i] >= out.far && costs.cost(c) != 0 && costs.joined(c, targets[i])) return false;
        }
    }
    return true;
}

template <class T>
void make_guide(const WindowCosts& costs, const Field<T>& field, uint32_t targets, WindowGuide& out) {
    out.targets = targets;
    out.plane = (costs.cells() + 1) / 2;
    out.moves.assign(size_t{targets} * out.plane, 0);
    const Steps before = steps_before(costs.width()), after = steps_after(costs.width());
    const auto lanes = static_cast<std::ptrdiff_t>(field.lanes);
    std::array<T, kLanes> moves;
    for (WindowCell c = 0; c < costs.cells(); ++c) {
        for (uint32_t block = 0; block < field.lanes; block += kLanes) {
            const T* const at = field.row(c) + block;
            const Eight<T> own = Eight<T>::load(at);
            Eight<T> move = Eight<T>::all(kNoMove);
            const auto offer = [&](const Step& step, Move m) TERRANE_INLINE {
                const uint32_t length = costs.steps(moved(c, step.owner))[step.number];
                if (length == 0) return;
                const Eight<T> through = Eight<T>::load(at + step.to * lanes) + Eight<T>::all(static_cast<T>(length));
                move = Eight<T>::where_equal(own, through, Eight<T>::all(m), move);
            };
            for (size_t s = 0; s < before.size(); ++s) offer(before[s], kMovesBefore[s]);
            for (size_t s = 0; s < after.size(); ++s) offer(after[s], kMovesAfter[s]);
            move.store(moves.data());
            const uint32_t end = std::min(kLanes, targets - std::min(targets, block));
            for (uint32_t i = 0; i < end; ++i) {
                uint8_t& byte = out.moves[size_t{block + i} * out.plane + c / 2];
                byte = static_cast<uint8_t>(byte | static_cast<uint8_t>(moves[i]) << (c % 2 * 4));
            }
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

template bool make_field(const WindowCosts&, std::span<const WindowCell>, Field<int16_t>&);
template bool make_field(const WindowCosts&, std::span<const WindowCell>, Field<int32_t>&);
template void make_guide(const WindowCosts&, const Field<int16_t>&, uint32_t, WindowGuide&);
template void make_guide(const WindowCosts&, const Field<int32_t>&, uint32_t, WindowGuide&);

}  // namespace terrane::detail
