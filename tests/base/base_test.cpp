#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "terrane/base/assert.h"
#include "terrane/base/cost.h"
#include "terrane/base/file.h"
#include "terrane/base/result.h"
#include "terrane/base/rng.h"
#include "terrane/base/status.h"

namespace terrane {
namespace {

TEST(Cost, DiagonalIsRootTwoToThreePartsInTenMillion) {
    EXPECT_NEAR(static_cast<double>(kDiagonal) / kStraight, 1.41421356237, 4e-7);
    EXPECT_EQ(to_real(kStraight * (100 + 100)), 1.0);
}

TEST(RngGolden, SameNumbersEverywhere) {
    Rng rng(42);
    uint64_t h = 0;
    for (int i = 0; i < 1000; ++i) {
        h = mix64(h ^ rng.next());
        h = mix64(h ^ rng.below(7));
        h = mix64(h ^ static_cast<uint64_t>(rng.between(-5, 5)));
    }
    EXPECT_EQ(h, 0x8bb50f4cd5270d9bu);
}

TEST(Rng, BelowIsUniformAndInRange) {
    Rng rng(7);
    std::array<int, 5> counts{};
    for (int i = 0; i < 50000; ++i) ++counts[rng.below(5)];
    for (const int c : counts) EXPECT_NEAR(c, 10000, 500);
    EXPECT_EQ(rng.below(1), 0u);
    EXPECT_EQ(rng.between(3, 3), 3);
}

TEST(Result, ErrorMessageHasFileLineAndReason) {
    EXPECT_EQ((Error{ErrorCode::kBadValue, "a.map", 7, "too short"}).message(), "a.map:7: too short");
    EXPECT_EQ((Error{ErrorCode::kBadValue, "a.map", 0, "too short"}).message(), "a.map: too short");
    EXPECT_EQ((Error{ErrorCode::kBadValue, "", 7, "too short"}).message(), "line 7: too short");
    EXPECT_EQ((Error{ErrorCode::kBadValue, "", 0, "too short"}).message(), "too short");
}

TEST(Result, HoldsAValueOrAnError) {
    const Result<int> good(5), bad(Error{ErrorCode::kTooLarge, {}, 0, "no"});
    EXPECT_TRUE(good);
    EXPECT_EQ(*good, 5);
    EXPECT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::kTooLarge);
}

TEST(ResultDeathTest, ValueOfAnErrorEndsWithItsMessageAndThePlaceOfTheCall) {
    Result<int> bad(Error{ErrorCode::kBadValue, "a.map", 7, "too short"});
    const std::string message = ": contract broken: value\\(\\) of a Result that holds an error: a.map:7: too short";
    EXPECT_DEATH(static_cast<void>(bad.value()), "base_test.cpp:[0-9]+" + message);
    EXPECT_DEATH(static_cast<void>(std::as_const(bad).value()), "base_test.cpp:[0-9]+" + message);
    EXPECT_DEATH(static_cast<void>(Result<int>(bad).value()), "base_test.cpp:[0-9]+" + message);
    EXPECT_DEATH(static_cast<void>(*bad), "result.h:[0-9]+" + message);
    EXPECT_DEATH(static_cast<void>(Result<int>(5).error()), "base_test.cpp:[0-9]+: contract broken: error\\(\\) of a Result");
}

// In every build: the check is TERRANE_CHECK, not TERRANE_ASSERT.
TEST(ResultDeathTest, ValueOfAnErrorEndsWhereTheHandlerReturns) {
    EXPECT_DEATH(
        {
            set_assert_handler([](const char* expression, const char*, int) { std::fputs(expression, stderr); });
            static_cast<void>(Result<int>(Error{ErrorCode::kBadValue, {}, 0, "too short"}).value());
            std::exit(0);
        },
        "too short");
}

TEST(RngDeathTest, RefusesARangeThatIsReversed) {
    Rng rng(1);
    EXPECT_DEATH(static_cast<void>(rng.between(2, 1)), "contract broken: low <= high");
}

TEST(Assert, CallsTheHandlerThatWasSet) {
    static std::string seen;
    set_assert_handler([](const char* expression, const char*, int) { seen = expression; });
    detail::assert_failed("1 == 2", __FILE__, __LINE__);
    set_assert_handler(nullptr);
    EXPECT_EQ(seen, "1 == 2");
}

TEST(AssertDeathTest, DefaultHandlerPrintsTheExpressionAndAborts) {
    EXPECT_DEATH(detail::assert_failed("1 == 2", "file.cpp", 7), "file.cpp:7: contract broken: 1 == 2");
}

TEST(Status, EveryOneHasAName) {
    for (int s = 0; s <= static_cast<int>(Status::kUnsupportedMovement); ++s) EXPECT_STRNE(to_string(static_cast<Status>(s)), "unknown");
    EXPECT_STREQ(to_string(Status::kNotPrepared), "not prepared");
    EXPECT_STREQ(to_string(Status::kBadProfile), "bad profile");
    EXPECT_STREQ(to_string(static_cast<Status>(200)), "unknown");
}

class FileTest : public testing::Test {
protected:
    // One folder per test: tests may run in parallel.
    const std::string folder_ = testing::TempDir() + "terrane_file_test_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    void SetUp() override { std::filesystem::create_directories(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }
};

TEST_F(FileTest, ReadsWhatItWrote) {
    const std::string bytes("a\0b\r\n", 5);
    ASSERT_TRUE(write_file(folder_ + "/x", bytes));
    EXPECT_EQ(read_file(folder_ + "/x", 5).value(), bytes);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);  // no temporary left
}

