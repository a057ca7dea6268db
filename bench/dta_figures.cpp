// `terrane bench dta-figures`: draws Figures 1 to 3 of the Dynamic Terrain Abstraction paper from our own structures, and the other
// pictures of docs/abstraction.md, as PNG files in out/.
// Based on: Sturtevant, Sigurdson, Taylor, Gibson 2019, "Pathfinding and Abstraction with Dynamic Terrain Costs" (AIIDE).
//
// Of Figure 1 it draws only the right part, which shows this abstraction; the other parts show other methods. The paper's maps are not
// published with its figures, so these are similar maps of our own.
#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "bench/bench.h"
#include "bench/region_picture.h"
#include "dta/region_search.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane {

namespace dta_figures_bench {
namespace {

constexpr const char* kFolder = "out";
constexpr Rgb kWhite{250, 250, 250}, kRed{236, 58, 54}, kYellow{255, 214, 62}, kViolet{168, 96, 240};

// Plains, trees, a road, a lake with its beach, and rocks that cut the lower left sector into two components.
constexpr std::string_view kFigure1 = R"(
TTTTTTTTTTTT....................
TTTTTTTTTTTT....................
TTTTTTTTTTTT..........===.......
TTTTTTTTTTT.......===========...
TTTTTTTTTTTT....================
TTTTTTTTTTTT..=====.........====
TTTTTTTTTTTT.====..............=
TTTTTTTT...====.................
TTTTTTT..====...................
===========.....................
=========.......................
...===....................:.....
.......................::::::...
.....................::::~~~::..
....................:::~~~~~~:::
...................:::~~~~~~~~::
...................:::~~~~~~~~::
...................:::~~~~~~~~::
##.................:::~~~~~~~~::
####...............:::~~~~~~~~::
.######.............:::~~~~~~:::
...#####............::::~~~~~::.
.....######............:::::::..
........#####......TT....:::....
..........#######TTTTTTT........
............#####TTTTTTT........
..............###TTTTTTT........
................TTTTTTTTT.......
................TTTTTTTTT.......
................TTTTTTTT........
................TTTTTTTT........
................TTTTTTT.........
)";

// Two areas that touch at a corner between rocks; four areas that touch at one corner.
constexpr std::string_view kCorners = R"(
###...#TTT===
###...#TTT===
###...#TTT===
...####===TTT
...####===TTT
...####===TTT
)";

// A river between woods and hills, and a road that ends at both banks.
constexpr std::string_view kRiver = R"(
.TTTTTTTTTTTTTTT......~~~~......................
TTTTTTTTTTTTTTTT.......~~~~...........hh........
TTTTTTTTTTTTTTTTT.......~~~.........hhhhhhhhh...
TTTTTTTTTTTTTTTTTTTT....~~~~.......hhhhhhhhhhh..
TTTTTTTTTTTTTTTTTTT......~~~~.....hhhhhhhhhhhhhh
TTTTTTTTTTTTTTTTTTT......~~~~....hhhhhhhhhhhhhhh
TTTTTTTTTTTTTTTTTTT.......~~~...hhhhhhhhhhhhhhhh
TTTTTTTTTTTTTTTTTTT.......~~~~..hhhhhhhhhhhhhhhh
TTTTTTTTTTTTTTTTTT........~~~~..hhhhhhhhhhhhhhhh
TTTTTTTTTTTTTTTTT..........~~~~...hhhhhhhhhhhhhh
TTTTTTTTTTTTTTTTT..........~~~~...hhhhhhhhhhhhhh
TTTTTTTTTTTTTTTT...........~~~~...hhhhhhhhhhhhh.
TTTTTTTTTTTTTTT............~~~~......hhhhhhh....
....TTTTTTTTTT.............~~~~.......hhh.......
....TT....TT...............~~~~.................
...........................~~~~.................
...........................~~~~.................
...........................~~~~.................
...........................~~~~.................
...........................~~~~.................
...........................~~~~===========......
..........................~~~~================..
........................==~~~~=...........======
......................====~~~~................==
=..................======~~~~...................
====...........=======...~~~~...................
===================......~~~~...................
....============.........~~~~...................
........................~~~~....................
........................~~~~....................
........................~~~~....................
.......................~~~~.............TTTT....
.......................~~~~...........TTTTTT....
......................~~~~...........TTTTTTTTTTT
......................~~~~.........TTTTTTTTTTTTT
......................~~~.........TTTTTTTTTTTTTT
....::::.............~~~~........TTTTTTTTTTTTTTT
..::::::::::.........~~~~........TTTTTTTTTTTTTTT
:::::::::::::.......~~~~........TTTTTTTTTTTTTTTT
:::::::::::::::.....~~~~.......TTTTTTTTTTTTTTTTT
:::::::::::::::.....~~~........TTTTTTTTTTTTTTTTT
:::::::::::::::....~~~~..........TTTTTTTTTTTTTTT
::::::::::::::::...~~~~..........TTTTTTTTTTTTTTT
::::::::::::::::...~~~~..........TTTTTTTTTTTTTTT
:::::::::::::::....~~~...........TTTTTTTTTTTTTTT
::::::::::::::....~~~~...........TTTTTTTTTTTTTTT
:::::::::::::.....~~~~..............TTTTTTTTTTTT
..::::::::::......~~~~..............TTTTTTTTTTTT
)";
constexpr Rect kBridge{{26, 21}, {4, 2}};
constexpr Cell kFelledTree{18, 4};  // inside its sector, at the edge of the woods

