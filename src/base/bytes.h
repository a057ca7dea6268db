// Reads and writes little-endian integers.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace terrane::detail {

// Consumes bytes from the front. Reads past the end return zeros or empty text, and failed() is true from then on.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    bool failed() const { return failed_; }
    std::string_view rest() const { return rest_; }

    std::string_view take(uint64_t count) {
        if (count > rest_.size()) {
            failed_ = true;
            rest_ = {};
            return {};
        }
        const std::string_view bytes = rest_.substr(0, static_cast<size_t>(count));
        rest_.remove_prefix(bytes.size());
        return bytes;
    }
    uint8_t u8() { return static_cast<uint8_t>(fixed(1)); }
    uint32_t u32() { return static_cast<uint32_t>(fixed(4)); }
    uint64_t u64() { return fixed(8); }

    // A variable-length integer (LEB128): seven bits per byte, lowest first; the last byte is below 128. At most 35 bits.
    uint64_t number() {
        uint64_t value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            const uint8_t byte = u8();
            value |= uint64_t{byte & 127u} << shift;
            if (byte < 128) return value;
        }
        failed_ = true;
        return 0;
    }

private:
    uint64_t fixed(size_t bytes) {
        uint64_t value = 0;
        int shift = 0;
        for (const char c : take(bytes)) {
            value |= uint64_t{static_cast<uint8_t>(c)} << shift;
            shift += 8;
        }
        return value;
    }

    std::string_view rest_;
    bool failed_ = false;
};

inline void put_fixed(std::string& out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
}
inline void put_u32(std::string& out, uint32_t value) { put_fixed(out, value, 4); }
inline void put_u64(std::string& out, uint64_t value) { put_fixed(out, value, 8); }
inline void put_number(std::string& out, uint64_t value) {
    for (; value >= 128; value >>= 7) out += static_cast<char>(value % 128 + 128);
    out += static_cast<char>(value);
}

}  // namespace terrane::detail
