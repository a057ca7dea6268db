// Searches of a grid, cell by cell: A*, weighted A* and Dijkstra's algorithm, sliced or whole.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "terrane/best_first.h"
#include "terrane/method.h"
#include "terrane/path.h"
#include "terrane/profile.h"

namespace terrane {

// Sees a search happen; see SearchObserver (best_first.h). For pictures and traces, so not built for speed.
// All of it is in this header, so that programs built with run-time type information may derive from it.
class SearchWatcher {
public:
    virtual ~SearchWatcher() = default;
    virtual void expanded(Cell cell, Cost g) = 0;
    virtual void improved(Cell, Cell /*from*/, Cost /*g*/) {}
};

struct SearchOptions {
    Method method;
    Movement movement = Movement::kEight;
    uint64_t max_expansions = kUnlimited;  // then status is kBudgetSpent
    SearchWatcher* watcher = nullptr;      // must outlive the search
};

// Scratch and state of one search at a time: one per thread, reused. After warm-up a search allocates
// nothing; its memory grows with the part of the map that was looked at, 5 bytes a cell (9 where costs are
// too large for 32 bits).
class GridSearch {
public:
    GridSearch();
    ~GridSearch();
    GridSearch(GridSearch&&) noexcept;
    GridSearch& operator=(GridSearch&&) noexcept;

    // Begins a search, dropping the one before. Holds the snapshot until the next begins. `costs` is copied.
    void begin(const GridSnapshot& grid, const CostTable& costs, Cell start, Cell goal, const SearchOptions& options = {});

    // Begins to find the cost of every cell in reach of `start` at no more than `max_cost`.
    void begin_flood(const GridSnapshot& grid, const CostTable& costs, Cell start, Cost max_cost = kInfiniteCost,
                     const SearchOptions& options = {});

    // Expands at most `budget` more cells, and no more than options.max_expansions in all. kBudgetSpent: call again to
    // go on (unless the latter is spent). Anything else is final: kFound, kUnreachable, kBlockedStart, kBlockedGoal,
    // kOutsideMap. The result of slicing is the same as that of one run.
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;

    // The path found, or a path with the status that says why there is none. Reuses the memory of `out`.
    void path(Path& out) const;

    // After a flood: what it costs to go to a cell, kInfiniteCost where it was not reached; and how.
    Cost cost_to(Cell cell) const;
    void path_to(Cell cell, Path& out) const;

    // Memory held for reuse.
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Everything in one call, for when convenience matters more than speed (a GridSearch that is kept
// is faster from the second search on). Fails only for a profile that does not fit the map's terrains.
Result<Path> find_path(const GridSnapshot& grid, Cell start, Cell goal, const Profile& profile, const SearchOptions& options = {});

}  // namespace terrane
