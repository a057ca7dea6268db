#include "bench/minimal_memory_figures.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "bench/region_picture.h"
#include "minimal_memory/minimal_memory_query.h"
#include "terrane/grid_search/grid_search.h"

namespace terrane {

namespace minimal_memory_figures_bench {
namespace {

constexpr Rgb kWhite{250, 250, 250}, kRed{236, 58, 54}, kYellow{255, 214, 62}, kBorder{24, 22, 30}, kEdge{118, 255, 92};
constexpr std::array<Rgb, 6> kShades = {
    {{90, 160, 240}, {240, 150, 70}, {120, 200, 110}, {200, 110, 200}, {230, 210, 90}, {110, 200, 200}}};

// Rooms, corridors, and a wall that cuts two sectors into two regions each, as on slides 13 to 15.
constexpr std::string_view kRooms = R"(
................................
................................
................................
......#################.........
......#...............#.........
......#...............#.........
......#...............#.........
......#...............###.######
......#........................#
......#........................#
......#.........######.........#
......#.........#..............#
......#.........#..............#
......#.........#..............#
......#####.#####..............#
......#.........#......#########
.#######........#......#........
................#......#........
................#......#........
................#......#........
................#......#........
................#......#........
###########.#####......#........
..........#............#........
..........#............#........
..........#............#........
..........#######.######........
..........#.....................
..........#.....................
..........#.....................
................................
................................
)";

TerrainGrid drawn_world(std::string_view drawing) {
    std::vector<Terrain> cells;
    cells.reserve(drawing.size());
    for (const char letter : drawing) {
        if (letter != '\n') cells.push_back(*Catalogue::standard().find(letter == '#' ? "black" : "plains"));
    }
    return {static_cast<int32_t>(drawing.find('\n', 1)) - 1, static_cast<int32_t>(std::ranges::count(drawing, '\n')) - 1, cells};
}

void draw_sectors(Picture& picture, const MinimalMemory& memory, int32_t scale) {
    for (uint32_t s = 1; s < memory.sectors(); ++s) {
        const Rect rect = memory.sector_rect(s);
        const int32_t x = rect.x * scale, y = rect.y * scale;
        for (int32_t i = y; x > 0 && i < rect.bottom() * scale; ++i) picture.at(x, i) = picture.at(x - 1, i) = kBorder;
        for (int32_t i = x; y > 0 && i < rect.right() * scale; ++i) picture.at(i, y) = picture.at(i, y - 1) = kBorder;
    }
}

// Tints cells by region, then draws the graph.
void draw_memory(Picture& picture, const MinimalMemory& memory, int32_t scale) {
    const GridLayout& layout = memory.grid().layout();
    for (int32_t y = 0; y < layout.height; ++y) {
        for (int32_t x = 0; x < layout.width; ++x) {
            const RegionId region = memory.region_of({x, y});
            if (region == kNoRegion) continue;
            const size_t shade = (memory.sector_of(region) * 2 + memory.number_of(region)) % kShades.size();
            tint_cells(picture, {{x, y}, {1, 1}}, kShades[shade], 90, {scale, 1});
        }
    }
    draw_sectors(picture, memory, scale);
    std::vector<Cell> centres;
    for (uint32_t s = 0; s < memory.sectors(); ++s) {
        for (uint32_t r = 0; r < memory.regions_in(s); ++r) {
            centres.push_back(memory.centre(memory.id(s, r)));
            memory.for_each_edge(memory.id(s, r), [&](RegionId to) {
                const std::array<Cell, 2> ends = {centres.back(), memory.centre(to)};
                draw_waypoints(picture, ends, kEdge, {scale, 1});
            });
        }
    }
    for (const Cell centre : centres) draw_waypoints(picture, std::array{centre}, kWhite, {scale, 1});
}

std::vector<Cell> find(const MinimalMemory& memory, const CostTable& costs, Cell start, Cell goal,
                       const MinimalMemoryQueryOptions& options) {
    MinimalMemoryQuery query;
    query.begin(memory, {memory.grid(), costs, Movement::kEightNoCornerCutting}, start, goal, options);
    query.run();
    return query.cells();
}

}  // namespace
}  // namespace minimal_memory_figures_bench

Result<void> draw_minimal_memory_figures(const std::string& folder) {
    using namespace minimal_memory_figures_bench;
    constexpr PictureScale kScale{16, 1};
    constexpr Cell kStart{3, 12}, kGoal{28, 19};
    const std::filesystem::path out(folder);
    const TerrainGrid grid = drawn_world(kRooms);
    const GridSnapshot now = grid.snapshot();
    const Profile walker = Profile("walker").blocked("black");
    const CostTable costs = walker.compile(now.catalogue()).value();
    const MinimalMemory memory =
        MinimalMemory::build(now, PassableSet::of(costs, Movement::kEightNoCornerCutting), Movement::kEightNoCornerCutting);

    Picture picture = draw_terrain(now, kScale);
    draw_memory(picture, memory, kScale.scale);
    if (const auto done = save_png((out / "mm-regions.png").string(), picture); !done) return done;

    picture = draw_terrain(now, kScale);
    draw_sectors(picture, memory, kScale.scale);
    draw_path(picture, find_path(now, kStart, kGoal, walker).value().cells, kWhite, kScale, 9);
    draw_path(picture, find(memory, costs, kStart, kGoal, {}), kRed, kScale, 6);
    draw_path(picture, find(memory, costs, kStart, kGoal, {.trim = true, .smooth = true, .stand_in = true}), kYellow, kScale, 3);
    return save_png((out / "mm-path.png").string(), picture);
}

}  // namespace terrane
