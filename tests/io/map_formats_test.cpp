#include "terrane/io/map_formats.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../support/temporary.h"
#include "io/map_format_list.h"
#include "terrane/base/file.h"
#include "terrane/io/image_map.h"
#include "terrane/io/map_file.h"
#include "terrane/io/picture.h"
#include "terrane/io/tiled_map.h"
#include "terrane/io/world_file.h"
#include "toy_format.h"

namespace terrane {

namespace {

constexpr const char* kMap = "type octile\nheight 1\nwidth 3\nmap\n..@\n";
constexpr const char* kTmx =
    "<map orientation=\"orthogonal\" width=\"1\" height=\"1\"><tileset firstgid=\"1\"><tile id=\"0\"><properties><property "
    "name=\"terrain\" value=\"plains\"/></properties></tile></tileset><layer name=\"l\" width=\"1\" height=\"1\"><data "
    "encoding=\"csv\">1</data></layer></map>";
constexpr const char* kKnown = "MovingAI map (.map), Terrane world (.terrane), PNG image (.png), Tiled map (.tmx, .tmj, .json)";

std::string name_of(const MapFormat* format) { return format == nullptr ? "none" : format->name; }

void write(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

TEST(MapFormats, AreDetectedByTheirFirstBytes) {
    const auto named = [](std::string_view bytes) { return name_of(detect_map_format(bytes, "a.toy")); };
    EXPECT_EQ(named(kMap), "MovingAI map");
    EXPECT_EQ(named("\xef\xbb\xbftype octile\n"), "MovingAI map") << "so that its parser can name the byte-order mark";
    EXPECT_EQ(named(format_world(TerrainGrid(1, 1, Terrain{0}).snapshot()).value()), "Terrane world");
    EXPECT_EQ(named("\x89PNG\r\n\x1a\n"), "PNG image");
    EXPECT_EQ(named(kTmx), "Tiled map");
    EXPECT_EQ(named("\xef\xbb\xbf \n{}"), "Tiled map");
    EXPECT_EQ(named("typewriter"), "none");
    EXPECT_EQ(named(""), "none");
}

TEST(MapFormats, AreDetectedByTheirExtensionIfTheBytesAreUnknown) {
    const auto named = [](std::string_view file) { return name_of(detect_map_format("?", file)); };
    EXPECT_EQ(named("a.map"), "MovingAI map");
    EXPECT_EQ(named("A.MAP"), "MovingAI map");
    EXPECT_EQ(named("a.terrane"), "Terrane world");
    EXPECT_EQ(named("a.png"), "PNG image");
    EXPECT_EQ(named("a.tmx"), "Tiled map");
    EXPECT_EQ(named("a.tmj"), "Tiled map");
    EXPECT_EQ(named("a.json"), "Tiled map");
    for (const char* file : {"", ".map", "map", "a.map.txt", "a.txt"}) EXPECT_EQ(named(file), "none") << file;
    EXPECT_EQ(name_of(detect_map_format(kMap, "a.png")), "MovingAI map") << "content takes precedence over the extension";
}

TEST(MapFormats, LoadMapOpensEveryFormat) {
    const TemporaryFolder folder;
    write(folder / "a.dat", kMap);
    EXPECT_EQ(load_map(folder / "a.dat").value().snapshot().cells(), parse_movingai_map(kMap).value().snapshot().cells());
    write(folder / "b.dat", format_world(parse_movingai_map(kMap).value().snapshot()).value());
    EXPECT_EQ(load_map(folder / "b.dat").value().snapshot().cells(), parse_movingai_map(kMap).value().snapshot().cells());

    write(folder / "c.dat", kTmx);
    const auto tiled = load_map(folder / "c.dat");
    EXPECT_EQ(tiled.has_value(), parse_tiled(kTmx).has_value());
    EXPECT_TRUE(tiled || tiled.error().code == ErrorCode::kUnsupported);

    const GridSnapshot plains = TerrainGrid(5, 4, Terrain{3}).snapshot();
    const auto png = encode_png(draw_terrain(plains, {1, 1}));
    if (!png) GTEST_SKIP() << "built without libpng";
    write(folder / "d.dat", *png);
    const auto masked = load_map(folder / "d.dat");
    ASSERT_TRUE(masked);
    EXPECT_TRUE(masked->snapshot().catalogue()[0].name.starts_with("colour_"));
    const Palette palette = Palette::of(Catalogue::standard());
    EXPECT_EQ(load_map(folder / "d.dat", {.palette = &palette}).value().snapshot().cells(), plains.cells());
    EXPECT_EQ(load_map(folder / "d.dat", {.max_cells = 19}).error().code, ErrorCode::kTooLarge);
}

TEST(MapFormats, AnUnknownFormatIsRefusedWithTheListOfKnownOnes) {
    const TemporaryFolder folder;
    const std::string file = folder / "notes.txt";
    write(file, "shopping list");
    EXPECT_EQ(load_map(file).error().message(), file + ": unknown map format: expected one of " + kKnown);
    EXPECT_EQ(parse_map("").error().message(), std::string("the file is empty: expected one of ") + kKnown);
    EXPECT_EQ(parse_map("\xff\xd8\xff\xe0", {}, "a.jpg").error().message(),
              std::string("a.jpg: this is a JPEG image: expected one of ") + kKnown);
    EXPECT_EQ(load_map(folder / "none.map").error().code, ErrorCode::kCannotOpen);
}

TEST(MapFormats, BinaryDataIsDescribedWhereTextIsExpected) {
    const auto reason = [](const std::string& text) { return parse_map(text, {}, "a.map").error().message(); };
    const std::string expected = "a.map:1: expected 'type octile', the text of a map; this is ";
    EXPECT_EQ(reason(std::string("\xef\xbb\xbf") + kMap),
              expected + "text with a byte-order mark: save it without one (as ASCII, or as UTF-8 without BOM)");
    EXPECT_EQ(reason("\xff\xfet\0y\0"), expected + "UTF-16 text: save it as ASCII or UTF-8");
    EXPECT_EQ(reason("\x1f\x8b\x08"), expected + "a gzip archive");
    EXPECT_EQ(reason(std::string("ELF\0\1", 5)), expected + "binary data");
    EXPECT_EQ(parse_movingai_map("\x89PNG\r\n\x1a\n", {}, "a.map").error().message(), expected + "a PNG image");
    EXPECT_EQ(reason("hello"), "a.map:1: expected 'type', not 'hello'");
}

TEST(MapFormats, HostileBytesAreRefusedWithFileAndReason) {
    const std::string beginnings[]{
        "",  "type",        "type octile\nheight 32768\nwidth 32768\nmap\n", "\x89TRN\r\n\x1a\n", "\x89PNG\r\n\x1a\n", "<", "{",
        "[", "\xef\xbb\xbf"};
    for (const std::string& begin : beginnings) {
        for (int byte = 0; byte < 256; ++byte) {
            for (const char* file : {"h.map", "h.terrane", "h.png", "h.tmx", "h.json", "h"}) {
                const auto map = parse_map(begin + static_cast<char>(byte), {}, file);
                ASSERT_FALSE(map) << file << " " << byte;
                EXPECT_EQ(map.error().file, file);
                EXPECT_FALSE(map.error().reason.empty());
            }
        }
    }
}

TEST(MapFormats, SaveMapWritesByExtensionAndRefusesOthersWithTheList) {
    const TemporaryFolder folder;
    const GridSnapshot grid = parse_movingai_map(kMap).value().snapshot();
    ASSERT_TRUE(save_map(folder / "a.map", grid));
    EXPECT_EQ(read_file(folder / "a.map", 1000).value(), kMap);
    ASSERT_TRUE(save_map(folder / "a.terrane", grid));
    EXPECT_TRUE(is_world_file(read_file(folder / "a.terrane", 1000).value()));
    for (const char* name : {"a.png", "a.txt", "a"}) {
        const auto saved = save_map(folder / name, grid);
        ASSERT_FALSE(saved) << name;
        EXPECT_EQ(saved.error().code, ErrorCode::kUnsupported);
        EXPECT_TRUE(saved.error().reason.ends_with("expected one of MovingAI map (.map), Terrane world (.terrane)"))
            << saved.error().reason;
        EXPECT_FALSE(std::filesystem::exists(folder / name));
    }
}

TEST(MapFormats, AFormatIsItsOwnFileAndOneLineOfAList) {
    static constexpr const MapFormat* kWithToy[]{
        &detail::kMovingAiFormat,
        &kToyFormat,
    };
    const MapOptions options{.formats = kWithToy};
    EXPECT_EQ(detect_map_format("toy 12", {}, kWithToy), &kToyFormat);
    EXPECT_EQ(detect_map_format("?", "a.toy", kWithToy), &kToyFormat);
    EXPECT_EQ(parse_map("toy 120", options).value().snapshot().cells(), (std::vector<Terrain>{1, 2, 0}));
    EXPECT_EQ(parse_map("toy 1x", options, "a.toy").error().message(), "a.toy:1: expected a digit");
    EXPECT_EQ(parse_map("?", options, "a.txt").error().message(),
              "a.txt: unknown map format: expected one of MovingAI map (.map), toy map (.toy)");

    const TemporaryFolder folder;
    const GridSnapshot grid = TerrainGrid(3, 1, std::vector<Terrain>{4, 0, 7}).snapshot();
    ASSERT_TRUE(save_map(folder / "a.toy", grid, options));
    EXPECT_EQ(read_file(folder / "a.toy", 100).value(), "toy 407");
    EXPECT_EQ(load_map(folder / "a.toy", options).value().snapshot().cells(), grid.cells());
    EXPECT_EQ(load_map(folder / "a.toy", {.max_cells = 2, .formats = kWithToy}).error().code, ErrorCode::kTooLarge);

    EXPECT_FALSE(load_map(folder / "a.toy")) << "the library's own list does not have it";
    EXPECT_EQ(save_map(folder / "b.toy", grid).error().code, ErrorCode::kUnsupported);
}

TEST(MapFormats, EveryFormatIsComplete) {
    EXPECT_EQ(list_map_formats(MapAccess::kRead), kKnown);
    for (const MapFormat* format : map_formats()) {
        EXPECT_TRUE(format->detect != nullptr && format->max_bytes != nullptr && format->parse != nullptr) << format->name;
        EXPECT_TRUE(std::string_view(format->extensions).starts_with('.')) << format->name;
        EXPECT_NE(std::string_view(format->summary), "") << format->name;
        EXPECT_GT(format->max_bytes({}), 0u) << format->name;
    }
}

// A row as "| Tiled map | `.tmx`, `.tmj`, `.json` | yes | | ...".
TEST(MapFormats, ThePageListsEveryFormat) {
    const std::string page = read_file(TERRANE_SOURCE_DIR "/docs/formats.md", 1 << 20).value();
    for (const MapFormat* format : map_formats()) {
        std::string extensions = "`";
        for (const char c : std::string_view(format->extensions)) extensions += c == ' ' ? "`, `" : std::string(1, c);
        const std::string row = "| " + std::string(format->name) + " | " + extensions + "` | " + (format->parse != nullptr ? "yes " : "") +
                                "| " + (format->format != nullptr ? "yes " : "") + "| ";
        EXPECT_NE(page.find(row), std::string::npos) << row;
    }
}

}  // namespace

}  // namespace terrane
