// decode_png, and maps made of accepted pictures. Also tries the input with corrected checksums of its chunks, without which every mutated
// input would be rejected.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "require.h"
#include "terrane/io/image_map.h"
#include "terrane/io/picture.h"

namespace terrane {

namespace {

uint32_t crc(std::string_view bytes) {
    uint32_t c = ~0u;
    for (const char b : bytes) {
        c ^= static_cast<uint8_t>(b);
        for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    }
    return ~c;
}

std::string fix_checksums(std::string bytes) {
    for (size_t at = 8; at + 12 <= bytes.size();) {
        size_t length = 0;
        for (size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<uint8_t>(bytes[at + i]);
        if (length > bytes.size() - at - 12) break;
        const uint32_t sum = crc(std::string_view(bytes).substr(at + 4, length + 4));
        for (size_t i = 0; i < 4; ++i) bytes[at + 8 + length + i] = static_cast<char>(sum >> (24 - 8 * i));
        at += 12 + length;
    }
    return bytes;
}

void check(std::string_view bytes) {
    constexpr uint64_t kPixels = 1 << 16;
    const auto image = decode_png(bytes, kPixels, "fuzz.png");
    if (!image) return require_valid_error(image.error(), "fuzz.png");
    const auto cells = static_cast<uint64_t>(image->width) * static_cast<uint64_t>(image->height);
    require(cells >= 1 && cells <= kPixels && image->pixels.size() == cells, "the size matches the header");

    const GridSnapshot grid = map_from_colours(*image).snapshot();
    require(grid.catalogue().size() >= 1 && grid.catalogue().size() <= 65, "at most 64 terrains, and transparent");
    const auto near = map_from_image(*image, Palette::of(Catalogue::standard()), 441, "fuzz.png");
    if (!near) return require_valid_error(near.error(), "fuzz.png");
    if (image->width > kMaxPictureSide || image->height > kMaxPictureSide) return;
    const auto png = encode_png(draw_terrain(near->snapshot()));
    require(png.has_value(), "accepted input can be drawn");
    const auto again = decode_png(*png, kPixels);
    require(again.has_value(), "a drawing can be read back");
    const auto same = map_from_image(*again, Palette::of(Catalogue::standard()));
    require(same.has_value() && same->snapshot().cells() == near->snapshot().cells(), "the cells are the same");
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    terrane::check(bytes);
    terrane::check(terrane::fix_checksums(bytes));
    return 0;
}
