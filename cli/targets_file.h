// The file of --targets-file: where the paths of a database may lead to.
#pragma once
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/cell.h"
#include "terrane/grid/grid.h"

namespace terrane::cli {

// A cell a line, as in `12 34`; '#' begins a comment. Refused: anything else, and cells off the map. `file` is for messages.
Result<std::vector<Cell>> parse_targets(std::string_view text, const GridLayout& layout, std::string_view file);

}  // namespace terrane::cli
