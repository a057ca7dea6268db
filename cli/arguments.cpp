#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/text.h"
#include "terrane/base/cost.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/profile.h"
#include "terrane/io/picture.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane::cli {

namespace {

using detail::parse_integer;

constexpr int32_t kMostCoordinate = 999'999'999;
constexpr double kMostReal = 1e30;  // a float holds it

// "Seed", "of the generator" -> "Seed: of the generator"
std::string describe(const std::string& meaning, const std::string& detail) {
    return detail.empty() ? meaning : meaning + (detail.starts_with('\n') ? ":" : ": ") + detail;
}

// Options whose help ends with "[...]" describe their default in words.
bool describes_default(const std::string& help) { return help.ends_with(']'); }

std::string refusal(const Form& form, const std::string& text) {
    return fmt::format("invalid {} '{}': expected {}", form.kind, text, form.expected);
}

// Splits "1,2,3" at the commas.
std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> fields;
    for (;;) {
        const size_t comma = text.find(',');
        fields.push_back(text.substr(0, comma));
        if (comma == std::string_view::npos) return fields;
        text.remove_prefix(comma + 1);
    }
}

// Parses exactly `count` coordinates.
std::optional<std::vector<int32_t>> parse_coordinates(std::string_view text, size_t count) {
    std::vector<int32_t> numbers;
    for (const std::string_view field : split(text)) {
        const auto number = parse_integer<int32_t>(field, -kMostCoordinate, kMostCoordinate);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers.size() == count ? std::optional(std::move(numbers)) : std::nullopt;
}

bool read_cell(std::string_view text, Cell& cell) {
    const auto v = parse_coordinates(text, 2);
    if (v) cell = {(*v)[0], (*v)[1]};
    return v.has_value();
}

bool read_rect(std::string_view text, Rect& rect) {
    const auto v = parse_coordinates(text, 4);
    if (!v || (*v)[2] < 1 || (*v)[3] < 1) return false;
    rect = {{(*v)[0], (*v)[1]}, {(*v)[2], (*v)[3]}};
    return true;
}

const Form kCellForm{"cell", "X,Y", "X,Y as in 120,80"};
const Form kRectForm{"rectangle", "X,Y,WIDTH,HEIGHT", "X,Y,WIDTH,HEIGHT as in 100,80,32,16, with sides of at least 1"};

// Decimal or hexadecimal (0x1f); no sign.
std::optional<uint64_t> parse_whole(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const char *first = text.data() + (hexadecimal ? 2 : 0), *last = text.data() + text.size();
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(first, last, value, hexadecimal ? 16 : 10);
    return first != last && end == last && error == std::errc{} ? std::optional(value) : std::nullopt;
}

}  // namespace

// ---- Values of any form

CLI::Option* add_parsed(CLI::App& verb, const std::string& flag, const Form& form, const ReadText& read, const std::string& help) {
    const auto parse = [=](const std::string& text) {
        if (!read(text)) throw CLI::ValidationError(flag, refusal(form, text));
    };
    return verb.add_option_function<std::string>(flag, parse, help)->type_name(form.type);
}

CLI::Option* add_each_parsed(CLI::App& verb, const std::string& flag, const Form& form, const ReadText& read, const std::string& help) {
    return add_parsed(verb, flag, form, read, help + "; may be repeated")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->trigger_on_parse();
}

std::vector<double> parse_reals(std::string_view text) {
    std::vector<double> numbers;
    for (const std::string_view field : split(text)) {
        const auto number = detail::parse_number(field);
        if (!number || !(std::abs(*number) <= kMostReal)) return {};
        numbers.push_back(*number);
    }
    return numbers;
}

// ---- Numbers

CLI::Option* add_whole_number(CLI::App& verb, const std::string& flag, const std::function<void(uint64_t)>& set, const std::string& help,
                              uint64_t low, uint64_t high, std::optional<uint64_t> otherwise) {
    const auto read = [=](const std::string& text) {
        const auto number = parse_whole(text);
        if (!number || *number < low || *number > high) return false;
        set(*number);
        return true;
    };
    const bool limited = high != std::numeric_limits<uint64_t>::max() && high != std::numeric_limits<uint32_t>::max() &&
                         high != static_cast<uint64_t>(std::numeric_limits<int32_t>::max());
    const std::string limits = fmt::format("{} to {}", low, high);
    const size_t bracket = describes_default(help) ? help.rfind(" [") : help.size();
    const std::string text = limited ? help.substr(0, bracket) + "; " + limits + help.substr(bracket) : help;
    CLI::Option* option = add_parsed(verb, flag, {"number", "N", "a whole number from " + limits}, read, text);
    return otherwise && !describes_default(help) ? option->default_str(std::to_string(*otherwise)) : option;
}

