// The long tests: what the library promises, tried on worlds drawn at random for as long as one likes. `terrane selftest` runs them;
// docs/reliability.md has what they found.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace terrane::selftest {

struct Setting {
    double seconds = 10;  // for each test; it ends soon after
    uint64_t seed = 1;
    uint32_t threads = 8;                                             // that ask, where a test has such
    std::string folder = ".";                                         // for failing cases
    int32_t side = 256;                                               // of the largest worlds, where a test has such, in cells
    size_t memory = 0;                                                // for each of them, in bytes; 0: 12 a cell, and 256 MB
    std::string part = {};                                            // of limits_parts(), alone; empty: all
    std::function<void(uint64_t trials)> progress = [](uint64_t) {};  // called now and then
    std::function<void(const std::string& name, const std::string& value)> figure = [](const auto&, const auto&) {};  // when known early
};

struct Outcome {
    uint64_t trials = 0;
    std::string unit;                                               // "edits"
    std::vector<std::pair<std::string, std::string>> figures = {};  // what else was measured: name, value
    std::string failure = {};                                       // what went wrong, and where the case was saved; empty: nothing
};

struct Test {
    const char* name;
    const char* what;  // one line
    Outcome (*run)(const Setting&);
};

std::span<const Test> tests();

Outcome edits_equal_rebuilds(const Setting& setting);
Outcome queries_while_editing(const Setting& setting);
Outcome limits_hold(const Setting& setting);
std::vector<std::string> limits_parts();

}  // namespace terrane::selftest
