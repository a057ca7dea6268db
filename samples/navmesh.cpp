// A navigation mesh: a building of three storeys, built with Recast, its regions, and two profiles with different obstacles.
//
// If you already have a dtNavMesh, begin with NavmeshAbstraction.
#include <terrane/mapgen/navmesh_level.h>
#include <terrane/navmesh/navmesh_builder.h>
#include <terrane/navmesh/navmesh_planner.h>

#include <cstdio>

using namespace terrane;

int main() {
    const GeneratedLevel level = generate_level({.rooms = 3, .storeys = 3, .seed = 2}).value();
    const Navmesh navmesh = build_navmesh(level.mesh, {}, level.areas).value();
    const NavmeshAbstraction regions(navmesh.mesh());
    NavmeshPlanner planner(regions);
    std::printf("%zu triangles, %zu regions\n", level.mesh.triangles.size(), static_cast<size_t>(regions.region_count()));

    // From a room upstairs to the ground floor: over the ramps, or by ladder if the profile allows it.
    const Vec3 upstairs{15, 10, 25}, below{5, 0, 5};
    NavmeshFilter climber, cart;
    climber.costs = Profile("climber").otherwise(1).compile(navmesh.areas()).value();
    cart.costs = Profile("cart").blocked("ladder").blocked("jump").otherwise(1).compile(navmesh.areas()).value();
    const NavmeshPath by_ladder = planner.find(upstairs, below, climber);
    const NavmeshPath by_ramp = planner.find(upstairs, below, cart);
    for (const NavmeshPath* path : {&by_ladder, &by_ramp}) {
        std::printf("%s: %.1f m in %zu points through %zu polygons\n", path == &by_ladder ? "climber" : "cart", path->length,
                    path->points.size(), path->corridor.size());
    }
    return by_ladder && by_ramp && by_ladder.length < by_ramp.length ? 0 : 1;
}
