// Integer division that rounds up.
#pragma once
#include <cstdint>

namespace terrane::detail {

// ceil(a / b); requires a + b < 2^32.
constexpr uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

}  // namespace terrane::detail
