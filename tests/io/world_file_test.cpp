#include "terrane/io/world_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/bytes.h"
#include "io/mangle.h"
#include "support/temporary.h"
#include "terrane/base/file.h"
#include "terrane/base/rng.h"

namespace terrane {

namespace {

Catalogue three_types() {
    Catalogue catalogue;
    static_cast<void>(catalogue.add({"brine", '~', {1, 2, 250}}).value());
    static_cast<void>(catalogue.add({"hidden", 0, {9, 8, 7}}).value());
    static_cast<void>(catalogue.add({"odd", '\n', {0, 0, 0}}).value());
    return catalogue;
}

// Maps with runs, copies of the row above, and noise.
TerrainGrid mixed(int32_t width, int32_t height, uint64_t seed) {
    std::vector<Terrain> cells(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (size_t i = 0; i < cells.size(); ++i) {
        const uint64_t bits = mix64(seed + i);
        cells[i] = static_cast<Terrain>(i / 40 % 3 == 0 ? bits % 3 : i / 7 % 3);
    }
    return {width, height, cells, three_types()};
}

std::string bytes_of(const TerrainGrid& grid) { return format_world(grid.snapshot()).value(); }

Error world_error(std::string_view bytes, const MapOptions& options = {}) {
    const auto world = parse_world(bytes, options, "w.terrane");
    return world ? Error{ErrorCode::kUnsupported, {}, 0, "no error"} : world.error();
}

uint64_t fnv(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    return hash;
}

// A file with these sections and valid checksums, so that the parser reads their content.
std::string file_of(const std::vector<std::pair<std::string, std::string>>& sections, uint32_t flags = 1, uint32_t version = 1) {
    std::string out("\x89TRN\r\n\x1a\n", 8);
    uint64_t length = 24 + sections.size() * 24 + 8;
    for (const auto& [tag, bytes] : sections) length += bytes.size();
    detail::put_u32(out, version);
    detail::put_u32(out, static_cast<uint32_t>(sections.size()));
    detail::put_u64(out, length);
    for (const auto& [tag, bytes] : sections) {
        out += tag;
        detail::put_u32(out, flags);
        detail::put_u64(out, bytes.size());
        detail::put_u64(out, fnv(bytes));
    }
    detail::put_u64(out, fnv(out));
    for (const auto& [tag, bytes] : sections) out += bytes;
    return out;
}

std::string catalogue_bytes() {
    return std::string(
        "\x02\0\0\0\x01"
        "aA\x01\x02\x03\x01"
        "bB\x04\x05\x06",
        16);
}
std::string cells_bytes(uint32_t width, uint32_t height, const std::string& tokens) {
    std::string out;
    detail::put_u32(out, width);
    detail::put_u32(out, height);
    return out + tokens;
}
Error error_of_cells(uint32_t width, uint32_t height, const std::string& tokens) {
    return world_error(file_of({{"CATA", catalogue_bytes()}, {"CELL", cells_bytes(width, height, tokens)}}));
}

}  // namespace

TEST(WorldFile, RoundTripsCellsAndTheWholeCatalogue) {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 70}, {70, 1}, {33, 32}, {100, 61}}) {
        const TerrainGrid grid = mixed(width, height, 5);
        const std::string bytes = bytes_of(grid);
        const auto again = parse_world(bytes);
        ASSERT_TRUE(again) << again.error().message();
        EXPECT_EQ(again->snapshot().layout(), grid.snapshot().layout());
        EXPECT_EQ(again->snapshot().cells(), grid.snapshot().cells());
        EXPECT_EQ(again->snapshot().catalogue(), grid.snapshot().catalogue()) << "including letters that .map cannot represent";
        EXPECT_EQ(bytes_of(*again), bytes);
    }
}

TEST(WorldFile, TheLayoutIsAsDocumented) {
    const std::string plain = cells_bytes(4, 2, std::string("\x10\x01\x11", 3));  // a run of 4 of terrain 1, 4 from above
    const auto grid = parse_world(file_of({{"CATA", catalogue_bytes()}, {"CELL", plain}}));
    ASSERT_TRUE(grid) << grid.error().message();
    EXPECT_EQ(grid->snapshot().cells(), std::vector<Terrain>(8, 1));
    EXPECT_EQ(grid->snapshot().catalogue()[1], (TerrainType{"b", 'B', {4, 5, 6}}));
    EXPECT_EQ(bytes_of(TerrainGrid(4, 2, std::vector<Terrain>{0, 1, 0, 1, 0, 1, 0, 1}, grid->snapshot().catalogue())),
              file_of({{"CATA", catalogue_bytes()}, {"CELL", cells_bytes(4, 2, std::string("\x12\0\x01\0\x01\x11", 6))}}));
}

