#include "terrane/io/picture.h"

#include <gtest/gtest.h>

#if defined(TERRANE_HAS_PNG)
#include <png.h>
#endif

#include "support/temporary.h"
#include "terrane/base/file.h"

namespace terrane {

namespace {

constexpr Rgb kRed{220, 30, 40};

Rgb colour_of(const char* terrain) { return Catalogue::standard()[*Catalogue::standard().find(terrain)].colour; }

TerrainGrid plains(int32_t width, int32_t height) { return {width, height, *Catalogue::standard().find("plains")}; }

int count_of(const Picture& picture, Rgb colour) { return static_cast<int>(std::ranges::count(picture.pixels, colour)); }

#if defined(TERRANE_HAS_PNG)

Picture decode_png(const std::string& bytes) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    EXPECT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0) << image.message;
    image.format = PNG_FORMAT_RGB;
    Picture picture{static_cast<int32_t>(image.width), static_cast<int32_t>(image.height), {}};
    picture.pixels.resize(size_t{image.width} * image.height);
    EXPECT_NE(png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr), 0) << image.message;
    return picture;
}

// A picture in which every pixel has another colour: its PNG is far larger than that of terrain.
Picture noise(int32_t width, int32_t height) {
    Picture picture{width, height, {}};
    uint32_t bits = 1;
    for (int32_t i = 0; i < width * height; ++i) {
        bits = bits * 1664525 + 1013904223;
        picture.pixels.push_back({static_cast<uint8_t>(bits >> 8), static_cast<uint8_t>(bits >> 16), static_cast<uint8_t>(bits >> 24)});
    }
    return picture;
}

#endif

}  // namespace

TEST(Picture, FitPicksScaleOrShrink) {
    const auto fit = [](int32_t width, int32_t height, int32_t pixels) {
        const PictureScale s = PictureScale::fit(GridLayout(width, height), pixels);
        return std::pair(s.scale, s.shrink);
    };
    EXPECT_EQ(fit(20, 10, 1024), std::pair(32, 1));
    EXPECT_EQ(fit(100, 300, 1024), std::pair(3, 1));
    EXPECT_EQ(fit(1024, 1024, 1024), std::pair(1, 1));
    EXPECT_EQ(fit(1100, 1024, 1024), std::pair(1, 1));
    EXPECT_EQ(fit(2048, 100, 1024), std::pair(1, 2));
    EXPECT_EQ(fit(32768, 32768, 1 << 30), std::pair(1, 2));
    EXPECT_EQ(fit(24000, 1, 16384), std::pair(1, 2));
}

TEST(Picture, FitsReportsSizesThatAreTooLarge) {
    EXPECT_TRUE((PictureScale{1, 1}.fits(GridLayout(16384, 1))));
    EXPECT_FALSE((PictureScale{1, 1}.fits(GridLayout(16385, 1))));
    EXPECT_FALSE((PictureScale{32, 1}.fits(GridLayout(513, 513))));
    EXPECT_FALSE((PictureScale{0, 1}.fits(GridLayout(4, 4))));
    EXPECT_FALSE((PictureScale{33, 1}.fits(GridLayout(4, 4))));
    EXPECT_FALSE((PictureScale{2, 2}.fits(GridLayout(4, 4))));
}

TEST(Picture, CellsHaveTheirTerrainsColour) {
    TerrainGrid grid = plains(3, 2);
    static_cast<void>(grid.set({2, 1}, "lava").value());
    const Picture small = draw_terrain(grid.snapshot());
    ASSERT_EQ(small.pixels.size(), 6u);
    EXPECT_EQ(small.at(0, 0), colour_of("plains"));
    EXPECT_EQ(small.at(2, 1), colour_of("lava"));

    const Picture large = draw_terrain(grid.snapshot(), {16, 1});
    EXPECT_EQ(large.width, 48);
    EXPECT_EQ(large.height, 32);
    EXPECT_EQ(large.at(32, 16), colour_of("lava"));
    EXPECT_EQ(large.at(46, 30), colour_of("lava"));
    EXPECT_EQ(large.at(31, 16) == colour_of("plains"), false) << "a grid line";
}

TEST(Picture, AShrunkenBlockShowsItsMostFrequentTerrain) {
    TerrainGrid grid = plains(5, 5);
    static_cast<void>(grid.fill({{0, 0}, {2, 1}}, "road").value());   // two of four cells: a tie, the smaller id wins
    static_cast<void>(grid.fill({{4, 4}, {1, 1}}, "water").value());  // a block clipped to one cell
    const Picture picture = draw_terrain(grid.snapshot(), {1, 2});
    ASSERT_EQ(picture.width, 3);
    ASSERT_EQ(picture.height, 3);
    EXPECT_EQ(picture.at(0, 0), colour_of("road"));
    EXPECT_EQ(picture.at(1, 1), colour_of("plains"));
    EXPECT_EQ(picture.at(2, 2), colour_of("water"));
}

