// Maps from pictures: a pixel is a cell, its colour is its terrain. By a palette, a small text file such as
//
//   # the coast
//   #2e4a74 deep_water
//   #9ab468 plains       # a comment
//   transparent void
//
// or without one, by masking colours to at most 64 types, as the maps of the Dynamic Terrain Abstraction paper were
// made. (Its last step, areas of fewer than 80 pixels merged into their neighbours, is merge_small_areas of mapgen.h.)
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

// Eight bits a channel, by rows; colours are not multiplied by alpha.
struct Image {
    int32_t width = 0;
    int32_t height = 0;
    std::vector<Rgba> pixels;
};

inline constexpr uint64_t kMaxImagePixels = uint64_t{1} << 26;

// Any PNG: grey, palette or colour, of 1 to 16 bits, interlaced or not. Refused with file and reason: truncated or
// altered files (the whole file must be sound to its last byte), sides over kMaxSide and more than `max_pixels`, both
// before memory is taken; all, with kUnsupported, where the library was built without libpng.
Result<Image> decode_png(std::string_view bytes, uint64_t max_pixels = kMaxImagePixels, std::string_view file = {});
Result<Image> load_image(const std::string& path, uint64_t max_pixels = kMaxImagePixels);

// Which colour is which terrain.
struct Palette {
    struct Entry {
        Rgb colour;
        Terrain terrain = 0;
    };
    std::vector<Entry> entries;
    std::optional<Terrain> transparent;  // of pixels that are fully transparent, whatever their colour
    Catalogue catalogue;

    // The colours of a catalogue, each its terrain.
    static Palette of(const Catalogue& catalogue);
};

// A line is a colour and a terrain's name, or `transparent` and a name. A terrain may have several colours; the first is its
// own. Comments begin with `# ` or `##`. The catalogue is standard() or octile() where that has all the names, else
// one of these names in their order, with letters as far as they go. Limits: 64 KiB, 4096 lines, 255 terrains.
Result<Palette> parse_palette(std::string_view text, std::string_view file = {});
Result<Palette> load_palette(const std::string& path);

// A colour that is not in the palette takes the terrain of the nearest that is (the first of those that tie), if that is no
// further than `tolerance`, by Euclid, of 0 to 441. Refused with the pixel: other colours, and fully transparent
// pixels where the palette does not name their terrain. Any other alpha is ignored.
Result<TerrainGrid> map_from_image(const Image& image, const Palette& palette, int32_t tolerance = 0, std::string_view file = {});

// Each channel's upper two bits are the type: at most 64, named after their mean colours (`colour_3a7f12`), and one
// more, `transparent`, for pixels that are fully so.
TerrainGrid map_from_colours(const Image& image);

}  // namespace terrane
