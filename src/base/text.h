// Reads text by lines and words, and quotes it in messages. Independent of the locale.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "terrane/base/result.h"

namespace terrane::detail {

inline constexpr std::string_view kBlanks = " \t";

// Iterates over the lines of a text, without their terminators (\n or \r\n; the last line may have none). An empty text has no lines.
// `text` and `file` must outlive the reader.
class LineReader {
public:
    explicit LineReader(std::string_view text, std::string_view file = {}) : rest_(text), file_(file) {}

    bool next(std::string_view& out) {
        if (rest_.empty()) return false;
        const size_t end = rest_.find('\n');
        out = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end, rest_.size() - 1) + 1);
        if (out.ends_with('\r')) out.remove_suffix(1);
        ++line_;
        return true;
    }

    uint32_t line() const { return line_; }  // the number of the last line read, from 1; 0 before the first
    bool at_end() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }

    // An error at the last line read, or at the given one.
    Error refuse(ErrorCode code, std::string reason) const { return refuse_line(code, line_, std::move(reason)); }
    Error refuse_line(ErrorCode code, uint32_t line, std::string reason) const {
        return {code, std::string(file_), line, std::move(reason)};
    }

private:
    std::string_view rest_;
    std::string_view file_;
    uint32_t line_ = 0;
};

// Removes the next word from the front of the line and returns it; empty if there is none.
inline std::string_view take_word(std::string_view& line, std::string_view separators = kBlanks) {
    line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(separators));
    line.remove_prefix(word.size());
    return word;
}

inline bool is_blank(std::string_view line) { return line.find_first_not_of(kBlanks) == std::string_view::npos; }

// Parses a decimal integer from `low` to `high`. The whole text must match.
template <class T>
std::optional<T> parse_integer(std::string_view text, T low, T high) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high) return std::nullopt;
    return value;
}

// Parses a decimal number, with or without exponent, to the nearest double. The whole text must match.
std::optional<double> parse_number(std::string_view text);

// Describes bytes that cannot be ASCII text by their first bytes: "a PNG image". Empty if they may be text.
std::string_view describe_binary(std::string_view bytes);

// Quotes untrusted text for a terminal: at most 40 characters, other than printable ASCII as \x1b.
inline std::string quote(std::string_view text) {
    constexpr size_t kLongest = 40;
    constexpr char kHex[] = "0123456789abcdef";
    std::string out = "'";
    for (const char c : text.substr(0, kLongest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            out += c;
        } else {
            out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
        }
    }
    return out + (text.size() > kLongest ? "...'" : "'");
}

}  // namespace terrane::detail
