// The long tests of `terrane selftest`: the library's guarantees on random worlds. docs/reliability.md lists results.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace terrane::selftest {

struct Setting {
    double seconds = 10;  // per test; a test ends soon after
    uint64_t seed = 1;
    uint32_t threads = 8;                                             // reader threads of the test `readers`
    std::string folder = ".";                                         // for failing cases
    int32_t side = 256;                                               // of the largest worlds of the test `limits`, in cells
    uint64_t memory = 0;                                              // bytes for each of them; 0: 12 per cell plus 256 MB
    std::string part = {};                                            // one of limits_parts(); empty: all
    std::function<void(uint64_t trials)> progress = [](uint64_t) {};  // called now and then
    std::function<void(const std::string& name, const std::string& value)> figure = [](const auto&, const auto&) {};  // early figures
};

struct Outcome {
    uint64_t trials = 0;
    std::string unit;                                               // of trials, such as "edits"
    std::vector<std::pair<std::string, std::string>> figures = {};  // further measurements: name, value
    std::string failure = {};                                       // what failed and where the case was saved; empty: all held
};

struct Test {
    const char* name;
    const char* what;  // summary, one line
    Outcome (*run)(const Setting&);
};

std::span<const Test> tests();

Outcome edits_equal_rebuilds(const Setting& setting);
Outcome queries_while_editing(const Setting& setting);
Outcome limits_hold(const Setting& setting);
Outcome path_databases_hold(const Setting& setting);
std::vector<std::string> limits_parts();

}  // namespace terrane::selftest
