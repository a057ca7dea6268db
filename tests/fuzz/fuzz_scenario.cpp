// parse_scenario: accepted scenarios read back the same after format_scenario.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "require.h"
#include "terrane/io/scenario.h"

namespace terrane {

namespace {

void require_sound(const Problem& p) {
    const Rect map{{0, 0}, {p.width, p.height}};
    require(map.contains(p.start) && map.contains(p.goal), "cells lie on the map");
    require(std::isfinite(p.length) && p.length >= 0, "lengths are finite and not negative");
    require(!p.map.empty(), "maps have names");
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const auto scenario = parse_scenario({reinterpret_cast<const char*>(data), size}, "fuzz.scen");
    if (!scenario) return require_valid_error(scenario.error(), "fuzz.scen"), 0;
    for (const Problem& problem : scenario->problems) require_sound(problem);

    const std::string text = format_scenario(*scenario);
    const auto again = parse_scenario(text);
    require(again.has_value(), "written output can be read");
    require(again->problems.size() == scenario->problems.size(), "no problem is lost");
    for (size_t i = 0; i < again->problems.size(); ++i) {
        Problem problem = again->problems[i];
        problem.decimals = scenario->problems[i].decimals;  // the decimals of `1e3` are only known after writing
        require(problem == scenario->problems[i], "the problems are the same");
    }
    require(format_scenario(*again) == text, "the text is the same");
    return 0;
}
