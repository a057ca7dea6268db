// parse_map, of any format by content and by every extension: accepted maps are within the limits and can be written.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "require.h"
#include "terrane/io/map_formats.h"
#include "terrane/io/world_file.h"

namespace terrane {

namespace {

constexpr uint64_t kCells = 1 << 12;

void check(std::string_view bytes, const std::string& file) {
    // The bytes also serve as every other file that the map names.
    const auto map = parse_map(bytes, {.max_cells = kCells, .otherwise = "plains"}, file,
                               [&](const std::string&) -> Result<std::string> { return std::string(bytes); });
    if (!map) return require_valid_error(map.error(), file.c_str());
    const GridSnapshot grid = map->snapshot();
    require(grid.layout().cells() >= 1 && grid.layout().cells() <= kCells, "no more cells than allowed");
    const auto again = parse_map(format_world(grid).value());
    require(again.has_value() && again->snapshot().cells() == grid.cells(), "accepted input can be written and read back");
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    check(bytes, "fuzz");
    if (detect_map_format(bytes) != nullptr) return 0;  // the name changes nothing
    for (const char* file : {"fuzz.map", "fuzz.terrane", "fuzz.png", "fuzz.tmx"}) check(bytes, file);
    return 0;
}
