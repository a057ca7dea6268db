#include "terrane/io/gif.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/bytes.h"
#include "base/catch_bad_alloc.h"
#include "terrane/base/assert.h"
#include "terrane/base/file.h"
#include "terrane/base/memory.h"

namespace terrane {

namespace {

using detail::put_fixed;

constexpr uint32_t kMaxCodes = 4096;
constexpr size_t kMaxBlock = 255;  // bytes
constexpr char kTrailer = 0x3b;

// Writes codes of 2 to 12 bits, lowest bit first, in blocks that begin with their length.
class CodeStream {
public:
    explicit CodeStream(std::string& out) : out_(out) {}

    void put(uint32_t code, uint32_t width) {
        bits_ |= code << count_;
        for (count_ += width; count_ >= 8; count_ -= 8, bits_ >>= 8) put_byte(static_cast<char>(bits_ & 255));
    }

    // Also writes the empty block that ends an image.
    void finish() {
        if (count_ > 0) put_byte(static_cast<char>(bits_ & 255));
        flush();
        out_ += '\0';
    }

private:
    void put_byte(char byte) {
        block_[size_++] = byte;
        if (size_ == kMaxBlock) flush();
    }

    void flush() {
        if (size_ == 0) return;
        out_ += static_cast<char>(size_);
        out_.append(block_.data(), size_);
        size_ = 0;
    }

    std::string& out_;
    std::array<char, kMaxBlock> block_{};
    size_t size_ = 0;
    uint32_t bits_ = 0, count_ = 0;
};

// The LZW dictionary: maps the code of a string and the next pixel to the code of the longer string. Open addressing, at most half full.
class StringTable {
public:
    StringTable() { clear(); }

    void clear() { slots_.fill({kFree, 0}); }

    // Returns the code of `prefix` followed by `pixel`; adds it as `fresh` if it is new.
    uint32_t find_or_add(uint32_t prefix, uint8_t pixel, uint32_t fresh) {
        const uint32_t key = prefix << 8 | pixel;
        uint32_t slot = key * 2654435769u >> (32 - kSlotBits);
        while (slots_[slot].key != kFree && slots_[slot].key != key) slot = (slot + 1) % kSlots;
        if (slots_[slot].key == kFree) slots_[slot] = {key, fresh};
        return slots_[slot].code;
    }

private:
    static constexpr uint32_t kSlotBits = 13;
    static constexpr uint32_t kSlots = 1u << kSlotBits;
    static constexpr uint32_t kFree = 0xffffffff;
    struct Slot {
        uint32_t key, code;
    };
    std::array<Slot, kSlots> slots_;
};

// The LZW encoder. The code width grows by a bit when the next code needs it; the dictionary is cleared when it is full.
class Compressor {
public:
    Compressor(std::string& out, uint32_t pixel_bits) : stream_(out), first_width_(pixel_bits + 1), clear_code_(1u << pixel_bits) {
        out += static_cast<char>(pixel_bits);
        begin_table();
    }

    void put(uint8_t pixel) {
        if (prefix_ == kNone) {
            prefix_ = pixel;
            return;
        }
        const uint32_t code = table_.find_or_add(prefix_, pixel, next_);
        if (code != next_) {
            prefix_ = code;
            return;
        }
        put_prefix();
        prefix_ = pixel;
    }

    void finish() {
        if (prefix_ != kNone) put_prefix();
        stream_.put(clear_code_ + 1, width_);
        stream_.finish();
    }

private:
    static constexpr uint32_t kNone = 0xffffffff;

    void begin_table() {
        stream_.put(clear_code_, width_ == 0 ? first_width_ : width_);
        table_.clear();
        width_ = first_width_;
        next_ = clear_code_ + 2;
    }

    // Writes the code of the current string; code `next_` is then in use.
    void put_prefix() {
        stream_.put(prefix_, width_);
        if (next_ == kMaxCodes) return begin_table();
        if (next_ == 1u << width_) ++width_;
        ++next_;
    }

