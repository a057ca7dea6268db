#include "terrane/io/map_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "support/temporary.h"
#include "terrane/base/file.h"

namespace terrane {

namespace {

const std::string kOctileMap =
    "type octile\n"
    "height 3\n"
    "width 4\n"
    "map\n"
    ".GO@\n"
    "TSW.\n"
    "....\n";

const std::string kLetteredMap =
    "type octile\n"
    "height 2\n"
    "width 3\n"
    "map\n"
    "ABC\n"
    "GGS\n";

// A map file with these rows.
std::string map_of(int32_t width, int32_t height, const std::string& rows) {
    return "type octile\nheight " + std::to_string(height) + "\nwidth " + std::to_string(width) + "\nmap\n" + rows;
}

Error error_of(std::string_view text, const MapOptions& options = {}) {
    const auto map = parse_movingai_map(text, options, "test.map");
    if (map) return {ErrorCode::kUnsupported, {}, 0, "no error"};
    return map.error();
}

std::string message_of(std::string_view text, const MapOptions& options = {}) { return error_of(text, options).message(); }

std::string again(std::string_view text, const MapOptions& options = {}) {
    const auto map = parse_movingai_map(text, options);
    if (!map) return map.error().message();
    return format_movingai_map(map->snapshot()).value();
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    return text.replace(text.find(what), what.size(), with);
}

std::string with_crlf(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n') out += '\r';
        out += c;
    }
    return out;
}

// The octile catalogue with one more type.
Catalogue octile_with_bridge() {
    Catalogue catalogue = Catalogue::octile();
    static_cast<void>(catalogue.add({"bridge", 'B', {1, 2, 0xfe}}).value());
    return catalogue;
}

}  // namespace

TEST(MapFile, ReadsOctileLetters) {
    const auto map = parse_movingai_map(kOctileMap);
    ASSERT_TRUE(map) << map.error().message();
    const GridSnapshot grid = map->snapshot();
    EXPECT_EQ(grid.width(), 4);
    EXPECT_EQ(grid.height(), 3);
    EXPECT_EQ(grid.catalogue(), Catalogue::octile());
    EXPECT_EQ(grid.at(Cell{1, 0}), grid.catalogue().find("grass"));
    EXPECT_EQ(grid.at(Cell{3, 0}), grid.catalogue().find("wall"));
    EXPECT_EQ(grid.at(Cell{0, 1}), grid.catalogue().find("trees"));
}

TEST(MapFile, ReadsLetteredTerrain) {
    const auto map = parse_movingai_map(kLetteredMap);
    ASSERT_TRUE(map) << map.error().message();
    EXPECT_EQ(map->snapshot().catalogue(), Catalogue::standard());
    EXPECT_EQ(map->snapshot().cells(), (std::vector<Terrain>{0, 1, 2, 6, 6, 18}));
}

TEST(MapFile, LettersBeyondTheStandardOnesGetGeneratedTypes) {
    const std::string text = map_of(3, 1, "AT~\n");
    const auto map = parse_movingai_map(text);
    ASSERT_TRUE(map) << map.error().message();
    const Catalogue& catalogue = map->snapshot().catalogue();
    EXPECT_EQ(catalogue.size(), 62u);
    EXPECT_EQ(map->snapshot().cells(), (std::vector<Terrain>{0, 19, 61}));
    EXPECT_EQ(catalogue[19].name, "terrain_19");
    EXPECT_EQ(catalogue[61].letter, '~');
    EXPECT_NE(catalogue[60].colour, catalogue[61].colour);
    EXPECT_EQ(again(text), text) << "a reader generates the same types without a catalogue";
}

