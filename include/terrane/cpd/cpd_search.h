// Bounded-suboptimal search on a map that has changed since its path database was built.
// Based on: Bono, Gerevini, Harabor, Stuckey 2019 (CPD heuristics, early termination); Shi, Harabor, Maheo (wall following, string pulling,
// branching nodes).
//
// Following the database's first moves from a cell to the goal gives two bounds. The path's cost on the base map (the map of the build) is
// a lower bound; if edges got cheaper, a smaller bound that stays consistent replaces it. The path's cost on the current map is an upper
// bound, unless the path is blocked. The last cell before its first changed step is the cell's CPD successor; all variants generate it. All
// variants return a path of at most `bound` times the optimum; with a bound of 1 they are optimal. If no step of the database's path
// changed and no edge got cheaper, the search expands nothing.
//
//   Perturbation changed(database, grid.snapshot());
//   CpdSearch search;
//   search.begin(database, changed, start, goal);
//   if (search.run() == Status::kFound) search.path(cells);
//
// Needs a symmetric graph: a step costs the same in both directions, as on grids.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/cpd/path_database.h"
#include "terrane/search/best_first.h"

namespace terrane {

namespace detail {
struct PerturbationData;
}

// The differences between the current map and the map that a database was built for. Takes a third of a byte per cell of the map, plus some
// bytes per changed cell. Immutable and thread-safe; copying it copies a pointer.
class Perturbation {
public:
    // `now` must have the layout of database.grid(): the same world after any edits, or a map of the same size. Compares the cells of those
    // tiles that the two snapshots do not share.
    Perturbation(const PathDatabase& database, const GridSnapshot& now);
    // Returns the perturbation after one more edit of now(): equal to one built for edit.after, but reads only the tiles that the edit
    // changed.
    Perturbation updated(const EditResult& edit) const;

    const GridSnapshot& now() const;
    uint64_t changed_cells() const;  // cells whose cost changed; another terrain of the same cost does not count
    bool any_cheaper() const;        // whether a cell got cheaper or passable
    bool changed(CellId cell) const;
    size_t bytes() const;

    const detail::PerturbationData& data() const { return *data_; }

private:
    std::shared_ptr<const detail::PerturbationData> data_;
};

// The papers' search variants. A wall is an area that got blocked or costlier since the build. docs/cpd.md compares them.
enum class CpdVariant : uint8_t {
    kEarly,      // cpd: A* with early termination, once the incumbent is within the bound
    kWeighted,   // cpd:W: weighted A* with early termination
    kNoPull,     // cpd/nosp: focal search with wall following, no string pulling
    kFocal,      // cpd/focal: focal search with wall following, string pulling at all nodes
    kBranching,  // cpd/branching: wall following up to branching nodes, where the database's path leads past the wall; string pulling there
};

// Limits of CpdSearchOptions::bound. Weighted costs then fit 64 bits for paths over nine million cells of the most expensive terrain.
inline constexpr uint32_t kMaxCpdNumerator = 10000, kMaxCpdDenominator = 1000;

struct CpdSearchOptions {
    CpdVariant variant = CpdVariant::kBranching;
    Weight bound{11, 10};  // suboptimality bound, >= 1; at most kMaxCpdNumerator and kMaxCpdDenominator
    // Which cells forbid diagonal steps past them, under Movement::kEightNoCornerCutting. false, as in the paper: cells that were blocked
    // at the build and still are. true: all cells that are blocked now.
    bool strict_corners = false;
};

// A reusable query object; one thread at a time. After warm-up a query allocates only its answer. Keeps up to 112 bytes per cell of the
// tiles that any query touched. If an allocation fails, the query ends with kOutOfMemory and the next begin() starts afresh; the
// constructor and path() throw std::bad_alloc, and path() may be called again.
class CpdSearch {
public:
    CpdSearch();
    ~CpdSearch();
    CpdSearch(CpdSearch&&) noexcept;
    CpdSearch& operator=(CpdSearch&&) noexcept;

    // Begins a query. Holds `database` and `perturbation`, which must be of that database, until the next begin(). Returns kBudgetSpent if
    // run() has work to do. All other results are final: kOutsideMap, kBlockedStart, kBlockedGoal, kFound (start == goal), and kNotPrepared
    // if the goal is not a target of the database. The start need not be a target. If all cells are targets, goals that were blocked at the
    // build are served too.
    Status begin(const PathDatabase& database, const Perturbation& perturbation, Cell start, Cell goal,
                 const CpdSearchOptions& options = {});
    // Expands at most `budget` more nodes. Returns kBudgetSpent if it must be called again. The result does not depend on the slicing.
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;
    uint64_t lookups() const;  // number of first moves looked up
    // The path's current cost, and a proven lower bound on the optimum, in the profile's own units (grid_graph.h). Precondition: kFound.
    uint64_t cost() const;
    uint64_t lower_bound() const;
    // Writes all cells from start to goal, none of them twice. Reuses the memory of `out`.
    void path(std::vector<Cell>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
