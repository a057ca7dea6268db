// The channel of a polyline: the sequence of cells that it passes through, and its crossing from each to the next.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/grid/ground.h"

namespace terrane {

// Cost per unit length, by cell.
class Rates {
public:
    // `grid` must outlive it.
    Rates(const GridSnapshot& grid, const CostTable& costs) : grid_(&grid) {
        for (size_t t = 0; t < rate_.size(); ++t) rate_[t] = costs.hundredths(static_cast<Terrain>(t)) / 100.0;
    }
    double operator()(Cell c) const { return rate_[grid_->at(c)]; }  // 0: blocked, or outside

private:
    const GridSnapshot* grid_;
    std::array<double, 256> rate_;
};

inline Point centre(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

// A straight segment and the cells that contain its ends.
struct StraightLine {
    Point from, to;
    Cell first, last;

    static StraightLine between(Cell a, Cell b) { return {centre(a), centre(b), a, b}; }
    // Infinite if it is blocked; some value above `most` or infinite if it costs more than `most`.
    double cost(const Rates& rates, double most) const;
};

// The step from a cell to the next one, over the side between them.
struct ChannelCrossing {
    Segment side;       // a to the left, b to the right; y downwards
    double place = 0;   // of the polyline on the side; for gates only
    bool gate = false;  // between cells of different cost

    Point at() const { return side.at(place); }
    bool ends_at(Point p) const { return side.a == p || side.b == p; }
};

// A point where the polyline bends, or may bend: at one or more gates, or at a corner of cells around which crossings first..last turn.
struct Bend {
    Point at;
    size_t first = 0;
    size_t last = 0;
    bool corner = false;
};

// Consecutive cells share a side. The channel does not leave a cell and return at once unless the polyline gains by that.
struct Channel {
    Point start, goal;  // in the first and in the last cell
    std::vector<Cell> cells;
    Vector<double> rates;               // of the cells
    Vector<ChannelCrossing> crossings;  // one less than cells

    void clear();
    // Appends a cell that the polyline enters at `crossed`, unless it is the last one already.
    void add(Cell cell, double rate, Point crossed);
    // Appends the cells of a straight segment, which must be passable; at a corner, the cheaper of the two cells beside it.
    void add(const Rates& rates, const StraightLine& line);
    // Appends crossings first..end - 1 of another channel and the cells after them. The cell before them must be the last one here.
    void append(const Channel& other, size_t first, size_t end);
    size_t bytes() const;
};

// The cells around the other side of a corner: from the cell before a bend's first crossing to the cell after its last, both included.
struct Fan {
    std::array<Cell, 5> cells;
    size_t count = 0;
    std::span<const Cell> all() const { return {cells.data(), count}; }
};
Fan other_side(const Channel& channel, const Bend& bend);

}  // namespace terrane
