// Draws the picture of docs/overlay.md: clusters, portals, and a path through them.
#include <filesystem>

#include "bench/overlay_bench.h"
#include "bench/region_picture.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/overlay/prepared_overlay.h"

namespace terrane {

namespace overlay_picture_bench {
namespace {

constexpr Rgb kDark{16, 14, 20}, kWhite{250, 250, 250}, kRed{236, 58, 54}, kYellow{255, 214, 62}, kGreen{118, 255, 92};
constexpr PictureScale kScale{6, 1};
constexpr int32_t kBorder = 90;  // strength of cluster borders, in 1/256
// Chosen by eye: several terrains, and a path that bends.
constexpr Rect kCrop{{128, 96}, {161, 97}};
constexpr Cell kStart{9, 86}, kGoal{150, 11};

TerrainGrid crop(const GridSnapshot& grid, const Rect& rect) {
    const int32_t width = rect.width, height = rect.height;
    std::vector<Terrain> cells;
    cells.reserve(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int32_t y = rect.y; y < rect.bottom(); ++y) {
        for (int32_t x = rect.x; x < rect.right(); ++x) cells.push_back(grid.at(Cell{x, y}));
    }
    return {width, height, cells, grid.catalogue()};
}

void draw_overlay(Picture& picture, const PortalOverlay& overlay) {
    const detail::OverlayData& data = overlay.data();
    for (uint32_t s = 0; s < data.segment_count(); ++s) tint_cells(picture, data.segment_rect(s), kDark, kBorder, kScale);
    for (uint32_t s = 0; s < data.segment_count(); ++s) {
        for (const Cell portal : data.segments[s]->portals) draw_waypoints(picture, std::span(&portal, 1), kGreen, kScale);
    }
}

}  // namespace
}  // namespace overlay_picture_bench

Result<void> draw_overlay_picture(const std::string& folder) {
    using namespace overlay_picture_bench;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return Error{ErrorCode::kCannotOpen, folder, 0, "cannot create this folder: " + error.message()};
    IslandOptions island;
    island.width = island.height = 512;
    const auto whole = generate_island(island);
    if (!whole) return whole.error();
    World world(crop(whole->snapshot(), kCrop));
    const CostTable costs = drawn_costs(world.grid().catalogue(), 1).compile(world.grid().catalogue()).value();
    static_cast<void>(prepare_only(world, costs, find_method("overlay:2").value()).value());
    const auto prepared = world.snapshot().all_prepared().front();
    Picture picture = draw_terrain(world.grid(), kScale);
    draw_overlay(picture, prepared->as<PreparedOverlay>()->overlay);
    Planner planner(world);
    for (const auto& [method, colour] : {std::pair{"astar", kWhite}, {"overlay:2+portals", kRed}, {"overlay:2", kYellow}}) {
        FindOptions options;
        options.method = find_method(method).value();
        Path path;
        planner.find(kStart, kGoal, costs, options, path);
        draw_path(picture, path.cells, colour, kScale, 2);
    }
    return save_png(folder + "/overlay-portals.png", picture);
}

}  // namespace terrane
