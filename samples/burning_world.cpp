// A hundred creatures of five agent types cross an island while its woods burn and bridges are built.
//
//   burning_world [--frames N] [--png FILE]
//
// Each frame: the world changes; creatures whose watched paths were touched request new ones; the queue spends its expansion budget; all
// creatures walk one cell. Deterministic: the seed alone determines the result, on every machine.
#include <terrane/base/rng.h>
#include <terrane/io/picture.h>
#include <terrane/mapgen/mapgen.h>
#include <terrane/terrane.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace terrane;

constexpr int32_t kSide = 512;
constexpr uint64_t kSeed = 12;
constexpr uint64_t kBudget = 5000;  // expansions per frame
constexpr int kBurns = 20;          // frames that a cell burns

struct Creature {
    CostTable costs;
    Rgb colour;
    Cell at;
    RequestId request = 0;  // while it waits for a path
    WatchId watch = 0;      // while it walks one
    Path path;
    size_t step = 0;
};

struct Flame {
    Cell cell;
    int left;  // frames
};

struct Game {
    World world;
    RequestQueue queue{world};
    Rng rng{kSeed};
    CostTable woods = compiled(Profile().cost("trees", 1).cost("jungle", 1).otherwise_blocked());
    CostTable rivers = compiled(Profile().cost("river", 1).otherwise_blocked());
    std::vector<Creature> creatures;
    std::vector<Flame> flames;
    size_t edits = 0, replans = 0, arrivals = 0, worst = 0;

    explicit Game(TerrainGrid island) : world(std::move(island)) {
        // Three presets and two custom profiles: carts need roads and bridges, salamanders prefer fire.
        add(*Profile::preset("person"), {210, 40, 40});
        add(*Profile::preset("deer"), {240, 220, 60});
        add(*Profile::preset("outlaw"), {150, 60, 200});
        add(Profile().cost("road", 1).cost("bridge", 1).cost("plains", 3).cost("blight", 5).otherwise_blocked(), {250, 250, 250});
        add(Profile().cost("fire", 0.5).cost("blight", 1).blocked("water").blocked("deep_water").otherwise(4), {20, 20, 20});
    }

    void add(const Profile& profile, Rgb colour) {
        const CostTable costs = compiled(profile);
        for (int i = 0; i < 20; ++i) creatures.push_back({costs, colour, random_cell(costs), 0, 0, {}, 0});
    }

    CostTable compiled(const Profile& profile) const { return profile.compile(world.grid().catalogue()).value(); }
    Terrain named(const char* terrain) const { return *world.grid().catalogue().find(terrain); }

    // A random cell of cost at most 5; any cell after 10,000 tries.
    Cell random_cell(const CostTable& costs) {
        for (int tries = 1;; ++tries) {
            const Cell c{rng.between(0, kSide - 1), rng.between(0, kSide - 1)};
            const Terrain t = world.grid().at(c);
            if ((costs.passable(t) && costs.hundredths(t) <= 500) || tries == 10000) return c;
        }
    }

    // Flames spread to adjacent woods, burn for kBurns frames and leave blight.
    void burn(std::vector<CellEdit>& changes) {
        for (size_t i = 0, count = flames.size(); i < count; ++i) {
            const Cell from = flames[i].cell, move = kMoves[rng.below(8)], to{from.x + move.x, from.y + move.y};
            if (woods.passable(world.grid().at(to)) && rng.chance(1, 2)) flames.push_back({to, kBurns});
        }
        for (Flame& f : flames) changes.push_back({f.cell, named(f.left-- > 0 ? "fire" : "blight")});
        std::erase_if(flames, [](const Flame& f) { return f.left < 0; });
    }

    // Builds a bridge from `c` to the river's eastern bank.
    void build_bridge(Cell c, std::vector<CellEdit>& changes) {
        for (; rivers.passable(world.grid().at(c)); ++c.x) changes.push_back({c, named("bridge")});
    }

    void request_path(Creature& c, Cell goal) {
        FindOptions options;
        options.nearest = true;  // if the goal is unreachable: to the nearest reachable cell
        world.unwatch(c.watch);
        c.request = queue.add(c.at, goal, c.costs, options);
    }

    void walk(Creature& c) {
        if (queue.take(c.request, c.path)) {
            c.request = 0;
            c.watch = world.watch(c.path);
            c.step = 0;
        }
        if (c.request != 0) return;
        if (c.step < c.path.cells.size()) c.at = c.path.cells[c.step++];
        if (c.step < c.path.cells.size()) return;
        arrivals += c.path ? 1 : 0;  // not for partial paths, nor if a creature stands in the fire
        request_path(c, random_cell(c.costs));
    }

    void frame(int number) {
        std::vector<CellEdit> changes;
        if (number % 50 == 0) flames.push_back({random_cell(woods), kBurns});
        if (number % 10 == 0) build_bridge(random_cell(rivers), changes);
        burn(changes);
        const WorldEdit edit = world.apply(changes);
        for (Creature& c : creatures) {
            if (std::ranges::binary_search(edit.broken, c.watch)) request_path(c, c.path.cells.back());
        }
        worst = std::max<size_t>(worst, queue.run(kBudget));
        for (Creature& c : creatures) walk(c);
        edits += edit.grid.cells_changed;
        replans += edit.broken.size();
    }
};

int main(int argc, char** argv) {
    int frames = 1000;
    std::string png;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (argv[i] == std::string("--frames")) frames = std::atoi(argv[i + 1]);
        if (argv[i] == std::string("--png")) png = argv[i + 1];
    }
    IslandOptions island;
    island.width = island.height = kSide;
    island.seed = kSeed;
    Game game(generate_island(island).value());
    for (int i = 0; i < frames; ++i) game.frame(i);
    std::printf("%d frames: %zu cells edited, %zu re-plans, %zu arrivals, at most %zu expansions a frame\n", frames, game.edits,
                game.replans, game.arrivals, game.worst);
    if (png.empty()) return 0;
    Picture picture = draw_terrain(game.world.grid(), {2, 1});
    for (const Creature& c : game.creatures) draw_path(picture, std::span(c.path.cells).first(c.step), c.colour, {2, 1});
    return save_png(png, picture) ? 0 : 1;
}
