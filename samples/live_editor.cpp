// Worker threads find paths while an editor changes the map. Each thread has its own planner; every query sees one version of the world.
//
// Queries and edits do not wait for each other: a query pins the version on which it begins, and an edit publishes the next one. Each path
// is checked on its version.
#include <terrane/base/rng.h>
#include <terrane/mapgen/mapgen.h>
#include <terrane/terrane.h>

#include <atomic>
#include <cstdio>
#include <thread>

using namespace terrane;

int main() {
    constexpr int32_t kSide = 256;
    constexpr int kWorkers = 2, kQueries = 200;
    World world(generate_island({.width = kSide, .height = kSide, .seed = 3}).value());
    const CostTable person = Profile::preset("person")->compile(world.grid().catalogue()).value();
    std::atomic<int> found = 0, wrong = 0, running = kWorkers;

    const auto work = [&](uint64_t seed) {
        Planner planner(world);
        Rng rng(seed);
        Path path;
        for (int i = 0; i < kQueries; ++i) {
            const Cell from{rng.between(0, kSide - 1), rng.between(0, kSide - 1)}, to{rng.between(0, kSide - 1), rng.between(0, kSide - 1)};
            planner.find(from, to, person, {}, path);
            if (!path) continue;
            ++found;
            if (path_cost({planner.snapshot().grid(), person, Movement::kEightNoCornerCutting}, path.cells) != path.cost) ++wrong;
        }
        --running;
    };
    std::vector<std::jthread> workers;
    for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work, 100 + i);

    int edits = 0;
    Rng rng(7);
    do {  // the editor: one thread at a time edits a world
        const int32_t x = rng.between(0, kSide - 9), y = rng.between(0, kSide - 9);
        world.fill({{x, y}, {8, 8}}, rng.chance(1, 2) ? "deep_water" : "road").value();
        ++edits;
    } while (running > 0);
    workers.clear();

    std::printf("%d edits while %d threads found %d paths; %d of them wrong\n", edits, kWorkers, found.load(), wrong.load());
    return found > 0 && wrong == 0 && world.grid().version() > 0 ? 0 : 1;
}
