#include "terrane/io/tiled_map.h"

#include <gtest/gtest.h>

#include <fstream>

#include "io/mangle.h"
#include "support/temporary.h"
#include "terrane/io/map_file.h"

namespace terrane {

namespace {

// 4 x 2 tiles: grass, water, trees, water (flipped); grass (rotated), trees, water, grass.
const std::string kCsv = "1,2,3,2147483650,\n1610612737,3,2,1";
const std::string kBase64 = "AQAAAAIAAAADAAAAAgAAgAEAAGADAAAAAgAAAAEAAAA=";
const std::string kZlib = "eNpjZGBgYAJiZgjdwMjAkABlMwDZDAAOkADw";
const std::string kGzip = "H4sIAAAAAAACA2NkYGBgAmJmCN3AyMCQAGUzANkMAFZHe+4gAAAA";
const std::vector<std::string> kNames{"grass", "water", "trees", "water", "grass", "trees", "water", "grass"};

const std::string kXmlTileset = R"( <tileset firstgid="1" name="ground" tilewidth="16" tileheight="16" tilecount="4" columns="4">
  <image source="ground.png" width="64" height="16"/>
  <tile id="0">
   <properties>
    <property name="height" type="int" value="3"/>
    <property name="terrain" value="grass"/>
   </properties>
  </tile>
  <tile id="1"><properties><property name="terrain" value="Water"/></properties></tile>
  <tile id="2"><properties><property name="terrain">trees</property></properties></tile>
 </tileset>
)";

std::string tmx(const std::string& layers, const std::string& tileset = kXmlTileset, const std::string& more = "") {
    return R"(<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.10.2" orientation="orthogonal" renderorder="right-down" width="4" height="2" )" +
           more +
           R"(tilewidth="16" tileheight="16">
)" + tileset +
           layers + "</map>\n";
}

std::string layer(const std::string& data, const std::string& form = R"(encoding="csv")", const std::string& more = "") {
    return R"( <layer id="1" name="ground" width="4" height="2")" + more + ">\n  <data " + form + ">\n" + data + "\n</data>\n </layer>\n";
}

const std::string kInfinite = R"(<map orientation="orthogonal" width="30" height="20" infinite="1">
)" + kXmlTileset + R"( <layer id="1" name="ground" width="30" height="20">
  <data encoding="csv">
   <chunk x="-16" y="0" width="2" height="2">
0,0,
0,1
</chunk>
   <chunk x="-14" y="0" width="2" height="2">
0,0,
2,3
</chunk>
  </data>
 </layer>
</map>
)";

const std::string kJsonTileset = R"({"firstgid":1,"name":"ground","tilecount":4,"tiles":[
  {"id":0,"properties":[{"name":"height","type":"int","value":3},{"name":"terrain","type":"string","value":"grass"}]},
  {"id":1,"properties":[{"name":"terrain","type":"string","value":"Water"}]},
  {"id":2,"properties":[{"name":"terrain","type":"string","value":"trees"}]}]})";

std::string json(const std::string& layers, const std::string& tileset = kJsonTileset, const std::string& more = "") {
    return R"({"type":"map","version":"1.10","orientation":"orthogonal","width":4,"height":2,)" + more + "\n\"tilesets\":[" + tileset +
           "],\n\"layers\":[" + layers + "]}\n";
}

std::string json_layer(const std::string& data, const std::string& more = "") {
    return R"({"type":"tilelayer","name":"ground","width":4,"height":2,"x":0,"y":0,"visible":true,)" + more + "\"data\":" + data + "}";
}

const std::string kJsonNumbers = "[1,2,3,2147483650,1610612737,3,2,1]";

std::vector<std::string> names_of(const Result<TerrainGrid>& map) {
    if (!map) return {map.error().message()};
    const GridSnapshot grid = map->snapshot();
    std::vector<std::string> names;
    for (const Terrain t : grid.cells()) names.push_back(grid.catalogue()[t].name);
    return names;
}

std::vector<std::string> read(const std::string& text, const TiledOptions& options = {}) {
    return names_of(parse_tiled(text, options, "m.tmx"));
}

Error tiled_error(std::string_view text, const TiledOptions& options = {}) {
    const auto map = parse_tiled(text, options, "m.tmx");
    return map ? Error{ErrorCode::kUnsupported, {}, 0, "no error"} : map.error();
}