CLI::Option* add_real_number(CLI::App& verb, const std::string& flag, const std::function<void(double)>& set, const std::string& help,
                             const RealRange& range, double otherwise) {
    const bool positive = std::isinf(range.high);
    const std::string limits =
        positive ? "above 0" : fmt::format("{:g} to {}{:g}", range.low, range.below_high ? "below " : "", range.high);
    const auto read = [=](const std::string& text) {
        const auto number = detail::parse_number(text);
        if (!number || !std::isfinite(*number)) return false;
        if (positive ? *number <= 0 : *number < range.low || *number > range.high) return false;
        if (range.below_high && *number == range.high) return false;
        set(*number);
        return true;
    };
    const std::string expected = positive ? "a finite number above 0" : "a number from " + limits;
    CLI::Option* option = add_parsed(verb, flag, {"number", "R", expected}, read, describes_default(help) ? help : help + "; " + limits);
    return describes_default(help) ? option : option->default_str(fmt::format("{:g}", otherwise));
}

CLI::Option* add_bytes(CLI::App& verb, const std::string& flag, uint64_t& bytes, const std::string& help) {
    const auto read = [&bytes](const std::string& text) {
        if (text.empty() || text[0] < '0' || text[0] > '9') return false;
        std::string size = text;
        try {
            if (!CLI::AsSizeValue(false)(size).empty()) return false;
        } catch (const CLI::Error&) {  // of unknown units and of overflow
            return false;
        }
        return CLI::detail::lexical_cast(size, bytes);
    };
    return add_parsed(verb, flag, {"size", "SIZE", "a number of bytes as in 500MB"}, read, help);
}

// ---- Options of several verbs

std::string preset_names() {
    std::string names;
    for (const Profile& p : Profile::presets()) names += (names.empty() ? "" : ", ") + p.name();
    return names;
}

CLI::Option* add_seed(CLI::App& verb, uint64_t& seed, const std::string& detail) {
    return add_whole(verb, "--seed", seed, describe("Seed of the random numbers", detail));
}

CLI::Option* add_budget(CLI::App& verb, uint64_t& budget, const std::string& detail) {
    const std::string meaning = "Limit on the number of expansions";
    return add_whole(verb, "--budget", budget, detail.empty() ? meaning + " [none]" : describe(meaning, detail));
}

CLI::Option* add_threads(CLI::App& verb, std::optional<uint32_t>& threads, const std::string& detail) {
    return add_whole(verb, "-j,--threads", threads, describe("Number of threads", detail));
}

CLI::Option* add_method(CLI::App& verb, std::string& method, const std::string& detail) {
    CLI::Option* option = verb.add_option("--method", method, describe("Method", detail))->type_name("NAME");
    return describes_default(detail) ? option : option->default_str(method);
}

CLI::Option* add_profile(CLI::App& verb, std::string& profile, const std::string& detail) {
    const std::string help = describe("Costs by terrain", preset_names() + ", or a profile file" + detail);
    CLI::Option* option = add_input(verb, "--profile", profile, help)->type_name("NAME|FILE");
    return profile.empty() ? option : option->default_str(profile);
}

CLI::Option* add_profiles(CLI::App& verb, std::vector<std::string>& profiles, const std::string& detail) {
    const std::string help = describe("Costs by terrain", preset_names() + ", or a profile file" + detail + "; may be repeated");
    return add_inputs(verb, "--profile", profiles, help)->allow_extra_args(false)->type_name("NAME|FILE")->default_str(profiles.at(0));
}

CLI::Option* add_movement(CLI::App& verb, Movement& movement) {
    return add_choice<Movement>(verb, "--movement", movement,
                                {{"eight", Movement::kEightNoCornerCutting, "eight directions without corner cutting"},
                                 {"cutting", Movement::kEightCutCorners, "eight directions, also past blocked corners"},
                                 {"four", Movement::kFour, "four directions, no diagonals"}},
                                "Legal steps");
}

