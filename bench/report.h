// What a bench or a scenario run found out: rows of named numbers, for people and for programs.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "terrane/base/result.h"

namespace terrane {

using Metrics = std::vector<std::pair<std::string, double>>;  // in the order they are shown

struct ReportRow {
    std::string method;                 // as --method takes it
    nlohmann::ordered_json scene = {};  // what it was run on; "case" in JSON
    Metrics metrics;
};

// In JSON: {"bench", "machine", "rows": [{"method", "case": {}, "metrics": {}}], "paper": [...]}; "notes" where there are any.
struct Report {
    std::string bench;
    std::vector<ReportRow> rows;
    std::vector<ReportRow> paper;         // the published rows that ours stand beside
    std::vector<std::string> notes = {};  // what rows cannot say: costs that were drawn, what exactly was timed

    nlohmann::ordered_json json() const;
    // A table with a line for each row and a column for each metric; the notes below it.
    std::string table() const;
};

// Rows of text as aligned columns; the first row is the header. Columns of numbers, from `first` up to `last`, are set to
// the right, others to the left.
std::string format_table(const std::vector<std::vector<std::string>>& rows, size_t first = 1, size_t last = SIZE_MAX);

// 1234567.8 -> "1,234,568"; small ones keep three significant digits.
std::string format_number(double value);

// The q-quantile (0..1) of the values, which are sorted in place. 0 for none.
double quantile(std::vector<double>& values, double q);

// Processor and compiler, for rows that hold times.
std::string machine();

// To a file, or to standard output for "-".
Result<Done> write_json(const std::string& path, const nlohmann::ordered_json& json);

}  // namespace terrane
