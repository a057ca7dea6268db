// The pictures of docs/minimal_memory.md.
#pragma once
#include <string>

#include "terrane/base/result.h"

namespace terrane {

// Writes mm-regions.png and mm-path.png to an existing folder.
Result<void> draw_minimal_memory_figures(const std::string& folder);

}  // namespace terrane
