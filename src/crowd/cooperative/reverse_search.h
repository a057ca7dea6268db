// How far it is to a goal, for whichever cells are asked about: A* from the goal towards an agent, kept, and gone on with when another
// cell's distance is wanted (RRA*). The heuristic of cooperative searches.
// Based on: Silver 2005 (reverse resumable A*); abstraction-slides, 77 to 90.
//
// On cells, distances are exact: those of the terrain, profile and movement rule, as if nobody else were there. So a search in space and
// time that is led by them expands little but where agents are in each other's way.
//
// On a level of a clique abstraction (cliques.h) there is far less to keep. An edge between nodes costs the octile distance of their
// representatives, half of it at the terrain cost of each; a cell is as far from the goal as it is from the representative of the next node
// on its node's way, and that from the goal. These are guesses: of ways between representatives, too long as often as too short,
// and blind to walls inside of a node. They are neither admissible nor consistent, and an agent led by them needs a window longer than
// what a node's walls can hide.
//
// Labels are in pages of 64 cells, 5 bytes a cell (9 where costs are too large for 32 bits; 12 a node on levels), and 8 bytes of directory
// for every 64 cells of the map. What a unit that crosses a 256x256 map takes in all: 170 KB on cells, 101 KB on level 1, 57 KB on level 2
// (terrane bench crowd, 200 units).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "terrane/crowd/crowd.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/pra/cliques.h"

namespace terrane {

// What all agents of one kind share. Stays where it is: searches point to it.
class ReverseSpace {
public:
    // `level` of the cliques to search on; 0: cells. `ground` is copied.
    ReverseSpace(const Ground& ground, uint32_t level = 0, const CliqueOptions& options = {});
    ReverseSpace(const ReverseSpace&) = delete;
    ReverseSpace& operator=(const ReverseSpace&) = delete;

    // The map after an edit of the one it has. Searches that began before may go on if this is true and they were not touched() by the
    // edit; others must begin anew. False on levels, and where an edit brings terrain that makes the old estimates wrong.
    bool update(const EditResult& edit);

    const Ground& ground() const { return ground_; }
    const GridSnapshot& grid() const { return ground_.grid(); }
    uint32_t level() const { return level_; }
    // Only where level() is not 0.
    const Cliques& cliques() const { return cliques_; }

    // In the profile's own units: of the cheapest terrain on the map; whether labels need 64 bits.
    uint32_t cheapest() const { return cheapest_; }
    bool wide() const { return wide_; }
    const GridGraph<uint32_t>& narrow_graph() const { return narrow_; }
    const GridGraph<uint64_t>& graph() const { return graph_; }

    size_t bytes() const;  // without the grid

private:
    void survey();

    Ground ground_;
    uint32_t level_;
    Cliques cliques_;
    GridGraph<uint32_t> narrow_;
    GridGraph<uint64_t> graph_;
    uint32_t cheapest_ = 0;
    bool wide_ = false;
};

class ReverseSearch {
public:
    static constexpr uint64_t kFar = kInfinite<uint64_t>;

    // To `goal`, and first of all from around `from`: cells of the map. The goal may be blocked: then distances are to it from the cells
    // beside it. `space` must outlive the search. `exact`: on cells, whatever the level of the space. Does no work yet.
    ReverseSearch(const ReverseSpace& space, CellId goal, CellId from, bool exact = false);
    ~ReverseSearch();
    ReverseSearch(ReverseSearch&&) noexcept;
    ReverseSearch& operator=(ReverseSearch&&) noexcept;

    // What it costs to go from a cell of the map to the goal, in the profile's own units; kFar where there is no way, or the cell is
    // blocked and not the goal. Searches as far as it must for that; on cells, to the end of all that the goal can be reached from where
    // there is no way.
    uint64_t distance(CellId cell);

    // Whether anything that it knows depends on a cell. Only on cells.
    bool touched(CellId cell) const;

    CellId goal() const;
    uint64_t expansions() const;
    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
