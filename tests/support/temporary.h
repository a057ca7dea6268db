// A temporary folder, removed at the end of the test.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace terrane {

class TemporaryFolder {
public:
    TemporaryFolder() : path_(std::filesystem::path(testing::TempDir()) / unique_name()) { std::filesystem::create_directories(path_); }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    std::string path() const { return path_.string(); }

private:
    static std::string unique_name() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        return std::string("terrane_") + test->test_suite_name() + '_' + test->name() + '_' + std::to_string(getpid());
    }

    std::filesystem::path path_;
};

}  // namespace terrane
