// Douglas-Peucker simplification of outlines that preserves the topology of the subdivision.
// Based on: Douglas, Peucker 1973; de Berg, van Kreveld, Schirra 1998 (chains of a subdivision).
//
// A stretch of a chain may be replaced by a segment if the convex hull of its corners contains no lattice point that is on an outline,
// except the stretch's own. Then no two replacement segments meet except in common ends, and no outline changes sides. Proof:
// - No other outline meets the hull. Its steps go from lattice point to lattice point, so it would have a step with both ends outside that
//   crosses the hull: say along a row, between two adjacent lattice points. The stretch has steps too, and no lattice point on that row, so
//   it is on one side of the row, and so is the hull. An outline that only starts where the stretch ends leaves the hull for the same
//   reason.
// - The hulls of two stretches have nothing in common but a common end v, if there is one. Their intersection is convex; suppose it had an
//   extreme point q other than v. No corner of either hull is in the other one, so q is where side e of one crosses side f of the other.
//   The ends of f, both on its stretch, are on both sides of the line of e, so the stretch crosses that line inside its own hull, where the
//   line is e, unless e ends there: that can only be at v. So v is on the line of e; likewise, v is on that of f; hence q is v.
// Two stretches with both ends in common could still become the same segment: chains are split beforehand so that there are none.
#include <algorithm>
#include <tuple>
#include <utility>

#include "weighted_regions/outlines.h"

namespace terrane::detail {

namespace {

double squared(LatticePoint a, LatticePoint b) {
    const double dx = b.x - a.x, dy = b.y - a.y;
    return dx * dx + dy * dy;
}

// From p to the segment from a to b; a and b may be equal.
double squared_distance(LatticePoint p, LatticePoint a, LatticePoint b) {
    const int64_t ahead = int64_t{p.x - a.x} * (b.x - a.x) + int64_t{p.y - a.y} * (b.y - a.y);
    const int64_t behind = int64_t{p.x - b.x} * (a.x - b.x) + int64_t{p.y - b.y} * (a.y - b.y);
    if (ahead <= 0) return squared(p, a);
    if (behind <= 0) return squared(p, b);
    const auto area = static_cast<double>(turn_of(a, b, p));
    return area * area / squared(a, b);
}

// Rounded down; the divisor is positive.
int64_t divide_down(int64_t a, int64_t b) { return a / b - static_cast<int64_t>(a % b < 0); }

class ChainSimplifier {
public:
    ChainSimplifier(const PaddedTerrain& terrain, double tolerance) : terrain_(terrain), allowed_(tolerance * tolerance) {}

    // Appends the corners to keep. `twin`: another chain has the same ends.
    void simplify(std::span<const OutlineCorner> chain, bool twin, std::vector<OutlineCorner>& out) {
        chain_ = chain;
        kept_.assign(chain.size(), 0);
        cut(twin);
        while (!open_.empty()) {
            const auto [first, last] = open_.back();
            open_.pop_back();
            if (last - first < 2) continue;
            const auto [most, distance] = furthest(first, last);
            if (distance <= allowed_ && is_free(first, last)) continue;
            kept_[most] = 1;
            open_.insert(open_.end(), {{first, most}, {most, last}});
        }
        for (size_t i = 0; i < chain.size(); ++i) {
            if (kept_[i] != 0) out.push_back(chain[i]);
        }
    }

private:
    LatticePoint at(size_t i) const { return chain_[i].at; }

    // The corner between first and last that is furthest from their segment, and its squared distance; the first of several.
    std::pair<size_t, double> furthest(size_t first, size_t last) const { return furthest(first, last, at(first), at(last)); }
    std::pair<size_t, double> furthest(size_t first, size_t last, LatticePoint a, LatticePoint b) const {
        std::pair<size_t, double> most{first, -1};
        for (size_t i = first + 1; i < last; ++i) {
            const double distance = squared_distance(at(i), a, b);
            if (distance > most.second) most = {i, distance};
        }
        return most;
    }

    // Splits a closed chain into three stretches, a twin that is not straight into two.
    void cut(bool twin) {
        const size_t last = chain_.size() - 1;
        kept_[0] = kept_[last] = 1;
        if (at(0) == at(last)) {
            const size_t far = furthest(0, last).first;
            kept_[far] = kept_[furthest(0, last, at(0), at(far)).first] = 1;
        } else if (twin && last > 1) {
            kept_[furthest(0, last).first] = 1;
        }
        for (size_t i = 1, from = 0; i <= last; ++i) {
            if (kept_[i] != 0) open_.emplace_back(std::exchange(from, i), i);
        }
    }

    // Whether the hull contains no outline points except the stretch's own.
    bool is_free(size_t first, size_t last) {
        make_hull(first, last);
        make_rows();
        uint64_t count = 0;
        const uint64_t own = uint64_t{chain_[last].step} - chain_[first].step + 1;
        for (size_t row = 0; row < rows_.size() && count <= own; ++row) {
            for (int32_t x = rows_[row].first; x <= rows_[row].second; ++x) {
                count += static_cast<uint64_t>(terrain_.directions({x, lowest_ + static_cast<int32_t>(row)}) != 0);
            }
        }
        return count == own;
    }

