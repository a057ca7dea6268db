// Hostile files: they decompress to a thousand times their size, declare more than they contain, or aim at quadratic time. Each is
// refused early, or read at a cost proportional to its content.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "fuzz/world_checksums.h"
#include "io/mangle.h"
#include "support/hostile.h"
#include "terrane/io/image_map.h"
#include "terrane/io/map_file.h"
#include "terrane/io/obj_file.h"
#include "terrane/io/scenario.h"
#include "terrane/io/tiled_map.h"
#include "terrane/io/world_file.h"

#if defined(TERRANE_HAS_PNG)
#include <zlib.h>
#endif

namespace terrane {
namespace {

using test::expect_cheap;

std::string repeated(const std::string& text, size_t times) {
    std::string out;
    out.reserve(text.size() * times);
    for (size_t i = 0; i < times; ++i) out += text;
    return out;
}

// ---- PNG

#if defined(TERRANE_HAS_PNG)

std::string compressed(const std::string& bytes) {
    std::string out(compressBound(static_cast<uLong>(bytes.size())), '\0');
    uLongf length = static_cast<uLongf>(out.size());
    EXPECT_EQ(compress2(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(bytes.data()),
                        static_cast<uLong>(bytes.size()), 9),
              Z_OK);
    out.resize(length);
    return out;
}

std::string big_endian_word(uint32_t value) {
    return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8), static_cast<char>(value)};
}

std::string chunk(const std::string& type, const std::string& data) {
    const std::string sum = type + data;
    const auto crc = static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(sum.data()), static_cast<uInt>(sum.size())));
    return big_endian_word(static_cast<uint32_t>(data.size())) + sum + big_endian_word(crc);
}

// A grey PNG with `bits` per pixel and `chunks` after the header.
std::string grey(uint32_t width, uint32_t height, char bits, const std::string& chunks, char interlaced = 0) {
    const std::string form = {bits, 0, 0, 0, interlaced};
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", big_endian_word(width) + big_endian_word(height) + form) + chunks + chunk("IEND", "");
}

Error refused(const std::string& png) {
    const auto image = decode_png(png, kMaxImagePixels, "bomb.png");
    return image ? Error{ErrorCode::kUnsupported, {}, 0, "no error"} : image.error();
}

TEST(HostilePng, TextChunksAreNotDecompressed) {
    const std::string text = compressed(std::string(7'900'000, 'a'));  // libpng keeps up to 8 MB of each
    const std::string pixel = chunk("IDAT", compressed(std::string(2, '\0')));
    for (const std::string& one : {chunk("zTXt", std::string("k\0\0", 3) + text), chunk("iTXt", std::string("k\0\1\0\0\0", 6) + text)}) {
        const std::string png = grey(1, 1, 8, repeated(one, 40) + pixel);
        expect_cheap([&] { EXPECT_TRUE(decode_png(png)); });
    }
}

TEST(HostilePng, AllocatesOnlyForPixelsThatExist) {
    const std::string pixel = chunk("IDAT", compressed(std::string(2, '\0')));
    for (const char bits : {'\1', '\10', '\20'}) {
        for (const char interlaced : {'\0', '\1'}) {
            expect_cheap([&] { EXPECT_EQ(refused(grey(8192, 8192, bits, pixel, interlaced)).code, ErrorCode::kBadValue); });
        }
    }
    EXPECT_EQ(refused(grey(8192, 8192, 8, pixel)).message(), "bomb.png: the PNG's data ends before its last pixel");
    EXPECT_EQ(refused(grey(3, 3, 8, "")).code, ErrorCode::kBadValue) << "no pixel data";
}

TEST(HostilePng, EndlessDataIsRefused) {
    const std::string endless = compressed(std::string(32 << 20, '\0'));
    expect_cheap([&] {
        for (int i = 0; i < 40; ++i) {
            EXPECT_EQ(refused(grey(1, 1, 8, chunk("IDAT", endless))).message(), "bomb.png: the PNG's data goes on after its last pixel");
        }
    });
    EXPECT_TRUE(decode_png(grey(2, 1, 8, chunk("IDAT", "") + chunk("IDAT", compressed(std::string(3, '\0'))) + chunk("IDAT", ""))));
}

