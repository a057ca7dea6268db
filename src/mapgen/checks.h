// What the generators say of options that they cannot use.
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

// `what` has an article: "a maze".
inline Result<Done> check_sides(std::string_view what, int32_t width, int32_t height, int32_t least) {
    if (within(width, least, kMaxSide) && within(height, least, kMaxSide)) return Done{};
    return refuse(std::string(what) + " of " + std::to_string(width) + "x" + std::to_string(height) + " cells: sides are " +
                  std::to_string(least) + " to " + std::to_string(kMaxSide));
}

inline size_t cell_count(int32_t width, int32_t height) { return static_cast<size_t>(width) * static_cast<size_t>(height); }

}  // namespace terrane::detail
