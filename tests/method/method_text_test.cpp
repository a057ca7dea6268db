#include "terrane/base/method_text.h"

#include <gtest/gtest.h>

namespace terrane {
namespace {

TEST(MethodText, IsCutIntoNameLevelsAndOptions) {
    const MethodText text("dta:32/nbs/wastar:1.2+trim+landmarks:8");
    EXPECT_EQ(text.head.name, "dta");
    EXPECT_EQ(text.head.argument, "32");
    ASSERT_EQ(text.levels.size(), 2u);
    EXPECT_EQ(text.levels[0].text, "nbs");
    EXPECT_FALSE(text.levels[0].argument);
    EXPECT_EQ(text.levels[1].name, "wastar");
    EXPECT_EQ(text.levels[1].argument, "1.2");
    ASSERT_EQ(text.options.size(), 2u);
    EXPECT_TRUE(text.has("trim") && text.has("landmarks") && !text.has("dta"));
    EXPECT_EQ(text.option("landmarks")->argument, "8");
}

TEST(MethodText, AnyTextHasParts) {
    const MethodText none("");
    EXPECT_TRUE(none.head.name.empty() && none.levels.empty() && none.options.empty());
    const MethodText odd("/:+/+:a:b");
    EXPECT_EQ(odd.levels.size(), 1u);
    ASSERT_EQ(odd.options.size(), 2u);
    EXPECT_EQ(odd.options[0].text, "/");
    EXPECT_EQ(odd.options[1].name, "");
    EXPECT_EQ(odd.options[1].argument, "a:b");
}

TEST(MethodText, RefusesOptionsWithTheListOfThoseThatExist) {
    constexpr MethodOption kKnown[] = {{"fast"}, {"landmarks", "N"}};
    const auto reason = [&](const char* name) { return MethodText(name).check_options(kKnown).error().reason; };
    EXPECT_TRUE(MethodText("m+landmarks:8+fast").check_options(kKnown));
    EXPECT_EQ(reason("m+slow"), "method 'm+slow': no option 'slow'; expected one of: fast, landmarks:N");
    EXPECT_EQ(reason("m+landmarks"), "method 'm+landmarks': expected +landmarks:N, not 'landmarks'");
    EXPECT_EQ(reason("m+fast:1"), "method 'm+fast:1': expected +fast, not 'fast:1'");
    EXPECT_EQ(reason("m+fast+fast"), "method 'm+fast+fast': option 'fast' is given twice");
}

TEST(MethodText, TakesAnOptionOut) {
    MethodText text("m+a+any_angle+b+any_angle");
    EXPECT_EQ(text.take("any_angle"), 2u);
    EXPECT_EQ(text.options.size(), 2u);
    EXPECT_EQ(text.text, "m+a+any_angle+b+any_angle");
}

TEST(MethodText, CountsAreWholeNumbersInARange) {
    const auto count = [](const char* name) { return MethodText(name).count(MethodText(name).head, 1, 8, "portals"); };
    EXPECT_EQ(count("m:8").value(), 8u);
    for (const char* name : {"m", "m:", "m:0", "m:9", "m:-1", "m:1.5", "m:99999999999"}) {
        const auto refused = count(name);
        ASSERT_FALSE(refused) << name;
        EXPECT_NE(refused.error().reason.find("portals are 1 to 8, not '"), std::string::npos) << refused.error().reason;
    }
}

}  // namespace
}  // namespace terrane
