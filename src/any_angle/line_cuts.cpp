// Over to the other side of corners.
#include <algorithm>
#include <array>
#include <cmath>

#include "any_angle/line_bender.h"

namespace terrane {

namespace {

constexpr double kFirstReach = 3;    // cells, to either side of a corner
constexpr double kLeastPull = 1e-9;  // on a point, times the cost of the ground: less is nothing

}  // namespace

// Whether the line gains by leaving its corner, to first order, if it turns through these cells. From the corner run the sides between
// them, at right angles; the line's ends pull on the points where it crosses the first and the last.
template <class Rate>
bool LineBender::gains(size_t knot, std::span<const Cell> around, Rate&& rate) const {
    if (around.size() == 1) return true;
    for (size_t i = 0; i < around.size(); ++i) {
        if (rate(i) == 0) return false;
    }
    const Point at = knots[knot].at;
    const auto side = [&](size_t i) { return (centre(around[i]) - at) + (centre(around[i + 1]) - at); };
    const size_t last = around.size() - 1;
    const double in = rate(0) * dot(unit(before_knot(knot) - at), side(0)),
                 out = rate(last) * dot(unit(after_knot(knot) - at), side(last - 1));
    if (last == 1) return in + out > kLeastPull * (rate(0) + rate(1));
    const double a = std::max(in, 0.0), b = std::max(out, 0.0);
    if (last == 2) return a * a + b * b > rate(1) * rate(1) * (1 + kLeastPull);
    return a > rate(1) * (1 + kLeastPull) || b > rate(last - 1) * (1 + kLeastPull);
}

// At a corner that the line does not want to leave, in its channel.
bool LineBender::is_fixed(size_t knot) const {
    const Knot& k = knots[knot];
    if (!k.corner) return false;
    const std::span<const Cell> around = std::span(channel.cells).subspan(k.first, k.last - k.first + 2);
    return !gains(knot, around, [&](size_t i) { return channel.rates[k.first + i]; });
}

// Whether the line gains by turning around the other side of its corner.
bool LineBender::wants_over(const Rates& rates, size_t knot, Fan& fan) const {
    const Knot& k = knots[knot];
    if (!k.corner || k.at == channel.start || k.at == channel.goal) return false;
    fan = other_side(channel, k);
    return gains(knot, fan.all(), [&](size_t i) { return rates(fan.cells[i]); });
}

// In the cells first..last of the channel, which a piece of the line goes through from `from` to `to`: the point so far from `to`.
bool LineBender::find_spot(Point from, Point to, double back, size_t first, size_t last, bool forwards, Spot& spot) const {
    const double whole = distance(from, to);
    spot.at = back < whole ? to + (back / whole) * (from - to) : from;
    const Cell cell{static_cast<int32_t>(std::floor(spot.at.x)), static_cast<int32_t>(std::floor(spot.at.y))};
    spot.cell = forwards ? first : last;
    while (channel.cells[spot.cell] != cell) {
        if (spot.cell == (forwards ? last : first)) return false;
        spot.cell += forwards ? 1 : size_t(-1);
    }
    return true;
}

// The point so far back from a knot on the line, or so far ahead of it; the start or the goal where it is not as far.
bool LineBender::look_back(size_t knot, double far, Spot& spot) const {
    spot.cost = 0;
    for (size_t i = knot;; --i) {
        const Point to = knots[i].at, from = before_knot(i);
        const double whole = distance(from, to);
        spot.cost += channel.rates[knots[i].first] * std::min(whole, far);
        if (far >= whole && i > 0) {
            far -= whole;
            continue;
        }
        return find_spot(from, to, far, i == 0 ? 0 : knots[i - 1].last + 1, knots[i].first, false, spot);
    }
}
bool LineBender::look_ahead(size_t knot, double far, Spot& spot) const {
    spot.cost = 0;
    for (size_t i = knot;; ++i) {
        const Point to = knots[i].at, from = after_knot(i);
        const double whole = distance(from, to);
        const bool last = i + 1 == knots.size();
        spot.cost += channel.rates[knots[i].last + 1] * std::min(whole, far);
        if (far >= whole && !last) {
            far -= whole;
            continue;
        }
        return find_spot(from, to, far, knots[i].last + 1, last ? channel.cells.size() - 1 : knots[i + 1].first, true, spot);
    }
}

// The longest straight line past a corner that is cheaper, by doubling its reach; no earlier than from the cell `least`.
bool LineBender::leap(const Rates& rates, size_t knot, size_t least, Leap& out) const {
    bool found = false;
    Spot a, b;
    for (double far = kFirstReach; !found || a.cell > 0 || b.cell + 1 < channel.cells.size(); far *= 2) {
        if (!look_back(knot, far, a) || !look_ahead(knot, far, b)) break;
        const Straight line{a.at, b.at, channel.cells[a.cell], channel.cells[b.cell]};
        const double now = a.cost + b.cost;
        if (a.cell < least || line.cost(rates, now) >= now * (1 - kRounding)) break;
        out = {line, a.cell, b.cell};
        found = true;
    }
    return found;
}

// Takes crossings next..end - 1 and the cells after them over into the new channel.
void LineBender::keep_to(size_t next, size_t end) {
    for (bool joined = false; next < end && !joined; ++next) {
        const size_t count = spare_.cells.size();
        spare_.add(channel.cells[next + 1], channel.rates[next + 1], channel.crossings[next].at());
        joined = spare_.cells.size() > count;
    }
    if (next < end) spare_.append(channel, next, end);
}

// Takes the channel over to the other side of corners where the line gains by that: by a straight line past them, the longest that does,
// or just around them. The line only gets cheaper: as it is, it lies in the new channel, too.
bool LineBender::cut_corners(const Rates& rates) {
    bool any = false;
    spare_.clear();
    spare_.start = channel.start;
    spare_.goal = channel.goal;
    spare_.add(channel.cells[0], channel.rates[0], channel.start);
    size_t next = 0;  // crossing to be taken over
    for (size_t i = 0; i < knots.size(); ++i) {
        const Knot& knot = knots[i];
        Fan fan;
        if (knot.first < next || !wants_over(rates, i, fan)) continue;
        any = true;
        Leap found;
        if (leap(rates, i, next, found)) {
            keep_to(next, found.first);
            spare_.add(rates, found.line);
            next = found.last;
        } else {
            keep_to(next, knot.first);
            for (const Cell c : fan.all()) spare_.add(c, rates(c), knot.at);
            next = knot.last + 1;
        }
    }
    if (!any) return false;
    keep_to(next, channel.crossings.size());
    std::swap(channel, spare_);
    return true;
}

}  // namespace terrane
