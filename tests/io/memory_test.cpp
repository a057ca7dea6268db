// Allocation failures in io: at each allocation of reading and writing, for every format except JSON (Tiled's, and subdivisions).
// nlohmann-json allocates in a destructor, so an allocation failure there ends the program (docs/world.md).
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "support/allocations.h"
#include "support/temporary.h"
#include "terrane/base/file.h"
#include "terrane/grid/profile.h"
#include "terrane/io/gif.h"
#include "terrane/io/image_map.h"
#include "terrane/io/map_file.h"
#include "terrane/io/obj_file.h"
#include "terrane/io/picture.h"
#include "terrane/io/scenario.h"
#include "terrane/io/svg.h"
#include "terrane/io/tiled_map.h"
#include "terrane/io/trace.h"
#include "terrane/io/world_file.h"

namespace terrane::test {
namespace {

class FormatOutOfMemory : public ::testing::Test {
protected:
    void SetUp() override {
        if (!can_fail_allocations()) GTEST_SKIP() << "allocation failures end this program";
    }

    // Makes each allocation of `work` fail in turn: it must throw or succeed.
    static void fail_each(const std::function<void()>& work, uint64_t least) {
        const uint64_t count = fail_each_allocation([&](Failure& failure) { failure.in(work); });
        EXPECT_GE(count, least);
        all_ += count;
        RecordProperty("allocations", std::to_string(all_));
    }

