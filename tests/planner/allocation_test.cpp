// After warm-up a search allocates nothing. Counted by replacing the global allocator of this test program.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "planner/allocations.h"
#include "support/scene.h"

// ThreadSanitizer brings an allocator of its own, which cannot be replaced.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TERRANE_OWN_ALLOCATOR 0
#endif
#endif
#if !defined(TERRANE_OWN_ALLOCATOR)
#define TERRANE_OWN_ALLOCATOR 1
#endif

#if TERRANE_OWN_ALLOCATOR

static std::atomic<uint64_t> g_allocations = 0, g_largest = 0, g_fail_from = 0;
static std::atomic<int64_t> g_live = 0;

void* operator new(size_t size) {
    if (++g_allocations >= g_fail_from && g_fail_from != 0) throw std::bad_alloc();
    uint64_t largest = g_largest;
    while (size > largest && !g_largest.compare_exchange_weak(largest, size)) {
    }
    if (void* p = std::malloc(size)) return ++g_live, p;
    throw std::bad_alloc();
}
void* operator new[](size_t size) { return operator new(size); }
// Not inlined: g++ would see std::free() of what `new` gave, and warn.
[[gnu::noinline]] void operator delete(void* p) noexcept {
    if (p != nullptr) --g_live;
    std::free(p);
}
void operator delete[](void* p) noexcept { operator delete(p); }
void operator delete(void* p, size_t) noexcept { operator delete(p); }
void operator delete[](void* p, size_t) noexcept { operator delete(p); }

uint64_t terrane::test::allocations() { return g_allocations; }
int64_t terrane::test::live_allocations() { return g_live; }
uint64_t terrane::test::largest_allocation() { return g_largest.exchange(0); }
bool terrane::test::fail_allocations_from(uint64_t n) {
    g_fail_from = n == 0 ? 0 : g_allocations + n;
    return true;
}

namespace terrane::test {
namespace {

TEST(Allocation, NoneAfterWarmUp) {
    Rng rng(5);
    std::vector<Terrain> cells(200 * 200);
    for (Terrain& t : cells) t = static_cast<Terrain>(rng.below(6));
    const TerrainGrid grid(200, 200, cells);
    const GridSnapshot snapshot = grid.snapshot();
    const CostTable costs = Profile().cost("black", 3.5).cost("swamp", 7).blocked("ground").compile(snapshot.catalogue()).value();
    SearchOptions options;
    GridSearch search;
    Path path;
    const auto run_all = [&] {
        for (int32_t i = 0; i < 200; i += 9) {
            search.begin(snapshot, costs, {i, 0}, {199 - i, 199}, options);
            while (search.run(1000) == Status::kBudgetSpent) {
            }
            search.path(path);
        }
        search.begin_flood(snapshot, costs, {0, 0});
        search.run();
    };
    run_all();
    const uint64_t before = allocations();
    run_all();
    EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace terrane::test

#else

uint64_t terrane::test::allocations() { return 0; }
int64_t terrane::test::live_allocations() { return 0; }
uint64_t terrane::test::largest_allocation() { return 0; }
bool terrane::test::fail_allocations_from(uint64_t) { return false; }

#endif  // TERRANE_OWN_ALLOCATOR
