#include "abstraction/window_field.h"

#include <algorithm>
#include <cstring>

namespace terrane::detail {

namespace {

// East, south-west, south, south-east, and the way back, as offsets by rows.
std::array<int32_t, WindowCosts::kSteps> offsets(uint32_t width) {
    const auto w = static_cast<int32_t>(width);
    return {1, w - 1, w, w + 1};
}

// Eight numbers as a vector: copied in and out whole, which compilers turn into one register.
template <class T>
using Block = std::array<T, kFieldBlock>;

template <class T>
TERRANE_INLINE inline Block<T> load(const T* from) {
    Block<T> block;
    std::memcpy(block.data(), from, sizeof(block));
    return block;
}

// Takes what is less by way of a neighbour; marks in `changed` where anything was.
template <class T>
TERRANE_INLINE inline void relax(T* own, const T* other, T step, uint32_t lanes, Block<T>& changed) {
    for (uint32_t first = 0; first < lanes; first += kFieldBlock) {
        const Block<T> before = load(own + first), through = load(other + first);
        Block<T> after;
        for (uint32_t i = 0; i < kFieldBlock; ++i) after[i] = std::min(before[i], static_cast<T>(through[i] + step));
        for (uint32_t i = 0; i < kFieldBlock; ++i) changed[i] = static_cast<T>(changed[i] | (before[i] ^ after[i]));
        std::memcpy(own + first, after.data(), sizeof(after));
    }
}

template <class T>
bool any(const Block<T>& block) {
    return std::any_of(block.begin(), block.end(), [](T v) { return v != 0; });
}

}  // namespace

void WindowCosts::read(const GridSnapshot& grid, const CostTable& costs, Movement movement, const Rect& rect) {
    width_ = static_cast<uint32_t>(rect.right - rect.left);
    height_ = static_cast<uint32_t>(rect.bottom - rect.top);
    row_.resize(width_);
    cost_.resize(cells());
    for (uint32_t y = 0; y < height_; ++y) {
        grid.copy_row({rect.left, rect.top + static_cast<int32_t>(y)}, width_, row_.data());
        for (uint32_t x = 0; x < width_; ++x) cost_[y * width_ + x] = costs.cost[row_[x]];
    }
    const auto [least, most] = std::minmax_element(cost_.begin(), cost_.end());
    dearest_ = *most;
    uniform_ = *least == *most && *least != 0;
    if (uniform_) return;
    find_steps(movement);
    find_components();
}

void WindowCosts::find_steps(Movement movement) {
    steps_.assign(cells(), {});
    for (uint32_t y = 0; y < height_; ++y) {
        for (uint32_t x = 0; x < width_; ++x) {
            const WindowCell c = y * width_ + x;
            if (cost_[c] == 0) continue;
            const bool east = x + 1 < width_, west = x > 0, south = y + 1 < height_;
            const auto step = [&](size_t way, WindowCell to, uint32_t length) {
                if (cost_[to] != 0) steps_[c][way] = length * (cost_[c] + cost_[to]);
            };
            const auto slanted = [&](size_t way, WindowCell to, WindowCell beside) {
                if (movement == Movement::kFour) return;
                if (movement == Movement::kCutting || (cost_[beside] != 0 && cost_[c + width_] != 0)) step(way, to, kFieldDiagonal);
            };
            if (east) step(0, c + 1, kFieldStraight);
            if (south && west) slanted(1, c + width_ - 1, c - 1);
            if (south) step(2, c + width_, kFieldStraight);
            if (south && east) slanted(3, c + width_ + 1, c + 1);
        }
    }
}

void WindowCosts::find_components() {
    component_.assign(cells(), 0);
    const auto ways = offsets(width_);
    uint32_t count = 0;
    for (WindowCell first = 0; first < cells(); ++first) {
        if (cost_[first] == 0 || component_[first] != 0) continue;
        component_[first] = ++count;
        queue_.assign(1, first);
        while (!queue_.empty()) {
            const WindowCell c = queue_.back();
            queue_.pop_back();
            for (size_t way = 0; way < kSteps; ++way) {
                const auto visit = [&](WindowCell from, WindowCell to) {
                    if (steps_[from][way] == 0) return;
                    WindowCell other = from == c ? to : from;
                    if (component_[other] != 0) return;
                    component_[other] = count;
                    queue_.push_back(other);
                };
                const auto ahead = static_cast<WindowCell>(static_cast<int32_t>(c) + ways[way]);
                const auto behind = static_cast<WindowCell>(static_cast<int32_t>(c) - ways[way]);
                if (ahead < cells()) visit(c, ahead);
                if (behind < cells()) visit(behind, c);
            }
        }
    }
}

uint32_t uniform_distance(uint32_t width, WindowCell a, WindowCell b, uint32_t cost, Movement movement) {
    const auto apart = [](uint32_t p, uint32_t q) { return p > q ? p - q : q - p; };
    const uint32_t dx = apart(a % width, b % width), dy = apart(a / width, b / width);
    const uint32_t slant = movement == Movement::kFour ? kFieldStraight : kFieldDiagonal - kFieldStraight;
    return (kFieldStraight * std::max(dx, dy) + slant * std::min(dx, dy)) * 2 * cost;
}

template <class T>
bool make_field(const WindowCosts& costs, std::span<const WindowCell> targets, Field<T>& out) {
    const auto count = static_cast<uint32_t>(targets.size());
    out.lanes = (count + kFieldBlock - 1) / kFieldBlock * kFieldBlock;
    const uint64_t step_most = uint64_t{2} * kFieldDiagonal * costs.dearest();
    if (step_most * 2 > Field<T>::kFar) return false;
    const T limit = static_cast<T>(Field<T>::kFar - step_most);  // so that no sum wraps round
    out.values.assign(size_t{costs.cells()} * out.lanes, limit);
    for (uint32_t i = 0; i < count; ++i) out.values[size_t{targets[i]} * out.lanes + i] = 0;

    const auto ways = offsets(costs.width());
    T* const values = out.values.data();
    const uint32_t lanes = out.lanes;
    const auto relax_cell = [&](WindowCell c, bool down, Block<T>& changed) TERRANE_INLINE {
        for (size_t way = 0; way < WindowCosts::kSteps; ++way) {
            const uint32_t step = costs.steps(c)[way];
            if (step == 0) continue;
            T* const here = values + size_t{c} * lanes;
            T* const ahead = values + static_cast<size_t>(static_cast<int32_t>(c) + ways[way]) * lanes;
            relax(down ? ahead : here, down ? here : ahead, static_cast<T>(step), lanes, changed);
        }
    };
    // A sweep leaves nothing to gain in its own direction: once the next changes nothing, all is done.
    Block<T> changed{};
    for (bool down = true, first = true; first || any(changed); down = !down) {
        first = first && down;
        changed = {};
        if (down) {
            for (WindowCell c = 0; c < costs.cells(); ++c) relax_cell(c, true, changed);
        } else {
            for (WindowCell c = costs.cells(); c-- > 0;) relax_cell(c, false, changed);
        }
    }
    for (WindowCell c = 0; c < costs.cells(); ++c) {
        T* const row = values + size_t{c} * lanes;
        for (uint32_t i = 0; i < count; ++i) {
            if (row[i] < limit) continue;
            if (costs.cost(c) != 0 && costs.component(c) == costs.component(targets[i])) return false;
            row[i] = Field<T>::kFar;
        }
    }
    return true;
}

template bool make_field(const WindowCosts&, std::span<const WindowCell>, Field<uint16_t>&);
template bool make_field(const WindowCosts&, std::span<const WindowCell>, Field<uint32_t>&);

}  // namespace terrane::detail
