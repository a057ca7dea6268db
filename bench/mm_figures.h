// The pictures of docs/minimal_memory.md.
#pragma once
#include <string>

#include "terrane/base/result.h"

namespace terrane {

// mm-regions.png and mm-path.png, into a folder that is there.
Result<Done> draw_mm_figures(const std::string& folder);

}  // namespace terrane
