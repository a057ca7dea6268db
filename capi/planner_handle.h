// A planner as the C interface has it: with what watches its searches.
#pragma once
#include <optional>
#include <string>

#include "handles.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/io/trace.h"

namespace terrane::capi {

// Counts expansions where there is something to count them in, and writes a trace where one was begun.
struct PlannerWatcher final : SearchWatcher {
    void expanded(Cell cell, Cost g) override;
    void improved(Cell cell, Cell from, Cost g) override;

    GridLayout layout;
    uint32_t* heat = nullptr;  // the caller's
    std::optional<SearchTrace> trace;
};

}  // namespace terrane::capi

struct terrane_planner {
    explicit terrane_planner(const terrane_world& of) : world(of), planner(of.world) { watcher.layout = of.world.grid().layout(); }

    // The query that all the functions are about.
    void begin(terrane::Cell from, terrane::Cell to, const terrane::CostTable& costs, terrane::FindOptions& options);
    terrane::Status run(uint64_t budget);
    void take(terrane_path& out) const;

    const terrane_world& world;
    terrane::Planner planner;
    terrane::capi::PlannerWatcher watcher;
    uint64_t max_expansions = terrane::kUnlimited;  // of the query
    bool traces = false;
    bool asked = false;                       // some query has begun
    mutable std::optional<std::string> text;  // of the trace, once it was asked for

private:
    void finish_trace();  // when the query is over
};
