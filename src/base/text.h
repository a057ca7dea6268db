// Reading text by lines and words, and quoting it in messages. Knows no locale.
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

// The lines of a text, without their ends: \n, \r\n, or the end of the text. An empty text has no line.
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

    uint32_t line() const { return line_; }  // the number of the last line read; 0 before the first
    bool at_end() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }

    // Blames the last line read, or the one given.
    Error refuse(ErrorCode code, std::string reason) const { return refuse_line(code, line_, std::move(reason)); }
    Error refuse_line(ErrorCode code, uint32_t line, std::string reason) const {
        return {code, std::string(file_), line, std::move(reason)};
    }

private:
    std::string_view rest_;
    std::string_view file_;
    uint32_t line_ = 0;
};

// Cuts the next word off a line; empty where there is none.
inline std::string_view take_word(std::string_view& line, std::string_view separators = kBlanks) {
    line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(separators));
    line.remove_prefix(word.size());
    return word;
}

inline bool is_blank(std::string_view line) { return line.find_first_not_of(kBlanks) == std::string_view::npos; }

// A whole number in decimal and nothing else, from `low` to `high`.
template <class T>
std::optional<T> parse_integer(std::string_view text, T low, T high) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high) return std::nullopt;
    return value;
}

// A number in decimal and nothing else, with an exponent or without: the nearest double to it.
std::optional<double> parse_number(std::string_view text);

// What bytes are that cannot be ASCII text, by how they begin: "a PNG image". Empty where nothing is known against them.
std::string_view describe_binary(std::string_view bytes);

// Text from a file, fit for a terminal: in quotes, at most 40 characters, anything but printable ASCII
// as \x1b.
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