TEST(MapFile, OptionsOverrideTheGuess) {
    const std::string text = map_of(2, 1, "GO\n");
    EXPECT_EQ(parse_movingai_map(text)->snapshot().catalogue(), Catalogue::octile());
    const auto lettered = parse_movingai_map(text, {.letters = Letters::kTerrain});
    EXPECT_EQ(lettered->snapshot().catalogue(), Catalogue::standard());
    EXPECT_EQ(lettered->snapshot().cells(), (std::vector<Terrain>{6, 14}));
    EXPECT_EQ(error_of(kLetteredMap, {.letters = Letters::kOctile}).code, ErrorCode::kBadLetter);
    EXPECT_EQ(error_of(kOctileMap, {.letters = Letters::kTerrain}).code, ErrorCode::kBadLetter);
}

TEST(MapFile, ReadsHeightAndWidthInEitherOrder) {
    const auto map = parse_movingai_map("type octile\nwidth 2\nheight 1\nmap\n..\n");
    ASSERT_TRUE(map) << map.error().message();
    EXPECT_EQ(map->width(), 2);
    EXPECT_EQ(map->height(), 1);
}

TEST(MapFile, RoundTripsByteForByte) {
    EXPECT_EQ(again(kOctileMap), kOctileMap);
    EXPECT_EQ(again(kLetteredMap), kLetteredMap);
}

TEST(MapFile, AcceptsWindowsLinesNoFinalNewlineAndBlankLinesAtTheEnd) {
    EXPECT_EQ(again(with_crlf(kOctileMap)), kOctileMap);
    EXPECT_EQ(again(kOctileMap.substr(0, kOctileMap.size() - 1)), kOctileMap);
    EXPECT_EQ(again(kOctileMap + "\n\r\n \t\n"), kOctileMap);
}

TEST(MapFile, RefusesEveryTruncation) {
    for (const std::string& text : {kOctileMap, kLetteredMap, with_crlf(kOctileMap)}) {
        const size_t end_of_rows = text.find_last_not_of("\r\n") + 1;
        for (size_t length = 0; length < text.size(); ++length) {
            const auto map = parse_movingai_map(std::string_view(text).substr(0, length));
            EXPECT_EQ(map.has_value(), length >= end_of_rows) << "cut at byte " << length;
            EXPECT_TRUE(map || !map.error().reason.empty());
        }
    }
}

TEST(MapFile, RefusesWrongRows) {
    EXPECT_EQ(message_of(map_of(4, 2, "....\n...\n....\n")), "test.map:6: row 2 has 3 cells, expected 4");
    EXPECT_EQ(message_of(map_of(4, 2, ".....\n....\n")), "test.map:5: row 1 has 5 cells, expected 4");
    EXPECT_EQ(message_of(map_of(4, 2, "....\n\n....\n")), "test.map:6: row 2 has 0 cells, expected 4");
    EXPECT_EQ(message_of(map_of(4, 2, "....\n..")), "test.map:6: the file ends in row 2, after 2 of 4 cells");
    EXPECT_EQ(message_of(map_of(4, 3, "....\n....\n")), "test.map:6: the file ends after 2 rows, expected 3");
    EXPECT_EQ(message_of(map_of(4, 1, "....\n....\n")), "test.map:6: unexpected '....' after the last row");
    EXPECT_EQ(error_of(map_of(4, 1, "....\n....\n")).code, ErrorCode::kTrailing);
    EXPECT_EQ(error_of(map_of(4, 3, "....\n....\n")).code, ErrorCode::kTruncated);
}

TEST(MapFile, RefusesBadSizes) {
    for (const char* side : {"0", "-1", "x", "", "1x", "0x10", "+4", "4.0", "4 4", "99999999999", "32769", "99999999999999999999999"}) {
        const Error error = error_of(replaced(kOctileMap, "width 4", std::string("width ") + side));
        EXPECT_FALSE(error.reason.empty()) << side;
        EXPECT_EQ(error.line, 3u) << side;
    }
    EXPECT_EQ(message_of(replaced(kOctileMap, "height 3", "height 99999999999")),
              "test.map:2: height '99999999999' is not a number from 1 to 32768");
    EXPECT_EQ(error_of(replaced(kOctileMap, "height 3", "height 99999999999")).code, ErrorCode::kTooLarge);
    EXPECT_EQ(error_of(replaced(kOctileMap, "height 3", "height 000")).code, ErrorCode::kBadValue);
}

