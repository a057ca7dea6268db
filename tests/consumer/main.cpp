#include <terrane/grid.h>
#include <terrane/profile.h>

#include <cstdio>

int main() {
    using namespace terrane;
    TerrainGrid grid(64, 64, *Catalogue::standard().find("plains"));
    if (!grid.fill({10, 0, 12, 64}, "river")) return 1;
    const auto profile = parse_profile("river 8\notherwise 2\n");
    if (!profile) return 1;
    const auto costs = profile->compile(grid.snapshot().catalogue());
    if (!costs) return 1;
    const GridSnapshot now = grid.snapshot();
    std::printf("river %s, plains %s\n", format_hundredths(costs->hundredths(now.at({10, 5}))).c_str(),
                format_hundredths(costs->hundredths(now.at({9, 5}))).c_str());
    return now.count(*now.catalogue().find("river")) == 128 ? 0 : 1;
}
