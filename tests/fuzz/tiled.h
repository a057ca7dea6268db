// Checks of Tiled maps, JSON or TMX.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "require.h"
#include "terrane/io/map_file.h"
#include "terrane/io/tiled_map.h"
#include "terrane/io/world_file.h"

namespace terrane {

// The text also serves as its own external tileset.
inline void check_tiled(std::string_view text) {
    for (const char* otherwise : {"", "plains"}) {
        TiledOptions options;
        options.otherwise = otherwise;
        options.max_cells = 1 << 12;  // small, for more executions per second
        const auto map =
            parse_tiled(text, options, "fuzz.tiled", [&](const std::string&) -> Result<std::string> { return std::string(text); });
        if (!map) {
            require_valid_error(map.error(), "fuzz.tiled");
            continue;
        }
        const GridSnapshot grid = map->snapshot();
        require(grid.layout().cells() >= 1 && grid.layout().cells() <= options.max_cells, "no more cells than allowed");
        const auto bytes = format_world(grid);
        require(bytes.has_value(), "accepted input can be written");
        const auto again = parse_world(*bytes);
        require(again.has_value() && again->snapshot().cells() == grid.cells(), "and read back");
    }
}

}  // namespace terrane