CLI::Option* add_pathdb(CLI::App& verb, std::string& file, const std::string& detail) {
    return add_input(verb, "--pathdb", file, describe("Path database to read ('terrane pathdb build')", detail));
}

CLI::Option* add_nearest(CLI::App& verb, bool& nearest) {
    return verb.add_flag("--nearest", nearest, "If the goal is blocked or unreachable, find a path to the reachable place nearest to it");
}

CLI::Option* add_compare(CLI::App& verb, bool& compare) {
    return verb.add_flag("--compare", compare, "Also run A*, and print the ratio of the path's cost to the optimum");
}

CLI::Option* add_bound(CLI::App& verb, double& bound) {
    return add_real(verb, "--bound", bound, "Search until the path is proven to cost at most R times the optimum; 1 to 100 [no bound]",
                    {1, 100});
}

CLI::Option* add_sectors(CLI::App& verb, std::vector<uint32_t>& sectors, const std::string& detail) {
    const auto given = std::make_shared<bool>(false);  // the first one replaces the default
    const auto read = [&sectors, given](const std::string& text) {
        const auto size = text == "map" ? std::optional(kWholeMap) : parse_integer<uint32_t>(text, kMinSector, kMaxSector);
        if (!size) return false;
        if (!*given) sectors.clear();
        *given = true;
        if (std::ranges::count(sectors, *size) > 0) throw CLI::ValidationError("--sector", "'" + text + "' is given twice");
        sectors.push_back(*size);
        return true;
    };
    return add_each_parsed(verb, "--sector", {"sector size", "N|map", "4 to 128 cells per side, or map"}, read,
                           describe("Sector size, in cells", detail));
}

CLI::Option* add_from(CLI::App& verb, Cell& from) {
    return add_parsed(
               verb, "--from", kCellForm, [&from](const std::string& text) { return read_cell(text, from); }, "Start: a cell")
        ->required();
}

CLI::Option* add_to(CLI::App& verb, Cell& to) {
    return add_parsed(
               verb, "--to", kCellForm, [&to](const std::string& text) { return read_cell(text, to); }, "Goal: a cell")
        ->required();
}

CLI::Option* add_targets(CLI::App& verb, std::vector<Cell>& to, const std::string& detail) {
    const auto read = [&to](const std::string& text) {
        Cell cell;
        if (!read_cell(text, cell)) return false;
        to.push_back(cell);
        return true;
    };
    return add_each_parsed(verb, "--to", kCellForm, read, describe("Goal", detail));
}

CLI::Option* add_point(CLI::App& verb, const std::string& flag, Point& point, const std::string& help) {
    const auto read = [&point](const std::string& text) {
        const std::vector<double> v = parse_reals(text);
        if (v.size() != 2) return false;
        point = {v[0], v[1]};
        return true;
    };
    return add_parsed(verb, flag, {"point", "X,Y", "X,Y as in 12.5,40"}, read, help)->required();
}

CLI::Option* add_rect(CLI::App& verb, const std::string& flag, std::optional<Rect>& rect, const std::string& help) {
    return add_parsed(
        verb, flag, kRectForm, [&rect](const std::string& text) { return read_rect(text, rect.emplace()); }, help);
}

CLI::Option* add_size(CLI::App& verb, int32_t& width, int32_t& height, const std::string& detail) {
    const auto read = [&](const std::string& text) {
        const size_t cross = text.find('x');
        const auto side = [&](std::string_view part) { return parse_integer<int32_t>(part, 1, kMaxSide); };
        const auto w = side(std::string_view(text).substr(0, cross));
        const auto h = cross == std::string::npos ? w : side(std::string_view(text).substr(cross + 1));
        if (!w || !h) return false;
        width = *w, height = *h;
        return true;
    };
    const std::string expected = fmt::format("a side or WxH as in 1024 or 640x480, with sides from 1 to {}", kMaxSide);
    return add_parsed(verb, "--size", {"size", "N|WxH", expected}, read, describe("Size of the map, in cells", detail));
}

CLI::Option* add_word(CLI::App& verb, const std::string& flag, const std::function<void(size_t)>& set, const std::string& help,
                      const std::vector<std::pair<std::string, std::string>>& words, std::optional<size_t> otherwise) {
    std::string names, text = help + ":";
    for (const auto& [name, meaning] : words) {
        names += (names.empty() ? "" : "|") + name;
        text.append("\n").append(name).append(": ").append(meaning);
    }
    const auto read = [=](const std::string& given) {
        const auto found = std::ranges::find(words, given, [](const auto& word) { return word.first; });
        if (found != words.end()) set(static_cast<size_t>(found - words.begin()));
        return found != words.end();
    };
    CLI::Option* option = add_parsed(verb, flag, {"value", names, names}, read, text);
    return otherwise ? option->default_str(words[*otherwise].first) : option;
}

