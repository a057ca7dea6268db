#include "terrane/weighted_regions/subdivision_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "io/mangle.h"
#include "support/hostile.h"

namespace terrane {
namespace {

constexpr const char* kTriangles = R"({"vertices": [[0, 0], [4, 0], [4, 3], [0, 3]],
 "polygons": [{"corners": [0, 1, 2], "cost": 2.5}, {"corners": [0, 2, 3], "blocked": true}]})";

// A square of one feature, and two triangles of another; the first ring is clockwise.
constexpr const char* kGeo = R"({"type": "FeatureCollection", "features": [
 {"type": "Feature", "properties": {"name": "meadow", "cost": 3},
  "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]]]}},
 {"type": "Feature", "properties": null, "geometry": null},
 {"type": "Feature", "properties": {"blocked": true},
  "geometry": {"type": "MultiPolygon", "coordinates": [[[[1, 0, 7], [2, 0, 7], [2, 1, 7], [1, 0, 7]]], [[[1, 0], [2, 1], [1, 1], [1, 0]]]]}}]})";

class SubdivisionFile : public testing::Test {
protected:
    void SetUp() override {
        const auto made = parse_subdivision("{}");
        if (!made && made.error().code == ErrorCode::kUnsupported) GTEST_SKIP() << "built without nlohmann-json";
    }
};

std::string reason(std::string_view text) {
    const auto made = parse_subdivision(text, "subdivision.json");
    return made ? "" : made.error().message();
}

// The text with a part of it replaced.
std::string with(std::string text, const std::string& part, const std::string& by) {
    const size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), by);
}

TEST_F(SubdivisionFile, ReadsItsOwnForm) {
    const auto made = parse_subdivision(kTriangles);
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_EQ(made->size(), 2u);
    EXPECT_EQ(made->cost(0), 2.5);
    EXPECT_TRUE(made->is_blocked(1));
    EXPECT_EQ(made->boundaries().size(), 1u);
}

TEST_F(SubdivisionFile, ReadsGeoJson) {
    const auto made = parse_subdivision(kGeo);
    ASSERT_TRUE(made) << made.error().message();
    EXPECT_EQ(made->size(), 3u);
    EXPECT_EQ(made->polygons().vertices.size(), 6u);
    EXPECT_EQ(made->cost(0), 3);
    EXPECT_TRUE(made->is_blocked(1) && made->is_blocked(2));
    EXPECT_EQ(made->boundaries().size(), 2u);
}

