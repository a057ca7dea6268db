#include "terrane/io/scenario.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary.h"
#include "terrane/base/file.h"

namespace terrane {

namespace {

const std::string kTabbed =
    "version 1\n"
    "0\tmaps/dao/arena.map\t49\t50\t1\t11\t1\t12\t1\n"
    "718\tMy map.map\t2048\t2048\t381\t793\t1724\t889\t2873.657365\n";

const std::string kSpaced =
    "version 1.0\n"
    "61 maps/bgmaps/AR0011SR.map 512 512 210 395 87 201 244.95\n"
    "0 maps/bgmaps/AR0011SR.map 512 512 443 125 441 123 2.80\n";

std::string with_length(const std::string& length) { return "version 1\n0\tm\t9\t9\t0\t0\t1\t1\t" + length + "\n"; }

Error scenario_error(std::string_view text) {
    const auto scenario = parse_scenario(text, "test.scen");
    if (scenario) return {ErrorCode::kUnsupported, {}, 0, "no error"};
    return scenario.error();
}

std::string scenario_message(std::string_view text) { return scenario_error(text).message(); }

std::string scenario_again(std::string_view text) {
    const auto scenario = parse_scenario(text);
    return scenario ? format_scenario(*scenario) : scenario.error().message();
}

std::string scenario_with(std::string text, const std::string& what, const std::string& with) {
    return text.replace(text.find(what), what.size(), with);
}

}  // namespace

TEST(Scenario, ReadsTabbedFiles) {
    const auto scenario = parse_scenario(kTabbed);
    ASSERT_TRUE(scenario) << scenario.error().message();
    ASSERT_EQ(scenario->problems.size(), 2u);
    EXPECT_EQ(scenario->problems[0], (Problem{0, "maps/dao/arena.map", 49, 50, {1, 11}, {1, 12}, 1, 0}));
    EXPECT_EQ(scenario->problems[1], (Problem{718, "My map.map", 2048, 2048, {381, 793}, {1724, 889}, 2873.657365, 6}));
}

TEST(Scenario, ReadsSpacedFiles) {
    const auto scenario = parse_scenario(kSpaced);
    ASSERT_TRUE(scenario) << scenario.error().message();
    ASSERT_EQ(scenario->problems.size(), 2u);
    EXPECT_EQ(scenario->problems[0], (Problem{61, "maps/bgmaps/AR0011SR.map", 512, 512, {210, 395}, {87, 201}, 244.95, 2}));
}

TEST(Scenario, AnEmptyListIsAScenario) { EXPECT_EQ(scenario_again("version 1"), "version 1\n"); }

TEST(Scenario, RoundTripsByteForByte) {
    EXPECT_EQ(scenario_again(kTabbed), kTabbed);
    for (const char* length : {"0", "0.0", "57.31370850", "100000", "0.1", "123456789.125", "1e3"}) {
        const std::string text = with_length(length);
        EXPECT_EQ(scenario_again(text), length == std::string("1e3") ? with_length("1000") : text);
    }
}

TEST(Scenario, WritesSpacedFilesWithTabs) {
    EXPECT_EQ(scenario_again(kSpaced),
              "version 1\n"
              "61\tmaps/bgmaps/AR0011SR.map\t512\t512\t210\t395\t87\t201\t244.95\n"
              "0\tmaps/bgmaps/AR0011SR.map\t512\t512\t443\t125\t441\t123\t2.80\n");
}

TEST(Scenario, LengthsReadBackTheSame) {
    for (const double length : {0.1 + 0.2, 1.0 / 3, 5e-324, 1.7976931348623157e308, 12345678.9}) {
        for (const int decimals : {-1, 0, 2, 17, 100}) {
            const Scenario scenario{{Problem{0, "m", 2, 2, {0, 0}, {1, 1}, length, static_cast<int8_t>(decimals)}}};
            const auto back = parse_scenario(format_scenario(scenario));
            ASSERT_TRUE(back) << back.error().message();
            EXPECT_EQ(back->problems[0].length, length);
        }
    }
}

TEST(Scenario, AcceptsWindowsLinesNoFinalNewlineAndBlankLinesAtTheEnd) {
    EXPECT_EQ(scenario_again("version 1\r\n0\tm\t9\t9\t0\t0\t1\t1\t1.5\r\n"), with_length("1.5"));
    EXPECT_EQ(scenario_again(kTabbed.substr(0, kTabbed.size() - 1)), kTabbed);
    EXPECT_EQ(scenario_again(kTabbed + "\n \t\r\n\n"), kTabbed);
}

TEST(Scenario, RefusesTextAfterABlankLine) {
    EXPECT_EQ(scenario_message("version 1\n\n0\tm\t9\t9\t0\t0\t1\t1\t1.5\n"),
              "test.scen:3: unexpected '0\\x09m\\x099\\x099\\x090\\x090\\x091\\x091\\x091.5' after a blank line");
}

TEST(Scenario, RefusesBadVersions) {
    EXPECT_EQ(scenario_message(""), "test.scen: the file is empty; expected 'version 1'");
    for (const char* line : {"version", "version 2", "version 1.1", "version 1 1", "1", "\n", "0\tm\t9\t9\t0\t0\t1\t1\t1.5"}) {
        EXPECT_EQ(scenario_error(line).code, ErrorCode::kBadHeader) << line;
        EXPECT_EQ(scenario_error(line).line, 1u) << line;
    }
}

TEST(Scenario, NamesFilesOfOtherKinds) {
    EXPECT_EQ(scenario_message("\x89PNG\r\n"), "test.scen:1: expected 'version 1', the text of a scenario; this is a PNG image");
    EXPECT_NE(scenario_message("\xef\xbb\xbfversion 1\n").find("this is text with a byte-order mark: save it without one"),
              std::string::npos);
}

TEST(Scenario, RefusesWrongColumns) {
    EXPECT_EQ(scenario_message("version 1\n0\tm\t9\t9\t0\t0\t1\t1\n"), "test.scen:2: expected 9 columns, found 8");
    EXPECT_EQ(scenario_message(with_length("1.5\t")), "test.scen:2: expected 9 columns, found 10");
    EXPECT_EQ(scenario_message("version 1.0\n0 my map 9 9 0 0 1 1 1.5\n"), "test.scen:2: expected 9 columns, found 10");
}

TEST(Scenario, RefusesBadNumbers) {
    const std::string second = "718\tMy map.map\t2048\t2048\t381\t793\t1724\t889\t";
    EXPECT_EQ(scenario_message(scenario_with(kTabbed, "718\t", "-1\t")), "test.scen:3: bucket '-1' is not a number from 0 to 4294967295");
    EXPECT_EQ(scenario_message(scenario_with(kTabbed, "\t2048\t", "\t0\t")), "test.scen:3: width '0' is not a number from 1 to 32768");
    EXPECT_EQ(scenario_message(scenario_with(kTabbed, "\t49\t", "\t99999999999\t")),
              "test.scen:2: width '99999999999' is not a number from 1 to 32768");
    EXPECT_EQ(scenario_message(scenario_with(kTabbed, "\t793\t", "\t\t")), "test.scen:3: start y '' is not a number from 0 to 2047");
    EXPECT_EQ(scenario_message(scenario_with(kTabbed, "\tMy map.map\t", "\t\t")), "test.scen:3: '' is not the name of a map");
    EXPECT_EQ(scenario_message(scenario_with(kTabbed, "\tMy map.map\t", "\tMy\x01map\t")),
              "test.scen:3: 'My\\x01map' is not the name of a map");
}

TEST(Scenario, RefusesCellsOffTheMap) {
    EXPECT_EQ(scenario_message(scenario_with(kTabbed, "\t1724\t", "\t2048\t")),
              "test.scen:3: goal x '2048' is not a number from 0 to 2047");
    EXPECT_EQ(scenario_error(scenario_with(kTabbed, "\t11\t", "\t50\t")).line, 2u);
    EXPECT_EQ(scenario_error(scenario_with(kTabbed, "\t11\t", "\t-1\t")).line, 2u);
    EXPECT_EQ(scenario_again(scenario_with(kTabbed, "\t11\t", "\t49\t")), scenario_with(kTabbed, "\t11\t", "\t49\t"));
}

TEST(Scenario, RefusesInvalidLengths) {
    for (const char* length : {"", "-1", "-0", "nan", "inf", "1e999", "1e-999", "0x1p3", "1,5", "1.5.0", "1.5x", " 1", "+1", "."}) {
        const Error error = scenario_error(with_length(length));
        EXPECT_EQ(error.code, ErrorCode::kBadValue) << length;
        EXPECT_EQ(error.line, 2u) << length;
    }
}

TEST(Scenario, EveryTruncationIsRefusedOrEndsInTheLastLength) {
    const Scenario whole = parse_scenario(kTabbed).value();
    for (size_t length = 0; length < kTabbed.size(); ++length) {
        const auto cut = parse_scenario(std::string_view(kTabbed).substr(0, length));
        if (!cut) {
            EXPECT_FALSE(cut.error().reason.empty());
            continue;
        }
        const size_t count = cut->problems.size();
        ASSERT_LE(count, 2u);
        EXPECT_EQ(count, kTabbed.substr(0, length).find("\t889\t") != std::string::npos ? 2u : length < 30 ? 0u : 1u);
        for (size_t i = 0; i < count; ++i) EXPECT_EQ(cut->problems[i].goal, whole.problems[i].goal);
    }
}

TEST(Scenario, NoSingleByteChangeDoesHarm) {
    for (const std::string& text : {kTabbed, kSpaced}) {
        for (size_t at = 0; at < text.size(); ++at) {
            for (int byte = 0; byte < 256; ++byte) {
                std::string changed = text;
                changed[at] = static_cast<char>(byte);
                const auto scenario = parse_scenario(changed);
                if (!scenario) {
                    ASSERT_FALSE(scenario.error().reason.empty());
                    continue;
                }
                const std::string once = format_scenario(*scenario);
                ASSERT_EQ(scenario_again(once), once);
            }
        }
    }
}

TEST(Scenario, SavesAndLoads) {
    const TemporaryFolder folder;
    const std::string path = folder / "small.scen";
    const Scenario scenario = parse_scenario(kTabbed).value();
    ASSERT_TRUE(save_scenario(path, scenario));
    const auto loaded = load_scenario(path);
    ASSERT_TRUE(loaded) << loaded.error().message();
    EXPECT_EQ(*loaded, scenario);
}

TEST(Scenario, LoadErrorsNameTheFile) {
    const TemporaryFolder folder;
    std::ofstream(folder / "bad.scen") << scenario_with(kTabbed, "\t889\t", "\t-889\t");
    EXPECT_EQ(load_scenario(folder / "bad.scen").error().message(),
              (folder / "bad.scen") + ":3: goal y '-889' is not a number from 0 to 2047");
    EXPECT_EQ(load_scenario(folder / "none.scen").error().code, ErrorCode::kCannotOpen);
    EXPECT_EQ(load_scenario(folder.path()).error().code, ErrorCode::kCannotOpen);
}

TEST(Scenario, RefusesMoreThanAMillionProblems) {
    std::string text = "version 1\n";
    for (int i = 0; i <= 1'000'000; ++i) text += "0\tm\t1\t1\t0\t0\t0\t0\t0\n";
    const Error error = scenario_error(text);
    EXPECT_EQ(error.code, ErrorCode::kTooLarge);
    EXPECT_EQ(error.line, 1'000'002u);
}

}  // namespace terrane
