// Compares rows of results with a committed file: tests/guard/NAME.json, an array with one line per row.
//
// The guard detects accidental changes of published algorithms. For intended changes, `tools/guard --update` rewrites the files.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace terrane::guard {

using Metrics = nlohmann::ordered_json;  // an object: numbers and texts by name

class Expected {
public:
    // `name`: without folder and extension.
    explicit Expected(std::string name) : name_(std::move(name)) {}

    // Call it once for each `row`.
    void add(std::string row, Metrics metrics) { rows_.emplace_back(std::move(row), std::move(metrics)); }
    size_t size() const { return rows_.size(); }

    // Call it once, after all rows are added. Fails the current test with the row, the metric and both values of each difference, and for
    // rows that are new, repeated or missing. Rewrites the file instead if the environment variable TERRANE_GUARD_UPDATE is set.
    void compare() const;

private:
    std::string name_;
    std::vector<std::pair<std::string, Metrics>> rows_;
};

// Six significant digits, in which real numbers are compared.
std::string rounded(double value);
std::string hex(uint64_t value);

}  // namespace terrane::guard
