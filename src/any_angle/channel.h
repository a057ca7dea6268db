// The cells that a line passes through, side by side, and where it crosses from each to the next. What Refractor bends a line in.
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

// What a unit of the way costs, by cell.
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

// A straight line, and the cells that its ends are in.
struct Straight {
    Point from, to;
    Cell first, last;

    static Straight between(Cell a, Cell b) { return {centre(a), centre(b), a, b}; }
    // Infinite where it is blocked, or more than `most`.
    double cost(const Rates& rates, double most) const;
};

// From a cell to the next one, over the side between them.
struct ChannelCrossing {
    Segment side;       // a to the left, b to the right; y downwards
    double place = 0;   // of the line on it; of gates only
    bool gate = false;  // between cells of different cost

    Point at() const { return side.at(place); }
    bool ends_at(Point p) const { return side.a == p || side.b == p; }
};

// Where the line bends, or may: at one gate or more; or at a corner of cells, around which crossings first..last turn.
struct Knot {
    Point at;
    size_t first = 0;
    size_t last = 0;
    bool corner = false;
};

// Two cells in a row share a side. None is left only to come back where the line gains nothing by that.
struct Channel {
    Point start, goal;  // in the first cell and in the last
    std::vector<Cell> cells;
    Vector<double> rates;               // of the cells
    Vector<ChannelCrossing> crossings;  // one less than cells

    void clear();
    // `crossed`: where the line comes in. A cell that is the last one already is not added.
    void add(Cell cell, double rate, Point crossed);
    // The cells of a straight line, which must be passable: around a corner that it goes through, by the cheaper of the two beside it.
    void add(const Rates& rates, const Straight& line);
    // What another has, crossings first..end - 1 and the cells after them. The cell before them must be the last one of this.
    void append(const Channel& other, size_t first, size_t end);
    size_t bytes() const;
};

// The cells on the other side of a corner: from the cell before a knot's first crossing to that after its last, both included.
struct Fan {
    std::array<Cell, 5> cells;
    size_t count = 0;
    std::span<const Cell> all() const { return {cells.data(), count}; }
};
Fan other_side(const Channel& channel, const Knot& knot);

}  // namespace terrane
