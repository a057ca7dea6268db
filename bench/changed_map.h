// A map that has changed since a path database was built for it, with searches that share nothing with the library's: what its answers are
// checked against.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/grid/grid_graph.h"

namespace terrane {

inline constexpr uint64_t kNoWay = UINT64_MAX;

// The map as it was and as it is now, and plain searches of the latter. Costs are in the profile's own units (grid_graph.h).
class ChangedMap {
public:
    // `strict`: corners are judged on the map as it is now. Otherwise a cell that was passable once never counts as a corner.
    ChangedMap(const Ground& ground, bool strict);

    void set_now(const GridSnapshot& now);
    void block(Cell cell) { now_[index(cell)] = 0; }
    bool passable(Cell cell) const { return now_[index(cell)] != 0; }

    // What a step costs now: 0 where it is not legal, or where it is not one step.
    uint64_t step(Cell from, Cell to) const;

    // What the cheapest path costs, kNoWay where there is none; its cells from start to goal. A*.
    uint64_t find(Cell start, Cell goal, std::vector<Cell>& path);
    // From one cell to all, for cost_to. Dijkstra's algorithm.
    void flood(Cell from);
    uint64_t cost_to(Cell cell) const { return best_[index(cell)]; }

    // The cells that were passable no more than `hops` moves away, as the map was.
    std::vector<Cell> ball(Cell centre, int32_t hops) const;

    int32_t width() const { return width_; }
    int32_t height() const { return height_; }

private:
    // Cells by rows with a border of blocked ones.
    size_t index(Cell c) const { return static_cast<size_t>(c.y + 1) * static_cast<size_t>(width_ + 2) + static_cast<size_t>(c.x + 1); }
    Cell cell(size_t i) const;
    uint64_t move_cost(const std::vector<uint32_t>& costs, size_t from, Move move) const;
    uint64_t at_least(Cell from, Cell to, uint32_t cheapest) const;
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

}  // namespace terrane
