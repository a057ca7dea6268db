// Lengths of shortest paths inside one terrain region of a sector.
#pragma once
#include <array>
#include <cstdint>

#include "terrane/grid/cell.h"
#include "terrane/grid/movement.h"
#include "terrane/search/best_first.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

inline constexpr uint32_t kLargestPortalSector = 32;  // cells a side

// The cells of one terrain in a sector, one bit each. Coordinates are relative to the sector's corner. A diagonal step requires both
// orthogonal cells to be of that terrain, or one of them under kEightCutCorners. A path therefore never leaves the region in which it
// starts.
class TerrainMask {
public:
    explicit TerrainMask(Movement movement = Movement::kEightNoCornerCutting) : movement_(movement) {}
    void add(uint32_t x, uint32_t y) { rows_[y + 1] |= uint64_t{1} << (x + 1); }
    bool contains(Cell c) const { return (rows_[static_cast<uint32_t>(c.y + 1)] >> (c.x + 1) & 1) != 0; }
    Movement movement() const { return movement_; }
    // Bit mask of the legal moves.
    uint32_t moves(Cell from) const;
    // Whether a path from `from` to `to` that takes all its diagonal steps first, or all of them last, stays in the region.
    bool octile(Cell from, Cell to) const;

private:
    bool walk(Cell& at, Cell step, int32_t count) const;
    Movement movement_;
    std::array<uint64_t, kLargestPortalSector + 2> rows_{};  // bits from 1, with a border of zeros
};

// Dijkstra's algorithm from one cell. Scratch memory, reused.
class MaskFlood {
public:
    void run(const TerrainMask& cells, Cell from);
    // In the units of cost.h. Requires a cell of the region.
    uint32_t length(Cell to) const { return labels_.g(node(to)); }
    size_t bytes() const { return labels_.bytes() + queue_.bytes(); }

private:
    static constexpr uint32_t node(Cell c) { return static_cast<uint32_t>(c.y) * kLargestPortalSector + static_cast<uint32_t>(c.x); }
    static constexpr Cell cell(uint32_t node) {
        return {static_cast<int32_t>(node % kLargestPortalSector), static_cast<int32_t>(node / kLargestPortalSector)};
    }
    struct CellGraph {
        using Node = uint32_t;
        using Value = uint32_t;
        using Via = Move;
        const TerrainMask* cells;

        template <class Label, class Emit>
        void expand(Node from, const Label& label, Emit&& emit) const {
            const Cell c = cell(from);
            for (uint32_t moves = cells->moves(c); moves != 0; moves &= moves - 1) {
                const auto m = static_cast<Move>(std::countr_zero(moves));
                emit(node({c.x + kMoves[m].x, c.y + kMoves[m].y}), label.g + step_length(m), m);
            }
        }
        Node origin(Node to, Move move) const { return node({cell(to).x - kMoves[move].x, cell(to).y - kMoves[move].y}); }
    };

    PagedLabels<uint32_t, uint32_t, Move> labels_;
    BucketQueue<uint32_t, uint32_t> queue_;
};

}  // namespace terrane::detail
