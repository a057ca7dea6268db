// Searches of a grid, cell by cell: every method that searches cells, sliced or whole, towards one goal or several.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "terrane/grid/path.h"
#include "terrane/grid/profile.h"
#include "terrane/grid_search/certificate.h"
#include "terrane/grid_search/embedding.h"
#include "terrane/grid_search/landmarks.h"
#include "terrane/method/method.h"
#include "terrane/search/best_first.h"

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
    Method method = {};                    // one that searches cells; none: A*
    uint64_t max_expansions = kUnlimited;  // then status is kBudgetSpent
    SearchWatcher* watcher = nullptr;      // must outlive the search

    // A better heuristic than octile distance, for searches towards one goal: at most one of them. It must be valid for
    // map, profile and movement, or the status is kStale. Copied (pointers).
    const DifferentialHeuristic* landmarks = nullptr;
    const EmbeddingHeuristic* embedding = nullptr;
    const Certificate* certificate = nullptr;  // for astar; other methods need a consistent heuristic and search without it
};

struct ReachedCell {
    Cell cell;
    Cost cost = 0;
    friend bool operator==(const ReachedCell&, const ReachedCell&) = default;
};

// Scratch and state of one search at a time: one per thread, reused. After warm-up a search allocates
// nothing; its memory grows with the part of the map that was looked at, 5 bytes a cell (9 where costs are
// too large for 32 bits; twice that for a search from both ends).
class GridSearch {
public:
    GridSearch();
    ~GridSearch();
    GridSearch(GridSearch&&) noexcept;
    GridSearch& operator=(GridSearch&&) noexcept;

    // Begins a search, dropping the one before. Copies `ground`, and so holds its snapshot until the next begins. Only methods that
    // search cells (searches_cells): others are the Planner's, and a broken contract here (kNotPrepared where those go unchecked).
    void begin(const Ground& ground, Cell start, Cell goal, const SearchOptions& options = {});

    // The others are Dijkstra's algorithm, whatever options.method says.

    // To the nearest of several cells, or of the cells of a terrain. Goals that are blocked or off the map are passed over; where
    // none is left, that is the status.
    void begin_nearest(const Ground& ground, Cell start, std::span<const Cell> goals, const SearchOptions& options = {});
    void begin_nearest(const Ground& ground, Cell start, Terrain terrain, const SearchOptions& options = {});

    // To all of several cells. kFound: all are reached. kUnreachable: some cannot be reached, are blocked or off the map; the others are
    // reached. Where all are blocked or off the map, or there are none, that is the status, as for begin_nearest. cost_to() and path_to()
    // report on each.
    void begin_many(const Ground& ground, Cell start, std::span<const Cell> goals, const SearchOptions& options = {});

    // To every cell in reach of `start` at no more than `max_cost`.
    void begin_flood(const Ground& ground, Cell start, Cost max_cost = kInfiniteCost, const SearchOptions& options = {});

    // Expands at most `budget` more cells, and no more than options.max_expansions in all. kBudgetSpent: call again to
    // go on (unless the latter is spent). Anything else is final: kFound, kUnreachable, kBlockedStart, kBlockedGoal,
    // kOutsideMap, kStale. The result of slicing is the same as that of one run.
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;
    // nbs: those that its guarantee counts (bidirectional.h). Others: all.
    uint64_t necessary_expansions() const;

    // The path found (to the nearest goal, where there were several), or a path with the status that says why there is
    // none. Reuses the memory of `out`. Not for begin_many and begin_flood.
    void path(Path& out) const;

    // After begin_many (for its goals) and begin_flood: what it costs to go to a cell, kInfiniteCost where it was not
    // reached; and how. The status of that path is the cell's own: kFound, kOutsideMap, kBlockedGoal or kUnreachable.
    Cost cost_to(Cell cell) const;
    void path_to(Cell cell, Path& out) const;

    // After begin_flood has run: every cell reached, by cost (ties: by rows).
    void reached(std::vector<ReachedCell>& out) const;

    // Memory held for reuse.
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Everything in one call, for when convenience matters more than speed (a GridSearch that is kept
// is faster from the second search on). They fail only for a profile that does not fit the map's terrains, or a terrain
// that the map does not know.
Result<Path> find_path(const GridSnapshot& grid, Cell start, Cell goal, const Profile& profile, const SearchOptions& options = {},
                       Movement movement = Movement::kEight);
Result<Path> find_nearest(const GridSnapshot& grid, Cell start, std::span<const Cell> goals, const Profile& profile,
                          const SearchOptions& options = {}, Movement movement = Movement::kEight);
Result<Path> find_nearest(const GridSnapshot& grid, Cell start, std::string_view terrain, const Profile& profile,
                          const SearchOptions& options = {}, Movement movement = Movement::kEight);
// What it costs to go to each goal, in their order; kInfiniteCost where there is no way.
Result<std::vector<Cost>> find_costs(const GridSnapshot& grid, Cell start, std::span<const Cell> goals, const Profile& profile,
                                     const SearchOptions& options = {}, Movement movement = Movement::kEight);
// Every cell within a cost of `start`, nearest first; none where the start is blocked or off the map.
Result<std::vector<ReachedCell>> find_within(const GridSnapshot& grid, Cell start, Cost max_cost, const Profile& profile,
                                             const SearchOptions& options = {}, Movement movement = Movement::kEight);

}  // namespace terrane
