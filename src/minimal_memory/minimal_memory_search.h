// Sliced A* over the regions of a MinimalMemory, in their encoded form.
//
// An edge costs the octile distance between the two centres (Manhattan distance for kFour), which is also the heuristic. Terrain costs are
// ignored.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "terrane/base/cost.h"
#include "terrane/base/status.h"
#include "terrane/minimal_memory/minimal_memory.h"
#include "terrane/search/best_first.h"
#include "terrane/search/graph.h"

namespace terrane {

// Start or goal of a search: a region, and the cell that represents it (its centre, or with stand_in the query's cell).
struct RegionEnd {
    RegionId region = kNoRegion;
    Cell at;
};

// The regions as a Graph for the search kernel. Distances are in units of which kStraight is one cell. `memory` must outlive it.
class MinimalMemoryGraph {
public:
    using Node = RegionId;
    using Value = uint64_t;
    using Via = RegionId;  // parent region

    // `last` is scratch memory that must outlive the graph.
    MinimalMemoryGraph(const MinimalMemory& memory, Movement movement, RegionEnd start, RegionEnd goal, RegionEnd& last)
        : data_(&memory.data()), extra_(rule_of(movement).per_shorter), start_(start), goal_(goal), last_(&last) {
        last = {};
        const auto side = static_cast<int32_t>(data_->options.sector);
        for (uint32_t d = 0; d < detail::kMinimalMemoryDirections; ++d) {
            steps_[d] = {data_->neighbour(0, d), {detail::kMinimalMemorySteps[d].x * side, detail::kMinimalMemorySteps[d].y * side}};
        }
    }

    template <class Label, class Emit>
    void expand(RegionId node, const Label& label, Emit&& emit) const {
        const uint32_t shift = data_->shift, sector = node >> shift;
        const Cell corner = data_->corner(sector), from = position(node);
        data_->for_each_edge(sector, node & ((1u << shift) - 1), [&](uint32_t direction, uint32_t number) TERRANE_INLINE {
            const Step& step = steps_[direction];
            const uint32_t there = sector + step.sectors;
            const RegionId to = there << shift | number;
            if (to == label.via) return;
            const Cell centre = data_->centre(there, number);
            const Cell at = to == goal_.region ? goal_.at : Cell{corner.x + step.cells.x + centre.x, corner.y + step.cells.y + centre.y};
            *last_ = {to, at};
            emit(to, label.g + distance(from, at), node);
        });
    }

    RegionId origin(RegionId, RegionId via) const { return via; }

    // Returns the cell that represents a region: its centre, or the cell of start or goal.
    Cell position(RegionId node) const {
        if (node == goal_.region) return goal_.at;
        if (node == start_.region) return start_.at;
        const uint32_t sector = node >> data_->shift;
        const Cell corner = data_->corner(sector), at = data_->centre(sector, node & ((1u << data_->shift) - 1));
        return {corner.x + at.x, corner.y + at.y};
    }

    uint64_t distance(Cell a, Cell b) const {
        const auto dx = static_cast<uint32_t>(std::abs(a.x - b.x)), dy = static_cast<uint32_t>(std::abs(a.y - b.y));
        return uint64_t{kStraight} * std::max(dx, dy) + uint64_t{extra_} * std::min(dx, dy);
    }

    // The kernel evaluates h right after the region was emitted, so its position is cached.
    uint64_t distance_to_goal(RegionId node) const { return distance(node == last_->region ? last_->at : position(node), goal_.at); }

private:
    struct Step {  // offset of the neighbour in a direction
        uint32_t sectors;
        Cell cells;
    };
    const detail::MinimalMemoryData* data_;
    std::array<Step, detail::kMinimalMemoryDirections> steps_;
    uint32_t extra_;  // cost per step along the shorter side
    RegionEnd start_, goal_;
    RegionEnd* last_;  // last emitted region
};

// A reusable search object; one thread at a time. After warm-up a search allocates nothing.
class MinimalMemorySearch {
public:
    MinimalMemorySearch();
    ~MinimalMemorySearch();
    MinimalMemorySearch(MinimalMemorySearch&&) noexcept;
    MinimalMemorySearch& operator=(MinimalMemorySearch&&) noexcept;

    // Begins a search and discards the previous one. Precondition: start and goal are regions of `memory`, which must outlive the search.
    void begin(const MinimalMemory& memory, Movement movement, RegionEnd start, RegionEnd goal);

    // Expands at most `budget` more regions. Returns kBudgetSpent if it must be called again, else kFound or kUnreachable.
    Status run(uint64_t budget = kUnlimited);

    uint64_t expansions() const;
    // Length of the found path; kStraight is one cell.
    uint64_t cost() const;
    // Writes the regions from start to goal, both included; one region if they are the same. Precondition: kFound.
    void path(std::vector<RegionId>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
