// Worlds in files: a map with the regions that were made for it, so that a world is opened in a fraction of the time that it takes to
// build.
//
//   save_world("island.terrane", world.snapshot());
//   auto world = load_world("island.terrane");      // Result<std::unique_ptr<World>>
//   Planner planner(**world);
//
// A file is replaced whole or not at all: it is written under a temporary name beside the old one and renamed. After a crash or on a full
// disk, the old file is still there, and still good. Regions and cells are in one file, so neither can be older than the other.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/io/map_formats.h"
#include "terrane/world/world.h"

namespace terrane {

// What a file holds, ready for World's constructor. Regions in the file's order, which was the saved world's; only .terrane files have any.
struct SavedWorld {
    TerrainGrid grid;
    std::vector<TerrainRegions> regions;
};

// The two steps of load_world(), for those who look at what was saved before they build the rest: a .terrane file with its regions, or a
// map of any other format. Refused with the reason: what parse_map (map_formats.h) and parse_regions (region_file.h) refuse. Sections of
// other kinds are skipped unless they are required.
Result<SavedWorld> load_saved_world(const std::string& path, const MapOptions& map = {});
Result<SavedWorld> parse_saved_world(std::string_view bytes, const MapOptions& map = {}, std::string_view file = {},
                                     const CompanionReader& read_companion = {});

// A world with regions of options.sectors: taken from what was saved where they are there (with labels or without, as they are), else
// built.
std::unique_ptr<World> make_world(SavedWorld saved, const WorldOptions& options = {});
// The world in a file: a .terrane, or a map of any format.
Result<std::unique_ptr<World>> load_world(const std::string& path, const WorldOptions& options = {}, const MapOptions& map = {});

// Map and regions in one .terrane file; other names are refused. The same world gives the same bytes, whatever edits it came about by.
// At most 62 sizes of sectors. Any thread may save a snapshot, while the world is edited.
Result<Done> save_world(const std::string& path, const WorldSnapshot& world);
Result<std::string> format_world(const WorldSnapshot& world);

}  // namespace terrane
