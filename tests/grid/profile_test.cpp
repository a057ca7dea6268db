#include "terrane/grid/profile.h"

#include <gtest/gtest.h>

namespace terrane {
namespace {

const Catalogue& kStandard = Catalogue::standard();

Hundredths cost_of(const CostTable& table, const char* terrain) { return table.hundredths(*kStandard.find(terrain)); }

TEST(Profile, CompilesToHundredthsDividedByTheirDivisor) {
    const auto table = Profile().cost("trees", 1).cost("road", 4).blocked("deep_water").otherwise(2).compile(kStandard).value();
    EXPECT_EQ(table.divisor, 100u);
    EXPECT_EQ(table.cost[*kStandard.find("road")], 4u);
    EXPECT_EQ(cost_of(table, "trees"), 100u);
    EXPECT_EQ(cost_of(table, "ice"), 200u);
    EXPECT_FALSE(table.passable(*kStandard.find("deep_water")));
    EXPECT_FALSE(table.passable(kOutside));
    EXPECT_FALSE(table.passable(200));  // not in the catalogue
}

TEST(Profile, CostsAreExactFromOneHundredthTo650) {
    const auto table = Profile().cost("trees", 0.01).cost("road", 650).cost("ice", 1.15).cost("hills", 0.07).compile(kStandard).value();
    EXPECT_EQ(table.divisor, 1u);
    EXPECT_EQ(cost_of(table, "trees"), 1u);
    EXPECT_EQ(cost_of(table, "road"), 65000u);
    EXPECT_EQ(cost_of(table, "ice"), 115u);
    EXPECT_EQ(cost_of(table, "hills"), 7u);
}

TEST(Profile, ErrorsAreReportedByCompile) {
    for (const double cost : {0.0, -1.0, 0.005, 650.01, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_EQ(Profile().cost("trees", cost).compile(kStandard).error().code, ErrorCode::kBadValue) << cost;
        EXPECT_EQ(Profile().otherwise(cost).compile(kStandard).error().code, ErrorCode::kBadValue) << cost;
    }
    const Error error = Profile("deer").cost("treees", 1).compile(kStandard).error();
    EXPECT_EQ(error.code, ErrorCode::kUnknownName);
    EXPECT_EQ(error.message(), "profile 'deer': this map has no terrain 'treees'");
}

TEST(Profile, TheLastRuleOfATerrainWinsAndOtherwiseDefaultsToOne) {
    const auto table = Profile().cost("trees", 3).blocked("trees").cost("trees", 5).compile(kStandard).value();
    EXPECT_EQ(cost_of(table, "trees"), 500u);
    EXPECT_EQ(cost_of(table, "road"), 100u);
}

TEST(Profile, PresetsFitEveryCatalogue) {
    for (const char* name : {"person", "deer", "outlaw", "walker"}) {
        ASSERT_NE(Profile::preset(name), nullptr);
        EXPECT_TRUE(Profile::preset(name)->compile(Catalogue::standard()));
        EXPECT_TRUE(Profile::preset(name)->compile(Catalogue::octile()));
    }
    EXPECT_EQ(Profile::preset("dragon"), nullptr);
}

// By the standard catalogue's order: a change here changes every published figure.
TEST(Profile, PresetsAreWhatTheyWere) {
    const std::pair<const char*, std::vector<Hundredths>> presets[] = {
        {"person", {0, 0, 1200, 800, 800, 200, 400, 100, 300, 300, 600, 200, 300, 300, 800, 300, 0, 0, 100}},
        {"deer", {0, 0, 1000, 400, 300, 200, 100, 600, 300, 300, 150, 200, 300, 300, 600, 300, 0, 0, 600}},
        {"outlaw", {0, 0, 1200, 500, 200, 200, 150, 1000, 200, 200, 200, 300, 200, 200, 200, 100, 0, 0, 1000}},
        {"walker", {0, 0, 0, 0, 100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    };
    for (const auto& [name, costs] : presets) {
        const auto table = Profile::preset(name)->compile(kStandard).value();
        for (Terrain t = 0; t < kStandard.size(); ++t) EXPECT_EQ(table.hundredths(t), costs[t]) << name << ": " << kStandard[t].name;
    }
}

TEST(ProfileFile, ReadsNamesLettersAndSeparators) {
    const auto profile = parse_profile(
        "# a comment\r\nname elk\nterrain,cost\ntrees 1\nH,3.4\n  river = blocked  # cold\nice: 2.50\n\notherwise 4", "elk.profile");
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->name(), "elk");
    const auto table = profile->compile(kStandard).value();
    EXPECT_EQ(cost_of(table, "trees"), 100u);
    EXPECT_EQ(cost_of(table, "road"), 340u);
    EXPECT_EQ(cost_of(table, "river"), 0u);
    EXPECT_EQ(cost_of(table, "ice"), 250u);
    EXPECT_EQ(cost_of(table, "black"), 400u);
}

TEST(ProfileFile, ErrorsNameFileAndLine) {
    EXPECT_EQ(parse_profile("trees 1\nroad\n", "x.profile").error().message().substr(0, 12), "x.profile:2:");
    EXPECT_EQ(parse_profile("trees 1\nroad 1 2\n", "x").error().line, 2u);
    EXPECT_EQ(parse_profile("\n\ntrees -1\n", "x").error().line, 3u);
    EXPECT_EQ(parse_profile("trees 1.001", "x").error().line, 1u);
    EXPECT_EQ(parse_profile("trees 651", "x").error().line, 1u);
    EXPECT_EQ(parse_profile("\nmarsh 1", "x").value().compile(kStandard).error().message(),
              "x:2: profile: this map has no terrain 'marsh'");
    EXPECT_EQ(parse_profile(std::string(70000, ' ')).error().code, ErrorCode::kTooLarge);
    EXPECT_EQ(
        parse_profile("\xef\xbb\xbftrees,1\n", "x.csv").error().message(),
        "x.csv:1: expected terrains and their costs, a text; this is text with a byte-order mark: save it without one (as ASCII, or as "
        "UTF-8 without BOM)");
    EXPECT_EQ(parse_profile("\x89PNG\r\n", "x.png").error().message(),
              "x.png:1: expected terrains and their costs, a text; this is a PNG image");
    EXPECT_FALSE(load_profile("/no/such/profile"));
}

TEST(Hundredths, RoundTripsAndRefusesTheRest) {
    for (Hundredths c = kMinTerrainCost; c <= kMaxTerrainCost; ++c) ASSERT_EQ(parse_hundredths(format_hundredths(c)), c);
    EXPECT_EQ(parse_hundredths("1."), 100u);
    EXPECT_EQ(parse_hundredths(".5"), 50u);
    EXPECT_EQ(parse_hundredths("2.500"), 250u);
    EXPECT_EQ(parse_hundredths("650.00"), 65000u);
    for (const char* text :
         {"", ".", "0", "0.00", "-1", "+1", "1e2", "1,5", "1.2.3", "1..5", "650.01", "99999999999999999999", "nan", " 1"}) {
        EXPECT_FALSE(parse_hundredths(text)) << text;
    }
}

}  // namespace
}  // namespace terrane
