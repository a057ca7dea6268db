// Saves and loads worlds: a map with its regions in one file. Opening it takes a fraction of the time of building the regions.
//
//   save_world("island.terrane", world.snapshot());
//   auto world = load_world("island.terrane");      // Result<std::unique_ptr<World>>
//   Planner planner(**world);
//
// Saving is atomic: it writes a temporary file beside the old one and renames it. After a crash or on a full disk the old file is intact.
// Regions and cells are in one file, so neither can be older than the other.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/io/map_formats.h"
#include "terrane/world/world.h"

namespace terrane {

// The content of a file, for World's constructor. Regions are in the saved world's order; only .terrane files have any.
struct SavedWorld {
    TerrainGrid grid;
    std::vector<TerrainRegions> regions;
};

// First step of load_world(), to inspect a file before building the rest: reads a .terrane file with its regions, or a map of any other
// format. Fails as parse_map (map_formats.h) and parse_regions (region_file.h) do. Skips unknown sections unless they are marked
// required.
Result<SavedWorld> load_saved_world(const std::string& path, const MapOptions& map = {});
Result<SavedWorld> parse_saved_world(std::string_view bytes, const MapOptions& map = {}, std::string_view file = {},
                                     const CompanionReader& read_companion = {});

// Second step: makes a world with regions of options.sectors. Takes them from `saved` if it has them (with or without labels, as saved)
// and builds the others.
std::unique_ptr<World> make_world(SavedWorld saved, const WorldOptions& options = {});
// Loads a world from a .terrane file or a map of any format.
Result<std::unique_ptr<World>> load_world(const std::string& path, const WorldOptions& options = {}, const MapOptions& map = {});

// Saves map and regions in one .terrane file; fails for other names and for more than 62 sector sizes. Equal worlds give equal bytes,
// whatever their edit history. Any thread may save a snapshot while the world is edited.
Result<void> save_world(const std::string& path, const WorldSnapshot& world);
Result<std::string> format_world(const WorldSnapshot& world);

}  // namespace terrane
