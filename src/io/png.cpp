#include <array>
#include <memory>
#include <optional>
#include <string>

#include "base/text.h"
#include "terrane/base/file.h"
#include "terrane/io/image_map.h"
#include "terrane/io/picture.h"

#if defined(TERRANE_HAS_PNG)
#include <png.h>
#include <zlib.h>
#endif

namespace terrane {

#if defined(TERRANE_HAS_PNG)

namespace {

static_assert(sizeof(Rgb) == 3 && alignof(Rgb) == 1, "pixels are passed to libpng without conversion");

bool well_formed(const Picture& picture) {
    const auto side_ok = [](int32_t side) { return side >= 1 && side <= kMaxPictureSide; };
    return side_ok(picture.width) && side_ok(picture.height) &&
           picture.pixels.size() == static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height);
}

// Encodes into `bytes`. Returns the size of the PNG, which may exceed bytes.size() (then nothing useful is written); 0 on failure.
size_t write_into(std::string& bytes, png_image& image, const Picture& picture) {
    png_alloc_size_t size = bytes.size();
    const int written = png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.pixels.data(), 0, nullptr);
    return written != 0 || size > bytes.size() ? size : 0;
}

static_assert(sizeof(Rgba) == 4 && alignof(Rgba) == 1, "pixels are passed to libpng without conversion");

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr size_t kChunkExtra = 12;  // length, type, checksum

Error refuse_png(ErrorCode code, std::string_view file, std::string reason) { return {code, std::string(file), 0, std::move(reason)}; }

uint32_t big_endian(std::string_view bytes) {
    uint32_t value = 0;
    for (const char c : bytes.substr(0, 4)) value = value << 8 | static_cast<uint8_t>(c);
    return value;
}

// The table of the CRC-32 of PNG and zlib.
constexpr std::array<uint32_t, 256> kCrcTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t n = 0; n < 256; ++n) {
        uint32_t c = n;
        for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[n] = c;
    }
    return table;
}();

uint32_t crc32_of(std::string_view bytes) {
    uint32_t c = 0xffffffffu;
    for (const char byte : bytes) c = kCrcTable[(c ^ static_cast<uint8_t>(byte)) & 255] ^ (c >> 8);
    return ~c;
}

// Validates all chunks and their checksums. libpng stops at the last row and ignores everything after it.
std::optional<Error> find_damage(std::string_view bytes, std::string_view file) {
    if (!bytes.starts_with(kSignature)) {
        if (kSignature.starts_with(bytes)) return refuse_png(ErrorCode::kTruncated, file, "the file ends within its signature");
        return refuse_png(ErrorCode::kBadHeader, file, "not a PNG: wrong signature");
    }
    bytes.remove_prefix(kSignature.size());
    for (bool first = true;; first = false) {
        if (bytes.size() < kChunkExtra) return refuse_png(ErrorCode::kTruncated, file, "the PNG ends before its last chunk");
        const uint64_t length = big_endian(bytes);
        const std::string_view type = bytes.substr(4, 4);
        if (length > bytes.size() - kChunkExtra) {
            return refuse_png(ErrorCode::kTruncated, file, "the PNG ends within chunk " + detail::quote(type));
        }
        if (first && (type != "IHDR" || length != 13))
            return refuse_png(ErrorCode::kBadHeader, file, "the PNG does not begin with its header");
        if (crc32_of(bytes.substr(4, length + 4)) != big_endian(bytes.substr(8 + length))) {
            return refuse_png(ErrorCode::kBadValue, file,
                              "chunk " + detail::quote(type) + " of the PNG does not match its checksum: the file is damaged");
        }
        bytes.remove_prefix(kChunkExtra + length);
        if (type == "IEND") break;
    }
    if (!bytes.empty()) return refuse_png(ErrorCode::kTrailing, file, "the file goes on after the end of the PNG");
    return std::nullopt;
}

std::optional<Error> check_size(uint64_t width, uint64_t height, uint64_t max_pixels, std::string_view file) {
    const std::string size = std::to_string(width) + " x " + std::to_string(height);
    if (width == 0 || height == 0) return refuse_png(ErrorCode::kBadValue, file, "a picture of " + size + " pixels has no pixels");
    if (width <= kMaxSide && height <= kMaxSide && width * height <= max_pixels) return std::nullopt;
    return refuse_png(ErrorCode::kTooLarge, file,
                      "a picture of " + size + " pixels is larger than the limit: " + std::to_string(kMaxSide) + " a side and " +
                          std::to_string(max_pixels) + " in all");
}

// Calls visit(type, data, whole chunk) for each chunk of a validated PNG, until it returns false.
template <class Visit>
void for_each_chunk(std::string_view bytes, Visit&& visit) {
    bytes.remove_prefix(kSignature.size());
    while (!bytes.empty()) {
        const size_t length = big_endian(bytes);
        if (!visit(bytes.substr(4, 4), bytes.substr(8, length), bytes.substr(0, kChunkExtra + length))) return;
        bytes.remove_prefix(kChunkExtra + length);
    }
}

// Whether a chunk is needed for pixels and their colours. Text chunks are dropped: libpng would decompress them to up to 1000 times their
// size.
bool is_needed(std::string_view type) {
    constexpr char kAncillary = 0x20;  // of the first letter: lower case
    return (type[0] & kAncillary) == 0 || type == "tRNS" || type == "gAMA" || type == "cHRM" || type == "sRGB" || type == "iCCP";
}

