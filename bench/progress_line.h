// The text of a progress bar.
#pragma once
#include <cstdint>
#include <string>

namespace terrane {

// "rows [######........................]  20%, 40 s left" after `seconds`; "rows: 20" where `total` is 0, which is unknown. More steps than
// `total` are shown as 100%; before the first step no time is estimated.
std::string progress_line(const std::string& what, uint64_t done, uint64_t total, double seconds);

}  // namespace terrane
