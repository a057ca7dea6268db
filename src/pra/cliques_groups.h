// Groups the nodes of one tile into the nodes of the next level.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/grid/cell.h"
#include "terrane/pra/cliques.h"

namespace terrane::detail {

// Add all nodes, then the edges of each node in turn, then merge. Reusable scratch memory; one thread at a time.
class CliqueGroups {
public:
    void clear();
    void add_node(Cell at) { at_.push_back(at); }
    uint32_t size() const { return static_cast<uint32_t>(at_.size()); }

    // Adds an edge of the current node; neighbours must be ascending. end_node() moves on to the next node.
    void add_edge(uint32_t to) { edges_.push_back(to); }
    void end_node() { first_.push_back(static_cast<uint32_t>(edges_.size())); }

    // Merges cliques of four, of three, then pairs, each in node order; then lone nodes into the smallest neighbouring group.
    void merge_cliques();
    // Merges the connected components of each square of 2^shift x 2^shift cells.
    void merge_sectors(uint32_t shift);

    // Groups are numbered by their first nodes.
    uint32_t group(uint32_t node) const { return group_[node]; }
    // Writes the representative of each group: that of its node closest to the mean; ties: the first.
    void representatives(Vector<CliqueNode>& out) const;

private:
    static constexpr uint32_t kNone = 0xffffffff;
    std::span<const uint32_t> edges(uint32_t node) const { return {edges_.data() + first_[node], first_[node + 1] - first_[node]}; }
    bool adjacent(uint32_t a, uint32_t b) const;
    void merge_cliques_of(size_t size);
    bool extend_clique(size_t size);
    void merge_lone(uint32_t node);
    void number_groups();

    std::vector<Cell> at_;
    Vector<uint32_t> edges_;
    Vector<uint32_t> first_{0};
    Vector<uint32_t> group_;
    Vector<uint32_t> sizes_;   // by group
    Vector<uint32_t> clique_;  // the clique being extended, ascending
    Vector<uint32_t> stack_;
};

}  // namespace terrane::detail
