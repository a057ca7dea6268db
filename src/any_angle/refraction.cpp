#include "terrane/any_angle/refraction.h"

#include <algorithm>

#include "any_angle/polyline_optimiser.h"
#include "terrane/base/assert.h"
#include "terrane/grid/path.h"

namespace terrane {

namespace {

// Appends a point; drops the last one if it is in the middle of a straight segment.
void add_point(std::vector<Point>& points, Point p) {
    if (!points.empty() && points.back() == p) return;
    const size_t n = points.size();
    if (n >= 2 && turn(points[n - 2], points[n - 1], p) == 0 && dot(points[n - 1] - points[n - 2], p - points[n - 1]) > 0)
        points.pop_back();
    points.push_back(p);
}

}  // namespace

struct Refractor::State {
    PolylineOptimiser line;
};

Refractor::Refractor() : state_(std::make_unique<State>()) {}
Refractor::~Refractor() = default;
Refractor::Refractor(Refractor&&) noexcept = default;
Refractor& Refractor::operator=(Refractor&&) noexcept = default;

double Refractor::refract(const Ground& ground, std::span<const Cell> cells, std::vector<Point>& points) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    TERRANE_VALIDATE(path_cost(ground, cells) != kInfiniteCost);
    points.clear();
    if (cells.empty()) return 0;
    PolylineOptimiser& s = state_->line;
    const Rates rates(ground.grid(), ground.costs());
    // Splits the path at diagonal steps between two blocked cells, which must pass through the corner itself.
    s.channel.start = centre(cells[0]);
    for (size_t first = 0, end = 1; first < cells.size(); first = end, ++end) {
        const auto slips = [&](Cell a, Cell b) { return a.x != b.x && a.y != b.y && rates({a.x, b.y}) == 0 && rates({b.x, a.y}) == 0; };
        while (end < cells.size() && !slips(cells[end - 1], cells[end])) ++end;
        s.channel.goal = end < cells.size() ? 0.5 * (centre(cells[end - 1]) + centre(cells[end])) : centre(cells.back());
        s.init_channel(rates, cells.subspan(first, end - first));
        s.optimise(rates);
        add_point(points, s.channel.start);
        for (const Bend& bend : s.bends) add_point(points, bend.at);
        add_point(points, s.channel.goal);
        s.channel.start = s.channel.goal;
    }
    const double cost = polyline_cost(ground, points), before = exact_cost(ground.grid(), ground.costs(), cells);
    if (cost < before) return cost;
    points.clear();
    for (const Cell c : cells) add_point(points, centre(c));
    return before;
}

size_t Refractor::bytes() const { return sizeof(State) + state_->line.bytes(); }

}  // namespace terrane
