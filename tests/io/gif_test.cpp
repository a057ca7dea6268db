#include "terrane/io/gif.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "support/temporary.h"
#include "terrane/base/file.h"
#include "terrane/base/rng.h"

namespace terrane {

namespace {

using Indices = std::vector<uint8_t>;

struct Frame {
    Indices indices;
    uint32_t centiseconds;
    Rect rect;
};

struct Animation {
    int32_t width, height;
    std::vector<Rgb> palette;
    std::vector<Frame> frames;
};

// Reads the codes of an image's blocks, lowest bits first.
class CodeReader {
public:
    explicit CodeReader(const std::string& data) : data_(data) {}

    uint32_t next(uint32_t width) {
        uint32_t code = 0;
        for (uint32_t i = 0; i < width; ++i, ++at_) {
            const auto byte = static_cast<uint8_t>(at_ / 8 < data_.size() ? data_[at_ / 8] : 0);
            code |= (byte >> at_ % 8 & 1u) << i;
        }
        return code;
    }
    bool over() const { return at_ > data_.size() * 8; }

private:
    const std::string& data_;
    size_t at_ = 0;
};

// LZW decoding after appendix F of the specification, with explicit strings. nullopt for an invalid code.
std::optional<Indices> decompress(const std::string& data, uint32_t pixel_bits) {
    const uint32_t clear = 1u << pixel_bits;
    CodeReader reader(data);
    std::vector<Indices> strings;
    Indices out, last;
    uint32_t width = pixel_bits + 1;
    while (!reader.over()) {
        const uint32_t code = reader.next(width);
        if (code == clear + 1) return out;
        if (code == clear) {
            strings.assign(clear + 2, {});
            for (uint32_t i = 0; i < clear; ++i) strings[i] = {static_cast<uint8_t>(i)};
            width = pixel_bits + 1;
            last.clear();
            continue;
        }
        if (code > strings.size() || (code == strings.size() && last.empty())) return std::nullopt;
        Indices now = code < strings.size() ? strings[code] : last;
        if (code == strings.size()) now.push_back(last[0]);
        if (!last.empty() && strings.size() < 4096) {
            strings.push_back(last);
            strings.back().push_back(now[0]);
        }
        if (strings.size() == size_t{1} << width && width < 12) ++width;
        out.insert(out.end(), now.begin(), now.end());
        last = now;
    }
    return std::nullopt;
}

uint32_t u16(detail::ByteReader& in) {
    const uint32_t low = in.u8();
    return low | uint32_t{in.u8()} << 8;
}

std::string blocks(detail::ByteReader& in) {
    std::string data;
    for (uint8_t size = in.u8(); size != 0 && !in.failed(); size = in.u8()) data += in.take(size);
    return data;
}

// Decodes the subset of GIF89a that GifWriter may write; fails the test at anything else.
Animation decode(const std::string& bytes) {
    detail::ByteReader in(bytes);
    EXPECT_EQ(in.take(6), "GIF89a");
    Animation gif{static_cast<int32_t>(u16(in)), 0, {}, {}};
    gif.height = static_cast<int32_t>(u16(in));
    const uint32_t flags = in.u8();
    EXPECT_EQ(flags & 0x80u, 0x80u);
    EXPECT_EQ(u16(in), 0u);
    for (uint32_t i = 0; i < 2u << (flags & 7); ++i) {
        const std::string_view c = in.take(3);
        gif.palette.push_back({static_cast<uint8_t>(c[0]), static_cast<uint8_t>(c[1]), static_cast<uint8_t>(c[2])});
    }
    Indices canvas(static_cast<size_t>(gif.width) * static_cast<size_t>(gif.height));
    uint32_t centiseconds = 0, transparent = 256;
    for (uint8_t kind = in.u8(); kind != 0x3b; kind = in.u8()) {
        if (in.failed()) return ADD_FAILURE() << "no trailer", gif;
        if (kind == 0x21 && in.u8() == 0xf9) {
            EXPECT_EQ(in.u8(), 4);
            const uint32_t how = in.u8();
            EXPECT_EQ(how & ~1u, 4u) << "frames are not disposed";
            centiseconds = u16(in);
            const uint32_t index = in.u8();
            transparent = (how & 1) != 0 ? index : 256;
            EXPECT_EQ(in.u8(), 0);
        } else if (kind == 0x21) {
            blocks(in);  // loop count
        } else if (kind == 0x2c) {
            Rect rect;
            for (int32_t* side : {&rect.x, &rect.y, &rect.width, &rect.height}) *side = static_cast<int32_t>(u16(in));
            EXPECT_EQ(in.u8(), 0);
            EXPECT_EQ(intersection(rect, {{0, 0}, {gif.width, gif.height}}), rect);
            const uint32_t pixel_bits = in.u8();
            const auto pixels = decompress(blocks(in), pixel_bits);
            if (!pixels) return ADD_FAILURE() << "invalid code", gif;
            EXPECT_EQ(pixels->size(), static_cast<size_t>(rect.width) * static_cast<size_t>(rect.height));
            size_t i = 0;
            for (int32_t y = rect.y; y < rect.bottom(); ++y) {
                for (int32_t x = rect.x; x < rect.right() && i < pixels->size(); ++x, ++i) {
                    const size_t at = static_cast<size_t>(y) * static_cast<size_t>(gif.width) + static_cast<size_t>(x);
                    if ((*pixels)[i] != transparent) canvas[at] = (*pixels)[i];
                }
            }
            gif.frames.push_back({canvas, centiseconds, rect});
        } else {
            return ADD_FAILURE() << "unknown block", gif;
        }
    }
    EXPECT_TRUE(in.rest().empty());
    return gif;
}

std::vector<Rgb> greys(size_t count) {
    std::vector<Rgb> palette;
    palette.reserve(count);
    for (size_t i = 0; i < count; ++i)
        palette.push_back({static_cast<uint8_t>(i), static_cast<uint8_t>(i / 2), static_cast<uint8_t>(255 - i)});
    return palette;
}

Indices random_frame(Rng& rng, size_t pixels, uint32_t colours) {
    Indices frame(pixels);
    for (uint8_t& pixel : frame) pixel = static_cast<uint8_t>(rng.below(colours));
    return frame;
}

// Paints a random square in a random colour.
void paint(Rng& rng, Indices& frame, int32_t width, int32_t height, uint32_t colours) {
    const auto left = static_cast<int32_t>(rng.below(static_cast<uint32_t>(width)));
    const auto top = static_cast<int32_t>(rng.below(static_cast<uint32_t>(height)));
    const auto side = static_cast<int32_t>(1 + rng.below(8));
    const auto colour = static_cast<uint8_t>(rng.below(colours));
    for (int32_t y = top; y < std::min(top + side, height); ++y) {
        for (int32_t x = left; x < std::min(left + side, width); ++x)
            frame[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)] = colour;
    }
}

}  // namespace

