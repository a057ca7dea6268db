#include "terrane/io/obj_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "terrane/base/file.h"

namespace terrane {
namespace {

constexpr const char* kSquare = "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\n";

TEST(ObjFile, ReadsVerticesAndFaces) {
    const TriangleMesh mesh = parse_obj("v 0 0.5 -1\nv 1e1 +2 3.25\r\nv 4 5 6\nf 1 2 3\n").value();
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0.5f, -1}, {10, 2, 3.25f}, {4, 5, 6}}));
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}}));
    EXPECT_TRUE(mesh.areas.empty());
}

TEST(ObjFile, LargerFacesBecomeFans) {
    const TriangleMesh mesh = parse_obj(std::string(kSquare) + "v 2 0 0\nf 1 2 3 4 5\n").value();
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST(ObjFile, CornersMayNameTexturesAndNormalsAndCountBackwards) {
    const TriangleMesh mesh =
        parse_obj(std::string(kSquare) + "f 1/1 2/-2 3/3\nf 1//1 3//3 4//9\nf 1/1/1 2/2/2 3/3/3\nf -4 -2 -1\n").value();
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}}));
}

TEST(ObjFile, IgnoresEverythingElse) {
    const TriangleMesh mesh = parse_obj(
                                  "# a level\nmtllib a.mtl\no level\n\nv 0 0 0 1.0\nv 0 0 1 0.5 0.5 0.5\nvn 0 1 0\nvt x y\nusemtl s\n  v 1 "
                                  "0 1  # the last\ns off\nf 1 2 3\nl 1 2\n")
                                  .value();
    EXPECT_EQ(mesh.vertices.size(), 3u);
    EXPECT_EQ(mesh.triangles.size(), 1u);
}

TEST(ObjFile, TooSmallForAFloatIsZero) { EXPECT_EQ(parse_obj("v 1e-60 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3").value().vertices[0].x, 0); }

TEST(ObjFile, RefusesWithTheLine) {
    struct Case {
        const char* line;
        ErrorCode code;
        const char* because;
    };
    const Case cases[] = {
        {"v 1 2", ErrorCode::kTruncated, "expected three coordinates of a vertex"},
        {"v", ErrorCode::kTruncated, "expected three coordinates of a vertex"},
        {"v 1 2 3.4.5", ErrorCode::kBadValue, "'3.4.5'"},
        {"v 1 2 -", ErrorCode::kBadValue, "'-'"},
        {"v 1 2 3e", ErrorCode::kBadValue, "'3e'"},
        {"v 1 nan 3", ErrorCode::kBadValue, "'nan'"},
        {"v inf 2 3", ErrorCode::kBadValue, "'inf'"},
        {"v 1 2 1e39", ErrorCode::kBadValue, "'1e39'"},
        {"v 1 2 1e999", ErrorCode::kBadValue, "'1e999'"},
        {"f 1 2", ErrorCode::kTruncated, "a face of 2 corners"},
        {"f", ErrorCode::kTruncated, "a face of 0 corners"},
        {"f 1 2 5", ErrorCode::kBadValue, "vertex 5 is undefined: 4 vertices precede"},
        {"f 1 2 0", ErrorCode::kBadValue, "vertex 0 is undefined"},
        {"f 1 2 -5", ErrorCode::kBadValue, "vertex -5 is undefined"},
        {"f 1 2 99999999999999999999", ErrorCode::kBadValue, "corner of a face"},
        {"f 1 2 3x", ErrorCode::kBadValue, "'3x'"},
        {"f 1 2 3/", ErrorCode::kBadValue, "'3/'"},
        {"f 1 2 3//", ErrorCode::kBadValue, "'3//'"},
        {"f 1 2 3/1/", ErrorCode::kBadValue, "'3/1/'"},
        {"f 1 2 3/1/1/1", ErrorCode::kBadValue, "'3/1/1/1'"},
        {"f 1 2 /3", ErrorCode::kBadValue, "'/3'"},
    };
    for (const Case& c : cases) {
        const auto read = parse_obj(std::string(kSquare) + c.line + "\nf 1 2 3\n", "level.obj");
        ASSERT_FALSE(read) << c.line;
        EXPECT_EQ(read.error().code, c.code) << c.line;
        EXPECT_EQ(read.error().file, "level.obj");
        EXPECT_EQ(read.error().line, 5u) << c.line;
        EXPECT_NE(read.error().reason.find(c.because), std::string::npos) << read.error().reason;
    }
}

TEST(ObjFile, RefusesATextWithoutFaces) {
    for (const char* text : {"", "\n", "# nothing\n", kSquare}) EXPECT_EQ(parse_obj(text).error().code, ErrorCode::kBadValue) << text;
}

TEST(ObjFile, RoundTrips) {
    TriangleMesh mesh;
    mesh.vertices = {{0.1f, -1e-30f, 3e30f}, {1.0f / 3, 16777216, 0}, {0, 0, 1}};
    mesh.triangles = {{0, 1, 2}, {2, 1, 0}};
    EXPECT_EQ(parse_obj(format_obj(mesh)).value(), mesh);
}

TEST(ObjFile, ATruncatedFileIsReadOrRefused) {
    const std::string text = std::string(kSquare) + "f 1 2 3\nf 1 3 4\n";
    const TriangleMesh whole = parse_obj(text).value();
    for (size_t length = 0; length < text.size(); ++length) {
        const auto cut = parse_obj(text.substr(0, length));
        if (cut) {
            EXPECT_LE(cut->triangles.size(), whole.triangles.size());
            EXPECT_EQ(cut->vertices, whole.vertices);
        }
    }
}

TEST(ObjFile, LoadsFromDisk) {
    const std::string path = testing::TempDir() + "terrane_test.obj";
    ASSERT_TRUE(write_file(path, std::string(kSquare) + "f 1 2 3 4\n"));
    EXPECT_EQ(load_obj(path).value().triangles.size(), 2u);
    std::filesystem::remove(path);
    EXPECT_EQ(load_obj(path).error().code, ErrorCode::kCannotOpen);
}

}  // namespace
}  // namespace terrane
