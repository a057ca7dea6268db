#include "terrane/base/method_text.h"

#include <array>

#include "base/text.h"

namespace terrane {

namespace {

MethodText::Part part_of(std::string_view text) {
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos) return {text, text, std::nullopt};
    return {text, text.substr(0, colon), text.substr(colon + 1)};
}

// Names of earlier versions. Errors about them tell the new name.
struct Renamed {
    std::string_view before;
    std::string_view now;
};
constexpr std::array kRenamedMethods{
    Renamed{"mm", "minimal_memory"},
};
constexpr std::array kRenamedOptions{
    Renamed{"refract", "any_angle"},
    Renamed{"corridor", "smooth"},
    Renamed{"certificates", "lower_bounds"},
    Renamed{"embedding", "fastmap"},
};

// "'mm' is now 'minimal_memory'"; empty if the table does not have the name.
std::string renamed_in(std::span<const Renamed> table, std::string_view name) {
    const auto row = std::ranges::find(table, name, &Renamed::before);
    return row == table.end() ? std::string() : detail::quote(row->before) + " is now " + detail::quote(row->now);
}

// Calls use(piece) for each of the pieces that the occurrences of `mark` separate.
template <class Use>
void split(std::string_view text, char mark, Use&& use) {
    for (size_t end; (end = text.find(mark)) != std::string_view::npos; text.remove_prefix(end + 1)) use(text.substr(0, end));
    use(text);
}

std::string usage_of(const MethodOption& option) {
    return option.argument == nullptr ? std::string(option.name) : option.name + std::string(":") + option.argument;
}

}  // namespace

MethodText::MethodText(std::string_view name) : text(name) {
    std::optional<std::string_view> levelled;
    split(name, '+', [&](std::string_view piece) {
        if (levelled) options.push_back(part_of(piece));
        if (!levelled) levelled = piece;
    });
    bool first = true;
    split(*levelled, '/', [&](std::string_view piece) {
        if (!std::exchange(first, false))
            levels.push_back(part_of(piece));
        else
            head = part_of(piece);
    });
}

size_t MethodText::take(std::string_view option) {
    return std::erase_if(options, [&](const Part& part) { return part.text == option; });
}

const MethodText::Part* MethodText::option(std::string_view name) const {
    const auto found = std::ranges::find(options, name, &Part::name);
    return found == options.end() ? nullptr : &*found;
}

Error MethodText::refuse(ErrorCode code, const std::string& reason) const {
    return {code, {}, 0, "method " + detail::quote(text) + ": " + reason};
}

Error MethodText::expected(const MethodInfo& info) const {
    return refuse(ErrorCode::kBadValue, std::string("expected ") + info.usage + (*info.details == 0 ? "" : "; ") + info.details);
}

Result<void> MethodText::check_options(std::span<const MethodOption> known) const {
    for (const Part& part : options) {
        const auto option = std::ranges::find_if(known, [&](const MethodOption& o) { return part.name == o.name; });
        if (option == known.end()) {
            const std::string renamed = renamed_in(kRenamedOptions, part.name);
            if (!renamed.empty()) return refuse(ErrorCode::kUnknownName, renamed);
            std::string all = list_names(known, usage_of);
            if (!common_option.empty()) all += (all.empty() ? "" : ", ") + std::string(common_option);
            return refuse(ErrorCode::kUnknownName,
                          "no option " + detail::quote(part.text) + (all.empty() ? "; it has no options" : "; expected one of: " + all));
        }
        if (part.argument.has_value() != (option->argument != nullptr)) {
            return refuse(ErrorCode::kBadValue, "expected +" + usage_of(*option) + ", not " + detail::quote(part.text));
        }
        if (std::ranges::count(options, part.name, &Part::name) > 1) {
            return refuse(ErrorCode::kBadValue, "option " + detail::quote(part.name) + " is given twice");
        }
    }
    return {};
}

Result<uint32_t> MethodText::count(const Part& part, uint32_t low, uint32_t high, const char* what) const {
    const auto value = detail::parse_integer<uint32_t>(part.argument.value_or(""), low, high);
    if (value) return *value;
    return refuse(ErrorCode::kBadValue, std::string(what) + " are " + std::to_string(low) + " to " + std::to_string(high) + ", not " +
                                            detail::quote(part.argument.value_or("")));
}

std::string detail::renamed_method(std::string_view name) { return renamed_in(kRenamedMethods, name); }

}  // namespace terrane
