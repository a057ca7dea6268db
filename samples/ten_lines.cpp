// Getting started: loads a map, finds a path for a profile, edits the world and finds a new path.
//
//   ten_lines [FILE.map]        default: scenes/islet.map
#include <terrane/terrane.h>

#include <cstdio>

using namespace terrane;

int main(int argc, char** argv) {
    Result<TerrainGrid> map = load_map(argc > 1 ? argv[1] : "scenes/islet.map");
    if (!map) return std::fprintf(stderr, "%s\n", map.error().message().c_str()), 2;

    World world(std::move(*map));
    Profile deer = Profile("deer").cost("trees", 1).cost("road", 4).blocked("deep_water").otherwise(2);
    Planner planner(world);

    const Cell from{64, 20}, to{60, 110};
    Path path = planner.find(from, to, deer);
    std::printf("%s: %zu cells, cost %.2f\n", to_string(path.status), path.cells.size(), to_real(path.cost));
    if (!path) return 1;  // a path that was not found has no cells

    const Cell middle = path.cells[path.cells.size() / 2];
    world.fill({{middle.x - 3, middle.y - 3}, {7, 7}}, "lava").value();
    const bool valid = path.still_valid(world);
    Path around = planner.find(from, to, deer.blocked("lava"));
    std::printf("after the lava: the old path is %s; the new one has %zu cells, cost %.2f\n", valid ? "valid" : "not valid any more",
                around.cells.size(), to_real(around.cost));
    return path && around && !valid && around.cost >= path.cost ? 0 : 1;
}
