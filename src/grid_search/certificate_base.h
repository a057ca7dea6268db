// The numbers of a certificate (certificate.h) and what they say of cells, blocks and rectangles.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grid_search/flood.h"
#include "terrane/grid_search/certificate.h"

namespace terrane::detail {

inline constexpr int32_t kBoundBlockSide = CertificateBounds::kBlockSide;
inline constexpr uint64_t kInfiniteBound = uint64_t{1} << 62;  // infinity: more than any cost on any map; three of them fit 64 bits
inline constexpr uint64_t kNoBound = uint64_t{1} << 61;        // so much or more is infinity less something finite
inline constexpr uint8_t kNoSample = 0xff;                     // of a block without passable cells

// What is known of D(L, .), of a cell or of all cells of an area, in the profile's own units.
struct CertificateInterval {
    std::array<uint64_t, kMaxCertificateLandmarks> low;
    std::array<uint64_t, kMaxCertificateLandmarks> high;

    void set_all(uint64_t l, uint64_t h) {
        low.fill(l);
        high.fill(h);
    }
    void add(const CertificateInterval& other, uint32_t lanes) {
        for (uint32_t i = 0; i < lanes; ++i) {
            low[i] = std::min(low[i], other.low[i]);
            high[i] = std::max(high[i], other.high[i]);
        }
    }
};

inline uint64_t excess(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

// At least this from anything in one to anything in the other; kNoBound or more where a landmark reaches one and not the other.
inline uint64_t gap(const CertificateInterval& a, const CertificateInterval& b, uint32_t lanes) {
    uint64_t greatest = 0;
    for (uint32_t i = 0; i < lanes; ++i) greatest = std::max({greatest, excess(a.low[i], b.high[i]), excess(b.low[i], a.high[i])});
    return greatest;
}

// The map that a certificate was built on, and the numbers. Distances are kept in units of 2^shift, rounded down; radii, rounded up.
struct CertificateBase {
    Ground ground;
    std::vector<Cell> landmarks;
    int32_t blocks_x = 0, blocks_y = 0;
    uint32_t shift = 0;
    Vector<uint8_t> samples;     // by block: y * 8 + x, inside it
    Vector<uint32_t> radii;      // by block
    Vector<uint32_t> distances;  // by block; in it, by landmark

    explicit CertificateBase(const Ground& made_for)
        : ground(made_for),
          blocks_x((made_for.grid().width() + kBoundBlockSide - 1) / kBoundBlockSide),
          blocks_y((made_for.grid().height() + kBoundBlockSide - 1) / kBoundBlockSide) {}

    uint32_t lanes() const { return static_cast<uint32_t>(landmarks.size()); }
    size_t blocks() const { return static_cast<size_t>(blocks_x) * static_cast<size_t>(blocks_y); }
    size_t block_at(int32_t bx, int32_t by) const {
        return static_cast<size_t>(by) * static_cast<size_t>(blocks_x) + static_cast<size_t>(bx);
    }
    Cell corner(size_t block) const {
        const auto bx = static_cast<int32_t>(block % static_cast<size_t>(blocks_x)),
                   by = static_cast<int32_t>(block / static_cast<size_t>(blocks_x));
        return {bx * kBoundBlockSide, by * kBoundBlockSide};
    }
    Cell middle(size_t block) const {
        const Cell c = corner(block);
        return {c.x + kBoundBlockSide / 2, c.y + kBoundBlockSide / 2};
    }
    // Only where the block has one.
    Cell sample(size_t block) const {
        const Cell c = corner(block);
        return {c.x + samples[block] % kBoundBlockSide, c.y + samples[block] / kBoundBlockSide};
    }
    size_t bytes() const {
        return sizeof(*this) + samples.capacity() + radii.capacity() * 4 + distances.capacity() * 4 + landmarks.capacity() * sizeof(Cell);
    }

    CertificateInterval around_sample(size_t block, uint64_t radius) const;
    CertificateInterval of_block(size_t block) const;
    CertificateInterval of_rect(const Rect& rect) const;
    CertificateInterval of_cell(Cell cell) const;
};

std::shared_ptr<const CertificateBase> make_certificate_base(const Ground& ground, const Survey& survey, std::span<const Cell> landmarks,
                                                             uint32_t threads);

// Certificate::spread_landmarks.
std::vector<Cell> spread_landmarks(const Ground& ground, const Survey& survey, uint32_t count);

// The cheapest ways from some cells to all others inside a window of 18x18 cells of the base, some of which may be off the map. Sweeps over
// the rows, down and up again, take each cell's number from its neighbours' until nothing gets less, which for so few cells is faster than
// a queue.
class Vicinity {
public:
    static constexpr uint64_t kWall = uint64_t{1} << 60;  // more than any way costs; four of them fit, and no less has its bit

    // A window around `cell`, as far as the middle of any block that is next to its own.
    Vicinity(const CertificateBase& base, Cell cell)
        : corner_{cell.x - kSide / 2, cell.y - kSide / 2},
          cut_(cuts_corners(base.ground.movement()) ? 0 : kWall),
          slant_(has_diagonals(base.ground.movement()) ? 0 : kWall) {
        read(base);
        g_.fill(kWall);
    }

    // A way that begins at `cell` costs `g` there. Nothing for cells that are blocked.
    void start(Cell cell, uint64_t g = 0) {
        if (straight_[index(cell)] != kWall) g_[index(cell)] = std::min(g_[index(cell)], g);
    }
    void spread() {
        // A sweep leaves nothing to gain in its own direction: once the next changes nothing, all is done.
        sweep_down();
        while (sweep_up() && sweep_down()) {
        }
    }

    // Of cells in the window. kWall: no way inside it.
    uint64_t to(Cell cell) const { return g_[index(cell)]; }
    Rect rect() const { return {corner_.x, corner_.y, corner_.x + kSide, corner_.y + kSide}; }

    // visit(block, cell) for the samples in the window.
    template <class Visit>
    void for_each_sample(const CertificateBase& base, Visit&& visit) const {
        const Rect window = intersection(rect(), base.ground.grid().layout().rect());
        for (int32_t by = window.top / kBoundBlockSide; by * kBoundBlockSide < window.bottom; ++by) {
            for (int32_t bx = window.left / kBoundBlockSide; bx * kBoundBlockSide < window.right; ++bx) {
                const size_t block = base.block_at(bx, by);
                if (base.samples[block] != kNoSample && window.contains(base.sample(block))) visit(block, base.sample(block));
            }
        }
    }

private:
    static constexpr int32_t kSide = 18;
    static constexpr size_t kRow = kSide + 2;  // with a wall around

    size_t index(Cell c) const { return static_cast<size_t>(c.y - corner_.y + 1) * kRow + static_cast<size_t>(c.x - corner_.x + 1); }

    void read(const CertificateBase& base) {
        straight_.fill(kWall);
        diagonal_.fill(kWall);
        const Rect on_map = intersection(rect(), base.ground.grid().layout().rect());
        const auto width = static_cast<uint32_t>(on_map.right - on_map.left);
        std::array<Terrain, kSide> row;
        for (int32_t y = on_map.top; y < on_map.bottom; ++y) {
            base.ground.grid().copy_row({on_map.left, y}, width, row.data());
            const size_t first = index({on_map.left, y});
            for (uint32_t x = 0; x < width; ++x) {
                const uint64_t cost = base.ground.costs().cost[row[x]];
                straight_[first + x] = cost == 0 ? kWall : cost * kStraight;
                diagonal_[first + x] = cost == 0 ? kWall : cost * kDiagonal;
            }
        }
    }

    // What it costs to come to a cell, its own half of the edge left out.
    uint64_t by_straight(size_t from) const { return g_[from] + straight_[from]; }
    uint64_t by_diagonal(size_t from, size_t beside, size_t other) const {
        return g_[from] + diagonal_[from] + (((straight_[beside] | straight_[other]) & cut_) | slant_);
    }
    // From the side behind, and the three of the row behind. Nothing that is or crosses a wall is less than kWall.
    TERRANE_INLINE uint64_t relax(size_t i, size_t side, size_t row, size_t slanted, size_t slanted_other, size_t other) {
        const uint64_t straight = std::min(by_straight(side), by_straight(row)) + straight_[i];
        const uint64_t diagonal = std::min(by_diagonal(slanted, side, row), by_diagonal(slanted_other, other, row)) + diagonal_[i];
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
    uint64_t cut_;                                // what a blocked cell beside a diagonal adds to it
    uint64_t slant_;                              // what every diagonal costs more
    std::array<uint64_t, kRow * kRow> straight_;  // a cell's half of an edge
    std::array<uint64_t, kRow * kRow> diagonal_;
    std::array<uint64_t, kRow * kRow> g_;
};

}  // namespace terrane::detail
