#include "navmesh/building/layer_rle.h"

#include <algorithm>

namespace terrane::detail {

namespace {

constexpr size_t kMinRun = 3, kMaxRun = 130, kMaxPlain = 128;
constexpr size_t kRunBase = 125;  // control byte of a run minus its length

size_t run_at(std::span<const uint8_t> bytes, size_t at) {
    size_t n = 1;
    while (n < kMaxRun && at + n < bytes.size() && bytes[at + n] == bytes[at]) ++n;
    return n;
}

dtStatus report(std::optional<size_t> size, int* written) {
    if (!size) return DT_FAILURE | DT_BUFFER_TOO_SMALL;
    *written = static_cast<int>(*size);
    return DT_SUCCESS;
}

std::span<const uint8_t> view(const unsigned char* bytes, int size) { return {bytes, static_cast<size_t>(size)}; }
std::span<uint8_t> view(unsigned char* bytes, int size) { return {bytes, static_cast<size_t>(size)}; }

}  // namespace

std::optional<size_t> pack(std::span<const uint8_t> bytes, std::span<uint8_t> out) {
    size_t to = 0;
    for (size_t at = 0; at < bytes.size();) {
        if (const size_t run = run_at(bytes, at); run >= kMinRun) {
            if (out.size() - to < 2) return std::nullopt;
            out[to++] = static_cast<uint8_t>(kRunBase + run);
            out[to++] = bytes[at];
            at += run;
            continue;
        }
        const size_t first = at;
        while (at < bytes.size() && at - first < kMaxPlain && run_at(bytes, at) < kMinRun) ++at;
        if (out.size() - to < at - first + 1) return std::nullopt;
        out[to++] = static_cast<uint8_t>(at - first - 1);
        std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(first), at - first, out.begin() + static_cast<ptrdiff_t>(to));
        to += at - first;
    }
    return to;
}

std::optional<size_t> unpack(std::span<const uint8_t> packed, std::span<uint8_t> out) {
    size_t to = 0;
    for (size_t at = 0; at < packed.size();) {
        const size_t control = packed[at++];
        const bool plain = control < kMaxPlain;
        const size_t count = plain ? control + 1 : control - kRunBase, taken = plain ? count : 1;
        if (packed.size() - at < taken || out.size() - to < count) return std::nullopt;
        if (plain) {
            std::copy_n(packed.begin() + static_cast<ptrdiff_t>(at), count, out.begin() + static_cast<ptrdiff_t>(to));
        } else {
            std::fill_n(out.begin() + static_cast<ptrdiff_t>(to), count, packed[at]);
        }
        at += taken;
        to += count;
    }
    return to;
}

dtStatus LayerRle::compress(const unsigned char* bytes, int size, unsigned char* out, int room, int* written) {
    return report(pack(view(bytes, size), view(out, room)), written);
}

dtStatus LayerRle::decompress(const unsigned char* packed, int size, unsigned char* out, int room, int* written) {
    return report(unpack(view(packed, size), view(out, room)), written);
}

}  // namespace terrane::detail
