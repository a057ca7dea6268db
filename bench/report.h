// Result of a bench or a scenario run: rows of named numbers, as a text table and as JSON.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "terrane/base/result.h"

namespace terrane {

using Metrics = std::vector<std::pair<std::string, double>>;  // by name, in display order; reports leave out NaN

struct ReportRow {
    std::string method;                 // a method name as --method accepts it
    nlohmann::ordered_json scene = {};  // input and settings; "case" in JSON
    Metrics metrics;
};

// JSON: {"bench", "command", "commit", "machine", "rows": [{"method", "case": {}, "metrics": {}}], "paper": [...], "notes": [...]}.
struct Report {
    std::string bench = {};
    std::vector<ReportRow> rows = {};
    std::vector<ReportRow> paper = {};    // published rows, printed beside ours
    std::vector<std::string> notes = {};  // definitions of the metrics, and costs drawn at random
    std::string command = {};             // as typed

    void add(const std::vector<ReportRow>& more) { rows.insert(rows.end(), more.begin(), more.end()); }

    nlohmann::ordered_json json() const;
    // One line per row, one column per metric, then the notes.
    std::string table() const;
};

// Formats rows of text as aligned columns; the first row is the header. Columns [first, last) are right-aligned, the others left-aligned.
std::string format_table(const std::vector<std::vector<std::string>>& rows, size_t first = 1, size_t last = SIZE_MAX);

// Returns 1234567.8 as "1,234,568". Values below 1,000 keep one to three decimals, those below 1 three significant digits.
std::string format_number(double value);

// Returns processor and compiler, printed above reports because they contain times.
std::string machine();

// Returns the commit that this program was built from: "unknown" without git, with "+changes" for a changed source tree.
std::string build_commit();

// Writes to a file, or to standard output if `path` is "-".
Result<void> write_json(const std::string& path, const nlohmann::ordered_json& json);

}  // namespace terrane
