// Pictures of region graphs, as made by `terrane bench dta-figures`.
#include "bench/region_picture.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace terrane {
namespace {

constexpr Rgb kWhite{255, 255, 255};

Terrain terrain(const char* name) { return *Catalogue::standard().find(name); }
Rgb colour(const char* name) { return Catalogue::standard()[terrain(name)].colour; }

// Plains; the upper half of the left sector is rock.
TerrainGrid rocks() {
    TerrainGrid grid(32, 16, terrain("plains"));
    grid.fill({{0, 0}, {16, 8}}, terrain("black"));
    return grid;
}

Picture drawn(const TerrainGrid& grid, uint32_t sector, PictureScale scale, const RegionPictureOptions& options = {}) {
    Picture picture = draw_terrain(grid.snapshot(), scale);
    draw_regions(picture, TerrainRegions::build(grid.snapshot(), {.sector = sector}), scale, options);
    return picture;
}

Rgb middle(const Picture& picture, Cell c, int32_t scale) { return picture.at(c.x * scale + scale / 2, c.y * scale + scale / 2); }

TEST(RegionPicture, RepresentativesAreWhiteAndSectorsHaveBorders) {
    const Picture picture = drawn(rocks(), 16, {8, 1});
    EXPECT_EQ(middle(picture, {7, 3}, 8), kWhite);
    EXPECT_EQ(middle(picture, {7, 11}, 8), kWhite);
    EXPECT_EQ(middle(picture, {23, 7}, 8), kWhite);
    EXPECT_LT(picture.at(16 * 8, 4).g, colour("plains").g / 2);
    EXPECT_EQ(middle(picture, {30, 2}, 8), colour("plains"));
}

TEST(RegionPicture, RegionsThatAProfileCannotEnterAreLeftOut) {
    const CostTable costs = Profile().blocked("black").compile(Catalogue::standard()).value();
    RegionPictureOptions options;
    options.costs = &costs;
    const Picture picture = drawn(rocks(), 16, {8, 1}, options);
    EXPECT_EQ(middle(picture, {7, 3}, 8), colour("black"));
    EXPECT_EQ(middle(picture, {7, 11}, 8), kWhite);
}

TEST(RegionPicture, SmallRegionsAreNotDrawn) {
    const TerrainGrid grid = rocks();
    const Picture small = drawn(grid, 8, {1, 1});
    EXPECT_EQ(std::ranges::count(small.pixels, kWhite), 0);
    EXPECT_EQ(drawn(grid, 4, {1, 1}).pixels, draw_terrain(grid.snapshot()).pixels);
    EXPECT_EQ(drawn(grid, 16, {1, 4}).pixels, draw_terrain(grid.snapshot(), {1, 4}).pixels);
}

TEST(RegionPicture, LinesMayLeaveThePicture) {
    Picture picture = draw_terrain(rocks().snapshot(), {4, 1});
    const std::vector<Cell> cells = {{-50, 4}, {10, 4}, {10, 900}};
    draw_waypoints(picture, cells, kWhite, {4, 1});
    EXPECT_EQ(middle(picture, {10, 4}, 4), kWhite);
    EXPECT_EQ(picture.width, 128);
}

TEST(RegionPicture, PartsAreTintedAndCutOut) {
    Picture picture = draw_terrain(rocks().snapshot(), {2, 1});
    tint_cells(picture, {{20, 2}, {20, 4}}, kWhite, 256, {2, 1});
    const Picture part = crop_to_cells(picture, {{18, 2}, {14, 4}}, {2, 1});
    EXPECT_EQ(part.width, 28);
    EXPECT_EQ(part.height, 8);
    EXPECT_EQ(part.at(3, 0), colour("plains"));
    EXPECT_EQ(part.at(4, 0), kWhite);
}

}  // namespace
}  // namespace terrane