TEST(Gif, OnePixel) {
    const std::vector<Rgb> palette{{1, 2, 3}};
    GifWriter writer(1, 1, palette);
    ASSERT_TRUE(writer.add_frame(Indices{0}, 7));
    const Animation gif = decode(writer.finish());
    EXPECT_EQ(gif.width, 1);
    EXPECT_EQ(gif.height, 1);
    EXPECT_EQ(gif.palette[0], palette[0]);
    ASSERT_EQ(gif.frames.size(), 1u);
    EXPECT_EQ(gif.frames[0].indices, Indices{0});
    EXPECT_EQ(gif.frames[0].centiseconds, 7u);
    EXPECT_EQ(writer.bytes(), writer.finish().size());
}

TEST(Gif, EveryFrameComesBackWithAnyCountOfColours) {
    Rng rng(5);
    for (const uint32_t colours : {1u, 2u, 3u, 4u, 5u, 16u, 17u, 127u, 128u, 255u, 256u}) {
        const int32_t width = 61, height = 43;
        GifWriter writer(width, height, greys(colours));
        Indices frame = random_frame(rng, 61 * 43, colours);
        std::vector<Indices> drawn;
        for (uint32_t i = 0; i < 12; ++i) {
            ASSERT_TRUE(writer.add_frame(frame, i + 1));
            if (drawn.empty() || drawn.back() != frame) drawn.push_back(frame);
            paint(rng, frame, width, height, colours);
        }
        const Animation gif = decode(writer.finish());
        EXPECT_EQ(std::ranges::equal(greys(colours), std::span(gif.palette).first(colours)), true);
        ASSERT_EQ(gif.frames.size(), drawn.size()) << colours;
        EXPECT_EQ(writer.frames(), drawn.size());
        for (size_t i = 0; i < drawn.size(); ++i) EXPECT_EQ(gif.frames[i].indices, drawn[i]) << colours << " colours, frame " << i;
    }
}

TEST(Gif, TheDictionaryIsClearedWhenItIsFull) {
    Rng rng(9);
    for (const uint32_t colours : {2u, 256u}) {  // the 4096 codes run out many times
        const Indices frame = random_frame(rng, 300 * 200, colours);
        GifWriter writer(300, 200, greys(colours));
        ASSERT_TRUE(writer.add_frame(frame, 2));
        const Animation gif = decode(writer.finish());
        ASSERT_EQ(gif.frames.size(), 1u);
        EXPECT_EQ(gif.frames[0].indices, frame) << colours;
    }
}

