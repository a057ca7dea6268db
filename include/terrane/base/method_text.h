// Parses method names. Methods on grids, crowds, weighted regions and navigation meshes share one grammar:
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

// Describes a method for help texts and error messages. All strings have static lifetime.
struct MethodInfo {
    const char* name;          // "overlay"
    const char* usage;         // "overlay:K[+OPTION...]"
    const char* summary;       // one line
    const char* details = "";  // one more line: explains the arguments and options that `usage` names
    const char* example = "";  // a name that the parser accepts
};

// An option that a method accepts after a '+'.
struct MethodOption {
    const char* name;
    const char* argument = nullptr;  // placeholder of its argument in usage texts, such as "N"; null: takes no argument
};

// A method name split into its parts. Refers to the text it was constructed from, which must outlive it.
struct MethodText {
    struct Part {
        std::string_view text;                     // "wastar:1.5"
        std::string_view name;                     // "wastar"
        std::optional<std::string_view> argument;  // "1.5": everything after the first ':'
    };

    // Never fails: each method checks whether it accepts the parts.
    explicit MethodText(std::string_view name);

    // Removes all occurrences of an option without argument and returns their number.
    size_t take(std::string_view option);
    // Returns the option with this name; null if absent.
    const Part* option(std::string_view name) const;
    bool has(std::string_view name) const { return option(name) != nullptr; }

    // "method 'dta:3': REASON".
    Error refuse(ErrorCode code, const std::string& reason) const;
    // "method 'dta': expected dta:N[...]; N: 4 to 128".
    Error expected(const MethodInfo& info) const;
    // Fails if an option is not in `known`, is repeated, lacks its argument, or has an argument that it does not take. The error names
    // the new name of a renamed option.
    Result<void> check_options(std::span<const MethodOption> known) const;
    // Parses the argument of `part` as an integer from `low` to `high`. `what` names the quantity in the error: "landmarks".
    Result<uint32_t> count(const Part& part, uint32_t low, uint32_t high, const char* what) const;

    std::string_view text;  // the whole name
    Part head;
    std::vector<Part> levels;
    std::vector<Part> options;
    std::string_view common_option;  // an option of every method, already taken out; errors list it after the method's own
};

namespace detail {
// "'mm' is now 'minimal_memory'" for a name from an earlier version; empty for any other text.
std::string renamed_method(std::string_view name);
}  // namespace detail

// Joins the names of items: "a, b, c". `text(item)` returns the name of one.
template <class Items, class Text>
std::string list_names(const Items& items, Text&& text) {
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "" : ", ") + std::string(text(item));
    return out;
}

// Finds the row with this name in a range of pointers to rows that have a MethodInfo `info`. The error for an unknown name lists the
// usages of all rows; the error for a renamed method names the new name.
template <class Rows>
auto find_method_row(const Rows& rows, const MethodText& name) -> Result<std::decay_t<decltype(*std::begin(rows))>> {
    const auto row = std::ranges::find_if(rows, [&](const auto* r) { return r->info.name == name.head.name; });
    if (row != std::end(rows)) return *row;
    const std::string renamed = detail::renamed_method(name.head.name);
    if (!renamed.empty()) return name.refuse(ErrorCode::kUnknownName, renamed);
    const std::string usages = list_names(rows, [](const auto* r) { return r->info.usage; });
    return name.refuse(ErrorCode::kUnknownName, "unknown name; expected one of: " + usages);
}

}  // namespace terrane