// ---- Edits

namespace {

// "X,Y,...,TERRAIN": splits at the last comma.
bool read_fill(const std::string& flag, const std::string& text, bool one_cell, std::vector<FillEdit>& edits) {
    const size_t comma = text.rfind(',');
    if (comma == std::string::npos || comma + 1 == text.size()) return false;
    const std::string where = text.substr(0, comma) + (one_cell ? ",1,1" : "");
    FillEdit edit{flag + " " + text, {}, text.substr(comma + 1)};
    if (!read_rect(where, edit.rect)) return false;
    edits.push_back(std::move(edit));
    return true;
}

bool read_timed(const std::string& text, std::vector<FillEdit>& edits) {
    const size_t first = text.find(':'), last = text.rfind(':');
    if (first == last || last + 1 == text.size()) return false;
    const auto tick = parse_integer<int32_t>(std::string_view(text).substr(0, first), 0, std::numeric_limits<int32_t>::max());
    FillEdit edit{"--edit " + text, {}, text.substr(last + 1)};
    if (!tick || !read_rect(std::string_view(text).substr(first + 1, last - first - 1), edit.rect)) return false;
    edit.tick = static_cast<uint32_t>(*tick);
    edits.push_back(std::move(edit));
    return true;
}

}  // namespace

void add_fills(CLI::App& verb, std::vector<FillEdit>& edits) {
    const auto add = [&](const std::string& flag, bool one_cell, const Form& form, const char* help) {
        add_each_parsed(
            verb, flag, form, [&edits, flag, one_cell](const std::string& text) { return read_fill(flag, text, one_cell, edits); }, help);
    };
    add("--set", true, {"edit", "X,Y,TERRAIN", "X,Y,TERRAIN as in 120,81,road"}, "Change one cell to a terrain");
    add("--fill", false, {"edit", "X,Y,WIDTH,HEIGHT,TERRAIN", "X,Y,WIDTH,HEIGHT,TERRAIN as in 100,80,41,2,bridge"},
        "Change all cells of a rectangle to a terrain; what lies beyond the map is ignored");
}

void add_timed_edits(CLI::App& verb, std::vector<FillEdit>& edits) {
    add_each_parsed(
        verb, "--edit", {"edit", "TICK:X,Y,WIDTH,HEIGHT:TERRAIN", "TICK:X,Y,WIDTH,HEIGHT:TERRAIN as in 50:20,10,11,3:lava"},
        [&edits](const std::string& text) { return read_timed(text, edits); },
        "Before that tick, change all cells of a rectangle to a terrain; what lies beyond the map is ignored");
}

std::optional<Error> check_edits(const std::vector<FillEdit>& edits, const GridSnapshot& grid, const std::string& file) {
    for (const FillEdit& edit : edits) {
        if (!grid.catalogue().find(edit.terrain))
            return Error{ErrorCode::kUnknownName, file, 0, edit.text + ": this map has no terrain '" + edit.terrain + "'"};
        if (intersection(edit.rect, grid.layout().rect()).empty()) {
            return Error{ErrorCode::kBadValue, file, 0,
                         fmt::format("{} is outside the map of {} x {} cells", edit.text, grid.width(), grid.height())};
        }
    }
    return std::nullopt;
}

// ---- Files

