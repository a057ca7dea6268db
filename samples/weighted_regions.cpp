// Weighted regions: convex polygons with a cost each instead of cells. The cheapest path refracts at their boundaries by Snell's law and
// comes with a proven lower bound.
#include <terrane/weighted_regions/subdivision_method.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace terrane;

int main() {
    const Subdivision land = random_voronoi_subdivision({.sites = 24, .seed = 7}).value();
    const Point from{20, 20}, to{580, 580};

    SubdivisionPlanner planner;
    const SubdivisionPath best = planner.find(land, from, to);  // brep+proven
    const SubdivisionPath quick = planner.find(land, from, to, find_subdivision_method("bprep:32").value());
    const Point straight[] = {from, to};
    std::printf("straight line: %.2f\n", subdivision_path_cost(land, straight));
    std::printf("bprep:32:      %.2f, %llu expansions\n", quick.cost, static_cast<unsigned long long>(quick.expansions));
    std::printf("brep+proven:   %.2f, %zu points; proven lower bound %.2f\n", best.cost, best.points.size(), best.lower_bound);

    double worst = 0;  // largest deviation from Snell's law at a crossing
    for (const SubdivisionCrossing& c : subdivision_path_crossings(land, best.points)) {
        worst = std::max(worst, std::abs(c.cost_from * std::sin(c.angle_from) - c.cost_to * std::sin(c.angle_to)));
    }
    std::printf("Snell's law holds to %.0e\n", worst);
    return best && quick && best.gap() <= 1e-6 && best.cost <= quick.cost && quick.cost < subdivision_path_cost(land, straight) ? 0 : 1;
}