TEST_F(SubdivisionFile, WrittenSubdivisionsReadBackEqual) {
    const std::string path = testing::TempDir() + "terrane_subdivision_file_test.json";
    const auto made = random_voronoi_subdivision({600, 600, 200, 1, 8, 3});
    ASSERT_TRUE(made);
    ASSERT_TRUE(save_subdivision(*made, path));
    const auto again = load_subdivision(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(again->polygons().vertices, made->polygons().vertices);
    EXPECT_EQ(again->polygons().corners, made->polygons().corners);
    EXPECT_EQ(again->polygons().costs, made->polygons().costs);
    EXPECT_EQ(format_subdivision(*again), format_subdivision(*made));
}

TEST_F(SubdivisionFile, ReportsWhatIsWrongAndWhere) {
    EXPECT_EQ(reason("{\n\n nonsense"), "subdivision.json:3: not JSON from here on");
    EXPECT_EQ(reason("{\"vertices\": ["), "subdivision.json:1: the file ends within its JSON");
    EXPECT_EQ(reason("[1, 2]"), "subdivision.json:1: not a subdivision: expected '{' at the beginning");
    EXPECT_EQ(reason(std::string(100, '[')), "subdivision.json:1: brackets are nested deeper than 64");
    EXPECT_EQ(reason("{}"), "subdivision.json: missing array 'vertices'");
    EXPECT_EQ(reason("{\"vertices\": []}"), "subdivision.json: missing array 'polygons'");
    EXPECT_EQ(reason("{\"vertices\": [], \"polygons\": []}"), "subdivision.json: no polygons: expected at least one");
    EXPECT_EQ(reason(with(kTriangles, "[4, 3]", "[4]")), "subdivision.json: vertex 2: expected two numbers");
    EXPECT_EQ(reason(with(kTriangles, "[4, 3]", "[4, \"3\"]")), "subdivision.json: vertex 2: expected two numbers");
    EXPECT_EQ(reason(with(kTriangles, "[4, 3]", "[4, NaN]")), "subdivision.json:1: not JSON from here on");
    EXPECT_EQ(reason(with(kTriangles, "[0, 2, 3]", "[0, 2, 4]")), "subdivision.json: polygon 1 has no valid vertex index at corner 2");
    EXPECT_EQ(reason(with(kTriangles, "[0, 2, 3]", "[0, 2, -3]")), "subdivision.json: polygon 1 has no valid vertex index at corner 2");
    EXPECT_EQ(reason(with(kTriangles, "[0, 2, 3]", "7")), "subdivision.json: polygon 1 has no array 'corners'");
    EXPECT_EQ(reason(with(kTriangles, "true", "false")), "subdivision.json: polygon 1 needs a numeric 'cost' or 'blocked': true");
    EXPECT_EQ(reason(with(kTriangles, "2.5", "0")), "subdivision.json: polygon 0: cost must be positive");
    EXPECT_EQ(reason(with(kTriangles, "[0, 1, 2]", "[0, 2, 1]")), "subdivision.json: polygon 0, vertex 0: the polygon is clockwise");
    EXPECT_EQ(load_subdivision("no such file.json").error().code, ErrorCode::kCannotOpen);
}

TEST_F(SubdivisionFile, CorruptFilesDoNoHarm) {
    for (const char* text : {kTriangles, kGeo}) {
        const auto check = [](const std::string& spoiled, const std::string& what) {
            const auto made = parse_subdivision(spoiled, "subdivision.json");
            if (!made) return expect_printable_error(made.error(), "subdivision.json", what);
            for (uint32_t p = 0; p < made->size(); ++p) EXPECT_GT(made->area(p), 0) << what;
        };
        for_each_cut(text, check);
        for_each_change(text, check);
    }
}

TEST_F(SubdivisionFile, HostileFilesAreRefusedQuickly) {
    const auto expect_refused = [](const std::string& text) { test::expect_cheap([&] { EXPECT_NE(reason(text), ""); }); };
    std::string deep = "{\"vertices\":";
    for (int i = 0; i < 100'000; ++i) deep += '[';
    expect_refused(deep);
    for (const char* corner :
         {"-1", "4", "4294967296", "18446744073709551615", "18446744073709551616", "1e30", "0.5", "null", "\"0\"", "[]"}) {
        expect_refused(with(kTriangles, "[0, 1, 2]", std::string("[0, 1, ") + corner + "]"));
    }
    for (const char* place : {"1e999", "-1e308", "null", "\"4\"", "[4]"})
        expect_refused(with(kTriangles, "[4, 0]", std::string("[") + place + ", 0]"));
    for (const char* cost : {"0", "-1", "1e999", "null", "[]"}) expect_refused(with(kTriangles, "2.5", cost));
    std::string corners, polygons;
    for (int i = 0; i < 100'000; ++i) corners += "0,1,";
    for (int i = 0; i < 20'000; ++i) polygons += R"({"corners":[0,1,2],"cost":1},)";
    expect_refused(with(kTriangles, "[0, 1, 2]", "[" + corners + "2]"));
    expect_refused(with(kTriangles, R"({"corners": [0, 1, 2])", polygons + R"({"corners": [0, 1, 2])"));
}

TEST_F(SubdivisionFile, ReportsWhatIsWrongWithGeoJson) {
    EXPECT_EQ(reason("{\"type\": \"Point\", \"coordinates\": [1, 2]}"),
              "subdivision.json: polygon 0 must be of type Polygon or MultiPolygon");
    EXPECT_EQ(reason("{\"type\": 3}"), "subdivision.json: polygon 0 has no coordinates");
    EXPECT_EQ(reason("{\"type\": \"FeatureCollection\"}"), "subdivision.json: a collection has no array of features or geometries");
    EXPECT_EQ(reason("{\"type\": \"FeatureCollection\", \"features\": []}"), "subdivision.json: no polygons: expected at least one");
    EXPECT_EQ(reason(with(kGeo, "\"cost\": 3", "\"cost\": \"3\"")),
              "subdivision.json: polygon 0 needs a numeric 'cost' or 'blocked': true");
    EXPECT_EQ(reason(with(kGeo, ", [0, 0]]]", "]]")), "subdivision.json: polygon 0 has a ring that is not closed");
    EXPECT_EQ(reason(with(kGeo, "[0, 1], [1, 1]", "[0, 1], [1]")),
              "subdivision.json: polygon 0 has a position that is not 2 to 4 finite numbers");
    EXPECT_EQ(reason(with(kGeo, "[1, 0], [0, 0]]]", "[1, 0], [0, 0]], []]")),
              "subdivision.json: polygon 0 has a hole, which is not supported");
}

}  // namespace
}  // namespace terrane
