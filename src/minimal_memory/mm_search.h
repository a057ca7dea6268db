// Searches of a MinimalMemory's regions by A*, in the encoded form; sliced.
//
// An edge costs the octile distance between the two centres (the Manhattan distance where one cannot walk diagonally), and that is the
// heuristic, too. Terrain does not count.
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

// Where a search begins or ends: a region, and the cell of it that stands in for its centre (or the centre itself).
struct RegionEnd {
    RegionId region = kNoRegion;
    Cell at;
};

// The regions as a Graph for the search kernel. `memory` must outlive it. Distances are in steps of kStraight.
class MinimalMemoryGraph {
public:
    using Node = RegionId;
    using Value = uint64_t;
    using Via = RegionId;  // the region that it was reached from

    // `last` is scratch, and must outlive it too.
    MinimalMemoryGraph(const MinimalMemory& memory, Movement movement, RegionEnd start, RegionEnd goal, RegionEnd& last)
        : root_(&memory.root()), extra_(rule_of(movement).per_shorter), start_(start), goal_(goal), last_(&last) {
        last = {};
        const auto side = static_cast<int32_t>(root_->options.sector);
        for (uint32_t d = 0; d < detail::kMmDirections; ++d) {
            steps_[d] = {root_->neighbour(0, d), {detail::kMmSteps[d].x * side, detail::kMmSteps[d].y * side}};
        }
    }

    template <class Label, class Emit>
    void expand(RegionId node, const Label& label, Emit&& emit) const {
        const uint32_t shift = root_->shift, sector = node >> shift;
        const Cell corner = root_->corner(sector), from = place(node);
        root_->for_each_edge(sector, node & ((1u << shift) - 1), [&](uint32_t direction, uint32_t number) TERRANE_INLINE {
            const Step& step = steps_[direction];
            const uint32_t there = sector + step.sectors;
            const RegionId to = there << shift | number;
            if (to == label.via) return;
            const Cell centre = root_->centre(there, number);
            const Cell at = to == goal_.region ? goal_.at : Cell{corner.x + step.cells.x + centre.x, corner.y + step.cells.y + centre.y};
            *last_ = {to, at};
            emit(to, label.g + distance(from, at), node);
        });
    }

    RegionId origin(RegionId, RegionId via) const { return via; }

    // Of a region's centre, or of what stands in for it.
    Cell place(RegionId node) const {
        if (node == goal_.region) return goal_.at;
        if (node == start_.region) return start_.at;
        const uint32_t sector = node >> root_->shift;
        const Cell corner = root_->corner(sector), at = root_->centre(sector, node & ((1u << root_->shift) - 1));
        return {corner.x + at.x, corner.y + at.y};
    }

    uint64_t distance(Cell a, Cell b) const {
        const auto dx = static_cast<uint32_t>(std::abs(a.x - b.x)), dy = static_cast<uint32_t>(std::abs(a.y - b.y));
        return uint64_t{kStraight} * std::max(dx, dy) + uint64_t{extra_} * std::min(dx, dy);
    }

    // To the goal. The kernel asks for it right after the region was emitted, so that it need not be read again.
    uint64_t distance_to_goal(RegionId node) const { return distance(node == last_->region ? last_->at : place(node), goal_.at); }

private:
    struct Step {  // to the neighbour in a direction
        uint32_t sectors;
        Cell cells;
    };
    const detail::MinimalMemoryRoot* root_;
    std::array<Step, detail::kMmDirections> steps_;
    uint32_t extra_;  // for each step along the shorter side
    RegionEnd start_, goal_;
    RegionEnd* last_;  // that was emitted
};

// Scratch and state of one search at a time: one per thread, reused. After warm-up a search allocates nothing.
class MinimalMemorySearch {
public:
    MinimalMemorySearch();
    ~MinimalMemorySearch();
    MinimalMemorySearch(MinimalMemorySearch&&) noexcept;
    MinimalMemorySearch& operator=(MinimalMemorySearch&&) noexcept;

    // Begins a search, dropping the one before. `memory` must outlive it; start and goal are regions of it.
    void begin(const MinimalMemory& memory, Movement movement, RegionEnd start, RegionEnd goal);

    // Expands at most `budget` more regions. kBudgetSpent: call again to go on. Final: kFound, kUnreachable.
    Status run(uint64_t budget = kUnlimited);

    uint64_t expansions() const;
    // The length of the path found, in steps of kStraight.
    uint64_t cost() const;
    // From start to goal, both included; once where they are the same. Only when found.
    void path(std::vector<RegionId>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