namespace {

namespace fs = std::filesystem;

// Validators that accept everything and mark the options with files, for check_files().
constexpr const char *kReads = "reads", *kWrites = "writes", *kReplaces = "replaces";

CLI::Option* mark(CLI::Option* option, const char* use) {
    return option->check(CLI::Validator([](std::string&) { return std::string(); }, "", use))->type_name("FILE");
}

CLI::Option* add_file(CLI::App& verb, const std::string& flag, std::string& file, const std::string& help, const char* use) {
    return mark(verb.add_option(flag, file, help), use);
}

struct FileUse {
    std::string option, file, use;
};

bool is_marked(CLI::Option& option, const char* use) {
    try {
        return option.get_validator(use) != nullptr;
    } catch (const CLI::OptionNotFound&) {
        return false;
    }
}

// The files of a command line, in the order of the options.
void collect_files(const CLI::App& app, std::vector<FileUse>& files) {
    for (const CLI::Option* each : app.get_options()) {
        CLI::Option& option = *const_cast<CLI::Option*>(each);  // get_validator() is not const
        for (const char* use : {kReads, kWrites, kReplaces}) {
            if (option.count() == 0 || !is_marked(option, use)) continue;
            for (const std::string& file : option.results()) files.push_back({option.get_name(), file, use});
        }
    }
    for (const CLI::App* verb : app.get_subcommands()) collect_files(*verb, files);
}

// Where a new file of this name would be: through symbolic links, also ones that lead to no file yet.
fs::path destination(fs::path path) {
    std::error_code error;
    for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links) {
        const fs::path to = fs::read_symlink(path, error);
        path = to.is_absolute() ? to : path.parent_path() / to;
    }
    const fs::path absolute = fs::absolute(path, error);
    const fs::path folder = fs::weakly_canonical(absolute.parent_path(), error);
    return (error ? absolute.parent_path() : folder) / absolute.filename();
}

// Devices and pipes may be written by several options.
bool is_replaced(const std::string& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    return file != "-" && (!fs::exists(status) || fs::is_regular_file(status));
}

}  // namespace

bool same_file(const std::string& a, const std::string& b) {
    std::error_code error;
    if (fs::equivalent(a, b, error)) return true;
    return destination(a).lexically_normal() == destination(b).lexically_normal();
}

std::optional<Error> check_files(const CLI::App& app) {
    std::vector<FileUse> files;
    collect_files(app, files);
    for (const FileUse& out : files) {
        if (out.use == kReads || !is_replaced(out.file)) continue;
        for (const FileUse& other : files) {
            std::error_code error;
            if (&other == &out || (other.use == kReads && (out.use == kReplaces || !fs::exists(other.file, error)))) continue;
            if (!same_file(out.file, other.file)) continue;
            const char* what = other.use == kReads ? "is an input of this command" : "is also written by";
            const std::string option = other.use == kReads ? "" : " " + other.option;
            return Error{
                ErrorCode::kBadValue, {}, 0, fmt::format("{} {}: this file {}{}; choose another name", out.option, out.file, what, option)};
        }
    }
    return std::nullopt;
}

CLI::Option* add_input(CLI::App& verb, const std::string& flag, std::string& file, const std::string& help) {
    return add_file(verb, flag, file, help, kReads);
}

CLI::Option* add_inputs(CLI::App& verb, const std::string& flag, std::vector<std::string>& files, const std::string& help) {
    return mark(verb.add_option(flag, files, help), kReads);
}

CLI::Option* add_output(CLI::App& verb, const std::string& flag, std::string& file, const std::string& help) {
    return add_file(verb, flag, file, help, kWrites);
}

CLI::Option* add_out(CLI::App& verb, std::string& file, const std::string& detail, Replaces replaces) {
    return add_file(verb, "-o,--out", file, describe("File to write", detail), replaces == Replaces::kInput ? kReplaces : kWrites);
}

CLI::Option* add_png(CLI::App& verb, std::string& file, const std::string& detail) {
    return add_output(verb, "--png", file, describe("Write a picture as PNG", detail));
}

CLI::Option* add_svg(CLI::App& verb, std::string& file, const std::string& detail) {
    return add_output(verb, "--svg", file, describe("Write a drawing as SVG", detail));
}

CLI::Option* add_gif(CLI::App& verb, std::string& file, uint32_t& every, const std::string& detail) {
    CLI::Option* gif = add_output(verb, "--gif", file, describe("Write an animation as GIF", detail));
    add_whole(verb, "--every", every, "Ticks per frame of the GIF", 1, 100'000);
    return gif;
}

CLI::Option* add_pixels(CLI::App& verb, int32_t& pixels) {
    return add_whole(verb, "--pixels", pixels, "Length of the longer side of a picture, about, in pixels", 16, kMaxPictureSide);
}

void add_json(CLI::App& verb, Output& output) {
    add_output(verb, "--json", output.json, "Write the result as JSON to a file ('-': standard output)");
}

void add_json_with_summary(CLI::App& verb, Output& output) {
    add_json(verb, output);
    verb.add_flag("--summary", output.summary, "Leave lists of cells, points and agents out of the JSON")->needs("--json");
}

}  // namespace terrane::cli
