#include "cli/common.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace terrane::cli {

int fail(const Error& error) {
    std::fputs(("terrane: " + error.message() + "\n").c_str(), stderr);
    return kBadInput;
}

Result<Profile> find_profile(const std::string& name_or_file) {
    if (const Profile* preset = Profile::preset(name_or_file)) return *preset;
    auto profile = load_profile(name_or_file);
    if (!profile && profile.error().code == ErrorCode::kCannotOpen) {
        return Error{ErrorCode::kUnknownName, name_or_file, 0,
                     "neither a profile by that name (" + preset_names() + ") nor a file that can be read"};
    }
    if (profile && profile->name().empty()) profile->set_name(std::filesystem::path(name_or_file).stem().string());
    return profile;
}

CLI::Option* MapArguments::add_to(CLI::App& verb, const std::string& name, const std::string& what) {
    add_choice<Letters>(verb, "--letters", letters,
                        {{"guess", Letters::kGuess, "decided by the letters that occur"},
                         {"octile", Letters::kOctile, ". G @ O T S W"},
                         {"terrain", Letters::kTerrain, "A, B, C, ..."}},
                        "Meaning of the letters of a MovingAI map");
    return add_input(verb, name, file, what + ": " + list_map_formats(MapAccess::kRead));
}

std::string sector_name(uint32_t sector) { return sector == kWholeMap ? "map" : std::to_string(sector); }

std::optional<Error> check_sector(uint32_t sector, const GridSnapshot& grid, const std::string& file) {
    if (sector != kWholeMap || grid.layout().cells() <= uint64_t{1} << 27) return std::nullopt;
    return Error{ErrorCode::kTooLarge, file, 0, "one sector for the whole map is for maps of at most 2^27 cells"};
}

Result<OpenedWorld> MapArguments::open(const std::vector<uint32_t>& sectors) const {
    const Stopwatch load;
    auto saved = load_saved_world(file, options());
    if (!saved) return saved.error();
    OpenedWorld opened;
    opened.load_ms = load.ms();
    for (const uint32_t sector : sectors) {
        if (auto error = check_sector(sector, saved->grid.snapshot(), file)) return *std::move(error);
    }
    opened.built = std::ranges::any_of(
        sectors, [&](uint32_t s) { return std::ranges::find(saved->regions, s, &TerrainRegions::sector) == saved->regions.end(); });
    const Stopwatch build;
    auto world = make_world(std::move(*saved), WorldOptions{.sectors = sectors});
    if (!world) return Error{world.error().code, file, 0, world.error().reason};
    opened.world = std::move(*world);
    opened.build_ms = build.ms();
    return opened;
}

}  // namespace terrane::cli
