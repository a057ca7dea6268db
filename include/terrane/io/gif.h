// Writes animated GIFs, frame by frame: at most 256 colours, endless loop.
// Based on: Welch 1984 (the compression); CompuServe 1990 (GIF89a).
//
//   GifPalette palette;
//   std::vector<uint8_t> frame = palette.indices(draw_terrain(grid, scale));
//   const uint8_t red = palette.index({220, 30, 40});
//   GifWriter gif(width, height, palette.colours());
//   for (each tick) { paint into frame; if (!gif.add_frame(frame, 5)) break; }
//   save_gif("crowd.gif", gif);
//
// A frame stores only the rectangle that differs from the previous frame, and within it only the changed pixels; the others are
// transparent unless the palette is full. The size of a frame thus depends on what moved. The same calls give the same bytes on every
// platform.
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

// Assigns indices to colours, in the order of the first request.
class GifPalette {
public:
    // Holds at most `limit` colours, 1 to kMaxGifColours. Leave one index free for the writer's transparent colour.
    explicit GifPalette(size_t limit = kMaxGifColours - 1);

    // Returns the index of a colour and adds it if it is new. If the palette is full, returns the nearest colour; ties go to the first.
    uint8_t index(Rgb colour);
    // The index of each pixel.
    std::vector<uint8_t> indices(const Picture& picture);

    std::span<const Rgb> colours() const { return colours_; }

private:
    size_t limit_;
    std::vector<Rgb> colours_;
};

// Encodes frames of palette indices.
class GifWriter {
public:
    // Requires sides of 1 to kMaxGifSide and 1 to kMaxGifColours colours. Indices in frames must be below the number of colours.
    GifWriter(int32_t width, int32_t height, std::span<const Rgb> palette, size_t max_bytes = kMaxGifBytes);

    // Adds a frame of width * height palette indices in row-major order, shown for `centiseconds` (1 to kMaxGifDelay; viewers may show
    // less than 2 as 10). A frame equal to the previous one extends the delay of that one. Fails and adds nothing if the file would
    // exceed max_bytes.
    Result<void> add_frame(std::span<const uint8_t> indices, uint32_t centiseconds);

    size_t frames() const { return frames_; }  // frames in the file; repeated frames are not counted
    size_t bytes() const { return bytes_.size() + 1; }

    // The complete file with the frames so far. You may add more frames afterwards. Viewers may refuse a file without frames.
    std::string finish() const;

private:
    Rect changed(std::span<const uint8_t> indices) const;
    bool extend_delay(uint32_t centiseconds);
    void write_frame(std::span<const uint8_t> indices, const Rect& rect, uint32_t centiseconds);

    int32_t width_, height_;
    size_t max_bytes_, colours_;
    uint32_t bits_;              // of a palette index, 1 to 8
    bool transparent_;           // index `colours_` means: unchanged
    std::string bytes_;          // the file without its trailer
    std::vector<uint8_t> last_;  // the last frame
    size_t frames_ = 0;
    size_t delay_at_ = 0;  // offset of the last frame's delay in bytes_
};

// Writes finish() to a file, atomically (file.h).
Result<void> save_gif(const std::string& path, const GifWriter& gif);

}  // namespace terrane
