// Runs of bytes, for the layers of a dtTileCache: heights, areas and connections repeat themselves along rows.
//
// A control byte below 128 is followed by that many bytes and one more, as they are; any other by one byte that stands for (control - 125)
// of them, 3 to 130. At worst a byte in 128 is added. Nothing is read or written past the end of what is given.
#pragma once
#include <recastnavigation/DetourTileCacheBuilder.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace terrane::detail {

inline constexpr size_t packed_limit(size_t bytes) { return bytes + bytes / 128 + 1; }

// How many bytes were written; nothing where there was no room, or the packed bytes are cut short.
std::optional<size_t> pack(std::span<const uint8_t> bytes, std::span<uint8_t> out);
std::optional<size_t> unpack(std::span<const uint8_t> packed, std::span<uint8_t> out);

class LayerCoder final : public dtTileCacheCompressor {
public:
    int maxCompressedSize(int size) override { return static_cast<int>(packed_limit(static_cast<size_t>(size))); }
    dtStatus compress(const unsigned char* bytes, int size, unsigned char* out, int room, int* written) override;
    dtStatus decompress(const unsigned char* packed, int size, unsigned char* out, int room, int* written) override;
};

}  // namespace terrane::detail