std::string needed_chunks(std::string_view bytes) {
    std::string out(kSignature);
    for_each_chunk(bytes, [&](std::string_view type, std::string_view, std::string_view chunk) {
        if (is_needed(type)) out += chunk;
        return true;
    });
    return out;
}

// The uncompressed size of the pixel data, with one filter byte per row; 0 for an invalid colour type.
uint64_t unpacked_bytes(std::string_view header) {
    constexpr std::array<uint8_t, 7> kChannels = {1, 0, 3, 1, 2, 0, 4};  // by colour type
    constexpr uint32_t kPasses[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    const uint32_t width = big_endian(header), height = big_endian(header.substr(4));
    const auto type = static_cast<uint8_t>(header[9]);
    if (type >= kChannels.size()) return 0;
    const uint64_t bits = uint64_t{static_cast<uint8_t>(header[8])} * kChannels[type];
    const auto rows_of = [&](uint64_t columns, uint64_t rows) { return columns == 0 ? 0 : rows * (1 + (columns * bits + 7) / 8); };
    if (header[12] == 0) return rows_of(width, height);
    uint64_t sum = 0;  // Adam7: x and y of the first pixel, and the steps to the next
    for (const auto& [x, y, dx, dy] : kPasses) sum += rows_of((width + dx - 1 - x) / dx, (height + dy - 1 - y) / dy);
    return sum;
}

// Decompresses the pixels without storing them and checks their number. Memory is then allocated for pixels that exist, not for those
// that the header declares; and libpng, which decompresses everything after the last pixel, never sees an endless stream.
std::optional<Error> check_pixels(std::string_view bytes, uint64_t expected, std::string_view file) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return refuse_png(ErrorCode::kNoMemory, file, "allocation failure while decompressing");
    uint64_t count = 0;
    int result = Z_OK;
    for_each_chunk(bytes, [&](std::string_view type, std::string_view data, std::string_view) {
        if (type != "IDAT") return true;
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
        stream.avail_in = static_cast<uInt>(data.size());
        do {
            Bytef out[1 << 15];
            stream.next_out = out;
            stream.avail_out = sizeof out;
            result = inflate(&stream, Z_NO_FLUSH);
            count += sizeof out - stream.avail_out;
        } while (result == Z_OK && count <= expected && (stream.avail_in > 0 || stream.avail_out == 0));
        return (result == Z_OK || result == Z_BUF_ERROR) && count <= expected;  // Z_BUF_ERROR: continues in the next chunk
    });
    inflateEnd(&stream);
    if (count > expected) return refuse_png(ErrorCode::kTrailing, file, "the PNG's data goes on after its last pixel");
    if (result == Z_STREAM_END && count == expected) return std::nullopt;
    const bool sound = result == Z_OK || result == Z_BUF_ERROR || result == Z_STREAM_END;
    return refuse_png(ErrorCode::kBadValue, file,
                      sound ? "the PNG's data ends before its last pixel" : "the PNG's data cannot be decompressed: it is damaged");
}

Error libpng_error(const png_image& image, std::string_view file) {
    std::string reason = "libpng: ";
    for (const char* c = image.message; *c != 0; ++c) reason += *c >= 0x20 && *c < 0x7f ? *c : '?';
    return refuse_png(ErrorCode::kBadValue, file, std::move(reason));
}

}  // namespace

Result<Image> decode_png(std::string_view bytes, uint64_t max_pixels, std::string_view file) {
    if (auto damage = find_damage(bytes, file)) return *std::move(damage);
    const std::string_view header = bytes.substr(kSignature.size() + 8);
    if (auto error = check_size(big_endian(header), big_endian(header.substr(4)), max_pixels, file)) return *std::move(error);
    if (auto error = check_pixels(bytes, unpacked_bytes(header), file)) return *std::move(error);
    const std::string needed = needed_chunks(bytes);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    const std::unique_ptr<png_image, void (*)(png_image*)> freed(&image, png_image_free);
    if (png_image_begin_read_from_memory(&image, needed.data(), needed.size()) == 0) return libpng_error(image, file);
    image.format = PNG_FORMAT_RGBA;
    Image out{static_cast<int32_t>(image.width), static_cast<int32_t>(image.height), {}};
    out.pixels.resize(size_t{image.width} * image.height);
    if (png_image_finish_read(&image, nullptr, out.pixels.data(), 0, nullptr) == 0) return libpng_error(image, file);
    return out;
}

// Uses libpng's simplified interface, which returns errors as values instead of calling longjmp().
Result<std::string> encode_png(const Picture& picture) {
    if (!well_formed(picture)) {
        return Error{ErrorCode::kTooLarge, {}, 0, "a picture has 1 to " + std::to_string(kMaxPictureSide) + " pixels a side"};
    }
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_RGB;
    std::string bytes(picture.pixels.size() + 4096, '\0');  // a third of the raw size; usually more than enough
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

Result<Image> decode_png(std::string_view, uint64_t, std::string_view file) {
    return Error{ErrorCode::kUnsupported, std::string(file), 0, "built without libpng"};
}

#endif

Result<void> save_png(const std::string& path, const Picture& picture) {
    const auto bytes = encode_png(picture);
    if (!bytes) return Error{bytes.error().code, path, 0, bytes.error().reason};
    return write_file(path, *bytes);
}

}  // namespace terrane