TiledOptions otherwise(const char* name) { return {"terrain", name, kMaxTiledCells}; }
TiledOptions with_property(const char* name) { return {name, "", kMaxTiledCells}; }
TiledOptions at_most(uint64_t cells) { return {"terrain", "", cells}; }

std::string tiled_with(std::string text, const std::string& what, const std::string& with) {
    return text.replace(text.find(what), what.size(), with);
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Whether this build supports the format.
bool reads_xml() { return tiled_error(tmx(layer(kCsv))).code != ErrorCode::kUnsupported || parse_tiled(tmx(layer(kCsv))); }
bool reads_json() { return static_cast<bool>(parse_tiled(json(json_layer(kJsonNumbers)))); }
bool decompresses() {
    return static_cast<bool>(parse_tiled(json(json_layer('"' + kZlib + '"', R"("encoding":"base64","compression":"zlib",)"))));
}

class Tmx : public testing::Test {
    void SetUp() override {
        if (!reads_xml()) GTEST_SKIP() << "built without tinyxml2";
    }
};
class TiledJson : public testing::Test {
    void SetUp() override {
        if (!reads_json()) GTEST_SKIP() << "built without nlohmann-json";
    }
};

}  // namespace

TEST_F(Tmx, ReadsEveryEncoding) {
    EXPECT_EQ(read(tmx(layer(kCsv))), kNames) << "flips and rotations are ignored";
    EXPECT_EQ(read(tmx(layer("   " + kBase64 + "\n  ", R"(encoding="base64")"))), kNames);
    const std::string elements =
        R"(<tile gid="1"/><tile gid="2"/><tile gid="3"/><tile gid="2147483650"/><tile gid="1"/><tile gid="3"/><tile gid="2"/><tile gid="1"/>)";
    EXPECT_EQ(read(tmx(layer(elements, ""))), kNames);
    if (!decompresses()) GTEST_SKIP() << "built without zlib";
    EXPECT_EQ(read(tmx(layer(kZlib, R"(encoding="base64" compression="zlib")"))), kNames);
    EXPECT_EQ(read(tmx(layer(kGzip, R"(encoding="base64" compression="gzip")"))), kNames);
}

TEST_F(Tmx, TheCatalogueIsAKnownOneIfItHasAllNames) {
    const auto map = parse_tiled(tmx(layer(kCsv)));
    ASSERT_TRUE(map) << map.error().message();
    EXPECT_EQ(map->width(), 4);
    EXPECT_EQ(map->height(), 2);
    EXPECT_EQ(map->snapshot().catalogue(), Catalogue::octile()) << "grass is octile";
    const auto own = parse_tiled(tiled_with(tmx(layer(kCsv)), "\"grass\"", "\"Old-Marble Floor\""));
    EXPECT_EQ(own->snapshot().catalogue()[0].name, "old_marble_floor");
    EXPECT_EQ(own->snapshot().catalogue().size(), 3u);
    EXPECT_TRUE(format_movingai_map(own->snapshot()));
}

TEST_F(Tmx, TheTopmostVisibleTileWithATerrainWins) {
    const std::string above = layer("0,1,0,0,\n0,0,4,0"), hidden = layer("3,3,3,3,3,3,3,3", R"(encoding="csv")", R"( visible="0")");
    std::vector<std::string> wanted = kNames;
    wanted[1] = "grass";
    EXPECT_EQ(read(tmx(layer(kCsv) + above + hidden)), wanted) << "tile 4 has no terrain: the tile below counts";
    EXPECT_EQ(
        read(tmx("<group name=\"g\"><group>" + layer(kCsv) + "</group>" + above + "</group><group visible=\"0\">" + hidden + "</group>")),
        wanted);
}

TEST_F(Tmx, CellsWithoutATerrainAreRefusedOrOtherwise) {
    const std::string four = tmx(layer("1,2,3,2,1,3,4,1")), none = tmx(layer("1,2,3,2,1,0,2,1"));
    EXPECT_EQ(tiled_error(four).message(),
              "m.tmx: tile 4 at cell 2,1 has no terrain: give it a property 'terrain' in its tileset, or set 'otherwise'");
    EXPECT_EQ(tiled_error(none).message(), "m.tmx: cell 1,1 has no tile: add one, or set 'otherwise'");
    EXPECT_EQ(read(four, otherwise("swamp"))[6], "swamp");
    EXPECT_EQ(read(none, otherwise("Deep Water"))[5], "deep_water");
    EXPECT_EQ(tiled_error(none, otherwise("d\xc3\xa9j\xc3\xa0")).code, ErrorCode::kBadValue);
    EXPECT_EQ(
        read(tiled_with(tmx(layer("1,1,1,1,1,1,1,1")), "height\" type=\"int\" value=\"3", "kind\" value=\"mud"), with_property("kind"))[0],
        "mud");
}