TEST(MapFile, RefusesMoreCellsThanAllowed) {
    const Error error = error_of(kOctileMap, {.max_cells = 11});
    EXPECT_EQ(error.code, ErrorCode::kTooLarge);
    EXPECT_EQ(error.message(), "test.map:3: the map has 12 cells, more than the limit of 11");
    EXPECT_TRUE(parse_movingai_map(kOctileMap, {.max_cells = 12}));
}

TEST(MapFile, RefusesAHugeHeaderWithoutAllocating) {
    for (int i = 0; i < 1000; ++i) {  // would be a gibibyte each if allocated
        EXPECT_EQ(error_of("type octile\nheight 32768\nwidth 32768\nmap\n....\n").code, ErrorCode::kTruncated);
    }
}

TEST(MapFile, RefusesBadHeaders) {
    EXPECT_EQ(message_of(""), "test.map: the file ends before 'type'");
    EXPECT_EQ(message_of(replaced(kOctileMap, "octile", "tile")), "test.map:1: map type 'tile' is not 'octile'");
    EXPECT_EQ(message_of(replaced(kOctileMap, "height", "depth")), "test.map:2: expected 'height', not 'depth 3'");
    EXPECT_EQ(message_of(replaced(kOctileMap, "width 4", "height 4")), "test.map:3: expected 'width', not 'height 4'");
    EXPECT_EQ(message_of(replaced(kOctileMap, "map\n", "map 1\n")), "test.map:4: unexpected '1' after 'map'");
    EXPECT_EQ(error_of(std::string(1000, '\0')).code, ErrorCode::kBadHeader);
    EXPECT_EQ(error_of("\n" + kOctileMap).line, 1u);
}

TEST(MapFile, RefusesUnknownLettersWithLineAndColumn) {
    EXPECT_EQ(message_of(map_of(3, 2, "ABC\nA?C\n")), "test.map:6: column 2: '?' is not a terrain letter (A to ~)");
    EXPECT_EQ(message_of(map_of(3, 2, std::string("ABC\nAB\0\n", 8))), "test.map:6: column 3: '\\x00' is not a terrain letter (A to ~)");
    EXPECT_EQ(message_of(map_of(3, 1, "AB\xe4\n")), "test.map:5: column 3: '\\xe4' is not a terrain letter (A to ~)");
    EXPECT_EQ(message_of(map_of(3, 2, "...\n.A.\n")),
              "test.map:5: column 1: '.' is not a terrain letter (A to ~); 'A' in line 6 makes this a map of terrain letters");
    EXPECT_EQ(message_of(map_of(3, 1, "..A\n"), {.letters = Letters::kOctile}),
              "test.map:5: column 3: 'A' is not an octile letter (. G O @ T S W)");
    EXPECT_EQ(error_of(map_of(3, 1, ".\r.\n")).code, ErrorCode::kBadLetter);
}

TEST(MapFile, ACatalogueInTheFileTakesPrecedence) {
    const std::string text = map_of(3, 1, "xy.\n") + "terrain . floor #000000\nterrain y swamp #2E4a74\nterrain x tar #ffffff\n";
    const auto map = parse_movingai_map(text);
    ASSERT_TRUE(map) << map.error().message();
    EXPECT_EQ(map->snapshot().cells(), (std::vector<Terrain>{2, 1, 0}));
    EXPECT_EQ(map->snapshot().catalogue()[1], (TerrainType{"swamp", 'y', {0x2e, 0x4a, 0x74}}));
    EXPECT_EQ(again(text), replaced(text, "2E4a74", "2e4a74"));
    EXPECT_EQ(message_of(replaced(text, "xy.", "xA.")), "test.map:5: column 2: 'A' is not in the file's catalogue");
    EXPECT_EQ(error_of(text, {.letters = Letters::kOctile}).code, ErrorCode::kBadLetter);
}

