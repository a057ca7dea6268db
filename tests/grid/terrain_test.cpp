#include "terrane/grid/terrain.h"

#include <gtest/gtest.h>

namespace terrane {
namespace {

TEST(Catalogue, StandardNamesTheBenchmarkLetters) {
    const Catalogue& c = Catalogue::standard();
    EXPECT_EQ(c.find("black"), Terrain{0});
    EXPECT_EQ(c.find("hills"), Terrain{15});
    for (Terrain t = 0; t < c.size(); ++t) EXPECT_EQ(c[t].letter, 'A' + t);
}

TEST(Catalogue, RefusesBadAndDoubleNames) {
    Catalogue c;
    EXPECT_TRUE(c.add({"mud", 'M', {}}));
    EXPECT_EQ(c.add({"mud", 'N', {}}).error().code, ErrorCode::kBadValue);
    EXPECT_EQ(c.add({"mire", 'M', {}}).error().code, ErrorCode::kBadValue);
    for (const char* name : {"", "Mud", "a b", "a-b", "\xc3\xa4", "123456789012345678901234567890123"})
        EXPECT_FALSE(c.add({name, 0, {}})) << name;
    EXPECT_EQ(c.size(), 1u);
    EXPECT_FALSE(c.find("mire"));
    EXPECT_FALSE(c.find_letter(0));
    EXPECT_EQ(c.add({"mud", 'N', {}}).error().message(), "duplicate terrain name 'mud'");
}

TEST(Catalogue, TakesNamesAndLettersToTheirEnds) {
    Catalogue c;
    for (const char* name : {"a", "z", "0", "9", "_", "12345678901234567890123456789012"}) EXPECT_TRUE(c.add({name, 0, {}})) << name;
    EXPECT_EQ(c.add({"first", 1, {}}).value(), 6);
    EXPECT_EQ(c.find_letter(1), Terrain{6});
    EXPECT_FALSE(c.add({"second", 1, {}}));
}

TEST(Catalogue, Holds255Types) {
    Catalogue c;
    for (int i = 0; i < 255; ++i) EXPECT_EQ(c.add({"t" + std::to_string(i), 0, {}}).value(), i);
    EXPECT_EQ(c.add({"one_more", 0, {}}).error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace terrane
