// Open terrain: no cells, but convex regions with a cost each. The cheapest path bends at their borders, as light does, and comes with a
// proof of how near to the best it is.
#include <terrane/weighted_regions/open_method.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace terrane;

int main() {
    const Subdivision land = random_voronoi_subdivision({.sites = 24, .seed = 7}).value();
    const Point from{20, 20}, to{580, 580};

    OpenPlanner planner;
    const OpenPath best = planner.find(land, from, to);  // brep+proven
    const OpenPath quick = planner.find(land, from, to, find_open_method("bprep:32").value());
    const Point straight[] = {from, to};
    std::printf("straight ahead: %.2f\n", open_path_cost(land, straight));
    std::printf("bprep:32:       %.2f, %llu expansions\n", quick.cost, static_cast<unsigned long long>(quick.expansions));
    std::printf("the best:       %.2f, %zu points; none costs less than %.2f\n", best.cost, best.points.size(), best.lower_bound);

    double worst = 0;  // how far from Snell's law, wherever the path passes from one ground to another
    for (const OpenCrossing& c : open_path_crossings(land, best.points)) {
        worst = std::max(worst, std::abs(c.cost_from * std::sin(c.angle_from) - c.cost_to * std::sin(c.angle_to)));
    }
    std::printf("Snell's law holds to %.0e\n", worst);
    return best && quick && best.gap() <= 1e-6 && best.cost <= quick.cost && quick.cost < open_path_cost(land, straight) ? 0 : 1;
}