const char* terrain_of(char letter) {
    switch (letter) {
        case 'T': return "trees";
        case '=': return "road";
        case '~': return "water";
        case ':': return "desert";
        case 'h': return "hills";
        case '#': return "black";
        default: return "plains";
    }
}

// Parses lines of equal length; the first is empty.
TerrainGrid drawn_world(std::string_view drawing) {
    std::vector<Terrain> cells;
    cells.reserve(drawing.size());
    for (const char letter : drawing) {
        if (letter != '\n') cells.push_back(*Catalogue::standard().find(terrain_of(letter)));
    }
    return {static_cast<int32_t>(drawing.find('\n', 1)) - 1, static_cast<int32_t>(std::ranges::count(drawing, '\n')) - 1, cells};
}

// Returns a copy of the cells of a rectangle.
TerrainGrid part_of(const GridSnapshot& grid, const Rect& part) {
    std::vector<Terrain> cells;
    cells.reserve(static_cast<size_t>(part.width) * static_cast<size_t>(part.height));
    for (int32_t y = part.y; y < part.bottom(); ++y) {
        for (int32_t x = part.x; x < part.right(); ++x) cells.push_back(grid.at(Cell{x, y}));
    }
    return {part.width, part.height, cells, grid.catalogue()};
}

// An island small enough for single cells to be visible.
TerrainGrid small_island() {
    IslandOptions island;
    island.width = island.height = 256;
    island.polygon = 12;
    island.merge = 30;
    island.seed = 3;
    return generate_island(island).value();
}

CostTable compiled(const Profile& profile) { return profile.compile(Catalogue::standard()).value(); }

// Blocks only rocks.
CostTable avoids_rocks() { return compiled(Profile("avoids rocks").blocked("black")); }

// Prefers roads; water is blocked.
CostTable walker() {
    return compiled(Profile("walker").blocked("black").blocked("water").cost("road", 1).cost("bridge", 1).cost("trees", 3).otherwise(2));
}

// Darker terrains cost less: 1.0 to 4.0 in steps of 0.2, as in Figure 3. For the sixteen terrains of islands.
CostTable costs_by_shade() {
    constexpr size_t kTerrains = 16;
    const std::vector<TerrainType>& all = Catalogue::standard().types();
    std::vector<TerrainType> types(all.begin(), all.begin() + kTerrains);
    std::ranges::sort(types, {},
                      [](const TerrainType& t) { return std::pair(299 * t.colour.r + 587 * t.colour.g + 114 * t.colour.b, t.letter); });
    Profile profile("shade");
    for (Hundredths i = 0; i < kTerrains; ++i) profile.rule(types[i].name, 100 + 20 * i);
    return compiled(profile);
}

Result<void> save(const char* name, const Picture& picture) { return save_png((std::filesystem::path(kFolder) / name).string(), picture); }

Picture draw(const TerrainRegions& regions, PictureScale scale, const RegionPictureOptions& options = {}) {
    Picture picture = draw_terrain(regions.grid(), scale);
    draw_regions(picture, regions, scale, options);
    return picture;
}

ReportRow count_row(const char* figure, const TerrainRegions& regions) {
    return {regions.sector() == kWholeMap ? "dta:map" : "dta:" + std::to_string(regions.sector()),
            {{"figure", figure}},
            {{"regions", static_cast<double>(regions.region_count())}, {"edges", static_cast<double>(regions.edge_count())}}};
}