TEST(MapFile, RefusesBadCatalogues) {
    const std::string map = map_of(1, 1, "A\n");
    for (const char* line : {"terrain", "terrain A", "terrain A mud", "terrain A mud 2e4a74", "terrain A mud #2e4a7",
                             "terrain A mud #2e4a7g", "terrain A mud #-e4a74", "terrain A mud #2e4a74 x", "terrain AB mud #2e4a74",
                             "terrain A Mud #2e4a74", "terrain \x01 mud #2e4a74", "terrains A mud #2e4a74", "mud"}) {
        const Error error = error_of(map + "\n" + line + "\n");
        EXPECT_FALSE(error.reason.empty()) << line;
        EXPECT_EQ(error.line, 7u) << line;
    }
    EXPECT_EQ(message_of(map + "terrain A mud #000000\nterrain A tar #000000\n"), "test.map:7: duplicate terrain letter 'A'");
    EXPECT_EQ(message_of(map + "terrain A mud #000000\nterrain B mud #000000\n"), "test.map:7: duplicate terrain name 'mud'");
    EXPECT_EQ(message_of(map + "terrain A m\x94 #000000\n"),
              "test.map:6: invalid terrain name 'm\\x94': expected 1 to 32 characters of a-z, 0-9 and _");
    std::string many = map;
    for (int i = 0; i < 256; ++i) many += "terrain none t" + std::to_string(i) + " #000000\n";
    EXPECT_EQ(error_of(many).code, ErrorCode::kTooLarge);
}

TEST(MapFile, WritesTheCatalogueWhereGuessingWouldMisread) {
    const Terrain trees = *Catalogue::standard().find("trees");
    const TerrainGrid all_trees(2, 2, trees);  // all `G`: looks like octile grass
    const auto text = format_movingai_map(all_trees.snapshot());
    ASSERT_TRUE(text) << text.error().message();
    EXPECT_NE(text->find("\nGG\nterrain A black #26242a\n"), std::string::npos) << *text;
    const auto map = parse_movingai_map(*text);
    ASSERT_TRUE(map) << map.error().message();
    EXPECT_EQ(map->snapshot().catalogue(), Catalogue::standard());
    EXPECT_EQ(map->snapshot().at(Cell{0, 0}), trees);
    EXPECT_EQ(format_movingai_map(map->snapshot()).value(), *text);

    const TerrainGrid roads(2, 2, *Catalogue::standard().find("road"));  // `H` is not octile
    EXPECT_EQ(format_movingai_map(roads.snapshot())->find("terrain"), std::string::npos);
}

TEST(MapFile, EveryStandardTerrainAloneRoundTrips) {
    for (const Catalogue& catalogue : {Catalogue::standard(), Catalogue::octile(), octile_with_bridge()}) {
        for (uint32_t t = 0; t < catalogue.size(); ++t) {
            const TerrainGrid grid(3, 2, static_cast<Terrain>(t), catalogue);
            const auto map = parse_movingai_map(format_movingai_map(grid.snapshot()).value());
            ASSERT_TRUE(map) << map.error().message();
            EXPECT_EQ(map->snapshot().catalogue(), catalogue);
            EXPECT_EQ(map->snapshot().cells(), grid.snapshot().cells());
        }
    }
}

TEST(MapFile, TypesWithoutALetterKeepTheirIds) {
    Catalogue catalogue;
    static_cast<void>(catalogue.add({"hidden", 0, {1, 2, 3}}).value());
    static_cast<void>(catalogue.add({"grass", 'G', {4, 5, 6}}).value());
    const TerrainGrid grid(1, 1, Terrain{1}, catalogue);
    const auto map = parse_movingai_map(format_movingai_map(grid.snapshot()).value());
    ASSERT_TRUE(map) << map.error().message();
    EXPECT_EQ(map->snapshot().catalogue(), catalogue);
    EXPECT_EQ(map->snapshot().at(Cell{0, 0}), 1);
}

