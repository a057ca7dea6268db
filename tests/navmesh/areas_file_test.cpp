// parse_areas and load_areas.
#include <gtest/gtest.h>

#include "terrane/base/file.h"
#include "terrane/navmesh/navmesh_builder.h"

namespace terrane {
namespace {

constexpr const char* kAreas = R"(# what is painted onto the level
area mud 120 90 40
flags mud 3

volume mud -1 4  10 10  20 10  15 25   # a triangle
volume blocked 0 2.5  0 0  0 4  4 4  4 0
link road 3 0 2  8 1.5 2  0.6 one_way
link mud -3 0 -2  1 0 2  1 two_way
)";

TEST(AreasFile, ReadsTheExampleOfTheHeader) {
    const NavmeshAreas areas = parse_areas(kAreas).value();
    const auto mud = areas.catalogue.find("mud");
    ASSERT_TRUE(mud);
    EXPECT_EQ(areas.catalogue.size(), Catalogue::standard().size() + 1);
    EXPECT_EQ(areas.catalogue[*mud].colour, (Rgb{120, 90, 40}));
    EXPECT_EQ(areas.flags.at(*mud), 3);
    EXPECT_EQ(areas.flags.at(0), 1);
    EXPECT_EQ(areas.volumes, (std::vector<AreaVolume>{{{{10, 10}, {20, 10}, {15, 25}}, -1, 4, "mud"},
                                                      {{{0, 0}, {0, 4}, {4, 4}, {4, 0}}, 0, 2.5f, "blocked"}}));
    EXPECT_EQ(areas.links,
              (std::vector<OffMeshLink>{{{3, 0, 2}, {8, 1.5f, 2}, 0.6f, false, "road"}, {{-3, 0, -2}, {1, 0, 2}, 1, true, "mud"}}));
}

TEST(AreasFile, AnEmptyFileSetsNothing) {
    EXPECT_EQ(parse_areas("").value(), NavmeshAreas());
    EXPECT_EQ(parse_areas("\n  # nothing\r\n").value(), NavmeshAreas());
}

TEST(AreasFile, RefusesWithTheLine) {
    const std::pair<const char*, const char*> cases[] = {
        {"paint mud", "expected area, flags, volume or link, found 'paint'"},
        {"area mud 1 2", "expected a colour"},
        {"area mud 1 2 256", "expected a colour's red, green and blue, 0 to 255, found '256'"},
        {"area mud 1 2 3 4", "unexpected text at the end of the line: '4'"},
        {"area road 1 2 3", "road"},
        {"area Mud 1 2 3", "Mud"},
        {"area blocked 1 2 3", "'blocked' is reserved"},
        {"flags cheese 1", "unknown area 'cheese'"},
        {"flags blocked 1", "'blocked' has no flags"},
        {"flags road 65536", "0 to 65535"},
        {"volume cheese 0 1 0 0 1 0 1 1", "unknown area 'cheese'"},
        {"volume road 0", "the line ends where a number should be"},
        {"volume road 0 1 0 0 1 0 1", "the line ends where a number should be"},
        {"volume road 0 1 0 0 1 0 1 y", "expected a number, found 'y'"},
        {"volume road 0 1 0 0 1 0 1 nan", "expected a number"},
        {"volume road 0 inf 0 0 1 0 1 1", "expected a number"},
        {"volume road 0 1 0 0 1 0", "3 to 64 corners"},
        {"volume road 1 0 0 0 1 0 1 1", "not below its high end"},
        {"volume road 0 1 0 0 9 0 1 1 0 9", "not convex"},
        {"link road 0 0 0 1 1 1 0.5", "expected one_way or two_way, found ''"},
        {"link road 0 0 0 1 1 1 0 two_way", "radius"},
        {"link road 0 0 0 1 1 1 0.5 two_way again", "unexpected text at the end of the line"},
        {"link blocked 0 0 0 1 1 1 0.5 two_way", "blocked"},
        {"link road 0 0 0 1 1 1e9 0.5 two_way", "more than 30000 m"},
    };
    for (const auto& [line, because] : cases) {
        const auto read = parse_areas(std::string("# first\n") + line + "\n", "level.areas");
        ASSERT_FALSE(read) << line;
        EXPECT_EQ(read.error().file, "level.areas") << line;
        EXPECT_EQ(read.error().line, 2u) << line;
        EXPECT_NE(read.error().reason.find(because), std::string::npos) << line << ": " << read.error().reason;
    }
}

TEST(AreasFile, RefusesASixtyFourthArea) {
    std::string text;
    for (uint32_t i = Catalogue::standard().size(); i < 63; ++i) text += "area more_" + std::to_string(i) + " 1 2 3\n";
    EXPECT_TRUE(parse_areas(text));
    EXPECT_FALSE(parse_areas(text + "area last 1 2 3\n"));
}

TEST(AreasFile, LoadsAndReportsAMissingFile) {
    const std::string path = testing::TempDir() + "terrane_test.areas";
    ASSERT_TRUE(write_file(path, kAreas));
    EXPECT_EQ(load_areas(path).value(), parse_areas(kAreas).value());
    EXPECT_EQ(load_areas(path + ".missing").error().code, ErrorCode::kCannotOpen);
}

}  // namespace
}  // namespace terrane
