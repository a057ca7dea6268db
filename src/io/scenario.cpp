// The format: https://movingai.com/benchmarks/formats.html
#include "terrane/io/scenario.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/text.h"
#include "terrane/base/file.h"
#include "terrane/grid/grid.h"

namespace terrane {

using detail::LineReader;
using detail::quote;
using detail::take_word;

namespace {

constexpr uint64_t kMaxScenarioBytes = 64 << 20;
constexpr size_t kMaxProblems = 1'000'000;
constexpr int kMaxDecimals = 17;  // significant digits of a double

// bucket, map, width, height, start x, start y, goal x, goal y, length
constexpr size_t kColumns = 9;
using Columns = std::array<std::string_view, kColumns>;

// Splits at tabs if the line has any, otherwise at blanks. Returns the number of columns; stores at most kColumns.
size_t split(std::string_view line, Columns& columns) {
    const bool tabs = line.find('\t') != std::string_view::npos;
    size_t count = 0;
    const auto keep = [&](std::string_view column) {
        if (count < kColumns) columns[count] = column;
        ++count;
    };
    if (!tabs) {
        for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) keep(word);
        return count;
    }
    for (;;) {
        const size_t end = line.find('\t');
        keep(line.substr(0, end));
        if (end == std::string_view::npos) return count;
        line.remove_prefix(end + 1);
    }
}

// Parses a decimal number that is finite and not negative.
std::optional<double> parse_length(std::string_view text) {
    const std::optional<double> value = detail::parse_number(text);
    return value && std::isfinite(*value) && !std::signbit(*value) ? value : std::nullopt;
}

int8_t count_decimals(std::string_view text) {
    const size_t point = text.find('.');
    if (text.find_first_not_of("0123456789.") != std::string_view::npos) return -1;  // has an exponent
    const size_t decimals = point == std::string_view::npos ? 0 : text.size() - point - 1;
    return decimals <= kMaxDecimals ? static_cast<int8_t>(decimals) : int8_t{-1};
}

bool well_formed(std::string_view map) {
    return !map.empty() && std::ranges::all_of(map, [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
}

// Parses the columns of one line and records the first error.
class ProblemReader {
public:
    ProblemReader(const LineReader& lines, const Columns& columns) : lines_(lines), columns_(columns) {}

    Result<Problem> read() {
        Problem p;
        p.bucket = number<uint32_t>("bucket", 0, 0, std::numeric_limits<uint32_t>::max());
        p.map = columns_[1];
        p.width = number<int32_t>("width", 2, 1, kMaxSide);
        p.height = number<int32_t>("height", 3, 1, kMaxSide);
        p.start = {number<int32_t>("start x", 4, 0, p.width - 1), number<int32_t>("start y", 5, 0, p.height - 1)};
        p.goal = {number<int32_t>("goal x", 6, 0, p.width - 1), number<int32_t>("goal y", 7, 0, p.height - 1)};
        p.length = length();
        p.decimals = count_decimals(columns_[8]);
        if (!well_formed(columns_[1])) record_error(quote(columns_[1]) + " is not the name of a map");
        if (!first_error_.empty()) return lines_.refuse(ErrorCode::kBadValue, first_error_);
        return p;
    }

private:
    template <class T>
    T number(const char* what, size_t column, T low, T high) {
        if (const auto value = detail::parse_integer<T>(columns_[column], low, high)) return *value;
        record_error(std::string(what) + ' ' + quote(columns_[column]) + " is not a number from " + std::to_string(low) + " to " +
                     std::to_string(high));
        return high;
    }

    double length() {
        if (const auto value = parse_length(columns_[8])) return *value;
        record_error("length " + quote(columns_[8]) + " is not a number >= 0");
        return 0;
    }

    void record_error(std::string what) {
        if (first_error_.empty()) first_error_ = std::move(what);
    }

    const LineReader& lines_;
    const Columns& columns_;
    std::string first_error_;
};

std::optional<Error> read_version(LineReader& lines) {
    const std::string_view binary = lines.rest().starts_with("version") ? "" : detail::describe_binary(lines.rest());
    if (!binary.empty())
        return lines.refuse_line(ErrorCode::kBadHeader, 1, "expected 'version 1', the text of a scenario; this is " + std::string(binary));
    std::string_view line;
    if (!lines.next(line)) return lines.refuse(ErrorCode::kTruncated, "the file is empty; expected 'version 1'");
    const std::string_view whole = line, key = take_word(line), version = take_word(line);
    if (key == "version" && (version == "1" || version == "1.0") && take_word(line).empty()) return std::nullopt;
    return lines.refuse(ErrorCode::kBadHeader, "expected 'version 1' or 'version 1.0', not " + quote(whole));
}

Result<Problem> read_problem(const LineReader& lines, std::string_view line) {
    Columns columns;
    const size_t count = split(line, columns);
    if (count != kColumns) {
        return lines.refuse(ErrorCode::kBadValue, "expected 9 columns, found " + std::to_string(count));
    }
    return ProblemReader(lines, columns).read();
}

// Only blank lines may follow a blank line.
std::optional<Error> read_end(LineReader& lines) {
    for (std::string_view line; lines.next(line);) {
        if (!detail::is_blank(line)) return lines.refuse(ErrorCode::kTrailing, "unexpected " + quote(line) + " after a blank line");
    }
    return std::nullopt;
}

// Appends the length with `decimals` decimals. If that is -1, or loses precision, uses the shortest form that reads back as the same
// number.
void append_length(std::string& text, double length, int decimals) {
    char buffer[400];  // the largest double has 309 digits before the decimal point
    if (decimals >= 0) {
        const auto fixed =
            std::to_chars(buffer, buffer + sizeof buffer, length, std::chars_format::fixed, std::min(decimals, kMaxDecimals));
        const std::string_view digits(buffer, static_cast<size_t>(fixed.ptr - buffer));
        if (parse_length(digits) == length) {
            text += digits;
            return;
        }
    }
    const auto shortest = std::to_chars(buffer, buffer + sizeof buffer, length, std::chars_format::fixed);
    text.append(buffer, shortest.ptr);
}

void append_problem(std::string& text, const Problem& p) {
    const Rect inside{{0, 0}, {p.width, p.height}};
    TERRANE_ASSERT(well_formed(p.map) && inside.contains(p.start) && inside.contains(p.goal));
    TERRANE_ASSERT(std::isfinite(p.length) && !std::signbit(p.length));
    static_cast<void>(inside);
    text += std::to_string(p.bucket) + '\t' + p.map;
    for (const int32_t n : {p.width, p.height, p.start.x, p.start.y, p.goal.x, p.goal.y}) text += '\t' + std::to_string(n);
    text += '\t';
    append_length(text, p.length, p.decimals);
    text += '\n';
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view text, std::string_view file) {
    LineReader lines(text, file);
    if (text.size() > kMaxScenarioBytes)
        return lines.refuse(ErrorCode::kTooLarge, "larger than the limit of " + std::to_string(kMaxScenarioBytes) + " bytes");
    if (auto error = read_version(lines)) return *std::move(error);
    Scenario scenario;
    for (std::string_view line; lines.next(line);) {
        if (detail::is_blank(line)) {
            if (auto error = read_end(lines)) return *std::move(error);
            break;
        }
        if (scenario.problems.size() == kMaxProblems) {
            return lines.refuse(ErrorCode::kTooLarge, "a scenario has at most " + std::to_string(kMaxProblems) + " problems");
        }
        auto problem = read_problem(lines, line);
        if (!problem) return problem.error();
        scenario.problems.push_back(std::move(*problem));
    }
    return scenario;
}

Result<Scenario> load_scenario(const std::string& path) {
    const auto text = read_file(path, kMaxScenarioBytes);
    if (!text) return text.error();
    return parse_scenario(*text, path);
}

std::string format_scenario(const Scenario& scenario) {
    std::string text = "version 1\n";
    for (const Problem& problem : scenario.problems) append_problem(text, problem);
    return text;
}

Result<void> save_scenario(const std::string& path, const Scenario& scenario) { return write_file(path, format_scenario(scenario)); }

}  // namespace terrane
