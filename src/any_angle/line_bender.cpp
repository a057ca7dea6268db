#include "any_angle/line_bender.h"

#include <algorithm>
#include <cmath>

namespace terrane {

namespace {

constexpr uint32_t kMaxRounds = 200;
constexpr uint32_t kMaxShares = 4;    // of a step are tried: all of it, half, a quarter...
constexpr double kLeastGain = 1e-13;  // of a round, relative
constexpr double kLeastSlide = 1e-9;  // the same of a slide along borders; finer than that is for the sides of cells
constexpr double kSnell = 1e-11;      // what the law may be off by, times the costs of the ground
constexpr double kSnap = 1e-9;        // from the end of a side: at its end
constexpr int32_t kLongestRail = 32;  // cells

// Cells of the path that the first straight lines may skip. Measured on the weighted maps, at A*'s paths: 1 leaves 0.1% more, without a
// limit they run through ground that the line never leaves again, at 0.2% more.
constexpr size_t kLaid = 16;

// The side of a crossing, and as far on as there is the same ground on either side.
Segment rail_of(const Rates& rates, Cell from, Cell to, const Segment& side) {
    const double in = rates(from), out = rates(to);
    const Cell along{static_cast<int32_t>(side.b.x - side.a.x), static_cast<int32_t>(side.b.y - side.a.y)};
    const auto reach = [&](int32_t sign) {
        int32_t n = 0;
        const auto same = [&](Cell c, double rate) {
            return rates({c.x + sign * (n + 1) * along.x, c.y + sign * (n + 1) * along.y}) == rate;
        };
        while (n < kLongestRail && same(from, in) && same(to, out)) ++n;
        return static_cast<double>(n);
    };
    const Point way = side.b - side.a;
    return {side.a - reach(-1) * way, side.b + reach(1) * way};
}

// One at the same point as the last is part of it.
void add_knot(Vector<Knot>& knots, Point at, size_t crossing) {
    if (!knots.empty() && knots.back().at == at) {
        knots.back().last = crossing;
    } else {
        knots.push_back({at, crossing, crossing, false});
    }
}

}  // namespace

// ---- The channel to begin with

// Straight lines from cell to cell of the path, each as long as doubling its cells makes it no dearer.
void LineBender::lay(const Rates& rates, std::span<const Cell> cells) {
    sums_.assign(1, 0);
    for (size_t i = 1; i < cells.size(); ++i) {
        sums_.push_back(sums_.back() + 0.5 * (rates(cells[i - 1]) + rates(cells[i])) * distance(centre(cells[i - 1]), centre(cells[i])));
    }
    channel.clear();
    channel.add(cells[0], rates(cells[0]), channel.start);
    for (size_t i = 0, end = 0; i + 1 < cells.size(); i = end) {
        end = i + 1;
        for (size_t ahead = 2; ahead <= kLaid; ahead *= 2) {
            const size_t next = std::min(i + ahead, cells.size() - 1);
            const double most = (sums_[next] - sums_[i]) * (1 + kRounding);
            if (next == end || Straight::between(cells[i], cells[next]).cost(rates, most) > most) break;
            end = next;
        }
        channel.add(rates, Straight::between(cells[i], cells[end]));
    }
}

// ---- The line in its channel

// Through ground of one cost the line is a taut string. Based on: Lee, Preparata 1984; Mononen 2010 (the funnel).
void LineBender::pull_run(Point from, size_t first, size_t end, Point to, Vector<Knot>& out) const {
    Point apex = from, left = from, right = from;
    size_t left_at = first, right_at = first;
    for (size_t k = first; k <= end; ++k) {
        const Point l = k < end ? channel.crossings[k].side.a : to, r = k < end ? channel.crossings[k].side.b : to;
        if (cross(right - apex, r - apex) <= 0) {
            if (apex == right || cross(left - apex, r - apex) > 0) {
                right = r;
                right_at = k;
            } else {
                add_knot(out, left, left_at);
                apex = right = left;
                k = right_at = left_at;
                continue;
            }
        }
        if (cross(left - apex, l - apex) >= 0) {
            if (apex == left || cross(right - apex, l - apex) < 0) {
                left = l;
                left_at = k;
            } else if (right_at == end) {
                return;  // both have come to the end
            } else {
                add_knot(out, right, right_at);
                apex = left = right;
                k = left_at = right_at;
                continue;
            }
        }
    }
}

// The knots of the line through crossings first..end - 1, as their gates' places have it.
void LineBender::pull(Point from, size_t first, size_t end, Point to, Vector<Knot>& out) const {
    out.clear();
    for (size_t k = first; k < end; ++k) {
        if (!channel.crossings[k].gate) continue;
        const Point at = channel.crossings[k].at();
        pull_run(from, first, k, at, out);
        add_knot(out, at, k);
        from = at;
        first = k + 1;
    }
    pull_run(from, first, end, to, out);
}

double LineBender::cost(Point from, size_t first, Point to, std::span<const Knot> way) const {
    double sum = 0;
    for (const Knot& knot : way) {
        sum += channel.rates[first] * distance(from, knot.at);
        from = knot.at;
        first = knot.last + 1;
    }
    return sum + channel.rates[first] * distance(from, to);
}

// All of the line; each corner with all the crossings that the line turns on there.
void LineBender::tie_knots() {
    pull(channel.start, 0, channel.crossings.size(), channel.goal, knots);
    for (size_t i = 0; i < knots.size(); ++i) {
        Knot& knot = knots[i];
        knot.corner = channel.crossings[knot.first].ends_at(knot.at);
        if (!knot.corner) continue;
        const auto turns = [&](size_t k) { return channel.crossings[k].ends_at(knot.at) && !channel.crossings[k].gate; };
        const size_t least = i == 0 ? 0 : knots[i - 1].last + 1;
        const size_t most = i + 1 == knots.size() ? channel.crossings.size() : knots[i + 1].first;
        while (knot.first > least && turns(knot.first - 1)) --knot.first;
        while (knot.last + 1 < most && turns(knot.last + 1)) ++knot.last;
    }
}

// By Snell's law.
bool LineBender::is_settled(size_t knot) const {
    const Knot& k = knots[knot];
    if (k.corner || k.first != k.last) return false;
    const Segment& side = channel.crossings[k.first].side;
    const double in = channel.rates[k.first], out = channel.rates[k.last + 1];
    const Point pull = in * unit(before_knot(knot) - k.at) + out * unit(after_knot(knot) - k.at);
    return std::fabs(dot(pull, side.b - side.a)) <= kSnell * (in + out);
}

// ---- All points at once, on the sides of cells

// Between corners where the line stays. True where any of it got cheaper.
bool LineBender::solve_spans() {
    bool any = false;
    Span span{channel.start, {}, 0, 0, 0, 0};
    for (size_t i = 0; i <= knots.size(); ++i) {
        const bool last = i == knots.size();
        if (!last && !is_fixed(i)) continue;
        span.to = last ? channel.goal : knots[i].at;
        span.end = last ? channel.crossings.size() : knots[i].first;
        span.end_knot = i;
        any = solve(span) || any;
        if (!last) span = {span.to, {}, knots[i].last + 1, 0, i + 1, 0};
    }
    return any;
}

bool LineBender::solve(const Span& span) {
    bool settled = true;
    for (size_t i = span.first_knot; i < span.end_knot; ++i) settled = settled && is_settled(i);
    if (settled) return false;
    const double now = cost(span.from, span.first, span.to, std::span(knots).subspan(span.first_knot, span.end_knot - span.first_knot));
    propose(span);
    double share = 1;
    for (uint32_t n = 0; n < kMaxShares; ++n, share *= 0.5) {
        for (size_t i = 0; i < crossed_.size(); ++i) {
            const double place = before_[i] + share * (places_[i] - before_[i]);
            channel.crossings[crossed_[i]].place = place < kSnap ? 0 : place > 1 - kSnap ? 1 : place;
        }
        pull(span.from, span.first, span.end, span.to, tried_);
        if (cost(span.from, span.first, span.to, tried_) < now * (1 - kLeastGain)) return true;
    }
    for (size_t i = 0; i < crossed_.size(); ++i) channel.crossings[crossed_[i]].place = before_[i];
    return false;
}

// The best places on the sides that the knots are on, all others left out of account.
void LineBender::propose(const Span& span) {
    crossed_.clear();
    sides_.clear();
    costs_.assign(1, channel.rates[span.first]);
    before_.clear();
    for (size_t i = span.first_knot; i < span.end_knot; ++i) {
        for (size_t k = knots[i].first; k <= knots[i].last; ++k) {
            crossed_.push_back(k);
            sides_.push_back(channel.crossings[k].side);
            costs_.push_back(channel.rates[k + 1]);
            before_.push_back(nearest_place(sides_.back(), knots[i].at));
        }
    }
    places_ = before_;
    NewtonOptions options;
    options.primed = places_.size();
    solver_.newton({span.from, span.to, sides_, costs_}, places_, options);
}

// ---- Along borders

// What the solver is given: for each gate of the span the border that it is on. Corners in ground of one cost are left out.
void LineBender::lay_rails(const Rates& rates, const Span& span) {
    crossed_.clear();
    sides_.clear();
    before_.clear();
    costs_.assign(1, channel.rates[span.first]);
    for (size_t i = span.first_knot; i < span.end_knot; ++i) {
        for (size_t k = knots[i].first; k <= knots[i].last; ++k) {
            if (!channel.crossings[k].gate) continue;
            crossed_.push_back(k);
            sides_.push_back(rail_of(rates, channel.cells[k], channel.cells[k + 1], channel.crossings[k].side));
            costs_.push_back(channel.rates[k + 1]);
            before_.push_back(nearest_place(sides_.back(), knots[i].at));
        }
    }
}

// The straight lines from border to border, after so much of the step, and what they cost; more than `most` is as good as infinite.
double LineBender::lay_lines(const Rates& rates, const Span& span, double share, double most) {
    lines_.clear();
    double sum = 0;
    Point from = span.from;
    Cell first = channel.cells[span.first];
    const auto add = [&](Point to, Cell last) {
        lines_.push_back({from, to, first, last});
        if (sum <= most) sum += lines_.back().cost(rates, most);
    };
    for (size_t i = 0; i < crossed_.size(); ++i) {
        const Point at = sides_[i].at(before_[i] + share * (places_[i] - before_[i]));
        const ChannelCrossing& crossing = channel.crossings[crossed_[i]];
        const Point way = at - 0.5 * (crossing.side.a + crossing.side.b);
        const Cell by{static_cast<int32_t>(std::floor(way.x + 0.5)), static_cast<int32_t>(std::floor(way.y + 0.5))};
        const Cell in = channel.cells[crossed_[i]], out = channel.cells[crossed_[i] + 1];
        add(at, {in.x + by.x, in.y + by.y});
        from = at;
        first = {out.x + by.x, out.y + by.y};
    }
    add(span.to, channel.cells[span.end]);
    return sum;
}

// Whether the span gets cheaper where its points slide along their borders; then lines_ has it.
bool LineBender::slide(const Rates& rates, const Span& span) {
    bool settled = true;
    for (size_t i = span.first_knot; i < span.end_knot; ++i) settled = settled && is_settled(i);
    if (settled) return false;
    const double now = cost(span.from, span.first, span.to, std::span(knots).subspan(span.first_knot, span.end_knot - span.first_knot));
    lay_rails(rates, span);
    if (crossed_.empty()) return false;
    places_ = before_;
    NewtonOptions options;
    options.primed = places_.size();
    solver_.newton({span.from, span.to, sides_, costs_}, places_, options);
    double share = 1;
    for (uint32_t n = 0; n < kMaxShares; ++n, share *= 0.5) {
        if (lay_lines(rates, span, share, now) < now * (1 - kLeastSlide)) return true;
    }
    return false;
}

// Between corners that hold the line fast, on either side. Without this, points move by a cell in each round: 35% more time on the weighted
// maps, and far more where borders are long.
bool LineBender::slide(const Rates& rates) {
    bool any = false;
    spare_.clear();
    spare_.start = channel.start;
    spare_.goal = channel.goal;
    spare_.add(channel.cells[0], channel.rates[0], channel.start);
    size_t next = 0;
    Span span{channel.start, {}, 0, 0, 0, 0};
    for (size_t i = 0; i <= knots.size(); ++i) {
        const bool last = i == knots.size();
        Fan fan;
        size_t gates = 0;
        if (!last) {
            for (size_t k = knots[i].first; k <= knots[i].last; ++k) gates += channel.crossings[k].gate ? 1 : 0;
            if (gates <= 1 && (!knots[i].corner || !is_fixed(i) || wants_over(rates, i, fan))) continue;
        }
        span.to = last ? channel.goal : knots[i].at;
        span.end = last ? channel.crossings.size() : knots[i].first;
        span.end_knot = i;
        if (span.first_knot < span.end_knot && slide(rates, span)) {
            any = true;
            keep_to(next, span.first);
            for (const Straight& line : lines_) spare_.add(rates, line);
            next = span.end;
        }
        if (!last) span = {span.to, {}, knots[i].last + 1, 0, i + 1, 0};
    }
    if (!any) return false;
    keep_to(next, channel.crossings.size());
    std::swap(channel, spare_);
    return true;
}

// ---- All of it

void LineBender::settle(const Rates& rates) {
    double last = std::numeric_limits<double>::infinity();
    for (uint32_t round = 0; round < kMaxRounds; ++round) {
        tie_knots();
        if (slide(rates)) tie_knots();
        if (solve_spans()) tie_knots();
        const double now = cost(channel.start, 0, channel.goal, knots);
        if (now > last * (1 - kLeastGain) || !cut_corners(rates)) return;
        last = now;
    }
    tie_knots();
}

size_t LineBender::bytes() const {
    return channel.bytes() + spare_.bytes() + solver_.bytes() + (knots.capacity() + tried_.capacity()) * sizeof(Knot) +
           crossed_.capacity() * sizeof(size_t) + sides_.capacity() * sizeof(Segment) + lines_.capacity() * sizeof(Straight) +
           (sums_.capacity() + costs_.capacity() + places_.capacity() + before_.capacity()) * sizeof(double);
}

}  // namespace terrane
