// MovingAI .scen files: a start, a goal and the published optimal length for each problem.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "terrane/cell.h"
#include "terrane/result.h"

namespace terrane {

struct Problem {
    uint32_t bucket = 0;
    std::string map;  // as written; paths in published files are seldom right
    int32_t width = 0;
    int32_t height = 0;
    Cell start;
    Cell goal;
    double length = 0;  // the published optimal length
};

struct Scenario {
    std::vector<Problem> problems;
};

// Reads both forms: `version 1` with tabs, and the older `version 1.0` with spaces (a map's name may
// not have spaces there). Limits: 64 MiB, 1,000,000 problems. Cells must lie inside width x height.
Result<Scenario> parse_scenario(std::string_view text, std::string_view file = {});
Result<Scenario> load_scenario(const std::string& path);

// `version 1`, tabs, lengths with six decimals at most (as many as are needed).
std::string format_scenario(const Scenario& scenario);
Result<Done> save_scenario(const std::string& path, const Scenario& scenario);

}  // namespace terrane
