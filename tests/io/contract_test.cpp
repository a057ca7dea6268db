// Contracts of the module: violations trigger TERRANE_ASSERT.
#include "support/contract.h"

#include <limits>
#include <vector>

#include "terrane/io/gif.h"
#include "terrane/io/picture.h"

namespace terrane {
namespace {

TEST(PictureDeathTest, ScalesFitAndPointsAreFinite) {
    const GridSnapshot grid = TerrainGrid(4, 3, Terrain{0}).snapshot();
    EXPECT_BROKEN(draw_terrain(grid, {0, 1}), "fits");
    Picture picture = draw_terrain(grid, {4, 1});
    const std::vector<Point> bad = {{0.5, 0.5}, {std::numeric_limits<double>::quiet_NaN(), 1}};
    EXPECT_BROKEN(draw_line(picture, bad, {}, {4, 1}), "is_finite");
    EXPECT_BROKEN(draw_line(picture, {}, {}, {4, 0}), "shrink");
    EXPECT_BROKEN(draw_line(picture, {}, {}, {4, 1}, -1), "width >= 0");
}

TEST(PictureDeathTest, HeatIsDrawnOverItsOwnMap) {
    const GridSnapshot grid = TerrainGrid(4, 3, Terrain{0}).snapshot();
    Picture picture = draw_terrain(grid, {4, 1});
    const std::vector<uint32_t> order(12, 1);
    EXPECT_BROKEN(draw_heat(picture, std::span(order).first(11), grid.layout(), {4, 1}), "order.size");
    EXPECT_BROKEN(draw_heat(picture, order, grid.layout(), {8, 1}), "picture.width");
}

TEST(GifDeathTest, FramesHaveTheSizeAndTheColoursOfTheFile) {
    const std::vector<Rgb> palette(2);
    EXPECT_BROKEN(GifWriter(0, 2, palette), "width == width_");
    GifWriter gif(2, 2, palette);
    const std::vector<uint8_t> small(3), colours = {0, 1, 2, 0};
    EXPECT_BROKEN(static_cast<void>(gif.add_frame(small, 1)), "indices.size");
    EXPECT_BROKEN(static_cast<void>(gif.add_frame(colours, 1)), "all_of");
    EXPECT_BROKEN(static_cast<void>(gif.add_frame(std::vector<uint8_t>(4), 0)), "centiseconds");
}

}  // namespace
}  // namespace terrane
