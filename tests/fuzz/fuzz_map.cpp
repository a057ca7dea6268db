// parse_movingai_map: accepted maps read back the same after format_movingai_map.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "require.h"
#include "terrane/io/map_file.h"

namespace terrane {

namespace {

void require_round_trip(const GridSnapshot& grid) {
    const auto text = format_movingai_map(grid);
    require(text.has_value(), "accepted input can be written");
    const auto again = parse_movingai_map(*text);
    require(again.has_value(), "written output can be read");
    require(again->snapshot().cells() == grid.cells(), "the cells are the same");
    require(again->snapshot().catalogue() == grid.catalogue(), "the catalogue is the same");
    require(format_movingai_map(again->snapshot()).value() == *text, "the text is the same");
}

void check(std::string_view text, const MapOptions& options) {
    const auto map = parse_movingai_map(text, options, "fuzz.map");
    if (!map) return require_valid_error(map.error(), "fuzz.map");
    require(map->snapshot().layout().cells() <= text.size(), "no more cells than bytes");
    require_round_trip(map->snapshot());
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const Letters letters : {Letters::kGuess, Letters::kOctile, Letters::kTerrain}) check(text, {.letters = letters});
    check(text, {.max_cells = 16});
    return 0;
}
