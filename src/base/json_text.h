// Parses JSON and reports the line of an error. For modules that link nlohmann-json; `base` itself does not.
#pragma once
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "terrane/base/result.h"

namespace terrane::detail {

using Json = nlohmann::json;

inline constexpr size_t kMaxJsonDepth = 64;

inline uint32_t json_line_of(std::string_view text, size_t position) {
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    return 1 + static_cast<uint32_t>(std::ranges::count(before, '\n'));
}

struct CheckedJson {
    std::string text;                // blanks between tokens replaced by spaces; cut after the first control character in a string
    std::optional<size_t> too_deep;  // offset of the first bracket nested deeper than kMaxJsonDepth; brackets in strings do not count
};

// Normalises untrusted text; parse the result instead of `text`. On a syntax error, nlohmann-json builds a message from everything since
// the last string or number, and a line break takes eight bytes there: one megabyte of line breaks cost 0.2 s and 24 MB.
inline CheckedJson check_json(std::string_view text) {
    CheckedJson checked{std::string(text), {}};
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string && static_cast<unsigned char>(c) < 0x20) {
            checked.text.resize(i + 1);
            break;
        }
        if (in_string && c == '\\' && (text.substr(i + 1, 1) == "\"" || text.substr(i + 1, 1) == "\\")) {
            ++i;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == '[' || c == '{')) {
            if (++depth <= kMaxJsonDepth) continue;
            checked.too_deep = i;
            break;
        } else if (!in_string && (c == ']' || c == '}')) {
            depth -= depth > 0 ? 1 : 0;
        } else if (!in_string && (c == '\n' || c == '\r' || c == '\t')) {
            checked.text[i] = ' ';
        }
    }
    return checked;
}

// Accepts all events and records the position of a syntax error.
struct JsonLocator : nlohmann::json_sax<Json> {
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(size_t at, const std::string&, const nlohmann::detail::exception&) override {
        position = at;
        return false;
    }
    size_t position = 1;  // of the offending character, counted from 1; beyond the text if it ends too early
};

// Parses a JSON object. `otherwise` is the error's reason if the text is valid JSON but no object.
inline Result<Json> parse_json_object(std::string_view text, std::string_view file, const char* otherwise) {
    const auto refuse = [&](ErrorCode code, uint32_t line, std::string reason) {
        return Error{code, std::string(file), line, std::move(reason)};
    };
    const CheckedJson checked = check_json(text);
    if (checked.too_deep) {
        return refuse(ErrorCode::kTooLarge, json_line_of(text, *checked.too_deep), "brackets are nested deeper than 64");
    }
    Json json = Json::parse(checked.text, nullptr, false);
    if (!json.is_discarded() && json.is_object()) return json;
    if (!json.is_discarded()) return refuse(ErrorCode::kBadHeader, 1, otherwise);
    JsonLocator locator;
    static_cast<void>(Json::sax_parse(checked.text, &locator));
    const bool cut = locator.position > text.size();
    return refuse(cut ? ErrorCode::kTruncated : ErrorCode::kBadValue, json_line_of(text, locator.position - 1),
                  cut ? "the file ends within its JSON" : "not JSON from here on");
}

// Returns a member of an object; null if it is absent or `object` is not an object.
inline const Json* json_member(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

}  // namespace terrane::detail
