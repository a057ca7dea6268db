// Parses the file of --targets-file: the goal cells of a path database.
#pragma once
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/cell.h"
#include "terrane/grid/grid.h"

namespace terrane::cli {

// One cell per line, as in `12 34`; '#' begins a comment. Refuses anything else, and cells outside the map. `file` is used in messages.
Result<std::vector<Cell>> parse_targets(std::string_view text, const GridLayout& layout, std::string_view file);

}  // namespace terrane::cli
