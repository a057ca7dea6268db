// A 64-bit checksum that processes several bytes per cycle, for large files.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace terrane::detail {

// Reads a little-endian word.
template <class Word>
Word read_word(const void* bytes) {
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    if constexpr (std::endian::native != std::endian::little) {
        auto* first = reinterpret_cast<unsigned char*>(&word);
        std::reverse(first, first + sizeof word);
    }
    return word;
}

// A bijection in each argument, so a change of any single word changes the hash.
inline uint64_t mix_word(uint64_t hash, uint64_t word) {
    constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
    hash = (hash ^ word) * kOdd;
    return hash ^ hash >> 32;
}

// Hashes four independent lanes of words, for instruction-level parallelism, and combines them with the length.
inline uint64_t checksum(std::string_view bytes) {
    constexpr size_t kWord = sizeof(uint64_t);
    std::array<uint64_t, 4> lanes{};
    const uint64_t length = bytes.size();
    for (; bytes.size() >= kWord * lanes.size(); bytes.remove_prefix(kWord * lanes.size())) {
        for (size_t i = 0; i < lanes.size(); ++i) lanes[i] = mix_word(lanes[i], read_word<uint64_t>(bytes.data() + kWord * i));
    }
    std::array<char, kWord * lanes.size()> last{};
    std::ranges::copy(bytes, last.begin());
    uint64_t hash = length;
    for (size_t i = 0; i < lanes.size(); ++i) hash = mix_word(hash, mix_word(lanes[i], read_word<uint64_t>(last.data() + kWord * i)));
    return hash;
}

}  // namespace terrane::detail
