// The nodes of one tile merged into those of the next level.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "terrane/grid/cell.h"
#include "terrane/pra/cliques.h"

namespace terrane::detail {

// Scratch, reused. First all nodes are added, then, node by node, their edges; then they are merged.
class CliqueGroups {
public:
    void clear();
    void add_node(Cell at) { at_.push_back(at); }
    uint32_t size() const { return static_cast<uint32_t>(at_.size()); }

    // Of the next node, one after the other: those that it is joined to, ascending, then end_node().
    void add_edge(uint32_t to) { edges_.push_back(to); }
    void end_node() { first_.push_back(static_cast<uint32_t>(edges_.size())); }

    // Fours, threes, pairs, each in the order of the nodes; then lone nodes to their smallest neighbour.
    void merge_cliques();
    // All that hang together in a square of 2^shift cells a side.
    void merge_sectors(uint32_t shift);

    // Groups are numbered by their first nodes.
    uint32_t group(uint32_t node) const { return group_[node]; }
    // For each group the place of that node of it that is closest to their mean; ties: the first.
    void representatives(Vector<CliqueNode>& out) const;

private:
    static constexpr uint32_t kNone = 0xffffffff;
    std::span<const uint32_t> edges(uint32_t node) const { return {edges_.data() + first_[node], first_[node + 1] - first_[node]}; }
    bool joined(uint32_t a, uint32_t b) const;
    void merge_cliques_of(size_t size);
    bool complete(size_t size);
    void merge_lone(uint32_t node);
    void number_groups();

    std::vector<Cell> at_;
    Vector<uint32_t> edges_;
    Vector<uint32_t> first_{0};
    Vector<uint32_t> group_;
    Vector<uint32_t> sizes_;   // of groups
    Vector<uint32_t> clique_;  // being put together; the first is its lowest
    Vector<uint32_t> stack_;
};

}  // namespace terrane::detail