TEST(WorldFile, RefusesEveryTruncation) {
    const std::string bytes = bytes_of(mixed(21, 13, 3));
    for_each_cut(bytes, [](const std::string& cut, const std::string& what) {
        const Error error = world_error(cut);
        EXPECT_EQ(error.code, ErrorCode::kTruncated) << what;
        expect_printable_error(error, "w.terrane", what);
    });
}

TEST(WorldFile, RefusesEveryChangedByte) {
    const std::string bytes = bytes_of(mixed(21, 13, 3));
    for_each_change(bytes, [](const std::string& changed, const std::string& what) {
        const Error error = world_error(changed);
        EXPECT_NE(error.reason, "no error") << what;
        expect_printable_error(error, "w.terrane", what);
    });
}

TEST(WorldFile, RefusesTrailingBytesOtherVersionsAndOtherFiles) {
    const std::string bytes = bytes_of(mixed(3, 3, 1));
    EXPECT_EQ(world_error(bytes + '\0').code, ErrorCode::kTrailing);
    EXPECT_EQ(world_error(bytes + bytes).code, ErrorCode::kTrailing);
    EXPECT_EQ(world_error("type octile\n").message(), "w.terrane: not a .terrane file: wrong signature");
    EXPECT_EQ(world_error(file_of({{"CATA", catalogue_bytes()}}, 1, 2)).message(),
              "w.terrane: unsupported format version 2: this library reads version 1");
}

TEST(WorldFile, RefusesInvalidCells) {
    const auto bad = [](uint32_t width, uint32_t height, const std::string& tokens) {
        const Error error = error_of_cells(width, height, tokens);
        if (error.reason == "no error") return false;
        expect_printable_error(error, "w.terrane", tokens);
        return true;
    };
    EXPECT_FALSE(bad(4, 1, std::string("\x10\0", 2)));
    EXPECT_TRUE(bad(4, 1, "")) << "no cells";
    EXPECT_TRUE(bad(4, 1, std::string("\x0c\0", 2))) << "too few";
    EXPECT_TRUE(bad(4, 1, std::string("\x14\0", 2))) << "too many";
    EXPECT_TRUE(bad(4, 1, std::string("\x10\0\0", 3))) << "trailing bytes";
    EXPECT_TRUE(bad(4, 1, std::string("\x00\0\x10\0", 4))) << "a token for no cells";
    EXPECT_TRUE(bad(4, 1, std::string("\x10\x02", 2))) << "a terrain that the catalogue lacks";
    EXPECT_TRUE(bad(4, 1, std::string("\x12\0\0\0\x02", 5))) << "such a terrain among literals";
    EXPECT_TRUE(bad(4, 1, std::string("\x12\0\0", 3))) << "literals cut short";
    EXPECT_TRUE(bad(4, 1, "\x11")) << "nothing is above the first row";
    EXPECT_TRUE(bad(4, 2, std::string("\x0c\0\x15", 3))) << "nothing is above the end of the first row";
    EXPECT_TRUE(bad(4, 1, "\x13")) << "an unknown kind";
    EXPECT_TRUE(bad(4, 1, "\xff\xff\xff\xff\xff\xff")) << "an unterminated integer";
    EXPECT_TRUE(bad(0, 4, "")) << "no width";
}

TEST(WorldFile, RefusesBadCatalogues) {
    const std::string cells = cells_bytes(1, 1, std::string("\x04\0", 2));
    const auto error_with = [&](const std::string& catalogue) { return world_error(file_of({{"CATA", catalogue}, {"CELL", cells}})); };
    EXPECT_EQ(error_with(catalogue_bytes()).reason, "no error");
    EXPECT_EQ(error_with(catalogue_bytes() + "x").code, ErrorCode::kTrailing);
    EXPECT_EQ(error_with(catalogue_bytes().substr(0, 15)).code, ErrorCode::kTruncated);
    EXPECT_EQ(error_with(std::string("\0\x01\0\0", 4)).code, ErrorCode::kTooLarge);
    EXPECT_EQ(error_with(std::string("\x01\0\0\0\x01"
                                     "aA",
                                     7))
                  .code,
              ErrorCode::kTruncated);
    std::string upper = catalogue_bytes();
    upper[5] = 'Q';
    EXPECT_EQ(error_with(upper).message(), "w.terrane: invalid terrain name 'Q': expected 1 to 32 characters of a-z, 0-9 and _");
}