TEST(Gif, LongRunsTakeFewBytes) {
    GifWriter writer(1000, 1000, greys(2));
    ASSERT_TRUE(writer.add_frame(Indices(1000000, 1), 2));
    EXPECT_LT(writer.bytes(), 3000u);
    EXPECT_EQ(decode(writer.finish()).frames[0].indices, Indices(1000000, 1));
}

TEST(Gif, OnlyTheChangedRectangleIsWritten) {
    GifWriter writer(100, 80, greys(4));
    Indices frame(8000, 0);
    ASSERT_TRUE(writer.add_frame(frame, 2));
    frame[20 * 100 + 30] = 1;
    frame[25 * 100 + 10] = 2;
    ASSERT_TRUE(writer.add_frame(frame, 2));
    const Animation gif = decode(writer.finish());
    ASSERT_EQ(gif.frames.size(), 2u);
    EXPECT_EQ(gif.frames[0].rect, (Rect{{0, 0}, {100, 80}}));
    EXPECT_EQ(gif.frames[1].rect, (Rect{{10, 20}, {21, 6}}));
    EXPECT_EQ(gif.frames[1].indices, frame);
}

TEST(Gif, ARepeatedFrameExtendsTheDelay) {
    GifWriter writer(3, 1, greys(3));
    ASSERT_TRUE(writer.add_frame(Indices{0, 1, 2}, 10));
    ASSERT_TRUE(writer.add_frame(Indices{0, 1, 2}, 300));
    ASSERT_TRUE(writer.add_frame(Indices{0, 1, 2}, kMaxGifDelay));  // exceeds the delay of one frame
    ASSERT_TRUE(writer.add_frame(Indices{0, 2, 2}, 1));
    const Animation gif = decode(writer.finish());
    ASSERT_EQ(gif.frames.size(), 3u);
    EXPECT_EQ(gif.frames[0].centiseconds, 310u);
    EXPECT_EQ(gif.frames[1].centiseconds, kMaxGifDelay);
    EXPECT_EQ(gif.frames[1].indices, (Indices{0, 1, 2}));
    EXPECT_EQ(gif.frames[2].indices, (Indices{0, 2, 2}));
}

TEST(Gif, AFrameBeyondTheLimitIsRefusedAndChangesNothing) {
    Rng rng(3);
    GifWriter writer(64, 64, greys(256), 12000);
    const Indices first = random_frame(rng, 4096, 256), second = random_frame(rng, 4096, 256), third = random_frame(rng, 4096, 256);
    ASSERT_TRUE(writer.add_frame(first, 5));
    const std::string before = writer.finish();
    EXPECT_FALSE(writer.add_frame(second, 5) && writer.add_frame(third, 5));
    const auto refused = writer.add_frame(third, 5);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
    EXPECT_LE(writer.bytes(), 12000u);
    const Animation gif = decode(writer.finish());
    EXPECT_EQ(gif.frames.size(), writer.frames());
    EXPECT_EQ(gif.frames.back().indices, writer.frames() == 1 ? first : second);
    EXPECT_TRUE(writer.finish().starts_with(before.substr(0, before.size() - 1)));
}

TEST(GifPalette, AFullPaletteReturnsTheNearestColour) {
    GifPalette palette(3);
    EXPECT_EQ(palette.index({10, 10, 10}), 0);
    EXPECT_EQ(palette.index({200, 0, 0}), 1);
    EXPECT_EQ(palette.index({10, 10, 10}), 0);
    EXPECT_EQ(palette.index({0, 0, 250}), 2);
    EXPECT_EQ(palette.index({190, 20, 0}), 1) << "full";
    EXPECT_EQ(palette.colours().size(), 3u);
    const Picture picture{2, 2, {{10, 10, 10}, {10, 10, 10}, {0, 9, 255}, {200, 0, 0}}};
    EXPECT_EQ(palette.indices(picture), (Indices{0, 0, 2, 1}));
}

TEST(Gif, SavesItsBytes) {
    const TemporaryFolder folder;
    GifWriter writer(2, 2, greys(2));
    ASSERT_TRUE(writer.add_frame(Indices{0, 1, 1, 0}, 3));
    ASSERT_TRUE(save_gif(folder / "a.gif", writer));
    EXPECT_EQ(read_file(folder / "a.gif", 1000).value(), writer.finish());
    EXPECT_FALSE(save_gif(folder / "none/a.gif", writer));
}

TEST(Gif, Golden) {
    Rng rng(77);
    GifWriter writer(90, 70, greys(20));
    Indices frame = random_frame(rng, 6300, 20);
    for (uint32_t i = 0; i < 20; ++i) {
        ASSERT_TRUE(writer.add_frame(frame, 4));
        paint(rng, frame, 90, 70, 20);
    }
    uint64_t hash = 0xcbf29ce484222325;
    for (const char byte : writer.finish()) hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001b3;
    EXPECT_EQ(hash, 13779172701803320338u);
}

}  // namespace terrane
