// Division that rounds up.
#pragma once
#include <cstdint>

namespace terrane::detail {

// How many parts of size `b` hold `a` things; a + b is below 2^32.
constexpr uint32_t divided_up(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

}  // namespace terrane::detail
