#include "terrane/base/method_text.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace terrane {
namespace {

struct Row {
    MethodInfo info;
};
constexpr Row kOverlay{{"overlay", "overlay:K", "", "", "overlay:2"}};
constexpr Row kMinimalMemory{{"minimal_memory", "minimal_memory:N", "", "", "minimal_memory:16"}};
constexpr std::array kRows{&kOverlay, &kMinimalMemory};

TEST(RenamedMethod, IsRefusedWithItsNewName) {
    const auto refused = find_method_row(kRows, MethodText("mm:16"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUnknownName);
    EXPECT_EQ(refused.error().reason, "method 'mm:16': 'mm' is now 'minimal_memory'");
    EXPECT_EQ(find_method_row(kRows, MethodText("minimal_memory:16")).value(), &kMinimalMemory);
}

TEST(RenamedMethod, OptionIsRefusedWithItsNewName) {
    constexpr MethodOption kOptions[] = {{"any_angle"}, {"smooth"}, {"lower_bounds", "N"}, {"fastmap", "N"}};
    const auto reason = [&](const char* name) { return MethodText(name).check_options(kOptions).error().reason; };
    EXPECT_EQ(reason("astar+refract"), "method 'astar+refract': 'refract' is now 'any_angle'");
    EXPECT_EQ(reason("overlay:2+corridor"), "method 'overlay:2+corridor': 'corridor' is now 'smooth'");
    EXPECT_EQ(reason("overlay:2+certificates:32"), "method 'overlay:2+certificates:32': 'certificates' is now 'lower_bounds'");
    EXPECT_EQ(reason("astar+embedding:8"), "method 'astar+embedding:8': 'embedding' is now 'fastmap'");
    EXPECT_TRUE(MethodText("m+any_angle+smooth+lower_bounds:32+fastmap:8").check_options(kOptions));
}

TEST(RenamedMethod, OtherUnknownNamesGetTheListOfUsages) {
    EXPECT_EQ(find_method_row(kRows, MethodText("mmm")).error().reason,
              "method 'mmm': unknown name; expected one of: overlay:K, minimal_memory:N");
}

}  // namespace
}  // namespace terrane
