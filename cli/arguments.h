// The options of all verbs: each kind of value is parsed, checked and described here, once. An option has the same type and the same
// meaning in every verb that has it; what a verb adds stands in its help after the colon.
#pragma once
#include <CLI/CLI.hpp>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/base/result.h"
#include "terrane/grid/cell.h"
#include "terrane/grid/movement.h"

namespace terrane {
class GridSnapshot;
}

namespace terrane::cli {

// ---- Values of any form

// How a value is written: refused texts give "invalid cell 'x': expected X,Y as in 120,80".
struct Form {
    std::string kind;      // "cell"
    std::string type;      // "X,Y"; shown in --help
    std::string expected;  // "X,Y as in 120,80"
};
// Returns whether it accepts the text.
using ReadText = std::function<bool(const std::string& text)>;
CLI::Option* add_parsed(CLI::App& verb, const std::string& flag, const Form& form, const ReadText& read, const std::string& help);
// The same, for an option that may be repeated: `read` gets each value, in the order of the command line.
CLI::Option* add_each_parsed(CLI::App& verb, const std::string& flag, const Form& form, const ReadText& read, const std::string& help);

// Parses real numbers "1,2.5,-3" of at most 1e30; empty for anything else.
std::vector<double> parse_reals(std::string_view text);

// ---- Numbers

// A whole number from `low` to `high`, decimal or 0x1f. The help ends with the limits, unless only the type limits it, and shows `value` as
// the default, unless `value` is an empty std::optional or the help ends with the default in brackets.
CLI::Option* add_whole_number(CLI::App& verb, const std::string& flag, const std::function<void(uint64_t)>& set, const std::string& help,
                              uint64_t low, uint64_t high, std::optional<uint64_t> otherwise);
template <std::integral T>
CLI::Option* add_whole(CLI::App& verb, const std::string& flag, T& value, const std::string& help, uint64_t low = 0,
                       uint64_t high = std::numeric_limits<T>::max()) {
    return add_whole_number(
        verb, flag, [&value](uint64_t n) { value = static_cast<T>(n); }, help, low, high, static_cast<uint64_t>(value));
}
template <std::integral T>
CLI::Option* add_whole(CLI::App& verb, const std::string& flag, std::optional<T>& value, const std::string& help, uint64_t low = 0,
                       uint64_t high = std::numeric_limits<T>::max()) {
    return add_whole_number(
        verb, flag, [&value](uint64_t n) { value = static_cast<T>(n); }, help, low, high, std::nullopt);
}

// A finite real number.
struct RealRange {
    double low = 0, high = 0;
    bool below_high = false;  // `high` itself is refused
};
inline constexpr RealRange kAboveZero{0, std::numeric_limits<double>::infinity()};  // 0 itself is refused
CLI::Option* add_real_number(CLI::App& verb, const std::string& flag, const std::function<void(double)>& set, const std::string& help,
                             const RealRange& range, double otherwise);
template <std::floating_point T>
CLI::Option* add_real(CLI::App& verb, const std::string& flag, T& value, const std::string& help, const RealRange& range) {
    return add_real_number(
        verb, flag, [&value](double number) { value = static_cast<T>(number); }, help, range, static_cast<double>(value));
}
CLI::Option* add_bytes(CLI::App& verb, const std::string& flag, uint64_t& bytes, const std::string& help);  // "500MB"

// ---- Options of several verbs. `detail` is what this verb adds, after the colon; may be empty.

// "person, deer, outlaw, walker"
std::string preset_names();

CLI::Option* add_seed(CLI::App& verb, uint64_t& seed, const std::string& detail);
CLI::Option* add_budget(CLI::App& verb, uint64_t& budget, const std::string& detail = {});
CLI::Option* add_threads(CLI::App& verb, std::optional<uint32_t>& threads, const std::string& detail);
CLI::Option* add_method(CLI::App& verb, std::string& method, const std::string& detail);
CLI::Option* add_profile(CLI::App& verb, std::string& profile, const std::string& detail = {});
CLI::Option* add_profiles(CLI::App& verb, std::vector<std::string>& profiles, const std::string& detail);  // may be repeated
CLI::Option* add_movement(CLI::App& verb, Movement& movement);
CLI::Option* add_pathdb(CLI::App& verb, std::string& file, const std::string& detail);
CLI::Option* add_nearest(CLI::App& verb, bool& nearest);
CLI::Option* add_compare(CLI::App& verb, bool& compare);
CLI::Option* add_bound(CLI::App& verb, double& bound);
// Sizes of sectors, once each: "N" or "map".
CLI::Option* add_sectors(CLI::App& verb, std::vector<uint32_t>& sectors, const std::string& detail);

// "X,Y" in cells, and in real numbers.
CLI::Option* add_from(CLI::App& verb, Cell& from);
CLI::Option* add_to(CLI::App& verb, Cell& to);
CLI::Option* add_targets(CLI::App& verb, std::vector<Cell>& to, const std::string& detail);  // --to, repeated
CLI::Option* add_point(CLI::App& verb, const std::string& flag, Point& point, const std::string& help);
CLI::Option* add_rect(CLI::App& verb, const std::string& flag, std::optional<Rect>& rect, const std::string& help);
// "1024" or "640x480".
CLI::Option* add_size(CLI::App& verb, int32_t& width, int32_t& height, const std::string& detail);

// One of a few words, each with its meaning.
template <class T>
struct Choice {
    std::string name;
    T value;
    std::string meaning;
};
template <class T>
using Choices = std::vector<Choice<T>>;
CLI::Option* add_word(CLI::App& verb, const std::string& flag, const std::function<void(size_t)>& set, const std::string& help,
                      const std::vector<std::pair<std::string, std::string>>& words, std::optional<size_t> otherwise);
template <class T>
CLI::Option* add_choice(CLI::App& verb, const std::string& flag, T& value, const Choices<T>& choices, const std::string& help) {
    std::vector<std::pair<std::string, std::string>> words;
    std::optional<size_t> otherwise;
    for (const Choice<T>& each : choices) {
        if (each.value == value) otherwise = words.size();
        words.emplace_back(each.name, each.meaning);
    }
    return add_word(
        verb, flag, [&value, choices](size_t i) { value = choices[i].value; }, help, words, otherwise);
}

// ---- Edits

// The cells of `rect` become `terrain`.
struct FillEdit {
    std::string text;  // "--fill 100,80,41,2,bridge"
    Rect rect;
    std::string terrain;
    uint32_t tick = 0;  // of --edit: before this tick
};
// --set X,Y,TERRAIN and --fill X,Y,WIDTH,HEIGHT,TERRAIN, in the order of the command line.
void add_fills(CLI::App& verb, std::vector<FillEdit>& edits);
// --edit TICK:X,Y,WIDTH,HEIGHT:TERRAIN.
void add_timed_edits(CLI::App& verb, std::vector<FillEdit>& edits);
// Refuses terrains that the map does not have, and rectangles that lie outside it.
std::optional<Error> check_edits(const std::vector<FillEdit>& edits, const GridSnapshot& grid, const std::string& file);

// ---- Files

// A file that the verb reads. As a positional argument if `flag` has no dashes.
CLI::Option* add_input(CLI::App& verb, const std::string& flag, std::string& file, const std::string& help);
CLI::Option* add_inputs(CLI::App& verb, const std::string& flag, std::vector<std::string>& files, const std::string& help);
// A file that the verb writes.
CLI::Option* add_output(CLI::App& verb, const std::string& flag, std::string& file, const std::string& help);
enum class Replaces : bool { kNo, kInput };
CLI::Option* add_out(CLI::App& verb, std::string& file, const std::string& detail, Replaces replaces = Replaces::kNo);  // -o, --out
CLI::Option* add_png(CLI::App& verb, std::string& file, const std::string& detail);
CLI::Option* add_svg(CLI::App& verb, std::string& file, const std::string& detail);
CLI::Option* add_gif(CLI::App& verb, std::string& file, uint32_t& every, const std::string& detail);  // and --every
CLI::Option* add_pixels(CLI::App& verb, int32_t& pixels);

// Whether both names lead to one file, which may not exist yet: through another spelling, a hard link or a symbolic link.
bool same_file(const std::string& a, const std::string& b);
// Refuses a command line that writes one file twice, or writes a file that it reads.
std::optional<Error> check_files(const CLI::App& app);

// Where the result of a verb goes: text to standard output, or JSON.
struct Output {
    std::string json;      // file of the JSON; "-": standard output, without text; empty: no JSON
    bool summary = false;  // leave lists of cells, points and agents out of the JSON

    bool writes_json() const { return !json.empty(); }
    bool prints_text() const { return json != "-"; }
};
void add_json(CLI::App& verb, Output& output);
// add_json(), and --summary, for verbs whose JSON has long lists.
void add_json_with_summary(CLI::App& verb, Output& output);

}  // namespace terrane::cli
