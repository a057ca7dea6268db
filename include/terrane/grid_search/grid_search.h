// Searches on the cells of a grid: A*, weighted A*, focal search, NBS, Dijkstra's algorithm and greedy best-first search, towards one
// goal, several goals or all cells. Searches run in one call or in slices.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "terrane/grid/path.h"
#include "terrane/grid/profile.h"
#include "terrane/grid_search/fastmap.h"
#include "terrane/grid_search/landmarks.h"
#include "terrane/grid_search/lower_bound_table.h"
#include "terrane/method/method.h"
#include "terrane/search/best_first.h"

namespace terrane {

// Observes a search, for pictures and traces; see SearchObserver (best_first.h). Each event is a virtual call.
// Header-only, so that programs built with run-time type information can derive from it.
class SearchWatcher {
public:
    virtual ~SearchWatcher() = default;
    virtual void expanded(Cell cell, Cost g) = 0;
    virtual void improved(Cell, Cell /*from*/, Cost /*g*/) {}
};

struct SearchOptions {
    Method method = {};                    // a method that searches cells; empty: A*
    uint64_t max_expansions = kUnlimited;  // Status::kBudgetSpent when reached
    SearchWatcher* watcher = nullptr;      // must outlive the search

    // A heuristic stronger than octile distance, for searches towards one goal; set at most one. It must be valid for the map,
    // profile and movement rule, or the status is kStale. The search copies it (copies share the table).
    const DifferentialHeuristic* landmarks = nullptr;
    const FastMapHeuristic* fastmap = nullptr;
    const LowerBoundTable* lower_bounds = nullptr;  // for astar; other methods need a consistent heuristic and ignore it

    // For astar: finds only paths to the goal that cost less, and prunes by it. kUnreachable: there is none.
    Cost incumbent = kInfiniteCost;
};

struct ReachedCell {
    Cell cell;
    Cost cost = 0;
    friend bool operator==(const ReachedCell&, const ReachedCell&) = default;
};

// One search at a time, with its scratch memory: use one per thread and reuse it. After warm-up a search allocates nothing. Memory
// grows with the visited part of the map: 5 bytes per cell (9 where costs exceed 32 bits), twice that for bidirectional search.
class GridSearch {
public:
    GridSearch();
    ~GridSearch();
    GridSearch(GridSearch&&) noexcept;
    GridSearch& operator=(GridSearch&&) noexcept;

    // Begins a search and discards the previous one. Copies `ground`, which holds its snapshot until the next search begins.
    // options.method must search cells (searches_cells()); use Planner for other methods. Without assertions, another method gives
    // kNotPrepared.
    void begin(const Ground& ground, Cell start, Cell goal, const SearchOptions& options = {});

    // The following searches use Dijkstra's algorithm and ignore options.method.

    // Searches the nearest of several cells, or the nearest cell of a terrain. Ignores goals that are blocked or off the map; if no
    // goal is left, the status is kBlockedGoal or kOutsideMap.
    void begin_nearest(const Ground& ground, Cell start, std::span<const Cell> goals, const SearchOptions& options = {});
    void begin_nearest(const Ground& ground, Cell start, Terrain terrain, const SearchOptions& options = {});

    // Searches paths to all goals. kFound: all goals are reached. kUnreachable: some goals are unreachable, blocked or off the map, and
    // the others are reached. If no goal is on the map and passable, the status is that of begin_nearest. Read the results with
    // cost_to() and path_to().
    void begin_many(const Ground& ground, Cell start, std::span<const Cell> goals, const SearchOptions& options = {});

    // Searches all cells whose cost from `start` is at most `max_cost`.
    void begin_flood(const Ground& ground, Cell start, Cost max_cost = kInfiniteCost, const SearchOptions& options = {});

    // Expands at most `budget` more cells, and at most options.max_expansions in total. kBudgetSpent: call again to continue, unless
    // the total is spent. All other statuses are final: kFound, kUnreachable, kBlockedStart, kBlockedGoal, kOutsideMap, kStale.
    // Slicing does not change the result.
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;
    // NBS: the necessary expansions, which its guarantee bounds (bidirectional.h). Other methods: all expansions.
    uint64_t necessary_expansions() const;

    // The path to the goal (to the nearest of several), or an empty path with the status. Reuses the memory of `out`. Gives no cells
    // after begin_many and begin_flood.
    void path(Path& out) const;

    // After begin_many (for its goals) and begin_flood: the cost to a cell (kInfiniteCost if not reached) and the path to it. The
    // path's status is that of the cell: kFound, kOutsideMap, kBlockedGoal or kUnreachable.
    Cost cost_to(Cell cell) const;
    void path_to(Cell cell, Path& out) const;
    // cost_to() of all cells in row order: of as many as `out` has room for. Takes 1 ns per cell.
    void costs(std::span<Cost> out) const;

    // After a finished begin_flood: all reached cells, ordered by cost, then y, then x.
    void reached(std::vector<ReachedCell>& out) const;

    // Bytes of scratch memory held for reuse.
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Searches in one call, without a GridSearch to manage. A reused GridSearch is faster from the second search on. They fail only if
// the profile does not fit the map's terrains, or if the map does not know the terrain.
Result<Path> find_path(const GridSnapshot& grid, Cell start, Cell goal, const Profile& profile, const SearchOptions& options = {},
                       Movement movement = Movement::kEightNoCornerCutting);
Result<Path> find_nearest(const GridSnapshot& grid, Cell start, std::span<const Cell> goals, const Profile& profile,
                          const SearchOptions& options = {}, Movement movement = Movement::kEightNoCornerCutting);
Result<Path> find_nearest(const GridSnapshot& grid, Cell start, std::string_view terrain, const Profile& profile,
                          const SearchOptions& options = {}, Movement movement = Movement::kEightNoCornerCutting);
// The cost to each goal, in their order; kInfiniteCost for goals without a path.
Result<std::vector<Cost>> find_costs(const GridSnapshot& grid, Cell start, std::span<const Cell> goals, const Profile& profile,
                                     const SearchOptions& options = {}, Movement movement = Movement::kEightNoCornerCutting);
// All cells within `max_cost` of `start`, nearest first; empty if the start is blocked or off the map.
Result<std::vector<ReachedCell>> find_within(const GridSnapshot& grid, Cell start, Cost max_cost, const Profile& profile,
                                             const SearchOptions& options = {}, Movement movement = Movement::kEightNoCornerCutting);

}  // namespace terrane