    static inline uint64_t all_ = 0;
};

TerrainGrid small_map() { return {5, 3, std::vector<Terrain>{1, 1, 2, 2, 3, 1, 4, 4, 4, 3, 5, 5, 5, 6, 18}, Catalogue::standard()}; }

TEST_F(FormatOutOfMemory, MapsAndWorlds) {
    const TerrainGrid grid = small_map();
    const GridSnapshot map = grid.snapshot();
    const std::string text = format_movingai_map(map).value();
    fail_each([&] { ASSERT_EQ(format_movingai_map(map).value(), text); }, 1);
    fail_each([&] { ASSERT_EQ(parse_movingai_map(text).value().snapshot().cells(), map.cells()); }, 5);
    fail_each([&] { ASSERT_FALSE(parse_movingai_map("type octile\nheight 3\nwidth x\n", {}, "m.map")); }, 1);
    const std::vector<WorldSection> others = {{{'T', 'E', 'S', 'T'}, false, "some bytes more than fit into a short string"}};
    const std::string bytes = format_world(map, others).value();
    fail_each([&] { ASSERT_EQ(format_world(map, others).value(), bytes); }, 1);
    fail_each(
        [&] {
            std::vector<WorldSection> read;
            ASSERT_EQ(parse_world(bytes, {}, {}, &read).value().snapshot().cells(), map.cells());
            ASSERT_EQ(read, others);
        },
        5);
}

TEST_F(FormatOutOfMemory, ScenariosPalettesAndProfiles) {
    const std::string text =
        "version 1\n0\tmaps/dao/a map with a long name.map\t49\t50\t1\t11\t1\t12\t1\n3\tm.map\t2\t2\t0\t0\t1\t1\t1.41421356\n";
    const Scenario scenario = parse_scenario(text).value();
    fail_each([&] { ASSERT_EQ(parse_scenario(text).value(), scenario); }, 2);
    fail_each([&] { ASSERT_EQ(format_scenario(scenario), format_scenario(scenario)); }, 1);
    fail_each([&] { ASSERT_TRUE(parse_palette("#000000 marble\n#010101 road\ntransparent fog\n")); }, 5);
    fail_each([&] { ASSERT_TRUE(parse_profile("name deer_of_the_northern_woods\ntrees 1\nroad 4\ndeep_water blocked\notherwise 2\n")); },
              3);
}

TEST_F(FormatOutOfMemory, Triangles) {
    const std::string text = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\nf -1 -2 -3\n";
    const TriangleMesh mesh = parse_obj(text).value();
    fail_each([&] { ASSERT_EQ(parse_obj(text).value(), mesh); }, 2);
    fail_each([&] { ASSERT_EQ(parse_obj(format_obj(mesh)).value(), mesh); }, 2);
}

std::string tiled(const std::string& data) {
    return R"(<map orientation="orthogonal" width="2" height="2">
<tileset firstgid="1" name="ground" tilecount="2">
<tile id="0"><properties><property name="terrain" value="grass_of_the_wide_plains"/></properties></tile>
<tile id="1"><properties><property name="terrain" value="water"/></properties></tile>
</tileset>
<layer name="ground" width="2" height="2"><data )" +
           data + "</data></layer></map>";
}

TEST_F(FormatOutOfMemory, TiledXml) {
    const std::string plain = tiled("encoding=\"csv\">1,2,2,1"),
                      packed = tiled("encoding=\"base64\" compression=\"zlib\">eJxjZGBgYIJiRiAGAABMAAc=");
    const auto read = parse_tiled(plain);
    if (!read && read.error().code == ErrorCode::kUnsupported) GTEST_SKIP() << "built without tinyxml2";
    const std::vector<Terrain> cells = read.value().snapshot().cells();
    fail_each([&] { ASSERT_EQ(parse_tiled(plain).value().snapshot().cells(), cells); }, 20);
    const bool unpacks = parse_tiled(packed).has_value();
    fail_each(
        [&] {
            const auto map = parse_tiled(packed);
            ASSERT_EQ(map.has_value(), unpacks);
            ASSERT_TRUE(!map || map->snapshot().cells() == cells);
        },
        20);
    fail_each([&] { ASSERT_FALSE(parse_tiled(tiled("encoding=\"csv\">1,2,2,9"), {}, "a map with a long name.tmx")); }, 20);
}

TEST_F(FormatOutOfMemory, PicturesAndDrawings) {
    const TerrainGrid grid = small_map();
    const GridSnapshot map = grid.snapshot();
    const Picture picture = draw_terrain(map, {.scale = 4});
    fail_each([&] { ASSERT_EQ(draw_terrain(map, {.scale = 4}).pixels, picture.pixels); }, 1);
    if (const auto png = encode_png(picture)) {
        fail_each([&] { ASSERT_EQ(encode_png(picture).value(), *png); }, 1);
        const Image image = decode_png(*png).value();
        fail_each([&] { ASSERT_EQ(decode_png(*png).value().pixels, image.pixels); }, 1);
        fail_each([&] { ASSERT_EQ(map_from_colours(image).width(), image.width); }, 2);
        const Palette palette = Palette::of(Catalogue::standard());
        fail_each([&] { ASSERT_EQ(map_from_image(image, palette).value().width(), image.width); }, 2);
    }
    const std::string svg = draw_svg(map).value();
    fail_each([&] { ASSERT_EQ(draw_svg(map).value(), svg); }, 2);
}

// A frame whose allocation failed is not in the animation; adding it again succeeds.
TEST_F(FormatOutOfMemory, AnimationsKeepTheirFrames) {
    const std::vector<Rgb> palette = {{0, 0, 0}, {255, 0, 0}, {0, 255, 0}};
    std::vector<uint8_t> first(64 * 64), second(64 * 64);
    for (size_t i = 0; i < first.size(); ++i) {
        first[i] = static_cast<uint8_t>(i * i / 7 % 3);
        second[i] = static_cast<uint8_t>(i * i / 5 % 3);
    }
    const auto write = [&](GifWriter& gif, Failure* failure) {
        for (const auto* frame : {&first, &second, &second, &first}) {
            const auto add = [&] { ASSERT_TRUE(gif.add_frame(*frame, 5)); };
            if (failure == nullptr || !failure->in(add)) add();
        }
    };
    GifWriter whole(64, 64, palette);
    write(whole, nullptr);
    const std::string expected = whole.finish();
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        GifWriter gif(64, 64, palette);
        write(gif, &failure);
        ASSERT_EQ(gif.finish(), expected);
    });
    EXPECT_GE(count, 4u);
}

TEST_F(FormatOutOfMemory, ASavedFileIsTheOldOrTheNewOne) {
    const TemporaryFolder folder;
    const std::string path = folder / "a file with a name that is longer than others.map";
    const TerrainGrid grid = small_map();
    const GridSnapshot map = grid.snapshot();
    const std::string expected = format_movingai_map(map).value();
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        ASSERT_TRUE(write_file(path, "old"));
        const bool done = failure.in([&] { ASSERT_TRUE(save_map(path, map)); });
        ASSERT_FALSE(std::filesystem::exists(path + ".partial"));
        ASSERT_EQ(read_file(path, 1 << 20).value(), done ? expected : "old");
        failure.in([&] { ASSERT_EQ(load_map(path).has_value(), done); });
    });
    EXPECT_GE(count, 5u);
}

}  // namespace
}  // namespace terrane::test
