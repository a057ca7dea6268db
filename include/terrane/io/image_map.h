// Converts images to maps: one cell per pixel, with the terrain of the pixel's colour. A palette, a small text file, assigns terrains:
//
//   # the coast
//   #2e4a74 deep_water
//   #9ab468 plains       # a comment
//   transparent void
//
// Without a palette, colours are masked to at most 64 types, as for the maps of the Dynamic Terrain Abstraction paper. The last step of
// that paper, merging areas of fewer than 80 pixels into their neighbours, is merge_small_areas() of mapgen.h.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/grid.h"

namespace terrane {

struct Rgba {
    uint8_t r = 0, g = 0, b = 0, a = 255;
    friend bool operator==(const Rgba&, const Rgba&) = default;
};

// Eight bits per channel, row-major; colours are not premultiplied by alpha.
struct Image {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<Rgba> pixels;
};

inline constexpr uint64_t kMaxImagePixels = uint64_t{1} << 26;

// Decodes any PNG: grey, palette or colour, 1 to 16 bits, interlaced or not. Fails for truncated or altered files (the whole file is
// validated) and, before allocating, for sides above kMaxSide or more than `max_pixels`. Always fails with kUnsupported if the library
// was built without libpng.
Result<Image> decode_png(std::string_view bytes, uint64_t max_pixels = kMaxImagePixels, std::string_view file = {});
Result<Image> load_image(const std::string& path, uint64_t max_pixels = kMaxImagePixels);

// The terrain of each colour.
struct Palette {
    struct Entry {
        Rgb colour;
        Terrain terrain = 0;
    };
    std::vector<Entry> entries;
    std::optional<Terrain> transparent;  // of fully transparent pixels, whatever their colour
    Catalogue catalogue;

    // The colours of a catalogue, each with its terrain.
    static Palette of(const Catalogue& catalogue);
};

// Parses a palette. A line has a colour or `transparent`, and a terrain name. If a terrain has several colours, the first becomes its own
// in the catalogue. Comments begin with `# ` or `##`. The catalogue is standard() or octile() if that has all the names; otherwise it
// consists of these names in order, with letters while they last. At most 64 KiB, 4096 lines and 255 terrains.
Result<Palette> parse_palette(std::string_view text, std::string_view file = {});
Result<Palette> load_palette(const std::string& path);

// Converts an image by a palette. A colour that the palette lacks takes the terrain of the nearest colour (ties: the first) if that is
// within `tolerance`, a Euclidean distance of 0 to 442. Fails, naming the pixel, for other colours, and for fully transparent pixels if
// the palette has no `transparent`. Any other alpha is ignored.
Result<TerrainGrid> map_from_image(const Image& image, const Palette& palette, int32_t tolerance = 0, std::string_view file = {});

// Converts an image by masking: the upper two bits of each channel select one of at most 64 types, named after their mean colour
// (`colour_3a7f12`). Fully transparent pixels become one more type, `transparent`.
TerrainGrid map_from_colours(const Image& image);

}  // namespace terrane