// Draws a map with its region graph: Figures 1 and 2, and the corners.
Result<void> draw_graph(const char* file, const TerrainGrid& grid, uint32_t sector, int32_t scale, const CostTable* costs, Report& report) {
    const TerrainRegions regions = TerrainRegions::build(grid.snapshot(), {.sector = sector});
    report.rows.push_back(count_row(file, regions));
    RegionPictureOptions options;
    options.costs = costs;
    return save(file, draw(regions, {scale, 1}, options));
}

Result<void> draw_graphs(Report& report) {
    const TerrainGrid figure1 = drawn_world(kFigure1), corners = drawn_world(kCorners);
    const CostTable costs = avoids_rocks();
    if (const auto done = draw_graph("figure1.png", figure1, 16, 16, &costs, report); !done) return done;
    if (const auto done = draw_graph("corners.png", corners, kWholeMap, 28, &costs, report); !done) return done;
    return draw_graph("figure2.png", part_of(small_island().snapshot(), {{24, 128}, {80, 48}}), 8, 7, nullptr, report);
}

// How to draw the path of a method.
struct PathStyle {
    const char* method;
    Rgb colour;
    int32_t width;  // pixels
};

Path find(Planner& planner, Cell start, Cell goal, const CostTable& costs, const char* method) {
    FindOptions options;
    options.method = find_method(method).value();
    Path path;
    planner.find(start, goal, costs, options, path);
    return path;
}

// Checks that the path is legal, that its cost is correct, and that its bound holds.
bool holds(const GridSnapshot& grid, const CostTable& costs, const Path& path, const Path& optimal) {
    return path && path_cost({grid, costs, Movement::kEightNoCornerCutting}, path.cells) == path.cost && path.cost >= optimal.cost &&
           to_real(path.cost) <= path.bound * to_real(optimal.cost) * (1 + 1e-9);
}

// Finds and draws the paths, the first one below the others, and adds their rows.
void draw_paths(std::span<const PathStyle> styles, const char* figure, const World& world, const CostTable& costs, Cell start, Cell goal,
                PictureScale scale, Picture& picture, Report& report) {
    Planner planner(world);
    const Path optimal = find(planner, start, goal, costs, "astar");
    for (const auto& [method, colour, width] : styles) {
        const Path path = find(planner, start, goal, costs, method);
        draw_path(picture, path.cells, colour, scale, width);
        report.rows.push_back({method,
                               {{"figure", figure}},
                               {{"solved", holds(world.grid(), costs, path, optimal) ? 1 : 0},
                                {"expansions", static_cast<double>(path.expansions)},
                                {"expansions_first", static_cast<double>(path.expansions_first)},
                                {"cost_cells", to_real(path.cost)},
                                {"ratio_mean", to_real(path.cost) / to_real(optimal.cost)}}});
    }
}

// Figure 3: three paths on a part of an island of 2048x2048 cells.
Result<void> draw_figure3(Report& report) {
    constexpr Cell kStart{586, 788}, kGoal{1167, 890};
    constexpr Rect kPart{{536, 640}, {680, 400}};
    IslandOptions island;
    island.width = island.height = 2048;
    island.seed = 4;
    const World world(generate_island(island).value());
    constexpr PathStyle kStyles[] = {{"wastar:4", kViolet, 3}, {"nbs", kWhite, 6}, {"dta:16", kRed, 3}};
    Picture picture = draw_terrain(world.grid());
    draw_paths(kStyles, "figure3.png", world, costs_by_shade(), kStart, kGoal, {}, picture, report);
    report.paper = {{"nbs", {{"figure", "3"}}, {{"expansions", 300000}, {"cost_cells", 1136}, {"ratio_mean", 1}}},
                    {"dta", {{"figure", "3"}}, {{"expansions", 8744}, {"cost_cells", 1295}, {"ratio_mean", 1295 / 1136.0}}},
                    {"wastar:4", {{"figure", "3"}}, {{"expansions", 6657}, {"cost_cells", 1879}, {"ratio_mean", 1879 / 1136.0}}}};
    return save("figure3.png", crop_to_cells(picture, kPart, {}));
}

// Returns the start, the representatives of the abstract path, and the goal.
std::vector<Cell> abstract_path(const TerrainRegions& regions, const CostTable& costs, Cell start, Cell goal) {
    RegionSearch search;
    search.begin(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, regions.region_of(start), regions.region_of(goal));
    std::vector<RegionId> route;
    if (search.run() == Status::kFound) search.path(route);
    std::vector<Cell> cells{start};
    cells.reserve(route.size());
    for (size_t i = 1; i + 1 < route.size(); ++i) cells.push_back(regions.region(route[i]).representative());
    cells.push_back(goal);
    return cells;
}

