// Finds paths in a World, whole or in slices, by any method.
//
//   Planner planner(world);
//   Path path = planner.find({120, 80}, {1900, 1500}, deer);
//
// A Planner is the scratch of one thread, reused from query to query: after warm-up a query allocates nothing but its answer, and
// nothing at all where the answer's memory is reused too; +bfs and a goal that `nearest` had to replace take a little. It has one
// query at a time (request_queue.h has many). Its memory comes from where its world's does (WorldOptions); where that cannot be had, the
// query ends with kOutOfMemory, and the next begins anew (the constructor alone throws std::bad_alloc).
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
    size_t cache_bytes = size_t{16} << 20;  // of refinements kept for methods with +cache
};

struct FindOptions {
    // None: what was prepared for the profile by a method that answers open queries (overlay), or else Planner::default_method().
    Method method = {};
    Movement movement = Movement::kEight;
    uint64_t max_expansions = kUnlimited;  // then status is kBudgetSpent

    // Where the goal is blocked or cannot be reached: the way to the cell in reach that is nearest to it, with status kPartial. Needs
    // a world that keeps regions.
    bool nearest = false;

    // If the world lacks what the method needs (kNotPrepared), Planner::default_method() answers instead; with a bound that it does not
    // guarantee, weighted A* does. Path::method names the method that answered.
    bool fallback = false;

    // An answer proven to cost at most `bound` times the optimum: finite and at least 1, or 0 for as good as the method gives. Any other
    // value is a broken contract. It is honoured or refused:
    // - Overlay methods escalate the quality level until it is proven. Where max_expansions are spent before, the answer is the best so
    //   far, and Path::bound is what is proven of it.
    // - Where no method was asked for and no overlay is prepared, weighted A* answers, with the largest weight in hundredths that is at
    //   most `bound` (A* below 1.01). Path::method names it.
    // - For cpd methods it replaces the method's own bound.
    // - astar, nbs and dijkstra are within any bound, wastar:W and focal:W within those that are at least W.
    // - All other methods prove nothing beforehand: the query ends with kUnsupportedBound.
    double bound = 0;

    SearchWatcher* watcher = nullptr;  // sees the expansions of methods that search cells (grid_search.h); must outlive the query
};

class Planner {
public:
    // `world` must outlive it.
    explicit Planner(const World& world, const PlannerOptions& options = {});
    ~Planner();
    Planner(Planner&&) noexcept;
    Planner& operator=(Planner&&) noexcept;

    // What answers queries that name no method where nothing was prepared, and where FindOptions::fallback allows it: dta over the world's
    // first sectors, smoothed; A* where the world keeps none.
    const Method& default_method() const;
    // What the query at hand uses.
    const Method& method() const;

    // A path from start to goal, or why there is none: see Status, and Path for what each holds. On the world as it is now.
    Path find(Cell start, Cell goal, const Profile& profile);
    Path find(Cell start, Cell goal, const Profile& profile, const FindOptions& options);
    // The same, reusing the memory of `out`; costs compiled once serve many queries.
    void find(Cell start, Cell goal, const CostTable& costs, const FindOptions& options, Path& out);

    // In slices. Begins a query on the world as it is now, dropping the one before; holds that version until the next begins.
    // `costs` is copied, what `options` points to is not.
    void begin(Cell start, Cell goal, const CostTable& costs, const FindOptions& options);

    // Expands at most `budget` more nodes (cells or regions), and no more than options.max_expansions in all. kBudgetSpent: call
    // again to go on (unless the latter is spent). Anything else is final. The result of slicing is the same as that of one run.
    Status run(uint64_t budget = kUnlimited);

    Status status() const;
    uint64_t expansions() const;

    // The first cells of the path, which will not change: one can walk while the rest is searched for. Empty until there are
    // any; all of it when status() is kFound or kPartial. Valid until the next run().
    std::span<const Cell> ready() const;

    // How many cells of the path found could be walked when Path::expansions_first were spent: all of them for methods that find a path in
    // one piece. 0 where none is found.
    size_t first_segment() const;

    // The answer, reusing the memory of `out`. With +refract the line is made when the path is complete, in that run(), outside of its
    // budget: some 2 us for each cell.
    void path(Path& out) const;

    // The version that the query runs on.
    const WorldSnapshot& snapshot() const;

    // Memory held for reuse.
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
