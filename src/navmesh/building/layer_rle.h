// Run-length encoding for the layers of a dtTileCache, whose heights, areas and connections repeat along rows.
//
// A control byte c < 128 precedes c + 1 literal bytes; c >= 128 precedes one byte that is repeated c - 125 times (3 to 130). Worst case:
// one extra byte per 128. Never reads or writes out of bounds, whatever the input.
#pragma once
#include <recastnavigation/DetourTileCacheBuilder.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace terrane::detail {

inline constexpr size_t packed_limit(size_t bytes) { return bytes + bytes / 128 + 1; }

// Return the number of bytes written; nullopt if `out` is too small or `packed` is truncated.
std::optional<size_t> pack(std::span<const uint8_t> bytes, std::span<uint8_t> out);
std::optional<size_t> unpack(std::span<const uint8_t> packed, std::span<uint8_t> out);

class LayerRle final : public dtTileCacheCompressor {
public:
    int maxCompressedSize(int size) override { return static_cast<int>(packed_limit(static_cast<size_t>(size))); }
    dtStatus compress(const unsigned char* bytes, int size, unsigned char* out, int room, int* written) override;
    dtStatus decompress(const unsigned char* packed, int size, unsigned char* out, int room, int* written) override;
};

}  // namespace terrane::detail
