#include "cli/common.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <span>
#include <string_view>
#include <system_error>

namespace terrane::cli {

namespace {

// Does not throw, unlike fmt::print, if standard error cannot be written.
void complain(const std::string& what) { std::fputs(("terrane: " + what + "\n").c_str(), stderr); }

int run_verb(CLI::App& app, const Run& run, int argc, char** argv, bool loud) {
    try {
        app.parse(argc, argv);
        return run();
    } catch (const CLI::Success& e) {
        return app.exit(e);  // --help, --version
    } catch (const CLI::ParseError& e) {
        if (!loud) return kBadInput;
        app.exit(e);
        for (const std::string_view argument : std::span(argv, static_cast<size_t>(argc))) {
            if (const std::string hint = renamed_hint(argument); !hint.empty()) complain(hint);
        }
        return kBadInput;
    } catch (const std::bad_alloc&) {
        complain("out of memory");
        return kBadInput;
    }
}

// Verbs, benches and options that had another name before.
struct Renamed {
    std::string_view before, now;
};
constexpr Renamed kRenamed[] = {{"openfield", "weighted-regions"},
                                {"open-terrain", "weighted-regions"},
                                {"refract", "any-angle"},
                                {"mm", "minimal-memory"},
                                {"cpd-agree", "terrane selftest path_databases"},
                                {"--kind", "--profile"},
                                {"--life-long", "--lifelong"}};

}  // namespace

std::string renamed_hint(std::string_view word) {
    const auto renamed = std::ranges::find(kRenamed, word.substr(0, word.find('=')), &Renamed::before);
    return renamed == std::end(kRenamed) ? "" : fmt::format("'{}' is now '{}'", renamed->before, renamed->now);
}

int run_program(CLI::App& app, const Run& run, int argc, char** argv, bool loud) {
    app.get_formatter()->column_width(34);
    int code = kDone;
    try {
        code = run_verb(app, run, argc, argv, loud);
    } catch (const std::system_error&) {  // from fmt::print: standard output or standard error cannot be written
        code = kBadInput;
    }
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    complain("cannot write to standard output: the answer is incomplete");
    return kBadInput;
}

int fail(const Error& error) {
    complain(error.message());
    return kBadInput;
}

std::string preset_names() {
    std::string names;
    for (const Profile& p : Profile::presets()) names += (names.empty() ? "" : ", ") + p.name();
    return names;
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

std::string map_help(const std::string& what) { return what + ": " + list_map_formats(MapAccess::kRead); }

void MapArguments::add_letters(CLI::App& verb) {
    add_choice<Letters>(
        verb, "--letters", letters, {{"guess", Letters::kGuess}, {"octile", Letters::kOctile}, {"terrain", Letters::kTerrain}},
        "Meaning of the map's letters: octile is . G @ O T S W, terrain is A, B, C, ...; guess decides by the letters that occur [guess]");
}

void add_movement(CLI::App& verb, Movement& movement) {
    add_choice<Movement>(
        verb, "--movement", movement,
        {{"eight", Movement::kEightNoCornerCutting}, {"cutting", Movement::kEightCutCorners}, {"four", Movement::kFour}},
        "Legal steps: eight is eight directions without corner cutting, cutting also cuts corners, four has no diagonals [eight]");
}

namespace {

Cell read_cell(const std::string& flag, const std::string& text) {
    Cell cell;
    int used = 0;
    if (std::sscanf(text.c_str(), "%9d,%9d%n", &cell.x, &cell.y, &used) != 2 || static_cast<size_t>(used) != text.size()) {
        throw CLI::ValidationError(flag, "'" + text + "' is not a cell: expected X,Y as in 120,80");
    }
    return cell;
}

}  // namespace

CLI::Option* add_cell(CLI::App& verb, const std::string& flag, Cell& cell, const std::string& help) {
    const auto read = [&cell, flag](const std::string& text) { cell = read_cell(flag, text); };
    return verb.add_option_function<std::string>(flag, read, help)->type_name("X,Y");
}

CLI::Option* add_cells(CLI::App& verb, const std::string& flag, std::vector<Cell>& cells, const std::string& help) {
    const auto read = [&cells, flag](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) cells.push_back(read_cell(flag, text));
    };
    return verb.add_option_function<std::vector<std::string>>(flag, read, help)->type_name("X,Y");
}

CLI::Option* add_rect(CLI::App& verb, const std::string& flag, std::optional<Rect>& rect, const std::string& help) {
    const auto read = [&rect, flag](const std::string& text) {
        int32_t x = 0, y = 0, width = 0, height = 0;
        int used = 0;
        if (std::sscanf(text.c_str(), "%6d,%6d,%6d,%6d%n", &x, &y, &width, &height, &used) != 4 ||
            static_cast<size_t>(used) != text.size() || width < 1 || height < 1) {
            throw CLI::ValidationError(flag, "'" + text + "' is not a rectangle: expected X,Y,WIDTH,HEIGHT as in 100,80,32,32");
        }
        rect = {{x, y}, {width, height}};
    };
    return verb.add_option_function<std::string>(flag, read, help)->type_name("X,Y,WIDTH,HEIGHT");
}

CLI::Option* add_sectors(CLI::App& verb, std::vector<uint32_t>& sectors, const std::string& help) {
    const auto read = [&sectors](const std::vector<std::string>& texts) {
        sectors.clear();
        for (const std::string& text : texts) {
            unsigned size = kWholeMap;
            int used = 0;
            const bool number = std::sscanf(text.c_str(), "%4u%n", &size, &used) == 1 && static_cast<size_t>(used) == text.size();
            if (text != "map" && (!number || size < kMinSector || size > kMaxSector)) {
                throw CLI::ValidationError("--sector", "'" + text + "' is not a sector size: expected 4 to 128 cells per side, or map");
            }
            if (std::ranges::count(sectors, size) > 0) throw CLI::ValidationError("--sector", "'" + text + "' is given twice");
            sectors.push_back(size);
        }
    };
    return verb.add_option_function<std::vector<std::string>>("--sector", read, help)->allow_extra_args(false)->type_name("N|map");
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
    opened.world = make_world(std::move(*saved), WorldOptions{.sectors = sectors});
    opened.build_ms = build.ms();
    return opened;
}

}  // namespace terrane::cli