    // The convex hull of the corners from first to last, counter-clockwise (Andrew 1979).
    void make_hull(size_t first, size_t last) {
        sorted_.clear();
        for (size_t i = first; i <= last; ++i) sorted_.push_back(at(i));
        std::ranges::sort(sorted_, {}, [](LatticePoint p) { return std::pair(p.x, p.y); });
        hull_.clear();
        const auto add = [&](LatticePoint p, size_t base) {
            while (hull_.size() >= base + 2 && turn_of(hull_[hull_.size() - 2], hull_.back(), p) <= 0) hull_.pop_back();
            hull_.push_back(p);
        };
        for (const LatticePoint p : sorted_) add(p, 0);
        const size_t base = hull_.size() - 1;
        for (size_t i = sorted_.size() - 1; i-- > 0;) add(sorted_[i], base);
    }

    // The range of lattice points in the hull, by row, from the hull's sides.
    void make_rows() {
        const auto [low, high] = std::ranges::minmax(hull_, {}, &LatticePoint::y);
        lowest_ = low.y;
        rows_.assign(static_cast<size_t>(high.y - low.y) + 1, {terrain_.width(), 0});
        for (size_t i = 0; i + 1 < hull_.size(); ++i) {
            const LatticePoint a = hull_[i].y <= hull_[i + 1].y ? hull_[i] : hull_[i + 1];
            const LatticePoint b = hull_[i].y <= hull_[i + 1].y ? hull_[i + 1] : hull_[i];
            if (a.y == b.y) widen(a.y, std::min(a.x, b.x), std::max(a.x, b.x));
            for (int32_t y = a.y; a.y < b.y && y <= b.y; ++y) {
                const int64_t offset = int64_t{y - a.y} * (b.x - a.x), rise = b.y - a.y;
                widen(y, a.x - static_cast<int32_t>(divide_down(-offset, rise)), a.x + static_cast<int32_t>(divide_down(offset, rise)));
            }
        }
    }
    void widen(int32_t y, int32_t from, int32_t to) {
        auto& row = rows_[static_cast<size_t>(y - lowest_)];
        row = {std::min(row.first, from), std::max(row.second, to)};
    }

    const PaddedTerrain& terrain_;
    double allowed_;  // squared
    std::span<const OutlineCorner> chain_;
    std::vector<uint8_t> kept_;                    // by corner of the chain
    std::vector<std::pair<size_t, size_t>> open_;  // stretches to simplify
    std::vector<LatticePoint> sorted_, hull_;      // the hull's first corner is repeated at its end
    int32_t lowest_ = 0;                           // row of the hull
    std::vector<std::pair<int32_t, int32_t>> rows_;
};

bool on_rim(const OutlineChain& chain) { return chain.left == kOutside || chain.right == kOutside; }

// By chain: whether another one has the same two ends and could become the same segment. A chain around a corner of the map cannot.
std::vector<uint8_t> find_twins(const Outlines& outlines) {
    struct Ends {
        std::pair<int32_t, int32_t> a, b;
        size_t chain = 0;
        auto key() const { return std::pair(a, b); }
    };
    std::vector<Ends> all;
    all.reserve(outlines.chains.size());
    for (size_t i = 0; i < outlines.chains.size(); ++i) {
        const auto corners = outlines.of(outlines.chains[i]);
        if (corners.size() > 2 && on_rim(outlines.chains[i])) continue;
        const std::pair a(corners.front().at.x, corners.front().at.y), b(corners.back().at.x, corners.back().at.y);
        all.push_back({std::min(a, b), std::max(a, b), i});
    }
    std::ranges::sort(all, {}, [](const Ends& e) { return std::tuple(e.a, e.b, e.chain); });
    std::vector<uint8_t> twins(outlines.chains.size(), 0);
    for (size_t i = 1; i < all.size(); ++i) {
        if (all[i].key() == all[i - 1].key()) twins[all[i].chain] = twins[all[i - 1].chain] = 1;
    }
    return twins;
}

}  // namespace

Outlines simplify_outlines(const PaddedTerrain& terrain, const Outlines& outlines, double tolerance) {
    const std::vector<uint8_t> twins = find_twins(outlines);
    ChainSimplifier simplifier(terrain, tolerance);
    Outlines simple;
    simple.chains.reserve(outlines.chains.size());
    for (size_t i = 0; i < outlines.chains.size(); ++i) {
        OutlineChain chain = outlines.chains[i];
        const auto corners = outlines.of(chain);
        chain.begin = simple.corners.size();
        if (on_rim(chain)) {
            simple.corners.insert(simple.corners.end(), corners.begin(), corners.end());
        } else {
            simplifier.simplify(corners, twins[i] != 0, simple.corners);
        }
        chain.end = simple.corners.size();
        simple.chains.push_back(chain);
    }
    return simple;
}

}  // namespace terrane::detail
