#include "terrane/io/image_map.h"

#include <gtest/gtest.h>

#include "io/mangle.h"
#include "support/temporary.h"
#include "terrane/base/file.h"
#include "terrane/io/map_file.h"
#include "terrane/io/picture.h"

#if defined(TERRANE_HAS_PNG)
#include <png.h>
#endif

namespace terrane {

namespace {

const std::string kPalette =
    "# the coast\n"
    "#0000ff sea\n"
    "\n"
    "##ff0000 not a colour: a comment\n"
    "#00FF00 grass_land   # green\n"
    "#00ee00 grass_land\n"
    "transparent fog\n";

Error palette_error(std::string_view text) {
    const auto palette = parse_palette(text, "p.palette");
    return palette ? Error{ErrorCode::kUnsupported, {}, 0, "no error"} : palette.error();
}

Image image_of(int32_t width, int32_t height, std::vector<Rgba> pixels) { return {width, height, std::move(pixels)}; }

constexpr Rgba kBlue{0, 0, 255, 255}, kGreen{0, 255, 0, 255}, kClear{1, 2, 3, 0};

}  // namespace

TEST(Palette, ReadsColoursNamesAndComments) {
    const auto palette = parse_palette(kPalette);
    ASSERT_TRUE(palette) << palette.error().message();
    ASSERT_EQ(palette->entries.size(), 3u);
    EXPECT_EQ(palette->catalogue.size(), 3u);
    EXPECT_EQ(palette->catalogue[1].name, "grass_land");
    EXPECT_EQ(palette->catalogue[1].colour, (Rgb{0, 255, 0})) << "a terrain's first colour is its own";
    EXPECT_EQ(palette->transparent, palette->catalogue.find("fog"));
    EXPECT_NE(palette->catalogue[0].letter, palette->catalogue[1].letter);
}

TEST(Palette, IsLoadedFromAFileThatErrorsName) {
    const TemporaryFolder folder;
    ASSERT_TRUE(write_file(folder / "coast.palette", kPalette));
    EXPECT_EQ(load_palette(folder / "coast.palette").value().entries.size(), 3u);
    ASSERT_TRUE(write_file(folder / "bad.palette", "#0000ff sea\nblue\n"));
    EXPECT_EQ(load_palette(folder / "bad.palette").error().line, 2u);
    EXPECT_NE(load_palette(folder / "none.palette").error().message().find("none.palette"), std::string::npos);
}

TEST(Palette, NamesThatAreAllStandardMakeTheStandardCatalogue) {
    EXPECT_EQ(parse_palette("#000000 road\n#000001 trees\n")->catalogue, Catalogue::standard());
    EXPECT_EQ(parse_palette("#000000 wall\n#000001 ground\n")->catalogue, Catalogue::octile());
    const auto mixed = parse_palette("#000000 marble\n#010101 road\n");
    EXPECT_EQ(mixed->catalogue[1], (TerrainType{"road", 'H', {1, 1, 1}})) << "a standard terrain keeps its letter";
    EXPECT_EQ(mixed->catalogue[0].letter, 'T');
}

TEST(Palette, ErrorsNameTheLine) {
    EXPECT_EQ(palette_error("").message(), "p.palette: the palette has no colours; expected lines as '#2e4a74 deep_water'");
    EXPECT_EQ(palette_error("#0000ff sea\nblue sea\n").message(),
              "p.palette:2: expected a colour and a terrain, as in '#2e4a74 deep_water', not 'blue sea'");
    EXPECT_EQ(palette_error("#comment\n").message(),
              "p.palette:1: expected a colour and a terrain, as in '#2e4a74 deep_water', not '#comment'; a comment begins with '# '");
    EXPECT_EQ(palette_error("#0000ff\n").message(), "p.palette:1: expected a terrain after '#0000ff'");
    EXPECT_EQ(palette_error("#0000ff # sea\n").line, 1u);
    EXPECT_EQ(palette_error("#0000ff deep sea\n").message(), "p.palette:1: unexpected 'sea' after terrain 'deep'");
    EXPECT_EQ(palette_error("#0000ff Sea\n").message(),
              "p.palette:1: invalid terrain name 'Sea': expected 1 to 32 characters of a-z, 0-9 and _");
    EXPECT_EQ(palette_error("#0000ff sea\n#0000FF lake\n").message(), "p.palette:2: colour '#0000ff' has two terrains, 'sea' and 'lake'");
    EXPECT_EQ(palette_error("transparent a\ntransparent b\n").line, 2u);
    for (const char* bad : {"#0000f sea", "#0000fff sea", "#0000fg sea", "#-000ff sea", "0000ff sea", "\x01"}) {
        EXPECT_EQ(palette_error(bad).line, 1u) << bad;
    }
    EXPECT_EQ(palette_error("\x89PNG\r\n").message(), "p.palette:1: expected colours and their terrains, a text; this is a PNG image");
    std::string many;
    for (int i = 0; i < 256; ++i)
        many += "#0000" + std::string(1, "0123456789abcdef"[i / 16]) + "0123456789abcdef"[i % 16] + " t" + std::to_string(i) + "\n";
    EXPECT_EQ(palette_error(many).code, ErrorCode::kTooLarge);
    EXPECT_EQ(palette_error(std::string(65537, '\n')).code, ErrorCode::kTooLarge);
}

TEST(Palette, NoCorruptedFileDoesHarm) {
    const auto check = [](const std::string& text, const std::string& what) {
        const auto palette = parse_palette(text, "p.palette");
        if (!palette) return expect_printable_error(palette.error(), "p.palette", what);
        for (const Palette::Entry& e : palette->entries) EXPECT_LT(e.terrain, palette->catalogue.size()) << what;
    };
    for_each_cut(kPalette, check);
    for_each_change(kPalette, check);
}

TEST(ImageMap, ColoursAreTerrainsByThePalette) {
    const auto palette = parse_palette(kPalette);
    const auto map = map_from_image(image_of(2, 2, {kBlue, kGreen, kClear, {0, 238, 0, 100}}), *palette);
    ASSERT_TRUE(map) << map.error().message();
    EXPECT_EQ(map->snapshot().cells(), (std::vector<Terrain>{0, 1, 2, 1})) << "half transparent is not transparent";
}

TEST(ImageMap, UnknownColoursAreRefusedWithTheirPixel) {
    const auto palette = parse_palette("#0000ff sea\n");
    EXPECT_EQ(map_from_image(image_of(2, 2, {kBlue, kBlue, kBlue, {10, 0, 250, 255}}), *palette, 0, "a.png").error().message(),
              "a.png: pixel 1,1 has colour '#0a00fa', which is not in the palette; the nearest is '#0000ff', sea");
    EXPECT_EQ(map_from_image(image_of(2, 1, {kBlue, kClear}), *palette, 441, "a.png").error().message(),
              "a.png: pixel 1,0 is transparent, and the palette has no terrain for that: add a line 'transparent NAME'");
}

TEST(ImageMap, ToleranceIsEuclideanDistance) {
    const auto palette = parse_palette("#000000 a\n#640000 b\n");
    const Image image = image_of(1, 1, {{3, 4, 0, 255}});
    EXPECT_FALSE(map_from_image(image, *palette, 4));
    EXPECT_EQ(map_from_image(image, *palette, 5)->snapshot().at(Cell{0, 0}), 0);
    EXPECT_EQ(map_from_image(image_of(1, 1, {{50, 0, 0, 255}}), *palette, 60)->snapshot().at(Cell{0, 0}), 0) << "a tie goes to the first";
    EXPECT_TRUE(map_from_image(image_of(1, 1, {{255, 255, 255, 255}}), *palette, 441));
}

TEST(ImageMap, MaskedColoursMakeAtMost64TypesNamedByTheirMeans) {
    std::vector<Rgba> pixels;
    for (int r = 0; r < 256; r += 15) {
        for (int g = 0; g < 256; g += 15) {
            for (int b = 0; b < 256; b += 15)
                pixels.push_back({static_cast<uint8_t>(r), static_cast<uint8_t>(g), static_cast<uint8_t>(b), 255});
        }
    }
    const GridSnapshot all = map_from_colours(image_of(18, 18 * 18, pixels)).snapshot();
    EXPECT_EQ(all.catalogue().size(), 64u);
    EXPECT_TRUE(format_movingai_map(all)) << "all types have letters";
    const GridSnapshot few = map_from_colours(image_of(4, 1, {{0x3a, 0x7f, 0, 255}, {0x3c, 0x7d, 2, 255}, kGreen, kClear})).snapshot();
    EXPECT_EQ(few.cells(), (std::vector<Terrain>{0, 0, 1, 2}));
    EXPECT_EQ(few.catalogue()[0], (TerrainType{"colour_3b7e01", 'A', {0x3b, 0x7e, 1}}));
    EXPECT_EQ(few.catalogue()[2].name, "transparent");
}

#if defined(TERRANE_HAS_PNG)

namespace {

// Encodes any kind of PNG with libpng's low-level interface.
std::string png_of(int32_t width, int32_t height, int bits, int type, bool interlaced) {
    std::string out;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &out,
        [](png_structp p, png_bytep data, size_t size) {
            static_cast<std::string*>(png_get_io_ptr(p))->append(reinterpret_cast<char*>(data), size);
        },
        nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), bits, type,
                 interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    const png_color colours[2] = {{0, 0, 255}, {255, 255, 255}};
    if (type == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, colours, 2);
    png_write_info(png, info);
    std::string row(png_get_rowbytes(png, info), '\xff');  // white: all ones, except for 8-bit palettes
    if (type == PNG_COLOR_TYPE_PALETTE && bits == 8) row.assign(row.size(), '\x01');
    for (int pass = png_set_interlace_handling(png); pass > 0; --pass) {
        for (int32_t y = 0; y < height; ++y) png_write_row(png, reinterpret_cast<png_const_bytep>(row.data()));
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

Error png_error(std::string_view bytes, uint64_t max_pixels = kMaxImagePixels) {
    const auto image = decode_png(bytes, max_pixels, "i.png");
    return image ? Error{ErrorCode::kUnsupported, {}, 0, "no error"} : image.error();
}

uint32_t crc(std::string_view bytes) {
    uint32_t c = ~0u;
    for (const char b : bytes) {
        c ^= static_cast<uint8_t>(b);
        for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    }
    return ~c;
}

// Sets the width in the header and fixes the checksum.
std::string with_width(std::string png, uint32_t width) {
    const auto put = [&](size_t at, uint32_t value) {
        for (size_t i = 0; i < 4; ++i) png[at + i] = static_cast<char>(value >> (24 - 8 * i));
    };
    put(16, width);
    put(29, crc(std::string_view(png).substr(12, 17)));
    return png;
}

Picture stripes() {
    Picture picture{13, 7, {}};
    for (int i = 0; i < 13 * 7; ++i) picture.pixels.push_back(Catalogue::standard()[static_cast<Terrain>(i % 16)].colour);
    return picture;
}

}  // namespace

TEST(ImageMap, ReadsEveryKindOfPng) {
    const std::vector<std::pair<int, std::vector<int>>> kinds{{PNG_COLOR_TYPE_GRAY, {1, 2, 4, 8, 16}},
                                                              {PNG_COLOR_TYPE_RGB, {8, 16}},
                                                              {PNG_COLOR_TYPE_PALETTE, {1, 8}},
                                                              {PNG_COLOR_TYPE_GRAY_ALPHA, {8, 16}},
                                                              {PNG_COLOR_TYPE_RGB_ALPHA, {8, 16}}};
    for (const auto& [type, depths] : kinds) {
        for (const int bits : depths) {
            for (const bool interlaced : {false, true}) {
                const auto image = decode_png(png_of(11, 5, bits, type, interlaced));
                ASSERT_TRUE(image) << type << ' ' << bits << ": " << image.error().message();
                EXPECT_EQ(image->width, 11);
                EXPECT_EQ(image->pixels, std::vector<Rgba>(55, Rgba{255, 255, 255, 255})) << type << ' ' << bits;
            }
        }
    }
}

TEST(ImageMap, AMapDrawnAsAPngRoundTrips) {
    std::vector<Terrain> cells(40 * 30);
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<Terrain>(i * i % 19);
    const TerrainGrid grid(40, 30, cells);
    const TemporaryFolder folder;
    ASSERT_TRUE(save_png(folder / "m.png", draw_terrain(grid.snapshot())));
    const auto image = load_image(folder / "m.png");
    ASSERT_TRUE(image) << image.error().message();
    const auto again = map_from_image(*image, Palette::of(Catalogue::standard()));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(again->snapshot().cells(), cells);
    EXPECT_EQ(again->snapshot().catalogue(), Catalogue::standard());
    EXPECT_EQ(load_image(folder / "none.png").error().code, ErrorCode::kCannotOpen);
}

TEST(ImageMap, RefusesEveryTruncatedOrChangedPng) {
    const std::string png = encode_png(stripes()).value();
    const auto check = [](const std::string& bytes, const std::string& what) {
        const Error error = png_error(bytes);
        EXPECT_NE(error.reason, "no error") << what;
        expect_printable_error(error, "i.png", what);
    };
    EXPECT_EQ(png_error(png).reason, "no error");
    for_each_cut(png, check);
    for_each_change(png, check);
    check(png + "x", "one byte more");
    check("GIF89a", "another format");
}

TEST(ImageMap, RefusesHugePngsBeforeAllocating) {
    const std::string png = encode_png(stripes()).value();
    EXPECT_EQ(png_error(with_width(png, 13)).reason, "no error");
    EXPECT_EQ(png_error(with_width(png, 32769)).code, ErrorCode::kTooLarge);
    EXPECT_EQ(png_error(with_width(png, 0xffffffff)).code, ErrorCode::kTooLarge);
    EXPECT_EQ(png_error(with_width(png, 0)).code, ErrorCode::kBadValue);
    EXPECT_EQ(png_error(with_width(png, 14)).code, ErrorCode::kBadValue) << "rows that are too short";
    EXPECT_EQ(png_error(png, 90).message(), "i.png: a picture of 13 x 7 pixels is larger than the limit: 32768 a side and 90 in all");
    const std::string bomb = png_of(20000, 20000, 1, PNG_COLOR_TYPE_GRAY, false);
    EXPECT_LT(bomb.size(), 100'000u);
    EXPECT_EQ(png_error(bomb).code, ErrorCode::kTooLarge) << "400 million pixels in a few kilobytes";
}

#endif

}  // namespace terrane
