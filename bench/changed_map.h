// Independent ground truth for path-database searches on a map that changed after the database was built. Shares no code with the library.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "terrane/cpd/cpd_search.h"
#include "terrane/grid/grid_graph.h"

namespace terrane {

inline constexpr uint64_t kNoPath = UINT64_MAX;

// The map at build time and the current map, with plain searches over the current one. Costs are in the profile's units (grid_graph.h).
class ChangedMap {
public:
    // `strict`: the corner rule uses the current map. Otherwise a cell that was passable at build time never blocks a diagonal move.
    ChangedMap(const Ground& ground, bool strict);

    void set_now(const GridSnapshot& now);
    void block(Cell cell) { now_[index(cell)] = 0; }
    bool passable(Cell cell) const { return now_[index(cell)] != 0; }

    // Returns the current cost of a step, or 0 if it is illegal or `to` is no neighbour.
    uint64_t step(Cell from, Cell to) const;

    // Finds an optimal path with A*. Returns its cost or kNoPath; `path` receives the cells from start to goal.
    uint64_t find(Cell start, Cell goal, std::vector<Cell>& path);
    // Computes the costs from one cell to all others with Dijkstra's algorithm; cost_to() returns them.
    void flood(Cell from);
    uint64_t cost_to(Cell cell) const { return best_[index(cell)]; }

    // Returns the cells that are at most `hops` moves away on the map at build time.
    std::vector<Cell> ball(Cell centre, int32_t hops) const;

    int32_t width() const { return width_; }
    int32_t height() const { return height_; }

private:
    // Row by row, with a border of blocked cells.
    size_t index(Cell c) const { return static_cast<size_t>(c.y + 1) * static_cast<size_t>(width_ + 2) + static_cast<size_t>(c.x + 1); }
    Cell cell(size_t i) const;
    uint64_t move_cost(const std::vector<uint32_t>& costs, size_t from, Move move) const;
    uint64_t octile_bound(Cell from, Cell to, uint32_t cheapest) const;
    void search(Cell from, const Cell* goal);

    int32_t width_, height_;
    CostTable costs_;
    Movement movement_;
    bool strict_;
    std::array<std::ptrdiff_t, 8> offset_;
    std::vector<uint32_t> was_, now_;  // 0: blocked
    std::vector<uint64_t> best_;
    std::vector<Move> via_;
};

// Returns what is wrong with the answer of a finished search, or an empty string. `optimal`: cost on `map`, or kNoPath.
std::string cpd_fault(const ChangedMap& map, const CpdSearch& search, Cell start, Cell goal, uint64_t optimal, Weight bound);

}  // namespace terrane
