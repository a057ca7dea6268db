// Floods of a grid by the search kernel: exact distances from a cell to all others. For the builders of heuristics.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "terrane/grid/grid_graph.h"
#include "terrane/search/best_first.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::detail {

// The widest buckets with which Dijkstra's algorithm expands no cell twice: no wider than the cheapest edge.
inline uint32_t flood_shift(const GridBounds& bounds) {
    return static_cast<uint32_t>(std::bit_width(uint64_t{2} * kStraight * std::max(bounds.cheapest, 1u)) - 1);
}

template <class V>
struct FloodScratch {
    PagedLabels<CellId, V, Move> labels;
    BucketQueue<CellId, V> queue;
};

// What a spread came across.
template <class V>
struct FloodExtent {
    uint32_t expansions = 0;
    CellId farthest = kNoCell;  // of the cells expanded; ties: the smallest id
    V radius = 0;

    void add(CellId cell, V g) {
        if (farthest != kNoCell && (g < radius || (g == radius && cell > farthest))) return;
        farthest = cell;
        radius = g;
    }
};

// Distances over any graph of cells. `scratch` and what the graph refers to must outlive it.
template <class G>
class Flood {
public:
    using V = typename G::Value;

    Flood(G graph, CellId id_limit, uint32_t shift, FloodScratch<V>& scratch)
        : scratch_(&scratch), search_(std::move(graph), {}, {}, scratch.labels, scratch.queue, {}, kInfinite<V> - 1, Watch{&extent_}) {
        scratch.labels.reset(id_limit);
        scratch.queue.reset(shift);
    }
    Flood(const Flood&) = delete;
    Flood& operator=(const Flood&) = delete;

    // From `cell`, over all that is nearer to it than to the cells spread from before.
    FloodExtent<V> spread(CellId cell) {
        extent_ = {};
        search_.start(cell, 0, kNoMove);
        search_.run();
        return extent_;
    }

    // To the nearest cell spread from; kInfinite where none reaches.
    V distance(CellId cell) const { return scratch_->labels.g(cell); }

    // visit(cell, distance) for all in reach.
    template <class Visit>
    void for_each(Visit&& visit) const {
        scratch_->labels.for_each(visit);
    }
    // The farthest of all in reach; ties: the smallest id.
    FloodExtent<V> farthest() const {
        FloodExtent<V> extent;
        for_each([&](CellId cell, V g) { extent.add(cell, g); });
        return extent;
    }

private:
    struct Watch {
        FloodExtent<V>* extent;
        void expanded(CellId cell, V g) const {
            ++extent->expansions;
            extent->add(cell, g);
        }
        void improved(CellId, CellId, V) const {}
    };

    FloodScratch<V>* scratch_;
    FloodExtent<V> extent_;
    BestFirst<G, ZeroHeuristic, NoGoal, PagedLabels<CellId, V, Move>, BucketQueue<CellId, V>, Watch> search_;
};

// Cells that reach each other.
struct Component {
    uint32_t cells = 0;
    CellId first = kNoCell;     // the smallest id
    CellId farthest = kNoCell;  // from that
    uint64_t radius = 0;        // how far that is; no two cells are more than twice as far apart
};

// What a builder wants to know of a map first. One flood of all of it.
struct Survey {
    Vector<Component> components;  // the largest first; ties: the smaller first cell
    GridBounds bounds;
    // No two cells that reach each other are farther apart than this.
    uint64_t diameter = 0;
    // Whether 32 bits hold all distances, and labels besides: those may be a bucket and a step more.
    bool narrow() const { return diameter + uint64_t{4} * kDiagonal * bounds.dearest < kInfinite<uint32_t>; }
};
Survey survey_of(const Ground& ground);

// visit(id) for every cell of the map that is passable, by ascending id.
template <class Visit>
void for_each_passable(const GridSnapshot& grid, const CostTable& costs, Visit&& visit) {
    const GridLayout& layout = grid.layout();
    for (uint32_t y = 0; y < layout.tiles_y(); ++y) {
        for (uint32_t x = 0; x < layout.tiles_x(); ++x) {
            const uint32_t tile = (y << layout.row_shift) | x;
            const Terrain* cells = grid.tile_cells(tile);
            for (uint32_t i = 0; i < kTileCells; ++i) {
                if (costs.passable(cells[i])) visit(tile * kTileCells + i);
            }
        }
    }
}

}  // namespace terrane::detail