TEST(MapFile, RefusesToWriteWhatCannotBeRead) {
    Catalogue catalogue;
    static_cast<void>(catalogue.add({"hidden", 0, {}}).value());
    const TerrainGrid grid(1, 1, Terrain{0}, catalogue);
    EXPECT_EQ(format_movingai_map(grid.snapshot()).error().message(), "terrain 'hidden' is on the map but has no letter");
    static_cast<void>(catalogue.add({"broken", '\n', {}}).value());
    EXPECT_EQ(format_movingai_map(TerrainGrid(1, 1, Terrain{1}, catalogue).snapshot()).error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(format_movingai_map(GridSnapshot()).error().code, ErrorCode::kUnsupported);
    const TemporaryFolder folder;
    EXPECT_EQ(save_map(folder / "x.map", grid.snapshot()).error().file, folder / "x.map");
    EXPECT_FALSE(std::filesystem::exists(folder / "x.map"));
}

TEST(MapFile, NoSingleByteChangeDoesHarm) {
    const std::string own = map_of(2, 1, "ab\n") + "terrain a mud #2e4a74\nterrain b tar #000000\n";
    for (const std::string& text : {kOctileMap, own}) {
        for (size_t at = 0; at < text.size(); ++at) {
            for (int byte = 0; byte < 256; ++byte) {
                std::string changed = text;
                changed[at] = static_cast<char>(byte);
                const auto map = parse_movingai_map(changed);
                if (!map) {
                    ASSERT_FALSE(map.error().reason.empty());
                    continue;
                }
                const auto back = parse_movingai_map(format_movingai_map(map->snapshot()).value());
                ASSERT_TRUE(back);
                ASSERT_EQ(back->snapshot().cells(), map->snapshot().cells());
                ASSERT_EQ(back->snapshot().catalogue(), map->snapshot().catalogue());
            }
        }
    }
}

TEST(MapFile, SavesAndLoads) {
    const TemporaryFolder folder;
    const std::string path = folder / "small.map";
    const auto map = parse_movingai_map(kOctileMap);
    ASSERT_TRUE(save_map(path, map->snapshot()));
    const auto loaded = load_map(path);
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_EQ(loaded->snapshot().cells(), map->snapshot().cells());
    EXPECT_EQ(read_file(path, 1000).value(), kOctileMap);
}

TEST(MapFile, LoadErrorsNameTheFile) {
    const TemporaryFolder folder;
    const std::string missing = folder / "none/none.map", empty = folder / "empty.map", bad = folder / "bad.map";
    std::ofstream(empty).flush();
    std::ofstream(bad) << replaced(kOctileMap, "TSW.", "TS!.");
    EXPECT_EQ(load_map(missing).error().message(), missing + ": cannot open: No such file or directory");
    EXPECT_EQ(load_map(folder.path()).error().message(), folder.path() + ": cannot read: Is a directory");
    EXPECT_EQ(load_map(empty).error().message(), empty + ": the file ends before 'type'");
    EXPECT_EQ(load_map(bad).error().line, 5u) << "the `!` makes it lettered, so the first `.` is invalid";
    const auto map = parse_movingai_map(kOctileMap);
    EXPECT_EQ(save_map(missing, map->snapshot()).error().code, ErrorCode::kCannotOpen);
}

TEST(MapFile, RefusesFilesItMayNotRead) {
    if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
    const TemporaryFolder folder;
    std::ofstream(folder / "secret.map") << kOctileMap;
    std::filesystem::permissions(folder / "secret.map", std::filesystem::perms::none);
    EXPECT_EQ(load_map(folder / "secret.map").error().code, ErrorCode::kCannotOpen);
}

TEST(MapFile, RefusesFilesLargerThanTheirCellsCouldBe) {
    const TemporaryFolder folder;
    const std::string path = folder / "large.map";
    std::ofstream(path) << kOctileMap << std::string(200'000, '\n');
    EXPECT_EQ(load_map(path, {.max_cells = 12}).error().code, ErrorCode::kTooLarge);
    EXPECT_TRUE(load_map(path));
}

}  // namespace terrane
