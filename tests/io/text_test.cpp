#include "base/text.h"

#include <gtest/gtest.h>

#include <vector>

namespace terrane::detail {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> out;
    LineReader lines(text);
    for (std::string_view line; lines.next(line);) out.push_back(line);
    return out;
}

using Lines = std::vector<std::string_view>;

}  // namespace

TEST(Text, LinesEndWithEitherNewlineOrTheText) {
    EXPECT_EQ(lines_of(""), Lines{});
    EXPECT_EQ(lines_of("\n"), Lines{""});
    EXPECT_EQ(lines_of("a"), Lines{"a"});
    EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"}));
    EXPECT_EQ(lines_of("a\r\nb\r\n"), (Lines{"a", "b"}));
    EXPECT_EQ(lines_of("a\n\n"), (Lines{"a", ""}));
    EXPECT_EQ(lines_of("a\rb\r"), (Lines{"a\rb"}));
}

TEST(Text, WordsAreCutOffInTurn) {
    std::string_view line = "  height\t12 ";
    EXPECT_EQ(take_word(line), "height");
    EXPECT_EQ(take_word(line), "12");
    EXPECT_EQ(take_word(line), "");
    EXPECT_EQ(take_word(line), "");
}

TEST(Text, IntegersAreWholeAndInRange) {
    EXPECT_EQ(parse_integer<int32_t>("12", 1, 20), 12);
    for (const char* bad : {"", "0", "21", "-3", "+3", " 3", "3 ", "3x", "0x3", "3.0", "99999999999999999999"}) {
        EXPECT_FALSE(parse_integer<int32_t>(bad, 1, 20)) << bad;
    }
}

TEST(Text, QuotesAreSafeToPrint) {
    EXPECT_EQ(quote("map"), "'map'");
    EXPECT_EQ(quote(std::string_view("a\0\x1b\xff", 4)), "'a\\x00\\x1b\\xff'");
    EXPECT_EQ(quote(std::string(41, 'a')), "'" + std::string(40, 'a') + "...'");
}

}  // namespace terrane::detail
