#include "scenario.h"

#include <terrane/base/file.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace gppc {

using terrane::Error;
using terrane::ErrorCode;
using terrane::Result;

namespace {

constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Text of a file in quotes, without control characters and truncated.
std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text.substr(0, 40)) out += c >= ' ' && c <= '~' ? c : '?';
    return out + "'";
}

// Reads a text word by word and counts lines. Stores the first error and reads nothing after it.
class Words {
public:
    Words(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

    bool at_end() {
        skip_blanks();
        return at_ == text_.size();
    }

    std::string_view word(std::string_view what) {
        if (at_end()) refuse("the file ends before " + std::string(what), ErrorCode::kTruncated);
        if (error_) return {};
        const size_t begin = at_;
        while (at_ < text_.size() && !blank(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    void expect(std::string_view wanted) {
        const std::string_view got = word("'" + std::string(wanted) + "'");
        if (got != wanted) refuse("expected '" + std::string(wanted) + "', not " + quoted(got));
    }

    template <class T>
    T number(std::string_view what, T low, T high) {
        const std::string_view text = word(what);
        T value{};
        const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (bad == std::errc{} && end == text.data() + text.size() && value >= low && value <= high) return value;
        refuse(std::string(what) + " " + quoted(text) + " is not a number from " + std::to_string(low) + " to " + std::to_string(high));
        return low;
    }

    void refuse(std::string why, ErrorCode code = ErrorCode::kBadValue) {
        if (!error_) error_ = Error{code, file_, line_, std::move(why)};
    }
    const std::optional<Error>& error() const { return error_; }

private:
    void skip_blanks() {
        for (; at_ < text_.size() && blank(text_[at_]); ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
    }

    std::string_view text_;
    std::string file_;
    size_t at_ = 0;
    uint32_t line_ = 1;
    std::optional<Error> error_;
};

Patch read_patch(Words& words) {
    Patch patch;
    words.expect("height");
    patch.height = words.number<int32_t>("height", 1, kMaxSide);
    words.expect("width");
    patch.width = words.number<int32_t>("width", 1, kMaxSide);
    words.expect("map");
    for (int32_t y = 0; y < patch.height && !words.error(); ++y) {
        const std::string_view row = words.word("a row of the patch");
        if (row.size() != static_cast<size_t>(patch.width)) {
            words.refuse("a row of " + std::to_string(row.size()) + " cells in a patch " + std::to_string(patch.width) + " wide");
        }
        for (const char c : row) {
            const bool open = std::string_view(".GS").find(c) != std::string_view::npos;
            if (!open && std::string_view("@OTW").find(c) == std::string_view::npos) words.refuse("a row with letters other than .GS@OTW");
            patch.open.push_back(open ? 1 : 0);
        }
    }
    return patch;
}

// The index of the octile cost column, and the number of columns.
struct Columns {
    size_t octile = 0, count = 0;
};

Columns read_columns(Words& words) {
    words.expect("cost");
    const Columns none{0, words.number<size_t>("the number of costs", 1, 16)};
    std::optional<size_t> octile;
    for (size_t i = 0; i < none.count; ++i) {
        if (words.word("the name of a cost") == "octile") octile = i;
    }
    if (!octile) words.refuse("no cost is named octile");
    return {octile.value_or(0), none.count};
}

terrane::Cell read_cell(Words& words, const Scenario& scenario) {
    const int32_t x = words.number<int32_t>("x", 0, scenario.width - 1);
    return {x, words.number<int32_t>("y", 0, scenario.height - 1)};
}

Command read_change(Words& words, const Scenario& scenario) {
    Command command;
    command.bucket = words.number<uint32_t>("bucket", 0, UINT16_MAX);
    command.patch = words.number<uint32_t>("patch", 0, kMaxPatches);
    command.at = read_cell(words, scenario);
    if (words.error()) return command;
    if (command.patch >= scenario.patches.size()) {
        words.refuse("no patch " + std::to_string(command.patch) + ": the file has " + std::to_string(scenario.patches.size()));
        return command;
    }
    const Patch& patch = scenario.patches[command.patch];
    if (command.at.x + patch.width > scenario.width || command.at.y + patch.height > scenario.height) {
        words.refuse("patch " + std::to_string(command.patch) + " is partly outside the map");
    }
    return command;
}

Command read_query(Words& words, const Scenario& scenario, Columns columns) {
    Command command;
    command.query = true;
    command.bucket = words.number<uint32_t>("bucket", 0, UINT16_MAX);
    command.start = read_cell(words, scenario);
    command.goal = read_cell(words, scenario);
    for (size_t i = 0; i < columns.count; ++i) {
        const double cost = words.number<double>("cost", -1, 1e9);
        if (cost < 0 && cost != -1) words.refuse("invalid cost: expected 0 or more, or -1 for no path");
        if (i == columns.octile) command.cost = cost;
    }
    return command;
}

std::string format_command(const Command& c) {
    char line[128];
    if (c.query) {
        std::snprintf(line, sizeof line, "Q %u %d %d %d %d %.14g\n", c.bucket, c.start.x, c.start.y, c.goal.x, c.goal.y, c.cost);
    } else {
        std::snprintf(line, sizeof line, "P %u %u %d %d\n", c.bucket, c.patch, c.at.x, c.at.y);
    }
    return line;
}

}  // namespace

Result<std::vector<Patch>> parse_patches(std::string_view text, const std::string& file) {
    Words words(text, file);
    words.expect("type");
    words.expect("patch");
    words.expect("patches");
    const size_t count = words.number<size_t>("the number of patches", 0, kMaxPatches);
    std::vector<Patch> patches;
    for (size_t i = 0; i < count && !words.error(); ++i) {
        words.expect("patch");
        words.number<size_t>("the patch's number", i, i);
        patches.push_back(read_patch(words));
    }
    if (!words.error() && !words.at_end()) words.refuse("more text after the last patch", ErrorCode::kTrailing);
    if (words.error()) return *words.error();
    return patches;
}

Result<Scenario> parse(std::string_view text, const std::string& file, const PatchSource& patches) {
    Words words(text, file);
    Scenario scenario;
    words.expect("version");
    words.number<int>("version", 2, 2);
    words.expect("height");
    scenario.height = words.number<int32_t>("height", 1, kMaxSide);
    words.expect("width");
    scenario.width = words.number<int32_t>("width", 1, kMaxSide);
    const Columns columns = read_columns(words);
    words.expect("patch");
    const std::string patch_file(words.word("the file of patches"));
    words.expect("commands");
    if (words.error()) return *words.error();

    Result<std::vector<Patch>> given = patches(patch_file);
    if (!given) return given.error();
    scenario.patches = std::move(*given);
    while (!words.error() && !words.at_end()) {
        const std::string_view kind = words.word("P or Q");
        if (kind == "P") {
            scenario.commands.push_back(read_change(words, scenario));
        } else if (kind == "Q") {
            scenario.commands.push_back(read_query(words, scenario, columns));
        } else {
            words.refuse("expected P or Q, not " + quoted(kind));
        }
    }
    if (words.error()) return *words.error();
    return scenario;
}

Result<Scenario> load(const std::string& path) {
    const Result<std::string> text = terrane::read_file(path, kMaxBytes);
    if (!text) return text.error();
    return parse(*text, path, [&](const std::string& name) -> Result<std::vector<Patch>> {
        const std::string file = (std::filesystem::path(path).parent_path() / name).string();
        const Result<std::string> patches = terrane::read_file(file, kMaxBytes);
        if (!patches) return patches.error();
        return parse_patches(*patches, file);
    });
}

std::string format_patches(const Scenario& scenario) {
    std::string text = "type patch\npatches " + std::to_string(scenario.patches.size()) + "\n";
    for (size_t i = 0; i < scenario.patches.size(); ++i) {
        const Patch& patch = scenario.patches[i];
        text += "patch " + std::to_string(i) + "\nheight " + std::to_string(patch.height) + "\nwidth " + std::to_string(patch.width) +
                "\nmap\n";
        for (size_t cell = 0; cell < patch.open.size(); ++cell) {
            text += patch.open[cell] != 0 ? '.' : '@';
            if ((cell + 1) % static_cast<size_t>(patch.width) == 0) text += '\n';
        }
    }
    return text;
}

std::string format(const Scenario& scenario, const std::string& patches) {
    std::string text = "version 2\nheight " + std::to_string(scenario.height) + "\nwidth " + std::to_string(scenario.width) +
                       "\ncost 1 octile\npatch " + patches + "\ncommands\n";
    for (const Command& command : scenario.commands) text += format_command(command);
    return text;
}

Result<void> save(const std::string& path, const Scenario& scenario) {
    const std::filesystem::path patches = std::filesystem::path(path).replace_extension(".patch");
    const std::string name = patches.filename().string();
    if (std::ranges::any_of(name, blank)) return Error{ErrorCode::kBadValue, path, 0, "invalid file name: expected no blanks"};
    if (const Result<void> written = terrane::write_file(patches.string(), format_patches(scenario)); !written) return written;
    return terrane::write_file(path, format(scenario, name));
}

}  // namespace gppc
