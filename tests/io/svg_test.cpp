#include "terrane/io/svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

#include "support/temporary.h"
#include "terrane/base/file.h"

#if defined(TERRANE_HAS_XML)
#include <tinyxml2.h>
#endif

namespace terrane {

namespace {

TerrainGrid patches(int32_t width, int32_t height) {
    std::vector<Terrain> cells(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<Terrain>((i / 5 + i / static_cast<size_t>(width) / 3) % 7);
    return {width, height, cells};
}

}  // namespace

#if defined(TERRANE_HAS_XML)

namespace {

// Paints the rectangles of a terrain path over the cells.
void paint(const char* d, Terrain terrain, int32_t width, std::vector<Terrain>& cells) {
    int x = 0, y = 0, w = 0, h = 0, used = 0;
    for (; std::sscanf(d, "M%d %dh%dv%dh%*dz%n", &x, &y, &w, &h, &used) >= 4 && used > 0; d += used, used = 0) {
        for (int32_t row = y; row < y + h; ++row) std::fill_n(cells.begin() + row * width + x, w, terrain);
    }
    EXPECT_EQ(*d, 0) << d;
}

}  // namespace

TEST(Svg, IsXmlThatHasEveryCell) {
    const TerrainGrid grid = patches(37, 29);
    const auto svg = draw_svg(grid.snapshot());
    ASSERT_TRUE(svg) << svg.error().message();
    tinyxml2::XMLDocument document;
    ASSERT_EQ(document.Parse(svg->data(), svg->size()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
    const tinyxml2::XMLElement* root = document.RootElement();
    EXPECT_STREQ(root->Name(), "svg");
    EXPECT_STREQ(root->Attribute("viewBox"), "0 0 37 29");
    const tinyxml2::XMLElement* path = root->FirstChildElement("g")->FirstChildElement("path");
    const Terrain back = *Catalogue::standard().find(path->FirstChildElement("title")->GetText());
    std::vector<Terrain> cells(37 * 29, back);
    for (path = path->NextSiblingElement(); path != nullptr; path = path->NextSiblingElement()) {
        paint(path->Attribute("d"), *Catalogue::standard().find(path->FirstChildElement("title")->GetText()), 37, cells);
    }
    EXPECT_EQ(cells, grid.snapshot().cells());
}

TEST(Svg, PathsAreLinesWithMarksAndSafeLabels) {
    const std::vector<Cell> cells{{1, 1}, {2, 1}, {3, 1}, {4, 2}, {4, 3}};
    const SvgPath path{cells, {1, 2, 3}, "<b>\"deer\" & fox\x01</b>"};
    const auto svg = draw_svg(patches(10, 10).snapshot(), std::span(&path, 1));
    ASSERT_TRUE(svg);
    tinyxml2::XMLDocument document;
    ASSERT_EQ(document.Parse(svg->data(), svg->size()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
    const tinyxml2::XMLElement* group = document.RootElement()->LastChildElement("g");
    EXPECT_STREQ(group->FirstChildElement("title")->GetText(), "<b>\"deer\" & fox?</b>");
    EXPECT_STREQ(group->FirstChildElement("polyline")->Attribute("points"), "1.5,1.5 3.5,1.5 4.5,2.5 4.5,3.5") << "only its corners";
    EXPECT_STREQ(group->FirstChildElement("circle")->Attribute("cx"), "1.5");
    EXPECT_NE(group->FirstChildElement("rect"), nullptr);
    EXPECT_STREQ(group->LastChildElement("polyline")->Attribute("stroke"), "#010203");
}

TEST(Svg, ASearchIsTintedInFewShades) {
    const TerrainGrid grid = patches(20, 20);
    std::vector<uint32_t> order(400, 0);
    for (uint32_t i = 0; i < 300; ++i) order[i] = i + 1;
    SvgOptions options;
    options.order = order;
    const auto svg = draw_svg(grid.snapshot(), {}, options);
    ASSERT_TRUE(svg);
    tinyxml2::XMLDocument document;
    ASSERT_EQ(document.Parse(svg->data(), svg->size()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
    std::vector<Terrain> painted(400, kOutside);
    for (const auto* p = document.RootElement()->LastChildElement("g")->FirstChildElement("path"); p != nullptr;
         p = p->NextSiblingElement()) {
        paint(p->Attribute("d"), 0, 20, painted);
    }
    for (size_t i = 0; i < 400; ++i) EXPECT_EQ(painted[i] == 0, order[i] > 0) << i;
}

#endif

TEST(Svg, OneTerrainIsOneShape) {
    const TerrainGrid grid(500, 500, Terrain{3});
    EXPECT_LT(draw_svg(grid.snapshot())->size(), 400u);
    SvgPath nothing;
    EXPECT_EQ(draw_svg(grid.snapshot(), std::span(&nothing, 1)).value(), draw_svg(grid.snapshot()).value())
        << "a path without cells is not drawn";
}

TEST(Svg, RefusesMapsOfTooManyShapesAndNone) {
    SvgOptions options;
    options.max_shapes = 10;
    EXPECT_EQ(draw_svg(patches(50, 50).snapshot(), {}, options).error().code, ErrorCode::kTooLarge);
    EXPECT_EQ(draw_svg(GridSnapshot()).error().code, ErrorCode::kUnsupported);
    const TemporaryFolder folder;
    EXPECT_EQ(save_svg(folder / "x.svg", GridSnapshot()).error().file, folder / "x.svg");
    ASSERT_TRUE(save_svg(folder / "x.svg", patches(5, 5).snapshot()));
    EXPECT_TRUE(read_file(folder / "x.svg", 10000)->starts_with("<?xml"));
}

}  // namespace terrane
