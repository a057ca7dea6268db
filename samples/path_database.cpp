// A compressed path database: the first move of an optimal path between any two cells, precomputed. Queries follow it move by move; after
// an edit they search where the map differs.
//
//   path_database [FILE.map]        default: scenes/rooms.map
#include <terrane/cpd/prepared_cpd.h>
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
    const PreparedCpd* prepared = now.prepared(with.method, now.ground(walker, Movement::kEightNoCornerCutting))->as<PreparedCpd>();
    std::printf("%d x %d cells: a database of %zu bytes\n", world.grid().width(), world.grid().height(), prepared->database.bytes());

    Planner planner(world);
    FindOptions database, search;
    database.method =
        find_method("cpd:1").value();  // optimal; cpd/branching costs at most 1.1 times the optimum and is faster on changed maps
    search.method = find_method("astar").value();
    bool right = true;
    const auto compare = [&](const char* when) {
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
    const Path before = compare("as built");
    const Cell middle = before.cells[before.cells.size() / 2];
    world.set(middle, "wall").value();
    compare("with a wall in the way");
    return right ? 0 : 1;
}
