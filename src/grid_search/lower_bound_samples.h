// The samples of a LowerBoundTable (lower_bound_table.h), and the intervals of landmark distances that they imply for cells, blocks and
// rectangles.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grid_search/flood.h"
#include "terrane/grid_search/lower_bound_table.h"

namespace terrane::detail {

inline constexpr int32_t kBoundBlockSide = LowerBoundQuery::kBlockSide;
inline constexpr uint64_t kInfiniteBound = uint64_t{1} << 62;      // above any cost on any map; three of them fit 64 bits
inline constexpr uint64_t kDisconnectedBound = uint64_t{1} << 61;  // at or above: kInfiniteBound minus something finite
inline constexpr uint8_t kNoSample = 0xff;                         // of a block without passable cells

// Bounds on D(L, .) for each landmark L, over one cell or all cells of an area, in the profile's cost units.
struct LowerBoundInterval {
    std::array<uint64_t, kMaxLowerBoundLandmarks> low;
    std::array<uint64_t, kMaxLowerBoundLandmarks> high;

    void set_all(uint64_t l, uint64_t h) {
        low.fill(l);
        high.fill(h);
    }
    void add(const LowerBoundInterval& other, uint32_t landmark_count) {
        for (uint32_t i = 0; i < landmark_count; ++i) {
            low[i] = std::min(low[i], other.low[i]);
            high[i] = std::max(high[i], other.high[i]);
        }
    }
};

inline uint64_t saturating_sub(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

// A lower bound on the cost between a cell of one interval and a cell of the other. At least kDisconnectedBound if a landmark reaches
// one and not the other.
inline uint64_t gap(const LowerBoundInterval& a, const LowerBoundInterval& b, uint32_t landmark_count) {
    uint64_t greatest = 0;
    for (uint32_t i = 0; i < landmark_count; ++i)
        greatest = std::max({greatest, saturating_sub(a.low[i], b.high[i]), saturating_sub(b.low[i], a.high[i])});
    return greatest;
}

// The base map and the landmark distances of its samples. Distances are in units of 2^shift, rounded down; radii are rounded up.
struct LowerBoundSamples {
    Ground ground;
    std::vector<Cell> landmarks;
    int32_t blocks_x = 0, blocks_y = 0;
    uint32_t shift = 0;
    Vector<uint8_t> samples;     // by block: y * 8 + x inside the block, or kNoSample
    Vector<uint32_t> radii;      // by block
    Vector<uint32_t> distances;  // by block, then by landmark

    explicit LowerBoundSamples(const Ground& made_for)
        : ground(made_for),
          blocks_x((made_for.grid().width() + kBoundBlockSide - 1) / kBoundBlockSide),
          blocks_y((made_for.grid().height() + kBoundBlockSide - 1) / kBoundBlockSide) {}

    uint32_t landmark_count() const { return static_cast<uint32_t>(landmarks.size()); }
    size_t blocks() const { return static_cast<size_t>(blocks_x) * static_cast<size_t>(blocks_y); }
    size_t block_at(int32_t bx, int32_t by) const {
        return static_cast<size_t>(by) * static_cast<size_t>(blocks_x) + static_cast<size_t>(bx);
    }
    Cell corner(size_t block) const {
        const auto bx = static_cast<int32_t>(block % static_cast<size_t>(blocks_x)),
                   by = static_cast<int32_t>(block / static_cast<size_t>(blocks_x));
        return {bx * kBoundBlockSide, by * kBoundBlockSide};
    }
    Cell centre(size_t block) const {
        const Cell c = corner(block);
        return {c.x + kBoundBlockSide / 2, c.y + kBoundBlockSide / 2};
    }
    // Only if the block has a sample.
    Cell sample(size_t block) const {
        const Cell c = corner(block);
        return {c.x + samples[block] % kBoundBlockSide, c.y + samples[block] / kBoundBlockSide};
    }
    size_t bytes() const {
        return sizeof(*this) + samples.capacity() + radii.capacity() * 4 + distances.capacity() * 4 + landmarks.capacity() * sizeof(Cell);
    }

    LowerBoundInterval interval_around_sample(size_t block, uint64_t radius) const;
    LowerBoundInterval interval_of_block(size_t block) const;
    LowerBoundInterval interval_of_rect(const Rect& rect) const;
    LowerBoundInterval interval_of_cell(Cell cell) const;
};

std::shared_ptr<const LowerBoundSamples> make_lower_bound_samples(const Ground& ground, const Survey& survey,
                                                                  std::span<const Cell> landmarks, uint32_t threads);

// Implements LowerBoundTable::spread_landmarks().
std::vector<Cell> spread_landmarks(const Ground& ground, const Survey& survey, uint32_t count);

// Shortest distances from some source cells to all cells of a window of 18x18 cells of the base map; part of the window may be off the
// map. Bellman-Ford by alternating sweeps over the rows, down and up, until no value improves. For so few cells this is faster than
// Dijkstra's algorithm with a priority queue.
class LocalDistances {
public:
    static constexpr uint64_t kUnreachable = uint64_t{1} << 60;  // one bit above any cost, also used as a mask; four fit 64 bits

    // The window is centred at `cell` and extends to the centres of the adjacent blocks.
    LocalDistances(const LowerBoundSamples& base, Cell cell)
        : corner_{cell.x - kSide / 2, cell.y - kSide / 2},
          corner_mask_(cuts_corners(base.ground.movement()) ? 0 : kUnreachable),
          diagonal_penalty_(has_diagonals(base.ground.movement()) ? 0 : kUnreachable) {
        read(base);
        g_.fill(kUnreachable);
    }

    // Adds a source with the initial cost `g`. Ignores blocked cells.
    void add_source(Cell cell, uint64_t g = 0) {
        if (straight_[index(cell)] != kUnreachable) g_[index(cell)] = std::min(g_[index(cell)], g);
    }
    void run() {
        // A sweep leaves no improvement in its own direction, so the first sweep without a change ends the loop.
        sweep_down();
        while (sweep_up() && sweep_down()) {
        }
    }

    // The distance of a cell of the window. At least kUnreachable: no path inside the window.
    uint64_t distance(Cell cell) const { return g_[index(cell)]; }
    Rect rect() const { return {corner_, {kSide, kSide}}; }

    // Calls visit(block, cell) for the samples in the window.
    template <class Visit>
    void for_each_sample(const LowerBoundSamples& base, Visit&& visit) const {
        const Rect window = intersection(rect(), base.ground.grid().layout().rect());
        for (int32_t by = window.y / kBoundBlockSide; by * kBoundBlockSide < window.bottom(); ++by) {
            for (int32_t bx = window.x / kBoundBlockSide; bx * kBoundBlockSide < window.right(); ++bx) {
                const size_t block = base.block_at(bx, by);
                if (base.samples[block] != kNoSample && window.contains(base.sample(block))) visit(block, base.sample(block));
            }
        }
    }

private:
    static constexpr int32_t kSide = 18;
    static constexpr size_t kRow = kSide + 2;  // with a border of blocked cells

    size_t index(Cell c) const { return static_cast<size_t>(c.y - corner_.y + 1) * kRow + static_cast<size_t>(c.x - corner_.x + 1); }

    void read(const LowerBoundSamples& base) {
        straight_.fill(kUnreachable);
        diagonal_.fill(kUnreachable);
        const Rect on_map = intersection(rect(), base.ground.grid().layout().rect());
        const auto width = static_cast<uint32_t>(on_map.width);
        std::array<Terrain, kSide> row;
        for (int32_t y = on_map.y; y < on_map.bottom(); ++y) {
            base.ground.grid().copy_row({on_map.x, y}, width, row.data());
            const size_t first = index({on_map.x, y});
            for (uint32_t x = 0; x < width; ++x) {
                const uint64_t cost = base.ground.costs().cost[row[x]];
                straight_[first + x] = cost == 0 ? kUnreachable : cost * kStraight;
                diagonal_[first + x] = cost == 0 ? kUnreachable : cost * kDiagonal;
            }
        }
    }

    // The cost of reaching a cell from a neighbour, without the target cell's half of the edge.
    uint64_t by_straight(size_t from) const { return g_[from] + straight_[from]; }
    uint64_t by_diagonal(size_t from, size_t beside, size_t other) const {
        return g_[from] + diagonal_[from] + (((straight_[beside] | straight_[other]) & corner_mask_) | diagonal_penalty_);
    }
    // Relaxes the edges into `i` from the previous cell of its row and from three cells of the previous row. Paths through blocked
    // cells or forbidden corners cost at least kUnreachable. `next` is the next cell of the row, beside the second diagonal.
    TERRANE_INLINE uint64_t relax(size_t i, size_t previous, size_t row, size_t diagonal_a, size_t diagonal_b, size_t next) {
        const uint64_t straight = std::min(by_straight(previous), by_straight(row)) + straight_[i];
        const uint64_t diagonal = std::min(by_diagonal(diagonal_a, previous, row), by_diagonal(diagonal_b, next, row)) + diagonal_[i];
        const uint64_t before = g_[i];
        g_[i] = std::min({before, straight, diagonal});
        return before ^ g_[i];
    }
    bool sweep_down() {
        uint64_t changed = 0;
        for (size_t y = 1; y <= kSide; ++y) {
            for (size_t i = y * kRow + 1; i <= y * kRow + kSide; ++i)
                changed |= relax(i, i - 1, i - kRow, i - kRow - 1, i - kRow + 1, i + 1);
        }
        return changed != 0;
    }
    bool sweep_up() {
        uint64_t changed = 0;
        for (size_t y = kSide; y >= 1; --y) {
            for (size_t i = y * kRow + kSide; i > y * kRow; --i) changed |= relax(i, i + 1, i + kRow, i + kRow + 1, i + kRow - 1, i - 1);
        }
        return changed != 0;
    }

    Cell corner_;
    uint64_t corner_mask_;                        // kUnreachable: a blocked cell beside a diagonal forbids it
    uint64_t diagonal_penalty_;                   // kUnreachable if the movement rule has no diagonals
    std::array<uint64_t, kRow * kRow> straight_;  // a cell's half of a straight edge
    std::array<uint64_t, kRow * kRow> diagonal_;
    std::array<uint64_t, kRow * kRow> g_;
};

}  // namespace terrane::detail
