// Computes each Voronoi cell independently: clips the rectangle by the bisectors with ever farther sites, until none can be near enough.
// Then welds the cells' corners, since neighbours compute them by different cuts.
#include <algorithm>
#include <cmath>
#include <string>

#include "terrane/base/rng.h"
#include "terrane/weighted_regions/subdivision.h"
#include "weighted_regions/polygon_checks.h"
#include "weighted_regions/vertex_welder.h"

namespace terrane {

using namespace detail;

namespace {

class CellCutter {
public:
    CellCutter(std::span<const Point> sites, Point low, Point high)
        : sites_(sites), low_(low), high_(high), side_(std::sqrt((high.x - low.x) * (high.y - low.y) / static_cast<double>(sites.size()))) {
        const auto count = [&](double extent) { return std::clamp(static_cast<int64_t>(extent / side_) + 1, int64_t{1}, kMaxAcross); };
        columns_ = count(high.x - low.x);
        rows_ = count(high.y - low.y);
        buckets_.resize(static_cast<size_t>(columns_ * rows_));
        for (uint32_t i = 0; i < sites.size(); ++i) buckets_[static_cast<size_t>(row(sites[i]) * columns_ + column(sites[i]))].push_back(i);
    }

    // Returns the cell, counter-clockwise; valid until the next call.
    std::span<const Point> cut(uint32_t site) {
        cell_ = {low_, {high_.x, low_.y}, high_, {low_.x, high_.y}};
        const int64_t furthest = std::max(columns_, rows_);
        for (int64_t ring = 0; ring <= furthest; ++ring) {
            if (static_cast<double>(ring - 1) * least_side() > 2 * reach(site)) break;
            cut_ring(site, ring);
        }
        return cell_;
    }

private:
    static constexpr int64_t kMaxAcross = 4096;

    int64_t column(Point p) const {
        return std::clamp(static_cast<int64_t>((p.x - low_.x) / (high_.x - low_.x) * static_cast<double>(columns_)), int64_t{0},
                          columns_ - 1);
    }
    int64_t row(Point p) const {
        return std::clamp(static_cast<int64_t>((p.y - low_.y) / (high_.y - low_.y) * static_cast<double>(rows_)), int64_t{0}, rows_ - 1);
    }
    double least_side() const {
        return std::min((high_.x - low_.x) / static_cast<double>(columns_), (high_.y - low_.y) / static_cast<double>(rows_));
    }
    double reach(uint32_t site) const {
        double most = 0;
        for (const Point p : cell_) most = std::max(most, distance(sites_[site], p));
        return most;
    }

    // Clips by the sites whose buckets are `ring` buckets away.
    void cut_ring(uint32_t site, int64_t ring) {
        const int64_t x = column(sites_[site]), y = row(sites_[site]);
        for (int64_t v = std::max(y - ring, int64_t{0}); v <= std::min(y + ring, rows_ - 1); ++v) {
            const bool whole = v == y - ring || v == y + ring;
            for (int64_t u = x - ring; u <= x + ring; u += whole ? 1 : std::max(2 * ring, int64_t{1})) {
                if (u < 0 || u >= columns_) continue;
                for (const uint32_t other : buckets_[static_cast<size_t>(v * columns_ + u)]) {
                    if (other != site) cut_away(sites_[site], sites_[other]);
                }
            }
        }
    }

    // Removes the part that is nearer to `other`.
    void cut_away(Point site, Point other) {
        const Point offset = other - site, middle = site + 0.5 * offset;
        const auto beyond = [&](Point p) { return dot(offset, p - middle); };
        kept_.clear();
        for (size_t i = 0; i < cell_.size(); ++i) {
            const Point p = cell_[i], q = cell_[(i + 1) % cell_.size()];
            const double at_p = beyond(p), at_q = beyond(q);
            if (at_p <= 0) kept_.push_back(p);
            if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) kept_.push_back(Segment{p, q}.at(at_p / (at_p - at_q)));
        }
        cell_.swap(kept_);
    }

    std::span<const Point> sites_;
    Point low_, high_;
    double side_;
    int64_t columns_ = 1, rows_ = 1;
    std::vector<std::vector<uint32_t>> buckets_;
    std::vector<Point> cell_, kept_;
};

Result<void> check_sites(std::span<const Point> sites, std::span<const double> costs, Point low, Point high) {
    if (sites.empty()) return bad_polygons("no sites: expected at least one");
    if (sites.size() > kMaxVoronoiSites) {
        return refuse_polygons(ErrorCode::kTooLarge, std::to_string(sites.size()) + " sites: at most " + std::to_string(kMaxVoronoiSites));
    }
    if (costs.size() != sites.size()) return bad_polygons("expected as many costs as sites");
    if (!is_finite(low) || !is_finite(high) || !(low.x < high.x && low.y < high.y)) return bad_polygons("the rectangle has no area");
    VertexWelder welder(kSubdivisionTolerance * std::max(high.x - low.x, high.y - low.y), sites.size());
    for (size_t i = 0; i < sites.size(); ++i) {
        const Point p = sites[i];
        if (!(p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y))
            return bad_polygons("site " + std::to_string(i) + " is outside the rectangle");
        const uint32_t number = welder.add(p);
        if (number != i) return bad_polygons("sites " + std::to_string(number) + " and " + std::to_string(i) + " coincide");
    }
    return {};
}

}  // namespace

Result<Subdivision> voronoi_subdivision(std::span<const Point> sites, std::span<const double> costs, Point low, Point high) {
    if (const auto ok = check_sites(sites, costs, low, high); !ok) return ok.error();
    CellCutter cutter(sites, low, high);
    VertexWelder welder(kSubdivisionTolerance * std::max(high.x - low.x, high.y - low.y) * 2, sites.size() * 3);
    PolygonSet set;
    std::vector<uint32_t> ring;
    for (uint32_t i = 0; i < sites.size(); ++i) {
        ring.clear();
        for (const Point p : cutter.cut(i)) {
            const uint32_t vertex = welder.add(p);
            if (ring.empty() || ring.back() != vertex) ring.push_back(vertex);
        }
        while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
        set.add(ring, costs[i]);
    }
    set.vertices = welder.points();
    return make_subdivision(std::move(set));
}

Result<Subdivision> random_voronoi_subdivision(const VoronoiSubdivisionOptions& options) {
    if (options.min_cost < 1 || options.min_cost > options.max_cost)
        return bad_polygons("min_cost must be at least 1 and at most max_cost");
    if (options.blocked > 100) return bad_polygons("blocked must be from 0 to 100 percent");
    if (options.sites > kMaxVoronoiSites) {
        return refuse_polygons(ErrorCode::kTooLarge, std::to_string(options.sites) + " sites: at most " + std::to_string(kMaxVoronoiSites));
    }
    Rng rng(options.seed);
    std::vector<Point> sites;
    std::vector<double> costs;
    sites.reserve(options.sites);
    costs.reserve(options.sites);
    const auto draw = [&](double extent) { return static_cast<double>(rng.next() >> 11) * 0x1p-53 * extent; };
    for (uint32_t i = 0; i < options.sites; ++i) {
        const double x = draw(options.width), y = draw(options.height);
        sites.push_back({x, y});
        const double cost = options.min_cost + rng.below(options.max_cost - options.min_cost + 1);
        costs.push_back(options.blocked > 0 && rng.below(100) < options.blocked ? kBlockedCost : cost);
    }
    return voronoi_subdivision(sites, costs, {0, 0}, {options.width, options.height});
}

}  // namespace terrane
