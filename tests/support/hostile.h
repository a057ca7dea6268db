// Helpers for tests of hostile files: limits on time and memory, and corrupted words.
#pragma once
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace terrane::test {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TERRANE_KEEPS_FREED 1
#endif
#endif
#if defined(TERRANE_KEEPS_FREED) || defined(__SANITIZE_ADDRESS__)
inline constexpr int64_t kSetAside = 512;  // megabytes: AddressSanitizer holds 256 of freed memory, and memory of its own
#else
inline constexpr int64_t kSetAside = 0;
#endif

// Runs `work` and checks that it takes less than 20 s of CPU time and raises the peak memory by less than `megabytes`. A hostile file
// that is not refused early takes minutes or gigabytes; sanitizers multiply the normal cost.
template <class Work>
void expect_cheap(Work&& work, int64_t megabytes = 48) {
    const auto used = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage;
    };
    const auto seconds = [](const rusage& usage) {
        return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    };
    const rusage before = used();
    work();
    const rusage after = used();
    EXPECT_LT(seconds(after) - seconds(before), 20);
    EXPECT_LT((after.ru_maxrss - before.ru_maxrss) / 1024, megabytes + kSetAside);
}

// Calls visit(bytes, description) for corrupted copies of `bytes`: each 4-byte little-endian word from `begin` to `end`, every `step`
// bytes, is set in turn to values that are hostile for a count, a size or an offset.
template <class Visit>
void for_each_wild_word(const std::string& bytes, size_t begin, size_t end, size_t step, Visit&& visit) {
    for (size_t at = begin; at + 4 <= end; at += step) {
        uint32_t own = 0;
        for (size_t i = 0; i < 4; ++i) own |= uint32_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
        for (const uint32_t value : {0u, 1u, own - 1, own + 1, own * 2, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu}) {
            if (value == own) continue;
            std::string changed = bytes;
            for (size_t i = 0; i < 4; ++i) changed[at + i] = static_cast<char>(value >> (8 * i));
            visit(std::move(changed), "word at byte " + std::to_string(at) + " set to " + std::to_string(value));
        }
    }
}

}  // namespace terrane::test
