// Tiled maps and the tilesets beside them, from files.
#include <filesystem>

#include "io/tiled.h"
#include "terrane/base/file.h"
#include "terrane/io/tiled_map.h"

namespace terrane {

namespace {

// A relative name that stays in its folder.
bool is_inside(const std::filesystem::path& name) {
    if (name.empty() || name.is_absolute() || name.has_root_path()) return false;
    const std::filesystem::path plain = name.lexically_normal();
    return !plain.empty() && *plain.begin() != "..";
}

}  // namespace

Result<TerrainGrid> load_tiled(const std::string& path, const TiledOptions& options) {
    const auto text = read_file(path, detail::kMaxTiledBytes);
    if (!text) return text.error();
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    return parse_tiled(*text, options, path, [&](const std::string& name) -> Result<std::string> {
        if (!is_inside(name)) return Error{ErrorCode::kCannotOpen, {}, 0, "tilesets must lie in the map's folder or below it"};
        return read_file((folder / name).string(), detail::kMaxTiledBytes);
    });
}

}  // namespace terrane
