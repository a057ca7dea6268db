#include "guard/expected.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "terrane/base/file.h"

namespace terrane::guard {

namespace {

constexpr size_t kMaxReported = 20;  // differences printed; the rest are counted

std::string path_of(const std::string& name) { return TERRANE_SOURCE_DIR "/tests/guard/" + name + ".json"; }

void compare_row(const std::string& row, const Metrics& found, const Metrics& expected, std::vector<std::string>& differences) {
    const auto text = [](const Metrics& of, const std::string& metric) { return of.contains(metric) ? of[metric].dump() : "nothing"; };
    std::set<std::string> names;
    for (const auto& [metric, value] : expected.items()) names.insert(metric);
    for (const auto& [metric, value] : found.items()) names.insert(metric);
    for (const std::string& metric : names) {
        if (metric == "row" || text(found, metric) == text(expected, metric)) continue;
        differences.push_back(row + ": " + metric + " is " + text(found, metric) + ", expected " + text(expected, metric));
    }
}

}  // namespace

void Expected::compare() const {
    if (std::getenv("TERRANE_GUARD_UPDATE") != nullptr) {
        std::string text = "[";
        for (const auto& [row, metrics] : rows_) {
            Metrics line = {{"row", row}};
            line.update(metrics);
            text += (text.size() == 1 ? "\n" : ",\n") + line.dump();
        }
        ASSERT_TRUE(write_file(path_of(name_), text + "\n]\n"));
        return;
    }
    const auto file = read_file(path_of(name_), size_t{1} << 24);
    ASSERT_TRUE(file) << path_of(name_) << ": missing; run tools/guard --update to write it";
    const auto read = Metrics::parse(*file, nullptr, false);
    ASSERT_TRUE(read.is_array()) << path_of(name_) << ": expected a JSON array";
    std::map<std::string, const Metrics*> expected;
    for (const Metrics& row : read) expected.emplace(row.value("row", ""), &row);
    std::vector<std::string> differences;
    std::set<std::string> seen;
    for (const auto& [row, metrics] : rows_) {
        if (!seen.insert(row).second) differences.push_back(row + ": added twice");
        const auto it = expected.find(row);
        if (it == expected.end()) {
            differences.push_back(row + ": not in the file");
            continue;
        }
        compare_row(row, metrics, *it->second, differences);
    }
    for (const auto& [row, metrics] : expected) {
        if (!seen.contains(row)) differences.push_back(row + ": in the file, but no longer measured");
    }
    for (size_t i = 0; i < std::min(differences.size(), kMaxReported); ++i) ADD_FAILURE() << differences[i];
    EXPECT_LE(differences.size(), kMaxReported) << "and others; " << name_ << ".json has " << expected.size() << " rows";
}

std::string rounded(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::string hex(uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "%016" PRIx64, value);
    return text;
}

}  // namespace terrane::guard
