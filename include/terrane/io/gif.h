// Animated GIFs: frames one at a time, of at most 256 colours, shown in a loop for ever.
// Based on: Welch 1984 (the compression); CompuServe 1990 (GIF89a).
//
//   GifPalette palette;
//   std::vector<uint8_t> frame = palette.indices(draw_terrain(grid, scale));
//   const uint8_t red = palette.index({220, 30, 40});
//   GifWriter gif(width, height, palette.colours());
//   for (each tick) { paint into frame; if (!gif.add_frame(frame, 5)) break; }
//   save_gif("crowd.gif", gif);
//
// Of each frame only the rectangle that differs from the one before is written, and within it only the pixels that do: the rest is
// transparent, unless the palette is full. So a frame takes bytes for what moved. The same calls give the same bytes on every machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/cell.h"
#include "terrane/grid/terrain.h"
#include "terrane/io/picture.h"

namespace terrane {

inline constexpr int32_t kMaxGifSide = 16384;  // pixels
inline constexpr size_t kMaxGifColours = 256;
inline constexpr size_t kMaxGifBytes = size_t{1} << 29;
inline constexpr uint32_t kMaxGifDelay = 65535;  // centiseconds

// Colours by number, in the order in which they were asked for.
class GifPalette {
public:
    // At most `limit` colours, 1..kMaxGifColours. One below kMaxGifColours leaves the writer its transparent colour.
    explicit GifPalette(size_t limit = kMaxGifColours - 1);

    // The number of a colour, which is new where there is room, else that of the nearest (of those as near, the first).
    uint8_t index(Rgb colour);
    // One for each pixel.
    std::vector<uint8_t> indices(const Picture& picture);

    std::span<const Rgb> colours() const { return colours_; }

private:
    size_t limit_;
    std::vector<Rgb> colours_;
};

class GifWriter {
public:
    // Sides 1..kMaxGifSide, 1..kMaxGifColours colours. Numbers of the palette that a frame has must be below the count of colours.
    GifWriter(int32_t width, int32_t height, std::span<const Rgb> palette, size_t max_bytes = kMaxGifBytes);

    // width * height numbers of the palette, by rows; shown for `centiseconds` (1..kMaxGifDelay; viewers may show less than 2 as 10).
    // A frame like the one before makes that one last longer. Refused, and not added: what would make more than max_bytes.
    Result<Done> add_frame(std::span<const uint8_t> indices, uint32_t centiseconds);

    size_t frames() const { return frames_; }  // written so far: those that only last longer are not counted
    size_t bytes() const { return bytes_.size() + 1; }

    // The whole file, of the frames so far; of none, a file that viewers may refuse. More may be added after it.
    std::string finish() const;

private:
    Rect changed(std::span<const uint8_t> indices) const;
    bool lengthen(uint32_t centiseconds);
    void write_frame(std::span<const uint8_t> indices, const Rect& rect, uint32_t centiseconds);

    int32_t width_, height_;
    size_t max_bytes_, colours_;
    uint32_t bits_;              // of a number of the palette, 1..8
    bool transparent_;           // number `colours_` stands for what was there before
    std::string bytes_;          // the file but for its last byte
    std::vector<uint8_t> last_;  // the last frame
    size_t frames_ = 0;
    size_t delay_at_ = 0;  // of the last frame, in bytes_
};

// What finish() gives, as a file that is never left half written (file.h).
Result<Done> save_gif(const std::string& path, const GifWriter& gif);

}  // namespace terrane