TEST(WorldFile, RefusesHugeMapsWithoutAllocating) {
    for (int i = 0; i < 1000; ++i) {  // would be a gibibyte each if allocated
        EXPECT_EQ(error_of_cells(32768, 32768, std::string("\x10\0", 2)).code, ErrorCode::kBadValue);
    }
    EXPECT_EQ(error_of_cells(32769, 1, "").code, ErrorCode::kTooLarge);
    EXPECT_EQ(world_error(bytes_of(mixed(10, 10, 1)), {.max_cells = 99}).code, ErrorCode::kTooLarge);
    EXPECT_EQ(world_error(bytes_of(mixed(10, 10, 1)), {.max_cells = 100}).reason, "no error");
}

TEST(WorldFile, UnknownSectionsAreSkippedUnlessRequired) {
    const TerrainGrid grid = mixed(9, 9, 2);
    const std::vector<WorldSection> extra{{{'N', 'O', 'T', 'E'}, false, "anything"}, {{'P', 'A', 'T', 'H'}, true, std::string(1000, 'x')}};
    const std::string optional = format_world(grid.snapshot(), std::span(extra).first(1)).value();
    EXPECT_EQ(parse_world(optional)->snapshot().cells(), grid.snapshot().cells());
    const std::string both = format_world(grid.snapshot(), extra).value();
    EXPECT_EQ(world_error(both).message(), "w.terrane: section 'PATH' is required, but this library does not know it");
    std::vector<WorldSection> read;
    EXPECT_TRUE(parse_world(both, {}, {}, &read)) << "unless the caller requests the sections";
    EXPECT_EQ(read, extra);
    const WorldSection taken{{'C', 'E', 'L', 'L'}, false, ""};
    EXPECT_FALSE(format_world(grid.snapshot(), std::span(&taken, 1)));
    EXPECT_EQ(world_error(file_of({{"CATA", catalogue_bytes()}, {"CATA", catalogue_bytes()}})).message(),
              "w.terrane: duplicate section 'CATA'");
    EXPECT_EQ(world_error(file_of({{"CATA", catalogue_bytes()}})).message(), "w.terrane: section 'CELL' is missing");
    EXPECT_EQ(world_error(file_of({{"CATA", catalogue_bytes()}}, 2)).code, ErrorCode::kUnsupported) << "an unknown flag";
}

TEST(WorldFile, LoadWorldReadsEitherKindAndSaveWorldGoesByTheName) {
    const TemporaryFolder folder;
    const TerrainGrid grid(40, 30, *Catalogue::standard().find("road"));
    for (const char* name : {"a.map", "a.terrane"}) {
        ASSERT_TRUE(save_map(folder / name, grid.snapshot()));
        const auto again = load_map(folder / name);
        ASSERT_TRUE(again) << again.error().message();
        EXPECT_EQ(again->snapshot().cells(), grid.snapshot().cells());
    }
    EXPECT_EQ(read_file(folder / "a.map", 100).error().code, ErrorCode::kTooLarge);
    EXPECT_LT(read_file(folder / "a.terrane", 1000)->size(), 600u);
    std::filesystem::rename(folder / "a.terrane", folder / "b.map");
    EXPECT_TRUE(load_map(folder / "b.map")) << "the first bytes decide, not the name";
    EXPECT_EQ(save_map(folder / "a.txt", grid.snapshot()).error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(load_map(folder / "none.map").error().code, ErrorCode::kCannotOpen);
    EXPECT_EQ(load_map(folder.path()).error().code, ErrorCode::kCannotOpen);
    std::ofstream(folder / "cut.terrane") << read_file(folder / "b.map", 1000)->substr(0, 50);
    EXPECT_EQ(load_map(folder / "cut.terrane").error().file, folder / "cut.terrane");
    EXPECT_FALSE(save_map(folder / "empty.terrane", GridSnapshot()));
}

TEST(WorldFile, AMapOfNoiseIsHardlyLargerThanItsCells) {
    std::vector<Terrain> cells(256 * 256);
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<Terrain>(mix64(i) % 19);
    EXPECT_LT(bytes_of(TerrainGrid(256, 256, cells)).size(), cells.size() * 102 / 100 + 1000);
}

}  // namespace terrane
