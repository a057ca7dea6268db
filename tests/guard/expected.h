// Rows of results, compared with a committed file: tests/guard/NAME.json, an array with a line for each row.
//
// The guard exists so that no published system is lost or changed by accident. `tools/guard --update` rewrites the files; use it only when
// results are meant to change.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace terrane::guard {

using Metrics = nlohmann::ordered_json;  // an object: a number or a text by name

class Expected {
public:
    // `name` without folder and extension.
    explicit Expected(std::string name) : name_(std::move(name)) {}

    // Each `row` once.
    void add(std::string row, Metrics metrics) { rows_.emplace_back(std::move(row), std::move(metrics)); }
    size_t size() const { return rows_.size(); }

    // Once, when all rows are added. Fails the current test with the row, the metric and both values for each difference; for rows that
    // are new, repeated or gone. Rewrites the file instead where the environment has TERRANE_GUARD_UPDATE.
    void compare() const;

private:
    std::string name_;
    std::vector<std::pair<std::string, Metrics>> rows_;
};

// Six significant digits: real numbers compare as printed.
std::string rounded(double value);
std::string hex(uint64_t value);

}  // namespace terrane::guard
