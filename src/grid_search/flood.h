// Dijkstra's algorithm from one or several source cells to all reachable cells, and the connected components of a map. For the builders
// of heuristics.
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

// Shift of the widest buckets with which Dijkstra's algorithm expands no cell twice: at most the cheapest edge.
inline uint32_t flood_shift(const GridBounds& bounds) {
    return static_cast<uint32_t>(std::bit_width(uint64_t{2} * kStraight * std::max(bounds.cheapest, 1u)) - 1);
}

template <class V>
struct FloodScratch {
    PagedLabels<CellId, V, Move> labels;
    BucketQueue<CellId, V> queue;
};

// Summary of one run.
template <class V>
struct FloodExtent {
    uint32_t expansions = 0;
    CellId farthest = kNoCell;  // of the expanded cells; ties: the smallest id
    V radius = 0;

    void add(CellId cell, V g) {
        if (farthest != kNoCell && (g < radius || (g == radius && cell > farthest))) return;
        farthest = cell;
        radius = g;
    }
};

// Distances over any graph of cells. `scratch` and everything that the graph refers to must outlive it.
template <class G>
class Flood {
public:
    using V = typename G::Value;

    Flood(G graph, CellId id_limit, uint32_t shift, FloodScratch<V>& scratch)
        : scratch_(&scratch),
          search_(std::move(graph), {}, {}, scratch.labels, scratch.queue, {}, kInfinite<V> - 1, ExtentObserver{&extent_}) {
        scratch.labels.reset(id_limit);
        scratch.queue.reset(shift);
    }
    Flood(const Flood&) = delete;
    Flood& operator=(const Flood&) = delete;

    // Adds `cell` as a source and updates the distances of all cells that are nearer to it than to earlier sources.
    FloodExtent<V> run_from(CellId cell) {
        extent_ = {};
        search_.start(cell, 0, kNoMove);
        search_.run();
        return extent_;
    }

    // Distance to the nearest source; kInfinite if unreachable.
    V distance(CellId cell) const { return scratch_->labels.g(cell); }

    // Calls visit(cell, distance) for all reached cells.
    template <class Visit>
    void for_each(Visit&& visit) const {
        scratch_->labels.for_each(visit);
    }
    // The farthest of all reached cells; ties: the smallest id.
    FloodExtent<V> farthest() const {
        FloodExtent<V> extent;
        for_each([&](CellId cell, V g) { extent.add(cell, g); });
        return extent;
    }

private:
    struct ExtentObserver {
        FloodExtent<V>* extent;
        void expanded(CellId cell, V g) const {
            ++extent->expansions;
            extent->add(cell, g);
        }
        void improved(CellId, CellId, V) const {}
    };

    FloodScratch<V>* scratch_;
    FloodExtent<V> extent_;
    BestFirst<G, ZeroHeuristic, NoGoal, PagedLabels<CellId, V, Move>, BucketQueue<CellId, V>, ExtentObserver> search_;
};

// A connected component of the passable cells.
struct Component {
    uint32_t cells = 0;
    CellId first = kNoCell;     // the smallest id
    CellId farthest = kNoCell;  // the cell farthest from `first`
    uint64_t radius = 0;        // distance from `first` to `farthest`; no two cells are more than twice as far apart
};

// The connected components and distance bounds of a map; one Dijkstra search of all cells.
struct Survey {
    Vector<Component> components;  // the largest first; ties: the smaller first cell
    GridBounds bounds;
    // Upper bound on the distance between two connected cells.
    uint64_t diameter = 0;
    // Whether 32 bits hold all distances and labels. A label may exceed a distance by a bucket and a step.
    bool narrow() const { return diameter + uint64_t{4} * kDiagonal * bounds.most_expensive < kInfinite<uint32_t>; }
};
Survey survey_of(const Ground& ground);

// Calls visit(id) for every passable cell of the map, by ascending id.
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
