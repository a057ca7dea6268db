// Parts of the test `limits`: the most terrains, the most profiles, extreme costs, and maps that are hard for abstractions.
#include <fmt/format.h>

#include <algorithm>

#include "selftest/limits.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/world_io.h"

namespace terrane::selftest {

namespace {

constexpr const char* kAllMethods[] = {"astar",
                                       "dijkstra",
                                       "nbs",
                                       "wastar:2",
                                       "focal:1.5",
                                       "greedy",
                                       "dta:8",
                                       "dta:16",
                                       "dta:16+smooth",
                                       "dta:16+cache",
                                       "dta:32/nbs/wastar:1.2",
                                       "minimal_memory:16+trim+smooth",
                                       "hpa:16",
                                       "hpa:16+smooth",
                                       "pra:4",
                                       "pra:inf",
                                       "overlay:2+portals",
                                       "overlay:2",
                                       "overlay:4",
                                       "overlay:2+smooth",
                                       "overlay:2+optimal"};
constexpr int32_t kMaxShape = 2048;  // cells a side

void ask_all_methods(Limits& limits, const std::string& name, World& world, Question question) {
    for (const char* method : kAllMethods) limits.ask(name, world, std::span(&question, 1), method);
}

template <class TerrainAt>
TerrainGrid grid_of(int32_t side, const Catalogue& catalogue, TerrainAt&& at) {
    std::vector<Terrain> cells;
    cells.reserve(static_cast<size_t>(side) * static_cast<size_t>(side));
    for (int32_t y = 0; y < side; ++y) {
        for (int32_t x = 0; x < side; ++x) cells.push_back(at(x, y));
    }
    return TerrainGrid(side, side, cells, catalogue);
}

Catalogue numbered_terrains(uint32_t terrains) {
    Catalogue catalogue;
    for (uint32_t t = 0; t < terrains; ++t) {
        const auto shade = static_cast<uint8_t>(t);
        static_cast<void>(catalogue.add({fmt::format("terrain_{}", t), 0, {shade, shade, shade}}).value());
    }
    return catalogue;
}

// A corridor of one cell between walls of one cell, from the corner to the middle. Sets `end` to its last cell.
TerrainGrid spiral(int32_t side, Cell& end) {
    std::vector<Terrain> cells(static_cast<size_t>(side) * static_cast<size_t>(side), 1);
    const auto at = [&](int32_t x, int32_t y) -> Terrain& {
        return cells[static_cast<size_t>(y) * static_cast<size_t>(side) + static_cast<size_t>(x)];
    };
    const auto inside = [&](int32_t x, int32_t y) { return x >= 0 && y >= 0 && x < side && y < side; };
    constexpr Cell kTurns[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    // Whether the corridor may continue to `to`: no neighbour except `from` is part of it.
    const auto free = [&](Cell to, Cell from) {
        if (!inside(to.x, to.y) || at(to.x, to.y) == 0) return false;
        return std::ranges::none_of(kTurns, [&](Cell d) {
            const Cell n{to.x + d.x, to.y + d.y};
            return n != from && inside(n.x, n.y) && at(n.x, n.y) == 0;
        });
    };
    Cell c{0, 0};
    at(0, 0) = 0;
    for (size_t turn = 0, stuck = 0; stuck < 2; turn = (turn + 1) % 4, ++stuck) {
        for (Cell next{c.x + kTurns[turn].x, c.y + kTurns[turn].y}; free(next, c); next = {c.x + kTurns[turn].x, c.y + kTurns[turn].y}) {
            c = next;
            at(c.x, c.y) = 0;
            stuck = 0;
        }
    }
    end = c;
    return TerrainGrid(side, side, cells, Catalogue::octile());
}

std::string words_on_regions(const World& world) {
    const TerrainRegions& regions = world.snapshot().all_regions()[0];
    return fmt::format("{} regions, {} edges, {:.1f} bytes a cell", regions.region_count(), regions.edge_count(),
                       static_cast<double>(regions.bytes()) / static_cast<double>(world.grid().layout().cells()));
}

std::unique_ptr<World> world_of(Limits& limits, const std::string& name, TerrainGrid grid, std::vector<uint32_t> sectors = {16, 8, 32}) {
    std::unique_ptr<World> world;
    for (const uint32_t sector : {8u, 16u, 32u}) {
        limits.step(fmt::format("{}: world of sectors of {}", name, sector), [&] {
            WorldOptions options;
            options.sectors = {sector};
            return words_on_regions(
                World(TerrainGrid(grid.width(), grid.height(), grid.snapshot().cells(), grid.snapshot().catalogue()), options));
        });
    }
    WorldOptions options;
    options.sectors = std::move(sectors);
    return std::make_unique<World>(std::move(grid), options);
}

}  // namespace

void try_terrains(Limits& limits) {
    const int32_t side = std::min(limits.setting().side, 512);
    const std::string name = fmt::format("255 terrains {}", side);
    Rng rng(limits.setting().seed);
    const Catalogue catalogue = numbered_terrains(kMaxTerrains);
    // Squares of 5x5 cells, so that regions have more than one cell.
    const auto world =
        world_of(limits, name, grid_of(side, catalogue, [&](int32_t x, int32_t y) {
                     return static_cast<Terrain>(mix64(static_cast<uint64_t>(y / 5) << 20 | static_cast<uint64_t>(x / 5)) % kMaxTerrains);
                 }));
    const auto bytes = format_world(world->snapshot());
    limits.check(bytes.has_value() && parse_saved_world(*bytes)->grid.snapshot().cells() == world->grid().cells(),
                 name + ": loaded cells differ from saved ones");
    const CostTable costs = table_of(catalogue, [&](Terrain) { return static_cast<Hundredths>(rng.between(100, 2000)); });
    ask_all_methods(limits, name, *world, {costs, {0, 0}, {side - 1, side - 1}});
}

void try_profiles(Limits& limits) {
    const int32_t side = std::min(limits.setting().side, 128);
    const int32_t profiles = std::min(limits.setting().side, 10'000);
    const std::string name = fmt::format("{} profiles, island {}", profiles, side);
    IslandOptions island;
    island.width = island.height = side;
    World world(generate_island(island).value());
    const Catalogue catalogue = world.grid().catalogue();
    std::vector<CostTable> tables;
    Rng rng(limits.setting().seed);
    limits.step(name + ": compiled", [&] {
        for (int32_t i = 0; i < profiles; ++i) {
            tables.push_back(table_of(catalogue, [&](Terrain t) {
                return t % 3 == 0 && rng.chance(1, 2) ? kBlocked : static_cast<Hundredths>(rng.between(1, 65000));
            }));
        }
        return std::string();
    });
    Planner planner(world);
    FindOptions options;
    Path path;
    const auto ask_all = [&](const char* method) {
        options.method = find_method(method).value();
        uint64_t found = 0;
        for (const CostTable& costs : tables) {
            planner.find({side / 4, side / 2}, {side * 3 / 4, side / 2}, costs, options, path);
            if (path.status != Status::kFound) continue;
            ++found;
            limits.check(path.cost == sum_of_steps(world.grid(), costs, path.cells), name + ": a path's cost is not the sum of its steps");
        }
        return fmt::format("{} found; planner {:.1f} MB", found, static_cast<double>(planner.bytes()) / (1 << 20));
    };
    limits.step(name + ": dta:16+smooth for each", [&] { return ask_all("dta:16+smooth"); });
    limits.step(name + ": dta:16+cache for each", [&] { return ask_all("dta:16+cache"); });
    limits.step(name + ": overlay:2 prepared for each", [&] {
        PrepareOptions with;
        with.method = find_method("overlay:2+landmarks:8").value();
        for (const CostTable& costs : tables) {
            const auto done = world.prepare(costs, with);
            limits.check(done.has_value(), name + ": not prepared");
            limits.setting().progress(0);
        }
        return fmt::format("{:.0f} MB of tables", static_cast<double>(world.bytes()) / (1 << 20));
    });
    limits.step(name + ": overlay:2 for each", [&] { return ask_all("overlay:2"); });
    limits.step(name + ": one cell edited", [&] {
        world.set(Cell{side / 2, side / 2}, Terrain{3});
        return std::string();
    });
}

void try_costs(Limits& limits) {
    const int32_t side = std::min(limits.setting().side, 1024);
    // Stripes of terrain of the lowest and the highest cost; every path has to cross them.
    const std::string stripes = fmt::format("costs of 0.01 and 650 in one profile, stripes {}", side);
    const Catalogue two = numbered_terrains(2);
    const CostTable costs = table_of(two, [](Terrain t) { return t == 0 ? kMinTerrainCost : kMaxTerrainCost; });
    const auto striped = world_of(limits, stripes, grid_of(side, two, [](int32_t, int32_t y) { return static_cast<Terrain>(y / 7 % 2); }));
    ask_all_methods(limits, stripes, *striped, {costs, {0, 0}, {side - 1, side - 1}});
    // The same costs in random blocks of 3x3 cells.
    const std::string mixed = fmt::format("costs of 0.01 and 650 in one profile, drawn for 3x3 cells {}", side);
    const auto blocks =
        world_of(limits, mixed, grid_of(side, two, [](int32_t x, int32_t y) {
                     return static_cast<Terrain>(mix64(static_cast<uint64_t>(y / 3) << 20 | static_cast<uint64_t>(x / 3)) % 5 == 0);
                 }));
    ask_all_methods(limits, mixed, *blocks, {costs, {0, 0}, {side - 1, side - 1}});
}

void try_shapes(Limits& limits) {
    const int32_t side = std::min(limits.setting().side, kMaxShape);
    {
        const std::string name = fmt::format("spiral {}", side);
        Cell end;
        const auto world = world_of(limits, name, spiral(side, end));
        // Without corner cutting all steps are straight.
        const auto open = world->grid().count(0);
        const CostTable costs = table_of(Catalogue::octile(), [](Terrain t) { return t == 0 ? kMaxTerrainCost : kBlocked; });
        ask_all_methods(limits, name, *world, {costs, {0, 0}, end, Cost{open - 1} * kStraight * 2 * kMaxTerrainCost});
    }
    {
        const std::string name = fmt::format("checkerboard {}", side);
        const auto world = world_of(
            limits, name, grid_of(side, numbered_terrains(2), [](int32_t x, int32_t y) { return static_cast<Terrain>((x + y) % 2); }));
        const CostTable costs = table_of(numbered_terrains(2), [](Terrain t) { return t == 0 ? Hundredths{100} : Hundredths{500}; });
        ask_all_methods(limits, name, *world, {costs, {0, 0}, {side - 1, side / 3}});
    }
    {
        const std::string name = fmt::format("random terrain per cell {}", side);
        ScatterOptions scatter;
        scatter.width = scatter.height = side;
        scatter.terrains = 16;
        const auto world = world_of(limits, name, generate_scatter(scatter).value());
        const CostTable costs = table_of(world->grid().catalogue(), [](Terrain t) { return Hundredths{100} + 50u * t; });
        ask_all_methods(limits, name, *world, {costs, {0, 0}, {side - 1, side - 1}});
        // The recommended setup for such a map: no regions, but a prepared method.
        std::unique_ptr<World> bare;
        limits.step(name + ": world without regions", [&] {
            WorldOptions options;
            options.sectors = {};
            bare = std::make_unique<World>(generate_scatter(scatter).value(), options);
            return in_mb(bare->bytes());
        });
        Question question{costs, {0, 0}, {side - 1, side - 1}};
        for (const char* method : {"astar", "overlay:4"}) limits.ask(name + ", without regions", *bare, std::span(&question, 1), method);
    }
}

}  // namespace terrane::selftest
