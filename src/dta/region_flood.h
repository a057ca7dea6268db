// Floods of the region graph by the search kernel: exact distances from one region to all others. For the builders of heuristics.
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

// Nodes that reach each other, and no others.
struct RegionPart {
    uint32_t first = 0;
    uint32_t size = 0;
    uint32_t last() const { return first + size; }
};

// Each region of a version has a node or none.
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

// The regions that a profile can enter, out of their sectors and side by side for many floods. Nodes are numbered depth first, from
// the first region by id, along edges in their order: so parts are ranges, and nodes with near numbers are near on the map.
class FlatRegions {
public:
    struct Edge {
        uint32_t to;
        uint32_t number;  // among the edges of its region, used or not
        uint64_t cost;
    };

    FlatRegions(const TerrainRegions& regions, const Ground& ground);

    uint32_t size() const { return static_cast<uint32_t>(region_.size()); }
    RegionId region(uint32_t node) const { return region_[node]; }
    const RegionNodes& nodes() const { return nodes_; }
    std::span<const RegionPart> parts() const { return parts_; }  // by their first nodes
    // The same, the largest first (ties: the smaller first node).
    std::vector<RegionPart> parts_by_size() const;
    uint32_t most_edges() const { return most_edges_; }  // of a region, used or not

    std::span<const Edge> edges(uint32_t node) const {
        return {edges_.data() + first_edge_[node], first_edge_[node + 1] - first_edge_[node]};
    }
    std::span<Edge> edges(uint32_t node) { return {edges_.data() + first_edge_[node], first_edge_[node + 1] - first_edge_[node]}; }

private:
    void number_part(RegionId first, const CostTable& costs, bool diagonals);
    void copy_edges(const RegionGraph& graph, const CostTable& costs, bool diagonals);

    TerrainRegions regions_;
    RegionNodes nodes_;
    std::vector<RegionId> region_;  // by node
    std::vector<RegionPart> parts_;
    std::vector<size_t> first_edge_;
    std::vector<Edge> edges_;
    uint32_t most_edges_ = 0;
};

// As a Graph. How a node was reached is told by the first edge of the way, not by its parent, so no path can be asked for.
struct FlatGraph {
    using Node = uint32_t;
    using Value = uint64_t;
    using Via = uint32_t;  // kNoEdge where a flood begins

    const FlatRegions* regions;

    template <class Label, class Emit>
    void expand(uint32_t node, const Label& label, Emit&& emit) const {
        for (const FlatRegions::Edge& edge : regions->edges(node)) {
            emit(edge.to, label.g + edge.cost, label.via == kNoEdge ? edge.number : label.via);
        }
    }
    uint32_t origin(uint32_t to, uint32_t /*via*/) const { return to; }
};

// Of ways that cost the same, the one with the smaller first edge is kept. Where every edge costs something, all of them are known
// before a node is expanded, so the choice depends on nothing else.
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

// One after another, with the same memory. `regions` must outlive it.
class RegionFlood {
public:
    explicit RegionFlood(const FlatRegions& regions) : regions_(&regions) {}

    // Forgets all distances.
    void reset();
    // From `node`, over all that is nearer to it than to the nodes spread from before.
    void spread(uint32_t node);

    // To the nearest node spread from; kInfinite where none reaches.
    uint64_t distance(uint32_t node) const { return labels_.g(node); }
    // The first edge of the way there; kNoEdge for the node spread from.
    uint32_t first_edge(uint32_t node) const { return labels_.label(node).via; }
    // Of a part that is reached; ties: the smallest.
    uint32_t farthest(const RegionPart& part) const;

private:
    const FlatRegions* regions_;
    FlatLabels labels_;
    HeapQueue<uint32_t, uint64_t> queue_;
};

}  // namespace terrane::detail
