#include <terrane/grid_search/grid_search.h>
#include <terrane/terrane.h>

#include <cstdio>
using namespace terrane;

int main() {
    TerrainGrid world(64, 64, *Catalogue::standard().find("plains"));
    Profile deer = Profile("deer").cost("trees", 1).blocked("deep_water").otherwise(2);
    if (!world.fill({{10, 0}, {2, 60}}, "deep_water")) return 1;
    const Path path = find_path(world.snapshot(), {2, 2}, {60, 2}, deer).value();
    std::printf("%s: %zu cells, cost %.2f\n", to_string(path.status), path.cells.size(), to_real(path.cost));
    return path.status == Status::kFound && path.cells.size() > 100 ? 0 : 1;
}
