// The text of a progress bar.
#pragma once
#include <cstdint>
#include <string>

namespace terrane {

// Returns "rows [######........................]  20%, 40 s left" after `seconds`, or "rows: 20" if `total` is 0 (unknown). More steps
// than `total` count as 100%. No time is estimated before the first step.
std::string progress_line(const std::string& what, uint64_t done, uint64_t total, double seconds);

}  // namespace terrane
