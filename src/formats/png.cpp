#include <string>

#include "terrane/file.h"
#include "terrane/picture.h"

#if defined(TERRANE_HAS_PNG)
#include <png.h>
#endif

namespace terrane {

#if defined(TERRANE_HAS_PNG)

namespace {

static_assert(sizeof(Rgb) == 3 && alignof(Rgb) == 1, "pixels are handed to libpng as they are");

bool well_formed(const Picture& picture) {
    const auto side_ok = [](int32_t side) { return side >= 1 && side <= kMaxPictureSide; };
    return side_ok(picture.width) && side_ok(picture.height) &&
           picture.pixels.size() == static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height);
}

// Writes into `bytes`, as large as it is. How many bytes it takes or, where that is more, would take; 0 for failure.
size_t write_into(std::string& bytes, png_image& image, const Picture& picture) {
    png_alloc_size_t size = bytes.size();
    const int written = png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0, nullptr);
    return written != 0 || size > bytes.size() ? size : 0;
}

}  // namespace

// libpng's simplified interface: its errors come back as values, not as jumps.
Result<std::string> encode_png(const Picture& picture) {
    if (!well_formed(picture)) {
        return Error{ErrorCode::kTooLarge, {}, 0, "a picture has 1 to " + std::to_string(kMaxPictureSide) + " pixels a side"};
    }
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_RGB;
    std::string bytes(picture.pixels.size() + 4096, '\0');  // a third of the raw size; most need far less
    size_t size = write_into(bytes, image, picture);
    if (size > bytes.size()) {
        bytes.resize(size);
        size = write_into(bytes, image, picture);
    }
    if (size == 0 || size > bytes.size()) return Error{ErrorCode::kUnsupported, {}, 0, std::string("libpng: ") + image.message};
    bytes.resize(size);
    return bytes;
}

#else

Result<std::string> encode_png(const Picture&) { return Error{ErrorCode::kUnsupported, {}, 0, "built without libpng"}; }

#endif

Result<Done> save_png(const std::string& path, const Picture& picture) {
    const auto bytes = encode_png(picture);
    if (!bytes) return Error{bytes.error().code, path, 0, bytes.error().reason};
    return write_file(path, *bytes);
}

}  // namespace terrane
