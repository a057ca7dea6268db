#include "terrane/world/world_io.h"

#include <algorithm>

#include "terrain_regions/region_file.h"
#include "terrane/base/file.h"
#include "terrane/io/world_file.h"
#include "terrane/method/method_interface.h"
#include "world/saved_preparations.h"

namespace terrane {

namespace {

constexpr uint64_t kMaxBytes = uint64_t{4} << 30;

Error refuse(ErrorCode code, std::string_view file, std::string reason) { return {code, std::string(file), 0, std::move(reason)}; }

Result<void> read_regions(const WorldSection& section, uint32_t sector, std::string_view file, SavedWorld& out) {
    auto regions = parse_regions(section.bytes, out.grid.snapshot(), file);
    if (!regions) return regions.error();
    if (regions->sector() != sector) {
        return refuse(ErrorCode::kBadValue, file,
                      "section '" + std::string(section.tag.data(), section.tag.size()) + "' has regions of another sector size");
    }
    out.regions.push_back(std::move(*regions));
    return {};
}

Result<void> read_preparations(const WorldSection& section, std::string_view file, SavedWorld& out) {
    auto prepared = detail::parse_preparations(section.bytes, out.grid.snapshot().catalogue(), file);
    if (!prepared) return prepared.error();
    out.prepared = std::move(*prepared);
    return {};
}

// Reads the sections besides the map's.
Result<void> read_sections(const std::vector<WorldSection>& sections, std::string_view file, SavedWorld& out) {
    for (const WorldSection& s : sections) {
        Result<void> read;
        if (const auto sector = region_tag_sector(s.tag)) {
            read = read_regions(s, *sector, file, out);
        } else if (s.tag == detail::kPreparedTag) {
            read = read_preparations(s, file, out);
        } else if (s.required) {
            return refuse(ErrorCode::kUnsupported, file,
                          "section '" + std::string(s.tag.data(), s.tag.size()) + "' is required, but this library does not know it");
        }
        if (!read) return read;
    }
    return {};
}

}  // namespace

Result<SavedWorld> parse_saved_world(std::string_view bytes, const MapOptions& map, std::string_view file,
                                     const CompanionReader& read_companion) {
    std::vector<WorldSection> sections;
    auto grid = is_world_file(bytes) ? parse_world(bytes, map, file, &sections) : parse_map(bytes, map, file, read_companion);
    if (!grid) return grid.error();
    SavedWorld saved{std::move(*grid), {}};
    if (const auto read = read_sections(sections, file, saved); !read) return read.error();
    return saved;
}

Result<SavedWorld> load_saved_world(const std::string& path, const MapOptions& map) {
    const auto bytes = read_map_file(path, map);
    if (!bytes) return bytes.error();
    return parse_saved_world(*bytes, map, path, companions_of(path));
}

Result<void> restore_prepared(World& world, std::span<const SavedPreparation> prepared, uint32_t threads) {
    const WorldSnapshot now = world.snapshot();
    const MemoryScope scope(now.grid().data().memory);
    for (const SavedPreparation& saved : prepared) {
        const Ground ground = now.ground(saved.costs, saved.movement);
        const auto data = saved.method.implementation().restore(saved.method, {ground, now.all_regions(), threads}, saved.data);
        if (!data) return Error{data.error().code, {}, 0, "prepared " + saved.method.name() + ": " + data.error().reason};
        if (const auto installed = world.install(*data); !installed) return installed;
    }
    return {};
}

Result<std::unique_ptr<World>> make_world(SavedWorld saved, const WorldOptions& options) {
    const MemoryScope scope(options.memory);
    std::vector<TerrainRegions> regions;
    regions.reserve(options.sectors.size());
    for (const uint32_t sector : options.sectors) {
        const auto found = std::ranges::find(saved.regions, sector, &TerrainRegions::sector);
        regions.push_back(found != saved.regions.end()
                              ? *found
                              : TerrainRegions::build(saved.grid.snapshot(), {sector, options.labels, options.threads}));
    }
    auto world = std::make_unique<World>(std::move(saved.grid), std::move(regions), options);
    if (const auto restored = restore_prepared(*world, saved.prepared, options.threads); !restored) return restored.error();
    return world;
}

Result<std::unique_ptr<World>> load_world(const std::string& path, const WorldOptions& options, const MapOptions& map) {
    const MemoryScope scope(options.memory);
    auto saved = load_saved_world(path, map);
    if (!saved) return saved.error();
    auto world = make_world(std::move(*saved), options);
    if (!world) return refuse(world.error().code, path, world.error().reason);
    return world;
}

Result<std::string> format_world(const WorldSnapshot& world) {
    std::vector<WorldSection> sections;
    sections.reserve(world.all_regions().size() + 1);
    for (const TerrainRegions& r : world.all_regions()) sections.push_back({region_tag(r.sector()), false, format_regions(r)});
    auto prepared = detail::format_preparations(world);
    if (!prepared) return prepared.error();
    if (!prepared->empty()) sections.push_back({detail::kPreparedTag, false, std::move(*prepared)});
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
