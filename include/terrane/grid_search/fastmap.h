// FastMap heuristic: embeds every cell in a space of a few dimensions. The L1 distance of two points is a lower bound on the cost
// between their cells.
// Based on: Cohen, Uras, Jahangiri, Arunasalam, Koenig, Kumar 2018, "The FastMap Algorithm for Shortest Path Computations" (IJCAI).
//
// A dimension picks two cells a and b that are far apart and gives each cell v the coordinate (d(a, v) + d(a, b) - d(v, b)) / 2,
// rounded down. It then subtracts from each edge's cost the difference of its ends' coordinates. The next dimension measures d with
// these residual costs.
// Consistency: by the triangle inequality, the coordinates of an edge's ends differ by at most the edge's residual cost w. w is an
// integer, so x <= y + w implies floor(x) <= floor(y) + w. Over all dimensions the differences sum to at most the edge's cost, and
// along a path to at most the path's cost.
//
// Admissible and consistent for the map, profile and movement rule that it was built for. After an edit (see updated()):
//   cells costlier or blocked  still valid: the sum of differences <= w_old <= w_new on every remaining edge
//   cells cheaper or passable  refused: each dimension depends on the previous ones, so there is no local repair. Rebuild it.
//   any other map, version, profile or rule: refused.
//
// Memory: 4 bytes per cell and dimension (8 where distances exceed 32 bits), with cells rounded up to whole tiles of 32x32. A build
// needs 5 (or 9) more bytes per cell. It runs on one thread, because each Dijkstra search starts where the previous one ended.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "terrane/grid_search/table_heuristic.h"

namespace terrane {

struct FastMapOptions {
    uint32_t dimensions = 8;  // 1..kMaxDimensions
};
inline constexpr uint32_t kMaxDimensions = 64;

// Lower bounds towards one goal; see TableBound for the lifetime.
template <class V>
using FastMapBound = TableBound<V, detail::SumOfDifferences>;

// Immutable and thread-safe. Copies share the table.
class FastMapHeuristic {
public:
    // Embeds the 16 largest connected components of the map, each on its own (ties: the smaller first id). In all other components
    // only octile distance applies. A dimension finds its pair by going to the farthest cell twice, from the component's first cell
    // (ties: the smallest id).
    static FastMapHeuristic build(const Ground& ground, const FastMapOptions& options = {});

    // The heuristic for the map after `edit`. Empty if the edit made a cell cheaper or passable for this profile, or if `edit` starts
    // from another version than the one that this is valid for.
    std::optional<FastMapHeuristic> updated(const EditResult& edit) const;

    // Whether `ground` has exactly the map version, profile costs and movement rule that this was built for or updated to.
    bool valid_for(const Ground& ground) const { return table_->valid_for(ground); }

    // A Heuristic for searches towards `goal`. Empty unless valid_for(ground) and the goal is on the map. `V` is the graph's value
    // type; it must hold the octile distance across the map.
    template <class V>
    std::optional<FastMapBound<V>> to(Cell goal, const Ground& ground) const {
        return table_->bound<detail::SumOfDifferences, V>(goal, ground);
    }

    // Number of edits applied since the build.
    uint64_t edits() const { return table_->edits; }
    size_t bytes() const { return table_->bytes(); }

private:
    explicit FastMapHeuristic(std::shared_ptr<const detail::TableOwner> table) : table_(std::move(table)) {}

    std::shared_ptr<const detail::TableOwner> table_;
};

}  // namespace terrane
