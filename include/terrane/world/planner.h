// Finds paths in a World, at once or in slices, by any method.
//
//   Planner planner(world);
//   Path path = planner.find({120, 80}, {1900, 1500}, deer);
//
// A Planner is the scratch memory of one thread, reused from query to query, and holds one query at a time (request_queue.h: many). After
// warm-up a query allocates only its answer, and nothing if the answer's memory is reused; +bfs and goals that `nearest` replaces
// allocate a little. Its memory comes from the allocator of its world (WorldOptions). On allocation failure the query ends with
// kOutOfMemory and the planner stays usable; only the constructor throws std::bad_alloc.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "terrane/grid/path.h"
#include "terrane/grid/profile.h"
#include "terrane/world/methods.h"
#include "terrane/world/world.h"

namespace terrane {

class SearchWatcher;

struct PlannerOptions {
    size_t cache_bytes = size_t{16} << 20;  // limit for refinements cached by methods with +cache
};

struct FindOptions {
    // Empty: the method prepared for the profile that answers open queries (overlay), or else Planner::default_method().
    Method method = {};
    Movement movement = Movement::kEightNoCornerCutting;
    uint64_t max_expansions = kUnlimited;  // kBudgetSpent when reached

    // If the goal is blocked or unreachable, find a path to the nearest reachable cell instead, with status kPartial. Requires a world
    // with regions.
    bool nearest = false;

    // If the world lacks what the method needs (kNotPrepared), or the method does not support the costs or the movement rule
    // (kUnsupportedCosts, kUnsupportedMovement), Planner::default_method() answers instead, or weighted A* if that does not guarantee
    // `bound`. Path::method names the method that answered.
    bool fallback = false;

    // Suboptimality bound: the answer is proven to cost at most `bound` times the optimum. Finite and at least 1, or 0 for no bound; any
    // other value breaks the contract. The bound is honoured or refused:
    // - Overlay methods escalate the quality level until it is proven. If max_expansions is reached first, the answer is the best so
    //   far, and Path::bound is the bound proven for it.
    // - If no method is named and no overlay is prepared, weighted A* answers, with the largest weight in hundredths that is at most
    //   `bound` (A* below 1.01). Path::method names it.
    // - For cpd methods it replaces the method's own bound.
    // - astar, nbs and dijkstra satisfy any bound; wastar:W and focal:W satisfy bounds of at least W.
    // - All other methods guarantee nothing in advance: the query ends with kUnsupportedBound.
    double bound = 0;

    SearchWatcher* watcher = nullptr;  // observes the expansions of methods that search cells (grid_search.h); must outlive the query
};

class Planner {
public:
    // `world` must outlive the planner.
    explicit Planner(const World& world, const PlannerOptions& options = {});
    ~Planner();
    Planner(Planner&&) noexcept;
    Planner& operator=(Planner&&) noexcept;

    // Answers queries that name no method if nothing was prepared, and those that FindOptions::fallback allows: regions:16; A* if the
    // world has no regions.
    const Method& default_method() const;
    // The method of the current query.
    const Method& method() const;

    // Returns a path from start to goal on the current version of the world, or the reason why there is none (Status).
    Path find(Cell start, Cell goal, const Profile& profile);
    Path find(Cell start, Cell goal, const Profile& profile, const FindOptions& options);
    // The same, reusing the memory of `out`. `costs` is a compiled profile; compile it once for many queries.
    void find(Cell start, Cell goal, const CostTable& costs, const FindOptions& options, Path& out);

    // Begins a query in slices on the current version of the world and drops the previous query. Keeps that version alive until the
    // next begin(). Copies `costs`; what `options` points to must outlive the query.
    void begin(Cell start, Cell goal, const CostTable& costs, const FindOptions& options);

    // Expands at most `budget` more nodes (cells or regions), and at most options.max_expansions in total. kBudgetSpent: call again,
    // unless max_expansions is reached. Any other status is final. The result does not depend on the slicing.
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;

    // The final prefix of the path: an agent can make its first move while the rest is searched for. Empty until known; the whole path
    // when status() is kFound or kPartial. Valid until the next run().
    std::span<const Cell> ready() const;

    // The length of the prefix that was ready after Path::expansions_first expansions (the time to first move): the whole path for
    // methods that find it in one piece. 0 if no path was found.
    size_t first_segment() const;

    // The answer, reusing the memory of `out`. With +any_angle, the run() that completes the path also computes the polyline, outside
    // of its budget: about 2 us per cell.
    void path(Path& out) const;

    // The version of the world that the query runs on.
    const WorldSnapshot& snapshot() const;

    // Scratch memory held.
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
