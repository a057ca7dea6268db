// LowerBoundTable: proven lower bounds on the cost between any two cells. With one, a method without an optimality guarantee can prove
// how many times the optimum its path costs at most.
// Based on: Goldberg, Harrelson 2005 (ALT); Sturtevant, Felner, Barer, Schaeffer, Burch 2009 (differential heuristics).
//
// Like the differential heuristic (landmarks.h), it bounds the cost between two cells by exact costs D(L, .) from a few landmarks L:
// d(a, b) >= |D(L, a) - D(L, b)|. The differential heuristic stores a potential for every cell. This table stores one for a single
// cell of each block of 8x8, its sample, and derives intervals for everything else:
//
//   a cell x    for each sample q near x that a small local search connects to x by a path of cost w:
//               D(L, q) - w <= D(L, x) <= D(L, q) + w. Nothing is known if no sample is near, as in a maze of narrow corridors.
//   a block     D(L, q) minus and plus the block's radius, the maximum cost from its sample q to its cells
//
// The gap between two intervals bounds the cost between the cells that they stand for. All values are in [0, infinity]. A landmark
// that reaches one cell and not the other proves that the two are disconnected.
//
// After edits (see updated()) the table keeps the costs of the map that it was built on, the base map. Call an edge cheaper if it costs
// less now than on the base map, or did not exist there.
//
//   Costlier or blocked cells make no edge cheaper. A path without cheaper edges costs at least what it cost on the base map.
//
//   Cheaper or newly passable cells: a cheaper edge ends at such a cell, or is a diagonal beside one (the corner rule), so each of its
//   ends is that cell or adjacent to it. The table covers the cheaper cells and their neighbours by rectangles, such that each cheaper
//   edge lies inside one of them. A path from s to t with cheaper edges then consists of a path without cheaper edges from s to a
//   rectangle, paths without cheaper edges from rectangle to rectangle, and one from the last rectangle to t. The parts inside
//   rectangles cost at least 0. Hence
//
//      d(s, t) >= min(gap(s, t), min over rectangles B, C: gap(s, B) + between(B, C) + gap(C, t))
//
//   The interval of a rectangle contains D(L, .) of all its cells that were passable on the base map. between() is the shortest path
//   over the rectangles with the gaps as edge costs, and 0 if two rectangles share a cell.
//
//   A cell that was blocked on the base map has no D(L, .). It lies on no path without cheaper edges, except the path of that cell
//   alone: at an end of the query, where the interval is [0, infinity], or where two rectangles share the cell, which costs 0.
//
// So the bound depends on the base map and on the current map, not on the sequence of edits.
//
// Memory: 4 bytes per block of 8x8 cells and landmark, and 5 per block: 8.7 MB for 32 landmarks on 2048x2048. It also holds the snapshot
// of the base map. A build needs 5 (or 9) more bytes per cell and thread.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "terrane/base/attributes.h"
#include "terrane/base/cost.h"
#include "terrane/base/memory.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/grid/profile.h"

namespace terrane {

inline constexpr uint32_t kMaxLowerBoundLandmarks = 64;

struct LowerBoundTableOptions {
    uint32_t landmarks = 32;  // 1..kMaxLowerBoundLandmarks
    uint32_t threads = 1;     // 0: one per hardware thread; the result does not depend on it
};

namespace detail {
struct LowerBoundSamples;
struct CheaperAreas;
}  // namespace detail

// Immutable and thread-safe. Copies share the tables; updated() returns a new version that shares the samples.
class TERRANE_EXPERIMENTAL LowerBoundTable {
public:
    // Builds with the landmarks of spread_landmarks().
    static LowerBoundTable build(const Ground& ground, const LowerBoundTableOptions& options = {});
    // Builds with the given landmarks: the first kMaxLowerBoundLandmarks of them that are on the map and passable.
    static LowerBoundTable build(const Ground& ground, std::span<const Cell> landmarks, uint32_t threads = 1);

