#include "any_angle/channel.h"

#include <algorithm>
#include <limits>

#include "terrane/base/assert.h"

namespace terrane {

namespace {

Segment side_between(Cell from, Cell to) {
    const Point ahead{static_cast<double>(to.x - from.x), static_cast<double>(to.y - from.y)};
    const Point middle = centre(from) + 0.5 * ahead, left{0.5 * ahead.y, -0.5 * ahead.x};
    return {middle + left, middle - left};
}

// The parameter, 0 at `from` and 1 at `to` on one axis, at which a segment leaves `cell`. 0 if it does not move: then it is on the border.
double leaves_at(double from, double to, int32_t cell, int32_t step) {
    return from == to ? 0 : std::clamp(((step > 0 ? cell + 1 : cell) - from) / (to - from), 0.0, 1.0);
}

// Calls visit(cell, parameter of entry) for the cells of a segment, the first at 0; a return value of false stops. Where the segment passes
// through a corner, corner(cell, cell, parameter) first chooses between the two cells beside it. Steps are counted, so the walk ends in the
// last cell despite rounding.
template <class Corner, class Visit>
bool trace(const StraightLine& line, Corner&& corner, Visit&& visit) {
    const int32_t step_x = line.last.x > line.first.x ? 1 : -1, step_y = line.last.y > line.first.y ? 1 : -1;
    Cell c = line.first;
    if (!visit(c, 0.0)) return false;
    while (c != line.last) {
        const double x = c.x == line.last.x ? 2 : leaves_at(line.from.x, line.to.x, c.x, step_x);
        const double y = c.y == line.last.y ? 2 : leaves_at(line.from.y, line.to.y, c.y, step_y);
        const double share = std::min(x, y);
        if (x == y && !corner(Cell{c.x + step_x, c.y}, Cell{c.x, c.y + step_y}, share)) return false;
        if (x <= y) c.x += step_x;
        if (y <= x) c.y += step_y;
        if (!visit(c, share)) return false;
    }
    return true;
}

}  // namespace

void Channel::clear() {
    cells.clear();
    rates.clear();
    crossings.clear();
}

void Channel::add(Cell cell, double rate, Point crossed) {
    if (!cells.empty()) {
        if (cells.back() == cell) return;
        const size_t n = cells.size();
        // Returning to the previous cell gains nothing, unless the polyline runs along the side in the cheaper cell.
        if (n >= 2 && cells[n - 2] == cell && (rates[n - 1] >= rate || crossings.back().at() == crossed)) {
            cells.pop_back();
            rates.pop_back();
            crossings.pop_back();
            return;
        }
        const Segment side = side_between(cells.back(), cell);
        crossings.push_back({side, nearest_place(side, crossed), rates.back() != rate});
    }
    cells.push_back(cell);
    rates.push_back(rate);
}

void Channel::add(const Rates& rate, const StraightLine& line) {
    const auto visit = [&](Cell c, double share) {
        add(c, rate(c), line.from + share * (line.to - line.from));
        return true;
    };
    const auto corner = [&](Cell one, Cell other, double share) {
        const double r = rate(one), s = rate(other);
        return visit(s == 0 || (r != 0 && r <= s) ? one : other, share);
    };
    trace(line, corner, visit);
}

void Channel::append(const Channel& other, size_t first, size_t end) {
    const auto add = [=](auto& to, const auto& from, size_t shift) {
        to.insert(to.end(), from.begin() + static_cast<ptrdiff_t>(first + shift), from.begin() + static_cast<ptrdiff_t>(end + shift));
    };
    add(cells, other.cells, 1);
    add(rates, other.rates, 1);
    add(crossings, other.crossings, 0);
}

size_t Channel::bytes() const {
    return cells.capacity() * sizeof(Cell) + rates.capacity() * sizeof(double) + crossings.capacity() * sizeof(ChannelCrossing);
}

double StraightLine::cost(const Rates& rates, double most) const {
    const double whole = distance(from, to);
    double sum = 0, rate = 0, since = 0;
    const auto visit = [&](Cell c, double share) {
        sum += rate * (share - since) * whole;
        since = share;
        rate = rates(c);
        return rate != 0 && sum <= most;
    };
    const auto corner = [&](Cell one, Cell other, double) { return rates(one) != 0 || rates(other) != 0; };
    if (!trace(*this, corner, visit)) return std::numeric_limits<double>::infinity();
    return sum + rate * (1 - since) * whole;
}

Fan other_side(const Channel& channel, const Bend& bend) {
    const auto x = static_cast<int32_t>(bend.at.x), y = static_cast<int32_t>(bend.at.y);
    const std::array<Cell, 4> around = {{{x - 1, y - 1}, {x, y - 1}, {x, y}, {x - 1, y}}};
    const auto index = [&](Cell c) {
        size_t i = 0;
        while (i < 3 && around[i] != c) ++i;
        return i;
    };
    const size_t from = index(channel.cells[bend.first]), next = index(channel.cells[bend.first + 1]),
                 to = index(channel.cells[bend.last + 1]);
    const size_t turn = (next - from + 4) % 4 == 1 ? 3 : 1;  // the opposite rotation
    Fan fan;
    fan.cells[fan.count++] = around[from];
    for (size_t i = from; i != to;) {
        i = (i + turn) % 4;
        fan.cells[fan.count++] = around[i];
    }
    return fan;
}

}  // namespace terrane
