// parse_palette: accepted palettes are valid, and their catalogues can be written as palettes again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "require.h"
#include "terrane/io/image_map.h"

namespace terrane {

namespace {

std::string in_words(const Palette& palette) {
    constexpr char kHex[] = "0123456789abcdef";
    std::string text;
    for (const Palette::Entry& e : palette.entries) {
        text += '#';
        for (const uint8_t c : {e.colour.r, e.colour.g, e.colour.b}) text += {kHex[c >> 4], kHex[c & 15]};
        text += ' ' + palette.catalogue[e.terrain].name + '\n';
    }
    if (palette.transparent) text += "transparent " + palette.catalogue[*palette.transparent].name + '\n';
    return text;
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const auto palette = parse_palette({reinterpret_cast<const char*>(data), size}, "fuzz.palette");
    if (!palette) return require_valid_error(palette.error(), "fuzz.palette"), 0;
    const auto again = parse_palette(in_words(*palette));
    require(again.has_value(), "written output can be read");
    require(again->entries.size() == palette->entries.size(), "no colour is lost");
    Image image;
    for (const Palette::Entry& e : palette->entries) image.pixels.push_back({e.colour.r, e.colour.g, e.colour.b, 255});
    if (palette->transparent) image.pixels.push_back({0, 0, 0, 0});
    image.width = static_cast<int32_t>(image.pixels.size());
    image.height = 1;
    const auto map = map_from_image(image, *palette);
    require(map.has_value(), "a palette contains its own colours");
    for (size_t i = 0; i < palette->entries.size(); ++i) {
        require(map->snapshot().at(Cell{static_cast<int32_t>(i), 0}) == palette->entries[i].terrain, "colours map to their terrains");
    }
    return 0;
}
