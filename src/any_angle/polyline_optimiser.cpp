#include "any_angle/polyline_optimiser.h"

#include <algorithm>
#include <cmath>

namespace terrane {

namespace {

constexpr uint32_t kMaxRounds = 200;
constexpr uint32_t kMaxShares = 4;      // backtracking: 1, 1/2, 1/4, 1/8 of a step
constexpr double kLeastGain = 1e-13;    // of a round, relative
constexpr double kLeastSlide = 1e-9;    // least gain of a slide along borders, relative; finer gains are left to solve_spans()
constexpr double kSnell = 1e-11;        // tolerance of Snell's law, times the sum of the costs
constexpr double kSnap = 1e-9;          // from the end of a side: counts as its end
constexpr int32_t kLongestBorder = 32;  // cells, to each side

// Cells of the path that an initial straight segment may skip. On A* paths of the weighted maps, 1 costs 0.1% more; without a limit, 0.2%
// more, since segments run through terrain that the polyline never leaves again.
constexpr size_t kMaxSkipped = 16;

// The side of a crossing, extended in both directions while the costs on its two sides stay the same.
Segment border_through(const Rates& rates, Cell from, Cell to, const Segment& side) {
    const double in = rates(from), out = rates(to);
    const Cell along{static_cast<int32_t>(side.b.x - side.a.x), static_cast<int32_t>(side.b.y - side.a.y)};
    const auto reach = [&](int32_t sign) {
        int32_t n = 0;
        const auto same = [&](Cell c, double rate) {
            return rates({c.x + sign * (n + 1) * along.x, c.y + sign * (n + 1) * along.y}) == rate;
        };
        while (n < kLongestBorder && same(from, in) && same(to, out)) ++n;
        return static_cast<double>(n);
    };
    const Point offset = side.b - side.a;
    return {side.a - reach(-1) * offset, side.b + reach(1) * offset};
}

// Appends a bend, or extends the last one if it is at the same point.
void add_bend(Vector<Bend>& bends, Point at, size_t crossing) {
    if (!bends.empty() && bends.back().at == at) {
        bends.back().last = crossing;
    } else {
        bends.push_back({at, crossing, crossing, false});
    }
}

}  // namespace

// ---- The initial channel

// Straight segments between cells of the path; each doubles the number of cells it skips while it is no more expensive than the path.
void PolylineOptimiser::init_channel(const Rates& rates, std::span<const Cell> cells) {
    sums_.assign(1, 0);
    for (size_t i = 1; i < cells.size(); ++i) {
        sums_.push_back(sums_.back() + 0.5 * (rates(cells[i - 1]) + rates(cells[i])) * distance(centre(cells[i - 1]), centre(cells[i])));
    }
    channel.clear();
    channel.add(cells[0], rates(cells[0]), channel.start);
    for (size_t i = 0, end = 0; i + 1 < cells.size(); i = end) {
        end = i + 1;
        for (size_t ahead = 2; ahead <= kMaxSkipped; ahead *= 2) {
            const size_t next = std::min(i + ahead, cells.size() - 1);
            const double most = (sums_[next] - sums_[i]) * (1 + kRounding);
            if (next == end || StraightLine::between(cells[i], cells[next]).cost(rates, most) > most) break;
            end = next;
        }
        channel.add(rates, StraightLine::between(cells[i], cells[end]));
    }
}

// ---- The polyline in its channel

// String pulling through terrain of one cost. Based on: Lee, Preparata 1984; Mononen 2010 (the simple stupid funnel algorithm).
void PolylineOptimiser::pull_string(Point from, size_t first, size_t end, Point to, Vector<Bend>& out) const {
    Point apex = from, left = from, right = from;
    size_t left_at = first, right_at = first;
    for (size_t k = first; k <= end; ++k) {
        const Point l = k < end ? channel.crossings[k].side.a : to, r = k < end ? channel.crossings[k].side.b : to;
        if (cross(right - apex, r - apex) <= 0) {
            if (apex == right || cross(left - apex, r - apex) > 0) {
                right = r;
                right_at = k;
            } else {
                add_bend(out, left, left_at);
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
                return;  // both sides of the funnel have reached the end
            } else {
                add_bend(out, right, right_at);
                apex = left = right;
                k = left_at = right_at;
                continue;
            }
        }
    }
}

// The bends of the polyline through crossings first..end - 1, with the gates crossed at their current places.
void PolylineOptimiser::pull_strings(Point from, size_t first, size_t end, Point to, Vector<Bend>& out) const {
    out.clear();
    for (size_t k = first; k < end; ++k) {
        if (!channel.crossings[k].gate) continue;
        const Point at = channel.crossings[k].at();
        pull_string(from, first, k, at, out);
        add_bend(out, at, k);
        from = at;
        first = k + 1;
    }
    pull_string(from, first, end, to, out);
}

double PolylineOptimiser::cost(Point from, size_t first, Point to, std::span<const Bend> line_bends) const {
    double sum = 0;
    for (const Bend& bend : line_bends) {
        sum += channel.rates[first] * distance(from, bend.at);
        from = bend.at;
        first = bend.last + 1;
    }
    return sum + channel.rates[first] * distance(from, to);
}

// Recomputes all bends; assigns to each corner all crossings around which the polyline turns there.
void PolylineOptimiser::update_bends() {
    pull_strings(channel.start, 0, channel.crossings.size(), channel.goal, bends);
    for (size_t i = 0; i < bends.size(); ++i) {
        Bend& bend = bends[i];
        bend.corner = channel.crossings[bend.first].ends_at(bend.at);
        if (!bend.corner) continue;
        const auto turns = [&](size_t k) { return channel.crossings[k].ends_at(bend.at) && !channel.crossings[k].gate; };
        const size_t least = i == 0 ? 0 : bends[i - 1].last + 1;
        const size_t most = i + 1 == bends.size() ? channel.crossings.size() : bends[i + 1].first;
        while (bend.first > least && turns(bend.first - 1)) --bend.first;
        while (bend.last + 1 < most && turns(bend.last + 1)) ++bend.last;
    }
}

// False at corners.
bool PolylineOptimiser::obeys_snell(size_t bend) const {
    const Bend& k = bends[bend];
    if (k.corner || k.first != k.last) return false;
    const Segment& side = channel.crossings[k.first].side;
    const double in = channel.rates[k.first], out = channel.rates[k.last + 1];
    const Point pull = in * unit(point_before(bend) - k.at) + out * unit(point_after(bend) - k.at);
    return std::fabs(dot(pull, side.b - side.a)) <= kSnell * (in + out);
}

// ---- All crossing points at once, on the sides of cells

// Optimises each span between fixed corners. Returns true if any got cheaper.
bool PolylineOptimiser::solve_spans() {
    bool any = false;
    Span span{channel.start, {}, 0, 0, 0, 0};
    for (size_t i = 0; i <= bends.size(); ++i) {
        const bool last = i == bends.size();
        if (!last && !is_fixed(i)) continue;
        span.to = last ? channel.goal : bends[i].at;
        span.end = last ? channel.crossings.size() : bends[i].first;
        span.end_bend = i;
        any = solve(span) || any;
        if (!last) span = {span.to, {}, bends[i].last + 1, 0, i + 1, 0};
    }
    return any;
}

bool PolylineOptimiser::solve(const Span& span) {
    bool done = true;
    for (size_t i = span.first_bend; i < span.end_bend; ++i) done = done && obeys_snell(i);
    if (done) return false;
    const double now = cost(span.from, span.first, span.to, std::span(bends).subspan(span.first_bend, span.end_bend - span.first_bend));
    propose(span);
    double share = 1;
    for (uint32_t n = 0; n < kMaxShares; ++n, share *= 0.5) {
        for (size_t i = 0; i < crossed_.size(); ++i) {
            const double place = before_[i] + share * (places_[i] - before_[i]);
            channel.crossings[crossed_[i]].place = place < kSnap ? 0 : place > 1 - kSnap ? 1 : place;
        }
        pull_strings(span.from, span.first, span.end, span.to, trial_);
        if (cost(span.from, span.first, span.to, trial_) < now * (1 - kLeastGain)) return true;
    }
    for (size_t i = 0; i < crossed_.size(); ++i) channel.crossings[crossed_[i]].place = before_[i];
    return false;
}

// Computes the optimal places on the sides at the bends, ignoring all other sides.
void PolylineOptimiser::propose(const Span& span) {
    crossed_.clear();
    sides_.clear();
    costs_.assign(1, channel.rates[span.first]);
    before_.clear();
    for (size_t i = span.first_bend; i < span.end_bend; ++i) {
        for (size_t k = bends[i].first; k <= bends[i].last; ++k) {
            crossed_.push_back(k);
            sides_.push_back(channel.crossings[k].side);
            costs_.push_back(channel.rates[k + 1]);
            before_.push_back(nearest_place(sides_.back(), bends[i].at));
        }
    }
    places_ = before_;
    NewtonOptions options;
    options.primed = places_.size();
    solver_.newton({span.from, span.to, sides_, costs_}, places_, options);
}

// ---- Along borders

// Collects the solver's input: the border of each gate of the span. Corners in terrain of one cost are left out.
void PolylineOptimiser::collect_borders(const Rates& rates, const Span& span) {
    crossed_.clear();
    sides_.clear();
    before_.clear();
    costs_.assign(1, channel.rates[span.first]);
    for (size_t i = span.first_bend; i < span.end_bend; ++i) {
        for (size_t k = bends[i].first; k <= bends[i].last; ++k) {
            if (!channel.crossings[k].gate) continue;
            crossed_.push_back(k);
            sides_.push_back(border_through(rates, channel.cells[k], channel.cells[k + 1], channel.crossings[k].side));
            costs_.push_back(channel.rates[k + 1]);
            before_.push_back(nearest_place(sides_.back(), bends[i].at));
        }
    }
}

// Connects the borders by straight segments after a share of the step, and returns their cost; stops adding it up above `most`.
double PolylineOptimiser::connect_borders(const Rates& rates, const Span& span, double share, double most) {
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
        const Point offset = at - 0.5 * (crossing.side.a + crossing.side.b);
        const Cell by{static_cast<int32_t>(std::floor(offset.x + 0.5)), static_cast<int32_t>(std::floor(offset.y + 0.5))};
        const Cell in = channel.cells[crossed_[i]], out = channel.cells[crossed_[i] + 1];
        add(at, {in.x + by.x, in.y + by.y});
        from = at;
        first = {out.x + by.x, out.y + by.y};
    }
    add(span.to, channel.cells[span.end]);
    return sum;
}

