#include "terrane/world/world_io.h"

#include <algorithm>

#include "terrain_regions/region_file.h"
#include "terrane/base/file.h"
#include "terrane/io/world_file.h"

namespace terrane {

namespace {

constexpr uint64_t kMaxBytes = uint64_t{4} << 30;

Error refuse(ErrorCode code, std::string_view file, std::string reason) { return {code, std::string(file), 0, std::move(reason)}; }

// Reads the regions of all sections that hold some.
Result<std::vector<TerrainRegions>> read_regions(const std::vector<WorldSection>& sections, const GridSnapshot& grid,
                                                 std::string_view file) {
    std::vector<TerrainRegions> all;
    all.reserve(sections.size());
    for (const WorldSection& s : sections) {
        const std::string tag(s.tag.data(), s.tag.size());
        const auto sector = region_tag_sector(s.tag);
        if (!sector && s.required) {
            return refuse(ErrorCode::kUnsupported, file, "section '" + tag + "' is required, but this library does not know it");
        }
        if (!sector) continue;
        auto regions = parse_regions(s.bytes, grid, file);
        if (!regions) return regions.error();
        if (regions->sector() != *sector) {
            return refuse(ErrorCode::kBadValue, file, "section '" + tag + "' has regions of another sector size");
        }
        all.push_back(std::move(*regions));
    }
    return all;
}

}  // namespace

Result<SavedWorld> parse_saved_world(std::string_view bytes, const MapOptions& map, std::string_view file,
                                     const CompanionReader& read_companion) {
    std::vector<WorldSection> sections;
    auto grid = is_world_file(bytes) ? parse_world(bytes, map, file, &sections) : parse_map(bytes, map, file, read_companion);
    if (!grid) return grid.error();
    auto regions = read_regions(sections, grid->snapshot(), file);
    if (!regions) return regions.error();
    return SavedWorld{std::move(*grid), std::move(*regions)};
}

Result<SavedWorld> load_saved_world(const std::string& path, const MapOptions& map) {
    const auto bytes = read_map_file(path, map);
    if (!bytes) return bytes.error();
    return parse_saved_world(*bytes, map, path, companions_of(path));
}

std::unique_ptr<World> make_world(SavedWorld saved, const WorldOptions& options) {
    const MemoryScope scope(options.memory);
    std::vector<TerrainRegions> regions;
    regions.reserve(options.sectors.size());
    for (const uint32_t sector : options.sectors) {
        const auto found = std::ranges::find(saved.regions, sector, &TerrainRegions::sector);
        regions.push_back(found != saved.regions.end()
                              ? *found
                              : TerrainRegions::build(saved.grid.snapshot(), {sector, options.labels, options.threads}));
    }
    return std::make_unique<World>(std::move(saved.grid), std::move(regions), options);
}

Result<std::unique_ptr<World>> load_world(const std::string& path, const WorldOptions& options, const MapOptions& map) {
    const MemoryScope scope(options.memory);
    auto saved = load_saved_world(path, map);
    if (!saved) return saved.error();
    return make_world(std::move(*saved), options);
}

Result<std::string> format_world(const WorldSnapshot& world) {
    std::vector<WorldSection> sections;
    sections.reserve(world.all_regions().size());
    for (const TerrainRegions& r : world.all_regions()) sections.push_back({region_tag(r.sector()), false, format_regions(r)});
    return format_world(world.grid(), sections);
}

Result<void> save_world(const std::string& path, const WorldSnapshot& world) {
    if (!path.ends_with(".terrane"))
        return refuse(ErrorCode::kUnsupported, path, "a saved world needs a file name that ends with .terrane");
    const auto bytes = format_world(world);
    if (!bytes) return refuse(bytes.error().code, path, bytes.error().reason);
    if (uint64_t{bytes->size()} > kMaxBytes) {
        return refuse(ErrorCode::kTooLarge, path,
                      "takes " + std::to_string(bytes->size()) + " bytes, more than the " + std::to_string(kMaxBytes) +
                          " that can be read back: save the map without regions");
    }
    return write_file(path, *bytes);
}

}  // namespace terrane
