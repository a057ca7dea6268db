// Search on a map that has changed since its path database was built: bounded suboptimal, guided by the database.
// Based on: Bono, Gerevini, Harabor, Stuckey 2019 (CPD heuristics, early termination); Shi, Harabor, Maheo (wall following, string pulling,
// branching nodes).
//
// Following the database's moves from a cell to the goal gives two numbers: what that path cost on the map it was built for, a lower bound
// (where something got cheaper, a smaller one that allows for it; it stays consistent), and what it costs now, an upper bound (none where
// it is blocked). The last cell before that path's first changed step is the cell's CPD successor: all variants jump there. All return a
// path of at most `bound` times the optimal cost; a bound of 1 makes them optimal. Where nothing on the way changed (and nothing
// got cheaper), nothing is expanded.
//
//   Perturbation changed(database, grid.snapshot());
//   PathdbSearch search;
//   search.begin(database, changed, start, goal);
//   if (search.run() == Status::kFound) search.path(cells);
//
// Needs a symmetric graph: a step costs the same both ways, as on grids.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "terrane/cpd/path_database.h"
#include "terrane/search/best_first.h"

namespace terrane {

namespace detail {
struct PerturbationRoot;
}

// Where a map differs from the one that a database was built for. Immutable; copying it copies a pointer, and any number of threads may
// read it. Takes a third of a byte for each cell of the map, and a little more for each that changed.
class Perturbation {
public:
    // `now` must have the layout of database.grid(): the same world, after any edits (or a map of the same size). Looks at every tile's
    // pointer, and at the cells of those that are not shared.
    Perturbation(const PathDatabase& database, const GridSnapshot& now);
    // After one more edit of now(): equal to a new one of edit.after, without a look at tiles that the edit did not change.
    Perturbation updated(const EditResult& edit) const;

    const GridSnapshot& now() const;
    uint64_t changed_cells() const;  // whose cost is another; terrain of the same cost is no change
    bool any_cheaper() const;        // some of them are, or are passable and were blocked
    bool changed(CellId cell) const;
    size_t bytes() const;

    const detail::PerturbationRoot& root() const { return *root_; }

private:
    std::shared_ptr<const detail::PerturbationRoot> root_;
};

// "Walls" are what was blocked, or got dearer, since the build. Which is best: docs/pathdb.md.
enum class PathdbVariant : uint8_t {
    kEarly,      // cpd: A* until the best path known is within the bound
    kWeighted,   // cpd:W: the lower bound weighted
    kNoPull,     // cpd/nosp: cells along walls first, while they are within the bound
    kFocal,      // cpd/focal: the same, with strings pulled at all nodes
    kBranching,  // cpd/branching: along walls to where the database's path leads past them, strings pulled there
};

struct PathdbSearchOptions {
    PathdbVariant variant = PathdbVariant::kBranching;
    Weight bound{11, 10};  // at least 1; both numbers at most 1000, so that weighted costs fit 64 bits
    // Under Movement::kEight, which cells are in the way of a diagonal step past them: as in the paper, those that were blocked at the
    // build and are blocked now (cells blocked since may be cut, cells opened since are open); or, strictly, those blocked now.
    bool strict_corners = false;
};

// The scratch of one thread, reused from query to query: after warm-up a query allocates nothing but its answer. Keeps up to 112 bytes for
// each cell of the tiles that any query came across. Where memory runs out, a query ends with kOutOfMemory, and the next begins anew; the
// constructor and path() throw std::bad_alloc, and path() may be asked again.
class PathdbSearch {
public:
    PathdbSearch();
    ~PathdbSearch();
    PathdbSearch(PathdbSearch&&) noexcept;
    PathdbSearch& operator=(PathdbSearch&&) noexcept;

    // Begins a query; `database` and `perturbation` (of that database) are held until the next one. kBudgetSpent: there is something to
    // run. Anything else is final: kOutsideMap, kBlockedStart, kBlockedGoal, kFound (start is goal); kNotPrepared: the database does not
    // cover the goal: it is not among the targets. The start need not be covered, nor, where all cells are targets, a goal that was blocked
    // at the build.
    Status begin(const PathDatabase& database, const Perturbation& perturbation, Cell start, Cell goal,
                 const PathdbSearchOptions& options = {});
    // Expands at most `budget` more nodes; kBudgetSpent: call again. The result of slicing is that of one run.
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;
    uint64_t lookups() const;  // of first moves: what following the database took
    // Only when found. In the profile's own units (grid_graph.h): the path's cost as it is now, and a proven lower bound on the optimum.
    uint64_t cost() const;
    uint64_t lower_bound() const;
    // From start to goal, cell by cell, no cell twice. Reuses the memory of `out`.
    void path(std::vector<Cell>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
