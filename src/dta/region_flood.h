// Dijkstra's algorithm over the region graph from one or several source regions, on a compact copy of the graph (compressed sparse row).
// For the builders of heuristics.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "dta/region_graph.h"
#include "terrane/search/best_first.h"
#include "terrane/search/heap_queue.h"

namespace terrane::detail {

inline constexpr uint32_t kNoNode = 0xffffffff;
inline constexpr uint32_t kNoEdge = 0xffffffff;

// A connected component of the graph: a range of nodes.
struct RegionComponent {
    uint32_t first = 0;
    uint32_t size = 0;
    uint32_t last() const { return first + size; }
};

// Maps each region of a version to a node of FlatRegions, or kNoNode.
class RegionNodes {
public:
    explicit RegionNodes(const TerrainRegions& regions);

    uint32_t operator()(uint32_t sector, uint32_t number) const { return node_[first_[sector] + number]; }
    uint32_t& at(uint32_t sector, uint32_t number) { return node_[first_[sector] + number]; }
    size_t bytes() const { return (first_.capacity() + node_.capacity()) * sizeof(uint32_t); }

private:
    std::vector<uint32_t> first_;  // in `node_`, by sector
    std::vector<uint32_t> node_;
};

// The regions that a profile can enter, with their edges in compressed sparse row form, for many Dijkstra searches. Nodes are numbered
// depth-first from the first region by id, along edges in their order. So connected components are ranges of nodes, and nodes with
// close numbers are close on the map.
class FlatRegions {
public:
    struct Edge {
        uint32_t to;
        uint32_t number;  // index among all edges of its region, including unused ones
        uint64_t cost;
    };

    FlatRegions(const TerrainRegions& regions, const Ground& ground);

    uint32_t size() const { return static_cast<uint32_t>(region_.size()); }
    RegionId region(uint32_t node) const { return region_[node]; }
    const RegionNodes& nodes() const { return nodes_; }
    std::span<const RegionComponent> components() const { return components_; }  // ordered by first node
    // The same, the largest first (ties: the smaller first node).
    std::vector<RegionComponent> components_by_size() const;
    uint32_t most_edges() const { return most_edges_; }  // maximum per region, including unused ones

    std::span<const Edge> edges(uint32_t node) const {
        return {edges_.data() + first_edge_[node], first_edge_[node + 1] - first_edge_[node]};
    }
    std::span<Edge> edges(uint32_t node) { return {edges_.data() + first_edge_[node], first_edge_[node + 1] - first_edge_[node]}; }

private:
    void number_component(RegionId first, const CostTable& costs, bool diagonals);
    void copy_edges(const RegionGraph& graph, const CostTable& costs, bool diagonals);

    TerrainRegions regions_;
    RegionNodes nodes_;
    std::vector<RegionId> region_;  // by node
    std::vector<RegionComponent> components_;
    std::vector<size_t> first_edge_;
    std::vector<Edge> edges_;
    uint32_t most_edges_ = 0;
};

// FlatRegions as a Graph. A label's via is the first edge of its path, not the parent, so paths cannot be reconstructed.
struct FlatGraph {
    using Node = uint32_t;
    using Value = uint64_t;
    using Via = uint32_t;  // kNoEdge at a source

    const FlatRegions* regions;

    template <class Label, class Emit>
    void expand(uint32_t node, const Label& label, Emit&& emit) const {
        for (const FlatRegions::Edge& edge : regions->edges(node)) {
            emit(edge.to, label.g + edge.cost, label.via == kNoEdge ? edge.number : label.via);
        }
    }
    uint32_t origin(uint32_t to, uint32_t /*via*/) const { return to; }
};

// Of equally cheap paths, keeps the one with the smaller first edge. If all edge costs are positive, all of them are known before the
// node is expanded, so the choice is independent of the order of expansions.
class FlatLabels {
public:
    struct Label {
        uint64_t g;
        uint32_t via;
    };

    void reset(uint32_t nodes) { labels_.assign(nodes, {kInfinite<uint64_t>, kNoEdge}); }
    uint64_t g(uint32_t node) const { return labels_[node].g; }
    Label label(uint32_t node) const { return labels_[node]; }
    TERRANE_INLINE bool improve(uint32_t node, uint64_t g, uint32_t /*from*/, uint32_t via) {
        Label& known = labels_[node];
        if (g > known.g || (g == known.g && via >= known.via)) return false;
        const bool better = g < known.g;
        known = {g, via};
        return better;
    }

private:
    std::vector<Label> labels_;
};

// Dijkstra searches with reused memory. `regions` must outlive it.
class RegionFlood {
public:
    explicit RegionFlood(const FlatRegions& regions) : regions_(&regions) {}

    // Discards all distances.
    void reset();
    // Adds `node` as a source and updates the distances of all nodes that are nearer to it than to earlier sources.
    void run_from(uint32_t node);

    // Distance to the nearest source; kInfinite if unreachable.
    uint64_t distance(uint32_t node) const { return labels_.g(node); }
    // First edge of the path from the source; kNoEdge for the source itself.
    uint32_t first_edge(uint32_t node) const { return labels_.label(node).via; }
    // The farthest node of a reached component; ties: the smallest.
    uint32_t farthest(const RegionComponent& component) const;

private:
    const FlatRegions* regions_;
    FlatLabels labels_;
    HeapQueue<uint32_t, uint64_t> queue_;
};

}  // namespace terrane::detail
