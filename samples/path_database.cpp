// A path database: every path of a map, precomputed. Queries read it, move by move; where a wall has come since, they search around it.
//
//   path_database FILE.map        scenes/rooms.map, for one
#include <terrane/cpd/cpd_data.h>
#include <terrane/terrane.h>

#include <cstdio>

using namespace terrane;

int main(int argc, char** argv) {
    Result<TerrainGrid> map = load_map(argc > 1 ? argv[1] : "scenes/rooms.map");
    if (!map) return std::fprintf(stderr, "%s\n", map.error().message().c_str()), 2;
    World world(std::move(*map));
    const CostTable walker = Profile::preset("walker")->compile(world.grid().catalogue()).value();

    PrepareOptions with;
    with.method = find_method("cpd").value();
    world.prepare(walker, with).value();
    const WorldSnapshot now = world.snapshot();
    const CpdData* prepared = now.prepared(with.method, now.ground(walker, Movement::kEight))->as<CpdData>();
    std::printf("%d x %d cells: a database of %zu bytes\n", world.grid().width(), world.grid().height(), prepared->database.bytes());

    Planner planner(world);
    FindOptions database, search;
    database.method = find_method("cpd:1").value();  // optimal; cpd/branching is within 1.1 of it, and faster on changed maps
    search.method = find_method("astar").value();
    bool right = true;
    const auto ask = [&](const char* when) {
        Path read, searched;
        const Cell from{2, 2}, to{28, 28};
        planner.find(from, to, walker, database, read);
        planner.find(from, to, walker, search, searched);
        std::printf("%s: cost %.3f, %llu expansions; A* %.3f, %llu\n", when, to_real(read.cost),
                    static_cast<unsigned long long>(read.expansions), to_real(searched.cost),
                    static_cast<unsigned long long>(searched.expansions));
        right = right && read && read.cost == searched.cost && read.expansions < searched.expansions;
        return read;
    };
    const Path before = ask("as built");
    const Cell middle = before.cells[before.cells.size() / 2];
    world.set(middle, "wall").value();
    ask("with a wall in the way");
    return right ? 0 : 1;
}
