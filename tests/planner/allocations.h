// Counts what this test program allocates: allocation_test.cpp replaces its global allocator.
#pragma once
#include <cstdint>

namespace terrane::test {

// So far; always 0 under ThreadSanitizer, whose allocator cannot be replaced.
uint64_t allocations();
// Of them, those not freed yet.
int64_t live_allocations();
// The most bytes in one, since this was last called.
uint64_t largest_allocation();
// The n-th from now on, and all after it, fail; 0: none. False where that cannot be had.
bool fail_allocations_from(uint64_t n);

}  // namespace terrane::test
