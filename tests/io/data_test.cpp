// Reads every published map and scenario in TERRANE_DATA and writes it back unchanged.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "terrane/base/file.h"
#include "terrane/io/map_file.h"
#include "terrane/io/scenario.h"

namespace terrane {

namespace {

constexpr uint64_t kMaxBytes = 64 << 20;

std::vector<std::string> data_files(const char* extension) {
    std::vector<std::string> files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(TERRANE_DATA, ignored)) {
        if (entry.path().extension() == extension) files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    return files;
}

// Published files differ only in their trailing line breaks.
std::string with_one_newline_at_the_end(std::string text) {
    text.resize(text.find_last_not_of("\r\n") + 1);
    return text + '\n';
}

}  // namespace

TEST(Data, EveryMapRoundTrips) {
    const auto files = data_files(".map");
    if (files.empty()) GTEST_SKIP() << "no .map files in " << TERRANE_DATA << " (set TERRANE_DATA)";
    for (const std::string& file : files) {
        const auto text = read_file(file, kMaxBytes);
        ASSERT_TRUE(text) << text.error().message();
        const auto map = parse_movingai_map(*text, {}, file);
        ASSERT_TRUE(map) << map.error().message();
        EXPECT_TRUE(format_movingai_map(map->snapshot()).value() == with_one_newline_at_the_end(*text)) << file;
    }
    RecordProperty("maps", static_cast<int>(files.size()));
}

TEST(Data, WeightedMapsAreLetteredAndTheOthersOctile) {
    const auto files = data_files(".map");
    if (files.empty()) GTEST_SKIP() << "no .map files in " << TERRANE_DATA << " (set TERRANE_DATA)";
    for (const std::string& file : files) {
        const bool weighted = file.find("/weighted/") != std::string::npos;
        EXPECT_EQ(load_map(file)->snapshot().catalogue(), weighted ? Catalogue::standard() : Catalogue::octile()) << file;
    }
}

TEST(Data, EveryScenarioRoundTrips) {
    const auto files = data_files(".scen");
    if (files.empty()) GTEST_SKIP() << "no .scen files in " << TERRANE_DATA << " (set TERRANE_DATA)";
    int tabbed = 0, problems = 0;
    for (const std::string& file : files) {
        const auto text = read_file(file, kMaxBytes);
        ASSERT_TRUE(text) << text.error().message();
        const auto scenario = parse_scenario(*text, file);
        ASSERT_TRUE(scenario) << scenario.error().message();
        problems += static_cast<int>(scenario->problems.size());
        const std::string again = format_scenario(*scenario);
        EXPECT_EQ(parse_scenario(again).value(), *scenario) << file;
        if (!text->starts_with("version 1\n")) continue;
        ++tabbed;
        EXPECT_TRUE(again == with_one_newline_at_the_end(*text)) << file;
    }
    RecordProperty("scenarios", static_cast<int>(files.size()));
    RecordProperty("tabbed", tabbed);
    RecordProperty("problems", problems);
}

}  // namespace terrane
