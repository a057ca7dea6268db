// The planner handle: a Planner with an observer of its searches.
#pragma once
#include <optional>
#include <string>

#include "handles.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/io/trace.h"

namespace terrane::capi {

// Counts expansions in `heat`, if it is set, and records `trace`, if it is begun.
struct PlannerWatcher final : SearchWatcher {
    void expanded(Cell cell, Cost g) override;
    void improved(Cell cell, Cell from, Cost g) override;

    GridLayout layout;
    uint32_t* heat = nullptr;  // by cell, in row order; owned by the caller
    std::optional<SearchTrace> trace;
};

// Fails for an unknown method or movement rule and an invalid bound.
Result<FindOptions> find_options_of(const terrane_find_options* given);

}  // namespace terrane::capi

struct terrane_planner {
    explicit terrane_planner(const terrane_world& of) : world(of.share()), planner(of.world) { watcher.layout = of.world.grid().layout(); }

    // The current query, as in Planner.
    void begin(terrane::Cell from, terrane::Cell to, const terrane::CostTable& costs, terrane::FindOptions& options);
    terrane::Status run(uint64_t budget);
    void take(terrane_path& out) const;

    std::shared_ptr<const terrane_world> world;
    terrane::Planner planner;
    terrane::capi::PlannerWatcher watcher;
    uint64_t max_expansions = terrane::kUnlimited;  // of the query
    bool traces = false;
    bool has_query = false;                   // terrane_begin was called
    mutable std::optional<std::string> text;  // of the trace; made on first use

    // Nearest cells, costs and floods (reach.cpp); made on first use.
    std::optional<terrane::GridSearch> reach;
    terrane::GridVersion reach_version = 0;  // of the map that it searches
    bool has_flood = false;                  // it holds the answer of terrane_flood

private:
    void finish_trace();  // if the query has ended
};
