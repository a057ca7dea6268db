// The differential heuristic: exact distances from a few cells, the landmarks, to all others bound the distance between any
// two: d(a, b) >= |d(L, a) - d(L, b)|. Octile distance knows nothing of walls and prices; this does.
// Based on: Goldberg, Harrelson 2005 (ALT); Sturtevant, Felner, Barer, Schaeffer, Burch 2009 (differential heuristics).
//
// Admissible and consistent for the map, profile and movement rule it was made for, whatever the costs and walls: the
// numbers p(L, .) of a landmark are a feasible potential, |p(L, a) - p(L, b)| <= w(a, b) on every edge, and that is all
// that is needed. Cells that a landmark does not reach have the greatest number there is. No edge leads from one that it
// reaches to one that it does not, so that stays feasible; and between cells that are not joined any bound is right.
//
// After an edit (see updated):
//   cells dearer or blocked   nothing to do: |p(a) - p(b)| <= w_old(a, b) <= w_new(a, b), and edges that are gone ask
//                             nothing. The bound is still right, if not as good as a new one.
//   cells cheaper or passable numbers are lowered from there on until the potential is feasible again. Edges that became
//                             cheaper or legal (the corner rule opens diagonals beside a new opening) end at such a
//                             cell or at two of its neighbours.
//   any other map, version, profile or rule: refused.
//
// Memory: 4 bytes for each cell and landmark (8 where distances do not fit 32 bits: bytes() tells), cells rounded up to
// whole tiles of 32x32; while it is built, 5 (or 9) more for each cell and thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "terrane/grid_search/table_heuristic.h"

namespace terrane {

struct LandmarkOptions {
    uint32_t landmarks = 8;  // 1..kMaxLandmarks
    uint32_t threads = 1;    // 0: as many as the machine has; the result is the same for any number
};
inline constexpr uint32_t kMaxLandmarks = 256;

// Towards one goal; see TableBound for its lifetime.
template <class V>
using LandmarkBound = TableBound<V, detail::GreatestDifference>;

// Immutable: updated() makes a new one that shares what did not change. Copying it copies pointers. Any thread may use
// any copy.
class DifferentialHeuristic {
public:
    // Landmarks are shared out among the parts of the map that are not joined: each goes to the part with the most cells for
    // each landmark it would then have (d'Hondt's rule; ties: the larger part, then the smaller first id), so that small parts
    // may have none, and octile distance alone. In a part, the first landmark is the cell farthest from its first
    // cell, each other one the cell farthest from the landmarks before it (ties: the smallest id). There are fewer than asked
    // for only where there are fewer passable cells.
    static DifferentialHeuristic build(const Ground& ground, const LandmarkOptions& options = {});

    // For the map after an edit of the map that this is valid for; nothing if `edit` began at another version.
    // One thread; copies the pages (one tile each) in which a number changed.
    std::optional<DifferentialHeuristic> updated(const EditResult& edit) const;

    // Whether it may be used for this very version of the map it was built for or updated to, profile and rule.
    bool valid_for(const Ground& ground) const { return table_->valid_for(ground); }

    // A Heuristic for searches towards `goal`; nothing unless it is valid_for() the rest and the goal is on the map. `V` is
    // the graph's, wide enough for the octile distance across the map.
    template <class V>
    std::optional<LandmarkBound<V>> to(Cell goal, const Ground& ground) const {
        return table_->bound<detail::GreatestDifference, V>(goal, ground);
    }

    std::span<const Cell> landmarks() const { return *landmarks_; }
    // Edits taken in since it was built. Each may have made the bound weaker than a new one would be; none makes it wrong.
    uint64_t edits() const { return table_->edits; }
    // Pages shared with others are counted in full.
    size_t bytes() const { return table_->bytes(); }

private:
    DifferentialHeuristic(std::shared_ptr<const detail::TableOwner> table, std::shared_ptr<const std::vector<Cell>> landmarks)
        : table_(std::move(table)), landmarks_(std::move(landmarks)) {}

    std::shared_ptr<const detail::TableOwner> table_;
    std::shared_ptr<const std::vector<Cell>> landmarks_;
};

}  // namespace terrane
