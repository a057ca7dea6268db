// Certificates: proven lower bounds on the cost between any two cells, so that an answer not known to be optimal can say how far
// from optimal it may be at most.
// Based on: Goldberg, Harrelson 2005 (ALT); Sturtevant, Felner, Barer, Schaeffer, Burch 2009 (differential heuristics).
//
// Like the differential heuristic (landmarks.h): exact costs D(L, .) from a few cells, the landmarks, bound the cost between any two:
// d(a, b) >= |D(L, a) - D(L, b)|. That one keeps a number for every cell; a certificate keeps them for one cell of each block of 8x8
// only, its sample. What is known of other cells are intervals:
//
//   a cell x    for each sample q near it, where a small search on the spot finds a way from q to x of cost w:
//               D(L, q) - w <= D(L, x) <= D(L, q) + w. Nothing is known where no sample is near, as in a maze of narrow corridors.
//   a block     D(L, q) less and more its radius, the greatest of the costs from its sample q to its cells
//
// and two intervals bound the cost between what they stand for by the gap between them. All values are in [0, infinity]; a landmark
// that reaches one cell and not another proves that no way joins them.
//
// After edits (see updated) the numbers stay those of the map that the certificate was built on, the base. Call an edge cheaper if it
// costs less now than on the base, or was no edge there.
//
//   Cells dearer or blocked make no edge cheaper, and a way without cheaper edges costs at least what it did on the base.
//
//   Cells cheaper or passable: a cheaper edge ends at such a cell, or is a diagonal beside one (the corner rule), so both its ends are
//   that cell or next to it. It lies whole in one of the rectangles that are put around the cheaper cells and their neighbours. A
//   way from s to t with cheaper edges is then: a way without any from s to a rectangle; from rectangle to rectangle, ways without
//   any; and one without any from a last rectangle to t. What it does inside a rectangle costs at least nothing. Hence
//
//      d(s, t) >= min(gap(s, t), min over rectangles B, C: gap(s, B) + between(B, C) + gap(C, t))
//
//   where the interval of a rectangle holds D(L, .) of all its cells that were passable on the base, and between() is the shortest
//   path over the rectangles with the gaps as edges, 0 where two have a cell in common.
//
//   A cell that was blocked on the base has no D(L, .). It is on no way without cheaper edges, save the way of that cell alone: from
//   an end of the query, of which nothing is assumed then, or from one rectangle to another that has it, too, which costs 0.
//
// So the bound depends on the base and on the map as it is, not on the edits in between.
//
// Memory: 4 bytes for each block of 8x8 cells and landmark, and 5 for each block: 8.7 MB for 32 landmarks on 2048x2048; the snapshot
// of the base; while it is built, 5 (or 9) bytes more for each cell and thread.
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

inline constexpr uint32_t kMaxCertificateLandmarks = 64;

struct CertificateOptions {
    uint32_t landmarks = 32;  // 1..kMaxCertificateLandmarks
    uint32_t threads = 1;     // 0: as many as the machine has; the result is the same for any number
};

namespace detail {
struct CertificateBase;
struct CheaperAreas;
}  // namespace detail

// Immutable: updated() makes a new one that shares the numbers. Copying it copies pointers. Any thread may use any copy.
class TERRANE_EXPERIMENTAL Certificate {
public:
    // With the landmarks of spread_landmarks.
    static Certificate build(const Ground& ground, const CertificateOptions& options = {});
    // With these landmarks: the first kMaxCertificateLandmarks of them that are on the map and passable.
    static Certificate build(const Ground& ground, std::span<const Cell> landmarks, uint32_t threads = 1);

    // Cells on the rim of the map, far from each other: a landmark tells most of pairs of which one is behind the other, and in the middle
    // it has few behind it. Parts of the map that are not joined get shares by their size (d'Hondt's rule, as in landmarks.h). In a part,
    // the rim is the farthest cell in each of 256 directions from its middle; the first landmark is the farthest of those, each other one
    // the farthest from the landmarks before it (ties: the smallest id). Fewer than asked for where there are fewer cells. Based on: planar
    // landmarks (Goldberg, Harrelson 2005).
    static std::vector<Cell> spread_landmarks(const Ground& ground, uint32_t count);

