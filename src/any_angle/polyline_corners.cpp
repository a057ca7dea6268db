// Moves the channel of a polyline to the other side of corners.
#include <algorithm>
#include <array>
#include <cmath>

#include "any_angle/polyline_optimiser.h"

namespace terrane {

namespace {

constexpr double kFirstReach = 3;    // cells, on each side of a corner
constexpr double kLeastPull = 1e-9;  // least force on a point, times the cost of the terrain

}  // namespace

// Whether, to first order, the polyline gains by leaving its corner if it turns through these cells. The sides between them start at the
// corner, at right angles; the polyline's two segments pull on the points where it crosses the first and the last side.
template <class Rate>
bool PolylineOptimiser::gains(size_t bend, std::span<const Cell> around, Rate&& rate) const {
    if (around.size() == 1) return true;
    for (size_t i = 0; i < around.size(); ++i) {
        if (rate(i) == 0) return false;
    }
    const Point at = bends[bend].at;
    const auto side = [&](size_t i) { return (centre(around[i]) - at) + (centre(around[i + 1]) - at); };
    const size_t last = around.size() - 1;
    const double in = rate(0) * dot(unit(point_before(bend) - at), side(0)),
                 out = rate(last) * dot(unit(point_after(bend) - at), side(last - 1));
    if (last == 1) return in + out > kLeastPull * (rate(0) + rate(1));
    const double a = std::max(in, 0.0), b = std::max(out, 0.0);
    if (last == 2) return a * a + b * b > rate(1) * rate(1) * (1 + kLeastPull);
    return a > rate(1) * (1 + kLeastPull) || b > rate(last - 1) * (1 + kLeastPull);
}

// Whether the bend is at a corner that the polyline gains nothing by leaving inside its channel.
bool PolylineOptimiser::is_fixed(size_t bend) const {
    const Bend& k = bends[bend];
    if (!k.corner) return false;
    const std::span<const Cell> around = std::span(channel.cells).subspan(k.first, k.last - k.first + 2);
    return !gains(bend, around, [&](size_t i) { return channel.rates[k.first + i]; });
}

// Whether the polyline gains by turning around the other side of its corner; `fan` receives the cells there.
bool PolylineOptimiser::gains_on_other_side(const Rates& rates, size_t bend, Fan& fan) const {
    const Bend& k = bends[bend];
    if (!k.corner || k.at == channel.start || k.at == channel.goal) return false;
    fan = other_side(channel, k);
    return gains(bend, fan.all(), [&](size_t i) { return rates(fan.cells[i]); });
}

// Finds the point at distance `back` from `to` on the segment from `from` to `to`, which passes through cells first..last of the channel.
bool PolylineOptimiser::find_spot(Point from, Point to, double back, size_t first, size_t last, bool forwards, Spot& spot) const {
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

// The point at distance `far` along the polyline before or after a bend; the start or the goal if they are closer.
bool PolylineOptimiser::spot_before(size_t bend, double far, Spot& spot) const {
    spot.cost = 0;
    for (size_t i = bend;; --i) {
        const Point to = bends[i].at, from = point_before(i);
        const double whole = distance(from, to);
        spot.cost += channel.rates[bends[i].first] * std::min(whole, far);
        if (far >= whole && i > 0) {
            far -= whole;
            continue;
        }
        return find_spot(from, to, far, i == 0 ? 0 : bends[i - 1].last + 1, bends[i].first, false, spot);
    }
}
bool PolylineOptimiser::spot_after(size_t bend, double far, Spot& spot) const {
    spot.cost = 0;
    for (size_t i = bend;; ++i) {
        const Point to = bends[i].at, from = point_after(i);
        const double whole = distance(from, to);
        const bool last = i + 1 == bends.size();
        spot.cost += channel.rates[bends[i].last + 1] * std::min(whole, far);
        if (far >= whole && !last) {
            far -= whole;
            continue;
        }
        return find_spot(from, to, far, bends[i].last + 1, last ? channel.cells.size() - 1 : bends[i + 1].first, true, spot);
    }
}

// Finds the longest cheaper straight segment past a corner by doubling its reach; it may start no earlier than in cell `least`.
bool PolylineOptimiser::find_shortcut(const Rates& rates, size_t bend, size_t least, Shortcut& out) const {
    bool found = false;
    Spot a, b;
    for (double far = kFirstReach; !found || a.cell > 0 || b.cell + 1 < channel.cells.size(); far *= 2) {
        if (!spot_before(bend, far, a) || !spot_after(bend, far, b)) break;
        const StraightLine line{a.at, b.at, channel.cells[a.cell], channel.cells[b.cell]};
        const double now = a.cost + b.cost;
        if (a.cell < least || line.cost(rates, now) >= now * (1 - kRounding)) break;
        out = {line, a.cell, b.cell};
        found = true;
    }
    return found;
}

// Copies crossings next..end - 1 and the cells after them to the next channel.
void PolylineOptimiser::copy_crossings(size_t next, size_t end) {
    for (bool appended = false; next < end && !appended; ++next) {
        const size_t count = next_channel_.cells.size();
        next_channel_.add(channel.cells[next + 1], channel.rates[next + 1], channel.crossings[next].at());
        appended = next_channel_.cells.size() > count;
    }
    if (next < end) next_channel_.append(channel, next, end);
}

// Moves the channel to the other side of corners where the polyline gains by that: by the longest cheaper shortcut past them, or just
// around them. The current polyline also lies in the new channel, so the cost cannot increase.
bool PolylineOptimiser::cut_corners(const Rates& rates) {
    bool any = false;
    next_channel_.clear();
    next_channel_.start = channel.start;
    next_channel_.goal = channel.goal;
    next_channel_.add(channel.cells[0], channel.rates[0], channel.start);
    size_t next = 0;  // crossing to be copied
    for (size_t i = 0; i < bends.size(); ++i) {
        const Bend& bend = bends[i];
        Fan fan;
        if (bend.first < next || !gains_on_other_side(rates, i, fan)) continue;
        any = true;
        Shortcut found;
        if (find_shortcut(rates, i, next, found)) {
            copy_crossings(next, found.first);
            next_channel_.add(rates, found.line);
            next = found.last;
        } else {
            copy_crossings(next, bend.first);
            for (const Cell c : fan.all()) next_channel_.add(c, rates(c), bend.at);
            next = bend.last + 1;
        }
    }
    if (!any) return false;
    copy_crossings(next, channel.crossings.size());
    std::swap(channel, next_channel_);
    return true;
}

}  // namespace terrane
