// Concurrent writers of one file, some of which are killed while they write.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "terrane/base/file.h"

namespace terrane {
namespace {

namespace fs = std::filesystem;

// The content that the writer `letter` saves: one letter, longer than one write, with a different length for each letter.
std::string content(char letter) { return std::string(200'000 + 1'000 * static_cast<size_t>(letter - 'a'), letter); }
bool is_whole(const std::string& bytes) { return !bytes.empty() && bytes[0] >= 'a' && bytes[0] <= 'z' && bytes == content(bytes[0]); }

class SavingTogether : public testing::Test {
protected:
    const std::string folder_ = testing::TempDir() + "terrane_saving_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    const std::string file_ = folder_ + "/x";

    void SetUp() override {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        ASSERT_TRUE(write_file(file_, content('a')));
    }
    void TearDown() override { fs::remove_all(folder_); }

    // The number of other files in the folder.
    size_t others() const { return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {})) - 1; }
    void expect_whole() const {
        const auto bytes = read_file(file_, 1 << 20);
        ASSERT_TRUE(bytes) << bytes.error().message();
        EXPECT_TRUE(is_whole(*bytes)) << bytes->size() << " bytes";
    }

    // Forks a process that saves `times` times (-1: for ever) and exits with 0 if every save succeeded.
    pid_t save_in_process(char letter, int times) const {
        const pid_t child = ::fork();
        if (child != 0) return child;
        const std::string bytes = content(letter);
        for (; times != 0; --times) {
            if (!write_file(file_, bytes)) ::_exit(1);
        }
        ::_exit(0);
    }
};

TEST_F(SavingTogether, ThreadsReplaceTheFileAtomically) {
    std::atomic<int> left = 4, failed = 0;
    std::vector<std::thread> savers;
    for (const char letter : {'a', 'b', 'c', 'd'}) {
        savers.emplace_back([&, letter] {
            const std::string bytes = content(letter);
            for (int i = 0; i < 40; ++i) failed += write_file(file_, bytes) ? 0 : 1;
            --left;
        });
    }
    while (left > 0) expect_whole();
    for (std::thread& saver : savers) saver.join();
    EXPECT_EQ(failed, 0);
    expect_whole();
    EXPECT_EQ(others(), 0u);
}

TEST_F(SavingTogether, ProcessesReplaceTheFileAtomically) {
    std::vector<pid_t> savers;
    for (const char letter : {'a', 'b', 'c'}) savers.push_back(save_in_process(letter, 40));
    for (const pid_t saver : savers) {
        int status = -1;
        while (::waitpid(saver, &status, WNOHANG) == 0) expect_whole();
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    expect_whole();
    EXPECT_EQ(others(), 0u);
}

// Three writers at a time, each killed during a save or between two. They leave at most one file each, however often that happens, and
// later writers succeed.
TEST_F(SavingTogether, TemporaryFilesOfKilledProcessesAreReused) {
    for (int round = 0; round < 20; ++round) {
        std::vector<pid_t> savers;
        for (const char letter : {'a', 'b', 'c'}) savers.push_back(save_in_process(letter, -1));
        for (int looks = 0; looks < 5 * round; ++looks) expect_whole();
        for (const pid_t saver : savers) ::kill(saver, SIGKILL);
        for (const pid_t saver : savers) ASSERT_EQ(::waitpid(saver, nullptr, 0), saver);
        expect_whole();
        ASSERT_LE(others(), 3u);
    }
    const size_t left = others();
    ASSERT_TRUE(write_file(file_, content('z')));
    EXPECT_EQ(read_file(file_, 1 << 20).value(), content('z'));
    EXPECT_LE(others(), left);
}

TEST_F(SavingTogether, AbandonedTemporaryFilesAreTakenOverButNotLockedOnes) {
    ASSERT_TRUE(write_file(file_ + ".partial", "left"));
    ASSERT_TRUE(write_file(file_, content('b')));
    EXPECT_EQ(others(), 0u);
    ASSERT_TRUE(write_file(file_ + ".partial", "in use"));
    const int handle = ::open((file_ + ".partial").c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_EQ(::flock(handle, LOCK_EX), 0);
    ASSERT_TRUE(write_file(file_ + ".1.partial", "left, and longer than what is saved now"));
    ASSERT_TRUE(write_file(file_, "c"));
    EXPECT_EQ(read_file(file_, 99).value(), "c");
    EXPECT_EQ(read_file(file_ + ".partial", 99).value(), "in use");
    EXPECT_EQ(others(), 1u);
    ::close(handle);
}

// A folder, symbolic links and a pipe have the temporary names. The links are not followed.
TEST_F(SavingTogether, TemporaryNamesThatAreNotRegularFilesAreSkipped) {
    fs::create_directory(file_ + ".partial");
    ASSERT_TRUE(write_file(folder_ + "/precious", "precious"));
    fs::create_symlink("precious", file_ + ".1.partial");
    fs::create_symlink("none", file_ + ".2.partial");
    ASSERT_EQ(::mkfifo((file_ + ".3.partial").c_str(), 0600), 0);
    const int reader = ::open((file_ + ".3.partial").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_TRUE(write_file(file_, content('b')));
    ::close(reader);
    expect_whole();
    EXPECT_EQ(read_file(folder_ + "/precious", 99).value(), "precious");
    EXPECT_FALSE(fs::exists(folder_ + "/none"));
    EXPECT_TRUE(fs::is_directory(file_ + ".partial") && fs::is_symlink(file_ + ".1.partial") && fs::is_fifo(file_ + ".3.partial"));
    EXPECT_EQ(others(), 5u);
}

}  // namespace
}  // namespace terrane