// Returns true if the span gets cheaper when its points slide along their borders; lines_ then holds the new segments.
bool PolylineOptimiser::slide(const Rates& rates, const Span& span) {
    bool done = true;
    for (size_t i = span.first_bend; i < span.end_bend; ++i) done = done && obeys_snell(i);
    if (done) return false;
    const double now = cost(span.from, span.first, span.to, std::span(bends).subspan(span.first_bend, span.end_bend - span.first_bend));
    collect_borders(rates, span);
    if (crossed_.empty()) return false;
    places_ = before_;
    NewtonOptions options;
    options.primed = places_.size();
    solver_.newton({span.from, span.to, sides_, costs_}, places_, options);
    double share = 1;
    for (uint32_t n = 0; n < kMaxShares; ++n, share *= 0.5) {
        if (connect_borders(rates, span, share, now) < now * (1 - kLeastSlide)) return true;
    }
    return false;
}

// Slides the spans between corners that are fixed on both sides. Without this, points move by one cell per round: 35% more time on the
// weighted maps, and far more where borders are long.
bool PolylineOptimiser::slide(const Rates& rates) {
    bool any = false;
    next_channel_.clear();
    next_channel_.start = channel.start;
    next_channel_.goal = channel.goal;
    next_channel_.add(channel.cells[0], channel.rates[0], channel.start);
    size_t next = 0;
    Span span{channel.start, {}, 0, 0, 0, 0};
    for (size_t i = 0; i <= bends.size(); ++i) {
        const bool last = i == bends.size();
        Fan fan;
        size_t gates = 0;
        if (!last) {
            for (size_t k = bends[i].first; k <= bends[i].last; ++k) gates += channel.crossings[k].gate ? 1 : 0;
            if (gates <= 1 && (!bends[i].corner || !is_fixed(i) || gains_on_other_side(rates, i, fan))) continue;
        }
        span.to = last ? channel.goal : bends[i].at;
        span.end = last ? channel.crossings.size() : bends[i].first;
        span.end_bend = i;
        if (span.first_bend < span.end_bend && slide(rates, span)) {
            any = true;
            copy_crossings(next, span.first);
            for (const StraightLine& line : lines_) next_channel_.add(rates, line);
            next = span.end;
        }
        if (!last) span = {span.to, {}, bends[i].last + 1, 0, i + 1, 0};
    }
    if (!any) return false;
    copy_crossings(next, channel.crossings.size());
    std::swap(channel, next_channel_);
    return true;
}

// ---- The main loop

void PolylineOptimiser::optimise(const Rates& rates) {
    double last = std::numeric_limits<double>::infinity();
    for (uint32_t round = 0; round < kMaxRounds; ++round) {
        update_bends();
        if (slide(rates)) update_bends();
        if (solve_spans()) update_bends();
        const double now = cost(channel.start, 0, channel.goal, bends);
        if (now > last * (1 - kLeastGain) || !cut_corners(rates)) return;
        last = now;
    }
    update_bends();
}

size_t PolylineOptimiser::bytes() const {
    return channel.bytes() + next_channel_.bytes() + solver_.bytes() + (bends.capacity() + trial_.capacity()) * sizeof(Bend) +
           crossed_.capacity() * sizeof(size_t) + sides_.capacity() * sizeof(Segment) + lines_.capacity() * sizeof(StraightLine) +
           (sums_.capacity() + costs_.capacity() + places_.capacity() + before_.capacity()) * sizeof(double);
}

}  // namespace terrane
