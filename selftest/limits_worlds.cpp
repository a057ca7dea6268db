// Parts of the test `limits`: worlds of the largest size.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <optional>

#include "selftest/limits.h"
#include "terrane/io/picture.h"
#include "terrane/io/world_file.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/world_io.h"

namespace terrane::selftest {

namespace {

// Not hpa: at 32768 cells a side it takes ten minutes to prepare.
constexpr const char* kMethods[] = {
    "astar",    "dta:16", "dta:16+smooth", "dta:16/nbs/wastar:1.2", "minimal_memory:16+trim+smooth", "greedy", "overlay:2", "pra:4",
    "wastar:2", "nbs"};

std::string size_of(const char* what, int32_t side) { return fmt::format("{} {}", what, side); }

// Returns the optimal cost over terrain of one cost, 8-connected.
Cost octile_cost(Cell a, Cell b, Hundredths cost) {
    const auto dx = static_cast<Cost>(std::abs(a.x - b.x)), dy = static_cast<Cost>(std::abs(a.y - b.y));
    return (kDiagonal * std::min(dx, dy) + kStraight * (std::max(dx, dy) - std::min(dx, dy))) * 2 * cost;
}

bool same_cells(const GridSnapshot& a, const GridSnapshot& b) {
    if (a.layout() != b.layout()) return false;
    for (uint32_t y = 0; y < a.layout().tiles_y(); ++y) {
        for (uint32_t x = 0; x < a.layout().tiles_x(); ++x) {
            const uint32_t tile = y << a.layout().row_shift | x;
            if (std::memcmp(a.tile_cells(tile), b.tile_cells(tile), kTileCells) != 0) return false;
        }
    }
    return true;
}

std::string words_on_edit(const WorldEdit& edit) {
    return fmt::format("{} cells, {} sectors", edit.grid.cells_changed, edit.repairs[0].sectors.size());
}

void make_edits(Limits& limits, const std::string& name, World& world, int32_t side) {
    const Terrain lava = *world.grid().catalogue().find("lava");
    const int32_t middle = side / 2;
    limits.step(name + ": one cell edited", [&] { return words_on_edit(world.set(Cell{middle, middle}, lava)); });
    limits.step(name + ": a square of a sixteenth filled", [&] {
        return words_on_edit(world.fill({{side / 8, side / 8}, {middle - side / 8, middle - side / 8}}, lava));
    });
    limits.step(name + ": two lines across", [&] {
        std::vector<CellEdit> cells;
        for (int32_t i = 0; i < side; ++i) {
            cells.push_back({{i, i}, lava});
            cells.push_back({{i, middle}, lava});
        }
        return words_on_edit(world.apply(cells));
    });
}

// From corner to corner, and a shorter path, with a profile that blocks nothing. A* finds the optimum.
void ask_methods(Limits& limits, const std::string& name, World& world, int32_t side) {
    const CostTable costs = table_of(world.grid().catalogue(), [](Terrain t) { return Hundredths{100} + 50 * (t % 7u); });
    Question questions[] = {{costs, {0, 0}, {side - 1, side - 1}}, {costs, {side / 3, side / 2}, {side / 2, side / 2}}};
    for (const char* method : kMethods) limits.ask(name, world, questions, method);
}

// Runs out of memory and out of budget: both must be reported, and the next query must be answered.
void run_short(Limits& limits, const std::string& name, World& world, Capped& memory, const Question& question) {
    limits.step(name + ": little memory left", [&] {
        Planner planner(world);
        FindOptions options;
        options.method = find_method("dijkstra").value();
        const size_t all = memory.limit();
        memory.set_limit(memory.used() + world.grid().layout().cells() / 8);
        Path path;
        planner.find(question.start, question.goal, question.costs, options, path);
        limits.check(path.status == Status::kOutOfMemory && path.cells.empty(),
                     name + ": expected out of memory, found " + to_string(path.status));
        const std::string words = to_string(path.status);
        memory.set_limit(all);
        options.max_expansions = 1000;
        planner.find(question.start, question.goal, question.costs, options, path);
        limits.check(path.status == Status::kBudgetSpent && path.expansions == 1000, name + ": the budget was not respected");
        planner.find(question.start, question.start, question.costs, {}, path);
        limits.check(path.status == Status::kFound, name + ": no answer after a query that ran out of memory");
        return words;
    });
}

}  // namespace

void try_plain_terrain(Limits& limits) {
    const int32_t side = limits.setting().side;
    const std::string name = size_of("plain terrain", side);
    Capped memory(limits.memory());
    const MemoryScope scope(&memory);
    std::unique_ptr<World> world;
    limits.step(name + ": world built", [&] {
        WorldOptions options;
        options.memory = &memory;
        world = std::make_unique<World>(TerrainGrid(side, side, *Catalogue::standard().find("plains")), options);
        return in_mb(world->bytes());
    });
    const CostTable costs = table_of(world->grid().catalogue(), [](Terrain) { return kMaxTerrainCost; });
    Question questions[] = {{costs, {0, 0}, {side - 1, side - 1}}, {costs, {0, 0}, {side - 1, side / 3}}};
    for (Question& question : questions) question.truth = octile_cost(question.start, question.goal, kMaxTerrainCost);
    for (const char* method : kMethods) limits.ask(name, *world, questions, method);
    run_short(limits, name, *world, memory, {costs, {0, 0}, {side - 1, side - 1}});
}

void try_island(Limits& limits) {
    const int32_t side = limits.setting().side;
    const std::string name = size_of("island", side), file = limits.setting().folder + "/limits.terrane";
    Capped memory(limits.memory());
    std::unique_ptr<World> world;
    {
        std::optional<TerrainGrid> made;
        limits.step(name + ": generated", [&] {
            IslandOptions options;
            options.width = options.height = side;
            options.seed = limits.setting().seed;
            made = generate_island(options).value();
            return in_mb(made->snapshot().bytes());
        });
        limits.step(name + ": saved", [&] {
            const auto saved = save_map(file, made->snapshot());
            limits.check(saved.has_value(), saved ? "" : saved.error().message());
            return saved ? in_mb(std::filesystem::file_size(file)) : "";
        });
        limits.step(name + ": loaded, regions built", [&] {
            WorldOptions options;
            options.memory = &memory;
            auto opened = load_world(file, options);
            if (!opened) return opened.error().message();
            world = std::move(*opened);
            const TerrainRegions& regions = world->snapshot().all_regions()[0];
            return fmt::format("{} regions, {} edges, {}", regions.region_count(), regions.edge_count(), in_mb(regions.bytes()));
        });
        limits.check(world != nullptr && same_cells(made->snapshot(), world->grid()), name + ": loaded cells differ from saved ones");
        if (world == nullptr) return;
    }
    make_edits(limits, name, *world, side);
    limits.step(name + ": regions rebuilt for comparison", [&] {
        const bool same = TerrainRegions::build(world->grid()) == world->snapshot().all_regions()[0];
        limits.check(same, name + ": repaired regions differ from rebuilt ones");
        return "";
    });
    ask_methods(limits, name, *world, side);
    limits.step(name + ": saved with its regions", [&] {
        const auto saved = save_world(file, world->snapshot());
        limits.check(saved.has_value(), saved ? "" : saved.error().message());
        return saved ? in_mb(std::filesystem::file_size(file)) : "";
    });
    limits.step(name + ": opened with its regions", [&] {
        const auto opened = load_world(file);
        limits.check(opened.has_value(), opened ? "" : opened.error().message());
        if (!opened) return "";
        limits.check(same_cells((*opened)->grid(), world->grid()), name + ": loaded cells differ from saved ones");
        limits.check((*opened)->snapshot().all_regions()[0] == world->snapshot().all_regions()[0],
                     name + ": loaded regions differ from saved ones");
        return "";
    });
    std::filesystem::remove(file);
    limits.step(name + ": drawn", [&] {
        const auto png = encode_png(draw_terrain(world->grid(), PictureScale::fit(world->grid().layout(), 4096)));
        limits.check(png.has_value(), png ? "" : png.error().message());
        return png ? in_mb(png->size()) : "";
    });
    limits.step(name + ": every cell filled", [&] {
        const std::string words = words_on_edit(world->fill(world->grid().layout().rect(), *world->grid().catalogue().find("lava")));
        const TerrainRegions& regions = world->snapshot().all_regions()[0];
        limits.check(regions.region_count() == regions.sectors(), name + ": one terrain, but not one region per sector");
        return words;
    });
}

}  // namespace terrane::selftest