    // For the map after an edit of the map that this is valid for; nothing if `edit` began at another version. Looks at the tiles that
    // changed, and, where that makes or unmakes cheaper cells, at the blocks around all of those. Never wrong, but weaker near
    // cheaper cells than a certificate built anew.
    std::optional<Certificate> updated(const EditResult& edit) const;

    // Whether it may be used for this very version of the map, profile (costs and divisor) and rule.
    bool valid_for(const Ground& ground) const;

    // No way from one cell to the other, on the map that this is valid for, costs less. kInfiniteCost: there is no way, as where an end is
    // blocked or off the map (but not every pair that no way joins is known to be one). Allocates nothing.
    Cost lower_bound(Cell from, Cell to) const;

    std::span<const Cell> landmarks() const;
    // Blocks in which a cell is cheaper than on the base, or passable only now. The fewer, the better the bound.
    size_t cheaper_blocks() const;
    // Edits taken in since it was built.
    uint64_t edits() const { return edits_; }
    // Without the snapshots. The base is shared with other versions, and counted in full.
    size_t bytes() const;

private:
    friend class CertificateBounds;
    Certificate(std::shared_ptr<const detail::CertificateBase> base, const GridSnapshot& now);

    std::shared_ptr<const detail::CertificateBase> base_;
    std::shared_ptr<const detail::CheaperAreas> cheaper_;
    GridSnapshot now_;
    uint32_t cheapest_ = 0;  // of the terrain on the map now, for the octile distance
    uint64_t edits_ = 0;
};

// Lower bounds from all cells to one goal, in the profile's own units: those of a block when the first of them is asked for. A
// heuristic for searches, admissible but not quite consistent, since each block is told by the samples around it alone: for those that
// expand a cell again when a better way to it turns up (Reopen, best_first.h). Octile distance may be more.
//
// Scratch: one per search, reused; after warm-up it allocates nothing. 24 bytes for each block of the map, and 512 for each that was looked
// at.
class CertificateBounds {
public:
    static constexpr int32_t kBlockSide = 8;  // cells

    // `goal` is on the map. `certificate`, or a copy of it, must live until the next aim() or as long as bounds are asked for.
    void aim(const Certificate& certificate, Cell goal);

    // Only after aim(), for ids of cells of the map that are passable now.
    TERRANE_INLINE uint64_t operator()(CellId id) {
        const auto x = static_cast<uint32_t>(layout_.x(id)), y = static_cast<uint32_t>(layout_.y(id));
        const size_t block = size_t{y / kBlockSide} * blocks_x_ + x / kBlockSide;
        if (blocks_[block].stamp != stamp_) work_out(block);
        return cells_[blocks_[block].cells][y % kBlockSide * kBlockSide + x % kBlockSide];
    }

    size_t bytes() const;

private:
    static constexpr uint32_t kBlockCells = kBlockSide * kBlockSide;

    // Of the goal with this stamp, or else of one before.
    struct Block {
        uint32_t stamp = 0;
        uint32_t cells = 0;  // where its cells' bounds are
        uint32_t sample_stamp = 0;
        uint64_t sample = 0;  // its sample's bound
    };
    void work_out(size_t block);
    uint64_t of_sample(size_t block);

    struct Aim;
    struct DeleteAim {
        void operator()(Aim* aim) const;
    };
    std::unique_ptr<Aim, DeleteAim> aim_;
    GridLayout layout_;
    size_t blocks_x_ = 0;
    uint32_t stamp_ = 0;
    Vector<Block> blocks_;
    Vector<std::array<uint64_t, kBlockCells>> cells_;
    uint32_t used_ = 0;  // of cells_
};

}  // namespace terrane