TEST(HostilePng, InvalidSizesAreRefused) {
    const std::string pixel = chunk("IDAT", compressed(std::string(2, '\0')));
    for (const uint32_t side : {0u, 32769u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
        const ErrorCode code = side == 0 ? ErrorCode::kBadValue : ErrorCode::kTooLarge;
        for (const auto& [width, height] : std::array<std::array<uint32_t, 2>, 3>{{{side, 1}, {1, side}, {side, side}}}) {
            expect_cheap([&, w = width, h = height] { EXPECT_EQ(refused(grey(w, h, 8, pixel)).code, code); });
        }
    }
    EXPECT_EQ(refused(grey(1, 1, '\xff', pixel)).file, "bomb.png");
}

#endif

// ---- Tiled

constexpr const char* kTileset =
    R"(<tileset firstgid="1"><tile id="0"><properties><property name="terrain" value="plains"/></properties></tile></tileset>)";

std::string tmx_of(const std::string& size, const std::string& data) {
    return R"(<map orientation="orthogonal" )" + size + ">" + kTileset + R"(<layer name="a" )" + size + ">" + data + "</layer></map>";
}

Error tiled_refused(const std::string& text) {
    const auto map = parse_tiled(text, {}, "bomb.tmx");
    return map ? Error{ErrorCode::kCancelled, {}, 0, "no error"} : map.error();
}

bool reads_tmx() { return parse_tiled(tmx_of("width='1' height='1'", "<data encoding='csv'>1</data>")).has_value(); }

TEST(HostileTiled, AllocatesOnlyForTilesThatExist) {
    if (!reads_tmx()) GTEST_SKIP() << "built without tinyxml2";
    const std::string size = R"(width="8192" height="8192")";
    for (const char* data : {R"(<data encoding="csv">1,1,1</data>)", R"(<data encoding="base64">AQAAAA==</data>)",
                             R"(<data encoding="base64" compression="zlib">eNpjZGBgAAAACAAC</data>)", R"(<data><tile gid="1"/></data>)"}) {
        expect_cheap([&] {
            const Error error = tiled_refused(tmx_of(size, data));
            EXPECT_EQ(error.line, 1u);
            EXPECT_NE(error.reason.find("67108864"), std::string::npos) << error.reason;
        });
    }
    const std::string json =
        R"({"type":"map","orientation":"orthogonal","width":8192,"height":8192,"layers":[{"type":"tilelayer","name":"a",
        "width":8192,"height":8192,"encoding":"base64","compression":"gzip","data":"H4sIAAAAAAACA2NkYGBgAmJmCN3AyMCQAGUzANkMAFZHe+4gAAAA"}]})";
    expect_cheap([&] { EXPECT_FALSE(parse_tiled(json)); });
}

