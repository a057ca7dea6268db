// Records a search step by step as JSON in posthoc's trace schema 1.4.0, for its visualiser (posthoc-app.pathfinding.ai). Independent of
// the search: an observer forwards the events.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "terrane/base/cost.h"
#include "terrane/base/result.h"
#include "terrane/grid/cell.h"
#include "terrane/grid/grid.h"

namespace terrane {

struct TraceOptions {
    uint64_t max_events = 250'000;        // later events are omitted, and the trace says so; about 90 bytes each
    std::function<Cost(Cell)> heuristic;  // if set, events have h and f = g + h besides g
};

// Events are `source` and `destination`; then for each cell `generating` when it is first reached, `updating` when a cheaper path to it
// is found, `expanding`, and `closing` when the next cell is expanded; finally `end`. Each event has the ids (y * width + x) of the cell
// and its parent, x, y, and g in the units of to_real().
class SearchTrace {
public:
    SearchTrace(const GridLayout& layout, Cell start, Cell goal, TraceOptions options = {});

    // The events of SearchWatcher (grid_search.h), in order.
    void expanded(Cell cell, Cost g);
    void improved(Cell cell, Cell from, Cost g);

    // Call it at the end of the search. `path` is empty if none was found. The viewer draws it at the `end` event.
    void finish(std::span<const Cell> path, Cost cost);

    uint64_t events() const { return events_.size(); }  // recorded, without omitted ones
    uint64_t left_out() const { return left_out_; }

    std::string to_json() const;

private:
    enum class Type : uint8_t { kSource, kDestination, kGenerating, kUpdating, kExpanding, kClosing, kEnd };
    struct Event {
        Type type;
        Cell cell;
        uint64_t parent;  // kNone: null
        Cost g;
    };
    static constexpr uint64_t kNone = ~uint64_t{0};

    uint64_t id(Cell c) const { return static_cast<uint64_t>(c.y) * static_cast<uint64_t>(layout_.width) + static_cast<uint64_t>(c.x); }
    uint64_t parent_of(Cell c) const;
    void add(Type type, Cell cell, Cost g);
    void close();
    void append_event(std::string& out, const Event& event) const;
    void append_views(std::string& out) const;

    GridLayout layout_;
    TraceOptions options_;
    std::vector<Event> events_;
    std::vector<Cell> path_;
    std::unordered_map<uint64_t, uint64_t> parents_;  // never iterated
    Event open_{};                                    // the cell being expanded
    bool is_open_ = false;
    uint64_t left_out_ = 0;
};

Result<void> save_trace(const std::string& path, const SearchTrace& trace);

}  // namespace terrane
