// MovingAI .scen files: start, goal and published optimal length of each problem.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/cell.h"

namespace terrane {

struct Problem {
    uint32_t bucket = 0;
    std::string map;  // as written; the paths in published files seldom match yours
    int32_t width = 0;
    int32_t height = 0;
    Cell start;
    Cell goal;
    double length = 0;     // the published optimal length
    int8_t decimals = -1;  // number of decimals of `length` in the file; -1: as many as needed

    friend bool operator==(const Problem&, const Problem&) = default;
};

struct Scenario {
    std::vector<Problem> problems;

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

// Parses both forms: `version 1` with tabs, and the older `version 1.0` with spaces, where a map's name may not contain spaces. At most
// 64 MiB and 1,000,000 problems; sides up to kMaxSide; cells inside width x height. Fails, with file, line and reason, for any other
// number of columns and for malformed numbers.
Result<Scenario> parse_scenario(std::string_view text, std::string_view file = {});
Result<Scenario> load_scenario(const std::string& path);

// Formats `version 1` with tabs. Lengths keep the decimals they were read with, so a published file is reproduced exactly; others get the
// shortest form that reads back as the same number. Requires problems that parse_scenario() accepts (no tab in a map's name, cells
// inside).
std::string format_scenario(const Scenario& scenario);
Result<void> save_scenario(const std::string& path, const Scenario& scenario);

}  // namespace terrane