TEST(HostileTiled, ElementsWithAThousandAttributesAreRefusedAtOnce) {
    if (!reads_tmx()) GTEST_SKIP() << "built without tinyxml2";
    std::string attributes;
    for (int i = 0; i < 80'000; ++i) attributes += " a" + std::to_string(i) + (i % 2 == 0 ? "='>'" : "=\"<\"");
    for (const std::string before : {"", "<?xml version='1.0'?>\n", "<!--> <a ' -->\n", "<!DOCTYPE x>\n", "<!-- a='b' --><!-- \" -->\n"}) {
        expect_cheap([&] {
            const Error error = tiled_refused(before + "<map" + attributes + "/>");
            EXPECT_EQ(error.reason, "an element has more than 256 attributes");
            EXPECT_EQ(error.line, before.empty() ? 1u : 2u);
        });
    }
}

TEST(HostileTiled, UnterminatedEntitiesAreRefusedAtOnce) {
    if (!reads_tmx()) GTEST_SKIP() << "built without tinyxml2";
    const std::string flood = repeated("&#", 400'000);
    for (const std::string& data : {"<data encoding='csv'>" + flood + "</data>", "<data encoding='csv' x='" + flood + "'>1</data>"}) {
        expect_cheap([&] {
            EXPECT_EQ(tiled_refused("\n\n" + tmx_of("width='1' height='1'", data)).message(), "bomb.tmx:3: not XML: a '&' without its ';'");
        });
    }
    EXPECT_TRUE(parse_tiled(tmx_of("width='1' height='1' class='a &lt; b'", "<!-- & --><data encoding='csv'><![CDATA[1]]></data>")));
}

TEST(HostileTiled, ATilesetThatIsNamedAThousandTimesIsNotReadAThousandTimes) {
    if (!reads_tmx()) GTEST_SKIP() << "built without tinyxml2";
    const std::string tileset = "<tileset>" + std::string(1 << 20, ' ') + "</tileset>";
    std::string sets;
    for (int i = 1; i <= 1024; ++i) sets += "<tileset firstgid='" + std::to_string(i) + "' source='t.tsx'/>";
    int reads = 0;
    const auto map = parse_tiled("<map orientation='orthogonal' width='1' height='1'>" + sets + "</map>", {}, "bomb.tmx",
                                 [&](const std::string&) -> Result<std::string> { return ++reads, tileset; });
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().code, ErrorCode::kTooLarge);
    EXPECT_EQ(map.error().file, "bomb.tmx");
    EXPECT_EQ(reads, 32);
}

TEST(HostileTiled, DepthIsRefusedBeforeTheStackIsSpent) {
    for (const std::string& text : {repeated("<group>", 100'000), "<map>" + repeated("<layer>", 100'000),
                                    repeated(R"({"layers":[)", 100'000), repeated("[", 1'000'000), repeated(R"({"a":)", 200'000)}) {
        expect_cheap([&] { EXPECT_FALSE(tiled_refused(text).reason.empty()); });
    }
}

#if defined(TERRANE_HAS_JSON)

TEST(HostileTiled, BlanksBeforeASyntaxErrorTakeLinearMemory) {
    constexpr size_t kBlanks = 4 << 20;
    for (const char blank : {'\n', '\t', '\r', ' '}) {
        expect_cheap([&] {
            const Error error = tiled_refused("{\"a\": [" + std::string(kBlanks, blank) + "}");
            EXPECT_EQ(error.reason, "not JSON from here on");
            EXPECT_EQ(error.line, blank == '\n' ? 1 + kBlanks : 1);
        });
    }
    for (const char* begin : {"{\"type\": \"ma", "{\"type\": \"ma\\\\\\", "{\"a\": \"\\q", "{\"a\\\""}) {  // strings contain no line breaks
        expect_cheap([&] {
            EXPECT_EQ(tiled_refused("\n" + (begin + std::string(kBlanks, '\n')) + "p\"}").message(), "bomb.tmx:2: not JSON from here on");
        });
    }
}

#endif

// ---- OBJ

TEST(HostileObj, UndefinedVerticesAreRefusedWhateverTheirIndex) {
    const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 0 1\n";
    for (const char* index :
         {"0", "4", "-4", "2147483648", "4294967297", "-4294967295", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
          "18446744073709551617", "99999999999999999999999999", "1e1", "+1", "--1", "1/99999999999999999999"}) {
        const auto mesh = parse_obj(corners + "f 1 2 " + index + "\n", "bomb.obj");
        ASSERT_FALSE(mesh) << index;
        EXPECT_EQ(mesh.error().line, 4u) << index;
        expect_printable_error(mesh.error(), "bomb.obj", index);
    }
}

TEST(HostileObj, AFaceOfAMillionCornersIsAFan) {
    const std::string text = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf" + repeated(" 1 2 -1", 350'000);
    expect_cheap([&] { EXPECT_EQ(parse_obj(text).value().triangles.size(), 1'050'000u - 2); });
}

// ---- formats of this library

TEST(HostileMap, InvalidSizesAreRefused) {
    for (const char* side :
         {"0", "-1", "32769", "65537", "2147483648", "4294967295", "4294967296", "4294967297", "18446744073709551617", "1e9", ""}) {
        for (const std::string& text : {std::string("type octile\nheight ") + side + "\nwidth 1\nmap\n.\n",
                                        std::string("type octile\nheight 1\nwidth ") + side + "\nmap\n.\n"}) {
            expect_cheap([&] {
                const auto map = parse_movingai_map(text, {}, "bomb.map");
                ASSERT_FALSE(map) << side;
                EXPECT_TRUE(map.error().line == 2 || map.error().line == 3) << side;
                expect_printable_error(map.error(), "bomb.map", side);
            });
        }
    }
}

TEST(HostileWorld, NoCorruptedWordDoesHarmWithValidChecksums) {
    const std::vector<Terrain> cells = {0, 0, 0, 0, 0, 1, 2, 1, 2, 2, 0, 0, 0, 0, 0, 1, 2, 1, 2, 2};
    const std::string bytes = format_world(TerrainGrid(5, 4, cells).snapshot()).value();
    size_t taken = 0;
    expect_cheap([&] {
        test::for_each_wild_word(bytes, 8, bytes.size(), 1, [&](std::string changed, const std::string& what) {
            const auto world = parse_world(fix_world_checksums(std::move(changed)), {Letters::kGuess, 1 << 16}, "bomb.terrane");
            if (!world) return expect_printable_error(world.error(), "bomb.terrane", what);
            ++taken;
            EXPECT_LE(world->snapshot().layout().cells(), uint64_t{1} << 16) << what;
            for (const Terrain t : world->snapshot().cells()) EXPECT_LT(t, world->snapshot().catalogue().size()) << what;
        });
    });
    EXPECT_GT(taken, 0u) << "some are valid worlds";
}

TEST(HostileScenario, ALineOfAMegabyteIsOneLine) {
    for (const char c : {' ', '\t', '9', 'a', '\0', '\xff'}) {
        const std::string text = "version 1\n0 m 9 9 1 1 2 2 " + std::string(1 << 20, c) + "\n";
        expect_cheap([&] {
            const auto scenario = parse_scenario(text, "bomb.scen");
            ASSERT_FALSE(scenario) << static_cast<int>(c);
            EXPECT_EQ(scenario.error().line, 2u);
            EXPECT_LT(scenario.error().reason.size(), 400u) << "the line is not repeated";
        });
    }
}

}  // namespace
}  // namespace terrane
