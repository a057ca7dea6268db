// Saves and loads worlds: a map, its regions and its prepared data in one file. Regions are read in a fraction of the time of building
// them. Path databases (cpd) are stored; all other methods prepare again when the file is loaded, because to validate their tables is the
// work of building them. They answer as newly prepared.
//
//   save_world("island.terrane", world.snapshot());
//   auto world = load_world("island.terrane");      // Result<std::unique_ptr<World>>
//   Planner planner(**world);
//
// Saving is atomic: it writes a temporary file beside the old one and renames it. After a crash or on a full disk the old file is intact.
// All of it is in one file, so no part can be older than another.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/io/map_formats.h"
#include "terrane/world/world.h"

namespace terrane {

// Data that was prepared for one method and agent.
struct SavedPreparation {
    Method method;
    CostTable costs;
    Movement movement = Movement::kEightNoCornerCutting;
    std::string data = {};  // what the method stored (PreparedData::save)
};

// The content of a file, for World's constructor. Regions are in the saved world's order; only .terrane files have any, or prepared data.
struct SavedWorld {
    TerrainGrid grid;
    std::vector<TerrainRegions> regions;
    std::vector<SavedPreparation> prepared = {};
};

// First step of load_world(), to inspect a file before building the rest: reads a .terrane file with its regions, or a map of any other
// format. Fails as parse_map (map_formats.h) and parse_regions (region_file.h) do. Skips unknown sections unless they are marked
// required.
Result<SavedWorld> load_saved_world(const std::string& path, const MapOptions& map = {});
Result<SavedWorld> parse_saved_world(std::string_view bytes, const MapOptions& map = {}, std::string_view file = {},
                                     const CompanionReader& read_companion = {});

// Second step: makes a world with regions of options.sectors and prepares what was prepared; clear saved.prepared if you do not need it.
// Takes regions from `saved` if it has them (with or without labels, as saved) and builds the others. Fails if a method cannot be
// prepared, such as a path database of another map.
Result<std::unique_ptr<World>> make_world(SavedWorld saved, const WorldOptions& options = {});
// The part of make_world() that prepares, for a world that you have made. Call from the thread that edits.
Result<void> restore_prepared(World& world, std::span<const SavedPreparation> prepared, uint32_t threads = 1);
// Loads a world from a .terrane file or a map of any format.
Result<std::unique_ptr<World>> load_world(const std::string& path, const WorldOptions& options = {}, const MapOptions& map = {});

// Saves the map, its regions and the list of prepared data in one .terrane file; fails for other names, for more than 61 sector sizes and
// for more than 256 prepared methods. Leaves out PrepareOptions::max_bytes, and data for custom movement rules and for methods that
// find_method() does not know. Equal worlds give equal bytes, whatever their edit history, except that path databases are stored as built.
// Any thread may save a snapshot while the world is edited.
Result<void> save_world(const std::string& path, const WorldSnapshot& world);
Result<std::string> format_world(const WorldSnapshot& world);

}  // namespace terrane
