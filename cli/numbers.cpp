#include "cli/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace terrane::cli {

namespace {

// A validator that refuses with "'nan': expected a number from 0 to below 1".
template <class Accepts>
CLI::Validator numbers(const std::string& expected, const std::string& description, Accepts accepts) {
    return {
        [expected, accepts](std::string& text) { return accepts(text) ? std::string() : fmt::format("'{}': expected {}", text, expected); },
        description};
}

template <class Within>
CLI::Validator reals(const std::string& expected, const std::string& description, Within within) {
    return numbers(expected, description, [within](const std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && std::isfinite(value) && within(value);
    });
}

// Digits only, decimal or hexadecimal (0x1f, as CLI11 reads them), below 2^64.
bool is_whole(const std::string& text) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const char *first = text.data() + (hexadecimal ? 2 : 0), *last = text.data() + text.size();
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(first, last, value, hexadecimal ? 16 : 10);
    return first != last && end == last && error == std::errc{};
}

}  // namespace

CLI::Validator real_in(double low, double high) {
    return reals(fmt::format("a number from {:g} to {:g}", low, high), fmt::format("in [{:g} - {:g}]", low, high),
                 [low, high](double value) { return value >= low && value <= high; });
}

CLI::Validator real_below(double low, double high) {
    return reals(fmt::format("a number from {:g} to below {:g}", low, high), fmt::format("in [{:g} - {:g})", low, high),
                 [low, high](double value) { return value >= low && value < high; });
}

CLI::Validator real_above_zero() {
    return reals("a finite number above 0", "above 0", [](double value) { return value > 0; });
}

CLI::Validator whole_number() {
    return numbers(fmt::format("a whole number from 0 to {}", std::numeric_limits<uint64_t>::max()), "", is_whole);
}

CLI::Option* as_bytes(CLI::Option* option) {
    const auto starts_with_digit = [](const std::string& text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; };
    // CLI11 runs transformations in reverse order of addition.
    return option->transform(CLI::AsSizeValue(false))->transform(numbers("a number of bytes as in 500MB", "", starts_with_digit));
}

}  // namespace terrane::cli