TEST_F(FileTest, FirstBytesAreThoseOfARegularFile) {
    ASSERT_TRUE(write_file(folder_ + "/x", "12345"));
    EXPECT_EQ(read_first_bytes(folder_ + "/x", 3), "123");
    EXPECT_EQ(read_first_bytes(folder_ + "/x", 9), "12345");
    EXPECT_EQ(read_first_bytes(folder_, 9), "");
    EXPECT_EQ(read_first_bytes(folder_ + "/none", 9), "");
}

TEST_F(FileTest, RefusesMissingDirectoryAndTooLarge) {
    ASSERT_TRUE(write_file(folder_ + "/x", "12345"));
    EXPECT_EQ(read_file(folder_ + "/x", 4).error().code, ErrorCode::kTooLarge);
    EXPECT_EQ(read_file(folder_ + "/none", 4).error().code, ErrorCode::kCannotOpen);
    EXPECT_EQ(read_file(folder_, 4).error().code, ErrorCode::kCannotOpen);
    EXPECT_NE(read_file(folder_, 4).error().message().find("directory"), std::string::npos);
    EXPECT_EQ(write_file(folder_ + "/no/such/folder", "x").error().code, ErrorCode::kCannotOpen);
}

TEST_F(FileTest, LinksStayAndDevicesAreWrittenTo) {
    namespace fs = std::filesystem;
    ASSERT_TRUE(write_file(folder_ + "/x", "old"));
    fs::create_symlink("x", folder_ + "/link");
    ASSERT_TRUE(write_file(folder_ + "/link", "new"));
    EXPECT_TRUE(fs::is_symlink(folder_ + "/link"));
    EXPECT_EQ(read_file(folder_ + "/x", 9).value(), "new");
    fs::create_symlink("none", folder_ + "/dangling");
    ASSERT_TRUE(write_file(folder_ + "/dangling", "new"));
    EXPECT_EQ(read_file(folder_ + "/dangling", 9).value(), "new");
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    for (const char* device : {"null", "full"}) {
        const std::string link = folder_ + "/" + device;
        fs::create_symlink(std::string("/dev/") + device, link);
        const auto written = write_file(link, "new");
        EXPECT_EQ(written.has_value(), std::string(device) == "null");
        EXPECT_TRUE(written || written.error().reason.find("No space left") != std::string::npos);
        EXPECT_TRUE(fs::is_character_file(link));
        EXPECT_FALSE(fs::exists(link + ".partial"));
    }
}

TEST_F(FileTest, FailedWriteLeavesTheOldFile) {
    ASSERT_TRUE(write_file(folder_ + "/x", "old"));
    EXPECT_FALSE(write_file(folder_, "new"));  // a folder cannot be replaced
    EXPECT_EQ(read_file(folder_ + "/x", 10).value(), "old");
}

}  // namespace
}  // namespace terrane