TEST_F(Tmx, InfiniteMapsAreCutToTheirTiles) {
    EXPECT_EQ(read(kInfinite), (std::vector<std::string>{"grass", "water", "trees"}));
    const std::string gap = tiled_with(kInfinite, "0,0,\n2,3", "0,2,\n0,3");
    EXPECT_EQ(tiled_error(gap).reason.substr(0, 26), "cell -15,0 has no tile: ad") << "coordinates are Tiled's";
    EXPECT_EQ(tiled_error(tiled_with(kInfinite, "x=\"-16\"", "x=\"-99999\"")).code, ErrorCode::kTooLarge);
    EXPECT_EQ(tiled_error(tiled_with(kInfinite, "x=\"-16\"", "x=\"-2147483648\"")).line, 15u);
    EXPECT_EQ(tiled_error(tiled_with(tiled_with(kInfinite, "0,0,\n0,1", "0,0,\n0,0"), "0,0,\n2,3", "0,0,\n0,0")).reason,
              "the map has no tiles");
}

TEST_F(Tmx, ErrorsHaveTheirLine) {
    const std::string good = tmx(layer(kCsv));
    const auto message = [&](const std::string& what, const std::string& with) {
        return tiled_error(tiled_with(good, what, with)).message();
    };
    EXPECT_EQ(message("orthogonal", "isometric"), "m.tmx:2: the map is 'isometric'; only orthogonal maps can be read");
    EXPECT_EQ(message("1610612737", "x"), "m.tmx:17: tile 5 of layer 'ground' is 'x', not a number");
    EXPECT_EQ(message("1610612737,", ""), "m.tmx:15: the data of layer 'ground' has 7 tiles, expected 8");
    EXPECT_EQ(message("1610612737", "1,1"), "m.tmx:17: the data of layer 'ground' has more than 8 tiles");
    EXPECT_EQ(message("encoding=\"csv\"", "encoding=\"hex\""), "m.tmx:15: tile data is encoded as 'hex'; expected 'csv' or 'base64'");
    EXPECT_EQ(message("encoding=\"csv\"", "encoding=\"base64\" compression=\"zstd\"").substr(0, 44),
              "m.tmx:15: tile data is compressed with 'zstd");
    EXPECT_EQ(message("encoding=\"csv\"", "encoding=\"base64\""), "m.tmx:15: the data of layer 'ground' is not base64");
    EXPECT_EQ(message("id=\"1\"><prop", "id=\"-1\"><prop"), "m.tmx:11: a tile's id is not a number >= 0");
    EXPECT_EQ(message("\"Water\"", "\"\""), "m.tmx:11: property 'terrain' of tile 1 is not a terrain's name");
    EXPECT_EQ(message("width=\"4\"", "width=\"0\""), "m.tmx:2: width and height of the map are not numbers from 1 to 32768");
    EXPECT_EQ(message("name=\"ground\" width=\"4\"", "name=\"ground\" width=\"5\""), "m.tmx:15: layer 'ground' extends beyond the map");
    EXPECT_EQ(message("</layer>", "</lair>").substr(0, 6), "m.tmx:");
    EXPECT_TRUE(has(message("</layer>", "</lair>"), "not XML")) << message("</layer>", "</lair>");
    EXPECT_EQ(tiled_error(good + "<map/>").code, ErrorCode::kTrailing);
    EXPECT_EQ(tiled_error("<svg/>").message(), "m.tmx:1: expected an element <map>");
    EXPECT_EQ(tiled_error(tmx("")).message(), "m.tmx: the map has no visible tile layer with tiles");
}

