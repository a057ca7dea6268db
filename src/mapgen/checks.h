// Validation of generator options.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "terrane/base/result.h"
#include "terrane/grid/grid.h"

namespace terrane::detail {

inline Error refuse(std::string reason) { return {ErrorCode::kBadValue, {}, 0, std::move(reason)}; }

inline bool within(int64_t value, int64_t low, int64_t high) { return value >= low && value <= high; }

// `what` includes the article: "a maze".
inline Result<void> check_sides(std::string_view what, int32_t width, int32_t height, int32_t min_side) {
    if (within(width, min_side, kMaxSide) && within(height, min_side, kMaxSide)) return {};
    return refuse(std::string(what) + " of " + std::to_string(width) + "x" + std::to_string(height) + " cells: expected sides of " +
                  std::to_string(min_side) + " to " + std::to_string(kMaxSide) + " cells");
}

inline size_t cell_count(int32_t width, int32_t height) { return static_cast<size_t>(width) * static_cast<size_t>(height); }

}  // namespace terrane::detail
