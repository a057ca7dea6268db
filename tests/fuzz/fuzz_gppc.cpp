// The scenarios of the competition's sample, and their patches (after the first byte of 0): accepted ones read back the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "require.h"
#include "samples/gppc/scenario.h"

namespace {

using terrane::require;

void require_sound(const gppc::Scenario& s) {
    const terrane::Rect map{{0, 0}, {s.width, s.height}};
    for (const gppc::Patch& patch : s.patches) {
        require(patch.open.size() == static_cast<size_t>(patch.width) * static_cast<size_t>(patch.height), "patches have all cells");
    }
    for (const gppc::Command& c : s.commands) {
        if (c.query) {
            require(map.contains(c.start) && map.contains(c.goal), "cells lie on the map");
            require(c.cost == -1 || (c.cost >= 0 && c.cost <= 1e9), "costs are in range");
            continue;
        }
        require(c.patch < s.patches.size() && map.contains(c.at), "patches exist");
        const gppc::Patch& patch = s.patches[c.patch];
        require(c.at.x + patch.width <= s.width && c.at.y + patch.height <= s.height, "patches lie on the map");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const size_t end = std::min(all.find('\0'), size);
    const std::string_view patches = all.substr(std::min(end + 1, size));
    const auto read = [](std::string_view text, std::string_view beside) {
        return gppc::parse(text, "fuzz.scen", [&](const std::string&) { return gppc::parse_patches(beside, "fuzz.patch"); });
    };
    const auto scenario = read(all.substr(0, end), patches);
    if (!scenario) {
        terrane::require_valid_error(scenario.error(), scenario.error().file == "fuzz.patch" ? "fuzz.patch" : "fuzz.scen");
        return 0;
    }
    require_sound(*scenario);
    const std::string text = gppc::format(*scenario, "fuzz.patch"), beside = gppc::format_patches(*scenario);
    const auto again = read(text, beside);
    require(again.has_value(), "written output can be read");
    require(gppc::format(*again, "fuzz.patch") == text && gppc::format_patches(*again) == beside, "it reads back the same");
    return 0;
}