TEST_F(Tmx, RefusesWhatIsTooLargeOrTooDeep) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "<group>";
    EXPECT_NE(tiled_error(tmx(deep)).reason, "no error");
    EXPECT_EQ(tiled_error(tmx(layer(kCsv)), at_most(7)).code, ErrorCode::kTooLarge);
    EXPECT_EQ(tiled_error(tiled_with(tiled_with(tmx(layer(kCsv)), "width=\"4\" height=\"2\"", "width=\"32768\" height=\"32768\""),
                                     "width=\"4\" height=\"2\"", "width=\"32768\" height=\"32768\""))
                  .code,
              ErrorCode::kTooLarge);
    const std::string packed = layer(kZlib, R"(encoding="base64" compression="zlib")");
    EXPECT_TRUE(has(tiled_error(tiled_with(tiled_with(tmx(packed), "width=\"4\"", "width=\"2\""), "name=\"ground\" width=\"4\"",
                                           "name=\"ground\" width=\"2\""))
                        .reason,
                    decompresses() ? "does not decompress to 4 tiles" : "this build lacks zlib"));
}

TEST_F(Tmx, EveryTruncationIsRefusedAndNoChangeDoesHarm) {
    size_t refused = 0;
    for (const std::string& good : {tmx(layer(kCsv)), kInfinite}) {
        for_each_cut(good.substr(0, good.find("</map>") + 6), [&](const std::string& text, const std::string& what) {
            const Error error = tiled_error(text);
            EXPECT_NE(error.reason, "no error") << what;
            expect_printable_error(error, "m.tmx", what);
        });
        for_each_change(good, [&](const std::string& text, const std::string& what) {
            const auto map = parse_tiled(text, {}, "m.tmx");
            if (map) return;
            ++refused;
            expect_printable_error(map.error(), "m.tmx", what);
        });
    }
    EXPECT_GT(refused, 3000u);
}

TEST_F(Tmx, CompressedDataMustBeComplete) {
    if (!decompresses()) GTEST_SKIP() << "built without zlib";
    for (const auto& [data, form] : {std::pair{kZlib, R"(encoding="base64" compression="zlib")"},
                                     {kGzip, R"(encoding="base64" compression="gzip")"},
                                     {kBase64, R"(encoding="base64")"}}) {
        for_each_cut(data, [&](const std::string& cut, const std::string& what) {
            expect_printable_error(tiled_error(tmx(layer(cut, form))), "m.tmx", what);
        });
    }
}

TEST_F(TiledJson, ReadsEveryEncoding) {
    EXPECT_EQ(read(json(json_layer(kJsonNumbers))), kNames);
    EXPECT_EQ(read(json(json_layer('"' + kBase64 + '"', R"("encoding":"base64","compression":"",)"))), kNames);
    if (!decompresses()) GTEST_SKIP() << "built without zlib";
    EXPECT_EQ(read(json(json_layer('"' + kZlib + '"', R"("encoding":"base64","compression":"zlib",)"))), kNames);
    EXPECT_EQ(read(json(json_layer('"' + kGzip + '"', R"("encoding":"base64","compression":"gzip",)"))), kNames);
}

TEST_F(TiledJson, LayersGroupsAndChunksAreAsInTmx) {
    const std::string above = json_layer("[0,1,0,0,0,0,4,0]"), hidden = tiled_with(json_layer("[3,3,3,3,3,3,3,3]"), "true", "false");
    std::vector<std::string> wanted = kNames;
    wanted[1] = "grass";
    const std::string group = R"({"type":"group","name":"g","layers":[)" + json_layer(kJsonNumbers) + "," + above + "]}";
    EXPECT_EQ(read(json(group + "," + hidden + R"(,{"type":"objectgroup","name":"o","objects":[]})")), wanted);
    const std::string chunks = R"({"type":"tilelayer","name":"ground","width":30,"height":20,"startx":-16,"chunks":[
        {"x":-16,"y":0,"width":2,"height":2,"data":[0,0,0,1]},{"x":-14,"y":0,"width":2,"height":2,"data":[0,0,2,3]}]})";
    EXPECT_EQ(read(json(chunks, kJsonTileset, "\"infinite\":true,")), (std::vector<std::string>{"grass", "water", "trees"}));
}

