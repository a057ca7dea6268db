// A crowd: two groups of agents exchange places through a wall with one door, without collisions.
//
// The method proposes moves, and the crowd validates all of them together: no two agents on one cell, no swaps, no crossing diagonals. At
// tick 20 a second door is opened.
#include <terrane/crowd/crowd.h>
#include <terrane/crowd/crowd_method.h>
#include <terrane/terrane.h>

#include <cstdio>

using namespace terrane;

int main() {
    constexpr int32_t kWidth = 25, kHeight = 11;
    World world(TerrainGrid(kWidth, kHeight, *Catalogue::octile().find("ground"), Catalogue::octile()));
    world.fill({{12, 0}, {1, kHeight}}, "wall").value();
    world.set({12, 5}, "ground").value();

    const CostTable walker = Profile::preset("walker")->compile(world.grid().catalogue()).value();
    Crowd crowd(world, {walker}, make_crowd_method(find_crowd_method("lacam").value()));
    for (int32_t y = 0; y < kHeight; ++y) {
        crowd.add({2, y}, {kWidth - 3, y});
        crowd.add({kWidth - 3, y}, {2, y});
    }
    while (!crowd.all_arrived() && crowd.ticks() < 500) {
        if (crowd.ticks() == 20) world.set({12, 8}, "ground").value();
        if (crowd.tick()) return std::fprintf(stderr, "tick %u: a move was refused\n", crowd.ticks()), 1;
    }

    Cost cost = 0;
    for (const CrowdAgent& agent : crowd.agents()) cost += agent.cost;
    std::printf("%zu of %zu arrived after %u ticks, %.1f each\n", crowd.at_goal(), crowd.present(), crowd.ticks(),
                to_real(cost) / static_cast<double>(crowd.present()));
    return crowd.all_arrived() && crowd.present() == 2 * kHeight ? 0 : 1;
}
