// An embedding as a heuristic: each cell becomes a point of a few dimensions, so that the L1 distance of two points is never
// more than the cost of the way between their cells.
// Based on: Cohen, Uras, Jahangiri, Arunasalam, Koenig, Kumar 2018, "The FastMap Algorithm for Shortest Path Computations" (IJCAI).
//
// A dimension takes two cells a and b that are far apart and gives each cell v the coordinate (d(a, v) + d(a, b) - d(v, b)) / 2,
// rounded down; then each edge's cost is lessened by the difference of its ends' coordinates, and the next dimension measures
// d by what is left. Why it is consistent: a coordinate's difference along an edge is at most the edge's (remaining) cost w, by the
// triangle inequality; w is a whole number, and from x <= y + w follows floor(x) <= floor(y) + w. So all differences of an edge
// add up to no more than its cost, and along any path to no more than the path's.
//
// Admissible and consistent for the map, profile and movement rule it was made for. After an edit (see updated):
//   cells dearer or blocked    still so: the sum of differences <= w_old <= w_new on every edge that is left
//   cells cheaper or passable  refused: every dimension rests on those before it, so there is no local repair. Build it anew.
//   any other map, version, profile or rule: refused.
//
// Memory: 4 bytes for each cell and dimension (8 where distances do not fit 32 bits: bytes() tells), cells rounded up to whole
// tiles of 32x32; while it is built, 5 (or 9) more for each cell. Built on one thread: each flood begins where the one before ended.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "terrane/grid_search/table_heuristic.h"

namespace terrane {

struct EmbeddingOptions {
    uint32_t dimensions = 8;  // 1..kMaxDimensions
};
inline constexpr uint32_t kMaxDimensions = 64;

// Towards one goal; see TableBound for its lifetime.
template <class V>
using EmbeddingBound = TableBound<V, detail::SumOfDifferences>;

// Immutable. Copying it copies pointers. Any thread may use any copy.
class EmbeddingHeuristic {
public:
    // Each of the 16 largest parts of the map that are not joined (ties: the smaller first id) is embedded on its own; the
    // cells of others are all one point, which leaves them octile distance alone. A dimension's pair is found by going to the
    // farthest cell twice, from the part's first cell (ties: the smallest id).
    static EmbeddingHeuristic build(const Ground& ground, const EmbeddingOptions& options = {});

    // For the map after an edit that made no cell cheaper for this profile, nor passable; nothing for other edits, and if
    // `edit` began at another version than this is valid for.
    std::optional<EmbeddingHeuristic> updated(const EditResult& edit) const;

    // Whether it may be used for this very version of the map it was built for or updated to, profile and rule.
    bool valid_for(const Ground& ground) const { return table_->valid_for(ground); }

    // A Heuristic for searches towards `goal`; nothing unless it is valid_for() the rest and the goal is on the map. `V` is
    // the graph's, wide enough for the octile distance across the map.
    template <class V>
    std::optional<EmbeddingBound<V>> to(Cell goal, const Ground& ground) const {
        return table_->bound<detail::SumOfDifferences, V>(goal, ground);
    }

    // Edits taken in since it was built.
    uint64_t edits() const { return table_->edits; }
    size_t bytes() const { return table_->bytes(); }

private:
    explicit EmbeddingHeuristic(std::shared_ptr<const detail::TableOwner> table) : table_(std::move(table)) {}

    std::shared_ptr<const detail::TableOwner> table_;
};

}  // namespace terrane