TEST_F(TiledJson, ErrorsAreDescribed) {
    const std::string good = json(json_layer(kJsonNumbers));
    const auto message = [&](const std::string& what, const std::string& with) {
        return tiled_error(tiled_with(good, what, with)).message();
    };
    EXPECT_EQ(message("orthogonal", "hexagonal"), "m.tmx: the map is 'hexagonal'; only orthogonal maps can be read");
    EXPECT_EQ(message("1610612737", "-1"), "m.tmx: tile 5 of layer 'ground' is not a tile number");
    EXPECT_EQ(message("1610612737", "4294967296"), "m.tmx: tile 5 of layer 'ground' is not a tile number");
    EXPECT_EQ(message("1610612737,", ""), "m.tmx: the data of layer 'ground' has 7 tiles, expected 8");
    EXPECT_EQ(message("\"Water\"", "7"), "m.tmx: property 'terrain' of tile 1 is not a terrain's name");
    EXPECT_EQ(message("\"firstgid\":1", "\"firstgid\":0"), "m.tmx: a tileset's firstgid is not a positive number");
    EXPECT_EQ(message("\"width\":4", "\"width\":4.5"), "m.tmx: the map's width and height are not numbers from 1 to 32768");
    EXPECT_EQ(message("\"id\":2,", "\"id\":,"), "m.tmx:5: not JSON from here on");
    EXPECT_EQ(tiled_error(good.substr(0, good.size() - 2)).code, ErrorCode::kTruncated);
    EXPECT_EQ(tiled_error("[]").message(), "m.tmx:1: not a Tiled map: expected '{' or '<' at the beginning");
    EXPECT_EQ(tiled_error("{}").message(), "m.tmx: not a Tiled map: it has no layers");
    EXPECT_EQ(tiled_error(std::string(1'000'000, '[')).message(), "m.tmx:1: brackets are nested deeper than 64");
    EXPECT_EQ(tiled_error(good, at_most(7)).code, ErrorCode::kTooLarge);
}

TEST_F(TiledJson, EveryTruncationIsRefusedAndNoChangeDoesHarm) {
    size_t refused = 0;
    const std::string good = json(json_layer(kJsonNumbers));
    for_each_cut(good.substr(0, good.size() - 1), [](const std::string& text, const std::string& what) {
        const Error error = tiled_error(text);
        EXPECT_NE(error.reason, "no error") << what;
        expect_printable_error(error, "m.tmx", what);
    });
    for_each_change(good, [&](const std::string& text, const std::string& what) {
        const auto map = parse_tiled(text, {}, "m.tmx");
        if (map) return;
        ++refused;
        expect_printable_error(map.error(), "m.tmx", what);
    });
    EXPECT_GT(refused, 1500u);
}

TEST_F(Tmx, ExternalTilesetsLieInTheMapsFolder) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "map/sets");
    const auto write = [&](const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; };
    std::string tsx = kXmlTileset;
    write("map/sets/ground.tsx", "<?xml version=\"1.0\"?>\n" + tiled_with(tsx, " firstgid=\"1\"", ""));
    write("outside.tsx", tiled_with(tsx, " firstgid=\"1\"", ""));
    write("map/bad.tsx", "<tileset>\n<tile id=\"x\"/>\n</tileset>");
    const auto with = [&](const std::string& source) {
        const std::string set = source.empty() ? "" : R"(<tileset firstgid="1" source=")" + source + "\"/>\n";
        write("map/m.tmx", tmx(layer(kCsv), set));
        return load_tiled(folder / "map/m.tmx");
    };
    EXPECT_EQ(names_of(with("sets/ground.tsx")), kNames);
    EXPECT_EQ(names_of(with("sets/../sets/./ground.tsx")), kNames);
    const std::string file = folder / "map/m.tmx";
    for (const std::string& escape :
         {std::string("../outside.tsx"), std::string("sets/../../outside.tsx"), folder / "outside.tsx", std::string("..")}) {
        const auto map = with(escape);
        ASSERT_FALSE(map) << escape;
        EXPECT_EQ(map.error().line, 3u) << escape;
        EXPECT_TRUE(has(map.error().message(), "must lie in the folder of the file that names it, or below")) << map.error().message();
    }
    EXPECT_EQ(with("none.tsx").error().message(), file + ":3: tileset 'none.tsx': cannot open: No such file or directory");
    EXPECT_EQ(with("bad.tsx").error().message(), file + ":3: tileset 'bad.tsx', line 2: a tile's id is not a number >= 0");
    EXPECT_EQ(parse_tiled(tmx(layer(kCsv), R"(<tileset firstgid="1" source="a.tsx"/>)")).error().code, ErrorCode::kUnsupported);
    if (!reads_json()) GTEST_SKIP() << "built without nlohmann-json";
    write("map/ground.tsj", tiled_with(kJsonTileset, "\"firstgid\":1,", ""));
    EXPECT_EQ(names_of(with("ground.tsj")), kNames);
}

}  // namespace terrane
