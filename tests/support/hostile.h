// What the tests of hostile files share: what reading one costs, and words in it that lie.
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
inline constexpr int64_t kSetAside = 512;  // megabytes: AddressSanitizer keeps 256 that were freed, and has its own
#else
inline constexpr int64_t kSetAside = 0;
#endif

// Runs `work`, which must take neither many seconds of CPU nor `megabytes` more than the program ever had. A hostile file that is not
// refused in time takes minutes, or gigabytes; the sanitizers take several times what is usual.
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

// Calls visit(bytes, what) with each little-endian word of 4 bytes from `begin` to `end`, every `step` bytes, in turn set to what a count,
// a size or an offset would better not be.
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
