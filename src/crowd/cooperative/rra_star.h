// RRA* (reverse resumable A*): distances from any cell to one goal. The heuristic of the cooperative methods.
// Based on: Silver 2005; abstraction-slides, 77 to 90.
//
// The search runs backwards from the goal towards the agent. It keeps its open list, and resumes when the distance of a cell is requested
// that is not settled yet.
//
// On cells, distances are exact for terrain, profile and movement rule; other agents are ignored. With them, a space-time search expands
// few nodes beyond those where agents conflict.
//
// On a level of a clique abstraction (cliques.h), a search needs far less memory. An edge costs the octile distance between the
// representatives of its nodes, half of it at the terrain cost of each. The distance of a cell is the octile distance to the
// representative of the next node on its abstract path, plus that node's distance. These estimates may be too high or too low, and ignore
// obstacles inside a node: neither admissible nor consistent. An agent that uses them needs a window larger than a detour around obstacles
// inside one node.
//
// Memory: pages of 64 labels, 5 bytes per cell (9 where costs exceed 32 bits; 12 per node on levels), and 8 bytes of directory per 64
// cells of the map. In total, an agent that crosses a 256x256 map takes 170 KB on cells, 101 KB on level 1 and 57 KB on level 2 (terrane
// bench crowd, 200 units).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "terrane/crowd/crowd.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/pra/cliques.h"

namespace terrane {

// The map as all agents of one type see it. Not movable, because searches refer to it.
class RraSpace {
public:
    // `level` of the clique abstraction to search on; 0 searches cells. Copies `ground`.
    RraSpace(const Ground& ground, uint32_t level = 0, const CliqueOptions& options = {});
    RraSpace(const RraSpace&) = delete;
    RraSpace& operator=(const RraSpace&) = delete;

    // Applies an edit of the current map. Returns true if running searches stay valid, except for those that depends_on() a changed cell;
    // otherwise restart all. False on levels, and where the edit invalidates the octile heuristic or the width of the labels.
    bool update(const EditResult& edit);

    const Ground& ground() const { return ground_; }
    const GridSnapshot& grid() const { return ground_.grid(); }
    uint32_t level() const { return level_; }
    // Only for level() > 0.
    const Cliques& cliques() const { return cliques_; }

    // Cost of the cheapest terrain on the map, in the profile's own units; whether labels need 64 bits.
    uint32_t cheapest() const { return cheapest_; }
    bool wide() const { return wide_; }
    const GridGraph<uint32_t>& narrow_graph() const { return narrow_; }
    const GridGraph<uint64_t>& graph() const { return graph_; }

    size_t bytes() const;  // excludes the grid

private:
    void update_bounds();

    Ground ground_;
    uint32_t level_;
    Cliques cliques_;
    GridGraph<uint32_t> narrow_;
    GridGraph<uint64_t> graph_;
    uint32_t cheapest_ = 0;
    bool wide_ = false;
};

class RraStar {
public:
    static constexpr uint64_t kUnreachable = kInfinite<uint64_t>;

    // Prepares a search from `goal` towards `from`, both on the map; does no work yet. The goal may be blocked: distances then lead over
    // the cells next to it. `exact` searches cells on any level of the space. `space` must outlive the search.
    RraStar(const RraSpace& space, CellId goal, CellId from, bool exact = false);
    ~RraStar();
    RraStar(RraStar&&) noexcept;
    RraStar& operator=(RraStar&&) noexcept;

    // Cost of a path from a cell of the map to the goal, in the profile's own units. kUnreachable if there is none, or if the cell is
    // blocked and not the goal. Resumes the search until the cell is settled; for an unreachable cell, until the open list is empty.
    uint64_t distance(CellId cell);

    // Whether any label depends on the cell. Only for searches on cells.
    bool depends_on(CellId cell) const;

    CellId goal() const;
    uint64_t expansions() const;
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