// Returns the cells of the first refined segment.
std::vector<Cell> first_segment(Planner& planner, Cell start, Cell goal, const CostTable& costs, const char* method) {
    FindOptions options;
    options.method = find_method(method).value();
    planner.begin(start, goal, costs, options);
    while (planner.ready().empty() && planner.run(1) == Status::kBudgetSpent) {
    }
    return {planner.ready().begin(), planner.ready().end()};
}

// Draws an abstract path with its refinement, then the effect of smoothing.
Result<void> draw_refinement(Report& report) {
    constexpr Cell kStart{19, 14}, kGoal{107, 24};
    constexpr PictureScale kScale{5, 1};
    const World world(part_of(small_island().snapshot(), {{20, 100}, {128, 64}}));
    const TerrainRegions regions = *world.snapshot().regions(16);
    const CostTable costs = walker();
    Planner planner(world);
    Picture picture = draw(regions, kScale, {.graph = false});
    draw_path(picture, find(planner, kStart, kGoal, costs, "dta:16").cells, kRed, kScale, 6);
    draw_path(picture, first_segment(planner, kStart, kGoal, costs, "dta:16"), kYellow, kScale, 6);
    draw_waypoints(picture, abstract_path(regions, costs, kStart, kGoal), kWhite, kScale);
    if (const auto done = save("refinement.png", picture); !done) return done;

    constexpr PathStyle kStyles[] = {{"astar", kWhite, 6}, {"dta:16", kRed, 3}, {"dta:16+smooth", kYellow, 3}};
    picture = draw_terrain(world.grid(), kScale);
    draw_paths(kStyles, "smoothing.png", world, costs, kStart, kGoal, kScale, picture, report);
    return save("smoothing.png", picture);
}

ReportRow edit_row(const char* figure, const char* edit, const TerrainRegions& regions, const RepairReport& repair) {
    ReportRow row = count_row(figure, regions);
    row.scene["edit"] = edit;
    row.metrics.emplace_back("cells_moved", repair.cells_moved);
    row.metrics.emplace_back("sectors_labelled", repair.sectors_labelled);
    row.metrics.emplace_back("sectors_reconnected", repair.sectors_reconnected);
    return row;
}

// A felled tree moves one cell to another region; a bridge relabels a sector and changes the edges of its neighbours.
Result<void> draw_edits(Report& report) {
    constexpr PictureScale kScale{9, 1};
    constexpr Rgb kUntouched{24, 22, 30}, kLabelled{255, 150, 40};
    RegionPictureOptions options;
    const CostTable costs = walker();
    options.costs = &costs;
    World world(drawn_world(kRiver));
    const TerrainRegions before = *world.snapshot().regions(16);
    if (const auto done = save("edit-before.png", draw(before, kScale, options)); !done) return done;

    const WorldEdit tree = world.set(kFelledTree, "plains").value();
    report.rows.push_back(edit_row("edit", "a tree felled", *world.snapshot().regions(16), tree.repairs[0]));
    const WorldEdit bridge = world.fill(kBridge, "bridge").value();
    const TerrainRegions after = *world.snapshot().regions(16);
    report.rows.push_back(edit_row("edit-after.png", "a bridge built", after, bridge.repairs[0]));

    Picture picture = draw_terrain(after.grid(), kScale);
    const std::vector<uint32_t>& changed = bridge.repairs[0].sectors;
    for (uint32_t sector = 0; sector < after.sectors(); ++sector) {
        const Rect cells = after.sector_rect(sector);
        if (!std::ranges::binary_search(changed, sector)) tint_cells(picture, cells, kUntouched, 130, kScale);
        if (sector == after.sector_at(kBridge.corner())) tint_cells(picture, cells, kLabelled, 60, kScale);
    }
    draw_regions(picture, after, kScale, options);
    return save("edit-after.png", picture);
}

}  // namespace
}  // namespace dta_figures_bench

Result<Report> bench_dta_figures(const BenchOptions&) {
    using namespace dta_figures_bench;
    std::error_code error;
    std::filesystem::create_directories(kFolder, error);
    if (error) return Error{ErrorCode::kCannotOpen, kFolder, 0, "cannot create this folder: " + error.message()};
    Report report{"dta-figures", {}, {}};
    for (const auto& draw_some : {draw_graphs, draw_figure3, draw_refinement, draw_edits}) {
        if (const auto done = draw_some(report); !done) return done.error();
    }
    return report;
}

}  // namespace terrane
