// Differential heuristic (ALT): exact distances from a few landmark cells L bound the distance between any two cells:
// d(a, b) >= |d(L, a) - d(L, b)|. Unlike octile distance, it accounts for obstacles and terrain costs.
// Based on: Goldberg, Harrelson 2005 (ALT); Sturtevant, Felner, Barer, Schaeffer, Burch 2009 (differential heuristics).
//
// Admissible and consistent for the map, profile and movement rule that it was built for. The potentials p(L, .) of a landmark are
// feasible: |p(L, a) - p(L, b)| <= w(a, b) on every edge. That is sufficient. Cells that a landmark does not reach have the maximum
// potential. No edge connects a reached to an unreached cell, so the potential stays feasible; between different connected
// components any bound is admissible.
//
// After an edit (see updated()):
//   cells costlier or blocked nothing to do: |p(a) - p(b)| <= w_old(a, b) <= w_new(a, b), and removed edges impose no constraint.
//                             The bound stays admissible, but may be weaker than a rebuilt one.
//   cells cheaper or passable potentials are lowered from there on until they are feasible again. An edge that became cheaper or
//                             legal (the corner rule allows diagonals beside a new opening) ends at such a cell or at two of its
//                             neighbours.
//   any other map, version, profile or rule: refused.
//
// Memory: 4 bytes per cell and landmark (8 where distances exceed 32 bits), with cells rounded up to whole tiles of 32x32. A build
// needs 5 (or 9) more bytes per cell and thread.
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
    uint32_t threads = 1;    // 0: one per hardware thread; the result does not depend on it
};
inline constexpr uint32_t kMaxLandmarks = 256;

// Lower bounds towards one goal; see TableBound for the lifetime.
template <class V>
using LandmarkBound = TableBound<V, detail::GreatestDifference>;

// Immutable and thread-safe. Copies share the table; updated() returns a new version that shares the unchanged pages.
class DifferentialHeuristic {
public:
    // Apportions the landmarks to the connected components of the map by cell count (d'Hondt's rule; ties: the larger component, then
    // the smaller first id). Small components may get none; there only octile distance applies. In a component, the first landmark is
    // the cell farthest from the component's first cell, and each further landmark is the cell farthest from all previous landmarks
    // (ties: the smallest id). There are fewer landmarks than requested only if there are fewer passable cells.
    static DifferentialHeuristic build(const Ground& ground, const LandmarkOptions& options = {});

    // The heuristic for the map after `edit`; empty if `edit` starts from another version than the one that this is valid for.
    // Runs on one thread; copies the pages (one per tile) in which a potential changed.
    std::optional<DifferentialHeuristic> updated(const EditResult& edit) const;

    // Whether `ground` has exactly the map version, profile costs and movement rule that this was built for or updated to.
    bool valid_for(const Ground& ground) const { return table_->valid_for(ground); }

    // A Heuristic for searches towards `goal`. Empty unless valid_for(ground) and the goal is on the map. `V` is the graph's value
    // type; it must hold the octile distance across the map.
    template <class V>
    std::optional<LandmarkBound<V>> to(Cell goal, const Ground& ground) const {
        return table_->bound<detail::GreatestDifference, V>(goal, ground);
    }

    std::span<const Cell> landmarks() const { return *landmarks_; }
    // Number of edits applied since the build. Each may have weakened the bound; none makes it inadmissible.
    uint64_t edits() const { return table_->edits; }
    // Counts shared pages in full.
    size_t bytes() const { return table_->bytes(); }

private:
    DifferentialHeuristic(std::shared_ptr<const detail::TableOwner> table, std::shared_ptr<const std::vector<Cell>> landmarks)
        : table_(std::move(table)), landmarks_(std::move(landmarks)) {}

    std::shared_ptr<const detail::TableOwner> table_;
    std::shared_ptr<const std::vector<Cell>> landmarks_;
};

}  // namespace terrane
