#include "base/text.h"

#include <gtest/gtest.h>

namespace terrane::detail {
namespace {

TEST(Text, NumbersAreDecimalAndNothingElse) {
    EXPECT_EQ(parse_number("0.1"), 0.1);
    EXPECT_EQ(parse_number("-12"), -12.0);
    EXPECT_EQ(parse_number("2.5e3"), 2500.0);
    EXPECT_EQ(parse_number("17.07106781"), 17.07106781);
    for (const char* none : {"", " 1", "1 ", "+1", "0x10", "1e", "--1", "1.2.3", "nan", "inf", "1,5", "-", "."}) {
        EXPECT_EQ(parse_number(none), std::nullopt) << "'" << none << "'";
    }
}

}  // namespace
}  // namespace terrane::detail