    // Selects planar landmarks (Goldberg, Harrelson 2005): cells on the boundary of the map, far from each other. A landmark is most
    // informative for pairs of which one cell is behind the other, and few cells are behind a landmark in the middle. Apportions them
    // to the connected components by cell count (d'Hondt's rule, as in landmarks.h). In a component, the candidates are the farthest
    // cells in each of 256 directions from its centre. The first landmark is the farthest candidate; each further landmark is the
    // candidate farthest from all previous landmarks (ties: the smallest id). Returns fewer than `count` if there are fewer cells.
    static std::vector<Cell> spread_landmarks(const Ground& ground, uint32_t count);

    // The table for the map after `edit`; empty if `edit` starts from another version than the one that this is valid for. Reads the
    // tiles that changed. If the set of cheaper cells changes, it also reads the blocks around all cheaper cells. The bound stays
    // valid, but near cheaper cells it is weaker than that of a rebuilt table.
    std::optional<LowerBoundTable> updated(const EditResult& edit) const;

    // Whether `ground` has exactly this map version, profile (costs and divisor) and movement rule.
    bool valid_for(const Ground& ground) const;

    // A lower bound on the cost of any path between the two cells, on the map that this is valid for. kInfiniteCost: proven
    // disconnected, or an end is blocked or off the map. Not every disconnected pair is detected. Allocates nothing.
    Cost lower_bound(Cell from, Cell to) const;

    std::span<const Cell> landmarks() const;
    // Number of blocks with a cell that is cheaper than on the base map, or newly passable. The fewer, the stronger the bound.
    size_t cheaper_blocks() const;
    // Number of edits applied since the build.
    uint64_t edits() const { return edits_; }
    // Without the snapshots. Counts the samples, which other versions share, in full.
    size_t bytes() const;

private:
    friend class LowerBoundQuery;
    LowerBoundTable(std::shared_ptr<const detail::LowerBoundSamples> base, const GridSnapshot& now);

    std::shared_ptr<const detail::LowerBoundSamples> base_;
    std::shared_ptr<const detail::CheaperAreas> cheaper_;
    GridSnapshot now_;
    uint32_t cheapest_ = 0;  // lowest terrain cost on the current map, for the octile distance
    uint64_t edits_ = 0;
};

// Lower bounds of a LowerBoundTable from all cells to one goal, in the profile's cost units, computed lazily per block. Use it as the
// heuristic of a search. It is admissible but not consistent, because each block uses only the samples around it; the search must
// reopen cells (Reopen, best_first.h). Take the maximum with octile distance, which may be larger.
//
// Scratch memory: one per search, reused; after warm-up it allocates nothing. 24 bytes per block of the map and 512 per block visited.
class LowerBoundQuery {
public:
    static constexpr int32_t kBlockSide = 8;  // cells

    // Discards all bounds and starts over for `goal`, which must be on the map. `table` or a copy of it must live until the next
    // set_goal() or the last use of the bounds.
    void set_goal(const LowerBoundTable& table, Cell goal);

    // The bound of a cell that is on the map and passable now. Call set_goal() first.
    TERRANE_INLINE uint64_t operator()(CellId id) {
        const auto x = static_cast<uint32_t>(layout_.x(id)), y = static_cast<uint32_t>(layout_.y(id));
        const size_t block = size_t{y / kBlockSide} * blocks_x_ + x / kBlockSide;
        if (blocks_[block].stamp != stamp_) compute_block(block);
        return cells_[blocks_[block].cells][y % kBlockSide * kBlockSide + x % kBlockSide];
    }

    size_t bytes() const;

private:
    static constexpr uint32_t kBlockCells = kBlockSide * kBlockSide;

    // Valid for the current goal only if the stamps equal stamp_.
    struct Block {
        uint32_t stamp = 0;
        uint32_t cells = 0;  // index in cells_
        uint32_t sample_stamp = 0;
        uint64_t sample = 0;  // bound of the block's sample
    };
    void compute_block(size_t block);
    uint64_t sample_bound(size_t block);

    struct Goal;
    struct DeleteGoal {
        void operator()(Goal* goal) const;
    };
    std::unique_ptr<Goal, DeleteGoal> goal_;
    GridLayout layout_;
    size_t blocks_x_ = 0;
    uint32_t stamp_ = 0;
    Vector<Block> blocks_;
    Vector<std::array<uint64_t, kBlockCells>> cells_;
    uint32_t used_ = 0;  // entries of cells_ in use
};

}  // namespace terrane
