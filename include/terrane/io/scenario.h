// MovingAI .scen files: a start, a goal and the published optimal length for each problem.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/cell.h"

namespace terrane {

struct Problem {
    uint32_t bucket = 0;
    std::string map;  // as written; paths in published files are seldom right
    int32_t width = 0;
    int32_t height = 0;
    Cell start;
    Cell goal;
    double length = 0;     // the published optimal length
    int8_t decimals = -1;  // how many the file wrote `length` with; -1 for as many as are needed

    friend bool operator==(const Problem&, const Problem&) = default;
};

struct Scenario {
    std::vector<Problem> problems;

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

// Reads both forms: `version 1` with tabs, and the older `version 1.0` with spaces (a map's name may
// not have spaces there). Limits: 64 MiB, 1,000,000 problems, sides up to kMaxSide. Cells must lie inside
// width x height. Refused with file, line and reason: any other number of columns, bad numbers.
Result<Scenario> parse_scenario(std::string_view text, std::string_view file = {});
Result<Scenario> load_scenario(const std::string& path);

// `version 1` with tabs. Lengths read back as the same number: with the decimals they were read with,
// so that a published file comes out as it was, or else with as few as do. What parse_scenario would
// refuse (a map's name with a tab, a cell outside) is the caller's mistake.
std::string format_scenario(const Scenario& scenario);
Result<Done> save_scenario(const std::string& path, const Scenario& scenario);

}  // namespace terrane
