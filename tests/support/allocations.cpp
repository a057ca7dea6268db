#include "support/allocations.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

// ThreadSanitizer has its own allocator, which cannot be replaced.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TERRANE_OWN_ALLOCATOR 0
#endif
#endif
#if !defined(TERRANE_OWN_ALLOCATOR)
#define TERRANE_OWN_ALLOCATOR 1
#endif

#if TERRANE_OWN_ALLOCATOR

// Allocations are numbered from 1; those from g_fail_from to g_fail_to fail.
static std::atomic<uint64_t> g_allocations = 0, g_largest = 0, g_fail_from = UINT64_MAX, g_fail_to = UINT64_MAX, g_failed = 0;
static std::atomic<int64_t> g_live = 0, g_live_bytes = 0;

// Size of the header before each allocation; it holds the allocation's size.
static constexpr size_t kHeader = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

static bool fail_allocations(uint64_t n, bool all_after) {
    g_fail_from = UINT64_MAX;
    g_fail_to = UINT64_MAX;
    if (n == 0) return true;
    const uint64_t first = g_allocations + n;
    g_failed = 0;
    if (!all_after) g_fail_to = first;
    g_fail_from = first;
    return true;
}

void* operator new(size_t size) {
    const uint64_t number = ++g_allocations;
    if (number >= g_fail_from && number <= g_fail_to) {
        ++g_failed;
        throw std::bad_alloc();
    }
    uint64_t largest = g_largest;
    while (size > largest && !g_largest.compare_exchange_weak(largest, size)) {
    }
    void* const p = size <= SIZE_MAX - kHeader ? std::malloc(size + kHeader) : nullptr;
    if (p == nullptr) throw std::bad_alloc();
    ++g_live;
    g_live_bytes += static_cast<int64_t>(size);
    std::memcpy(p, &size, sizeof size);
    return static_cast<char*>(p) + kHeader;
}
void* operator new[](size_t size) { return operator new(size); }
// Not inlined: g++ would warn about std::free() of memory from `new`.
[[gnu::noinline]] void operator delete(void* p) noexcept {
    if (p == nullptr) return;
    char* const start = static_cast<char*>(p) - kHeader;
    size_t size = 0;
    std::memcpy(&size, start, sizeof size);
    --g_live;
    g_live_bytes -= static_cast<int64_t>(size);
    std::free(start);
}
void operator delete[](void* p) noexcept { operator delete(p); }
void operator delete(void* p, size_t) noexcept { operator delete(p); }
void operator delete[](void* p, size_t) noexcept { operator delete(p); }

uint64_t terrane::test::allocations() { return g_allocations; }
int64_t terrane::test::live_allocations() { return g_live; }
int64_t terrane::test::live_bytes() { return g_live_bytes; }
uint64_t terrane::test::largest_allocation() { return g_largest.exchange(0); }
uint64_t terrane::test::failed_allocations() { return g_failed; }
bool terrane::test::fail_allocations_from(uint64_t n) { return fail_allocations(n, true); }
bool terrane::test::fail_allocation(uint64_t n) { return fail_allocations(n, false); }

#else

uint64_t terrane::test::allocations() { return 0; }
int64_t terrane::test::live_allocations() { return 0; }
int64_t terrane::test::live_bytes() { return 0; }
uint64_t terrane::test::largest_allocation() { return 0; }
uint64_t terrane::test::failed_allocations() { return 0; }
bool terrane::test::fail_allocations_from(uint64_t) { return false; }
bool terrane::test::fail_allocation(uint64_t) { return false; }

#endif  // TERRANE_OWN_ALLOCATOR
