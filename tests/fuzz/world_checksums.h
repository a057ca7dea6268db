// Corrects the length and the checksums of a .terrane file, which would otherwise reject every mutated input.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace terrane {

inline uint64_t fnv(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    return hash;
}

inline uint64_t get_word(const std::string& bytes, size_t at) {
    uint64_t value = 0;
    for (size_t i = 0; i < 8; ++i) value |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
    return value;
}

inline void put_word(std::string& bytes, size_t at, uint64_t value) {
    for (size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

// Extends the last section to the end of the file.
inline std::string fix_world_checksums(std::string bytes) {
    constexpr size_t kHeader = 24, kEntry = 24;
    if (bytes.size() < kHeader) return bytes;
    const size_t sections = std::min<size_t>(static_cast<uint8_t>(bytes[12]), (bytes.size() - kHeader) / kEntry);
    const size_t table_end = kHeader + sections * kEntry;
    if (table_end + 8 > bytes.size()) return bytes;
    put_word(bytes, 16, bytes.size());
    for (size_t i = 0, at = table_end + 8; i < sections; ++i) {
        const size_t entry = kHeader + i * kEntry;
        uint64_t length = get_word(bytes, entry + 8);
        if (length > bytes.size() - at || i + 1 == sections) length = bytes.size() - at;
        put_word(bytes, entry + 8, length);
        put_word(bytes, entry + 16, fnv(std::string_view(bytes).substr(at, length)));
        at += length;
    }
    put_word(bytes, table_end, fnv(std::string_view(bytes).substr(0, table_end)));
    return bytes;
}

}  // namespace terrane
