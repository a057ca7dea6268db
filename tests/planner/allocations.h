// Counts what this test program allocates: allocation_test.cpp replaces its global allocator.
#pragma once
#include <cstdint>

namespace terrane::test {

// So far; always 0 under ThreadSanitizer, whose allocator cannot be replaced.
uint64_t allocations();

}  // namespace terrane::test