TEST(Picture, PathsAreColouredAndOutlined) {
    const TerrainGrid grid = plains(60, 40);
    for (const PictureScale scale : {PictureScale{1, 1}, PictureScale{8, 1}, PictureScale{32, 1}}) {
        Picture picture = draw_terrain(grid.snapshot(), scale);
        const std::vector<Cell> path{{10, 20}, {50, 20}};
        draw_path(picture, path, kRed, scale);
        const int32_t y = 20 * scale.scale + scale.scale / 2, middle = 30 * scale.scale + scale.scale / 2;
        EXPECT_EQ(picture.at(middle, y), kRed);
        int32_t outline = y;
        while (outline < y + 20 && picture.at(middle, outline) == kRed) ++outline;
        const Rgb rim = picture.at(middle, outline);
        EXPECT_LT(rim.r + rim.g + rim.b, 300) << "dark beside the line";
        EXPECT_EQ(picture.at(10 * scale.scale + scale.scale / 2, y), kRed) << "the centre of the start's mark";
        EXPECT_EQ(picture.at(50 * scale.scale + scale.scale / 2, y), kRed) << "the centre of the goal's mark";
        EXPECT_EQ(picture.at(5, 5), colour_of("plains"));
    }
}

TEST(Picture, StepsAndOneLongSegmentLookTheSame) {
    const TerrainGrid grid = plains(40, 40);
    Picture steps = draw_terrain(grid.snapshot(), {4, 1}), segment = steps;
    std::vector<Cell> cells;
    for (int32_t i = 4; i < 36; ++i) cells.push_back({i, i});
    draw_path(steps, cells, kRed, {4, 1});
    draw_path(segment, std::vector<Cell>{{4, 4}, {35, 35}}, kRed, {4, 1});
    int different = 0;
    for (size_t i = 0; i < steps.pixels.size(); ++i) {
        different += std::abs(steps.pixels[i].r - segment.pixels[i].r) > 8;  // ignore rounding
    }
    EXPECT_EQ(different, 0);
}

TEST(Picture, PathsOfFewCellsAndOffTheMapAreDrawnAsFarAsTheyGo) {
    const TerrainGrid grid = plains(30, 30);
    const Picture before = draw_terrain(grid.snapshot());
    Picture picture = before;
    draw_path(picture, {}, kRed);
    EXPECT_EQ(picture.pixels, before.pixels);
    draw_path(picture, std::vector<Cell>{{15, 15}}, kRed);
    EXPECT_EQ(picture.at(15, 15), kRed);
    draw_path(picture, std::vector<Cell>{{-50, 3}, {200, 3}, {1 << 30, -(1 << 30)}}, kRed);
    EXPECT_EQ(picture.at(25, 3), kRed);
    Picture nothing;
    draw_path(nothing, std::vector<Cell>{{0, 0}, {5, 5}}, kRed);
    EXPECT_TRUE(nothing.pixels.empty());
}

TEST(Picture, HeatTintsOnlyWhatWasExpanded) {
    const TerrainGrid grid = plains(4, 4);
    Picture picture = draw_terrain(grid.snapshot());
    std::vector<uint32_t> order(16, 0);
    order[5] = 1;
    order[6] = 1000;
    draw_heat(picture, order, grid.snapshot().layout());
    EXPECT_EQ(count_of(picture, colour_of("plains")), 14);
    EXPECT_GT(picture.at(1, 1).b, picture.at(1, 1).r) << "early is cool";
    EXPECT_GT(picture.at(2, 1).r, picture.at(2, 1).b) << "late is hot";

    Picture shrunken = draw_terrain(grid.snapshot(), {1, 2});
    const Rgb plain = shrunken.at(1, 1);
    draw_heat(shrunken, order, grid.snapshot().layout(), {1, 2});
    EXPECT_NE(shrunken.at(0, 0), plain);
    EXPECT_EQ(shrunken.at(1, 1), plain);
}

#if defined(TERRANE_HAS_PNG)

TEST(Png, DecodesToTheSamePixels) {
    Picture picture = draw_terrain(plains(37, 21).snapshot(), {3, 1});
    draw_path(picture, std::vector<Cell>{{3, 3}, {30, 17}}, kRed, {3, 1});
    for (const Picture& each : {picture, noise(50, 40), noise(1, 1)}) {
        const auto bytes = encode_png(each);
        ASSERT_TRUE(bytes) << bytes.error().message();
        const Picture back = decode_png(*bytes);
        EXPECT_EQ(back.width, each.width);
        EXPECT_EQ(back.height, each.height);
        EXPECT_EQ(back.pixels, each.pixels);
        EXPECT_EQ(encode_png(each).value(), *bytes);
    }
}

TEST(Png, RefusesInvalidPictures) {
    for (const Picture& picture :
         {Picture{}, Picture{2, 2, {}}, Picture{-1, -1, {{}}}, Picture{kMaxPictureSide + 1, 1, std::vector<Rgb>(kMaxPictureSide + 1)}}) {
        EXPECT_EQ(encode_png(picture).error().code, ErrorCode::kTooLarge);
    }
}

TEST(Png, SavesAFile) {
    const TemporaryFolder folder;
    const Picture picture = noise(5, 5);
    ASSERT_TRUE(save_png(folder / "a.png", picture));
    EXPECT_EQ(read_file(folder / "a.png", 1000).value(), encode_png(picture).value());
    EXPECT_EQ(save_png(folder / "none/a.png", picture).error().code, ErrorCode::kCannotOpen);
    EXPECT_EQ(save_png(folder / "b.png", Picture{}).error().file, folder / "b.png");
}

#else

TEST(Png, IsRefusedWithoutLibpng) { EXPECT_EQ(encode_png(Picture{1, 1, {{}}}).error().code, ErrorCode::kUnsupported); }

#endif

}  // namespace terrane
