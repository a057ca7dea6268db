// Loads Tiled maps and their external tilesets from files.
#include "io/tiled.h"
#include "terrane/base/file.h"
#include "terrane/io/tiled_map.h"

namespace terrane {

Result<TerrainGrid> load_tiled(const std::string& path, const TiledOptions& options) {
    const auto text = read_file(path, detail::kMaxTiledBytes);
    if (!text) return text.error();
    return parse_tiled(*text, options, path, companions_of(path));
}

}  // namespace terrane
