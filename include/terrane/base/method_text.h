// The grammar of method names: one for grids, crowds, weighted regions and navigation meshes.
//
//   NAME[:ARGUMENT][/LEVEL[:ARGUMENT]...][+OPTION[:ARGUMENT]...]
//
// "astar", "wastar:1.5", "dta:32/nbs/wastar:1.2+trim", "whca:16,2+flow", "brep+newton". docs/methods.md lists the methods.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"

namespace terrane {

// Describes a method to people. All strings have static lifetime.
struct MethodInfo {
    const char* name;          // "overlay"
    const char* usage;         // "overlay:K[+OPTION...]"
    const char* summary;       // one line
    const char* details = "";  // one more line, where the usage names arguments and options
    const char* example = "";  // a name that the parser accepts
};

// An option that a method has after a '+'.
struct MethodOption {
    const char* name;
    const char* argument = nullptr;  // how the usage names its argument: "N"; null: it takes none
};

// A method name cut into its parts. Refers to the text that it was made from.
struct MethodText {
    struct Part {
        std::string_view text;                     // "wastar:1.5"
        std::string_view name;                     // "wastar"
        std::optional<std::string_view> argument;  // "1.5": all that follows the first ':'
    };

    // Any text has parts; only the methods know which parts are right.
    explicit MethodText(std::string_view name);

    // Removes an option and returns how often it was there.
    size_t take(std::string_view option);
    // Null where the option is absent.
    const Part* option(std::string_view name) const;
    bool has(std::string_view name) const { return option(name) != nullptr; }

    // "method 'dta:3': REASON".
    Error refuse(ErrorCode code, const std::string& reason) const;
    // "method 'dta': expected dta:N[...]; N: 4 to 128".
    Error expected(const MethodInfo& info) const;
    // Refuses options that are not among `known`, are repeated, or have an argument too many or too few.
    Result<Done> check_options(std::span<const MethodOption> known) const;
    // The argument of an option that is there, or of the name itself, as a whole number. `what` describes it in the refusal.
    Result<uint32_t> count(const Part& part, uint32_t low, uint32_t high, const char* what) const;

    std::string_view text;  // all of it
    Part head;
    std::vector<Part> levels;
    std::vector<Part> options;
    std::string_view common_option;  // one that is listed in refusals besides a method's own; its owner has taken it
};

// "a, b, c"
template <class Items, class Text>
std::string list_names(const Items& items, Text&& text) {
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "" : ", ") + std::string(text(item));
    return out;
}

// The row with this name, of a range of pointers to rows that have a MethodInfo `info`. Refuses unknown names with the list of usages.
template <class Rows>
auto find_method_row(const Rows& rows, const MethodText& name) -> Result<std::decay_t<decltype(*std::begin(rows))>> {
    const auto row = std::ranges::find_if(rows, [&](const auto* r) { return r->info.name == name.head.name; });
    if (row != std::end(rows)) return *row;
    return name.refuse(ErrorCode::kUnknownName, "unknown; there are: " + list_names(rows, [](const auto* r) { return r->info.usage; }));
}

}  // namespace terrane