    CodeStream stream_;
    StringTable table_;
    uint32_t first_width_, clear_code_;
    uint32_t width_ = 0;  // of a code, in bits
    uint32_t next_ = 0;   // the code of the next new string; kMaxCodes: none
    uint32_t prefix_ = kNone;
};

uint32_t distance(Rgb a, Rgb b) {
    const auto square = [](int32_t d) { return static_cast<uint32_t>(d * d); };
    return square(a.r - b.r) + square(a.g - b.g) + square(a.b - b.b);
}

Rect whole(int32_t width, int32_t height) { return {{0, 0}, {width, height}}; }

void put_palette(std::string& out, std::span<const Rgb> palette, uint32_t bits) {
    for (const Rgb colour : palette) out += {static_cast<char>(colour.r), static_cast<char>(colour.g), static_cast<char>(colour.b)};
    out.append(((size_t{1} << bits) - palette.size()) * 3, '\0');
}

void put_side(std::string& out, int32_t side) { put_fixed(out, static_cast<uint64_t>(side), 2); }

}  // namespace

GifPalette::GifPalette(size_t limit) : limit_(std::clamp(limit, size_t{1}, kMaxGifColours)) {
    TERRANE_ASSERT(limit == limit_);
    colours_.reserve(limit_);
}

uint8_t GifPalette::index(Rgb colour) {
    const auto nearest = std::ranges::min_element(colours_, {}, [&](Rgb c) { return distance(c, colour); });
    if (colours_.size() == limit_ || (nearest != colours_.end() && *nearest == colour)) {
        return static_cast<uint8_t>(nearest - colours_.begin());
    }
    colours_.push_back(colour);
    return static_cast<uint8_t>(colours_.size() - 1);
}

std::vector<uint8_t> GifPalette::indices(const Picture& picture) {
    std::vector<uint8_t> result;
    result.reserve(picture.pixels.size());
    for (size_t i = 0; i < picture.pixels.size(); ++i) {
        const bool as_before = i > 0 && picture.pixels[i] == picture.pixels[i - 1];
        result.push_back(as_before ? result.back() : index(picture.pixels[i]));
    }
    return result;
}

GifWriter::GifWriter(int32_t width, int32_t height, std::span<const Rgb> palette, size_t max_bytes)
    : width_(std::clamp(width, 1, kMaxGifSide)),
      height_(std::clamp(height, 1, kMaxGifSide)),
      max_bytes_(std::min(max_bytes, kMaxGifBytes)),
      colours_(std::min(palette.size(), kMaxGifColours)),
      bits_(std::clamp(static_cast<uint32_t>(std::bit_width(colours_)), 1u, 8u)),
      transparent_(colours_ < kMaxGifColours) {
    TERRANE_ASSERT(width == width_ && height == height_ && !palette.empty() && palette.size() == colours_);
    bytes_ = "GIF89a";
    put_side(bytes_, width_);
    put_side(bytes_, height_);
    put_fixed(bytes_, 0xf0 | (bits_ - 1), 1);  // global palette, 8 bits per channel
    put_fixed(bytes_, 0, 2);                   // background, pixel aspect ratio
    put_palette(bytes_, palette.first(colours_), bits_);
    bytes_ += std::string_view("\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19);  // endless loop
}

Rect GifWriter::changed(std::span<const uint8_t> indices) const {
    Rect rect;
    for (int32_t y = 0; y < height_; ++y) {
        const auto row = static_cast<size_t>(y) * static_cast<size_t>(width_), end = row + static_cast<size_t>(width_);
        size_t left = row, right = end;
        while (left < end && indices[left] == last_[left]) ++left;
        if (left == end) continue;
        while (indices[right - 1] == last_[right - 1]) --right;
        rect = hull(rect, {{static_cast<int32_t>(left - row), y}, {static_cast<int32_t>(right - left), 1}});
    }
    return rect;
}

bool GifWriter::extend_delay(uint32_t centiseconds) {
    const auto byte = [&](size_t i) { return uint32_t{static_cast<uint8_t>(bytes_[delay_at_ + i])}; };
    const uint32_t delay = (byte(0) | byte(1) << 8) + centiseconds;
    if (delay > kMaxGifDelay) return false;
    bytes_[delay_at_] = static_cast<char>(delay & 255);
    bytes_[delay_at_ + 1] = static_cast<char>(delay >> 8);
    return true;
}

void GifWriter::write_frame(std::span<const uint8_t> indices, const Rect& rect, uint32_t centiseconds) {
    const bool transparent = transparent_ && !last_.empty();
    put_fixed(bytes_, 0x04f921, 3);                         // a graphic control extension
    put_fixed(bytes_, 1u << 2 | (transparent ? 1 : 0), 1);  // disposal: keep
    delay_at_ = bytes_.size();
    put_fixed(bytes_, centiseconds, 2);
    put_fixed(bytes_, transparent ? colours_ : 0, 2);  // transparent index, end of the block
    bytes_ += ',';
    for (const int32_t side : {rect.x, rect.y, rect.width, rect.height}) put_side(bytes_, side);
    bytes_ += '\0';
    Compressor compressor(bytes_, std::max(bits_, 2u));
    for (int32_t y = rect.y; y < rect.bottom(); ++y) {
        const size_t row = static_cast<size_t>(y) * static_cast<size_t>(width_);
        for (size_t i = row + static_cast<size_t>(rect.x); i < row + static_cast<size_t>(rect.right()); ++i) {
            const bool same = transparent && indices[i] == last_[i];
            compressor.put(same ? static_cast<uint8_t>(colours_) : indices[i]);
        }
    }
    compressor.finish();
}

Result<void> GifWriter::add_frame(std::span<const uint8_t> indices, uint32_t centiseconds) {
    TERRANE_ASSERT(indices.size() == static_cast<size_t>(width_) * static_cast<size_t>(height_));
    TERRANE_ASSERT(centiseconds >= 1 && centiseconds <= kMaxGifDelay);
    TERRANE_ASSERT(std::ranges::all_of(indices, [&](uint8_t i) { return i < colours_; }));
    Rect rect = last_.empty() ? whole(width_, height_) : changed(indices);
    if (rect.empty()) {
        if (extend_delay(centiseconds)) return {};
        rect = {{0, 0}, {1, 1}};
    }
    last_.reserve(indices.size());
    const size_t before = bytes_.size(), delay_before = delay_at_;
    const auto take_back = [&] {
        bytes_.resize(before);
        delay_at_ = delay_before;
    };
    detail::catch_bad_alloc([&] { write_frame(indices, rect, centiseconds); },
                            [&] {
                                take_back();
                                detail::throw_bad_alloc();
                            });
    if (bytes() > max_bytes_) {
        take_back();
        return Error{ErrorCode::kTooLarge, {}, 0, "the animation is larger than the limit of " + std::to_string(max_bytes_) + " bytes"};
    }
    last_.assign(indices.begin(), indices.end());
    ++frames_;
    return {};
}

std::string GifWriter::finish() const { return bytes_ + kTrailer; }

Result<void> save_gif(const std::string& path, const GifWriter& gif) { return write_file(path, gif.finish()); }

}  // namespace terrane
